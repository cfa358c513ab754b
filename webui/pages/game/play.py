"""A game in progress: the table at a glance, the actions, Mašinfíra's turns, the log and the score."""

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.hexgrid import Hex
from engine.mini_express import COMPANIES, Action, City, Draft, Event, Game, Pass, State, legal_actions, score
from engine.sentences import Problem

from ...forms import action_of
from ...kept.games import Kept
from ...problems import WebProblem, status_of
from ...services import games, positions, reader
from .. import drawing
from ..places import place
from ..tiles import tiles_fixed, tiles_to_enter
from . import moves

playing = Blueprint("playing", __name__)


@playing.get("/game/<gid:id>")
def table(id: str) -> str:
    return game_page(games().load(id))


def game_page(kept: Kept, problem: Problem | None = None) -> str:
    """The whole game page; `problem` is said at its top."""
    tiles_first = tiles_to_enter(kept.id, kept.game)
    state = _without_tiles(kept.state) if tiles_first else kept.state
    legal = [] if tiles_first else legal_actions(state)
    builds = moves.builds_of(state, legal)
    city, company = (None, "") if problem else _looked_at(state)
    return render_template(
        "game/game.html",
        kept=kept,
        state=state,
        setup=state.setup,
        problem=problem,
        builds=builds,
        happened=_happened(kept.game),
        place=lambda at: place(state.board, at),
        tiles_first=WebProblem("tiles_first") if tiles_first else None,
        **_beginning(kept),
        **_to_do(state, legal),
        **_routes_shown(kept.game, state, builds, city, company),
    )


def _without_tiles(state: State) -> State:
    """To be looked at only."""
    return replace(state, demand=(None,) * len(state.demand))


def _beginning(kept: Kept) -> dict[str, Any]:
    """Where the game came from, and what can be done until the first action."""
    tiles_open = not tiles_fixed(kept.game)
    return {
        "entered": None if kept.game.actions else positions().of_game(kept.id),
        "tiles_open": tiles_open,
        "laid": games().laid(kept.id),
        "photo_helps": tiles_open and reader().profiles.know(kept.state.board),
    }


def _to_do(state: State, legal: Sequence[Action]) -> dict[str, Any]:
    """What whoever is to move can do, routes apart."""
    return {
        "drafts": [action.company for action in legal if isinstance(action, Draft)],
        "passing": any(isinstance(action, Pass) for action in legal),
        "offers": moves.share_offers(state) if _human_plays(state) else [],
        "bag": moves.bag_of(state, legal),
    }


def _routes_shown(
    game: Game, state: State, builds: moves.Builds, city: City | None, company: str
) -> dict[str, Any]:
    """The map as the `state` shows it and what can be built to the city looked at, if by one company with its ways."""
    options = _options(state, builds, city, company)
    chosen = options[0] if len(options) == 1 else None
    routes = [way.route for way in chosen.ways] if chosen else []
    return {
        "picture": drawing.draw(state, _marks(game, builds, company, city), routes),
        "numbered": state.board.numbered,
        "city": city,
        "company": company,
        "options": options,
        "chosen": chosen,
        "reasons": _reasons(state, builds, city),
    }


def _human_plays(state: State) -> bool:
    return state.phase == "play" and not state.bot_moves


def _looked_at(state: State) -> tuple[City | None, str]:
    """The city and the company whose routes the visitor wants to see."""
    number, company = request.args.get("city", ""), request.args.get("company", "")
    if company and company not in COMPANIES:
        raise WebProblem("bad_field", field="company")
    if not number:
        return None, company
    cities = {str(n): city for n, city in state.board.numbered.items()}
    if number not in cities:
        raise WebProblem("bad_field", field="city")
    return cities[number], company


def _options(state: State, builds: moves.Builds, city: City | None, company: str) -> list[moves.Destination]:
    """What can be built to the city looked at; by the one company asked for if it is among them."""
    if city is None:
        return []
    able = [c for c in COMPANIES if city.number in builds[c]]
    wanted = [company] if company in able else able
    return [moves.destination(state, c, builds[c][city.number]) for c in wanted]


def _reasons(state: State, builds: moves.Builds, city: City | None) -> list[tuple[str, Problem]]:
    """For a city looked at in a human's turn, why the other companies cannot be built there."""
    if city is None or not _human_plays(state):
        return []
    refused = [(c, moves.why_not(state, c, city)) for c in COMPANIES if city.number not in builds[c]]
    return [(company, problem) for company, problem in refused if problem]


def _marks(game: Game, builds: moves.Builds, company: str, city: City | None) -> dict[Hex, set[str]]:
    """What stands out on the map: what lies on it, cities within reach, the last build."""
    state, marks = game.state, drawing.lying_on(game.state)

    def mark(at: Hex, name: str) -> None:
        marks.setdefault(at, set()).add(name)

    for name, cities in builds.items():
        for number in cities:
            if company in ("", name):
                mark(state.board.numbered[number].at, "open")
    for at in _new_track(game):
        mark(at, "last")
    if city:
        mark(city.at, "chosen")
    return marks


def _new_track(game: Game) -> Collection[Hex]:
    """The hexes whose trains came with the last action."""
    if not game.actions:
        return []
    before, after = game.states[-2], game.state
    return {at for c, track in enumerate(after.track) for at in after.board.hexes(track & ~before.track[c])}


def _happened(game: Game) -> list[Event]:
    """All events since the turn of whoever acted last began."""
    first = len(game.actions)
    while first and game.states[first - 1].to_move == game.states[len(game.actions) - 1].to_move:
        first -= 1
    return game.events(first)


@playing.post("/game/<gid:id>/act")
def act(id: str) -> ResponseReturnValue:
    """One action of whoever is to move."""
    return _played(id, lambda game: game.play(action_of(request.form, game.state)))


@playing.post("/game/<gid:id>/bot")
def bot(id: str) -> ResponseReturnValue:
    """Draw for Mašinfíra until its turn is over."""
    return _played(id, lambda game: game.play_bot(random.SystemRandom()))


@playing.post("/game/<gid:id>/undo")
def undo(id: str) -> ResponseReturnValue:
    """Take back the last action."""
    return _change(id, _undone)


def _undone(game: Game) -> Game:
    if not game.actions:
        raise WebProblem("nothing_to_undo")
    return game.undo()


def _played(id: str, change: Callable[[Game], Game]) -> ResponseReturnValue:
    """The same game with more actions, once its tiles are those on the table."""

    def played(game: Game) -> Game:
        if tiles_to_enter(id, game):
            raise WebProblem("tiles_first")
        return change(game)

    return _change(id, played)


def _change(id: str, change: Callable[[Game], Game]) -> ResponseReturnValue:
    """Change the game, or show it as it stands with the sentence that says why not."""
    try:
        games().change(id, request.form.get("version", ""), change)
    except Problem as problem:
        # One that cannot be opened says so itself, when it is loaded.
        return game_page(games().load(id), problem), status_of(problem)
    return redirect(url_for("playing.table", id=id, _anchor="happened"), 303)


@playing.get("/game/<gid:id>/log")
def log(id: str) -> str:
    """Everything that happened, the newest first."""
    kept = games().load(id)
    lines = kept.game.log()
    turns = [(n + 1, kept.game.states[n].seat, events) for n, (_, events) in enumerate(lines)]
    return render_template("game/log.html", kept=kept, turns=turns[::-1])


@playing.get("/game/<gid:id>/score")
def standing(id: str) -> str:
    """The score now: what every share is worth to everybody."""
    kept = games().load(id)
    return render_template("score.html", kept=kept, state=kept.state, result=score(kept.state))


@playing.get("/game/<gid:id>/version")
def version(id: str) -> ResponseReturnValue:
    """Asked by open pages from time to time, so that they notice another phone's action."""
    return jsonify(version=games().load(id).version)
