"""Which hexes are cities, and the colour of their rims: a proposal from the photo of the empty map.

A city is a disc in the middle of its hex, and all cities of a board are drawn alike: the print changes all the way
round at the same two radii, the rim's outer edge and its inner one. Gold, silver and black stand for capacity 3, 2
and 1 (R1.3); how gold, silver and black look in this light, the rims of one board tell by their differences.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex

from ..photo import Pixels
from ..projection import Projection
from .discs import APART, RADII, ROUND, Lab, circles, roundness

# A disc may lie this much beside the middle of its hex, mm: no grid is quite exact.
BESIDE = [(x, y) for x in (-2.0, -1.0, 0.0, 1.0, 2.0) for y in (-2.0, -1.0, 0.0, 1.0, 2.0)]
# How wide a rim may be, mm.
RIM_AT_LEAST, RIM_AT_MOST = 1.2, 5.0
# An edge at which fewer hexes are round, as a share of those at the clearest one, is no city's.
COMMON = 0.4
# CIELAB, for rims that are all alike: darker is black, yellower gold.
BLACK, GOLD = 38.0, 20.0
# Two colours of rims are at least this far apart; what lies in the middle of the gap, to this share, is not told.
GAP, UNSURE = 12.0, 0.15
# A disc with one edge only is a city where its rim is no farther from the rims that are sure.
LIKE_A_RIM = 6.0


def find_cities(photo: Pixels, view: Projection, hexes: Sequence[Hex]) -> dict[Hex, int | None]:
    """The hexes with a disc, each with its capacity by the rim's colour or None where that is unsure."""
    around = np.stack([_circles(photo, view, at) for at in hexes])
    round_at = roundness(around)
    edges = _edges(round_at)
    if edges is None:
        return {}
    inner, outer = edges
    near = [round_at[:, max(0, edge - 1) : edge + 2].max(axis=1) > ROUND for edge in edges]
    rims = np.median(around[:, inner + APART : max(outer, inner + APART + 1)], axis=(1, 2))
    sure = near[0] & near[1]
    found = np.flatnonzero(sure | ((near[0] | near[1]) & _like_any(rims, rims[sure])))
    return {hexes[k]: capacity for k, capacity in zip(found.tolist(), _capacities(rims[found]), strict=True)}


def _circles(photo: Pixels, view: Projection, at: Hex) -> Lab:
    """CIELAB on circles around a disc's middle, (radii, angles, 3) float32: where the print is roundest."""
    each = circles(photo, view, at, BESIDE)
    roundest: Lab = each[roundness(each).sum(axis=1).argmax()]
    return roundest


def _edges(round_at: NDArray[np.float64]) -> tuple[int, int] | None:
    """The inner and the outer edge of the rim: the outermost two of those that many hexes share."""
    shared = np.maximum(round_at - ROUND, 0).sum(axis=0)
    if not shared.any():
        return None
    beside = np.pad(shared, 1)
    peaks = [k for k in range(len(shared)) if shared[k] == beside[k : k + 3].max() > COMMON * shared.max()]
    width = [round(mm / (RADII[1] - RADII[0])) for mm in (RIM_AT_LEAST, RIM_AT_MOST)]
    inner = [k for k in peaks if width[0] <= peaks[-1] - k <= width[1]]
    return (inner[-1], peaks[-1]) if inner else None


def _like_any(rims: Lab, sure: Lab) -> NDArray[np.bool_]:
    """(hexes,): whose rim has the colour of one that is sure."""
    if not len(sure):
        return np.zeros(len(rims), bool)
    apart = np.linalg.norm(rims[:, None] - sure, axis=2).min(axis=1)
    return np.asarray(apart < LIKE_A_RIM, np.bool_)


def _capacities(rims: Lab) -> list[int | None]:
    """By the colours of the rims: the dark ones are black, of the others the yellow ones gold."""
    dark = _split(-rims[:, 0], -BLACK)
    light = [k for k, is_dark in enumerate(dark) if is_dark is False]
    yellow = dict(zip(light, _split(rims[light, 2], GOLD), strict=True))
    named = {True: 3, False: 2, None: None}
    return [1 if is_dark else named[yellow.get(k)] for k, is_dark in enumerate(dark)]


def _split(values: Lab, limit: float) -> list[bool | None]:
    """Which of the values belong to the upper group, None where unsure; if there is one group, those over `limit`.

    The limit is where the groups differ most (Otsu 1979).
    """
    ordered = np.sort(values)
    cuts = range(1, len(ordered))
    between = [k * (len(ordered) - k) * (ordered[k:].mean() - ordered[:k].mean()) ** 2 for k in cuts]
    gap = GAP / 2
    if between:
        cut = cuts[int(np.argmax(between))]
        low, high = float(np.median(ordered[:cut])), float(np.median(ordered[cut:]))
        if high - low > GAP:
            limit, gap = (low + high) / 2, high - low
    return [None if abs(v - limit) < UNSURE * gap else bool(v > limit) for v in values.tolist()]
