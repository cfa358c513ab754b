"""The grid from tapped hexes: forgiving of small errors, firm about wrong taps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from synthetic_table import BOARD, CORNERS, HEXES, Camera, camera, photograph, taps

from calibration import GridProblem, Tap, fit_grid, read_taps
from calibration.grid import hex_center
from calibration.surface import transform

PLAIN = np.full((1200, 1600, 3), 200, np.uint8)


def worst(plane: np.ndarray, view: Camera) -> float:
    """The largest distance of a hex's middle from where it is, px."""
    centers = [hex_center(at) for at in HEXES]
    return float(np.abs(transform(centers, plane) - transform(centers, view.plane_to_photo)).max())


def refusal(points: list[Tap]) -> GridProblem:
    with pytest.raises(GridProblem) as problem:
        fit_grid(points, "usa", HEXES, PLAIN)
    assert "{" not in str(problem.value)
    return problem.value


@given(tilt=st.floats(0, 50), turn=st.floats(0, 360), seed=st.integers(0, 10**6))
def test_exact_taps_give_the_exact_grid(tilt: float, turn: float, seed: int) -> None:
    view = camera(tilt, turn, distance=1300)
    grid = fit_grid(taps(view, seed=seed), "usa", HEXES, PLAIN)
    assert worst(grid.plane, view) < 0.01
    assert grid.residual_px < 0.01


def test_tapping_errors_are_forgiven_on_a_plain_board() -> None:
    view = camera(20, 10)
    for seed in range(10):
        assert worst(fit_grid(taps(view, error=2.0, seed=seed), "usa", HEXES, PLAIN).plane, view) < 9


def test_printed_lines_make_the_grid_exact() -> None:
    view = camera(15, 5)
    photo = photograph(view)
    for seed in range(3):
        points = taps(view, error=2.5, seed=seed)
        grid = fit_grid(points, "usa", HEXES, photo)
        assert grid.on_lines
        assert worst(grid.plane, view) < 1.5


def test_a_plain_board_has_no_lines() -> None:
    assert not fit_grid(taps(camera()), "usa", HEXES, PLAIN).on_lines


@pytest.mark.parametrize("wrong", range(len(CORNERS)))
def test_a_tap_on_the_wrong_hex_is_named(wrong: int) -> None:
    points = taps(camera(25, 30), error=1.5)
    q, r = points[wrong].hex
    meant = next(at for at in ((q, r + 1), (q, r - 1), (q - 1, r), (q + 1, r)) if at in HEXES)
    points[wrong] = Tap(meant, points[wrong].px)
    problem = refusal(points)
    assert problem.key == "wrong_tap"
    assert problem.values["hex"] == meant
    assert problem.values["instead"] == CORNERS[wrong]


def test_a_stray_tap_is_named() -> None:
    points = taps(camera(10))
    points[2] = Tap(points[2].hex, (points[2].px[0] - 400, points[2].px[1] - 150))
    problem = refusal(points)
    assert (problem.key, problem.values["hex"]) == ("stray_tap", CORNERS[2])


def test_each_bad_set_of_points_has_its_sentence() -> None:
    good = taps(camera())
    assert refusal(good[:3]).key == "too_few"
    assert refusal([*good, Tap((40, 40), (100, 100))]).key == "not_on_board"
    assert refusal([*good, good[0]]).key == "twice"
    assert refusal([*good[:5], Tap(good[5].hex, (5000, 10))]).key == "outside"
    column = [at for at in HEXES if at[0] == 0][:6]
    assert refusal(taps(camera(), tuple(column))).key == "in_line"
    shuffled = [Tap(a.hex, b.px) for a, b in zip(good, [*good[2:], *good[:2]], strict=True)]
    assert refusal(shuffled).key == "no_fit"


def test_points_files_are_read_or_refused() -> None:
    row = {"hex": [1, -2], "px": [100, 50]}
    assert read_taps({"image_points": [row]}, scale=2.0) == [Tap((1, -2), (49.75, 24.75))]
    for bad in (
        [],
        {"image_points": 3},
        {"image_points": [{"hex": [1], "px": [1, 2]}]},
        {"image_points": [{"hex": [1.5, 2], "px": [1, 2]}]},
        {"image_points": [{"hex": [1, 2], "px": ["a", 2]}]},
        {"image_points": [{"hex": [1, 2], "px": [float("nan"), 2]}]},
        {"image_points": [None]},
    ):
        with pytest.raises(GridProblem) as problem:
            read_taps(bad)
        assert problem.value.key == "format"
        assert "image_points" in str(problem.value)


def test_the_board_of_the_tests_is_the_usa_map() -> None:
    assert BOARD.id == "usa"
