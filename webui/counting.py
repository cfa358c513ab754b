"""Counting the score of a game that was played without these pages: who played, and the numbers at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from calibration import SHARE_TILES
from engine.mini_express import COMPANIES, MASINFIRA, SEATS, Part, Setup, score
from engine.mini_express.setup import make_setup
from engine.sentences import Problem

from .forms import DIGITS, Form, photos_sent, players, whole_number
from .problems import WebProblem
from .reading import Figure, has_tracks
from .seam import pack_in_use, reader

counting = Blueprint("counting", __name__)


@counting.get("/count")
def who() -> str:
    """Who played; and photos of the tracks, if the table profile knows them."""
    chosen = {"mode": "solo", "difficulty": "passenger"}
    known = reader().counts()
    photos = known is not None and any(map(has_tracks, known.surfaces.values()))
    return render_template("count.html", chosen=chosen, seats=SEATS, photos=photos)


@counting.post("/count")
def numbers() -> str:
    """The numbers to be filled in, as far as photos show them filled in already."""
    setup, files = _setup(request.form), photos_sent(request.files)
    return _numbers_page(setup, reader().numbers(files, _humans(setup)) if files else [])


@counting.post("/count/shares")
def shares() -> str:
    """The same, with the shares in front of whoever a photo was chosen for; what was typed in stays."""
    setup = _setup(request.form)
    sent = {seat: request.files.get(f"photo.{seat}") for seat in setup.seats}
    files = {seat: file.stream.read() for seat, file in sent.items() if file and file.filename}
    try:
        if not files:
            raise WebProblem("no_photo")
        return _numbers_page(setup, reader().numbers([], _humans(setup), files))
    except Problem as problem:
        return _numbers_page(setup, [], problem)


def _numbers_page(setup: Setup, figures: Sequence[Figure], problem: Problem | None = None) -> str:
    known = reader().counts()
    return render_template(
        "numbers.html",
        setup=setup,
        humans=_humans(setup),
        read={figure.name: figure for figure in figures},
        typed={field: text[:DIGITS] for field, text in request.form.items() if "." in field},
        doubts={figure.name for figure in figures if figure.doubtful} | {*request.form.getlist("doubt")},
        photos=known is not None and SHARE_TILES in known.surfaces,
        digits=DIGITS,
        problem=problem,
    )


def _humans(setup: Setup) -> list[str]:
    return [seat for seat in setup.seats if seat != MASINFIRA]


@counting.post("/count/score")
def points() -> str:
    """The score by these numbers. Raises Malformed where they cannot be."""
    setup = _setup(request.form)
    standing = Part.from_json(_told(request.form, setup), setup.pack).standing()
    over = replace(standing, phase="over")
    return render_template("score.html", kept=None, state=over, result=score(over))


@counting.get("/count/score")
@counting.get("/count/shares")
def again() -> ResponseReturnValue:
    """A score is not kept: who comes back to it, by choosing another language perhaps, begins anew."""
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
