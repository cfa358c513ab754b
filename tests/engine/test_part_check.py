"""What is there of a position is checked, and nothing that rests on what is missing is found."""

import json
import random
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import position
from strategies import played, set_ups
from test_broken_positions import CASES

from engine import mini_express as game
from engine.mini_express.part_check import check_part

PACK = game.built_in()


def without(obj: Any, rng: random.Random, gone: float) -> Any:
    """A JSON with keys taken away by lot, at every depth but within what a photo reads as one."""
    if not isinstance(obj, dict):
        return obj
    return {key: without(value, rng, gone) for key, value in obj.items() if rng.random() >= gone}


def checked(obj: dict[str, Any]) -> tuple[list[game.Broken], list[str]]:
    told = {key: value for key, value in obj.items() if key != "format"}
    return check_part(game.Part.from_json(told, PACK, sound=False))


@settings(max_examples=60, deadline=None)
@given(set_ups(), st.integers(0, 999), st.integers(0, 200), st.sampled_from([0.02, 0.1, 0.3, 0.7]))
def test_nothing_is_wrong_with_parts_of_sound_positions(
    set_up: dict[str, Any], seed: int, moves: int, gone: float
) -> None:
    rng = random.Random(seed)
    states = [state for state, _, _ in islice(played(set_up, seed, builder=bool(seed % 2)), moves + 1)]
    state = states[-1]
    broken, missing = checked(without(game.state_to_json(state), rng, gone))
    assert [str(one) for one in broken] == []
    assert missing or gone < 0.3


# What no file can say, and a city without an entry, of which a part does not say that its tile is gone.
UNSAYABLE = ("off_map", "turn", "bot_company", "lost_tile")


@pytest.mark.parametrize(("key", "state"), CASES, ids=[key for key, _ in CASES])
def test_of_a_position_told_to_the_last_key_everything_is_found(
    key: str, state: Callable[[], game.State]
) -> None:
    if key in UNSAYABLE:
        return
    try:
        told = game.state_to_json(state())
        assert key in [one.key for one in checked(told)[0]]
    except game.Malformed as refusal:
        assert refusal.key == "state_part"  # no file can say this


@pytest.mark.parametrize(
    ("told", "rules"),
    [
        ({}, []),
        ({"companies": {"gray": {"value": 16}, "white": {"reservoir": 6}}}, ["R4.2", "R5.5"]),
        (
            {
                "companies": {"gray": {"supply": 20, "reservoir": 5}},
                "modules": [],
                "track": {"gray": [[8, -3]]},
            },
            ["R1.2"],
        ),
        ({"board": "usa", "track": {"gray": [[0, -2]]}}, ["R1.2b", "R2.2"]),
        ({"demand": {"3": ["brown", "wild"], "5": ["brown", "wild"]}}, []),
        ({"board": "usa", "demand": {"3": ["brown", "wild"], "5": ["brown", "wild"]}}, ["R1.1"]),
        ({"bot": {"target": 33}}, ["R7.5"]),
        ({"mode": "standard", "bot": {"target": 3}}, ["R7.2"]),
        ({"mode": "standard", "seats": ["red", "blue", "green"], "actions_left": 2}, ["R9.2"]),
        ({"seats": ["red"], "shares": {"red": {"brown": 6}}, "companies": {"brown": {"offer": 4}}}, ["R1.2"]),
    ],
)
def test_what_is_there_is_checked(told: dict[str, Any], rules: list[str]) -> None:
    broken, missing = checked(told)
    assert sorted(one.rule for one in broken) == rules, [str(one) for one in broken]
    assert "phase" in missing


def test_a_game_that_the_bot_has_ended_is_over_whatever_is_left_of_the_shares() -> None:
    told = {"mode": "solo", "difficulty": "tourist", "seats": ["red"], "bot": {"target": 32}}
    for phase, keys in {"play": ["not_over"], "over": []}.items():
        assert [one.key for one in checked({**told, "phase": phase})[0]] == keys


def test_what_the_modules_may_allow_is_not_wrong_before_they_are_told() -> None:
    """Two companies may be where one is printed, and a port may have begun a piece of track."""
    city = next(c for c in PACK.boards["usa"].cities if c.number and c.capacity == 1)
    state = position(track={"gray": [city.name], "brown": [city.name]}, modules=["capacity_two"], sound=False)
    told = {key: game.state_to_json(state)[key] for key in ("board", "track")}
    assert "capacity" not in [one.key for one in checked(told)[0]]
    assert "capacity" in [one.key for one in checked({**told, "modules": []})[0]]


def test_a_hex_that_a_photo_left_open_may_have_any_train() -> None:
    told = json.loads('{"state": {"board": "usa", "track": {"gray": []}}, "unseen": [[0, 0]]}')
    assert check_part(game.Part.from_json(told, PACK))[0] == []
