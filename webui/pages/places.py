"""Hexes as visitors tap them; places and numbers on the boards in words of their language."""

from typing import Any

from flask import flash, request

from calibration.cell_names import TRACKS, CellName
from calibration.tapped.asked import thing
from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.places import place as place_of
from engine.sentences import N_, Problem

from ..forms import hex_of
from ..language import line_of, named, say, spoken
from ..problems import WebProblem

HEADINGS = {
    "value": N_("Value"),
    "reservoir": N_("Reservoir"),
    "influence": N_("Influence"),
    "offer": N_("Offer"),
    "shares": N_("Shares"),
}


def looked_at(board: Board) -> Hex | None:
    """The hex whose trains the page asks, by its address. Raises WebProblem where it is not on the map."""
    return _hex_on(board, text) if (text := request.args.get("hex")) else None


def told_of(board: Board) -> Hex:
    """The hex of which the form says what stands there. Raises WebProblem where it is not on the map."""
    return _hex_on(board, request.form.get("hex", ""))


def _hex_on(board: Board, text: str) -> Hex:
    if (at := hex_of(text, "hex")) not in board.index:
        raise WebProblem("bad_field", field="hex")
    return at


def was_seen(now: str) -> bool:
    """Whether the page showed of a hex what is known of it `now`, in short; where it did not, that is told next."""
    if request.form.get("known", now) == now:
        return True
    tell_of_others()
    return False


def tell_of_others() -> None:
    """What was sent is not what the page asks any more, so nothing comes of it."""
    flash(say("Somebody else has answered meanwhile: look at what is asked now."))


def place(board: Board, at: Hex) -> str:
    """A hex by its city, by the city beside it, or by the nearest one."""
    return str(spoken().shown(place_of(board, at)))


def figure_named(figure: str) -> str:
    """What a figure is, "influence.red.brown", in words."""
    if figure == "bot.company":
        return say("Mašinfíra's company marker")
    first, middle, last = figure.split(".")
    parts = (last, middle) if first == "companies" else (first, middle, last)
    return ", ".join(say(HEADINGS[part]) if part in HEADINGS else named(part) for part in parts)


def problem_on(board: Board, problem: Problem) -> str:
    """A refusal as a sentence, the hexes in it named by their places, a figure by what it is."""
    values = {name: _placed(board, value) for name, value in problem.values.items()}
    if "figure" in values:
        values["figure"] = figure_named(values["figure"])
    return line_of(type(problem)(problem.key, rule=problem.rule, **values))


def _placed(board: Board, value: Any) -> Any:
    """A value of a refusal, with places instead of hexes."""
    if isinstance(value, list):
        return [_placed(board, one) for one in value]
    if isinstance(value, str) and (cell := CellName.of(value)).sort in TRACKS and cell.number:
        return f"{spoken().shown(thing(cell.row))}: {cell.number}"
    return place_of(board, value) if isinstance(value, tuple) and value in board.index else value
