"""The grid from tapped hexes: forgiving of small errors, firm about wrong taps."""

import cv2
import numpy as np
import pytest
from bent import bend_picture, bend_points
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic_table import BOARD, CORNERS, HEXES, Camera, camera, photograph, printed, taps

from calibration import GridProblem, Tap, fit_grid, read_taps
from calibration.hexes import hex_center, hex_outline
from calibration.map.grid import Grid
from calibration.map.taps import Interpretation, interpretations, left_out
from calibration.surface import pairs, transform
from engine.hexgrid import Hex

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


def understood(points: list[Tap]) -> Interpretation:
    """The most probable reading of the taps alone."""
    return interpretations(points, "usa", HEXES)[0]


@given(tilt=st.floats(0, 50), turn=st.floats(0, 360), seed=st.integers(0, 10**6))
def test_exact_taps_give_the_exact_grid(tilt: float, turn: float, seed: int) -> None:
    view = camera(tilt, turn, distance=1300)
    best = understood(taps(view, seed=seed))
    assert worst(best.plane_to_image, view) < 0.01
    assert best.right == list(range(len(CORNERS)))


def test_tapping_errors_are_forgiven_on_a_plain_board() -> None:
    view = camera(20, 10)
    for seed in range(10):
        grid = fit_grid(taps(view, error=2.0, seed=seed), "usa", HEXES, PLAIN)
        assert worst(grid.plane_to_image, view) < 9
        assert (grid.found, grid.lens.k1) == ("", 0.0)


def test_four_points_check_nothing() -> None:
    four = [tap for tap in taps(camera()) if tap.hex not in CORNERS[1:3]]
    assert not fit_grid(four, "usa", HEXES, PLAIN).checked
    assert fit_grid(taps(camera()), "usa", HEXES, PLAIN).checked


@pytest.mark.parametrize("first", [(-35, -35), (35, 35), (70, -35)])
@pytest.mark.parametrize("turn", [0, 120, 240])
def test_it_does_not_matter_from_where_a_map_counts_its_hexes(first: Hex, turn: float) -> None:
    """Seen aslant, the hex (0, 0) of such a map would lie behind the camera."""
    view = camera(50, turn, distance=1300)

    def named(at: Hex) -> Hex:
        return at[0] + first[0], at[1] + first[1]

    tapped = [Tap(named(tap.hex), tap.px) for tap in taps(view)]
    grid = fit_grid(tapped, "usa", [*map(named, HEXES)], PLAIN)
    seen = grid.view([hex_center(named(at)) for at in HEXES])
    assert seen == pytest.approx(transform([hex_center(at) for at in HEXES], view.plane_to_photo), abs=0.1)


def clumsy(view: Camera, seed: int, count: int = 6) -> list[Tap]:
    """Taps anywhere within 12 px of 4000, that is 4.8 px of the 1600 here, around the middle of their hex."""
    rng = np.random.default_rng(seed)
    off = rng.uniform(0, 2 * np.pi, count), 4.8 * np.sqrt(rng.uniform(0, 1, count))
    return [
        Tap(tap.hex, (tap.px[0] + r * np.cos(a), tap.px[1] + r * np.sin(a)))
        for tap, a, r in zip(taps(view)[:count], *off, strict=True)
    ]


@pytest.mark.parametrize("lines", [1.0, 0.28], ids=["whole", "corners"])
@pytest.mark.parametrize("count", [5, 6])
def test_printed_lines_make_clumsy_taps_exact(lines: float, count: int) -> None:
    view = camera(15, 5)
    photo = photograph(view, board=printed(lines=lines)[0])
    for seed in range(3):
        grid = fit_grid(clumsy(view, seed, count), "usa", HEXES, photo)
        assert grid.found == "lines"
        assert worst(grid.plane_to_image, view) < 0.6
        assert grid.lens.k1 == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_print_without_lines_has_none(seed: int) -> None:
    view = camera(15, 5)
    grid = fit_grid(clumsy(view, seed), "usa", HEXES, photograph(view, board=printed(seed, lines=0)[0]))
    assert grid.found == ""
    assert grid.lens.k1 == 0


def bent(points: list[Tap], k1: float, view: Camera) -> list[Tap]:
    """The same taps in the photo as a bent lens shows it."""
    moved = bend_points(np.array([tap.px for tap in points]), k1, view.size)
    return [Tap(tap.hex, (float(x), float(y))) for tap, (x, y) in zip(points, moved, strict=True)]


def off_in_bent(grid: Grid, k1: float, view: Camera) -> float:
    """How far off, px, a hex is at most in the photo as the bent lens shows it."""
    centers = [hex_center(at) for at in HEXES]
    truth = bend_points(transform(centers, view.plane_to_photo), k1, view.size)
    return float(np.linalg.norm(grid.view(centers) - truth, axis=1).max())


@pytest.mark.parametrize("k1", [-0.1, -0.03, 0.1])
def test_the_lens_is_estimated_from_the_lines(k1: float) -> None:
    view = camera(15, 5)
    grid = fit_grid(bent(clumsy(view, 1), k1, view), "usa", HEXES, bend_picture(photograph(view), k1))
    assert grid.lens.k1 == pytest.approx(k1, abs=0.002)
    assert off_in_bent(grid, k1, view) < 0.8


CITIES = [printed.at for printed in BOARD.printed if printed.kind == "city"]


def with_cities(seed: int) -> np.ndarray:
    """A print without lines and with discs in the cities, of colours by lot, some houses in each."""
    rng = np.random.default_rng(seed)
    picture, to_px = printed(seed, lines=0)
    rim, inside = rng.uniform(20, 250, (2, 3)).tolist()
    for x, y in transform([hex_center(at) for at in CITIES], to_px):
        for radius, colour in ((12.5, rim), (10.0, inside)):
            cv2.circle(
                picture,
                (round(x * 8), round(y * 8)),
                round(radius * to_px[0, 0] * 8),
                colour,
                -1,
                cv2.LINE_AA,
                3,
            )
        for dx, dy in rng.uniform(-10, 10, (4, 2)):
            cv2.circle(picture, (round(x + dx), round(y + dy)), 4, rng.uniform(0, 255, 3).tolist(), -1)
    return picture


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_where_no_lines_are_printed_the_cities_tell_the_grid(seed: int) -> None:
    """Taps off by 12 px of 4000, and one of them on the wrong hex."""
    view = camera(15, 5)
    photo = photograph(view, board=with_cities(seed))
    grid = fit_grid(clumsy(view, seed), "usa", HEXES, photo, CITIES)
    assert (grid.found, grid.left_out) == ("discs", ())
    assert (
        worst(grid.plane_to_image, view)
        < worst(fit_grid(clumsy(view, seed), "usa", HEXES, photo).plane_to_image, view) / 2
    )
    grid = fit_grid(misnamed(clumsy(view, seed, count=5), 2), "usa", HEXES, photo, CITIES)
    assert [p.values["instead"] for p in grid.left_out] == [CORNERS[2]]


@pytest.mark.slow
@pytest.mark.parametrize("k1", [-0.04, -0.01, 0.0, 0.01, 0.04])
def test_where_no_lines_are_printed_the_lens_is_estimated_from_the_cities(k1: float) -> None:
    view = camera(15, 5)
    photo = bend_picture(photograph(view, board=with_cities(1)), k1)
    grid = fit_grid(bent(clumsy(view, 1), k1, view), "usa", HEXES, photo, CITIES)
    assert grid.found == "discs"
    assert off_in_bent(grid, k1, view) < 2.0


def test_on_a_plain_board_no_tap_is_called_wrong_that_may_be_right() -> None:
    """As one on a neighbouring hex can be where the taps around it are all a little off."""
    view = camera(15, 5)
    for seed in range(12):
        assert fit_grid(clumsy(view, seed), "usa", HEXES, PLAIN).left_out == ()


def test_the_residual_is_told_in_px_and_mm() -> None:
    view = camera()
    points = [Tap(tap.hex, (tap.px[0] + 3, tap.px[1] - 4)) for tap in taps(view)]
    grid = fit_grid(points, "usa", HEXES, photograph(view))
    (a, b) = transform([(0, 0), (1, 0)], view.plane_to_photo)
    assert grid.residual_px == pytest.approx(5, abs=0.3)
    assert grid.residual_mm == pytest.approx(5 / np.linalg.norm(b - a), abs=0.3)


def misnamed(points: list[Tap], wrong: int) -> list[Tap]:
    """The same taps, one of them with the name of a neighbouring hex."""
    q, r = points[wrong].hex
    meant = next(at for at in ((q, r + 1), (q, r - 1), (q - 1, r), (q + 1, r)) if at in HEXES)
    return [Tap(meant, tap.px) if k == wrong else tap for k, tap in enumerate(points)]


@pytest.mark.parametrize("wrong", range(len(CORNERS)))
def test_a_tap_on_the_wrong_hex_is_left_out_and_named_where_enough_agree(wrong: int) -> None:
    view = camera(25, 30)
    points = misnamed(taps(view, error=1.5), wrong)
    grid = fit_grid(points, "usa", HEXES, PLAIN)
    assert [(p.key, p.values) for p in grid.left_out] == [
        ("wrong_tap", {"hex": points[wrong].hex, "instead": CORNERS[wrong]})
    ]
    assert worst(grid.plane_to_image, view) < 30
    assert grid.residual_px < 3


@pytest.mark.parametrize("wrong", [0, 1, 3, 4])
def test_of_five_taps_the_wrong_one_is_named_and_refused(wrong: int) -> None:
    points = misnamed(taps(camera(25, 30), error=1.5)[:5], wrong)
    problem = refusal(points)
    assert problem.key == "wrong_tap"
    assert problem.values == {"hex": points[wrong].hex, "instead": CORNERS[wrong]}


def test_where_five_taps_may_be_understood_in_two_ways_all_that_may_be_wrong_are_named() -> None:
    points = misnamed(taps(camera(25, 30), error=1.5)[:5], 2)
    problem = refusal(points)
    assert problem.key == "one_of"
    assert points[2].hex in problem.values["hexes"] and len(problem.values["hexes"]) < 5


def named(points: list[Tap]) -> list[Hex]:
    """The hexes whose taps are left out, or are to be tapped again."""
    try:
        return [notice.values["hex"] for notice in fit_grid(points, "usa", HEXES, PLAIN).left_out]
    except GridProblem as problem:
        return list(problem.values.get("hexes") or [problem.values["hex"]])


def test_a_tap_between_hexes_is_named_and_hardly_ever_another_with_it() -> None:
    view, alone = camera(25, 30), 0
    for seed in range(3):
        for wrong in range(len(CORNERS)):
            points = clumsy(view, seed)
            between = hex_outline((2 * seed - 2, wrong - 3))[0]
            points[wrong] = Tap(points[wrong].hex, *pairs(transform([between], view.plane_to_photo)))
            blamed = named(points)
            assert points[wrong].hex in blamed
            alone += len(blamed) == 1
    assert alone >= 15, "of 18"


@pytest.mark.parametrize("wrong", range(3))
def test_of_five_taps_one_on_no_hex_is_named_and_refused(wrong: int) -> None:
    view = camera(25, 30)
    points = taps(view, error=1.5)[:5]
    between = hex_outline((-2, -1))[0]
    points[wrong] = Tap(points[wrong].hex, *pairs(transform([between], view.plane_to_photo)))
    problem = refusal(points)
    assert (problem.key, problem.values) == ("stray_tap", {"hex": points[wrong].hex})


def test_two_cities_taken_for_each_other_are_both_named() -> None:
    points = taps(camera(25, 30), error=1.5)
    one, other = points[1], points[4]
    points[1], points[4] = Tap(one.hex, other.px), Tap(other.hex, one.px)
    problem = refusal(points)
    assert (problem.key, problem.values) == ("wrong_taps", {"hexes": [one.hex, other.hex]})


def test_of_taps_anywhere_none_is_named() -> None:
    rng = np.random.default_rng(1)
    anywhere = pairs(rng.uniform(300, 1100, (10, 2)))
    points = [Tap(at, px) for at, px in zip(CITIES[:10], anywhere, strict=True)]
    assert refusal(points).key == "no_fit"


def test_two_wrong_taps_of_eight_are_left_out() -> None:
    view = camera(10, 200)
    points = taps(view, (*CORNERS, (0, -2), (3, -6)), error=1.5)
    points = misnamed(misnamed(points, 1), 4)
    notices = left_out(understood(points), points)
    assert {p.values["instead"] for p in notices} == {CORNERS[1], CORNERS[4]}


def test_a_stray_tap_is_left_out_and_named() -> None:
    points = taps(camera(10))
    points[2] = Tap(points[2].hex, (points[2].px[0] - 400, points[2].px[1] - 150))
    (notice,) = fit_grid(points, "usa", HEXES, PLAIN).left_out
    assert notice.values["hex"] == CORNERS[2]
    assert "{" not in str(notice)


@given(seed=st.integers(0, 10**6), count=st.integers(5, 12))
@settings(max_examples=25)
@pytest.mark.slow
def test_right_taps_are_never_called_wrong(seed: int, count: int) -> None:
    view = camera(seed % 40, seed % 360)
    chosen = [HEXES[k] for k in np.random.default_rng(seed).choice(len(HEXES), count, replace=False)]
    points = taps(view, tuple(chosen), error=2.0, seed=seed)
    assert understood(points).wrong == {}


@pytest.mark.parametrize("wrong", range(5))
def test_printed_lines_tell_which_of_five_taps_is_wrong(wrong: int) -> None:
    view = camera(15, 5)
    points = misnamed(clumsy(view, 3, count=5), wrong)
    grid = fit_grid(points, "usa", HEXES, photograph(view))
    assert grid.found == "lines"
    assert worst(grid.plane_to_image, view) < 0.6
    assert [p.values["instead"] for p in grid.left_out] == [CORNERS[wrong]]


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


def test_a_proposal_without_hexes_is_no_points_file_yet() -> None:
    with pytest.raises(GridProblem) as problem:
        read_taps({"outline": None, "image_points": None, "k1": None, "cities": None})
    assert problem.value.key == "none"
