"""A command loads what it needs: those of the engine no pictures, and each is listed."""

import subprocess
import sys

import pytest

from masinfira import commands
from masinfira.commands import moves

PROBE = """
import sys
from masinfira.main import run
try:
    run(sys.argv[1:])
except SystemExit:
    pass
print("pictures" if "cv2" in sys.modules else "none")
"""


def loaded(*argv: str) -> str:
    """The last word of a command run by itself: whether it loaded what pictures need."""
    told = subprocess.run([sys.executable, "-c", PROBE, *argv], capture_output=True, text=True, check=True)
    return told.stdout.split()[-1]


@pytest.mark.parametrize("command", ["new", "moves", "play", "bot", "score", "check", "replay", "set"])
def test_the_rules_need_no_pictures(command: str) -> None:
    assert loaded(command, "--help") == "none"


def test_reading_photos_does() -> None:
    assert loaded("scan", "--help") == "pictures"


@pytest.mark.parametrize(
    "in_front", [[], ["--json"], ["--lang", "cs"], ["--lang=cs", "--pack=scan"], ["--pack", "scan", "--json"]]
)
def test_the_command_alone_is_loaded_after_options_of_every_command_too(in_front: list[str]) -> None:
    assert [command.__name__ for command in commands.wanted([*in_front, "moves", "scan"])] == [moves.__name__]


@pytest.mark.parametrize(
    "argv", [[], ["--help"], ["--json"], ["--pack"], ["scna", "moves"], ["--help", "moves"]]
)
def test_without_a_command_in_front_all_are_known(argv: list[str]) -> None:
    assert len(commands.wanted(argv)) == len(commands.COMMANDS)
