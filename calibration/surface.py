"""A surface: one flat printed thing on the table, its cells and the kinds of pieces that stand on it.

Three coordinate frames are used throughout:
    plane      millimetres on the surface, x to the right, y down, as printed
    reference  pixels of the photo of the empty surface, as its file has them
    photo      pixels of any later photo
The first pixel's centre is (0, 0). A homography named `a_to_b` maps column vectors (x, y, 1) of frame a to frame b.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex

from .faces import Faces
from .features import Features, from_all_sides
from .lessons import Lessons
from .photo import Pixels

Matrix = NDArray[np.float64]
Points = NDArray[np.float64]
CellId = Hex | str

MARGIN_MM = 12.0
# Corners of the straight print: how many at most, at least how clear as a share of the clearest, and how far apart, px.
CORNERS_AT_MOST, CLEAR, APART_PX = 600, 0.02, 8
# `normalised` print: the side of the windows in which it is made equal, px; their contrast, a standard deviation in
# gray levels of which 128 holds two and a half; what is added to it beforehand, so that the noise of plain paper does
# not become print.
EVEN_PX, CONTRAST, NOISE = 31, 50, 4


@dataclass(frozen=True)
class Cell:
    """A printed space: `outline` is its polygon in the plane, mm."""

    id: CellId
    outline: tuple[tuple[float, float], ...]

    @cached_property
    def center(self) -> tuple[float, float]:
        """The mean of the corners, mm in the plane."""
        x, y = np.mean(self.outline, axis=0).tolist()
        return x, y


@dataclass(frozen=True)
class Kind:
    """A kind of piece. `colour` is blue, green, red, linear, 1 being white paper in the reference's light.

    `size` is length, width and height in mm as the piece lies. `home` is the index of a cell that always
    holds one piece of this kind and none of another, so every photo shows how the kind looks, or None.
    `on` says where it can be: in the cell of that name, in those whose names go on from it with a slash
    ("value/brown" is on "value"), or, if empty, in any cell.
    """

    name: str
    colour: tuple[float, float, float]
    size: tuple[float, float, float]
    home: int | None = None
    on: str = ""

    def may_be_in(self, cell: CellId) -> bool:
        """Whether a piece of this kind can be in that cell."""
        return not self.on or f"{cell}/".startswith(f"{self.on}/")


@dataclass(frozen=True)
class Frame:
    """A straight view of the plane from above: `to_px` maps plane mm to its pixels; size is (width, height)."""

    to_px: Matrix
    size: tuple[int, int]
    scale: float

    def warp(self, pixels: Pixels, plane_to_pixels: Matrix) -> Pixels:
        """What `pixels` shows of the plane, of as many channels, uint8; black where it shows nothing."""
        return cv2.warpPerspective(pixels, self.to_px @ inverse(plane_to_pixels), self.size)  # type: ignore

    def inside(self, shape: tuple[int, ...], plane_to_pixels: Matrix) -> NDArray[np.uint8]:
        """(height, width) uint8: 255 where a picture of this shape shows the plane, 0 where it does not."""
        return self.warp(np.full(shape[:2], 255, np.uint8), plane_to_pixels)


class Stored(NamedTuple):
    """What a profile on disk holds of a surface: a `file` with its `reference`, and beside it the features of that.

    There are no `views` where that second file is missing.
    """

    file: Path
    reference: Pixels
    views: tuple[Features, ...]


@dataclass(frozen=True, eq=False)
class Surface:
    """A calibrated surface.

    `reference` is the photo of the empty surface; one of its pixels stands for `scale` of the file's.
    `card` is a printed card that may lie in the cells `card_at` (indices) and is no piece, or None. `lessons` and
    `faces` are what photos of known positions have taught about the looks of its pieces and of its cards. `stored` is
    set where it comes from a profile on disk.
    """

    name: str
    board: str
    reference: Pixels
    plane_to_reference: Matrix
    cells: tuple[Cell, ...]
    kinds: tuple[Kind, ...]
    scale: float = 1.0
    card: Kind | None = None
    card_at: frozenset[int] = frozenset()
    lessons: Lessons = field(default_factory=dict)
    faces: Faces = field(default_factory=dict)
    stored: Stored | None = field(default=None, repr=False)

    def stored_in(self, folder: Path) -> Path | None:
        """The file of its reference in that folder, by the folder's name here; None where it is not there."""
        if self._stored is None or self._stored.file.parent.resolve() != folder.resolve():
            return None
        here = folder / self._stored.file.name
        return here if here.is_file() else None

    @property
    def _stored(self) -> Stored | None:
        """What is stored, unless the surface was given another reference since (`dataclasses.replace`)."""
        return self.stored if self.stored and self.stored.reference is self.reference else None

    @cached_property
    def plane_to_image(self) -> Matrix:
        """Plane mm → pixels of `reference`."""
        return inverse(scaling(self.scale)) @ self.plane_to_reference

    @cached_property
    def index(self) -> dict[CellId, int]:
        """Cell id → its place in `cells`."""
        return {cell.id: i for i, cell in enumerate(self.cells)}

    @cached_property
    def centers(self) -> Points:
        """(cells, 2) float64, mm in the plane."""
        return np.array([cell.center for cell in self.cells])

    @cached_property
    def card_cells(self) -> NDArray[np.bool_]:
        """(cells,) bool: where a card may lie."""
        return np.isin(np.arange(len(self.cells)), list(self.card_at))

    @cached_property
    def corners(self) -> Points:
        """(n, 2) float64: all corners of all cells, mm in the plane."""
        return np.concatenate([np.asarray(cell.outline) for cell in self.cells])

    @cached_property
    def rim(self) -> Points:
        """(4, 2) float64: the corners of the rectangle around all cells and a small margin, mm in the plane."""
        (left, top), (right, bottom) = (
            self.corners.min(axis=0) - MARGIN_MM,
            self.corners.max(axis=0) + MARGIN_MM,
        )
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])

    def frame(self, scale: float) -> Frame:
        """The straight view of the rectangle around all cells at `scale` px per mm."""
        low = self.rim[0]
        width, height = np.ceil((self.rim[2] - low) * scale).astype(int)
        to_px = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
        return Frame(to_px, (int(width), int(height)), scale)

    def straight_print(self, scale: float) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """The straightened print, `normalised`, (height, width), and its corners (n, 1, 2) px of it.

        Worked out once, for a table is photographed again and again.
        """
        if scale not in self._prints:
            straight = normalised(self.frame(scale).warp(self.reference, self.plane_to_image))
            corners = cv2.goodFeaturesToTrack(straight, CORNERS_AT_MOST, CLEAR, APART_PX)
            found = np.zeros((0, 1, 2), np.float32) if corners is None else corners.astype(np.float32)
            self._prints[scale] = straight, found
        return self._prints[scale]

    @cached_property
    def _prints(self) -> dict[float, tuple[NDArray[np.uint8], NDArray[np.float32]]]:
        return {}

    @cached_property
    def views(self) -> tuple[Features, ...]:
        """The features of the print seen from above and from eight sides, points in the plane (mm)."""
        if self._stored and self._stored.views:
            return self._stored.views
        frame = self.frame(1000 / float((self.rim[2] - self.rim[0]).max()))
        straight = frame.warp(self.reference, self.plane_to_image)
        return from_all_sides(straight, inverse(frame.to_px))


def normalised(pixels: Pixels) -> NDArray[np.uint8]:
    """Gray with local mean and contrast made equal, so that light does not matter; 128 is the mean."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32)
    window = (EVEN_PX, EVEN_PX)
    mean = cv2.blur(gray, window)
    spread = np.sqrt(np.maximum(cv2.blur(gray * gray, window) - mean * mean, 0))
    even = 128 + CONTRAST * (gray - mean) / (spread + NOISE)
    equal: NDArray[np.uint8] = np.clip(even, 0, 255).astype(np.uint8)
    return equal


def pairs(points: Iterable[Any]) -> tuple[tuple[float, float], ...]:
    """Points, an array (n, 2) or rows of a file, as plain numbers. Raises TypeError, ValueError where they are none."""
    return tuple((float(x), float(y)) for x, y in points)


def overlap(one: Cell, other: Cell) -> float:
    """The share of the smaller of two cells, by their hulls, that lies in the other, 0 to 1."""
    a, b = (cv2.convexHull(np.array(cell.outline, np.float32)) for cell in (one, other))
    common, _ = cv2.intersectConvexConvex(a, b)
    return common / min(cv2.contourArea(a), cv2.contourArea(b))


def transform(points: Sequence[tuple[float, float]] | Points, homography: Matrix) -> Points:
    """Map (n, 2) points by a homography; (n, 2) float64."""
    stacked = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    mapped = np.column_stack([stacked, np.ones(len(stacked))]) @ homography.T
    result: Points = mapped[:, :2] / mapped[:, 2:]
    return result


def inverse(homography: Matrix) -> Matrix:
    """The homography the other way."""
    return np.linalg.inv(homography).astype(np.float64)


def shifting(x: float, y: float) -> Matrix:
    """By so much to the right and down, in the units of the plane or picture it is applied to."""
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def scaling(scale: float) -> Matrix:
    """From pixels of an image made smaller by `scale` to those of the original; (0, 0) is a pixel's centre."""
    return np.array([[scale, 0, scale / 2 - 0.5], [0, scale, scale / 2 - 0.5], [0, 0, 1.0]])
