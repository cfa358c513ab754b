"""Reading a registered photo: for every cell and kind of piece, how probable it is that one stands there.

straighten → bring into the reference's light → learn the kinds' colours → network → cells and pieces
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.photo import Pixels
from calibration.register import Registration
from calibration.surface import Surface, inverse, transform

from .colours import Colours, Float, assumed_colours, learn_colours
from .network import GRID_PX, Sightings, common_layers, look
from .sight import SCALE, Sight

Odds = NDArray[np.float64]

# A cell of which more than this is covered or outside the photo has not been seen.
HIDDEN_SHARE = 0.4
# A pixel that differs this much from the print, as scaled colours, may be a piece.
CHANGED = 0.4
# Two pieces of one kind are at least this far apart; a piece with these log odds shows its kind's colour.
APART_MM, CLEAR = 6.0, 0.0
# The top of a piece, where its colour is looked at: the share of its height, and the radius.
TOP, TOP_MM = 0.85, 3.5
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
    photo: Pixels,
    registration: Registration,
    surface: Surface,
    focal: float | None = None,
    known: Collection[tuple[int, int]] = (),
) -> Reading:
    """Read a photo with everything that is found on the way; `focal` in px of the photo where known.

    `known` are (cell, kind) where a piece is known to stand; alone in their cell, they teach the colours.
    """
    sight = Sight(photo, registration.plane_to_photo(surface), surface, focal)
    layers = common_layers(sight)
    assumed = assumed_colours(surface)
    homes = [(kind.home, k) for k, kind in enumerate(surface.kinds) if kind.home is not None]
    teachers = _alone([*homes, *known])
    colours = _at_first_sight(sight, layers, teachers, assumed)
    colours, learnt = _on_their_tops(sight, layers, look(layers, colours), teachers, assumed)
    return _read(sight, layers, look(layers, colours), colours, learnt)


def _alone(known: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of the known (cell, kind) that share their cell with no other."""
    cells = [cell for cell, _ in known]
    return [(cell, kind) for cell, kind in known if cells.count(cell) == 1]


def _at_first_sight(
    sight: Sight, layers: Float, teachers: Collection[tuple[int, int]], assumed: Colours
) -> Colours:
    """The chroma of whatever is not print in the teachers' cells.

    Lightness stays as assumed, for some of what differs from the print there is shadow.
    """
    kind_of = np.full(len(sight.surface.cells) + 1, -1)
    for cell, kind in teachers:
        kind_of[cell] = kind
    owner = np.where(_changed(sight, layers), kind_of[sight.cell_of], -1)
    shown, _ = learn_colours(layers[:3, owner >= 0].T, owner[owner >= 0], assumed)
    return np.column_stack([assumed[:, :1], shown[:, 1:]])


def _on_their_tops(
    sight: Sight, layers: Float, found: Sightings, teachers: Collection[tuple[int, int]], assumed: Colours
) -> tuple[Colours, NDArray[np.bool_]]:
    """The colours on the tops of the teachers, wherever in their cells they stand, and of all clear pieces.

    Also the kinds that showed any.
    """
    height, width = sight.visible.shape
    owner = np.full((height, width), -1, np.int32)
    grid = _on_grid(sight.cell_of)
    spots = [(piece.kind, piece.at) for piece in pieces_of(sight, found, CLEAR)]
    for cell, kind in teachers:
        if (grid == cell).any():
            spots.append((kind, _likeliest(sight, found.kinds[kind], grid == cell)))
    for kind, at in spots:
        x, y = (round(v) for v in transform([at], sight.frame.to_px)[0].tolist())
        if 0 <= y < height and 0 <= x < width:
            tall = TOP * sight.surface.kinds[kind].size[2]
            top = (round(x + float(layers[7, y, x]) * tall), round(y + float(layers[8, y, x]) * tall))
            cv2.circle(owner, top, round(TOP_MM * SCALE), kind, -1)
    owner[~_changed(sight, layers)] = -1
    return learn_colours(layers[:3, owner >= 0].T, owner[owner >= 0].astype(np.int64), assumed)


def _likeliest(sight: Sight, layer: Float, where: NDArray[np.bool_]) -> tuple[float, float]:
    """The likeliest place of a piece among some of the output's grid, mm in the plane."""
    y, x = divmod(int(np.where(where, layer, -np.inf).argmax()), layer.shape[1])
    return _in_plane(sight, x, y)


def _in_plane(sight: Sight, x: int, y: int) -> tuple[float, float]:
    """The middle of a place of the output's grid, mm in the plane."""
    px = ((x + 0.5) * GRID_PX - 0.5, (y + 0.5) * GRID_PX - 0.5)
    at = transform([px], inverse(sight.frame.to_px))[0]
    return float(at[0]), float(at[1])


def _changed(sight: Sight, layers: Float) -> NDArray[np.bool_]:
    """(height, width): differs from the print."""
    different: NDArray[np.bool_] = np.abs(layers[:3] - layers[3:6]).max(axis=0) > CHANGED
    return different & sight.visible


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
