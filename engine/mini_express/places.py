"""Hexes in words: people at a table know cities and directions, not coordinates."""

from typing import NamedTuple

from ..hexgrid import Hex, distance, neighbours
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
AWAY = N_("the hex {n} away from {city}")


class Place(NamedTuple):
    """A hex that is no city, by a sentence of the catalogue: the city beside it, or the nearest one."""

    sentence: str
    city: str
    n: int


def place(board: Board, at: Hex) -> str | Place:
    """What to call a hex: the name of its city, or where it lies."""
    cities = {city.at: city.name for city in board.cities}
    if at in cities:
        return cities[at]
    for sentence, beside in zip(BESIDE, neighbours(at), strict=True):
        if beside in cities:
            return Place(sentence, cities[beside], 1)
    nearest = min(cities, key=lambda city: (distance(at, city), city))
    return Place(AWAY, cities[nearest], distance(at, nearest))
