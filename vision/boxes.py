"""The plain reader: what is not print, whose wood it could be, and boxes fitted to it.

    what is not print? → hands and mugs → whose wood? → boxes of a piece's size, the clearest first

Nothing here was taught. The kinds' colours are learnt from the photo itself: each kind has a home cell where a
piece of it always stands, and the pieces found with widened colours teach the exact ones.
"""

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.surface import Kind

from .colours import Colours, Float, split
from .light import Log
from .odds import probability
from .pieces import Fit, Fitter, Sharing, clear_pieces, fit_pieces, patch, under
from .pixels import (
    CHANGED,
    SAME,
    Print,
    Shade,
    evidence,
    kind_colours,
    learn_colours,
    learn_shade,
    own_print,
)
from .shapes import disc
from .sight import SCALE, Sight, cell_map

FIT_SCALE = 0.5
# Colours are first looked for this much more widely than wood varies once they are learnt.
LEARNING = 1.4
TEACHES, ENOUGH = 0.3, 0.0
# What a pixel says, in log odds, where the board is covered, and where the print has the piece's own colour.
UNKNOWN, OWN_PRINT = -0.5, -0.8
# What holds a disc of this diameter and is not print is a hand or a mug, and so is what hangs on it.
BIG_MM, HANGS_ON_MM = 36.0, 18.0
DEEP_SHADE = Shade(depth=1.0)
# Shadows are looked for this near to pieces.
SHADOW_MM = 24.0
# Score of a fitted piece → log odds that it is there.
STEEPNESS, MIDDLE, CONTEST = 4.5, 0.15, 6.0


def box_odds(sight: Sight) -> NDArray[np.float64]:
    """(cells, kinds) float64: the log odds of a piece of that kind in that cell."""
    boxes = Boxes(sight)
    kinds = sight.surface.kinds
    assumed = kind_colours(kinds, sight.white)
    at_home = (
        (k, sight.light[boxes.changed & (sight.cell_of == kind.home)])
        for k, kind in enumerate(kinds)
        if kind.home is not None
    )
    colours = learn_colours(at_home, assumed, slice(1, 3))
    wood = evidence(sight.light, boxes.for_print, colours, LEARNING)
    pieces = clear_pieces(boxes.fitter(wood), TEACHES)
    colours = boxes.learnt(pieces, wood, colours)
    boxes.learn_shade(pieces)
    found = fit_pieces(boxes.fitter(evidence(sight.light, boxes.for_print, colours), colours), ENOUGH)
    p = np.clip(_with_homes(kinds, confidence(found)), 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)), np.float64)


def _with_homes(kinds: tuple[Kind, ...], found: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is certain of home cells without looking."""
    for k, kind in enumerate(kinds):
        if kind.home is not None:
            found[kind.home] = 0.001
            found[kind.home, k] = 0.999
    return found


def confidence(found: Sharing) -> NDArray[np.float64]:
    """(cells, kinds) float64 in [0, 1]: scores and margins over rivals as probabilities."""
    there = probability(STEEPNESS * (found.scores - MIDDLE))
    contest = probability(CONTEST * found.margins)
    lost = np.where(found.margins < 0, contest, 0.0)
    return np.maximum(there * np.where(found.margins < 0, 1.0, contest), lost)


class Boxes:
    """The evidence of one sight; computed once, step by step."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.coarse = sight, sight.surface.frame(FIT_SCALE)
        self.prints = Print(sight.light, sight.reference)
        self.for_print = self.prints.likelihood(Shade())
        not_even_shadow = self.prints.likelihood(DEEP_SHADE) < CHANGED
        self.covered = ~sight.visible | _big_things(not_even_shadow, SCALE)
        self.changed = (self.for_print < CHANGED) & ~self.covered & (sight.cell_of >= 0)

    def fitter(self, wood: Float, colours: Colours | None = None) -> Fitter:
        """All evidence at the scale of fitting.

        With the kinds' `colours`, print of a kind's own colour says little against it.
        """
        kinds = self.sight.surface.kinds
        allowed = np.ones((len(self.sight.surface.cells), len(kinds)), bool)
        same = self.same_small
        own = [
            None if colours is None else same & own_print(self.print_small, colours[k])
            for k in range(len(kinds))
        ]
        layers = [self._small(layer, mine) for layer, mine in zip(wood, own, strict=True)]
        return Fitter(
            np.stack(layers), self.coarse_cells, self.coarse.to_px, self.sight.camera, kinds, allowed
        )

    @cached_property
    def coarse_cells(self) -> NDArray[np.int32]:
        """`cell_of` at the scale of fitting."""
        return cell_map(self.sight.surface, self.coarse)

    def _small(self, layer: Float, own: NDArray[np.bool_] | None = None) -> Float:
        """Evidence at the scale of fitting; nothing speaks where the board is covered, little on `own` print."""
        small = cv2.resize(
            np.where(self.covered, UNKNOWN, layer), self.coarse.size, interpolation=cv2.INTER_AREA
        )
        return small.astype(np.float32) if own is None else np.where(own, OWN_PRINT, small).astype(np.float32)

    @cached_property
    def print_small(self) -> Float:
        """The reference as `split` at the scale of fitting."""
        small = cv2.resize(self.sight.reference, self.coarse.size, interpolation=cv2.INTER_AREA)
        return split(small.astype(np.float32))

    @property
    def same_small(self) -> NDArray[np.bool_]:
        """(height, width) bool: looks like print, at the scale of fitting."""
        same = (self.for_print > SAME).astype(np.float32)
        return cv2.resize(same, self.coarse.size, interpolation=cv2.INTER_AREA) > 0.5

    def learnt(self, pieces: list[Fit], wood: Float, colours: Colours) -> Colours:
        """The colours that these pieces show, by the pixels that speak for them in `wood`."""
        speaks = [self.changed & (layer > -1) for layer in wood]

        def shown(fit: Fit) -> Log:
            mask = self._patch(self.sight.surface.kinds[fit.kind], fit)
            return under(mask, speaks[fit.kind], self.sight.light)

        return learn_colours(((fit.kind, shown(fit)) for fit in pieces), colours)

    def _patch(self, kind: Kind, fit: Fit) -> NDArray[np.uint8]:
        return patch(kind, fit, self.sight.camera, self.sight.frame.to_px, self.changed.shape)

    def learn_shade(self, pieces: list[Fit]) -> None:
        """Learn the colour of shadows beside the pieces found, and weigh all print anew."""
        taken = np.zeros(self.changed.shape, np.uint8)
        for fit in pieces:
            taken |= self._patch(self.sight.surface.kinds[fit.kind], fit)
        reach = cv2.dilate(taken, disc(SHADOW_MM * SCALE)) > 0
        beside = reach & (cv2.dilate(taken, disc(3 * SCALE)) == 0) & ~self.covered
        self.for_print = self.prints.likelihood(learn_shade(self.prints, beside))


def _big_things(changed: NDArray[np.bool_], scale: float) -> NDArray[np.bool_]:
    """What lies on the board and is too big for a piece, (height, width) bool; found at a coarse scale."""
    shrink = 0.4 / scale
    small = cv2.resize(changed.astype(np.float32), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    solid = cv2.morphologyEx((small > 0.5).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    core = cv2.morphologyEx(solid, cv2.MORPH_OPEN, disc(BIG_MM * 0.4))
    near = cv2.min(cv2.dilate(core, disc(2 * HANGS_ON_MM * 0.4)), solid)
    whole = cv2.dilate(cv2.max(near, core), np.ones((3, 3), np.uint8))
    return cv2.resize(whole, changed.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
