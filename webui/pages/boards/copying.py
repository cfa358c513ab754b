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
from engine.mini_express.pack.archive import archived, files_in
from engine.mini_express.pack.boards import NAME_AT_MOST, PORTS
from engine.mini_express.pack.writing import Drawing
from engine.sentences import N_, Phrase, Problem

from ...forms import Form, choice, in_short
from ...kept.calibrations import Calibration
from ...kept.packs import about_own_copy
from ...language import DONE, line_of, say
from ...problems import WebProblem, status_of
from ...services import calibrations, pack_in_use, packs, reader
from .calibrating import TITLES
from .tapping import tapped_at

copying = Blueprint("copying", __name__)

PAGE = "/copy/<string(length=16):cid>"
THE_FILE = Phrase("the file")
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
def draw(cid: str) -> ResponseReturnValue:
    """The photo with what every hex is taken for, to be corrected."""
    try:
        calibration = _drawn(cid)
    except GridProblem as problem:
        return render_template("boards/copy.html", title=TITLES[COPY], problem=line_of(problem)), 400
    kinds, latest = [*calibration.kinds.values()], hex_from_text(request.args.get("at", ""))
    return render_template(
        "boards/copy.html",
        calibration=calibration,
        title=TITLES[COPY],
        kinds={kind: KINDS[kind] for kind in KINDS if kind != PORT or _as_shipped(calibration).ports},
        cities=sum(kind.isdigit() for kind in kinds),
        cities_wanted=CITIES,
        ports=kinds.count(PORT),
        ports_wanted=PORTS if _as_shipped(calibration).ports else 0,
        outlines=_outlines(calibration, latest),
        signs=SIGNS,
        latest=latest,
        rims=RIMS,
        middles=_middles(calibration),
    )


@copying.post(PAGE)
def change(cid: str) -> ResponseReturnValue:
    """A hex was tapped and is what was chosen, or all hexes are to be tapped again."""
    if "again" in request.form:
        calibrations().change(cid, _begun_anew)
        return redirect(url_for("calibrating.show", cid=cid), 303)
    calibration = calibrations().change(cid, lambda now: _changed(_found(now), request.form))
    return redirect(url_for("copying.draw", cid=cid, at=hex_to_text(_tapped(calibration, request.form))), 303)


@copying.get(PAGE + "/names")
def names(cid: str) -> str:
    """What the cities are called."""
    return _names_page(_drawn(cid))


@copying.post(PAGE + "/names")
def keep(cid: str) -> ResponseReturnValue:
    """It is as printed: new games are played on this map, and its photos are read. Who sends it twice has kept it."""
    if calibrations().is_finished(cid):
        return redirect(url_for("calibrating.overview"), 303)
    named = _named(_drawn(cid), request.form)
    if wrong := [at for at, name in named.names.items() if not _can_be_name(name)]:
        problem = WebProblem("no_name", limit=NAME_AT_MOST)
        return _names_page(named, problem, wrong), status_of(problem)
    try:
        calibration = calibrations().change(cid, lambda now: _named_as_seen(now, request.form))
    except WebProblem as problem:
        return _names_page(named, problem), status_of(problem)
    try:
        board, surface = _put_in_use(calibration)
    except PackProblem as problem:
        told = _refused(problem, calibration)
        city = told.values["city"] if told.key in ("city_twice", "no_start") else None
        wrong = [at for at, name in calibration.names.items() if name == city]
        return _names_page(calibration, told, wrong), status_of(told)
    except (GridProblem, RegistrationProblem) as problem:
        return _names_page(calibration, problem), 400
    _tell_of_spike(calibration, board)
    profiles = reader().profiles
    reader().in_turn(lambda: profiles.keep(surface, board))
    calibrations().finish(calibration)
    return redirect(url_for("calibrating.overview"), 303)


def _put_in_use(calibration: Calibration) -> tuple[Board, Surface]:
    """The map as it was drawn, with which new games are played from now on, and as it looks in the photo.

    Raises PackProblem, GridProblem, RegistrationProblem, WebProblem.
    """
    drawing, photo = _drawing(calibration), calibrations().photo(calibration)
    files = {drawing.file: drawing.to_toml()}
    board = packs().tried(files).board(calibration.board)
    surface = reader().in_turn(lambda: _calibrated(photo, calibration, board))
    packs().change(lambda _: files)
    return board, surface


def _tell_of_spike(calibration: Calibration, board: Board) -> None:
    """That the Golden Spike cannot be played on this map, where a name is missing for it (R10)."""
    if (spike := _as_shipped(calibration).spike) and not board.spike:
        missing = [city for city in (spike.east, spike.west) if city not in board.city_named]
        flash(say(NO_SPIKE, cities=missing))


@copying.get("/copy/pack.zip")
def download() -> Response:
    """The printed data in use as one file, for the command line or another table."""
    file = f'attachment; filename="mini-express-{pack_in_use().digest}.zip"'
    headers = {"Content-Disposition": file, "Content-Type": "application/zip"}
    return Response(archived(pack_in_use()), headers=headers)


@copying.post("/copy/open")
def open_saved() -> ResponseReturnValue:
    """Put a copy that was saved as a file in use. Raises PackProblem where it is none, WebProblem."""
    sent = request.files.get("copy")
    try:
        files = files_in(sent.stream.read() if sent else b"", THE_FILE)
    except PackProblem as problem:
        raise WebProblem("no_copy_file", reason=problem.values.get("reason", problem)) from None
    try:
        packs().change(lambda _: files)
    except PackProblem as problem:
        raise about_own_copy(problem) from None
    return redirect(url_for("calibrating.overview"), 303)


@copying.post("/copy/shipped")
def use_shipped() -> ResponseReturnValue:
    """Back to the data that came with masinfira; the own copy stays for the games begun with it."""
    packs().use_shipped()
    flash(say("New games are played with the map and tables that came with masinfira."), DONE)
    return redirect(url_for("calibrating.overview"), 303)


def _drawn(cid: str) -> Calibration:
    """With all hexes, looked for in the photo once they have been tapped. Raises GridProblem, WebProblem."""
    calibration = _copy(calibrations().load(cid))
    if calibration.kinds:
        return calibration
    if len(calibration.tapped) < TAPS:
        raise WebProblem("calibration_gone")
    photo = calibrations().photo(calibration)
    points, kinds = reader().in_turn(lambda: _looked_for(calibration, photo))

    def with_hexes(now: Calibration) -> Calibration:
        """Unless another phone has seen them found already, and corrected, or has begun again."""
        seen = now.kinds or now.marks != calibration.marks
        return now if seen else replace(now, proposed=points, kinds=kinds)

    return calibrations().change(cid, with_hexes)


def _begun_anew(calibration: Calibration) -> Calibration:
    """Without what was tapped and found. Raises WebProblem."""
    return replace(_copy(calibration), marks=(), proposed=None, kinds={}, names={})


def _copy(calibration: Calibration) -> Calibration:
    """The calibration, if it is one of a copy. Raises WebProblem."""
    packs().check_may_change()
    if calibration.surface != COPY:
        raise WebProblem("calibration_gone")
    return calibration


def _found(calibration: Calibration) -> Calibration:
    """The calibration, if its hexes have been found. Raises WebProblem."""
    if not _copy(calibration).kinds:
        raise WebProblem("calibration_gone")
    return calibration


def _looked_for(calibration: Calibration, photo: Photo) -> tuple[dict[str, Any], dict[Hex, str]]:
    """All hexes of the grid as a points file, and what each may be. Raises GridProblem."""
    view = uncharted_grid(calibration.tapped, calibration.board, photo.pixels, calibration.corners).view
    hexes = hexes_on_board(photo.pixels, view, calibration.corners)
    middles = view([hex_center(at) for at in hexes]).round(1).tolist()
    points = [{"hex": list(at), "px": px} for at, px in zip(hexes, middles, strict=True)]
    return {"image_points": points}, proposed_kinds(photo.pixels, view, hexes)


def _middles(calibration: Calibration) -> dict[Hex, Px]:
    """Where the photo has the middle of each hex."""
    return {tap.hex: tap.px for tap in read_taps(calibration.proposed)}


def _outlines(calibration: Calibration, latest: Hex | None) -> dict[Hex, Points]:
    """Where the photo has the six corners of each hex that is something and, on top, of the one tapped last."""
    plane = grid_through(read_taps(calibration.proposed))
    shown = [at for at, kind in calibration.kinds.items() if kind != NOTHING or at == latest]
    return {at: transform(hex_outline(at), plane) for at in sorted(shown, key=lambda at: at == latest)}


def _changed(calibration: Calibration, form: Form) -> Calibration:
    """With the hex that was tapped turned into what was chosen. Raises WebProblem."""
    kind = choice(form, "kind", tuple(KINDS))
    return replace(calibration, kinds={**calibration.kinds, _tapped(calibration, form): kind})


def _tapped(calibration: Calibration, form: Form) -> Hex:
    """The hex that was tapped. Raises WebProblem."""
    px = tapped_at(calibration, form)
    return min(_middles(calibration).items(), key=lambda place: dist(place[1], px))[0]


def _cities(calibration: Calibration) -> list[Hex]:
    """The hexes with a city in the order of their numbers: columns from east to west, each downwards (R1.4)."""
    return sorted((at for at, kind in calibration.kinds.items() if kind.isdigit()), key=eastern_first)


def _names_page(calibration: Calibration, problem: Problem | None = None, wrong: Sequence[Hex] = ()) -> str:
    """What was written, what is `wrong` of it marked, or else what the cities may be called by where they lie."""
    cities, known = _cities(calibration), _as_shipped(calibration).cities
    called = dict(zip(cities, proposed_names(cities, known), strict=True)) | calibration.names
    return render_template(
        "boards/names.html",
        calibration=calibration,
        seen=_seen(calibration),
        title=TITLES[COPY],
        names={at: called[at] for at in cities},
        known=sorted(city.name for city in known),
        middles=_middles(calibration),
        problem=problem,
        wrong=wrong,
        limit=NAME_AT_MOST,
    )


def _named(calibration: Calibration, form: Form) -> Calibration:
    """With what the cities are called, as it was written."""
    written = {at: form.get(f"name.{hex_to_text(at)}", "").strip() for at in _cities(calibration)}
    return replace(calibration, names=written)


def _named_as_seen(calibration: Calibration, form: Form) -> Calibration:
    """The same, if the hexes are still those that were seen then. Raises WebProblem."""
    if form.get("seen") != _seen(_found(calibration)):
        raise WebProblem("tables_changed")
    return _named(calibration, form)


def _seen(calibration: Calibration) -> str:
    """The hexes that a person who writes down names has looked at, in short."""
    return in_short((calibration.proposed, sorted(calibration.kinds.items())))


def _can_be_name(name: str) -> bool:
    return 0 < len(name) <= NAME_AT_MOST and name.isprintable()


def _drawing(calibration: Calibration) -> Drawing:
    """The map as it was drawn; who starts where, and the Golden Spike, go by the cities' names (R1.5, R10.1)."""
    board = _as_shipped(calibration)
    starts = {city.name: city.start for city in board.cities}
    printed = []
    for at, kind in calibration.kinds.items():
        if kind.isdigit():
            name = calibration.names[at]
            printed.append(Printed(at, "city", name, int(kind), starts.get(name, "")))
        elif kind != NOTHING:
            printed.append(Printed(at, kind))
    return Drawing(
        board.id, board.names, tuple(printed), board.spike and (board.spike.east, board.spike.west)
    )


def _refused(problem: PackProblem, calibration: Calibration) -> Problem:
    """Why a drawing is no map, to somebody who taps and writes names."""
    match problem.key:
        case "starts":
            company = problem.values["company"]
            return WebProblem("no_start", company=company, city=_as_shipped(calibration).starts[company].name)
        case "city_twice":
            return WebProblem("city_twice", city=problem.values["city"])
        case "named_city":
            return WebProblem("no_such_city", city=problem.values["city"])
        case "island":
            at = problem.values["hex"]
            near = min(_cities(calibration), key=lambda city: distance(city, at))
            return WebProblem("island", city=calibration.names[near])
    return about_own_copy(problem)


def _calibrated(photo: Photo, calibration: Calibration, board: Board) -> Surface:
    """The map as it looks in the photo. Raises GridProblem, RegistrationProblem."""
    taps = [Tap(at, px) for at, px in _middles(calibration).items() if at in board.index]
    surface, _ = calibrate_map(photo, taps, board)
    check_print(surface)
    return surface


def _as_shipped(calibration: Calibration) -> Board:
    """What is told of the map by name, as shipped: what one copy has left out the next may have."""
    return built_in().boards.get(calibration.board) or pack_in_use().board(calibration.board)
