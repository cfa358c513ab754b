"""What is agreed before a game, as far as it is told: the map, who plays, how. It decides what else can be said."""

from .board import Board
from .fields import Known
from .names import MASINFIRA, SEATS, humans
from .pack import Pack
from .setup import WITH_BOT, make_setup
from .state import Setup


def mode_of(told: Known) -> str | None:
    """The mode: one player plays solo, three or more the standard game, two with Mašinfíra or as experts."""
    if "mode" in told or "seats" not in told:
        return told.get("mode")
    found = len(humans(told["seats"]))
    if found == 2:
        with_bot = MASINFIRA in told["seats"] or told.get("bot.target")
        return "two_with_bot" if with_bot else None
    return {0: None, 1: "solo"}.get(found, "standard")


def players(told: Known) -> tuple[str, ...]:
    """All seats, Mašinfíra's the last where it plays; () while nobody has told them."""
    found = humans(told.get("seats", ()))
    return (*found, MASINFIRA) if found and mode_of(told) in WITH_BOT else found


def may_play(told: Known) -> tuple[str, ...]:
    """The seats there can be, as far as is told."""
    found = players(told)
    return found if found and mode_of(told) else (*(found or SEATS), MASINFIRA)


def board_of(told: Known, pack: Pack) -> Board | None:
    """The map as the modules change it, as far as they are told."""
    board = pack.boards.get(told.get("board", ""))
    return board and board.variant(tuple(told.get("modules", ())))


def setup_of(known: Known, pack: Pack) -> Setup:
    """The set-up, where all of it is known. Raises Malformed where there is none like this."""
    board, mode, difficulty, modules = (known[path] for path in ("board", "mode", "difficulty", "modules"))
    seats, korean_start = humans(known["seats"]), known.get("korean_start", False)
    return make_setup(board, mode, difficulty, seats, modules, pack, korean_start)
