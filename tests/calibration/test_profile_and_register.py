"""A profile survives its folder; a photo is registered by its print alone or refused, never guessed."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from bent import bend_picture, bend_points
from synthetic_table import BOARD, camera, photograph, printed, table, taps

from calibration import (
    Photo,
    PhotoProblem,
    Profile,
    ProfileProblem,
    Registration,
    Surface,
    Tap,
    calibrate_map,
    calibrate_panel,
    read_panel_points,
    register,
)
from calibration.photo import BYTES_AT_MOST
from calibration.profile import _text
from calibration.registration.agreement import agreement, plausible
from calibration.registration.by_features import SURE_INLIERS
from calibration.registration.register import RegistrationProblem, _doubt, check_apart
from calibration.surface import scaling, transform

TRAINS = {"brown": [(7, -5), (6, -4)], "orange": [(6, -6), (5, -4), (0, 0)], "white": [(5, 0), (3, 1)]}


@pytest.fixture(scope="module")
def profile() -> Profile:
    return table()


@pytest.fixture(scope="module")
def surface(profile: Profile) -> Surface:
    return profile.surfaces["map"]


def error(found: Registration, surface: Surface, truth: np.ndarray) -> float:
    """The median distance of hex middles from the truth, px."""
    off = transform(surface.centers, found.plane_to_photo(surface)) - transform(surface.centers, truth)
    return float(np.median(np.linalg.norm(off, axis=1)))


@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (20, 95), (40, 180), (55, 300)])
def test_any_angle_and_rotation(surface: Surface, tilt: float, turn: float) -> None:
    view = camera(tilt, turn)
    found = register(photograph(view, TRAINS, light=(0.7, 0.9, 1.0)), surface)
    assert found.ok
    assert error(found, surface, view.plane_to_photo) < 1.5
    assert found.residual_px < 1.0


@pytest.mark.parametrize("k1", [-0.1, 0.05])
def test_the_lens_of_a_photo_is_estimated(surface: Surface, k1: float) -> None:
    view = camera(25, 40)
    found = register(bend_picture(photograph(view, TRAINS), k1), surface)
    assert found.ok
    assert found.lens.k1 == pytest.approx(k1, abs=0.004)
    seen = found.in_photo(surface.centers, surface)
    truth = bend_points(transform(surface.centers, view.plane_to_photo), k1, view.size)
    assert np.linalg.norm(seen - truth, axis=1).max() < 1.5
    straight = found.straight(Photo(bend_picture(photograph(view, TRAINS), k1), focal=1200.0))
    assert straight.pixels.shape == (1200, 1600, 3)
    # The straight photo is what a pinhole would take, so registering it again finds no lens.
    assert register(straight, surface).lens.k1 == 0


def test_a_pinhole_keeps_its_photo(surface: Surface) -> None:
    photo = Photo(photograph(camera(25, 40), TRAINS))
    found = register(photo, surface)
    assert found.lens.k1 == 0
    assert found.straight(photo).pixels is photo.pixels


@pytest.mark.slow
def test_the_reference_is_kept_straight() -> None:
    """A reference and a photo, each bent by its own lens, fit by homographies alone once both are straight."""
    view, later = camera(5), camera(30, 80)
    points = bend_points(np.array([tap.px for tap in taps(view)]), 0.08, view.size)
    tapped = [Tap(tap.hex, (float(x), float(y))) for tap, (x, y) in zip(taps(view), points, strict=True)]
    profile, grid = calibrate_map(Photo(bend_picture(photograph(view), 0.08)), tapped, BOARD)
    assert grid.lens.k1 == pytest.approx(0.08, abs=0.002)
    surface = profile.surfaces["map"]
    found = register(bend_picture(photograph(later, TRAINS), -0.06), surface)
    truth = bend_points(transform(surface.centers, later.plane_to_photo), -0.06, later.size)
    assert np.linalg.norm(found.in_photo(surface.centers, surface) - truth, axis=1).max() < 1.5


def test_a_covered_board_is_still_found(surface: Surface) -> None:
    view = camera(30, 20)
    photo = photograph(view)
    cv2.rectangle(photo, (500, 200), (1150, 820), (90, 130, 170), -1)
    found = register(photo, surface)
    assert found.ok
    assert error(found, surface, view.plane_to_photo) < 1.5


def repeating() -> np.ndarray:
    """A board, 800 × 600 px of 0.5 mm, of four columns alike with little beside them that tells one from another."""
    rng = np.random.default_rng(4)
    column = np.full((480, 180, 3), 205, np.uint8)
    for _ in range(30):
        x, y = rng.integers(10, (170, 470))
        corner = (int(x + rng.integers(8, 40)), int(y + rng.integers(8, 40)))
        cv2.rectangle(column, (int(x), int(y)), corner, rng.integers(30, 230, 3).tolist(), 2)
    board = np.full((600, 800, 3), 225, np.uint8)
    board[60:540, 40:760] = np.hstack([column] * 4)
    cv2.putText(board, "RAILS", (60, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (40, 40, 40), 3)
    return board


@pytest.mark.slow
def test_a_board_whose_print_repeats_itself_is_found_in_the_right_place() -> None:
    rim = [[0, 0], [799, 0], [799, 599], [0, 599]]
    areas = {f"reservoir/{c}": [[60 + 180 * k, 300], [200 + 180 * k, 300], [200 + 180 * k, 500]]
             for k, c in enumerate(("brown", "gray", "orange", "white"))}  # fmt: skip
    taps = {"corners": rim, "size_mm": [400, 300], "areas": areas}
    assets = calibrate_panel("assets", Photo(repeating()), read_panel_points(taps), "usa")
    rng = np.random.default_rng(1)
    for _ in range(4):
        seen_at = np.array([[220, 260], [1060, 200], [1150, 830], [150, 900]]) + rng.normal(0, 40, (4, 2))
        place = cv2.getPerspectiveTransform(np.array(rim, np.float32), seen_at.astype(np.float32))
        photo = np.full((1100, 1400, 3), (60, 80, 110), np.uint8)
        cv2.warpPerspective(repeating(), place, (1400, 1100), photo, borderMode=cv2.BORDER_TRANSPARENT)
        # A share lies at the foot of every column.
        for area in assets.centers:
            x, y = transform([area], place @ assets.plane_to_reference)[0].round().astype(int).tolist()
            cv2.rectangle(photo, (x - 60, y - 70), (x + 60, y + 90), (240, 240, 240), -1)
        found = register(photo, assets)
        assert found.ok
        assert error(found, assets, place @ assets.plane_to_reference) < 2


@pytest.mark.slow
def test_photos_without_the_board_are_refused(surface: Surface) -> None:
    rng = np.random.default_rng(5)
    noise = cv2.resize(rng.integers(0, 255, (150, 200, 3), dtype=np.uint8), (1600, 1200))
    other, _ = printed(seed=77)
    for photo in (noise, np.full((1200, 1600, 3), 128, np.uint8), cv2.resize(other, (1600, 1100))):
        found = register(photo, surface)
        assert not found.ok
        assert found.problem is not None
        assert "photo" in str(found.problem)
        assert found.homography is found.to_json()["homography"] is found.to_json()["residual_px"] is None
        with pytest.raises(RegistrationProblem):
            found.in_photo(surface.centers, surface)


def test_a_place_that_may_not_be_believed_is_none(surface: Surface, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where nothing was found at all: whatever is said against it."""
    for key in ("unsure", "not_found", "too_small"):
        monkeypatch.setattr("calibration.registration.register._doubt", lambda *of, key=key: key)
        found = register(photograph(camera(20)), surface)
        assert found.problem is not None
        assert (found.problem.key, found.homography) == (key, None)


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (199, 300)])
def test_a_picture_of_next_to_no_pixels_shows_no_board(surface: Surface, size: tuple[int, int]) -> None:
    found = register(np.zeros((*size, 3), np.uint8), surface)
    assert found.problem is not None and found.problem.key == "too_small"


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (
            np.zeros((300, 400, 3)),
            r"must be an array \(height, width, 3\) of uint8, not float64 \(300, 400, 3\)",
        ),
        (np.zeros((300, 400), np.uint8), r"not uint8 \(300, 400\)"),
        (np.zeros((300, 400, 4), np.uint8), r"not uint8 \(300, 400, 4\)"),
        (np.zeros((1, 300, 400, 3), np.uint8), r"not uint8 \(1, 300, 400, 3\)"),
        ([[1, 2, 3]], "not list"),
    ],
)
def test_what_is_no_photo_is_refused_in_one_sentence(surface: Surface, array: Any, told: str) -> None:
    with pytest.raises(PhotoProblem, match=f"^The photo .*{told}"):
        register(array, surface)


@pytest.mark.parametrize(
    ("inliers", "agrees", "cell_side", "problem"),
    [
        (SURE_INLIERS, 0.0, 30.0, "unsure"),
        (SURE_INLIERS - 1, 0.0, 30.0, "not_found"),
        (SURE_INLIERS, 1.0, 7.9, "too_small"),
        (SURE_INLIERS, 1.0, 8.1, ""),
    ],
)
def test_what_speaks_against_a_place_is_told(
    inliers: int, agrees: float, cell_side: float, problem: str
) -> None:
    assert _doubt(inliers, agrees, cell_side) == problem


@pytest.mark.parametrize(("width", "same"), [(25, False), (35, True)])
def test_two_boards_do_not_lie_in_one_place(
    monkeypatch: pytest.MonkeyPatch, surface: Surface, width: int, same: bool
) -> None:
    """A board found so that it covers that many hundredths of the other one, from its left."""
    (left, top), (right, _), (_, bottom), _ = surface.rim
    over = left + (right - left) * width / 100
    outline = transform([(left, top), (over, top), (over, bottom), (left, bottom)], surface.plane_to_image)
    found = SimpleNamespace(ok=True, in_photo=lambda rim, of: outline)
    monkeypatch.setattr("calibration.registration.register.register", lambda photo, other: found)
    other = replace(surface, name="tracks")
    check_apart(surface, [surface])
    if same:
        with pytest.raises(RegistrationProblem, match="shows another board"):
            check_apart(surface, [other])
    else:
        check_apart(surface, [other])


def test_degenerate_homographies_are_not_plausible(surface: Surface) -> None:
    good = camera(20).plane_to_photo
    mirrored = np.diag([-1.0, 1, 1]) @ good + np.array([[0, 0, 1600.0], [0, 0, 0], [0, 0, 0]]) * good[2, 2]
    flat = good.copy()
    flat[1] = flat[0] * 0.999
    assert plausible(good, surface, (1200, 1600))
    assert not plausible(mirrored, surface, (1200, 1600))
    assert not plausible(flat, surface, (1200, 1600))


def test_a_board_that_no_camera_sees_so_is_not_plausible(surface: Surface) -> None:
    """Beside the picture, or with one end of it ten times as near as the other."""
    (left, top), (right, _) = surface.corners.min(axis=0), surface.corners.max(axis=0)

    def seen(nearer: float, lower: float = 0.0) -> np.ndarray:
        depth = (nearer - 1) / (right - left)
        return np.array([[1, 0, -left], [0, 1, lower - top], [depth, 0, 1 - depth * left]])

    assert plausible(seen(3), surface, (1200, 1600))
    assert not plausible(seen(10), surface, (1200, 1600))
    assert not plausible(seen(3, lower=1e4), surface, (1200, 1600))


def test_only_print_inside_the_photo_is_compared_and_a_strip_of_it_is_too_little(surface: Surface) -> None:
    view = camera(10)
    photo = photograph(view)
    # The strip shows only a handful of windows.
    half, strip = (np.ascontiguousarray(photo[:, :width]) for width in (800, 300))
    assert agreement(half, surface, view.plane_to_photo) > 0.9
    assert agreement(strip, surface, view.plane_to_photo) == 0


def test_a_scaled_photo_reports_pixels_of_its_file(surface: Surface) -> None:
    view = camera(10)
    small = photograph(view)
    plain, scaled = register(small, surface), register(Photo(small, scale=2.0), surface)
    expected = scaling(2.0) @ plain.homography
    assert np.allclose(scaled.to_json()["homography"], expected / expected[2, 2])
    assert np.allclose(scaled.homography, plain.homography)
    assert scaled.residual_px == pytest.approx(plain.residual_px)
    assert scaled.to_json()["residual_px"] == pytest.approx(2 * plain.residual_px, abs=1e-3)


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
    assert error(register(photograph(view), loaded), loaded, view.plane_to_photo) < 1.5


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
