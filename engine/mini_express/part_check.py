"""What is wrong with a position that is known in part: the checks of a whole one, as far as what is told reaches.

A check that asks for something that nobody has told ends there (`Unknown`), so that nothing is found which rests on
what is missing. Without a word on the modules only that is wrong which is so with any of them.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, cast

from .check import Broken, Unknown, check
from .fields import CITY_NUMBERS, Known, Path
from .names import COMPANIES, INDEX, MODULES, pair
from .part import USUAL, Part
from .part_rules import agreed, missing_of
from .serial import COUNTS
from .setup import has_room_for
from .state import Bot, Setup, Spike, State, tile_order


def check_part(part: Part) -> tuple[list[Broken], list[Path]]:
    """Every broken invariant of what is told, and the paths that are missing for the rest to be checked."""
    found = [_broken(one) for one in _with_modules(part)]
    common = [b for b in found[0] if all(any(_same(b, other) for other in rest) for rest in found[1:])]
    return common, _known(part)[2]


def _with_modules(part: Part) -> Iterator[Part]:
    """The position with each choice of modules that its map has room for, where nobody has told them."""
    if "modules" in part.told:
        yield part
        return
    board = part.pack.boards.get(part.told.get("board", ""))
    fitting = [module for module in MODULES if board is None or has_room_for(board, module)]
    for n in range(len(fitting) + 1):
        for chosen in combinations(fitting, n):
            yield Part({**part.told, "modules": [*chosen]}, part.unsure, part.pack)


def _same(one: Broken, other: Broken) -> bool:
    return (one.key, one.values) == (other.key, other.values)


def _known(part: Part) -> tuple[Known, list[Broken], list[Path]]:
    """What is told and follows from it, what is broken where that leads to nothing, and what is missing."""
    try:
        return part.known, [], part.missing
    except Broken as broken:
        known = {**dict(agreed(part, part.told)), **part.told}
        return known, [broken], missing_of(part, known)


def _broken(part: Part) -> list[Broken]:
    known, found, missing = _known(part)
    for broken in check(_PartState(part, known if missing else {**USUAL, **known})):
        if not any(_same(broken, other) for other in found):
            found.append(broken)
    return found


class _Row(tuple[Any, ...]):
    """Numbers of which some are not told, `...` in their place: to ask for one of those raises Unknown."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        return _told(super().__getitem__(at))

    def __iter__(self) -> Iterator[Any]:
        return map(_told, super().__iter__())

    def __eq__(self, other: object) -> bool:
        return [*self] == [*cast("tuple[Any, ...]", other)]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((*self,))


def _told(value: Any) -> Any:
    if value is ...:
        raise Unknown
    return value


class _PartSetup(Setup):
    def __init__(self, part: Part, known: Known) -> None:
        told: dict[str, Any] = {"pack": part.pack, "modules": tuple(known["modules"])}
        told |= {key: known[key] for key in ("mode", "difficulty", "korean_start") if key in known}
        if part.board is not None:
            told["board"] = part.board
        if part.players and "mode" in known:
            told["seats"] = part.players
        self.__dict__.update(told)

    def __getattr__(self, name: str) -> Any:
        raise Unknown


class _PartState(State):
    """A state of which only this is known."""

    def __init__(self, part: Part, known: Known) -> None:
        told: dict[str, Any] = {"setup": _PartSetup(part, known), **_turn(part, known), **_table(part, known)}
        for name, value in told.items():
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise Unknown


class _PartBot:
    def __init__(self, told: dict[str, Any]) -> None:
        self.__dict__.update(told)

    def __getattr__(self, name: str) -> Any:
        raise Unknown


def _turn(part: Part, known: Known) -> dict[str, Any]:
    """Whose turn it is, and what of it is done."""
    told = {key: known[key] for key in ("phase", "actions_left", "passes") if key in known}
    if "used" in known:
        told["used"] = None if known["used"] is None else INDEX[known["used"]]
    if known.get("to_move") in part.players and "mode" in known:
        told["to_move"] = part.players.index(known["to_move"])
    return told


def _table(part: Part, known: Known) -> dict[str, Any]:
    """What lies on the table."""
    told: dict[str, Any] = {
        count: _Row(known.get(f"companies.{c}.{count}", ...) for c in COMPANIES) for count in COUNTS
    }
    told["track"] = _Row(_mask(part, known, company) for company in COMPANIES)
    told["demand"] = _Row((None, *(_tile(part, known, number) for number in CITY_NUMBERS)))
    if part.players and "mode" in known:
        for row in ("influence", "shares"):
            told[row] = tuple(
                _Row(known.get(f"{row}.{seat}.{c}", ...) for c in COMPANIES) for seat in part.players
            )
    return told | _bot(known) | _spike(known)


def _mask(part: Part, known: Known, company: str) -> Any:
    """The track of a company; where a photo has left hexes open there may be more of it, or less."""
    hexes = known.get(f"track.{company}", ...)
    if hexes is ... or part.board is None or any(path.startswith("track.") for path in part.unsure):
        return ...
    return part.board.mask([(q, r) for q, r in hexes if (q, r) in part.board.index])


def _tile(part: Part, known: Known, number: str) -> Any:
    path = f"demand.{number}"
    tile = ... if path in part.unsure else known.get(path, ...)
    return pair(*tile) if isinstance(tile, list) else tile


def _bot(known: Known) -> dict[str, Any]:
    """Its markers and tiles by their names, None where it does not play."""
    if known.get("bot", ...) is None:
        return {"bot": None}
    told = {path.removeprefix("bot."): value for path, value in known.items() if path.startswith("bot.")}
    if told.get("company") is not None:
        told["company"] = INDEX[told["company"]]
    for tiles in {"bag", "drawn"} & told.keys():
        told[tiles] = tile_order(t if isinstance(t, str) else (t[0], t[1]) for t in told[tiles])
    return {"bot": cast("Bot", _PartBot(told))} if told else {}


def _spike(known: Known) -> dict[str, Any]:
    if known.get("golden_spike", ...) is None:
        return {"spike": None}
    status, *sides = (known.get(f"golden_spike.{key}", ...) for key in ("status", "eastern", "western"))
    if ... in (status, *sides):
        return {}
    eastern, western = (None if side is None else INDEX[side] for side in sides)
    return {"spike": Spike(status, eastern, western)}
