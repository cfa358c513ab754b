"""What a photo of the influence tracks teaches where the numbers are known: the colours of the players' markers.

A marker is looked for where the numbers say that it stands, as whatever is no print there. So a colour that nobody
assumed is learnt too, and from then on such markers are found. Wood is not learnt here: gray and brown discs look like
the print in a shadow, and the map teaches it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.lessons import Colour, three
from calibration.surface import Surface
from engine.mini_express.names import MASINFIRA, SEATS

from ..cells.colours import Float, assumed_colours, colour_of, scaled
from ..cells.fitting import under
from .evidence import PanelEvidence
from .findings import places_of

# A marker scores at least this.
STANDS = 0.0
# Markers whose scaled colours differ more than this from what most of their player's show stand in glare, or elsewhere.
ALIKE = 1.5


@dataclass(frozen=True)
class Known:
    """A marker of `seat` that stands alone in the cell with this index, as large as those of this kind."""

    cell: int
    kind: int
    seat: str


def known_markers(surface: Surface, influence: Mapping[str, Mapping[str, int]]) -> list[Known]:
    """The markers that stand alone, by the `influence` of a state JSON."""
    markers = [
        Known(surface.index[cell], place.kind, seat)
        for place in places_of(surface)
        if place.sort == "influence"
        for seat in _shown_by(surface.kinds[place.kind].name)
        if (cell := f"{place.name}/{influence.get(seat, {}).get(place.name.partition('/')[2])}")
        in surface.index
    ]
    crowd = Counter(marker.cell for marker in markers)
    return [marker for marker in markers if crowd[marker.cell] == 1]


def _shown_by(kind: str) -> Sequence[str]:
    """Whose markers are looked for by a kind; Mašinfíra's, of unknown colour, by the first: all are of one size."""
    return (kind, MASINFIRA) if kind == SEATS[0] else (kind,)


def colours_shown(evidence: PanelEvidence, known: Iterable[Known]) -> dict[Known, Float | None]:
    """The scaled colour of each known marker whose cell can be seen, None where nothing stands."""
    markers = [marker for marker in known if evidence.seen[marker.cell]]
    fitter = evidence.fitter_of_anything(evidence.foreign, ((m.cell, m.kind) for m in markers))
    colours: dict[Known, Float | None] = {}
    for marker in markers:
        fit = fitter.fit(marker.cell, marker.kind)
        pixels = under(evidence.patch(fit), evidence.foreign, evidence.sight.light)
        stands = fit.score > STANDS
        colours[marker] = colour_of(scaled(pixels, evidence.sight.white)) if stands else None
    return colours


def lesson_of(
    surface: Surface, shown: Mapping[Known, Float | None], players: Iterable[str]
) -> dict[str, Colour]:
    """The colour of each seat's markers, where most of them show much the same; `players` are all who play."""
    lesson: dict[str, Colour] = {}
    for seat in dict.fromkeys(marker.seat for marker in shown):
        alike = _alike([c for marker, c in shown.items() if marker.seat == seat and c is not None])
        if alike:
            shown_most = three(np.median(alike, axis=0))
            colour = _colour_of_bot(surface, shown_most, players) if seat == MASINFIRA else seat
            lesson |= {colour: shown_most} if colour else {}
    return lesson


def _alike(colours: Sequence[Float]) -> list[Float]:
    """The colours near their median, none where these are no more than half of them."""
    if not colours:
        return []
    middle = np.median(colours, axis=0)
    near = [colour for colour in colours if np.linalg.norm(colour - middle) < ALIKE]
    return near if 2 * len(near) > len(colours) else []


def _colour_of_bot(surface: Surface, colour: Colour, others: Iterable[str]) -> str | None:
    """The seat that has most nearly this colour, of those that no human plays; None where humans play all."""
    assumed = dict(zip((kind.name for kind in surface.kinds), assumed_colours(surface), strict=True))
    free = [seat for seat in SEATS if seat not in others]
    return min(free, key=lambda seat: float(np.linalg.norm(assumed[seat] - np.array(colour))), default=None)
