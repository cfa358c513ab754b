"""Starting a game: what is agreed before it, and the demand tiles that really lie on the table."""

import json
import random
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.mini_express import (
    DIFFICULTIES,
    MODULES,
    SEATS,
    Broken,
    Game,
    Pack,
    State,
    check,
    is_record,
    new,
    state_of_json,
)
from engine.mini_express.names import LAST_CITY, Pair
from engine.mini_express.record import MAX_TEXT
from engine.mini_express.setup import has_room_for

from ..forms import Form, players
from ..kept.packs import Packs
from ..kept.store import Kept
from ..problems import WebProblem, status_of
from ..seam import games, pack_in_use, packs, positions, reader

starting = Blueprint("starting", __name__)

# So many players have a colour before anybody chose, should more play this time.
SEATS_SHOWN = 3


@starting.get("/")
def home() -> str:
    """The games of this table, the newest first."""
    every = games().newest_first()
    over = [kept for kept in every if isinstance(kept, Kept) and kept.state.phase == "over"]
    games_on = [kept for kept in every if kept not in over]
    away = games().newest_first(away=True)
    return render_template("home.html", games=games_on, over=over, away=away, positions=positions().all())


@starting.get("/new")
def new_form() -> str:
    boards = pack_in_use().boards.values()
    return render_template("new.html", boards=boards, chosen=agreed_last(), seats=SEATS, modules=MODULES)


def agreed_last() -> dict[str, Any]:
    """What a form for a game begins with: what was agreed for the newest one; for the first, a game alone."""
    kept = games().newest()
    if kept is None:
        first = {"board": "usa", "mode": "solo", "difficulty": DIFFICULTIES[0]}
        return {**first, "seats": SEATS[:SEATS_SHOWN], "modules": ()}
    newest = kept.state.setup
    others = [seat for seat in SEATS if seat not in newest.humans]
    return {
        "board": newest.board.id,
        "mode": newest.mode,
        "difficulty": newest.difficulty or DIFFICULTIES[0],
        "seats": [*newest.humans, *others[: max(0, SEATS_SHOWN - len(newest.humans))]],
        "modules": newest.modules,
    }


@starting.post("/new")
def create() -> ResponseReturnValue:
    """A new game; the engine refuses what does not fit together."""
    form = request.form
    state = _new_state(form, pack_in_use())
    if form.get("tiles") == "enter":
        return redirect(f"{url_for('starting.lay')}?{urlencode(_agreed(form), doseq=True)}", 303)
    return _begun(Game(state))


def _begun(game: Game) -> ResponseReturnValue:
    return redirect(url_for("playing.table", id=games().create(game)), 303)


@starting.get("/new/tiles")
def lay() -> str:
    """The demand tiles of a game that begins once they are chosen: what was agreed stands in the address."""
    return _tiles_page(_new_state(request.args, pack_in_use()), {}, agreed=_agreed(request.args))


@starting.post("/new/tiles")
def begin() -> ResponseReturnValue:
    """A new game with the tiles that lie on the table."""
    form, state = request.form, _new_state(request.form, pack_in_use())
    try:
        return _begun(_with_tiles(Game(state), form))
    except Broken as problem:
        return _tiles_page(state, _chosen(form), problem, agreed=_agreed(form)), status_of(problem)


def _tiles_page(start: State, chosen: Mapping[int, str], problem: Broken | None = None, **more: Any) -> str:
    """The form for the demand tiles, `chosen` by city; and what is wrong with them, the cities marked."""
    wrong = "-".join(problem.values.get("tile", ())) if problem else None
    kinds = kinds_of_tiles(start.setup.pack)
    return render_template(
        "tiles.html", start=start, chosen=chosen, kinds=kinds, problem=problem, wrong=wrong, **more
    )


def kinds_of_tiles(pack: Pack) -> Collection[tuple[Pair, int]]:
    """Every pair of symbols on demand tiles, and how many there are of it."""
    return Counter(pack.demand_tiles).items()


def _chosen(form: Form) -> dict[int, str]:
    """The tile of each city as the form names it, such as "brown-gray"."""
    return {number: form.get(f"tile{number}", "") for number in range(1, LAST_CITY + 1)}


def _agreed(form: Form) -> dict[str, list[str]]:
    """What a game is set up by, as it was filled in."""
    seats = (f"seat{i}" for i in range(len(SEATS)))
    fields = ("board", "mode", "difficulty", "module", "korean_start", *seats)
    return {field: form.getlist(field) for field in fields if field in form}


def _new_state(form: Form, pack: Pack) -> State:
    mode, difficulty, seats = players(form)
    return new(
        board=form.get("board", "")[:40],
        mode=mode,
        difficulty=difficulty,
        seats=seats,
        modules=modules_in(form, pack),
        rng=random.SystemRandom(),
        pack=pack,
        korean_start="korean_start" in form,
    )


def modules_in(form: Form, pack: Pack) -> list[str]:
    """Those that were ticked; not those that the form hides since the map has no room for them."""
    board = pack.boards.get(form.get("board", ""))
    ticked = [module[:40] for module in form.getlist("module")[: len(MODULES)]]
    return [module for module in ticked if board is None or has_room_for(board, module)]


@starting.post("/open")
def open_file() -> ResponseReturnValue:
    """Go on with a game, or from a position, in a file as the log page or the commands write it."""
    file = request.files.get("game")
    data = file.stream.read(MAX_TEXT + 1) if file else b""
    return _begun(_game_in(data, packs()))


def _game_in(data: bytes, packs: Packs) -> Game:
    """The game of a record, or one that starts from the state JSON. Raises WebProblem, Malformed, PartProblem."""
    try:
        text = data.decode("utf-8-sig") if len(data) <= MAX_TEXT else ""
        obj = None if is_record(text) else json.loads(text)
    except (ValueError, RecursionError):
        raise WebProblem("no_game_file") from None
    return packs.game(text) if is_record(text) else Game(state_of_json(obj, packs.in_use))


@starting.get("/game/<gid:id>/tiles")
def tiles(id: str) -> ResponseReturnValue:
    """The demand tiles, city by city, to be changed to those on the table: as in the game, or as a photo shows them."""
    kept, photo = games().load(id), request.args.get("photo")
    reading = reader().get(kept, photo) if photo else None
    if reading and not reading.done:
        return redirect(url_for("photographing.show", id=id, rid=reading.id), 303)
    shown = reading.map.tiles_shown if reading and reading.map else ()
    read: dict[int, Pair | None] = {tile.city: tile.pair for tile in shown}
    laid = read or dict(enumerate(kept.game.start.demand))
    words = {number: "-".join(tile) for number, tile in laid.items() if tile}
    unsure, fixed = {tile.city for tile in shown if tile.doubtful}, tiles_fixed(kept.game)
    return _tiles_page(kept.game.start, words, kept=kept, fixed=fixed, proposed=bool(shown), unsure=unsure)


@starting.post("/game/<gid:id>/tiles")
def set_tiles(id: str) -> ResponseReturnValue:
    """Lay out the demand tiles as they lie on the table, while nothing has been played."""
    form = request.form
    try:
        games().change(id, form.get("version", ""), lambda game: _with_tiles(game, form))
    except Broken as problem:
        kept = games().load(id)
        return _tiles_page(kept.game.start, _chosen(form), problem, kept=kept), status_of(problem)
    return redirect(url_for("playing.table", id=id), 303)


def tiles_fixed(game: Game) -> WebProblem | None:
    """Why its demand tiles stay as they are, if they do.

    They are laid before the draft (R2.3, R2.4), in which a file may begin.
    """
    if game.start.phase != "draft" or any(map(any, game.start.shares)):
        return WebProblem("tiles_opened")
    return WebProblem("tiles_late") if game.actions else None


def _with_tiles(game: Game, form: Form) -> Game:
    if fixed := tiles_fixed(game):
        raise fixed
    kinds = {"-".join(tile): tile for tile in game.start.setup.pack.demand_tiles}
    words = _chosen(form).values()
    if not kinds.keys() >= {*words}:
        raise WebProblem("bad_field", field="tile")
    start = replace(game.start, demand=(None, *(kinds[word] for word in words)))
    for broken in check(start):
        raise broken
    return Game(start)


@starting.get("/game/<gid:id>/record.txt")
def record(id: str) -> ResponseReturnValue:
    """The whole game as text, to keep or to send to somebody."""
    kept = games().load(id)
    file = f'attachment; filename="mini-express-{kept.id}.txt"'
    headers = {"Content-Disposition": file, "Content-Type": "text/plain; charset=utf-8"}
    return kept.game.to_text(), headers


@starting.post("/game/<gid:id>/away")
def put_away(id: str) -> ResponseReturnValue:
    """Out of the list, but not lost."""
    games().put_away(id)
    return redirect(url_for("starting.home"), 303)


@starting.post("/away/<gid:id>")
def take_back(id: str) -> ResponseReturnValue:
    """Into the list again."""
    games().take_back(id)
    return redirect(url_for("playing.table", id=id), 303)


@starting.get("/favicon.ico")
def favicon() -> ResponseReturnValue:
    abort(404)
