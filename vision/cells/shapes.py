"""Shapes for morphology, and windows around what is true."""

import cv2
import numpy as np
from numpy.typing import NDArray


def disc(diameter: float) -> NDArray[np.uint8]:
    """A filled circle about so many pixels wide, an odd number, as a kernel."""
    side = int(diameter) | 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)).astype(np.uint8)


def bounds(mask: NDArray[np.bool_] | NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """The smallest window around what is true: x and y from, x and y to; empty where nothing is."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return 0, 0, 0, 0
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def window_around(mask: NDArray[np.bool_], margin: int, step: int = 1) -> tuple[slice, slice]:
    """The rows and columns of the window around what is true, wherever something is, with so many more on every side.

    It begins at a whole number of `step`.
    """
    x0, y0, x1, y1 = bounds(mask)
    rows, columns = mask.shape
    return (
        slice(max(y0 - margin, 0) // step * step, min(y1 + margin, rows)),
        slice(max(x0 - margin, 0) // step * step, min(x1 + margin, columns)),
    )
