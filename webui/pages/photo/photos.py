"""From a photo to an action: send it, look at what was read, correct it by tapping, confirm."""

from collections.abc import Collection, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from flask import Blueprint, flash, jsonify, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine.hexgrid import Hex
from engine.mini_express import COMPANIES, Game
from engine.mini_express.names import Answers
from engine.sentences import N_, Problem

from ...forms import PHOTOS_AT_MOST, choice, in_short, photos_sent
from ...kept.games import Kept
from ...kept.reading import Reading
from ...kept.seeing import OTHER_TILES, OTHER_TRAINS
from ...language import DONE, say
from ...problems import WebProblem
from ...services import games, reader
from ..drawing import seen_hexes
from ..places import looked_at, place, problem_on, tell_of_others, told_of, was_seen
from ..tiles import tiles_fixed, tiles_to_enter
from .doubts import Question, following, questions, shown
from .others import COMPARED, others
from .stories import Story, seen, split, stories

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import Scan

photographing = Blueprint("photographing", __name__)

TAUGHT = N_("This photo has taught how your pieces look: the next ones are read better.")
TAUGHT_BEFORE = N_("This photo has taught before: it counts once.")

STORIES_SHOWN = 24
AGAINST_PHOTOS = ("bare", OTHER_TRAINS, OTHER_TILES, "many")
"""Conflicts of any board that are about the photos themselves, whatever was played."""
CONFLICTS_SHOWN, DOUBTS_SHOWN = 6, 12
PAGE = "/game/<gid:id>/photo/<string(length=16):rid>"


def _reading(id: str, rid: str) -> Reading:
    return reader().get(games().load(id), rid)


@photographing.get("/game/<gid:id>/photo")
def choose(id: str) -> str:
    """Take or choose a photo; without a profile, how to get one."""
    kept = games().load(id)
    try:
        profile = reader().profile(kept.state.board)
    except Problem as problem:
        return render_template("photo/photo.html", kept=kept, missing=problem)
    surface = profile.surface("map")
    return render_template(
        "photo/photo.html",
        kept=kept,
        setting_up=not tiles_fixed(kept.game),
        over=kept.state.phase == "over",
        taught=[company for company in COMPANIES if company in surface.lessons],
        tiles=sum(map(len, surface.faces.values())),
        compared=[name for name in COMPARED if name in profile.surfaces],
    )


@photographing.post("/game/<gid:id>/photo/forget")
def forget(id: str) -> ResponseReturnValue:
    """Forget what confirmed photos have taught about the looks of this table's pieces and tiles."""
    reader().forget(games().load(id).state.board)
    return redirect(url_for("photographing.choose", id=id), 303)


@photographing.post("/game/<gid:id>/photo")
def send(id: str) -> ResponseReturnValue:
    """Photos of the table as it is now."""
    kept = games().load(id)
    files = photos_sent(request.files)
    if not files:
        raise WebProblem("no_photo")
    reading = reader().begin(kept, files)
    return redirect(url_for("photographing.show", id=id, rid=reading.id), 303)


@photographing.post(PAGE + "/photos")
def add(id: str, rid: str) -> ResponseReturnValue:
    """More photos of the same moment, from another side: all are read as one, and what was said of it holds."""
    earlier, files = _reading(id, rid), photos_sent(request.files)
    if not files:
        raise WebProblem("no_photo")
    if earlier.problem:
        raise earlier.problem
    if len(earlier.sizes) + len(files) > PHOTOS_AT_MOST:
        raise WebProblem("too_many_photos", limit=PHOTOS_AT_MOST)
    if (kept := games().load(id)).version != earlier.kept.version:
        raise WebProblem("photo_stale")
    reading = reader().begin(kept, files, earlier)
    return redirect(url_for("photographing.show", id=id, rid=reading.id), 303)


@photographing.get(PAGE)
def show(id: str, rid: str) -> ResponseReturnValue:
    """How far the reading is, or what it found: for a set-up, the tiles to compare."""
    reading = _reading(id, rid)
    if not reading.done:
        return render_template("photo/reading.html", kept=reading.kept, reading=reading)
    if _fills_tiles_in(reading):
        return redirect(url_for("laying.tiles", id=id, photo=rid), 303)
    return _result_page(reading)


def _fills_tiles_in(reading: Reading) -> bool:
    """Whether it was taken for the tiles that lie on the table: those in the game are then nobody's."""
    kept, scan = games().load(reading.kept.id), reading.map
    if not tiles_to_enter(kept.id, kept.game):
        return False
    return bool(scan and scan.tiles_conflict and not scan.conflicts)


def _result_page(reading: Reading) -> str:
    """What was found: on the map, or on the other boards alone; or why it could not be read."""
    kept = games().load(reading.kept.id)
    if reading.now is None:
        return render_template("photo/unread.html", kept=kept, reading=reading)
    told, stale = stories(reading), kept.version != reading.kept.version
    told_of_all = {
        "kept": kept,
        "reading": reading,
        "others": others(reading.now, kept.state.setup),
        "against_photos": [
            problem for problem in reading.now.table.all_conflicts if problem.key in AGAINST_PHOTOS
        ],
        "problem_on": lambda problem: problem_on(kept.state.board, problem),
        "stale": stale,
        "entered": stale and any(_entered(kept, reading, story) for story in told),
        "left_out": reading.now.table.left_out,
    }
    if (scan := reading.map) is None:
        return render_template("photo/boards.html", **told_of_all)
    return render_template("photo/found.html", **told_of_all, **_on_the_map(kept, reading, scan, told))


def _on_the_map(kept: Kept, reading: Reading, scan: "Scan", told: list[Story]) -> dict[str, Any]:
    """What the page shows of the map, and asks; `told` is what may have been played."""
    board, at = kept.state.board, looked_at(kept.state.board)
    events, choices = split(told)
    of_map = reading.now.of_map if reading.now else ()
    return {
        "scan": scan,
        "pictures": [(n, reading.sizes[n], seen_hexes(reading, scan, nth)) for nth, n in enumerate(of_map)],
        "events": events,
        "choices": choices[:STORIES_SHOWN],
        "more_choices": len(choices[STORIES_SHOWN:]),
        "seen": seen(told),
        "answered": lambda at: _answered(reading, at),
        "at": at,
        "present": [company for company in COMPANIES if (at, company) in reading.trains],
        "said": reading.said,
        "conflicts": [conflict for conflict in scan.conflicts if conflict.key not in AGAINST_PHOTOS],
        "conflicts_shown": CONFLICTS_SHOWN,
        "questions": _shown_questions(reading),
        "doubts_shown": DOUBTS_SHOWN,
        "blocked": _blocked(reading),
        "apart": _apart(scan),
        "place": lambda at: place(board, at),
        "tiles_fixed": tiles_fixed(kept.game),
    }


def _shown_questions(reading: Reading) -> list[Question]:
    """What is asked on one page; of a photo of something else nothing need be answered."""
    return shown(questions(reading), DOUBTS_SHOWN) if reading.map and not reading.map.contradicts else []


def _blocked(reading: Reading) -> WebProblem | None:
    """Why what the photo tells cannot be entered, or teach, as it is."""
    if (scan := reading.map) is None:
        return WebProblem("contradicted") if reading.now and not reading.now.table.fits else None
    if reading.left_out:
        return WebProblem("left_out")
    if _apart(scan):
        return WebProblem("moments_apart")
    return WebProblem("contradicted") if scan.conflicts else None


def _apart(scan: "Scan") -> bool:
    """Whether the photos show more than one moment: one more with them would change nothing."""
    return any(conflict.key in (OTHER_TRAINS, OTHER_TILES) for conflict in scan.conflicts)


@photographing.get(PAGE + "/status")
def status(id: str, rid: str) -> ResponseReturnValue:
    """Asked by the page while the photo is read."""
    reading = _reading(id, rid)
    return jsonify(done=reading.done, sentence=say(reading.step), share=round(reading.share, 3))


@photographing.get(PAGE + "/<int:number>.jpg")
def picture(id: str, rid: str, number: int) -> ResponseReturnValue:
    """One of the pictures, without what the phone wrote into its file."""
    return send_file(reader().picture(_reading(id, rid), number).resolve(), mimetype="image/jpeg")


@photographing.post(PAGE + "/correct")
def correct(id: str, rid: str) -> ResponseReturnValue:
    """What a person sees on a hex: one company's train, or all trains of the hex; or nothing said of that after all."""
    reading = _reading(id, rid)
    at = told_of(reading.kept.state.board)
    asked = {question.hex for question in questions(reading)}
    with reading.saying:
        if not was_seen(_answered(reading, at)):
            return _to_result(id, rid)
        if "back" in request.form:
            reading.take_back(at, _companies())
        else:
            reading.answer(_said_of(at))
        reader().keep_answers(reading)
    # Who answers one of many questions is led to the next; who corrects another hex is not.
    following_one = following(_shown_questions(reading), at) if at in asked else None
    return _to_result(id, rid, following_one.anchor if following_one else "result")


def _answered(reading: Reading, at: Hex) -> str:
    """What has been said of a hex so far, in short: whoever says something else must have seen it."""
    return in_short([reading.answers.get((at, company)) for company in COMPANIES])


def _to_result(id: str, rid: str, anchor: str = "result") -> ResponseReturnValue:
    return redirect(url_for("photographing.show", id=id, rid=rid, _anchor=anchor), 303)


def _companies() -> Collection[str]:
    """The one that the form is about, or all of the hex."""
    return [choice(request.form, "company", COMPANIES)] if "company" in request.form else COMPANIES


def _said_of(at: Hex) -> Answers:
    """What the form says of one company's train, or of all trains of the hex."""
    if "company" in request.form:
        company = choice(request.form, "company", COMPANIES)
        return {(at, company): choice(request.form, "present", ("yes", "no")) == "yes"}
    trains = request.form.getlist("train")
    return {(at, company): company in trains for company in COMPANIES}


@photographing.post(PAGE + "/learn")
def learn(id: str, rid: str) -> ResponseReturnValue:
    """It is as in the game, where nothing was built: it teaches how the pieces look, as of the set-up."""
    reading = _reading(id, rid)
    _check_can_be_entered(reading)
    if reading.map and reading.map.doubtful:
        raise WebProblem("doubts_open")
    if stories(reading):
        tell_of_others()
        return _to_result(id, rid)
    try:
        learnt = reader().learn(reading, reading.kept.state)
    except Problem as problem:
        flash(problem_on(reading.kept.state.board, problem))
        return _to_result(id, rid)
    flash(say(TAUGHT if learnt else TAUGHT_BEFORE), DONE)
    return redirect(url_for("photographing.choose", id=id), 303)


def _check_can_be_entered(reading: Reading) -> None:
    """Raises WebProblem where a photo is not read yet, does not fit the game, or the game has moved on."""
    if reading.now is None:
        raise WebProblem("not_read_yet")
    if blocked := _blocked(reading):
        raise blocked
    if games().load(reading.kept.id).version != reading.kept.version:
        raise WebProblem("photo_stale")


def _chosen(told: Sequence[Story]) -> Story | None:
    """The story that the form chooses, None where there is none. Raises WebProblem."""
    if len(told) < 2:
        return told[0] if told else None
    return told[int(choice(request.form, "story", tuple(str(n) for n in range(len(told)))))]


def _entered(kept: Kept, reading: Reading, story: Story) -> bool:
    """Whether just this has been played in the game, as it is kept now, since the photo was taken."""
    after = (*reading.kept.game.actions, *story.actions)
    return kept.game.actions[: len(after)] == after


@photographing.post(PAGE + "/confirm")
def confirm(id: str, rid: str) -> ResponseReturnValue:
    """Enter what the photo shows into the game."""
    reading = _reading(id, rid)
    told = stories(reading)
    chosen = _chosen(told) if request.form.get("seen") == seen(told) else None
    if chosen and _entered(
        games().load(id), reading, chosen
    ):  # by another phone, or by the first of two taps
        return redirect(url_for("playing.table", id=id, _anchor="happened"), 303)
    if chosen or not request.form.get("seen"):
        _check_can_be_entered(reading)
        if not told:
            raise WebProblem("nothing_found")
    if not chosen:
        # Another phone has corrected a hex meanwhile: what follows from it is to be looked at first.
        tell_of_others()
        return _to_result(id, rid)
    try:
        kept = games().change(id, reading.kept.version, lambda game: reduce(Game.play, chosen.actions, game))
    except WebProblem as problem:
        raise WebProblem("photo_stale") if problem.key == "stale" else problem from None
    reader().confirmed(reading, kept.state)
    return redirect(url_for("playing.table", id=id, _anchor="happened"), 303)
