"""Going on with a game that was begun without these pages: photos and people tell how it stands between two turns."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Blueprint, flash, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue

from engine.hexgrid import Hex
from engine.mini_express import COMPANIES, MODULES, SEATS, Game, Part, PartProblem, Setup
from engine.mini_express.board import Board
from engine.mini_express.fields import CITY_NUMBERS, NONE, STATUSES, Path
from engine.mini_express.names import MASINFIRA, Pair
from engine.mini_express.notation import hex_to_text
from engine.mini_express.part_rules import mask_of
from engine.mini_express.setup import make_setup, starting_state
from engine.sentences import Problem

from .drawing import draw
from .forms import DIGITS, Form, hex_of, in_short, photos_sent, players, tile_text
from .language import line_of, listed, named, say
from .places import place, problem_on
from .positions import Position
from .problems import WebProblem, status_of
from .seam import games, pack_in_use, positions, reader
from .start import kinds_of_tiles, modules_in

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import TableScan

underway = Blueprint("underway", __name__)

PAGE = "/underway/<string(length=16):id>"
ASKED = ("companies.", "influence.", "shares.", "bot.", "golden_spike.", "demand.", "to_move")
"""What a form asks of a position; trains are tapped instead."""
LONGEST = 120


@dataclass(frozen=True)
class _OnMap:
    """What is known of the map, to be drawn."""

    board: Board
    track: tuple[int, ...]
    demand: tuple[Pair | None, ...]


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
    for problem in found.all_conflicts:
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
    part, board = position.part, _board(position.part)
    known, missing, contradiction = _followed(part)
    return render_template(
        "underway.html",
        position=position,
        part=part,
        missing=missing,
        place=lambda at: place(board, at),
        wrong=problem.values.get("field") if problem else None,
        problem=problem_on(board, problem) if problem else None,
        contradiction=problem_on(board, contradiction) if contradiction else None,
        **_map(part, missing, _looked_at(board)),
        **_form(part, known, missing, typed or {}),
    )


def _board(part: Part) -> Board:
    """Its map, which is told from the beginning."""
    assert part.board is not None
    return part.board


def _followed(part: Part) -> tuple[Mapping[Path, Any], Sequence[Path], Problem | None]:
    """What is known, what is missing, and why it cannot be like this."""
    try:
        known, missing = part.known, part.missing
        part.state()
    except Problem as problem:
        return part.told, sorted(part.unsure), problem
    return known, missing, None


def _looked_at(board: Board) -> Hex | None:
    """The hex that the visitor tapped."""
    at = hex_of(text, "hex") if (text := request.args.get("hex")) else None
    if at and at not in board.index:
        raise WebProblem("bad_field", field="hex")
    return at


def _map(part: Part, missing: Sequence[Path], at: Hex | None) -> dict[str, Any]:
    """What the page shows of the map, where `at` was tapped."""
    board, demand = _board(part), tuple(part.told.get(f"demand.{n}") for n in ("", *CITY_NUMBERS))
    unsure = [hex_of(path.removeprefix("track."), "hex") for path in missing if path.count(",")]
    untold = [board.numbered[int(number)] for number in CITY_NUMBERS if f"demand.{number}" in missing]
    marks = {there: {"doubt"} for there in (*unsure, *(city.at for city in untold))}
    if at:
        marks[at] = marks.get(at, set()) | {"chosen"}
    track = [part.told[f"track.{company}"] for company in COMPANIES]
    on_map = _OnMap(board, tuple(mask_of(board, hexes) for hexes in track), demand)
    return {
        "picture": draw(on_map, marks),
        "unsure": unsure,
        "untold": untold,
        "at": at,
        "city": board.city_at.get(board.index[at]) if at else None,
        "present": [
            company for company, hexes in zip(COMPANIES, track, strict=True) if at and list(at) in hexes
        ],
        "demand": demand,
        "kinds": kinds_of_tiles(part.pack),
    }


def _form(
    part: Part, known: Mapping[Path, Any], missing: Sequence[Path], typed: Mapping[Path, str]
) -> dict[str, Any]:
    """What the page asks besides: what is filled in, and what follows by the rules where nothing is."""
    told = {path: _written(path, part.told[path]) if path in part.told else "" for path in _asked(part)}
    counts = ["value", "reservoir", "offer"]
    # What has left the game stands nowhere on the table; mostly it follows from the other shares.
    if not any(path.endswith(".offer") for path in missing) and any(
        path.endswith(".out") for path in missing
    ):
        counts.append("out")
    return {
        "typed": {**told, **typed},
        "follows": {path: _written(path, known[path]) for path in _asked(part) if path in known},
        "counts": counts,
        "choices": _choices(part),
        "bag": Counter(map(tile_text, part.pack.bot_tiles)),
        "seen": _seen(part),
        "digits": DIGITS,
    }


def _choices(part: Part) -> list[tuple[Path, str, list[tuple[str, str]]]]:
    """What is chosen from a list: where it stands, what it is called, and each word with what it is called."""
    companies = [(company, named(company)) for company in COMPANIES]
    found = [("to_move", say("Whose turn begins?"), [(seat, named(seat)) for seat in part.players])]
    if MASINFIRA in part.players:
        cities = [(str(n), f"{n} · {city.name}") for n, city in _board(part).numbered.items()]
        cities.insert(0, ("0", say("none, it is off the map")))
        found += [("bot.company", say("Mašinfíra's company marker"), companies)]
        found += [("bot.target", say("Mašinfíra's target city"), cities)]
    if "golden_spike" in part.told["modules"]:
        companies = [*companies, (NONE, say("nobody"))]
        statuses = [(status, named(status)) for status in STATUSES]
        found += [("golden_spike.status", say("The Golden Spike"), statuses)]
        found += [("golden_spike.eastern", say("Its eastern company"), companies)]
        found += [("golden_spike.western", say("Its western company"), companies)]
    return found


def _asked(part: Part) -> list[Path]:
    """What the form asks."""
    return [path for path in part.fields if path.startswith(ASKED)]


def _written(path: Path, value: Any) -> str:
    """A value as its field of the form holds it."""
    if value in (None, []):
        return NONE
    if path.startswith("demand."):
        return ",".join(value)
    return " ".join(map(tile_text, value)) if isinstance(value, list) else str(value)


def _seen(part: Part) -> str:
    """What the form showed, in short: whoever changes it must have seen it."""
    return in_short({path: part.told.get(path) for path in _asked(part)})


@underway.post(PAGE)
def tell(id: str) -> ResponseReturnValue:
    """The numbers and markers that a person reads off the boards, as many as are filled in."""
    position, form = positions().load(id), request.form
    typed = {path: _typed(form.getlist(path)) for path in _asked(position.part)}

    def told(part: Part) -> Part:
        if form.get("seen") != _seen(part):
            raise WebProblem("tables_changed")
        return part.filled_in([f"{path}={text}" for path, text in typed.items() if text])

    try:
        positions().change(id, told)
    except Problem as problem:
        return _page(positions().load(id), typed, _in_words(problem)), status_of(problem)
    return _to_position(id, "numbers")


def _typed(values: Sequence[str]) -> str:
    """What a field says as `Part` reads it, also where several are ticked; a demand tile comes as "brown-gray"."""
    return re.sub(r"(?<=[a-z])-", ",", " ".join(values).strip()[:LONGEST])


def _in_words(problem: Problem) -> Problem:
    """What is wrong with a number, told to somebody who sees its field marked."""
    if isinstance(problem, PartProblem) and problem.key == "value":
        told = problem.values
        field = json.loads(told["path"])
        return WebProblem("impossible_number", field=field, expected=told["expected"], found=told["found"])
    return problem


@underway.post(PAGE + "/hex")
def correct(id: str) -> ResponseReturnValue:
    """All trains of a hex, and the demand tile of a city."""
    form, at = request.form, hex_of(request.form.get("hex", ""), "hex")
    trains = [company for company in COMPANIES if company in form.getlist("train")]
    said = [f"track.{hex_to_text(at)}={','.join(trains) or NONE}"]

    def told(part: Part) -> Part:
        city = _board(part).city_at.get(_board(part).index.get(at, -1))
        tile = _typed(form.getlist("tile"))
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
