"""`masinfira bench`: what was measured for minutes is told, whatever becomes of the picture."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import call, refused, usage_error

from masinfira.bench import advisor, web
from masinfira.commands.bench import PHONE_NAMES
from masinfira.main import run
from vision import bench
from vision.phones import PHONES
from webui.server import CODE_FILE

RELIABILITY = [{"said": 0.8, "true": 0.75, "readings": 40}]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench that has measured already."""
    figures = {"photos": 3, "held_out": {"reliability": RELIABILITY}}
    monkeypatch.setattr(bench, "bench_vision", lambda folder, step: figures)
    monkeypatch.setattr(bench, "bench_panels", lambda folder, step: {"panel_photos": 5})
    monkeypatch.setattr(bench, "bench_shares", lambda folder, step: {"share_photos": 7})


def test_the_plot_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    assert run(["bench", "vision", "--plot", str(plot)]) == 0
    assert plot.read_text().startswith("<svg")
    assert "panel_photos" in capsys.readouterr().out


def test_a_plot_that_cannot_be_written_does_not_cost_the_figures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (plot := tmp_path / "full.svg").symlink_to("/dev/full")
    assert run(["bench", "vision", "--plot", str(plot)]) == 1
    out, err = capsys.readouterr()
    assert "share_photos" in out
    assert "cannot be written" in err
    assert err.count("\n") == 1


def test_every_phone_that_there_is_can_be_asked_for_and_no_other() -> None:
    assert {*PHONE_NAMES} == PHONES.keys()


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_no_time_is_measured_in(capsys: pytest.CaptureFixture[str], seconds: str) -> None:
    assert "a number of seconds above 0" in refused(capsys, "bench", "engine", f"--seconds={seconds}")


@pytest.mark.parametrize("what", ["register", "vision", "watch"])
def test_what_takes_as_long_as_it_takes_is_not_timed(capsys: pytest.CaptureFixture[str], what: str) -> None:
    assert "--seconds is for bench advisor, engine and web only" in usage_error(
        capsys, "bench", what, "--seconds", "1"
    )


def test_the_advice_is_measured_against_every_opponent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisor, "GAMES", 1)
    figures = call(capsys, "bench", "advisor", "--seconds", "0.01")
    for opponent in ("passenger", "tourist", "trainspotter", "conductor", "railwayman", "first_sight"):
        assert figures[opponent]["games"] == 1
        assert figures[opponent]["win_rate"] in (0, 1)
        assert isinstance(figures[opponent]["mean_margin"], int | float)
    assert figures["seconds_per_move"] >= 0.01
    assert figures["machine"]


@pytest.mark.slow
def test_the_pages_are_measured_under_load(capsys: pytest.CaptureFixture[str]) -> None:
    figures = call(capsys, "bench", "web", "--seconds", "6")
    assert figures["errors"] == 0
    assert {"table", "act", "score", "log", "version"} <= figures["p95_ms"].keys()
    assert all(milliseconds > 0 for milliseconds in figures["p95_ms"].values())
    assert figures["requests_per_s"] > 0


def test_a_request_that_nobody_answers_is_an_error() -> None:
    phone = web.Phone({"url": "http://127.0.0.1:9", "join_code": "none"}, seed=1)
    phone.play(until=0.0)
    assert phone.errors == 1
    assert not phone.times


def has_begun(server: Path) -> bool:
    """Whether a server has come so far that it writes into its folder, the last of its arguments."""
    *_, folder, _ = (server / "cmdline").read_text().split("\0")
    return Path(folder, CODE_FILE).exists()


@pytest.mark.slow
def test_killed_it_leaves_no_server_behind() -> None:
    command = [sys.executable, "-m", "masinfira", "bench", "web", "--seconds", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as bench:
        children = Path(f"/proc/{bench.pid}/task/{bench.pid}/children")
        while bench.poll() is None and not children.read_text():
            time.sleep(0.1)
        (server,) = (Path("/proc", child) for child in children.read_text().split())
        while bench.poll() is None and not has_begun(server):
            time.sleep(0.1)
        bench.terminate()
        assert bench.wait(30) == 143
    assert not server.exists()


def test_a_server_that_does_not_start_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web.sys, "executable", "/bin/false")
    assert "did not start" in refused(capsys, "bench", "web", "--seconds", "1")
