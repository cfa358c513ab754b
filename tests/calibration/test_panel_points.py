"""Boards of tracks and areas from a few taps: where the spaces lie, and what is refused in which words."""

import copy
from typing import Any

import numpy as np
import pytest
from synthetic_table import camera

from calibration import PanelProblem, Photo, calibrate_panel, read_panel_points
from calibration.surface import transform
from calibration.tapped.oddities import oddities

EMPTY = Photo(np.full((600, 800, 3), 200, np.uint8))
# A board of 400 × 200 mm, photographed from straight above at 1.5 px/mm, 100 px from the rim.
CORNERS = [[100, 100], [700, 100], [700, 400], [100, 400]]
POINTS: dict[str, Any] = {
    "corners": CORNERS,
    "size_mm": [400, 200],
    "pieces_mm": {"value": [9, 9, 9]},
    "tracks": {
        "value/brown": {"at": [0, 15], "px": [[130, 130], [580, 130]]},
        "influence/brown": {"at": [1, 5, 8], "px": [[130, 200], [250, 200], [250, 290]]},
    },
    "areas": {"reservoir/brown": [[400, 200], [500, 200], [500, 380], [400, 380]]},
}


def points(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(POINTS), **changes}


def surface(**changes: Any) -> Any:
    return calibrate_panel("tracks", EMPTY, read_panel_points(points(**changes)), "usa")


def center(name: str, **changes: Any) -> tuple[float, float]:
    made = surface(**changes)
    return made.cells[made.index[name]].center


def test_spaces_lie_evenly_between_the_tapped_ones() -> None:
    assert center("value/brown/0") == pytest.approx((20, 20), abs=0.01)
    assert center("value/brown/1") == pytest.approx((40, 20), abs=0.01)
    assert center("value/brown/15") == pytest.approx((320, 20), abs=0.01)


def test_a_track_turns_at_its_corner_and_counts_from_its_first_number() -> None:
    assert center("influence/brown/5") == pytest.approx((100, 200 / 3), abs=0.01)
    assert center("influence/brown/8") == pytest.approx((100, 380 / 3), abs=0.01)
    assert "influence/brown/0" not in surface().index
    assert "influence/brown/9" not in surface().index


def test_spaces_are_no_wider_than_the_next_track_is_near() -> None:
    """A marker on the one is not looked for on the other."""
    beside = {"at": [0, 15], "px": [[130, 148], [580, 148]]}
    made = surface(tracks={**POINTS["tracks"], "value/gray": beside})
    sides = np.ptp(made.cells[made.index["value/gray/3"]].outline, axis=0)
    assert sides == pytest.approx((20, 12), abs=0.01)


def test_points_are_in_pixels_of_the_file() -> None:
    half = Photo(np.full((300, 400, 3), 200, np.uint8), scale=2.0)
    made = calibrate_panel("tracks", half, read_panel_points(points(), 2.0), "usa")
    assert made.cells[0].center == pytest.approx((20, 20), abs=0.01)
    assert np.allclose(
        made.plane_to_reference @ [0, 0, 1] / (made.plane_to_reference @ [0, 0, 1])[2],
        [100, 100, 1],
        atol=0.01,
    )


def test_each_piece_can_be_where_the_game_puts_it() -> None:
    made = surface()
    where = {
        (kind.name, kind.size[2]): {str(c.id).rpartition("/")[0] for c in made.cells if kind.may_be_in(c.id)}
        for kind in made.kinds
    }
    assert where["brown", 9.0] == {"value/brown"}
    assert where["brown", 12.0] == {"reservoir"}
    assert all(
        where[seat, 5.0] == {"influence/brown"} for seat in ("red", "blue", "purple", "green", "yellow")
    )


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"corners": CORNERS[:3]}, "corners"),
        ({"corners": CORNERS[::-1]}, "corners"),
        ({"corners": [CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[3]]}, "corners"),
        ({"corners": [[100, 100], [9000, 100], [700, 400], [100, 400]]}, "outside"),
        ({"corners": CORNERS[1:] + CORNERS[:1]}, "turned"),
        ({"size_mm": [200, 400]}, "turned"),
        ({"size_mm": [40, 200]}, "turned"),
        ({"size_mm": [4, 2]}, "size"),
        ({"size_mm": [400]}, "format"),
        ({"size_mm": [float("nan"), 200]}, "size"),
        ({"pieces_mm": {"value": [0, 9, 9]}}, "size"),
        ({"pieces_mm": {"value": 9}}, "format"),
        ({"tracks": {}, "areas": {}}, "nothing"),
        ({"tracks": {"value/green": {"at": [0, 1], "px": [[130, 130], [160, 130]]}}}, "name"),
        ({"tracks": {"influence": {"at": [0, 1], "px": [[130, 130], [160, 130]]}}}, "name"),
        ({"tracks": {"reservoir/brown": {"at": [0, 1], "px": [[130, 130], [160, 130]]}}}, "name"),
        ({"tracks": {"value": {"at": [0], "px": [[130, 130]]}}}, "at"),
        ({"tracks": {"value": {"at": [0, 15, 3], "px": [[130, 130], [400, 130], [580, 130]]}}}, "at"),
        ({"tracks": {"value": {"at": [0, 15, 20], "px": [[130, 130], [400, 130]]}}}, "at"),
        ({"tracks": {"value": {"at": [0, 10**9], "px": [[130, 130], [400, 130]]}}}, "at"),
        ({"tracks": {"value": {"at": [-1, 3], "px": [[130, 130], [400, 130]]}}}, "at"),
        ({"tracks": {"value": {"at": [0, 1.5], "px": [[130, 130], [400, 130]]}}}, "format"),
        ({"tracks": {"value": {"at": [0, 100], "px": [[130, 130], [400, 130]]}}}, "together"),
        ({"tracks": {"value": {"at": [0, 8, 15], "px": [[130, 130], [400, 130], [450, 130]]}}}, "uneven"),
        ({"areas": {"reservoir/brown": [[400, 200], [500, 200]]}}, "few"),
        ({"areas": {"reservoir/brown": [[400, 200], [450, 200], [500, 200]]}}, "area"),
        ({"areas": {"reservoir/brown": [[400, 200], [406, 200], [406, 206], [400, 206]]}}, "area"),
        ({"areas": {"reservoir": [[400, 200], [500, 200], [500, 380]]}}, "name"),
        ({"areas": {"offer/white": [[400, 200], [500, 200], [5000, 380]]}}, "outside"),
        ({"areas": [1, 2]}, "format"),
    ],
)
def test_points_that_cannot_be_are_refused_in_words(changes: dict[str, Any], key: str) -> None:
    with pytest.raises(PanelProblem) as refused:
        surface(**changes)
    assert refused.value.key == key
    assert str(refused.value)


@pytest.mark.parametrize("tilt", [0, 20, 40, 50, 60])
@pytest.mark.parametrize("turn", [0, 90, 130, 200])
def test_width_and_height_confused_are_refused_however_steep_the_photo(tilt: float, turn: float) -> None:
    """And not a board that only looks so from the side."""
    view = camera(tilt, turn, 700, size=(800, 600))
    middle = transform([(399.5, 299.5)], np.linalg.inv(view.plane_to_photo))[0]
    of_board = [(-200, -100), (200, -100), (200, 100), (-200, 100), (-180, 0), (180, 0)]
    px = transform(of_board + middle, view.plane_to_photo).tolist()
    seen = {"corners": px[:4], "tracks": {"value": {"at": [0, 15], "px": px[4:]}}, "areas": {}}
    assert center("value/0", **seen) == pytest.approx((20, 100), abs=0.01)
    with pytest.raises(PanelProblem) as refused:
        surface(**seen, size_mm=[200, 400])
    assert refused.value.key == "turned"


@pytest.mark.parametrize(
    "obj", [None, 3, [], {}, {"corners": CORNERS}, {**POINTS, "corners": [[0, "x"]] * 4}]
)
def test_what_is_no_points_file_is_refused(obj: object) -> None:
    with pytest.raises(PanelProblem) as refused:
        read_panel_points(obj)
    assert refused.value.key == "format"


def test_points_of_the_other_board_are_refused() -> None:
    area = {"reservoir/brown": [[10, 10], [60, 10], [60, 60]]}
    track = {"value": {"at": [0, 15], "px": [[100, 100], [400, 100]]}}
    corners = {"corners": [[0, 0], [799, 0], [799, 599], [0, 599]], "size_mm": [400, 300]}
    for name, parts, key in (
        ("tracks", {"areas": area}, "no_track"),
        ("assets", {"tracks": track}, "no_area"),
    ):
        with pytest.raises(PanelProblem) as problem:
            calibrate_panel(name, EMPTY, read_panel_points({**corners, **parts}), "usa")
        assert problem.value.key == key


@pytest.mark.parametrize(("x", "found"), [(162, True), (170, False)])
def test_what_lies_outside_the_corners_is_refused(x: int, found: bool) -> None:
    """The board is 60 px wide here, 0.15 px/mm: a few millimetres are how people tap, 67 are another place."""
    small = {
        "corners": [[100, 100], [160, 100], [160, 130], [100, 130]],
        "tracks": {"value": {"at": [0, 5], "px": [[105, 105], [155, 105]]}},
        "areas": {"reservoir/brown": [[x - 20, 110], [x, 110], [x, 125]]},
    }
    if found:
        assert center("reservoir/brown", **small)[0] > 300
    else:
        with pytest.raises(PanelProblem, match="reservoir/brown lies outside the four corners"):
            surface(**small)


def test_two_tracks_in_one_place_are_refused() -> None:
    row = {"at": [0, 15], "px": [[100, 100], [400, 100]]}
    with pytest.raises(PanelProblem, match="value/brown and value/gray lie in the same place"):
        surface(tracks={"value/brown": row, "value/gray": {**row, "px": [[101, 101], [401, 99]]}})


def test_two_areas_of_a_kind_in_one_place_are_refused_and_a_marker_s_place_on_an_area_is_not() -> None:
    place = [[100, 100], [200, 100], [200, 200], [100, 200]]
    with pytest.raises(PanelProblem, match="reservoir/brown and reservoir/gray"):
        surface(areas={"reservoir/brown": place, "reservoir/gray": place})
    assert surface(areas={"reservoir/brown": place, "company/brown": place})


def odd(tracks: dict[str, tuple[int, int]]) -> list[str]:
    """What is told of value tracks one below the other, each from its first to its last space by these numbers.

    Those that begin with the greater number were tapped from their end.
    """
    rows = {}
    for n, (company, (first, last)) in enumerate(tracks.items()):
        ends = [[100, 100 + 40 * n], [400, 100 + 40 * n]]
        rows[f"value/{company}"] = {
            "at": sorted((first, last)),
            "px": ends if first < last else ends[::-1],
        }
    points = {"corners": CORNERS, "size_mm": [400, 300], "tracks": rows}
    return [str(problem) for problem in oddities(read_panel_points(points))]


def test_a_track_that_is_otherwise_than_the_others_is_told() -> None:
    alike = dict.fromkeys(("brown", "gray", "orange", "white"), (0, 15))
    assert odd(alike) == []
    (told,) = odd({**alike, "gray": (15, 0)})
    assert told.startswith("value/gray runs the other way")
    (told,) = odd({**alike, "orange": (0, 14)})
    assert told.startswith("value/orange goes from 0 to 14")
    (told,) = odd({company: ends for company, ends in alike.items() if company != "white"})
    assert told.startswith("value/white is not among the points")


def test_tracks_that_are_all_printed_otherwise_are_no_slip() -> None:
    """As on a board on which the tracks run to and fro."""
    assert odd({"brown": (0, 15), "gray": (15, 0), "orange": (0, 15), "white": (15, 0)}) == []
