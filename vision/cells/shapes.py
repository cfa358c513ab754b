"""Shapes for morphology."""

import cv2
import numpy as np
from numpy.typing import NDArray


def disc(diameter: float) -> NDArray[np.uint8]:
    """A filled circle about so many pixels wide, an odd number, as a kernel."""
    side = int(diameter) | 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)).astype(np.uint8)


def span(at: NDArray[np.intp], end: int, around: int) -> slice:
    """From the first to the last `at`, and so much more on either side, within 0 and `end`."""
    return slice(max(int(at.min()) - around, 0), min(int(at.max()) + 1 + around, end))
