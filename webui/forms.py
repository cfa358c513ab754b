"""What visitors send, checked: every field is text of unknown origin until it has passed here."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace

from werkzeug.datastructures import FileStorage, MultiDict

from engine.hexgrid import Hex
from engine.mini_express import DIFFICULTIES, MODES, Action, Build, Pack, State
from engine.mini_express.golden_spike import western_choices
from engine.mini_express.names import BotTile
from engine.mini_express.notation import action_from_text, hex_from_text, hex_to_text
from engine.mini_express.setup import PLAYERS

from .problems import WebProblem

Form = MultiDict[str, str]

DIGITS = 3
PHOTOS_AT_MOST = 4
# What a form for a build may let people choose, as the notation calls it.
CHOICES = ("wild", "port", "west")
# No value of a field has it.
BETWEEN = "~"


def in_short(shown: object) -> str:
    """What a page showed, short enough for its form to say what was looked at when it was filled in."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]


def in_one(shown: Mapping[str, str]) -> str:
    """What a page showed in the fields of a form, as one more field, `was`: it tells what its person has changed."""
    return BETWEEN.join(shown.values())


def beside_others(
    form: Form, typed: Mapping[str, str], now: Mapping[str, str], ticked: Collection[str] = ()
) -> tuple[dict[str, str], bool] | None:
    """What of the `typed` fields the person changed or `ticked`, to be laid over what others have changed to `now`.

    And whether they have changed one of these fields, too. None where the form does not say what it showed.
    """
    was = form.get("was", "").split(BETWEEN)
    if len(was) != len(now):
        return None
    before = dict(zip(now, was, strict=True))
    changed = {field: text for field, text in typed.items() if text != before[field]}
    mine = {**{field: typed[field] for field in ticked if field in typed}, **changed}
    both = any(now[field] not in (before[field], changed.get(field)) for field in {*mine, *ticked})
    return mine, both


def choice(form: Form, field: str, allowed: tuple[str, ...]) -> str:
    """A field that holds one of a few words. Raises WebProblem."""
    if (value := form.get(field, "")) not in allowed:
        raise WebProblem("bad_field", field=field)
    return value


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
    """The photos of one moment that came with a form, none if none was chosen, each once. Raises WebProblem."""
    photos = [file for file in files.getlist("photo") if file.filename]
    if len(photos) > PHOTOS_AT_MOST:
        raise WebProblem("too_many_photos", limit=PHOTOS_AT_MOST)
    return [*dict.fromkeys(file.stream.read() for file in photos)]


def hex_of(text: str, field: str) -> Hex:
    """A hex written "q,r". Raises WebProblem, about this `field`."""
    if (at := hex_from_text(text)) is None:
        raise WebProblem("bad_field", field=field)
    return at


def route_text(route: tuple[Hex, ...]) -> str:
    """A route as in the notation, "q,r q,r …", the city last."""
    return " ".join(map(hex_to_text, route))


def tile_text(tile: BotTile) -> str:
    return tile if isinstance(tile, str) else f"{tile[0]},{tile[1]}"


def action_of(form: Form, state: State) -> Action:
    """The action that a form names in the notation of the log, with what its radio buttons choose.

    Whether the rules allow it is for the engine to say. A field called action would hide from scripts where the form
    is sent. Raises Malformed.
    """
    chosen = [f"{part}={form[part]}" for part in CHOICES if form.get(part)]
    return _without_idle_western(state, action_from_text(" ".join([form.get("notation", ""), *chosen])))


def _without_idle_western(state: State, action: Action) -> Action:
    """The form offers the western companies of all routes; a route with one or none has nothing to choose."""
    if not (isinstance(action, Build) and action.western and set(action.route) <= set(state.board.index)):
        return action
    return action if len(western_choices(state, action)) > 1 else replace(action, western=None)
