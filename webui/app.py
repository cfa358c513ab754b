"""The application: its parts put together, and one sentence for whatever goes wrong."""

import re
from pathlib import Path
from urllib.parse import urlencode

from flask import Flask, current_app, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter

from engine.mini_express import COMPANIES, DIFFICULTIES, Pack, score, tie_break
from engine.mini_express.notation import hex_to_text
from engine.sentences import Problem

from . import access, language
from .forms import PHOTOS_AT_MOST, route_text, tile_text
from .kept.counts import Counts
from .kept.drafts import Drafts
from .kept.packs import Packs
from .kept.positions import Positions
from .kept.profiles import Profiles
from .kept.reader import Reader
from .kept.saving import used_for_games
from .kept.store import Games
from .language import line_of
from .pages.advising import advising
from .pages.calibrating import calibrating
from .pages.clauses import looking_up
from .pages.copying import copying
from .pages.counting import counting
from .pages.demand_tiles import laying
from .pages.photos import photographing
from .pages.play import playing
from .pages.start import starting
from .pages.tables import tables
from .pages.underway import underway
from .problems import UPLOAD_MEGABYTES, WebProblem, status_of
from .seam import GAME_ID, games

# The pages whose form can be filled in from their address, by what takes the form; what is no part of it, and how long
# an address may be.
FILLED_IN = ("starting.create", "laying.begin", "underway.begin", "counting.read_tracks", "calibrating.send")
NOT_FILLED_IN = ("token", "version")
ADDRESS_AT_MOST = 4000

HTTP_PROBLEMS = {404: "no_page", 405: "wrong_method", 413: "too_heavy"}


class _GameId(BaseConverter):
    """An id that the server made; anything else is no page of ours."""

    regex = GAME_ID


def create_app(data_dir: Path, profile_dir: Path | None, join_code: str, pack: Pack | None = None) -> Flask:
    """The Flask application for one table. Raises WebProblem where `data_dir` cannot be used."""
    folder = _usable(data_dir)
    packs = Packs(folder / "packs", pack)
    app = Flask(__name__)
    app.config.update(
        MAX_CONTENT_LENGTH=UPLOAD_MEGABYTES * 1_000_000,
        GAMES=Games(folder, packs),
        PACKS=packs,
        READER=Reader(folder / "photos", Profiles(profile_dir, folder / "profiles")),
        COUNTS=Counts(folder / "counts"),
        DRAFTS=Drafts(folder / "calibrations"),
        POSITIONS=Positions(folder / "positions", packs),
    )
    app.url_map.converters["gid"] = _GameId
    access.init(app, folder, join_code)
    language.init(app)
    for blueprint in (
        starting,
        laying,
        playing,
        advising,
        photographing,
        counting,
        underway,
        calibrating,
        copying,
        tables,
        looking_up,
    ):
        app.register_blueprint(blueprint)
    app.register_error_handler(Problem, _refused)
    app.register_error_handler(HTTPException, _refused_by_http)
    app.register_error_handler(Exception, _failed)
    _equip_templates(app, packs)
    return app


def _equip_templates(app: Flask, packs: Packs) -> None:
    app.jinja_env.globals.update(
        COMPANIES=COMPANIES,
        DIFFICULTIES=DIFFICULTIES,
        UPLOAD_MEGABYTES=UPLOAD_MEGABYTES,
        PHOTOS_AT_MOST=PHOTOS_AT_MOST,
        hex_text=hex_to_text,
        route_text=route_text,
        tile_text=tile_text,
        score=score,
        tie_break=tie_break,
        back=_back,
        may_change=lambda: packs.may_change,
        in_language=_in_language,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True


def _usable(data_dir: Path) -> Path:
    """The folder of the games, made if need be and tried out."""
    with used_for_games(data_dir):
        (data_dir / "photos").mkdir(exist_ok=True)
        trial = data_dir / ".trial"
        trial.touch()
        trial.unlink()
    return data_dir


def _here() -> str:
    """The page to show in another language: this one, or after a refused form the one it stands on or its game's."""
    if request.method == "GET" or _is_page(request.path):
        return request.path
    game = _game_in_path()
    return url_for("playing.table", id=game) if game else url_for("starting.home")


def _is_page(path: str) -> bool:
    """Whether a path can be asked for, not only sent to."""
    try:
        current_app.url_map.bind("here").match(path, method="GET")
    except HTTPException:
        return False
    return True


def _game_in_path() -> str | None:
    """The id of the game that the page asked for is of."""
    found = re.match(rf"/game/({GAME_ID})", request.path)
    return found[1] if found else None


def _back() -> str:
    """Where to go on from a page that refused: the game, the position or the boards it is of, else all games."""
    game = _game_in_path()
    if game and games().holds(game) and request.path != (table := url_for("playing.table", id=game)):
        return table
    if position := re.match(r"(/underway/[0-9a-f]{16})/", request.path):
        return position[1]
    if request.path.startswith(("/calibrate/", "/copy/")):
        return url_for("calibrating.overview")
    return url_for("starting.home")


def _in_language(code: str) -> str:
    """The same page in another language; of a form that was refused with all that was filled in."""
    return f"{_here()}?{urlencode({**_asked(), 'lang': code}, doseq=True)}"


def _asked() -> dict[str, list[str]]:
    """What the address says of the page, or would say after a form."""
    if request.method == "GET":
        return request.args.to_dict(flat=False)
    return _filled_in() if request.endpoint in FILLED_IN else {}


def _filled_in() -> dict[str, list[str]]:
    """What the form says, {} where that is no form of ours: too big to be read, or for an address."""
    try:
        form = request.form.to_dict(flat=False)
    except HTTPException:
        return {}
    said = {name: values for name, values in form.items() if name not in NOT_FILLED_IN}
    return said if len(urlencode(said, doseq=True)) <= ADDRESS_AT_MOST else {}


def _refused(problem: Problem) -> ResponseReturnValue:
    if problem.key == "draft_gone" and request.method == "GET" and not request.path.endswith(".jpg"):
        return redirect(_back())  # who goes back after keeping it has not failed
    return _answer(problem, status_of(problem))


def _refused_by_http(error: HTTPException) -> ResponseReturnValue:
    problem = WebProblem(HTTP_PROBLEMS.get(error.code or 400, "bad_request"), limit=UPLOAD_MEGABYTES)
    return _answer(problem, error.code or 400)


def _failed(error: Exception) -> ResponseReturnValue:
    """A mistake of ours: the details are for whoever runs the server, the visitor gets a sentence."""
    current_app.logger.exception("%s %s", request.method, request.path, exc_info=error)
    return _answer(WebProblem("inside"), 500)


def _answer(problem: Problem, status: int) -> ResponseReturnValue:
    if request.path.endswith(("/version", "/status")):
        return jsonify(error=line_of(problem)), status
    return render_template("refused.html", problem=problem), status
