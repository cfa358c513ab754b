"""What visitors send, checked: every field is text of unknown origin until it has passed here."""

import hashlib
from collections.abc import Mapping

from werkzeug.datastructures import FileStorage, MultiDict

from engine.hexgrid import Hex
from engine.mini_express import (
    COMPANIES,
    DIFFICULTIES,
    MODES,
    Action,
    Build,
    Draft,
    Draw,
    Pack,
    Pass,
    State,
    TakeShare,
)
from engine.mini_express.actions import TYPES
from engine.mini_express.golden_spike import western_choices
from engine.mini_express.names import RESERVOIR_SIZE, BotTile
from engine.mini_express.notation import hex_from_text, hex_to_text, tile_from_text
from engine.mini_express.setup import PLAYERS

from .problems import WebProblem

Form = MultiDict[str, str]

DIGITS = 3
PHOTOS_AT_MOST = 4


def in_short(shown: object) -> str:
    """What a page showed, short enough for its form to say what was looked at when it was filled in."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]


def choice(form: Form, field: str, allowed: tuple[str, ...]) -> str:
    """A field that holds one of a few words. Raises WebProblem."""
    if (value := form.get(field, "")) not in allowed:
        raise WebProblem("bad_field", field=field)
    return value


def optional(form: Form, field: str, allowed: tuple[str, ...]) -> str | None:
    """As `choice`, or nothing. Raises WebProblem."""
    return choice(form, field, allowed) if form.get(field) else None


def players(form: Form) -> tuple[str, str | None, list[str]]:
    """The mode, with the bot alone its difficulty, and the humans' seats in turn order. Raises WebProblem."""
    mode = choice(form, "mode", MODES)
    seats = [form.get(f"seat{i}", "")[:20] for i in range(PLAYERS[mode][1])]
    difficulty = choice(form, "difficulty", DIFFICULTIES) if mode == "solo" else None
    return mode, difficulty, [seat for seat in seats if seat]


def whole_number(form: Form, field: str, digits: int = DIGITS) -> int:
    """A field that holds a number of a few digits. Raises WebProblem."""
    text = form.get(field, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= digits):
        raise WebProblem("no_number", field=field)
    return int(text)


def beyond_track(numbers: Mapping[str, str], pack: Pack) -> list[str]:
    """Of numbers by field those that are more influence than the printed track has: no rule forbids it (R5.6)."""
    told = {
        f: text
        for f, text in numbers.items()
        if f.startswith("influence.") and text.isascii() and text.isdigit()
    }
    return [field for field, text in told.items() if int(text[: 2 * DIGITS]) > pack.influence_length]


def photos_sent(files: MultiDict[str, FileStorage]) -> list[bytes]:
    """The photos of one moment that came with a form, none if none was chosen. Raises WebProblem."""
    photos = [file for file in files.getlist("photo") if file.filename]
    if len(photos) > PHOTOS_AT_MOST:
        raise WebProblem("too_many_photos", limit=PHOTOS_AT_MOST)
    return [file.stream.read() for file in photos]


def hex_of(text: str, field: str) -> Hex:
    """A hex written "q,r". Raises WebProblem, about this `field`."""
    if (at := hex_from_text(text)) is None:
        raise WebProblem("bad_field", field=field)
    return at


def route_of(text: str) -> tuple[Hex, ...]:
    """A route written "q,r q,r …", the city last. Raises WebProblem."""
    parts = text.split(" ")[: RESERVOIR_SIZE + 1]
    if not 1 <= len(parts) <= RESERVOIR_SIZE:
        raise WebProblem("bad_field", field="route")
    return tuple(hex_of(part, "route") for part in parts)


def route_text(route: tuple[Hex, ...]) -> str:
    return " ".join(map(hex_to_text, route))


def tile_of(text: str) -> BotTile:
    """A tile of Mašinfíra's bag, written "2,1" or "refresh". Raises WebProblem."""
    if (tile := tile_from_text(text)) is None:
        raise WebProblem("bad_field", field="tile")
    return tile


def tile_text(tile: BotTile) -> str:
    return tile if isinstance(tile, str) else f"{tile[0]},{tile[1]}"


def action_of(form: Form, state: State) -> Action:
    """The action a visitor asks for; whether the rules allow it is for the engine to say. Raises WebProblem."""
    match choice(form, "kind", TYPES):
        case "draft":
            return Draft(choice(form, "company", COMPANIES))
        case "take_share":
            return TakeShare(choice(form, "company", COMPANIES))
        case "draw":
            return Draw(tile_of(form.get("tile", "")))
        case "build":
            return _build(form, state)
    return Pass()


def fields_of(action: Action) -> dict[str, str]:
    """The fields of a form by which a visitor asks for an action: `action_of` reads them."""
    match action:
        case Build(company, route, wild, port, western):
            way = {"company": company, "route": route_text(route), "port": hex_to_text(port) if port else ""}
            fields = {"kind": "build", **way, "wild": wild or "", "western": western or ""}
        case Draft(company) | TakeShare(company):
            fields = {"kind": "draft" if isinstance(action, Draft) else "take_share", "company": company}
        case Draw(tile):
            fields = {"kind": "draw", "tile": tile_text(tile)}
        case Pass():
            fields = {"kind": "pass"}
    return fields


def _build(form: Form, state: State) -> Build:
    port = form.get("port")
    build = Build(
        choice(form, "company", COMPANIES),
        route_of(form.get("route", "")),
        optional(form, "wild", COMPANIES),
        hex_of(port, "port") if port else None,
        optional(form, "western", COMPANIES),
    )
    # The form offers the western companies of all routes; a route with one or none has nothing to choose.
    known = all(at in state.board.index for at in build.route)
    if build.western and known and len(western_choices(state, build)) < 2:
        return Build(build.company, build.route, build.wild, build.port)
    return build
