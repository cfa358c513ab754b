"""What is wrong with whose turn it is, with a draft under way, and with the end of a game."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from .. import setup as setups
from ..names import COMPANIES, SEATS
from ..shares import draft_order, drafts_done
from ..state import State
from .broken import Broken, Unknown, each


def turn(state: State) -> Iterator[Broken]:
    """R2.4, R3.1, R3.3, R9.2: whose turn it is, and whether the game goes on."""
    yield from each((_seat, _actions, _passes, _draft, _aside, _over, _not_over), state)


def _seat(state: State) -> Iterator[Broken]:
    if not 0 <= state.to_move < len(state.setup.seats):
        yield Broken("turn", rule="R3.1", found=state.to_move)


def _actions(state: State) -> Iterator[Broken]:
    left = state.actions_left
    if not (left == 1 or (left == 2 and state.setup.mode == "experts" and state.used is None)):
        yield Broken("actions", rule="R9.2", found=left)
    if state.used is not None and state.setup.mode != "experts":
        yield Broken("used", rule="R9.2", company=COMPANIES[state.used])


def _passes(state: State) -> Iterator[Broken]:
    """R3.1: nobody passes in the draft, nor has before a second action (R9.2); once all have, the game is over."""
    most = len(SEATS)  # where it is not told who plays and how far the game is
    with suppress(Unknown):
        most = _most_passes(state)
    if not 0 <= state.passes <= most:
        yield Broken("passes", rule="R3.1", found=state.passes, limit=most)


def _most_passes(state: State) -> int:
    if state.setup.mode == "experts" and state.used is not None:
        return 0
    players = len(state.setup.seats)
    return {"draft": 0, "over": players}.get(state.phase, players - 1)


def _draft(state: State) -> Iterator[Broken]:
    if state.phase != "draft":
        return
    start = setups.starting_state(state.setup, state.demand)
    parts = ("value", "reservoir", "supply", "offer", "out", "track", "influence")
    if any(getattr(state, part) != getattr(start, part) for part in parts):
        yield Broken("draft_track", rule="R2.2")
    order, done = draft_order(state), drafts_done(state)
    if not _drafted(state, order[:done]):
        yield Broken("draft_held", rule="R9.1" if state.setup.mode == "experts" else "R2.4")
    seat = order[done] if done < len(order) else _after_humans(state)
    if seat is None or seat != state.to_move:
        expected = state.setup.seats[seat if seat is not None else 0]
        yield Broken("draft_seat", rule="R2.4", expected=expected)


def _drafted(state: State, seats: Sequence[int]) -> bool:
    """Whether the humans can hold what they do after these seats have drafted, and Mašinfíra waits for its turn.

    Two shares of a player are of two companies, and no two players have the same (R2.4); experts take both shares of a
    company, split one, and take both again (R9.1).
    """
    humans = [tuple(row) for row in state.shares[: len(state.setup.humans)]]
    if state.setup.mode == "experts":
        held = sorted(pair for pair in zip(*humans, strict=True) if any(pair))
        return held == sorted([(2, 0), (1, 1)][: len(seats)])
    if any(sum(row) != seats.count(seat) or max(row) > 1 for seat, row in enumerate(humans)):
        return False
    whole = [row for row in humans if sum(row) == 2]
    waits = len(seats) == 2 * len(humans) or not any(map(sum, state.shares[len(humans) :]))
    return len({*whole}) == len(whole) and waits


def _after_humans(state: State) -> int | None:
    """Who drafts after the humans: Mašinfíra, in solo only (R7.3)."""
    return state.setup.bot_seat if state.setup.mode == "solo" else None


def _aside(state: State) -> Iterator[Broken]:
    if state.phase != "draft" and any(state.aside):
        yield Broken("aside", rule="R2.5")


def _over(state: State) -> Iterator[Broken]:
    bot_ends = state.setup.ended_by(state.bot)
    if state.phase == "over" and not (bot_ends or state.ending or state.passes >= len(state.setup.seats)):
        yield Broken("over", rule=state.setup.end_rule)


def _not_over(state: State) -> Iterator[Broken]:
    if state.phase == "play" and (state.setup.ended_by(state.bot) or (state.ending and _round_over(state))):
        yield Broken("not_over", rule=state.setup.end_rule)


def _round_over(state: State) -> bool:
    return state.setup.mode == "experts" or state.to_move == 0
