"""Which actions of a reading are told as turns: none that rests on a train in doubt, or on nothing that shows."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

from engine import mini_express as game
from engine.hexgrid import Hex
from vision.live.turns import turns_of


def opened() -> game.State:
    """A game of two players at the beginning of a turn in which a share can be taken."""
    rng = random.Random(4)
    state = game.new(board="usa", mode="experts", seats=["red", "blue"], modules=[], rng=rng)
    while (
        state.phase == "draft" or state.actions_left < 2 or not any(map(is_share, game.legal_actions(state)))
    ):
        state = game.apply(state, rng.choice(game.legal_actions(state)))
    return state


def is_share(action: game.Action) -> bool:
    return isinstance(action, game.TakeShare)


def some(kind: type[game.Action], state: game.State) -> game.Action:
    return next(action for action in game.legal_actions(state) if isinstance(action, kind))


BEFORE = opened()
BUILD = some(game.Build, BEFORE)
BUILT = game.apply(BEFORE, BUILD)
SECOND = some(game.Build, BUILT)
SHARE = some(game.TakeShare, BEFORE)
AFTER_SHARE = some(game.Build, game.apply(BEFORE, SHARE))


def new_train(action: game.Action, before: game.State) -> tuple[Hex, str]:
    """One of the trains that an action brings onto the map."""
    after = game.apply(before, action)
    return next((at, c) for c in game.COMPANIES for at in after.hexes(c) if at not in before.hexes(c))


def told(actions: list[game.Action], *doubtful: tuple[Hex, str]) -> list[game.Action]:
    """The turns that are told of what a reading found."""
    asked = [SimpleNamespace(hex=at, company=company) for at, company in doubtful]
    found: Any = SimpleNamespace(actions=actions, doubtful=asked, alternatives=[])
    return [turn.action for turn in turns_of(found, BEFORE, 0.0)]


def test_all_actions_of_a_sure_reading_are_told() -> None:
    assert told([BUILD, SECOND]) == [BUILD, SECOND]


@pytest.mark.parametrize("doubted", [0, 1])
def test_from_the_first_train_in_doubt_on_nothing_is_told(doubted: int) -> None:
    train = (new_train(BUILD, BEFORE), new_train(SECOND, BUILT))[doubted]
    assert told([BUILD, SECOND], train) == [BUILD, SECOND][:doubted]


def test_a_share_does_not_show_so_it_is_told_only_with_the_build_that_follows() -> None:
    assert told([SHARE]) == []
    assert told([SHARE, AFTER_SHARE]) == [SHARE, AFTER_SHARE]
    assert told([SHARE, AFTER_SHARE], new_train(AFTER_SHARE, game.apply(BEFORE, SHARE))) == []


def test_what_else_each_action_may_have_been_is_named_once() -> None:
    other = game.TakeShare("white")
    lines = [[BUILD, other], [BUILD, other], [SHARE, SECOND]]
    found: Any = SimpleNamespace(actions=[BUILD, SECOND], doubtful=[], alternatives=lines)
    assert [turn.alternatives for turn in turns_of(found, BEFORE, 0.0)] == [[SHARE], [other]]
