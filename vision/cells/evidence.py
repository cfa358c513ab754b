"""The plain evidence of one sight: what its pixels speak for, learnt step by step from the sight itself.

    what is not print? → hands and mugs → whose wood? → boxes of pieces → their colours and shadows → whose wood?

The map and the boards of tracks and areas have it in common. Which light tells wood and at what scale boxes are fitted
differs; that their own kinds of evidence say (`boxes`, `panels.evidence`).
"""

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from .colours import Colours, Float, as_log, assumed_colours, split
from .fitting import Fit, patch, under
from .light import Log
from .pixels import NOT_PRINT, Print, Shade, learn_colours, learn_shade
from .shapes import disc
from .sight import Sight

# Colours are first looked for this much more widely than wood varies once they are learnt.
FIRST_SPREAD = 1.4
# Pieces that score this well teach their colours, and in the end those that score at least the second are taken.
TEACHES, ENOUGH = 0.3, 0.0
# What a pixel says, in log odds, where the print has the piece's own colour.
OWN_PRINT = -0.8
# What holds a disc of this diameter and is not print is a hand or a mug.
BIG_MM = 36.0
# This near to a piece pixels are half wood.
RIM_MM = 3.0
DEEP_SHADE = Shade(depth=1.0)


class Evidence:
    """What the pixels of one sight speak for.

    `for_print` (height, width) float32 is the log-likelihood of each pixel to be print, perhaps in shadow, and
    `covered` (height, width) bool what lies under something `big`, the same shape, or outside the photo.
    """

    SHADOW_MM: ClassVar[float]
    """Shadows are looked for this near to pieces."""
    SPEAKS: ClassVar[float]
    """A pixel with at least these log odds for wood may be that of the piece it lies under."""

    def __init__(self, sight: Sight, print_: Print, big: NDArray[np.bool_]) -> None:
        self.sight, self.surface, self.kinds = sight, sight.surface, sight.surface.kinds
        self.print, self.covered = print_, ~sight.visible | big
        self.for_print = print_.likelihood(Shade())

    @property
    def changed(self) -> NDArray[np.bool_]:
        """(height, width) bool: what is neither print nor a shadow on it nor covered."""
        return (self.for_print < NOT_PRINT) & ~self.covered

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """(cells, kinds) bool: where pieces of each kind can be."""
        return np.array([[kind.may_be_in(cell.id) for kind in self.kinds] for cell in self.surface.cells])

    def as_wood(self, log: Log, on: str) -> Log:  # noqa: ARG002
        """Log light, (…, 3), by which the pieces that are `on` these cells are told."""
        return log

    def first_colours(self) -> Colours:
        """The kinds' colours, as `split`, as photos have taught the profile or else as it assumes them."""
        logs = as_log(assumed_colours(self.surface), self.sight.white)
        return split(np.array([self.as_wood(log, k.on) for log, k in zip(logs, self.kinds, strict=True)]))

    def patch(self, fit: Fit) -> NDArray[np.uint8]:
        """(height, width) uint8, 1 where the photo shows this box."""
        to_px, shape = self.sight.frame.to_px, self.for_print.shape
        return patch(self.kinds[fit.kind], fit, self.sight.camera, to_px, shape)

    def patches(self, fits: Iterable[Fit]) -> NDArray[np.uint8]:
        """(height, width) uint8, 1 where the photo shows one of these boxes."""
        taken = np.zeros(self.for_print.shape, np.uint8)
        for fit in fits:
            taken |= self.patch(fit)
        return taken

    def learnt(self, pieces: Iterable[Fit], wood: Float, colours: Colours) -> Colours:
        """The colours that these pieces show, by the pixels that speak for them in `wood` (kinds, height, width)."""
        changed = self.changed
        speaks = [changed & (layer > self.SPEAKS) for layer in wood]

        def shown(fit: Fit) -> Log:
            seen = under(self.patch(fit), speaks[fit.kind], self.sight.light)
            return self.as_wood(seen, self.kinds[fit.kind].on)

        return learn_colours(((fit.kind, shown(fit)) for fit in pieces), colours)

    def learn_shade(self, pieces: Iterable[Fit]) -> None:
        """Learn the colour of shadows beside these pieces, and weigh all print anew."""
        taken, scale = self.patches(pieces), self.sight.frame.scale
        near, rim = (cv2.dilate(taken, disc(mm * scale)) > 0 for mm in (self.SHADOW_MM, RIM_MM))
        self.for_print = self.print.likelihood(learn_shade(self.print, near & ~rim & ~self.covered))


def cannot_be_print(print_: Print) -> NDArray[np.bool_]:
    """(height, width) bool: where not even a deep shadow explains what is seen."""
    return print_.likelihood(DEEP_SHADE) < NOT_PRINT
