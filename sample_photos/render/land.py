"""What the artist drew on the land: rivers, mountains, woods, fields. Points in the board frame, mm."""

import random
from collections.abc import Callable
from itertools import pairwise
from math import cos, pi, sin

from boards import SIDE, Place, Point, center, corners, hex_depth
from canvas import Canvas, Style, distance_to_land


def rivers(canvas: Canvas, style: Style, rng: random.Random) -> None:
    """A few rivers, each wandering from a city or field to the shore, wider as it goes."""
    for _ in range(style["rivers"]):
        at = rng.choice(canvas.board.places).at
        heading, course = rng.uniform(-0.3, 1.2) * pi, [center(at)]
        for _ in range(60):
            heading += rng.uniform(-0.55, 0.55)
            x, y = course[-1]
            course.append((x + 5 * cos(heading), y + 5 * sin(heading)))
            if distance_to_land(canvas.board, course[-1]) > SIDE:
                break
        for n, (a, b) in enumerate(pairwise(course)):
            canvas.line([a, b], style["river"], 0.6 + 0.025 * n)


def terrain(canvas: Canvas, place: Place, style: Style, rng: random.Random) -> None:
    """What the artist drew on a landscape hex: some mountains, woods, fields, dunes or a bit of colour."""
    x, y = center(place.at)
    field = (
        sin(0.021 * x + style["seed"])
        + cos(0.033 * y - 0.011 * x)
        + 0.5 * sin(0.06 * (x + y))
        + rng.gauss(0, 0.25)
    )
    if style["tint"]:
        canvas.polygon(corners(place.at, 0.97), rng.choice(style["tint"]))
    kind = style["terrain"][min(int((field + 2.2) / 4.4 * len(style["terrain"])), len(style["terrain"]) - 1)]
    drawer, count = TERRAIN[kind]
    spots = [(x + rng.uniform(-15, 15), y + rng.uniform(-13, 13)) for _ in range(count)]
    for spot in sorted(spots, key=lambda p: p[1]):
        drawer(canvas, spot, style, rng)


def pattern(canvas: Canvas, place: Place, style: Style) -> None:
    """A fine pattern printed all over the land: hatching, dots, or nothing."""
    x, y = center(place.at)
    rows = [1.8 * k for k in range(-11, 12)]
    if style.get("pattern") == "hatch":
        for row in rows:
            half = SIDE - abs(row) / 3**0.5
            canvas.line([(x - half, y + row), (x + half, y + row)], style["pattern_ink"], 0.3)
    elif style.get("pattern") == "dots":
        for row in rows[::2]:
            for k in range(-6, 7):
                spot = (x + 3.6 * (k + (row // 3.6) % 2 / 2), y + row)
                if hex_depth(spot, place.at) > 0.6:
                    canvas.disc(spot, 0.5, style["pattern_ink"])


def mountain(canvas: Canvas, at: Point, style: Style, rng: random.Random) -> None:
    w, h = rng.uniform(4, 6.5), rng.uniform(6, 10)
    x, y = at
    peak, ridge = (x + rng.uniform(-1, 1), y - h), (x + rng.uniform(0, 1.5), y)
    canvas.polygon([(x - w, y), peak, (x + w, y)], style["rock"][0], style["ink"], 0.3)
    canvas.polygon([ridge, peak, (x + w, y)], style["rock"][1])
    for k in range(1, 4):
        start = (peak[0] + (x + w - peak[0]) * k / 4, peak[1] + h * k / 4)
        canvas.line([start, (start[0] - 0.8, start[1] + 0.3 * h * (1 - k / 5))], style["ink"], 0.2)


def tree(canvas: Canvas, at: Point, style: Style, rng: random.Random) -> None:
    x, y = at
    canvas.line([(x, y), (x, y - 2)], style["ink"], 0.5)
    if style["trees"] == "fir":
        for k in range(3):
            canvas.polygon(
                [
                    (x - 2.4 + 0.5 * k, y - 1 - 1.6 * k),
                    (x, y - 4 - 1.6 * k),
                    (x + 2.4 - 0.5 * k, y - 1 - 1.6 * k),
                ],
                rng.choice(style["leaf"]),
                style["ink"],
                0.15,
            )
    else:
        canvas.disc((x, y - 3.2), rng.uniform(1.7, 2.5), rng.choice(style["leaf"]), style["ink"], 0.2)


def tuft(canvas: Canvas, at: Point, style: Style, rng: random.Random) -> None:
    for lean in (-1, 0, 1):
        canvas.line([at, (at[0] + 1.2 * lean, at[1] - rng.uniform(1.5, 2.8))], rng.choice(style["leaf"]), 0.3)


def dune(canvas: Canvas, at: Point, style: Style, rng: random.Random) -> None:
    w = rng.uniform(3, 5)
    canvas.line(
        [(at[0] + w * t, at[1] - 1.6 * cos(t * pi / 2)) for t in (-1, -0.6, -0.2, 0.2, 0.6, 1)],
        style["ink"],
        0.25,
    )


def field_rows(canvas: Canvas, at: Point, style: Style, rng: random.Random) -> None:
    lean = rng.uniform(-0.4, 0.4)
    shade = rng.choice(style["leaf"])
    for k in range(5):
        x, y = at[0] - 4, at[1] - 4 + 1.6 * k
        canvas.line([(x, y), (x + 9, y + 9 * lean)], shade, 0.45)


TERRAIN: dict[str, tuple[Callable[[Canvas, Point, Style, random.Random], None], int]] = {
    "mountain": (mountain, 6),
    "forest": (tree, 16),
    "grass": (tuft, 14),
    "dune": (dune, 9),
    "field": (field_rows, 5),
}
