"""Which action is good: the program plays the game on, again and again, and says what came of it."""

from collections.abc import Iterable

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.hexgrid import Hex
from engine.mini_express import (
    BEST_SHOWN,
    Advice,
    Build,
    State,
    action_to_text,
    best_of_each,
    reasons,
)
from engine.mini_express.building import origin_of

from ...services import games, thoughts
from .. import drawing
from ..places import place
from ..tiles import tiles_to_enter

SECONDS, LONGER = 3.0, 15.0

advising = Blueprint("advising", __name__)


@advising.get("/game/<gid:id>/advice")
def advice(id: str) -> ResponseReturnValue:
    """The best few actions of whoever is to move, and why.

    Where nobody has a choice, or nobody knows yet what tiles lie on the table, that page instead.
    """
    kept = games().load(id)
    if tiles_to_enter(id, kept.game):
        return redirect(url_for("playing.table", id=id), 303)
    state, longer = kept.state, "longer" in request.args
    thought = thoughts().of(state, LONGER if longer else SECONDS)
    if not thought:
        return redirect(url_for("playing.table", id=id), 303)
    best = best_of_each(thought)[:BEST_SHOWN]
    return render_template(
        "game/advice.html",
        kept=kept,
        state=state,
        picture=drawing.draw(state, drawing.lying_on(state), _routes(state, best[:1])),
        best=best,
        times=sum(each.times for each in thought),
        longer=longer,
        city_of=state.board.city_of,
        action_to_text=action_to_text,
        reasons=lambda action: reasons(state, action),
        way_of=lambda build: [place(state.board, at) for at in _route(state, build)],
        place=lambda at: place(state.board, at),
    )


def _route(state: State, build: Build) -> tuple[Hex, ...]:
    """From the train that it leaves from to the city."""
    return origin_of(state, build), *build.route


def _routes(state: State, best: Iterable[Advice]) -> list[tuple[Hex, ...]]:
    """The ways of those that build."""
    return [_route(state, each.action) for each in best if isinstance(each.action, Build)]
