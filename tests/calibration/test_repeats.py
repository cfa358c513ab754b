"""Where a board's print repeats itself, the print tells which of the places that look alike is the right one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from synthetic_table import table

from calibration import Photo, Surface, calibrate_panel, read_panel_points, register
from calibration.registration import register as registering
from calibration.registration.by_features import Found
from calibration.registration.repeats import repeats, right_place
from calibration.surface import shifting, transform

COMPANIES = ("brown", "gray", "orange", "white")
SPACES, PITCH, ROW = 16, 24, 60
LEFT, TOP = 40, 40
# Of the table around the board, px.
MARGIN = 40


def drawn() -> np.ndarray:
    """Four tracks of sixteen numbered spaces below each other, alike but for their names, 2 px/mm."""
    picture = np.full((2 * (TOP + 4 * ROW), 2 * (LEFT + SPACES * PITCH + 20), 3), (150, 160, 170), np.uint8)
    for row, company in enumerate(COMPANIES):
        y = 2 * (TOP + row * ROW)
        cv2.putText(picture, company, (10, y - 30), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 40), 2)
        for n in range(SPACES):
            x = 2 * (LEFT + n * PITCH)
            cv2.rectangle(picture, (x - 20, y - 20), (x + 20, y + 20), (225, 230, 235), -1)
            cv2.rectangle(picture, (x - 20, y - 20), (x + 20, y + 20), (40, 40, 40), 2)
            cv2.putText(picture, str(n), (x - 14, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 40), 2)
    return cv2.copyMakeBorder(picture, *[MARGIN] * 4, cv2.BORDER_CONSTANT, value=(60, 70, 90))


@pytest.fixture(scope="module")
def tracks() -> Surface:
    picture = drawn()
    width, height = LEFT + SPACES * PITCH + 20, TOP + 4 * ROW

    def px(*places: tuple[float, float]) -> list[list[float]]:
        return [[MARGIN + 2 * x, MARGIN + 2 * y] for x, y in places]

    tracks = {
        f"influence/{company}": {
            "at": [0, SPACES - 1],
            "px": px((LEFT, TOP + row * ROW), (LEFT + (SPACES - 1) * PITCH, TOP + row * ROW)),
        }
        for row, company in enumerate(COMPANIES)
    }
    points = {
        "corners": px((0, 0), (width, 0), (width, height), (0, height)),
        "size_mm": [width, height],
        "pieces_mm": {"influence": [7, 7, 5]},
        "tracks": tracks,
    }
    return calibrate_panel("tracks", Photo(picture), read_panel_points(points), "usa")


def test_tracks_repeat_their_spaces_and_each_other(tracks: Surface) -> None:
    moves = {(round(move[0, 2]), round(move[1, 2])) for move in repeats(tracks)}
    assert {(n * PITCH, 0) for n in (-2, -1, 1, 2)} | {(0, -ROW), (0, ROW)} <= moves


def test_cells_in_one_place_are_no_step_apart(tracks: Surface) -> None:
    """Areas may overlap; what repeats is found all the same."""
    twice = replace(tracks, cells=(*tracks.cells, replace(tracks.cells[0], id="again")))
    assert len(repeats(twice)) == len(repeats(tracks))


def test_print_without_spaces_is_no_other_place() -> None:
    """Who sees next to nothing of a board says nothing of where else it might lie."""
    surface = table().surfaces["map"]
    gone = surface.plane_to_image @ shifting(5000, 0)
    assert right_place(np.zeros_like(surface.reference), surface, gone) is gone


@pytest.mark.parametrize("beside", [(1, 0), (-1, 0), (2, 0), (-3, 0), (0, 1), (0, -1)])
def test_of_the_places_that_look_alike_the_right_one_is_taken(
    tracks: Surface, beside: tuple[int, int]
) -> None:
    wrong = tracks.plane_to_image @ shifting(beside[0] * PITCH, beside[1] * ROW)
    found = right_place(tracks.reference, tracks, wrong)
    assert np.abs(found - tracks.plane_to_image)[:2, 2].max() < 2.0


def test_the_right_place_stays(tracks: Surface) -> None:
    assert right_place(tracks.reference, tracks, tracks.plane_to_image) is tracks.plane_to_image


@pytest.mark.parametrize("spaces", [-1, 1, 2])
def test_a_board_found_some_spaces_beside_is_read_where_it_lies(
    tracks: Surface, spaces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mug covers a corner, and the few features that matched were those of a neighbour."""
    photo = tracks.reference.copy()
    cv2.circle(photo, (photo.shape[1], photo.shape[0]), 160, (30, 30, 120), -1)
    beside = Found(tracks.plane_to_image @ shifting(spaces * PITCH, 0), 13)
    monkeypatch.setattr(registering, "found_by_features", lambda photo, surface: beside)
    found = register(photo, tracks)
    assert found.ok
    off = found.in_photo(tracks.centers, tracks) - transform(tracks.centers, tracks.plane_to_image)
    assert np.linalg.norm(off, axis=1).max() < 2.0
