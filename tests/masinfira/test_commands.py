"""The command line as a person or a script uses it: one command after the other, refusals in one sentence."""

import json
import zipfile
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from command_line import call, refused
from PIL import Image
from pillow_heif import register_heif_opener

from masinfira.commands import demo
from masinfira.main import run

SOLO = ["new", "--mode", "solo", "--difficulty", "tourist", "--seats", "red", "--seed", "7"]


@pytest.fixture
def state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A drafted solo game, the human to move."""
    file = tmp_path / "state.json"
    assert run([*SOLO, "--auto-draft", "--out", str(file)]) == 0
    capsys.readouterr()
    return file


def test_new_prints_the_state_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    state = call(capsys, *SOLO)
    assert state["format"] == "masinfira/mini-express/state/1"
    assert state["seats"] == ["red", "masinfira"]
    assert state["phase"] == "draft"
    assert len(state["demand"]) == 32


def test_the_same_seed_gives_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, *SOLO, "--auto-draft") == call(capsys, *SOLO, "--auto-draft")


def test_a_turn_is_played_action_by_action(
    capsys: pytest.CaptureFixture[str], state: Path, tmp_path: Path
) -> None:
    moves = call(capsys, "moves", str(state))
    assert moves["to_move"] == "red"
    action = next(a for a in moves["actions"] if a["type"] == "build")
    file = tmp_path / "action.json"
    file.write_text(json.dumps(action))
    played = call(capsys, "play", str(state), str(file))
    assert played["state"]["to_move"] == "masinfira"
    assert played["log"][0]["key"] == "built"
    after = tmp_path / "after.json"
    after.write_text(json.dumps(played))
    bot = call(capsys, "bot", str(after), "--seed", "1")
    assert bot["state"]["to_move"] == "red"
    assert all(event["rule"].startswith("R") for event in bot["log"])


def test_notation_and_standard_input_are_actions_too(
    capsys: pytest.CaptureFixture[str], state: Path, tmp_path: Path
) -> None:
    moves = call(capsys, "moves", str(state))
    build = next(a for a in moves["actions"] if a["type"] == "build")
    assert (
        call(capsys, "play", str(state), build["notation"])["log"][0]["values"]["company"] == build["company"]
    )


def test_a_game_is_recorded_replayed_and_taken_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = tmp_path / "game.txt"
    assert run([*SOLO, "--auto-draft", "--out", str(record)]) == 0
    capsys.readouterr()
    whole = call(capsys, "replay", str(record))
    back = call(capsys, "replay", str(record), "--to", "-1")
    assert len(back["actions"]) == len(whole["actions"]) - 1
    assert back["state"]["phase"] == "draft"


def test_a_game_is_not_replayed_beyond_its_actions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = str(tmp_path / "game.txt")
    assert run([*SOLO, "--auto-draft", "--out", record]) == 0
    capsys.readouterr()
    n = len(call(capsys, "replay", record)["actions"])
    for to in (-n, n):
        assert len(call(capsys, "replay", record, "--to", str(to))["actions"]) == max(to, 0)
    for to in (-n - 1, n + 1, 99):
        assert f"actions in this game is {n}:" in refused(capsys, "replay", record, "--to", str(to))


def test_a_game_without_actions_has_only_its_start(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = str(tmp_path / "game.txt")
    call(capsys, *SOLO, "--out", record)
    assert call(capsys, "replay", record, "--to", "0")["actions"] == []
    assert "There are no actions in this game" in refused(capsys, "replay", record, "--to", "-1")


def test_no_modules_can_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, *SOLO, "--modules", "none") == call(capsys, *SOLO)
    assert "golden_spike" in refused(capsys, *SOLO, "--modules", "none,golden_spike")


def test_score_shows_every_shares_worth(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    score = call(capsys, "score", str(state))
    parts = score["seats"]["red"]["companies"]
    assert score["seats"]["red"]["total"] == sum(p["worth"] * p["shares"] for p in parts.values())
    assert not score["final"]


def test_people_get_words_instead_of_json(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    assert run(["score", str(state)]) == 0
    out = capsys.readouterr().out
    assert "would win now" in out
    assert "The column is by R7.12, the worth by R6.2, the winner by R7.12." in out


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_every_language_speaks(capsys: pytest.CaptureFixture[str], state: Path, lang: str) -> None:
    assert run(["score", str(state), "--lang", lang]) == 0
    assert "would win now" not in capsys.readouterr().out


def test_bot_with_the_tiles_of_the_table(
    capsys: pytest.CaptureFixture[str], state: Path, tmp_path: Path
) -> None:
    action = next(a for a in call(capsys, "moves", str(state))["actions"] if a["type"] == "build")
    after = tmp_path / "after.json"
    after.write_text(json.dumps(call(capsys, "play", str(state), action["notation"])))
    tile = next(t for t in json.loads(after.read_text())["state"]["bot"]["bag"] if t != "refresh")
    played = call(capsys, "bot", str(after), "--tiles", "refresh", f"{tile[0]},{tile[1]}")
    assert [event["key"] for event in played["log"]][:2] == ["bot_refresh", "bot_drew"]


def test_check_lists_what_is_wrong(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    assert call(capsys, "check", str(state))["sound"]
    obj = json.loads(state.read_text())
    obj["companies"]["brown"]["supply"] += 1
    obj["companies"]["gray"]["value"] = 16
    obj["bot"]["target"] = 400
    state.write_text(json.dumps(obj))
    assert run(["check", str(state), "--json"]) == 1
    out, err = capsys.readouterr()
    assert [b["rule"] for b in json.loads(out)["broken"]] == ["R1.2", "R5.5", "R7.5"]
    assert err.count("\n") == 1


def test_what_is_known_of_a_position_is_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, state: Path
) -> None:
    """What is missing is named and not checked; a command that needs all of it says so."""
    part = tmp_path / "part.json"
    whole = json.loads(state.read_text())
    part.write_text(json.dumps({"board": "usa", "companies": whole["companies"]}))
    told = call(capsys, "check", str(part))
    assert (told["sound"], told["complete"], told["broken"]) == (True, False, [])
    assert {"mode", "shares", "influence"} <= {*told["missing"]}
    assert run(["check", str(part)]) == 0
    out = capsys.readouterr().out
    assert "known only in part" in out
    assert "shares" in out
    assert "What there is of the state is sound." in out
    assert "fill in mode, difficulty" in refused(capsys, "moves", str(part))
    whole["companies"]["gray"]["value"] = 16
    del whole["influence"]
    for without in ({}, {"format": None}):
        part.write_text(json.dumps({k: v for k, v in whole.items() if k not in without}))
        assert run(["check", str(part), "--json"]) == 1
        found = json.loads(capsys.readouterr().out)
        assert [b["rule"] for b in found["broken"]] == ["R5.5"]
        assert "influence.red.brown" in found["missing"]
    assert call(capsys, "check", str(state))["complete"]


@pytest.mark.parametrize("place", range(3))
def test_json_is_printed_wherever_it_is_asked_for(capsys: pytest.CaptureFixture[str], place: int) -> None:
    args = ["pack", "check"]
    assert run([*args[:place], "--json", *args[place:]]) == 0
    assert "digest" in json.loads(capsys.readouterr().out)


def test_json_may_be_asked_for_before_the_command_or_after_it(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["--json", "pack", "check"], ["pack", "check", "--json"]):
        assert run(line) == 0
        assert json.loads(capsys.readouterr().out)["digest"]


def test_wrong_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        run(["new"])
    assert error.value.code == 2
    assert "--seats" in capsys.readouterr().err


# --- refusals: what is wrong and what to do, each in one sentence -------------------------------------------


def test_no_such_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no file nowhere.json" in refused(capsys, "moves", "nowhere.json")


def test_an_empty_name_is_no_file(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    for args in (["score", ""], ["play", str(state), ""], ["replay", ""]):
        assert "The name of the file is empty" in refused(capsys, *args)
    with pytest.raises(SystemExit):
        run(["scan", "", "--profile", "table"])
    assert "the name of the file is empty" in capsys.readouterr().err


def test_a_folder_is_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "is a folder" in refused(capsys, "moves", str(tmp_path))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "line 1"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "JSON object"),
        ("", "is empty"),
        (" \n", "is empty"),
        ("Dear friend, it is your turn.", "a state (JSON) is expected, or a recorded game"),
        ("masinfira/mini-express/game/1\nboard: usa\nmode: standard", "seats, demand is missing or cut off"),
        ("{}", "fill in board, mode, difficulty"),
        ('{"format": "masinfira/mini-express/state/9"}', "state/9"),
        ('{"format": "masinfira/mini-express/state/1"}', "seats"),
        ("masinfira/mini-express/game/1\nboard: usa\nmode: solo\n", "difficulty"),
        ("masinfira/mini-express/game/7\n", "line 1"),
    ],
)
def test_malformed_states(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "state.json"
    file.write_text(text)
    assert part in refused(capsys, "moves", str(file))


def test_a_binary_file_is_not_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(b"\xff\xfe\x00\x01")
    assert "not a text file" in refused(capsys, "moves", str(file))


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


def test_an_action_is_no_state(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "action.json"
    file.write_text('{"type": "build", "company": "gray", "route": [[1, 2]]}')
    for command in ("moves", "check", "score", "set"):
        assert "This is an action, not a state" in refused(capsys, command, str(file))


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
    assert "The module Ports does not fit the map usa. (R11)" in refused(capsys, *on_usa)


# --- packs ------------------------------------------------------------------------------------------------


def test_a_pack_is_exported_imported_and_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.zip", tmp_path / "mine"
    exported = call(capsys, "pack", "export", str(file))
    assert "pack import FILE --pack NEWFOLDER" in refused(capsys, "pack", "import", str(file))
    assert call(capsys, "pack", "import", str(file), "--pack", str(folder))["digest"] == exported["digest"]
    values = folder / "values.toml"
    values.write_text(values.read_text().replace("[13, 10, 5]", "[15, 10, 5]"))
    checked = call(capsys, "--pack", str(folder), "pack", "check")
    assert call(capsys, "pack", "check", "--pack", str(folder)) == checked
    assert checked["digest"] != exported["digest"]
    assert {"usa", "europe"} <= set(checked["boards"])


def test_a_broken_pack_names_file_and_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "values.toml").write_text(
        "rows = [\n    [3, 2, 1],\n    [3, 2],\n" + "    [9, 9, 9],\n" * 14 + "]\n"
    )
    sentence = refused(capsys, "--pack", str(tmp_path), "pack", "check")
    assert "values.toml, line 3" in sentence


def test_an_archive_with_strange_names_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "evil.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../../evil.toml", "x = 1")
    assert "evil.toml" in refused(capsys, "--pack", str(tmp_path / "in"), "pack", "import", str(file))
    assert not (tmp_path / "evil.toml").exists()
    assert "not an exported pack" in refused(
        capsys, "--pack", str(tmp_path / "in"), "pack", "import", __file__
    )


def test_a_demo_that_stops_prints_what_it_has(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No legal build fits the photo: a machine still gets the reading."""
    scan = SimpleNamespace(state=None, actions=(), seconds=0.1, to_json=lambda: {"unseen": []})
    monkeypatch.setattr(demo, "_scan", lambda *_: scan)
    for name in ("annotate", "show_scan", "_compare", "save_jpeg"):
        monkeypatch.setattr(demo, name, lambda *_: None)
    told = call(capsys, "demo", "--samples", str(STUDY.parent), "--out", str(tmp_path))
    assert told["scan"] == {"unseen": []}
    assert told["annotated"] == str(tmp_path / "annotated.jpg")


STUDY = Path(__file__).parents[2] / "sample_photos" / "study"


@pytest.mark.slow
def test_the_boards_beside_the_map_are_calibrated_and_scanned(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = ["--profile", str(tmp_path)]
    panel = [str(STUDY / "tracks_empty.jpg"), "--points", str(STUDY / "tracks_points.json"), *folder]
    assert "calibrate" in refused(capsys, "calibrate", "tracks", *panel)
    on_map = [str(STUDY / "empty.jpg"), "--points", str(STUDY / "points.json"), "--board", "usa", *folder]
    call(capsys, "calibrate", "map", *on_map)
    assert "value/brown/15" in call(capsys, "calibrate", "tracks", *panel)["cells"]
    call(capsys, "calibrate", "map", *on_map)
    found = call(capsys, "scan", str(STUDY / "tracks_four.jpg"), *folder)
    assert [entry["surface"] for entry in found["surfaces"]] == ["tracks"]
    assert found["state"]["companies"]["gray"]["value"] == 11
    picture = str(tmp_path / "out.jpg")
    assert "map" in refused(capsys, "scan", str(STUDY / "tracks_four.jpg"), *folder, "--annotate", picture)


SAMPLES = Path(__file__).parents[2] / "sample_photos"


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ({"image_points": [{"hex": [0, -2], "px": None}]}, ': {"hex": [0, -2], "px": null} was found'),
        ({"points": True}, ': {"points": true} was found'),
    ],
)
def test_points_are_told_as_they_are_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, points: object, told: str
) -> None:
    file = tmp_path / "points.json"
    file.write_text(json.dumps(points))
    empty, profile = str(SAMPLES / "cellar" / "empty.jpg"), ["--profile", str(tmp_path / "profile")]
    for surface in ["map", "--board", "usa"], ["propose", "--board", "usa"]:
        keeps = profile if surface[0] == "map" else []
        line = ["calibrate", *surface, empty, "--points", str(file), *keeps]
        assert told in refused(capsys, *line)


def test_a_blank_photo_makes_no_profile(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blank, folder = tmp_path / "white.png", tmp_path / "profile"
    cv2.imwrite(str(blank), np.full((3000, 4000, 3), 255, np.uint8))
    points = ["--points", str(SAMPLES / "kitchen" / "points.json"), "--profile", str(folder)]
    assert "too little print" in refused(capsys, "calibrate", "map", str(blank), "--board", "usa", *points)
    assert not folder.exists()


def test_calibrate_tells_the_residual_and_what_was_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    points = json.loads((SAMPLES / "cellar" / "points.json").read_text())
    wrong = points["image_points"][2]
    wrong["hex"][1] += 1
    file = tmp_path / "points.json"
    file.write_text(json.dumps(points))
    args = [str(SAMPLES / "cellar" / "empty.jpg"), "--board", "usa", "--points", str(file)]
    told = call(capsys, "calibrate", "map", *args, "--profile", str(tmp_path / "table"))
    assert told["on_lines"]
    assert 0 < told["residual_mm"] < 2
    assert 0 < told["residual_px"] < 6
    assert [row["hex"] for row in told["left_out"]] == [wrong["hex"]]
    assert run(["calibrate", "map", *args, "--profile", str(tmp_path / "table"), "--lang", "cs"]) == 0
    out = capsys.readouterr().out
    assert "mm" in out
    assert str(tmp_path / "table") in out


def test_calibrate_proposes_what_it_sees(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    args = ["calibrate", "propose", str(SAMPLES / "cellar" / "empty.jpg"), "--board", "usa"]
    points, drawn = str(SAMPLES / "cellar" / "points.json"), tmp_path / "proposed.jpg"
    found = call(capsys, *args, "--points", points, "--annotate", str(drawn))
    assert len(found["outline"]) == 4
    empty, proposed = (cv2.imread(str(file)) for file in (SAMPLES / "cellar" / "empty.jpg", drawn))
    shrink = empty.shape[1] / proposed.shape[1]
    for city in found["cities"]:
        x, y = next(p["px"] for p in found["image_points"] if p["hex"] == city["hex"])
        near = np.s_[
            round(y / shrink) - 8 : round(y / shrink) + 8, round(x / shrink) - 8 : round(x / shrink) + 8
        ]
        assert proposed[near].min() < 70 < 200 < proposed[near].max(), "ink on a pale disc"
    assert {city["rim"] for city in found["cities"]} >= {"gold", "silver", "black"}
    assert "atlantis" in refused(capsys, *args[:3], "--board", "atlantis")
