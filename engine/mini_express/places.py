"""Hexes in words: people at a table know cities and directions, not coordinates."""

from typing import NamedTuple

from ..hexgrid import DIRECTIONS, Hex, distance, neighbours
from ..sentences import N_
from .board import Board

# In the order of `neighbours`: the city lies there as seen from the hex, so the hex lies opposite.
BESIDE = (
    N_("the hex south of {city}"),
    N_("the hex south-west of {city}"),
    N_("the hex north-west of {city}"),
    N_("the hex north of {city}"),
    N_("the hex north-east of {city}"),
    N_("the hex south-east of {city}"),
)
# In the order of `DIRECTIONS`, from the city: straight on, or with steps in the next direction, too.
FARTHER = (
    (N_("the hex {n} north of {city}"), N_("the hex {n} north and {m} north-east of {city}")),
    (N_("the hex {n} north-east of {city}"), N_("the hex {n} north-east and {m} south-east of {city}")),
    (N_("the hex {n} south-east of {city}"), N_("the hex {n} south-east and {m} south of {city}")),
    (N_("the hex {n} south of {city}"), N_("the hex {n} south and {m} south-west of {city}")),
    (N_("the hex {n} south-west of {city}"), N_("the hex {n} south-west and {m} north-west of {city}")),
    (N_("the hex {n} north-west of {city}"), N_("the hex {n} north-west and {m} north of {city}")),
)


class Place(NamedTuple):
    """A hex that is no city, by a sentence of the catalogue: the steps to it from the city beside it or nearest."""

    sentence: str
    city: str
    n: int
    m: int = 0

    @property
    def values(self) -> dict[str, str | int]:
        """What fills the gaps of the sentence."""
        return {"city": self.city, "n": self.n, "m": self.m}


def place(board: Board, at: Hex) -> str | Place:
    """What to call a hex: the name of its city, or where it lies."""
    cities = {city.at: city.name for city in board.cities}
    if at in cities:
        return cities[at]
    for sentence, beside in zip(BESIDE, neighbours(at), strict=True):
        if beside in cities:
            return Place(sentence, cities[beside], 1)
    nearest = min(cities, key=lambda city: (distance(at, city), city))
    turn, n, m = _steps(nearest, at)
    return Place(FARTHER[turn][m > 0], cities[nearest], n, m)


def _steps(start: Hex, at: Hex) -> tuple[int, int, int]:
    """The one way in two directions beside each other: which is the first, steps in it, steps in the next."""
    away = at[0] - start[0], at[1] - start[1]
    for turn, first in enumerate(DIRECTIONS):
        n, m = _across(away, DIRECTIONS[(turn + 1) % 6]), _across(first, away)
        if n > 0 and m >= 0:
            return turn, n, m
    raise ValueError("a hex is no steps away from itself")


def _across(a: Hex, b: Hex) -> int:
    return a[0] * b[1] - a[1] * b[0]
