"""What is wrong with a position that is known in part: the checks of a whole one, as far as what is told reaches.

A check that asks for something that nobody has told ends there (`Unknown`), so that nothing is found which rests on
what is missing. Without a word on the modules only that is wrong which is so with any of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, cast

from ..check import Broken, Unknown, check, unplayed
from ..fields import CITY_NUMBERS, Known, Path
from ..names import COMPANIES, INDEX, MODULES, pair
from ..serial import COUNTS
from ..setup import has_room_for
from ..state import Setup, Spike, State, tile_order
from .missing import missing_of
from .paths import in_order
from .position import USUAL, Part
from .rules import agreed, islands, mask_of, open_hexes, too_many_shares, too_many_trains


def check_part(part: Part) -> tuple[list[Broken], list[Path]]:
    """Every broken invariant of what is told, and the paths that are missing for the rest to be checked."""
    first, *others = (_broken(one) for one in _with_modules(part))
    common = [broken for sentence, broken in first.items() if all(sentence in other for other in others)]
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


def _known(part: Part) -> tuple[Known, list[Broken], list[Path]]:
    """What is told and follows from it, what is broken where that leads to nothing, and what is missing."""
    try:
        return part.known, [], part.missing
    except Broken as broken:
        known = {**{path: value for path, value, _ in agreed(part, part.told)}, **part.told}
        return known, [broken], [*missing_of(part, known), *in_order(part.unsure)]


def _broken(part: Part) -> dict[str, Broken]:
    """What is broken, each once, by its sentence."""
    known, refused, missing = _known(part)
    state = _PartState(_state(part, known if missing else {**USUAL, **known}))
    found = [*refused, *islands(part, known), *too_many_trains(part, known), *too_many_shares(known)]
    found += [*check(state), *unplayed(state)]
    return {str(broken): broken for broken in found}


class _InPart:
    """Something of which only this is told: to ask for anything else raises Unknown."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        for name, value in told.items():
            object.__setattr__(self, name, value)  # as a frozen dataclass does it

    def __getattr__(self, name: str) -> Any:
        raise Unknown


class _PartSetup(_InPart, Setup):
    pass


class _PartState(_InPart, State):
    pass


class _Track(_InPart):
    """The `sure` trains of a company on a map of which some hexes are `open`: to ask of one of those raises Unknown."""

    sure: int
    open: int

    def __and__(self, mask: int) -> int:
        if self.open & mask:
            raise Unknown
        return self.sure & mask

    __rand__ = __and__

    def __or__(self, other: "_Track") -> "_Track":
        return _Track({"sure": self.sure | other.sure, "open": self.open | other.open})

    def __rshift__(self, bits: int) -> "_Track":
        return _Track({"sure": self.sure >> bits, "open": self.open >> bits})

    def __eq__(self, other: object) -> bool:
        raise Unknown

    __hash__ = object.__hash__


class _Row(Sequence[Any]):
    """Numbers of which some are not told, `...` in their place: to ask for one of those raises Unknown."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._values = (*values,)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, at: Any) -> Any:
        if (value := self._values[at]) is ...:
            raise Unknown
        return value

    def __eq__(self, other: object) -> bool:
        return [*self] == [*cast("Iterable[Any]", other)]

    def __hash__(self) -> int:  # as the tuple that it stands for, by which things are remembered
        return hash((*self,))


def _state(part: Part, known: Known) -> dict[str, Any]:
    """What is told of the state."""
    seats = part.players if "mode" in known else ()
    setup = _PartSetup(_setup(part, known, seats))
    return {
        "setup": setup,
        **_turn(known, seats),
        **_table(part, known, seats),
        **_bot(known),
        **_spike(known),
    }


def _setup(part: Part, known: Known, seats: Sequence[str]) -> dict[str, Any]:
    """What is agreed before a game."""
    told = {key: known[key] for key in ("mode", "difficulty", "korean_start") if key in known}
    told |= {"pack": part.pack, "modules": (*known["modules"],)}
    if part.board is not None:
        told["board"] = part.board
    if seats:
        told["seats"] = seats
    return told


def _turn(known: Known, seats: Sequence[str]) -> dict[str, Any]:
    """Whose turn it is, and what of it is done."""
    told = {key: known[key] for key in ("phase", "actions_left", "passes") if key in known}
    if "used" in known:
        told["used"] = None if known["used"] is None else INDEX[known["used"]]
    if known.get("to_move") in seats:
        told["to_move"] = seats.index(known["to_move"])
    return told


def _table(part: Part, known: Known, seats: Sequence[str]) -> dict[str, Any]:
    """What lies on the table beside Mašinfíra's things and the Golden Spike."""
    told: dict[str, Any] = {
        count: _Row(known.get(f"companies.{c}.{count}", ...) for c in COMPANIES) for count in COUNTS
    }
    told["track"] = _Row(_mask(part, known, company) for company in COMPANIES)
    told["demand"] = _Row((None, *(_tile(part, known, number) for number in CITY_NUMBERS)))
    for row in ("influence", "shares") if seats else ():
        told[row] = tuple(_Row(known.get(f"{row}.{seat}.{c}", ...) for c in COMPANIES) for seat in seats)
    return told


def _mask(part: Part, known: Known, company: str) -> Any:
    """The track of a company; on hexes that a photo has left open there may be more of it, or less."""
    hexes = known.get(f"track.{company}", ...)
    if hexes is ... or part.board is None:
        return ...
    mask, left_open = mask_of(part.board, hexes), mask_of(part.board, open_hexes(part))
    return _Track({"sure": mask & ~left_open, "open": left_open}) if left_open else mask


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
    return {"bot": _InPart(told)} if told else {}


def _spike(known: Known) -> dict[str, Any]:
    if known.get("golden_spike", ...) is None:
        return {"spike": None}
    told = {key: known[path] for key in Spike._fields if (path := f"golden_spike.{key}") in known}
    for side in {"eastern", "western"} & told.keys():
        told[side] = None if told[side] is None else INDEX[told[side]]
    return {"spike": _InPart(told)} if told else {}
