"""What lies on the cities: the demand tile of each, and the target city marker.

A city has its tile as long as it is not full (R2.3, R5.7), so the track tells where tiles lie and the photo tells
which. The marker lies on one city or on none (R7.2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.surface import Surface
from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES

from .observation import Observation
from .tiles import Pair, is_taught, prints_of, read_pair


@dataclass(frozen=True)
class Tile:
    """The pair read on the tile of the city with this number, with its probability."""

    city: int
    pair: Pair
    p: float


@dataclass(frozen=True)
class OnCities:
    """The tiles by city number, and the target city, 0 where no marker lies on the map."""

    tiles: tuple[Tile, ...]
    target: int
    target_p: float


def read_cities(
    observation: Observation,
    board: Board,
    track: Mapping[str, Sequence[Hex]],
    surface: Surface,
    pairs: Sequence[Pair],
) -> OnCities:
    """What lies on the cities, given the decoded `track`; `pairs` are the tiles there are in the game.

    No tile is claimed before the table has been taught what its tiles look like."""
    prints = prints_of(surface, list(observation.faces.values()), observation.colours)
    kinds = sorted(set(pairs))
    tiles = []
    for number, city in sorted(board.numbered.items()) if is_taught(surface) else ():
        face = observation.faces.get(observation.index[city.at])
        full = sum(city.at in track[company] for company in COMPANIES) >= city.capacity
        if face is not None and not full and city.at not in observation.unseen:
            share = read_pair(face, prints, kinds)
            tiles.append(Tile(number, kinds[int(share.argmax())], float(share.max())))
    return OnCities(tuple(tiles), *_target(observation, board))


def _target(observation: Observation, board: Board) -> tuple[int, float]:
    """The likeliest city for the marker, or 0 for none, and how likely."""
    numbers = [0, *board.numbered]
    odds = np.array(
        [0.0, *(observation.marker[observation.index[board.numbered[n].at]] for n in numbers[1:])]
    )
    weights = np.exp(odds - odds.max())
    best = int(weights.argmax())
    return numbers[best], float(weights[best] / weights.sum())
