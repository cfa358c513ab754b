"""Reading a registered photo: for every cell and kind of piece, how probable it is that one stands there.

straighten → bring into the reference's light → ┬ boxes, a reader that was taught nothing ───────┬ log odds added up
                                                └ learn the kinds' colours → network → by cells ─┘

They err in different places. Cards, markers and what is hidden only the network tells.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.photo import Pixels
from calibration.register import Registration
from calibration.surface import Surface, inverse, transform

from .boxes import box_odds
from .colours import Colours, Float, assumed_colours, colour_of, drawn_towards
from .network import GRID_PX, Sightings, common_layers, look
from .odds import CERTAIN, Odds, probability
from .sight import SCALE, Sight

# What log odds are multiplied by and what is added, so that they mean what they say: fitted by logistic regression on
# photos of the sample tables that are not held out.
OF_BOXES, PIECES, CARDS, MARKERS, SYMBOLS = 0.43, (1.21, 0.5), (0.9, 1.3), (1.78, 1.0), (2.2, 0.8)
# A cell of which more than this is covered or outside the photo has not been seen.
HIDDEN_SHARE = 0.3
# A pixel that differs this much from the print, as scaled colours, may be a piece.
CHANGED = 0.4
# Two pieces of one kind are at least this far apart.
APART_MM = 6.0
# Odds are summed over a cell; what is below this is nothing.
NOTHING = 1e-6


@dataclass(frozen=True)
class Piece:
    """A piece of the kind with index `kind`: `at` mm in the plane, in the cell with index `cell` or in none, -1."""

    cell: int
    kind: int
    at: tuple[float, float]
    p: float


@dataclass(frozen=True, eq=False)
class Reading:
    """What one photo shows.

    `odds` (cells, kinds) natural log odds of a piece in a cell; `card`, `marker` (cells,) the same for a card lying
    there and for a piece of no kind, such as a player's; `symbols` (cells, kinds + 1) the same, if a card lies
    there, for the symbols printed on it: one for each kind, then the wild card. `seen` (cells,) bool; `pieces`
    whatever was found anywhere; `camera` where the photo was taken from, mm in the plane's frame; `colours` as the
    photo shows them; `learnt` (kinds,) bool, which of them it does show.
    """

    odds: Odds
    card: Odds
    marker: Odds
    symbols: Odds
    seen: NDArray[np.bool_]
    pieces: list[Piece]
    camera: NDArray[np.float64]
    colours: Colours
    learnt: NDArray[np.bool_]


def read_cells(photo: Pixels, registration: Registration, surface: Surface) -> NDArray[np.float64]:
    """(cells, kinds) float64 in [0, 1]: the probability that a piece of that kind stands in that cell.

    `photo` (H, W, 3) uint8 BGR; `registration` as `calibration.register` gave it for this photo. A cell that
    cannot be seen gets whatever its place looks like; `examine` tells which those are.
    """
    return probability(examine(photo, registration, surface).odds)


def examine(
    photo: Pixels, registration: Registration, surface: Surface, focal: float | None = None
) -> Reading:
    """Read a photo with everything that is found on the way; `focal` in px of the photo where known."""
    sight = Sight(photo, registration.plane_to_photo(surface), surface, focal)
    # Both work outside Python's lock, so they go on at once.
    with ThreadPoolExecutor(1) as pool:
        boxes = pool.submit(box_odds, sight)
        learned = _by_network(sight)
    return replace(learned, odds=OF_BOXES * boxes.result() + learned.odds)


def _by_network(sight: Sight) -> Reading:
    """What the network says by itself."""
    layers, kinds = common_layers(sight), sight.surface.kinds
    learnt = np.array([kind.home is not None for kind in kinds])
    while True:
        colours, learnt = _shown_colours(sight, layers, learnt)
        reading = _by_cells(sight, look(layers, colours), colours, learnt)
        hidden = np.array([k.home is not None and not reading.seen[k.home] for k in kinds])
        if not (learnt & hidden).any():
            return reading
        # What hides a home cell has been taken for its piece.
        learnt &= ~hidden


def _shown_colours(sight: Sight, layers: Float, ask: NDArray[np.bool_]) -> tuple[Colours, NDArray[np.bool_]]:
    """The kinds' colours, of the kinds `ask` (kinds,) by the pieces in their home cells; which showed theirs."""
    colours, learnt = assumed_colours(sight.surface), ask.copy()
    for k in np.flatnonzero(ask).tolist():
        where = (sight.cell_of == sight.surface.kinds[k].home) & sight.visible
        shown = colour_of_cell(layers, where)
        learnt[k] = shown is not None
        if shown is not None:
            colours[k] = drawn_towards(colours[k], shown)
    return colours, learnt


def colour_of_cell(layers: Float, where: NDArray[np.bool_]) -> Float | None:
    """(3,): the colour of what stands on the print in the pixels `where` (height, width), None if nothing does."""
    changed = np.abs(layers[:3, where] - layers[3:6, where]).max(axis=0) > CHANGED
    return colour_of(layers[:3, where][:, changed].T)


def _by_cells(sight: Sight, found: Sightings, colours: Colours, learnt: NDArray[np.bool_]) -> Reading:
    """Gather what was found by cells."""
    count, cell_of = len(sight.surface.cells), _on_grid(sight.cell_of)

    def odds(layers: Float, scale: tuple[float, float]) -> Odds:
        summed = np.stack([_summed(layer, cell_of, count) for layer in layers], axis=-1)
        return scale[0] * np.clip(summed, -CERTAIN, CERTAIN) + scale[1]

    gone = np.where(_on_grid(sight.visible), probability(found.hidden), 1.0)
    return Reading(
        odds(found.kinds, PIECES),
        odds(found.card[None], CARDS)[:, 0],
        odds(found.marker[None], MARKERS)[:, 0],
        odds(found.symbols, SYMBOLS),
        _mean(gone, cell_of, count) < HIDDEN_SHARE,
        _pieces(sight, found.kinds, cell_of),
        sight.camera,
        colours,
        learnt,
    )


def _on_grid(layer: NDArray[Any]) -> NDArray[Any]:
    """A layer of the sight at the middles of the network's output."""
    height, width = (size // GRID_PX * GRID_PX for size in layer.shape)
    return layer[GRID_PX // 2 : height : GRID_PX, GRID_PX // 2 : width : GRID_PX]


def _summed(layer: Float, cell_of: NDArray[np.int32], count: int) -> Odds:
    """(cells,) log of the summed odds in each cell, as the network was taught."""
    inside = cell_of >= 0
    each: Odds = np.exp(np.minimum(layer[inside], 30.0).astype(np.float64))
    return np.asarray(np.log(np.bincount(cell_of[inside], each, count) + NOTHING), np.float64)


def _mean(layer: Odds, cell_of: NDArray[np.int32], count: int) -> Odds:
    inside = cell_of >= 0
    size = np.bincount(cell_of[inside], minlength=count)
    mean: Odds = np.bincount(cell_of[inside], layer[inside], count) / np.maximum(size, 1)
    return mean


def _pieces(sight: Sight, kinds: Float, cell_of: NDArray[np.int32]) -> list[Piece]:
    """Every probable piece: where odds are greatest within `APART_MM`, of its kind and of all."""
    side = 2 * round(APART_MM * SCALE / GRID_PX / 2) + 1
    likeliest, window = kinds.max(axis=0), np.ones((side, side), np.uint8)
    to_plane = inverse(sight.frame.to_px)
    pieces = []
    for kind, layer in enumerate(kinds):
        peaks = (layer > 0) & (layer >= cv2.dilate(layer, window)) & (layer >= likeliest)
        for y, x in np.argwhere(peaks).tolist():
            at = transform([((x + 0.5) * GRID_PX - 0.5, (y + 0.5) * GRID_PX - 0.5)], to_plane)[0]
            place = float(at[0]), float(at[1])
            pieces.append(Piece(int(cell_of[y, x]), kind, place, float(probability(layer[y, x]))))
    return pieces
