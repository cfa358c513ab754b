"""Hexes in words, in the visitor's language."""

from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.places import place as place_of
from engine.sentences import Problem

from .language import problem_line, spoken


def place(board: Board, at: Hex) -> str:
    """A hex by its city, by the city beside it, or by the nearest one."""
    return str(spoken().shown(place_of(board, at)))


def problem_on(board: Board, problem: Problem) -> str:
    """A refusal as a sentence, a hex in it named by its place."""
    at = problem.values.get("hex")
    if not (isinstance(at, tuple) and at in board.index):
        return problem_line(problem)
    values = {**problem.values, "hex": place_of(board, at)}
    return problem_line(type(problem)(problem.key, rule=problem.rule, **values))
