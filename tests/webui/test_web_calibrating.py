"""Teaching the pages a table's boards: by a photo alone, by taps, and what is refused."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_vision import TABLES, calibrated, jpeg
from PIL import Image
from test_web_hostile import WORDS, refused
from visitors import CODE, calibration_file
from werkzeug.test import TestResponse

from calibration import (
    Profile,
    ProfileProblem,
    Surface,
    calibrate_map,
    load_photo,
    read_taps,
    transform,
)
from calibration.hexes import hex_center
from engine.mini_express import built_in
from webui import create_app
from webui.kept.calibrations import CALIBRATIONS_KEPT
from webui.kept.reader import Reader
from webui.problems import WebProblem
from webui.services import services_of

STUDY = TABLES / "study"
SIZE = {"width": "400", "height": "300"}
CORNERS = [(40, 30), (600, 30), (600, 450), (40, 450)]
# A place in the photo for the first and the last space of each track, one below the other.
SPACES = [(x, 60 + 45 * row) for row in range(8) for x in (60, 560)]


def send(visitor, surface: str, photo: object = None, **fields: object) -> str:
    """Send a photo of an empty board; returns the path of the calibration."""
    visitor.get(f"/calibrate/new/{surface}")
    answer = visitor.post(f"/calibrate/new/{surface}", photo=photo or (jpeg(), "empty.jpg"), **fields)
    assert answer.status_code == 303, answer.text
    return answer.location


def tap(visitor, path: str, x: float, y: float, **fields: object) -> None:
    answer = tapped(visitor, path, x, y, **fields)
    assert answer.status_code == 303, answer.text


def tapped(visitor, path: str, x: float, y: float, **fields: object) -> TestResponse:
    visitor.get(path)
    asked = {name: visitor.field(name) for name in ("of", "marks", "number") if visitor.field(name)}
    return visitor.post(path, **{**asked, "at.x": x, "at.y": y, **fields})


def do(visitor, path: str, what: str, **fields: object) -> None:
    visitor.get(path)
    asked = {name: visitor.field(name) for name in ("of", "marks")}
    assert visitor.post(path, **{**asked, "do": what, **fields}).status_code == 303


def keep(visitor, path: str) -> None:
    """Sent once more, as from a page that was left open, it is kept all the same."""
    visitor.get(path)
    for _ in range(2):
        answer = visitor.post(f"{path}/keep", seen=visitor.field("seen"))
        assert answer.location == "/calibrate", answer.text


def asked(visitor, path: str) -> str:
    found = re.search(r'id="ask"[^>]*>([^<]+)<', visitor.get(path).text)
    return found[1].strip() if found else ""


def tracks(visitor) -> str:
    """A calibration of tracks in which everything was tapped."""
    path = send(visitor, "tracks", **SIZE)
    for x, y in [*CORNERS, *SPACES]:
        tap(visitor, path, x, y)
    return path


def profile(data_dir: Path, board: str = "usa") -> Profile:
    return Profile.load(data_dir / "profiles" / board)


@pytest.mark.slow
def test_a_map_with_hex_lines_needs_no_tap(visitor, data_dir: Path) -> None:
    path = send(visitor, "map", (STUDY / "empty.jpg").open("rb"), board="usa")
    page = visitor.get(path).text
    assert "Do the white outlines lie exactly on what is printed?" in page
    assert "All cities are printed where the data of this map have them" in page
    assert page.count("<polygon") == len(profile_hexes(visitor, path, data_dir))
    assert "✓ The map" in re.sub(r"\s+", " ", visitor.get("/calibrate").text)


def profile_hexes(visitor, path: str, data_dir: Path) -> set[object]:
    keep(visitor, path)
    return {cell.id for cell in profile(data_dir).surface("map", "usa").cells}


@pytest.mark.slow
def test_a_grid_that_lies_wrong_is_tapped_and_a_wrong_tap_is_named(visitor, data_dir: Path) -> None:
    truth = json.loads((STUDY / "points.json").read_text())["image_points"]
    path = send(visitor, "map", (STUDY / "empty.jpg").open("rb"), board="usa")
    do(visitor, path, "decline")
    assert "Show again the hexes that were found" in visitor.get(path).text
    do(visitor, path, "accept")
    assert "Do the white outlines lie exactly" in visitor.get(path).text
    do(visitor, path, "decline")
    places = centers(visitor, truth)
    first = asked(visitor, path)
    do(visitor, path, "skip")
    assert asked(visitor, path) != first
    for n in range(6):
        of = visitor.get(path) and visitor.field("of")
        x, y = places[of] if n != 2 else places["0,0"]
        tap(visitor, path, x, y)
    page = visitor.get(path).text
    assert "was left out" in page
    assert "on average" in page
    do(visitor, path, "again", of=of)
    assert asked(visitor, path)
    tap(visitor, path, *places[of])
    do(visitor, path, "more")
    assert asked(visitor, path)


def centers(visitor, truth: list[dict[str, object]]) -> dict[str, tuple[float, float]]:
    """Where the hexes lie in the photo of the study."""
    photo = load_photo(STUDY / "empty.jpg")
    board = built_in().board("usa")
    surface, _ = calibrate_map(photo, read_taps({"image_points": truth}, photo.scale), board)
    places = transform(np.array([hex_center(p.at) for p in board.printed]), surface.plane_to_image)
    return {
        f"{p.at[0]},{p.at[1]}": (float(x), float(y)) for p, (x, y) in zip(board.printed, places, strict=True)
    }


@pytest.mark.slow
def test_that_it_is_the_other_map_is_told_and_can_be_gone_on_with(visitor, data_dir: Path) -> None:
    path = send(visitor, "map", (STUDY / "empty.jpg").open("rb"), board="europe")
    page = visitor.get(path).text
    assert "The photo seems to show the map USA, and Europe was chosen" in page
    assert "Tap the middle of" in page
    do(visitor, path, "other")
    page = visitor.get(path).text
    assert "seems to show" not in page
    assert "Do the white outlines lie exactly on what is printed?" in page
    keep(visitor, path)
    assert profile(data_dir, "usa").board == "usa"


@pytest.mark.slow
def test_a_copy_of_the_other_map_is_told_before_ten_hexes_are_tapped(visitor) -> None:
    path = send(visitor, "copy", (STUDY / "empty.jpg").open("rb"), board="europe")
    assert "The photo seems to show the map USA, and Europe was chosen" in visitor.get(path).text
    do(visitor, path, "other")
    page = visitor.get(path).text
    assert "seems to show" not in page
    assert asked(visitor, path), "its hexes are tapped all the same"
    overview = visitor.get("/calibrate").text
    assert "USA" in overview[overview.index("My copy of the map", overview.index("Begun")) :].split("</a>")[0]


@pytest.mark.slow
def test_tracks_are_tapped_one_point_after_the_other(visitor, data_dir: Path) -> None:
    path = send(visitor, "tracks", **SIZE)
    assert asked(visitor, path) == "Tap the corner of the board that is top left in print."
    for x, y in CORNERS:
        tap(visitor, path, x, y)
    assert asked(visitor, path) == "Tap the first space of the value track of brown."
    for x, y in SPACES:
        tap(visitor, path, x, y)
    page = visitor.get(path).text
    assert page.count("<polygon") == 8 * 16
    # Whose a track is stands in its middle, where nothing was tapped.
    labels = re.findall(r"<text [^>]*>([^<]+)</text>", page)
    assert labels == [f"{company} · {sort}" for company in "BGOW" for sort in ("Value", "Influence")]
    keep(visitor, path)
    cells = profile(data_dir, "europe").surface("tracks").cells
    assert [cell.id for cell in cells[:2]] == ["value/brown/0", "value/brown/1"]


def test_who_taps_twice_has_tapped_once(visitor) -> None:
    path = send(visitor, "assets", **SIZE)
    visitor.get(path)
    twice = {"of": "corners", "marks": "0", "at.x": 40, "at.y": 30}
    for _ in range(2):
        assert visitor.post(path, **twice).status_code == 303
    assert "top right" in asked(visitor, path)


def test_a_tap_can_be_taken_back_and_what_is_not_there_left_out(visitor) -> None:
    path = send(visitor, "tracks", **SIZE)
    for x, y in CORNERS:
        tap(visitor, path, x, y)
    do(visitor, path, "skip")
    assert "influence track of brown" in asked(visitor, path)
    do(visitor, path, "back")
    assert "value track of brown" in asked(visitor, path)
    do(visitor, path, "back")
    assert "bottom left" in asked(visitor, path)


@pytest.mark.slow
def test_points_that_do_not_fit_are_told_and_tapped_again(visitor) -> None:
    path = send(visitor, "tracks", **SIZE)
    for x, y in CORNERS[:0:-1]:
        tap(visitor, path, x, y)
    refused = tapped(visitor, path, *CORNERS[0])
    assert refused.status_code == 400 and "do not go round the board" in refused.text
    assert "point 4" in visitor.get(path).text
    for _ in range(3):
        do(visitor, path, "back")
    for x, y in [*CORNERS, *SPACES]:
        tap(visitor, path, x, y)
    assert "Yes, keep it" in visitor.get(path).text


@pytest.mark.slow
def test_what_was_not_looked_at_is_not_kept(visitor, data_dir: Path) -> None:
    """Another phone, or this one in an older page, has changed it since."""
    path = tracks(visitor)
    visitor.get(path)
    seen = visitor.field("seen")
    do(visitor, path, "again", of="influence/brown")
    assert visitor.post(f"{path}/keep", seen=seen).location == path
    assert not (data_dir / "profiles").exists()


@pytest.mark.slow
def test_what_was_left_out_by_mistake_is_asked_again(visitor) -> None:
    path = send(visitor, "tracks", **SIZE)
    for x, y in [*CORNERS, *SPACES[:-2]]:
        tap(visitor, path, x, y)
    do(visitor, path, "skip")
    assert "The influence track of white" in visitor.get(path).text
    do(visitor, path, "again", of="influence/white")
    assert "influence track of white" in asked(visitor, path)


def test_cities_that_were_not_found_can_be_looked_for_again(visitor) -> None:
    path = send(visitor, "map", board="usa")
    for _ in range(36):
        do(visitor, path, "skip")
    assert not asked(visitor, path)
    do(visitor, path, "more")
    assert asked(visitor, path)


@pytest.mark.parametrize("second", [(100, 100), (300, 100), (300, 105)])
def test_an_area_without_extent_is_told_at_its_second_corner(visitor, second: tuple[float, float]) -> None:
    """Not after the last of some thirty taps; the same place, a corner beside instead of opposite, or nearly so."""
    path = send(visitor, "assets", **SIZE)
    for x, y in [*CORNERS, (100, 100)]:
        tap(visitor, path, x, y)
    before = asked(visitor, path)
    fields = {name: visitor.field(name) for name in ("of", "marks")}
    answer = visitor.post(path, **fields, **{"at.x": second[0], "at.y": second[1]})
    assert answer.status_code == 400
    assert "The corners of the reservoir of brown lie too near each other, or in one line" in answer.text
    assert asked(visitor, path) == before
    tap(visitor, path, 200, 200)
    assert asked(visitor, path) != before


@pytest.mark.parametrize(
    ("surface", "width"), [("tracks", "20"), ("tracks", "4000"), ("shares", "6"), ("shares", "300")]
)
def test_a_size_that_cannot_be_is_told_before_anything_is_tapped(visitor, surface: str, width: str) -> None:
    visitor.get(f"/calibrate/new/{surface}")
    answer = visitor.post(f"/calibrate/new/{surface}", photo=(jpeg(), "a.jpg"), width=width, height="45")
    assert refused(answer)


@pytest.mark.parametrize("written", ["44.5", "44,5"])
def test_half_millimetres_count(visitor, app, written: str) -> None:
    send(visitor, "shares", width=written, height="60")
    ((calibration, _),) = services_of(app).calibrations.all()
    assert calibration.size == (44.5, 60.0)


def test_of_two_maps_the_one_that_was_photographed_must_be_said(visitor) -> None:
    page = visitor.get("/calibrate/new/map").text
    assert page.count('name="board"') == 2
    assert " checked" not in page
    assert " checked" in visitor.get("/calibrate/new/map?board=europe").text


def test_a_size_that_the_corners_contradict_is_told_and_can_be_corrected(visitor) -> None:
    """43 mm instead of 430 is seen after the fourth corner, not after all twenty points."""
    path = send(visitor, "tracks", width="43", height="300")
    for corner in CORNERS:
        assert "has another shape than" not in visitor.get(path).text
        tap(visitor, path, *corner)
    assert "By its corners the board has another shape than 43 × 300 mm" in visitor.get(path).text
    assert refused(visitor.post(path, do="size", width="5", height="300"))
    do(visitor, path, "size", width="400", height="300")
    assert "has another shape than" not in visitor.get(path).text


def test_what_a_map_does_not_show_by_itself_is_said(visitor) -> None:
    path = send(visitor, "map", board="usa")
    assert "The hexes were not found in this photo by themselves" in visitor.get(path).text
    tap(visitor, path, 50, 50)
    assert "were not found" not in visitor.get(path).text


def test_a_city_to_be_tapped_again_takes_no_other_with_it(visitor) -> None:
    path = send(visitor, "map", board="usa")
    visitor.get(path)
    first = visitor.field("of")
    for n in range(4):
        assert f"{n + 1} of 6" in visitor.get(path).text
        tap(visitor, path, 50 + 90 * n, 50 + 200 * (n % 2))
    do(visitor, path, "again", of=first)
    page = visitor.get(path).text
    assert visitor.field("of") == first
    assert 'value="back"' not in page
    assert page.count("<g ") == 3


def test_a_photo_that_is_refused_while_the_reader_is_busy_pushes_out_no_other(
    visitor, reader, monkeypatch
) -> None:
    begun = send(visitor, "tracks", **SIZE)

    def busy(work: object) -> None:
        raise WebProblem("busy")

    monkeypatch.setattr(reader, "in_turn", busy)
    for _ in range(CALIBRATIONS_KEPT):
        answer = visitor.post("/calibrate/new/map", photo=(jpeg(900, 700), "a.jpg"), board="usa")
        assert answer.status_code == 503
    assert visitor.get(begun).status_code == 200


@pytest.mark.parametrize("surface", ["map", "copy"])
def test_a_map_has_no_size_to_be_told(visitor, surface: str) -> None:
    page = send(visitor, surface, board="usa")
    assert visitor.post(page, do="size", width="430", height="308").status_code == 400


def test_what_was_begun_in_vain_can_be_deleted(visitor) -> None:
    path = send(visitor, "tracks", **SIZE)
    visitor.get("/calibrate")
    assert visitor.post(f"{path}/forget").location == "/calibrate"
    assert path not in visitor.get("/calibrate").text


def test_a_city_that_the_map_no_longer_has_is_shown_all_the_same(visitor, data_dir: Path) -> None:
    """Another pack may have been put in since."""
    path = send(visitor, "map", board="usa")
    file = calibration_file(data_dir, path)
    for n in range(6):
        tap(visitor, path, 50 + 90 * n, 50 + 200 * (n % 2))
        calibration = json.loads(whole := file.read_text())
        calibration["marks"][-1]["of"] = "-9,-1"
        file.write_text(json.dumps(calibration))
        assert visitor.get(path).status_code == 200
        file.write_text(whole)


def test_a_calibration_goes_on_after_a_restart(visitor, data_dir: Path) -> None:
    path = send(visitor, "tracks", **SIZE)
    tap(visitor, path, *CORNERS[0])
    visitor.client.application = create_app(data_dir, None, CODE)
    assert path in visitor.get("/calibrate").text
    assert "top right" in asked(visitor, path)


@pytest.mark.slow
def test_what_was_kept_is_no_longer_begun(visitor, data_dir: Path) -> None:
    other, path = send(visitor, "assets", **SIZE), tracks(visitor)
    keep(visitor, path)
    page = visitor.get("/calibrate").text
    assert other in page
    assert path not in page
    # Who goes back has not failed.
    assert visitor.get(path).location == "/calibrate"
    assert refused(visitor.post(path, do="back"))
    file = calibration_file(data_dir, path)
    assert not file.exists() and not file.with_suffix(".jpg").exists()


@pytest.mark.slow
def test_a_table_has_a_profile_for_each_map_and_all_have_its_other_boards(
    reader: Reader, visitor, data_dir: Path
) -> None:
    keep(visitor, tracks(visitor))
    profiles = reader.profiles
    surface = profile(data_dir, "europe").surface("tracks")
    for board in ("usa", "europe"):
        profiles.keep(a_map(surface, board), built_in().board(board))
    assert set(profile(data_dir, "usa").surfaces) == {"map", "tracks"}
    assert set(profile(data_dir, "europe").surfaces) == {"map", "tracks"}
    assert "/count" in visitor.get("/").text
    assert 'type="file"' in visitor.get("/count").text


@pytest.mark.slow
def test_each_map_as_it_is_printed_has_its_profile(reader: Reader, data_dir: Path) -> None:
    """Who copies a map can still send photos of games that were begun on ours."""
    profiles, usa = reader.profiles, built_in().board("usa")
    ours = Profile.load(calibrated(STUDY, data_dir.parent / "profile")).surface("map")
    old, new = next(p.at for p in usa.printed if p.kind == "landscape"), (30, 30)
    copy = replace(usa, printed=tuple(p._replace(at=new) if p.at == old else p for p in usa.printed))
    theirs = replace(ours, cells=tuple(replace(c, id=new) if c.id == old else c for c in ours.cells))
    told = {usa: "cannot be read yet", copy: "other hexes or cities"}
    for board, surface in ((usa, ours), (copy, theirs)):
        with pytest.raises(WebProblem, match=told[board]):
            profiles.folder(board)
        profiles.keep(surface, board)
        assert profiles.know(board)
    assert new in profiles.load(copy).map_of(copy).index
    assert new not in profiles.load(usa).map_of(usa).index
    profiles.keep(ours, usa)
    assert [path.name for path in sorted((data_dir / "profiles").iterdir())] == ["usa", "usa-2"]


def a_map(like: Surface, board: str) -> Surface:
    """A surface called map; that it shows something else does not matter here."""
    return replace(like, name="map", board=board)


@pytest.mark.slow
def test_a_named_profile_of_another_map_is_not_overwritten(visitor, data_dir: Path, tmp_path: Path) -> None:
    keep(visitor, tracks(visitor))
    named = tmp_path / "table"
    surface = profile(data_dir, "europe").surface("tracks")
    Profile("usa", {"map": a_map(surface, "usa")}).save(named)
    profiles = services_of(create_app(data_dir, named, CODE)).reader.profiles
    with pytest.raises(ProfileProblem, match="already"):
        profiles.keep(a_map(surface, "europe"), built_in().board("europe"))
    assert Profile.load(named).board == "usa"
    assert profiles.maps(["europe", "usa"]) == ["usa"]


def test_nothing_that_the_phone_wrote_into_the_photo_is_kept(visitor, data_dir: Path) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretPhone"
    send(visitor, "tracks", (jpeg(exif=exif), "a.jpg"), **SIZE)
    kept = list((data_dir / "calibrations").glob("*.jpg"))
    assert kept
    assert all(b"SecretPhone" not in path.read_bytes() for path in kept)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("field", ["at.x", "at.y", "number"])
def test_hostile_taps(visitor, field: str, word: str) -> None:
    path = send(visitor, "tracks", **SIZE)
    for x, y in CORNERS:
        tap(visitor, path, x, y)
    visitor.get(path)
    fields = {"of": "value/brown", "marks": "4", "at.x": "5", "at.y": "5", "number": "0", field: word}
    answer = visitor.post(path, **fields)
    assert answer.status_code == 303 if word == "1.5" and field != "number" else refused(answer)


@pytest.mark.parametrize("word", WORDS)
def test_hostile_words(visitor, word: str) -> None:
    path = send(visitor, "tracks", **SIZE)
    visitor.get(path)
    assert refused(visitor.post(path, do=word))
    assert visitor.post(path, do="again", of=word).status_code == 303
    for field in SIZE:
        sent = {**SIZE, field: word}
        assert refused(visitor.post("/calibrate/new/tracks", photo=(jpeg(), "a.jpg"), **sent))
    assert refused(visitor.post("/calibrate/new/map", photo=(jpeg(), "a.jpg"), board=word))


@pytest.mark.parametrize("id", ["0" * 16, "../../../../etcp", "%2e%2e%2f%2e%2e%2fx", "x" * 16])
def test_hostile_ids(visitor, id: str) -> None:
    answer = visitor.get(f"/calibrate/{id}")
    assert answer.status_code == 404 or answer.location == "/calibrate"
    assert visitor.get(f"/calibrate/{id}/photo.jpg").status_code == 404


def test_without_a_photo_there_is_nothing_to_calibrate(visitor) -> None:
    visitor.get("/calibrate/new/map")
    assert refused(visitor.post("/calibrate/new/map", board="usa"))
    assert refused(visitor.post("/calibrate/new/map", board="usa", photo=(jpeg(60, 40), "a.jpg")))


def test_strangers_see_nothing_of_it(stranger) -> None:
    for path in ("/calibrate", "/calibrate/new/map", "/calibrate/" + "0" * 16):
        assert stranger.get(path).status_code == 403


@pytest.mark.parametrize(("x", "y", "inside"), [(639, 479, True), (640, 5, False), (5, 480, False)])
def test_a_tap_lies_in_the_photo(visitor, x: int, y: int, inside: bool) -> None:
    path = send(visitor, "tracks", **SIZE)
    visitor.get(path)
    answer = visitor.post(path, of="corners", marks="0", **{"at.x": x, "at.y": y})
    assert answer.status_code == (303 if inside else 400)
