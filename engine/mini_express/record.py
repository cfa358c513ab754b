"""A game as it was played: where it started and the list of its actions, Mašinfíra's draws among them.

As text it can be pasted into a message and read back; every position of it can be replayed:

    masinfira/mini-express/game/1
    actions: 1                   how many follow at least; with fewer the record was cut off
    board: usa
    mode: solo
    ...
    demand: bg o* ...            the tile of each city in the order of the numbers

    1 red draft b
"""

import json
import random
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from ..sentences import Phrase
from .actions import Action, Draw
from .errors import IllegalAction, Malformed
from .events import Event
from .names import LAST_CITY, MASINFIRA, REFRESH, SEATS, Demand
from .notation import action_from_text, action_to_text, pair_from_text, pair_to_text
from .pack import Pack, built_in
from .rules import apply, by_lot, chance, play
from .serial import state_from_json, state_to_json
from .setup import make_setup, starting_state
from .state import State

GAME_FORMAT = "masinfira/mini-express/game/1"
_ANY_RECORD = "masinfira/"
MAX_TEXT = 500_000
_KOREAN = "on city 1 from the start"
_SETUP = ("actions", "pack", "board", "mode", "difficulty", "modules", "target", "seats", "demand")
_STATE = ("actions", "pack", "state")
"""The words that a header can have, each once: of a set-up, or of a game that began in the middle."""
_PACK = re.compile(r"^pack[ \t]*:[ \t]*([0-9a-f]{8})[ \t]*$", re.M)
_COUNT = re.compile(r"[0-9]{1,6}")
_LEAD = re.compile(rf"^([0-9]{{1,6}})\.?\s+(?:({'|'.join((*SEATS, MASINFIRA))})\s+)?")


@dataclass(frozen=True)
class Game:
    """A game in progress or over; immutable, `play` and `undo` give another."""

    start: State
    actions: tuple[Action, ...] = ()

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Every position, the start first. Raises IllegalAction if the actions do not fit together."""
        states = [self.start]
        for action in self.actions:
            states.append(apply(states[-1], action))
        return tuple(states)

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    def play(self, action: Action) -> "Game":
        """The game with one more action. Raises IllegalAction."""
        after = apply(self.state, action)
        longer = Game(self.start, (*self.actions, action))
        longer.__dict__["states"] = (*self.states, after)  # what replaying would give
        return longer

    def play_bot(self, rng: random.Random) -> "Game":
        """The game after all of Mašinfíra's turn, its tiles drawn by lot. Raises IllegalAction in another turn."""
        if not chance(self.state):
            return self.play(Draw(REFRESH))  # the rules say why no tile is drawn now
        game = self
        while draws := chance(game.state):
            game = game.play(by_lot(draws, rng))
        return game

    def undo(self) -> "Game":
        """The game without its last action."""
        return self.at(-1)

    def at(self, move: int) -> "Game":
        """The game after so many actions; below 0, without so many of the last ones."""
        return Game(self.start, self.actions[:move])

    def log(self, since: int = 0) -> list[tuple[Action, list[Event]]]:
        """Each action from that one on, below 0 so many of the last ones, with what happened."""
        pairs = zip(self.states[:-1][since:], self.actions[since:], strict=True)
        return [(action, play(state, action)[1]) for state, action in pairs]

    def events(self, since: int = 0) -> list[Event]:
        """What happened from that action on."""
        return [event for _, events in self.log(since) for event in events]

    def to_text(self) -> str:
        """The whole game as text. Raises Malformed where that would be too long to be read again."""
        lines = [GAME_FORMAT, f"actions: {len(self.actions)}", *_header(self.start), ""]
        for n, (state, action) in enumerate(zip(self.states, self.actions, strict=False), 1):
            lines.append(f"{n} {state.seat} {action_to_text(action)}")
        text = "\n".join(lines) + "\n"
        _check_length(text)
        return text

    @staticmethod
    def from_text(text: str, pack: Pack | None = None) -> "Game":
        """Read a game back and replay it. Raises Malformed, which names the line."""
        _check_length(text)
        lines = [line.strip() for line in text.splitlines()]
        while lines and not lines[0]:
            lines.pop(0)
        if not lines or lines[0] != GAME_FORMAT:
            raise Malformed("game_format", line=1, expected=GAME_FORMAT)
        head = lines.index("") if "" in lines else len(lines)
        start, least = _read_start(lines[1:head], pack or built_in(), ends=head == len(lines))
        game = Game(start)
        for number, line in enumerate(lines[head:], head + 1):
            if line:
                game = _read_action(game, number, line)
        if len(game.actions) < least:
            raise Malformed("game_short", n=least, found=len(game.actions))
        return game


def _check_length(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise Malformed("game_long", limit=MAX_TEXT)


def pack_named(text: str) -> str | None:
    """The digest of the pack that a game was recorded with, if the record names one."""
    lines = (line.strip() for line in text.strip().splitlines())
    found = _PACK.search("\n".join(takewhile(bool, lines)))
    return found[1] if found else None


def is_record(text: str) -> bool:
    """Whether a text is meant as a game record, of whatever version; else it may be JSON."""
    return text.lstrip().startswith(_ANY_RECORD)


def _header(start: State) -> list[str]:
    """The set-up in words, or the whole state where the game did not begin with a set-up."""
    setup = start.setup
    pack = f"pack: {setup.pack.digest}"
    if start != starting_state(setup, start.demand):
        return [pack, f"state: {json.dumps(state_to_json(start), separators=(',', ':'))}"]
    return [
        pack,
        f"board: {setup.board.id}",
        f"mode: {setup.mode}",
        *([f"difficulty: {setup.difficulty}"] if setup.difficulty else []),
        *([f"modules: {' '.join(setup.modules)}"] if setup.modules else []),
        *([f"target: {_KOREAN}"] if setup.korean_start else []),
        f"seats: {' '.join(setup.humans)}",
        f"demand: {' '.join(pair_to_text(tile) for tile in start.demand[1:] if tile)}",
    ]


def _read_start(lines: list[str], pack: Pack, *, ends: bool) -> tuple[State, int]:
    """The position that a header describes, and how many actions follow at least: none, in one of an older version.

    Raises Malformed; of a text that `ends` in the header, that it is cut off.
    """
    try:
        parts = _read_header(lines)
        return _start_of(parts, pack), _count_of(parts)
    except Malformed as problem:
        last = len(lines) + 1
        if not (ends and problem.key == "game_format" and problem.values["line"] == last):
            raise
        raise Malformed("game_cut", missing=lines[-1].partition(":")[0][:20]) from None


def _count_of(parts: dict[str, str]) -> int:
    if not _COUNT.fullmatch(count := parts.get("actions", "0")):
        line = _line_of("actions", parts)
        raise Malformed("game_format", line=line, expected=Phrase("actions: their number"))
    return int(count)


def _start_of(parts: dict[str, str], pack: Pack) -> State:
    in_solo = ["difficulty"] if parts.get("mode") == "solo" else []
    wanted = ["state"] if "state" in parts else ["board", "mode", *in_solo, "seats", "demand"]
    if missing := [word for word in wanted if word not in parts]:
        raise Malformed("game_cut", missing=", ".join(missing))
    if parts.get("pack", pack.digest) != pack.digest:
        raise Malformed("game_pack", found=parts["pack"], expected=pack.digest)
    if "state" in parts:
        return _whole_state(parts, pack)
    if parts.get("target", _KOREAN) != _KOREAN:
        raise Malformed("game_format", line=_line_of("target", parts), expected=f"target: {_KOREAN}")
    setup = make_setup(
        parts["board"],
        parts["mode"],
        parts.get("difficulty"),
        parts["seats"].split(),
        parts.get("modules", "").split(),
        pack,
        "target" in parts,
    )
    return starting_state(setup, _read_demand(parts["demand"], pack, _line_of("demand", parts)))


def _whole_state(parts: dict[str, str], pack: Pack) -> State:
    """The position in the middle of a game with which the record begins."""
    try:
        return state_from_json(json.loads(parts["state"]), pack)
    except (ValueError, RecursionError):  # of broken JSON, and of numbers with thousands of digits
        line = _line_of("state", parts)
        raise Malformed("game_format", line=line, expected="state: { ... }") from None


def _line_of(word: str, parts: dict[str, str]) -> int:
    """The line of a word of the header, counted from 1; the format is the first."""
    return 2 + [*parts].index(word)


def _read_header(lines: list[str]) -> dict[str, str]:
    """The values by their words, in the order of the lines: a word that is unknown or stands there twice is refused."""
    parts: dict[str, str] = {}
    words = _STATE if any(line.startswith("state") for line in lines) else _SETUP
    for number, line in enumerate(lines, 2):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            raise Malformed("game_format", line=number, expected=Phrase("word: value"))
        left = [word for word in words if word not in parts]
        if key not in left:
            raise Malformed(
                "game_format", line=number, expected=Phrase("one of {words}", words=", ".join(left))
            )
        parts[key] = value
    return parts


def _read_demand(text: str, pack: Pack, line: int) -> Demand:
    tiles = [pair_from_text(word) for word in text.split()]
    whole = [tile for tile in tiles if tile]
    if len(tiles) != LAST_CITY or sorted(whole) != sorted(pack.demand_tiles):
        raise Malformed("game_format", line=line, expected=Phrase("demand: the 32 tiles, as bg o* ..."))
    return (None, *tiles)


def _read_action(game: Game, number: int, line: str) -> Game:
    """A line with or without its number and seat in front, which must then be those of its turn."""
    turn = len(game.actions) + 1, game.state.seat
    lead = _LEAD.match(line)
    if lead and (int(lead[1]), lead[2] or turn[1]) != turn:
        raise Malformed("game_turn", line=number, n=turn[0], seat=turn[1])
    try:
        return game.play(action_from_text(_LEAD.sub("", line)))
    except (IllegalAction, Malformed) as problem:
        raise Malformed("game_line", rule=problem.rule, line=number, reason=problem) from None
