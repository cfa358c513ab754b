"""Features of a picture that is searched in strips are those of the whole."""

import cv2
import numpy as np
import pytest
from synthetic_table import camera, photograph

from calibration import features
from calibration.features import FEATURES, STRIP_PIXELS, Features, find_features, find_strongest


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    shown = photograph(camera(30, 20), {"brown": [(7, -5)]})
    return cv2.resize(shown, (1440, 1080))


@pytest.fixture
def whole(picture: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> Features:
    with monkeypatch.context() as patch:
        patch.setattr(features, "STRIP_PIXELS", picture.size)
        return find_strongest(picture, FEATURES)


def missing(found: Features, points: np.ndarray) -> float:
    """The share of the features found that are at none of the points, px."""
    nearest = np.array([np.abs(points - point).max(axis=1).min() for point in found.points])
    return float((nearest > 0.1).mean())


def test_a_large_picture_in_strips_has_the_features_of_the_whole(
    picture: np.ndarray, whole: Features
) -> None:
    assert picture.size // 3 > STRIP_PIXELS
    found = find_strongest(picture, FEATURES)
    assert len(found.points) == len(whole.points)
    assert missing(found, whole.points) < 0.01
    at_the_seam = np.abs(whole.points[:, 0] - 720) < 20
    assert at_the_seam.sum() > 10
    assert missing(Features(whole.points[at_the_seam], whole.descriptors), found.points) < 0.1


def test_an_upright_picture_is_cut_the_other_way(picture: np.ndarray, whole: Features) -> None:
    upright = find_strongest(np.ascontiguousarray(picture.transpose(1, 0, 2)), FEATURES)
    assert missing(upright, whole.points[:, ::-1]) < 0.05


def test_the_strongest_of_all_strips_are_kept(picture: np.ndarray) -> None:
    few = find_strongest(picture, 300)
    assert len(few.points) == 300 == len(few.descriptors) == len(few.arrows)
    assert missing(few, find_strongest(picture, FEATURES).points) == 0
    assert (few.points[:, 0] < 720).any() and (few.points[:, 0] > 720).any()


def test_those_of_every_part_come_from_all_strips(picture: np.ndarray) -> None:
    few = find_features(picture, 300)
    assert len(few.points) == 300 == len(few.descriptors) == len(few.arrows)
    assert missing(few, find_features(picture, 100_000).points) == 0
    assert (few.points[:, 0] < 720).any() and (few.points[:, 0] > 720).any()


def test_a_checked_cloth_leaves_room_for_what_lies_on_it(picture: np.ndarray) -> None:
    """Its corners are stronger than anything on a board."""
    checks = (np.indices(picture.shape[:2]) // 12).sum(axis=0) % 2
    on_cloth = np.where(checks[..., None] > 0, np.uint8(230), np.uint8(20)).repeat(3, axis=2)
    on_cloth[400:700, 500:900] = picture[400:700, 500:900]
    found = find_features(on_cloth).points
    on_board = (np.abs(found - (700, 550)) < (200, 150)).all(axis=1)
    assert len(found) == FEATURES
    assert on_board.mean() > 0.9 * (400 * 300) / (1440 * 1080)


def test_a_picture_without_print_has_none() -> None:
    plain = np.full((1200, 1600), 128, np.uint8)
    assert len(find_features(plain).points) == len(find_strongest(plain, FEATURES).points) == 0
