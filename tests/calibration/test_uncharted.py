"""A map that no data describe: ten taps name its hexes, its grid is found, and what each hex may be is proposed."""

import numpy as np
import pytest
from synthetic_table import BOARD, HEXES, camera, photograph

from calibration.hexes import hex_center
from calibration.map.grid import Grid
from calibration.map.outline import board_outline
from calibration.map.taps import GridProblem, Tap
from calibration.map.uncharted import (
    LANDSCAPE,
    NOTHING,
    TAPS,
    TOUCHING,
    named,
    next_hex,
    proposed_kinds,
    proposed_names,
    uncharted_grid,
)
from engine.hexgrid import Hex, distance

SIZE = (1600, 1200)
VIEW = camera(tilt=5, turn=12, distance=1150.0, size=SIZE)
PHOTO = photograph(VIEW)
OUTLINE = board_outline(PHOTO)
FIRST = (0, -1)
"""The hex of the board that is tapped first."""


def px(at: Hex) -> tuple[float, float]:
    """Where the photo has a hex, counted from the first one."""
    plane = np.append(hex_center((at[0] + FIRST[0], at[1] + FIRST[1])), 0.0)
    x, y = VIEW.project(plane[None])[0]
    return float(x), float(y)


def tapped(error: float = 0.0, seed: int = 0, outline: np.ndarray | None = OUTLINE) -> list[Tap]:
    """The ten hexes that a person taps who does as asked, each off by a normal error in px."""
    rng = np.random.default_rng(seed)
    printed = {(q - FIRST[0], r - FIRST[1]) for q, r in HEXES}
    taps: list[Tap] = []
    while wanted := next_hex(taps, SIZE, outline):
        if wanted.near is None:
            at = list(TOUCHING)[len(taps)]
        else:
            near = min(printed, key=lambda h: np.hypot(*np.subtract(px(h), wanted.near)))
            side = np.hypot(*np.subtract(px((0, 0)), px((0, 1))))
            there = np.hypot(*np.subtract(px(near), wanted.near)) < side / 2
            at = near if there else another(printed, taps)
        off = rng.normal(0, error, 2) if error else np.zeros(2)
        taps.append(named(taps, tuple(np.add(px(at), off).tolist()), outline))
        assert taps[-1].hex == at
    return taps


def another(printed: set[Hex], taps: list[Tap]) -> Hex:
    """One that is printed, not far from the first and as far as can be from the others."""
    within = [at for at in printed if distance(at, (0, 0)) <= 3]
    return max(within, key=lambda at: min(distance(at, tap.hex) for tap in taps))


@pytest.fixture(scope="module")
def grid() -> Grid:
    return uncharted_grid(tapped(error=2.0), "usa", PHOTO, OUTLINE)


@pytest.mark.parametrize("seed", range(4))
def test_hexes_are_named_by_where_they_lie_beside_each_other(seed: int) -> None:
    """A hex is 45 px high here."""
    assert len(tapped(error=2.5, seed=seed)) == TAPS


def test_a_board_that_fills_the_picture_has_no_outline_and_needs_none() -> None:
    assert len(tapped(error=1.5, outline=None)) == TAPS


def test_a_ring_lies_on_a_hex_and_in_the_picture() -> None:
    taps = tapped()
    for n in range(len(TOUCHING), TAPS):
        ring = next_hex(taps[:n], SIZE, OUTLINE).near
        assert 0 < ring[0] < SIZE[0]
        assert 0 < ring[1] < SIZE[1]


def test_a_tap_too_far_out_or_on_a_hex_that_was_tapped_is_refused() -> None:
    taps = tapped()[: len(TOUCHING)]
    with pytest.raises(GridProblem) as refused:
        named(taps, px((9, -6)), OUTLINE)
    assert refused.value.key == "too_far"
    with pytest.raises(GridProblem) as refused:
        named(taps, px((0, 1)), OUTLINE)
    assert refused.value.key == "twice"


@pytest.mark.parametrize("outline", [None, OUTLINE])
def test_the_first_hexes_tapped_the_wrong_way_round_are_told(outline: np.ndarray | None) -> None:
    left_for_right = [px(at) for at in [(0, 0), (0, 1), (0, -1), (-1, 1), (1, 0)]]
    taps: list[Tap] = []
    for at in left_for_right:
        taps.append(named(taps, at, outline))
    assert next_hex(taps, SIZE, outline).near is None
    with pytest.raises(GridProblem) as refused:
        named(taps, px((2, 0)), outline)
    assert refused.value.key == "tangled"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [([(0, 0), (0, 1)], (0, -2)), ([(0, 0), (0, 1)], (1, -1)), ([(0, 0), (0, 1), (0, -1), (1, 0)], (-1, 0))],
)
def test_a_tap_on_a_neighbour_of_the_hex_that_was_asked_for_is_told(right: list[Hex], wrong: Hex) -> None:
    """By the ring, too, where it should have been."""
    taps = [Tap(at, px(at)) for at in right]
    with pytest.raises(GridProblem) as refused:
        named(taps, px(wrong), None)
    assert refused.value.key == "not_beside"
    wanted = next_hex(taps, SIZE, None)
    assert np.hypot(*np.subtract(wanted.near, px([*TOUCHING][len(right)]))) < 3


@pytest.mark.parametrize(("asked", "tapped"), [((0, 1), (0, 2)), ((1, 0), (2, -1)), ((1, 0), (1, -1))])
def test_where_the_hex_before_was_tapped_wrongly_the_next_tells(asked: Hex, tapped: Hex) -> None:
    """Where no ring can be drawn."""
    taps: list[Tap] = []
    with pytest.raises(GridProblem) as refused:
        for at in TOUCHING:
            taps.append(named(taps, px(tapped if at == asked else at), None))
    assert refused.value.key == "not_beside"


def test_hexes_too_small_to_be_any_are_refused() -> None:
    tiny = [Tap(tap.hex, (800 + (tap.px[0] - 800) / 8, 600 + (tap.px[1] - 600) / 8)) for tap in tapped()]
    with pytest.raises(GridProblem) as refused:
        uncharted_grid(tiny, "usa", PHOTO, OUTLINE)
    assert refused.value.key == "no_fit"


def test_who_taps_one_place_twice_is_told() -> None:
    with pytest.raises(GridProblem) as refused:
        named([Tap((0, 0), (400.0, 300.0))], (401.0, 302.0), None)
    assert refused.value.key == "twice"


def test_the_grid_lies_on_the_printed_lines_far_beyond_the_taps(grid: Grid) -> None:
    assert grid.found == "lines"
    ours = [(q - FIRST[0], r - FIRST[1]) for q, r in HEXES]
    centers = np.array([hex_center(at) for at in ours])
    off = np.linalg.norm(grid.view(centers) - [px(at) for at in ours], axis=1)
    assert (off / grid.view.px_per_mm(centers)).max() < 1.0


@pytest.mark.slow
def test_one_tap_on_the_wrong_hex_is_left_out() -> None:
    taps = tapped(error=1.0)
    astray = [*taps[:-1], Tap(taps[-1].hex, px((1, -3)))]
    assert len(uncharted_grid(astray, "usa", PHOTO, OUTLINE).left_out) == 1


def test_without_cities_all_is_sea_but_what_lies_where_the_first_hex_does(grid: Grid) -> None:
    """The drawn table has no discs, so nothing says where the land is."""
    kinds = proposed_kinds(PHOTO, grid.view, [(0, 0), (8, -4)])
    assert kinds == {(0, 0): LANDSCAPE, (8, -4): NOTHING}


def test_cities_are_named_as_those_that_lie_like_them() -> None:
    moved = [(city.at[0] - 3, city.at[1] + 7) for city in BOARD.cities]
    assert proposed_names(moved, BOARD.cities) == [city.name for city in BOARD.cities]
    assert proposed_names([*moved, (20, 20)], BOARD.cities).count("") == 1
    assert proposed_names([], BOARD.cities) == []
