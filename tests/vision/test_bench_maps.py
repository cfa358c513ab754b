"""The figures of `masinfira bench vision`: what was not read is never counted in their favour."""

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from sample_tables import SAMPLES

from vision.bench import bench_vision

STUDY = SAMPLES / "study"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """A table with one photo of a game, which shows nothing but gray."""
    (table := tmp_path / "study").mkdir()
    for name in ("empty.jpg", "points.json", "early_day.json"):
        shutil.copy(STUDY / name, table)
    cv2.imwrite(str(table / "early_day.jpg"), np.full((300, 400, 3), 128, np.uint8))
    return tmp_path


@pytest.mark.slow
def test_a_photo_that_is_refused_is_right_in_no_respect_and_lowers_no_mean(samples: Path) -> None:
    figures = bench_vision(samples)
    assert (figures["photos"], figures["registered"], figures["cell_error"]) == (1, 0, 1)
    right = ("perfect_boards", "right_after_doubts", "right_after_answers", "demand_tiles", "target_marker")
    with_before = ("perfect_boards_with_before", "right_after_doubts_with_before")
    assert {name: figures[name] for name in (*right, *with_before)} == dict.fromkeys(
        (*right, *with_before), 0
    )
    means = ("doubtful_per_board", "answers_per_board", "doubtful_per_board_with_before")
    times = ("seconds_median", "seconds_p95")
    assert {name: figures[name] for name in (*means, *times)} == dict.fromkeys((*means, *times))
