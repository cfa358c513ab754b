"""Cities read under the rules: which companies are there and whether the demand tile still lies there.

A city takes as many companies as its capacity, and its tile lies there exactly as long as it is not full
(R2.3, R5.7). So the tile and the trains are weighed together: all sets of companies that fit are compared,
each with the tile or without as the rules say. That tells a white train from a white tile.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex
from engine.mini_express.board import Board, City

from .observation import Observation

# Where the rules leave one set of companies, it is as certain as this, in log odds.
SETTLED = 20.0


def under_capacity(observation: Observation, board: Board) -> dict[str, dict[Hex, float]]:
    """The log odds of a train of every company on every hex that was seen, cities weighed as a whole."""
    odds = {company: dict(of) for company, of in observation.odds.items()}
    for city in board.cities:
        if observation.seen[observation.index[city.at]]:
            for company, share in zip(observation.kinds, _odds(observation, city), strict=True):
                odds[company][city.at] = float(share)
    return odds


def _odds(observation: Observation, city: City) -> NDArray[np.float64]:
    """(kinds,) float64: the log odds of each company in a city over all sets that fit in it."""
    count = len(observation.kinds)
    if city.start:
        return np.array([SETTLED if name == city.start else -SETTLED for name in observation.kinds])
    row = observation.index[city.at]
    tile, trains = observation.card[row], observation.table[row]
    sets = [inside for size in range(city.capacity + 1) for inside in combinations(range(count), size)]
    scores = np.array([trains[list(s)].sum() + (tile if len(s) < city.capacity else 0.0) for s in sets])
    weights = np.exp(scores - scores.max())
    with_kind = np.array([[k in s for s in sets] for k in range(count)])
    there, not_there = ((weights * mask).sum(axis=1) for mask in (with_kind, ~with_kind))
    odds: NDArray[np.float64] = np.log(there + 1e-12) - np.log(not_there + 1e-12)
    return odds
