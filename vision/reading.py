"""Reading a registered photo: for every cell and kind of piece, how probable it is that one stands there.

straighten → bring into the reference's light → learn the kinds' colours → network → cells and pieces
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
from .sight import SCALE, Sight

Odds = NDArray[np.float64]

# What the two readers' log odds count, and a card's scaled and moved: fitted by logistic regression on photos of the
# sample tables that are not held out.
OF_BOXES, OF_NETWORK, CARD, CERTAIN = 0.4, 1.1, (1.1, 2.8), 9.0
# A cell of which more than this is covered or outside the photo has not been seen.
HIDDEN_SHARE = 0.4
# A pixel that differs this much from the print, as scaled colours, may be a piece.
CHANGED = 0.4
# Two pieces of one kind are at least this far apart.
APART_MM = 6.0
# The radius of the printed part of a card, as a share of its side, and the odds from which it is looked at.
FACE, POSSIBLY_CARD = 0.42, -2.0
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
    there and for a piece of no kind, such as a player's. `seen` (cells,) bool; `pieces` whatever was found
    anywhere; `camera` where the photo was taken from, mm in the plane's frame; `colours` as the photo shows them;
    `learnt` (kinds,) bool, which of them it does show; `faces`, by cell, the colours (n, 3) of the pixels of a card
    that may lie there.
    """

    odds: Odds
    card: Odds
    marker: Odds
    seen: NDArray[np.bool_]
    pieces: list[Piece]
    camera: NDArray[np.float64]
    colours: Colours
    learnt: NDArray[np.bool_]
    faces: dict[int, Float]

    @property
    def probability(self) -> NDArray[np.float64]:
        """(cells, kinds) float64 in [0, 1]."""
        p: NDArray[np.float64] = 1 / (1 + np.exp(-self.odds))
        return p


def read_cells(photo: Pixels, registration: Registration, surface: Surface) -> NDArray[np.float64]:
    """(cells, kinds) float64 in [0, 1]: the probability that a piece of that kind stands in that cell.

    `photo` (H, W, 3) uint8 BGR; `registration` as `calibration.register` gave it for this photo. A cell that
    cannot be seen gets whatever its place looks like; `examine` tells which those are.
    """
    return examine(photo, registration, surface).probability


def examine(
    photo: Pixels, registration: Registration, surface: Surface, focal: float | None = None
) -> Reading:
    """Read a photo with everything that is found on the way; `focal` in px of the photo where known."""
    sight = Sight(photo, registration.plane_to_photo(surface), surface, focal)
    # OpenCV works outside Python's lock, so the two go on at once.
    with ThreadPoolExecutor(1) as pool:
        boxes = pool.submit(box_odds, sight)
        learned = _by_network(sight)
    odds = OF_BOXES * boxes.result() + OF_NETWORK * np.clip(learned.odds, -CERTAIN, CERTAIN)
    return replace(learned, odds=odds, card=CARD[0] * learned.card + CARD[1])


def _by_network(sight: Sight) -> Reading:
    """What the network says by itself."""
    layers, kinds = common_layers(sight), sight.surface.kinds
    learnt = np.array([kind.home is not None for kind in kinds])
    while True:
        colours, learnt = _shown_colours(sight, layers, learnt)
        reading = _read(sight, layers, look(layers, colours), colours, learnt)
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


def _in_plane(sight: Sight, x: int, y: int) -> tuple[float, float]:
    """The middle of a place of the output's grid, mm in the plane."""
    px = ((x + 0.5) * GRID_PX - 0.5, (y + 0.5) * GRID_PX - 0.5)
    at = transform([px], inverse(sight.frame.to_px))[0]
    return float(at[0]), float(at[1])


def _read(
    sight: Sight, layers: Float, found: Sightings, colours: Colours, learnt: NDArray[np.bool_]
) -> Reading:
    """Gather what was found by cells."""
    grid = _on_grid(sight.cell_of)
    odds = np.stack([_odds_of_cells(layer, grid, sight) for layer in found.kinds], axis=1)
    card, marker = (_odds_of_cells(layer, grid, sight) for layer in (found.card, found.marker))
    gone = np.where(_on_grid(sight.visible), 1 / (1 + np.exp(-found.hidden)), 1.0)
    seen = _mean_of_cells(gone, grid, len(sight.surface.cells)) < HIDDEN_SHARE
    pieces, faces = pieces_of(sight, found, 0.0), _faces(sight, layers, found, card)
    return Reading(odds, card, marker, seen, pieces, sight.camera, colours, learnt, faces)


def _faces(sight: Sight, layers: Float, found: Sightings, card: Odds) -> dict[int, Float]:
    """The pixels of the card in each cell where one may lie."""
    kind, faces = sight.surface.card, {}
    grid = _on_grid(sight.cell_of)
    for cell in sorted(sight.surface.card_at if kind else ()):
        rows, columns = np.nonzero(grid == cell)
        if kind and len(rows) and card[cell] > POSSIBLY_CARD:
            top = int(found.card[rows, columns].argmax())
            middle = ((int(columns[top]) + 0.5) * GRID_PX - 0.5, (int(rows[top]) + 0.5) * GRID_PX - 0.5)
            disc = np.zeros(sight.visible.shape, np.uint8)
            cv2.circle(disc, (round(middle[0]), round(middle[1])), round(FACE * kind.size[0] * SCALE), 1, -1)
            faces[cell] = layers[:3, disc > 0].T
    return faces


def _on_grid(layer: NDArray[Any]) -> NDArray[Any]:
    """A layer of the sight at the middles of the network's output."""
    height, width = layer.shape
    return layer[
        GRID_PX // 2 : height // GRID_PX * GRID_PX : GRID_PX,
        GRID_PX // 2 : width // GRID_PX * GRID_PX : GRID_PX,
    ]


def _odds_of_cells(layer: Float, grid: NDArray[np.int32], sight: Sight) -> Odds:
    """(cells,) log of the summed odds in each cell, as the network was taught."""
    inside = grid >= 0
    each: Odds = np.exp(np.minimum(layer[inside], 30.0).astype(np.float64))
    total = np.bincount(grid[inside], each, len(sight.surface.cells))
    return np.asarray(np.log(total + NOTHING), np.float64)


def _mean_of_cells(layer: Float, grid: NDArray[np.int32], count: int) -> Odds:
    inside = grid >= 0
    size = np.bincount(grid[inside], minlength=count)
    mean: Odds = np.bincount(grid[inside], layer[inside], count) / np.maximum(size, 1)
    return mean


def pieces_of(sight: Sight, found: Sightings, least: float) -> list[Piece]:
    """Every piece with log odds over `least`: where they are greatest within `APART_MM`, of its kind and of all."""
    side = 2 * round(APART_MM * SCALE / GRID_PX / 2) + 1
    window = np.ones((side, side), np.uint8)
    grid = _on_grid(sight.cell_of)
    likeliest = found.kinds.max(axis=0)
    pieces = []
    for kind, layer in enumerate(found.kinds):
        peaks = (layer > least) & (layer >= cv2.dilate(layer, window)) & (layer >= likeliest)
        for y, x in np.argwhere(peaks).tolist():
            p = float(1 / (1 + np.exp(-layer[y, x])))
            pieces.append(Piece(int(grid[y, x]), kind, _in_plane(sight, x, y), p))
    return pieces
