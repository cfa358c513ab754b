"""Which action is good: the program plays the game on, again and again, and says what came of it."""

import random
from collections.abc import Iterable
from functools import lru_cache

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.hexgrid import Hex
from engine.mini_express import Advice, Build, City, State, advise, reasons

from ..forms import fields_of
from ..seam import games, reader
from . import drawing
from .places import place

SECONDS, LONGER = 3.0, 15.0
SHOWN = 5
"""So many actions are shown."""

advising = Blueprint("advising", __name__)


@advising.get("/game/<gid:id>/advice")
def advice(id: str) -> ResponseReturnValue:
    """The best few actions of whoever is to move, and why; where nobody has a choice, the table."""
    kept = games().load(id)
    state, longer = kept.state, "longer" in request.args
    thought = _thought(state, LONGER if longer else SECONDS)
    if not thought:
        return redirect(url_for("playing.table", id=id), 303)
    best = _different(state, thought)[:SHOWN]
    return render_template(
        "advice.html",
        kept=kept,
        state=state,
        picture=drawing.draw(state, routes=_routes(best[:1])),
        best=best,
        times=sum(each.times for each in thought),
        longer=longer,
        city_of=lambda build: _city(state, build),
        fields_of=fields_of,
        reasons=lambda action: reasons(state, action),
        way_of=lambda build: [place(state.board, at) for at in build.route[:-1]],
        place=lambda at: place(state.board, at),
    )


@lru_cache(8)
def _thought(state: State, seconds: float) -> list[Advice]:
    """What comes of thinking about a position; of the same position, soon after, the same. Raises WebProblem."""
    return reader().in_turn(lambda: advise(state, seconds, random.Random()))


def _different(state: State, thought: Iterable[Advice]) -> list[Advice]:
    """Of all ways by which a company can be built to a city only the best."""
    best: dict[object, Advice] = {}
    for each in thought:
        build = each.action if isinstance(each.action, Build) else None
        best.setdefault((build.company, _city(state, build)) if build else each.action, each)
    return list(best.values())


def _routes(best: Iterable[Advice]) -> list[tuple[Hex, ...]]:
    """The ways of those that build."""
    return [each.action.route for each in best if isinstance(each.action, Build)]


def _city(state: State, build: Build) -> City:
    return state.board.city_at[state.board.index[build.route[-1]]]
