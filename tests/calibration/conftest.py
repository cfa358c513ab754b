"""The drawn table of the vision tests serves calibration too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
