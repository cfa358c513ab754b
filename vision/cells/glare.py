"""Glare on a glossy board: light that the varnish mirrors lies over the print like a veil."""

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import Log, blurred, likeness, resized

# How far around a pixel is looked, and how often, each time without what is no print (linear light).
REACH_MM, ROUNDS, TOLERANCE = 15.0, 4, 0.1
# A print with less variance than this, in linear light, is all of one colour.
FLAT = 0.002
GAIN_LEAST, GAIN_MOST = 0.3, 1.5
# Glare that is this share of the light is some, or so much that it must be taken away; found at this shrinking.
SOME, MUCH, SHRINK = 0.1, 0.3, 4
# From what correlation with the print on a veil lets print through, hardly or well.
HINT, PRINT = 0.2, 0.5
# Of the light at a pixel, at least this share is not glare.
LEFT_OVER = 0.25


def without_glare(light: Log, reference: Log, scale: float) -> Log:
    """`light` with the glare on the print taken away, both (height, width, 3) logs at `scale` px/mm.

    Around every pixel light = gain · print + veil, a regression by moving averages (as in He et al., "Guided
    image filtering", PAMI 2013) in which what is far from the line weighs little. Where the print is all of one
    colour the two cannot be told apart, and the gain is taken to explain everything.
    """
    seen = np.exp(light)
    return _lifted(seen, *_gain_and_veil(seen, np.exp(reference), REACH_MM * scale))


def without_strong_glare(light: Log, reference: Log, scale: float) -> Log:
    """The same where the veil is a good part of the light and print shows through it, and quicker.

    Elsewhere `light` as it is: where there is little glare the regression takes pieces for it as often as it finds
    any, and what lets no print through is a hand.
    """
    small, size = (round(light.shape[1] / SHRINK), round(light.shape[0] / SHRINK)), light.shape[1::-1]
    few, few_print = (np.exp(resized(log, small, cv2.INTER_AREA)) for log in (light, reference))
    sigma = REACH_MM * scale / SHRINK
    gain, veil = _gain_and_veil(few, few_print, sigma)
    share = cv2.GaussianBlur((veil / np.maximum(few, 1e-3)).mean(axis=2), (0, 0), sigma)
    through = _correlation(few_print, few, sigma)
    much = np.clip((share - SOME) / (MUCH - SOME), 0, 1) * np.clip((through - HINT) / (PRINT - HINT), 0, 1)
    if not much.any():
        return light
    much, gain, veil = (resized(layer, size) for layer in (much, gain, veil))
    clear: Log = (light + (_lifted(np.exp(light), gain, veil) - light) * much[..., None]).astype(np.float32)
    return clear


def _correlation(print_: Log, seen: Log, sigma: float) -> Log:
    """(height, width): how far what is seen around every pixel goes with the print there."""

    def mean(values: Log) -> Log:
        return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma), np.float32)

    x, y = mean(print_), mean(seen)
    spread = (mean(print_ * print_) - x * x) * (mean(seen * seen) - y * y)
    return np.asarray(
        ((mean(print_ * seen) - x * y) / np.sqrt(np.maximum(spread, 1e-9))).mean(axis=2), np.float32
    )


def _lifted(seen: Log, gain: Log, veil: Log) -> Log:
    return np.asarray(np.log(np.maximum((seen - veil) / gain, LEFT_OVER * seen)), np.float32)


def _gain_and_veil(seen: Log, print_: Log, sigma: float) -> tuple[Log, Log]:
    """Gain and veil around every pixel, in linear light, by print and not by what lies on it."""
    weight = np.ones(seen.shape[:2], np.float32)
    for _ in range(ROUNDS):
        gain, veil = _regression(print_, seen, weight, sigma)
        off = np.linalg.norm(seen - gain * print_ - veil, axis=2)
        weight = likeness(off, TOLERANCE).astype(np.float32)
    return gain, veil


def _regression(print_: Log, seen: Log, weight: NDArray[np.float32], sigma: float) -> tuple[Log, Log]:
    """Gain and veil around every pixel, the same shape as `seen`."""
    total = blurred(weight, sigma)[..., None] + np.float32(1e-3)

    def mean(values: Log) -> Log:
        return np.asarray(blurred(values * weight[..., None], sigma) / total, np.float32)

    x, y = mean(print_), mean(seen)
    covariance, variance = mean(print_ * seen) - x * y, mean(print_ * print_) - x * x
    gain = np.clip((covariance + FLAT * y / (x + 1e-6)) / (variance + FLAT), GAIN_LEAST, GAIN_MOST)
    return gain.astype(np.float32), np.maximum(y - gain * x, 0).astype(np.float32)
