"""The documentation's own code runs, and what it points to exists."""

import random
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import mini_express as game
from vision.state.decode import TOO_MANY

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), ROOT / "sample_photos" / "README.md"])


def test_the_bot_of_the_engine_page_plays() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "engine.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)
    rng = random.Random(1)
    state = game.new(board="usa", mode="solo", difficulty="passenger", seats=["red"], rng=rng)
    for _ in range(6):
        bot_turn = state.bot_moves
        action = rng.choice(game.legal_actions(state)) if bot_turn else names["choose"](state)
        state = game.apply(state, action)
    assert state.phase == "play"


def test_the_engine_page_has_every_file_of_the_engine() -> None:
    page = (ROOT / "docs" / "engine.md").read_text("utf-8")
    named = re.findall(r"`([\w*]+(?:\.py|/))`", page.partition("## What is where")[2].partition("\n## ")[0])
    folder = ROOT / "engine" / "mini_express"
    told = {path for pattern in named for path in folder.glob(pattern.removesuffix("/"))}
    there = {path for path in folder.iterdir() if path.name not in ("__init__.py", "__pycache__", "data")}
    assert there - told == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)|src=\"([^\"]+)\"", page.read_text("utf-8"))
    local = [link for pair in links for link in pair if link and "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_the_pages_exist(page: Path) -> None:
    from masinfira.commands import COMMANDS

    used = re.findall(
        r"(?:^|`)(?:\.venv/bin/)?masinfira (?:--pack \S+ )?([a-z]+)", page.read_text("utf-8"), re.MULTILINE
    )
    assert set(used) <= set(COMMANDS)


def shown_lines() -> list[str]:
    """The whole lines in blocks of code and in the first column of tables; `…` stands for more of the same."""
    blocks = [
        found.replace("\\\n", " ")
        for page in PAGES
        for found in re.findall(r"```\n(.*?)```|^\| `(masinfira .*?)`", page.read_text("utf-8"), re.M | re.S)
        for found in found
    ]
    lines = [line.removeprefix(".venv/bin/") for block in blocks for line in block.splitlines()]
    return [line.partition(" > ")[0] for line in lines if line.startswith("masinfira ")]


@pytest.mark.parametrize("line", shown_lines())
def test_the_options_shown_are_those_of_the_commands(line: str) -> None:
    from masinfira.commands import wanted
    from masinfira.main import parser

    words = shlex.split(line)[1:]
    parser("en", wanted(words)).parse_args(words)


def test_the_readme_says_how_many_doubts_are_too_many() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert "With twenty doubts or more you are told" in readme
    assert TOO_MANY + 1 == 20


@pytest.mark.slow
def test_the_way_from_photos_alone_to_a_score_is_as_the_readme_says(tmp_path: Path) -> None:
    """Its commands are run as they stand, in a folder that has the samples."""
    readme = (ROOT / "README.md").read_text("utf-8")
    story = readme.partition("### From photos alone to a score")[2]
    commands, told = re.findall(r"```\n(.*?)```\s+The score is (\d+ to \d+)", story, re.DOTALL)[0]
    (tmp_path / "sample_photos").symlink_to(ROOT / "sample_photos")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    words, env = ["bash", "-e", "-c", commands], {"PATH": path}
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    score = done.stdout.splitlines()[-8:]
    assert all(any(points in line for line in score) for points in told.split(" to ")), score
