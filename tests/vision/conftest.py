"""Shared by the vision tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "vision"))
