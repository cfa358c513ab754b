"""Light: what the levels of a picture stand for."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def linear(levels: ArrayLike) -> NDArray[np.float64]:
    """Linear light, 1 being full scale, of sRGB levels from 0 to 255, in the same shape (IEC 61966-2-1)."""
    level = np.asarray(levels, np.float64) / 255
    light: NDArray[np.float64] = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    return light
