"""Light: what the photo would look like in the light of the reference.

The two lights differ by a gain for each colour channel that varies smoothly over the table. It is
estimated from print that no piece covers. Everything here is in linear light (sRGB's curve undone), in
natural logarithms, so a gain is a sum.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from calibration.photo import Pixels
from calibration.surface import Matrix

Log = NDArray[np.float32]
"""(height, width, 3) float32: natural logarithm of linear blue, green, red; 0 is full scale."""

# Sensor noise and stray light: what is darker than this looks all the same.
FLOOR = 0.004
# A difference of half of this from the smooth gain still counts as print.
TOLERANCE = 0.16
SMOOTH_MM = 45.0
STEP_MM = 4.0
ROUNDS = 6
# No blur is made of a copy so small that its sigma is less, px.
SIGMA_AT_LEAST = 4


# The logarithm of linear light for each of the 256 levels.
_TABLE = np.log(linear(np.arange(256)) + FLOOR).astype(np.float32)


def to_log(pixels: Pixels) -> Log:
    """Log-linear light of sRGB pixels."""
    return _TABLE[pixels]


def local_gain(photo: Log, reference: Log, seen: NDArray[np.bool_], scale: float) -> Log:
    """The smooth log gain of `photo` over `reference`, the same shape, both in one frame of `scale` px/mm.

    It comes on a coarse grid over the frame, to be `resized`.

    A robust smoothing: each round weighs down what differs from the last smooth gain, which is how
    pieces, hands and shadows drop out. `seen` (height, width) tells which pixels the photo shows.
    """
    size = in_steps(photo, scale, STEP_MM)
    small = resized(photo - reference, size, cv2.INTER_AREA)
    usable = wholly(seen, size)
    if not usable.any():
        return np.zeros_like(small)
    gain = np.broadcast_to(np.median(small[usable > 0], axis=0), small.shape).astype(np.float32)
    for tolerance in np.geomspace(4 * TOLERANCE, TOLERANCE, ROUNDS):
        off = np.linalg.norm(small - gain, axis=2)
        weight = usable * likeness(off, tolerance)
        gain = _smooth(small, weight, gain)
    return gain


def in_steps(picture: Log, scale: float, step_mm: float) -> tuple[int, int]:
    """The (width, height) of a picture of `scale` px/mm in steps of so many mm."""
    height, width = picture.shape[:2]
    return max(2, round(width / scale / step_mm)), max(2, round(height / scale / step_mm))


def wholly(mask: NDArray[np.bool_], size: tuple[int, int]) -> NDArray[np.float32]:
    """1 where the `mask` (height, width) is true everywhere in a step, else 0, for so many steps."""
    return (resized(mask.astype(np.float32), size, cv2.INTER_AREA) > 0.99).astype(np.float32)


def likeness(off: NDArray[np.floating], tolerance: float) -> NDArray[np.floating]:
    """How much what is so far `off` the print counts for it, in [0, 1]: a half at the `tolerance`."""
    return 1 / (1 + (off / tolerance) ** 4)


def on_grid(size: tuple[int, int], gain: Log) -> Matrix:
    """From pixels of a frame of this (width, height) to those of the grid on which its `local_gain` comes."""
    across, along = gain.shape[1] / size[0], gain.shape[0] / size[1]
    return np.array([[across, 0, across / 2 - 0.5], [0, along, along / 2 - 0.5], [0, 0, 1]])


def _smooth(values: Log, weight: NDArray[np.float32], before: Log) -> Log:
    """Weighted Gaussian mean; where nothing weighs, it leans on the mean of the whole."""
    sigma = SMOOTH_MM / STEP_MM
    total = blurred(weight, sigma)[..., None]
    summed = blurred(values * weight[..., None], sigma)
    middle = np.average(before.reshape(-1, 3), axis=0, weights=weight.ravel() + 1e-6)
    smooth: Log = ((summed + 0.02 * middle) / (total + 0.02)).astype(np.float32)
    return smooth


def blurred(values: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    """A Gaussian blur of (height, width) or (height, width, n); a wide one of a smaller copy, which is as smooth and
    much quicker."""
    shrink = int(sigma / SIGMA_AT_LEAST)
    if shrink < 2:
        return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma), np.float32)
    size = values.shape[1::-1]
    few = (max(1, size[0] // shrink), max(1, size[1] // shrink))
    small = resized(values, few, cv2.INTER_AREA)
    return resized(cv2.GaussianBlur(small, (0, 0), sigma / shrink), size)


def resized(values: Any, size: tuple[int, int], how: int = cv2.INTER_LINEAR) -> NDArray[np.float32]:
    """Values of another (width, height), interpolated."""
    return np.asarray(cv2.resize(values, size, interpolation=how), np.float32)
