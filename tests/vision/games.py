"""Games for the eyes: positions of real play, with little track and with much."""

import random

from engine import mini_express as game

BOARDS = game.built_in().boards


def drafted(seed: int, difficulty: str = "passenger") -> game.State:
    """A solo game after the draft, the human to move."""
    rng = random.Random(seed)
    state = game.new(board="usa", mode="solo", difficulty=difficulty, seats=["red"], rng=rng)
    while state.phase == "draft":
        state = game.apply(state, rng.choice(game.legal_actions(state)))
    return state


def late_game(board: str, modules: list[str], seed: int) -> game.State:
    """A game in which the players build whenever they can."""
    rng = random.Random(seed)
    state = game.new(
        board=board,
        mode="standard",
        difficulty=None,
        seats=["red", "blue", "purple"],
        modules=modules,
        rng=rng,
    )
    while actions := game.legal_actions(state):
        builds = [action for action in actions if isinstance(action, game.Build)]
        state = game.apply(state, rng.choice(builds or actions))
    return state
