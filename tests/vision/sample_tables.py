"""The sample tables, each calibrated once for all tests of a process: nothing changes a profile."""

from functools import lru_cache
from pathlib import Path

from calibration import Profile
from vision.samples import calibrated

SAMPLES = Path(__file__).parents[2] / "sample_photos"


@lru_cache(8)
def profile_of(table: str, board: str = "usa") -> Profile:
    """The profile of the table of this name."""
    return calibrated(SAMPLES / table, board)
