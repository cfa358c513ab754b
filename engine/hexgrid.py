"""Flat-top hexes in axial coordinates, shared by every game played on a hex map.

`q` counts columns and grows east, `r` counts hexes down a column and grows south, so the six
neighbours of a hex are N (0,-1), NE (1,-1), SE (1,0), S (0,1), SW (-1,1) and NW (-1,0).
Source: https://www.redblobgames.com/grids/hexagons/ (axial coordinates, flat-top layout).
"""

from functools import lru_cache
from math import cos, pi, sin, sqrt

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


@lru_cache(maxsize=4096)
def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six hexes around `at`, clockwise from north."""
    q, r = at
    return tuple((q + dq, r + dr) for dq, dr in DIRECTIONS)


def distance(a: Hex, b: Hex) -> int:
    """Steps from `a` to `b` on an empty grid."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def center(at: Hex) -> tuple[float, float]:
    """The centre of a hex in units of the hex side; x grows east, y grows south, (0, 0) is hex (0, 0)."""
    q, r = at
    return 1.5 * q, sqrt(3) * (r + q / 2)


def corners(at: Hex, scale: float = 1.0) -> list[tuple[float, float]]:
    """The six corners in units of the hex side, clockwise on screen from the east corner."""
    x, y = center(at)
    return [(x + scale * cos(k * pi / 3), y + scale * sin(k * pi / 3)) for k in range(6)]
