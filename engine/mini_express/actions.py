"""The actions of the game, small frozen values, with their JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..hexgrid import Hex
from .errors import Malformed, as_json
from .file_values import is_two_numbers
from .names import COMPANIES, REFRESH, BotTile


@dataclass(frozen=True, slots=True)
class Draft:
    """Take a share that was set aside (R2.4); with two experts see R9.1."""

    company: str


@dataclass(frozen=True, slots=True)
class TakeShare:
    """Take a share from the offer (R4)."""

    company: str


@dataclass(frozen=True, slots=True)
class Build:
    """Build track (R5); `route` in building order, the city last.

    `wild` is the other company of a wild demand tile (R5.6), `port` the port hex of R11.2, `western`
    the company of R10.4; each is None where there is nothing to choose.
    """

    company: str
    route: tuple[Hex, ...]
    wild: str | None = None
    port: Hex | None = None
    western: str | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """One tile drawn from Mašinfíra's bag, and all that follows from it (R7.4-R7.10)."""

    tile: BotTile


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn of a player who has no legal action at all (R3.1)."""


Action = Draft | TakeShare | Build | Draw | Pass
TYPES = ("draft", "take_share", "build", "draw", "pass")
"""How the JSON form names them."""


def action_to_json(action: Action) -> dict[str, Any]:
    """The JSON form of an action; keys without a choice are left out."""
    match action:
        case Draft(company):
            return {"type": "draft", "company": company}
        case TakeShare(company):
            return {"type": "take_share", "company": company}
        case Draw(tile):
            return {"type": "draw", "tile": tile_to_json(tile)}
        case Pass():
            return {"type": "pass"}
    choices = {"wild": action.wild, "port": action.port and list(action.port), "western": action.western}
    return {
        "type": "build",
        "company": action.company,
        "route": [list(at) for at in action.route],
        **{key: value for key, value in choices.items() if value is not None},
    }


def tile_to_json(tile: BotTile) -> str | list[int]:
    """A tile of Mašinfíra's as it stands in JSON."""
    return tile if isinstance(tile, str) else list(tile)


def is_action(obj: Mapping[str, Any]) -> bool:
    """Whether a JSON object is meant as an action, so that who mistakes it for a state can be told."""
    return obj.get("type") in TYPES


def action_from_json(obj: Any) -> Action:
    """Read an action. Raises Malformed when it is not one."""
    if not isinstance(obj, Mapping):
        raise Malformed("action_not_object")
    match obj.get("type"):
        case "draft":
            return Draft(_company(obj, "company"))
        case "take_share":
            return TakeShare(_company(obj, "company"))
        case "build":
            return _build(obj)
        case "draw":
            return Draw(_tile(_part(obj, "tile")))
        case "pass":
            return Pass()
    raise Malformed("action_type", found=as_json(_part(obj, "type")))


def _build(obj: Mapping[str, Any]) -> Build:
    route = obj.get("route")
    if not isinstance(route, list) or not route:
        raise Malformed("action_route")
    wild, western = (_company(obj, key) if obj.get(key) is not None else None for key in ("wild", "western"))
    port = _hex(obj["port"]) if obj.get("port") is not None else None
    return Build(_company(obj, "company"), tuple(map(_hex, route)), wild, port, western)


def _part(obj: Mapping[str, Any], key: str) -> Any:
    if key not in obj:
        raise Malformed("action_missing", part=key)
    return obj[key]


def _company(obj: Mapping[str, Any], key: str) -> str:
    if (name := _part(obj, key)) not in COMPANIES:
        raise Malformed("action_company", part=key, found=as_json(name))
    return str(name)


def _hex(value: Any) -> Hex:
    return _two_numbers(value, "action_hex")


def _tile(value: Any) -> BotTile:
    return REFRESH if value == REFRESH else _two_numbers(value, "action_tile")


def _two_numbers(value: Any, refusal: str) -> tuple[int, int]:
    if not is_two_numbers(value):
        raise Malformed(refusal, found=as_json(value))
    return value[0], value[1]
