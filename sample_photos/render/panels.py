"""The two other boards: `tracks` (value and influence of each company) and `assets` (shares, reservoirs).

Their printed form is our own. A panel has its own board frame: mm, x right, y down, (0, 0) at its top left
corner. Its cells are named for what is read: "value/brown/7", "influence/gray/3", "reservoir/orange",
"offer/white", "company/brown".
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Any

from boards import Bounds, Point
from canvas import Canvas, Style
from card_art import COMPANY_NAMES, COMPANY_PRINT
from ground import paper
from layout import Spot
from PIL import Image

COMPANIES = ("brown", "gray", "orange", "white")
STEPS = 16
"""Cells of a track, 0-15."""


@dataclass(frozen=True)
class Panel:
    """A printed board of cells; each cell is an outline in mm."""

    id: str
    bounds: Bounds
    cells: dict[str, list[Point]]

    def middle(self, cell: str) -> Point:
        xs, ys = zip(*self.cells[cell], strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def box(x: float, y: float, width: float, height: float) -> list[Point]:
    """A rectangle around its middle."""
    w, h = width / 2, height / 2
    return [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]


def tracks() -> Panel:
    """A band for each company: its value track above, its influence track below."""
    cells = {}
    for n, company in enumerate(COMPANIES):
        for k in range(STEPS):
            cells[f"value/{company}/{k}"] = box(52 + 23.5 * k, 36 + 70 * n, 20, 20)
            cells[f"influence/{company}/{k}"] = box(52 + 23.5 * k, 63 + 70 * n, 22, 26)
    return Panel("tracks", (0, 0, 430, 308), cells)


def assets() -> Panel:
    """A column for each company: the place of the company marker, the reservoir, the pile of shares."""
    cells = {}
    for n, company in enumerate(COMPANIES):
        x = 52 + 82 * n
        cells[f"company/{company}"] = box(x, 30, 18, 18)
        cells[f"reservoir/{company}"] = box(x, 100, 44, 106)
        cells[f"offer/{company}"] = box(x, 190, 36, 51)
    return Panel("assets", (0, 0, 350, 232), cells)


PANELS = {"tracks": tracks(), "assets": assets()}


@dataclass(frozen=True)
class Laid:
    """A panel beside the map: its middle `at` in the map's board frame, turned there by `angle`, radians."""

    panel: Panel
    at: Point
    angle: float

    def on_map(self, point: Point) -> Point:
        """A point of the panel in the map's board frame."""
        left, top, right, bottom = self.panel.bounds
        x, y = point[0] - (left + right) / 2, point[1] - (top + bottom) / 2
        c, s = cos(self.angle), sin(self.angle)
        return self.at[0] + x * c - y * s, self.at[1] + x * s + y * c

    def spots(self, spots: list[Spot]) -> list[Spot]:
        """The same pieces where they are beside the map."""
        return [replace(spot, at=self.on_map(spot.at), angle=spot.angle + self.angle) for spot in spots]

    @property
    def rim(self) -> list[Point]:
        left, top, right, bottom = self.panel.bounds
        return [self.on_map((x, y)) for x in (left, right) for y in (top, bottom)]


def draw(panel: Panel, style: Style, scale: float) -> Image.Image:
    """The print in the colours of the map's art, `scale` pixels per mm, RGB."""
    _, _, right, bottom = panel.bounds
    canvas = Canvas(panel, paper(style, (round(right * scale), round(bottom * scale)), scale), scale)
    for inset, width in ((4, 1.2), (7, 0.5)):
        rim = box(right / 2, bottom / 2, right - 2 * inset, bottom - 2 * inset)
        canvas.line([*rim, rim[0]], style["ink"], width)
    for n, company in enumerate(COMPANIES):
        band = (
            box(right / 2, 49 + 70 * n, right - 20, 66)
            if panel.id == "tracks"
            else box(52 + 82 * n, 118, 76, 212)
        )
        canvas.polygon(band, COMPANY_PRINT[company] + "c0", style["ink"], 0.6)
        (left, top), ink = min(band), style["paper" if company == "brown" else "ink"]
        canvas.text((left + 16, top + 6), COMPANY_NAMES[company], style["title_font"], 5, ink)
    for name, outline in panel.cells.items():
        _draw_cell(canvas, panel, name, outline, style)
    return canvas.picture


def _draw_cell(canvas: Canvas, panel: Panel, name: str, outline: list[Point], style: Style) -> None:
    kind, _, *number = name.split("/")
    if kind in ("value", "company"):
        canvas.disc(panel.middle(name), 9.4, style["paper"], style["ink"], 0.6)
    else:
        canvas.polygon(
            outline, style["paper"] if kind == "influence" else style["land"][1], style["ink"], 0.5
        )
    if number:
        canvas.text(panel.middle(name), number[0], style["font"], 7 if kind == "value" else 5, style["ink"])
    if kind == "reservoir":
        x, y = panel.middle(name)
        for k in range(5):
            slot = box(x, y - 42 + 21 * k, 34, 15)
            canvas.line([*slot, slot[0]], style["ink"], 0.4)


def spread(panel: Panel, state: dict[str, Any], marker: str, rng: random.Random) -> list[Spot]:
    """Where the pieces of a full state JSON stand; `marker` is the colour that plays for the bot."""
    place = _on_tracks if panel.id == "tracks" else _on_assets
    return list(place(panel, state, marker, rng))


def _on_tracks(panel: Panel, state: dict[str, Any], marker: str, rng: random.Random) -> Iterator[Spot]:
    for company in COMPANIES:
        value = state["companies"][company]["value"]
        at = _near(panel.middle(f"value/{company}/{value}"), 1.5, rng)
        yield Spot("cube", (company,), at, rng.uniform(0, pi), (9, 9))
        for nth, (seat, influence) in enumerate(state["influence"].items()):
            x, y = panel.middle(f"influence/{company}/{min(influence[company], STEPS - 1)}")
            slot = x - 5 + 10 * (nth % 2), y - 8 + 8 * (nth // 2)
            colour = marker if seat == "masinfira" else seat
            yield Spot("disc", (colour,), _near(slot, 0.5, rng), 0, (7.4, 7.4))


def _on_assets(panel: Panel, state: dict[str, Any], marker: str, rng: random.Random) -> Iterator[Spot]:
    for company in COMPANIES:
        x, y = panel.middle(f"reservoir/{company}")
        for k in range(state["companies"][company]["reservoir"]):
            yield Spot("train", (company,), _near((x, y - 42 + 21 * k), 2, rng), rng.gauss(0, 0.25), (20, 8))
        for k in range(state["companies"][company]["offer"]):
            at = _near(panel.middle(f"offer/{company}"), 1, rng)
            yield Spot("share", (company,), at, rng.gauss(0, 0.05), (30, 45), level=1.85 * k)
    if state["bot"]:
        at = _near(panel.middle(f"company/{state['bot']['company']}"), 2, rng)
        yield Spot("marker", (marker,), at, 0, (10, 10))


def _near(point: Point, jitter: float, rng: random.Random) -> Point:
    return point[0] + rng.uniform(-jitter, jitter), point[1] + rng.uniform(-jitter, jitter)


def shown(panel: Panel, state: dict[str, Any]) -> dict[str, Any]:
    """The parts of a full state JSON that lie on this panel."""
    if panel.id == "tracks":
        values = {company: {"value": state["companies"][company]["value"]} for company in COMPANIES}
        return {"companies": values, "influence": state["influence"]}
    keys = ("reservoir", "offer")
    stock = {company: {key: state["companies"][company][key] for key in keys} for company in COMPANIES}
    return {"companies": stock, "bot": {"company": state["bot"]["company"]} if state["bot"] else None}


def shown_beside(laid: list[Laid], state: dict[str, Any]) -> dict[str, Any]:
    """The parts of a full state JSON that lie on panels beside the map, and on the map of the bot."""
    companies: dict[str, Any] = {}
    parts: dict[str, Any] = {
        "companies": companies,
        "bot": state["bot"] and {"target": state["bot"]["target"]},
    }
    for one in laid:
        here = shown(one.panel, state)
        for company, values in here.pop("companies").items():
            companies.setdefault(company, {}).update(values)
        if bot := here.pop("bot", None):
            parts["bot"] = {**parts["bot"], **bot}
        parts |= here
    return parts


PIECES_MM = {"value": (9, 9, 9), "influence": (7.4, 7.4, 5), "company": (10, 10, 11), "offer": (45, 30, 1.85)}
"""What a person with a ruler would write into the points file."""


def tracks_of(panel: Panel) -> dict[str, list[str]]:
    """The cells of every track, in their order."""
    rows: dict[str, list[str]] = {}
    for name in panel.cells:
        track, _, number = name.rpartition("/")
        if number.isdigit():
            rows.setdefault(track, []).append(name)
    return rows


def areas_of(panel: Panel) -> dict[str, list[Point]]:
    """The outlines of the cells that are no part of a track."""
    return {name: outline for name, outline in panel.cells.items() if not name[-1].isdigit()}
