"""The photo with what was read, or proposed, drawn into it, for people: outlines, letters, doubts.

Colour is never the only cue: every company has a letter, new track has a double ring, doubts a dashed ring
and a question mark, and what could not be seen is hatched. Without a state before a demand tile has the letters of its
two symbols, * for the wild one, and the target city marker is a T.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration import Proposal
from calibration.hexes import hex_outline
from calibration.photo import Pixels
from calibration.surface import Points, Surface, transform
from engine.hexgrid import Hex
from engine.mini_express.names import COMPANIES
from engine.sentences import plain

from .cells.pose import raised
from .scan import Scan

Paint = tuple[int, int, int]
INK, PAPER, QUESTION = (30, 24, 20), (255, 255, 255), (60, 60, 235)
# Blue, green, red: what people call the companies' colours, not what the table's wood looks like.
COLOURS = {
    "brown": (40, 74, 122),
    "gray": (138, 134, 128),
    "orange": (30, 127, 240),
    "white": (238, 244, 246),
}
LETTERS = {company: company[0].upper() for company in COMPANIES}


def annotate(scan: Scan) -> Pixels:
    """The photos of a scan with the reading drawn in, one below the other, (H, W, 3) uint8 BGR; black beside them."""
    pictures = [_annotated(scan, photo) for photo in range(len(scan.photos))]
    width = max(picture.shape[1] for picture in pictures)
    return np.vstack([np.pad(each, ((0, 0), (0, width - each.shape[1]), (0, 0))) for each in pictures])


def _annotated(scan: Scan, photo: int) -> Pixels:
    picture = scan.photos[photo].pixels.copy()
    outlines = {at: np.array(corners) for at, corners in scan.outlines(photo).items()}
    size = _side(list(outlines.values()))
    _draw_grid(picture, list(outlines.values()), size)
    for at in scan.unseen:
        _hatch(picture, outlines[at], size)
    for at, text in _on_cities(scan).items():
        x, y = outlines[at].mean(axis=0)
        _write_on_print(picture, text, (x, y + 0.55 * size), round(size * 0.4))
    for label in _labels(scan, photo):
        _draw_label(picture, *label, size)
    return picture


def _on_cities(scan: Scan) -> dict[Hex, str]:
    """What was read on cities beside trains, by hex: the letters of the demand tile, a T for the target marker."""
    texts = {}
    for tile in scan.cards.tiles:
        pair = "/".join(LETTERS.get(symbol, "*") for symbol in tile.pair)
        texts[tile.city] = pair + "?" * tile.doubtful
    if scan.target:
        texts[scan.target] = f"{texts.get(scan.target, '')} T".strip()
    return {scan.board.numbered[number].at: text for number, text in texts.items()}


def annotate_proposal(pixels: Pixels, found: Proposal) -> Pixels:
    """The photo of an empty map, (H, W, 3) uint8 BGR, with what it seems to show drawn in, for a person to confirm.

    The outline of the board, every hex with its name, and in each city its capacity by the colour of its rim.
    """
    picture = pixels.copy()
    if found.outline is not None:
        cv2.polylines(picture, [np.rint(found.outline).astype(np.int32)], True, QUESTION, 4, cv2.LINE_AA)
    if found.grid is None:
        return picture
    outlines = {at: found.grid(hex_outline(at)) for at in found.hexes}
    size = _side(list(outlines.values()))
    _draw_grid(picture, list(outlines.values()), size)
    for at, corners in outlines.items():
        x, y = corners.mean(axis=0)
        _write_on_print(picture, f"{at[0]},{at[1]}", (x, y - 0.6 * size), round(size * 0.4))
        if found.cities is not None and at in found.cities:
            capacity = found.cities[at]
            middle = round(float(x)), round(float(y))
            ink = INK if capacity else QUESTION
            _draw_disc(picture, str(capacity or "?"), middle, round(size * 0.25), ink, PAPER)
    return picture


def annotate_cells(surface: Surface) -> Pixels:
    """The photo of an empty board, (H, W, 3) uint8 BGR, with its cells and their names drawn in, to be compared."""
    picture = surface.reference.copy()
    outlines = [transform(cell.outline, surface.plane_to_image) for cell in surface.cells]
    size = _side(outlines)
    _draw_grid(picture, outlines, size)
    for cell, corners in zip(surface.cells, outlines, strict=True):
        room = float(np.ptp(corners, axis=0).min())
        _write_on_print(picture, str(plain(cell.id)), corners.mean(axis=0).tolist(), round(0.4 * room))
    return picture


def _side(outlines: Sequence[Points]) -> float:
    """How long the side of a hex is, px."""
    sides = [np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean() for corners in outlines]
    return float(np.median(sides))


def _draw_grid(picture: Pixels, outlines: list[Points], size: float) -> None:
    thin = max(1, round(size / 40))
    polygons = [np.rint(corners * 8).astype(np.int32) for corners in outlines]
    cv2.polylines(picture, polygons, True, INK, thin + 2, cv2.LINE_AA, 3)
    cv2.polylines(picture, polygons, True, PAPER, thin, cv2.LINE_AA, 3)


def _hatch(picture: Pixels, corners: Points, size: float) -> None:
    """Slanted lines over a hex."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 255)
    low, high = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
    lines = np.zeros_like(mask)
    for x in range(low[0] - (high[1] - low[1]), high[0], max(6, round(size / 4))):
        cv2.line(
            lines, (x, int(high[1])), (x + int(high[1] - low[1]), int(low[1])), 255, max(1, round(size / 20))
        )
    picture[(mask > 0) & (lines > 0)] = PAPER


def _labels(scan: Scan, photo: int) -> list[tuple[Points, str, str]]:
    """Where each claimed or doubtful train is drawn, (2,) px, its company and how: plain, new or doubt."""
    doubts = {(doubt.hex, doubt.company) for doubt in scan.doubtful}
    trains = {(at, company) for company in COMPANIES for at in scan.track[company]} | doubts
    found = {
        (scan.surface.cells[f.cell].id, f.kind): f.at for f in scan.readings[photo].pieces if f.cell >= 0
    }
    labels, added = [], scan.added
    for at, company in sorted(trains):
        k = COMPANIES.index(company)
        spread = ((-9.0, -9.0), (9.0, -9.0), (-9.0, 9.0), (9.0, 9.0))[k]
        middle = scan.surface.centers[scan.surface.index[at]]
        where = np.array([found.get((at, k), tuple(middle + spread))])
        top = raised(where, scan.surface.kinds[k].size[2], scan.readings[photo].camera)
        kind = "doubt" if (at, company) in doubts else "new" if (at, company) in added else "plain"
        labels.append((scan.registrations[photo].in_photo(top, scan.surface)[0], company, kind))
    return labels


def _draw_label(picture: Pixels, where: Points, company: str, kind: str, size: float) -> None:
    """A disc in the company's colour with its letter; a second ring for new track, dashes for a doubt."""
    center = (round(float(where[0])), round(float(where[1])))
    radius = max(7, round(size * 0.3))
    dark = sum(COLOURS[company]) < 420
    text = LETTERS[company] + ("?" if kind == "doubt" else "")
    _draw_disc(picture, text, center, radius, PAPER if dark else INK, COLOURS[company])
    if kind == "new":
        cv2.circle(picture, center, radius + 5, PAPER, 2, cv2.LINE_AA)
        cv2.circle(picture, center, radius + 7, INK, 2, cv2.LINE_AA)
    if kind == "doubt":
        for start in range(0, 360, 45):
            cv2.ellipse(
                picture, center, (radius + 6, radius + 6), 0, start, start + 25, QUESTION, 3, cv2.LINE_AA
            )


def _draw_disc(
    picture: Pixels, text: str, center: tuple[int, int], radius: int, ink: Paint, colour: Paint
) -> None:
    """A disc with a dark rim and text in it."""
    cv2.circle(picture, center, radius + 2, INK, -1, cv2.LINE_AA)
    cv2.circle(picture, center, radius, colour, -1, cv2.LINE_AA)
    _write(picture, text, center, radius, ink)


def _write_on_print(picture: Pixels, text: str, where: Sequence[float], radius: int) -> None:
    """Text with a pale rim, so that it can be read on any print."""
    x, y = round(float(where[0])), round(float(where[1]))
    for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, 1), (-1, 1), (1, -1)):
        _write(picture, text, (x + dx, y + dy), radius, PAPER)
    _write(picture, text, (x, y), radius, INK)


def _write(picture: Pixels, text: str, center: Sequence[int], radius: int, ink: Paint) -> None:
    """Text in the middle of a disc."""
    scale, thick = radius / 14, max(1, round(radius / 7))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    if width > 2 * radius - 2:
        scale *= (2 * radius - 2) / width
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    corner = (int(center[0] - width / 2), int(center[1] + height / 2))
    cv2.putText(picture, text, corner, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, thick, cv2.LINE_AA)
