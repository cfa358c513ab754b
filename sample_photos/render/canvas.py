"""A picture with the board frame of `boards.py` on it: what is drawn is given in mm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from boards import Board, Point, Surface, center
from PIL import Image, ImageDraw, ImageFont

Style = dict[str, Any]
"""One `[art.<name>]` table of tables.toml: colours, fonts, line widths in mm, which ornaments are drawn."""


@dataclass
class Canvas:
    """A picture with the board frame on it; `draw` draws in pixels, the methods below in mm."""

    board: Surface
    picture: Image.Image
    scale: float

    def __post_init__(self) -> None:
        self.draw = ImageDraw.Draw(self.picture, "RGBA")

    def px(self, point: Point) -> Point:
        left, top, _, _ = self.board.bounds
        return (point[0] - left) * self.scale, (point[1] - top) * self.scale

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        self.draw.line([self.px(p) for p in points], colour, max(1, round(width * self.scale)), joint="curve")

    def polygon(
        self, points: Sequence[Point], fill: str, outline: str | None = None, width: float = 0.3
    ) -> None:
        self.draw.polygon([self.px(p) for p in points], fill)
        if outline:
            self.line([*points, points[0]], outline, width)

    def disc(
        self, middle: Point, radius: float, fill: str | None, outline: str | None = None, width: float = 0.3
    ) -> None:
        (x, y), r = self.px(middle), radius * self.scale
        self.draw.ellipse((x - r, y - r, x + r, y + r), fill, outline, max(1, round(width * self.scale)))

    def plaque(self, middle: Point, half: Point, cut: Point, fill: str) -> None:
        """A rectangle with the corners cut off; `half` its half width and height, `cut` what is cut off."""
        (x, y), (w, h), (cx, cy) = middle, half, cut
        right = [(x + w - cx, y - h), (x + w, y - h + cy), (x + w, y + h - cy), (x + w - cx, y + h)]
        self.polygon([*right, *((2 * x - a, b) for a, b in reversed(right))], fill)

    def text(
        self, middle: Point, words: str, font: str, size: float, colour: str, halo: str | None = None
    ) -> None:
        """Words centred on a point; `size` is the height of the font in mm."""
        face = ImageFont.truetype(font, round(size * self.scale))
        stroke = round(0.12 * size * self.scale) if halo else 0
        self.draw.text(self.px(middle), words, colour, face, "mm", stroke_width=stroke, stroke_fill=halo)


def distance_to_land(board: Board, point: Point) -> float:
    """From a point to the nearest centre of a hex, mm."""
    return min(np.hypot(point[0] - x, point[1] - y) for x, y in (center(p.at) for p in board.places))
