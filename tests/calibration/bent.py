"""A lens that bends pictures: what calibration must find out, written apart from the code under test."""

import cv2
import numpy as np
from numpy.typing import NDArray


def bend_points(points: NDArray[np.float64], k1: float, size: tuple[int, int]) -> NDArray[np.float64]:
    """Where a lens shows what a pinhole shows at `points`; r = 1 is half the diagonal."""
    middle, unit = (np.array(size) - 1) / 2, np.hypot(*size) / 2
    u = (points - middle) / unit
    bent: NDArray[np.float64] = middle + unit * u * (1 + k1 * (u**2).sum(axis=1, keepdims=True))
    return bent


def bend_picture(picture: NDArray[np.uint8], k1: float) -> NDArray[np.uint8]:
    """The photo that the lens takes of what a pinhole would see as `picture`."""
    height, width = picture.shape[:2]
    middle, unit = (np.array((width, height)) - 1) / 2, np.hypot(width, height) / 2
    seen = (np.indices((width, height)).transpose(2, 1, 0) - middle) / unit
    radius = np.linalg.norm(seen, axis=2)
    # The radius of the pinhole's picture for each radius in the photo, from a table.
    table = np.linspace(0, 1.25, 5000)
    pinhole = np.interp(radius, table * (1 + k1 * table**2), table)
    source = (middle + unit * seen * (pinhole / np.maximum(radius, 1e-9))[..., None]).astype(np.float32)
    return cv2.remap(picture, source[..., 0], source[..., 1], cv2.INTER_LINEAR)
