"""Glare over a part of the board, in a photo or in its reference: what it does to the print and not to pieces."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cells.light import Log, local_gain, resized
from vision.cells.veil import gain_and_veil, with_veil

SIZE, SCALE = (800, 600), 1.0
SPOT = np.exp(
    -(np.hypot(*np.meshgrid((np.arange(800) - 500) / 160, (np.arange(600) - 300) / 160))[..., None] ** 2)
)
LAMP = 0.5 * SPOT * np.array([0.5, 0.8, 1.0])
"""What the board mirrors: much of it at one place, and warm."""
LIGHT = np.array([0.5, 0.6, 0.7])
NO_GLARE = np.zeros(3)


def a_print(contrast: float = 1.0, seed: int = 0) -> NDArray[np.float64]:
    """(600, 800, 3) linear light: strong green with strokes and blots, or all of that colour."""
    blots = np.random.default_rng(seed).uniform(0.25, 1.0, (75, 100, 3))
    blots = cv2.resize(blots, SIZE, interpolation=cv2.INTER_LINEAR)
    return (1 - contrast + contrast * blots) * np.array([0.25, 0.5, 0.2])


def seen(print_: NDArray[np.float64], light: NDArray[np.float64], glare: NDArray[np.float64]) -> Log:
    noise = np.random.default_rng(1).normal(0, 0.004, print_.shape)
    return np.log(np.maximum(print_ * light + glare + noise, 0.002)).astype(np.float32)


def found(photo: Log, reference: Log) -> tuple[Log, Log]:
    """Gain and veil of every pixel."""
    everywhere = np.ones(SIZE[::-1], bool)
    quotient = local_gain(photo, reference, everywhere, SCALE)
    gain, veil = gain_and_veil(photo, reference, quotient, everywhere, SCALE)
    return resized(gain, SIZE), resized(veil, SIZE)


def off(gain: Log) -> float:
    """By how much the gain is wrong where the glare is, as a logarithm."""
    return float(np.abs(gain - np.log(LIGHT))[SPOT[..., 0] > 0.5].mean())


@pytest.mark.parametrize(("in_photo", "in_reference"), [(LAMP * 0.2, NO_GLARE), (NO_GLARE, LAMP * 0.2)])
def test_contrast_tells_how_light_pieces_are_and_brings_the_print_together(
    in_photo: NDArray[np.float64], in_reference: NDArray[np.float64]
) -> None:
    """Whichever of the two has the glare. The quotient alone would be off half as much again and more."""
    photo, reference = seen(a_print(), LIGHT, in_photo), seen(a_print(), np.ones(3), in_reference)
    gain, veil = found(photo, reference)
    quotient = resized(local_gain(photo, reference, np.ones(SIZE[::-1], bool), SCALE), SIZE)
    assert off(gain) < 0.2 < off(quotient)
    assert off(gain) < 0.65 * off(quotient)
    there = SPOT[..., 0] > 0.5
    assert np.sign(veil[there].mean()) == np.sign(in_photo.sum() - in_reference.sum())
    apart = np.abs(photo - gain - with_veil(reference, veil))[there].mean()
    assert apart < 0.7 * np.abs(photo - gain - reference)[there].mean()


def test_without_glare_the_quotient_holds() -> None:
    photo, reference = seen(a_print(), LIGHT, NO_GLARE), seen(a_print(), np.ones(3), NO_GLARE)
    gain, veil = found(photo, reference)
    assert np.abs(gain - np.log(LIGHT))[20:-20, 20:-20].max() < 0.05
    assert np.abs(veil).max() < 0.01


def test_print_of_one_colour_tells_nothing_and_the_quotient_holds() -> None:
    plain = a_print(0)
    photo, reference = seen(plain, LIGHT, LAMP * 0.2), seen(plain, np.ones(3), NO_GLARE)
    gain, veil = found(photo, reference)
    assert np.abs(photo - gain - reference).mean() < 0.1
    assert np.abs(veil).mean() < 0.02


def test_where_nothing_can_be_seen_the_quotient_holds() -> None:
    nowhere = np.zeros(SIZE[::-1], bool)
    photo, reference = seen(a_print(), LIGHT, NO_GLARE), seen(a_print(), np.ones(3), NO_GLARE)
    quotient = local_gain(photo, reference, ~nowhere, SCALE)
    gain, veil = gain_and_veil(photo, reference, quotient, nowhere, SCALE)
    assert np.allclose(gain, quotient, atol=1e-3)
    assert np.isfinite(veil).all()
