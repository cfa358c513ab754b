"""R1.3: what is printed is compared with the data of the map, which may be a reconstruction."""

import json

import numpy as np
import pytest
from sample_tables import SAMPLES

from calibration import Grid, Photo, calibrate_map, compared, load_photo, read_taps
from engine.mini_express import built_in
from engine.mini_express.board import Board, Printed

STUDY = SAMPLES / "study"
USA = built_in().board("usa")
DENVER = USA.city_named["Denver"]


@pytest.fixture(scope="module")
def study() -> tuple[Photo, Grid]:
    photo = load_photo(STUDY / "empty.jpg")
    points = json.loads((STUDY / "points.json").read_text())
    return photo, calibrate_map(photo, read_taps(points, photo.scale), USA)[1]


def with_printed(*changed: Printed) -> Board:
    """The map with these hexes instead of its own."""
    new = {place.at: place for place in changed}
    return Board(USA.id, USA.names, tuple(new.get(place.at, place) for place in USA.printed), USA.spike)


def told(study: tuple[Photo, Grid], board: Board) -> list[str]:
    return [str(sentence) for sentence in compared(*study, board)]


def test_a_map_that_is_as_the_data_say(study: tuple[Photo, Grid]) -> None:
    assert told(study, USA) == [
        "All cities are printed where the data of this map have them, with the same room."
    ]


def test_a_rim_that_says_otherwise_is_told(study: tuple[Photo, Grid]) -> None:
    other = DENVER.capacity % 3 + 1
    board = with_printed(Printed(DENVER.at, "city", "Denver", other, ""))
    assert told(study, board) == [
        f"Denver has this room by its rim: {DENVER.capacity}, in the data of this map: {other}."
    ]


def test_a_city_that_is_printed_elsewhere_is_told_twice(study: tuple[Photo, Grid]) -> None:
    free = next(place.at for place in USA.printed if place.kind == "landscape")
    board = with_printed(
        Printed(DENVER.at, "landscape"), Printed(free, "city", "Denver", DENVER.capacity, "")
    )
    found = compared(*study, board)
    assert {(sentence.key, *sentence.values.values()) for sentence in found} == {
        ("gone", "Denver"),
        ("more", DENVER.at),
    }


def test_another_map_is_told_as_a_whole(study: tuple[Photo, Grid]) -> None:
    cities = {place.at: place for place in USA.printed if place.kind == "city"}
    moved = dict(zip(cities, np.roll([place.capacity for place in cities.values()], 5), strict=True))
    board = with_printed(*(place._replace(capacity=int(moved[at])) for at, place in cities.items()))
    (sentence,) = told(study, board)
    assert "cities are printed otherwise than in the data of this map" in sentence


def test_where_no_discs_are_printed_nothing_is_said(study: tuple[Photo, Grid]) -> None:
    plain = Photo(np.full(study[0].pixels.shape, 180, np.uint8))
    assert compared(plain, study[1], USA) == []
