"""What is there of a position is checked, and nothing that rests on what is missing is found."""

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
from engine.mini_express.fields import LARGEST, fields
from engine.mini_express.names import SEATS
from engine.mini_express.part.check import check_part
from engine.mini_express.part.paths import nested

PACK = game.built_in()


def without(obj: Any, rng: random.Random, gone: float) -> Any:
    """A JSON with keys taken away by lot, at every depth but within what a photo reads as one."""
    if not isinstance(obj, dict):
        return obj
    return {key: without(value, rng, gone) for key, value in obj.items() if rng.random() >= gone}


def checked(obj: dict[str, Any]) -> tuple[list[game.Broken], list[str]]:
    told = {key: value for key, value in obj.items() if key != "format"}
    return check_part(game.Part.from_json(told, PACK, sound=False))


@settings(max_examples=60)
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


SAYABLE = [case for case in CASES if case[0] not in UNSAYABLE]


@pytest.mark.parametrize(("key", "state"), SAYABLE, ids=[key for key, _ in SAYABLE])
def test_of_a_position_told_to_the_last_key_everything_is_found(
    key: str, state: Callable[[], game.State]
) -> None:
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
        ({"companies": {"brown": {"offer": 6}}}, []),
        ({"companies": {"brown": {"offer": 7}}}, ["R2.1"]),
        ({"mode": "experts", "companies": {"brown": {"offer": 6}}}, ["R9.1"]),
    ],
)
def test_what_is_there_is_checked(told: dict[str, Any], rules: list[str]) -> None:
    broken, missing = checked(told)
    assert sorted(one.rule for one in broken) == rules, [str(one) for one in broken]
    assert "phase" in missing


LIMITED = {
    path: field.rule
    for path, field in fields(PACK.boards, None, SEATS).items()
    if field.wrong(LARGEST) and field.rule
}
"""The numbers that the rules limit whatever else there is, by their paths, with the clause."""


@pytest.mark.parametrize(("path", "rule"), [*LIMITED.items(), ("passes", "R3.1")])
def test_a_number_that_no_game_allows_is_found_by_itself(path: str, rule: str) -> None:
    """So that nothing is sound for `check` that `set` refuses to read."""
    assert rule in [one.rule for one in checked(nested({path: LARGEST}))[0]]


def test_more_shares_than_a_company_has_are_found_whoever_plays() -> None:
    """R1.2"""
    for held, rules in {4: [], 5: ["R1.2"]}.items():
        told = {"shares": {"red": {"gray": held}, "blue": {"gray": 3}}, "companies": {"gray": {"out": 2}}}
        assert [one.rule for one in checked(told)[0]] == rules


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


def seen(left_open: list[list[int]], **told: Any) -> list[str]:
    """What is broken of a scan that left hexes open."""
    scan = {"state": {"board": "usa", **told}, "unseen": left_open}
    return [one.key for one in check_part(game.Part.from_json(scan, PACK))[0]]


def test_a_hex_that_a_photo_left_open_may_have_any_train() -> None:
    start = list(PACK.boards["usa"].starts["gray"].at)
    assert seen([[0, 0]], track={"gray": []}) == ["no_start"]
    assert seen([start], track={"gray": []}) == []


@settings(max_examples=60)
@given(set_ups(), st.integers(0, 999), st.integers(0, 200), st.sampled_from([0.02, 0.1, 0.3, 0.7]))
def test_nothing_is_wrong_with_sound_track_whatever_was_read_on_open_hexes(
    set_up: dict[str, Any], seed: int, moves: int, share: float
) -> None:
    rng = random.Random(seed)
    state = [s for s, _, _ in islice(played(set_up, seed, builder=bool(seed % 2)), moves + 1)][-1]
    left_open = [list(at) for at in state.board.index if rng.random() < share]
    obj = {key: value for key, value in game.state_to_json(state).items() if key != "format"}
    for hexes in obj["track"].values():
        misread = [at for at in left_open if rng.random() < 0.3]
        hexes[:] = [*(at for at in hexes if at not in left_open), *misread]
    broken, missing = check_part(game.Part.from_json({"state": obj, "unseen": left_open}, PACK))
    assert [str(one) for one in broken] == []
    assert {f"track.{q},{r}" for q, r in left_open} <= {*missing}


def test_track_beside_open_hexes_is_checked_as_far_as_they_cannot_matter() -> None:
    """R1.2b, R5.1: islands that no open hex may join to a start, and cities that are seen."""
    board = PACK.boards["usa"]
    start, far = board.starts["gray"], board.city_named["San Francisco"]
    track = {company: [list(city.at)] for company, city in board.starts.items()}
    track |= {"gray": [list(start.at), list(far.at)], "brown": [*track["brown"], list(start.at)]}
    known = {"modules": [], "track": track}
    assert seen([list(board.city_named["Denver"].at)], **known) == ["island", "island", "start_closed"]
    between = [list(at) for at in board.index if at not in (start.at, far.at)]
    assert "island" not in seen(between, **known)
    assert "start_closed" not in seen([list(start.at)], **known)


def test_trains_that_are_seen_for_certain_may_be_too_many_by_themselves() -> None:
    """R1.2: whatever lies on the open hexes; what was read there does not count."""
    seven = [list(at) for at in islice(PACK.boards["usa"].index, 7)]
    known = {"companies": {"gray": {"supply": 20}}, "track": {"gray": seven[:6]}}
    assert "trains" in seen([seven[6]], **known)
    assert "trains" not in seen([seven[0]], **known)


SPIKE = {"board": "usa", "modules": ["golden_spike"]}


def test_a_train_on_the_golden_spike_tile_is_one_of_the_25() -> None:
    """R1.2, R10.3: with 20 in the supply and five that are seen on the map it is one too many."""
    six = [list(at) for at in islice(PACK.boards["usa"].index, 6)]
    for eastern, wrong in {"white": False, "gray": True}.items():
        spike = {"status": "building", "eastern": eastern, "western": None}
        known = {"companies": {"gray": {"supply": 20}}, "track": {"gray": six[:5]}, "golden_spike": spike}
        assert ("trains" in seen([six[5]], modules=SPIKE["modules"], **known)) == wrong


@pytest.mark.parametrize(
    ("spike", "rules"),
    [
        ({"status": "waiting", "eastern": "gray"}, ["R10.3"]),
        ({"status": "off", "western": "gray"}, ["R10.3"]),
        ({"status": "building", "western": "gray"}, ["R10.4"]),
        ({"status": "linked", "western": "gray"}, []),
    ],
)
def test_of_the_golden_spike_what_is_told_is_checked(spike: dict[str, str], rules: list[str]) -> None:
    assert [one.rule for one in checked({**SPIKE, "golden_spike": spike})[0]] == rules


def test_the_status_of_the_golden_spike_is_checked_without_its_companies() -> None:
    track = {company: [list(city.at)] for company, city in PACK.boards["usa"].starts.items()}
    told = {**SPIKE, "track": track, "golden_spike": {"status": "linked"}}
    assert [one.rule for one in checked(told)[0]] == ["R10.3"]
