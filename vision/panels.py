"""Reading boards of tracks and areas: which marker stands on which space, how many pieces lie in an area.

The same evidence as for the map (what is not print, and whose wood it is), the same boxes fitted to it and the same
network, but far more is known beforehand: a marker stands on one space of its track, so the spaces compete with each
other. The clearest piece of the whole board is taken first and its pixels are spent, so that of two markers on one
space each is seen by what is left of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.photo import Pixels
from calibration.register import Registration
from calibration.surface import Kind, Surface
from engine.mini_express.names import RESERVOIR_SIZE

from .colours import Colours, Float, as_log, assumed_colours, split
from .glare import without_glare
from .light import Log
from .panel_network import Opinion, second_opinion, sort_of
from .pieces import Fit, Fitter, patch, under
from .pixels import (
    CHANGED,
    Print,
    Shade,
    evidence,
    learn_colours,
    learn_shade,
    own_print,
)
from .shapes import disc
from .sight import Sight

SCALE = 1.5
"""Pixels per mm: markers are smaller than trains."""
# What a pixel says, in log odds, where the board is covered, and at most on print of the piece's own colour.
UNKNOWN, OWN_PRINT = -0.5, -0.8
# Colours are first looked for this much more widely, and pieces tried from this score on; those teach that score
# well, or this much better than on any other space.
FIRST_SPREAD, TRY, TEACHES, STANDS_OUT = 1.4, -2.5, 0.3, 1.5
ENOUGH = 0.0
# A thing wider than any piece by this factor, and than a few markers together, is a hand or a mug.
WIDER, BIG_MM, HIDDEN_SHARE = 1.4, 36.0, 0.4
# Paint is glossy: it mirrors this share of the light around. What goes on over so many lengths of a piece is light.
PAINTED, GLOSS, BEYOND = ("influence", "company"), 0.04, 2.0
# What a pixel that cannot be print, not even in a shadow this deep, says for a piece of any colour, and what others do.
DEEP, NO_PRINT, MAYBE_PRINT = 1.0, 2.0, -2.0
# Markers that score at least this on all influence tracks, so far from those found, are of a colour unknown.
STRANGE, BESIDE_MM = 0.4, 2.0
# Wood does not go through wood: what would share more of its footprint than this is a remainder of the other.
OVERLAP = 0.2
SHADOW_MM, RIM_MM = 16.0, 3.0


@dataclass(frozen=True)
class Place:
    """Where pieces of a kind can be: a track, an area, or all areas of one marker; indices of a surface.

    `name` is the track's or the area's, `most` how many such pieces can be there.
    """

    name: str
    cells: tuple[int, ...]
    kind: int
    most: int = 1


@dataclass(eq=False)
class Look:
    """What was found of one kind at one place: the pieces taken, clearest first, and what the cells scored.

    `scores` (cells,) float64 are from before the first piece was taken; `left` is what the best place scored
    after the last one. A score is the mean log odds of the pixels that the piece would cover.
    """

    place: Place
    pieces: list[Fit] = field(default_factory=list)
    scores: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    left: float = -np.inf

    def teachers(self) -> list[Fit]:
        """The piece that shows the kind's colour, if one does."""
        second = float(np.sort(self.scores)[-2]) if len(self.scores) > 1 else np.inf
        return [fit for fit in self.pieces[:1] if fit.score > min(TEACHES, second + STANDS_OUT)]


@dataclass(frozen=True, eq=False)
class PanelReading:
    """What one photo shows of a panel: a look for every place, and for every cell whether it was `seen`
    ((cells,) bool) and the share of it that is not print ((cells,) float64). `opinion` is the network's. `strange` are
    the cells, one on each track, in which markers of a colour seem to stand that is none of the kinds'.
    """

    surface: Surface
    looks: list[Look]
    opinion: Opinion
    seen: NDArray[np.bool_]
    changed: NDArray[np.float64]
    strange: tuple[int, ...] = ()


def read_panel(
    photo: Pixels, registration: Registration, surface: Surface, focal: float | None = None
) -> PanelReading:
    """Read a registered photo, (H, W, 3) uint8 BGR; `focal` in its px where known."""
    panel = panel_of(photo, registration, surface, focal)
    colours, places = panel.assumed_colours(), places_of(surface)
    wood = panel.wood(colours, FIRST_SPREAD)
    first = share_out(panel.fitter(wood, colours), [replace(place, most=1) for place in places], TRY)
    teachers = [fit for look in first for fit in look.teachers()]
    colours = panel.learnt(teachers, wood, colours)
    panel.learn_shade(teachers)
    looks = share_out(panel.fitter(panel.wood(colours), colours), places)
    opinion = second_opinion(photo, registration.plane_to_photo(surface), surface, focal)
    return PanelReading(surface, looks, opinion, panel.seen, panel.changed, strange_markers(panel, looks))


def panel_of(photo: Pixels, registration: Registration, surface: Surface, focal: float | None) -> "Panel":
    """The evidence of a registered photo; parameters as of `read_panel`."""
    return Panel(Sight(photo, registration.plane_to_photo(surface), surface, focal, SCALE))


def places_of(surface: Surface) -> list[Place]:
    """Every track and area with each kind that can be there; a company marker is in one area of all."""
    rows: dict[str, list[int]] = {}
    for i, cell in enumerate(surface.cells):
        sort, *rest = str(cell.id).split("/")
        name = "/".join([sort, *rest[:-1]]) if rest and rest[-1].isdigit() else str(cell.id)
        rows.setdefault("company" if sort == "company" else name, []).append(i)
    return [
        Place(name, tuple(cells), k, RESERVOIR_SIZE if name.startswith("reservoir") else 1)
        for name, cells in rows.items()
        if not name.startswith("offer")
        for k, kind in enumerate(surface.kinds)
        if kind.may_be_in(surface.cells[cells[0]].id)
    ]


class Panel:
    """The evidence of one photo of a panel."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.kinds, self.surface = sight, sight.surface.kinds, sight.surface
        self.clear = without_glare(sight.light, sight.reference, SCALE)
        self.print = Print(self.clear, sight.reference)
        self.for_print = self.print.likelihood(Shade())
        self.covered = ~sight.visible | self._big_things()

    def _big_things(self) -> NDArray[np.bool_]:
        """(height, width) bool: what is wider than pieces are, and what hangs on it; strong glare too."""
        changed = Print(self.sight.light, self.sight.reference).likelihood(Shade(depth=1.0)) < CHANGED
        widest = max(min(kind.size[:2]) for kind in self.kinds)
        side = round(max(BIG_MM, WIDER * widest) * SCALE)
        core = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, disc(side))
        near = cv2.dilate(core, disc(side // 2)) > 0
        return (core > 0) | (near & changed)

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """(cells,) bool: not hidden and not outside the photo."""
        return self._share(self.covered) <= HIDDEN_SHARE

    @property
    def changed(self) -> NDArray[np.float64]:
        """(cells,) float64: the share of each cell that is neither print nor a shadow like those beside pieces."""
        return self._share(self.for_print < CHANGED)

    def _share(self, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        cells, inside = len(self.surface.cells), self.sight.cell_of >= 0
        whole = np.bincount(self.sight.cell_of[inside], minlength=cells)
        part = np.bincount(self.sight.cell_of[inside & mask], minlength=cells)
        share: NDArray[np.float64] = part / np.maximum(whole, 1)
        return share

    def _painted(self, log: Log, on: str) -> Log:
        """Log light with the gloss of paint added: without it the dark channels of a strong colour run wild."""
        if sort_of(on) not in PAINTED:
            return log
        return np.log(np.exp(log) + GLOSS * np.exp(self.sight.white)).astype(np.float32)

    @cached_property
    def _prints(self) -> dict[str, Float]:
        """The print as `split`, with the gloss that the pieces of each place have."""
        places = {kind.on for kind in self.kinds}
        return {on: split(self._painted(self.sight.reference, on)) for on in places}

    def assumed_colours(self) -> Colours:
        """The colours the kinds have according to the profile and what photos have taught it."""
        logs = as_log(assumed_colours(self.surface), self.sight.white)
        return split(np.array([self._painted(log, k.on) for log, k in zip(logs, self.kinds, strict=True)]))

    def wood(self, colours: Colours, spread: float = 1.0) -> Float:
        """(kinds, height, width) float32: how much each pixel speaks for each kind; kinds of one place compete.

        Glare lies on the level top of a piece as on the print, and not on its sides: the better of both counts.
        """
        odds = np.empty((len(self.kinds), *self.for_print.shape), np.float32)
        for on in {kind.on for kind in self.kinds}:
            group = [k for k, kind in enumerate(self.kinds) if kind.on == on]
            lights = (self._painted(log, on) for log in (self.sight.light, self.clear))
            odds[group] = np.maximum(
                *(evidence(light, self.for_print, colours[group], spread) for light in lights)
            )
        for k, kind in enumerate(self.kinds):
            side = round(BEYOND * max(kind.size[:2]) * SCALE)
            odds[k] -= np.maximum(cv2.blur(odds[k], (side, side)), 0)
        return odds

    def fitter(self, wood: Float, colours: Colours) -> Fitter:
        """The evidence to fit boxes to; what may be print of a kind's own colour says nothing for it."""
        layers = np.where(self.covered, UNKNOWN, wood).astype(np.float32)
        for k, (kind, colour) in enumerate(zip(self.kinds, colours, strict=True)):
            own = own_print(self._prints[kind.on], colour) & (self.for_print > CHANGED)
            layers[k][own] = np.minimum(layers[k][own], OWN_PRINT)
        allowed = np.array([[kind.may_be_in(cell.id) for kind in self.kinds] for cell in self.surface.cells])
        return self.fitter_of(layers, allowed)

    def fitter_of(self, layers: Float, allowed: NDArray[np.bool_]) -> Fitter:
        """Such evidence (kinds, height, width) to fit boxes to, in the cells where they are allowed (cells, kinds)."""
        to_px = self.sight.frame.to_px
        return Fitter(layers, self._middles, to_px, self.sight.camera, self.kinds, allowed)

    @cached_property
    def foreign(self) -> NDArray[np.bool_]:
        """(height, width) bool: what is no print, not even in deep shadow, and no hand."""
        return ~self.covered & (self.print.likelihood(Shade(depth=DEEP)) < CHANGED)

    def fitter_of_anything(self, foreign: NDArray[np.bool_], pieces: Iterable[tuple[int, int]]) -> Fitter:
        """What is `foreign` to fit boxes of any colour to, only these `pieces`, (cell, kind)."""
        layer = np.where(foreign, NO_PRINT, MAYBE_PRINT).astype(np.float32)
        allowed = np.zeros((len(self.surface.cells), len(self.kinds)), bool)
        for cell, kind in pieces:
            allowed[cell, kind] = True
        return self.fitter_of(np.broadcast_to(layer, (len(self.kinds), *layer.shape)), allowed)

    @cached_property
    def _middles(self) -> NDArray[np.int32]:
        """The cell of every pixel where the middle of a piece can be; in a reservoir it does not lie on the rim."""
        cell_of = self.sight.cell_of.copy()
        for i, cell in enumerate(self.surface.cells):
            if str(cell.id).startswith("reservoir"):
                width = min(min(kind.size[:2]) for kind in self.kinds if kind.may_be_in(cell.id))
                core = cv2.erode((cell_of == i).astype(np.uint8), disc(round(width * SCALE)))
                cell_of[(cell_of == i) & (core == 0)] = -1
        return cell_of

    def patch(self, fit: Fit) -> NDArray[np.uint8]:
        """(height, width) uint8, 1 where the photo shows this box."""
        kind, to_px = self.kinds[fit.kind], self.sight.frame.to_px
        return patch(kind, fit, self.sight.camera, to_px, self.for_print.shape)

    def patches(self, fits: Iterable[Fit]) -> NDArray[np.uint8]:
        """(height, width) uint8, 1 where the photo shows one of these boxes."""
        taken = np.zeros(self.for_print.shape, np.uint8)
        for fit in fits:
            taken |= self.patch(fit)
        return taken

    def learnt(self, pieces: list[Fit], wood: Float, colours: Colours) -> Colours:
        """The colours that these pieces show, by the pixels that speak for them in `wood`."""
        changed = ~self.covered & (self.for_print < CHANGED)
        speaks = [changed & (layer > TRY) for layer in wood]

        def shown(fit: Fit) -> Log:
            seen = under(self.patch(fit), speaks[fit.kind], self.sight.light)
            return self._painted(seen, self.kinds[fit.kind].on)

        return learn_colours(((fit.kind, shown(fit)) for fit in pieces), colours)

    def learn_shade(self, pieces: list[Fit]) -> None:
        """Learn the colour of shadows beside these pieces, and weigh all print anew."""
        taken = self.patches(pieces)
        reach, rim = (cv2.dilate(taken, disc(round(mm * SCALE))) > 0 for mm in (SHADOW_MM, RIM_MM))
        self.for_print = self.print.likelihood(learn_shade(self.print, reach & ~rim & ~self.covered))


def strange_markers(panel: Panel, looks: Sequence[Look]) -> tuple[int, ...]:
    """One cell on each influence track in which something like a marker stands that was not found; () if not on all.

    A player has a marker on every track: something strange on one is a shadow or a crumb.
    """
    tracks = {look.place.name: look.place for look in looks if sort_of(look.place.name) == "influence"}
    pieces = [(cell, place.kind) for place in tracks.values() for cell in place.cells if panel.seen[cell]]
    if not pieces:
        return ()
    taken = panel.patches(fit for look in looks for fit in look.pieces)
    beside = cv2.dilate(taken, disc(round(2 * BESIDE_MM * SCALE))) > 0
    tops = panel.fitter_of_anything(panel.foreign & ~beside, pieces).tops.max(axis=1)
    strange = [max(place.cells, key=lambda cell: float(tops[cell])) for place in tracks.values()]
    return tuple(strange) if min(tops[strange]) > STRANGE else ()


def share_out(fitter: Fitter, places: list[Place], enough: float = ENOUGH) -> list[Look]:
    """Take the piece that explains most, again and again, and give each place what is left for it."""
    looks = [Look(place) for place in places]
    open_looks = list(looks)
    while open_looks:
        look = max(open_looks, key=lambda look: _top(fitter, look.place) * fitter.areas[look.place.kind])
        _note(fitter, look)
        if look.left < enough:
            break
        cell = max(look.place.cells, key=lambda cell: float(fitter.tops[cell, look.place.kind]))
        fit, kind = fitter.fit(cell, look.place.kind), fitter.kinds[look.place.kind]
        fitter.spend(fit)
        if not any(_overlap(kind, fit, other) > OVERLAP for other in look.pieces):
            look.pieces.append(fit)
        if len(look.pieces) == look.place.most:
            open_looks.remove(look)
    for look in looks:
        _note(fitter, look)
    return looks


def _overlap(kind: Kind, a: Fit, b: Fit) -> float:
    """The share of its footprint that a piece would have in common with another of its kind."""
    length, width, _ = kind.size
    first, second = ((fit.at, (length, width), float(np.degrees(fit.angle))) for fit in (a, b))
    _, common = cv2.rotatedRectangleIntersection(first, second)
    return 0.0 if common is None else cv2.contourArea(cv2.convexHull(common)) / (length * width)


def _top(fitter: Fitter, place: Place) -> float:
    return float(fitter.tops[list(place.cells), place.kind].max())


def _note(fitter: Fitter, look: Look) -> None:
    """Write down what the cells of a look score now."""
    look.left = _top(fitter, look.place)
    if not look.pieces:
        look.scores = fitter.tops[list(look.place.cells), look.place.kind].astype(np.float64)
