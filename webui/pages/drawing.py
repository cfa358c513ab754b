"""The map as shapes for an inline SVG: the template only writes down what is worked out here.

Lengths are in units of which a hex side has ten; over a photo they are in its pixels.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Protocol

from engine.hexgrid import Hex, center, corners
from engine.mini_express import COMPANIES, City, State
from engine.mini_express.board import Board
from engine.mini_express.names import RIMS, Pair
from engine.mini_express.notation import hex_to_text

from ..kept.reading import Reading
from ..kept.seeing import Outline, Places

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import Scan

SIDE = 10.0
MARGIN = 3.0
LETTER_WIDTH = 2.05
NAME_SIZE = 3.7
# Names may reach over the rims of their hexes; the columns beside a city begin half a hex lower.
NAME_WIDTH = 25.0
TRAIN_STEP = 3.7
# A hex in a photo is so many of the units wide in which its trains are drawn.
SEEN_UNITS = 17


@dataclass(frozen=True)
class Slot:
    """A place for a train in a hex: taken by a company, or free ("")."""

    company: str
    x: float


@dataclass(frozen=True)
class HexShape:
    """One hex of the map. `marks` are extra classes: "target", "open", "last", "spike" …"""

    at: Hex
    kind: str
    x: float
    y: float
    points: str
    slots: list[Slot]
    city: City | None = None
    tile: Pair | None = None
    name_size: float = NAME_SIZE
    marks: frozenset[str] = frozenset()

    @property
    def companies(self) -> list[str]:
        return [slot.company for slot in self.slots if slot.company]

    @property
    def rim(self) -> str:
        """The printed rim of a city says its capacity (R1.3)."""
        return RIMS.get(self.city.capacity, RIMS[3]) if self.city else ""


@dataclass(frozen=True)
class RouteLine:
    """A route to choose, as a line through the hexes, with its number at the first hex that is its own."""

    number: int
    points: str
    x: float
    y: float


@dataclass(frozen=True)
class MapDrawing:
    """The whole map."""

    width: float
    height: float
    left: float
    top: float
    hexes: list[HexShape]
    routes: list[RouteLine] = field(default_factory=list)

    @property
    def marks(self) -> set[str]:
        """What stands out somewhere on it."""
        return set().union(*(shape.marks for shape in self.hexes))

    @property
    def view_box(self) -> str:
        return f"{self.left:.1f} {self.top:.1f} {self.width:.1f} {self.height:.1f}"


class OnMap(Protocol):
    """What a map shows; `track` are masks of hexes by company, `demand` the tiles by number of the city."""

    @property
    def board(self) -> Board: ...
    @property
    def track(self) -> Sequence[int]: ...
    @property
    def demand(self) -> Sequence[Pair | None]: ...


def draw(
    state: OnMap, marks: Mapping[Hex, Collection[str]] | None = None, routes: Collection[tuple[Hex, ...]] = ()
) -> MapDrawing:
    """The map with its trains and tiles; `marks` adds classes to hexes, `routes` are drawn as lines."""
    shapes = [_hex_shape(state, printed.at, printed.kind, marks or {}) for printed in state.board.printed]
    left, right = min(s.x for s in shapes) - SIDE - MARGIN, max(s.x for s in shapes) + SIDE + MARGIN
    tall = SIDE * sqrt(3) / 2
    top, bottom = min(s.y for s in shapes) - tall - MARGIN, max(s.y for s in shapes) + tall + MARGIN
    return MapDrawing(right - left, bottom - top, left, top, shapes, _route_lines(list(routes)))


def lasting_marks(state: State) -> dict[Hex, set[str]]:
    """What stands out on the map whatever is looked at: Mašinfíra's target, and where the Golden Spike waits."""
    board, marks = state.board, dict[Hex, set[str]]()
    if state.bot and state.bot.target:
        marks.setdefault(board.numbered[state.bot.target].at, set()).add("target")
    if state.spike and state.spike.status != "off" and board.spike:
        marks.setdefault(board.spike.tile, set()).add("spike")
    return marks


def _hex_shape(state: OnMap, at: Hex, kind: str, marks: Mapping[Hex, Collection[str]]) -> HexShape:
    x, y = _place(at)
    bit = state.board.index[at]
    points = " ".join(f"{px * SIDE:.2f},{py * SIDE:.2f}" for px, py in corners(at))
    present = [company for c, company in enumerate(COMPANIES) if state.track[c] >> bit & 1]
    city = state.board.city_at.get(bit)
    if city is None:
        return HexShape(at, kind, x, y, points, _slots(present), marks=frozenset(marks.get(at, ())))
    free = max(0, city.capacity - len(present)) if city.number else 0
    size = min(NAME_SIZE, NAME_WIDTH / (len(city.name) * LETTER_WIDTH) * NAME_SIZE)
    tile = state.demand[city.number] if city.number else None
    slots = _slots(present + [""] * free)
    return HexShape(at, kind, x, y, points, slots, city, tile, size, frozenset(marks.get(at, ())))


def _slots(companies: list[str]) -> list[Slot]:
    first = -TRAIN_STEP * (len(companies) - 1) / 2
    return [Slot(company, first + i * TRAIN_STEP) for i, company in enumerate(companies)]


def _place(at: Hex) -> tuple[float, float]:
    x, y = center(at)
    return x * SIDE, y * SIDE


def _route_lines(routes: list[tuple[Hex, ...]]) -> list[RouteLine]:
    """Lines whose numbers stand where fewest other routes run, each on a hex of its own."""
    through = Counter(at for route in routes for at in route[:-1])
    lines, used = list[RouteLine](), set[Hex]()
    for number, route in enumerate(routes):
        label = min(route, key=lambda at: (at in used, through[at] or len(routes)))
        used.add(label)
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in map(_place, route))
        lines.append(RouteLine(number, points, *_place(label)))
    return lines


@dataclass(frozen=True)
class SeenHex:
    """One hex drawn over the photo; `size` is the unit of its trains, px."""

    at: Hex
    points: str
    x: float
    y: float
    size: float
    companies: list[str]
    doubt: bool
    unseen: bool = False
    new: bool = False
    said: bool = False
    tile: Pair | None = None
    target: bool = False


def seen_hexes(reading: Reading, scan: "Scan", number: int) -> list[SeenHex]:
    """Every hex as it lies in a photo, with the trains that were read or that a person said are there."""
    trains, before = reading.trains, reading.kept.state
    unseen = {tuple(at) for at in scan.unseen}
    fresh = {at for at, company in trains if at not in before.hexes(company)}

    return [
        SeenHex(
            at,
            *_over(outline),
            companies=[company for company in COMPANIES if (at, company) in trains],
            doubt=any(tuple(doubt.hex) == at for doubt in scan.doubtful),
            unseen=at in unseen,
            new=at in fresh,
            said=at in reading.said,
        )
        for at, outline in scan.outlines(number).items()
    ]


def hexes_over(picture: MapDrawing, places: Places) -> list[SeenHex]:
    """The hexes that lie whole in a photo, with what the map shows there."""
    found = [(shape, places.hexes.get(hex_to_text(shape.at))) for shape in picture.hexes]
    return [
        SeenHex(
            shape.at,
            *_over(outline),
            companies=shape.companies,
            doubt="doubt" in shape.marks,
            tile=shape.tile,
            target="target" in shape.marks,
        )
        for shape, outline in found
        if outline
    ]


def _over(outline: Outline) -> tuple[str, float, float, float]:
    """The points of a hex in a photo, its middle, and the unit of its trains."""
    xs, ys = zip(*outline, strict=True)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
    size = min(max(xs) - min(xs), max(ys) - min(ys)) / SEEN_UNITS
    return points, sum(xs) / len(xs), sum(ys) / len(ys), size
