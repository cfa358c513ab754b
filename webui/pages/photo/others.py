"""The boards beside the map that photos of a game show, compared with the game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.mini_express import COMPANIES, Setup
from engine.mini_express.board import Board
from engine.sentences import N_

from ...kept.seeing import Seen
from ...language import named, say
from ..places import figure_named, problem_on

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import TableScan
    from vision.figure import Figure

COMPARED = ("tracks", "assets")


@dataclass(frozen=True)
class Others:
    """The `boards` that were seen, those of the table that are `missing`, and how many of the numbers are `clear`.

    `differ` are lines on those that do not fit the game, and on strange markers; `unclear` says of each number on these
    boards that does not show clearly what it is, with what it seems to be.
    """

    boards: tuple[str, ...]
    missing: list[str]
    clear: int
    differ: list[str]
    unclear: list[str]


def others(seen: Seen, setup: Setup) -> Others:
    """What photos show of the other boards. How many shares are in an offer cannot be seen."""
    table, shown = seen.table, {figure.name: figure for figure in seen.table.figures}
    numbers = [name for board in seen.boards for name in numbers_on(board, setup)]
    unclear = [name for name in numbers if name not in shown or not shown[name].clear]
    seems = [_seems(name, shown.get(name)) for name in unclear]
    missing = [board for board in COMPARED if board in table.missing]
    return Others(seen.boards, missing, len(numbers) - len(unclear), _differ(table, setup.board), seems)


def _differ(table: "TableScan", board: Board) -> list[str]:
    """Lines on what does not fit the game."""
    # What was played by the map is not in the game yet.
    comes_next = bool(table.map and table.map.actions)
    sentence = (
        N_("{what}: the photo shows {found}; once this is entered, it would be {expected}.")
        if comes_next
        else N_("{what}: the photo shows {found}, the game says {expected}.")
    )
    return [
        say(
            sentence,
            what=figure_named(str(problem.values["figure"])),
            **{name: _value(problem.values[name]) for name in ("found", "expected")},
        )
        if problem.key == "figure"
        else problem_on(board, problem)
        for problem in table.conflicts
        if problem.key != "many"  # which is told of the photos as a whole
    ]


def numbers_on(board: str, setup: Setup) -> Iterator[str]:
    """The names of the figures that are compared on a board."""
    if board == "tracks":
        yield from (f"companies.{company}.value" for company in COMPANIES)
        yield from (f"influence.{seat}.{company}" for seat in setup.seats for company in COMPANIES)
    else:
        yield from (f"companies.{company}.reservoir" for company in COMPANIES)
        yield from ["bot.company"] if setup.bot_seat is not None else []


def _seems(name: str, figure: "Figure | None") -> str:
    """A number in words, with what it probably is."""
    guess = f" ({_value(figure.best)}?)" if figure and figure.claimed else ""
    return figure_named(name) + guess


def _value(value: object) -> str:
    return named(value) if isinstance(value, str) and value in COMPANIES else str(value)
