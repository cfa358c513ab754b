"""What a person is asked to tap in the photo of an empty board, one point after the other.

What was tapped makes the same points file that the command line takes.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Phrase, plain

from ..cell_names import AREAS, TRACKS, CellName
from ..hexes import hex_centers
from ..surface import inverse, pairs, transform
from .corners import Px, looks_turned, plane_of_corners
from .marks import Mark, Wanted
from .shares import SHARE_TILES

# Two more than needed: a wrong one can then be found, and left out.
TAPS_ON_MAP = 6
LIKELY_LAST = 15
COPY = "copy"
MAPS = ("map", COPY)
"""What is tapped hex by hex: a map that the data describe, and one that nobody has described yet (see `uncharted`)."""
CORNERS = "corners"
MIDDLE = N_("Tap the middle of {city}.")
CORNER = N_("Tap the corner of {what} that is {where} in print.")
FIRST, LAST = N_("Tap the first space of {what}."), N_("Tap the last space of {what}.")
WHERE = (Phrase("top left"), Phrase("top right"), Phrase("bottom right"), Phrase("bottom left"))
# Of what is upright in print, two corners tell the others.
OPPOSITE = WHERE[0], WHERE[2]
THINGS = {
    CORNERS: N_("the board"),
    "value": N_("the value track of {company}"),
    "influence": N_("the influence track of {company}"),
    "reservoir": N_("the reservoir of {company}"),
    "offer": N_("the share pile of {company}"),
    "company": N_("the company marker's place at {company}"),
    "share": N_("the share tile of {company}"),
}


def wanted(surface: str, board: Board, marks: Sequence[Mark], taps: int = TAPS_ON_MAP) -> Wanted | None:
    """What to tap next for this surface; None where there is enough. On the map that is so from `taps` hexes on."""
    if surface == "map":
        tapped = sum(mark.px is not None for mark in marks)
        return _city(board, marks) if tapped < taps else None
    return next(filter(None, (_next_of(name, _of(marks, name)) for name in names(surface))), None)


def names(surface: str) -> Iterator[str]:
    """What is tapped on a surface other than the map, in order."""
    if surface != SHARE_TILES:
        yield CORNERS
    sorts = {"tracks": TRACKS, "assets": AREAS, SHARE_TILES: ("share",)}[surface]
    for company in COMPANIES:
        for sort in sorts:
            yield f"{sort}/{company}"


def thing(name: str) -> Phrase:
    """What "corners", "value/brown" and the like stand for, in words."""
    named = CellName.of(name)
    return Phrase(THINGS[named.sort], company=named.company)


def may_take_back(surface: str, board: Board, marks: Sequence[Mark], asked: Wanted) -> bool:
    """Whether the last mark came before what is asked: where something is tapped again, later marks stay."""
    if surface == COPY:
        return bool(marks)
    order = [plain(at) for at, _ in _far_apart(board)] if surface == "map" else list(names(surface))
    last = marks[-1].of if marks else ""
    return last in order and order.index(last) <= order.index(asked.of)


def progress(surface: str, marks: Sequence[Mark], asked: Wanted, taps: int) -> tuple[int, int]:
    """The number of the thing asked for, and of how many: hexes of a map, of which `taps` are wanted, or things."""
    if surface in MAPS:
        return 1 + sum(mark.px is not None for mark in marks), taps
    every = list(names(surface))
    return 1 + every.index(asked.of), len(every)


def misshapen(
    surface: str, marks: Sequence[Mark], size: tuple[float, float], picture: tuple[int, int]
) -> bool:
    """Whether the first thing whose four corners are tapped clearly has another shape than `size` says.

    `picture` is the width and height of the photo, px.
    """
    first = [] if surface in MAPS else _of(marks, next(names(surface)))
    if len(first) < len(WHERE):
        return False
    return looks_turned([mark.px for mark in first if mark.px], size, picture)


def points_file(surface: str, marks: Sequence[Mark], size: tuple[float, float]) -> dict[str, Any]:
    """What was tapped as a points file of that surface; `size` of its board or tile, mm."""
    if surface in MAPS:
        tapped = [(mark.of.split(","), mark.px) for mark in marks if mark.px]
        return {"image_points": [{"hex": [int(q), int(r)], "px": list(px)} for (q, r), px in tapped]}
    px = {name: [mark.px for mark in _of(marks, name) if mark.px] for name in names(surface)}
    found = {name: points for name, points in px.items() if points}
    if surface == SHARE_TILES:
        tiles = {CellName.of(name).company: points for name, points in found.items()}
        return {"size_mm": size, "tiles": tiles}
    corners = found.pop(CORNERS, [])
    file: dict[str, Any] = {"corners": corners, "size_mm": size, "tracks": {}, "areas": {}}
    for name, points in found.items():
        if CellName.of(name).sort in TRACKS:
            file["tracks"][name] = {"at": [mark.at for mark in _of(marks, name)], "px": points}
        else:
            file["areas"][name] = _upright(points, corners, size)
    return file


def _of(marks: Sequence[Mark], name: str) -> list[Mark]:
    return [mark for mark in marks if mark.of == name]


def _city(board: Board, marks: Sequence[Mark]) -> Wanted | None:
    """The next city to tap; None where all were asked for."""
    asked = {mark.of for mark in marks}
    for at, name in _far_apart(board):
        if (of := plain(at)) not in asked:
            return Wanted(of, Phrase(MIDDLE, city=name), optional=True)
    return None


def _far_apart(board: Board) -> Iterator[tuple[Hex, str]]:
    """The cities with their names, each as far as can be from those before it: so few taps tell much."""
    centers = hex_centers(city.at for city in board.cities)
    away = np.linalg.norm(centers - centers.mean(axis=0), axis=1)
    for _ in board.cities:
        farthest = int(away.argmax())
        yield board.cities[farthest].at, board.cities[farthest].name
        away = np.minimum(away, np.linalg.norm(centers - centers[farthest], axis=1))


def _next_of(name: str, marks: Sequence[Mark]) -> Wanted | None:
    """What to tap next of one thing; None where it is done or is not there."""
    if any(mark.px is None for mark in marks):
        return None
    sort, what = CellName.of(name).sort, thing(name)
    if sort in TRACKS:
        return _next_space(name, what, marks)
    corners = OPPOSITE if sort in AREAS else WHERE
    if len(marks) == len(corners):
        return None
    return Wanted(name, Phrase(CORNER, what=what, where=corners[len(marks)]), optional=sort in AREAS)


def _next_space(name: str, what: Phrase, marks: Sequence[Mark]) -> Wanted | None:
    """The next space of a track: its first, then its last, or before that those where it bends."""
    if not marks:
        return Wanted(name, Phrase(FIRST, what=what), 0, optional=True)
    if len(marks) == 1 or marks[-1].bend:
        return Wanted(name, Phrase(LAST, what=what), LIKELY_LAST)
    return None


def _upright(points: Sequence[Px], corners: Sequence[Px], size: tuple[float, float]) -> list[Px]:
    """The four corners, px, of something upright in print of which two opposite ones were tapped."""
    plane = plane_of_corners(corners, size) if len(corners) == len(WHERE) else None
    if plane is None or len(points) != len(OPPOSITE):
        return list(points)
    (left, top), (right, bottom) = transform(points, inverse(plane))
    rectangle = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return [*pairs(transform(rectangle, plane))]
