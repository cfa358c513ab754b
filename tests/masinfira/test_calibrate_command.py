"""`masinfira calibrate`: every board of a table, what is told of it, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import calibrated, call, refused
from sample_tables import SAMPLES

from calibration import Profile
from masinfira.main import run
from vision import samples

STUDY, CELLAR = SAMPLES / "study", SAMPLES / "cellar"


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
    before = (tmp_path / "profile.json").read_bytes()
    told = refused(capsys, "calibrate", "tracks", str(STUDY / "empty.jpg"), *panel[1:])
    assert "shows another board, map" in told
    assert (tmp_path / "profile.json").read_bytes() == before


@pytest.mark.slow
def test_another_board_in_the_photo_makes_no_map(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    there = replace(samples.calibrated(CELLAR, "usa").surfaces["map"], name="tracks")
    Profile("usa", {"tracks": there}).save(tmp_path)
    points = ["--points", str(CELLAR / "points.json"), "--profile", str(tmp_path)]
    told = refused(capsys, "calibrate", "map", str(CELLAR / "empty.jpg"), "--board", "usa", *points)
    assert "the place pointed at for map shows another board, tracks" in told.lower()
    assert {*Profile.load(tmp_path).surfaces} == {"tracks"}


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


@pytest.mark.parametrize(
    "surface", [["map", "--board", "usa", "--profile", "p"], ["propose", "--board", "usa"]]
)
def test_a_photo_in_place_of_the_points_is_told_as_such(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, surface: list[str]
) -> None:
    empty, sound = str(SAMPLES / "cellar" / "empty.jpg"), tmp_path / "points.json"
    assert "is a photo, but what is expected here is a JSON file of the points" in refused(
        capsys, "calibrate", *surface, empty, "--points", empty
    )
    sound.write_bytes(b"\xff\xfe\x00\x01")
    assert "is not a text file: what is expected is a JSON file of the points" in refused(
        capsys, "calibrate", *surface, empty, "--points", str(sound)
    )


@pytest.mark.slow
def test_a_blank_photo_makes_no_profile(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    blank, folder = tmp_path / "white.png", tmp_path / "profile"
    cv2.imwrite(str(blank), np.full((3000, 4000, 3), 255, np.uint8))
    points = ["--points", str(SAMPLES / "kitchen" / "points.json"), "--profile", str(folder)]
    assert "too little print" in refused(capsys, "calibrate", "map", str(blank), "--board", "usa", *points)
    assert not folder.exists()


MAP = ["calibrate", "map", "no photo.jpg", "--board", "usa", "--points", str(CELLAR / "points.json")]
SURFACE = ["calibrate", "surface", "no photo.jpg", "--describe", str(CELLAR / "points.json")]


@pytest.mark.parametrize("command", [MAP, SURFACE])
@pytest.mark.parametrize("there", [CELLAR / "points.json", CELLAR / "empty.jpg"])
def test_a_file_that_is_no_profile_but_called_like_one_is_not_lost(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str], there: Path
) -> None:
    """Such as points or a photo; and it is told before any work is done: there is no such photo."""
    (tmp_path / "profile.json").write_bytes(there.read_bytes())
    assert "profile.json is no table profile" in refused(capsys, *command, "--profile", str(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["profile.json"]
    assert (tmp_path / "profile.json").read_bytes() == there.read_bytes()


@pytest.mark.slow
def test_a_place_that_cannot_become_the_profile_is_told_before_the_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (file := tmp_path / "notes.txt").touch()
    for command in (MAP, SURFACE):
        assert "there is a file of that name" in refused(capsys, *command, "--profile", str(file))
    profile = calibrated(CELLAR, tmp_path / "table")
    capsys.readouterr()
    assert "no file no photo.jpg" in refused(capsys, *MAP, *profile)
    europe = [word.replace("usa", "europe") for word in MAP]
    assert "for the map USA already" in refused(capsys, *europe, *profile)


@pytest.mark.slow
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


@pytest.mark.slow
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
    (proposal := tmp_path / "found.json").write_text(json.dumps(found))
    keep = ["--points", str(proposal), "--profile", str(tmp_path / "table")]
    assert run(["calibrate", "map", *args[2:], *keep]) == 0
    told = capsys.readouterr().out
    assert "px" not in told, "how far off its own points a proposal is says nothing"
    assert "All cities are printed where the data of this map have them" in told
    assert "atlantis" in refused(capsys, *args[:3], "--board", "atlantis")
