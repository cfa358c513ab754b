"""The numbers of a game that is counted, as a form and the address of its page hold them; what is wrong with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flask import url_for

from engine.mini_express import COMPANIES, Pack, Part, Setup
from engine.mini_express.names import SEATS, SHARES
from engine.mini_express.part import Standing
from engine.mini_express.setup import make_setup
from engine.sentences import Problem

from ...forms import DIGITS, Form, beyond_track, players, whole_number
from ...problems import WebProblem
from ...services import pack_in_use

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import Figure

SURPRISE = "beyond_track"


@dataclass(frozen=True)
class Sheet:
    """What an address holds of a count: the numbers of `form`, and where nobody typed any, those of the `figures`.

    `before` are the numbers that earlier photos showed, `also` the colours that a photo shows besides; without a photo
    of the tracks they are None, and those of the form hold.
    """

    setup: Setup
    form: Form
    count_id: str
    figures: "Sequence[Figure]" = ()
    also: Sequence[str] | None = None
    before: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def read(self) -> dict[str, str]:
        """The numbers that the photos show, by field."""
        return {figure.name: str(figure.best) for figure in self.figures if figure.claimed}

    def address(self, page: str, pack: Pack | None = None) -> str:
        """The address of this page with these players and numbers; of a score with the `pack` that it goes by."""
        setup, form = self.setup, self.form
        count = self.count_id or None
        agreed: dict[str, Any] = {"mode": setup.mode, "difficulty": setup.difficulty, "count": count}
        seats: dict[str, Any] = {f"seat{n}": seat for n, seat in enumerate(setup.humans)}
        filled: dict[str, Any] = {name: number for name, number in self._numbers().items() if number}
        doubts = {figure.name for figure in self.figures if figure.doubtful}
        # Where a photo shows another number than somebody wrote, one of them is wrong.
        doubts |= {name for name, number in self.written.items() if self.read.get(name, number) != number}
        doubts |= {*self.apart}
        doubts |= {*form.getlist("doubt")} - self.read.keys()
        beside: dict[str, Any] = {
            "doubt": sorted(doubts.intersection(fields(setup))),
            "also": self.shown_also,
        }
        return url_for(page, **agreed, **seats, **filled, **beside, pack=pack and pack.digest)

    @property
    def shown_also(self) -> list[str]:
        """The colours that the latest photo of the tracks shows besides."""
        shown = self.form.getlist("also") if self.also is None else self.also
        return [seat for seat in SEATS if seat in shown]

    @cached_property
    def apart(self) -> list[str]:
        """The numbers that an earlier photo clearly showed otherwise: the photos are of two moments."""
        known = {*self.form.getlist("doubt"), *self.written}
        return [
            n for n, number in self.read.items() if n not in known and self.before.get(n, number) != number
        ]

    def _numbers(self) -> dict[str, str]:
        # One that is too long stays too long.
        in_form = {name: self.form.get(name, "")[: DIGITS + 1] for name in fields(self.setup)}
        read = {name: number for name, number in self.read.items() if name not in self.written}
        return {name: read.get(name, number) for name, number in in_form.items()}

    @cached_property
    def written(self) -> dict[str, str]:
        """The numbers that somebody wrote, also over what an earlier photo showed, by field."""
        said = {name: self.form.get(name, "").strip() for name in fields(self.setup)}
        return {name: number for name, number in said.items() if number not in ("", self.before.get(name))}


def setup_in(form: Form, pack: Pack | None = None) -> Setup:
    """What was agreed before the game; on which map it was played does not count. Raises Malformed."""
    mode, difficulty, humans = players(form)
    pack = pack or pack_in_use()
    return make_setup(next(iter(pack.boards)), mode, difficulty, humans, (), pack)


def fields(setup: Setup) -> list[str]:
    """The names of the numbers: where they stand in a state JSON, with dots between."""
    rows = [f"{part}.{seat}" for part in ("influence", "shares") for seat in setup.seats]
    return [f"companies.{c}.value" for c in COMPANIES] + [f"{row}.{c}" for row in rows for c in COMPANIES]


def standing(setup: Setup, form: Form) -> Standing:
    return Part.from_json(_told(form, setup), setup.pack).standing()


def problem_in(setup: Setup, form: Form) -> Problem | None:
    """What is wrong with the numbers, told to somebody who sees their fields marked and knows of no state."""
    try:
        standing(setup, form)
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


def surprise(setup: Setup, form: Form) -> Problem | None:
    """What can be, but hardly is so."""
    limit = setup.pack.influence_length
    return WebProblem(SURPRISE, limit=limit) if beyond(setup, form) else None


def beyond(setup: Setup, form: Form) -> dict[str, str]:
    """The influence that is more than its track has, by field."""
    numbers = {field: form.get(field, "").strip() for field in fields(setup)}
    return {field: numbers[field] for field in beyond_track(numbers, setup.pack)}


def wrong_fields(setup: Setup, form: Form, problem: Problem) -> list[str]:
    """The fields that a problem is about, and where one number cannot be, all that cannot."""
    if problem.key == SURPRISE:
        return [*beyond(setup, form)]
    if problem.key == "too_many_shares":
        return [f"shares.{seat}.{problem.values['company']}" for seat in setup.seats]
    if problem.key not in ("no_number", "impossible_number"):
        return []
    part = Part.from_json(_agreed(setup), setup.pack)
    return [name for name in fields(setup) if _cannot_be(part, form, name)]


def _cannot_be(part: Part, form: Form, name: str) -> bool:
    """Whether a field holds no number, or one that no game can come to."""
    try:
        return bool(part.fields[name].wrong(whole_number(form, name)))
    except WebProblem:
        return True


def _told(form: Form, setup: Setup) -> Mapping[str, Any]:
    """The numbers of the form as parts of a state JSON."""
    rows = {
        part: {seat: {c: whole_number(form, f"{part}.{seat}.{c}") for c in COMPANIES} for seat in setup.seats}
        for part in ("influence", "shares")
    }
    companies = {c: {"value": whole_number(form, f"companies.{c}.value")} for c in COMPANIES}
    return {**_agreed(setup), "companies": companies, **rows}


def _agreed(setup: Setup) -> Mapping[str, Any]:
    """What was agreed, as parts of a state JSON."""
    agreed = {"board": setup.board.id, "mode": setup.mode, "difficulty": setup.difficulty}
    return {**agreed, "modules": [], "seats": list(setup.seats)}
