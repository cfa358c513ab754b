"""The command line as a person or a script uses it: one command after the other."""

import json
import re
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import SOLO, call, refused, usage_error
from sample_tables import SAMPLES

from masinfira.commands import demo
from masinfira.main import run


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


def test_the_best_actions_come_first_with_what_speaks_for_them(
    capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    listed = call(capsys, "moves", str(state))["actions"]
    advised = call(capsys, "moves", str(state), "--advise", "0.3")["actions"]
    assert sorted(each["notation"] for each in advised) == sorted(each["notation"] for each in listed)
    assert [each["tried"] > 0 for each in advised] == sorted(
        (each["tried"] > 0 for each in advised), reverse=True
    )
    best = advised[0]
    assert 0 <= best["won"] <= 1
    assert isinstance(best["ahead"], float)
    assert all(
        reason["text"] and reason["rule"].startswith("R") for each in advised for reason in each["reasons"]
    )
    assert run(["moves", str(state), "--advise", "0.3"]) == 0
    shown = capsys.readouterr().out
    assert "1. " in shown
    assert re.search(r"Played to the end \d+ times: \d+ % won, on average [+-]\d+ points", shown)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e9"])
def test_nobody_thinks_for_no_time_or_for_ever(
    capsys: pytest.CaptureFixture[str], state: Path, seconds: str
) -> None:
    assert "--advise takes a number of seconds" in refused(capsys, "moves", str(state), f"--advise={seconds}")


def test_in_masinfiras_turn_the_tiles_are_listed_without_advice(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, state: Path
) -> None:
    share = call(capsys, "moves", str(state))["actions"][0]["notation"]
    after = tmp_path / "after.json"
    after.write_text(json.dumps(call(capsys, "play", str(state), share)["state"]))
    assert call(capsys, "moves", str(after), "--advise", "1") == call(capsys, "moves", str(after))


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
    assert "There are no actions here" in refused(capsys, "replay", record, "--to", "-1")


def test_no_modules_can_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, *SOLO, "--modules", "none") == call(capsys, *SOLO)
    for words in (["none,golden_spike"], ["golden_spike", "none"]):
        assert "none stands for no module" in refused(capsys, *SOLO, "--modules", *words)


def test_score_shows_every_shares_worth(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    score = call(capsys, "score", str(state))
    parts = score["seats"]["red"]["companies"]
    assert score["seats"]["red"]["total"] == sum(p["worth"] * p["shares"] for p in parts.values())
    assert not score["final"]


def test_score_says_that_no_play_leads_to_these_numbers(
    capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    """R5.5: a number that was misread would be scored without a word."""
    assert call(capsys, "score", str(state))["broken"] == []
    wrong = json.loads(state.read_text())
    wrong["companies"]["brown"]["value"] += 9
    state.write_text(json.dumps(wrong))
    assert [each["rule"] for each in call(capsys, "score", str(state))["broken"]] == ["R5.5"]
    assert run(["score", str(state)]) == 0
    assert "look at the table once more" in capsys.readouterr().out


def test_score_says_what_decides_a_tie(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    start = call(capsys, *SOLO)
    state.write_text(json.dumps(start))
    tie = call(capsys, "score", str(state))["tie"]
    assert (tie["rule"], tie["text"]) == ("R7.12", "Tied on points: a tie goes to Mašinfíra.")
    assert run(["score", str(state)]) == 0
    assert tie["text"] in capsys.readouterr().out
    start["shares"]["red"]["brown"], start["companies"]["brown"]["aside"] = 1, 1
    state.write_text(json.dumps(start))
    assert call(capsys, "score", str(state))["tie"] is None


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


def test_wrong_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--seats" in usage_error(capsys, "new")


def test_a_pack_is_exported_imported_and_used(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.zip", tmp_path / "mine"
    exported = call(capsys, "pack", "export", str(file))
    assert "mine.zip exists already" in refused(capsys, "pack", "export", str(file))
    assert "pack import FILE --pack NEWFOLDER" in refused(capsys, "pack", "import", str(file))
    assert call(capsys, "pack", "import", str(file), "--pack", str(folder))["digest"] == exported["digest"]
    values = folder / "values.toml"
    values.write_text(values.read_text().replace("[13, 10, 5]", "[15, 10, 5]"))
    checked = call(capsys, "--pack", str(folder), "pack", "check")
    assert call(capsys, "pack", "check", "--pack", str(folder)) == checked
    assert checked["digest"] != exported["digest"]
    assert checked["unread"] == []
    values.rename(folder / "value.toml")
    assert call(capsys, "pack", "check", "--pack", str(folder))["unread"] == ["value.toml"]
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
    scan = SimpleNamespace(state=None, actions=(), seconds=0.1, to_json=lambda told: {"unseen": []})
    monkeypatch.setattr(demo, "_scan", lambda *_: scan)
    for name in ("annotate", "show_scan", "_compare", "save_jpeg"):
        monkeypatch.setattr(demo, name, lambda *_: None)
    told = call(capsys, "demo", "--samples", str(SAMPLES), "--out", str(tmp_path))
    assert told["scan"] == {"unseen": []}
    assert told["annotated"] == str(tmp_path / "annotated.jpg")
