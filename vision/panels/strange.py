"""Markers of a colour that no kind seems to have.

A player has a marker on every influence track, in one colour. So where something like a marker that no known colour
explains stands on each of them, it is a player's; and if these show one colour, it is that of the kind most like it
among those that were missed.
"""

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from ..cells.colours import Colours, Float, colour_of, split
from ..cells.fitting import Fit, under
from ..cells.shapes import disc
from .evidence import PanelEvidence
from .findings import Finding

# Markers that score at least this on all influence tracks, so far from those found, are of a colour unknown.
STRANGE, BESIDE_MM = 0.4, 2.0
# How far in chroma, log ratios: what is nearer to its print is a shadow; the markers of one player are so near to each
# other; and to the colour assumed.
NOT_PRINT, ALIKE, LIKE_KIND = 0.5, 0.8, 1.3
ROUNDS = 3


def missed_kinds(findings: Sequence[Finding]) -> set[int]:
    """The kinds of which a marker was missed on some influence track, all that do not play among them."""
    return {each.place.kind for each in findings if each.place.sort == "influence" and not each.pieces}


def markers_left(
    evidence: PanelEvidence, findings: Sequence[Finding], missed: Collection[int] = ()
) -> list[list[Fit]]:
    """What seems to be a marker on each influence track and is none that was found, the clearest first.

    What was found of the kinds `missed` does not count. [] if there is nothing on one of the tracks: something strange
    on the others is a shadow or a crumb.
    """
    tracks = {each.place.name: each.place for each in findings if each.place.sort == "influence"}
    pieces = [(cell, place.kind) for place in tracks.values() for cell in place.cells if evidence.seen[cell]]
    if not pieces:
        return []
    taken = evidence.patches(fit for each in findings if each.place.kind not in missed for fit in each.pieces)
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


def named_by_likeness(
    evidence: PanelEvidence, left: Sequence[Sequence[Fit]], missed: Collection[int], colours: Colours
) -> tuple[int, Colours] | None:
    """The kind of those `missed` that is most like markers of one colour on all tracks, and all colours (kinds, 3) with
    theirs; None where there are no such markers, or they are like none.

    `left` is what stands on each track, `colours`, as `split`, those by which the others were found. What the other
    kinds that were missed seemed to show is forgotten, for it may have been these markers.
    """
    shown = [[colour for fit in track if (colour := _colour(evidence, fit)) is not None] for track in left]
    if not shown or not all(shown):
        return None
    seen = {kind: colour for kind in missed if (colour := _one_on_each(shown, colours[kind])) is not None}
    nearest = min(seen, key=lambda kind: _apart(seen[kind], colours[kind]), default=None)
    if nearest is None or _apart(seen[nearest], colours[nearest]) > LIKE_KIND:
        return None
    better, others = colours.copy(), [kind for kind in missed if kind != nearest]
    better[others], better[nearest] = evidence.first_colours()[others], seen[nearest]
    return nearest, better


def _one_on_each(shown: Sequence[Sequence[Float]], like: Float) -> Float | None:
    """The colour of what is most `like` a colour (3,) on each track, if they are like each other."""
    middle = like
    for _ in range(ROUNDS):
        nearest = [min(track, key=lambda colour: _apart(colour, middle)) for track in shown]
        middle = np.median(np.array(nearest), axis=0).astype(np.float32)
    return middle if max(_apart(colour, middle) for colour in nearest) < ALIKE else None


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
