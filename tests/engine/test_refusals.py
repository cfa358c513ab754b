"""Every sentence with which an action is refused (`IllegalAction`), each in a position of its own.

`CASES` and the sentences must name the same keys, so that no refusal stays untested."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from positions import Place, build, position

from engine import mini_express as game
from engine.mini_express.state import State


class Case(NamedTuple):
    """A key, a position, an action in it, and the clause that forbids the action."""

    key: str
    state: Callable[[], State]
    action: Callable[[State], game.Action]
    rule: str


def share(company: str) -> Callable[[State], game.Action]:
    return lambda _state: game.TakeShare(company)


def draft(company: str) -> Callable[[State], game.Action]:
    return lambda _state: game.Draft(company)


def track(company: str, *route: str | tuple[int, int], **choices: object) -> Callable[[State], game.Action]:
    return lambda state: build(state, company, *route, **choices)


def drafting(*companies: str) -> Callable[[], State]:
    """Three players after these drafts."""

    def state() -> State:
        import random

        found = game.new(seats=("red", "blue", "purple"), rng=random.Random(1))
        for company in companies:
            found = game.apply(found, game.Draft(company))
        return found

    return state


def over() -> State:
    return position(offer={"brown": 0, "gray": 0, "rest": 3}, phase="over")


def bot_turn() -> State:
    return position(mode="solo", to_move="masinfira", drawn=[(1, 1)])


def second_action() -> State:
    return position(mode="experts", used="gray", reservoir=0, offer={"white": 1, "rest": 3})


def ports() -> State:
    return position(board="europe", modules=["ports"], demand={"Dublin": "orange wild", "Paris": "gray gray"})


def spike() -> State:
    west: list[Place] = ["San Francisco", (-9, 2), (-8, 1), (-7, 1), (-6, 0), (-5, 0), (-4, 0), "Denver"]
    brown: list[Place] = [(6, -4), (5, -3), (4, -2), (3, -2), (2, -2), (1, -2), "Omaha", (-1, -1), (-2, -1)]
    starts: dict[str, list[Place]] = {"orange": west, "white": ["San Francisco"]}
    return position(
        modules=["golden_spike"],
        spike="building",
        eastern="brown",
        track={"brown": brown, "gray": west, **starts},
    )


def full_detroit() -> State:
    return position(
        track={"orange": ["Detroit"], "brown": [(6, -4), (6, -5), "Detroit"], "gray": [(6, -3), (5, -3)]}
    )


WILD_DETROIT = {"Detroit": "white wild"}
PLAIN_DETROIT = {"Detroit": "white orange"}

CASES = [
    Case("game_over", over, share("white"), "R3.3"),
    Case("no_company", position, share("purple"), "R1.1"),
    Case("bot_turn", bot_turn, share("white"), "R7.4"),
    Case("not_bot_turn", position, lambda _: game.Draw((1, 2)), "R7.4"),
    Case("draft_first", drafting(), share("white"), "R2.4"),
    Case("draft_over", position, draft("white"), "R2.4"),
    Case("draft_none_aside", drafting("brown", "brown"), draft("brown"), "R2.4"),
    Case("draft_same", drafting("brown", "gray", "white"), draft("white"), "R2.4"),
    Case("draft_pair", drafting("brown", "gray", "white", "gray"), draft("white"), "R2.4"),
    Case("no_share", lambda: position(reservoir=0, offer={"white": 0, "rest": 3}), share("white"), "R3.2"),
    Case("no_influence", position, share("white"), "R4.1"),
    Case("same_company", second_action, share("gray"), "R9.2"),
    Case("second_ends", second_action, share("white"), "R9.2"),
    Case("no_train", lambda: position(reservoir=0), track("orange", "Detroit"), "R5.2"),
    Case("no_route", position, track("orange"), "R5.2"),
    Case("off_map", position, track("orange", (99, 99), "Detroit"), "R1.3"),
    Case("no_city", position, track("orange", (6, -5)), "R5.1"),
    Case("been_there", full_detroit, track("orange", "Detroit"), "R5.1"),
    Case("no_tile", position, track("gray", (7, -4), "Baltimore"), "R5.1"),
    Case("city_full", full_detroit, track("gray", (5, -4), "Detroit"), "R5.1"),
    Case("not_landscape", position, track("orange", "Detroit", (4, -4), "Chicago"), "R5.2"),
    Case("own_track", full_detroit, track("gray", (5, -3), "Louisville"), "R5.2"),
    Case("broken_route", position, track("orange", (6, -5), "Louisville"), "R5.2"),
    Case("not_joined", position, track("orange", (5, -4), "Louisville"), "R5.2"),
    Case("too_far", lambda: position(reservoir=2), track("orange", (6, -5), (5, -4), "Louisville"), "R5.3"),
    Case("no_way", lambda: position(reservoir=5),
         track("orange", (6, -5), (5, -4), (4, -4), (3, -3), (2, -2), (1, -1), "Tulsa"), "R5.3"),
    Case("not_shortest", position, track("orange", (6, -5), "Detroit"), "R5.3"),
    Case("wild_missing", lambda: position(demand=WILD_DETROIT), track("orange", "Detroit"), "R5.6"),
    Case("wild_same", lambda: position(demand=WILD_DETROIT), track("orange", "Detroit", wild="white"), "R5.6"),
    Case("wild_extra", lambda: position(demand=PLAIN_DETROIT), track("orange", "Detroit", wild="gray"), "R5.6"),
    Case("port_choice", ports, track("gray", "Dublin", wild="gray"), "R11.2"),
    Case("port_extra", ports, track("gray", (-7, 0), "Paris", port=(3, -1)), "R11.2"),
    Case("western_choice", spike, track("brown", "Denver"), "R10.4"),
    Case("western_extra", lambda: position(demand=PLAIN_DETROIT), track("orange", "Detroit", western="gray"), "R10.4"),
    Case("not_in_bag", bot_turn, lambda _: game.Draw((1, 1)), "R7.4"),
    Case("must_act", position, lambda _: game.Pass(), "R3.1"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.key for case in CASES])
def test_it_is_refused_with_its_sentence_and_clause(case: Case) -> None:
    """The key, the clause, a sentence without open gaps; the action is not listed as legal either."""
    state = case.state()
    action = case.action(state)
    with pytest.raises(game.IllegalAction) as refusal:
        game.apply(state, action)
    assert (refusal.value.key, refusal.value.rule) == (case.key, case.rule)
    assert "{" not in str(refusal.value)
    assert str(refusal.value).endswith(".")
    assert action not in game.legal_actions(state)


def test_every_refusal_is_tested() -> None:
    """A new sentence needs a new case."""
    assert {case.key for case in CASES} == set(game.IllegalAction.sentences)


@pytest.mark.parametrize("case", CASES, ids=[case.key for case in CASES])
def test_a_refused_action_changes_nothing(case: Case) -> None:
    """`check_action` says the same without playing, and the state stays as it was."""
    state = case.state()
    before = game.state_to_json(state)
    with pytest.raises(game.IllegalAction) as refusal:
        game.check_action(state, case.action(state))
    assert refusal.value.key == case.key
    assert game.state_to_json(state) == before
