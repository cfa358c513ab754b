"""Boards of any other game: what a file says of cells, pieces and corners, on a photo of the empty board.

The file is checked down to its last key: what is misspelt would else be missing where nobody looks for it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import Any, ClassVar, TypeVar

import cv2
import numpy as np

from engine.mini_express.errors import as_json
from engine.sentences import N_, Phrase, Problem, Typed

from ..cell_names import BOARDS
from ..light import linear
from ..photo import Photo
from ..surface import Cell, Kind, Points, Surface, overlap, pairs, scaling
from .corners import OF_A_BOARD, POINTS_AT_MOST, Px, lie_inside, looks_turned, plane_of_corners, read_points
from .panels import BOARD_MM_WITHIN, PIECE_MM_WITHIN
from .shares import SHARE_TILES

T = TypeVar("T")

CELLS_AT_MOST, KINDS_AT_MOST, LETTERS_AT_MOST = 300, 12, 40
# The reader tells places 4 mm apart: a smaller cell would hardly have one. Rounded corners may lie beyond the rim, and
# share this much of the smaller of two cells.
LEAST_CELL_MM2, BEYOND_MM, OVERLAP = 64.0, 1.0, 0.1
# How far the area within an outline may be from that of its hull, as a share: the reader fills convex shapes only.
HOLLOW = 0.02
ROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
# A colour has at least this much light, of 1: the logarithm of none is nothing. Nearly the brightest print, in
# percent of the pixels, is what the reader takes for paper; beside a darker one no piece is as light as it looks.
DARKEST, PAPER, DARKEST_PAPER = 0.004, 99.5, 0.05
BOARD = Phrase("the board")


class DescriptionProblem(Problem):
    """A description of a board that cannot be used; says what is wrong in it and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "keys": N_(
            "{what} is described by {needed}, as docs/other_boards.md shows it: {found} was found instead."
        ),
        "lacks": N_("{what} lacks {found}: it is described by {needed}, as docs/other_boards.md shows it."),
        "unknown": N_(
            "{what} cannot have {found}: it is described by {needed}, as docs/other_boards.md shows it."
        ),
        "value": N_("{found} cannot be {part} of {what}: write it as docs/other_boards.md shows it."),
        "name": N_(
            "{found} cannot be the name of a surface: take letters, digits and _, up to {most}, no digit first, and "
            "none of {taken}."
        ),
        "many": N_("A board has 1 to {most} {part}, and {found} are described."),
        "twice": N_("{found} is described twice: give everything under {part} a name of its own."),
        **OF_A_BOARD,
        "outline": N_(
            "The outline of {what} must go round {least} mm² or more, without crossing itself or turning inwards: "
            "check its corners or its radius, in millimetres."
        ),
        "beyond": N_("{what} reaches beyond the board: check where it lies, and size_mm."),
        "overlap": N_("{what} and {other} overlap, and a piece there would be in both: make them smaller."),
        "home": N_(
            "{found} cannot be the home of {what}: name a cell that always holds one, where it may be and no other "
            "kind is at home."
        ),
        "on": N_("{found} is where {what} may be, but there is no such cell: check the names of the cells."),
    }


@dataclass(frozen=True)
class Description:
    """What a file says of a board: `corners` in px of the photo, `size`, `cells` and `kinds` in mm.

    The kinds' colours are blue, green, red, linear, 1 being full scale of the photo.
    """

    name: str
    size: tuple[float, float]
    corners: tuple[Px, ...]
    cells: tuple[Cell, ...]
    kinds: tuple[Kind, ...]


def read_description(obj: object, scale: float = 1.0) -> Description:
    """The file's content, its points in pixels of an image made smaller by `scale`. Raises DescriptionProblem."""
    told = _told(obj, BOARD, ("name", "size_mm", "corners", "cells", "kinds"))
    name = _surface_name(told["name"])
    width, height = _size(told, BOARD, 2, BOARD_MM_WITHIN)
    corners = _value(told, "corners", BOARD, lambda rows: read_points([*map(_pair, rows)], scale))
    cells = tuple(map(_read_cell, _listed(told, "cells", CELLS_AT_MOST)))
    _check_names((str(cell.id) for cell in cells), "cells")
    for cell in cells:
        _check_outline(cell, np.array([width, height]))
    _check_apart(cells)
    places = {str(cell.id): i for i, cell in enumerate(cells)}
    kinds = tuple(_read_kind(kind, places) for kind in _listed(told, "kinds", KINDS_AT_MOST))
    _check_names((kind.name for kind in kinds), "kinds")
    _check_homes(kinds, cells)
    return Description(name, (width, height), corners, cells, kinds)


def calibrate_described(photo: Photo, described: Description, board: str) -> Surface:
    """The surface in a profile of the game on `board`, from a photo of it empty. Raises DescriptionProblem."""
    plane = plane_of_corners(described.corners, described.size)
    if plane is None:
        raise DescriptionProblem("corners")
    if not lie_inside(described.corners, photo):
        raise DescriptionProblem("outside", what=Typed("corners"))
    if looks_turned(described.corners, described.size, photo.size):
        raise DescriptionProblem("turned")
    whole = scaling(photo.scale) @ plane
    name, cells = described.name, described.cells
    return _beside_paper(Surface(name, board, photo.pixels, whole, cells, described.kinds, scale=photo.scale))


def _beside_paper(surface: Surface) -> Surface:
    """The surface with its kinds' colours as they are beside its brightest print, which the reader goes by."""
    frame = surface.frame(1.0)
    shown = frame.inside(surface.reference.shape, surface.plane_to_image) > 0
    paper = np.percentile(frame.warp(surface.reference, surface.plane_to_image)[shown], PAPER, axis=0)
    light = np.maximum(linear(paper), DARKEST_PAPER)
    colours = [np.maximum(kind.colour, DARKEST) / light for kind in surface.kinds]
    kinds = [
        replace(kind, colour=(float(b), float(g), float(r)))
        for kind, (b, g, r) in zip(surface.kinds, colours, strict=True)
    ]
    return replace(surface, kinds=tuple(kinds))


def _told(obj: object, what: object, needed: Sequence[str], more: Sequence[str] = ()) -> Mapping[str, Any]:
    """The object with these keys, perhaps some `more`, and no others. Raises DescriptionProblem."""
    keys = Typed(", ".join([*needed, *(f"({key})" for key in more)]))
    if not isinstance(obj, dict):
        raise DescriptionProblem("keys", what=what, needed=keys, found=Typed(as_json(obj)))
    named = Typed(name) if isinstance(name := obj.get("id", obj.get("name")), str) else what
    if unknown := [key for key in obj if key not in (*needed, *more)]:
        raise DescriptionProblem("unknown", what=named, needed=keys, found=Typed(unknown[0]))
    if lacking := [key for key in needed if key not in obj]:
        raise DescriptionProblem("lacks", what=named, needed=keys, found=Typed(lacking[0]))
    return obj


def _value(told: Mapping[str, Any], key: str, what: object, read: Callable[[Any], T]) -> T:
    """What stands under a key. Raises DescriptionProblem where `read` cannot read it."""
    try:
        return read(told[key])
    except (TypeError, ValueError, OverflowError):
        found = Typed(as_json(told[key]))
        raise DescriptionProblem("value", what=what, part=Typed(key), found=found) from None


def _numbers(values: Any) -> tuple[float, ...]:
    """Finite numbers. Raises TypeError, ValueError, OverflowError."""
    if not all(type(value) in (int, float) and abs(float(value)) < inf for value in values):
        raise ValueError("numbers")
    return tuple(map(float, values))


def _pair(values: Any) -> tuple[float, float]:
    x, y = _numbers(values)
    return x, y


def _word(value: Any) -> str:
    """A name that fits on a line. Raises ValueError."""
    if not isinstance(value, str) or not value.isprintable() or not 0 < len(value.strip()) <= LETTERS_AT_MOST:
        raise ValueError("word")
    return value


def _size(
    told: Mapping[str, Any], what: object, count: int, within: tuple[float, float]
) -> tuple[float, ...]:
    """So many lengths in mm."""
    size, (low, high) = _value(told, "size_mm", what, _numbers), within
    if len(size) != count or not all(low <= side <= high for side in size):
        raise DescriptionProblem("size", found=list(size), what=what)
    return size


def _listed(told: Mapping[str, Any], key: str, most: int) -> list[Any]:
    listed = _value(told, key, BOARD, list)
    if not 0 < len(listed) <= most:
        raise DescriptionProblem("many", part=Typed(key), most=most, found=len(listed))
    return listed


def _surface_name(found: Any) -> str:
    taken = *BOARDS, SHARE_TILES
    sound = isinstance(found, str) and found.isidentifier() and len(found) <= LETTERS_AT_MOST
    if not sound or found in taken:
        known = Typed(", ".join(taken))
        raise DescriptionProblem("name", found=Typed(as_json(found)), most=LETTERS_AT_MOST, taken=known)
    return str(found)


def _check_names(names: Iterable[str], key: str) -> None:
    known = set[str]()
    for name in names:
        if name in known:
            raise DescriptionProblem("twice", found=Typed(name), part=Typed(key))
        known.add(name)


def _read_cell(obj: Any) -> Cell:
    """A cell by the corners of its outline, or by its middle and radius."""
    is_round = isinstance(obj, dict) and "outline_mm" not in obj
    told = _told(
        obj, Phrase("a cell"), ("id", *(("center_mm", "radius_mm") if is_round else ("outline_mm",)))
    )
    name = _value(told, "id", Phrase("a cell"), _word)
    if not is_round:
        return Cell(name, _value(told, "outline_mm", Typed(name), _outline))
    x, y = _value(told, "center_mm", Typed(name), _pair)
    radius = _value(told, "radius_mm", Typed(name), _radius)
    rim = np.column_stack([x + radius * np.cos(ROUND), y + radius * np.sin(ROUND)])
    return Cell(name, pairs(rim))


def _radius(value: Any) -> float:
    (radius,) = _numbers([value])
    if radius <= 0:
        raise ValueError("radius")
    return radius


def _outline(rows: Any) -> tuple[tuple[float, float], ...]:
    corners = tuple(map(_pair, rows))
    if not 2 < len(corners) <= POINTS_AT_MOST:
        raise ValueError("corners")
    return corners


def _polygon(cell: Cell) -> Points:
    return np.array(cell.outline, np.float32)


def _check_outline(cell: Cell, size: Points) -> None:
    outline, what = np.array(cell.outline), Typed(cell.id)
    if outline.min() < -BEYOND_MM or (outline > size + BEYOND_MM).any():
        raise DescriptionProblem("beyond", what=what)
    area, hull = (cv2.contourArea(points) for points in (_polygon(cell), cv2.convexHull(_polygon(cell))))
    if area < max(LEAST_CELL_MM2, (1 - HOLLOW) * hull):
        raise DescriptionProblem("outline", what=what, least=round(LEAST_CELL_MM2))


def _check_apart(cells: Sequence[Cell]) -> None:
    for a, b in combinations(cells, 2):
        if overlap(a, b) > OVERLAP:
            raise DescriptionProblem("overlap", what=Typed(a.id), other=Typed(b.id))


def _read_kind(obj: Any, places: Mapping[str, int]) -> Kind:
    told = _told(obj, Phrase("a kind of piece"), ("name", "colour", "size_mm"), ("home", "on"))
    name = _value(told, "name", Phrase("a kind of piece"), _word)
    length, width, height = _size(told, Typed(name), 3, PIECE_MM_WITHIN)
    on = _value(told, "on", Typed(name), _word) if "on" in told else ""
    home = told.get("home")
    if "home" in told and not (isinstance(home, str) and home in places):
        raise DescriptionProblem("home", found=Typed(as_json(home)), what=Typed(name))
    colour = _value(told, "colour", Typed(name), _colour)
    return Kind(name, colour, (length, width, height), None if home is None else places[home], on)


def _colour(value: Any) -> tuple[float, float, float]:
    """Blue, green, red, linear. Raises ValueError."""
    if not isinstance(value, str) or not COLOUR.fullmatch(value):
        raise ValueError("colour")
    red, green, blue = linear([*bytes.fromhex(value[1:])]).tolist()
    return blue, green, red


def _check_homes(kinds: Sequence[Kind], cells: Sequence[Cell]) -> None:
    """That every kind may be somewhere, and where its home is, alone."""
    homes = [kind.home for kind in kinds]
    for kind in kinds:
        if not any(kind.may_be_in(cell.id) for cell in cells):
            raise DescriptionProblem("on", found=Typed(kind.on), what=Typed(kind.name))
        if kind.home is None:
            continue
        home = cells[kind.home].id
        if homes.count(kind.home) > 1 or not kind.may_be_in(home):
            raise DescriptionProblem("home", found=Typed(as_json(home)), what=Typed(kind.name))
