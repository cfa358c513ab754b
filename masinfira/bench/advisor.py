"""How strong the advice is: games in which one seat always follows it (`masinfira bench advisor`)."""

import random
import time
from statistics import mean
from typing import Any, NamedTuple

from engine import mini_express as game
from engine.mini_express.advice import first_sight
from engine.mini_express.rules import by_lot
from engine.sentences import N_, Progress

GAMES = 20
"""Games against each opponent, each with tiles of its own."""
FIRST_SIGHT = "first_sight"
"""Two players who take what brings them most at once."""
PLAYERS = ("red", "blue", "purple")


class Played(NamedTuple):
    """How a game ended for who followed the advice: `margin` in points over the best rival; seconds for each move."""

    won: bool
    margin: int
    seconds: list[float]


def bench_advisor(seconds: float, step: Progress) -> dict[str, Any]:
    """For each opponent, Mašinfíra at every difficulty and two players: the games won, and by how many points."""
    opponents: list[str] = [*game.DIFFICULTIES, FIRST_SIGHT]
    figures: dict[str, Any] = {}
    spent: list[float] = []
    for n, opponent in enumerate(opponents):
        games = []
        for seed in range(GAMES):
            step(N_("Playing by the advice"), (n + seed / GAMES) / len(opponents))
            games.append(play_game(opponent, seed, seconds))
        spent += [thought for played in games for thought in played.seconds]
        figures[opponent] = {
            "games": len(games),
            "win_rate": mean(played.won for played in games),
            "mean_margin": mean(played.margin for played in games),
        }
    return {**figures, "seconds_per_move": mean(spent)}


def play_game(opponent: str, seed: int, seconds: float) -> Played:
    """One game on the map of the USA; against players each seat is taken in turn."""
    rng, spent = random.Random(seed), list[float]()
    solo = opponent in game.DIFFICULTIES
    me = "red" if solo else PLAYERS[seed % len(PLAYERS)]
    state = game.new(
        mode="solo" if solo else "standard",
        difficulty=opponent if solo else None,
        seats=["red"] if solo else PLAYERS,
        rng=rng,
    )
    while state.phase != "over":
        if state.seat == me:
            began = time.perf_counter()
            action = game.advise(state, seconds, rng)[0].action
            spent.append(time.perf_counter() - began)
        else:
            action = _of_opponent(state, rng)
        state = game.apply(state, action)
    score = game.score(state)
    totals = {seat: of_seat["total"] for seat, of_seat in score["seats"].items()}
    mine = totals.pop(me)
    return Played(score["winner"] == me, mine - max(totals.values()), spent)


def _of_opponent(state: game.State, rng: random.Random) -> game.Action:
    """A tile of Mašinfíra's, or what brings a player most at once."""
    if draws := game.chance(state):
        return by_lot(draws, rng)
    actions = game.legal_actions(state)
    return rng.choice(actions) if state.phase == "draft" else first_sight.choose(state, actions, rng, noise=0)
