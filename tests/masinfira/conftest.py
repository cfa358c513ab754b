"""What the tests of the commands share."""

from pathlib import Path

import pytest
from command_line import SOLO, calibrated
from sample_tables import SAMPLES

from masinfira.main import run


@pytest.fixture
def state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A drafted solo game, the human to move."""
    file = tmp_path / "state.json"
    assert run([*SOLO, "--auto-draft", "--out", str(file)]) == 0
    capsys.readouterr()
    return file


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The option that names a profile of the table "study", to be read only."""
    return calibrated(SAMPLES / "study", tmp_path_factory.mktemp("profiles") / "study")
