"""Reading a registered photo: for every cell and kind of piece, how probable it is that one stands there.

    straighten → bring into the reference's light → what is not print? → hands and mugs → whose wood? → pieces

The kinds' colours are learnt from the photo itself: each kind has a home cell where a piece of it always
stands, and the pieces found with widened colours teach the exact ones.
"""

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.photo import Pixels
from calibration.register import Registration
from calibration.surface import Frame, Kind, Matrix, Surface, inverse, transform

from .light import Log, local_gain, to_log
from .pieces import Fit, Fitter, Sharing, clear_pieces, fit_pieces, patch
from .pixels import (
    CHANGED,
    SAME,
    Colours,
    Float,
    Print,
    Shade,
    card_evidence,
    evidence,
    kind_colours,
    learn_colours,
    learn_shade,
    own_print,
    paper_white,
    split,
)
from .pose import camera_position

PIXEL_SCALE, FIT_SCALE = 1.0, 0.5
# The colours are first looked for this much more widely than wood varies once they are learnt.
LEARNING = (1.4,)
TEACHES, ENOUGH, CARD_ENOUGH = 0.3, 0.0, -0.3
# What a pixel says, in log odds, where the board is covered, and where the print has the piece's own colour.
UNKNOWN, OWN_PRINT = -0.5, -0.8
Probabilities = NDArray[np.float64]
# What holds a disc of this diameter and is not print is a hand or a mug, and so is what hangs on it.
BIG_MM, HANGS_ON_MM = 36.0, 18.0
HIDDEN_SHARE = 0.3
DEEP_SHADE = Shade(depth=1.0)
# Shadows are looked for this near to pieces.
SHADOW_MM = 24.0
# Score of a fitted piece → log odds that it is there (see docs on calibration of confidence).
STEEPNESS, MIDDLE, CONTEST = 4.5, 0.15, 6.0


@dataclass(frozen=True, eq=False)
class Reading:
    """What one photo shows. All probabilities are float64 in [0, 1].

    `probability` (cells, kinds) of a piece in a cell; `bare` and `beside_card` the same if no card lies in the
    cell and if one does; `card` (cells,) of a card. `seen` (cells,) bool, `pieces` the boxes behind it, `camera`
    where the photo was taken from, mm in the plane's frame.
    """

    probability: Probabilities
    bare: Probabilities
    beside_card: Probabilities
    card: Probabilities
    seen: NDArray[np.bool_]
    pieces: list[Fit]
    camera: NDArray[np.float64]


def read_cells(photo: Pixels, registration: Registration, surface: Surface) -> NDArray[np.float64]:
    """(cells, kinds) float64 in [0, 1]: the probability that a piece of that kind stands in that cell.

    `photo` (H, W, 3) uint8 BGR; `registration` as `calibration.register` gave it for this photo. A cell that
    cannot be seen gets what is known without looking; `examine` tells which those are.
    """
    return examine(photo, registration, surface).probability


def examine(
    photo: Pixels,
    registration: Registration,
    surface: Surface,
    focal: float | None = None,
    known: Collection[tuple[int, int]] = (),
) -> Reading:
    """Read a photo with everything that is found on the way; `focal` in px of the photo where known.

    `known` are (cell, kind) where a piece is known to stand; alone in their cell, they teach the colours.
    """
    sight = Sight(photo, registration, surface, focal)
    assumed = kind_colours(surface.kinds, sight.white)
    teachers = [*((kind.home, k) for k, kind in enumerate(surface.kinds) if kind.home is not None), *known]
    owner = sight.owner(teachers)[sight.changed]
    colours = learn_colours(sight.light[sight.changed], owner, assumed, slice(1, 3))
    for spread in LEARNING:
        wood = evidence(sight.light, sight.for_print, colours, spread)
        pieces = clear_pieces(sight.fitter(wood), TEACHES)
        colours = sight.learnt(pieces, wood, colours)
        sight.learn_shade(pieces)
    return _weighed(sight, colours)


def _weighed(sight: "Sight", colours: Colours) -> Reading:
    """The final reading: the pieces with no cards on the table, and with one wherever one can be."""
    kinds = sight.surface.kinds
    wood = evidence(sight.light, sight.for_print, colours)
    fitter = sight.fitter(wood, colours)
    if sight.surface.card is None:
        jobs: list[tuple[Fitter, int | None]] = [(fitter, None)]
    else:
        jobs = [(fitter.without(len(kinds)), None), (fitter, len(kinds))]
    # OpenCV works outside Python's lock, so the two go on at once.
    with ThreadPoolExecutor(len(jobs)) as pool:
        shared = list(pool.map(lambda job: fit_pieces(job[0], ENOUGH, job[1], CARD_ENOUGH), jobs))
    found = shared[-1]
    bare = beside = _with_homes(kinds, confidence(shared[0]))
    card = np.zeros(len(bare))
    if sight.surface.card is not None:
        with_cards = confidence(found)
        beside, card = _with_homes(kinds, with_cards[:, :-1]), with_cards[:, -1]
        beside = np.where(sight.surface.card_cells[:, None], beside, bare)
    mixed = bare + card[:, None] * (beside - bare)
    return Reading(mixed, bare, beside, card, sight.seen, found.pieces, sight.camera)


def _with_homes(kinds: tuple[Kind, ...], probability: Probabilities) -> Probabilities:
    """What is certain of home cells without looking."""
    for k, kind in enumerate(kinds):
        if kind.home is not None:
            probability[kind.home] = 0.001
            probability[kind.home, k] = 0.999
    return probability


def confidence(found: Sharing) -> NDArray[np.float64]:
    """(cells, kinds) float64 in [0, 1]: scores and margins over rivals as probabilities."""
    there = _logistic(STEEPNESS * (found.scores - MIDDLE))
    contest = _logistic(CONTEST * found.margins)
    lost = np.where(found.margins < 0, contest, 0.0)
    return np.maximum(there * np.where(found.margins < 0, 1.0, contest), lost)


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    y: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(x, -30, 30)))
    return y


class Sight:
    """One photo, straightened and brought into the reference's light; computed once, step by step."""

    def __init__(
        self, photo: Pixels, registration: Registration, surface: Surface, focal: float | None
    ) -> None:
        self.surface = surface
        self.frame = surface.frame(PIXEL_SCALE)
        self.coarse = surface.frame(FIT_SCALE)
        plane_to_photo = registration.plane_to_photo(surface)
        size = (photo.shape[1], photo.shape[0])
        self.camera = camera_position(plane_to_photo, size, focal)
        self.reference = to_log(_as_photographed(surface, plane_to_photo, size, self.frame))
        self.visible = self.frame.warp(np.full_like(photo, 255), plane_to_photo)[..., 0] > 0
        seen = to_log(self.frame.warp(photo, plane_to_photo))
        self.light: Log = seen - local_gain(seen, self.reference, self.visible, PIXEL_SCALE)
        self.prints = Print(self.light, self.reference)
        self.for_print = self.prints.likelihood(Shade())
        self.white = (
            paper_white(self.reference[self.visible]) if self.visible.any() else np.zeros(3, np.float32)
        )
        not_even_shadow = self.prints.likelihood(DEEP_SHADE) < CHANGED
        self.covered = ~self.visible | _big_things(not_even_shadow, PIXEL_SCALE)
        self.changed = (self.for_print < CHANGED) & ~self.covered & (self.cell_of >= 0)

    @cached_property
    def cell_of(self) -> NDArray[np.int32]:
        """(height, width) int32: the cell each pixel lies in, else -1."""
        return _cell_map(self.surface, self.frame)

    def owner(self, known: Collection[tuple[int, int]]) -> NDArray[np.int64]:
        """(height, width): the kind of the one piece known to stand in the cell of a pixel, else -1."""
        cells = [cell for cell, _ in known]
        kind_of = np.full(len(self.surface.cells) + 1, -1)
        for cell, kind in known:
            if cells.count(cell) == 1 and not self.surface.card_cells[cell]:
                kind_of[cell] = kind
        owners: NDArray[np.int64] = kind_of[self.cell_of]
        return owners

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """(cells,) bool: not hidden and not outside the photo."""
        inside = self.cell_of >= 0
        cells = len(self.surface.cells)
        covered = np.bincount(self.cell_of[inside & self.covered], minlength=cells)
        whole = np.bincount(self.cell_of[inside], minlength=cells)
        few: NDArray[np.bool_] = covered <= HIDDEN_SHARE * whole
        return few

    def fitter(self, wood: Float, colours: Colours | None = None) -> Fitter:
        """All evidence at the scale of fitting; a card, where there may be one, is the last kind.

        With the kinds' `colours`, print of a kind's own colour says little against it.
        """
        kinds = list(self.surface.kinds)
        allowed = np.ones((len(self.surface.cells), len(kinds)), bool)
        same = self.same_small
        own = [
            None if colours is None else same & own_print(self.reference_small, colours[k])
            for k in range(len(kinds))
        ]
        layers = [self._small(layer, mine) for layer, mine in zip(wood, own, strict=True)]
        if self.surface.card is not None:
            kinds.append(self.surface.card)
            allowed = np.column_stack([allowed, self.surface.card_cells])
            layers.append(self._small(self.card()))
        return Fitter(np.stack(layers), self.coarse_cells, self.coarse.to_px, self.camera, kinds, allowed)

    @cached_property
    def coarse_cells(self) -> NDArray[np.int32]:
        """`cell_of` at the scale of fitting."""
        return _cell_map(self.surface, self.coarse)

    def _small(self, layer: Float, own: NDArray[np.bool_] | None = None) -> Float:
        """Evidence at the scale of fitting; nothing speaks where the board is covered, little on `own` print."""
        small = cv2.resize(
            np.where(self.covered, UNKNOWN, layer), self.coarse.size, interpolation=cv2.INTER_AREA
        )
        return small.astype(np.float32) if own is None else np.where(own, OWN_PRINT, small).astype(np.float32)

    @cached_property
    def reference_small(self) -> Log:
        """The reference at the scale of fitting."""
        return cv2.resize(self.reference, self.coarse.size, interpolation=cv2.INTER_AREA).astype(np.float32)

    @property
    def same_small(self) -> NDArray[np.bool_]:
        """(height, width) bool: looks like print, at the scale of fitting."""
        same = (self.for_print > SAME).astype(np.float32)
        return cv2.resize(same, self.coarse.size, interpolation=cv2.INTER_AREA) > 0.5

    @cached_property
    def _card_place(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """(height, width) bool each: where a card may lie, and where the print there is white."""
        where = np.append(self.surface.card_cells, False)[self.cell_of]
        near = cv2.dilate(where.astype(np.uint8), _disc(9)) > 0
        return near, own_print(self.reference, split(self.white))

    def card(self) -> Float:
        """The evidence for card."""
        near, white_print = self._card_place
        return card_evidence(self.light, white_print, self.for_print, self.white, near)

    def learnt(self, pieces: list[Fit], wood: Float, colours: Colours) -> Colours:
        """The colours that these pieces show, by the pixels that speak for them in `wood`."""
        pixels, owner = [np.zeros((0, 3), np.float32)], [np.zeros(0, np.int64)]
        for fit in pieces:
            if fit.kind < len(colours):
                kind = self.surface.kinds[fit.kind]
                mask = patch(kind, fit, self.camera, self.frame.to_px, self.changed.shape) > 0
                mask &= self.changed & (wood[fit.kind] > -1)
                pixels.append(self.light[mask])
                owner.append(np.full(int(mask.sum()), fit.kind))
        return learn_colours(np.concatenate(pixels), np.concatenate(owner), colours)

    def learn_shade(self, pieces: list[Fit]) -> None:
        """Learn the colour of shadows beside the pieces found, and weigh all print anew."""
        kinds = [*self.surface.kinds, self.surface.card]
        taken = np.zeros(self.changed.shape, np.uint8)
        for fit in pieces:
            if (kind := kinds[fit.kind]) is not None:
                taken |= patch(kind, fit, self.camera, self.frame.to_px, taken.shape)
        reach = cv2.dilate(taken, _disc(SHADOW_MM * PIXEL_SCALE)) > 0
        beside = reach & (cv2.dilate(taken, _disc(3 * PIXEL_SCALE)) == 0) & ~self.covered
        self.shade = learn_shade(self.prints, beside)
        self.for_print = self.prints.likelihood(self.shade)


def _as_photographed(surface: Surface, plane_to_photo: Matrix, size: tuple[int, int], frame: Frame) -> Pixels:
    """The reference as this photo's pixels would show it: through the photo and back, as sharp as it is."""
    homography = plane_to_photo @ inverse(surface.plane_to_image)
    there = cv2.warpPerspective(surface.reference, homography, size, flags=cv2.INTER_LINEAR)
    return frame.warp(there.astype(np.uint8), plane_to_photo)


def _cell_map(surface: Surface, frame: Frame) -> NDArray[np.int32]:
    cell_of = np.full(frame.size[::-1], -1, np.int32)
    for i, cell in enumerate(surface.cells):
        cv2.fillConvexPoly(cell_of, np.rint(transform(cell.outline, frame.to_px)).astype(np.int32), i)
    return cell_of


def _big_things(changed: NDArray[np.bool_], scale: float) -> NDArray[np.bool_]:
    """What lies on the board and is too big for a piece, (height, width) bool; found at a coarse scale."""
    shrink = 0.4 / scale
    small = cv2.resize(changed.astype(np.float32), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    solid = cv2.morphologyEx((small > 0.5).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    core = cv2.morphologyEx(solid, cv2.MORPH_OPEN, _disc(BIG_MM * 0.4))
    near = cv2.min(cv2.dilate(core, _disc(2 * HANGS_ON_MM * 0.4)), solid)
    whole = cv2.dilate(cv2.max(near, core), np.ones((3, 3), np.uint8))
    return cv2.resize(whole, changed.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0


def _disc(diameter: float) -> NDArray[np.uint8]:
    side = int(diameter) | 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)).astype(np.uint8)
