"""Natural log odds and probabilities."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Odds = NDArray[np.float64]

CERTAIN: Final = 9.0
"""No photo makes more certain than this, in log odds."""
SETTLED: Final = 20.0
"""What the rules leave no choice of is as certain as this, which is more than any photo makes it."""
TOLD: Final = 60.0
"""What a person says is as certain as this, which is more than rules and photos together."""
NOT_THERE: Final = -3.0
"""A piece that is known to be there and has smaller log odds than this is not.

Of 462 trains on the home cells of the sample photos, before learning and after, none has less than -0.8; on every photo
of an empty map one of the four has less than -6.6.
"""


def probability(odds: ArrayLike) -> NDArray[np.float64]:
    """What log odds, a number or an array, say as probabilities in [0, 1], float64 of the same shape."""
    p: NDArray[np.float64] = 1 / (1 + np.exp(-np.asarray(odds, np.float64)))
    return p


def chances_of_numbers(chances: Iterable[float]) -> NDArray[np.float64]:
    """(n + 1,): how probable it is that none, one, … all of n things are there, each with its own chance."""
    numbers: NDArray[np.float64] = np.ones(1)
    for p in chances:
        numbers = np.convolve(numbers, [1 - p, p])
    return numbers
