"""Going on with a game that was begun without these pages: photos and people tell how it stands between two turns."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, flash, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine.hexgrid import Hex
from engine.mini_express import COMPANIES, MODULES, SEATS, Game, Part, Setup
from engine.mini_express.board import Board
from engine.mini_express.fields import NONE, Path
from engine.mini_express.notation import hex_to_text
from engine.mini_express.setup import make_setup, starting_state
from engine.sentences import Problem

from ..forms import Form, hex_of, photos_sent, players
from ..kept.positions import Position
from ..language import line_of, listed, say
from ..problems import WebProblem, status_of
from ..seam import games, pack_in_use, positions, reader
from .known import asked, board_of, followed, in_the_form, in_words, on_the_map, shown_in_short, typed_in
from .places import place, problem_on
from .start import modules_in

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import TableScan

underway = Blueprint("underway", __name__)

CONFLICTS_SHOWN = 6
PAGE = "/underway/<string(length=16):id>"


@underway.get("/underway")
def who() -> str:
    """Who plays, and photos of the boards."""
    chosen = {"board": "usa", "mode": "solo", "difficulty": "passenger"}
    boards, photos = pack_in_use().boards.values(), bool(reader().profiles.all())
    return render_template(
        "underway_new.html", boards=boards, chosen=chosen, seats=SEATS, modules=MODULES, photos=photos
    )


@underway.post("/underway")
def begin() -> ResponseReturnValue:
    """Who plays is agreed; what photos show of the boards is filled in already."""
    setup, photos = _setup(request.form), reader().loaded(photos_sent(request.files))
    found, pictures = reader().table(photos, setup) if photos else (None, [])
    if found:
        _tell_of(found)
    return _to_position(positions().begin(_part(setup, found), photos, pictures))


def _setup(form: Form) -> Setup:
    mode, difficulty, humans = players(form)
    pack = pack_in_use()
    return make_setup(form.get("board", "")[:40], mode, difficulty, humans, modules_in(form, pack), pack)


def _tell_of(found: "TableScan") -> None:
    """What does not fit in the photos, and the boards that none of them shows."""
    for problem in found.all_conflicts[:CONFLICTS_SHOWN]:
        flash(line_of(problem))
    if found.missing:
        flash(say("Not found in the photos: {boards}.", boards=listed(found.missing)))


def _part(setup: Setup, found: "TableScan | None") -> Part:
    """What is agreed and seen, at the beginning of a turn; without a photo of the map only the first trains (R2.2)."""
    start, seen = starting_state(setup, ()), found.to_json() if found else {}
    agreed = {
        "board": setup.board.id,
        "mode": setup.mode,
        "difficulty": setup.difficulty,
        "modules": list(setup.modules),
        "seats": list(setup.seats),
        "phase": "play",
    }
    track = {company: [list(at) for at in start.hexes(company)] for company in COMPANIES}
    part = Part.from_json({**seen, "state": {"track": track, **seen.get("state", {}), **agreed}}, setup.pack)
    turn = [
        *(["bot.redraw=false"] if setup.bot_seat else []),
        *(["actions_left=2"] if setup.mode == "experts" else []),
    ]
    return part.filled_in(turn)


def _to_position(id: str, anchor: str | None = None) -> ResponseReturnValue:
    return redirect(url_for("underway.show", id=id, _anchor=anchor), 303)


@underway.get(PAGE)
def show(id: str) -> str:
    return _page(positions().load(id))


def _page(position: Position, typed: Mapping[Path, str] | None = None, problem: Problem | None = None) -> str:
    """What is known of a position and what is not, `typed` in the fields where that was refused as `problem`."""
    part, board = position.part, board_of(position.part)
    known, missing, contradiction = followed(part)
    return render_template(
        "underway.html",
        position=position,
        part=part,
        missing=missing,
        place=lambda at: place(board, at),
        wrong=problem.values.get("field") if problem else None,
        problem=problem_on(board, problem) if problem else None,
        contradiction=problem_on(board, contradiction) if contradiction else None,
        **on_the_map(part, missing, _looked_at(board)),
        **in_the_form(part, known, missing, typed or {}),
    )


def _looked_at(board: Board) -> Hex | None:
    """The hex that the visitor tapped."""
    at = hex_of(text, "hex") if (text := request.args.get("hex")) else None
    if at and at not in board.index:
        raise WebProblem("bad_field", field="hex")
    return at


@underway.post(PAGE)
def tell(id: str) -> ResponseReturnValue:
    """The numbers and markers that a person reads off the boards, as many as are filled in."""
    position, form = positions().load(id), request.form
    typed = {path: typed_in(form.getlist(path)) for path in asked(position.part)}

    def told(part: Part) -> Part:
        if form.get("seen") != shown_in_short(part):
            raise WebProblem("tables_changed")
        return part.filled_in([f"{path}={text}" for path, text in typed.items() if text])

    try:
        positions().change(id, told)
    except Problem as problem:
        return _page(positions().load(id), typed, in_words(problem)), status_of(problem)
    return _to_position(id, "numbers")


@underway.post(PAGE + "/hex")
def correct(id: str) -> ResponseReturnValue:
    """All trains of a hex, and the demand tile of a city."""
    form, at = request.form, hex_of(request.form.get("hex", ""), "hex")
    trains = [company for company in COMPANIES if company in form.getlist("train")]
    said = [f"track.{hex_to_text(at)}={','.join(trains) or NONE}"]

    def told(part: Part) -> Part:
        city = board_of(part).city_at.get(board_of(part).index.get(at, -1))
        tile = typed_in(form.getlist("tile"))
        return part.filled_in([*said, *([f"demand.{city.number}={tile}"] if city and tile else [])])

    positions().change(id, told)
    return _to_position(id, "map")


@underway.post(PAGE + "/rest")
def confirm(id: str) -> ResponseReturnValue:
    """All other trains are as they were read."""
    positions().change(id, lambda part: part.filled_in(["track=confirmed"]))
    return _to_position(id, "numbers")


@underway.post(PAGE + "/go")
def go_on(id: str) -> ResponseReturnValue:
    """A game that goes on from this position, which its photos teach the profile by."""
    position = positions().load(id)
    if (state := position.part.state()) is None:
        raise WebProblem("incomplete")
    photos, game = positions().photos(position), games().create(Game(state))
    if photos:
        reader().learn_later(position.id, photos, state)
    positions().forget(position)
    return redirect(url_for("playing.table", id=game), 303)


@underway.post(PAGE + "/forget")
def forget(id: str) -> ResponseReturnValue:
    positions().forget(positions().load(id))
    return redirect(url_for("starting.home"), 303)


@underway.get(PAGE + "/<int:number>.jpg")
def picture(id: str, number: int) -> ResponseReturnValue:
    """One of the photos of the map, with what was read drawn in."""
    return send_file(positions().picture(positions().load(id), number).resolve(), mimetype="image/jpeg")
