"""How a camera shows the plane: a homography, then the bend of its lens; and the fit of both to points.

The lens is Brown's radial model with one coefficient (D. C. Brown, "Close-range camera calibration", 1971;
`k1` of OpenCV): what a pinhole would show at u is seen at u (1 + k1 |u|²), where u is counted from the middle
of the picture in half diagonals. A *straight* picture is what the pinhole would show. Pictures are straightened
once, so that all else sees pure homographies.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from .photo import Pixels
from .surface import Matrix, Points, inverse, transform

# Beyond this the model folds the corners of the picture over; no phone bends so much.
BEND_AT_MOST = 0.14
# Bends are smooth, so they are worked out for every so many pixels.
COARSE_PX = 8
ROUNDS, SETTLED, TINY = 12, 1e-5, 1e-6
NOISE_AT_LEAST = 0.1
# The bend of a lens is believed where it makes the median error, px, at least so much smaller.
CLEAR_GAIN = 0.15


@dataclass(frozen=True)
class Lens:
    """The bend `k1` of a picture of `size` (width, height). Points are (n, 2) float64 px."""

    k1: float
    size: tuple[int, int]

    def bend(self, straight: Points) -> Points:
        """Where the photo has what the straight picture has at these points."""
        u = (straight - self._middle) / (self._half_diagonal * self.shrink)
        radius = np.linalg.norm(u, axis=1, keepdims=True)
        # Farther out, where the photo shows nothing, the model would turn round and lead back into it.
        held = np.minimum(radius, (-3 * self.k1) ** -0.5) if self.k1 < 0 else radius
        grow = held * (1 + self.k1 * held**2) / np.maximum(radius, 1e-12)
        bent: Points = self._middle + self._half_diagonal * u * grow
        return bent

    def straighten(self, points: Points) -> Points:
        """Where the straight picture has what the photo has at these points."""
        seen = (points - self._middle) / self._half_diagonal
        radius = np.linalg.norm(seen, axis=1, keepdims=True)
        grow = self._pinhole_radius(radius) / np.maximum(radius, 1e-12)
        straight: Points = self._middle + self._half_diagonal * self.shrink * seen * grow
        return straight

    def picture(self, pixels: Pixels) -> Pixels:
        """The straight picture of a photo of this size, as large; black where the photo ends."""
        return pixels if self.k1 == 0 else straightened(pixels, self.bend)

    @property
    def _middle(self) -> NDArray[np.float64]:
        return (np.array(self.size, dtype=np.float64) - 1) / 2

    @property
    def _half_diagonal(self) -> float:
        return float(np.hypot(*self.size)) / 2

    @cached_property
    def shrink(self) -> float:
        """The scale of the straight picture that loses nothing of the photo's borders."""
        borders = np.array([min(self.size) / (2 * self._half_diagonal), 1.0])
        return float((borders / self._pinhole_radius(borders)).min())

    def _pinhole_radius(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        """u with u (1 + k1 u²) = `seen`, by Newton's method."""
        u = seen
        for _ in range(8):
            u = u - (u + self.k1 * u**3 - seen) / np.maximum(1 + 3 * self.k1 * u**2, 0.05)
        return u


def straightened(pixels: Pixels, bend: Callable[[Points], Points]) -> Pixels:
    """The picture, as large, that has at every point what `pixels` has where `bend` leads it, (n, 2) px; black beyond.

    `bend` must be smooth: it is asked every few pixels only.
    """
    height, width = pixels.shape[:2]
    across, down = -(-width // COARSE_PX), -(-height // COARSE_PX)
    x, y = np.meshgrid(*(COARSE_PX * np.arange(n) + (COARSE_PX - 1) / 2 for n in (across, down)))
    grid = np.column_stack([x.ravel(), y.ravel()])
    coarse = (bend(grid) - grid).astype(np.float32).reshape(down, across, 2)
    off = cv2.resize(coarse, (across * COARSE_PX, down * COARSE_PX))[:height, :width]
    right = off[..., 0] + np.arange(width, dtype=np.float32)
    below = off[..., 1] + np.arange(height, dtype=np.float32)[:, None]
    return np.asarray(cv2.remap(pixels, right, below, cv2.INTER_LINEAR), np.uint8)


NO_LENS = Lens(0.0, (1, 1))
"""A pinhole, whatever the size of its picture."""


@dataclass(frozen=True, eq=False)
class Projection:
    """Plane mm → photo px: `homography` to the straight picture, then the `lens`."""

    homography: Matrix
    lens: Lens

    def __call__(self, points: Sequence[tuple[float, float]] | Points) -> Points:
        return self.lens.bend(transform(points, self.homography))

    def plane_of(self, px: Sequence[tuple[float, float]] | Points) -> Points:
        """What these points, (n, 2) px of the photo, show of the plane, (n, 2) mm."""
        return transform(self.lens.straighten(np.asarray(px, np.float64)), inverse(self.homography))

    def px_per_mm(self, points: Points) -> NDArray[np.float64]:
        """(n,): how long a millimetre to the right of each of the points, (n, 2) mm, is in the photo."""
        return np.asarray(np.linalg.norm(self(points + (1.0, 0.0)) - self(points), axis=1), np.float64)


def faces_camera(homography: Matrix, points: Points, growth_at_most: float) -> bool:
    """Whether a camera can see a plane like this: none of these points (n, 2) is mirrored or beyond the horizon.

    Nor is anything at one of them shown `growth_at_most` times as large, in area, as at another.
    """
    depth = points @ homography[2, :2] + homography[2, 2]
    if depth.min() <= 0 <= depth.max():
        return False
    # The Jacobian's determinant of a homography is det(H) / depth³; so whatever factor H has does not matter.
    growth = np.linalg.det(homography) / depth**3
    return bool(growth.min() > 0 and growth.max() < growth_at_most * growth.min())


def fit_projection(
    start: Projection, plane: Points, image: Points, across: Points | None = None, bend: bool = True
) -> Projection:
    """The projection that shows `plane` (n, 2) mm at `image` (n, 2) px, stray points aside.

    Where `across` (n, 2) is given, only the distance along these unit vectors counts. Without `bend` the lens
    stays as it is. Gauss-Newton with Cauchy's weights, whose scale is the median error.
    """
    middle, spread = plane.mean(axis=0), np.ptp(plane, axis=0).max() / 2
    to_unit = np.array(
        [[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]]
    )
    current = start
    for _ in range(ROUNDS):
        errors = _errors(current, plane, image, across)
        tries = [_moved(current, to_unit, TINY * unit) for unit in np.eye(9)[: 9 if bend else 8]]
        slopes = np.column_stack([errors - _errors(t, plane, image, across) for t in tries]) / TINY
        noise = max(1.5 * float(np.median(np.abs(errors))), NOISE_AT_LEAST)
        weights = 1 / (1 + (errors / (2 * noise)) ** 2)
        normal = slopes.T @ (slopes * weights[:, None])
        normal += 1e-9 * np.trace(normal) * np.eye(len(normal))
        step = np.linalg.solve(normal, slopes.T @ (weights * errors)).astype(np.float64)
        current = _moved(current, to_unit, step)
        if np.abs(step).max() < SETTLED:
            break
    return current


def bent_if_better(
    flat: Projection, bent: Projection, plane: Points, image: Points, across: Points | None = None
) -> Projection:
    """The fit with a bent lens where it makes the median error clearly smaller, else the one without."""
    with_bend, without = (float(np.median(np.abs(_errors(p, plane, image, across)))) for p in (bent, flat))
    return bent if without - with_bend > CLEAR_GAIN else flat


def _errors(view: Projection, plane: Points, image: Points, across: Points | None) -> NDArray[np.float64]:
    off = image - view(plane)
    return off.ravel() if across is None else (off * across).sum(axis=1)


def _moved(view: Projection, to_unit: Matrix, step: NDArray[np.float64]) -> Projection:
    """The projection changed a little: eight numbers for the homography, in unit plane; the ninth for k1."""
    change = np.eye(3) + np.append(step[:8], 0.0).reshape(3, 3)
    homography = view.homography @ np.linalg.inv(to_unit) @ change @ to_unit
    return Projection(homography / homography[2, 2], _bent(view.lens, step[8:].sum()))


def _bent(lens: Lens, more: float) -> Lens:
    """The lens bent a little more; itself where it is not, for what it has worked out already."""
    k1 = float(np.clip(lens.k1 + more, -BEND_AT_MOST, BEND_AT_MOST))
    return lens if k1 == lens.k1 else Lens(k1, lens.size)
