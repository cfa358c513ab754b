"""Compensation for the companies that a route runs over (R5.4)."""

from .actions import Build
from .names import COMPANIES, INDEX
from .state import State
from .table import Table


def compensate(table: Table, action: Build) -> None:
    """One train for each hex of the route that a company stands on, hex by hex in route order (R5.4).

    From Tourist on, Mašinfíra gives none to a company whose reservoir holds 2 or more (R7.14).
    """
    sparing = table.before.bot_moves and table.setup.from_difficulty("tourist")
    builder, gained = INDEX[action.company], [0] * len(COMPANIES)
    spared = set()
    for at in action.route:
        bit = table.board.index[at]
        for c, track in enumerate(table.track):
            if c != builder and track >> bit & 1:
                if sparing and table.reservoir[c] >= 2:
                    spared.add(c)
                else:
                    gained[c] += table.fill(c, 1)
    for c, n in enumerate(gained):
        if n:
            table.note("compensated", "R5.4", company=COMPANIES[c], n=n)
        if c in spared:
            key = "bot_no_more_compensation" if n else "bot_no_compensation"
            table.note(key, "R7.14", company=COMPANIES[c])


def supply_after(state: State, action: Build) -> list[int]:
    """The supplies once a build is compensated, which comes before the modules' events (R10.3)."""
    table = Table(state)
    compensate(table, action)
    return table.supply
