"""Which language a visitor reads, and the functions by which templates speak it.

Templates write `{{ _("A whole sentence with a {gap}.", gap=value) }}`; Babel's extractor knows `_` and
`ngettext`, so every sentence lands in the one catalogue of `engine/catalogue.py`.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from engine.catalogue import DEFAULT, LANGUAGES, Texts, in_percent, texts
from engine.mini_express.board import Board
from engine.mini_express.events import Event
from engine.sentences import N_, Said

COOKIE = "masinfira_lang"
YEAR = 365 * 24 * 3600

COMPANY_NAMES = {"brown": N_("Brown"), "gray": N_("Gray"), "orange": N_("Orange"), "white": N_("White")}
SEAT_NAMES = {
    "red": N_("Red"),
    "blue": N_("Blue"),
    "purple": N_("Purple"),
    "green": N_("Green"),
    "yellow": N_("Yellow"),
    "masinfira": N_("Mašinfíra"),
}
MODE_NAMES = {
    "solo": N_("Solo against Mašinfíra"),
    "two_with_bot": N_("Two players and Mašinfíra"),
    "experts": N_("Two experts"),
    "standard": N_("3–5 players"),
}
DIFFICULTY_NAMES = {
    "passenger": N_("Passenger (easy)"),
    "tourist": N_("Tourist (normal)"),
    "trainspotter": N_("Trainspotter (hard)"),
    "conductor": N_("Conductor (brutal)"),
    "railwayman": N_("Railwayman (ultimate)"),
}
MODULE_NAMES = {
    "golden_spike": N_("Golden Spike (USA)"),
    "ports": N_("Ports (Europe)"),
    "capacity_two": N_("Every city has room for two (first game)"),
}
DONE = "done"
"""The category of a flashed sentence that tells of a success."""
NAMES = {**COMPANY_NAMES, **SEAT_NAMES, **MODE_NAMES, **DIFFICULTY_NAMES, **MODULE_NAMES}


def spoken() -> Texts:
    """The texts in the language of the present request."""
    if "texts" not in g:
        g.texts = texts(_chosen())
    found: Texts = g.texts
    return found


def _chosen() -> str:
    """The language chosen before, else the browser's."""
    wish = request.cookies.get(COOKIE)
    return (
        wish if wish in LANGUAGES else request.accept_languages.best_match([DEFAULT, *LANGUAGES]) or DEFAULT
    )


def say(sentence: str, /, **values: Any) -> str:
    """A sentence in the visitor's language."""
    return spoken().say(sentence, **values)


def ngettext(singular: str, plural: str, n: int, /, **values: Any) -> str:
    """One of a pair of sentences, chosen by the count `n`, which also fills the gap {n}."""
    return spoken().say((singular, plural), n=n, **values)


def named(word: str) -> str:
    """The heading for a company, a seat, a mode, a difficulty or a module."""
    return say(NAMES[word]) if word in NAMES else spoken().word(word)


def map_named(board: Board) -> str:
    """The heading for a map."""
    return board.names.get(spoken().lang, board.id)


def listed(words: Sequence[str]) -> str:
    """Words of the game with commas between them, or "none"."""
    return str(spoken().shown([*words]))


def letter(company: str) -> str:
    """The one letter that stands for a company, so that its colour is never the only cue."""
    return "★" if company == "wild" else named(company)[0].upper()


def line_of(said: Said) -> str:
    """A line of the log, a refusal or what to do, as one sentence."""
    sentence = spoken().told(said)
    # It may begin with a word of the game, which the catalogue has in lower case.
    return sentence[:1].upper() + sentence[1:]


def lists_candidate(event: Event) -> bool:
    """Whether an event only lists one of the cities that Mašinfíra may build to."""
    return event.key.startswith("bot_candidate")


def grouped(events: Sequence[Event]) -> list[tuple[bool, list[Event]]]:
    """Events in their order; those that only list Mašinfíra's candidates are put together."""
    runs = groupby(events, key=lists_candidate)
    return [(minor, list(run)) for minor, run in runs]


def _remember() -> BaseResponse | None:
    """Keep the language asked for, and on to the page without it: else who goes back would choose it again."""
    said = request.args.to_dict(flat=False)
    wish = said.pop("lang", [""])[0]
    if wish not in LANGUAGES or request.method != "GET":
        return None
    # Made anew, for a path as it was asked for might lead elsewhere, as //elsewhere does, or break the header.
    page = url_for(request.endpoint or "starting.home", **request.view_args or {})
    response = redirect(f"{page}?{urlencode(said, doseq=True)}".removesuffix("?"), 303)
    response.set_cookie(COOKIE, wish, max_age=YEAR, httponly=True, samesite="Strict")
    return response


def _tell(response: Response) -> Response:
    response.headers["Content-Language"] = spoken().lang
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def init(app: Flask) -> None:
    """Give the templates their voice."""
    app.before_request(_remember)
    app.after_request(_tell)
    app.jinja_env.filters |= {"groupby_minor": grouped, "in_percent": in_percent}
    app.jinja_env.globals.update(
        _=say,
        ngettext=ngettext,
        named=named,
        map_named=map_named,
        letter=letter,
        listed=listed,
        line_of=line_of,
        languages=LANGUAGES,
        language=lambda: spoken().lang,
    )
