"""From the network's maps to places and cells: where pieces stand, what is hidden, what is said of whole cells."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.surface import Matrix, inverse, transform

from .colours import Float, colour_of_top
from .network import GRID_PX, OddsMaps
from .odds import CERTAIN, Odds, probability
from .sight import SCALE, Sight

# A cell of which this share or more seems covered or outside the photo has not been seen: the network rather says too
# little.
HIDDEN_SHARE = 0.12
# A piece is where the log odds on the grid are at least this; those of a whole cell are higher.
PROBABLE = -0.3
# Two pieces of one kind are at least this far apart: of all places within it the likeliest counts.
APART_MM = 6.0
# Odds are summed over a cell; what is below this is nothing.
NOTHING = 1e-6


@dataclass(frozen=True)
class Piece:
    """A piece of the kind with index `kind`: `at` mm in the plane, in the cell with index `cell` or in none, -1.

    `colour` (3,) is what it shows on top, as in `colours`; None where little of it shows.
    """

    cell: int
    kind: int
    at: tuple[float, float]
    colour: Float | None


def hidden_shares(sight: Sight, found: OddsMaps) -> NDArray[np.float64]:
    """(cells,): the share of each cell that is covered or outside the photo."""
    gone = np.where(on_output(sight.visible), probability(found.hidden), 1.0)
    return _mean(gone, on_output(sight.cell_of), len(sight.surface.cells))


def in_sight(hidden: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(cells,): which cells count as seen, by the shares of them that are hidden."""
    return hidden < HIDDEN_SHARE


def on_output(layer: NDArray[Any]) -> NDArray[Any]:
    """A layer of the sight at the middles of the network's output."""
    height, width = (size // GRID_PX * GRID_PX for size in layer.shape)
    return layer[GRID_PX // 2 : height : GRID_PX, GRID_PX // 2 : width : GRID_PX]


def middle_px(column: float, row: float) -> tuple[float, float]:
    """The middle of a place on the network's grid, px of the sight."""
    return float((column + 0.5) * GRID_PX - 0.5), float((row + 0.5) * GRID_PX - 0.5)


def in_plane(column: float, row: float, to_plane: Matrix) -> tuple[float, float]:
    """The same, mm in the plane."""
    at = transform([middle_px(column, row)], to_plane)[0]
    return float(at[0]), float(at[1])


def odds_in_cells(sight: Sight, layers: Float) -> Odds:
    """(cells, layers): what layers of the network (layers, h, w) say of whole cells, log odds within `CERTAIN`."""
    count, cell_of = len(sight.surface.cells), on_output(sight.cell_of)
    summed = np.stack([_summed(layer, cell_of, count) for layer in layers], axis=-1)
    return np.clip(summed, -CERTAIN, CERTAIN)


def places_in_cell(sight: Sight, layer: Float, cell: int, apart: float) -> list[float]:
    """Log odds of every place in a cell where one kind may stand by its `layer`, `apart` mm, the likeliest first."""
    places = _places(layer, apart) & (on_output(sight.cell_of) == cell)
    return sorted(layer[places].tolist(), reverse=True)


def pieces_in(sight: Sight, layers: Float, found: OddsMaps) -> list[Piece]:
    """Every probable piece, and those that are in their home cells however little they look like it."""
    cell_of, to_plane = on_output(sight.cell_of), inverse(sight.frame.to_px)
    likeliest, pieces = found.kinds.max(axis=0), []
    for kind, layer in enumerate(found.kinds):
        peaks = _places(layer, APART_MM) & (layer > PROBABLE) & (layer >= likeliest)
        if (home := sight.surface.kinds[kind].home) is not None:
            at_home = cell_of == home
            peaks |= at_home & (layer >= layer[at_home].max(initial=-np.inf))
        for row, column in np.argwhere(peaks).tolist():
            top = colour_of_top(sight, layers, *middle_px(column, row))
            pieces.append(Piece(int(cell_of[row, column]), kind, in_plane(column, row, to_plane), top))
    return pieces


def _places(layer: Float, apart: float) -> NDArray[np.bool_]:
    """(h, w): where a piece is likelier than anywhere nearer than about `apart` mm."""
    side = 2 * int(apart * SCALE / GRID_PX) + 1
    return np.asarray(layer >= cv2.dilate(layer, np.ones((side, side), np.uint8)))


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
