"""Compensation for the companies that a route runs over (R5.4)."""

from .actions import Build
from .names import COMPANIES, RESERVOIR_SIZE
from .state import State
from .table import Table

SPARED_FROM = 2
"""From Tourist on, Mašinfíra gives none to a company whose reservoir holds so many or more (R7.14)."""


def compensation(state: State, build: Build) -> list[int]:
    """How many trains each company gets (R5.4, R7.14); the builder stands nowhere on its own route (R5.2)."""
    room, route = SPARED_FROM if _sparing(state) else RESERVOIR_SIZE, state.board.mask(build.route)
    companies = zip(state.track, state.reservoir, state.supply, strict=True)
    return [min((route & track).bit_count(), max(0, room - has), left) for track, has, left in companies]


def compensate(table: Table, build: Build) -> None:
    """The trains move, before the track is laid, and who is spared them is told."""
    sparing, route = _sparing(table.before), table.board.mask(build.route)
    for c, trains in enumerate(compensation(table.before, build)):
        if trains:
            table.fill(c, trains)
            table.note("compensated", "R5.4", company=COMPANIES[c], n=trains)
        if sparing and table.reservoir[c] >= SPARED_FROM and trains < (route & table.track[c]).bit_count():
            key = "bot_no_more_compensation" if trains else "bot_no_compensation"
            table.note(key, "R7.14", company=COMPANIES[c])


def supply_after(state: State, build: Build) -> list[int]:
    """The supplies once a build is compensated, which comes before the modules' events (R10.3)."""
    return [left - gets for left, gets in zip(state.supply, compensation(state, build), strict=True)]


def _sparing(state: State) -> bool:
    return state.bot_moves and state.setup.from_difficulty("tourist")
