"""Markers of a colour that no kind seems to have.

A player has a marker on every influence track, in one colour. So where something like a marker that no known colour
explains stands on each of them, it is a player's; and if these show one colour, it is that of the kind most like it
among those that were missed.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.cell_names import CellName

from ..cells.colours import Colours, Float, colour_of, split
from ..cells.fitting import Fit, under
from ..cells.shapes import disc
from .evidence import PanelEvidence
from .findings import Finding, places_of

# Markers that score at least this on all influence tracks, so far from those found, are of a colour unknown.
STRANGE, BESIDE_MM = 0.4, 2.0
# How far in chroma, log ratios: what is nearer to its print is a shadow; the markers of one player are so near to each
# other; and to the colour assumed.
NOT_PRINT, ALIKE, LIKE_KIND = 0.5, 0.8, 1.3
ROUNDS = 3


def strange_markers(evidence: PanelEvidence, findings: Sequence[Finding]) -> list[Fit]:
    """One piece on each influence track that seems to be a marker and is none that was found; [] if not on all.

    Something strange on one track alone is a shadow or a crumb.
    """
    return [track[0] for track in _left(evidence, findings)]


def named_by_likeness(
    evidence: PanelEvidence, findings: Sequence[Finding], colours: Colours
) -> tuple[int, Colours] | None:
    """A kind that was missed on some influence track though markers of one colour like its stand on all, and all
    colours (kinds, 3) with theirs.

    `colours`, as `split`, are those by which `findings` were found; what the other kinds that were missed seemed to
    show is forgotten, for it may have been these markers. None where nothing is to be told in this way.
    """
    missed = {each.place.kind for each in findings if _is_influence(each.place.name) and not each.pieces}
    left = _left(evidence, [each for each in findings if each.place.kind not in missed]) if missed else []
    shown = [[colour for fit in track if (colour := _colour(evidence, fit)) is not None] for track in left]
    if not shown or not all(shown):
        return None
    seen = {kind: colour for kind in missed if (colour := _one_on_each(shown, colours[kind])) is not None}
    nearest = min(seen, key=lambda kind: _apart(seen[kind], colours[kind]), default=None)
    if nearest is None or _apart(seen[nearest], colours[nearest]) > LIKE_KIND:
        return None
    better, others = colours.copy(), [*missed - {nearest}]
    better[others], better[nearest] = evidence.first_colours()[others], seen[nearest]
    return nearest, better


def _left(evidence: PanelEvidence, found: Sequence[Finding]) -> list[list[Fit]]:
    """What seems to be a marker on each influence track, besides what was `found`, the clearest first.

    [] if there is nothing on one of them.
    """
    tracks = {place.name: place for place in places_of(evidence.surface) if _is_influence(place.name)}
    pieces = [(cell, place.kind) for place in tracks.values() for cell in place.cells if evidence.seen[cell]]
    if not pieces:
        return []
    taken = evidence.patches(fit for finding in found for fit in finding.pieces)
    near = cv2.dilate(taken, disc(2 * BESIDE_MM * evidence.sight.frame.scale)) > 0
    fitter = evidence.fitter_of_anything(evidence.foreign & ~near, pieces)
    left = [
        sorted(
            (fitter.fit(cell, place.kind) for cell in place.cells if fitter.tops[cell, place.kind] > STRANGE),
            key=lambda fit: -fit.score,
        )
        for place in tracks.values()
    ]
    return left if all(left) else []


def _one_on_each(shown: Sequence[Sequence[Float]], like: Float) -> Float | None:
    """The colour of what is most `like` a colour (3,) on each track, if they are like each other."""
    middle = like
    for _ in range(ROUNDS):
        nearest = [min(track, key=lambda colour: _apart(colour, middle)) for track in shown]
        middle = np.median(np.array(nearest), axis=0).astype(np.float32)
    return middle if max(_apart(colour, middle) for colour in nearest) < ALIKE else None


def _is_influence(name: str) -> bool:
    return CellName.of(name).sort == "influence"


def _colour(evidence: PanelEvidence, fit: Fit) -> Float | None:
    """(3,): what a piece of any colour shows, as `split`; None where little does, or it has the print's colour."""
    patch, on = evidence.patch(fit), evidence.kinds[fit.kind].on
    colour, print_ = (
        colour_of(split(evidence.as_wood(under(patch, evidence.foreign, light), on)))
        for light in (evidence.clear, evidence.sight.reference)
    )
    return None if colour is None or print_ is None or _apart(colour, print_) < NOT_PRINT else colour


def _apart(a: Float, b: Float) -> float:
    """How far two colours are from each other in chroma."""
    return float(np.hypot(*(a - b)[1:]))
