"""The map as a surface: from a photo of it empty and a few tapped hexes."""

from collections.abc import Sequence

from engine.mini_express.board import Board

from ..hexes import hex_outline
from ..photo import Photo
from ..pieces import DEMAND_TILE, trains
from ..surface import Cell, Surface, scaling
from .grid import Grid, fit_grid
from .taps import Tap


def calibrate_map(photo: Photo, taps: Sequence[Tap], board: Board) -> tuple[Surface, Grid]:
    """The surface "map" from a photo of it empty and at least four tapped hexes, and how they lie in the photo.

    `taps` are in pixels of `photo.pixels`. Raises GridProblem.
    """
    hexes = [place.at for place in board.printed]
    grid = fit_grid(taps, board.id, hexes, photo.pixels, [city.at for city in board.cities])
    index = {at: i for i, at in enumerate(hexes)}
    cards = {city.at for city in board.numbered.values()} | ({board.spike.tile} if board.spike else set())
    surface = Surface(
        "map",
        board.id,
        grid.lens.picture(photo.pixels),
        scaling(photo.scale) @ grid.plane_to_image,
        tuple(Cell(at, hex_outline(at)) for at in hexes),
        trains({company: index[city.at] for company, city in board.starts.items()}),
        photo.scale,
        DEMAND_TILE,
        frozenset(index[at] for at in cards),
    )
    return surface, grid
