"""Sharing out the evidence of a panel: what stands at every place.

The clearest piece of the whole board is taken first and its pixels are spent, so that of two markers on one space each
is seen by what is left of it.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cell_names import CellName
from calibration.surface import Kind, Surface
from engine.mini_express.names import RESERVOIR_SIZE

from ..cells.evidence import ENOUGH, TEACHES
from ..cells.fitting import Fit, Fitter

# One that scores so much better than on any other space teaches too.
STANDS_OUT = 1.5
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

    @property
    def sort(self) -> str:
        """What its cells are, such as "influence"."""
        return CellName.of(self.name).sort


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
