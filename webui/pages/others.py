"""The boards beside the map that photos of a game show, compared with the game."""

from dataclasses import dataclass

from engine.mini_express import COMPANIES
from engine.sentences import N_

from ..kept.seeing import Seen
from ..language import line_of, named, say

COMPARED = ("tracks", "assets")
COUNTED = {"value": N_("Value"), "reservoir": N_("Reservoir"), "influence": N_("Influence")}


@dataclass(frozen=True)
class Others:
    """The `boards` that were seen, and whether all their clear numbers `fit` the game.

    `differ` are lines on those that do not, and on strange markers; `unclear` is how many numbers are doubtful.
    """

    boards: tuple[str, ...]
    fit: bool
    differ: list[str]
    unclear: int


def others(seen: Seen) -> Others:
    """What photos show of the other boards. Shares in the offer overlap, and are never clear."""
    table = seen.table
    differ = [
        say(
            "{what}: the photo shows {found}, the game says {expected}.",
            what=_in_words(str(problem.values["figure"])),
            **{name: _value(problem.values[name]) for name in ("found", "expected")},
        )
        if problem.key == "figure"
        else line_of(problem)
        for problem in table.conflicts
    ]
    fit = all(problem.key != "figure" for problem in table.conflicts)
    return Others(seen.boards, fit, differ, sum(f.path[-1] != "offer" for f in table.doubtful))


def _in_words(figure: str) -> str:
    """What a figure is, "influence.red.brown", in words."""
    if figure == "bot.company":
        return say("Mašinfíra's company marker")
    first, middle, last = figure.split(".")
    parts = (last, middle) if first == "companies" else (first, middle, last)
    return ", ".join(say(COUNTED[part]) if part in COUNTED else named(part) for part in parts)


def _value(value: object) -> str:
    return named(value) if isinstance(value, str) and value in COMPANIES else str(value)
