"""Glare that lies over all print of a part of the board, in a photo or in its reference.

A glossy board mirrors a lamp or a window. What it mirrors is added to the light of the print: photo = gain ·
reference + veil, in linear light, and the veil is negative where the reference has it. Only the gain holds for what
stands on the board. Whoever takes the quotient of the two for it believes pieces dark and dull under the photo's
glare, and light, with the complement of the print's colour, under the reference's.

Contrast tells the two apart, for a veil leaves it as it was. Both photo and reference are noisy, so the regression of
one on the other bounds the gain from below, and the reverse one from above (Frisch, "Statistical confluence analysis by
means of complete regression systems", 1934); between them nothing speaks against the quotient, which then is taken.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from .light import FLOOR, Log, blurred, in_steps, likeness, resized, wholly

# The print is compared so finely; its contrast is what it has so far around, and alike so far.
FINE_MM, CONTRAST_MM, ALIKE_MM = 2.0, 12.0, 40.0
# A print with less variance, as a share of the square of its light, is all of one colour and tells nothing.
FLAT = 0.003
# In each round a difference of this from what is expected counts half as print, in logarithms.
TOLERANCES = (0.4, 0.3, 0.25)
# Phones bend light by about so much, as a logarithm, without any glare; and more than that is not believed.
BENT, AT_MOST = 0.1, 0.9
# Where only so small a share is print, half of what is told is the quotient; and so little is none.
UNKNOWN, NONE = 0.001, 1e-4
# Of the light at a pixel of the reference, at least this share is not glare.
LEFT_OVER = 0.15


def gain_and_veil(
    photo: Log, reference: Log, quotient: Log, print_: NDArray[np.bool_], scale: float
) -> tuple[Log, Log]:
    """The log gain of `photo` over `reference`, and the veil, linear light of the reference to be added to it.

    Both vary smoothly and come on the grid of `quotient`, which is what `local_gain` found for the same two at `scale`
    px/mm. `print_` (height, width) tells which pixels may show print as it is: seen, and not burnt out.
    """
    fine = in_steps(photo, scale, FINE_MM)
    usable = wholly(print_, fine)
    seen, there = (resized(log, fine, cv2.INTER_AREA) for log in (photo, reference))
    light, print_light = np.exp(seen), np.exp(there)
    gain, veil = quotient, np.zeros_like(quotient)
    for tolerance in TOLERANCES:
        expected = np.log(np.maximum(print_light + resized(veil, fine), FLOOR))
        far = np.linalg.norm(seen - expected - resized(gain, fine), axis=2)
        gain, veil = _line(light, print_light, usable * likeness(far, tolerance), quotient)
    return gain, veil


def with_veil(reference: Log, veil: Log) -> Log:
    """The `reference` as it would be with this veil, linear light, over it, or without what it has itself."""
    light = np.exp(reference)
    return np.log(np.maximum(light + veil, LEFT_OVER * light)).astype(np.float32)


def _line(seen: Log, there: Log, weight: NDArray[np.float32], quotient: Log) -> tuple[Log, Log]:
    """Log gain and veil by the contrast that `seen` and `there`, linear light, have where something weighs."""
    y, x, both, square_y, square_x, known = _moments(seen, there, weight, quotient.shape[1::-1])
    least = (both + FLAT * x * y) / (square_x + FLAT * x * x)
    most = (square_y + FLAT * y * y) / np.maximum(both + FLAT * x * y, 1e-6)
    off = np.log(np.clip(1, least * x / y, np.maximum(most, least) * x / y))
    said = known / (known + UNKNOWN) * _plain(off)
    off = np.sign(off) * np.clip(np.abs(off) - BENT, 0, AT_MOST)
    gain = quotient + said * (np.log(y / x) + off - quotient)
    return gain.astype(np.float32), (said * (y / np.exp(gain) - x)).astype(np.float32)


def _plain(off: Log) -> Log:
    """(height, width, 1): how plainly contrast is against the quotient: more than phones do, in all colours alike."""
    apart = np.abs(off)
    alike = np.abs(off.sum(axis=-1)) / np.maximum(apart.sum(axis=-1), 1e-6)
    plain = np.clip(apart.max(axis=-1) / BENT - 1, 0, 1) * np.clip(2 * alike - 1, 0, 1)
    return np.asarray(plain[..., None], np.float32)


def _moments(
    seen: Log, there: Log, weight: NDArray[np.float32], grid: tuple[int, int]
) -> tuple[Log, Log, Log, Log, Log, Log]:
    """The means of `seen` and `there`, their covariance and variances, and how much of a place is print.

    On a `grid` of this (width, height); the second moments are of windows, and like the means averaged beyond these.
    """
    per_mm = grid[0] / seen.shape[1] / FINE_MM
    total = resized(weight, grid, cv2.INTER_AREA)[..., None]

    near, far = (blurred(total, reach * per_mm).reshape(total.shape) for reach in (CONTRAST_MM, ALIKE_MM))

    def around(values: Log) -> Log:
        small = resized(values * weight[..., None], grid, cv2.INTER_AREA)
        return blurred(small, CONTRAST_MM * per_mm) / (near + NONE)

    def alike(values: Log) -> Log:
        return blurred(values * total, ALIKE_MM * per_mm) / (far + NONE)

    y, x = around(seen), around(there)
    pairs = ((seen, there, y, x), (seen, seen, y, y), (there, there, x, x))
    both, square_y, square_x = (alike(around(a * b) - mean_a * mean_b) for a, b, mean_a, mean_b in pairs)
    y, x = (np.maximum(alike(mean), FLOOR) for mean in (y, x))
    return y, x, both, square_y, square_x, far
