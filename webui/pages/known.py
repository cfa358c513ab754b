"""What is known of a position that is being entered, as its page shows and asks it."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.hexgrid import Hex
from engine.mini_express import COMPANIES, Part, PartProblem
from engine.mini_express.board import Board
from engine.mini_express.fields import CITY_NUMBERS, NONE, STATUSES, Path
from engine.mini_express.names import MASINFIRA, Pair
from engine.mini_express.part_rules import mask_of
from engine.sentences import Problem

from ..forms import DIGITS, hex_of, in_short, tile_text
from ..language import named, say
from ..problems import WebProblem
from .drawing import draw
from .start import kinds_of_tiles

ASKED = ("companies.", "influence.", "shares.", "bot.", "golden_spike.", "demand.", "to_move")
"""What a form asks of a position; trains are tapped instead."""
LONGEST = 120


@dataclass(frozen=True)
class _OnMap:
    """What is known of the map, to be drawn."""

    board: Board
    track: tuple[int, ...]
    demand: tuple[Pair | None, ...]


def board_of(part: Part) -> Board:
    """Its map, which is told from the beginning."""
    assert part.board is not None
    return part.board


def followed(part: Part) -> tuple[Mapping[Path, Any], Sequence[Path], Problem | None]:
    """What is known, what is missing, and why it cannot be like this."""
    try:
        known, missing = part.known, part.missing
        part.state()
    except Problem as problem:
        return part.told, sorted(part.unsure), problem
    return known, missing, None


def on_the_map(part: Part, missing: Sequence[Path], at: Hex | None) -> dict[str, Any]:
    """What the page shows of the map, where `at` was tapped."""
    board, demand = board_of(part), tuple(part.told.get(f"demand.{n}") for n in ("", *CITY_NUMBERS))
    unsure = [hex_of(path.removeprefix("track."), "hex") for path in missing if path.count(",")]
    untold = [board.numbered[int(number)] for number in CITY_NUMBERS if f"demand.{number}" in missing]
    marks = {there: {"doubt"} for there in (*unsure, *(city.at for city in untold))}
    if target := part.told.get("bot.target"):
        marks.setdefault(board.numbered[target].at, set()).add("target")
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


def in_the_form(
    part: Part, known: Mapping[Path, Any], missing: Sequence[Path], typed: Mapping[Path, str]
) -> dict[str, Any]:
    """What the page asks besides: what is filled in, and what follows by the rules where nothing is."""
    told = {path: _written(path, part.told[path]) if path in part.told else "" for path in asked(part)}
    counts = ["value", "reservoir", "offer"]
    # What has left the game stands nowhere on the table; mostly it follows from the other shares.
    if not any(path.endswith(".offer") for path in missing) and any(
        path.endswith(".out") for path in missing
    ):
        counts.append("out")
    return {
        "typed": {**told, **typed},
        "follows": {path: _written(path, known[path]) for path in asked(part) if path in known},
        "counts": counts,
        "choices": _choices(part),
        "bag": Counter(map(tile_text, part.pack.bot_tiles)),
        "seen": shown_in_short(part),
        "digits": DIGITS,
    }


def _choices(part: Part) -> list[tuple[Path, str, list[tuple[str, str]]]]:
    """What is chosen from a list: where it stands, what it is called, and each word with what it is called."""
    companies = [(company, named(company)) for company in COMPANIES]
    found = [("to_move", say("Whose turn begins?"), [(seat, named(seat)) for seat in part.players])]
    if MASINFIRA in part.players:
        cities = [(str(n), f"{n} · {city.name}") for n, city in board_of(part).numbered.items()]
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


def asked(part: Part) -> list[Path]:
    """What the form asks."""
    return [path for path in part.fields if path.startswith(ASKED)]


def _written(path: Path, value: Any) -> str:
    """A value as its field of the form holds it."""
    if value in (None, []):
        return NONE
    if path.startswith("demand."):
        return ",".join(value)
    return " ".join(map(tile_text, value)) if isinstance(value, list) else str(value)


def shown_in_short(part: Part) -> str:
    """What the form showed, in short: whoever changes it must have seen it."""
    return in_short({path: part.told.get(path) for path in asked(part)})


def typed_in(values: Sequence[str]) -> str:
    """What a field says as `Part` reads it, also where several are ticked; a demand tile comes as "brown-gray"."""
    return re.sub(r"(?<=[a-z])-", ",", " ".join(values).strip()[:LONGEST])


def in_words(problem: Problem) -> Problem:
    """What is wrong with a number, told to somebody who sees its field marked."""
    if isinstance(problem, PartProblem) and problem.key == "value":
        told = problem.values
        field = json.loads(told["path"])
        return WebProblem("impossible_number", field=field, expected=told["expected"], found=told["found"])
    return problem
