"""A board with a fold that stands up is found where it lies, although no homography shows both its halves."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from bent import bend_picture, bend_points
from synthetic_table import HEXES, PRINT, PRINT_TO_PX, Camera, camera, photograph, table

from calibration import Photo, Registration, Surface, register
from calibration.hexes import hex_center, hex_outline
from calibration.registration.agreement import agreement
from calibration.surface import transform

FOLD = float(np.mean([hex_center(at)[0] for at in HEXES]))
HALF = max(abs(x - FOLD) for at in HEXES for x, _ in hex_outline(at))


@pytest.fixture(scope="module")
def surface() -> Surface:
    return table().surfaces["map"]


def raised(points: np.ndarray, rise: float) -> np.ndarray:
    """(n, 3) mm: points of the plane where a board lies whose fold stands so many mm above the table."""
    return np.column_stack([points, rise * (1 - np.abs(points[:, 0] - FOLD) / HALF)])


def folded(view: Camera, rise: float) -> np.ndarray:
    """Both halves of the board, each of them flat, as the camera sees them."""
    picture = photograph(view, board=np.full_like(PRINT, 128))
    down, across = PRINT.shape[:2]
    fold = float(transform([(FOLD, 0.0)], PRINT_TO_PX)[0][0])
    for left, right in ((0.0, fold), (fold, float(across))):
        corners = np.array([(left, 0.0), (right, 0.0), (right, down), (left, down)], np.float32)
        there = view.project(raised(transform(corners, np.linalg.inv(PRINT_TO_PX)), rise)).astype(np.float32)
        seen = cv2.warpPerspective(PRINT, cv2.getPerspectiveTransform(corners, there), view.size)
        half = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), np.rint(there).astype(np.int32), 1)
        picture[half > 0] = seen[half > 0]
    return picture


def off_mm(seen: Callable[[np.ndarray], np.ndarray], surface: Surface, truth: np.ndarray) -> float:
    """How far the worst hex is `seen` from where it truly is in the photo, in mm of the board near it."""
    there, beside = (seen(surface.centers + (x, 0.0)) for x in (0.0, 1.0))
    px_per_mm = np.linalg.norm(beside - there, axis=1)
    return float((np.linalg.norm(there - truth, axis=1) / px_per_mm).max())


def in_photo(found: Registration, surface: Surface) -> Callable[[np.ndarray], np.ndarray]:
    return lambda points: found.in_photo(points, surface)


@pytest.mark.parametrize(
    ("tilt", "turn", "rise"), [(0, 0, 6.0), (30, 200, 3.0), (30, 70, 6.0), (50, 0, 6.0), (50, 200, 6.0)]
)
def test_a_folded_board_is_found_where_it_is(surface: Surface, tilt: float, turn: float, rise: float) -> None:
    view = camera(tilt, turn)
    found = register(folded(view, rise), surface)
    assert found.ok
    assert off_mm(in_photo(found, surface), surface, view.project(raised(surface.centers, rise))) < 1.0


def test_no_homography_shows_it(surface: Surface) -> None:
    view = camera(50, 0)
    truth = view.project(raised(surface.centers, 6.0))
    best, _ = cv2.findHomography(surface.centers, truth)
    assert off_mm(lambda points: transform(points, best), surface, truth) > 2.0


def test_its_straight_photo_is_that_of_a_flat_board(surface: Surface) -> None:
    photo = Photo(folded(camera(50, 0), 6.0))
    found = register(photo, surface)
    flat = found.straight(photo).pixels
    place = found.plane_to_photo(surface)
    assert agreement(flat, surface, place) > 0.95
    assert agreement(photo.pixels, surface, place) < 0.8
    assert found.to_json()["uneven_mm"] > 1


def test_what_lies_beside_it_stays_where_it_is(surface: Surface) -> None:
    found = register(folded(camera(50, 0), 6.0), surface)
    assert found.relief is not None
    around = surface.rim[0] + 1.3 * (surface.rim - surface.rim[0]) - 0.15 * (surface.rim[2] - surface.rim[0])
    beside = transform(around, found.plane_to_photo(surface))
    assert found.relief.bend(beside) == pytest.approx(beside)
    horizon = np.array([(800.0, -5000.0), (0.0, -700.0)])
    assert found.relief.bend(horizon) == pytest.approx(horizon)


def test_a_flat_board_keeps_its_photo(surface: Surface) -> None:
    trains = {"brown": [(7, -5), (6, -4)], "orange": [(6, -6), (5, -4), (0, 0)], "white": [(5, 0), (3, 1)]}
    for tilt in (0, 55):
        photo = Photo(photograph(camera(tilt, 40), trains))
        found = register(photo, surface)
        assert found.relief is None
        assert found.to_json()["uneven_mm"] == 0
        assert found.straight(photo).pixels is photo.pixels


def test_a_lens_may_bend_it_as_well(surface: Surface) -> None:
    view = camera(35, 20)
    found = register(bend_picture(folded(view, 6.0), -0.08), surface)
    truth = bend_points(view.project(raised(surface.centers, 6.0)), -0.08, view.size)
    assert found.lens.k1 == pytest.approx(-0.08, abs=0.02)
    assert off_mm(in_photo(found, surface), surface, truth) < 1.5
