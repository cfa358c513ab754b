"""The descriptions of the tables: what tables.toml says for all, and one file in tables/ for each further table."""

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def load() -> dict[str, Any]:
    """All files as one: photos one after the other, named things (art, table, game …) side by side."""
    everything = tomllib.loads((HERE / "tables.toml").read_text())
    for file in sorted((HERE / "tables").glob("*.toml")):
        for key, part in tomllib.loads(file.read_text()).items():
            if isinstance(part, list):
                everything.setdefault(key, []).extend(part)
            else:
                everything[key] |= part
    return everything
