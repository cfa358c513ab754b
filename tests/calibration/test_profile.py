"""A profile survives its folder; one that is damaged, or made to do harm, is refused."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from synthetic_table import BOARD, camera, photograph, table

from calibration import Profile, ProfileProblem, register
from calibration.photo import BYTES_AT_MOST
from calibration.profile import _text
from calibration.surface import transform


@pytest.fixture(scope="module")
def profile() -> Profile:
    return table()


def test_a_profile_comes_back_from_its_folder(profile: Profile, tmp_path: Path) -> None:
    profile.save(tmp_path / "table")
    loaded = Profile.load(tmp_path / "table").surface("map", "usa")
    surface = profile.surfaces["map"]
    assert loaded.cells == surface.cells
    assert loaded.kinds == surface.kinds
    assert np.allclose(loaded.plane_to_reference, surface.plane_to_reference)
    assert (loaded.card, loaded.card_at) == (surface.card, surface.card_at)
    assert len(loaded.views) == 9
    assert np.abs(loaded.views[3].points - surface.views[3].points).max() < 1e-3
    view = camera(35, 60)
    found = register(photograph(view), loaded).in_photo(loaded.centers, loaded)
    truth = transform(loaded.centers, view.plane_to_photo)
    assert np.linalg.norm(found - truth, axis=1).max() < 1.5


@pytest.mark.parametrize("spelt", ["relative", "link", "roundabout"])
def test_a_profile_saved_into_its_own_folder_under_another_name_keeps_its_pictures(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelt: str
) -> None:
    monkeypatch.chdir(tmp_path)
    profile.save("table")
    Path("link").symlink_to("table")
    folder = {"relative": tmp_path / "table", "link": Path("link"), "roundabout": Path("table/../table")}
    Profile.load("table").save(folder[spelt])
    assert sorted(path.suffix for path in Path("table").glob("map*")) == [".jpg", ".npz"]
    assert set(Profile.load("table").surfaces) == {"map"}


@pytest.mark.slow
def test_a_surface_given_another_reference_is_stored_with_that_and_its_features(
    profile: Profile, tmp_path: Path
) -> None:
    profile.save(tmp_path)
    old = Profile.load(tmp_path)
    blank = replace(old.surfaces["map"], reference=np.full_like(old.surfaces["map"].reference, 90))
    old.with_surface(blank).save(tmp_path)
    kept = Profile.load(tmp_path).surfaces["map"]
    assert np.abs(kept.reference.astype(int) - 90).max() <= 1
    assert not len(kept.views[0].points)


@pytest.mark.slow
def test_what_another_wrote_while_a_profile_was_read_is_read_instead(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever calibrates the map anew removes the photo that the list read just before still names."""
    profile.save(tmp_path)
    texts = [(tmp_path / "profile.json").read_text()]
    Profile.keep(tmp_path, replace(profile.surfaces["map"], reference=profile.surfaces["map"].reference // 2))
    assert not (tmp_path / "map.jpg").exists()
    read = _text
    monkeypatch.setattr("calibration.profile._text", lambda of: texts.pop() if texts else read(of))
    loaded = Profile.load(tmp_path).surfaces["map"].reference
    assert not texts
    assert abs(loaded.mean() - profile.surfaces["map"].reference.mean() / 2) < 2


def test_each_broken_profile_has_its_sentence(profile: Profile, tmp_path: Path) -> None:
    def refusal(folder: Path) -> str:
        with pytest.raises(ProfileProblem) as problem:
            Profile.load(folder)
        assert str(folder) in str(problem.value)
        return problem.value.key

    folder = tmp_path / "table"
    assert refusal(folder) == "missing"
    profile.save(folder)
    whole = json.loads((folder / "profile.json").read_text())
    for change in ({"surfaces": 3}, {"surfaces": {"map": {}}}, {"board": None, "surfaces": {"map": None}}):
        (folder / "profile.json").write_text(json.dumps({**whole, **change}))
        assert refusal(folder) == "broken"
    (folder / "profile.json").write_text(json.dumps({**whole, "format": "masinfira/profile/99"}))
    assert refusal(folder) == "version"
    (folder / "profile.json").write_text("{")
    assert refusal(folder) == "broken"
    (folder / "profile.json").write_text(json.dumps(whole))
    (folder / "map.npz").write_bytes(b"PK nonsense")
    assert refusal(folder) == "broken"
    (folder / "map.npz").unlink()
    for picture in (b"nonsense", b""):
        (folder / "map.jpg").write_bytes(picture)
        assert refusal(folder) == "broken"


@pytest.mark.parametrize(
    ("of", "value"),
    [
        ("scale", 0),
        ("scale", "NaN"),
        ("scale", "Infinity"),
        ("scale", 1e300),
        ("scale", 1e-300),
        ("colour", ["Infinity", 1, 1]),
        ("size", ["NaN", 8, 12]),
        ("colour", [1e-300, 1, 1]),
        ("size", [1e5, 8, 12]),
        ("size", [1e-300, 8, 12]),
        ("lessons", {"brown": [[1e308, 0, 0]]}),
        ("card", ""),
        ("kinds", []),
        ("plane", [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("plane", [[1, 0, 0], [2, 0, 0], [0, 0, 1]]),
        ("plane", [[1e200, 0, 0], [0, 1e200, 0], [0, 0, 1e200]]),
    ],
)
def test_numbers_that_cannot_be_are_damage(profile: Profile, tmp_path: Path, of: str, value: object) -> None:
    profile.save(tmp_path)
    whole = json.loads((tmp_path / "profile.json").read_text())
    surface = whole["surfaces"]["map"]
    (surface if of in surface else surface["kinds"][0])[of] = value
    text = json.dumps(whole).replace('"NaN"', "NaN").replace('"Infinity"', "Infinity")
    (tmp_path / "profile.json").write_text(text)
    with pytest.raises(ProfileProblem, match="is damaged"):
        Profile.load(tmp_path)


@pytest.mark.parametrize(
    ("file", "holds"),
    [("map.jpg", ""), ("map.npz", "PK"), ("profile.json", "{}"), ("profile.json", '{"format": null}')],
)
def test_a_damaged_profile_names_the_file_and_nothing_of_what_reads_it(
    profile: Profile, tmp_path: Path, file: str, holds: str
) -> None:
    profile.save(tmp_path)
    (tmp_path / file).write_text(holds)
    with pytest.raises(ProfileProblem) as problem:
        Profile.load(tmp_path)
    assert str(problem.value).endswith(f"is damaged ({file}): calibrate again.")


def never_ends(file: Path) -> None:
    file.symlink_to("/dev/zero")


def is_too_long(file: Path) -> None:
    file.touch()
    os.truncate(file, BYTES_AT_MOST + 1)


@pytest.mark.parametrize("hostile", [os.mkfifo, never_ends, is_too_long])
@pytest.mark.parametrize("file", ["profile.json", "map.jpg", "map.npz"])
def test_a_file_that_never_comes_or_never_ends_is_damage(
    profile: Profile, tmp_path: Path, file: str, hostile: Callable[[Path], None]
) -> None:
    profile.save(tmp_path)
    (tmp_path / file).unlink()
    hostile(tmp_path / file)
    with pytest.raises(ProfileProblem, match=rf"is damaged \({file}\)"):
        Profile.load(tmp_path)


@pytest.mark.parametrize("hostile", [os.mkfifo, never_ends, is_too_long])
def test_what_never_was_a_profile_makes_no_room_for_one(
    tmp_path: Path, hostile: Callable[[Path], None]
) -> None:
    hostile(tmp_path / "profile.json")
    assert Profile.files(tmp_path) == [tmp_path / "profile.json"]
    with pytest.raises(ProfileProblem, match="is no table profile and would be lost"):
        Profile.begun(tmp_path)


def of_size(picture: bytes, side: int) -> bytes:
    """A JPEG file whose header tells another size."""
    at = picture.index(b"\xff\xc0") + 5
    return picture[:at] + side.to_bytes(2) * 2 + picture[at + 4 :]


def test_a_reference_that_is_no_plain_jpeg_of_bounded_size_is_not_decoded(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile.save(tmp_path)
    picture = profile.surfaces["map"].reference
    in_scans = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    as_png = cv2.imencode(".png", picture)[1].tobytes()
    monkeypatch.setattr("calibration.photo.cv2.imdecode", None)
    for hostile in (as_png, in_scans, of_size((tmp_path / "map.jpg").read_bytes(), 9_000)):
        (tmp_path / "map.jpg").write_bytes(hostile)
        with pytest.raises(ProfileProblem, match=r"is damaged \(map.jpg\)"):
            Profile.load(tmp_path)


def test_features_that_would_fill_the_memory_are_not_unpacked(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile.save(tmp_path)
    zeros = {"points0": np.zeros((1000, 2), np.float32), "descriptors0": np.zeros((1000, 128), np.uint8)}
    np.savez_compressed(tmp_path / "map.npz", **zeros)
    assert len(Profile.load(tmp_path).surfaces["map"].views[0].points) == 1000
    monkeypatch.setattr("calibration.surface_files.VIEWS_BYTES_AT_MOST", 100_000)
    with pytest.raises(ProfileProblem, match=r"is damaged \(map.npz\)"):
        Profile.load(tmp_path)


@pytest.mark.parametrize("points", [1j, np.float32("nan"), np.float32(1e30), np.datetime64(0, "s"), "a"])
def test_features_lie_somewhere_on_the_surface(profile: Profile, tmp_path: Path, points: object) -> None:
    profile.save(tmp_path)
    arrays = {"points0": np.full((9, 2), points), "descriptors0": np.zeros((9, 128), np.uint8)}
    np.savez(tmp_path / "map.npz", **arrays)
    with pytest.raises(ProfileProblem, match=r"is damaged \(map.npz\)"):
        Profile.load(tmp_path)


def test_a_profile_that_cannot_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "profile.json").mkdir()  # as a file that is not ours to read, also for root
    with pytest.raises(ProfileProblem, match="cannot be read: it is a folder"):
        Profile.load(tmp_path)


def with_first_corner(surface: dict[str, Any], corner: list[float]) -> dict[str, Any]:
    first, *others = surface["cells"]
    return {**surface, "cells": [{**first, "outline": [corner, *first["outline"][1:]]}, *others]}


def test_a_hostile_profile_is_refused_before_anything_is_made_of_it(profile: Profile, tmp_path: Path) -> None:
    """The files of a surface are called after it, pictures are as large as its outlines."""
    folder = tmp_path / "table"
    profile.save(folder)
    whole = json.loads((folder / "profile.json").read_text())
    on_map = whole["surfaces"]["map"]
    hostile = [{name: on_map} for name in ("../../evil", str(tmp_path / "evil"), "", "..", "a/b", "a\0b")]
    corners = ([1e9, 0.0], [0.0, -1e5], [float("nan"), 0.0], [0.0, float("inf")], [10**400, 0])
    hostile += [{"map": with_first_corner(on_map, list(corner))} for corner in corners]
    hostile += [{"map": {**on_map, "card_at": [10**6]}}, {"map": {**on_map, "cells": [{"id": []}]}}]
    for surfaces in hostile:
        (folder / "profile.json").write_text(json.dumps({**whole, "surfaces": surfaces}))
        with pytest.raises(ProfileProblem) as problem:
            Profile.load(folder).save(folder)
        assert problem.value.key == "broken"
    (folder / "profile.json").write_text("[" * 100_000)
    assert Profile.files(folder) == [folder / "profile.json"]
    with pytest.raises(ProfileProblem):
        Profile.load(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_no_card_is_kept_that_would_not_be_read_again(profile: Profile, tmp_path: Path) -> None:
    surface = profile.surfaces["map"]
    assert surface.card is not None
    flat, elsewhere = replace(surface.card, size=(0.0, 16.0, 2.0)), replace(surface.card, home=999)
    for changed in (
        replace(surface, card=flat),
        replace(surface, card=elsewhere),
        replace(surface, card_at=frozenset({999})),
        replace(surface, card_at=frozenset({-1})),
    ):
        with pytest.raises(ProfileProblem, match="The surface map cannot be used"):
            Profile("usa", {"map": changed}).save(tmp_path)


def test_another_board_or_surface_is_refused(profile: Profile) -> None:
    for name, board, key in (("map", "europe", "other_board"), ("tracks", "usa", "no_surface")):
        with pytest.raises(ProfileProblem) as problem:
            profile.surface(name, board)
        assert problem.value.key == key


def test_a_map_printed_anew_asks_for_a_new_calibration(profile: Profile) -> None:
    """A map of one's own pack can lose hexes and move start cities after the calibration (R1.5)."""
    assert profile.map_of(BOARD) is profile.surfaces["map"]
    moved = [
        p._replace(start={"brown": "gray", "gray": "brown"}.get(p.start, p.start)) for p in BOARD.printed
    ]
    for changed in (BOARD.printed[1:], tuple(moved)):
        with pytest.raises(ProfileProblem, match="calibrate it again"):
            profile.map_of(replace(BOARD, printed=changed))


@pytest.mark.slow
def test_a_surface_that_is_kept_leaves_the_others_as_they_are(profile: Profile, tmp_path: Path) -> None:
    assert Profile.keep(tmp_path, profile.surfaces["map"]) is None
    picture = (tmp_path / "map.jpg").read_bytes()
    Profile.keep(tmp_path, replace(profile.surfaces["map"], name="tracks"))
    assert (tmp_path / "map.jpg").read_bytes() == picture
    assert set(Profile.load(tmp_path).surfaces) == {"map", "tracks"}


@pytest.mark.parametrize("link", ["map.jpg", "map.npz"])
@pytest.mark.parametrize("there", [False, True])
def test_nothing_is_written_where_a_link_leads(
    profile: Profile, tmp_path: Path, link: str, there: bool
) -> None:
    folder, outside = tmp_path / "table", tmp_path / "outside"
    folder.mkdir()
    (folder / link).symlink_to(outside)
    if there:
        outside.touch()
    profile.save(folder)
    assert outside.exists() == there and not (there and outside.read_bytes())
    assert set(Profile.load(folder).surfaces) == {"map"}


@pytest.mark.slow
def test_a_new_map_broken_off_leaves_the_old_one_valid(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power fails before `profile.json` is written."""
    profile.save(tmp_path)
    old = Profile.load(tmp_path).surfaces["map"].reference
    darker = replace(profile.surfaces["map"], reference=profile.surfaces["map"].reference // 2)

    def fails(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as power, pytest.raises(KeyboardInterrupt):
        power.setattr(Profile, "_write", fails)
        Profile.keep(tmp_path, darker)
    assert np.array_equal(Profile.load(tmp_path).surfaces["map"].reference, old)
    Profile.keep(tmp_path, darker)
    assert Profile.load(tmp_path).surfaces["map"].reference.mean() < 0.6 * old.mean()
    assert not [*tmp_path.glob("map.*")], "neither the old reference nor its features stay"


@pytest.mark.parametrize("unusable", ["{", '{"format": "masinfira/profile/0"}'])
def test_a_damaged_profile_is_laid_aside_when_a_board_is_calibrated_again(
    profile: Profile, tmp_path: Path, unusable: str
) -> None:
    (tmp_path / "profile.json").write_text(unusable)
    assert Profile.keep(tmp_path, profile.surfaces["map"]) is None
    assert (tmp_path / "profile.json.old").read_text() == unusable
    assert set(Profile.load(tmp_path).surfaces) == {"map"}


def test_what_is_left_of_a_damaged_profile_is_taken_over(profile: Profile, tmp_path: Path) -> None:
    tracks = replace(profile.surfaces["map"], name="tracks")
    profile.with_surface(tracks).save(tmp_path)
    (tmp_path / "map.jpg").write_bytes(b"cut off")
    with pytest.raises(ProfileProblem, match=r"is damaged \(map.jpg\)"):
        Profile.load(tmp_path)
    assert set(Profile.undamaged(tmp_path).surfaces) == {"tracks"}
    Profile.keep(tmp_path, replace(tracks, name="assets"))
    assert set(Profile.load(tmp_path).surfaces) == {"tracks", "assets"}
    for file in tmp_path.glob("*.jpg"):
        file.write_bytes(b"cut off")
    with pytest.raises(ProfileProblem, match="is damaged"):
        Profile.undamaged(tmp_path)


@pytest.mark.slow
def test_a_profile_without_a_map_becomes_that_of_the_map_kept_first(profile: Profile, tmp_path: Path) -> None:
    Profile.keep(tmp_path, replace(profile.surfaces["map"], name="tracks", board="europe"))
    Profile.keep(tmp_path, profile.surfaces["map"])
    assert Profile.load(tmp_path).board == "usa"
    with pytest.raises(ProfileProblem, match="already"):
        Profile.keep(tmp_path, replace(profile.surfaces["map"], board="europe"))


def test_a_face_in_the_place_of_another_is_something_learnt(profile: Profile) -> None:
    """Where all that are kept are there already, a new one takes the place of an older."""
    face = np.zeros((25, 25, 3), np.int8)
    before, after = (
        profile.with_surface(replace(profile.surfaces["map"], faces={("gray", "white"): (face + n,)}))
        for n in (0, 1)
    )
    assert after.learnt_since(before)
    assert not after.learnt_since(after)
