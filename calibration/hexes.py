"""Where hexes lie in the plane: origin in the middle of hex (0, 0), x to the east and y to the south, in mm."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex, center, corners

HEX_SIDE_MM = 25.0


def hex_center(at: Hex) -> tuple[float, float]:
    """The middle of a hex, mm in the plane."""
    x, y = center(at)
    return x * HEX_SIDE_MM, y * HEX_SIDE_MM


def hex_centers(hexes: Iterable[Hex]) -> NDArray[np.float64]:
    """The middles of hexes, (n, 2) float64 mm in the plane."""
    return np.array([hex_center(at) for at in hexes]).reshape(-1, 2)


def hex_outline(at: Hex) -> tuple[tuple[float, float], ...]:
    """The six corners of a hex, mm in the plane, clockwise on screen."""
    return tuple((x * HEX_SIDE_MM, y * HEX_SIDE_MM) for x, y in corners(at))
