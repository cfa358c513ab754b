"""Teaching the pages how this table's boards look: a photo of each one empty, a few taps in it, a look, done."""

from functools import partial
from typing import Any

from flask import Blueprint, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from calibration import SHARE_TILES, PanelProblem, Photo, Surface, Wanted, propose
from calibration.cell_names import BOARDS, CellName
from calibration.map.outline import board_outline
from calibration.map.uncharted import TAPS
from calibration.tapped.asked import (
    COPY,
    MAPS,
    TAPS_ON_MAP,
    THINGS,
    may_take_back,
    misshapen,
    progress,
    thing,
)
from engine.mini_express import built_in
from engine.mini_express.board import Board
from engine.sentences import N_, Problem, plain

from ...forms import Form, choice, in_short, photos_sent
from ...kept.calibrations import SURFACES, Calibration
from ...kept.shelf import new_id
from ...language import line_of
from ...problems import WebProblem, status_of
from ...services import calibrations, pack_in_use, packs, reader
from ..places import problem_on, tell_of_others
from .tables import Numbers
from .tapping import SIDES, asked, changed, measures, size_in
from .trial import Trial, tried

calibrating = Blueprint("calibrating", __name__)

PAGE = "/calibrate/<string(length=16):cid>"
TITLES = {
    "map": N_("The map"),
    "tracks": N_("The tracks"),
    "assets": N_("The asset board"),
    SHARE_TILES: N_("The share tiles"),
    COPY: N_("My copy of the map"),
}
NEW = f"/calibrate/new/<any({', '.join(SURFACES)}):surface>"


@calibrating.get("/calibrate")
def overview() -> str:
    """Which boards the pages know, and which they could."""
    return render_template(
        "boards/calibrate.html",
        boards=_maps(),
        known=_known(),
        damaged=reader().profiles.damaged(),
        titles=TITLES,
        begun=calibrations().all(),
        own=pack_in_use() is not built_in(),
        own_map=_is_own_map(),
        own_numbers=Numbers.of(pack_in_use()) != Numbers.of(built_in()),
    )


def _is_own_map() -> bool:
    """Whether a map in use is another than the shipped one."""
    shipped = {name: board.printed for name, board in built_in().boards.items()}
    return shipped != {name: board.printed for name, board in pack_in_use().boards.items()}


def _known() -> set[tuple[str, str]]:
    """The surfaces that are in a profile, each with its map; maps only as they are printed now."""
    profiles = reader().profiles
    panels = {(p.board, name) for p in profiles.all() for name in p.surfaces if name != "map"}
    return panels | {(board.id, "map") for board in pack_in_use().boards.values() if profiles.know(board)}


@calibrating.get(NEW)
def begin(surface: str) -> str:
    """How to take the photo, and what must be told with it."""
    _check_may_begin(surface)
    return _beginning_page(surface, request.args)


def _beginning_page(surface: str, said: Form, problem: Problem | None = None) -> str:
    """The form for the photo with what was `said` before, which may have been refused."""
    boards = _maps()
    # Of several maps none is taken for granted: the photo would be searched for another's hexes.
    chosen = said.get("board", boards[0].id if len(boards) == 1 else "")
    size = [said.get(side, "") for side in SIDES]
    return render_template(
        "boards/calibrate_new.html",
        surface=surface,
        boards=boards,
        chosen=chosen,
        size=size,
        measures=measures,
        title=TITLES[surface],
        problem=problem,
    )


def _check_may_begin(surface: str) -> None:
    """Raises WebProblem where a copy may not be made."""
    if surface == COPY:
        packs().check_may_change()


def _maps() -> list[Board]:
    """The maps that can be calibrated."""
    boards = pack_in_use().boards
    return [boards[board] for board in reader().profiles.maps(boards) or boards]


@calibrating.post(NEW)
def send(surface: str) -> ResponseReturnValue:
    """A photo of an empty board."""
    _check_may_begin(surface)
    try:
        calibration = _begun(surface)
    except Problem as problem:
        return _beginning_page(surface, request.form, problem), status_of(problem)
    return redirect(url_for("calibrating.show", cid=calibration.id), 303)


def _begun(surface: str) -> Calibration:
    """What the form begins; on a map that is known the grid is looked for at once. Raises WebProblem, PhotoProblem."""
    form, boards = request.form, {board.id: board for board in _maps()}
    board = choice(form, "board", tuple(boards)) if surface in MAPS else next(iter(boards))
    size = (1.0, 1.0) if surface in MAPS else size_in(form, surface)
    photos = reader().loaded(photos_sent(request.files)[:1])
    if not photos:
        raise WebProblem("no_photo")
    # Whoever is refused while the photo is looked at takes no room from others.
    taps = TAPS if surface == COPY else TAPS_ON_MAP
    proposed, other = _found(photos[0], boards[board], surface) if surface in MAPS else (None, None)
    outline = board_outline(photos[0].pixels) if surface == COPY else None
    corners = None if outline is None else outline.tolist()
    begun = Calibration(
        new_id(), surface, board, size, photos[0].size, taps, proposed=proposed, other=other, outline=corners
    )
    return calibrations().begin(photos[0], begun)


def _found(photo: Photo, board: Board, surface: str) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The grid of this map that a photo shows by itself, and where it shows none, another map with its grid.

    Of a copy, which may be printed otherwise, the hexes are tapped all the same.
    """
    shown = reader().in_turn(lambda: _proposed(photo, board))
    other = None if shown else _other_map(photo, board.id)
    return (None, other and {"board": other["board"]}) if surface == COPY else (shown, other)


def _other_map(photo: Photo, chosen: str) -> dict[str, Any] | None:
    """Another map that a photo shows, with its grid."""
    others = [board for board in pack_in_use().boards.values() if board.id != chosen]
    shown = reader().in_turn(lambda: {board.id: _proposed(photo, board) for board in others})
    return next(({"board": board, "proposed": grid} for board, grid in shown.items() if grid), None)


def _proposed(photo: Photo, board: Board) -> dict[str, object] | None:
    """The points file of the grid that the photo shows by itself, or None."""
    points = propose(photo, board).image_points()
    return {"image_points": points} if points else None


@calibrating.get(PAGE)
def show(cid: str) -> ResponseReturnValue:
    """The next point to tap, or what came of them all."""
    calibration = calibrations().load(cid)
    board = _board(calibration)
    if wanted := asked(calibration, board):
        return _asking_page(calibration, board, wanted)
    if calibration.surface == COPY:
        return redirect(url_for("copying.draw", cid=cid))
    return _result_page(calibration, board)


def _asking_page(calibration: Calibration, board: Board, wanted: Wanted) -> str:
    surface, marks = calibration.surface, calibration.marks
    return render_template(
        "boards/tap.html",
        calibration=calibration,
        asked=wanted,
        title=TITLES[surface],
        back=may_take_back(surface, board, marks, wanted),
        step=progress(surface, marks, wanted, calibration.taps),
        point=0 if surface in MAPS else 1 + sum(mark.of == wanted.of for mark in marks),
        unfound=surface == "map" and calibration.proposed is None and not marks,
        boards=pack_in_use().boards,
        takes_other=calibration.other and calibration.other["board"] in [each.id for each in _maps()],
        misshapen=misshapen(surface, marks, calibration.size, calibration.pixels),
        measures=measures,
    )


def _result_page(calibration: Calibration, board: Board) -> str:
    trial = _tried(calibration, board)
    return render_template(
        "boards/tapped.html",
        calibration=calibration,
        trial=trial,
        seen=_seen(calibration, board),
        known=_is_known(calibration),
        title=TITLES[calibration.surface],
        measures=measures,
        tapped=_tapped_things(calibration, board),
        problem=trial.problem and problem_on(board, _of_the_thing(trial.problem)),
        told=[
            problem_on(board, _of_the_thing(t)) if isinstance(t, Problem) else line_of(t) for t in trial.told
        ],
    )


def _board(calibration: Calibration) -> Board:
    """The map of a calibration as it is in use now, which may have changed since it was begun. Raises Malformed."""
    return pack_in_use().board(calibration.board)


def _is_known(calibration: Calibration) -> bool:
    """Whether something is replaced when this is kept."""
    known = {name for board, name in _known() if name != "map" or board == calibration.board}
    return calibration.surface in known


def _seen(calibration: Calibration, board: Board) -> str:
    """What a person who says that it lies right has looked at, in short."""
    return in_short((calibration, _rests_on(board)))


def _rests_on(board: Board) -> object:
    """What else the outcome rests on: another phone may put an own copy in use meanwhile, or keep a board.

    What photos teach a board changes nothing in it.
    """
    kept = [
        (each.board, each.name, each.plane_to_reference.tobytes()) for each in reader().profiles.surfaces()
    ]
    return board.printed, kept


def _of_the_thing(problem: Problem) -> Problem:
    """With the names of tracks and areas, as in a points file, in words."""
    named = {n: problem.values[n] for n in ("what", "other") if n in problem.values}
    words: dict[str, Any] = {
        n: thing(v) for n, v in named.items() if isinstance(v, str) and CellName.of(v).sort in THINGS
    }
    return type(problem)(problem.key, **{**problem.values, **words}) if words else problem


def _tried(calibration: Calibration, board: Board) -> Trial:
    """What the calibration comes to; worked out once, for a page is often loaded again."""
    return calibrations().once(
        calibration,
        _rests_on(board),
        lambda photo: reader().in_turn(partial(tried, calibration, photo, board, _learnt())),
    )


def _learnt() -> list[Surface]:
    """Every board of this table that has been calibrated; share tiles are none."""
    return [surface for surface in reader().profiles.surfaces() if surface.name in BOARDS]


def _tapped_things(calibration: Calibration, board: Board) -> dict[str, str]:
    """What was tapped, as marks name it, and in words."""
    if calibration.surface == "map":
        named = {plain(city.at): city.name for city in board.cities}
        return {mark.of: named.get(mark.of, mark.of) for mark in calibration.marks}
    return {mark.of: line_of(thing(mark.of)) for mark in calibration.marks}


@calibrating.get(PAGE + "/photo.jpg")
def picture(cid: str) -> ResponseReturnValue:
    """The photo, without what the phone wrote into its file."""
    return send_file(calibrations().picture(calibrations().load(cid)).resolve(), mimetype="image/jpeg")


@calibrating.post(PAGE)
def change(cid: str) -> ResponseReturnValue:
    """A point was tapped, is not there, or is to be tapped again."""
    try:
        calibrations().change(cid, lambda now: changed(now, request.form, _board(now)))
    except PanelProblem as problem:
        raise _of_the_thing(problem) from None
    return redirect(url_for("calibrating.show", cid=cid), 303)


@calibrating.post(PAGE + "/forget")
def forget(cid: str) -> ResponseReturnValue:
    """It was begun in vain."""
    calibrations().forget(calibrations().load(cid))
    return redirect(url_for("calibrating.overview"), 303)


@calibrating.post(PAGE + "/keep")
def keep(cid: str) -> ResponseReturnValue:
    """It lies right: photos of this board are read from now on. What has changed since is to be looked at again."""
    if calibrations().is_finished(cid):
        return redirect(url_for("calibrating.overview"), 303)
    calibration = calibrations().load(cid)
    board = _board(calibration)
    done = calibration.surface != COPY and not asked(calibration, board)
    if not done or request.form.get("seen") != _seen(calibration, board):
        tell_of_others()
        return redirect(url_for("calibrating.show", cid=cid), 303)
    surface = _tried(calibration, board).made()
    profiles = reader().profiles
    reader().in_turn(lambda: profiles.keep(surface, board))
    calibrations().finish(calibration)
    return redirect(url_for("calibrating.overview"), 303)
