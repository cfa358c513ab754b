"""Natural log odds and probabilities."""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Odds = NDArray[np.float64]

CERTAIN: Final = 9.0
"""No photo makes more certain than this, in log odds."""


def probability(odds: ArrayLike) -> NDArray[np.float64]:
    """What log odds, a number or an array, say as probabilities in [0, 1], float64 of the same shape."""
    p: NDArray[np.float64] = 1 / (1 + np.exp(-np.asarray(odds, np.float64)))
    return p
