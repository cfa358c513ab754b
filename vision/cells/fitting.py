"""Fitting blocks of wood to the evidence: which pieces stand where, whole pieces and not loose pixels.

A piece is a box with a known footprint and height. Seen from the camera, each layer of the box covers
the plane where its footprint does, enlarged about the camera's foot. So the evidence is averaged over the
layers first, after which a box is a flat rectangle: its score at a place is the mean of that map under
the turned footprint, for all places at once one small convolution. The best-scoring piece of the table is
taken first and its pixels are spent, so that no two pieces live on the same pixels.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.surface import Kind, Matrix, Points, inverse, transform

from .colours import Float
from .pose import raised
from .shapes import bounds

# Layers of the box, as shares of its height: a loco is not as solid at its top as at its base.
LAYERS = (0.08, 0.35, 0.6, 0.85)
# How high the box is whose patch the camera sees, as a share of its height, for the same reason.
SOLID = 0.9
DIRECTIONS = 6
# What a pixel says, in log odds, where the board is covered or outside the frame.
UNKNOWN = -0.5
# What a pixel under a taken piece says for any other: it cannot be seen, which is a little against.
SPENT = -0.4
# The score, in log odds, where a kind cannot be: lower than that of any evidence.
NOWHERE = -9.0
# Scores only fall by spending, so where all are below this nothing need be scored anew.
HOPELESS = -0.7
# Who scores this much less once a piece is taken was living on the same pixels.
LOSS = 0.7
# Of two pieces nearer than this only the clearer one teaches anything.
TEACH_APART_MM = 14.0


@dataclass(frozen=True)
class Fit:
    """A box of kind `kind` in cell `cell`: `at` mm, `angle` radians, `score` the mean log odds of its patch."""

    cell: int
    kind: int
    at: tuple[float, float]
    angle: float
    score: float


class Fitter:
    """The evidence being shared out among pieces.

    `evidence` (kinds, height, width), `cell_of` (height, width) the cell each pixel lies in or -1, both in a
    straight frame that `to_px` maps plane mm to at `scale` px/mm; `camera` as in `pose`; `allowed`
    (cells, kinds) bool.
    """

    def __init__(
        self,
        evidence: Float,
        cell_of: NDArray[np.int32],
        to_px: Matrix,
        camera: NDArray[np.float64],
        kinds: Sequence[Kind],
        allowed: NDArray[np.bool_],
    ) -> None:
        self.evidence, self.cell_of, self.to_px, self.camera = evidence, cell_of, to_px, camera
        self.kinds, self.allowed = kinds, allowed
        self.scale = float(to_px[0, 0])
        self.foot = transform(camera[None, :2], to_px)[0]
        self.rectangles = [_rectangles(kind, self.scale) for kind in kinds]
        height, width = cell_of.shape
        self.best = np.full((len(kinds), height, width), NOWHERE, np.float32)
        # Only where a kind can be and in directions in which it looks different; the rest takes no memory.
        self.turned = np.empty((len(kinds), DIRECTIONS, height, width), np.float32)
        self.inside = _pixels_of(cell_of, len(allowed))
        self.windows = [self._window(k) for k in range(len(kinds))]
        self.areas = np.array([self._area(kind) for kind in kinds], np.float32)
        self.tops = np.full(allowed.shape, NOWHERE, np.float32)
        self.places = np.zeros(allowed.shape, np.int64)
        for k in range(len(kinds)):
            self._score(k, 0, 0, width, height)
            self._refresh(k, range(len(allowed)))

    def _area(self, kind: Kind) -> float:
        """How much of the plane a piece in the middle of the table covers, mm²: the mean over two directions."""
        middle = transform([(self.cell_of.shape[1] / 2, self.cell_of.shape[0] / 2)], inverse(self.to_px))[0]
        pair = [Fit(0, 0, (float(middle[0]), float(middle[1])), angle, 0.0) for angle in (0.0, np.pi / 2)]
        covered = [patch(kind, fit, self.camera, self.to_px, self.cell_of.shape).sum() for fit in pair]
        return float(np.mean(covered)) / self.scale**2

    def _window(self, k: int) -> tuple[int, int, int, int]:
        """Where kind `k` can be: x and y from, x and y to, px."""
        # Pixels in no cell have the index -1, so they get the last answer.
        may = np.append(self.allowed[:, k], False)[self.cell_of]
        return bounds(may)

    def _score(self, k: int, x0: int, y0: int, x1: int, y1: int) -> None:
        """Score every place in a window where kind `k` can be anew, in all directions."""
        left, top, right, bottom = self.windows[k]
        x0, y0, x1, y1 = max(x0, left), max(y0, top), min(x1, right), min(y1, bottom)
        if x0 >= x1 or y0 >= y1:
            return
        margin = self.rectangles[k][0].shape[0] // 2 + 1
        ax, ay = max(0, x0 - margin), max(0, y0 - margin)
        bx, by = min(self.cell_of.shape[1], x1 + margin), min(self.cell_of.shape[0], y1 + margin)
        inner = np.s_[y0 - ay : y1 - ay, x0 - ax : x1 - ax]
        layers = [self._layer(k, share * self.kinds[k].size[2], ax, ay, bx, by) for share in LAYERS]
        flat = np.mean(layers, axis=0)
        turned = self.turned[k, : len(self.rectangles[k]), y0:y1, x0:x1]
        for scores, rectangle in zip(turned, self.rectangles[k], strict=True):
            scores[:] = cv2.filter2D(flat, -1, rectangle)[inner]
        self.best[k, y0:y1, x0:x1] = turned.max(axis=0)

    def _layer(self, k: int, height: float, x0: int, y0: int, x1: int, y1: int) -> Float:
        """The evidence for kind `k` as it covers the plane `height` mm below, in a window."""
        grow = self.camera[2] / (self.camera[2] - height)
        move = self.foot * (1 - grow) + grow * np.array([x0, y0])
        matrix = np.array([[grow, 0, move[0]], [0, grow, move[1]]])
        flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (x1 - x0, y1 - y0)
        return cv2.warpAffine(self.evidence[k], matrix, size, flags=flags, borderValue=UNKNOWN)  # type: ignore

    def _refresh(self, k: int, cells: Iterable[int]) -> None:
        """Find the best place for kind `k` in these cells anew."""
        flat = self.best[k].ravel()
        for cell in cells:
            inside = self.inside[cell]
            if self.allowed[cell, k] and len(inside):
                top = int(flat[inside].argmax())
                self.tops[cell, k], self.places[cell, k] = flat[inside[top]], inside[top]

    def fit(self, cell: int, k: int) -> Fit:
        """The best piece of kind `k` in a cell as the evidence now is."""
        y, x = divmod(int(self.places[cell, k]), self.cell_of.shape[1])
        at = transform([(float(x), float(y))], inverse(self.to_px))[0]
        angle = float(angles()[self.turned[k, : len(self.rectangles[k]), y, x].argmax()])
        return Fit(cell, k, (float(at[0]), float(at[1])), angle, float(self.best[k, y, x]))

    def spend(self, fit: Fit) -> None:
        """Take the pixels under a piece away from all others, and score its neighbourhood anew."""
        mask = patch(self.kinds[fit.kind], fit, self.camera, self.to_px, self.cell_of.shape)
        hidden = cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0
        x0, y0, x1, y1 = window = self._neighbourhood(fit, hidden)
        near = set(np.unique(self.cell_of[y0:y1, x0:x1]).tolist()) - {-1}
        there = hidden[y0:y1, x0:x1]
        for k, evidence in enumerate(self.evidence[:, y0:y1, x0:x1]):
            worth = there & (evidence > SPENT)
            if worth.any():
                evidence[worth] = SPENT
                if self.best[k, y0:y1, x0:x1].max(initial=HOPELESS) > HOPELESS:
                    self._score(k, *window)
                    self._refresh(k, near)

    def _neighbourhood(self, fit: Fit, hidden: NDArray[np.bool_]) -> tuple[int, int, int, int]:
        """The window of all places whose box may cover a hidden pixel: x and y from, x and y to."""
        tallest = max(kind.size[2] for kind in self.kinds)
        longest = max(float(np.hypot(*kind.size[:2])) for kind in self.kinds)
        at = np.array([fit.at])
        reach = longest / 2 + np.abs(raised(at, tallest, self.camera) - at)[0] + 1
        x0, y0, x1, y1 = bounds(hidden)
        if x0 == x1:
            return 0, 0, 0, 0
        across, along = np.ceil(reach * self.scale).astype(int).tolist()
        height, width = self.cell_of.shape
        return max(0, x0 - across), max(0, y0 - along), min(width, x1 + across), min(height, y1 + along)


def _pixels_of(cell_of: NDArray[np.int32], cells: int) -> list[NDArray[np.int64]]:
    """For each cell the flat indices of its pixels."""
    flat = cell_of.ravel()
    order = np.argsort(flat, kind="stable")
    edges = np.searchsorted(flat[order], np.arange(cells + 1))
    return [order[a:b] for a, b in pairwise(edges)]


def angles() -> NDArray[np.float64]:
    """The directions tried, radians; a box looks the same after half a turn."""
    return np.arange(DIRECTIONS) * np.pi / DIRECTIONS


def _rectangles(kind: Kind, scale: float) -> list[Float]:
    """A kind's footprint in every direction in which it looks different: a square one after a quarter turn not."""
    length, width, _ = kind.size
    different = DIRECTIONS // 2 if length == width else DIRECTIONS
    return [_rectangle(kind, angle, scale) for angle in angles()[:different]]


def _rectangle(kind: Kind, angle: float, scale: float) -> Float:
    """The mean over a kind's turned footprint as a convolution kernel; made four times finer, then averaged."""
    # A pixel reaches half its width beyond its middle. OpenCV is many times slower from 12 pixels on.
    side = 2 * int(np.ceil(np.hypot(*kind.size[:2]) * scale / 2 - 0.5)) + 1
    fine = np.zeros((side * 4, side * 4), np.uint8)
    box = cv2.boxPoints(
        (
            (side * 2 - 0.5, side * 2 - 0.5),
            (kind.size[0] * scale * 4, kind.size[1] * scale * 4),
            np.degrees(angle),
        )
    )
    cv2.fillConvexPoly(fine, np.rint(box).astype(np.int32), 1)
    kernel = cv2.resize(fine.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA)
    mean: Float = (kernel / kernel.sum()).astype(np.float32)
    return mean


def patch(
    kind: Kind, fit: Fit, camera: NDArray[np.float64], to_px: Matrix, shape: tuple[int, ...]
) -> NDArray[np.uint8]:
    """(height, width) uint8, 1 where the camera sees the box instead of the plane."""
    box = cv2.boxPoints(((0.0, 0.0), (kind.size[0], kind.size[1]), np.degrees(fit.angle))).astype(np.float64)
    base: Points = box + np.array(fit.at)
    outline = np.concatenate([base, raised(base, SOLID * kind.size[2], camera)])
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(transform(outline, to_px)).astype(np.int32)), 1)
    return mask


def under(mask: NDArray[np.uint8], speaks: NDArray[np.bool_], light: Float) -> Float:
    """(n, 3): the pixels of `light` (height, width, 3) under a `patch` that also speak for it."""
    x0, y0, x1, y1 = bounds(mask)
    window = np.s_[y0:y1, x0:x1]
    return light[window][(mask[window] > 0) & speaks[window]]


@dataclass(frozen=True, eq=False)
class Sharing:
    """How the evidence was shared out.

    `scores` (cells, kinds) are those of the pieces taken, and for the rest what the best place left over
    scores; `margins` (cells, kinds) tell by how much a piece beat the nearest rival for the same pixels, and
    for the losers, negative, by how much they were beaten; infinite where there was no contest.
    """

    scores: NDArray[np.float64]
    margins: NDArray[np.float64]


def fit_pieces(fitter: Fitter, enough: float) -> Sharing:
    """Share the evidence out, the piece that explains most first, while pieces score at least `enough`."""
    taken: list[Fit] = []
    free = np.ones(fitter.allowed.shape, bool)
    margins = np.full(fitter.allowed.shape, np.inf)
    while True:
        open_tops = np.where(free & (fitter.tops >= enough), fitter.tops * fitter.areas, -np.inf)
        cell, k = (int(i) for i in np.unravel_index(open_tops.argmax(), open_tops.shape))
        if open_tops[cell, k] == -np.inf:
            break
        fit = fitter.fit(cell, k)
        free[cell, k] = False
        fitter.spend(fit)
        taken.append(fit)
        _contest(margins, fit, free, open_tops, fitter)
    scores = fitter.tops.astype(np.float64)
    for fit in taken:
        scores[fit.cell, fit.kind] = fit.score
    return Sharing(scores, margins)


def clear_pieces(fitter: Fitter, enough: float) -> list[Fit]:
    """The pieces that stand out, without sharing anything out: quick, and good enough to learn from."""
    cells, kinds = np.nonzero(fitter.tops >= enough)
    found = sorted(
        (fitter.fit(int(c), int(k)) for c, k in zip(cells, kinds, strict=True)), key=lambda f: -f.score
    )
    clear: list[Fit] = []
    for fit in found:
        if all(
            np.hypot(fit.at[0] - other.at[0], fit.at[1] - other.at[1]) > TEACH_APART_MM for other in clear
        ):
            clear.append(fit)
    return clear


def _contest(
    margins: NDArray[np.float64],
    won: Fit,
    free: NDArray[np.bool_],
    before: NDArray[np.float64],
    fitter: Fitter,
) -> None:
    """Note who lost the pixels that `won` took: their totals `before` shrank, and by how much they were behind."""
    lost = free & np.isfinite(before) & (fitter.tops * fitter.areas < before - LOSS * fitter.areas)
    behind = (before[won.cell, won.kind] - before[lost]) / fitter.areas[won.kind]
    margins[lost] = np.where(np.isinf(margins[lost]), -behind, np.maximum(margins[lost], -behind))
    if behind.size:
        margins[won.cell, won.kind] = min(margins[won.cell, won.kind], float(behind.min()))
