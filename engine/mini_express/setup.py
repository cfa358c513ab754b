"""A new game (R2, R7.1-R7.3, R8.1, R8.2, R9.1), up to the draft of the first shares."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from .board import Board
from .errors import Malformed
from .names import (
    COMPANIES,
    DIFFICULTIES,
    MASINFIRA,
    MODES,
    MODULES,
    REFRESH,
    SEATS,
    SHARES,
    TRAINS,
    Demand,
)
from .pack import Pack, built_in
from .state import Bot, Setup, Spike, State, tile_order

PLAYERS = {"standard": (3, 5), "solo": (1, 1), "two_with_bot": (2, 2), "experts": (2, 2)}
OFFER = {"standard": 6, "solo": 5, "two_with_bot": 6, "experts": 5}
WITH_BOT, WITHOUT_BOT = ("solo", "two_with_bot"), ("standard", "experts")
RESERVOIR_AT_START = 4
DEALT_BY = {"standard": "R2.1", "solo": "R7.1", "two_with_bot": "R8.1", "experts": "R9.1"}
"""The clause that deals the shares, by mode."""


def new(
    *,
    board: str = "usa",
    mode: str = "standard",
    difficulty: str | None = None,
    seats: Sequence[str],
    modules: Sequence[str] = (),
    rng: random.Random,
    pack: Pack | None = None,
    korean_start: bool = False,
) -> State:
    """A game before its draft; `seats` are the human players in turn order, the start player first.

    `rng` shuffles the demand tiles (R2.3). `korean_start` puts Mašinfíra's target marker on city 1 at once,
    the Korean reading of R7.2. Raises Malformed for a set-up that does not exist.
    """
    setup = make_setup(board, mode, difficulty, seats, modules, pack or built_in(), korean_start)
    if korean_start and setup.bot_seat is None:
        raise Malformed("start_of_bot", rule="R7.2")
    tiles = list(setup.pack.demand_tiles)
    rng.shuffle(tiles)
    return starting_state(setup, (None, *tiles))


def make_setup(
    board: str,
    mode: str,
    difficulty: str | None,
    humans: Sequence[str],
    modules: Sequence[str],
    pack: Pack,
    korean_start: bool = False,
) -> Setup:
    """Check and put together what is agreed before a game. Raises Malformed."""
    printed = pack.board(board)
    if mode not in MODES:
        raise Malformed("unknown_mode", found=mode, known=", ".join(MODES))
    chosen = chosen_modules(modules, printed)
    _check_difficulty(mode, difficulty)
    _check_seats(mode, humans)
    seats = (*humans, MASINFIRA) if mode in WITH_BOT else tuple(humans)
    return Setup(printed.variant(chosen), mode, difficulty, chosen, seats, pack, korean_start)


def chosen_modules(modules: Sequence[str], board: Board) -> tuple[str, ...]:
    """These modules in the order of `MODULES`. Raises Malformed for one that there is not, or not on this map."""
    for module in modules:
        if module not in MODULES:
            raise Malformed("unknown_module", found=module, known=", ".join(MODULES))
        if not has_room_for(board, module):
            rule = {"golden_spike": "R10.1", "ports": "R11.1"}[module]
            raise Malformed("module_board", rule=rule, module=module, board=board.id)
    return tuple(module for module in MODULES if module in modules)


def has_room_for(board: Board, module: str) -> bool:
    """Whether a map has what this module needs of it (R10.1, R11.1)."""
    return {"golden_spike": board.spike is not None, "ports": bool(board.ports)}.get(module, True)


def _check_difficulty(mode: str, difficulty: str | None) -> None:
    if mode != "solo":
        if difficulty is not None:
            raise Malformed("difficulty_solo", rule="R7.13")
    elif difficulty is None:
        raise Malformed("difficulty_needed", rule="R7.13", known=", ".join(DIFFICULTIES))
    elif difficulty not in DIFFICULTIES:
        raise Malformed("unknown_difficulty", rule="R7.13", found=difficulty, known=", ".join(DIFFICULTIES))


def _check_seats(mode: str, humans: Sequence[str]) -> None:
    for seat in humans:
        if seat not in SEATS:
            raise Malformed("seat_colour", rule="R1.1", found=seat, known=", ".join(SEATS))
    least, most = PLAYERS[mode]
    if not least <= len(humans) <= most:
        expected = str(least) if least == most else f"{least}–{most}"
        raise Malformed("seat_count", rule=DEALT_BY[mode], expected=expected, found=len(humans))
    for seat in humans:
        if list(humans).count(seat) > 1:
            raise Malformed("seat_twice", rule="R1.1", seat=seat)


def starting_state(setup: Setup, demand: Demand) -> State:
    """The position before the draft, with `demand[n]` on city n; index 0 is unused."""
    everyone = range(len(setup.seats))
    offer, aside, out = shares_dealt(setup.mode, len(setup.seats))
    four = len(COMPANIES)
    return State(
        setup,
        to_move=0,
        phase="draft",
        actions_left=1,
        value=(0,) * four,
        reservoir=(RESERVOIR_AT_START,) * four,
        supply=(TRAINS - RESERVOIR_AT_START - 1,) * four,
        offer=(offer,) * four,
        aside=(aside,) * four,
        out=(out,) * four,
        track=tuple(1 << setup.board.starts[company].bit for company in COMPANIES),
        influence=tuple((first_influence(setup, seat),) * four for seat in everyone),
        shares=tuple((0,) * four for _ in everyone),
        demand=demand,
        bot=_bot(setup) if setup.bot_seat is not None else None,
        spike=Spike("waiting") if "golden_spike" in setup.modules else None,
    )


class Dealt(NamedTuple):
    """How many shares of each company begin where."""

    offer: int
    aside: int
    box: int


def shares_dealt(mode: str, seats: int) -> Dealt:
    """How the nine shares of each company are dealt (R2.1, R7.1, R8.1, R9.1)."""
    offer, aside = OFFER[mode], 3 if mode == "standard" and seats > 3 else 2
    return Dealt(offer, aside, SHARES - offer - aside)


def first_influence(setup: Setup, seat: int) -> int:
    """1 everywhere (R2.6); at Railwayman 2 for Mašinfíra and 0 for the human (R7.17)."""
    if not setup.from_difficulty("railwayman"):
        return 1
    return 2 if seat == setup.bot_seat else 0


def _bot(setup: Setup) -> Bot:
    """The markers of R7.2 and the bag: in solo the refresh tiles wait outside (R7.3), else not (R8.2)."""
    tiles = [tile for tile in setup.pack.bot_tiles if setup.mode != "solo" or tile != REFRESH]
    return Bot(1 if setup.korean_start else 0, 0, tile_order(tiles), ())
