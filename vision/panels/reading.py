"""Reading boards of tracks and areas: which marker stands on which space, how many pieces lie in an area.

The same plain evidence as of the map, the same boxes fitted to it and the same network, but far more is known
beforehand: a marker stands on one space of its track, so the spaces compete with each other. The clearest piece of the
whole board is taken first and its pixels are spent, so that of two markers on one space each is seen by what is left
of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cell_names import CellName
from calibration.photo import Photo
from calibration.registration.register import Registration
from calibration.surface import Kind, Surface
from engine.mini_express.names import RESERVOIR_SIZE

from ..cells.evidence import ENOUGH, FIRST_SPREAD, TEACHES
from ..cells.fitting import Fit, Fitter
from ..cells.shapes import disc
from ..cells.sight import Sight
from .evidence import PANEL_SCALE, PanelEvidence
from .network import Opinion, second_opinion

# At first pieces are tried from this score on; one that scores so much better than on any other space teaches too.
TRY, STANDS_OUT = -2.5, 1.5
# Markers that score at least this on all influence tracks, so far from those found, are of a colour unknown.
STRANGE, BESIDE_MM = 0.4, 2.0
# Wood does not go through wood: what would share more of its footprint than this is a remainder of the other.
OVERLAP = 0.2


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
class Finding:
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
    """What one photo shows of a panel: a finding for every place and the network's `opinion`.

    `seen` (cells,) bool; `changed_share` (cells,) float64 is how much of each cell is not print; `camera` (3,) where
    the photo was taken from, mm in the plane's frame. `strange` are the cells, one on each track, in which markers of a
    colour seem to stand that is none of the kinds'.
    """

    surface: Surface
    findings: list[Finding]
    opinion: Opinion
    seen: NDArray[np.bool_]
    changed_share: NDArray[np.float64]
    camera: NDArray[np.float64]
    strange: tuple[int, ...] = ()


def read_panel(photo: Photo, registration: Registration, surface: Surface) -> PanelReading:
    """Read a registered photo."""
    straight = registration.straight(photo)
    evidence = PanelEvidence(Sight.of(straight, registration, surface, PANEL_SCALE))
    colours, places = evidence.first_colours(), places_of(surface)
    wood = evidence.wood(colours, FIRST_SPREAD)
    first = share_out(evidence.fitter(wood, colours), [replace(place, most=1) for place in places], TRY)
    teachers = [fit for finding in first for fit in finding.teachers()]
    colours = evidence.learnt(teachers, wood, colours)
    evidence.learn_shade(teachers)
    findings = share_out(evidence.fitter(evidence.wood(colours), colours), places)
    opinion = second_opinion(Sight.of(straight, registration, surface))
    strange = strange_markers(evidence, findings)
    camera = evidence.sight.camera
    return PanelReading(surface, findings, opinion, evidence.seen, evidence.changed_share, camera, strange)


def places_of(surface: Surface) -> list[Place]:
    """Every track and area with each kind that can be there; a company marker is in one area of all."""
    rows: dict[str, list[int]] = {}
    for i, cell in enumerate(surface.cells):
        named = CellName.of(cell.id)
        rows.setdefault("company" if named.sort == "company" else named.row, []).append(i)
    return [
        Place(name, tuple(cells), k, RESERVOIR_SIZE if CellName.of(name).sort == "reservoir" else 1)
        for name, cells in rows.items()
        if CellName.of(name).sort != "offer"
        for k, kind in enumerate(surface.kinds)
        if kind.may_be_in(surface.cells[cells[0]].id)
    ]


def strange_markers(evidence: PanelEvidence, findings: Sequence[Finding]) -> tuple[int, ...]:
    """One cell on each influence track in which something like a marker stands that was not found; () if not on all.

    A player has a marker on every track: something strange on one is a shadow or a crumb.
    """
    tracks = {
        finding.place.name: finding.place
        for finding in findings
        if CellName.of(finding.place.name).sort == "influence"
    }
    pieces = [(cell, place.kind) for place in tracks.values() for cell in place.cells if evidence.seen[cell]]
    if not pieces:
        return ()
    taken = evidence.patches(fit for finding in findings for fit in finding.pieces)
    near = cv2.dilate(taken, disc(2 * BESIDE_MM * evidence.sight.frame.scale)) > 0
    tops = evidence.fitter_of_anything(evidence.foreign & ~near, pieces).tops.max(axis=1)
    strange = [max(place.cells, key=lambda cell: float(tops[cell])) for place in tracks.values()]
    return tuple(strange) if min(tops[strange]) > STRANGE else ()


def share_out(fitter: Fitter, places: list[Place], enough: float = ENOUGH) -> list[Finding]:
    """Take the piece that explains most, again and again, and give each place what is left for it."""
    findings = [Finding(place) for place in places]
    while candidates := [
        finding
        for finding in findings
        if len(finding.pieces) < finding.place.most and _top(fitter, finding.place) >= enough
    ]:
        finding = max(candidates, key=lambda each: _top(fitter, each.place) * fitter.areas[each.place.kind])
        _note(fitter, finding)
        cell = max(finding.place.cells, key=lambda cell: float(fitter.tops[cell, finding.place.kind]))
        fit, kind = fitter.fit(cell, finding.place.kind), fitter.kinds[finding.place.kind]
        fitter.spend(fit)
        if not any(_overlap(kind, fit, other) > OVERLAP for other in finding.pieces):
            finding.pieces.append(fit)
    for finding in findings:
        _note(fitter, finding)
    return findings


def _overlap(kind: Kind, a: Fit, b: Fit) -> float:
    """The share of its footprint that a piece would have in common with another of its kind."""
    length, width, _ = kind.size
    first, second = ((fit.at, (length, width), float(np.degrees(fit.angle))) for fit in (a, b))
    _, common = cv2.rotatedRectangleIntersection(first, second)
    return 0.0 if common is None else cv2.contourArea(cv2.convexHull(common)) / (length * width)


def _top(fitter: Fitter, place: Place) -> float:
    return float(fitter.tops[list(place.cells), place.kind].max())


def _note(fitter: Fitter, finding: Finding) -> None:
    """Write down what the cells of a finding score now."""
    finding.left = _top(fitter, finding.place)
    if not finding.pieces:
        finding.scores = fitter.tops[list(finding.place.cells), finding.place.kind].astype(np.float64)
