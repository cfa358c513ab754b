"""The print of the share tiles, 240×360 pixels for 30×45 mm: one layout a table, a colour and a symbol a company."""

from math import cos, pi, sin
from typing import Any

from card_art import COMPANY_NAMES, COMPANY_PRINT, Draw, symbol
from PIL import Image, ImageDraw, ImageFont

SHARE_PRINT = {"layout": "band", "paper": "#efe4c8", "ink": "#5a4a34", "prints": COMPANY_PRINT}


def share_print(company: str, colours: dict[str, Any] = SHARE_PRINT) -> Image.Image:
    """The face of a share tile. `colours["layout"]`: a "band" or an "oval" in the company's colour on paper, or
    a tile that is all in the company's colour ("full")."""
    picture = Image.new("RGB", (240, 360), colours["paper"])
    LAYOUTS[colours["layout"]](ImageDraw.Draw(picture), company, colours)
    return picture


def _band(pen: Draw, company: str, colours: dict[str, Any]) -> None:
    """A wide band with the symbol, lines of small print."""
    pen.rounded_rectangle((12, 12, 228, 348), 14, None, colours["ink"], 5)
    pen.rectangle((24, 70, 216, 230), colours["prints"][company], colours["ink"], 4)
    symbol(pen, company, 120, 150)
    for y in range(255, 335, 16):
        pen.line((40, y, 200 - y % 37, y), colours["ink"], 4)
    _words(pen, (120, 42), "SHARE", 32, colours["ink"])


def _full(pen: Draw, company: str, colours: dict[str, Any]) -> None:
    """All in the company's colour: a paper disc with a wheel of spokes, the company's name, tracks at the foot."""
    pen.rectangle((8, 8, 232, 352), colours["prints"][company], colours["ink"], 4)
    pen.ellipse((40, 72, 200, 232), colours["paper"], colours["ink"], 5)
    for k in range(16):
        x, y = cos(k * pi / 8), sin(k * pi / 8)
        pen.line((120 + 52 * x, 152 + 52 * y, 120 + 76 * x, 152 + 76 * y), colours["ink"], 5)
    pen.ellipse((70, 102, 170, 202), colours["prints"][company], colours["ink"], 4)
    symbol(pen, company, 120, 152)
    pen.rectangle((20, 250, 220, 288), colours["paper"])
    _words(pen, (120, 269), COMPANY_NAMES[company], 28, colours["ink"])
    _rails(pen, 320, colours["ink"])
    _words(pen, (42, 42), "1", 40, colours["ink"])
    _words(pen, (192, 42), "R.R.", 26, colours["ink"])


def _oval(pen: Draw, company: str, colours: dict[str, Any]) -> None:
    """A certificate: a rim of waves, an oval with the symbol, headings, a seal."""
    for inset in (12, 20):
        rim = [(x, inset + 4 * sin(x / 7)) for x in range(inset, 240 - inset, 2)]
        pen.line(rim, colours["ink"], 3)
        pen.line([(x, 360 - y) for x, y in rim], colours["ink"], 3)
        side = [(inset + 4 * sin(y / 7), y) for y in range(inset, 360 - inset, 2)]
        pen.line(side, colours["ink"], 3)
        pen.line([(240 - x, y) for x, y in side], colours["ink"], 3)
    _words(pen, (120, 50), "ONE SHARE", 26, colours["ink"])
    pen.ellipse((40, 76, 200, 256), colours["prints"][company], colours["ink"], 5)
    pen.ellipse((54, 90, 186, 242), None, colours["paper"], 3)
    symbol(pen, company, 120, 166)
    for y in (276, 290, 304):
        pen.line((38, y, 146 - y % 23, y), colours["ink"], 4)
    points = [
        (186 + (28 if k % 2 else 20) * cos(k * pi / 9), 300 + (28 if k % 2 else 20) * sin(k * pi / 9))
        for k in range(18)
    ]
    pen.polygon(points, colours["prints"][company], colours["ink"])


def _rails(pen: Draw, y: float, ink: str) -> None:
    for x in range(28, 216, 16):
        pen.rectangle((x, y - 14, x + 6, y + 14), ink)
    for side in (-8, 8):
        pen.line((20, y + side, 220, y + side), ink, 5)


def _words(pen: Draw, middle: tuple[float, float], words: str, size: int, ink: str) -> None:
    pen.text(middle, words, ink, ImageFont.truetype("DejaVuSerif-Bold.ttf", size), "mm")


LAYOUTS = {"band": _band, "full": _full, "oval": _oval}
