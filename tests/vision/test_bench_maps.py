"""The figures of `masinfira bench vision`: what was not read is never counted in their favour."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from sample_tables import SAMPLES
from synthetic_table import BOARD

from vision.bench import bench_vision
from vision.bench.maps import _of_tiles
from vision.state.demand import Cards, Tile

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
    right = ("perfect_boards", "right_after_doubts", "right_after_answers", "target_marker")
    tiles = ("demand_tiles", "demand_tiles_right_after_doubts")
    with_before = ("perfect_boards_with_before", "right_after_doubts_with_before")
    named = (*right, *tiles, *with_before)
    assert {name: figures[name] for name in named} == dict.fromkeys(named, 0)
    means = (
        "doubtful_per_board",
        "answers_per_board",
        "doubtful_tiles_per_board",
        "doubtful_per_board_with_before",
    )
    times = ("seconds_median", "seconds_p95")
    assert {name: figures[name] for name in (*means, *times)} == dict.fromkeys((*means, *times))


def test_what_is_read_of_tiles_is_right_or_asked_about_or_a_silent_error() -> None:
    """A tile on a hex that counts as unseen counts only where it was read; one that lies hidden never does."""
    brown, gray, white = ("brown", "gray"), ("gray", "white"), ("white", "white")
    tiles = (
        Tile(1, brown, 0.99),
        Tile(2, brown, 0.99),
        Tile(3, gray, 0.5),
        Tile(4, white, 0.99),
        Tile(7, gray, 0.99),
    )
    at = {number: city.at for number, city in BOARD.numbered.items()}
    found = SimpleNamespace(
        board=BOARD,
        cards=Cards(tiles),
        doubtful_tiles=[tile for tile in tiles if tile.doubtful],
        unseen=[at[4], at[5], at[6]],
    )
    laid = {1: brown, 2: gray, 3: brown, 4: white, 5: gray, 6: gray, 7: None}
    truth = {"demand": {str(n): pair and [*pair] for n, pair in laid.items()}, "unseen": [[*at[6]]]}
    assert _of_tiles(found, truth) == {"tiles": 4, "tiles_right": 2, "tiles_silent": 2, "tiles_doubtful": 1}
