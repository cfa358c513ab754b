"""Going on with a game that was begun without these pages: photos and people tell how it stands between two turns."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine.mini_express import COMPANIES, Game, Setup, State
from engine.mini_express.fields import NONE, Path
from engine.mini_express.notation import hex_to_text
from engine.mini_express.setup import make_setup
from engine.sentences import N_, Problem

from ...forms import Form, beside_others, beyond_track, photos_sent, players
from ...kept.positions import Position
from ...language import line_of, say
from ...problems import WebProblem, status_of
from ...services import games, pack_in_use, positions, reader
from ..agreed import agreed_so_far, modules_in
from ..drawing import hexes_over
from ..places import looked_at, place, problem_on, told_of, was_seen
from ..sharing import share_tiles_known, shares_in, shares_sent, tell_otherwise
from .equals import changed_tiles, with_equals
from .known import (
    about_field,
    agreed_and_seen,
    apart_in,
    asked,
    board_of,
    cannot_be,
    drawn_in_short,
    followed,
    in_the_form,
    nearest_open,
    not_played,
    on_the_map,
    open_on_map,
    shown_in_short,
    shown_values,
    ticked,
    told_by_form,
    trains_as_drawn,
    typed_in,
)
from .looking import Photos, agreed_of, also_played, look_at, look_at_boards

underway = Blueprint("underway", __name__)

PAGE = "/underway/<string(length=16):id>"


@underway.before_request
def nothing_too_late() -> None:
    """What is sent of a position whose game was played on since would change nothing. Raises WebProblem."""
    id = (request.view_args or {}).get("id")
    if request.method == "POST" and id and _played_on(positions().load(id)):
        raise WebProblem("played_since")


@underway.get("/underway")
def who() -> str:
    """Who plays, and photos of the boards."""
    boards, photos = pack_in_use().boards.values(), bool(reader().profiles.all())
    return render_template(
        "position/underway_new.html",
        boards=boards,
        chosen=agreed_so_far(request.args),
        photos=photos,
        shares_known=share_tiles_known(),
    )


@underway.post("/underway")
def begin() -> ResponseReturnValue:
    """Who plays is agreed; what photos show of the boards is filled in already."""
    setup, files = _setup(request.form), photos_sent(request.files)
    id = positions().begin(agreed_and_seen(setup, None))
    if files:
        look_at_boards(id, files)
    return _to_position(id)


def _setup(form: Form) -> Setup:
    mode, difficulty, humans = players(form)
    pack = pack_in_use()
    return make_setup(form.get("board", "")[:40], mode, difficulty, humans, modules_in(form, pack), pack)


def _to_position(id: str, anchor: str | None = None) -> ResponseReturnValue:
    return redirect(url_for("underway.show", id=id, _anchor=anchor), 303)


@underway.get(PAGE)
def show(id: str) -> ResponseReturnValue:
    """What is known so far; once its game is played on, that game.

    After a refusal that is read in another language, what was typed stands in the address.
    """
    position = positions().load(id)
    if _played_on(position):
        return redirect(url_for("playing.table", id=position.game), 303)
    if "seen" not in request.args:
        return _page(position)
    try:
        _told(position, request.args)
    except Problem as problem:
        return _refused(position, request.args, problem)
    return _page(position, _typed(position, request.args))


def _page(position: Position, typed: Mapping[Path, str] | None = None, problem: Problem | None = None) -> str:
    """What is known of a position and what is not, `typed` in the fields where that was refused as `problem`."""
    part, board = position.part, board_of(position.part)
    known, missing, contradiction = followed(part)
    on_map = on_the_map(part, missing, looked_at(board))
    typed = typed or {}
    form = in_the_form(position, known, missing, typed)
    return render_template(
        "position/underway.html",
        position=position,
        begun_game=_begun_game(position),
        part=part,
        missing=missing,
        place=lambda at: place(board, at),
        drawn=lambda hexes: drawn_in_short(part, hexes),
        boards_known=reader().profiles.know(board) or bool(reader().profiles.all()),
        shares_known=share_tiles_known(),
        photos_of_map=[
            (n, seen.size, hexes_over(on_map["picture"], seen)) for n, seen in position.maps.items()
        ],
        **on_map,
        **form,
        beyond=beyond_track(form["typed"], part.pack),
        beyond_track=WebProblem("beyond_track", limit=part.pack.influence_length),
        **_amiss(position, typed, missing, problem, contradiction),
    )


def _amiss(
    position: Position,
    typed: Mapping[Path, str],
    missing: Sequence[Path],
    problem: Problem | None,
    contradiction: Problem | None,
) -> dict[str, Any]:
    """What is wrong or looks so: in what was typed, in what is known of the position, and between its photos."""
    part, board = position.part, board_of(position.part)
    return {
        "problem": problem,
        "wrong": cannot_be(part, typed) if problem and "field" in problem.values else (),
        "contradiction": contradiction,
        "not_played": [] if contradiction else [problem_on(board, each) for each in not_played(part)],
        "apart": apart_in(found := positions().shown_of(position.id), part, missing),
        "also": also_played(found, part),
        "problem_on": lambda problem: problem_on(board, problem),
    }


@underway.post(PAGE)
def tell(id: str) -> ResponseReturnValue:
    """The numbers and markers that a person reads off the boards, as many as are filled in."""
    return _tell(id) or _to_position(id, "still")


def _tell(id: str, also: str = "") -> ResponseReturnValue | None:
    """Keep what the form says; the page with what is wrong with it, if something is, and what then is to be said of
    the photos sent with it."""
    form = request.form
    try:
        _change(id, lambda position: _told(position, form))
    except Problem as problem:
        if also and any(request.files.values()):
            flash(say(also))
        return _refused(positions().load(id), form, problem), status_of(problem)
    return None


def _change(id: str, told: Callable[[Position], Position]) -> Position:
    """Replace what is known of a position; tiles that look like one which is told follow it, and that is said."""
    read_anew: list[int] = []

    def change(position: Position) -> Position:
        after = told(position)
        alike = with_equals(position, after, positions().shown_of(id))
        read_anew[:] = changed_tiles(after, alike)
        return alike

    after = positions().change(id, change)
    if read_anew:
        cities = [board_of(after.part).numbered[number].name for number in read_anew]
        flash(
            say(
                "With that, the demand tiles of these cities are read otherwise, too: {cities}.",
                cities=cities,
            )
        )
    return after


def _typed(position: Position, form: Form) -> dict[Path, str]:
    """What the form says of all that is asked, as far as it has fields for it."""
    return {path: typed_in(form.getlist(path)) for path in asked(position.part) if path in form}


def _told(position: Position, form: Form) -> Position:
    """With what the form says, beside what others have told since it was shown.

    Raises WebProblem where they have told the same otherwise, PartProblem, Broken.
    """
    typed, sure = _typed(position, form), form.getlist("sure")
    if form.get("seen") != shown_in_short(position):
        now = shown_values(position, followed(position.part)[0])
        found = beside_others(form, typed, now, ticked(now, sure))
        if found is None or found[1]:
            raise WebProblem("tables_changed")
        typed = found[0]
    return told_by_form(position, typed, sure)


def _refused(position: Position, form: Form, problem: Problem) -> str:
    """The page with what was typed, and what is wrong with it; what others have told since is there, too."""
    typed = _typed(position, form)
    if problem.key == "tables_changed":
        found = beside_others(form, typed, shown_values(position, followed(position.part)[0]))
        typed = found[0] if found else {path: text for path, text in typed.items() if text}
    return _page(position, typed, about_field(problem))


@underway.post(PAGE + "/photos")
def look(id: str) -> ResponseReturnValue:
    """More photos of the boards, and of the shares in front of players; what was typed in stays."""
    if refused := _tell(id, N_("The photos were not read yet: choose them again.")):
        return refused
    setup = agreed_of(positions().load(id))
    boards, shares = photos_sent(request.files), shares_sent(setup)
    if not boards and not shares:
        flash(line_of(WebProblem("no_photo")))
    if boards:
        look_at_boards(id, boards)
    found = [figure for _, figures in shares_in(setup, shares).values() for figure in figures]
    if counted := {figure.name: str(figure.best) for figure in found if figure.claimed}:
        tell_otherwise(counted, positions().load(id).written)
        positions().change(id, lambda position: position.counted(counted))
    return _to_position(id, "numbers")


@underway.post(PAGE + "/photos/<int:number>/remove")
def remove(id: str, number: int) -> ResponseReturnValue:
    """A photo that is better not read at all; what was typed in stays."""

    def others(_: Position, kept: Photos) -> Photos:
        return {n: photo for n, photo in kept.items() if n != number}

    if refused := _tell(id):
        return refused
    look_at(id, others)
    return _to_position(id, "photos")


@underway.post(PAGE + "/hex")
def correct(id: str) -> ResponseReturnValue:
    """All trains of a hex, and the demand tile of a city."""
    before, form = positions().load(id).part, request.form
    at = told_of(board := board_of(before))
    trains = [company for company in COMPANIES if company in form.getlist("train")]
    said = [f"track.{hex_to_text(at)}={','.join(trains) or NONE}"]
    # The tile that was shown may be what a photo seems to show: who confirms trains has not said that it lies there.
    changed = form.get("tile") != form.get("tile_shown")
    if changed and (city := board.city_at.get(board.index[at])) and (tile := typed_in(form.getlist("tile"))):
        said.append(f"demand.{city.number}={tile}")

    def told(position: Position) -> Position:
        return position.told(said) if was_seen(drawn_in_short(position.part, [at])) else position

    asked_for = f"track.{hex_to_text(at)}" in before.unsure
    after = _change(id, told)
    # Who answers one of many questions is led to the next; who corrects a hex is not.
    following = nearest_open(after.part, at) if asked_for else None
    if following:
        return redirect(url_for("underway.show", id=id, hex=hex_to_text(following)), 303)
    return _to_position(id, "map")


@underway.post(PAGE + "/rest")
def confirm(id: str) -> ResponseReturnValue:
    """All other trains are as they were read."""

    def told(position: Position) -> Position:
        part = position.part
        known = was_seen(drawn_in_short(part, open_on_map(part)))
        return position.told(trains_as_drawn(part)) if known else position

    positions().change(id, told)
    return _to_position(id, "numbers")


@underway.post(PAGE + "/go")
def go_on(id: str) -> ResponseReturnValue:
    """A game that goes on from this position, which its photos teach the profile by; or its correction.

    First what was typed in is kept, and photos that were chosen are read.
    """
    if any(request.files.values()):
        return look(id)
    if refused := _tell(id):
        return refused
    return redirect(url_for("playing.table", id=positions().finish(id, _game_of)), 303)


def _game_of(position: Position) -> str:
    """The id of the game. Raises WebProblem where something is still missing.

    Who goes on again without a correction changes nothing, and teaches nothing twice.
    """
    if (state := position.part.state()) is None:
        raise WebProblem("incomplete")
    begun = _begun_game(position)
    if begun and games().load(begun).game.start == state:
        return begun
    game = _corrected(begun, state) if begun else games().create(Game(state))
    kept = positions()  # which only a request knows
    reader().learn_later(position.id, lambda: [*kept.photos(position).values()], state)
    return game


def _begun_game(position: Position) -> str | None:
    """The game that has come of it already, unless that was put away."""
    return position.game if position.game and games().holds(position.game) else None


def _played_on(position: Position) -> bool:
    """Whether its game was played on, so that nothing can be corrected any more."""
    game = _begun_game(position)
    return bool(game and games().load(game).game.actions)


def _corrected(id: str, state: State) -> str:
    """The game, which begins from this state instead. Raises WebProblem where it was played on."""

    def correct(game: Game) -> Game:
        if game.actions:
            raise WebProblem("played_since")
        return Game(state)

    return games().change(id, games().load(id).version, correct).id


@underway.post(PAGE + "/forget")
def forget(id: str) -> ResponseReturnValue:
    """Thrown away; where more were begun, their list is open again."""
    positions().forget(positions().load(id))
    return redirect(url_for("starting.home", _anchor="begun"), 303)


@underway.get(PAGE + "/photos/<int:number>.jpg")
def photo(id: str, number: int) -> ResponseReturnValue:
    """One of the photos as it was taken."""
    return send_file(positions().photo(positions().load(id), number).resolve(), mimetype="image/jpeg")
