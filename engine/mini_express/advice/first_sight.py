"""What an action brings at once: the points of whoever acts, and how far the rivals fall behind.

This looks at the value, the influence and the shares that an action changes, and at nothing that may follow; the bonus
of the Golden Spike (R10.5) is left out. It shows the search where to look, and is a player in its own right.
"""

import math
import random
from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cache

from ..actions import Action, Build, TakeShare
from ..names import COMPANIES, INDEX, TOP_VALUE, Pair
from ..scoring import worths
from ..state import Counts, State

Alike = list[Action]
"""Actions that are the same at first sight: builds that differ in their way and no more."""


def by_likeness(actions: Iterable[Action]) -> list[Alike]:
    """The actions in groups that are alike."""
    groups = defaultdict[Hashable, Alike](list)
    for action in actions:
        kind = (action.company, action.route[-1], action.wild) if isinstance(action, Build) else action
        groups[kind].append(action)
    return list(groups.values())


def gains(state: State, groups: Iterable[Alike]) -> list[float]:
    """Points for each group: what the seat to move wins, less what its rivals win on average."""
    sight = _Sight(state)
    return [sight.gain(alike[0]) for alike in groups]


def choose(state: State, actions: Iterable[Action], rng: random.Random, noise: float) -> Action:
    """An action of the group with the highest gain, which chance blurs, so that one that brings `noise` points less is
    taken e times less often (Gumbel-max)."""
    groups = by_likeness(actions)
    blurred = [gain - noise * math.log(-math.log(rng.random() or 0.5)) for gain in gains(state, groups)]
    return rng.choice(groups[blurred.index(max(blurred))])


@cache
def influence_of(tile: Pair, wild: str | None) -> Counts:
    """By how much a player's influence rises in each company (R5.6)."""
    both = (tile[0], wild or tile[1])
    return tuple(both.count(company) for company in COMPANIES)


class _Sight:
    """A position and the points of every company in it."""

    def __init__(self, state: State) -> None:
        self.state, self.me = state, state.to_move
        self.influence = [tuple(row[c] for row in state.influence) for c in range(len(COMPANIES))]
        self.points = [self._points(c, state.value[c], self.influence[c]) for c in range(len(COMPANIES))]
        self._changes: dict[tuple[int, int, int, int], float] = {}

    def gain(self, action: Action) -> float:
        """Points of one action."""
        if isinstance(action, TakeShare):
            c = INDEX[action.company]
            return self._change(c, self.state.value[c], -self.state.reservoir[c], 1)
        if isinstance(action, Build):
            return self._of_build(action)
        return 0.0

    def _of_build(self, build: Build) -> float:
        built, tile = INDEX[build.company], self.state.demand[self.state.board.city_of(build).number]
        assert tile is not None
        total = 0.0
        for c, more in enumerate(influence_of(tile, build.wild)):
            if more or c == built:
                longer = len(build.route) - 1 if c == built else 0
                total += self._change(c, min(TOP_VALUE, self.state.value[c] + longer), more)
        return total

    def _change(self, c: int, value: int, influence: int, shares: int = 0) -> float:
        """What this company brings, if its value is that and the seat to move has more influence and shares."""
        if (change := (c, value, influence, shares)) not in self._changes:
            self._changes[change] = self._worked_out(*change)
        return self._changes[change]

    def _worked_out(self, c: int, value: int, influence: int, shares: int) -> float:
        me, row = self.me, self.influence[c]
        now = self._points(c, value, (*row[:me], row[me] + influence, *row[me + 1 :]), shares)
        changes = [after - before for after, before in zip(now, self.points[c], strict=True)]
        return changes[me] - (sum(changes) - changes[me]) / (len(changes) - 1)

    def _points(self, c: int, value: int, influence: Counts, shares: int = 0) -> list[int]:
        """The points of each seat with one company, of which the seat to move has so many `shares` more."""
        held = self.state.shares
        return [
            worth * (held[seat][c] + (shares if seat == self.me else 0))
            for seat, worth in enumerate(worths(self.state.setup, value, influence))
        ]
