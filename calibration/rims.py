"""Which hexes are cities, and the colour of their rims: a proposal from the photo of the empty map.

A city is a disc in the middle of its hex, and all cities of a board are drawn alike: there is one radius at
which the print changes all the way round, in the cities and nowhere else. What is just inside is the rim.
Gold, silver and black stand for capacity 3, 2 and 1 (R1.3).
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex

from .hexes import hex_center
from .photo import Pixels
from .projection import Projection

RADII = np.arange(5.0, 19.0, 0.4)
ANGLES = np.linspace(0, 2 * np.pi, 60, endpoint=False)
# The share of the circle on which a city's edge must go the same way, and how wide a rim may be, mm.
ROUND, RIM_AT_MOST, RIM_AT_LEAST = 0.8, 5.0, 1.2
# CIELAB: darker is black; yellower is gold; between the two numbers it is not told.
BLACK, GOLD, UNSURE = 38.0, 20.0, 4.0


def find_cities(photo: Pixels, view: Projection, hexes: Sequence[Hex]) -> dict[Hex, int | None]:
    """The hexes with a disc, each with its capacity by the rim's colour or None where that is unsure."""
    circles = np.stack([_circles(photo, view, at) for at in hexes])
    steps = np.diff(circles[..., 0], axis=1)
    clear = np.abs(steps) > 4.0
    same_way = np.abs((np.sign(steps) * clear).mean(axis=2))
    edge = int(np.argmax((same_way > ROUND).sum(axis=0)))
    around = slice(max(0, edge - 1), edge + 2)
    found = np.flatnonzero(same_way[:, around].max(axis=1) > ROUND)
    if not len(found):
        return {}
    inner, outer = _rim(same_way[found], edge)
    colours = np.median(circles[found][:, inner:outer], axis=(1, 2))
    return {hexes[int(k)]: _capacity(colour) for k, colour in zip(found, colours, strict=True)}


def _circles(photo: Pixels, view: Projection, at: Hex) -> NDArray[np.float32]:
    """CIELAB on circles around a hex's middle, (radii, angles, 3) float32."""
    ring = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
    points = np.array(hex_center(at)) + RADII[:, None, None] * ring
    px = view(points.reshape(-1, 2)).astype(np.float32).reshape(len(RADII), len(ANGLES), 2)
    seen = cv2.remap(photo, px[..., 0], px[..., 1], cv2.INTER_LINEAR).astype(np.float32) / 255
    return cv2.cvtColor(seen, cv2.COLOR_BGR2LAB).astype(np.float32)


def _rim(same_way: NDArray[np.float64], edge: int) -> tuple[int, int]:
    """The first and last circle of the rim: between the edge and the roundest other edge near it."""
    roundness = same_way.mean(axis=0)
    step = RADII[1] - RADII[0]
    near, far = round(RIM_AT_LEAST / step), round(RIM_AT_MOST / step)
    others = [k for k in range(len(roundness)) if near <= abs(k - edge) <= far]
    other = max(others, key=lambda k: roundness[k])
    low, high = min(edge, other), max(edge, other)
    return low + 2, max(high, low + 3)


def _capacity(colour: NDArray[np.float32]) -> int | None:
    light, _, yellow = (float(v) for v in colour)
    if abs(light - BLACK) < UNSURE or (light > BLACK and abs(yellow - GOLD) < UNSURE):
        return None
    if light < BLACK:
        return 1
    return 3 if yellow > GOLD else 2
