"""From what panels show to the numbers of the state: values, influence, reservoirs, offers, the bot's company.

Each number is a `Figure`: a weight for every value it can have. Weights add up as far as photos are independent looks.
Whose colour is nowhere on the influence tracks does not play; the colour of the company marker is Mašinfíra's.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import exp, inf
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cell_names import CellName
from calibration.surface import Kind
from engine.mini_express.names import MASINFIRA, SEATS
from engine.mini_express.part.paths import nested

from ..cells.fitting import Fit
from ..cells.looks import weights
from ..cells.odds import chances_of_numbers, probability
from ..figure import NOWHERE, SOME, Figure, Keys, Value, Weights
from .findings import Finding
from .reading import PanelReading

# Score of a fitted box and log odds of the network → log odds that a piece is there: by what each is multiplied, and
# what is added. Fitted by logistic regression on tables drawn by lot and on the sample tables that are not held out.
ODDS = {"value": (1.59, 1.01, 5.28), "influence": (2.04, 0.0, 0.84), "company": (2.95, 1.51, 1.88)}
SCORE_LEAST = -4.0
# The same for each train in a reservoir, box and network by themselves.
OF_BOX, OF_NETWORK, NETWORK_AT_MOST = 1.8, (1.2, 6.9), 6.0
# The middle of a train that lies in a reservoir is farther within than this share of its width: of 108 trains 8 mm wide
# the nearest was 8.1 mm within, and what lay beside it was found 4 mm within, for no farther out is it looked for.
ON_RIM = 0.75
# To neither is any number of trains less likely than this, as a log: each can be wrong about a whole pile. Boxes fit a
# print of the wood's colour; the network takes two trains of a tight row for one.
BY_BOXES_LEAST, BY_NETWORK_LEAST = -4.5, -3.5
# The share of an area that has changed where a share tile lies in it: at least this, log odds growing so steeply.
TILE_SHARE, TILE_STEEPNESS = 0.1, 50.0
# A track's word on whether a colour plays counts so much: the light, which errs, is the same on all four.
OWN_WORD = 0.5
# A colour that is only the most like what stands there plays with these log odds, so it is asked about.
GUESSED = 2.0
# A marker stands nowhere where no space has more, in log odds: of 68 tracks of the open tables with one the best space
# had 1.2 or more, of 100 without one -6.1 or less.
STANDS_NOWHERE, GONE = -5.0, ""
# No board makes more certain than this, in log odds.
WEIGHT_AT_MOST = 7.0


Look = tuple[PanelReading, Figure]
"""A figure as one reading has it."""


def figures(readings: Iterable[PanelReading], seats: Collection[str] | None = None) -> list[Figure]:
    """Every figure that readings of photos of one moment show.

    `seats` are the colours of the humans who play, where they are known; without them, all colours that are on the
    tracks play. Influence of a colour that is Mašinfíra's is told as Mašinfíra's.
    """
    readings = list(readings)
    found = _gathered(readings)
    # Whose colour a human plays is not Mašinfíra's, whatever its marker looks like.
    of_bot = [f for f in found if f.path == ("bot", "company") and f.of not in (seats or ())]
    company = _bot_company(of_bot)
    rest = [f for f in found if f.path != ("bot", "company") and f.weights]
    guessed = {r.surface.kinds[r.guessed].name for r in readings if r.guessed is not None}
    present = {seat: min(odds, GUESSED) if seat in guessed else odds for seat, odds in _playing(rest).items()}
    bot = company.of if company else _left_over([*present], seats)
    if seats is not None:
        present = dict.fromkeys([*seats, bot], inf)
    # Figures of no player, such as values, count whoever plays.
    present = {**present, "": inf}
    shown = [_if_it_plays(f, present[f.of]) for f in rest if f.of in present]
    return [_named(f, bot) for f in [*shown, *([company] if company else [])]]


def colours_on_tracks(readings: Iterable[PanelReading]) -> list[str]:
    """The players' colours of which markers stand on the influence tracks, whoever is said to play."""
    return [*_playing([figure for figure in _gathered(readings) if figure.weights])]


def shown_otherwise(readings: Iterable[PanelReading]) -> list[Figure]:
    """The figures that one photo clearly shows to be this and another to be that: they are of two moments.

    One reservoir alone is rather miscounted in one of them.
    """
    otherwise = [looks[0][1] for looks in _looks(readings) if len(_clearly_shown(looks)) > 1]
    return [] if [figure.path[-1] for figure in otherwise] == ["reservoir"] else otherwise


def _gathered(readings: Iterable[PanelReading]) -> list[Figure]:
    """Every figure once, by all readings."""
    return [_together(looks) for looks in _looks(readings)]


def _looks(readings: Iterable[PanelReading]) -> Iterable[Sequence[Look]]:
    """All looks at each figure."""
    found: dict[tuple[Keys, str], list[Look]] = {}
    for reading in readings:
        for figure in _of_reading(reading):
            found.setdefault((figure.path, figure.of), []).append((reading, figure))
    return found.values()


def _clearly_shown(looks: Sequence[Look]) -> set[Value]:
    """What any look at a figure clearly shows; `GONE` where its marker stands on none of the spaces."""
    shown = set[Value]()
    for figure in (figure for _, figure in looks if figure.weights):
        best, counted = max(figure.weights.values()), figure.path[-1] == "reservoir"
        if figure.clear and (counted or best > 0):
            shown.add(figure.best)
        elif best < STANDS_NOWHERE and not counted:
            shown.add(GONE)
    return shown


def _together(looks: Sequence[Look]) -> Figure:
    """One figure by all looks at it: log odds add up as far as these are independent.

    What clearly shows otherwise in two of them is not known at all.
    """
    if len(otherwise := _clearly_shown(looks)) > 1:
        open_again = dict.fromkeys(sorted(otherwise - {GONE}, key=str), 0.0)
        return replace(looks[0][1], weights=open_again, nowhere=0.0 if GONE in otherwise else NOWHERE)
    shows = np.array([bool(figure.weights) for _, figure in looks])
    weight = weights([reading.camera for reading, _ in looks], looks[0][0].surface, shows).tolist()
    totals: dict[Value, float] = {}
    for share, (_, figure) in zip(weight, looks, strict=True):
        for value, odds in figure.weights.items():
            totals[value] = totals.get(value, 0.0) + share * odds
    return replace(looks[0][1], weights=totals)


def _left_over(present: Sequence[str], seats: Collection[str] | None) -> str:
    """The one colour on the tracks that no human plays; "" where none or several are."""
    others = [] if seats is None else [seat for seat in present if seat not in seats]
    return others[0] if len(others) == 1 else ""


def _named(figure: Figure, bot: str) -> Figure:
    if figure.path[0] != "influence" or figure.of != bot:
        return figure
    return replace(figure, path=("influence", MASINFIRA, figure.path[2]))


def _bot_company(markers: Sequence[Figure]) -> Figure | None:
    """The company marker in the colour that explains most, if there is a marker at all."""
    seen = [figure for figure in markers if figure.weights]
    clearest = max(seen, key=lambda figure: max(figure.weights.values()), default=None)
    return clearest if clearest and max(clearest.weights.values()) > 0 else None


def _playing(shown: Sequence[Figure]) -> dict[str, float]:
    """The colours that are on the tracks, and the log odds that they are, all tracks weighed together."""
    totals = dict.fromkeys(SEATS, 0.0)
    for figure in (figure for figure in shown if figure.path[0] == "influence"):
        totals[figure.of] += OWN_WORD * float(
            np.clip(max(figure.weights.values()), -WEIGHT_AT_MOST, WEIGHT_AT_MOST)
        )
    return {seat: total for seat, total in totals.items() if total > 0}


def _if_it_plays(figure: Figure, plays: float) -> Figure:
    """The figure of a colour that plays with these log odds, else its marker stands nowhere."""
    return replace(figure, nowhere=max(figure.nowhere, max(figure.weights.values()) - plays))


def _of_reading(reading: PanelReading) -> Iterable[Figure]:
    for finding in reading.findings:
        cells, name = finding.place.name, reading.surface.kinds[finding.place.kind].name
        sort, company, _ = CellName.of(cells)
        if sort == "value":
            yield Figure(("companies", name, "value"), cells, _on_track(reading, finding))
        elif sort == "influence":
            yield Figure(("influence", name, company), cells, _on_track(reading, finding), name)
        elif sort == "company":
            yield Figure(("bot", "company"), cells, _on_areas(reading, finding), name)
        else:
            yield Figure(("companies", company, "reservoir"), cells, _counted(reading, finding))
    for i, cell in enumerate(reading.surface.cells):
        sort, company, _ = CellName.of(cell.id)
        if sort == "offer":
            yield Figure(("companies", company, "offer"), str(cell.id), _offer(reading, i))


def _odds(reading: PanelReading, finding: Finding) -> NDArray[np.float64]:
    """(cells of the finding,) log odds that its piece stands there."""
    by_box, by_network, more = ODDS[CellName.of(reading.surface.kinds[finding.place.kind].on).sort]
    opinion = reading.opinion.odds[list(finding.place.cells), finding.place.kind]
    odds: NDArray[np.float64] = by_box * np.maximum(finding.scores, SCORE_LEAST) + by_network * opinion + more
    return odds


def _on_track(reading: PanelReading, finding: Finding) -> Weights:
    """By the number of the space; a space that cannot be seen weighs nothing; nothing if none can be."""
    if not reading.seen[list(finding.place.cells)].any():
        return {}
    numbers = [int(CellName.of(reading.surface.cells[cell].id).number) for cell in finding.place.cells]
    rows = zip(numbers, finding.place.cells, _odds(reading, finding).tolist(), strict=True)
    return {number: odds if reading.seen[cell] else 0.0 for number, cell, odds in rows}


def _on_areas(reading: PanelReading, finding: Finding) -> Weights:
    """By the company of the area."""
    rows = zip(finding.place.cells, _odds(reading, finding).tolist(), strict=True)
    return {
        CellName.of(reading.surface.cells[cell].id).company: odds for cell, odds in rows if reading.seen[cell]
    }


def _counted(reading: PanelReading, finding: Finding) -> Weights:
    """By the number of pieces: what the boxes say and what the network says; nothing if the area cannot be seen."""
    (area,) = finding.place.cells
    if not reading.seen[area]:
        return {}
    kind, outline = reading.surface.kinds[finding.place.kind], reading.surface.cells[area].outline
    boxes = [0.0 if _on_rim(fit, kind, outline) else fit.score for fit in finding.pieces]
    by_boxes = _counted_by_boxes([*sorted(boxes, reverse=True), finding.left], finding.place.most)
    weights = by_boxes + _counted_by_network(reading.opinion.piles[area], finding.place.most)
    return dict(enumerate(weights.tolist()))


def _on_rim(fit: Fit, kind: Kind, outline: Sequence[tuple[float, float]]) -> bool:
    """Whether a piece may as well lie beside an area: supplies often lie there."""
    within = cv2.pointPolygonTest(np.array(outline, np.float32), fit.at, True)
    return within < ON_RIM * min(kind.size[:2])


def _counted_by_boxes(boxes: Sequence[float], most: int) -> NDArray[np.float64]:
    """(numbers,) log probabilities: each box that was fitted adds its log odds, the last what was left for one more."""
    scores = np.array(boxes[:most])
    weights = np.full(most + 1, -WEIGHT_AT_MOST)
    weights[: len(scores) + 1] = np.cumsum([0.0, *(OF_BOX * scores)])
    return np.asarray(np.maximum(weights - np.logaddexp.reduce(weights), BY_BOXES_LEAST))


def _counted_by_network(pile: Sequence[float], most: int) -> NDArray[np.float64]:
    """(numbers,) log probabilities: every place of the pile has a train with its own chance."""
    steepness, more = OF_NETWORK
    odds = np.clip(steepness * np.array(pile) + more, -NETWORK_AT_MOST, NETWORK_AT_MOST)
    chances = np.zeros(most + 1)
    numbers = chances_of_numbers(probability(odds).tolist())[: most + 1]
    chances[: len(numbers)] = numbers
    return np.log(np.maximum(chances, exp(BY_NETWORK_LEAST)))


def _offer(reading: PanelReading, cell: int) -> Weights:
    if not reading.seen[cell]:
        return {}
    odds = TILE_STEEPNESS * (float(reading.changed_share[cell]) - TILE_SHARE)
    return {0: 0.0, SOME: float(np.clip(odds, -WEIGHT_AT_MOST, WEIGHT_AT_MOST))}


def state_part(shown: Iterable[Figure]) -> dict[str, Any]:
    """The claimed figures as the parts of the state JSON that they are."""
    return nested({figure.name: figure.best for figure in shown if figure.claimed})


def unseen_cells(readings: Sequence[PanelReading]) -> list[str]:
    """The cells of panels that none of the photos shows."""
    seen = {str(c.id) for r in readings for i, c in enumerate(r.surface.cells) if r.seen[i]}
    return [*dict.fromkeys(str(c.id) for r in readings for c in r.surface.cells if str(c.id) not in seen)]
