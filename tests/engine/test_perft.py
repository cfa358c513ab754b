"""Perft: how many sequences of one, two and three actions there are from fixed positions of every mode.

The counts are regression values, written by `record_golden.py`; those of two positions are counted by the
plain search as well."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from plain import legal_builds
from record_golden import perft

from engine import mini_express as game
from engine.mini_express.names import MODES
from engine.mini_express.record import Game
from engine.mini_express.state import State

DATA = Path(__file__).parent / "data"
TABLE: list[dict[str, Any]] = json.loads((DATA / "perft.json").read_text())
MANY = 40_000
"""From so many nodes on a count is left to the slow tests."""


@cache
def game_named(name: str) -> Game:
    return Game.from_text((DATA / f"{name}.game").read_text())


def counts(*, slow: bool) -> list[Any]:
    """Every entry of the table as (game, move, depth, nodes), short ones or long ones."""
    return [
        pytest.param(row["game"], row["move"], depth, nodes, id=f"{row['game']}-{row['where']}-{depth}")
        for row in TABLE
        for depth, nodes in enumerate(row["nodes"], 1)
        if (nodes >= MANY) == slow
    ]


@pytest.mark.parametrize(("name", "move", "depth", "nodes"), counts(slow=False))
def test_nodes(name: str, move: int, depth: int, nodes: int) -> None:
    """As many as recorded."""
    assert perft(game_named(name).states[move], depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize(("name", "move", "depth", "nodes"), counts(slow=True))
def test_many_nodes(name: str, move: int, depth: int, nodes: int) -> None:
    """As many as recorded, where it takes longer."""
    assert perft(game_named(name).states[move], depth) == nodes


def test_every_mode_is_counted_to_depth_three_on_both_maps() -> None:
    """At the draft, at the opening and in the middle of a game."""
    found = {(row["game"].rsplit("-", 1)[0], row["where"]) for row in TABLE if len(row["nodes"]) == 3}
    wheres = ("draft", "opening", "middle")
    assert found == {(f"{mode}-{board}", w) for mode in MODES for board in ("usa", "europe") for w in wheres}


def plain_perft(state: State, depth: int) -> int:
    """The same by R4.1 as it is written and by the plain search; for standard games after the draft."""
    if state.phase == "over":
        return 0
    shares = [
        game.TakeShare(company)
        for c, company in enumerate(game.COMPANIES)
        if state.offer[c] > 0 and state.influence[state.to_move][c] >= state.reservoir[c]
    ]
    actions: list[game.Action] = [*shares, *legal_builds(state)] or [game.Pass()]
    if depth == 1:
        return len(actions)
    return sum(plain_perft(game.apply(state, action), depth - 1) for action in actions)


CROSS_CHECKED = [("standard-usa-plain", "opening", 2), ("standard-europe-module", "middle", 3),
                 ("standard-usa-module", "middle", 2)]  # fmt: skip
CROSS_CHECKED_SLOWLY = [("standard-usa-plain", "opening", 3), ("standard-usa-plain", "middle", 3),
                        ("standard-usa-module", "middle", 3), ("standard-europe-module", "opening", 2)]  # fmt: skip


def assert_plain_agrees(name: str, where: str, depth: int) -> None:
    (row,) = [row for row in TABLE if (row["game"], row["where"]) == (name, where)]
    assert plain_perft(game_named(name).states[row["move"]], depth) == row["nodes"][depth - 1]


@pytest.mark.parametrize(("name", "where", "depth"), CROSS_CHECKED)
def test_the_plain_search_counts_the_same(name: str, where: str, depth: int) -> None:
    """So the recorded numbers are right, not only stable."""
    assert_plain_agrees(name, where, depth)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "where", "depth"), CROSS_CHECKED_SLOWLY)
def test_the_plain_search_counts_the_same_deeper(name: str, where: str, depth: int) -> None:
    """To depth three."""
    assert_plain_agrees(name, where, depth)
