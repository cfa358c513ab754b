"""The words of the game: companies, seats, modes, difficulties, modules, and the sizes printed in R1."""

from collections.abc import Iterable, Mapping

from ..hexgrid import Hex
from ..sentences import N_

COMPANIES: tuple[str, ...] = ("brown", "gray", "orange", "white")
WILD = "wild"
SYMBOLS = (*COMPANIES, WILD)
SEATS: tuple[str, ...] = ("red", "blue", "purple", "green", "yellow")
MASINFIRA = "masinfira"
MODES: tuple[str, ...] = ("standard", "solo", "two_with_bot", "experts")
DIFFICULTIES: tuple[str, ...] = ("passenger", "tourist", "trainspotter", "conductor", "railwayman")
MODULES: tuple[str, ...] = ("golden_spike", "ports", "capacity_two")
REFRESH = "refresh"

TRAINS = 25
SHARES = 9
RESERVOIR_SIZE = 5
TOP_VALUE = 15
CITIES = 36
LAST_CITY = 32
SET_UP_DRAWS = 2
"""So many tiles give Mašinfíra its first shares in solo (R7.3)."""
RIMS = {3: N_("gold"), 2: N_("silver"), 1: N_("black")}
"""The colour of a city's rim, by the companies that it takes (R1.3)."""

Pair = tuple[str, str]
"""A demand tile: two companies, or a company and "wild"; in the order of COMPANIES, wild last."""

Demand = tuple[Pair | None, ...]
"""The demand tile of each city by number; index 0 is unused."""

BotTile = tuple[int, int] | str
"""A tile of Mašinfíra: (city moves, company moves), or "refresh"."""

Train = tuple[Hex, str]
"""A train on the map: its hex and its company."""

Answers = Mapping[Train, bool]
"""What a person said of trains that a photo leaves in doubt: whether each is there."""

INDEX: dict[str, int] = {name: i for i, name in enumerate(COMPANIES)}


def humans(seats: Iterable[str]) -> tuple[str, ...]:
    """The seats but Mašinfíra's."""
    return tuple(seat for seat in seats if seat != MASINFIRA)


def pair(a: str, b: str) -> Pair:
    """The demand tile with these two symbols, in its one order."""
    return (a, b) if SYMBOLS.index(a) <= SYMBOLS.index(b) else (b, a)
