"""The hex grid shared by all games: neighbours, distances, places on the page."""

from math import dist, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import next_to

from engine.hexgrid import Hex, center, corners, distance, neighbours

HEXES = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


def test_neighbours_go_clockwise_from_north() -> None:
    """N, NE, SE, S, SW, NW on the page, where y grows southwards."""
    x, y = center((0, 0))
    directions = [(round(a - x, 6), round(b - y, 6)) for a, b in map(center, neighbours((0, 0)))]
    half = round(sqrt(3) / 2, 6)
    north = round(sqrt(3), 6)
    assert directions == [(0, -north), (1.5, -half), (1.5, half), (0, north), (-1.5, half), (-1.5, -half)]


@given(HEXES)
def test_the_six_neighbours_are_one_step_and_one_width_away(at: Hex) -> None:
    """And they are those of the plain search."""
    assert set(neighbours(at)) == set(next_to(at))
    for near in neighbours(at):
        assert distance(at, near) == 1
        assert isclose(dist(center(at), center(near)), sqrt(3))


@given(HEXES, HEXES, HEXES)
def test_distance_is_a_distance(a: Hex, b: Hex, c: Hex) -> None:
    """Zero only to itself, the same both ways, never longer than a detour."""
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [((0, 0), (3, -3), 3), ((0, 0), (2, 2), 4), ((1, 0), (0, -2), 3), ((0, -2), (-3, 1), 3)],
)
def test_distances_of_the_rulebooks_examples(a: Hex, b: Hex, steps: int) -> None:
    """Tulsa to X, Tulsa to New Orleans, Fort Smith to Omaha, north of Belgrade to Venice."""
    assert distance(a, b) == steps


@given(HEXES, st.floats(0.1, 2))
def test_corners_lie_around_the_centre(at: Hex, scale: float) -> None:
    """Six of them, each as far as the side is long."""
    found = corners(at, scale)
    assert len({(round(x, 6), round(y, 6)) for x, y in found}) == 6
    assert all(isclose(dist(center(at), corner), scale) for corner in found)


def test_neighbours_share_two_corners() -> None:
    """Flat-top hexes without gaps."""
    own = {(round(x, 6), round(y, 6)) for x, y in corners((2, 3))}
    for near in neighbours((2, 3)):
        assert len(own & {(round(x, 6), round(y, 6)) for x, y in corners(near)}) == 2
