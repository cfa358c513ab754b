"""What a value out of a file is, be the file TOML or JSON."""

from typing import Any

from .names import SYMBOLS, WILD


def is_whole(value: Any) -> bool:
    """A whole number; True and False are none."""
    return type(value) is int


def is_two_numbers(value: Any) -> bool:
    """A list of two whole numbers, as a hex or a tile of Mašinfíra."""
    return isinstance(value, list) and [type(v) for v in value] == [int, int]


def is_pair(value: Any) -> bool:
    """Whether a list is a demand tile that there can be: wild stands beside a company only."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(symbol in SYMBOLS for symbol in value)
        and value != [WILD, WILD]
    )
