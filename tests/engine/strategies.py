"""Hypothesis strategies: any game that can be set up, and positions from the middle of such games."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from engine import mini_express as game
from engine.hexgrid import distance
from engine.mini_express.names import DIFFICULTIES, SEATS
from engine.mini_express.setup import PLAYERS
from engine.mini_express.state import State

LONGEST_GAME = 1000
"""No game comes near this many actions: there are 100 trains and 36 shares, and every turn uses some."""

MODULES = {"usa": ["golden_spike", "capacity_two"], "europe": ["ports", "capacity_two"]}


@st.composite
def set_ups(draw: st.DrawFn) -> dict[str, Any]:
    """The arguments of `game.new`: every mode, map, module, difficulty and number of players."""
    board = draw(st.sampled_from(["usa", "europe"]))
    mode = draw(st.sampled_from(list(PLAYERS)))
    players = draw(st.integers(*PLAYERS[mode]))
    return {
        "board": board,
        "mode": mode,
        "difficulty": draw(st.sampled_from(DIFFICULTIES)) if mode == "solo" else None,
        "seats": draw(st.permutations(SEATS))[:players],
        "modules": draw(st.lists(st.sampled_from(MODULES[board]), unique=True)),
        "korean_start": draw(st.booleans()) if mode in ("solo", "two_with_bot") else False,
    }


def played(
    set_up: dict[str, Any], seed: int, *, builder: bool = False, toward: Sequence[str] = ()
) -> Iterator[tuple[State, list[Any], Any]]:
    """A random game as (state, legal actions, the action chosen); the last is (state, [], None).

    A `builder` builds whenever it can, so that track grows and modules happen; with `toward` it mostly
    builds to the city that is nearest to one of these.
    """
    rng = random.Random(seed)
    state = game.new(**set_up, rng=rng)
    for _ in range(LONGEST_GAME):
        actions = game.legal_actions(state)
        if not actions:
            break
        builds = [a for a in actions if isinstance(a, game.Build)] if builder else []
        if builds and toward and rng.random() < 0.7:
            goal = state.board.city_named[rng.choice(toward)].at
            nearest = min(distance(a.route[-1], goal) for a in builds)
            builds = [a for a in builds if distance(a.route[-1], goal) == nearest]
        action = rng.choice(builds or actions)
        yield state, actions, action
        state = game.apply(state, action)
    yield state, [], None


@st.composite
def positions(draw: st.DrawFn, *, humans: bool = True) -> State:
    """A position from the middle of a random game, after the draft; with `humans` one of them is to move."""
    steps = list(played(draw(set_ups()), draw(st.integers(0, 2**32)), builder=draw(st.booleans())))
    found = [s for s, _, _ in steps if s.phase == "play" and s.bot_moves != humans]
    return draw(st.sampled_from(found)) if found else steps[-1][0]


@st.composite
def races(draw: st.DrawFn) -> State:
    """A position of the Golden Spike in which one build may link Omaha with San Francisco (R10.4)."""
    set_up = draw(set_ups().filter(lambda one: one["board"] == "usa"))
    set_up["modules"] = sorted({*set_up["modules"], "golden_spike"})
    toward = ["Omaha", "Denver", "Salt Lake City", "Los Angeles"]
    seed = draw(st.integers(0, 2**32))
    steps = [s for s, _, _ in played(set_up, seed, builder=True, toward=toward) if s.phase == "play"]
    found = [s for s in steps if not s.bot_moves and s.spike and s.spike.status != "off"]
    linked = next((n for n, s in enumerate(found) if s.spike and s.spike.status == "linked"), len(found))
    return draw(st.sampled_from(found[max(0, linked - 8) : linked] or steps))
