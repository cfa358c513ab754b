"""The printed cardboard beside the map: demand tiles, another board. Sizes in pixels."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from PIL import Image, ImageDraw, ImageFont

COMPANY_NAMES = {"brown": "WOOD", "gray": "STEEL", "orange": "LEATHER", "white": "COTTON"}
COMPANY_PRINT = {
    "brown": "#6d4526",
    "gray": "#84888c",
    "orange": "#dd7a26",
    "white": "#f2efe6",
    "wild": "#7b4a9e",
}
EDGE = "#b9a88c"
"""What cardboard is inside."""
Draw = ImageDraw.ImageDraw


SPIKE_PRINT = {"face": "#2f4a3c", "ink": "#d9a93c"}
TILE_PRINT = {"card": "#e8dcc0", "face": "#f1e8d2", "prints": COMPANY_PRINT}


def face_of(kind: str, look: Sequence[str], table: dict[str, Any]) -> Image.Image:
    """The face of a "tile" or a "spike" as it is printed on this table."""
    if kind == "spike":
        return spike_print(table.get("spike", SPIKE_PRINT))
    return tile_print(look, table["tile"], table.get("tile_print", TILE_PRINT))


def tile_print(pair: Sequence[str], shape: str, colours: dict[str, Any] = TILE_PRINT) -> Image.Image:
    """The face of a demand tile, two symbols on card of the tile's own, 320×320.

    `colours["layout"]`: the symbols in "boxes" side by side, "stacked" one above the other, or each on its half of
    the tile ("halves").
    """
    arrangement = colours.get("layout", "boxes")
    picture = Image.new("RGB", (320, 320), colours["card"])
    outlined(picture, shape, colours["face"])
    if arrangement == "halves":
        for k, name in enumerate(pair):
            half = picture.copy()
            outlined(half, shape, colours["prints"][name])
            picture.paste(half.crop((160 * k, 0, 160 + 160 * k, 320)), (160 * k, 0))
    pen = ImageDraw.Draw(picture)
    for k, name in enumerate(pair):
        x, y = (160, 98 + 124 * k) if arrangement == "stacked" else (98 + 124 * k, 160)
        if arrangement != "halves":
            w, h = (60, 54) if arrangement == "stacked" else (54, 60)
            pen.rounded_rectangle((x - w, y - h, x + w, y + h), 18, colours["prints"][name], "#2c241a", 6)
        symbol(pen, name, x, y)
    return picture


def spike_print(colours: dict[str, str] = SPIKE_PRINT) -> Image.Image:
    """The face of the Golden Spike tile, a spike across rails, 320×320."""
    picture = Image.new("RGB", (320, 320), colours["face"])
    pen = ImageDraw.Draw(picture)
    pen.rectangle((12, 12, 308, 308), None, colours["ink"], 10)
    for y in (222, 262):
        pen.line((40, y, 280, y), colours["ink"], 12)
    pen.polygon(
        [(136, 70), (184, 70), (184, 96), (172, 96), (160, 250), (148, 96), (136, 96)], colours["ink"]
    )
    return picture


def outlined(picture: Image.Image, shape: str, fill: str) -> None:
    """The face of a square or round tile in one colour."""
    inset, pen = (14 if shape == "square" else 4), ImageDraw.Draw(picture)
    outline = (inset, inset, 320 - inset, 320 - inset)
    (pen.rectangle if shape == "square" else pen.ellipse)(outline, fill, "#6a5a40", 6)


def symbol(pen: Draw, name: str, x: float, y: float) -> None:
    """Log, beam, hide, bud or star, in dark or light ink, about 70 pixels wide."""
    ink = "#2c241a" if name in ("white", "orange", "gray") else "#f3e6c8"
    if name == "brown":
        for dx, dy in ((-16, 14), (16, 14), (0, -14)):
            pen.ellipse((x + dx - 15, y + dy - 15, x + dx + 15, y + dy + 15), None, ink, 6)
    elif name == "gray":
        for dy in (-26, 18):
            pen.rectangle((x - 28, y + dy, x + 28, y + dy + 10), ink)
        pen.rectangle((x - 6, y - 20, x + 6, y + 20), ink)
    elif name == "orange":
        pen.polygon(
            [
                (x - 30, y - 30),
                (x - 8, y - 20),
                (x + 8, y - 20),
                (x + 30, y - 30),
                (x + 20, y),
                (x + 30, y + 30),
                (x, y + 20),
                (x - 30, y + 30),
                (x - 20, y),
            ],
            ink,
        )
    elif name == "white":
        for k in range(5):
            cx, cy = x + 16 * cos(k * 2 * pi / 5), y + 16 * sin(k * 2 * pi / 5)
            pen.ellipse((cx - 13, cy - 13, cx + 13, cy + 13), None, ink, 5)
    else:
        pen.polygon(
            [
                (
                    x + (36 if k % 2 else 15) * cos(k * pi / 5 - pi / 2 + pi / 5),
                    y + (36 if k % 2 else 15) * sin(k * pi / 5 - pi / 2 + pi / 5),
                )
                for k in range(10)
            ],
            ink,
        )


def track_print() -> Image.Image:
    """Another board, 1200×760: four numbered tracks in the companies' colours."""
    picture = Image.new("RGB", (1200, 760), "#b9a67e")
    pen, face = ImageDraw.Draw(picture), ImageFont.truetype("DejaVuSerif-Bold.ttf", 30)
    pen.rectangle((16, 16, 1184, 744), "#d8c9a2", "#4a3b2a", 6)
    for row, company in enumerate(list(COMPANY_PRINT)[:4]):
        top = 50 + 172 * row
        pen.rectangle((40, top, 1160, top + 140), COMPANY_PRINT[company], "#4a3b2a", 5)
        for k in range(16):
            box = (52 + 69 * k, top + 38, 112 + 69 * k, top + 98)
            pen.ellipse(box, "#f0e4c6", "#4a3b2a", 4)
            pen.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), str(k), "#4a3b2a", face, "mm")
    return picture
