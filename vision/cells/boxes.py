"""The plain reader of the map: boxes of a train's size fitted to the plain evidence, the clearest first.

Nothing here was taught but the kinds' colours, if photos of the table have taught them. The photo itself teaches them
exactly: each kind has a home cell where a piece of it always stands, and pieces are found with widened colours first.
"""

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from .colours import Colours, Float, split
from .evidence import BIG_MM, ENOUGH, FIRST_SPREAD, OWN_PRINT, TEACHES, Evidence, cannot_be_print
from .fitting import UNKNOWN, Fitter, Sharing, clear_pieces, fit_pieces
from .odds import Odds, probability
from .pixels import PLAINLY_PRINT, Print, learn_colours, own_print, wood_odds
from .shapes import disc
from .sight import SCALE, Sight, cell_map

# Pixels per mm at which boxes are fitted, and at which big things are found.
FIT_SCALE, BIG_SCALE = 0.5, 0.4
# What hangs this near on a hand or a mug is part of it.
HANGS_ON_MM = 18.0
# Score of a fitted piece → log odds that it is there.
STEEPNESS, MIDDLE, CONTEST = 4.5, 0.15, 6.0


def box_odds(sight: Sight) -> Odds:
    """(cells, kinds) float64: the log odds of a piece of that kind in that cell."""
    evidence = MapEvidence(sight)
    colours = evidence.colours_by_homes()
    wood = evidence.wood(colours, FIRST_SPREAD)
    pieces = clear_pieces(evidence.fitter(wood), TEACHES)
    colours = evidence.learnt(pieces, wood, colours)
    evidence.learn_shade(pieces)
    found = fit_pieces(evidence.fitter(evidence.wood(colours), colours), ENOUGH)
    p = np.clip(confidence(found), 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)), np.float64)


def confidence(found: Sharing) -> NDArray[np.float64]:
    """(cells, kinds) float64 in [0, 1]: scores and margins over rivals as probabilities."""
    there = probability(STEEPNESS * (found.scores - MIDDLE))
    contest = probability(CONTEST * found.margins)
    lost = np.where(found.margins < 0, contest, 0.0)
    return np.maximum(there * np.where(found.margins < 0, 1.0, contest), lost)


class MapEvidence(Evidence):
    """The evidence of one sight of a map. Trains are large enough for boxes to be fitted at a coarser scale."""

    SHADOW_MM, SPEAKS = 24.0, -1.0

    def __init__(self, sight: Sight) -> None:
        print_ = Print(sight.light, sight.reference)
        super().__init__(sight, print_, _big_things(cannot_be_print(print_)))
        self.coarse = sight.surface.frame(FIT_SCALE)

    @property
    def changed(self) -> NDArray[np.bool_]:
        """As of any evidence, in cells only: what lies beside the map teaches nothing."""
        return super().changed & (self.sight.cell_of >= 0)

    def colours_by_homes(self) -> Colours:
        """The kinds' colours, as `split`, their chromas drawn towards what stands in the home cells."""
        changed, homes = self.changed, [(k, kind.home) for k, kind in enumerate(self.kinds)]
        shown = (
            (k, self.sight.light[changed & (self.sight.cell_of == home)])
            for k, home in homes
            if home is not None
        )
        return learn_colours(shown, self.first_colours(), slice(1, 3))

    def wood(self, colours: Colours, spread: float = 1.0) -> Float:
        """(kinds, height, width) float32: how much each pixel speaks for each kind, in log odds."""
        return wood_odds(self.sight.light, self.for_print, colours, spread)

    def fitter(self, wood: Float, colours: Colours | None = None) -> Fitter:
        """All evidence at the scale of fitting.

        With the kinds' `colours`, print of a kind's own colour says little against it.
        """
        layers = np.stack([self._small(layer) for layer in wood])
        if colours is not None:
            print_, same = self._small_print, self._looks_like_print()
            for layer, colour in zip(layers, colours, strict=True):
                layer[same & own_print(print_, colour)] = OWN_PRINT
        cell_of, to_px = self._small_cells, self.coarse.to_px
        return Fitter(layers, cell_of, to_px, self.sight.camera, self.kinds, self.allowed)

    def _small(self, layer: Float) -> Float:
        """Evidence at the scale of fitting; nothing speaks where the board is covered."""
        known = np.where(self.covered, UNKNOWN, layer)
        return cv2.resize(known, self.coarse.size, interpolation=cv2.INTER_AREA).astype(np.float32)

    @cached_property
    def _small_cells(self) -> NDArray[np.int32]:
        """`cell_of` at the scale of fitting."""
        return cell_map(self.surface, self.coarse)

    @cached_property
    def _small_print(self) -> Float:
        """The reference as `split` at the scale of fitting."""
        small = cv2.resize(self.sight.reference, self.coarse.size, interpolation=cv2.INTER_AREA)
        return split(small.astype(np.float32))

    def _looks_like_print(self) -> NDArray[np.bool_]:
        """(height, width) bool, at the scale of fitting."""
        same = (self.for_print > PLAINLY_PRINT).astype(np.float32)
        return cv2.resize(same, self.coarse.size, interpolation=cv2.INTER_AREA) > 0.5


def _big_things(changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What lies on the board and is too big for a piece, (height, width) bool; found at a coarse scale."""
    shrink = BIG_SCALE / SCALE
    small = cv2.resize(changed.astype(np.float32), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    solid = cv2.morphologyEx((small > 0.5).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    core = cv2.morphologyEx(solid, cv2.MORPH_OPEN, disc(BIG_MM * BIG_SCALE))
    near = cv2.min(cv2.dilate(core, disc(2 * HANGS_ON_MM * BIG_SCALE)), solid)
    whole = cv2.dilate(cv2.max(near, core), np.ones((3, 3), np.uint8))
    return cv2.resize(whole, changed.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
