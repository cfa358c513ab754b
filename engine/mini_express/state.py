"""The state of a game: one immutable value, everything on the table and nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..hexgrid import Hex
from .board import Board
from .names import DIFFICULTIES, INDEX, LAST_CITY, MASINFIRA, BotTile, Demand, humans
from .pack import Pack

Counts = tuple[int, ...]
"""A number for each company, in the order of COMPANIES."""


@dataclass(frozen=True, eq=False)
class Setup:
    """What is agreed before a game and does not change. `seats` ends with "masinfira" where it plays."""

    board: Board
    mode: str
    difficulty: str | None
    modules: tuple[str, ...]
    seats: tuple[str, ...]
    pack: Pack
    korean_start: bool = False

    @cached_property
    def bot_seat(self) -> int | None:
        """Mašinfíra's place in `seats`, always the last."""
        return len(self.seats) - 1 if self.seats[-1] == MASINFIRA else None

    @cached_property
    def humans(self) -> tuple[str, ...]:
        """The seats in turn order but Mašinfíra's."""
        return humans(self.seats)

    def from_difficulty(self, least: str) -> bool:
        """Does a rule hold here that holds from this difficulty on? (R7.13-R7.17)"""
        return self.difficulty in DIFFICULTIES[DIFFICULTIES.index(least) :]

    def ended_by(self, bot: "Bot | None") -> bool:
        """From Tourist on the game ends at once when the target marker reaches city 32 (R7.14)."""
        return bot is not None and bot.target == LAST_CITY and self.from_difficulty("tourist")

    @property
    def first_column(self) -> bool:
        """Is the column "1st" of the value table used? (R7.12, R9.3)"""
        return self.mode not in ("solo", "experts")

    @property
    def columns_rule(self) -> str:
        """The clause that says which columns of the value table are used."""
        return {"solo": "R7.12", "experts": "R9.3"}.get(self.mode, "R6.1")

    @property
    def winner_rule(self) -> str:
        """The clause that says who wins."""
        return {"solo": "R7.12", "experts": "R9.3"}.get(self.mode, "R6.3")

    @property
    def end_rule(self) -> str:
        """The clause that says when the game ends."""
        return {"solo": "R7.11", "two_with_bot": "R8.3", "experts": "R9.3"}.get(self.mode, "R3.3")

    @property
    def exhausted_at_end(self) -> int:
        """How many exhausted companies end the game (R3.3, R9.3)."""
        return 1 if self.mode == "experts" else 2

    def _key(self) -> tuple[object, ...]:
        parts = (self.mode, self.difficulty, self.modules, self.seats, self.korean_start)
        return (self.board.id, self.pack.digest, *parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setup) and (self is other or self._key() == other._key())

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once: the search asks for it all the time."""
        return hash(self._key())


class Bot(NamedTuple):
    """Mašinfíra's markers and tiles: `target` is a city number or 0 (off the map), `company` an index.

    `bag` and `drawn` are sorted. `redraw` is true in the middle of a turn when the next tile moves only
    the company marker (R7.6).
    """

    target: int
    company: int
    bag: tuple[BotTile, ...]
    drawn: tuple[BotTile, ...]
    redraw: bool = False


class Spike(NamedTuple):
    """The Golden Spike (R10): status "waiting", "building", "linked" or "off"; company indices."""

    status: str
    eastern: int | None = None
    western: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A position. Tuples of four go by company, `influence` and `shares` by seat; `track` holds masks.

    `demand[n]` is the tile of city n or None. `used` is the company of the first action of a turn of two
    (R9.2). `passes` counts turns in a row in which nobody could act (R3.1).
    """

    setup: Setup
    to_move: int
    phase: str
    actions_left: int
    value: Counts
    reservoir: Counts
    supply: Counts
    offer: Counts
    aside: Counts
    out: Counts
    track: Counts
    influence: tuple[Counts, ...]
    shares: tuple[Counts, ...]
    demand: Demand
    bot: Bot | None = None
    spike: Spike | None = None
    used: int | None = None
    passes: int = 0

    @property
    def board(self) -> Board:
        return self.setup.board

    @property
    def seat(self) -> str:
        """The seat that is to move."""
        return self.setup.seats[self.to_move]

    @property
    def bot_moves(self) -> bool:
        return self.to_move == self.setup.bot_seat

    def hexes(self, company: str) -> list[Hex]:
        """The hexes with a train of this company."""
        return self.board.hexes(self.track[INDEX[company]])

    def companies_at(self, bit: int) -> int:
        """How many companies have a train on the hex with this bit."""
        a, b, c, d = self.track
        return (a >> bit & 1) + (b >> bit & 1) + (c >> bit & 1) + (d >> bit & 1)

    @property
    def ending(self) -> bool:
        """Whether so many companies are exhausted that the game ends (R3.3, R9.3)."""
        return len(self.exhausted()) >= self.setup.exhausted_at_end

    def exhausted(self) -> list[int]:
        """The companies whose offer is empty (R3.2)."""
        return exhausted(self.offer)


def exhausted(offer: Iterable[int]) -> list[int]:
    """The companies whose offer is empty (R3.2)."""
    return [c for c, left in enumerate(offer) if not left]


def tile_order(tiles: Iterable[BotTile]) -> tuple[BotTile, ...]:
    """Tiles of the bag in their one order: by numbers, refresh last."""
    return tuple(sorted(tiles, key=lambda tile: (9, 9, 1) if isinstance(tile, str) else (*tile, 0)))
