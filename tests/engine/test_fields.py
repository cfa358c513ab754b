"""One table says what may stand in a state: who reads it whole and who reads it in part come to the same verdict."""

import copy
from typing import Any

import pytest
from positions import position, put

from engine import mini_express as game
from engine.mini_express.fields import as_typed, fields
from engine.sentences import Problem

PACK = game.built_in()
SOLO = game.state_to_json(position(mode="solo", modules=["golden_spike"]))
BOT_TURN = game.state_to_json(position(mode="solo", to_move="masinfira"))
EXPERTS = game.state_to_json(position(mode="experts"))
STANDARD = game.state_to_json(position())
TILE = SOLO["demand"]["7"]

REFUSED: list[tuple[dict[str, Any], str, Any]] = [
    (STANDARD, "modules", ["capacity_two", "capacity_two"]),
    (SOLO, "modules", ["ferries"]),
    (SOLO, "modules", None),
    (SOLO, "demand.07", TILE),
    (SOLO, "demand.33", TILE),
    (SOLO, "demand.7", ["wild", "wild"]),
    (SOLO, "demand.7", ["gray"]),
    (SOLO, "demand.7", ...),
    (SOLO, "demand", ...),
    (SOLO, "actions_left", 3),
    (SOLO, "actions_left", 2),
    (SOLO, "actions_left", True),
    (SOLO, "shares.red.brown", 12),
    (SOLO, "influence.red", ...),
    (SOLO, "influence", {}),
    (SOLO, "companies.gray.value", 16),
    (SOLO, "companies.gray.reservoir", 6),
    (SOLO, "companies", 5),
    (SOLO, "companies.pink", {}),
    (SOLO, "influence.red", {"pink": 1}),
    (SOLO, "track.brown", [[99, 99]]),
    (SOLO, "track.brown", [*SOLO["track"]["brown"], *SOLO["track"]["brown"]]),
    (SOLO, "track.brown", [[1, True]]),
    (SOLO, "track.brown", ...),
    (SOLO, "seats", ["masinfira", "red"]),
    (SOLO, "seats", ["red"]),
    (STANDARD, "seats", [*STANDARD["seats"], "masinfira"]),
    (STANDARD, "seats", ["red", "red", "blue"]),
    (SOLO, "to_move", "blue"),
    (SOLO, "mode", "relay"),
    (SOLO, "board", "asia"),
    (SOLO, "board", ["usa"]),
    (SOLO, "difficulty", ...),
    (SOLO, "bot", ...),
    (SOLO, "bot.target", 33),
    (SOLO, "bot.bag", [[1]]),
    (SOLO, "golden_spike.eastern", "pink"),
    (SOLO, "korean_start", 1),
]
ACCEPTED: list[tuple[dict[str, Any], str, Any]] = [
    (EXPERTS, "used", ...),
    (SOLO, "used", ...),
    (SOLO, "actions_left", ...),
    (SOLO, "passes", ...),
    (SOLO, "korean_start", ...),
    (STANDARD, "modules", ...),
    (STANDARD, "difficulty", ...),
    (STANDARD, "bot", ...),
    (STANDARD, "golden_spike", ...),
    (BOT_TURN, "bot.redraw", ...),
    (SOLO, "golden_spike.western", ...),
    (SOLO, "influence.red", {"brown": 1}),
    (SOLO, "companies.gray.mood", 3),
    (SOLO, "mood", "good"),
]
# A missing value that the rules tell is no matter of this: to fill it in is what a state known in part is for.
CASES = [(*case, False) for case in REFUSED] + [(*case, True) for case in ACCEPTED]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("modules", []),
        ("modules", ["ports", "capacity_two"]),
        ("difficulty", None),
        ("korean_start", True),
        ("bot.target", 7),
        ("bot.bag", [[2, 1], "refresh", "refresh"]),
        ("bot.bag", ["refresh", "refresh"]),
        ("track.brown", [[3, -4], [3, -3]]),
        ("demand.7", ["brown", "wild"]),
    ],
)
def test_a_value_as_it_is_typed_is_read_again(path: str, value: Any) -> None:
    field = fields(PACK.boards, PACK.boards["usa"], ("red", "masinfira"))[path]
    assert field.read(as_typed(value)) == value


def changed(state: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The state with another value at a path; ... takes it away."""
    obj = copy.deepcopy(state)
    put(obj, path.split("."), value)
    return obj


def whole(obj: Any) -> game.State | None:
    try:
        return game.state_from_json(obj, PACK)
    except Problem:
        return None


def part(obj: Any) -> game.State | None:
    try:
        return game.Part.from_json(obj, PACK).state()
    except Problem:
        return None


@pytest.mark.parametrize(("state", "path", "value", "accepted"), CASES, ids=[f"{c[1]}={c[2]}" for c in CASES])
def test_both_readers_come_to_one_verdict(
    state: dict[str, Any], path: str, value: Any, accepted: bool
) -> None:
    obj = changed(state, path, value)
    assert (whole(obj) is not None) == accepted
    assert whole(obj) == part(obj)


@pytest.mark.parametrize(
    ("path", "value", "rule"),
    [("actions_left", 3, "R9.2"), ("shares.red.brown", 12, "R1.2"), ("companies.gray.value", 16, "R5.5")],
)
def test_both_cite_the_clause_that_sets_a_limit(path: str, value: int, rule: str) -> None:
    said = []
    for read in (game.state_from_json, game.Part.from_json):
        with pytest.raises(game.Malformed) as refusal:
            read(changed(SOLO, path, value), PACK)
        assert refusal.value.rule == rule
        said.append(str(refusal.value))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("track.brown", [*SOLO["track"]["brown"], [99, 99]], "[99, 99]"),
        ("track.brown", [[7, -3], [6, -3], [7, -3]], "[7, -3]"),
        ("bot.bag", [[1, 1], "refresh", [2]], "[2]"),
        ("seats", ["red", 1], "1"),
        ("track.brown", 7, "7"),
    ],
)
def test_what_is_wrong_of_a_list_is_shown_in_the_words_of_a_file(path: str, value: Any, found: str) -> None:
    with pytest.raises(game.Malformed, match="in the state is wrong: ") as refusal:
        game.Part.from_json(changed(SOLO, path, value), PACK)
    assert str(refusal.value).endswith(f" expected, {found} found.")
    assert "or none" not in str(refusal.value)


def test_everything_that_a_state_has_no_longer_is_named() -> None:
    with pytest.raises(game.Malformed, match='The state has no "mode", "track"'):
        game.state_from_json(changed(changed(SOLO, "mode", ...), "track", ...), PACK)


def test_a_city_without_a_tile_may_say_so() -> None:
    """As `set` writes none; R5.7 then says whether it can be."""
    obj = changed(SOLO, "demand.7", None)
    assert game.state_from_json(obj, PACK, sound=False).demand[7] is None
