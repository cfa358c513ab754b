"""What the commands refuse: what is wrong and what to do, each in one sentence."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, usage_error
from PIL import Image
from pillow_heif import register_heif_opener
from sample_tables import SAMPLES

from masinfira.files import FileProblem, read_action
from masinfira.main import run


def test_no_such_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no file nowhere.json" in refused(capsys, "moves", "nowhere.json")


def test_an_empty_name_is_no_file(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    for args in (["score", ""], ["play", str(state), ""], ["replay", ""]):
        assert "The name of the file is empty" in refused(capsys, *args)
    empty = [["scan", "", "--profile", "table"], ["moves", str(state), "--pack", ""], ["demo", "--out", ""]]
    for args in [*empty, ["serve", "--data", ""], ["bench", "vision", "--samples", ""]]:
        assert "the name of the file is empty" in usage_error(capsys, *args)


def test_an_empty_name_is_not_taken_as_none(capsys: pytest.CaptureFixture[str]) -> None:
    """A script's variable that is not set must not make a photo be read without the game, or without the points."""
    study = SAMPLES / "study"
    propose = ["calibrate", "propose", str(study / "empty.jpg"), "--board", "usa", "--points", ""]
    assert "The name of the file is empty" in refused(capsys, *propose)


def test_a_scan_of_a_game_that_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, study: list[str]
) -> None:
    scan = ["scan", str(SAMPLES / "study" / "early_day.jpg"), *study, "--before", ""]
    assert "The name of the file is empty" in refused(capsys, *scan)
    assert "The name of the file is empty" in refused(capsys, *scan, "--out", str(tmp_path / "game.txt"))
    assert "The module Ports does not fit the map USA. (R11.1)" in refused(
        capsys, *scan[:-2], "--modules", "ports"
    )


def test_a_standard_input_that_was_closed_is_empty(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a service or a script leaves it with `<&-`; Python then has none."""
    monkeypatch.setattr("sys.stdin", None)
    assert "Standard input is empty" in refused(capsys, "moves", "-")


def test_the_boards_offered_are_what_can_be_typed(
    capsys: pytest.CaptureFixture[str], study: list[str]
) -> None:
    photo = str(SAMPLES / "study" / "setup.jpg")
    moon = ["register", photo, *study, "--surface", "moon", "--lang", "cs"]
    assert "Profil stolu nemá plochu moon (má: map): nejdřív ji kalibrujte." in refused(capsys, *moon)


def test_a_folder_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder, new = str(tmp_path), str(tmp_path / "new")
    for args in (
        ["moves", folder],
        ["calibrate", "propose", folder, "--board", "usa"],
        ["pack", "import", folder, "--pack", new],
    ):
        assert "is a folder: name a file" in refused(capsys, *args)
    assert "no file nowhere.zip" in refused(capsys, "pack", "import", "nowhere.zip", "--pack", new)


def test_a_place_that_may_not_be_looked_into_is_told_as_such(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    state: Path,
    study: list[str],
) -> None:
    def refusing(look: Callable[..., Any]) -> Callable[..., Any]:
        def at(path: Any, *mode: Any, **options: Any) -> Any:
            if "locked" in str(path):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return look(path, *mode, **options)

        return at

    locked = str(tmp_path / "locked")
    monkeypatch.setattr("os.stat", refusing(os.stat))
    monkeypatch.setattr("io.open", refusing(open))
    for args in (
        ["pack", "check", "--pack", locked],
        ["watch", "--video", f"{locked}/film.mp4", "--before", str(state), *study],
        ["register", f"{locked}/photo.jpg", *study],
        ["learn", "--reset", "--profile", locked],
    ):
        assert "cannot be read: you have no permission for it" in refused(capsys, *args)


def test_a_pack_is_unpacked_into_a_folder_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.zip"
    assert run(["pack", "export", str(file)]) == 0
    capsys.readouterr()
    assert "exists already" in refused(capsys, "pack", "import", str(file), "--pack", "/dev/null")


POINTS = "calibrate propose photo.jpg --board usa --points"
TWICE = '{"board": "usa", "companies": {"gray": {"value": 3, "value": 4}}}'
ACTION = '{"type": "build", "company": "gray", "route": [[1, 2]]}'
# What stands in the file, part of what is said of it, and the commands that say so; "moves" where none is named.
MALFORMED: list[tuple[Any, ...]] = [
    ("{", "line 1"),
    ("[" * 100_000, "not valid JSON"),
    ("[]", "state.json holds no position"),
    ('"a state"', "state.json holds no position"),
    ("null", "state.json holds no position"),
    ("", "is empty"),
    (" \n", "is empty"),
    ("Dear friend, it is your turn.", "a state (JSON) is expected, or a recorded game"),
    ("masinfira/mini-express/game/1\nboard: usa\nmode: standard", "seats, demand is missing or cut off"),
    ("{}", "fill in board, mode, difficulty"),
    ('{"surface": "map", "points": []}', "says nothing of a position"),
    ('{"format": "masinfira/mini-express/state/9"}', "state/9"),
    ('{"format": "masinfira/mini-express/state/1"}', "seats"),
    ("masinfira/mini-express/game/1\nboard: usa\nmode: solo\n", "difficulty"),
    ("masinfira/mini-express/game/7\n", "line 1"),
    (b"\xff\xfe\x00\x01", "not a text file"),
    ('{"milk": 1}', "says nothing of a position", "check", "set", "score"),
    (ACTION, "This is an action, not a state", "moves", "check", "score", "set"),
    # Of the two values the last would have been taken without a word.
    (TWICE, 'state.json says "value" twice in one place', "check", "moves", "set", POINTS),
]


@pytest.mark.parametrize(
    ("text", "part", "commands"), [(text, part, told or ["moves"]) for text, part, *told in MALFORMED]
)
def test_malformed_states(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str | bytes, part: str, commands: list[str]
) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in commands:
        assert part in refused(capsys, *command.split(), str(file))


def test_the_name_of_a_file_does_not_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no file a\ufffd[31mb" in refused(capsys, "check", "a\x1b[31mb")


@pytest.mark.parametrize("pasted", ["x" * 10_000, "x y\n" * 3_000, '{"board": "usa",\n "seats": ["red"]}\n'])
def test_whatever_is_typed_or_pasted_a_refusal_is_one_line_and_not_long(
    capsys: pytest.CaptureFixture[str], pasted: str, state: Path
) -> None:
    for args in (
        ["score", pasted],
        ["play", str(state), pasted],
        ["new", "--board", pasted, "--seats", "red"],
    ):
        assert len(refused(capsys, *args)) < 2100
    for args in (["check", str(state), pasted], [pasted], ["new", "--seats", "red", "--seed", pasted]):
        told = usage_error(capsys, *args).partition("error: ")[2]
        assert told.count("\n") == 1
        assert len(told) < 2100


def test_of_a_long_name_its_beginning_and_its_end_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, "score", "here/" + "x" * 200 + "/state.json")
    assert "no file here/x" in told
    assert "x…x" in told
    assert "x/state.json: check the name" in told


def test_a_map_is_called_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """R10.1"""
    solo = ["new", "--mode", "solo", "--difficulty", "tourist", "--seats", "red"]
    europe = [*solo, "--board", "europe", "--modules", "golden_spike"]
    assert "Varianta Zlatý hřeb nepatří k mapě Evropa" in refused(capsys, *europe, "--lang", "cs")


@pytest.mark.parametrize("name", ["state.jpg", "state.png", "state.heic"])
def test_a_photo_is_read_by_another_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    register_heif_opener()
    Image.new("RGB", (64, 64)).save(file)
    for more in (0, 6_000_000):  # a phone's photo may be larger than any state
        file.write_bytes(file.read_bytes() + bytes(more))
        for command in ("score", "bot", "replay", "check"):
            assert "photos are read by masinfira scan" in refused(capsys, command, str(file))


def test_a_huge_file_is_refused_unread(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    with file.open("wb") as f:
        f.truncate(50_000_000)
    assert "larger than 5 MB" in refused(capsys, "moves", str(file))


def test_a_state_that_breaks_r1_2(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    obj = json.loads(state.read_text())
    obj["companies"]["gray"]["reservoir"] = 5
    state.write_text(json.dumps(obj))
    sentence = refused(capsys, "moves", str(state))
    assert "26 trains" in sentence
    assert "R1.2" in sentence


@pytest.mark.parametrize(
    ("action", "part"),
    [
        ("share b", "R4.1"),
        ("build b 0,0", "R5.2"),
        ("draft b", "R2.4"),
        ("pass", "R3.1"),
        ("fly to moon", "build o 1,0 2,0"),
        ("build q 1,1", "is not an action"),
    ],
)
def test_illegal_actions_say_which_rule(
    capsys: pytest.CaptureFixture[str], state: Path, action: str, part: str
) -> None:
    assert part in refused(capsys, "play", str(state), action)


@pytest.mark.parametrize(
    ("action", "part"),
    [
        ("{}", 'The action has no "type"'),
        ('{"type": "take_share"}', 'The action has no "company"'),
        ('{"type": "draw"}', 'The action has no "tile"'),
        ('{"type": "fly"}', 'type "fly" is unknown'),
        ('{"type": null}', "type null is unknown"),
        ('{"type": "take_share", "company": true}', "not true."),
        ("true", "is a JSON object"),
        ("[]", "is a JSON object"),
    ],
)
def test_json_that_is_no_action_is_told_as_it_is_written(
    capsys: pytest.CaptureFixture[str], state: Path, tmp_path: Path, action: str, part: str
) -> None:
    file = tmp_path / "action.json"
    file.write_text(action)
    assert part in refused(capsys, "play", str(state), str(file))


@pytest.mark.parametrize(
    "args",
    [
        ["scan", "-", "--profile", "table"],
        ["register", "-", "--profile", "table"],
        ["learn", "-", "--state", "setup", "--profile", "table"],
        ["calibrate", "propose", "-", "--board", "usa"],
        ["watch", "--video", "-", "--before", "game.txt", "--profile", "table"],
        ["new", "--seats", "red", "--out", "-"],
        ["pack", "export", "-"],
    ],
)
def test_a_photo_and_what_is_saved_are_files(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    assert "- cannot stand for standard input or output here: name a file" in usage_error(capsys, *args)


def test_a_photo_of_shares_is_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    scan = ["scan", "--profile", "table", "--shares", "blue=-"]
    assert "blue=- names no photo" in refused(capsys, *scan)


def test_standard_input_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Only one of STATE and ACTION" in refused(capsys, "play", "-", "-")


def test_what_a_state_holds_is_told_as_it_is_written(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    obj = json.loads(state.read_text())
    obj["companies"]["gray"]["reservoir"] = True
    state.write_text(json.dumps(obj))
    assert "expected, true found" in refused(capsys, "moves", str(state))


def test_bot_refuses_tiles_that_are_not_in_the_bag(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    assert "red is to move" in refused(capsys, "bot", str(state), "--tiles", "1,1")


def test_set_ups_that_do_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert "two_with_bot" in refused(capsys, "new", "--mode", "chess", "--seats", "red")
    assert "usa" in refused(capsys, "new", "--board", "mars", "--seats", "red", "blue", "green")
    assert "3–5" in refused(capsys, "new", "--seats", "red")
    assert "difficulty" in refused(capsys, "new", "--mode", "solo", "--seats", "red")
    on_usa = ["new", "--mode", "experts", "--seats", "red", "blue", "--modules", "ports"]
    assert "The module Ports does not fit the map USA. (R11.1)" in refused(capsys, *on_usa)


@pytest.mark.parametrize("wrong", ["[]", '{"type": "nope"}', "shrae g"])
def test_a_file_that_holds_no_action_is_named(tmp_path: Path, wrong: str) -> None:
    action = tmp_path / "action.json"
    action.write_text(wrong)
    with pytest.raises(FileProblem, match=r"action\.json holds no action that can be read: ."):
        read_action(str(action))
