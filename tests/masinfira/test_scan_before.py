"""`masinfira scan --before`: the game goes on with what was played, or nothing is written."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import calibrated, call
from sample_tables import SAMPLES

from engine import mini_express as game
from masinfira import main
from masinfira.commands import scan as command
from masinfira.commands.scan import not_sure
from masinfira.main import run
from vision import TableScan, scan_table
from vision.compared import Disagreement
from vision.figure import Figure

TABLE = SAMPLES / "study"
PHOTO = str(TABLE / "early_day.jpg")


def before(name: str) -> game.State:
    return game.state_from_json(json.loads((TABLE / f"{name}.json").read_text())["before"])


def record(file: Path) -> game.Game:
    return game.Game.from_text(file.read_text())


@pytest.mark.slow
def test_what_was_found_is_added_to_the_record(
    capsys: pytest.CaptureFixture[str], study: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(game.Game(before("early_day")).to_text())
    options = [PHOTO, *study, "--before", str(file), "--out", str(file)]
    assert run(["scan", *options]) == 0
    said = capsys.readouterr().out
    played = record(file)
    assert played.start == before("early_day")
    assert [type(action) for action in played.actions] == [game.Build]
    assert game.action_to_text(played.actions[0]) in said
    assert "Since the state before:" in said and "R5.5" in said
    assert run(["scan", *options]) == 0
    assert "nothing new was built" in capsys.readouterr().out
    assert record(file) == played


@pytest.mark.slow
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_file_that_cannot_be_saved_does_not_cost_what_was_read(
    capsys: pytest.CaptureFixture[str],
    study: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: list[str],
) -> None:
    """Somebody else plays on in it while the photo is read; that it is not saved is told behind."""
    file = tmp_path / "game.txt"
    played = game.Game(before("early_day"))
    file.write_text(played.to_text())
    other = played.play(game.legal_actions(played.state)[0]).to_text()

    def meanwhile(*args: Any, **options: Any) -> TableScan:
        file.write_text(other)
        return scan_table(*args, **options)

    monkeypatch.setattr(command, "scan_table", meanwhile)
    options = [PHOTO, *study, "--before", str(file), "--out", str(file), *form]
    assert run(["scan", *options]) == 1
    said, refused = capsys.readouterr()
    assert json.loads(said)["actions"] if form else "Since the state before:" in said
    assert "Somebody else has changed" in refused
    assert file.read_text() == other


@pytest.mark.slow
def test_what_nobody_reads_to_its_end_is_saved_all_the_same(
    study: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with `masinfira scan … | head -3`."""

    def gone(*_: Any) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(command, "_show", gone)
    monkeypatch.setattr(main, "_print_no_more", lambda: None)
    file = tmp_path / "game.txt"
    file.write_text(game.Game(before("early_day")).to_text())
    assert run(["scan", PHOTO, *study, "--before", str(file), "--out", str(file)]) == 0
    assert len(record(file).actions) == 1


def test_a_picture_that_cannot_be_made_does_not_cost_what_was_read(
    capsys: pytest.CaptureFixture[str], study: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of photos without the map there is none."""
    figure = Figure(("companies", "gray", "value"), "value/gray", {3: 1.0})
    monkeypatch.setattr(
        command, "scan_table", lambda *_, **__: TableScan(None, (), [], [figure], [], [], 0.0)
    )
    assert run(["scan", PHOTO, *study, "--annotate", str(tmp_path / "seen.jpg")]) == 1
    said, refused = capsys.readouterr()
    assert "companies.gray.value is 3" in said
    assert "The photos do not show the map" in refused


@pytest.mark.slow
def test_a_photo_of_another_game_is_told_first_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], study: list[str], tmp_path: Path
) -> None:
    state, out = tmp_path / "before.json", tmp_path / "after.json"
    state.write_text(json.dumps(game.state_to_json(before("late_hard"))))
    assert run(["scan", PHOTO, *study, "--before", str(state), "--out", str(out)]) == 1
    said, refused = capsys.readouterr()
    assert "differ in" in said.splitlines()[0]
    assert "--json lists them" in said
    assert "Trains read" not in said
    assert "after.json is not written" in refused
    assert not out.exists()
    found = call(capsys, "scan", PHOTO, *study, "--before", str(state))
    assert any("(R1.2)" in conflict for conflict in found["conflicts"])
    assert any("(R5.2)" in conflict for conflict in found["conflicts"])


@pytest.mark.slow
def test_tiles_that_lie_otherwise_are_told(
    capsys: pytest.CaptureFixture[str], study: list[str], tmp_path: Path
) -> None:
    """Mašinfíra and the players' gains go by them (R5.6, R7.9): the game may have been set up with others."""
    state, other = before("early_day"), tmp_path / "other.json"
    laid = [number for number, pair in enumerate(state.demand) if pair]
    moved = dict(zip(laid, [state.demand[number] for number in (*laid[5:], *laid[:5])], strict=True))
    demand = tuple(moved.get(number) for number in range(len(state.demand)))
    for file, played in (("same.json", state), (other.name, replace(state, demand=demand))):
        (tmp_path / file).write_text(json.dumps(game.state_to_json(played)))
    same, differs = (
        run(["scan", PHOTO, *study, "--before", str(tmp_path / file)]) or capsys.readouterr().out
        for file in ("same.json", other.name)
    )
    assert "demand tiles in the photo look otherwise" not in same
    assert "Most demand tiles in the photo look otherwise" in differs


@pytest.mark.slow
def test_what_a_photo_cannot_tell_is_told_and_not_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """R5.6: which company a wild tile was taken for does not show on the map."""
    table, state, out = SAMPLES / "salon", tmp_path / "before.json", tmp_path / "after.json"
    truth = json.loads((table / "early_pendant.json").read_text())
    state.write_text(json.dumps(truth["before"]))
    profile = calibrated(table, tmp_path / "salon", truth["board"])
    options = ["scan", str(table / "early_pendant.jpg"), *profile, "--before", str(state)]
    assert run([*options, "--out", str(out)]) == 1
    said, refused = capsys.readouterr()
    assert said.count("In a picture this looks the same: build") == 2
    assert "cannot tell which of these was played" in refused
    assert not out.exists()
    assert run([*options, "--lang", "cs"]) == 0


def test_the_figures_of_another_board_can_contradict_the_game_but_a_strange_colour_does_not() -> None:
    def seen(problem: Disagreement) -> TableScan:
        return TableScan(None, (), [], [], [], [problem], 0.0)

    assert not_sure(seen(Disagreement("figure", found=14, figure="companies.brown.value", expected=0)))
    assert not_sure(seen(Disagreement("strange", cell="influence/brown/3"))) is None
