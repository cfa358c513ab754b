"""Lines of play, tried out one after the other: the more promising an action has proved, the more often.

A Monte Carlo tree search (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006), in which what an
action brings at first sight says where to look first (PUCT; Rosin, "Multi-armed bandits with episode context", 2011).
Beyond the tree everybody plays to the end by first sight and somewhat at random. Every seat wants to be ahead of the
best of the others.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..actions import Action
from ..rules import apply, by_lot, chance, legal_actions
from ..scoring import score
from ..state import State
from .first_sight import by_likeness, choose, gains

# How strongly actions are looked at that promised much and were tried little. Chosen, like the numbers below, by games
# against Mašinfíra.
C_PUCT = 1.0
# So many points less at first sight make an action's prior e times smaller.
PRIOR_POINTS = 3.0
# So many points less make an action e times rarer beyond the tree.
NOISE = 0.5
# The scale of the logistic function from points ahead to value, and the weight of winning itself, by however little.
# Points tell more than victories of how good a single line is, but in the end these count.
AHEAD, VICTORY = 5.0, 0.25
# The first-play urgency: what has not been tried counts as a little worse than the rest has proved so far.
URGENCY = -0.1
# So far below the mean value lies the lower bound after one line; after four lines half as far. Of 31 positions,
# tried 60 times each and judged by 2500 tries, less than 0.7 chose worse actions, more chose none better (2026-11-26).
LUCK = 1.0


@dataclass
class Tried:
    """An action and what came of it: its `prior`, how likely it is the best at first sight, and of so many `visits` the
    sums of the value, 0 to 1, of victories and of points ahead of the best rival, all for the seat that acts."""

    action: Action
    prior: float
    visits: int = 0
    value: float = 0.0
    won: float = 0.0
    ahead: float = 0.0
    then: "Node | None" = None

    @property
    def ends(self) -> bool:
        """Whether it is known to end the game at once."""
        return self.then is not None and self.then.state.phase == "over"

    @property
    def lower_bound(self) -> float:
        """Its value at the least, had it been lucky so far; a few good lines do not beat many. Where it ends the game
        nothing is left to luck, and a victory beats whatever else may come."""
        if not self.visits:
            return -math.inf
        mean = self.value / self.visits
        return mean + self.won / self.visits if self.ends else mean - LUCK / math.sqrt(self.visits)


@dataclass
class Node:
    """A position of the tree: a person's with what was `tried`, Mašinfíra's with the positions after its draws."""

    state: State
    tried: list[Tried] = field(default_factory=list)
    drawn: dict[Action, "Node"] = field(default_factory=dict)

    @staticmethod
    def of(state: State) -> "Node":
        if state.bot_moves or state.phase == "over":
            return Node(state)
        return Node(state, untried(state, legal_actions(state)))

    def selected(self) -> Tried:
        """What to try next (PUCT)."""
        visits = sum(each.visits for each in self.tried)
        unvisited = (sum(each.value for each in self.tried) / visits if visits else 0.5) + URGENCY
        exploration = C_PUCT * math.sqrt(visits + 1)

        def upper_bound(each: Tried) -> float:
            mean = each.value / each.visits if each.visits else unvisited
            return mean + exploration * each.prior / (1 + each.visits)

        return max(self.tried, key=upper_bound)


def untried(state: State, actions: Sequence[Action]) -> list[Tried]:
    """Actions, none of which has been tried yet, with their priors by what each brings at first sight."""
    groups = by_likeness(actions)
    brings = gains(state, groups)
    weights = [math.exp((gain - max(brings)) / PRIOR_POINTS) for gain in brings]
    return [
        Tried(action, weight / sum(weights) / len(alike))
        for alike, weight in zip(groups, weights, strict=True)
        for action in alike
    ]


class Search:
    """All that has been tried from one position, in which a person is to move; actions that end the game at once."""

    def __init__(self, state: State, rng: random.Random) -> None:
        self.root, self._rng = Node.of(state), rng
        self.times = 0
        for tried in self.root.tried:
            if (end := apply(state, tried.action)).phase == "over":
                tried.then = Node(end)
                self._tried([(state.to_move, tried)], end)

    def try_once(self) -> None:
        """Try one line of play to the end, and remember what came of its actions."""
        node, path = self.root, list[tuple[int, Tried]]()
        while node.state.phase != "over":
            if node.state.bot_moves:
                draw = by_lot(chance(node.state), self._rng)
                new = draw not in node.drawn
                if new:
                    node.drawn[draw] = Node.of(apply(node.state, draw))
                node = node.drawn[draw]
            else:
                tried = node.selected()
                path.append((node.state.to_move, tried))
                new = tried.then is None
                tried.then = tried.then or Node.of(apply(node.state, tried.action))
                node = tried.then
            if new:
                break
        self._tried(path, played_out(node.state, self._rng))

    @property
    def open(self) -> bool:
        """Whether there is anything to find out."""
        return len(self.root.tried) > 1 and not all(tried.ends for tried in self.root.tried)

    def _tried(self, path: list[tuple[int, Tried]], end: State) -> None:
        """One line of play more, with the seats that chose its actions."""
        _remember(path, end)
        self.times += 1


def played_out(state: State, rng: random.Random) -> State:
    """The end of a game that everybody goes on with as at first sight, somewhat at random."""
    while state.phase != "over":
        if state.bot_moves:
            action: Action = by_lot(chance(state), rng)
        else:
            actions = legal_actions(state)
            draft = state.phase == "draft"
            action = rng.choice(actions) if draft else choose(state, actions, rng, NOISE)
        state = apply(state, action)
    return state


def _remember(path: list[tuple[int, Tried]], end: State) -> None:
    """What came of the actions of a line of play, for the seats that chose them."""
    scored = score(end)
    points = [scored["seats"][seat]["total"] for seat in end.setup.seats]
    for seat, tried in path:
        ahead = points[seat] - max(points[:seat] + points[seat + 1 :])
        won = end.setup.seats[seat] == scored["winner"]
        tried.visits += 1
        tried.value += VICTORY * won + (1 - VICTORY) / (1 + math.exp(-ahead / AHEAD))
        tried.won += won
        tried.ahead += ahead
