"""My copy of a map: what is printed on every hex is said by the photo and by a person, and played with from then on."""

from collections.abc import Sequence
from dataclasses import replace
from math import dist
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from calibration import (
    GridProblem,
    Photo,
    RegistrationProblem,
    Surface,
    Tap,
    calibrate_map,
    read_taps,
    transform,
)
from calibration.hexes import hex_center, hex_outline
from calibration.map.taps import grid_through
from calibration.map.uncharted import (
    LANDSCAPE,
    NOTHING,
    PORT,
    TAPS,
    hexes_on_board,
    proposed_kinds,
    proposed_names,
    uncharted_grid,
)
from calibration.registration.register import check_print
from calibration.surface import Points
from calibration.tapped.asked import COPY
from calibration.tapped.corners import Px
from engine.hexgrid import Hex, distance
from engine.mini_express import PackProblem, built_in
from engine.mini_express.board import Board, Printed, eastern_first
from engine.mini_express.names import CITIES
from engine.mini_express.notation import hex_from_text, hex_to_text
from engine.mini_express.pack.archive import archived
from engine.mini_express.pack.boards import NAME_AT_MOST, PORTS
from engine.mini_express.pack.writing import Drawing
from engine.sentences import N_, Problem

from ..forms import Form, choice
from ..kept.drafts import Draft
from ..kept.packs import about_own_copy
from ..language import line_of, listed, say
from ..problems import WebProblem, status_of
from ..services import drafts, pack_in_use, packs, reader
from .calibrating import TITLES
from .tapping import tapped_at

copying = Blueprint("copying", __name__)

PAGE = "/copy/<string(length=16):did>"
CITY = N_("A city for {n}")
KINDS = {
    "3": CITY,
    "2": CITY,
    "1": CITY,
    LANDSCAPE: N_("Landscape"),
    PORT: N_("A port"),
    NOTHING: N_("Nothing"),
}
RIMS = {"3": N_("golden rim"), "2": N_("silver rim"), "1": N_("black rim")}
# What stands on a hex in the photo; of the others only landscape has an outline.
SIGNS = {"3": "3", "2": "2", "1": "1", PORT: "P", LANDSCAPE: "", NOTHING: ""}

NO_SPIKE = N_("On your map is missing: {cities}. So it is played without the Golden Spike.")


@copying.get(PAGE)
def draw(did: str) -> ResponseReturnValue:
    """The photo with what every hex is taken for, to be corrected."""
    try:
        draft = _drawn(did)
    except GridProblem as problem:
        return render_template("copy.html", title=TITLES[COPY], problem=line_of(problem)), 400
    kinds, latest = [*draft.kinds.values()], hex_from_text(request.args.get("at", ""))
    return render_template(
        "copy.html",
        draft=draft,
        title=TITLES[COPY],
        kinds={kind: KINDS[kind] for kind in KINDS if kind != PORT or _board(draft).ports},
        cities=sum(kind.isdigit() for kind in kinds),
        cities_wanted=CITIES,
        ports=kinds.count(PORT),
        ports_wanted=PORTS if _board(draft).ports else 0,
        outlines=_outlines(draft, latest),
        signs=SIGNS,
        latest=latest,
        rims=RIMS,
        middles=_middles(draft),
    )


@copying.post(PAGE)
def change(did: str) -> ResponseReturnValue:
    """A hex was tapped and is what was chosen, or all hexes are to be tapped again."""
    if "again" in request.form:
        drafts().change(did, lambda draft: replace(_copy(draft), marks=(), proposed=None, kinds={}, names={}))
        return redirect(url_for("calibrating.show", did=did), 303)
    draft = drafts().change(did, lambda draft: _changed(_found(draft), request.form))
    return redirect(url_for("copying.draw", did=did, at=hex_to_text(_tapped(draft, request.form))), 303)


@copying.get(PAGE + "/names")
def names(did: str) -> str:
    """What the cities are called."""
    return _names_page(_drawn(did))


@copying.post(PAGE + "/names")
def keep(did: str) -> ResponseReturnValue:
    """It is as printed: new games are played on this map, and its photos are read."""
    named = _named(_drawn(did), request.form)
    if wrong := [at for at, name in named.names.items() if not _can_be_name(name)]:
        problem = WebProblem("no_name", limit=NAME_AT_MOST)
        return _names_page(named, problem, wrong), status_of(problem)
    draft = drafts().change(did, lambda draft: _named(_found(draft), request.form))
    try:
        drawing, photo = _drawing(draft), drafts().photo(draft)
        files = {drawing.file: drawing.to_toml()}
        board = packs().tried(files).board(draft.board)
        surface = reader().in_turn(lambda: _calibrated(photo, draft, board))
        packs().change(lambda _: files)
    except PackProblem as problem:
        told = _refused(problem, draft)
        return _names_page(draft, told), status_of(told)
    except (GridProblem, RegistrationProblem) as problem:
        return _names_page(draft, problem), 400
    if (spike := _board(draft).spike) and not board.spike:
        missing = [city for city in (spike.east, spike.west) if city not in board.city_named]
        flash(say(NO_SPIKE, cities=listed(missing)))
    profiles = reader().profiles
    reader().in_turn(lambda: profiles.keep(surface, board))
    drafts().finish(draft)
    return redirect(url_for("calibrating.overview"), 303)


@copying.get("/copy/pack.zip")
def download() -> Response:
    """The printed data in use as one file, for the command line or another table."""
    file = f'attachment; filename="mini-express-{pack_in_use().digest}.zip"'
    headers = {"Content-Disposition": file, "Content-Type": "application/zip"}
    return Response(archived(pack_in_use()), headers=headers)


@copying.post("/copy/shipped")
def use_shipped() -> ResponseReturnValue:
    """Back to the data that came with masinfira; the own copy stays for the games begun with it."""
    packs().use_shipped()
    return redirect(url_for("calibrating.overview"), 303)


def _drawn(did: str) -> Draft:
    """The draft with all hexes, looked for in the photo once they have been tapped. Raises GridProblem, WebProblem."""
    draft = _copy(drafts().load(did))
    if draft.kinds:
        return draft
    if len(draft.tapped) < TAPS:
        raise WebProblem("draft_gone")
    photo = drafts().photo(draft)
    points, kinds = reader().in_turn(lambda: _looked_for(draft, photo))

    def with_hexes(now: Draft) -> Draft:
        """Unless another phone has seen them found already, and corrected, or has begun again."""
        seen = now.kinds or now.marks != draft.marks
        return now if seen else replace(now, proposed=points, kinds=kinds)

    return drafts().change(did, with_hexes)


def _copy(draft: Draft) -> Draft:
    """The draft, if it is one of a copy. Raises WebProblem."""
    packs().check_may_change()
    if draft.surface != COPY:
        raise WebProblem("draft_gone")
    return draft


def _found(draft: Draft) -> Draft:
    """The draft, if its hexes have been found. Raises WebProblem."""
    if not _copy(draft).kinds:
        raise WebProblem("draft_gone")
    return draft


def _looked_for(draft: Draft, photo: Photo) -> tuple[dict[str, Any], dict[Hex, str]]:
    """All hexes of the grid as a points file, and what each may be. Raises GridProblem."""
    view = uncharted_grid(draft.tapped, draft.board, photo.pixels, draft.corners).view
    hexes = hexes_on_board(photo.pixels, view, draft.corners)
    middles = view([hex_center(at) for at in hexes]).round(1).tolist()
    points = [{"hex": list(at), "px": px} for at, px in zip(hexes, middles, strict=True)]
    return {"image_points": points}, proposed_kinds(photo.pixels, view, hexes)


def _middles(draft: Draft) -> dict[Hex, Px]:
    """Where the photo has the middle of each hex."""
    return {tap.hex: tap.px for tap in read_taps(draft.proposed)}


def _outlines(draft: Draft, latest: Hex | None) -> dict[Hex, Points]:
    """Where the photo has the six corners of each hex that is something and, on top, of the one tapped last."""
    plane = grid_through(read_taps(draft.proposed))
    shown = [at for at, kind in draft.kinds.items() if kind != NOTHING or at == latest]
    return {at: transform(hex_outline(at), plane) for at in sorted(shown, key=lambda at: at == latest)}


def _changed(draft: Draft, form: Form) -> Draft:
    """With the hex that was tapped turned into what was chosen. Raises WebProblem."""
    return replace(draft, kinds={**draft.kinds, _tapped(draft, form): choice(form, "kind", tuple(KINDS))})


def _tapped(draft: Draft, form: Form) -> Hex:
    """The hex that was tapped. Raises WebProblem."""
    px = tapped_at(draft, form)
    return min(_middles(draft).items(), key=lambda place: dist(place[1], px))[0]


def _cities(draft: Draft) -> list[Hex]:
    """The hexes with a city in the order of their numbers: columns from east to west, each downwards (R1.4)."""
    return sorted((at for at, kind in draft.kinds.items() if kind.isdigit()), key=eastern_first)


def _names_page(draft: Draft, problem: Problem | None = None, wrong: Sequence[Hex] = ()) -> str:
    """What was written, what is `wrong` of it marked, or else what the cities may be called by where they lie."""
    cities, known = _cities(draft), _board(draft).cities
    called = dict(zip(cities, proposed_names(cities, known), strict=True)) | draft.names
    return render_template(
        "names.html",
        draft=draft,
        title=TITLES[COPY],
        names={at: called[at] for at in cities},
        known=sorted(city.name for city in known),
        middles=_middles(draft),
        problem=problem,
        wrong=wrong,
        limit=NAME_AT_MOST,
    )


def _named(draft: Draft, form: Form) -> Draft:
    """With what the cities are called, as it was written."""
    written = {at: form.get(f"name.{hex_to_text(at)}", "").strip() for at in _cities(draft)}
    return replace(draft, names=written)


def _can_be_name(name: str) -> bool:
    return 0 < len(name) <= NAME_AT_MOST and name.isprintable()


def _drawing(draft: Draft) -> Drawing:
    """The map as it was drawn; who starts where, and the Golden Spike, go by the cities' names (R1.5, R10.1)."""
    board = _board(draft)
    starts = {city.name: city.start for city in board.cities}
    printed = []
    for at, kind in draft.kinds.items():
        if kind.isdigit():
            name = draft.names[at]
            printed.append(Printed(at, "city", name, int(kind), starts.get(name, "")))
        elif kind != NOTHING:
            printed.append(Printed(at, kind))
    return Drawing(
        board.id, board.names, tuple(printed), board.spike and (board.spike.east, board.spike.west)
    )


def _refused(problem: PackProblem, draft: Draft) -> Problem:
    """Why a drawing is no map, to somebody who taps and writes names."""
    match problem.key:
        case "starts":
            company = problem.values["company"]
            return WebProblem("no_start", company=company, city=_board(draft).starts[company].name)
        case "city_twice":
            return WebProblem("city_twice", city=problem.values["city"])
        case "island":
            at = problem.values["hex"]
            near = min(_cities(draft), key=lambda city: distance(city, at))
            return WebProblem("island", city=draft.names[near])
    return about_own_copy(problem)


def _calibrated(photo: Photo, draft: Draft, board: Board) -> Surface:
    """The map as it looks in the photo. Raises GridProblem, RegistrationProblem."""
    taps = [Tap(at, px) for at, px in _middles(draft).items() if at in board.index]
    surface = calibrate_map(photo, taps, board)[0].surfaces["map"]
    check_print(surface)
    return surface


def _board(draft: Draft) -> Board:
    """What is told of the map by name, as shipped: what one copy has left out the next may have."""
    return built_in().boards.get(draft.board) or pack_in_use().board(draft.board)
