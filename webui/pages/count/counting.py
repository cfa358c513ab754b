"""Counting the score of a game that was played without these pages: who played, and the numbers at its end."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from flask import Blueprint, flash, redirect, render_template, request, send_file, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from calibration import Photo, RegistrationProblem
from engine.mini_express import Pack, Setup, score
from engine.sentences import N_, Problem

from ...forms import DIGITS, Form, beside_others, in_one, in_short, photos_sent
from ...kept.counts import version_of
from ...kept.profiles import has_tracks
from ...language import line_of, say
from ...problems import WebProblem, status_of
from ...services import counts, packs, reader
from ..agreed import agreed_so_far, forgotten
from ..places import figure_named, problem_on
from ..sharing import SAME_PHOTO, share_tiles_known, shares_in, shares_sent, tell_otherwise
from .count_form import (
    SURPRISE,
    Sheet,
    beyond,
    fields,
    problem_in,
    setup_in,
    standing,
    surprise,
    wrong_fields,
)

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import Figure, TableScan

counting = Blueprint("counting", __name__)

OTHER_NUMBERS = N_(
    "These photos show otherwise what earlier ones clearly showed ({n}), such as {figure}: compare those marked ?."
)
NUMBERS, SCORE = "counting.numbers", "counting.points"
NUMBERED = ("companies.", "influence.", "shares.")
BROUGHT = ("count", "doubt", "also")


@counting.get("/count")
def who() -> str:
    """Who played; and photos of the tracks, if the table profile knows them."""
    return _who_page(request.args)


def _who_page(said: Form, problem: Problem | None = None) -> str:
    chosen, photos = agreed_so_far(said), _tracks_known()
    # Who comes back from the numbers to say that others played brings these along, and what is known of them.
    numbers = {field: number[: DIGITS + 1] for field, number in said.items() if field.startswith(NUMBERED)}
    brought = [*numbers.items(), *((name, text) for name in BROUGHT for text in said.getlist(name))]
    return render_template("count/count.html", chosen=chosen, photos=photos, problem=problem, brought=brought)


def _tracks_known() -> bool:
    """Whether a photo of the tracks can be read."""
    known = reader().profiles.for_counting()
    return known is not None and any(map(has_tracks, known.surfaces.values()))


@counting.post("/count")
def read_tracks() -> ResponseReturnValue:
    """Who played is agreed; the numbers that photos show are filled in already."""
    try:
        return _begun(request.form)
    except Problem as problem:
        return _who_page(request.form, problem), status_of(problem)


def _begun(form: Form) -> ResponseReturnValue:
    """To the numbers of a game that begins to be counted. Raises what cannot be agreed, or seen in the photos."""
    setup, count_id = setup_in(form), form.get("count", "")
    sent = reader().loaded(photos_sent(request.files))
    # Who comes back to say that others played, too, has sent photos of their markers already.
    photos = sent or counts().of_tracks(count_id)
    counted = _tracks_in(photos, setup) if photos else None
    sheet = Sheet(setup, form, counts().agreed(count_id, setup.mode, setup.seats))
    if counted is None:
        return _to(NUMBERS, sheet)
    return _with_photos(sheet, {"": sent} if sent else {}, counted.figures, counted.colours)


def _with_photos(
    sheet: Sheet,
    photos: Mapping[str, Sequence[Photo]],
    figures: "Sequence[Figure]",
    colours: Collection[str] | None,
) -> ResponseReturnValue:
    """To the numbers with what photos show; where that contradicts what is known already, it is told.

    `colours` are those on the tracks, None where no photo shows them.
    """
    also = None if colours is None else forgotten(sheet.setup, colours)
    sheet = replace(sheet, figures=figures, also=also, before=_read_in_photos(sheet.count_id))
    tell_otherwise(sheet.read, sheet.written)
    if apart := sheet.apart:
        flash(say(OTHER_NUMBERS, n=len(apart), figure=figure_named(apart[0])))
    return _to(NUMBERS, sheet, photos)


def _tracks_in(photos: Sequence[Photo], setup: Setup) -> "TableScan":
    """What photos show of the tracks; it is told which of them shows none, and what contradicts itself.

    Raises WebProblem where all of them show none.
    """
    try:
        counted = reader().numbers(photos, setup.humans)
    except RegistrationProblem:
        raise WebProblem("no_tracks") from None
    for problem in counted.all_conflicts:
        flash(problem_on(setup.board, problem))
    if not any(figure.claimed for figure in counted.figures):
        flash(line_of(WebProblem("no_markers")))
    return counted


@counting.post("/count/photos")
def read_photos() -> ResponseReturnValue:
    """What further photos show of the tracks, or of the shares in front of somebody, is filled in; the rest stays."""
    setup, form = _setup_and_numbers()
    tracks, shares = photos_sent(request.files), shares_sent(setup)
    if not tracks and not shares:
        flash(line_of(WebProblem("no_photo")))
    photos, figures = dict[str, Sequence[Photo]](), list["Figure"]()
    colours: Collection[str] | None = None
    if tracks:
        try:
            loaded = reader().loaded(tracks)
            counted = _tracks_in(loaded, setup)
        except Problem as problem:
            flash(line_of(problem))
        else:
            photos[""], figures, colours = loaded, [*counted.figures], counted.colours
    for seat, (photo, of_seat) in shares_in(setup, shares).items():
        if others := counts().seats_of(form.get("count", ""), photo) - {seat, *shares}:
            flash(say(SAME_PHOTO, seats=[seat, *sorted(others)]))
        photos[seat] = [photo]
        figures += of_seat
    return _with_photos(Sheet(setup, form, _count_of(setup)), photos, figures, colours)


def _setup_and_numbers() -> tuple[Setup, Form]:
    """Who played and the form, with what another phone has corrected in the numbers since that was shown.

    Where both corrected the same number, that of the form stays in it, which is refused then.
    """
    form, setup = request.form, setup_in(request.form)
    count = counts().find(form.get("count", ""))
    if count is None or count.seats != setup.seats or count.version in _versions_seen(form):
        return setup, form
    kept = MultiDict(parse_qsl(urlsplit(count.address).query))
    now = {name: kept.get(name, "") for name in fields(setup)}
    typed = {name: form[name].strip() for name in now if name in form}
    if (found := beside_others(form, typed, now)) is None:
        return setup, form
    mine, contested = found
    both = MultiDict(form)
    for name, number in {**now, **mine}.items():
        both[name] = number
    both.setlist("doubt", [*form.getlist("doubt"), *kept.getlist("doubt")])
    if not contested:
        both["seen"] = count.version
    return setup, both


def _versions_seen(form: Form) -> tuple[str, str]:
    """What was sent by the form was looked at, and what this phone went on to: going back may bring an older page."""
    return form.get("seen", ""), session.get("counted", "")


@counting.get("/count/numbers")
def numbers() -> ResponseReturnValue:
    """The numbers to be filled in; those known so far stand in the address, so nobody loses them by going back.

    Of numbers that were sent it is told what is wrong with them.
    """
    form = request.args
    setup = setup_in(form)
    sheet = Sheet(setup, form, form.get("count", ""))
    typed = {field: form.get(field, "")[:DIGITS] for field in fields(setup)}
    problem = problem_in(setup, form) or surprise(setup, form) if "sent" in form else None
    page = render_template(
        "count/numbers.html",
        setup=setup,
        humans=setup.humans,
        count=counts().find(form.get("count", "")),
        seen=form.get("seen") or version_of(request.full_path),
        typed=typed,
        was=in_one(typed),
        doubts={*form.getlist("doubt")},
        also=forgotten(setup, sheet.shown_also),
        shown_also=sheet.shown_also,
        who=sheet.address("counting.who"),
        wrong=wrong_fields(setup, form, problem) if problem else (),
        looked_at=in_short(beyond(setup, form)) if problem and problem.key == SURPRISE else "",
        tracks_known=_tracks_known(),
        shares_known=share_tiles_known(),
        digits=DIGITS,
        problem=problem,
    )
    return page, 400 if problem else 200


@counting.get("/count/photo/<string(length=16):count_id>/<int:number>.jpg")
def photo(count_id: str, number: int) -> ResponseReturnValue:
    """One of the photos as it was taken, to be compared with the numbers."""
    return send_file(counts().photo(count_id, number).resolve(), mimetype="image/jpeg")


def _count_of(setup: Setup) -> str:
    """The id of what the form belongs to; of a new one where that is not kept any more."""
    found = counts().find(request.form.get("count", ""))
    return found.id if found and found.seats == setup.seats else counts().begin(setup.mode, setup.seats)


def _to(
    page: str, sheet: Sheet, photos: Mapping[str, Sequence[Photo]] | None = None, *, wrong: bool = False
) -> ResponseReturnValue:
    """To a page that has the numbers of the form in its address, and is kept as the one to go on from.

    Where it cannot be kept, for others have gone on meanwhile, this is told above the numbers: nobody loses them.
    """
    # Whatever is found out of the value table later, a score stays what it was until it is counted again.
    pack = sheet.setup.pack if page == SCORE else None
    address = sheet.address(page, pack)
    known = _versions_seen(sheet.form)
    try:
        if pack:
            packs().hold(pack)
        now = session["counted"] = counts().seen(sheet.count_id, address, known, over=page == SCORE)
        if photos is not None:
            counts().look(sheet.count_id, photos, sheet.read)
    except WebProblem as problem:
        flash(line_of(problem))
        # Whoever sends them once more has been told.
        count = counts().find(sheet.count_id)
        return redirect(sheet.address(NUMBERS) + (f"&seen={count.version}" if count else ""), 303)
    # Where a score stays what is kept, the numbers to come are an answer to it.
    beside = f"&seen={now}" if now != version_of(address) else ""
    return redirect(address + beside + "&sent=yes" * wrong, 303)


@counting.post("/count/score")
def to_score() -> ResponseReturnValue:
    """Go on to the score by these numbers, if they can be; first to what photos show that were chosen and not read."""
    if any(request.files.values()):
        return read_photos()
    setup, form = _setup_and_numbers()
    high, sheet = beyond(setup, form), Sheet(setup, form, _count_of(setup))
    if problem_in(setup, form) or (high and form.get("looked_at") != in_short(high)):
        return _to(NUMBERS, sheet, wrong=True)
    return _to(SCORE, sheet)


@counting.get("/count/score")
def points() -> str:
    """The score by the numbers and the printed data in the address. Raises Malformed where they cannot be."""
    form = request.args
    setup = setup_in(form, _pack_in(form))
    over = replace(standing(setup, form), phase="over")
    numbers = Sheet(setup, form, form.get("count", "")).address(NUMBERS)
    unclear = len(_as_read(form))
    return render_template(
        "score.html", kept=None, state=over, result=score(over), numbers=numbers, unclear=unclear
    )


def _read_in_photos(count_id: str) -> Mapping[str, str]:
    """The numbers that the photos of a count showed, by field; none where it is not kept."""
    found = counts().find(count_id)
    return found.read if found else {}


def _as_read(form: Form) -> list[str]:
    """The doubtful numbers in the form that nobody has changed since a photo seemed to show them."""
    read = _read_in_photos(form.get("count", ""))
    return [name for name in form.getlist("doubt") if form.get(name) == read.get(name, form.get(name))]


def _pack_in(form: Form) -> Pack | None:
    """The printed data of a score; None where an earlier version has kept it without. Raises WebProblem."""
    digest = form.get("pack")
    pack = packs().of(digest)
    if digest and pack is None:
        raise WebProblem("position_gone")
    return pack


@counting.get("/count/photos")
def again() -> ResponseReturnValue:
    """A page that could only be sent to: who comes back to it begins anew."""
    return redirect(url_for("counting.who"), 303)
