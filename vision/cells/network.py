"""The learned reader: two small convolutional networks that find the pieces in a sight.

It never sees absolute colours. Its input is the photo and the reference photo of the empty board side by side, how
far each pixel is from the colour of each kind, and how things with height lean; so it knows pieces and shadows and
glare, but no board, no wood and no game. Kinds are interchangeable to it: it was taught with their order
shuffled. `vision/training` holds the recipe.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

# It asks when it is imported: without this it gives the computer a number, keeps that and tells its makers of its use.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

from calibration.surface import inverse, transform

from .colours import LEAN, Colours, Float, planes
from .shapes import window_around
from .sight import Sight

LARGE: Final = Path(__file__).with_name("reader.onnx")
SMALL: Final = Path(__file__).with_name("reader_small.onnx")
"""The same a quarter narrower, for a first look."""
LEAN_MM = 10.0
"""The input tells how far something this high leans."""
# The large network works on so many cores at once; more hardly help it.
CORES = min(os.cpu_count() or 1, 4)
GRID_PX = 4
"""The output has one value for this many pixels of the sight, each way."""
AROUND = 8
"""What is looked at once more is seen with so much around it, in steps of the output."""
LIMIT = 3.0
# How widely lightness and chroma of one kind's wood vary, as scaled colours, and beyond which it is all the same.
WOOD_SPREAD, FAR = (1.0, 0.7), 8.0
_loading = Lock()


@dataclass(frozen=True, eq=False)
class OddsMaps:
    """Log odds, float32, on a grid of `GRID_PX` pixels.

    `kinds` (kinds, h, w), `card`, `marker` (h, w): the middle of a piece's foot is here; `hidden` (h, w): a hand or a
    mug covers the board; `symbols` (kinds + 1, h, w): if there is a card here, it shows this kind's symbol, the
    last being the wild card.
    """

    kinds: Float
    card: Float
    marker: Float
    hidden: Float
    symbols: Float


def look(layers: Float, colours: Colours) -> OddsMaps:
    """Run the small network on `common_layers`, `colours` (kinds, 3) as in `colours`."""
    return _maps(_forward(SMALL, *_shown(layers, colours)), layers)


def look_closely(
    layers: Float, colours: Colours, doubtful: Callable[[OddsMaps], NDArray[np.bool_]]
) -> OddsMaps:
    """Run the large network, and once more on whatever is `doubtful` then, (h, w) bool, turned by half a turn.

    The mean of the two errs less than either; where the first is sure they hardly differ.
    """
    common, kinds = _shown(layers, colours)
    first = _forward(LARGE, common, kinds)
    found = _maps(first, layers)
    again = doubtful(found)
    if not again.any():
        return found
    down, across = window_around(again, AROUND)
    part = np.s_[..., _in_px(down), _in_px(across)]
    said = _forward(LARGE, half_turn(common[part]), kinds[part][..., ::-1, ::-1])
    for whole, turned in zip(first, said, strict=True):
        near, there = whole[..., down, across], again[down, across]
        near[..., there] = (near + turned[..., ::-1, ::-1])[..., there] / 2
    return _maps(first, layers)


def _shown(layers: Float, colours: Colours) -> tuple[Float, Float]:
    """What a network is shown: layers for all, and for each kind, whose sides are whole steps of the output."""
    height, width = layers.shape[1:]
    rim = ((0, 0), (0, -height % GRID_PX), (0, -width % GRID_PX))
    common = np.pad(layers, rim, mode="edge")
    # A strong red lies beyond what the layers show: without this no pixel would ever be like it.
    return common, kind_layers(common[:3], np.clip(colours, -2 * LIMIT, 2 * LIMIT))


def _maps(said: tuple[Float, Float], layers: Float) -> OddsMaps:
    """What a network said of `layers`, without the step that they fill only in part."""
    height, width = layers.shape[1:]
    inside = np.s_[..., : height // GRID_PX, : width // GRID_PX]
    of_kinds, (card, marker, hidden, wild) = (part[inside] for part in said)
    return OddsMaps(of_kinds[:, 0], card, marker, hidden, np.stack([*of_kinds[:, 1], wild]))


def _in_px(steps: slice) -> slice:
    return slice(steps.start * GRID_PX, steps.stop * GRID_PX)


def half_turn(common: Float) -> Float:
    """The same `common_layers` seen from the other side of the table; what leans, leans the other way."""
    turned = common[:, ::-1, ::-1].copy()
    turned[LEAN] *= -1
    return turned


def common_layers(sight: Sight) -> Float:
    """(9, height, width): photo and reference as `split`, as scaled colours; what is visible; the lean in x and y."""
    layers = np.empty((9, *sight.visible.shape), np.float32)
    for start, log in ((0, sight.clear), (3, sight.reference)):
        layers[start : start + 3] = planes(log, sight.white)
    layers[:3] = np.where(sight.visible, layers[:3], layers[3:6])
    layers[6], layers[LEAN] = sight.visible, _lean(sight)
    return np.clip(layers, -2 * LIMIT, 2 * LIMIT, out=layers)


def kind_layers(photo: Float, colours: Colours) -> Float:
    """(kinds, 3, height, width): how much lighter, and how far in chroma, each pixel is than each kind, and how
    much more like this kind it is than like any other."""
    layers = np.empty((len(colours), 3, *photo.shape[1:]), np.float32)
    for (lightness, chroma, alike), colour in zip(layers, colours, strict=True):
        lighter, red, blue = (photo[n] - colour[n] for n in range(3))
        apart = red * red + blue * blue
        np.clip(lighter, -LIMIT, LIMIT, out=lightness)
        np.minimum(np.sqrt(apart), LIMIT, out=chroma)
        np.maximum(
            (lighter * lighter / WOOD_SPREAD[0] ** 2 + apart / WOOD_SPREAD[1] ** 2) / -2, -FAR, out=alike
        )
    best = second = np.full(photo.shape[1:], -FAR, np.float32)
    for like in layers[:, 2]:
        best, second = np.maximum(best, like), np.maximum(second, np.minimum(best, like))
    for like in layers[:, 2]:
        # The likeliest kind at a pixel has the second as its rival, all others have the likeliest.
        like[:] = (like - np.where(like == best, second, best)) / 2
    return layers


def _lean(sight: Sight) -> tuple[Float, Float]:
    """(height, width) each: how many mm each mm of height moves what stands at a pixel, to the right and down."""
    height, width = sight.visible.shape
    corner = transform([(0.0, 0.0)], inverse(sight.frame.to_px))[0]
    x = np.arange(width) / sight.frame.scale + corner[0] - sight.camera[0]
    y = np.arange(height) / sight.frame.scale + corner[1] - sight.camera[1]
    above = sight.camera[2] - LEAN_MM
    across, along = np.meshgrid(x / above, y / above)
    return across.astype(np.float32), along.astype(np.float32)


def _forward(model: Path, common: Float, kinds: Float) -> tuple[Float, Float]:
    """(kinds, 2, h, w) and (4, h, w) log odds of layers whose sides are whole grid steps.

    The large network, which looks last at a photo, gives its memory back.
    """
    shown = {"common": np.ascontiguousarray(common[None]), "kinds": np.ascontiguousarray(kinds)}
    options = onnxruntime.RunOptions()
    if model == LARGE:
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    of_kinds, rest = _loaded(model).run(["of_kinds", "rest"], shown, options)
    return of_kinds, rest[0]


def _loaded(model: Path) -> onnxruntime.InferenceSession:
    """A network; several threads may run it at once, but only one loads it."""
    with _loading:
        return _load(model)


@lru_cache(2)
def _load(model: Path) -> onnxruntime.InferenceSession:
    _share_memory()
    options = onnxruntime.SessionOptions()
    # While the small one looks, another core has the boxes.
    options.intra_op_num_threads = CORES if model == LARGE else 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.enable_mem_pattern = False
    return onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])


@lru_cache(1)
def _share_memory() -> None:
    """Both networks take memory from one store, no more than they need: 70 MB less at its peak than without a store."""
    whose = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(whose, onnxruntime.OrtArenaCfg({"arena_extend_strategy": 1}))
