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
# How many pixels (about half a piece) weigh as much as what was assumed, and how many say anything.
ASSUMED_PIXELS, PIXELS_AT_LEAST = 12, 12
# How far a photo's colours may lie from those assumed.
COLOUR_LIMIT = np.array([1.8, 2.0, 2.3], np.float32)
# Level faces are the lightest part of a piece: this percentile of its pixels is their lightness.
LEVEL_FACES = 80


def scaled(log: Float, white: Float) -> Float:
    """(…, 3) log linear blue-green-red as colours; `white` (3,) is the log of white paper."""
    blue, green, red = np.moveaxis(log - white, -1, 0)
    return (np.stack([(blue + green + red) / 3, red - green, blue - green], axis=-1) / SPREAD).astype(
        np.float32
    )


def assumed_colours(surface: Surface) -> Colours:
    """What the table has taught about the kinds, and what the profile assumes of those it has not."""
    printed = scaled(np.log(np.array([k.colour for k in surface.kinds], np.float32)), np.zeros(3, np.float32))
    taught = settled(surface.lessons)
    each = [taught.get(kind.name, printed[k]) for k, kind in enumerate(surface.kinds)]
    return np.array(each, np.float32)


def learn_colours(
    pixels: Float, owner: NDArray[np.int64], assumed: Colours
) -> tuple[Colours, NDArray[np.bool_]]:
    """The colours that `pixels` (n, 3), each of the kind `owner` (n,), show, drawn towards the assumed ones.

    Also which kinds (kinds,) bool were learnt; those with too few pixels stay as assumed.
    """
    colours, learnt = assumed.copy(), np.bincount(owner, minlength=len(assumed)) >= PIXELS_AT_LEAST
    for k in range(len(assumed)):
        mine = pixels[owner == k]
        if learnt[k]:
            off = np.clip(_shown(mine) - assumed[k], -COLOUR_LIMIT, COLOUR_LIMIT)
            colours[k] += off * len(mine) / (len(mine) + ASSUMED_PIXELS)
    return colours, learnt


def _shown(pixels: Float) -> Float:
    """(3,): the colour of one kind's pixels."""
    middle = np.median(pixels, axis=0)
    middle[0] = np.percentile(pixels[:, 0], LEVEL_FACES)
    return np.asarray(middle, np.float32)
