"""The printed map, drawn in an art of our own: `draw(board, style)` gives the print as an RGB picture.

Everything is drawn at twice the resolution and reduced, which is what smooths the lines.
"""

import random
from itertools import pairwise

from boards import Board, Point, corners
from canvas import Canvas, Style, distance_to_land
from cities import city, port
from ground import ground
from land import pattern, rivers, terrain
from PIL import Image
from sea import corner_candidates, sea_ornaments

PX_PER_MM = 5
SUPERSAMPLE = 2


def draw(board: Board, style: Style) -> Image.Image:
    """The whole print, `PX_PER_MM` pixels per mm, RGB."""
    scale = PX_PER_MM * SUPERSAMPLE
    left, top, right, bottom = board.bounds
    size = round((right - left) * scale), round((bottom - top) * scale)
    rng = random.Random(style["seed"])
    canvas = Canvas(board, ground(board, style, size, scale), scale)
    sea_ornaments(canvas, style, rng)
    rivers(canvas, style, rng)
    for place in board.places:
        pattern(canvas, place, style)
        if place.kind == "landscape":
            terrain(canvas, place, style, rng)
    hex_lines(canvas, style)
    for place in board.places:
        if place.kind == "city":
            city(canvas, place, style)
        elif place.kind == "port":
            port(canvas, place, style)
    frame(canvas, style)
    cartouche(canvas, style)
    return canvas.picture.resize((size[0] // SUPERSAMPLE, size[1] // SUPERSAMPLE), Image.Resampling.LANCZOS)


def hex_lines(canvas: Canvas, style: Style) -> None:
    """The grid: whole lines, only a little star at each corner of a hex, or none."""
    if style["line_style"] == "none":
        return
    for place in canvas.board.places:
        outline = corners(place.at)
        if style["line_style"] == "corners":
            corner_stars(canvas, outline, style)
            continue
        if style["line_double"]:
            inner = corners(place.at, 0.95)
            canvas.line([*inner, inner[0]], style["line_double"], style["line_width"] * 0.5)
        canvas.line([*outline, outline[0]], style["line"], style["line_width"])


def corner_stars(canvas: Canvas, outline: list[Point], style: Style) -> None:
    """The first and last seventh of each side."""
    for (x, y), (u, v) in pairwise([*outline, outline[0]]):
        for near, far in ((0.0, 0.14), (0.86, 1.0)):
            ends = [(x + t * (u - x), y + t * (v - y)) for t in (near, far)]
            canvas.line(ends, style["line"], style["line_width"])


def frame(canvas: Canvas, style: Style) -> None:
    """Two lines around the map, mostly with a scale of alternating bars between them, like on old maps."""
    left, top, right, bottom = canvas.board.bounds
    for inset, width in ((3, 0.8), (8, 0.5)):
        x0, y0, x1, y1 = left + inset, top + inset, right - inset, bottom - inset
        box = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        canvas.line([*box, box[0]], style["ink"], width)
    if style.get("frame") == "lines":
        return
    step = 18.0
    for k in range(int((right - left - 16) / step)):
        for y in (top + 3.8, bottom - 8):
            x = left + 8 + k * step
            canvas.polygon([(x, y), (x + step / 2, y), (x + step / 2, y + 4), (x, y + 4)], style["ink"])
    for k in range(int((bottom - top - 16) / step)):
        for x in (left + 3.8, right - 8):
            y = top + 8 + k * step
            canvas.polygon([(x, y), (x + 4, y), (x + 4, y + step / 2), (x, y + step / 2)], style["ink"])


def cartouche(canvas: Canvas, style: Style) -> None:
    """The title, in the corner with most sea after the compass took the best one."""
    ranked = sorted(corner_candidates(canvas.board), key=lambda p: -distance_to_land(canvas.board, p))
    x, y = ranked[1]
    left, _, right, _ = canvas.board.bounds
    x = min(max(x, left + 62), right - 62)
    for grow, fill in ((3, style["ink"]), (2, style["paper"]), (1, style["ink"]), (0.5, style["paper"])):
        canvas.plaque((x, y), (44 + grow, 17 + grow), (5, 5), fill)
    canvas.text((x, y - 5), style["title"], style["title_font"], 118 / len(style["title"]), style["ink"])
    canvas.text((x, y + 7), f"{canvas.board.title} · {style['subtitle']}", style["font"], 5, style["ink"])
