"""The hex grid in the photo of the empty map: from a few tapped hexes, refined on the printed lines."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex

from .hexes import HEX_SIDE_MM, hex_center
from .lines import on_lines
from .photo import Pixels
from .projection import Lens, Projection
from .surface import Matrix, inverse, transform
from .taps import LEAST_POINTS, TOLERANCE, LeftOut, Tap, agreeing, check_taps, faces_camera


@dataclass(frozen=True, eq=False)
class Grid:
    """`plane` maps plane mm to px of the photo straightened by `lens`, which mostly is the photo itself.

    `residual_px` and `residual_mm` are the taps' median distance from the grid. With only four taps and no lines
    anything fits, so they then say nothing and `checked` is false. `left_out` says which taps are not believed.
    """

    plane: Matrix
    lens: Lens
    residual_px: float
    residual_mm: float
    checked: bool
    on_lines: bool
    left_out: tuple[LeftOut, ...] = ()


def fit_grid(taps: Sequence[Tap], board: str, hexes: Collection[Hex], reference: Pixels) -> Grid:
    """The grid that puts the tapped hexes where they were tapped. Raises GridProblem.

    A tap on the wrong hex is found from five taps on: it is the one that another hex explains. From six on it
    is left out. The lens is estimated only where there are printed lines: taps are too few and too coarse.
    """
    check_taps(taps, board, hexes, reference.shape)
    plane, believed, left_out = agreeing(taps, board, hexes)
    by_taps = Projection(plane, Lens(0.0, (reference.shape[1], reference.shape[0])))
    found = on_lines(by_taps, hexes, reference)
    if found is not None and not _fits(found, believed, hexes):
        found = None
    final = found or by_taps
    off_px, off_mm = _off(final, believed)
    checked = found is not None or len(believed) > LEAST_POINTS
    return Grid(
        final.homography,
        final.lens,
        float(np.median(off_px)),
        float(np.median(off_mm)),
        checked,
        found is not None,
        tuple(left_out),
    )


def _fits(view: Projection, taps: Sequence[Tap], hexes: Collection[Hex]) -> bool:
    """Whether a camera can see the board so, and the taps lie on their hexes."""
    return faces_camera(view.homography, hexes) and _off(view, taps)[1].max() < TOLERANCE * HEX_SIDE_MM


def _off(view: Projection, taps: Sequence[Tap]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(taps,) float64 twice: how far each tap is from its hex's middle, px and mm."""
    centers, seen = np.array([hex_center(t.hex) for t in taps]), np.array([t.px for t in taps])
    back = transform(view.lens.straighten(seen), inverse(view.homography))
    return np.linalg.norm(view(centers) - seen, axis=1), np.linalg.norm(back - centers, axis=1)
