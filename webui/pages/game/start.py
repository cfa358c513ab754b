"""The games of this table: begun, opened from a file, saved to one, put away."""

import json
from urllib.parse import urlencode

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.mini_express import Game, Malformed, PartProblem, is_record
from engine.mini_express.record import MAX_TEXT

from ...kept.games import Kept
from ...problems import WebProblem
from ...services import counts, games, pack_in_use, packs, positions
from ..agreed import agreed, agreed_so_far, new_state

# What a file is that holds no whole position, to somebody who has saved no state as JSON.
NO_POSITION = (
    "state_not_object",
    "state_format",
    "state_in_part",
    "state_nothing",
    "state_action",
    "state_missing",
)

starting = Blueprint("starting", __name__)


@starting.get("/")
def home() -> str:
    """The games of this table, the newest first."""
    every = games().newest_first()
    over = [kept for kept in every if isinstance(kept, Kept) and kept.state.phase == "over"]
    newest = next((kept for kept in every if isinstance(kept, Kept) and kept not in over), None)
    others = [kept for kept in every if kept is not newest and kept not in over]
    away = games().newest_first(away=True)
    lists = {
        "games": others,
        "over": over,
        "away": away,
        "positions": positions().all(),
        "counted": counts().all(),
    }
    return render_template("game/home.html", newest=newest, **lists)


@starting.get("/new")
def new_form() -> str:
    boards = pack_in_use().boards.values()
    return render_template("game/new.html", boards=boards, chosen=agreed_so_far(request.args))


@starting.post("/new")
def create() -> ResponseReturnValue:
    """A new game; the engine refuses what does not fit together."""
    form = request.form
    state = new_state(form, pack_in_use())
    if form.get("tiles") == "enter":
        return redirect(f"{url_for('laying.lay')}?{urlencode(agreed(form), doseq=True)}", 303)
    return begun(Game(state))


def begun(game: Game) -> ResponseReturnValue:
    """To the table of a game that begins. Raises WebProblem."""
    return redirect(url_for("playing.table", id=games().create(game)), 303)


@starting.post("/open")
def open_file() -> ResponseReturnValue:
    """Go on with a game, or from a position, in a file as the log page or the commands write it."""
    file = request.files.get("game")
    data = file.stream.read(MAX_TEXT + 1) if file else b""
    return begun(_game_in(data))


def _game_in(data: bytes) -> Game:
    """The game of a record, or one that starts from the state JSON. Raises WebProblem, Malformed."""
    try:
        text = data.decode("utf-8-sig") if len(data) <= MAX_TEXT else ""
        obj = None if is_record(text) else json.loads(text)
    except (ValueError, RecursionError):
        raise WebProblem("no_game_file") from None
    try:
        return packs().game(text) if is_record(text) else Game(packs().state(obj))
    except PartProblem:  # only a part of a position, or that of a photo
        raise WebProblem("no_game_file") from None
    except Malformed as problem:
        if problem.key in ("game_pack", "state_pack"):
            raise WebProblem("other_copy") from None
        raise WebProblem("no_game_file") if problem.key in NO_POSITION else problem from None


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
