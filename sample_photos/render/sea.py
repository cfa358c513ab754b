"""What the artist drew on the sea: degrees, waves, ships, a compass. Points in the board frame, mm."""

import random
from itertools import pairwise
from math import cos, pi, sin

import numpy as np
from boards import SIDE, Board, Point
from canvas import Canvas, Style, distance_to_land


def sea_ornaments(canvas: Canvas, style: Style, rng: random.Random) -> None:
    """Degrees, little waves, ships where there is no land, and a compass rose in the widest corner."""
    left, top, right, bottom = canvas.board.bounds
    graticule(canvas, style)
    for _ in range(60):
        spot = rng.uniform(left + 25, right - 25), rng.uniform(top + 20, bottom - 20)
        if distance_to_land(canvas.board, spot) > SIDE * 2.2 and rng.random() < 0.25:
            ship(canvas, spot, style, rng)
    for _ in range(900):
        x, y = rng.uniform(left + 8, right - 8), rng.uniform(top + 8, bottom - 8)
        if distance_to_land(canvas.board, (x, y)) > SIDE * 1.25:
            wave(canvas, (x, y), style["ornament"], rng.uniform(4, 7))
    compass(
        canvas, max(corner_candidates(canvas.board), key=lambda p: distance_to_land(canvas.board, p)), style
    )


def corner_candidates(board: Board) -> list[Point]:
    left, top, right, bottom = board.bounds
    return [(x, y) for x in (left + 38, right - 38) for y in (top + 38, bottom - 38)]


def graticule(canvas: Canvas, style: Style) -> None:
    """Curved lines of longitude and latitude, broken off at the shore."""
    left, top, right, bottom = canvas.board.bounds
    for k in range(-3, 4):
        meridian = [
            ((left + right) / 2 + k * 125 * (1 + 0.0004 * (y - top)), y)
            for y in np.linspace(top + 8, bottom - 8, 40)
        ]
        parallel = [
            (x, (top + bottom) / 2 + k * 92 - 2.2e-4 * (x - (left + right) / 2) ** 2)
            for x in np.linspace(left + 8, right - 8, 60)
        ]
        for course in (meridian, parallel):
            for a, b in pairwise(course):
                if distance_to_land(canvas.board, a) > SIDE * 1.2 and top + 8 < a[1] < bottom - 8:
                    canvas.line([a, b], style["ornament"] + "90", 0.3)


def ship(canvas: Canvas, at: Point, style: Style, rng: random.Random) -> None:
    """A steamer with its smoke, 16 mm long."""
    x, y = at
    way = rng.choice((-1, 1))
    hull = [(-8, -2), (8, -2.6), (6, 1), (-6.5, 1)]
    canvas.polygon([(x + way * dx, y + dy) for dx, dy in hull], style["ink"])
    canvas.polygon(
        [(x + way * dx, y + dy) for dx, dy in ((-4, -2), (4, -2), (4, -4), (-4, -4))],
        style["paper"],
        style["ink"],
        0.25,
    )
    for funnel in (-2, 1.5):
        canvas.polygon(
            [(x + way * (funnel + dx), y + dy) for dx, dy in ((-0.6, -4), (0.6, -4), (0.6, -7), (-0.6, -7))],
            style["roof"],
        )
    for k in range(5):
        canvas.disc((x - way * (1 + 2.3 * k), y - 8 - 0.6 * k), 0.9 + 0.3 * k, style["paper"] + "a0")
    wave(canvas, (x - 9, y + 1.6), style["ornament"], 18)


def wave(canvas: Canvas, at: Point, ink: str, length: float) -> None:
    steps = [(at[0] + length * t / 12, at[1] + 0.8 * sin(t * pi / 3)) for t in range(13)]
    canvas.line(steps, ink, 0.25)


def compass(canvas: Canvas, at: Point, style: Style) -> None:
    x, y = at
    for radius in (17, 15.5, 8):
        canvas.disc(at, radius, None, style["ink"], 0.4)
    for k in range(16):
        angle, reach = k * pi / 8, (21 if k % 4 == 0 else 15 if k % 2 == 0 else 11)
        tip = (x + reach * cos(angle), y + reach * sin(angle))
        for side, fill in ((-1, style["ink"]), (1, style["paper"])):
            flank = (x + 4 * cos(angle + side * pi / 8), y + 4 * sin(angle + side * pi / 8))
            canvas.polygon([at, flank, tip], fill, style["ink"], 0.2)
    canvas.text((x, y - 25), "N", style["font"], 7, style["ink"])
