"""The rules at a glance: which actions are legal, what an action leads to, when the game ends.

A game is a state and the list of its actions; chance (the tiles Mašinfíra draws) is an action like any
other, so a game replays exactly.
"""

import random
from collections.abc import Sequence

from . import bot
from .actions import Action, Build, Draft, Draw, Pass, TakeShare
from .building import build_actions, check_build, do_build
from .errors import IllegalAction
from .events import Event
from .names import COMPANIES, INDEX, RESERVOIR_SIZE
from .shares import (
    check_draft,
    check_take,
    do_draft,
    do_take,
    draft_actions,
    draft_order,
    drafts_done,
    finish_draft,
    share_actions,
)
from .state import State, exhausted
from .table import Table


def legal_actions(state: State) -> list[Action]:
    """Every action of whoever is to move; in the bot's turn the distinct draws; [] when the game is over."""
    if state.phase == "over":
        return []
    if state.bot_moves:
        return list(bot.draw_actions(state))
    if state.phase == "draft":
        return list(draft_actions(state))
    return [*_player_actions(state)] or [Pass()]


def chance(state: State) -> list[tuple[Draw, float]]:
    """The draws of Mašinfíra's turn with their probabilities; [] in a human's turn."""
    return bot.draw_chances(state) if state.bot_moves and state.phase != "over" else []


def by_lot(draws: Sequence[tuple[Draw, float]], rng: random.Random) -> Draw:
    """One of the draws of `chance`."""
    return rng.choices(draws, [probability for _, probability in draws])[0][0]


def apply(state: State, action: Action) -> State:
    """The state after an action. Raises IllegalAction with the clause that forbids it."""
    return _play(state, action, None)


def play(state: State, action: Action) -> tuple[State, list[Event]]:
    """As `apply`, with what happened. Raises IllegalAction."""
    log: list[Event] = []
    return _play(state, action, log), log


def check_action(state: State, action: Action) -> None:
    """Raises IllegalAction with the clause that forbids the action here."""
    for part in ("company", "wild", "western"):
        if (named := getattr(action, part, None)) is not None and named not in COMPANIES:
            raise IllegalAction("no_company", rule="R1.1", found=named)
    if state.phase == "over":
        raise IllegalAction("game_over", rule="R3.3")
    if state.bot_moves and not isinstance(action, Draw):
        raise IllegalAction("bot_turn", rule="R7.4")
    if state.phase == "draft" and not isinstance(action, Draft | Draw):
        raise IllegalAction("draft_first", rule="R2.4", seat=state.seat)
    match action:
        case Draft():
            if state.phase != "draft":
                raise IllegalAction("draft_over", rule="R2.4")
            check_draft(state, action)
        case Draw():
            bot.check_draw(state, action)
        case Pass():
            if _player_actions(state):
                raise IllegalAction("must_act", rule="R3.1")
        case _:
            _check_player_action(state, action)


def _check_player_action(state: State, action: TakeShare | Build) -> None:
    if state.used == INDEX[action.company]:
        raise IllegalAction("same_company", rule="R9.2", company=action.company)
    if isinstance(action, Build):
        check_build(state, action)
    else:
        check_take(state, action)
    if state.used is not None and (company := _exhausts(state, action)):
        raise IllegalAction("second_ends", rule="R9.2", company=company)


def _player_actions(state: State) -> list[TakeShare | Build]:
    """Shares and builds, without those that a second action may not be (R9.2)."""
    actions: list[TakeShare | Build] = [*share_actions(state), *build_actions(state)]
    if state.used is None:
        return actions
    return [a for a in actions if INDEX[a.company] != state.used and not _exhausts(state, a)]


def _exhausts(state: State, action: TakeShare | Build) -> str | None:
    """The company whose offer this action would exhaust, if any (R9.2)."""
    c = INDEX[action.company]
    if isinstance(action, Build) and not _may_exhaust(state, action):
        return None
    if isinstance(action, TakeShare) and state.offer[c] > 1 and state.supply[c] > RESERVOIR_SIZE:
        return None
    table = Table(state)
    _do(table, action)
    return next((COMPANIES[i] for i, left in enumerate(table.offer) if not left and state.offer[i]), None)


def _may_exhaust(state: State, build: Build) -> bool:
    """Whether a supply is so small that a build could use it up: at most a train per hex is compensated (R5.4), and
    the modules take no more than three (R10.3, R10.4, R11.2)."""
    route, extra = state.board.mask(build.route), 3 if state.setup.modules else 0
    lots = zip(state.offer, state.supply, state.track, strict=True)
    return any(offer and supply <= (route & track).bit_count() + extra for offer, supply, track in lots)


def _play(state: State, action: Action, log: list[Event] | None) -> State:
    check_action(state, action)
    table = Table(state, log)
    if state.phase == "draft":
        _draft(table, action)
    elif _do(table, action):
        _end_action(table, action)
    return table.freeze()


def _do(table: Table, action: Action) -> bool:
    """Carry out an action; is it finished, or does Mašinfíra draw again?"""
    match action:
        case TakeShare():
            table.passes = 0
            do_take(table, action)
        case Build():
            table.passes = 0
            do_build(table, action)
        case Draw():
            return bot.do_draw(table, action)
        case Pass() if table.before.used is not None:
            # Only a position entered by hand stands before such a second action.
            table.note("turn_ends", "R9.2", seat=table.seat)
        case Pass():
            table.note("passed", "R3.1", seat=table.seat)
            table.passes = table.before.passes + 1
    return True


def _draft(table: Table, action: Action) -> None:
    """A share of the draft (R2.4, R7.1, R9.1) or one of Mašinfíra's two draws (R7.3)."""
    if isinstance(action, Draw):
        if bot.do_draft_draw(table, action):
            bot.add_refresh(table)
            finish_draft(table)
        return
    assert isinstance(action, Draft)
    done = drafts_done(table.before) + 1
    do_draft(table, action)
    order = draft_order(table.before)
    if done < len(order):
        table.to_move = order[done]
    elif table.setup.mode == "solo":
        table.to_move += 1
    else:
        finish_draft(table)


def _end_action(table: Table, action: Action) -> None:
    """The end of the game (R3.3, R7.11, R8.3, R9.3), a second action (R9.2) or the next turn."""
    last = table.to_move == len(table.setup.seats) - 1
    empty = exhausted(table.offer)
    at_once = table.setup.mode == "experts"
    if table.phase == "over":
        return
    if len(empty) >= table.setup.exhausted_at_end and (last or at_once):
        table.note("game_over", table.setup.end_rule, exhausted=[COMPANIES[c] for c in empty])
        table.phase = "over"
    elif table.passes >= len(table.setup.seats):
        # Nobody could act, so nothing can change any more: see docs/rulings.md.
        table.note("game_over_stuck", "R3.1")
        table.phase = "over"
    elif table.actions_left > 1 and isinstance(action, TakeShare | Build):
        _second_action(table, INDEX[action.company])
    else:
        _next_turn(table)


def _second_action(table: Table, used: int) -> None:
    """With experts the same seat acts again, with another company, where it can (R9.2)."""
    table.actions_left, table.used = 1, used
    if not _player_actions(table.freeze()):
        table.note("turn_ends", "R9.2", seat=table.seat)
        _next_turn(table)


def _next_turn(table: Table) -> None:
    table.to_move = (table.to_move + 1) % len(table.setup.seats)
    table.actions_left, table.used = 2 if table.setup.mode == "experts" else 1, None
