"""A map as the rules see it: hexes as bits, cities with their numbers, and who can reach what.

A set of hexes is one Python integer with a bit per hex (a *mask*). Columns lie one after another, each
with one spare bit, so that a step in any of the six directions is a shift and never wraps around.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..hexgrid import Hex, neighbours
from .actions import Build
from .names import COMPANIES, RESERVOIR_SIZE, WILD, Demand, Pair


class Printed(NamedTuple):
    """One hex as it is printed: `kind` is "landscape", "city" or "port" (R1.3)."""

    at: Hex
    kind: str
    name: str = ""
    capacity: int = 0
    start: str = ""


class City(NamedTuple):
    """A city; `number` is 0 for a start city, else 1-32 (R1.4); `bit` is its index in a mask."""

    number: int
    name: str
    at: Hex
    bit: int
    capacity: int
    start: str


class SpikeCities(NamedTuple):
    """What the Golden Spike needs of a map (R10): two cities by name and the hex of its tile."""

    east: str
    west: str
    tile: Hex


def eastern_first(at: Hex) -> tuple[int, int]:
    """Sort key: most eastern column first, then most northern in it, as cities are numbered (R1.4)."""
    q, r = at
    return -q, r


@dataclass(frozen=True, eq=False)
class Board:
    """One map, ready to play on. Two boards are equal only if they are the same object."""

    id: str
    names: dict[str, str]
    printed: tuple[Printed, ...]
    spike: SpikeCities | None = None
    ports_closed: bool = False
    capacity_two: bool = False
    _variants: dict[tuple[bool, bool], "Board"] = field(default_factory=dict)

    def variant(self, modules: tuple[str, ...]) -> "Board":
        """This map as the modules change it: closed ports (R11.1), every capacity 2 (R1.6)."""
        key = ("ports" in modules, "capacity_two" in modules)
        if key == (self.ports_closed, self.capacity_two):
            return self
        if key not in self._variants:
            self._variants[key] = Board(self.id, self.names, self.printed, self.spike, *key, self._variants)
        return self._variants[key]

    @cached_property
    def _frame(self) -> tuple[int, int, int]:
        """First column, first row, and bits per column (the rows plus one spare)."""
        qs, rs = [p.at[0] for p in self.printed], [p.at[1] for p in self.printed]
        return min(qs), min(rs), max(rs) - min(rs) + 2

    @cached_property
    def index(self) -> dict[Hex, int]:
        """Axial hex → its bit."""
        q0, r0, stride = self._frame
        return {p.at: (p.at[0] - q0) * stride + p.at[1] - r0 for p in self.printed}

    @cached_property
    def hex_of(self) -> dict[int, Hex]:
        """Bit → axial hex."""
        return {bit: at for at, bit in self.index.items()}

    @cached_property
    def cities(self) -> tuple[City, ...]:
        """All cities in the order of their numbers: columns from east to west, each downwards (R1.4)."""
        printed = sorted((p for p in self.printed if p.kind == "city"), key=lambda p: eastern_first(p.at))
        found, number = [], 0
        for p in printed:
            number += not p.start
            capacity = 2 if self.capacity_two else p.capacity
            found.append(City(0 if p.start else number, p.name, p.at, self.index[p.at], capacity, p.start))
        return tuple(found)

    @cached_property
    def numbered(self) -> dict[int, City]:
        """The cities that take a demand tile, by number."""
        return {city.number: city for city in self.cities if city.number}

    @cached_property
    def city_at(self) -> dict[int, City]:
        """Bit → city."""
        return {city.bit: city for city in self.cities}

    @cached_property
    def city_named(self) -> dict[str, City]:
        return {city.name: city for city in self.cities}

    @cached_property
    def starts(self) -> dict[str, City]:
        """Company → its start city (R1.5)."""
        return {city.start: city for city in self.cities if city.start}

    @cached_property
    def ports(self) -> tuple[int, ...]:
        """The bits of the port hexes, most eastern column first, then most northern."""
        return tuple(sorted((self.index[p.at] for p in self.printed if p.kind == "port"), key=self.eastern))

    @cached_property
    def port_mask(self) -> int:
        return sum(1 << bit for bit in self.ports)

    @cached_property
    def city_mask(self) -> int:
        return sum(1 << city.bit for city in self.cities)

    @cached_property
    def destinations(self) -> int:
        """The cities that can be built to: start cities have no demand tile (R5.1)."""
        return sum(1 << city.bit for city in self.numbered.values())

    @cached_property
    def landscape(self) -> int:
        """Every hex that track may run through: landscape, and ports where they are not closed (R5.8)."""
        kinds = ("landscape",) if self.ports_closed else ("landscape", "port")
        return sum(1 << self.index[p.at] for p in self.printed if p.kind in kinds)

    @cached_property
    def around(self) -> dict[int, tuple[int, ...]]:
        """Bit → the bits next to it, clockwise from north."""
        return {
            bit: tuple(self.index[n] for n in neighbours(at) if n in self.index)
            for at, bit in self.index.items()
        }

    def city_of(self, build: Build) -> City:
        """Where a build leads."""
        return self.city_at[self.index[build.route[-1]]]

    def eastern(self, bit: int) -> tuple[int, int]:
        """Sort key: most eastern column first, then most northern in it."""
        return eastern_first(self.hex_of[bit])

    def mask(self, hexes: Iterable[Hex]) -> int:
        """The mask of these hexes. Raises KeyError for a hex that is not on the map."""
        mask = 0
        for at in hexes:
            mask |= 1 << self.index[at]
        return mask

    def hexes(self, mask: int) -> list[Hex]:
        """The hexes of a mask, column by column from the west."""
        return [self.hex_of[bit] for bit in bits(mask)]

    def grow(self, mask: int) -> int:
        """The mask and every hex next to it (with spare bits, so cut it to hexes that exist)."""
        s = self._frame[2]
        return mask | mask << 1 | mask >> 1 | mask << s | mask >> s | mask << (s - 1) | mask >> (s - 1)

    def piece(self, track: int, seed: int) -> int:
        """The connected pieces of `track` that touch `seed`."""
        found = seed & track
        while (grown := self.grow(found) & track) != found:
            found = grown
        return found

    @lru_cache(maxsize=256)  # noqa: B019 - a board lives as long as the program
    def steps_from(self, bit: int) -> dict[int, int]:
        """Distance over hexes along which track could run from `bit` to every hex it leads to (R7.7)."""
        everything = self.landscape | self.city_mask | self.port_mask
        seen = frontier = 1 << bit
        steps, found = 0, {bit: 0}
        while frontier:
            frontier = self.grow(frontier) & everything & ~seen
            seen |= frontier
            steps += 1
            found.update(dict.fromkeys(bits(frontier), steps))
            frontier &= self.landscape
        return found

    @lru_cache(maxsize=64)  # noqa: B019
    def reach(self, company: int, network: int) -> "Reach":
        """What this company, with track on `network`, can build to."""
        return Reach(self, company, network)


class Reach:
    """All shortest routes from one company's network (R5.2, R5.3), found by one breadth-first search.

    `cities` lists the cities within five hexes with the trains the way there takes, nearest first.
    """

    def __init__(self, board: Board, company: int, network: int) -> None:
        self.board, self.company, self.network = board, company, network
        self.layers: list[int] = [network]
        self.cities: list[tuple[City, int]] = []
        self._ways: dict[int, list[tuple[Hex, ...]]] = {}
        self._builds: dict[tuple[int, Pair | None], list[Build]] = {}
        landscape, cities = board.landscape & ~network, board.city_mask & ~network
        frontier = seen = network
        for steps in range(1, RESERVOIR_SIZE + 1):
            grown = board.grow(frontier) & ~seen
            frontier = grown & landscape
            seen |= grown
            self.layers.append(frontier)
            self.cities += [(board.city_at[bit], steps) for bit in bits(grown & cities)]
        self._length = {city.bit: steps for city, steps in self.cities}

    def routes(self, city: City) -> list[tuple[Hex, ...]]:
        """Every shortest route to the city, in building order, the city last; [] when it is too far."""
        length = self._length.get(city.bit)
        return self._routes_to(city.bit, length) if length else []

    def _routes_to(self, bit: int, steps: int) -> list[tuple[Hex, ...]]:
        if bit in self._ways:
            return self._ways[bit]
        at = self.board.hex_of[bit]
        if steps == 1:
            ways: list[tuple[Hex, ...]] = [(at,)]
        else:
            layer = self.layers[steps - 1]
            before = [n for n in self.board.around[bit] if layer >> n & 1]
            ways = [(*way, at) for n in before for way in self._routes_to(n, steps - 1)]
        self._ways[bit] = ways
        return ways

    def open_cities(self, trains: int, demand: Demand) -> list[tuple[City, int]]:
        """The cities that so many trains reach and that have a demand tile, which says that there is room."""
        return [(city, steps) for city, steps in self.cities if steps <= trains and demand[city.number]]

    def builds(self, trains: int, demand: Demand) -> list[Build]:
        """Every build to an open city: each route, with each company a wild tile offers (R5.6)."""
        builds: list[Build] = []
        for city, _ in self.open_cities(trains, demand):
            tile = demand[city.number]
            key = (city.bit, tile)
            if key not in self._builds:
                self._builds[key] = self._builds_to(city, tile)
            builds += self._builds[key]
        return builds

    def _builds_to(self, city: City, tile: Pair | None) -> list[Build]:
        name, routes = COMPANIES[self.company], self.routes(city)
        return [Build(name, route, wild) for wild in wild_choices(tile) for route in routes]


def wild_choices(tile: Pair | None) -> tuple[str | None, ...]:
    """The companies among which a wild tile lets choose (R5.6); (None,) for other tiles."""
    if not tile or tile[1] != WILD:
        return (None,)
    return tuple(company for company in COMPANIES if company != tile[0])


def bits(mask: int) -> Iterator[int]:
    """The indices of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
