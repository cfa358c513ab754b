"""What a calibration under way comes to: tried out and looked at before it is kept."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from calibration import (
    SHARE_TILES,
    Differs,
    GridProblem,
    LeftOut,
    PanelProblem,
    Photo,
    RegistrationProblem,
    ShareProblem,
    Surface,
    calibrate_map,
    calibrate_panel,
    calibrate_shares,
    compared,
    points_file,
    read_panel_points,
    read_share_points,
    read_taps,
    transform,
)
from calibration.cell_names import CellName
from calibration.hexes import hex_outline
from calibration.registration.register import check_apart, check_print
from calibration.surface import Points
from calibration.tapped.corners import Px
from calibration.tapped.oddities import OddPoints, oddities
from engine.mini_express.board import Board
from engine.sentences import Phrase, Problem

from ...kept.calibrations import Calibration

Outlines = list[list[Px]]


@dataclass(frozen=True)
class Trial:
    """The `surface` of a calibration, or the `problem` why there is none.

    `outlines` of its hexes, spaces or tiles lie in the photo, px; `labels` name tracks, areas and tiles, each in the
    middle of what was tapped for it, and `told` is what to know of it.
    """

    surface: Surface | None = None
    outlines: Outlines = field(default_factory=list)
    labels: Sequence[tuple[CellName, Px]] = ()
    told: Sequence[Phrase | LeftOut | Differs | OddPoints] = ()
    problem: Problem | None = None

    def made(self) -> Surface:
        """The surface. Raises the problem where there is none."""
        if self.surface is None:
            raise self.problem or ValueError("neither a surface nor a problem")
        return self.surface


def tried(calibration: Calibration, photo: Photo, board: Board, known: Iterable[Surface]) -> Trial:
    """What the points of a calibration make of its photo, at a table of which these boards are known."""
    try:
        trial = (
            _map(calibration, photo, board) if calibration.surface == "map" else _panel(calibration, photo)
        )
        if trial.surface:
            check_print(trial.surface)
            if calibration.surface != SHARE_TILES:
                check_apart(trial.surface, known)
    except (GridProblem, PanelProblem, ShareProblem, RegistrationProblem) as problem:
        return Trial(problem=problem)
    return trial


def _map(calibration: Calibration, photo: Photo, board: Board) -> Trial:
    taps = read_taps(calibration.grid or points_file("map", calibration.marks, calibration.size))
    surface, grid = calibrate_map(photo, taps, board)
    outlines = [_px(grid.view(hex_outline(place.at))) for place in board.printed]
    # How far off its own points a proposal is says nothing.
    told = [] if calibration.grid else grid.told()
    return Trial(surface, outlines, told=[*told, *compared(photo, grid, board)])


def _panel(calibration: Calibration, photo: Photo) -> Trial:
    points = points_file(calibration.surface, calibration.marks, calibration.size)
    if calibration.surface == SHARE_TILES:
        surface = calibrate_shares(photo, read_share_points(points), calibration.board)
        tiles = points["tiles"]
        labels = [(CellName(SHARE_TILES, company), _middle(px)) for company, px in tiles.items()]
        return Trial(surface, [*tiles.values()], labels)
    tapped = read_panel_points(points)
    surface = calibrate_panel(calibration.surface, photo, tapped, calibration.board)
    outlines = [_px(transform(cell.outline, surface.plane_to_image)) for cell in surface.cells]
    return Trial(surface, outlines, _labels(surface, outlines), told=[*oddities(tapped)])


def _labels(surface: Surface, outlines: Outlines) -> list[tuple[CellName, Px]]:
    """The name of each track, on the space in its middle, and of each area; what all companies share has none."""
    places = [(CellName.of(cell.id), outline) for cell, outline in zip(surface.cells, outlines, strict=True)]
    rows = groupby(places, key=lambda place: place[0].row)
    middles = [[*row] for _, row in rows]
    return [
        (name, _middle(outline)) for row in middles for name, outline in [row[len(row) // 2]] if name.company
    ]


def _middle(outline: Sequence[Px]) -> Px:
    x, y = np.mean(outline, axis=0)
    return float(x), float(y)


def _px(points: Points) -> list[Px]:
    return [(float(x), float(y)) for x, y in points]
