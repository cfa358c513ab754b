"""Every sentence about something that cannot be read (`Malformed`): actions, states, records, set-ups."""

import copy
import functools
import random
from collections.abc import Callable
from typing import Any

import pytest
from positions import position, put

from engine import mini_express as game
from engine.mini_express.notation import action_from_text
from engine.mini_express.record import GAME_FORMAT, Game


def new(**parts: Any) -> game.State:
    """A standard game for three, but for these parts."""
    given = {"seats": ["red", "blue", "purple"], "rng": random.Random(1), **parts}
    return game.new(**given)


def solo(**parts: Any) -> game.State:
    return new(mode="solo", **{"seats": ["red"], **parts})


def state_json(**changed: Any) -> dict[str, Any]:
    """A sound solo state as JSON, with parts at dotted paths changed; ... takes a part away."""
    obj = copy.deepcopy(game.state_to_json(position(mode="solo", modules=["golden_spike"])))
    for path, value in changed.items():
        put(obj, path.split("__"), value)
    return obj


def record(**lines: str) -> str:
    """The text of a short game, with some of its lines replaced."""
    start = new()
    text = Game(start).play(game.Draft("brown")).to_text()
    found = []
    for line in text.splitlines():
        key = line.partition(":")[0].split(" ")[0].replace("/", "_")
        found.append(lines.get(key, line))
    return "\n".join(found)


def action(obj: Any) -> Callable[[], object]:
    return lambda: game.action_from_json(obj)


def state(**changed: Any) -> Callable[[], object]:
    return lambda: game.state_from_json(state_json(**changed))


CASES: list[tuple[str, Callable[[], object]]] = [
    ("action_not_object", action([1, 2])),
    ("action_missing", action({})),
    ("action_missing", action({"type": "take_share"})),
    ("action_type", action({"type": "jump"})),
    ("action_route", action({"type": "build", "company": "gray", "route": []})),
    ("action_route", action({"type": "build", "company": "gray"})),
    ("action_company", action({"type": "take_share", "company": "pink"})),
    ("action_company", action({"type": "build", "company": "gray", "route": [[0, 0]], "wild": "pink"})),
    ("action_company", action({"type": "build", "company": "gray", "route": [[0, 0]], "western": 3})),
    ("action_hex", action({"type": "build", "company": "gray", "route": [[0, 0, 0]]})),
    ("action_hex", action({"type": "build", "company": "gray", "route": [[0, True]]})),
    ("action_hex", action({"type": "build", "company": "gray", "route": [[0, 0]], "port": "left"})),
    ("action_tile", action({"type": "draw", "tile": [1]})),
    ("action_missing", action({"type": "draw"})),
    ("notation", lambda: action_from_text("build x 1,0")),
    ("notation", lambda: action_from_text("build o 1,0 to=2")),
    ("notation", lambda: action_from_text("build o 1,0 2,0 wild=g wild=o")),
    ("notation", lambda: action_from_text("draw 22")),
    ("notation", lambda: action_from_text("build o one,two")),
    ("notation", lambda: action_from_text("")),
    ("state_not_object", lambda: game.state_from_json("a state")),
    ("state_in_part", state(format=...)),
    ("state_nothing", lambda: game.Part.from_json({"milk": 1}, game.built_in())),
    ("state_action", lambda: game.state_of_json({"type": "take_share", "company": "gray"}, game.built_in())),
    ("state_format", state(format="masinfira/mini-express/state/2")),
    ("state_pack", state(pack="00000000")),
    ("state_part", state(companies__brown__value="3")),
    ("state_part", state(companies__brown__value=-1)),
    ("state_part", state(companies__brown__value=True)),
    ("state_part", state(to_move="blue")),
    ("state_part", state(phase="lunch")),
    ("state_part", state(track__gray=[[99, 99]])),
    ("state_part", state(track__gray=[[7, -3], [7, -3]])),
    ("state_part", state(demand={"33": ["gray", "gray"]})),
    ("state_part", state(demand={"²": ["gray", "gray"]})),
    ("state_part", state(demand={"1" * 5000: ["gray", "gray"]})),
    ("state_part", state(demand={"01": ["gray", "gray"]})),
    ("state_part", state(demand={"1": ["gray", "pink"]})),
    ("state_part", state(bot__bag=[[1, 1, 1]])),
    ("state_part", state(bot__company="wild")),
    ("state_part", state(golden_spike__status="gone")),
    ("state_part", state(golden_spike__eastern="pink")),
    ("state_part", state(seats=["red", "blue"])),
    ("state_missing", state(influence={})),
    ("state_part", state(used="pink")),
    ("state_missing", state(companies__brown=...)),
    ("state_missing", state(to_move=...)),
    ("state_broken", state(companies__brown__supply=21)),
    ("game_format", lambda: Game.from_text("Dear friend,")),
    ("game_format", lambda: Game.from_text(record(demand="demand: bg bg"))),
    ("game_format", lambda: Game.from_text(record(demand="demand"))),
    ("game_format", lambda: Game.from_text(f'{GAME_FORMAT}\nstate: {{"passes": {"1" * 5000}}}\n\n')),
    ("game_cut", lambda: Game.from_text(f"{GAME_FORMAT}\nstate: {{")),
    ("game_cut", lambda: Game.from_text(record(seats="target: on city 1 from the start"))),
    ("game_format", lambda: Game.from_text(record(board="state: {"))),
    ("game_format", lambda: Game.from_text(record(board="board: usa\ntarget: off the map"))),
    ("game_format", lambda: Game.from_text(record(board="board: usa\nmoduls: golden_spike"))),
    ("game_format", lambda: Game.from_text(record(board="board: europe\nboard: usa"))),
    ("game_format", lambda: Game.from_text(record(actions="actions: some"))),
    ("game_short", lambda: Game.from_text(record(actions="actions: 2"))),
    ("game_line", lambda: Game.from_text(record() + "\ndraft")),
    ("game_line", lambda: Game.from_text(record() + "\nshare g")),
    ("game_turn", lambda: Game.from_text(record() + "\n2 red draft b")),
    ("game_turn", lambda: Game.from_text(record() + "\n1 masinfira draft b")),
    ("game_line", lambda: Game.from_text(record() + f"\n{'9' * 5000} red draft b")),
    ("game_long", lambda: Game.from_text(record() + "\n" * 500_000)),
    ("game_pack", lambda: Game.from_text(record(pack="pack: 00000000"))),
    ("unknown_board", lambda: new(board="asia")),
    ("unknown_mode", lambda: new(mode="relay")),
    ("unknown_module", lambda: new(modules=["ferries"])),
    ("module_board", lambda: new(modules=["ports"])),
    ("module_board", lambda: new(board="europe", modules=["golden_spike"])),
    ("unknown_difficulty", lambda: solo(difficulty="easy")),
    ("difficulty_needed", solo),
    ("difficulty_solo", lambda: new(difficulty="tourist")),
    ("start_of_bot", lambda: new(korean_start=True)),
    ("seat_count", lambda: new(seats=["red", "blue"])),
    ("seat_count", lambda: new(mode="experts")),
    ("seat_colour", lambda: new(seats=["red", "blue", "pink"])),
    ("seat_colour", lambda: solo(difficulty="tourist", seats=["masinfira"])),
    ("seat_twice", lambda: new(seats=["red", "blue", "red"])),
]


@pytest.mark.parametrize(("key", "read"), CASES, ids=[f"{n}-{key}" for n, (key, _) in enumerate(CASES)])
def test_it_is_refused_with_its_sentence(key: str, read: Callable[[], object]) -> None:
    """The key, and a sentence whose gaps are filled."""
    with pytest.raises(game.Malformed) as refusal:
        read()
    assert refusal.value.key == key
    assert str(refusal.value)


def test_every_sentence_is_tested() -> None:
    """A new sentence needs a new case."""
    assert {key for key, _ in CASES} == set(game.Malformed.sentences)


def test_the_part_that_is_wrong_is_named() -> None:
    """So that a person finds it in a long file."""
    with pytest.raises(game.Malformed, match=r'"companies\.brown\.value" in the state is wrong'):
        state(companies__brown__value=-1)()
    with pytest.raises(game.Malformed, match="Line 10 of the game record"):
        Game.from_text(record() + "\n2 blue share g")
    with pytest.raises(
        game.Malformed, match='line 5 should be "one of mode, difficulty, modules, target, seats'
    ):
        Game.from_text(record(board="board: usa\nmoduls: ports"))
    with pytest.raises(game.Malformed, match='line 4 should be "demand: the 32 tiles'):
        Game.from_text(record(board="demand: bg bg\nboard: usa", demand=""))


@pytest.mark.parametrize("begun", [new(), position(mode="solo")], ids=["set up", "in the middle"])
def test_a_record_that_is_cut_off_in_its_header_is_told_to_be(begun: game.State) -> None:
    """Wherever it ends, but for the word that makes a record of it."""
    header = Game(begun).to_text().rstrip()
    for end in range(len(GAME_FORMAT), len(header) - 1, 3):
        with pytest.raises(game.Malformed) as refusal:
            Game.from_text(header[:end])
        assert refusal.value.key == "game_cut", header[:end]


def test_a_broken_state_can_still_be_read_to_be_shown() -> None:
    """`check` then lists what is wrong with it."""
    broken = game.state_from_json(state_json(companies__brown__supply=21), sound=False)
    assert [problem.key for problem in game.check(broken)] == ["trains"]


def test_what_is_nested_too_deep_is_refused_all_the_same() -> None:
    """It can be read, but not be written into the sentence."""
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(game.Malformed) as refusal:
        state(phase=deep)()
    assert refusal.value.key == "state_part"


@pytest.mark.parametrize(
    ("part", "right", "wrong"),
    [
        (("influence", "red"), "brown", "brwn"),
        (("shares",), "red", "rde"),
        (("companies",), "gray", "grey"),
        (("track",), "white", "whiet"),
    ],
)
def test_who_is_misspelt_does_not_count_as_having_nothing(
    part: tuple[str, ...], right: str, wrong: str
) -> None:
    obj = state_json()
    table = functools.reduce(dict.__getitem__, part, obj)
    table[wrong] = copy.deepcopy(table[right])
    with pytest.raises(game.Malformed, match=f'"{wrong}" found'):
        game.state_from_json(obj)


def test_unknown_keys_are_ignored() -> None:
    """More fields may be added."""
    assert game.state_from_json(state_json(mood="good")) == game.state_from_json(state_json())
