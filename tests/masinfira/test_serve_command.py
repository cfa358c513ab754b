"""`masinfira serve` for scripts: one line of JSON, and where games are kept."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from masinfira.commands.serve import ServeProblem, games_folder

ROOT = Path(__file__).parents[2]


def test_a_script_is_told_where_the_page_is_open(tmp_path: Path) -> None:
    told = served(tmp_path)
    assert told["url"].startswith("http://127.0.0.1:")
    assert told["join_url"] == f"{told['url']}/join?code={told['join_code']}"
    assert told["join_code"] == (tmp_path / "join_code").read_text().strip()
    assert told["data"] == str(tmp_path)


def test_a_join_code_of_ones_own_is_whole_in_the_address(tmp_path: Path) -> None:
    (tmp_path / "join_code").write_text("Tom & Eva #1")
    assert served(tmp_path)["join_url"].endswith("/join?code=Tom%20%26%20Eva%20%231")


def served(tmp_path: Path) -> dict[str, str]:
    """What a script is told."""
    command = [sys.executable, "-m", "masinfira", "serve", "--host", "127.0.0.1", "--port", "0", "--json"]
    command += ["--data", str(tmp_path)]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True
    )
    try:
        assert server.stdout is not None
        told: dict[str, str] = json.loads(server.stdout.readline())
        return told
    finally:
        server.send_signal(signal.SIGKILL)
        server.communicate()


def test_games_are_kept_where_they_are_or_where_the_system_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usual, wanted = tmp_path / ".local" / "share" / "masinfira", tmp_path / "data" / "masinfira"
    monkeypatch.setenv("HOME", str(tmp_path))
    for said in (None, "", "data"):  # what is no whole path counts for nothing
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
        if said is not None:
            monkeypatch.setenv("XDG_DATA_HOME", said)
        assert games_folder() == usual
    monkeypatch.setenv("XDG_DATA_HOME", str(wanted.parent))
    assert games_folder() == wanted
    usual.mkdir(parents=True)
    assert games_folder() == usual, "games of before are found"
    wanted.mkdir(parents=True)
    assert games_folder() == wanted


def test_where_nobody_has_a_home_games_are_kept_where_it_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    with pytest.raises(ServeProblem, match="--data DIR"):
        games_folder()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert games_folder() == tmp_path / "masinfira"
