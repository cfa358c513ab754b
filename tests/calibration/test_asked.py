"""What a person is asked to tap, and the points file that comes of it."""

import numpy as np
import pytest

from calibration import (
    Mark,
    Photo,
    calibrate_panel,
    points_file,
    read_panel_points,
    read_share_points,
    read_taps,
    wanted,
)
from calibration.tapped.asked import misshapen, progress
from engine.mini_express import built_in
from engine.mini_express.names import COMPANIES

USA = built_in().board("usa")
EMPTY = Photo(np.full((600, 800, 3), 200, np.uint8))
SIZE = (400.0, 200.0)
# The board of `SIZE` photographed from straight above at 1.5 px/mm, 100 px from the rim.
CORNERS = [Mark("corners", px) for px in ((100.0, 100.0), (700.0, 100.0), (700.0, 400.0), (100.0, 400.0))]


def all_asked(surface: str, there: bool = True) -> list[Mark]:
    """The marks of somebody who taps whatever is asked, or has none of what need not be there."""
    marks: list[Mark] = []
    while asked := wanted(surface, USA, marks):
        px = None if asked.optional and not there else (float(len(marks)), 1.0)
        marks.append(Mark(asked.of, px, asked.at or 0))
    return marks


def test_six_cities_far_apart_are_asked_on_a_map() -> None:
    taps = read_taps(points_file("map", all_asked("map"), SIZE))
    names = {city.at: city.name for city in USA.cities}
    assert len(taps) == 6
    assert {names[tap.hex] for tap in taps} >= {"Portland", "Miami", "Augusta"}


def test_another_city_is_asked_for_one_that_is_not_found() -> None:
    first = wanted("map", USA, [])
    assert first
    then = wanted("map", USA, [Mark(first.of, None)])
    assert then and then.of != first.of
    assert wanted("map", USA, all_asked("map", there=False)) is None


def test_one_more_city_can_be_tapped() -> None:
    marks = all_asked("map")
    more = wanted("map", USA, marks, len(marks) + 1)
    assert more and more.of not in {mark.of for mark in marks}


def test_both_ends_of_every_track_are_asked_after_the_corners() -> None:
    marks = all_asked("tracks")
    assert [mark.of for mark in marks[:4]] == ["corners"] * 4
    file = points_file("tracks", marks, SIZE)
    assert set(file["tracks"]) == {f"{s}/{c}" for s in ("value", "influence") for c in COMPANIES}
    assert all(track["at"] == [0, 15] for track in file["tracks"].values())
    assert read_panel_points(file).size == SIZE


def test_a_track_that_bends_goes_on() -> None:
    marks = [*CORNERS, Mark("value/brown", (130, 130)), Mark("value/brown", (355, 130), 8, bend=True)]
    asked = wanted("tracks", USA, marks)
    assert asked and asked.of == "value/brown"
    marks.append(Mark("value/brown", (355, 300), 14))
    asked = wanted("tracks", USA, marks)
    assert asked and asked.of == "influence/brown"
    assert points_file("tracks", marks, SIZE)["tracks"]["value/brown"]["at"] == [0, 8, 14]


@pytest.mark.parametrize("surface", ["tracks", "assets"])
def test_what_a_board_does_not_have_is_left_out(surface: str) -> None:
    file = points_file(surface, all_asked(surface, there=False), SIZE)
    assert len(file["corners"]) == 4
    assert not file["tracks"] and not file["areas"]


def test_two_corners_tell_an_upright_area() -> None:
    """However the board lies in the photo: here by a quarter turn."""
    turned = [CORNERS[k] for k in (1, 2, 3, 0)]
    marks = [*turned, Mark("reservoir/gray", (600.0, 130.0)), Mark("reservoir/gray", (500.0, 230.0))]
    file = points_file("assets", marks, (200.0, 400.0))
    corners = file["areas"]["reservoir/gray"]
    assert [pytest.approx(px) for px in corners] == [(600, 130), (600, 230), (500, 230), (500, 130)]
    surface = calibrate_panel("assets", EMPTY, read_panel_points(file), "usa")
    assert [cell.id for cell in surface.cells] == ["reservoir/gray"]


def test_corners_that_do_not_go_round_are_left_for_calibration_to_refuse() -> None:
    marks = [*CORNERS[::-1], Mark("reservoir/gray", (130.0, 130.0)), Mark("reservoir/gray", (230.0, 230.0))]
    assert len(points_file("assets", marks, SIZE)["areas"]["reservoir/gray"]) == 2


def test_four_corners_of_each_share_tile_are_asked() -> None:
    points = read_share_points(points_file("shares", all_asked("shares"), (30.0, 45.0)))
    assert list(points.tiles) == list(COMPANIES)
    assert all(len(corners) == 4 for corners in points.tiles.values())


@pytest.mark.parametrize(
    ("size", "told"),
    [(SIZE, False), ((460, 200), False), ((200, 400), True), ((43, 200), True), ((400, 20), True)],
)
def test_a_size_of_another_shape_than_the_corners_is_told(size: tuple[float, float], told: bool) -> None:
    """Width and height confused, or a digit forgotten."""
    assert misshapen("tracks", CORNERS, size, EMPTY.size) == told
    assert not misshapen("tracks", CORNERS[:3], size, EMPTY.size)


def test_how_much_is_left_to_tap_is_told() -> None:
    marks, told = list[Mark](), []
    while asked := wanted("assets", USA, marks):
        told.append(progress("assets", marks, asked, 0))
        marks.append(Mark(asked.of, (0.0, 0.0)))
    assert told[0] == (1, 13)
    assert told[4] == (2, 13)
    assert told[-1] == (13, 13)
