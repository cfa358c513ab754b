"""Golden games: whole games of every mode on both maps, replayed to the score that was recorded.

They stand in `data/` in the text form of a game and were written by `record_golden.py`."""

import json
from pathlib import Path

import pytest
from test_random_games import assert_conserved, assert_room

from engine import mini_express as game
from engine.mini_express.names import DIFFICULTIES, MODES
from engine.mini_express.record import Game

DATA = Path(__file__).parent / "data"
SCORES = json.loads((DATA / "scores.json").read_text())
GAMES = {path.stem: path.read_text() for path in sorted(DATA.glob("*.game"))}


@pytest.mark.parametrize("name", GAMES)
def test_it_replays_to_its_score(name: str) -> None:
    """Every action is legal, every position sound, the end and every share's worth as recorded."""
    record = Game.from_text(GAMES[name])
    for state, action in zip(record.states, record.actions, strict=False):
        assert action in game.legal_actions(state)
        assert_conserved(state)
        assert_room(state)
        assert game.check(state) == []
    assert record.state.phase == "over"
    assert game.score(record.state) == SCORES[name]


@pytest.mark.parametrize("name", GAMES)
def test_its_text_is_what_the_engine_prints(name: str) -> None:
    """Parsed and printed it is the same text."""
    assert Game.from_text(GAMES[name]).to_text() == GAMES[name]


def test_two_for_each_mode_and_map_and_one_for_each_difficulty() -> None:
    """What the golden games cover; no score without its game."""
    assert set(GAMES) == set(SCORES)
    starts = [Game.from_text(text).start.setup for text in GAMES.values()]
    kinds = [(setup.mode, setup.board.id) for setup in starts]
    assert all(kinds.count((mode, board)) >= 2 for mode in MODES for board in ("usa", "europe"))
    assert {setup.difficulty for setup in starts} == {None, *DIFFICULTIES}


@pytest.mark.parametrize(
    ("board", "key"), [("usa", "spike_western"), ("usa", "spike_eastern"), ("europe", "port_opened")]
)
def test_the_modules_happen_in_every_mode(board: str, key: str) -> None:
    """A link of Omaha and San Francisco, a port opened."""
    for mode in MODES:
        log = Game.from_text(GAMES[f"{mode}-{board}-module"]).log()
        assert key in {event.key for _, events in log for event in events}, mode
