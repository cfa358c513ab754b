"""What the photo of an empty map shows by itself, for a person to confirm: outline, grid, cities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.names import RIMS

from ..hexes import hex_centers
from ..photo import Photo, Pixels
from ..projection import Projection
from ..surface import Points, scaling, transform
from .grid import fit_grid
from .outline import board_outline
from .rims import find_cities
from .search import find_grid
from .taps import LEAST_POINTS, LeftOut, Tap, check_each


@dataclass(frozen=True, eq=False)
class Proposal:
    """What was found in `pixels`, in their px; each part is None where it was not.

    `outline` (4, 2) are the board's corners, `grid` maps plane mm to px. `left_out` says which taps are not believed.
    """

    pixels: Pixels
    hexes: tuple[Hex, ...]
    outline: Points | None
    grid: Projection | None
    left_out: tuple[LeftOut, ...] = ()

    @cached_property
    def cities(self) -> dict[Hex, int | None] | None:
        """The hexes with a city's disc and their capacity by the colour of the rim, None where that is unsure.

        Looked for when first asked for: it takes a second.
        """
        return None if self.grid is None else find_cities(self.pixels, self.grid, self.hexes)

    def image_points(self, scale: float = 1.0) -> list[dict[str, Any]] | None:
        """The middles of all hexes as in a points file, in px of the file."""
        if self.grid is None:
            return None
        centers = _rounded(self.grid(hex_centers(self.hexes)), scale)
        return [{"hex": list(at), "px": px} for at, px in zip(self.hexes, centers, strict=True)]

    def to_json(self, scale: float = 1.0) -> dict[str, Any]:
        """As plain data in px of the file; with a grid this is a points file for `calibrate map` too."""
        outline = None if self.outline is None else _rounded(self.outline, scale)
        points = self.image_points(scale)
        found: dict[str, Any] = {"outline": outline, "image_points": points, "k1": None, "cities": None}
        if self.grid is not None and self.cities is not None:
            found["k1"] = round(self.grid.lens.k1, 4)
            found["cities"] = [
                {"hex": list(at), "capacity": capacity, "rim": RIMS.get(capacity or 0)}
                for at, capacity in self.cities.items()
            ]
        return found


def propose(photo: Photo, board: Board, taps: Sequence[Tap] = ()) -> Proposal:
    """Look for the board's outline and its grid; `taps` help, and must then agree with the grid.

    From four taps on the grid is that of `fit_grid`. Raises GridProblem where taps cannot be
    used, or four and more do not fit.
    """
    hexes = tuple(p.at for p in board.printed)
    check_each(taps, board.id, hexes, photo.pixels.shape)
    outline = board_outline(photo.pixels)
    grid: Projection | None = None
    left_out: tuple[LeftOut, ...] = ()
    if len(taps) >= LEAST_POINTS:
        fitted = fit_grid(taps, board.id, hexes, photo.pixels, [city.at for city in board.cities])
        grid, left_out = fitted.view, fitted.left_out
    elif outline is not None:
        grid = find_grid(photo.pixels, outline, hexes, taps)
    return Proposal(photo.pixels, hexes, outline, grid, left_out)


def _rounded(points: Points, scale: float) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in transform(points, scaling(scale))]
