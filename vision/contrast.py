"""How much contrast and colour a phone gives its pictures, and undoing it.

A phone bends the light it measures into a picture that pleases, each in its own way. What it does to logarithms of
light is mostly a factor, on differences of lightness and of colour alike. The pieces in the home cells tell it: over
all kinds they differ from white paper about as wood does, so how much farther they do than on the sample tables is the
phone's doing, or that of unusual wood, for which undoing it does no harm.
"""

import numpy as np

from .colours import colour_of_cell, scaled, wood_colours
from .sight import Sight

# How far what shows in home cells lies from white paper, in lightness and in chroma, as a share of what is assumed of
# the kinds: medians of the photos of the sample tables that are not held out.
LIGHTNESS, CHROMA = 0.93, 0.74
LEAST, MOST = 0.7, 1.7
KINDS_AT_LEAST = 3
SHARE_AT_LEAST = 0.2


def contrast_of(sight: Sight) -> float:
    """The factor of this photo's logarithms of light against the sample tables'; 1 where too few home cells show it."""
    assumed, shown = [], []
    for kind, wood in zip(sight.surface.kinds, wood_colours(sight.surface), strict=True):
        where = (sight.cell_of == kind.home) & sight.visible
        if kind.home is None or not where.any():
            continue
        both = [scaled(log[where], sight.white).T for log in (sight.clear, sight.reference)]
        colour = colour_of_cell(np.concatenate(both), np.ones(both[0].shape[1], bool))
        if colour is not None:
            assumed.append(wood)
            shown.append(colour)
    if len(shown) < KINDS_AT_LEAST:
        return 1.0
    far, farther = np.array(assumed), np.array(shown)
    lightness, chroma = (
        max(float((far[:, of] * farther[:, of]).sum() / (far[:, of] ** 2).sum()), SHARE_AT_LEAST)
        for of in (slice(0, 1), slice(1, 3))
    )
    return float(np.clip(np.sqrt(lightness / LIGHTNESS * chroma / CHROMA), LEAST, MOST))
