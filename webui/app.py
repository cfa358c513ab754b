"""The application: its parts put together, and one sentence for whatever goes wrong."""

from pathlib import Path

from flask import Flask, Response, current_app, jsonify, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest, HTTPException
from werkzeug.routing import BaseConverter

from engine.mini_express import COMPANIES, DIFFICULTIES, MODULES, SEATS, Pack, score, tie_break
from engine.mini_express.notation import hex_to_text
from engine.sentences import Problem

from . import access, language
from .forms import PHOTOS_AT_MOST, route_text, tile_text
from .kept.calibrations import Calibrations
from .kept.counts import Counts
from .kept.games import GAME_ID, Games
from .kept.packs import Packs
from .kept.positions import Positions
from .kept.profiles import Profiles
from .kept.reader import Reader
from .kept.saving import used_for_games
from .kept.thoughts import Thoughts
from .language import MODE_NAMES, line_of
from .links import back, in_language
from .pages.boards.calibrating import calibrating
from .pages.boards.copying import copying
from .pages.boards.tables import tables
from .pages.clauses import looking_up
from .pages.count.counting import counting
from .pages.game.advising import advising
from .pages.game.demand_tiles import laying
from .pages.game.play import playing
from .pages.game.start import starting
from .pages.photo.photos import photographing
from .pages.position.underway import underway
from .problems import UPLOAD_MEGABYTES, WebProblem, status_of
from .services import NAME, Services, packs

BLUEPRINTS = (
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
)
HTTP_PROBLEMS = {404: "no_page", 405: "wrong_method", 413: "too_heavy"}


class _GameId(BaseConverter):
    """An id that the server made; anything else is no page of ours."""

    regex = GAME_ID


def create_app(data_dir: Path, profile_dir: Path | None, join_code: str, pack: Pack | None = None) -> Flask:
    """The Flask application for one table. Raises WebProblem where `data_dir` cannot be used."""
    folder = _usable(data_dir)
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = UPLOAD_MEGABYTES * 1_000_000
    app.extensions[NAME] = _services(folder, profile_dir, pack)
    app.url_map.converters["gid"] = _GameId
    app.before_request(_refuse_host)  # first: whatever comes then may make links
    language.init(app)
    access.init(app, folder, join_code)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    _answer_problems(app)
    _equip_templates(app)
    return app


def _services(folder: Path, profile_dir: Path | None, pack: Pack | None) -> Services:
    """What keeps and reads the table's things below `folder`."""
    printed = Packs(folder / "packs", pack)
    return Services(
        games=Games(folder, printed),
        packs=printed,
        reader=Reader(folder / "photos", Profiles(profile_dir, folder / "profiles")),
        counts=Counts(folder / "counts"),
        calibrations=Calibrations(folder / "calibrations"),
        positions=Positions(folder / "positions", printed),
        thoughts=Thoughts(),
    )


def _equip_templates(app: Flask) -> None:
    app.jinja_env.globals.update(
        COMPANIES=COMPANIES,
        DIFFICULTIES=DIFFICULTIES,
        MODES=tuple(MODE_NAMES),
        MODULES=MODULES,
        SEATS=SEATS,
        UPLOAD_MEGABYTES=UPLOAD_MEGABYTES,
        PHOTOS_AT_MOST=PHOTOS_AT_MOST,
        hex_text=hex_to_text,
        route_text=route_text,
        tile_text=tile_text,
        score=score,
        tie_break=tie_break,
        back=back,
        may_change=lambda: packs().may_change,
        damaged_copy=lambda: packs().damaged,
        in_language=in_language,
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


def _refuse_host() -> Response | None:
    """At a host that cannot be there is no page, for none could have links."""
    return Response(status=400) if isinstance(request.routing_exception, BadRequest) else None


def _answer_problems(app: Flask) -> None:
    app.register_error_handler(Problem, _refused)
    app.register_error_handler(HTTPException, _refused_by_http)
    app.register_error_handler(Exception, _failed)


def _refused(problem: Problem) -> ResponseReturnValue:
    if problem.key == "calibration_gone" and request.method == "GET" and not request.path.endswith(".jpg"):
        return redirect(back())  # who goes back after keeping it has not failed
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
