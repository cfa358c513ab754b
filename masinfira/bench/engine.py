"""How fast the rules engine is, on one core (`masinfira bench engine`)."""

import random
import time

from engine import mini_express as game
from engine.sentences import N_, Progress


def bench_engine(seconds: float, step: Progress) -> dict[str, float]:
    """Random solo games with all legal actions generated at each turn, and perft nodes, per second."""
    step(N_("Playing random solo games"), 0.0)
    games, actions, spent = random_games(seconds)
    step(N_("Counting positions"), 0.5)
    nodes, perft_spent = perft_nodes(seconds)
    return {
        "random_games": games,
        "random_games_per_s": games / spent,
        "actions_per_s": actions / spent,
        "perft_nodes": nodes,
        "perft_nodes_per_s": nodes / perft_spent,
    }


def random_games(seconds: float) -> tuple[int, int, float]:
    """Whole games played, actions applied in them, and the seconds it took; a few games go before, unmeasured."""
    for seed in range(5):
        play_random_game(seed)
    games = actions = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        actions += play_random_game(games)
        games += 1
    return games, actions, spent


def play_random_game(seed: int) -> int:
    """One solo game of random legal actions; how many there were."""
    rng = random.Random(seed)
    state = game.new(board="usa", mode="solo", difficulty="tourist", seats=["red"], rng=rng)
    actions = 0
    while legal := game.legal_actions(state):
        state = game.apply(state, rng.choice(legal))
        actions += 1
    return actions


def perft_nodes(seconds: float) -> tuple[int, float]:
    """Lines of play to depth 2 from the middle of games, and the seconds it took."""
    nodes, seed = 0, 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        rng = random.Random(seed)
        seed += 1
        state = game.new(board="usa", mode="standard", seats=["red", "blue", "purple"], rng=rng)
        for _ in range(20):
            state = game.apply(state, rng.choice(game.legal_actions(state)))
        nodes += perft(state, 2)
    return nodes, spent


def perft(state: game.State, depth: int) -> int:
    """How many lines of play of that many actions there are (the chess programmers' perft)."""
    if depth == 0:
        return 1
    return sum(perft(game.apply(state, action), depth - 1) for action in game.legal_actions(state))
