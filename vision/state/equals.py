"""Demand tiles that look the same show the same pair: what one of them shows badly another shows better.

Who has not been taught a table's tiles still sees which of them are equal, and how many there are of each pair is
known (R1.1). So what is read of each tile is told to those that look like it, to and fro until they agree: a mean field
(Parisi 1988), with the shares of the pairs kept within these numbers (Sinkhorn and Knopp 1967).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..cells.odds import Odds

# The correlation of two tiles → log odds that they show the same pair, from what was counted on the open tables before
# learning: 1,311 equal and 15,664 other couples of tiles.
CORRELATIONS = (0.5, 0.7, 0.8, 0.85, 0.9, 0.945, 0.98)
SAME = (-6.0, -3.5, -1.0, 0.9, 2.9, 5.5, 6.2)
# What several tiles say of one is not independent: it counts for this share, and shares of pairs are taken for surer
# than they are by the other. Chosen by the open tables and two drawn at random, before learning and after.
COUNTS, SURER = 0.42, 0.8
# What shows less clearly than with these log odds of a card is compared less.
CLEAR = 8.0
ROUNDS, KEPT = 10, 0.5
WITHIN_COUNTS = 20
TINY = 1e-9


def same_pair(agreement: Odds, card: Odds) -> Odds:
    """(cells, cells) log odds that two cards show the same, 0 where it cannot be told.

    `agreement` (cells, cells) is how well they agree, `card` (cells,) the log odds of a card lying there.
    """
    clear = np.clip(card / CLEAR, 0.0, 1.0)
    same = np.interp(agreement, CORRELATIONS, SAME) * np.minimum.outer(clear, clear)
    np.fill_diagonal(same, 0.0)
    return np.asarray(same, np.float64)


def told_by_equals(fits: Odds, same: Odds, counts: Sequence[int]) -> Odds:
    """(cards, pairs): the log-likelihoods `fits` and what the other cards say, by `same` (cards, cells) of `same_pair`.

    `counts` (pairs,) is how many cards of each pair there are.
    """
    most = np.asarray(counts, np.float64)
    shares = _shares(fits, most)
    for _ in range(ROUNDS):
        shares = KEPT * shares + (1 - KEPT) * _shares(fits + COUNTS * same @ shares, most)
    return np.asarray(fits + COUNTS * same @ shares, np.float64)


def _shares(fits: Odds, most: NDArray[np.float64]) -> Odds:
    """(cards, pairs): how probable each pair is on each card, but in all no more of a pair than there are."""
    shares = np.exp((fits - fits.max(axis=1, keepdims=True)) / SURER)
    for _ in range(WITHIN_COUNTS):
        shares /= shares.sum(axis=1, keepdims=True) + TINY
        shares *= np.minimum(1.0, most / (shares.sum(axis=0) + TINY))
    return np.asarray(shares / (shares.sum(axis=1, keepdims=True) + TINY), np.float64)
