"""The plain evidence of a board of tracks and areas: small and painted markers on a glossy print."""

from collections.abc import Iterable
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cell_names import CellName

from ..cells.colours import Colours, Float, split
from ..cells.evidence import BIG_MM, OWN_PRINT, Evidence, cannot_be_print
from ..cells.fitting import UNKNOWN, Fitter
from ..cells.glare import without_glare
from ..cells.light import Log
from ..cells.pixels import NOT_PRINT, Print, own_print, wood_odds
from ..cells.shapes import disc
from ..cells.sight import Sight

PANEL_SCALE = 1.5
"""Pixels per mm: markers are smaller than trains."""
# A thing wider than any piece by this factor, and than a few markers together, is a hand or a mug.
WIDER = 1.4
# A cell of which more than this is covered or outside the photo has not been seen.
HIDDEN_SHARE = 0.4
# Paint is glossy: it mirrors this share of the light around. What goes on over so many lengths of a piece is light.
PAINTED, GLOSS, BEYOND = ("influence", "company"), 0.04, 2.0
# What a foreign pixel says, in log odds, for a piece of any colour, and what the rest says.
FOREIGN_SAYS, REST_SAYS = 2.0, -2.0


class PanelEvidence(Evidence):
    """Of one sight of a panel at `PANEL_SCALE`; print is told in what is clear of glare, wood there or as it is lit."""

    SHADOW_MM, SPEAKS = 16.0, -2.5

    def __init__(self, sight: Sight) -> None:
        self.clear = without_glare(sight.light, sight.reference, sight.frame.scale)
        super().__init__(sight, Print(self.clear, sight.reference), _big_things(sight))

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """(cells,) bool: not hidden and not outside the photo."""
        return self._share(self.covered) <= HIDDEN_SHARE

    @property
    def changed_share(self) -> NDArray[np.float64]:
        """(cells,) float64: the share of each cell that is neither print nor a shadow like those beside pieces."""
        return self._share(self.for_print < NOT_PRINT)

    def _share(self, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        cells, inside = len(self.surface.cells), self.sight.cell_of >= 0
        whole = np.bincount(self.sight.cell_of[inside], minlength=cells)
        part = np.bincount(self.sight.cell_of[inside & mask], minlength=cells)
        share: NDArray[np.float64] = part / np.maximum(whole, 1)
        return share

    def as_wood(self, log: Log, on: str) -> Log:
        """Log light with the gloss of paint added: without it the dark channels of a strong colour run wild."""
        if CellName.of(on).sort not in PAINTED:
            return log
        return np.log(np.exp(log) + GLOSS * np.exp(self.sight.white)).astype(np.float32)

    @cached_property
    def _prints(self) -> dict[str, Float]:
        """The print as `split`, with the gloss that the pieces of each place have."""
        places = {kind.on for kind in self.kinds}
        return {on: split(self.as_wood(self.sight.reference, on)) for on in places}

    def wood(self, colours: Colours, spread: float = 1.0) -> Float:
        """(kinds, height, width) float32: how much each pixel speaks for each kind; kinds of one place compete.

        Glare lies on the level top of a piece as on the print, and not on its sides: the better of both counts.
        """
        odds = np.empty((len(self.kinds), *self.for_print.shape), np.float32)
        for on in {kind.on for kind in self.kinds}:
            group = [k for k, kind in enumerate(self.kinds) if kind.on == on]
            lights = (self.as_wood(log, on) for log in (self.sight.light, self.clear))
            odds[group] = np.maximum(
                *(wood_odds(light, self.for_print, colours[group], spread) for light in lights)
            )
        for k, kind in enumerate(self.kinds):
            side = round(BEYOND * max(kind.size[:2]) * self.sight.frame.scale)
            odds[k] -= np.maximum(cv2.blur(odds[k], (side, side)), 0)
        return odds

    def fitter(self, wood: Float, colours: Colours) -> Fitter:
        """The evidence to fit boxes to; what may be print of a kind's own colour says nothing for it."""
        layers = np.where(self.covered, UNKNOWN, wood).astype(np.float32)
        for k, (kind, colour) in enumerate(zip(self.kinds, colours, strict=True)):
            own = own_print(self._prints[kind.on], colour) & (self.for_print > NOT_PRINT)
            layers[k][own] = np.minimum(layers[k][own], OWN_PRINT)
        return self._fitter(layers, self.allowed)

    @cached_property
    def foreign(self) -> NDArray[np.bool_]:
        """(height, width) bool: what is no print, not even in deep shadow, and no hand."""
        return ~self.covered & cannot_be_print(self.print)

    def fitter_of_anything(self, where: NDArray[np.bool_], pieces: Iterable[tuple[int, int]]) -> Fitter:
        """Foreign things `where`, (height, width), to fit boxes of any colour to, only these `pieces`, (cell, kind)."""
        layer = np.where(where, FOREIGN_SAYS, REST_SAYS).astype(np.float32)
        allowed = np.zeros((len(self.surface.cells), len(self.kinds)), bool)
        for cell, kind in pieces:
            allowed[cell, kind] = True
        return self._fitter(np.broadcast_to(layer, (len(self.kinds), *layer.shape)), allowed)

    def _fitter(self, layers: Float, allowed: NDArray[np.bool_]) -> Fitter:
        to_px = self.sight.frame.to_px
        return Fitter(layers, self._middles, to_px, self.sight.camera, self.kinds, allowed)

    @cached_property
    def _middles(self) -> NDArray[np.int32]:
        """The cell of every pixel where the middle of a piece can be; in a reservoir it does not lie on the rim."""
        cell_of = self.sight.cell_of.copy()
        for i, cell in enumerate(self.surface.cells):
            if CellName.of(cell.id).sort == "reservoir":
                width = min(min(kind.size[:2]) for kind in self.kinds if kind.may_be_in(cell.id))
                side = disc(round(width * self.sight.frame.scale))
                core = cv2.erode((cell_of == i).astype(np.uint8), side)
                cell_of[(cell_of == i) & (core == 0)] = -1
        return cell_of


def _big_things(sight: Sight) -> NDArray[np.bool_]:
    """(height, width) bool: what is wider than pieces are, and what hangs on it; strong glare too."""
    changed = cannot_be_print(Print(sight.light, sight.reference))
    widest = max(min(kind.size[:2]) for kind in sight.surface.kinds)
    side = round(max(BIG_MM, WIDER * widest) * sight.frame.scale)
    core = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_OPEN, disc(side))
    near = cv2.dilate(core, disc(side // 2)) > 0
    return (core > 0) | (near & changed)
