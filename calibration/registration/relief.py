"""A board that does not lie flat: what its folds and bulges lift seems to lie farther from the camera's foot.

No homography shows that, so it leaves the corners of print that were tracked beside where they should be, all of a
neighbourhood alike. Smoothed over the board by local linear regressions that weigh strays down (Cleveland, "Robust
locally weighted regression", 1979), they tell how the print seems moved; the same holds for a reference photo of a
board that did not lie flat.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from ..photo import Pixels
from ..projection import Lens, Projection, straightened
from ..surface import Matrix, Points, Surface, inverse, transform
from .agreement import plausible
from .tracking import Tracked, print_offsets

# The grid on which it is described, mm.
STEP_MM = 25.0
# How far around a place corners tell of it, and how far one is off that counts half, mm, round by round.
ROUNDS = ((100.0, 15.0), (60.0, 4.0), (35.0, 1.0))
# So many corners count as if they were where the round before left them, and so many against a slope.
FLAT, LEVEL = 0.3, 0.1
# Where not even a fifth of the corners is off by half of this, or a tenth of the print seems moved by less, mm, the
# board is flat; and what corners are off, none counting more than the second, must become this share of it.
UNEVEN_MM, STRAY_MM, CLEARLY = 0.5, 3.0, 0.6
# Of fewer corners nothing is told. Those farther off than the second, photo px, do not tell where the middle is.
LEAST_CORNERS, MIDDLE_PX = 40, 40.0
# Where the board is not flat, its print is tracked once more, at so many pixels per mm.
SCALE = 1.5


@dataclass(frozen=True, eq=False)
class Relief:
    """How print seems moved: `moved` (rows, columns, 2) mm in the plane, on a grid of `STEP_MM` from `corner` (2,) mm.

    `plane_to_photo` leads to the straight photo. A step beyond the grid nothing is moved any more.
    """

    moved: NDArray[np.float64]
    corner: Points
    plane_to_photo: Matrix

    @property
    def most(self) -> float:
        """How far any of the print seems moved, mm."""
        return float(_length(self.moved.reshape(-1, 2)).max())

    def bend(self, flat: Points) -> Points:
        """Where the straight photo shows what it would show of a flat board at these points, (n, 2) px."""
        plane = transform(flat, inverse(self.plane_to_photo))
        moved = self.at(plane)
        there = transform(plane + moved, self.plane_to_photo)
        return np.where(moved.any(axis=1, keepdims=True), there, flat)

    def at(self, plane: Points) -> Points:
        """How the print at points of the plane, (n, 2) mm, seems moved, (n, 2) mm."""
        rows, columns, _ = self.moved.shape
        # Beyond that ring of zeros all is the same, the horizon too.
        steps = np.clip((plane - self.corner) / STEP_MM, -1, (columns, rows))
        edge = np.pad(self.moved, ((1, 2), (1, 2), (0, 0)))
        x, y = (np.floor(steps).astype(int) + 1).T
        (right, down) = (steps - np.floor(steps)).T[..., None]
        above = edge[y, x] * (1 - right) + edge[y, x + 1] * right
        below = edge[y + 1, x] * (1 - right) + edge[y + 1, x + 1] * right
        return np.asarray(above * (1 - down) + below * down, np.float64)


def relief_of(photo: Pixels, surface: Surface, found: Tracked) -> tuple[Relief, float] | None:
    """How the board seems moved in a photo, and the median residual that is left, photo px; None where it is flat.

    `found` is where it lies as far as a homography can tell, which holds for its flattest part. The relief is told from
    one that is in the middle between all parts.
    """
    off = _length(found.view.plane_of(found.image) - found.plane)
    if len(off) < LEAST_CORNERS or np.percentile(off, 80) < UNEVEN_MM / 2:
        return None
    lens, plane = found.view.lens, found.plane
    middle, _ = cv2.findHomography(plane, lens.straighten(found.image), cv2.RANSAC, MIDDLE_PX)
    view = found.view if middle is None else Projection(np.asarray(middle, np.float64), lens)
    if not plausible(view.homography, surface, photo.shape[:2]):
        return None
    moved = view.plane_of(found.image) - plane
    relief = _smoothed(surface, view.homography, plane, moved)
    if not _plain(relief, plane, moved):
        return None
    plane, moved = _tracked_flat(photo, surface, view, relief)
    relief = _smoothed(surface, view.homography, plane, moved)
    if not _plain(relief, plane, moved):
        return None
    left = _length(moved - relief.at(plane)) * view.px_per_mm(plane)
    return relief, float(np.median(left))


def _tracked_flat(photo: Pixels, surface: Surface, view: Projection, relief: Relief) -> tuple[Points, Points]:
    """Corners of print tracked where the relief leaves them, (n, 2) mm, and how they seem moved in all, (n, 2) mm."""
    flat = flattened(photo, view.lens, relief)
    plane, offset = print_offsets(flat, surface, surface.frame(SCALE), view.homography)
    there = plane + offset / SCALE
    return plane, there + relief.at(there) - plane


def flattened(photo: Pixels, lens: Lens, relief: Relief) -> Pixels:
    """The photo, as large, as a pinhole would have taken it of a flat board."""
    return straightened(photo, lambda points: lens.bend(relief.bend(points)))


def _smoothed(surface: Surface, homography: Matrix, plane: Points, moved: Points) -> Relief:
    """The relief by corners of print, (n, 2) mm, that seem `moved`, (n, 2) mm."""
    corner = surface.rim[0]
    columns, rows = (np.ceil((surface.rim[2] - corner) / STEP_MM).astype(int) + 1).tolist()
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    nodes = corner + STEP_MM * np.column_stack([across.ravel(), down.ravel()])
    relief = Relief(np.zeros((rows, columns, 2)), corner, homography)
    for reach, stray in ROUNDS:
        left = moved - relief.at(plane)
        more = _local(nodes, plane, left, 1 / (1 + (_length(left) / stray) ** 4), reach)
        relief = replace(relief, moved=relief.moved + more.reshape(relief.moved.shape))
    return relief


def _local(nodes: Points, plane: Points, moved: Points, weights: NDArray[np.float64], reach: float) -> Points:
    """(nodes, 2): what local linear regressions, each of corners within about `reach` mm, say at the nodes."""
    apart = (plane[None] - nodes[:, None]) / reach
    near = weights * np.exp(-np.square(apart).sum(axis=2) / 2)
    line = np.concatenate([np.ones((*apart.shape[:2], 1)), apart], axis=2)
    weighed = (near[..., None] * line).transpose(0, 2, 1)
    normal = weighed @ line + np.diag([FLAT, LEVEL, LEVEL])
    return np.asarray(np.linalg.solve(normal, weighed @ moved)[:, 0], np.float64)


def _plain(relief: Relief, plane: Points, moved: Points) -> bool:
    """Whether the board plainly is not flat: much of it seems moved, and that explains where its corners are."""
    if len(plane) < LEAST_CORNERS:
        return False
    told = relief.at(plane)
    before, after = (np.minimum(_length(off), STRAY_MM).mean() for off in (moved, moved - told))
    return bool(np.percentile(_length(told), 90) > UNEVEN_MM and after < CLEARLY * before)


def _length(moved: Points) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(moved, axis=1), np.float64)
