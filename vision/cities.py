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

from .observation import Observation, log_odds


def under_capacity(observation: Observation, board: Board) -> dict[str, dict[Hex, float]]:
    """The log odds of a train of every company on every hex that was seen, cities weighed as a whole."""
    odds = {company: dict(of) for company, of in observation.odds.items()}
    for city in board.cities:
        if observation.seen[observation.index[city.at]]:
            for company, p in zip(observation.kinds, _shares(observation, city), strict=True):
                odds[company][city.at] = float(log_odds(p))
    return odds


def _shares(observation: Observation, city: City) -> NDArray[np.float64]:
    """(kinds,) float64: the probability of each company in a city over all sets that fit in it."""
    kinds = range(len(observation.kinds))
    if city.start:
        return np.array([float(company == city.start) for company in observation.kinds])
    row = observation.index[city.at]
    bare, beside = log_odds(observation.bare[row]), log_odds(observation.beside_card[row])
    tile = float(log_odds(observation.card[row]))
    sets = [inside for count in range(city.capacity + 1) for inside in combinations(kinds, count)]
    scores = np.array(
        [bare[list(s)].sum() if len(s) == city.capacity else tile + beside[list(s)].sum() for s in sets]
    )
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return np.array([sum(w for s, w in zip(sets, weights, strict=True) if k in s) for k in kinds])
