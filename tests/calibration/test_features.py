"""Features of a picture that is searched in strips are those of the whole."""

import cv2
import numpy as np
import pytest
from synthetic_table import camera, photograph

from calibration import features
from calibration.features import STRIP_PIXELS, Features, find_features


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    shown = photograph(camera(30, 20), {"brown": [(7, -5)]})
    return cv2.resize(shown, (1440, 1080))


@pytest.fixture
def whole(picture: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> Features:
    with monkeypatch.context() as patch:
        patch.setattr(features, "STRIP_PIXELS", picture.size)
        return find_features(picture)


def missing(found: Features, points: np.ndarray) -> float:
    """The share of the features found that are at none of the points, px."""
    nearest = np.array([np.abs(points - point).max(axis=1).min() for point in found.points])
    return float((nearest > 0.1).mean())


def test_a_large_picture_in_strips_has_the_features_of_the_whole(
    picture: np.ndarray, whole: Features
) -> None:
    assert picture.size // 3 > STRIP_PIXELS
    found = find_features(picture)
    assert len(found.points) == len(whole.points)
    assert missing(found, whole.points) < 0.01
    at_the_seam = np.abs(whole.points[:, 0] - 720) < 20
    assert at_the_seam.sum() > 10
    assert missing(Features(whole.points[at_the_seam], whole.descriptors), found.points) < 0.1


def test_an_upright_picture_is_cut_the_other_way(picture: np.ndarray, whole: Features) -> None:
    upright = find_features(np.ascontiguousarray(picture.transpose(1, 0, 2)))
    assert missing(upright, whole.points[:, ::-1]) < 0.05


def test_the_strongest_of_all_strips_are_kept(picture: np.ndarray) -> None:
    few = find_features(picture, 300)
    assert len(few.points) == 300 == len(few.descriptors) == len(few.arrows)
    assert missing(few, find_features(picture).points) == 0
    assert (few.points[:, 0] < 720).any() and (few.points[:, 0] > 720).any()


def test_a_picture_without_print_has_none() -> None:
    assert len(find_features(np.full((1200, 1600), 128, np.uint8)).points) == 0
