"""`masinfira scan --before`: the game goes on with what was played, or nothing is written."""

import json
from pathlib import Path

import pytest
from command_line import call

from engine import mini_express as game
from masinfira.main import run

TABLE = Path(__file__).parents[2] / "sample_photos" / "study"
PHOTO = str(TABLE / "early_day.jpg")


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = str(tmp_path_factory.mktemp("profiles") / "study")
    points = ["--points", str(TABLE / "points.json"), "--profile", folder]
    assert run(["calibrate", "map", str(TABLE / "empty.jpg"), "--board", "usa", *points]) == 0
    return ["--profile", folder]


def before(name: str) -> game.State:
    return game.state_from_json(json.loads((TABLE / f"{name}.json").read_text())["before"])


def record(file: Path) -> game.Game:
    return game.Game.from_text(file.read_text())


def test_what_was_found_is_added_to_the_record(
    capsys: pytest.CaptureFixture[str], profile: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(game.Game(before("early_day")).to_text())
    options = [PHOTO, *profile, "--before", str(file), "--out", str(file)]
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


def test_a_photo_of_another_game_is_told_first_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], profile: list[str], tmp_path: Path
) -> None:
    state, out = tmp_path / "before.json", tmp_path / "after.json"
    state.write_text(json.dumps(game.state_to_json(before("late_hard"))))
    assert run(["scan", PHOTO, *profile, "--before", str(state), "--out", str(out)]) == 1
    said, refused = capsys.readouterr()
    assert "differ in" in said.splitlines()[0]
    assert "--json lists them" in said
    assert "Trains read" not in said
    assert "after.json is not written" in refused
    assert not out.exists()
    found = call(capsys, "scan", PHOTO, *profile, "--before", str(state))
    assert found["conflicts"]
