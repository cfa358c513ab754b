"""Counting the score of a game that was played without these pages: who played, and the numbers at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.mini_express import COMPANIES, DIFFICULTIES, MASINFIRA, SEATS, Part, Setup, score
from engine.mini_express.setup import make_setup

from .forms import Form, players
from .problems import WebProblem
from .reading import PHOTOS_AT_MOST, Figure
from .seam import pack_in_use, reader

counting = Blueprint("counting", __name__)

DIGITS = 3


@counting.get("/count")
def who() -> str:
    """Who played; and photos of the tracks, if the table profile knows them."""
    chosen = {"mode": "solo", "difficulty": "passenger"}
    lists = {"difficulties": DIFFICULTIES, "all_seats": SEATS, "seats": list(SEATS)}
    return render_template("count.html", chosen=chosen, photos=reader().knows_tracks, **lists)


@counting.post("/count")
def numbers() -> str:
    """The numbers to be filled in, as far as photos show them filled in already."""
    setup = _setup(request.form)
    files = [file for file in request.files.getlist("photo") if file.filename]
    if len(files) > PHOTOS_AT_MOST:
        raise WebProblem("too_many_photos", limit=PHOTOS_AT_MOST)
    humans = [seat for seat in setup.seats if seat != MASINFIRA]
    read = reader().numbers([file.stream.read() for file in files], humans) if files else []
    return render_template("numbers.html", setup=setup, humans=humans, read=_by_field(read))


@counting.post("/count/score")
def points() -> str:
    """The score by these numbers. Raises Malformed where they cannot be."""
    setup = _setup(request.form)
    standing = Part.from_json(_told(request.form, setup), setup.pack).standing()
    over = replace(standing, phase="over")
    return render_template("score.html", kept=None, state=over, result=score(over))


@counting.get("/count/score")
def again() -> ResponseReturnValue:
    """A score is not kept: who comes back to it, by choosing another language perhaps, begins anew."""
    return redirect(url_for("counting.who"), 303)


def _setup(form: Form) -> Setup:
    """What was agreed before the game; on which map it was played does not count. Raises Malformed."""
    mode, difficulty, humans = players(form)
    pack = pack_in_use()
    return make_setup(next(iter(pack.boards)), mode, difficulty, humans, (), pack)


def _by_field(read: Sequence[Figure]) -> dict[str, Figure]:
    """The figures by the names of their fields in the form."""
    return {figure.name: figure for figure in read}


def _told(form: Form, setup: Setup) -> Mapping[str, Any]:
    """The numbers of the form as parts of a state JSON."""
    rows = {
        part: {seat: {c: _number(form, f"{part}.{seat}.{c}") for c in COMPANIES} for seat in setup.seats}
        for part in ("influence", "shares")
    }
    agreed = {"board": setup.board.id, "mode": setup.mode, "difficulty": setup.difficulty}
    companies = {c: {"value": _number(form, f"companies.{c}.value")} for c in COMPANIES}
    return {**agreed, "modules": [], "seats": list(setup.seats), "companies": companies, **rows}


def _number(form: Form, field: str) -> int:
    text = form.get(field, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS):
        raise WebProblem("no_number")
    return int(text)
