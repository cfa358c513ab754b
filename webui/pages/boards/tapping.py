"""A calibration under way: what is to be tapped next, and what a form makes of it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from calibration import (
    SHARE_TILES,
    Mark,
    PanelProblem,
    ShareProblem,
    Wanted,
    points_file,
    read_panel_points,
    wanted,
)
from calibration.cell_names import AREAS, TRACKS, CellName
from calibration.map.uncharted import named, next_hex
from calibration.tapped.asked import COPY, CORNERS, OPPOSITE, WHERE
from calibration.tapped.corners import plane_of_corners
from calibration.tapped.panels import BOARD_MM_WITHIN, check_area
from calibration.tapped.shares import TILE_MM_WITHIN
from engine.mini_express.board import Board
from engine.sentences import plain

from ...forms import Form, choice, whole_number
from ...kept.calibrations import Calibration
from ...problems import WebProblem

SIDES = ("width", "height")
# So large are those of the sample tables.
EXAMPLES_MM = {"tracks": (430, 308), "assets": (350, 232), SHARE_TILES: (30, 45)}
MILLIMETRES = re.compile(r"[0-9]{1,4}([.,][0-9])?", re.ASCII)


def asked(calibration: Calibration, board: Board) -> Wanted | None:
    """The next point to tap; None once all are tapped, or the grid was found without."""
    if calibration.grid:
        return None
    if calibration.surface == COPY:
        return next_hex(calibration.tapped, calibration.pixels, calibration.corners)
    return wanted(calibration.surface, board, calibration.marks, calibration.taps)


def changed(calibration: Calibration, form: Form, board: Board) -> Calibration:
    """The calibration with what was done on its page: a point tapped, not there, or to be tapped again.

    Raises WebProblem, PanelProblem, ShareProblem.
    """
    if "at.x" in form:
        return _with_mark(calibration, form, board)
    sized = ("size",) if calibration.surface in EXAMPLES_MM else ()
    match choice(form, "do", ("skip", "back", "again", "decline", "accept", "more", "other", *sized)):
        case "skip":
            return _with_mark(calibration, form, board)
        case "back" if not _in_time(calibration, form):
            return calibration
        case "back":
            return replace(calibration, marks=calibration.marks[:-1])
        case "again":
            return calibration.without(form.get("of", ""))
        case "size":
            return replace(calibration, size=size_in(form, calibration.surface))
        case "decline":
            return replace(calibration, declined=True)
        case "accept":
            return replace(calibration, declined=False)
        case "other":
            other = calibration.other
            return (
                replace(calibration, **other, marks=(), declined=False, other=None) if other else calibration
            )
    return _with_one_more(calibration, board)


def _with_one_more(calibration: Calibration, board: Board) -> Calibration:
    """One more hex is to be tapped; who could not find a city may look again when there is no other."""
    found = tuple(mark for mark in calibration.marks if mark.px)
    marks = calibration.marks if len(calibration.marks) < len(board.cities) else found
    return replace(calibration, marks=marks, taps=len(found) + 1)


def _in_time(calibration: Calibration, form: Form) -> bool:
    """Whether the form was filled in when the calibration was as it is; who taps twice has tapped once."""
    return form.get("marks") == str(len(calibration.marks))


def _with_mark(calibration: Calibration, form: Form, board: Board) -> Calibration:
    """With one more mark, if it is of what was asked for."""
    now = asked(calibration, board)
    if now is None or form.get("of") != now.of or not _in_time(calibration, form):
        return calibration
    px = tapped_at(calibration, form) if "at.x" in form else None
    if px and calibration.surface == COPY:
        tap = named(calibration.tapped, px, calibration.corners)
        return replace(calibration, marks=(*calibration.marks, Mark(plain(tap.hex), px)))
    at = whole_number(form, "number") if px and now.at is not None else 0
    tapped = replace(calibration, marks=(*calibration.marks, Mark(now.of, px, at, "bend" in form)))
    _check_room(tapped, now.of)
    return tapped


def _check_room(calibration: Calibration, of: str) -> None:
    """Corners go round something: told at once, not after the last of many taps. Raises PanelProblem, ShareProblem."""
    corners = [mark.px for mark in calibration.marks if mark.of == of and mark.px]
    named = CellName.of(of)
    if named.sort in AREAS and len(corners) == len(OPPOSITE):
        points = points_file(calibration.surface, calibration.marks, calibration.size)
        check_area(of, read_panel_points(points))
    if named.sort in (*AREAS, *TRACKS) or len(corners) < len(WHERE):
        return
    if plane_of_corners(corners, calibration.size) is None:
        raise PanelProblem(CORNERS) if of == CORNERS else ShareProblem("corners", company=named.company)


def tapped_at(calibration: Calibration, form: Mapping[str, str]) -> tuple[float, float]:
    """Where the photo was tapped, in its pixels. Raises WebProblem."""
    try:
        x, y = float(form["at.x"]), float(form["at.y"])
    except (KeyError, ValueError):
        raise WebProblem("bad_field", field="at") from None
    if not (0 <= x < calibration.pixels[0] and 0 <= y < calibration.pixels[1]):
        raise WebProblem("bad_field", field="at")
    return x, y


@dataclass(frozen=True)
class Measures:
    """Between which lengths the sides of a board or tile can be, mm, and an `example` of (width, height)."""

    least: int
    most: int
    example: tuple[int, int]

    @property
    def problem(self) -> WebProblem:
        return WebProblem("no_size", least=self.least, most=self.most)


def measures(surface: str) -> Measures:
    """Those of a surface that is measured."""
    least, most = map(round, TILE_MM_WITHIN if surface == SHARE_TILES else BOARD_MM_WITHIN)
    return Measures(least, most, EXAMPLES_MM[surface])


def size_in(form: Form, surface: str) -> tuple[float, float]:
    """Width and height of the board or tile, mm. Raises WebProblem."""
    mm = measures(surface)
    width, height = (_millimetres(form.get(side, "")) for side in SIDES)
    if not all(mm.least <= side <= mm.most for side in (width, height)):
        raise mm.problem
    return width, height


def _millimetres(text: str) -> float:
    """A length as people write it, with a comma or a point; 0 for anything else, which is no size either."""
    found = MILLIMETRES.fullmatch(text.strip())
    return float(found[0].replace(",", ".")) if found else 0.0
