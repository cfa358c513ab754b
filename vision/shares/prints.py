"""The print of the share tiles, straight from above and as features that know where the corners of their tile are."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import RegistrationProblem
from calibration.features import find_strongest, slanted
from calibration.photo import Pixels
from calibration.surface import Matrix, Points, Surface, inverse, transform

Complex = NDArray[np.complex128]
"""Points of a plane, x + iy: turned and stretched by a factor."""

FEATURE_SCALE = 6.5
"""Pixels per mm at which the print's features are found."""
# Of a company's tile from each side, and how few are too few.
PRINT_FEATURES, LEAST_PRINT = 150, 12


@dataclass(frozen=True, eq=False)
class Prints:
    """Features of all companies' tiles: `at` (n, 2) mm in the tile, `outline` (n, 4) complex: its corners as seen
    from the feature, 1 being the feature's arrow; `size` of a tile, mm."""

    size: tuple[float, float]
    at: Points
    outline: Complex
    descriptors: NDArray[np.float32]

    @property
    def rim(self) -> Points:
        """(4, 2) the corners of a tile, mm."""
        return _rim(self.size)

    @staticmethod
    def of(surface: Surface) -> "Prints":
        """The features of the surface "shares". Raises RegistrationProblem where its print shows too little."""
        corners = np.array(surface.cells[0].outline)
        size = tuple(float(v) for v in np.ptp(corners, axis=0))
        tiles = [list(_views(surface, tile, size)) for tile in range(len(surface.cells))]
        # The first view is the one from above.
        if min(len(views[0][0]) for views in tiles) < LEAST_PRINT:
            raise RegistrationProblem("plain")
        everything = [view for views in tiles for view in views]
        at, outline, descriptors = (np.concatenate(part) for part in zip(*everything, strict=True))
        return Prints((size[0], size[1]), at, outline, descriptors)


def straight_tile(surface: Surface, cell: int, scale: float) -> Pixels:
    """A company's tile from straight above, `scale` px per mm."""
    low, high = np.min(surface.cells[cell].outline, axis=0), np.max(surface.cells[cell].outline, axis=0)
    width, height = np.rint((high - low) * scale).astype(int)
    return cv2.warpPerspective(
        surface.reference, to_tile_px(scale, low) @ inverse(surface.plane_to_image), (int(width), int(height))
    )  # type: ignore[return-value]


def _rim(size: tuple[float, ...]) -> Points:
    return np.array([(0, 0), (size[0], 0), size, (0, size[1])])


def to_tile_px(scale: float, low: Points | tuple[float, float] = (0.0, 0.0)) -> Matrix:
    """From mm to px of a straight picture at `scale` px per mm that begins at `low`."""
    return np.array([[scale, 0, -low[0] * scale - 0.5], [0, scale, -low[1] * scale - 0.5], [0, 0, 1]])


def _views(
    surface: Surface, tile: int, size: tuple[float, ...]
) -> Iterator[tuple[Points, Complex, NDArray[np.float32]]]:
    """Places, outlines and descriptors of one company's tile from above and from eight sides."""
    to_px = to_tile_px(FEATURE_SCALE)
    rim = _rim(size)
    for seen, move in slanted(straight_tile(surface, tile, FEATURE_SCALE)):
        found = find_strongest(seen, PRINT_FEATURES)
        corners = as_complex(transform(rim, move @ to_px))
        outline = (corners - as_complex(found.points)[:, None]) / as_complex(found.arrows)[:, None]
        yield transform(found.points, inverse(move @ to_px)), outline, found.descriptors


def as_complex(points: Points) -> Complex:
    """Points (…, 2) as (…,) complex numbers."""
    return np.asarray(points[..., 0] + 1j * points[..., 1], np.complex128)
