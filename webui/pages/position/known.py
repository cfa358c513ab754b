"""What is known of a position that is being entered, as its page shows and asks it."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.hexgrid import Hex, distance
from engine.mini_express import COMPANIES, Part, PartProblem, Setup, unplayed
from engine.mini_express.board import Board
from engine.mini_express.fields import CITY_NUMBERS, NONE, STATUSES, Path, as_typed
from engine.mini_express.names import MASINFIRA, Pair
from engine.mini_express.notation import hex_to_text
from engine.mini_express.part.rules import mask_of
from engine.mini_express.setup import starting_state
from engine.sentences import Problem

from ...forms import DIGITS, hex_of, in_one, in_short, tile_text
from ...kept.positions import Position
from ...kept.seeing import OTHER_NUMBERS, OTHER_TILES, OTHER_TRAINS
from ...language import named, ngettext, say
from ...problems import WebProblem
from ..drawing import draw
from ..tiles import kinds_of_tiles

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import TableScan

ASKED = ("companies.", "influence.", "shares.", "bot.", "golden_spike.", "demand.", "to_move")
"""What a form asks of a position; trains are tapped instead."""
ROWS = ("influence.", "shares.")
LONGEST = 120


@dataclass(frozen=True)
class _OnMap:
    """What is known of the map, to be drawn."""

    board: Board
    track: tuple[int, ...]
    demand: tuple[Pair | None, ...]


def agreed_and_seen(setup: Setup, found: "TableScan | None") -> Part:
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
        # What would follow by the rules is not asked only because something else is wrong.
        untold = [path for path, _ in _chosen(part) if path not in part.told]
        return part.told, [*sorted(part.unsure), *untold], problem
    return known, missing, None


def not_played(part: Part) -> list[Problem]:
    """What no play can have led to, of a position that is known as a whole: something may be misread."""
    state = part.state()
    return [*unplayed(state)] if state else []


def apart_in(found: "TableScan | None", part: Part, missing: Sequence[Path]) -> list[Problem]:
    """That the photos contradict each other, while something of that kind is open."""
    still_open = {
        OTHER_TRAINS: open_on_map(part),
        OTHER_TILES: [path for path in missing if path.startswith("demand.")],
        OTHER_NUMBERS: [path for path in missing if not path.startswith("demand.")],
    }
    return [problem for problem in found.all_conflicts if still_open.get(problem.key)] if found else []


def open_on_map(part: Part) -> list[Hex]:
    """The hexes whose trains photos left open."""
    return [hex_of(path.removeprefix("track."), "hex") for path in sorted(part.unsure) if path.count(",")]


def nearest_open(part: Part, at: Hex) -> Hex | None:
    """Of these the one nearest to a hex."""
    return min(open_on_map(part), key=lambda other: distance(at, other), default=None)


def on_the_map(part: Part, missing: Sequence[Path], at: Hex | None) -> dict[str, Any]:
    """What the page shows of the map, where `at` was tapped."""
    board, demand = board_of(part), tuple(part.told.get(f"demand.{n}") for n in ("", *CITY_NUMBERS))
    unsure = open_on_map(part)
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
        "present": trains_on(part, at) if at else [],
        "demand": demand,
        "kinds": kinds_of_tiles(part.pack),
    }


def in_the_form(
    position: Position, known: Mapping[Path, Any], missing: Sequence[Path], typed: Mapping[Path, str]
) -> dict[str, Any]:
    """What the page asks besides: what is filled in, and what follows by the rules where nothing is."""
    part, doubtful = position.part, in_doubt(position, known)
    counts = ["value", "reservoir", "offer"]
    # What has left the game stands nowhere on the table; mostly it follows from the other shares.
    if not any(path.endswith(".offer") for path in missing) and any(
        path.endswith(".out") for path in missing
    ):
        counts.append("out")
    return {
        "typed": {**_filled_in(part), **doubtful, **typed},
        "doubtful": doubtful,
        "tiles_proposed": sum(path.startswith("demand.") for path in doubtful),
        "still_open": _still_open(part, missing, counts),
        "follows": {path: as_typed(known[path]) for path in asked(part) if path in known},
        "counts": counts,
        "choices": _choices(part),
        "bag": Counter(map(tile_text, part.pack.bot_tiles)),
        "seen": shown_in_short(position),
        "was": in_one(shown_values(position, known)),
        "digits": DIGITS,
    }


def _still_open(part: Part, missing: Sequence[Path], counts: Sequence[str]) -> list[tuple[str, str]]:
    """What is still to be told, in short, each with where on the page it is asked."""
    hexes = len(open_on_map(part))
    tiles = sum(path.startswith("demand.") for path in missing)
    numbers = sum(path.startswith(ROWS) or path.endswith(tuple(counts)) for path in missing)
    found = [
        ("map", hexes, ngettext("{n} hex of the map", "{n} hexes of the map", hexes)),
        ("numbers", numbers, ngettext("{n} number", "{n} numbers", numbers)),
        ("tiles", tiles, ngettext("{n} demand tile", "{n} demand tiles", tiles)),
    ]
    chosen = [(path, title) for path, title in _chosen(part) if path in missing]
    return [(anchor, text) for anchor, count, text in found if count] + chosen


def _chosen(part: Part) -> list[tuple[Path, str]]:
    """What the form has chosen, not written: where it stands there, and what it is called."""
    drawn = [("bot.drawn", say("Mašinfíra's tiles that lie beside the bag"))]
    return [(path, title) for path, title, _ in _choices(part)] + (drawn if MASINFIRA in part.players else [])


def in_doubt(position: Position, known: Mapping[Path, Any]) -> dict[Path, str]:
    """What photos show, but not clearly: what is proposed for each of these paths until a person confirms it."""
    part = position.part
    filled_in = _filled_in(part)
    tiles = {path: filled_in[path] for path in part.unsure & filled_in.keys() if part.told.get(path)}
    return tiles | {path: text for path, text in position.proposed.items() if path not in known}


def proposed(found: "TableScan") -> dict[Path, str]:
    """What photos show of numbers and markers, but not clearly."""
    shown = {figure.name: str(figure.best) for figure in found.figures if figure.doubtful and figure.claimed}
    on_map = found.map
    return shown | ({"bot.target": str(on_map.cards.target)} if on_map and on_map.doubtful_target else {})


def trains_as_drawn(part: Part) -> list[str]:
    """That every hex which photos left open has the trains that are shown there, each "path=value"."""
    return [f"track.{hex_to_text(at)}={','.join(trains_on(part, at)) or NONE}" for at in open_on_map(part)]


def trains_on(part: Part, at: Hex) -> list[str]:
    """The companies that have a train on a hex, as far as is told."""
    return [company for company in COMPANIES if list(at) in part.told[f"track.{company}"]]


def told_by_form(position: Position, typed: Mapping[Path, str], sure: Collection[str]) -> Position:
    """With what a person says with a form: whatever was changed or emptied, and what of the doubtful is `sure`.

    That is a path, or its first word for all of its kind. What was left as it is proposed stays in doubt. Raises
    PartProblem, Broken.
    """
    doubtful = in_doubt(position, followed(position.part)[0])
    shown = {**_filled_in(position.part), **doubtful}
    confirmed = ticked(doubtful, sure)
    changed = {path: text for path, text in typed.items() if path in confirmed or text != shown[path]}
    emptied = {path for path, text in changed.items() if not text}
    return position.untold(emptied).told([f"{path}={text}" for path, text in changed.items() if text])


def shown_values(position: Position, known: Mapping[Path, Any]) -> dict[Path, str]:
    """What each field holds before anybody types: a list has chosen what follows by the rules."""
    part, lists = position.part, {path for path, _ in _chosen(position.part)}
    shown = {**_filled_in(part), **in_doubt(position, known)}
    follows = {path: as_typed(known[path]) for path in lists if path in known}
    return {path: shown[path] or follows.get(path, "") for path in asked(part)}


def ticked(paths: Iterable[Path], sure: Collection[str]) -> list[Path]:
    """Those of the paths that are ticked, by themselves or with all of their kind."""
    return [path for path in paths if path in sure or path.partition(".")[0] in sure]


def _filled_in(part: Part) -> dict[Path, str]:
    """What is told of all that the form asks, as its fields hold it."""
    return {path: as_typed(part.told[path]) if path in part.told else "" for path in asked(part)}


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


def shown_in_short(position: Position) -> str:
    """What the form showed, in short: whoever changes it must have seen it."""
    return in_short([_filled_in(position.part), sorted(position.proposed.items())])


def drawn_in_short(part: Part, hexes: Sequence[Hex]) -> str:
    """What the map showed of these hexes, in short: whoever says what stands there must have seen it."""
    return in_short([(at, trains_on(part, at), _tile_on(part, at)) for at in hexes])


def _tile_on(part: Part, at: Hex) -> Any:
    """The demand tile that is told of a hex, None where none is or can be."""
    city = (board := board_of(part)).city_at.get(board.index[at])
    return part.told.get(f"demand.{city.number}") if city else None


def typed_in(values: Sequence[str]) -> str:
    """What a field says as `Part` reads it, also where several are ticked; a demand tile comes as "brown-gray"."""
    return re.sub(r"(?<=[a-z])-", ",", " ".join(values).strip()[:LONGEST])


def about_field(problem: Problem) -> Problem:
    """What is wrong with a number, told to somebody who sees its field marked."""
    if isinstance(problem, PartProblem) and problem.key == "value":
        told = problem.values
        field = json.loads(told["path"])
        return WebProblem("impossible_number", field=field, expected=told["expected"], found=told["found"])
    return problem


def cannot_be(part: Part, typed: Mapping[Path, str]) -> set[Path]:
    """The fields that can never hold what is `typed` in them."""
    return {path for path, text in typed.items() if text and not part.takes(path, text)}
