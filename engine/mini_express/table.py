"""The table while an action is carried out: a state taken apart, changed by small moves, put together again."""

from typing import Any

from .events import Event
from .names import COMPANIES, RESERVOIR_SIZE, TOP_VALUE
from .state import State


class Table:
    """A working copy of one state. `log` collects events where somebody wants to read them."""

    def __init__(self, state: State, log: list[Event] | None = None) -> None:
        self.setup, self.board, self.log = state.setup, state.setup.board, log
        self.follows: list[Event] = []
        self.before = state
        self.to_move, self.phase, self.actions_left = state.to_move, state.phase, state.actions_left
        self.value, self.reservoir = list(state.value), list(state.reservoir)
        self.supply, self.offer = list(state.supply), list(state.offer)
        self.aside, self.out, self.track = list(state.aside), list(state.out), list(state.track)
        self.influence = [list(row) for row in state.influence]
        self.shares = [list(row) for row in state.shares]
        self.demand = list(state.demand)
        self.bot, self.spike = state.bot, state.spike
        self.used, self.passes = state.used, state.passes

    def freeze(self) -> State:
        """The state that has come about."""
        return State(
            self.setup,
            self.to_move,
            self.phase,
            self.actions_left,
            tuple(self.value),
            tuple(self.reservoir),
            tuple(self.supply),
            tuple(self.offer),
            tuple(self.aside),
            tuple(self.out),
            tuple(self.track),
            tuple(map(tuple, self.influence)),
            tuple(map(tuple, self.shares)),
            tuple(self.demand),
            self.bot,
            self.spike,
            self.used,
            self.passes,
        )

    def note(self, key: str, rule: str, **values: Any) -> None:
        """Write an event into the log, if there is one, and behind it the exhaustions since the one before."""
        if self.log is not None:
            self.log += [Event(key, rule, values), *self.follows]
            self.follows.clear()

    @property
    def seat(self) -> str:
        return self.setup.seats[self.to_move]

    def use_supply(self, company: int, trains: int) -> int:
        """Take up to that many trains from the supply; the last one exhausts the offer at once (R3.2).

        What they are taken for is noted next.
        """
        trains = min(trains, self.supply[company])
        self.supply[company] -= trains
        if not self.supply[company] and self.offer[company]:
            gone = {"company": COMPANIES[company], "n": self.offer[company]}
            self.follows.append(Event("exhausted", "R3.2", gone))
            self.out[company] += self.offer[company]
            self.offer[company] = 0
        return trains

    def fill(self, company: int, trains: int) -> int:
        """Move trains from the supply into the reservoir, never above 5 (R4.2, R5.4); how many moved."""
        moved = self.use_supply(company, min(trains, RESERVOIR_SIZE - self.reservoir[company]))
        self.reservoir[company] += moved
        return moved

    def raise_value(self, company: int, by: int, rule: str) -> None:
        """The value rises, never above 15 (R5.5)."""
        before = self.value[company]
        self.value[company] = min(before + by, TOP_VALUE)
        if self.value[company] != before:
            self.note(
                "value_rose", rule, company=COMPANIES[company], before=before, after=self.value[company]
            )

    def raise_influence(self, seat: int, company: int, by: int, rule: str) -> None:
        """The influence of a seat rises, without a limit (R5.6)."""
        before = self.influence[seat][company]
        self.influence[seat][company] = before + by
        values = {"seat": self.setup.seats[seat], "company": COMPANIES[company]}
        self.note("influence_rose", rule, before=before, after=before + by, **values)

    def take_offered(self, seat: int, company: int) -> None:
        """A share goes from the offer to a seat (R4.2)."""
        self.offer[company] -= 1
        self.shares[seat][company] += 1
        if not self.offer[company]:
            self.note("offer_empty", "R3.2", company=COMPANIES[company])
