"""`masinfira scan --before`: the game goes on with what was played, or nothing is written."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import SAMPLES, calibrated, call

from engine import mini_express as game
from masinfira.commands.scan import not_sure
from masinfira.main import run
from vision import TableScan
from vision.compared import Disagreement

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
