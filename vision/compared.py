"""What the other boards say of the game: what was played that the map does not show, and what fits no play.

A share that is taken leaves no trace on the map, nor does the company a wild tile stood for (R5.6). Both leave one on
the tracks and in the reservoirs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from typing import Any

from engine import mini_express as game
from engine.mini_express.fields import value_at
from engine.mini_express.names import COMPANIES, INDEX, TOP_VALUE
from engine.mini_express.part.rules import mask_of
from engine.mini_express.state import Counts
from engine.sentences import N_, Problem

from .figure import Figure
from .scan import Scan
from .state.successor import MANY

# So many actions more than those that the map shows are looked for, by at most so many lines of each length.
MORE_ACTIONS, POSITIONS = 3, 1500
# A share is believed to have been taken where so many steps of markers and trains clearly show it: a reservoir is
# misread by one train at a time, hardly ever by three. Mašinfíra's company marker on another company counts as two.
SHARE_SHOWS, MARKER_SHOWS = 3, 2

# At most three shares of a company left aside give 2 each, and the Golden Spike 2; so many trains may be misread.
MOST_ADDED, SLIPS = 8, 1

Line = Sequence[game.Action]
Reached = tuple[Line, game.State]
"""A line of play and the state that it leads to."""


class Disagreement(Problem):
    """What a photo shows of the other boards and the game, or the profile, does not know."""

    sentences = {
        "figure": N_(
            "The photo shows {found} for {figure}, the game says {expected}: correct the board or the game."
        ),
        "many": N_(
            "The other boards in the photo differ from the game in {n} places, so it is probably of another game or "
            "moment: take a new one, or enter first what was played since."
        ),
        "apart": N_(
            "The photos contradict each other on numbers ({n}), such as {figure}: use photos of one moment only."
        ),
        "other_values": N_(
            "The values on the tracks do not go with the trains on the map ({n}), such as {figure}: use photos of one "
            "moment only."
        ),
        "strange": N_(
            "Markers of a colour that the profile does not know seem to stand on the influence tracks, for one on "
            "{cell}: teach them with masinfira learn, from a photo whose numbers you know."
        ),
    }


def differing(read: Sequence[Figure], told: Mapping[str, Any]) -> Iterator[tuple[Figure, Any]]:
    """Each figure that the photo clearly shows and parts of a state JSON tell otherwise, with what they tell."""
    for figure in read:
        expected = value_at(told, figure.name)
        if figure.clear and expected not in (None, ...) and figure.best != expected:
            yield figure, expected


def contradictions(read: Sequence[Figure], state: game.State) -> list[Problem]:
    """What the photo shows for certain and the state says otherwise, as sentences; the first is that it is much."""
    conflicts: list[Problem] = [
        Disagreement("figure", found=figure.best, figure=figure.name, expected=expected)
        for figure, expected in differing(read, game.state_to_json(state))
    ]
    return [Disagreement("many", n=len(conflicts)), *conflicts] if len(conflicts) > MANY else conflicts


def values_apart(read: Sequence[Figure], on_map: Scan) -> list[Problem]:
    """That clear values cannot come from what was built on the map, whatever was agreed, if several cannot.

    A value is the landscape that was built on (R5.5), up to 15, and what the draft (R2.5) and the Golden Spike (R10.5)
    add. One that cannot be, or a train or two, is rather misread.
    """
    shown = {figure.name: figure for figure in read if figure.clear}
    wrong = []
    for company, hexes in on_map.track.items():
        figure = shown.get(f"companies.{company}.value")
        built = (mask_of(on_map.board, hexes) & on_map.board.landscape).bit_count()
        if figure and not min(built, TOP_VALUE) - SLIPS <= int(figure.best) <= built + MOST_ADDED + SLIPS:
            wrong.append(figure)
    return [Disagreement("other_values", n=len(wrong), figure=wrong[0].name)] if len(wrong) > 1 else []


def told_apart(on_map: Scan, read: Sequence[Figure]) -> Scan:
    """The scan with the play that the other boards show too, among all that looks the same on the map.

    These are the lines that the map leaves open or, where none of them fits, the shortest with shares taken among what
    was built. Where the boards fit nothing, or fit what the map shows, it stays as it is.
    """
    if on_map.before is None:
        return on_map
    shown = [figure for figure in read if figure.clear]
    lines: list[Reached] = [
        (line, reduce(game.apply, line, on_map.before)) for line in (on_map.actions, *on_map.alternatives)
    ]
    fitting = [(line, state) for line, state in lines if not contradictions(shown, state)]
    if not fitting and not on_map.conflicts:
        fitting = _with_shares(shown, on_map.before, lines[0][1].track, len(on_map.actions))
    if not fitting:
        return on_map
    (actions, state), *rest = _by_target(fitting, on_map)
    return replace(on_map, actions=[*actions], state=state, alternatives=[[*line] for line, _ in rest])


def _by_target(fitting: list[Reached], on_map: Scan) -> list[Reached]:
    """Of several those that lead Mašinfíra's target marker to where the map clearly shows it, if any do (R7.5)."""
    if len(fitting) < 2 or fitting[0][1].bot is None or not (target := on_map.cards_shown.clear_target):
        return fitting
    return [(line, state) for line, state in fitting if state.bot and state.bot.target == target] or fitting


def _with_shares(shown: Sequence[Figure], before: game.State, track: Counts, builds: int) -> list[Reached]:
    """The shortest lines of play to the track that the map shows and to all the numbers that the other boards show."""
    search = _Search(shown, track)
    front: dict[game.State, Line] = {before: ()}
    for _ in range(builds + MORE_ACTIONS):
        longer = ((after, (*line, a)) for state, line in front.items() for a, after in search.plays(state))
        front = dict(islice(longer, POSITIONS))
        if found := [(line, state) for state, line in front.items() if search.ends(state)]:
            return found
    return []


@dataclass(frozen=True)
class _Search:
    """What is searched for: the numbers that the other boards clearly show, and the track on the map by company."""

    shown: Sequence[Figure]
    track: Counts

    def plays(self, state: game.State) -> Iterator[tuple[game.Action, game.State]]:
        """The actions that add only track which the map shows, and take only shares that leave their trace."""
        then = game.state_to_json(state)
        for action in game.legal_actions(state):
            if isinstance(action, game.Build) and not self._shows(
                action.company, state.board.mask(action.route)
            ):
                continue
            after = game.apply(state, action)
            track_shows = all(map(self._shows, COMPANIES, after.track))
            if track_shows and (after.shares == state.shares or self._share_shows(then, after)):
                yield action, after

    def ends(self, state: game.State) -> bool:
        """Whether everything is as it was seen."""
        return state.track == self.track and not contradictions(self.shown, state)

    def _shows(self, company: str, hexes: int) -> bool:
        """Whether the map shows track of the company on all these hexes."""
        return not hexes & ~self.track[INDEX[company]]

    def _share_shows(self, then: dict[str, Any], after: game.State) -> bool:
        """Whether the photos show enough of what a share moves: influence, trains, the company marker (R4, R7.5)."""
        now = game.state_to_json(after)
        return sum(_steps(figure, then, now) for figure in self.shown) >= SHARE_SHOWS


def _steps(figure: Figure, then: dict[str, Any], now: dict[str, Any]) -> int:
    """By how much a share that was taken has moved what this figure tells."""
    a, b = value_at(then, figure.name), value_at(now, figure.name)
    if figure.path == ("bot", "company"):
        return MARKER_SHOWS if a != b else 0
    counted = figure.path[0] == "influence" or figure.path[-1] == "reservoir"
    return abs(b - a) if counted and isinstance(a, int) and isinstance(b, int) else 0
