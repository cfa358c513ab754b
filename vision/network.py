"""The learned reader: a small convolutional network that finds the pieces in a sight.

It never sees absolute colours. Its input is the photo and the reference photo of the empty board side by side, how
far each pixel is from the colour of each kind, and how things with height lean; so it knows pieces and shadows and
glare, but no board, no wood and no game. Kinds are interchangeable to it: it was taught with their order
shuffled. `vision/training` holds the recipe.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import cv2
import numpy as np

from calibration.surface import inverse, transform

from .colours import Colours, Float, scaled
from .sight import Sight

MODEL: Final = Path(__file__).with_name("reader.onnx")
KINDS_AT_ONCE = 4
LEAN_MM = 10.0
"""The input tells how far something this high leans."""
GRID_PX = 2
"""The output has one value for this many pixels of the sight, each way."""
LIMIT = 3.0
ABSENT = 9.0
"""The colour of a kind that is not there: far from everything."""


@dataclass(frozen=True, eq=False)
class Sightings:
    """Log odds, float32, on a grid of `GRID_PX` pixels: `kinds` (kinds, h, w), `card`, `marker`, `hidden` (h, w).

    The first three say that the middle of a piece's foot is here, `hidden` that a hand or mug covers the board.
    """

    kinds: Float
    card: Float
    marker: Float
    hidden: Float


def look(layers: Float, colours: Colours) -> Sightings:
    """Run the network on `common_layers`, `colours` (kinds, 3) as in `colours`."""
    groups = [colours[k : k + KINDS_AT_ONCE] for k in range(0, len(colours), KINDS_AT_ONCE)]
    outputs = [_forward(np.concatenate([layers, kind_layers(layers[:3], _full(group))])) for group in groups]
    kinds = np.concatenate([out[: len(group)] for out, group in zip(outputs, groups, strict=True)])
    card, marker, hidden = outputs[0][KINDS_AT_ONCE:]
    return Sightings(kinds, card, marker, hidden)


def common_layers(sight: Sight) -> Float:
    """(9, height, width): photo and reference as `split`, as scaled colours; what is visible; the lean in x and y."""
    photo, print_ = (scaled(log, sight.white) for log in (sight.light, sight.reference))
    photo = np.where(sight.visible[..., None], photo, print_)
    layers = [*np.moveaxis(photo, -1, 0), *np.moveaxis(print_, -1, 0), sight.visible, *_lean(sight)]
    return np.asarray(np.clip(np.stack(layers), -2 * LIMIT, 2 * LIMIT), np.float32)


def kind_layers(photo: Float, colours: Colours) -> Float:
    """(2 · kinds, height, width): how much lighter, and how far in chroma, each pixel is than each kind."""
    off = photo[None] - colours[:, :, None, None]
    lighter = np.clip(off[:, 0], -LIMIT, LIMIT)
    chroma = np.minimum(np.hypot(off[:, 1], off[:, 2]), LIMIT)
    layers: Float = np.stack([lighter, chroma], axis=1).reshape(-1, *photo.shape[1:])
    return layers


def _full(colours: Colours) -> Colours:
    missing = KINDS_AT_ONCE - len(colours)
    return np.concatenate([colours, np.full((missing, 3), ABSENT, np.float32)]).astype(np.float32)


def _lean(sight: Sight) -> tuple[Float, Float]:
    """(height, width) each: how many mm each mm of height moves what stands at a pixel, to the right and down."""
    height, width = sight.visible.shape
    corner = transform([(0.0, 0.0)], inverse(sight.frame.to_px))[0]
    x = np.arange(width) / sight.frame.scale + corner[0] - sight.camera[0]
    y = np.arange(height) / sight.frame.scale + corner[1] - sight.camera[1]
    above = sight.camera[2] - LEAN_MM
    across, along = np.meshgrid(x / above, y / above)
    return across.astype(np.float32), along.astype(np.float32)


def _forward(layers: Float) -> Float:
    """(channels, h, w) log odds of the layers, whose sides are made whole fours by repeating the rim."""
    height, width = layers.shape[1:]
    padded = np.pad(layers, ((0, 0), (0, -height % 4), (0, -width % 4)), mode="edge")
    network, lock = _loaded()
    with lock:
        network.setInput(padded[None])
        odds: Float = network.forward()[0].copy()
    return odds[:, : height // GRID_PX, : width // GRID_PX]


@lru_cache(1)
def _loaded() -> tuple[Any, Lock]:
    """The network, and the lock that lets one thread at a time use it."""
    return cv2.dnn.readNetFromONNX(str(MODEL)), Lock()
