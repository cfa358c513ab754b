"""Whether a surface can be found, read and loaded again, whoever made it."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from engine.sentences import Phrase, Typed

from .projection import faces_camera
from .surface import Cell, Kind, Surface

# Nothing is so many times as light as the paper beside it: what says so counts light from 0 to 255.
LIGHTEST = 20.0
# No piece is so dark, 1 being white paper, or so small, mm; no photo is scaled so much, or so little; and no
# entry of a plane, with pixels, millimetres and 1 as its units, is so large. Beyond them reckoning gets nowhere.
LEAST = 1e-6
SCALE_WITHIN = (1e-3, 1e3)
PLANE_WITHIN = 1e9
# No board reaches farther, or is larger; what says so would only fill the memory.
FARTHEST_MM = 2_500.0
LARGEST_M2 = 4


def fault_of(surface: Surface) -> Phrase | None:
    """What is wrong with a surface, to be said after a colon; None where it makes sense."""
    return next(_faults(surface), None)


def _faults(surface: Surface) -> Iterator[Phrase]:
    if not (isinstance(surface.name, str) and surface.name.isidentifier()):
        yield Phrase("its name must be of letters, digits and _, no digit first")
    picture: Any = surface.reference
    if not isinstance(picture, np.ndarray) or picture.dtype != np.uint8 or picture.shape[2:] != (3,):
        yield Phrase("its reference must be an array (height, width, 3) of uint8")
    if not surface.cells:
        yield Phrase("it has no cells")
    yield from _faults_of_cells(surface.cells)
    if np.prod(surface.rim[2] - surface.rim[0]) > LARGEST_M2 * 1e6:
        yield Phrase("its cells lie over more than {most} m²", most=LARGEST_M2)
    if not surface.kinds:
        yield Phrase("it has no kinds of pieces")
    for kind in (*surface.kinds, *([surface.card] if surface.card else [])):
        yield from _faults_of_kind(kind, surface.cells)
    if not all(_is_of(at, surface.cells) for at in surface.card_at):
        yield Phrase("the places of its card must be the indices of cells")
    if not _is_view(surface):
        yield Phrase("its plane must map millimetres to pixels, not mirrored, and its scale be above 0")


def _faults_of_cells(cells: tuple[Cell, ...]) -> Iterator[Phrase]:
    known = set[str]()
    for cell in cells:
        pair = isinstance(cell.id, tuple) and len(cell.id) == 2 and all(type(n) is int for n in cell.id)
        if not (isinstance(cell.id, str) or pair) or str(cell.id) in known:
            yield Phrase(
                "the id of each cell must be a word or a pair of whole numbers, and {id} is not or is there twice",
                id=Typed(cell.id),
            )
        known.add(str(cell.id))
        outline = np.array(cell.outline, np.float64)
        in_reach = outline.shape[1:] == (2,) and bool((np.abs(outline) <= FARTHEST_MM).all())
        if not (in_reach and cv2.contourArea(outline.astype(np.float32)) > 0):
            yield Phrase("the outline of the cell {id} goes round nothing", id=Typed(cell.id))


def _faults_of_kind(kind: Kind, cells: tuple[Cell, ...]) -> Iterator[Phrase]:
    name = Typed(kind.name)
    if not _all_within(kind.colour, LIGHTEST):
        yield Phrase("the colour of {kind} must be three numbers above 0, 1 being white paper", kind=name)
    if not _all_within(kind.size, FARTHEST_MM):
        yield Phrase("the size of {kind} must be three lengths above 0, in millimetres", kind=name)
    if kind.home is not None and not _is_of(kind.home, cells):
        yield Phrase("the home of {kind} must be the index of a cell", kind=name)


def _is_of(index: object, cells: tuple[Cell, ...]) -> bool:
    return type(index) is int and 0 <= index < len(cells)


def _all_within(values: tuple[float, float, float], most: float) -> bool:
    return len(values) == 3 and all(LEAST < value < most for value in values)


def _is_view(surface: Surface) -> bool:
    """Whether a camera that looks down on the board can see all of its cells like this."""
    plane, (low, high) = np.asarray(surface.plane_to_reference), SCALE_WITHIN
    if plane.shape != (3, 3) or not (np.abs(plane) < PLANE_WITHIN).all() or not low <= surface.scale <= high:
        return False
    with np.errstate(all="ignore"):  # numbers too small to reckon with are refused without numpy's warning
        return faces_camera(plane, surface.corners, np.inf)
