"""A photo in which much is burnt out looks as if it could be read, so that it is overexposed is told."""

from dataclasses import replace

import numpy as np
import pytest
from sample_tables import SAMPLES, profile_of

from calibration import Photo, load_photo
from engine import mini_express as game
from vision import scan
from vision.samples import read_truth

LOFT = SAMPLES / "loft" / "middle_day.jpg"


def brighter(photo: Photo, stops: float) -> Photo:
    """As a camera takes it that lets 2 ** `stops` times the light in."""
    light = (photo.pixels / 255.0) ** 2.2 * 2.0**stops
    return replace(photo, pixels=np.rint(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8))


@pytest.mark.slow
def test_of_two_photos_the_one_that_is_overexposed_is_named() -> None:
    photo = load_photo(LOFT)
    found = scan([photo, brighter(photo, 1.3)], profile_of("loft"))
    assert [reading.overexposed for reading in found.readings] == [False, True]
    (told,) = (str(problem) for problem in found.conflicts if problem.key == "burnt")
    assert told.startswith("There is too much light in ")


@pytest.mark.slow
def test_with_a_state_before_it_is_no_conflict_for_that_helps_to_read_it() -> None:
    before = game.state_from_json(read_truth(LOFT.with_suffix(".json"))["before"])
    found = scan([brighter(load_photo(LOFT), 1.3)], profile_of("loft"), before=before)
    assert [problem.key for problem in found.overexposed] == ["burnt"]
    assert "burnt" not in {problem.key for problem in found.conflicts}
