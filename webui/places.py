"""Hexes in words: people at a table know cities and directions, not coordinates."""

from engine.hexgrid import Hex, distance, neighbours
from engine.mini_express.board import Board
from engine.sentences import N_, Problem

from .language import problem_line, say

# In the order of `neighbours`: the city lies there as seen from the hex, so the hex lies opposite.
_BESIDE = (
    N_("the hex south of {city}"),
    N_("the hex south-west of {city}"),
    N_("the hex north-west of {city}"),
    N_("the hex north of {city}"),
    N_("the hex north-east of {city}"),
    N_("the hex south-east of {city}"),
)


def place(board: Board, at: Hex) -> str:
    """A hex by its city, by the city beside it, or by the nearest one."""
    cities = {city.at: city.name for city in board.cities}
    if at in cities:
        return cities[at]
    for sentence, beside in zip(_BESIDE, neighbours(at), strict=True):
        if beside in cities:
            return say(sentence, city=cities[beside])
    nearest = min(cities, key=lambda city: (distance(at, city), city))
    return say(N_("the hex {n} away from {city}"), n=distance(at, nearest), city=cities[nearest])


def problem_on(board: Board, problem: Problem) -> str:
    """A refusal as a sentence, a hex in it named by its place."""
    at = problem.values.get("hex")
    if not (isinstance(at, tuple) and at in board.index):
        return problem_line(problem)
    values = {**problem.values, "hex": place(board, at)}
    return problem_line(type(problem)(problem.key, rule=problem.rule, **values))
