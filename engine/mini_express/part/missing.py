"""What is still missing of a position that is known in part: of a whole state, and of what its score needs."""

from typing import TYPE_CHECKING

from ..agreed import may_play
from ..fields import CITY_NUMBERS, NUMBERS_OF_A_COMPANY, Known, Path
from ..names import COMPANIES

if TYPE_CHECKING:
    from .position import Part


def missing_of(part: "Part", known: Known) -> list[Path]:
    """The paths that a whole state needs and that are not among what is `known` of it."""
    wanted = [
        *("board", "mode", "difficulty", "modules", "seats", "to_move", "phase", "actions_left", "used"),
        *(f"companies.{company}.{count}" for company in COMPANIES for count in NUMBERS_OF_A_COMPANY),
        *(f"track.{company}" for company in COMPANIES),
        *_rows(part, known, "influence"),
        *_rows(part, known, "shares"),
        *_cities_without_tile(part, known),
    ]
    if known.get("bot", ...) is not None:
        wanted += [f"bot.{key}" for key in ("target", "company", "bag", "drawn", "redraw")]
    if known.get("golden_spike", ...) is not None:
        wanted += [f"golden_spike.{key}" for key in ("status", "eastern", "western")]
    return [path for path in wanted if path not in known]


def missing_for_score(part: "Part") -> list[Path]:
    """The paths that scoring needs (R6) and that are not known."""
    values = [f"companies.{company}.value" for company in COMPANIES]
    wanted = ["mode", "difficulty", "seats", *values, *_rows(part, part.known, "influence")]
    wanted += _rows(part, part.known, "shares")
    return [path for path in wanted if path not in part.known]


def _rows(part: "Part", known: Known, row: str) -> list[Path]:
    """The numbers of every seat that plays, or of which something is told; the whole while nobody does."""
    rows = {seat: [f"{row}.{seat}.{company}" for company in COMPANIES] for seat in may_play(part.told)}
    wanted = [paths for seat, paths in rows.items() if seat in part.players or known.keys() & {*paths}]
    return [path for paths in wanted for path in paths] or [row]


def _cities_without_tile(part: "Part", known: Known) -> list[Path]:
    """R5.7: a city with room has its tile, so where none is known one is missing; while that is open, every other."""
    board = part.board
    tracks = [known.get(f"track.{company}") for company in COMPANIES]
    if board is None or "modules" not in known or None in tracks:
        untold = [path for number in CITY_NUMBERS if (path := f"demand.{number}") not in known]
        return untold if len(untold) < len(CITY_NUMBERS) else ["demand"]
    opened = (
        board.spike.west if board.spike and known.get("golden_spike.status") in ("building", "linked") else ""
    )
    return [
        f"demand.{number}"
        for number, city in board.numbered.items()
        if sum(list(city.at) in track for track in tracks if track) < city.capacity
        and city.name != opened
        and known.get(f"demand.{number}") is None
    ]
