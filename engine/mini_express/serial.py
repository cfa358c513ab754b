"""The JSON form of a state (format `masinfira/mini-express/state/1`), printed and read."""

from collections.abc import Callable, Mapping
from typing import Any

from ..sentences import Phrase
from .check import check
from .errors import Malformed, as_json
from .names import COMPANIES, INDEX, LAST_CITY, REFRESH, WILD, BotTile, Pair, pair
from .pack import Pack, built_in
from .setup import WITH_BOT, make_setup
from .state import Bot, Counts, Setup, Spike, State, tile_order

FORMAT = "masinfira/mini-express/state/1"
PHASES = ("draft", "play", "over")
STATUSES = ("waiting", "building", "linked", "off")
LARGEST = 999


CITY_NUMBERS = {str(number): number for number in range(1, LAST_CITY + 1)}
"""The cities with a number by how they are written as keys."""


def state_to_json(state: State) -> dict[str, Any]:
    """The whole state; parts that this game does not have are None."""
    setup, bot = state.setup, state.bot
    rows = {"influence": state.influence, "shares": state.shares}
    counts = ("value", "reservoir", "supply", "offer", "aside", "out")
    return {
        "format": FORMAT,
        "board": setup.board.id,
        "mode": setup.mode,
        "difficulty": setup.difficulty,
        "modules": list(setup.modules),
        "korean_start": setup.korean_start,
        "seats": list(setup.seats),
        "to_move": state.seat,
        "phase": state.phase,
        "actions_left": state.actions_left,
        "used": None if state.used is None else COMPANIES[state.used],
        "passes": state.passes,
        "companies": {
            name: {part: getattr(state, part)[c] for part in counts} for c, name in enumerate(COMPANIES)
        },
        "track": {name: [list(at) for at in state.hexes(name)] for name in COMPANIES},
        **{part: _rows_to_json(setup, table) for part, table in rows.items()},
        "demand": {str(n): list(tile) for n, tile in enumerate(state.demand) if tile},
        "bot": bot and _bot_to_json(bot),
        "golden_spike": state.spike and _spike_to_json(state.spike),
    }


def _rows_to_json(setup: Setup, table: tuple[Counts, ...]) -> dict[str, dict[str, int]]:
    return {
        seat: dict(zip(COMPANIES, row, strict=True)) for seat, row in zip(setup.seats, table, strict=True)
    }


def _bot_to_json(bot: Bot) -> dict[str, Any]:
    tiles = {
        part: [tile if isinstance(tile, str) else list(tile) for tile in row]
        for part, row in {"bag": bot.bag, "drawn": bot.drawn}.items()
    }
    return {"target": bot.target, "company": COMPANIES[bot.company], **tiles, "redraw": bot.redraw}


def _spike_to_json(spike: Spike) -> dict[str, str | None]:
    companies = {"eastern": spike.eastern, "western": spike.western}
    return {"status": spike.status, **{k: None if c is None else COMPANIES[c] for k, c in companies.items()}}


def state_from_json(obj: Any, pack: Pack | None = None, *, sound: bool = True) -> State:
    """Read a state; with `sound` also refuse one that breaks the rules. Raises Malformed."""
    state = Reader(obj).state(pack or built_in())
    if sound and (broken := check(state)):
        raise Malformed("state_broken", rule=broken[0].rule, reason=broken[0])
    return state


class Reader:
    """Reads the parts of a state, naming the part that is wrong."""

    def __init__(self, obj: Any) -> None:
        if not isinstance(obj, Mapping):
            raise Malformed("state_not_object")
        if "format" not in obj:
            raise Malformed("state_in_part")
        if obj["format"] != FORMAT:
            raise Malformed("state_format", found=as_json(obj["format"]), expected=FORMAT)
        self.obj = obj

    def get(self, path: str, valid: Callable[[Any], bool], expected: Phrase, default: Any = ...) -> Any:
        """The part at a dotted path, checked."""
        value: Any = self.obj
        for key in path.split("."):
            if not isinstance(value, Mapping) or key not in value:
                if default is not ...:
                    return default
                raise Malformed("state_missing", part=path)
            value = value[key]
        if not valid(value):
            raise Malformed("state_part", part=path, expected=expected, found=as_json(value))
        return value

    def number(self, path: str, most: int = LARGEST, default: Any = ...) -> int:
        is_number = lambda v: type(v) is int and 0 <= v <= most
        return int(self.get(path, is_number, Phrase("a whole number from 0 to {most}", most=most), default))

    def word(self, path: str, words: tuple[str, ...], default: Any = ...) -> str:
        return str(
            self.get(path, lambda v: v in words, Phrase("one of {words}", words=", ".join(words)), default)
        )

    def setup(self, pack: Pack) -> Setup:
        texts = lambda v: isinstance(v, list) and all(isinstance(x, str) for x in v)
        seats = self.get("seats", texts, Phrase("a list of seats"))
        mode = self.get("mode", lambda v: isinstance(v, str), Phrase("a mode"))
        board = self.get("board", lambda v: isinstance(v, str), Phrase("the id of a map"))
        difficulty = self.get(
            "difficulty", lambda v: v is None or isinstance(v, str), Phrase("a difficulty or null"), None
        )
        modules = self.get("modules", texts, Phrase("a list of modules"), [])
        korean = self.get("korean_start", lambda v: isinstance(v, bool), Phrase("true or false"), False)
        has_bot = mode in WITH_BOT
        setup = make_setup(board, mode, difficulty, seats[:-1] if has_bot else seats, modules, pack, korean)
        if list(setup.seats) != seats:
            raise Malformed(
                "state_part",
                part="seats",
                expected=Phrase("masinfira as the last seat"),
                found=as_json(seats),
            )
        return setup

    def state(self, pack: Pack) -> State:
        setup = self.setup(pack)
        used = self.get("used", lambda v: v is None or v in COMPANIES, Phrase("a company or null"), None)
        counts = {p: self.counts(p) for p in ("value", "reservoir", "supply", "offer", "aside", "out")}
        return State(
            setup,
            to_move=setup.seats.index(self.word("to_move", setup.seats)),
            phase=self.word("phase", PHASES),
            actions_left=self.number("actions_left", default=1),
            **counts,
            track=tuple(self.track(setup, company) for company in COMPANIES),
            influence=tuple(self.row("influence", seat) for seat in setup.seats),
            shares=tuple(self.row("shares", seat) for seat in setup.seats),
            demand=self.demand(),
            bot=self.bot(),
            spike=self.spike(),
            used=None if used is None else INDEX[used],
            passes=self.number("passes", default=0),
        )

    def counts(self, part: str) -> Counts:
        return tuple(self.number(f"companies.{company}.{part}") for company in COMPANIES)

    def row(self, part: str, seat: str) -> Counts:
        self.get(
            part,
            lambda v: isinstance(v, Mapping) and seat in v,
            Phrase("an entry for {seat}", seat=f'"{seat}"'),
        )
        return tuple(self.number(f"{part}.{seat}.{company}", default=0) for company in COMPANIES)

    def track(self, setup: Setup, company: str) -> int:
        path, index = f"track.{company}", setup.board.index
        hexes = self.get(path, lambda v: isinstance(v, list), Phrase("a list of hexes [q, r]"))
        for at in hexes:
            if not (isinstance(at, list) and [type(v) for v in at] == [int, int] and tuple(at) in index):
                raise Malformed(
                    "state_part", part=path, expected=Phrase("hexes [q, r] of this map"), found=as_json(at)
                )
        if len({tuple(at) for at in hexes}) != len(hexes):
            raise Malformed("state_part", part=path, expected=Phrase("every hex once"), found=as_json(hexes))
        return setup.board.mask([(q, r) for q, r in hexes])

    def demand(self) -> tuple[Pair | None, ...]:
        tiles: list[Pair | None] = [None] * (LAST_CITY + 1)
        given = self.get("demand", lambda v: isinstance(v, Mapping), Phrase("an object with city numbers"))
        for number, tile in given.items():
            if number not in CITY_NUMBERS:
                raise Malformed(
                    "state_part",
                    part="demand",
                    expected=Phrase("city numbers 1 to 32"),
                    found=as_json(number),
                )
            symbols = (*COMPANIES, WILD)
            if not (isinstance(tile, list) and len(tile) == 2 and all(s in symbols for s in tile)):
                expected = Phrase("two companies, or a company and wild")
                raise Malformed("state_part", part=f"demand.{number}", expected=expected, found=as_json(tile))
            tiles[CITY_NUMBERS[number]] = pair(*tile)
        return tuple(tiles)

    def bot(self) -> Bot | None:
        if self.obj.get("bot") is None:
            return None
        return Bot(
            self.number("bot.target", LAST_CITY),
            INDEX[self.word("bot.company", COMPANIES)],
            self.tiles("bot.bag"),
            self.tiles("bot.drawn"),
            self.get("bot.redraw", lambda v: isinstance(v, bool), Phrase("true or false"), False),
        )

    def tiles(self, path: str) -> tuple[BotTile, ...]:
        tiles = self.get(path, lambda v: isinstance(v, list), Phrase("a list of tiles"))
        read: list[BotTile] = []
        for tile in tiles:
            if tile == REFRESH:
                read.append(REFRESH)
            elif isinstance(tile, list) and [type(v) for v in tile] == [int, int]:
                read.append((tile[0], tile[1]))
            else:
                expected = Phrase('[city moves, company moves] or "refresh"')
                raise Malformed("state_part", part=path, expected=expected, found=as_json(tile))
        return tile_order(read)

    def spike(self) -> Spike | None:
        if self.obj.get("golden_spike") is None:
            return None
        company = lambda v: v is None or v in COMPANIES
        named = [
            self.get(f"golden_spike.{key}", company, Phrase("a company or null"), None)
            for key in ("eastern", "western")
        ]
        status = self.word("golden_spike.status", STATUSES)
        eastern, western = (None if name is None else INDEX[name] for name in named)
        return Spike(status, eastern, western)
