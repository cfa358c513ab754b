"""Calibrations that were begun: kept whole, some of them, for who named them by the server's id."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from fake_vision import jpeg
from test_web_calibrating import SIZE, send
from visitors import calibration_file

from calibration import Mark, load_photo
from webui.kept.calibrations import CALIBRATIONS_KEPT, Calibration, Calibrations
from webui.kept.shelf import new_id
from webui.problems import WebProblem


def begun(calibrations: Calibrations, surface: str = "tracks") -> Calibration:
    photo = load_photo(jpeg().getvalue())
    return calibrations.begin(photo, Calibration(new_id(), surface, "usa", (400, 300), photo.size, 0))


def test_only_the_last_that_were_begun_are_kept(visitor, data_dir: Path) -> None:
    begun = [send(visitor, "tracks", **SIZE) for _ in range(CALIBRATIONS_KEPT + 1)]
    assert visitor.get(begun[0]).location == "/calibrate"
    assert all(visitor.get(path).status_code == 200 for path in begun[1:])
    assert len([*(data_dir / "calibrations").glob("*")]) == 2 * CALIBRATIONS_KEPT


def test_of_two_taps_at_once_none_is_lost(tmp_path: Path) -> None:
    calibrations = Calibrations(tmp_path)
    id = begun(calibrations).id

    def tapped(n: int) -> None:
        def slowly(calibration: Calibration) -> Calibration:
            time.sleep(0.02)
            return replace(calibration, marks=(*calibration.marks, Mark("corners", (n, n))))

        calibrations.change(id, slowly)

    with ThreadPoolExecutor(4) as phones:
        list(phones.map(tapped, range(4)))
    assert sorted(mark.px for mark in calibrations.load(id).marks) == [(n, n) for n in range(4)]


def test_what_a_calibration_comes_to_is_worked_out_anew_only_where_what_it_rests_on_has_changed(
    tmp_path: Path,
) -> None:
    calibrations, made = Calibrations(tmp_path), []
    calibration = begun(calibrations, "map")
    for tapped, rests_on in ((0, "our map"), (0, "our map"), (0, "a copy"), (1, "a copy"), (1, "a copy")):
        calibrations.once(replace(calibration, taps=tapped), rests_on, made.append)
    assert len(made) == 3


def test_a_photo_that_is_damaged_is_to_be_taken_again(tmp_path: Path) -> None:
    """Whoever reads that knows nothing of the files in which it was kept."""
    calibrations = Calibrations(tmp_path)
    calibration = begun(calibrations, "map")
    (tmp_path / f"{calibration.id}.jpg").write_bytes(b"no picture any more")
    with pytest.raises(WebProblem, match="is damaged: take it again"):
        calibrations.photo(calibration)


def test_the_one_gone_on_with_last_is_the_first_in_the_list(tmp_path: Path) -> None:
    calibrations = Calibrations(tmp_path)
    for age, calibration in enumerate([begun(calibrations, name) for name in ("tracks", "assets", "shares")]):
        os.utime(tmp_path / f"{calibration.id}.json", (age, age))
    assert [calibration.surface for calibration, _ in calibrations.all()] == ["shares", "assets", "tracks"]


def test_what_was_tapped_is_kept_with_the_bends_of_a_track_and_what_the_board_lacks(tmp_path: Path) -> None:
    calibrations = Calibrations(tmp_path)
    id = begun(calibrations).id
    marks = Mark("value/gray", (30.5, 40.0), 8, bend=True), Mark("value/white", None)
    calibrations.change(id, lambda calibration: replace(calibration, marks=marks))
    assert Calibrations(tmp_path).load(id).marks == marks


def test_only_an_id_that_the_server_made_names_a_calibration(tmp_path: Path) -> None:
    calibrations = Calibrations(tmp_path)
    calibration = begun(calibrations)
    assert calibrations.load(calibration.id) == calibration
    (tmp_path / f"{calibration.id}.json").rename(tmp_path / "other.json")
    for id in ("other", f"../{tmp_path.name}/other"):
        with pytest.raises(WebProblem, match="not kept"):
            calibrations.load(id)


def test_a_file_of_no_board_that_the_pages_know_is_not_kept_any_more(visitor, data_dir: Path) -> None:
    """Somebody has damaged it by hand."""
    path = send(visitor, "tracks", **SIZE)
    file = calibration_file(data_dir, path)
    whole = file.read_text()
    wrong = [{"surface": other} for other in ("nonsense", "", None, [])] + [{"board": []}, {"taps": "six"}]
    for other in wrong:
        file.write_text(json.dumps({**json.loads(whole), **other}))
        page = visitor.get("/calibrate")
        assert page.status_code == 200 and path not in page.text
        assert visitor.get(path).location == "/calibrate"
    file.write_text(json.dumps({**json.loads(whole), "id": None}))
    assert path in visitor.get("/calibrate").text


def test_the_one_just_begun_stays_when_the_clock_went_back(visitor, data_dir: Path) -> None:
    for _ in range(CALIBRATIONS_KEPT):
        send(visitor, "tracks", **SIZE)
    for file in (data_dir / "calibrations").iterdir():
        os.utime(file, (9e9, 9e9))
    begun = send(visitor, "tracks", **SIZE)
    assert visitor.get(begun).status_code == 200
    assert len([*(data_dir / "calibrations").glob("*")]) == 2 * CALIBRATIONS_KEPT
