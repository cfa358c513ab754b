"""Counting the score of a game that was played without these pages: who played, and the numbers at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.mini_express import COMPANIES, SEATS, Part, Setup, score
from engine.mini_express.names import SHARES
from engine.mini_express.part import Standing
from engine.mini_express.setup import make_setup
from engine.sentences import Problem

from ..forms import DIGITS, Form, beyond_track, in_short, photos_sent, players, whole_number
from ..kept.profiles import has_tracks
from ..language import line_of
from ..problems import WebProblem
from ..seam import pack_in_use, reader
from .agreed import agreed_so_far
from .others import forgotten
from .sharing import share_tiles_known, shares_in, shares_sent

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import Figure

SURPRISE = "beyond_track"

counting = Blueprint("counting", __name__)


@counting.get("/count")
def who() -> str:
    """Who played; and photos of the tracks, if the table profile knows them."""
    known = reader().profiles.for_counting()
    photos = known is not None and any(map(has_tracks, known.surfaces.values()))
    return render_template("count.html", chosen=agreed_so_far(), seats=SEATS, photos=photos)


@counting.post("/count")
def read_tracks() -> ResponseReturnValue:
    """Who played is agreed; the numbers that photos show are filled in already."""
    setup, files = _setup(request.form), photos_sent(request.files)
    if not files:
        return redirect(_address("counting.numbers", setup, request.form), 303)
    counted = reader().numbers(files, setup.humans)
    for problem in counted.left_out:
        flash(line_of(problem))
    also = forgotten(setup, counted.colours)
    return redirect(_address("counting.numbers", setup, request.form, counted.figures, also), 303)


@counting.post("/count/shares")
def read_shares() -> ResponseReturnValue:
    """The shares in front of whoever a photo was chosen for are filled in; what was typed in stays."""
    setup = _setup(request.form)
    if not (files := shares_sent(setup)):
        flash(line_of(WebProblem("no_photo")))
    found = shares_in(setup, files)
    return redirect(_address("counting.numbers", setup, request.form, found), 303)


@counting.get("/count/numbers")
def numbers() -> ResponseReturnValue:
    """The numbers to be filled in; those known so far stand in the address, so nobody loses them by going back.

    Of numbers that were sent it is told what is wrong with them.
    """
    form = request.args
    setup = _setup(form)
    problem = _problem(setup, form) or _surprise(setup, form) if "sent" in form else None
    page = render_template(
        "numbers.html",
        setup=setup,
        humans=setup.humans,
        typed={field: form.get(field, "")[:DIGITS] for field in _fields(setup)},
        doubts={*form.getlist("doubt")},
        also=[seat for seat in SEATS if seat in form.getlist("also")],
        wrong=_wrong(setup, form, problem) if problem else (),
        looked_at=in_short(_beyond(setup, form)) if problem and problem.key == SURPRISE else "",
        photos=share_tiles_known(),
        digits=DIGITS,
        problem=problem,
    )
    return page, 400 if problem else 200


def _fields(setup: Setup) -> list[str]:
    """The names of the numbers: where they stand in a state JSON, with dots between."""
    rows = [f"{part}.{seat}" for part in ("influence", "shares") for seat in setup.seats]
    return [f"companies.{c}.value" for c in COMPANIES] + [f"{row}.{c}" for row in rows for c in COMPANIES]


def _address(
    page: str, setup: Setup, form: Form, figures: "Sequence[Figure]" = (), also: Sequence[str] = ()
) -> str:
    """The page for these players and numbers, those in `form` but where `figures` say more.

    `also` are the colours that a photo shows besides.
    """
    read = {figure.name: str(figure.best) for figure in figures if figure.claimed}
    # One that is too long stays too long.
    numbers = {field: read.get(field) or form.get(field, "")[: DIGITS + 1] for field in _fields(setup)}
    agreed: dict[str, Any] = {"mode": setup.mode, "difficulty": setup.difficulty}
    seats: dict[str, Any] = {f"seat{n}": seat for n, seat in enumerate(setup.humans)}
    doubts = {figure.name for figure in figures if figure.doubtful} | {*form.getlist("doubt")}
    filled: dict[str, Any] = {field: number for field, number in numbers.items() if number}
    return url_for(page, **agreed, **seats, **filled, doubt=sorted(doubts & numbers.keys()), also=also)


@counting.post("/count/score")
def count() -> ResponseReturnValue:
    """Go on to the score by these numbers, if they can be."""
    setup, form = _setup(request.form), request.form
    beyond = _beyond(setup, form)
    if _problem(setup, form) or (beyond and form.get("looked_at") != in_short(beyond)):
        return redirect(_address("counting.numbers", setup, request.form) + "&sent=yes", 303)
    return redirect(_address("counting.points", setup, request.form), 303)


@counting.get("/count/score")
def points() -> str:
    """The score by the numbers in the address. Raises Malformed where they cannot be."""
    setup = _setup(request.args)
    over = replace(_standing(setup, request.args), phase="over")
    numbers = _address("counting.numbers", setup, request.args)
    return render_template("score.html", kept=None, state=over, result=score(over), numbers=numbers)


def _standing(setup: Setup, form: Form) -> Standing:
    return Part.from_json(_told(form, setup), setup.pack).standing()


def _problem(setup: Setup, form: Form) -> Problem | None:
    """What is wrong with the numbers, told to somebody who sees their fields marked and knows of no state."""
    try:
        _standing(setup, form)
    except Problem as problem:
        told = problem.values
        match problem.key:
            case "state_part":
                found = {"expected": told["expected"], "found": told["found"]}
                return WebProblem("impossible_number", field=told["part"], **found)
            case "shares":
                company = told["company"]
                return WebProblem("too_many_shares", company=company, found=told["found"], limit=SHARES)
        return problem
    return None


def _surprise(setup: Setup, form: Form) -> Problem | None:
    """What can be, but hardly is so."""
    limit = setup.pack.influence_length
    return WebProblem(SURPRISE, limit=limit) if _beyond(setup, form) else None


def _beyond(setup: Setup, form: Form) -> dict[str, str]:
    """The influence that is more than its track has, by field."""
    numbers = {field: form.get(field, "").strip() for field in _fields(setup)}
    return {field: numbers[field] for field in beyond_track(numbers, setup.pack)}


def _wrong(setup: Setup, form: Form, problem: Problem) -> list[str]:
    """The fields that a problem is about."""
    if problem.key == SURPRISE:
        return [*_beyond(setup, form)]
    if problem.key == "too_many_shares":
        return [f"shares.{seat}.{problem.values['company']}" for seat in setup.seats]
    return [problem.values["field"]] if "field" in problem.values else []


@counting.get("/count/shares")
def again() -> ResponseReturnValue:
    """A page that could only be sent to: who comes back to it begins anew."""
    return redirect(url_for("counting.who"), 303)


def _setup(form: Form) -> Setup:
    """What was agreed before the game; on which map it was played does not count. Raises Malformed."""
    mode, difficulty, humans = players(form)
    pack = pack_in_use()
    return make_setup(next(iter(pack.boards)), mode, difficulty, humans, (), pack)


def _told(form: Form, setup: Setup) -> Mapping[str, Any]:
    """The numbers of the form as parts of a state JSON."""
    rows = {
        part: {seat: {c: whole_number(form, f"{part}.{seat}.{c}") for c in COMPANIES} for seat in setup.seats}
        for part in ("influence", "shares")
    }
    agreed = {"board": setup.board.id, "mode": setup.mode, "difficulty": setup.difficulty}
    companies = {c: {"value": whole_number(form, f"companies.{c}.value")} for c in COMPANIES}
    return {**agreed, "modules": [], "seats": list(setup.seats), "companies": companies, **rows}
