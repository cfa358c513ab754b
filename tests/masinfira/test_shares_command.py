"""The shares in front of players on the command line: calibrated, scanned, set, scored."""

import json
from pathlib import Path

import pytest
from command_line import calibrated, call, refused, usage_error
from sample_tables import SAMPLES

from masinfira.main import run

TABLE = SAMPLES / "kitchen"
TILES = [str(TABLE / "shares_tiles.jpg"), "--points", str(TABLE / "shares_points.json")]
PHOTO = str(TABLE / "shares_loose.jpg")
TRUE = json.loads((TABLE / "shares_loose.json").read_text())["shares"]["blue"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A profile with the map and the share tiles."""
    path = calibrated(TABLE, tmp_path_factory.mktemp("table"))
    assert run(["calibrate", "shares", *TILES, *path]) == 0
    return path


def test_shares_need_a_profile_and_say_which_cells_they_made(
    capsys: pytest.CaptureFixture[str], folder: list[str], tmp_path: Path
) -> None:
    assert "calibrate" in refused(capsys, "calibrate", "shares", *TILES, "--profile", str(tmp_path))
    told = call(capsys, "calibrate", "shares", *TILES, *folder)
    assert told["cells"] == ["share/brown", "share/gray", "share/orange", "share/white"]


@pytest.mark.slow
def test_the_shares_a_photo_shows_are_known_once_a_person_has_said_so(
    capsys: pytest.CaptureFixture[str], folder: list[str], tmp_path: Path
) -> None:
    found = call(capsys, "scan", "--shares", f"blue={PHOTO}", *folder)
    assert found["state"] == {"shares": {"blue": TRUE}}
    scan = tmp_path / "scan.json"
    scan.write_text(json.dumps(found))
    asked = call(capsys, "set", str(scan), "seats=blue,red", "shares.red=1,1,1,1")
    assert asked["state"]["shares"] == {"red": dict.fromkeys(TRUE, 1)}
    told = call(
        capsys, "set", str(scan), "seats=blue,red", f"shares.blue={','.join(map(str, TRUE.values()))}"
    )
    assert told["state"]["shares"] == {"blue": TRUE}


@pytest.mark.slow
def test_people_read_what_lies_in_front_of_a_player(
    capsys: pytest.CaptureFixture[str], folder: list[str]
) -> None:
    assert run(["scan", "--shares", f"masinfira={PHOTO}", *folder]) == 0
    out = capsys.readouterr().out
    assert all(f"shares.masinfira.{company} is {n}" in out for company, n in TRUE.items())


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ([PHOTO], f"{PHOTO} names no photo of a player's share tiles: write seat and photo"),
        ([f"pink={PHOTO}"], 'no player "pink": write one of red, blue, purple, green, yellow, masinfira'),
        (["blue="], "--shares blue=PHOTO"),
        ([f"blue={PHOTO}", f"blue={PHOTO}"], "two photos"),
        (["blue=nothing.jpg"], "nothing.jpg"),
        ([f"blue={TABLE / 'shares_points.json'}"], "not a picture"),
    ],
)
def test_what_is_no_photo_of_shares_is_refused(
    capsys: pytest.CaptureFixture[str], folder: list[str], shares: list[str], told: str
) -> None:
    named = [part for text in shares for part in ("--shares", text)]
    assert told in refused(capsys, "scan", *named, *folder)


@pytest.mark.slow
def test_what_is_wrong_with_the_shares_is_told_before_the_other_photos_are_worked_on(
    capsys: pytest.CaptureFixture[str], folder: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = calibrated(TABLE, tmp_path)
    capsys.readouterr()
    monkeypatch.delattr("vision.table.sightings_of")
    scan = ["scan", str(TABLE / "empty.jpg"), "--shares"]
    assert "no file nothing.jpg" in refused(capsys, *scan, "blue=nothing.jpg", *folder)
    assert "no surface shares" in refused(capsys, *scan, f"blue={PHOTO}", *profile)


def test_a_scan_of_nothing_is_wrong_usage(capsys: pytest.CaptureFixture[str], folder: list[str]) -> None:
    assert "scan needs a PHOTO" in usage_error(capsys, "scan", *folder)
