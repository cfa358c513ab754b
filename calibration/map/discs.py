"""The printed cities: all are discs in the middle of their hexes, which tell the grid where no lines do.

Seen from above, print changes in the same way all around a disc's middle and nowhere else.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex

from ..hexes import hex_center, hex_centers
from ..photo import Pixels
from ..projection import Lens, Projection, fit_projection
from ..surface import Points

# mm; an edge is looked for between circles so far apart.
RADII = np.arange(5.0, 19.0, 0.4)
APART = 2
ANGLES = np.linspace(0, 2 * np.pi, 60, endpoint=False)
# Pixels per mm of the hexes seen from above.
SCALE = 2.5
# A step from circle to circle this large, CIELAB, is an edge, where this share of the circle makes much the same.
STEP, DEVIATES, ROUND = 5.0, 0.6, 0.6
# Looking for discs beside where a grid has them: so far, in such steps, mm, and with every nth radius and angle.
SEARCHES = ((12.0, 2.0, 2), (3.0, 1.0, 1), (1.0, 0.5, 1))
# The share of the cities whose discs must be found, and how near, mm, to where the others say.
FOUND, NEAR_MM = 0.6, 1.0
# Another lens must leave at most this share of what the discs are off without it, of which no disc counts for more than
# so many mm.
BENT, STRAY_MM = 0.8, 3.0

Lab = NDArray[np.float32]


def moved_onto_discs(view: Projection, photo: Pixels, cities: Collection[Hex]) -> Projection | None:
    """The projection moved onto the discs of the cities, a centimetre off at most; None where there are none."""
    if not cities:
        return None
    centers, lens = hex_centers(cities), view.lens
    for reach, step, thin in SEARCHES:
        shifts = _within(reach, step)
        seen = [_best_shift(photo, view, at, shifts, thin) for at in cities]
        found = [k for k, (_, clear) in enumerate(seen) if clear]
        if len(found) < max(4, FOUND * len(centers)):
            return None
        image = view(centers[found] + shifts[[seen[k][0] for k in found]])
        view = _fitted(view, lens, centers[found], image)
    off = _off_mm(view, centers[found], image)
    return view if (off < NEAR_MM).sum() >= FOUND * len(centers) else None


def _fitted(view: Projection, lens: Lens, centers: Points, image: Points) -> Projection:
    """The projection through this `lens` that shows the hexes there; through another where that explains clearly more.

    The discs are few, and each is found to half a millimetre only.
    """
    kept = fit_projection(replace(view, lens=lens), centers, image, bend=False)
    bent = fit_projection(view, centers, image)
    off, left = (
        np.square(np.minimum(_off_mm(each, centers, image), STRAY_MM)).mean() for each in (kept, bent)
    )
    return bent if left < BENT**2 * off else kept


def _off_mm(view: Projection, centers: Points, image: Points) -> NDArray[np.float64]:
    """(n,): how far the hexes are off where they were found, (n, 2) px."""
    return np.asarray(np.linalg.norm(view(centers) - image, axis=1) / view.px_per_mm(centers), np.float64)


def _within(reach: float, step: float) -> NDArray[np.float64]:
    """(shifts, 2) mm: a lattice of shifts up to `reach`."""
    one = np.arange(-reach, reach + step / 2, step)
    every: NDArray[np.float64] = np.stack(np.meshgrid(one, one), axis=-1).reshape(-1, 2)
    near: NDArray[np.float64] = every[np.linalg.norm(every, axis=1) <= reach]
    return near


def _best_shift(
    photo: Pixels, view: Projection, at: Hex, shifts: NDArray[np.float64], thin: int
) -> tuple[int, bool]:
    """The shift from the hex's middle around which the print is roundest, and whether it is round at all."""
    around = roundness(circles(photo, view, at, shifts)[:, ::thin, ::thin])
    clear = np.where(around > ROUND, around, 0).sum(axis=1)
    return int(clear.argmax()), bool(clear.max() > 0)


def circles(
    photo: Pixels, view: Projection, at: Hex, shifts: Sequence[tuple[float, float]] | NDArray[np.float64]
) -> Lab:
    """CIELAB on circles around places beside a hex's middle, `shifts` (n, 2) mm: (n, radii, angles, 3) float32."""
    side = 2 * (RADII[-1] + float(np.abs(shifts).max(initial=0.0)))
    mm = (np.arange(round(side * SCALE)) + 0.5) / SCALE - side / 2
    x, y = np.meshgrid(*(mm + middle for middle in hex_center(at)))
    px = view(np.column_stack([x.ravel(), y.ravel()])).astype(np.float32).reshape(*x.shape, 2)
    seen = cv2.remap(photo, px[..., 0], px[..., 1], cv2.INTER_LINEAR).astype(np.float32) / 255
    above = cv2.cvtColor(seen, cv2.COLOR_BGR2LAB)
    ring = RADII[:, None, None] * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
    rings = (((ring + shift + side / 2) * SCALE - 0.5).astype(np.float32) for shift in shifts)
    each = [cv2.remap(above, r[..., 0], r[..., 1], cv2.INTER_LINEAR) for r in rings]
    return np.stack(each).astype(np.float32)


def roundness(circles: Lab) -> NDArray[np.float64]:
    """(…, edges) of (…, radii, angles, 3): the share of a circle on which the print changes alike, 0 where hardly."""
    steps = circles[..., APART:, :, :] - circles[..., :-APART, :, :]
    usual = np.median(steps, axis=-2, keepdims=True)
    size = np.linalg.norm(usual, axis=-1)
    alike = np.linalg.norm(steps - usual, axis=-1) < DEVIATES * size
    return np.asarray(np.where(size[..., 0] > STEP, alike.mean(axis=-1), 0.0), np.float64)
