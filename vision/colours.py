"""The colours of the kinds of pieces as one photo shows them.

Colours are lightness and two chromas (log ratios red/green and blue/green), relative to white paper in the
reference's light and each divided by how widely it varies, so that they can be compared. A profile says what the
kinds look like on this table; every photo has its own light and says it better, by the pieces found in it.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.lessons import settled
from calibration.surface import Surface

Float = NDArray[np.float32]
Colours = NDArray[np.float32]
"""(kinds, 3) float32."""

SPREAD = np.array([0.5, 0.25, 0.35], np.float32)
"""What lightness and the two chromas, natural logarithms, are divided by."""
# So many pixels say something about a colour, and so much more than what was assumed.
PIXELS_AT_LEAST, SHOWN = 12, 0.9
# How far a photo's colours may lie from those assumed.
COLOUR_LIMIT = np.array([1.8, 2.0, 2.3], np.float32)
# Level faces are the lightest part of a piece: this percentile of its pixels is their lightness.
LEVEL_FACES = 80


def split(log: Float) -> Float:
    """Lightness, red-green and blue-green chroma of (…, 3) log blue-green-red; the same shape."""
    blue, green, red = log[..., 0], log[..., 1], log[..., 2]
    return np.stack([(blue + green + red) / 3, red - green, blue - green], axis=-1)


def scaled(log: Float, white: Float) -> Float:
    """(…, 3) log linear blue-green-red as colours; `white` (3,) is the log of white paper."""
    return (split(log - white) / SPREAD).astype(np.float32)


def assumed_colours(surface: Surface) -> Colours:
    """What the table has taught about the kinds, and what the profile assumes of those it has not."""
    printed = scaled(np.log(np.array([k.colour for k in surface.kinds], np.float32)), np.zeros(3, np.float32))
    taught = settled(surface.lessons)
    each = [taught.get(kind.name, printed[k]) for k, kind in enumerate(surface.kinds)]
    return np.array(each, np.float32)


def colour_of(pixels: Float, at_least: int = PIXELS_AT_LEAST) -> Float | None:
    """(3,): the colour of the wood that `pixels` (n, 3) show, shaded faces among them; None if these are too few.

    The pixels are lightness and two chromas, scaled or not.
    """
    if len(pixels) < at_least:
        return None
    middle = np.median(pixels, axis=0)
    middle[0] = np.percentile(pixels[:, 0], LEVEL_FACES)
    return np.asarray(middle, np.float32)


def drawn_towards(assumed: Float, shown: Float) -> Float:
    """The colour (3,) in between: a photo counts for more than what was assumed, but not beyond reason."""
    off = np.clip(shown - assumed, -COLOUR_LIMIT, COLOUR_LIMIT)
    return np.asarray(assumed + SHOWN * off, np.float32)
