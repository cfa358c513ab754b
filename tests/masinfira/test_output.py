"""Where a command writes what it is asked to keep."""

import json
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command_line import SOLO, refused, usage_error
from rich.text import Text

from engine.atomic import alone_in, write_whole
from engine.catalogue import texts
from masinfira.console import Console
from masinfira.main import run


@pytest.fixture
def usual_mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def is_a_state(text: str) -> bool:
    return bool(json.loads(text)["format"] == "masinfira/mini-express/state/1")


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    kept, link = tmp_path / "elsewhere" / "kept.json", tmp_path / "link.json"
    kept.parent.mkdir()
    link.symlink_to(kept)
    for _ in ("new", "replaced"):
        assert run([*SOLO, "--out", str(link)]) == 0
        assert link.is_symlink()
        assert is_a_state(kept.read_text())
        assert list(kept.parent.iterdir()) == [kept]


def test_a_pipe_stays_and_gets_the_state(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe.json", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    assert run([*SOLO, "--out", str(pipe)]) == 0
    reader.join(10)
    assert pipe.is_fifo()
    assert is_a_state(got[0])


def test_a_device_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Through a link, so that the devices of this machine outlive the test whatever happens.
    for device in ("null", "full"):
        (tmp_path / device).symlink_to(f"/dev/{device}")
    assert run([*SOLO, "--out", str(tmp_path / "null")]) == 0
    capsys.readouterr()
    assert "cannot be written: no space is left" in refused(capsys, *SOLO, "--out", str(tmp_path / "full"))
    assert all((tmp_path / device).is_char_device() for device in ("null", "full"))


def test_a_link_to_itself_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = tmp_path / "round.json"
    link.symlink_to(link)
    assert "cannot be written" in refused(capsys, *SOLO, "--out", str(link))
    assert link.is_symlink()


def test_a_new_file_has_the_usual_mode_and_a_replaced_one_keeps_its_own(
    tmp_path: Path, usual_mask: None
) -> None:
    file = tmp_path / "state.json"
    assert run([*SOLO, "--out", str(file)]) == 0
    assert mode(file) == 0o644
    file.chmod(0o660)
    assert run([*SOLO, "--out", str(file)]) == 0
    assert mode(file) == 0o660


def test_what_is_secret_is_for_nobody_else(tmp_path: Path, usual_mask: None) -> None:
    file = tmp_path / "code"
    for _ in ("new", "replaced"):
        write_whole(file, b"secret", secret=True)
        assert mode(file) == 0o600
        file.chmod(0o644)


def test_a_folder_is_no_place_for_a_state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is a folder: name a file" in refused(capsys, *SOLO, "--out", str(tmp_path))


def test_an_empty_name_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the name of the file is empty" in usage_error(capsys, *SOLO, "--out", "")


# --- standard output ------------------------------------------------------------------------------------------


def masinfira(*args: str, into: str) -> tuple[int, str]:
    """A command in a shell with its output sent there: its exit code and what stands on stderr."""
    told = subprocess.run(
        [
            "bash",
            "-c",
            f'"$@" {into}; exit ${{PIPESTATUS[0]}}',
            "-",
            sys.executable,
            "-m",
            "masinfira",
            *args,
        ],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return told.returncode, told.stderr


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_full_disk_is_told_in_one_sentence(form: list[str]) -> None:
    told = masinfira(*SOLO, *form, into="> /dev/full")
    assert told == (1, "The output cannot be written: no space is left on the disk.\n")


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_reader_that_goes_away_is_no_reason_to_complain(form: list[str]) -> None:
    assert masinfira(*SOLO, *form, into="| true")[1] == ""


def test_who_changes_a_folder_waits_for_the_others(tmp_path: Path) -> None:
    """So that of two lessons, or two boards, learnt at once none is lost."""
    inside: list[int] = []

    def count(n: int) -> int:
        with alone_in(tmp_path):
            inside.append(n)
            time.sleep(0.02)
            found = len(inside)
            inside.remove(n)
            return found

    with ThreadPoolExecutor(4) as others:
        assert [*others.map(count, range(4))] == [1] * 4


def test_a_narrow_terminal_cuts_nothing_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Forty columns, as on a phone: every legal action is a line of its own that can be copied."""
    monkeypatch.setenv("COLUMNS", "40")
    game = str(tmp_path / "game.txt")
    assert run([*SOLO, "--auto-draft", "--out", game]) == 0
    capsys.readouterr()
    assert run(["moves", game]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert run(["moves", game, "--json"]) == 0
    actions = json.loads(capsys.readouterr().out)["actions"]
    assert len(actions) > 40
    assert {action["notation"] for action in actions} <= {*lines}


@pytest.mark.parametrize("line", [["--help", "--lang", "cs"], ["rules", "R5.4", "--lang", "ko"]])
def test_a_terminal_without_czech_letters_or_a_width_is_told_all_the_same(line: list[str]) -> None:
    poor = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "masinfira", *line],
        env=poor,
        capture_output=True,
        check=True,
    )
    assert b"?" in done.stdout
    assert done.stderr == b""


def test_nothing_printed_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Console(texts("en"), as_json=False).print(Text("Au\x1b[31mgusta"))
    assert capsys.readouterr().out == "Au\ufffd[31mgusta\n"


def test_json_for_nobody_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """With standard output closed (`>&-`) Python has none; the command still does its work."""
    monkeypatch.setattr(sys, "stdout", None)
    assert run(["rules", "R5.4", "--json"]) == 0


@pytest.mark.parametrize("loaded", ["rich.console", "masinfira.commands.moves"])
def test_whoever_stops_a_command_while_it_is_loaded_gets_no_traceback(loaded: str) -> None:
    """The modules take some tenths of a second, the console first and then the command's own."""
    pressed = f"""
import sys
class Loading:
    def find_spec(self, name, *_):
        if name == "{loaded}":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Loading())
sys.argv = ["masinfira", "moves", "--help"]
from masinfira.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", pressed], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
