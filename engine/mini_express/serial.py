"""The JSON form of a state (format `masinfira/mini-express/state/1`), printed and read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..sentences import Phrase
from .actions import tile_to_json
from .agreed import board_of, may_play, players, setup_of
from .check import check
from .errors import Malformed, as_json
from .fields import CITY_NUMBERS, NUMBERS_OF_A_COMPANY, Known, Path, agreed_fields, fields, lenient, told_at
from .names import COMPANIES, INDEX, MASINFIRA, SEATS, pair
from .pack import Pack, built_in
from .setup import WITH_BOT
from .state import Bot, Counts, Setup, Spike, State, tile_order

FORMAT = "masinfira/mini-express/state/1"
COUNTS = tuple(NUMBERS_OF_A_COMPANY)
ALWAYS = ("board", "mode", "seats", "to_move", "phase", "companies", "track", "influence", "shares", "demand")
NOT_IN_EVERY_GAME = ("bot", "golden_spike")
LEFT_OUT: Known = {
    "difficulty": None,
    "modules": [],
    "korean_start": False,
    "actions_left": 1,
    "used": None,
    "passes": 0,
}
"""What may be left out of a whole state, and what it then is."""


def state_to_json(state: State) -> dict[str, Any]:
    """The whole state; parts that this game does not have are None.

    It names its pack unless that is the built-in one: with other printed data the same pieces are worth another score.
    """
    setup, bot = state.setup, state.bot
    rows = {"influence": state.influence, "shares": state.shares}
    return {
        "format": FORMAT,
        **pack_entry(setup.pack),
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
            name: {part: getattr(state, part)[c] for part in COUNTS} for c, name in enumerate(COMPANIES)
        },
        "track": {name: [list(at) for at in state.hexes(name)] for name in COMPANIES},
        **{part: _rows_to_json(setup, table) for part, table in rows.items()},
        "demand": {str(n): list(tile) for n, tile in enumerate(state.demand) if tile},
        "bot": bot and _bot_to_json(bot),
        "golden_spike": state.spike and _spike_to_json(state.spike),
    }


def pack_entry(pack: Pack) -> dict[str, str]:
    """The entry by which the JSON of a state names its pack; none for the built-in one."""
    return {} if pack.digest == built_in().digest else {"pack": pack.digest}


def _rows_to_json(setup: Setup, table: tuple[Counts, ...]) -> dict[str, dict[str, int]]:
    return {
        seat: dict(zip(COMPANIES, row, strict=True)) for seat, row in zip(setup.seats, table, strict=True)
    }


def _bot_to_json(bot: Bot) -> dict[str, Any]:
    tiles = {"bag": [*map(tile_to_json, bot.bag)], "drawn": [*map(tile_to_json, bot.drawn)]}
    return {"target": bot.target, "company": COMPANIES[bot.company], **tiles, "redraw": bot.redraw}


def _spike_to_json(spike: Spike) -> dict[str, str | None]:
    companies = {"eastern": spike.eastern, "western": spike.western}
    return {"status": spike.status, **{k: None if c is None else COMPANIES[c] for k, c in companies.items()}}


def state_from_json(obj: Any, pack: Pack | None = None, *, sound: bool = True) -> State:
    """Read a state; with `sound` also refuse one that breaks the rules. Raises Malformed."""
    if not isinstance(obj, Mapping):
        raise Malformed("state_not_object")
    if "format" not in obj:
        raise Malformed("state_in_part")
    if obj["format"] != FORMAT:
        raise Malformed("state_format", found=as_json(obj["format"]), expected=FORMAT)
    told = told_of_whole(obj, pack or built_in(), sound=sound)
    if missing := parts_without_a_word(obj):
        raise Malformed("state_missing", part='", "'.join(missing))
    return state_of(told, pack or built_in(), sound=sound)


def parts_without_a_word(obj: Mapping[str, Any]) -> list[str]:
    """The parts every state has that this one lacks; [] for a state that is meant as a whole."""
    return [part for part in ALWAYS if obj.get(part) is None]


def told_of_whole(obj: Mapping[str, Any], pack: Pack, *, sound: bool = True) -> dict[Path, Any]:
    """As `told_in`, of a state that is meant as a whole: what may be left out is there. Raises Malformed."""
    told = told_in(_completed(obj), pack, sound=sound)
    wanted = list(players(told))
    if wanted and "mode" in told and told["seats"] != wanted:
        raise Malformed("state_part", part="seats", expected=as_json(wanted), found=as_json(told["seats"]))
    _check_names(obj, told.get("seats", (*SEATS, MASINFIRA)))
    return told


def _check_names(obj: Mapping[str, Any], seats: Sequence[str]) -> None:
    """What is misspelt would count as 0 where it may be left out. Raises Malformed for companies and seats unknown.

    Other keys may come with later versions.
    """
    for part, names in (
        ("companies", COMPANIES),
        ("track", COMPANIES),
        ("influence", seats),
        ("shares", seats),
    ):
        _check_keys(obj, part, names)
    for part in ("influence", "shares"):
        for seat in obj.get(part) or ():
            _check_keys(obj[part], seat, COMPANIES, f"{part}.{seat}")


def _check_keys(obj: Mapping[str, Any], part: str, names: Sequence[str], path: Path = "") -> None:
    for name in obj.get(part) or ():
        if name not in names:
            expected = Phrase("one of {words}", words=", ".join(names))
            raise Malformed("state_part", part=path or part, expected=expected, found=as_json(name))


def told_in(obj: Mapping[str, Any], pack: Pack, *, sound: bool = True) -> dict[Path, Any]:
    """What a state JSON says, by path; what is agreed before a game first. Raises Malformed."""
    if (made_with := obj.get("pack")) not in (None, pack.digest):
        raise Malformed("state_pack", found=as_json(made_with), expected=pack.digest)
    agreed = told_at(obj, agreed_fields(pack.boards))
    known = fields(pack.boards, board_of(agreed, pack), may_play(agreed))
    told = told_at(obj, known if sound else lenient(known))
    demand = obj.get("demand")
    for number in demand if isinstance(demand, Mapping) else ():
        if number not in CITY_NUMBERS:
            expected = Phrase("city numbers 1 to 32")
            raise Malformed("state_part", part="demand", expected=expected, found=as_json(number))
    return agreed | told | {part: None for part in NOT_IN_EVERY_GAME if obj.get(part, ...) is None}


def _completed(obj: Mapping[str, Any]) -> dict[str, Any]:
    """A whole state with everything that may be left out of it: in a seat's row a company stands for 0."""
    whole = {**LEFT_OUT, **obj}
    for part in ("influence", "shares"):
        if isinstance(table := whole.get(part), Mapping):
            noughts = dict.fromkeys(COMPANIES, 0)
            whole[part] = {seat: _over(noughts, row) for seat, row in table.items()}
    for part, more in (("bot", {"redraw": False}), ("golden_spike", {"eastern": None, "western": None})):
        # Where it belongs to the game and nothing is said of it, it is missing.
        if part in whole or part not in _played_with(whole):
            whole[part] = _over(more, whole.get(part))
    return whole


def _played_with(whole: Mapping[str, Any]) -> Iterator[str]:
    """Which of `NOT_IN_EVERY_GAME` are in this one (R7.2, R8.2, R10.1)."""
    if whole.get("mode") in WITH_BOT:
        yield "bot"
    if isinstance(modules := whole["modules"], Sequence) and "golden_spike" in modules:
        yield "golden_spike"


def _over(defaults: Mapping[str, Any], table: Any) -> Any:
    return {**defaults, **table} if isinstance(table, Mapping) else table


class Values(dict[Path, Any]):
    """What is known of a position, by path; asking for what is not is refused."""

    def __missing__(self, path: Path) -> Any:
        raise Malformed("state_missing", part=path)

    def counts(self, path: str) -> Counts:
        """A number for each company, where {} stands for it in the path."""
        return tuple(self[path.format(company)] for company in COMPANIES)

    def company(self, path: Path) -> int | None:
        """The index of the company there."""
        name = self[path]
        return None if name is None else INDEX[name]


def state_of(known: Known, pack: Pack, *, sound: bool = True) -> State:
    """The state of which all this is known, each value checked before. Raises Malformed as `state_from_json` does."""
    told = Values(known)
    setup = setup_of(told, pack)
    tiles = (told.get(f"demand.{number}") for number in CITY_NUMBERS)
    state = State(
        setup,
        to_move=setup.seats.index(told["to_move"]),
        phase=told["phase"],
        actions_left=told["actions_left"],
        **{part: told.counts("companies.{}." + part) for part in COUNTS},
        track=tuple(setup.board.mask([(q, r) for q, r in told[f"track.{c}"]]) for c in COMPANIES),
        influence=tuple(told.counts(f"influence.{seat}.{{}}") for seat in setup.seats),
        shares=tuple(told.counts(f"shares.{seat}.{{}}") for seat in setup.seats),
        demand=(None, *(tile and pair(*tile) for tile in tiles)),
        bot=_bot(told),
        spike=_spike(told),
        used=told.company("used"),
        passes=told["passes"],
    )
    if sound and (broken := check(state)):
        raise Malformed("state_broken", rule=broken[0].rule, reason=broken[0])
    return state


def _bot(told: Values) -> Bot | None:
    if told.get("bot", ...) is None:
        return None
    bag, drawn = (
        tile_order(tile if isinstance(tile, str) else (tile[0], tile[1]) for tile in told[f"bot.{part}"])
        for part in ("bag", "drawn")
    )
    return Bot(told["bot.target"], INDEX[told["bot.company"]], bag, drawn, told["bot.redraw"])


def _spike(told: Values) -> Spike | None:
    if told.get("golden_spike", ...) is None:
        return None
    eastern, western = (told.company(f"golden_spike.{side}") for side in ("eastern", "western"))
    return Spike(told["golden_spike.status"], eastern, western)
