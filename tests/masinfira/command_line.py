"""Commands as a script runs them."""

import json
from pathlib import Path
from typing import Any

import pytest
from sample_tables import profile_of

from masinfira.main import run

SOLO = ["new", "--mode", "solo", "--difficulty", "tourist", "--seats", "red", "--seed", "7"]


def call(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    """Run a command with --json and return what it printed."""
    assert run([*args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Run a command that must be refused: exit code 1, one line on stderr, nothing on stdout."""
    assert run(list(args)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


def usage_error(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """What stands on stderr after wrong usage: exit code 2."""
    with pytest.raises(SystemExit) as stopped:
        run(list(args))
    assert stopped.value.code == 2
    return capsys.readouterr().err


def calibrated(table: Path, folder: Path, board: str = "usa") -> list[str]:
    """The option that names the profile of a sample table, which is made in this folder."""
    profile = ["--profile", str(folder)]
    profile_of(table.name, board).save(folder)
    return profile
