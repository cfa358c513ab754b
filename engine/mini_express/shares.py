"""Taking a share from the offer (R4), and the four ways the first shares are drafted (R2.4, R7.1, R8.1, R9.1)."""

from collections.abc import Iterator

from .actions import Draft, TakeShare
from .errors import IllegalAction
from .names import COMPANIES, INDEX, TOP_VALUE
from .state import State
from .table import Table

SHARE_TRAINS = 3


def share_actions(state: State) -> Iterator[TakeShare]:
    """Every share the seat to move can pay for (R4.1)."""
    influence = state.influence[state.to_move]
    for c, company in enumerate(COMPANIES):
        if state.offer[c] and influence[c] >= state.reservoir[c]:
            yield TakeShare(company)


def check_take(state: State, action: TakeShare) -> None:
    """Raises IllegalAction with the clause that forbids it."""
    c = INDEX[action.company]
    if not state.offer[c]:
        raise IllegalAction("no_share", rule="R3.2", company=action.company)
    cost, has = state.reservoir[c], state.influence[state.to_move][c]
    if has < cost:
        raise IllegalAction(
            "no_influence", rule="R4.1", company=action.company, cost=cost, seat=state.seat, has=has
        )


def do_take(table: Table, action: TakeShare) -> None:
    """Pay influence, take the share, add three trains (R4.1, R4.2)."""
    c = INDEX[action.company]
    cost = table.reservoir[c]
    table.influence[table.to_move][c] -= cost
    if cost:
        table.note("took_share", "R4.1", seat=table.seat, company=action.company, cost=cost)
    else:
        table.note("took_share_free", "R4.1", seat=table.seat, company=action.company)
    table.take_offered(table.to_move, c)
    add_trains(table, c, SHARE_TRAINS)


def add_trains(table: Table, company: int, trains: int, rule: str = "R4.2") -> None:
    """Trains that follow a share into the reservoir, by this clause."""
    added = table.fill(company, trains)
    table.note("trains_added", rule, company=COMPANIES[company], n=added)


def draft_order(state: State) -> list[int]:
    """The seats in the order they draft; Mašinfíra's two draws of R7.3 are not among them."""
    if state.setup.mode == "experts":
        return [0, 0, 1]  # R9.1: both of one company, a split, both of another; the last split follows
    there = list(range(len(state.setup.humans)))
    return there + there[::-1]  # R2.4


def drafts_done(state: State) -> int:
    """How many draft actions the humans have made."""
    held = sum(map(sum, state.shares[: len(state.setup.humans)]))
    return held // 2 if state.setup.mode == "experts" else held


def draft_actions(state: State) -> Iterator[Draft]:
    """The shares the seat to move may draft."""
    for company in COMPANIES:
        if not _draft_problem(state, company):
            yield Draft(company)


def check_draft(state: State, action: Draft) -> None:
    """Raises IllegalAction with the clause that forbids it."""
    if problem := _draft_problem(state, action.company):
        raise problem


def _draft_problem(state: State, company: str) -> IllegalAction | None:
    c = INDEX[company]
    if not state.aside[c]:
        return IllegalAction("draft_none_aside", rule="R2.4", company=company)
    if state.setup.mode == "experts":
        return None  # a company is set aside as a whole or not at all (R9.1)
    own = state.shares[state.to_move]
    if own[c]:
        return IllegalAction("draft_same", rule="R2.4", seat=state.seat, company=company)
    mine = tuple(n + (i == c) for i, n in enumerate(own))
    for seat, held in enumerate(state.shares):
        if sum(mine) == 2 and seat != state.to_move and held == mine:
            companies = [COMPANIES[i] for i, n in enumerate(mine) if n]
            return IllegalAction("draft_pair", rule="R2.4", other=state.setup.seats[seat], pair=companies)
    return None


def do_draft(table: Table, action: Draft) -> None:
    """Take what was set aside; with experts the company is taken as a whole or split (R9.1)."""
    c = INDEX[action.company]
    if table.setup.mode == "experts":
        _draft_expert(table, c, drafts_done(table.before))
        return
    table.aside[c] -= 1
    table.shares[table.to_move][c] += 1
    table.note("drafted", "R2.4", seat=table.seat, company=action.company)


def _draft_expert(table: Table, company: int, done: int) -> None:
    if done == 1:
        _split(table, company)
        return
    table.aside[company] -= 2
    table.shares[table.to_move][company] += 2
    table.note("drafted_both", "R9.1", seat=table.seat, company=COMPANIES[company])
    if done == 2:
        _split(table, next(c for c, left in enumerate(table.aside) if left))


def _split(table: Table, company: int) -> None:
    table.aside[company] -= 2
    for row in table.shares:
        row[company] += 1
    seat, other = table.setup.seats
    table.note("drafted_split", "R9.1", seat=seat, other=other, company=COMPANIES[company])


def value_of_left(players: int) -> int:
    """By how much each share that is left aside raises its company's value (R2.5)."""
    return 1 if players == 4 else 2


def value_with(built: int, left: int, players: int) -> int:
    """A company's value: what was built (R5.5), and what shares left aside gave (R2.5), never above 15."""
    return min(TOP_VALUE, built + left * value_of_left(players))


def finish_draft(table: Table) -> None:
    """What happens to the shares that are left aside (R2.5, R7.3, R8.1), then the game begins."""
    mode, players = table.setup.mode, len(table.setup.seats)
    for c, left in enumerate(table.aside):
        if left and mode == "two_with_bot":
            table.note("left_to_bot", "R8.1", company=COMPANIES[c], n=left)
            table.shares[-1][c] += left
        else:
            table.out[c] += left
        if left and mode == "standard":
            by = left * value_of_left(players)
            table.value[c] += by
            table.note("left_aside", "R2.5", company=COMPANIES[c], by=by, value=table.value[c])
        table.aside[c] = 0
    table.phase, table.to_move = "play", 0
    table.actions_left = 1
