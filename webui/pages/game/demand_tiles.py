"""The demand tiles of a game, entered as they really lie on the table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.mini_express import Broken, Game, State, check
from engine.mini_express.names import LAST_CITY, Pair
from engine.sentences import Problem

from ...forms import Form
from ...kept.games import ENTERED, TO_ENTER, Kept
from ...language import DONE, say
from ...problems import WebProblem, status_of
from ...services import games, pack_in_use, reader
from ..agreed import agreed, new_state
from ..tiles import kinds_of_tiles, tiles_fixed

laying = Blueprint("laying", __name__)


@laying.get("/new/tiles")
def lay() -> str:
    """The demand tiles of a game that begins once they are chosen: what was agreed stands in the address.

    After a refusal that is read in another language, so do the tiles.
    """
    form, state = request.args, new_state(request.args, pack_in_use())
    return _new_page(state, form, _broken_by(state, form))


def _new_page(state: State, form: Form, problem: Problem | None) -> str:
    photo_helps = reader().profiles.know(state.board)
    return _tiles_page(state, _chosen(form), problem, agreed=agreed(form), photo_helps=photo_helps)


@laying.post("/new/tiles")
def begin() -> ResponseReturnValue:
    """A new game with the tiles that lie on the table; those that a photo will show are dealt for now."""
    form, state = request.form, new_state(request.form, pack_in_use())
    if "photo" in form:
        return redirect(url_for("photographing.choose", id=games().create(Game(state), TO_ENTER)), 303)
    try:
        id = games().create(_with_tiles(Game(state), form), ENTERED)
    except Problem as problem:
        return _new_page(state, form, problem), status_of(problem)
    return redirect(url_for("playing.table", id=id), 303)


@laying.get("/game/<gid:id>/tiles")
def tiles(id: str) -> ResponseReturnValue:
    """The demand tiles, city by city, to be changed to those on the table: as in the game, or as a photo shows them."""
    kept, photo = games().load(id), request.args.get("photo")
    reading = reader().get(kept, photo) if photo else None
    if reading and not reading.done:
        return redirect(url_for("photographing.show", id=id, rid=reading.id), 303)
    shown = reading.map.cards_shown.tiles if reading and reading.map else ()
    words = {tile.city: "-".join(tile.pair) for tile in shown} or _laid(kept)
    unsure, fixed = {tile.city for tile in shown if tile.doubtful}, tiles_fixed(kept.game)
    photo_helps = not shown and not fixed and reader().profiles.know(kept.state.board)
    return _tiles_page(
        kept.game.start,
        words,
        kept=kept,
        fixed=fixed,
        proposed=bool(shown),
        unsure=unsure,
        photo_helps=photo_helps,
        reading=reading if len(words) < LAST_CITY else None,
    )


@laying.get("/game/<gid:id>/tiles/told")
def with_told(id: str) -> ResponseReturnValue:
    """As JSON what a photo shows in every city, by field, if a person has told some: those that look like them too."""
    kept = games().load(id)
    reading = reader().get(kept, request.args.get("photo", ""))
    kinds = _kinds(kept.game.start)
    said = {number: kinds[word] for number, word in _chosen(request.args).items() if word in kinds}
    shown = reading.map.cards_told(said).tiles if reading.done and reading.map else ()
    return jsonify({f"tile{tile.city}": ["-".join(tile.pair), tile.doubtful] for tile in shown})


@laying.post("/game/<gid:id>/tiles")
def set_tiles(id: str) -> ResponseReturnValue:
    """Lay out the demand tiles as they lie on the table, while nothing has been played."""
    form = request.form
    try:
        games().change(id, form.get("version", ""), lambda game: _with_tiles(game, form))
    except Problem as problem:
        return _refused(games().load(id), form, problem), status_of(problem)
    games().note_laid(id)
    flash(say("The demand tiles are saved."), DONE)
    return redirect(url_for("playing.table", id=id), 303)


def _refused(kept: Kept, form: Form, problem: Problem) -> str:
    """The tiles that were chosen and what is wrong with them; or as others have laid them meanwhile."""
    fixed = tiles_fixed(kept.game)
    more: dict[str, Any] = {"kept": kept, "fixed": None if fixed and fixed.key == problem.key else fixed}
    if problem.key == "stale":
        return _tiles_page(kept.game.start, _laid(kept), problem, **more)
    unsure, told = _flagged(form, "unsure"), _flagged(form, "told")
    more |= {"unsure": unsure, "told": told, "proposed": bool(unsure | told)}
    return _tiles_page(kept.game.start, _chosen(form), problem, **more)


def _laid(kept: Kept) -> dict[int, str]:
    """The tile of each city in the game, as the form names it."""
    return {number: "-".join(tile) for number, tile in enumerate(kept.game.start.demand) if tile}


def _broken_by(start: State, form: Form) -> Broken | None:
    """What is wrong with the tiles together, once all are chosen."""
    try:
        _with_tiles(Game(start), form)
    except Broken as problem:
        return problem
    except WebProblem:  # some are still to be chosen
        return None
    return None


def _with_tiles(game: Game, form: Form) -> Game:
    if fixed := tiles_fixed(game):
        raise fixed
    kinds = _kinds(game.start)
    words = _chosen(form).values()
    if not kinds.keys() >= {*words}:
        raise WebProblem("bad_field", field="tile")
    start = replace(game.start, demand=(None, *(kinds[word] for word in words)))
    for broken in check(start):
        raise broken
    return Game(start)


def _tiles_page(start: State, chosen: Mapping[int, str], problem: Problem | None = None, **more: Any) -> str:
    """The form for the demand tiles, `chosen` by city; and what is wrong with them, the cities marked."""
    wrong = "-".join(problem.values.get("tile", ())) if problem else None
    kinds = kinds_of_tiles(start.setup.pack)
    return render_template(
        "game/tiles.html", start=start, chosen=chosen, kinds=kinds, problem=problem, wrong=wrong, **more
    )


def _kinds(start: State) -> Mapping[str, Pair]:
    """Every pair of symbols on demand tiles as the form names it."""
    return {"-".join(tile): tile for tile in start.setup.pack.demand_tiles}


def _flagged(form: Form, name: str) -> set[int]:
    """The cities of which a form says this."""
    said = form.getlist(name)
    return {number for number in range(1, LAST_CITY + 1) if str(number) in said}


def _chosen(form: Form) -> dict[int, str]:
    """The tile of each city as the form names it, such as "brown-gray"."""
    return {number: form.get(f"tile{number}", "") for number in range(1, LAST_CITY + 1)}
