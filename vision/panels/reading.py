"""Reading boards of tracks and areas: which marker stands on which space, how many pieces lie in an area.

The same plain evidence as of the map, the same boxes fitted to it and the same network, but far more is known
beforehand: a marker stands on one space of its track, so the spaces compete with each other, and a player has a marker
on every influence track.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.photo import Photo
from calibration.registration.register import Registration
from calibration.surface import Surface

from ..cells.colours import Colours
from ..cells.evidence import FIRST_SPREAD
from ..cells.sight import Sight
from .evidence import PANEL_SCALE, PanelEvidence
from .findings import Finding, Place, places_of, share_out
from .network import Opinion, second_opinion
from .strange import markers_left, missed_kinds, named_by_likeness

# At first pieces are tried from this score on.
TRY = -2.5


@dataclass(frozen=True, eq=False)
class PanelReading:
    """What one photo shows of a panel: a finding for every place and the network's `opinion`.

    `seen` (cells,) bool; `changed_share` (cells,) float64 is how much of each cell is not print; `camera` (3,) where
    the photo was taken from, mm in the plane's frame. `strange` are the cells, one on each track, in which markers of a
    colour seem to stand that is none of the kinds'; `guessed` is the kind of which the markers were told only because
    it is the most like them of those that were missed.
    """

    surface: Surface
    findings: list[Finding]
    opinion: Opinion
    seen: NDArray[np.bool_]
    changed_share: NDArray[np.float64]
    camera: NDArray[np.float64]
    strange: tuple[int, ...] = ()
    guessed: int | None = None


def read_panel(photo: Photo, registration: Registration, surface: Surface) -> PanelReading:
    """Read a registered photo."""
    straight = registration.straight(photo)
    evidence = PanelEvidence(Sight.of(straight, registration, surface, PANEL_SCALE))
    places = places_of(surface)
    colours = _learnt(evidence, places)
    findings = share_out(evidence.fitter(evidence.wood(colours), colours), places)
    guessed, missed = None, missed_kinds(findings)
    left = markers_left(evidence, findings, missed)
    if named := named_by_likeness(evidence, left, missed, colours):
        guessed, colours = named
        findings = share_out(evidence.fitter(evidence.wood(colours), colours), places)
    # Where nothing was left, nothing is left beside still more pieces.
    strange = markers_left(evidence, findings) if left else []
    opinion = second_opinion(Sight.of(straight, registration, surface))
    camera = evidence.sight.camera
    return PanelReading(
        surface,
        findings,
        opinion,
        evidence.seen,
        evidence.changed_share,
        camera,
        strange=tuple(clearest.cell for clearest, *_ in strange),
        guessed=guessed,
    )


def _learnt(evidence: PanelEvidence, places: Sequence[Place]) -> Colours:
    """The colours that the clearest piece at every place shows; the evidence learns its shadows by them too."""
    colours = evidence.first_colours()
    wood = evidence.wood(colours, FIRST_SPREAD)
    first = share_out(evidence.fitter(wood, colours), [replace(place, most=1) for place in places], TRY)
    teachers = [fit for finding in first for fit in finding.teachers()]
    colours = evidence.learnt(teachers, wood, colours)
    evidence.learn_shade(teachers)
    return colours
