"""Where hexes lie in the plane: origin in the middle of hex (0, 0), x to the east and y to the south, in mm."""

from engine.hexgrid import Hex, center, corners

HEX_SIDE_MM = 25.0


def hex_center(at: Hex) -> tuple[float, float]:
    """The middle of a hex, mm in the plane."""
    x, y = center(at)
    return x * HEX_SIDE_MM, y * HEX_SIDE_MM


def hex_outline(at: Hex) -> tuple[tuple[float, float], ...]:
    """The six corners of a hex, mm in the plane, clockwise on screen."""
    return tuple((x * HEX_SIDE_MM, y * HEX_SIDE_MM) for x, y in corners(at))
