"""Glare on a glossy board: light that the varnish mirrors lies over the print like a veil."""

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Log

# How far around a pixel is looked, and how often, each time without what is no print (linear light).
REACH_MM, ROUNDS, TOLERANCE = 15.0, 4, 0.1
# A print with less variance than this, in linear light, is all of one colour.
FLAT = 0.002
GAIN_LEAST, GAIN_MOST = 0.3, 1.5
# Of the light at a pixel, at least this share is not glare.
LEFT_OVER = 0.25


def without_glare(light: Log, reference: Log, scale: float) -> Log:
    """`light` with the glare on the print taken away, both (height, width, 3) logs at `scale` px/mm.

    Around every pixel light = gain · print + veil, a regression by moving averages (as in He et al., "Guided
    image filtering", PAMI 2013) in which what is far from the line weighs little. Where the print is all of one
    colour the two cannot be told apart, and the gain is taken to explain everything.
    """
    seen, print_ = np.exp(light), np.exp(reference)
    weight = np.ones(light.shape[:2], np.float32)
    for _ in range(ROUNDS):
        gain, veil = _regression(print_, seen, weight, REACH_MM * scale)
        off = np.linalg.norm(seen - gain * print_ - veil, axis=2)
        weight = (1 / (1 + (off / TOLERANCE) ** 4)).astype(np.float32)
    clear: Log = np.log(np.maximum((seen - veil) / gain, LEFT_OVER * seen)).astype(np.float32)
    return clear


def _regression(print_: Log, seen: Log, weight: NDArray[np.float32], sigma: float) -> tuple[Log, Log]:
    """Gain and veil around every pixel, the same shape as `seen`."""
    total = cv2.GaussianBlur(weight, (0, 0), sigma)[..., None] + 1e-3

    def mean(values: Log) -> Log:
        blurred: Log = (cv2.GaussianBlur(values * weight[..., None], (0, 0), sigma) / total).astype(
            np.float32
        )
        return blurred

    x, y = mean(print_), mean(seen)
    covariance, variance = mean(print_ * seen) - x * y, mean(print_ * print_) - x * x
    gain = np.clip((covariance + FLAT * y / (x + 1e-6)) / (variance + FLAT), GAIN_LEAST, GAIN_MOST)
    return gain.astype(np.float32), np.maximum(y - gain * x, 0).astype(np.float32)
