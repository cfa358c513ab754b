"""What can be said of a position, path by path: `companies.brown.value` is a whole number from 0 to 15.

A path is a place in the state JSON, its keys joined by dots. What stands there is checked in one way,
whether a photo, a file or a person says it; a person writes it as plain text ("2", "brown,wild", "3,-4 3,-3").
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..sentences import Phrase
from .board import Board
from .errors import Malformed, as_json
from .file_values import is_pair, is_two_numbers, is_whole
from .names import (
    COMPANIES,
    DIFFICULTIES,
    LAST_CITY,
    MASINFIRA,
    MODES,
    MODULES,
    REFRESH,
    RESERVOIR_SIZE,
    SEATS,
    SHARES,
    SYMBOLS,
    TOP_VALUE,
    TRAINS,
)
from .notation import hex_from_text

Path = str
Known = Mapping[Path, Any]
NONE = "none"
PHASES = ("draft", "play", "over")
STATUSES = ("waiting", "building", "linked", "off")
LARGEST = 999
CITY_NUMBERS = tuple(map(str, range(1, LAST_CITY + 1)))
"""The cities with a number as keys of the JSON."""
NUMBERS_OF_A_COMPANY = {
    "value": (TOP_VALUE, "R5.5"),
    "reservoir": (RESERVOIR_SIZE, "R4.2"),
    "supply": (TRAINS, "R1.2"),
    "offer": (SHARES, "R1.2"),
    "aside": (SHARES, "R1.2"),
    "out": (SHARES, "R1.2"),
}
"""How much each can be at most, and the clause that says so."""


@dataclass(frozen=True)
class Field:
    """What may stand at a path, in a file and as a person types it.

    `wrong` lists what of a JSON value may not stand there, `written` says what may; `read` makes JSON of what is
    typed (ValueError or KeyError if it cannot), `typed` says how. `rule` is the clause that limits a number.
    """

    typed: Phrase
    read: Callable[[str], Any]
    written: Phrase
    wrong: Callable[[Any], list[Any]]
    rule: str = ""

    def check(self, path: Path, value: Any) -> None:
        """Raises Malformed where this value may not stand at this path."""
        if wrong := self.wrong(value):
            expected, found = self.written, as_json(wrong[0])
            raise Malformed("state_part", rule=self.rule, part=path, expected=expected, found=found)


def number(most: int, rule: str = "") -> Field:
    expected = Phrase("a whole number from 0 to {most}", most=most)
    return Field(expected, _whole, expected, lambda v: [] if is_whole(v) and 0 <= v <= most else [v], rule)


def word(words: Sequence[str], **named: Any) -> Field:
    """One of `words`, or a word that stands for another JSON value, such as none for null."""
    known: dict[str, Any] = {**{w: w for w in words}, **named}
    in_json = ", ".join([*words, *map(as_json, named.values())])

    def is_known(value: Any) -> bool:
        return value in words if isinstance(value, str) else any(value is v for v in named.values())

    return Field(
        Phrase("one of {words}", words=", ".join(known)),
        lambda text: known[text],
        Phrase("one of {words}", words=in_json),
        lambda v: [] if is_known(v) else [v],
    )


def some(words: Sequence[str]) -> Field:
    """Several of `words`, each once."""
    return Field(
        Phrase("some of {words} with commas between them", words=", ".join((*words, NONE))),
        _list,
        Phrase("a list of {words}, none of them twice", words=", ".join(words)),
        lambda v: _wrong_pieces(v, lambda piece: isinstance(piece, str) and piece in words, once=True),
    )


def seats() -> Field:
    """Who plays, a person at least."""
    words = (*SEATS, MASINFIRA)
    named, each = ", ".join(words), some(words)
    return Field(
        Phrase("some of {words} with commas between them, none twice, and not Mašinfíra alone", words=named),
        each.read,
        Phrase("a list of {words}, none of them twice, and not Mašinfíra alone", words=named),
        lambda v: each.wrong(v) or ([] if any(seat in SEATS for seat in v) else [v]),
    )


def hexes(board: Board | None) -> Field:
    """Several hexes, each once; of this map, if it is known."""

    def is_hex(at: Any) -> bool:
        return is_two_numbers(at) and (board is None or (at[0], at[1]) in board.index)

    return Field(
        Phrase("hexes of this map, such as 3,-4 3,-3, or none"),
        _couples,
        Phrase("a list of hexes of this map as [q, r], none of them twice"),
        lambda v: _wrong_pieces(v, is_hex, once=True),
    )


def tiles() -> Field:
    """Several of Mašinfíra's tiles, equal ones too."""
    return Field(
        Phrase("Mašinfíra's tiles, such as 2,1 3,4, or none"),
        _couples,
        Phrase('a list of tiles, each [city moves, company moves] or "refresh"'),
        lambda v: _wrong_pieces(v, lambda piece: piece == REFRESH or is_two_numbers(piece)),
    )


def demand_tile() -> Field:
    return Field(
        Phrase(
            "two of {words} with a comma between them, but not wild twice, or none",
            words=", ".join(SYMBOLS),
        ),
        lambda text: _list(text) or None,
        Phrase("two companies, or a company and wild"),
        lambda v: [] if v is None or is_pair(v) else [v],
    )


def four_numbers(most: int) -> Field:
    """A seat's numbers at once, which no file has."""
    expected = Phrase("four numbers for brown, gray, orange and white, such as 2,0,1,1")
    return Field(
        expected,
        lambda text: [_whole(part) for part in re.split("[ ,]+", text)],
        expected,
        lambda v: [] if len(v) == len(COMPANIES) and max(v) <= most else [v],
    )


def as_typed(value: Any) -> str:
    """A JSON value as a person types it: what the `read` of its field makes it of."""
    match value:
        case None | []:
            return NONE
        case list() if all(isinstance(piece, list) or piece == REFRESH for piece in value):
            return " ".join(map(as_typed, value))
        case list():
            return ",".join(map(str, value))
        case bool():
            return str(value).lower()
    return str(value)


def _wrong_pieces(value: Any, fits: Callable[[Any], bool], *, once: bool = False) -> list[Any]:
    """What of a list may not stand in it, or stands there twice; the value itself where it is no list."""
    if not isinstance(value, list):
        return [value]
    wrong = [piece for piece in value if not fits(piece)]
    if wrong or not once:
        return wrong
    first = {str(piece): n for n, piece in reversed([*enumerate(value)])}
    return [piece for n, piece in enumerate(value) if first[str(piece)] != n]


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise ValueError(text)
    return int(text)


def _list(text: str) -> list[str]:
    return [] if text == NONE else [part for part in re.split("[ ,]+", text) if part]


def _couples(text: str) -> list[Any]:
    """ "3,-4 3,-3" → [[3, -4], [3, -3]]; "refresh" stays a word."""
    found: list[Any] = []
    for part in [] if text == NONE else text.split():
        couple = hex_from_text(part)  # a tile of two numbers is written as a hex is
        found.append(part if couple is None else list(couple))
    return found


def fields(boards: Mapping[str, Board], board: Board | None, seats: Sequence[str]) -> dict[Path, Field]:
    """Every path of the state JSON that can be filled in, for this map, if it is known, and these seats."""
    return {
        **agreed_fields(boards),
        **_turn_fields(seats),
        **_company_fields(board),
        **_seat_fields(seats),
        **dict.fromkeys((f"demand.{n}" for n in CITY_NUMBERS), demand_tile()),
        **_bot_fields(),
        **_spike_fields(),
    }


def lenient(fields: Mapping[Path, Field]) -> dict[Path, Field]:
    """The same, but numbers may be higher than the rules allow: `check` tells them all."""
    return {path: number(LARGEST) if field.rule else field for path, field in fields.items()}


def _turn_fields(seats: Sequence[str]) -> dict[Path, Field]:
    return {
        "to_move": word(seats),
        "phase": word(PHASES),
        "actions_left": number(2, "R9.2"),
        "used": word(COMPANIES, none=None),
        "passes": number(LARGEST),
    }


def _company_fields(board: Board | None) -> dict[Path, Field]:
    counts = {part: number(*limit) for part, limit in NUMBERS_OF_A_COMPANY.items()}
    numbers = {f"companies.{c}.{part}": field for c in COMPANIES for part, field in counts.items()}
    return numbers | dict.fromkeys((f"track.{c}" for c in COMPANIES), hexes(board))


def _seat_fields(seats: Sequence[str]) -> dict[Path, Field]:
    rows = {"influence": number(LARGEST), "shares": number(SHARES, "R1.2")}
    return {f"{part}.{seat}.{c}": rows[part] for part in rows for seat in seats for c in COMPANIES}


def _bot_fields() -> dict[Path, Field]:
    return {
        "bot.target": number(LAST_CITY, "R7.5"),
        "bot.company": word(COMPANIES),
        **dict.fromkeys(("bot.bag", "bot.drawn"), tiles()),
        "bot.redraw": word((), true=True, false=False),
    }


def _spike_fields() -> dict[Path, Field]:
    ends = ("golden_spike.eastern", "golden_spike.western")
    return {"golden_spike.status": word(STATUSES), **dict.fromkeys(ends, word(COMPANIES, none=None))}


def agreed_fields(boards: Mapping[str, Board]) -> dict[Path, Field]:
    """What is agreed before a game: it decides what else can be said of it, so it is read first."""
    return {
        "board": word(tuple(boards)),
        "mode": word(MODES),
        "difficulty": word(DIFFICULTIES, none=None),
        "modules": some(MODULES),
        "korean_start": word((), true=True, false=False),
        "seats": seats(),
    }


def told_at(state: Mapping[str, Any], fields: Mapping[Path, Field]) -> dict[Path, Any]:
    """What stands at these paths, checked; keys that no state has are passed over. Raises Malformed."""
    told = {}
    for path, field in fields.items():
        if (value := value_at(state, path)) is not ...:
            field.check(path, value)
            told[path] = value
    return told


def value_at(state: Mapping[str, Any], path: Path) -> Any:
    """The value at a path, or ... where there is none. Raises Malformed."""
    value: Any = state
    for depth, key in enumerate(keys := path.split(".")):
        if value is None:
            return ...
        if not isinstance(value, (dict, Mapping)):  # dict alone would do for JSON, and is faster to ask
            expected = Phrase("an object with keys")
            part = ".".join(keys[:depth])
            raise Malformed("state_part", part=part, expected=expected, found=as_json(value))
        if key not in value:
            return ...
        value = value[key]
    return value


def possible(path: str, paths: Sequence[str]) -> list[str]:
    """What could stand instead of a path that there is not: the ways on from its longest part that there is."""
    keys = path.split(".")
    for known in range(len(keys) - 1, -1, -1):
        start = "".join(f"{key}." for key in keys[:known])
        onward = [other for other in paths if other.startswith(start)]
        if onward:
            return list(dict.fromkeys(start + other[len(start) :].split(".")[0] for other in onward))
    return []
