"""Several looks at one surface: how much each adds, for what is seen twice from one side is wrong twice.

Log odds may be added up where the looks are independent. Two photos that one hand takes one after the other are not.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.surface import Surface

Places = Sequence[NDArray[np.float64]]
"""Where each photo was taken from: (3,), mm in the plane's frame."""

# So far apart, in degrees, two looks have little left in common. A hand that takes two photos in a row moves by a few.
APART = 8.0


def alike(cameras: Places, surface: Surface) -> NDArray[np.float64]:
    """(looks, looks) in [0, 1]: how much each two have in common, by the angle between them; 1 of each with itself."""
    sights = np.array(cameras) - np.append(surface.centers.mean(axis=0), 0.0)
    sights /= np.linalg.norm(sights, axis=1, keepdims=True)
    angles = np.degrees(np.arccos(np.clip(sights @ sights.T, -1.0, 1.0)))
    common: NDArray[np.float64] = np.exp(-((angles / APART) ** 2))
    np.fill_diagonal(common, 1.0)
    return common


def weights(cameras: Places, surface: Surface, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(looks, …) how much each counts of what it has `seen` (looks, …), 0 of what it has not.

    Alike ones share the weight of one.
    """
    shared = np.tensordot(alike(cameras, surface), seen.astype(np.float64), axes=1)
    return np.where(seen, 1 / np.maximum(shared, 1.0), 0.0)
