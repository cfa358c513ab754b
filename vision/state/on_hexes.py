"""Every hex as a whole: which companies stand there together, and in a city whether the demand tile still lies there.

All sets of companies that fit on a hex are compared, so a train that is either gray or white is not taken for two. A
city takes as many companies as its capacity, and its tile lies there exactly as long as it is not full (R2.3, R5.7).
That tells a white train from a white tile.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES, Pair

from ..cells.odds import SETTLED, Odds
from .observation import Observation

OfCompanies = Mapping[str, Mapping[Hex, float]]
"""Log odds of a train by company and hex."""
# How 0, 1, … companies on one hex are rarer than if each were read by itself, in log odds: fitted on photos of the
# sample tables that are not held out.
TOGETHER = np.array([0.0, 0.0, -1.2, -2.6, -3.6])
IMPOSSIBLE = -1e3
NOTHING = 1e-12
# In bad light one of two companies looks like the other; how improbable that is, in log odds.
ALIKE, MISTAKEN = ("gray", "white"), -5.0
# A tile with the same company twice is mistaken for a train of it no more often than this, in log odds: two were, of
# 155 on the photos of the open tables.
TILE_MISTAKEN = -4.0
# A train hides the tile of its city no more rarely than this, in log odds: trains are often put down on tiles.
TILE_HIDDEN = -4.0
# Every set of companies as a row of 0 and 1 (sets, companies), and how many it has.
SETS: NDArray[np.float64] = np.indices((2,) * len(COMPANIES)).reshape(len(COMPANIES), -1).T.astype(float)
SIZES: NDArray[np.int_] = SETS.sum(axis=1).astype(int)
# The row of a set is the number that has its 0 and 1 as binary digits, the first company's first.
NUMBERS, BITS = np.arange(len(SETS)), 1 << np.arange(len(COMPANIES))[::-1]


def by_company(
    observation: Observation,
    board: Board,
    beside: Mapping[str, Mapping[Hex, float]] | None = None,
    tiles: Mapping[Hex, Pair] | None = None,
) -> OfCompanies:
    """The log odds of a train of every company on every hex that was seen, or of which a person told of this company.

    `beside` are log odds that something other than the photo gives a company's trains; they count for the
    other companies on the hex and are not in what is returned for that company itself. `tiles` are the demand tiles
    that lay there before.
    """
    seen = {cell for i, cell in enumerate(observation.cells) if observation.seen[i]}
    known_of = seen | {at for at, _ in observation.told}
    hexes = [cell for cell in observation.cells if cell in known_of and isinstance(cell, tuple)]
    rows = [observation.index[at] for at in hexes]
    known = np.zeros((len(hexes), len(observation.kinds)))
    for company, of_hexes in (beside or {}).items():
        known[:, observation.kinds.index(company)] = [of_hexes.get(at, 0.0) for at in hexes]
    photo = _though_mistaken(observation.table[rows] @ SETS.T, observation.kinds)
    shown = photo + _of_cities(observation, board, hexes)
    for row, at in enumerate(hexes):
        if tiles and at in tiles:
            shown[row] = _though_a_tile(shown[row], tiles[at], observation.kinds)
    scores = shown + known @ SETS.T + TOGETHER[SIZES]
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    odds = np.log(weights @ SETS + NOTHING) - np.log(weights @ (1 - SETS) + NOTHING) - known
    return {
        company: {
            at: value
            for at, value in zip(hexes, odds[:, k].tolist(), strict=True)
            if at in seen or (at, company) in observation.told
        }
        for k, company in enumerate(observation.kinds)
    }


def _though_mistaken(scores: Odds, kinds: Sequence[str]) -> Odds:
    """(hexes, sets): what the photo says of each set, if a gray train may look white and a white one gray.

    So where the rules leave no room for a white train that shows, it is rather a gray one than none.
    """
    one, other = (kinds.index(company) for company in ALIKE)
    differs, swapped = SETS[:, one] != SETS[:, other], NUMBERS ^ (BITS[one] | BITS[other])
    return np.where(differs, np.logaddexp(scores, scores[:, swapped] + MISTAKEN), scores)


def _though_a_tile(scores: Odds, tile: Pair, kinds: Sequence[str]) -> Odds:
    """(sets,): what the photo says of each set, if what looks like a train may be the city's tile."""
    company, other = tile
    if company != other:
        return scores
    k = kinds.index(company)
    mistaken = np.logaddexp(scores, scores[NUMBERS | BITS[k]] + TILE_MISTAKEN)
    return np.where(SETS[:, k] == 0, mistaken, scores)


def _of_cities(observation: Observation, board: Board, hexes: list[Hex]) -> Odds:
    """(hexes, sets): what the tile says of each set of companies in a city, and which the rules forbid there."""
    scores = np.zeros((len(hexes), len(SETS)))
    for row, at in enumerate(hexes):
        city = board.city_at.get(board.index[at])
        if city is None:
            continue
        if city.start:
            own = SETS[:, observation.kinds.index(city.start)] * SETTLED
            scores[row] = np.where(SIZES > 1, IMPOSSIBLE, own)
            continue
        tile = observation.card[observation.index[at]]
        hidden = np.where(SIZES > 0, max(tile, TILE_HIDDEN), tile)
        scores[row] = np.where(city.capacity > SIZES, hidden, 0.0)
        if not (board.spike and city.name == board.spike.west):
            scores[row, city.capacity < SIZES] = IMPOSSIBLE
    return scores
