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
    TOP_VALUE,
    TRAINS,
    WILD,
)
from .notation import hex_from_text
from .serial import LARGEST, PHASES, STATUSES

NONE = "none"
NUMBERS_OF_A_COMPANY = {
    "value": TOP_VALUE,
    "reservoir": RESERVOIR_SIZE,
    "supply": TRAINS,
    "offer": SHARES,
    "aside": SHARES,
    "out": SHARES,
}


@dataclass(frozen=True)
class Field:
    """What may stand at a path: `read` makes JSON of a person's text (ValueError if it cannot), `fits` checks it."""

    expected: Phrase
    read: Callable[[str], Any]
    fits: Callable[[Any], bool]


def number(most: int) -> Field:
    is_number = lambda v: type(v) is int and 0 <= v <= most
    return Field(Phrase("a whole number from 0 to {most}", most=most), _whole, is_number)


def word(words: Sequence[str], **named: Any) -> Field:
    """One of `words`, or a word that stands for another JSON value, such as none for null."""
    known: dict[str, Any] = {**{w: w for w in words}, **named}
    is_known = lambda v: any(v is value or (isinstance(v, str) and v == value) for value in known.values())
    return Field(Phrase("one of {words}", words=", ".join(known)), lambda text: known[text], is_known)


def some(words: Sequence[str]) -> Field:
    """Several of `words`, each once."""
    is_some = lambda v: isinstance(v, list) and all(w in words for w in v) and len(v) == len({*map(str, v)})
    return Field(
        Phrase("some of {words} with commas between them", words=", ".join((*words, NONE))), _list, is_some
    )


def hexes(board: Board | None) -> Field:
    def are_hexes(value: Any) -> bool:
        if not isinstance(value, list) or not all(_is_couple(at) for at in value):
            return False
        places = [(q, r) for q, r in value]
        return len({*places}) == len(places) and (board is None or all(at in board.index for at in places))

    return Field(Phrase("hexes of this map, such as 3,-4 3,-3, or none"), _couples, are_hexes)


def tiles() -> Field:
    are_tiles = lambda v: isinstance(v, list) and all(t == REFRESH or _is_couple(t) for t in v)
    return Field(Phrase("Mašinfíra's tiles, such as 2,1 3,4, or none"), _couples, are_tiles)


def demand_tile() -> Field:
    symbols = (*COMPANIES, WILD)
    is_tile = lambda v: v is None or (isinstance(v, list) and len(v) == 2 and all(s in symbols for s in v))
    return Field(
        Phrase("two of {words} with a comma between them, or none", words=", ".join(symbols)),
        lambda text: _list(text) or None,
        is_tile,
    )


def four_numbers(most: int) -> Field:
    are_numbers = lambda v: len(v) == len(COMPANIES) and max(v) <= most
    return Field(
        Phrase("four numbers for brown, gray, orange and white, such as 2,0,1,1"),
        lambda text: [_whole(part) for part in re.split("[ ,]+", text)],
        are_numbers,
    )


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


def _is_couple(value: Any) -> bool:
    return isinstance(value, list) and [type(v) for v in value] == [int, int]


def fields(boards: Mapping[str, Board], board: Board | None, seats: Sequence[str]) -> dict[str, Field]:
    """Every path of the state JSON that can be filled in, for this map, if it is known, and these seats."""
    rows = {
        f"{part}.{seat}.{company}"
        for part in ("influence", "shares")
        for seat in seats
        for company in COMPANIES
    }
    numbers = {
        f"companies.{c}.{part}": most for c in COMPANIES for part, most in NUMBERS_OF_A_COMPANY.items()
    }
    cities = board.numbered if board else range(1, LAST_CITY + 1)
    return {
        "board": word(tuple(boards)),
        "mode": word(MODES),
        "difficulty": word(DIFFICULTIES, none=None),
        "modules": some(MODULES),
        "korean_start": word((), true=True, false=False),
        "seats": some((*SEATS, MASINFIRA)),
        "to_move": word(seats),
        "phase": word(PHASES),
        "actions_left": number(2),
        "used": word(COMPANIES, none=None),
        "passes": number(LARGEST),
        **{path: number(most) for path, most in numbers.items()},
        **{f"track.{company}": hexes(board) for company in COMPANIES},
        **{path: number(SHARES if path.startswith("shares") else LARGEST) for path in sorted(rows)},
        **{f"demand.{n}": demand_tile() for n in cities},
        "bot.target": number(LAST_CITY),
        "bot.company": word(COMPANIES),
        "bot.bag": tiles(),
        "bot.drawn": tiles(),
        "bot.redraw": word((), true=True, false=False),
        "golden_spike.status": word(STATUSES),
        "golden_spike.eastern": word(COMPANIES, none=None),
        "golden_spike.western": word(COMPANIES, none=None),
    }


def possible(path: str, paths: Sequence[str]) -> list[str]:
    """What could stand instead of a path that there is not: the ways on from its longest part that there is."""
    keys = path.split(".")
    for known in range(len(keys) - 1, -1, -1):
        start = "".join(f"{key}." for key in keys[:known])
        onward = [other for other in paths if other.startswith(start)]
        if onward:
            return list(dict.fromkeys(start + other[len(start) :].split(".")[0] for other in onward))
    return []
