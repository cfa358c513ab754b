"""Hexes in words, in the visitor's language."""

from typing import Any

from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.places import place as place_of
from engine.sentences import Problem

from ..language import line_of, spoken


def place(board: Board, at: Hex) -> str:
    """A hex by its city, by the city beside it, or by the nearest one."""
    return str(spoken().shown(place_of(board, at)))


def problem_on(board: Board, problem: Problem) -> str:
    """A refusal as a sentence, the hexes in it named by their places."""
    values = {name: _placed(board, value) for name, value in problem.values.items()}
    return line_of(type(problem)(problem.key, rule=problem.rule, **values))


def _placed(board: Board, value: Any) -> Any:
    """A value of a refusal, with places instead of hexes."""
    if isinstance(value, list):
        return [_placed(board, one) for one in value]
    return place_of(board, value) if isinstance(value, tuple) and value in board.index else value
