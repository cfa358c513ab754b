"""A photo is registered by its print alone or refused, never guessed."""

from dataclasses import replace
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
    Registration,
    Surface,
    Tap,
    calibrate_map,
    calibrate_panel,
    read_panel_points,
    register,
)
from calibration.registration.agreement import agreement, plausible
from calibration.registration.by_features import SURE_INLIERS
from calibration.registration.register import RegistrationProblem, _doubt, check_apart
from calibration.surface import scaling, transform

TRAINS = {"brown": [(7, -5), (6, -4)], "orange": [(6, -6), (5, -4), (0, 0)], "white": [(5, 0), (3, 1)]}


@pytest.fixture(scope="module")
def surface() -> Surface:
    return table().surfaces["map"]


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
    surface, grid = calibrate_map(Photo(bend_picture(photograph(view), 0.08)), tapped, BOARD)
    assert grid.lens.k1 == pytest.approx(0.08, abs=0.002)
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
