"""The printed hex lines: a grid that lies a few millimetres off is moved onto them.

First every hex with its neighbours looks for the shift that puts most lines under its edges, as one looks for a
pattern; then every piece of an edge looks for its own line. Lines may be whole, or only stars at the corners.
"""

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex

from ..hexes import hex_centers, hex_outline
from ..photo import Pixels
from ..projection import Lens, Projection, bent_if_better, fit_projection
from ..surface import Matrix, Points

# How far from its place a pattern of lines, then a single line, is looked for, mm.
PATTERN_REACH, LINE_REACH = 11.0, (3.0, 1.5, 1.5)
PATTERN_STEP_MM, LINE_STEP_MM = 0.5, 0.25
PATTERN_RADIUS_MM = 60.0
# Width in mm of what a line is compared to.
SURROUNDINGS_MM = 3.0
CLEAR_RIDGE = 2.0
# Pieces of edges whose clearest line lies within `NEAR_MM`: chance alone would give a tenth.
NEAR_MM, OF_MM, LINES_SHOWN = 0.5, 5.0, 0.3
# The pieces of an edge, from one corner to the other; near the corners lines are printed even on maps that
# leave them out between.
PIECES = ((0.04, 0.14), (0.2, 0.5), (0.5, 0.8), (0.86, 0.96))
SAMPLES = 5


Gray = NDArray[np.uint8]
"""(height, width) uint8."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Pieces of hex edges: sampled `points` (n, samples, 2) mm, unit `normals` (n, 2), `middles` (n, 2).

    `of_pattern` (hexes, n) float64 is 1 for the pieces near a hex's middle, which is in `centers` (hexes, 2).
    """

    points: NDArray[np.float64]
    normals: Points
    middles: Points
    of_pattern: Matrix
    centers: Points


class Finder:
    """Finds the lines of these hexes in this photo."""

    def __init__(self, hexes: Collection[Hex], photo: Pixels) -> None:
        self.edges = _edges(hexes)
        gray = cv2.GaussianBlur(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
        self.gray: Gray = gray.astype(np.uint8)

    def on_lines(self, start: Projection) -> Projection | None:
        """The projection moved onto printed hex lines; None where the print has none."""
        if self._ridges(start, LINE_REACH[0], LINE_STEP_MM)[1].max() < CLEAR_RIDGE:
            return None
        current = start
        for _ in range(2):
            current = self._moved_as_pattern(current)
        for reach in LINE_REACH:
            found = self._lines(current, reach)
            if len(found[0]) < LINES_SHOWN * len(self.edges.middles):
                return None
            current = fit_projection(current, *found)
        unbent = Projection(current.homography, Lens(0.0, current.lens.size))
        current = bent_if_better(fit_projection(unbent, *found, bend=False), current, *found)
        return current if self.share_on_lines(current) > LINES_SHOWN else None

    def share_on_lines(self, view: Projection) -> float:
        """The share of the pieces of edges whose clearest line lies where it should."""
        steps, ridge = self._ridges(view, OF_MM, LINE_STEP_MM)
        return float(np.mean(np.abs(steps[ridge.argmax(axis=1)]) <= NEAR_MM))

    def _moved_as_pattern(self, view: Projection) -> Projection:
        """Every hex with its neighbours is shifted to where most lines lie under its edges."""
        steps, ridge = self._ridges(view, PATTERN_REACH, PATTERN_STEP_MM)
        across = np.arange(-PATTERN_REACH + 1, PATTERN_REACH, 1.0)
        shifts = np.stack(np.meshgrid(across, across), axis=-1).reshape(-1, 2)
        shifts = shifts[np.linalg.norm(shifts, axis=1) < PATTERN_REACH]
        column = np.rint((self.edges.normals @ shifts.T - steps[0]) / PATTERN_STEP_MM).astype(int)
        blurred = cv2.GaussianBlur(ridge, (0, 0), 1.0 / PATTERN_STEP_MM, sigmaY=1e-6)
        score = self.edges.of_pattern @ np.take_along_axis(blurred, column, axis=1)
        best = shifts[score.argmax(axis=1)]
        return fit_projection(view, self.edges.centers, view(self.edges.centers + best))

    def _lines(self, view: Projection, reach: float) -> tuple[Points, Points, Points]:
        """Pieces of edges with a clear line near: their middles (mm), the line's place and its normal (px)."""
        steps, ridge = self._ridges(view, reach, LINE_STEP_MM)
        peak = ridge.argmax(axis=1)
        clear = ridge.max(axis=1) > CLEAR_RIDGE
        middles, normals = self.edges.middles[clear], self.edges.normals[clear]
        image = view(middles + normals * steps[peak[clear]][:, None])
        along = view(middles + np.column_stack([-normals[:, 1], normals[:, 0]])) - view(middles)
        across = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
        return middles, image, across

    def _ridges(
        self, view: Projection, reach: float, step: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How clearly each piece of an edge would be a line if it were shifted along its normal.

        The shifts, mm, and (pieces, shifts) float64 in units of what the print around shows by itself.
        """
        around = round(SURROUNDINGS_MM / step)
        wide = round(reach / step) + around
        steps = np.arange(-wide, wide + 1, dtype=np.float64) * step
        image = self._along_normals(view, steps)
        seen = cv2.remap(self.gray, image[..., 0], image[..., 1], cv2.INTER_LINEAR)
        profile = seen.reshape(-1, SAMPLES, len(steps)).astype(np.float64).mean(axis=1)
        ridge = np.abs(profile - cv2.blur(profile, (2 * around + 1, 1)))
        ridge /= np.median(ridge, axis=1, keepdims=True) + 1.0
        return steps[around:-around], np.minimum(ridge[:, around:-around], 6.0)

    def _along_normals(self, view: Projection, steps: NDArray[np.float64]) -> NDArray[np.float32]:
        """Where the photo has every sample of an edge shifted by every step, (n, samples * steps, 2) px.

        Projected at three shifts and interpolated between: over a few millimetres that is exact.
        """
        few = steps[[0, len(steps) // 2, -1], None]
        three = self.edges.points[:, :, None] + self.edges.normals[:, None, None] * few
        low, middle, high = (
            view(three.reshape(-1, 2)).astype(np.float32).reshape(-1, 3, 1, 2).transpose(1, 0, 2, 3)
        )
        share = (steps / steps[-1]).astype(np.float32)[:, None]
        image: NDArray[np.float32] = middle + share * ((high - low) / 2 + share * ((high + low) / 2 - middle))
        return image.reshape(-1, SAMPLES * len(steps), 2)


def _edges(hexes: Collection[Hex]) -> Edges:
    lines = {}
    for at in hexes:
        outline = np.array(hex_outline(at))
        for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            # An edge that two hexes share counts once; it is known by its middle.
            lines[tuple(np.rint(a + b).astype(int))] = (a, b)
    a, b = np.array(list(lines.values())).transpose(1, 0, 2)[:, :, None, None]
    shares = np.array([np.linspace(*piece, SAMPLES) for piece in PIECES])[..., None]
    points = (a + shares * (b - a)).reshape(-1, SAMPLES, 2)
    along = points[:, -1] - points[:, 0]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    middles = points.mean(axis=1)
    centers = hex_centers(hexes)
    away = np.linalg.norm(centers[:, None] - middles, axis=2)
    normals = np.column_stack([-along[:, 1], along[:, 0]])
    return Edges(points, normals, middles, (away < PATTERN_RADIUS_MM).astype(np.float64), centers)
