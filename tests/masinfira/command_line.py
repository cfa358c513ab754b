"""Commands as a script runs them."""

import json
from typing import Any

import pytest

from masinfira.main import run


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
