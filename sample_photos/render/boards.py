"""A board file as the renderer needs it: hexes with their print, in millimetres.

Board frame: millimetres on the printed surface, x east, y south, (0, 0) at the centre of hex (0, 0).
"""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Protocol

Hex = tuple[int, int]
Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
"""The rectangle of cardboard: left, top, right, bottom in the board frame."""

SIDE = 25.0
"""Length of a hex side in mm."""
MARGIN = 34.0
"""Sea and frame around the outermost hexes in mm."""
THICKNESS = 2.5
"""Thickness of the cardboard in mm."""
BOARDS = Path(__file__).resolve().parents[2] / "engine/mini_express/data/boards"


class Surface(Protocol):
    """Anything printed on a rectangle of cardboard."""

    @property
    def bounds(self) -> Bounds: ...


@dataclass(frozen=True)
class Place:
    """One hex as printed. `number` is 0 unless it is a city with a demand tile."""

    at: Hex
    kind: str
    name: str = ""
    capacity: int = 0
    start: str = ""
    number: int = 0


@dataclass(frozen=True)
class Board:
    """A map: its hexes and the rectangle of cardboard they are printed on."""

    id: str
    title: str
    places: tuple[Place, ...]
    spike: Hex | None = None
    """Where the Golden Spike tile lies at first (R10.1)."""

    @cached_property
    def at(self) -> dict[Hex, Place]:
        return {place.at: place for place in self.places}

    @cached_property
    def by_number(self) -> dict[int, Place]:
        return {place.number: place for place in self.places if place.number}

    @cached_property
    def starts(self) -> dict[str, Place]:
        return {place.start: place for place in self.places if place.start}

    @cached_property
    def bounds(self) -> Bounds:
        """The cardboard: left, top, right, bottom in the board frame."""
        points = [corner for place in self.places for corner in corners(place.at)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs) - MARGIN, min(ys) - MARGIN, max(xs) + MARGIN, max(ys) + MARGIN


def load(board_id: str) -> Board:
    """The board of this id from the engine's data pack, its cities numbered (R1.4)."""
    data = tomllib.loads((BOARDS / f"{board_id}.toml").read_text())
    hexes = sorted(data["hex"], key=lambda h: (-h["at"][0], h["at"][1]))
    places, number = [], 0
    for h in hexes:
        numbered = h["kind"] == "city" and "start" not in h
        number += numbered
        places.append(
            Place(
                (h["at"][0], h["at"][1]),
                h["kind"],
                h.get("name", ""),
                h.get("capacity", 0),
                h.get("start", ""),
                number if numbered else 0,
            )
        )
    spike = data.get("golden_spike")
    return Board(data["id"], data["name"]["en"], tuple(places), tuple(spike["tile"]) if spike else None)


def center(at: Hex) -> Point:
    """The centre of a hex in the board frame, mm."""
    q, r = at
    return 1.5 * SIDE * q, sqrt(3) * SIDE * (r + q / 2)


def corners(at: Hex, scale: float = 1.0) -> list[Point]:
    """The six corners of a hex in the board frame, mm."""
    x, y = center(at)
    return [(x + scale * SIDE * cos(k * pi / 3), y + scale * SIDE * sin(k * pi / 3)) for k in range(6)]


def neighbours(at: Hex) -> list[Hex]:
    q, r = at
    return [(q + dq, r + dr) for dq, dr in ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))]


def hex_depth(point: Point, at: Hex) -> float:
    """How deep in mm a point lies inside the hex (negative outside)."""
    x, y = point[0] - center(at)[0], point[1] - center(at)[1]
    outward = [(cos(a), sin(a)) for a in (pi / 6, pi / 2, 5 * pi / 6, 7 * pi / 6, 3 * pi / 2, 11 * pi / 6)]
    return min(sqrt(3) / 2 * SIDE - (x * ux + y * uy) for ux, uy in outward)
