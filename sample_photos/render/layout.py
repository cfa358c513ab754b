"""Where a person's hand puts the pieces: on their hex, any way round, never through one another.

All in the board frame (mm); angles in radians, counted from x east towards y south.
"""

import random
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Any

from boards import Board, Hex, Point, center, hex_depth

TRAIN = (20.0, 8.0)
TOPPLED_TRAIN = (20.0, 12.0)
TILE = (16.0, 16.0)
MARKER, MARKER_MM = (10.0, 10.0), 11.0
SPIKE = (18.0, 18.0)
GAP_MM = 0.6
CARDS, CARD_MM, SHOWS = ("tile", "spike"), 1.8, 0.5
"""Pieces that others may stand on, how thick they are, and how much of one then shows at least."""
SEAT_COLOURS = {
    "red": "#b3202a",
    "blue": "#2458a6",
    "purple": "#6b3a8c",
    "green": "#2f7d3f",
    "yellow": "#e0b92a",
}
DICE, DIE_MM = ("#e6dcc6", "#a83232", "#2f3b52"), 14.0
Piece = tuple[str, tuple[str, ...], tuple[float, float]]
"""Kind, look and footprint of a piece that has no place yet."""


@dataclass(frozen=True)
class Spot:
    """One piece on the board: `kind` says what it is, `look` its company, pair or colour."""

    kind: str
    look: tuple[str, ...]
    at: Point
    angle: float
    size: tuple[float, float]
    toppled: bool = False
    level: float = 0.0
    """How far above the print its foot is, mm."""

    def corners(self, grow: float = 0.0) -> list[Point]:
        """The four corners of its footprint, made larger by `grow` mm."""
        half_x, half_y = self.size[0] / 2 + grow, self.size[1] / 2 + grow
        c, s = cos(self.angle), sin(self.angle)
        return [
            (self.at[0] + dx * half_x * c - dy * half_y * s, self.at[1] + dx * half_x * s + dy * half_y * c)
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]

    def covers(self, point: Point) -> bool:
        """Whether a point lies within its footprint."""
        dx, dy, c, s = point[0] - self.at[0], point[1] - self.at[1], cos(self.angle), sin(self.angle)
        return abs(dx * c + dy * s) <= self.size[0] / 2 and abs(dy * c - dx * s) <= self.size[1] / 2


def spread(
    board: Board,
    truth: dict[str, Any],
    marker: str,
    toppled: float,
    rng: random.Random,
    reach: float = 2.5,
    on_cards: bool = False,
    snug: float = 0.0,
) -> list[Spot]:
    """Spots for every piece that `truth` (track, demand, bot) puts on the board, hex by hex.

    `marker` is the colour of the target city marker, `markers` of `truth` are more of them, by city, `spikes` are
    hexes with a Golden Spike tile; the share
    `toppled` of the trains lies on its side; a piece alone on its hex stands about `reach` mm off its middle.
    With `on_cards` pieces may stand on the card of their hex, otherwise only beside it. On the share `snug` of the
    hexes with several pieces these stand side by side and touch, as people put them.
    """
    pieces = on_hexes(board, truth, marker, toppled, rng)
    spots: list[Spot] = []
    for at, group in sorted(pieces.items()):
        touch = snug and len(group) > 1 and rng.random() < snug
        spots += in_a_row(at, group, rng, 0.0) if touch else fill(at, group, rng, reach, on_cards)
    return spots


def on_hexes(
    board: Board, truth: dict[str, Any], marker: str, toppled: float, rng: random.Random
) -> dict[Hex, list[Piece]]:
    """The pieces that `truth` puts on each hex."""
    pieces: dict[Hex, list[Piece]] = {}
    for number, pair in truth["demand"].items():
        pieces.setdefault(board.by_number[int(number)].at, []).append(("tile", tuple(pair), TILE))
    for at in truth.get("spikes", []):
        pieces.setdefault(tuple(at), []).append(("spike", ("spike",), SPIKE))
    for company, hexes in truth["track"].items():
        for q, r in hexes:
            size = TOPPLED_TRAIN if rng.random() < toppled else TRAIN
            pieces.setdefault((q, r), []).append(("train", (company,), size))
    if truth["bot"] and truth["bot"]["target"]:
        at = board.by_number[truth["bot"]["target"]].at
        pieces.setdefault(at, []).append(("marker", (marker,), MARKER))
    for number, colour in truth.get("markers", {}).items():
        pieces.setdefault(board.by_number[int(number)].at, []).append(("marker", (colour,), MARKER))
    return pieces


def fill(at: Hex, group: list[Piece], rng: random.Random, reach: float, on_cards: bool = False) -> list[Spot]:
    """All pieces of one hex; tries anew with more freedom over the rim until none touches another, but for a card
    below it with `on_cards`.

    When no try succeeds, the pieces stand in a row.
    """
    for attempt in range(4000):
        overhang = 0.5 + 6.0 * max(0, attempt - 300) / 3700
        placed: list[Spot] = []
        for piece in group:
            spot = _drop(at, piece, reach if len(group) == 1 else 13.0, rng)
            if min(hex_depth(c, at) for c in spot.corners()) < -overhang:
                break
            below = [other for other in placed if touching(spot, other)]
            if below and not (on_cards and all(other.kind in CARDS for other in below)):
                break
            placed.append(replace(spot, level=CARD_MM) if below else spot)
        if len(placed) == len(group) and all(shows(card, placed) for card in placed if card.kind in CARDS):
            return placed
    return in_a_row(at, group, rng)


def shows(card: Spot, placed: list[Spot]) -> bool:
    """Whether enough of a card is under nothing else."""
    steps = [(k + 0.5) / 8 - 0.5 for k in range(8)]
    c, s = cos(card.angle), sin(card.angle)
    points = [(x * card.size[0], y * card.size[1]) for x in steps for y in steps]
    points = [(card.at[0] + x * c - y * s, card.at[1] + x * s + y * c) for x, y in points]
    free = [p for p in points if not any(other.covers(p) for other in placed if other is not card)]
    return len(free) >= SHOWS * len(points)


def in_a_row(at: Hex, group: list[Piece], rng: random.Random, gap: float = 1.2) -> list[Spot]:
    """What a person does when a hex is full: all pieces side by side, so many mm apart, more or less parallel."""
    (x, y), way = center(at), rng.uniform(0, pi)
    across = -sum(size[1] + gap for _, _, size in group) / 2
    placed = []
    for kind, look, size in group:
        side, along = across + (size[1] + gap) / 2, rng.uniform(-2.0, 2.0)
        point = x + along * cos(way) - side * sin(way), y + along * sin(way) + side * cos(way)
        placed.append(Spot(kind, look, point, way + rng.gauss(0, 0.02), size, size == TOPPLED_TRAIN))
        across += size[1] + gap
    return placed


def _drop(at: Hex, piece: Piece, reach: float, rng: random.Random) -> Spot:
    kind, look, size = piece
    x, y = center(at)
    point = x + rng.gauss(0, reach), y + rng.gauss(0, reach)
    angle = rng.gauss(0, 0.35) if kind in ("tile", "spike") else rng.uniform(0, 2 * pi)
    return Spot(kind, look, point, angle, size, size == TOPPLED_TRAIN)


def touching(a: Spot, b: Spot) -> bool:
    """Whether two footprints are nearer than GAP_MM (separating axes of two rectangles)."""
    first, second = a.corners(GAP_MM / 2), b.corners(GAP_MM / 2)
    for angle in (a.angle, a.angle + pi / 2, b.angle, b.angle + pi / 2):
        u, v = cos(angle), sin(angle)
        one, two = [x * u + y * v for x, y in first], [x * u + y * v for x, y in second]
        if max(one) < min(two) or max(two) < min(one):
            return False
    return True
