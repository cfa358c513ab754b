"""The hex grid in the photo of the empty map: from a few tapped hexes, refined on the printed lines."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from engine.hexgrid import Hex

from .hexes import hex_center
from .lines import Finder
from .photo import Pixels
from .projection import Lens, Projection
from .surface import Matrix, Points, inverse, transform
from .taps import (
    LEAST_POINTS,
    LeftOut,
    Reading,
    Tap,
    check_agreement,
    check_taps,
    faces_camera,
    judged,
    left_out,
    readings,
)


@dataclass(frozen=True, eq=False)
class Grid:
    """`plane` maps plane mm to px of the photo straightened by `lens`, which mostly is the photo itself.

    `residual_px` and `residual_mm` are the taps' median distance from the grid. `checked` is false where another
    grid fits nearly as well: with only four taps and no lines any does, and a small residual then says nothing.
    `left_out` says which taps are not believed.
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

    A tap on the wrong hex is found from five taps on: it is the one that another hex explains. Where enough
    others agree, or the printed lines do, it is left out. The lens is estimated only from printed lines: taps
    are too few and too coarse.
    """
    check_taps(taps, board, hexes, reference.shape)
    ways = readings(taps, board, hexes)
    no_lens = Lens(0.0, (reference.shape[1], reference.shape[0]))
    finder = Finder(hexes, reference)
    for way in ways:
        view = finder.on_lines(Projection(way.plane, no_lens))
        if view is not None and faces_camera(view.homography, hexes):
            seen = judged(view.homography, _places(view, taps), taps, hexes)
            if len(seen.right) >= LEAST_POINTS:
                return _grid(view, taps, seen, checked=True, found_lines=True)
    check_agreement(ways[0], taps, board)
    checked = len(ways) == 1 and len(ways[0].right) > LEAST_POINTS
    return _grid(Projection(ways[0].plane, no_lens), taps, ways[0], checked, found_lines=False)


def _grid(view: Projection, taps: Sequence[Tap], way: Reading, checked: bool, found_lines: bool) -> Grid:
    believed = [taps[k] for k in way.right]
    centers = np.array([hex_center(tap.hex) for tap in believed])
    return Grid(
        view.homography,
        view.lens,
        _median_length(view(centers) - [tap.px for tap in believed]),
        _median_length(centers - _places(view, believed)),
        checked,
        found_lines,
        left_out(way, taps),
    )


def _places(view: Projection, taps: Sequence[Tap]) -> Points:
    """Where the taps are in the plane, (taps, 2) mm."""
    return transform(view.lens.straighten(np.array([tap.px for tap in taps])), inverse(view.homography))


def _median_length(vectors: Points) -> float:
    return float(np.median(np.linalg.norm(vectors, axis=1)))
