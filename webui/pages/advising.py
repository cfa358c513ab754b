"""Which action is good: the program plays the game on, again and again, and says what came of it."""

import random
from collections.abc import Iterable
from threading import BoundedSemaphore, Lock

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.hexgrid import Hex
from engine.mini_express import (
    BEST_SHOWN,
    Advice,
    Build,
    State,
    action_to_text,
    advise,
    best_of_each,
    reasons,
)
from engine.mini_express.building import origin_of

from ..kept.latest import Latest
from ..problems import WebProblem
from ..services import games
from . import drawing
from .demand_tiles import tiles_to_enter
from .places import place

SECONDS, LONGER = 3.0, 15.0
KEPT, ASKING_AT_MOST = 8, 3
"""Of so many positions the advice is kept; so many phones may wait for theirs, each of which keeps the server busy."""

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
    thought = _thought(state, LONGER if longer else SECONDS)
    if not thought:
        return redirect(url_for("playing.table", id=id), 303)
    best = best_of_each(thought)[:BEST_SHOWN]
    return render_template(
        "advice.html",
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


_thoughts: Latest[State, tuple[float, list[Advice]]] = Latest(KEPT)
_asking, _thinking = BoundedSemaphore(ASKING_AT_MOST), Lock()


def _thought(state: State, seconds: float) -> list[Advice]:
    """What comes of thinking about a position, no shorter than so long: the same for all who ask. Raises WebProblem."""
    if not _asking.acquire(blocking=False):
        raise WebProblem("thinking")
    try:
        with _thinking:
            known, thought = _thoughts.get(state, (0.0, []))
            if known < seconds:
                known, thought = seconds, advise(state, seconds, random.Random())
            _thoughts[state] = known, thought
            return thought
    finally:
        _asking.release()


def _route(state: State, build: Build) -> tuple[Hex, ...]:
    """From the train that it leaves from to the city."""
    return origin_of(state, build), *build.route


def _routes(state: State, best: Iterable[Advice]) -> list[tuple[Hex, ...]]:
    """The ways of those that build."""
    return [_route(state, each.action) for each in best if isinstance(each.action, Build)]
