"""The printed cities and ports. Points in the board frame, mm."""

import random
from math import cos, pi, sin

from boards import Place, Point, center, corners
from canvas import Canvas, Style
from card_art import COMPANY_PRINT

RIMS = {3: "#d6a93c", 2: "#c3c8cc", 1: "#23211f"}
"""The colour of a city's rim for its capacity: gold, silver, black (R1.3)."""


def city(canvas: Canvas, place: Place, style: Style) -> None:
    """A disc whose rim tells the capacity, its name, its number; start cities in the company's colour."""
    x, y = middle = center(place.at)
    if place.start:
        canvas.polygon(corners(place.at, 0.93), COMPANY_PRINT[place.start] + "d0", style["ink"], 0.5)
    canvas.disc((x + 0.5, y + 0.7), 13.2, "#00000055")
    canvas.disc(middle, 13, RIMS[place.capacity], style["ink"], 0.3)
    canvas.disc(middle, 10.6, COMPANY_PRINT[place.start] if place.start else style["disc"], style["ink"], 0.3)
    if style.get("city") == "wheel":
        wheel(canvas, middle, style)
    else:
        houses(canvas, middle, style, random.Random(place.name))
    plate(canvas, (x, y + 16.3), place.name, style)
    if place.number:
        canvas.disc((x + 12.5, y - 10.5), 3.3, style["paper"], style["ink"], 0.35)
        canvas.text((x + 12.5, y - 10.5), str(place.number), style["font"], 3.4, style["ink"])


def houses(canvas: Canvas, middle: Point, style: Style, rng: random.Random) -> None:
    """The skyline in a city's disc, another one for each city."""
    x = middle[0] - 7
    while x < middle[0] + 6:
        w, h, ground_y = rng.uniform(1.8, 3.2), rng.uniform(2.5, 8), middle[1] + 4
        wall = rng.choice(style["walls"])
        canvas.polygon(
            [(x, ground_y), (x, ground_y - h), (x + w, ground_y - h), (x + w, ground_y)],
            wall,
            style["ink"],
            0.2,
        )
        if rng.random() < 0.6:
            canvas.polygon(
                [(x - 0.3, ground_y - h), (x + w / 2, ground_y - h - 2), (x + w + 0.3, ground_y - h)],
                style["roof"],
                style["ink"],
                0.2,
            )
        x += w + rng.uniform(0, 0.4)
    canvas.line([(middle[0] - 8, middle[1] + 4), (middle[0] + 8, middle[1] + 4)], style["ink"], 0.4)


def wheel(canvas: Canvas, middle: Point, style: Style) -> None:
    """The driving wheel of an engine instead of a skyline."""
    x, y = middle
    canvas.disc(middle, 7.2, style["roof"], style["ink"], 0.3)
    canvas.disc(middle, 5.4, style["walls"][0], style["ink"], 0.3)
    for k in range(8):
        tip = (x + 5.4 * cos(k * pi / 4), y + 5.4 * sin(k * pi / 4))
        canvas.line([middle, tip], style["roof"], 0.9)
    canvas.disc(middle, 1.8, style["roof"], style["ink"], 0.3)


def plate(canvas: Canvas, middle: Point, words: str, style: Style) -> None:
    size = style["name_size"]
    if style["plate"]:
        half = 0.29 * size * len(words) + 1.5
        x, y = middle
        canvas.polygon(
            [
                (x - half, y - 2.4),
                (x + half, y - 2.4),
                (x + half + 1.6, y),
                (x + half, y + 2.4),
                (x - half, y + 2.4),
                (x - half - 1.6, y),
            ],
            style["plate"],
            style["ink"],
            0.25,
        )
        canvas.text(middle, words, style["font"], size, style["ink"])
    else:
        canvas.text(middle, words, style["font"], size, style["name"], style["halo"])


def port(canvas: Canvas, place: Place, style: Style) -> None:
    x, y = center(place.at)
    canvas.disc((x, y), 11, style["sea"][0], style["ink"], 0.8)
    canvas.line([(x, y - 7), (x, y + 6)], style["ink"], 1.2)
    canvas.line([(x + 6 * cos(a * pi / 8), y + 6 * sin(a * pi / 8)) for a in range(9)], style["ink"], 1.2)
    canvas.disc((x, y - 7.5), 1.8, None, style["ink"], 0.9)
