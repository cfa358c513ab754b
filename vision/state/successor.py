"""From the state before and an observation to the actions that led there: the most probable legal successor.

Trains never leave the map, so the state before is certain of its track; what the photo can add is new track,
and new track comes only by a legal action. The rules choose among what the photo makes possible, they never
bend it: what the photo shows and no action explains is a conflict, told and asked.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import exp, log

from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.names import COMPANIES, Answers, Pair, Train
from engine.sentences import Problem

from ..cells.odds import probability
from .decode import HEARD, Conflict, Doubt, worth_asking
from .observation import Observation
from .on_hexes import OfCompanies, by_company

# How many actions are looked ahead, and how many lines of play are kept at each.
DEPTH, BEAM = 4, 24
# A train the photo shows more clearly than this, in log odds, must be explained, and one that it misses as
# clearly: below, a slip of the reading is likelier than a breach of the rules.
CLEAR_ODDS, GONE_ODDS = 3.0, -6.0
# One that is this probable is worth looking for the action that built it, and asked about where there is none.
LIKELY = 0.0
# A new train less probable than this, in log odds, is not thought of, nor a build whose trains together are.
THINKABLE, THINKABLE_BUILD = -5.0, -4.0
# Where a person has told of a train, one that must have come with it may be as improbable as this.
BARELY_THINKABLE = -7.0
# Trains missed in a photo before any is counted: one in a hundred.
MISSED_ANYWAY = 0.01
# Hexes that nobody could see speak neither for nor against, but a build nobody saw is not assumed.
UNSEEN = -1.0
# What it costs to assume one action, and each further one, in log odds: a photo is mostly taken every turn. Less where
# all it adds clearly shows: a single gray train, which may be a white one, is hardly worth five.
ONE_ACTION, FURTHER_ACTION, FURTHER_THAT_SHOWS = 1.0, 5.0, 2.0

# More contradictions than this speak against the photo, not against the record of the game.
MANY = 5


@dataclass(frozen=True)
class Line:
    """A line of play from the state before: its actions, the state reached, the trains it adds.

    `score` is what these are worth without the `cost` of assuming the actions, in log odds.
    """

    state: game.State
    actions: tuple[game.Action, ...] = ()
    added: frozenset[Train] = frozenset()
    score: float = 0.0
    cost: float = 0.0


@dataclass(frozen=True)
class Successor:
    """The state after, what led to it, other actions to other states that the photo cannot tell from them, doubts and
    conflicts."""

    state: game.State
    actions: list[game.Action]
    alternatives: list[list[game.Action]]
    doubtful: list[Doubt]
    conflicts: list[Problem]

    @property
    def track(self) -> dict[str, list[Hex]]:
        """The hexes with a train of each company, as the state has them."""
        return {company: self.state.hexes(company) for company in COMPANIES}


def find_successor(observation: Observation, before: game.State) -> Successor:
    """The most probable line of legal actions from `before` to what the photo shows; none where none is seen."""
    shown = by_company(observation, before.board, _certain(before), _tiles(before))
    if before.phase != "play" and _unexplained(shown, before, Line(before)):
        return Successor(before, [], [], [], [Conflict(before.phase)])
    tempered = _tempered(shown, before, observation.told)
    lines = _lines(tempered, before)
    best = max(lines, key=lambda line: line.score)
    if _unexplained(tempered, before, best):
        # A share fills the reservoir (R4.2), so the next player can build what was out of reach.
        lines = _lines(tempered, before, shares=True)
        best = max(lines, key=lambda line: line.score)
    if _unexplained(tempered, before, best) & observation.told.keys():
        # What a person told is there, so what must have come with it is to be thought of, even if it hardly shows.
        lines = [*lines, *_lines(_more_thinkable(tempered, shown, observation.told), before)]
        best = max(lines, key=lambda line: line.score)
    if observation.unseen and not best.added:
        lines += _hidden(tempered, before)
    others = _other_ends([line for line in lines if _looks_like(line, best)], best)
    said = _said(observation.told, best)
    conflicts = _conflicts(shown, before, best, observation.told)
    if len(conflicts) > MANY:
        # The photo is not to be trusted, so nothing is claimed to have been played.
        best = Line(before)
    doubts = _doubts(shown, before, best, lines)
    doubtful = [doubt for doubt in doubts if (doubt.hex, doubt.company) not in observation.told]
    alternatives = [list(line.actions) for line in others if best.added]
    return Successor(best.state, list(best.actions), alternatives, doubtful, [*said, *conflicts])


def trains_of(state: game.State) -> set[Train]:
    """Every train on the map, as (hex, company)."""
    return {(at, company) for company in COMPANIES for at in state.hexes(company)}


def _certain(before: game.State) -> OfCompanies:
    """The trains of the state before, which tell how likely others are on their hexes."""
    return {company: dict.fromkeys(before.hexes(company), HEARD) for company in COMPANIES}


def _tiles(before: game.State) -> dict[Hex, Pair]:
    """The demand tile of every city that has one."""
    laid = {number: before.demand[number] for number in before.board.numbered}
    return {before.board.numbered[number].at: pair for number, pair in laid.items() if pair}


def _tempered(odds: OfCompanies, before: game.State, told: Collection[Train]) -> OfCompanies:
    """The odds with as much trust in "no train there" as the company's known trains deserve in this photo.

    Of the trains of the state before the photo shows a share; a new one would be missed as often, but not by a person
    who has told that there is none.
    """
    tempered = {}
    for company, of in odds.items():
        known = [float(probability(of[at])) for at in before.hexes(company) if at in of]
        missed = (sum(1 - p for p in known) + MISSED_ANYWAY) / (len(known) + 1)
        least = log(missed)
        tempered[company] = {at: x if (at, company) in told else max(x, least) for at, x in of.items()}
    return tempered


def _more_thinkable(tempered: OfCompanies, shown: OfCompanies, told: Collection[Train]) -> OfCompanies:
    """The `tempered` odds, but that trains which hardly show are thought of, unless a person has told of them."""

    def more(at: Hex, company: str, x: float) -> float:
        barely = shown[company][at] > BARELY_THINKABLE and (at, company) not in told
        return max(x, THINKABLE) if barely else x

    return {company: {at: more(at, company, x) for at, x in of.items()} for company, of in tempered.items()}


def _looks_like(line: Line, best: Line) -> bool:
    """Another line of as many actions that a photo cannot tell from the best."""
    return line is not best and line.added == best.added and len(line.actions) == len(best.actions)


def _other_ends(lines: list[Line], best: Line) -> list[Line]:
    """Those after which the position is another one than after the best, each position once."""
    ends, others = [best.state], []
    for line in lines:
        if line.state not in ends:
            ends.append(line.state)
            others.append(line)
    return others


def _lines(odds: OfCompanies, before: game.State, *, shares: bool = False) -> list[Line]:
    """Lines of play worth thinking of, by breadth: nothing played, one action, and more while they explain more.

    Only where `shares` are thought of too, which no map shows, do people take any.
    """
    found = [Line(before)]
    front = found
    for _ in range(DEPTH):
        grown = [longer for line in front for longer in _longer(odds, before, line, shares)]
        front = sorted(grown, key=lambda line: -line.score)[:BEAM]
        found += front
        best = max(found, key=lambda line: line.score)
        if not front or not _unexplained(odds, before, best, LIKELY):
            break
    return found


def _longer(odds: OfCompanies, before: game.State, line: Line, shares: bool) -> Iterator[Line]:
    """The line with one more action that adds only track the photo makes thinkable."""
    unseen = (game.Draw, game.TakeShare) if shares else game.Draw
    for action in game.legal_actions(line.state):
        if isinstance(action, unseen) or (
            isinstance(action, game.Build) and _shows(odds, action) and _thinkable(odds, action)
        ):
            yield from _played(odds, before, line, action)


def _hidden(odds: OfCompanies, before: game.State) -> Iterator[Line]:
    """Each build of which nothing shows, because all of it is where nobody could look."""
    for action in game.legal_actions(before):
        if isinstance(action, game.Build) and not _shows(odds, action) and _thinkable(odds, action):
            yield from _played(odds, before, Line(before), action)


def _played(odds: OfCompanies, before: game.State, line: Line, action: game.Action) -> Iterator[Line]:
    """The line with this action, if all that it adds is thinkable."""
    after = game.apply(line.state, action)
    added = trains_of(after) - trains_of(before)
    worths = [_odds(odds, train) for train in sorted(added)]
    if min(worths, default=0.0) >= THINKABLE:
        cost = line.cost + _cost(odds, line, added - line.added)
        yield Line(after, (*line.actions, action), frozenset(added), sum(worths) - cost, cost)


def _cost(odds: OfCompanies, line: Line, new: Collection[Train]) -> float:
    """What it costs to assume one more action, which adds the `new` trains."""
    if not line.actions:
        return ONE_ACTION
    shows = bool(new) and all(_odds(odds, train) > CLEAR_ODDS for train in new)
    return FURTHER_THAT_SHOWS if shows else FURTHER_ACTION


def _shows(odds: OfCompanies, build: game.Build) -> bool:
    """Whether a photo shows at least a part of the route."""
    return any(at in odds[build.company] for at in build.route)


def _thinkable(odds: OfCompanies, build: game.Build) -> bool:
    """Whether nothing on the route speaks too clearly against the build."""
    worths = [_odds(odds, (at, build.company)) for at in build.route]
    return min(worths) >= THINKABLE and sum(worths) >= THINKABLE_BUILD


def _odds(odds: OfCompanies, train: Train) -> float:
    at, company = train
    return odds[company].get(at, UNSEEN)


def _p(odds: OfCompanies, train: Train) -> float:
    return float(probability(_odds(odds, train)))


def _unexplained(odds: OfCompanies, before: game.State, line: Line, least: float = CLEAR_ODDS) -> set[Train]:
    """The trains the photo shows by more than `least`, in log odds, and neither the state before nor the line has."""
    shown = {(at, c) for c in COMPANIES for at, value in odds[c].items() if value > least}
    return shown - trains_of(before) - line.added


def _said(told: Answers, line: Line) -> list[Problem]:
    """What a person said and this line of play leaves out, because no legal action explains it."""
    trains = trains_of(line.state)
    left_out = sorted(train for train, there in told.items() if there != (train in trains))
    keys = {True: "said_there", False: "said_gone"}
    return [Conflict(keys[told[at, c]], company=c, hex=at) for at, c in left_out]


def _conflicts(odds: OfCompanies, before: game.State, line: Line, told: Collection[Train]) -> list[Problem]:
    """What the photo shows, where nobody said what is there, and the line of play does not explain."""
    unexplained, vanished = _unexplained(odds, before, line) - set(told), _vanished(odds, before) - set(told)
    extra = [Conflict("unreachable", company=c, hex=at) for at, c in sorted(unexplained)]
    gone = [Conflict("missing", company=c, hex=at) for at, c in sorted(vanished)]
    if len(extra) + len(gone) > MANY:
        return [Conflict("many", n=len(extra) + len(gone)), *extra, *gone]
    return [*extra, *gone]


def _vanished(odds: OfCompanies, before: game.State) -> set[Train]:
    """The trains of the state before that the photo clearly does not show."""
    return {train for train in trains_of(before) if _odds(odds, train) < GONE_ODDS}


def _doubts(odds: OfCompanies, before: game.State, best: Line, lines: list[Line]) -> list[Doubt]:
    """Trains on which probable lines differ, hidden ones too where a route forks, and what contradicts all lines."""
    rivals = _one_each(lines)
    weights = [exp(max(-60.0, line.score - best.score)) for line in rivals]
    total = sum(weights)
    share: dict[Train, float] = {}
    for line, weight in zip(rivals, weights, strict=True):
        for train in sorted(line.added):
            share[train] = share.get(train, 0.0) + weight / total
    doubts = [Doubt(at, c, p, (at, c) in best.added) for (at, c), p in share.items()]
    known = {(doubt.hex, doubt.company) for doubt in doubts}
    for at, c in sorted(_unexplained(odds, before, best, LIKELY) - known):
        doubts.append(Doubt(at, c, _p(odds, (at, c)), False))
    for at, c in sorted(_vanished(odds, before)):
        doubts.append(Doubt(at, c, _p(odds, (at, c)), True))
    return worth_asking(doubts)


def _one_each(lines: list[Line]) -> list[Line]:
    """One line, the best, for each set of added trains."""
    best: dict[frozenset[Train], Line] = {}
    for line in lines:
        if line.added not in best or best[line.added].score < line.score:
            best[line.added] = line
    return list(best.values())
