"""Czech, Korean and English for everything a person reads, from one catalogue (GNU gettext).

English sentences stand in the code and are the message ids; `locale/<lang>/LC_MESSAGES/masinfira.po`
holds the other languages, compiled to `.mo` beside it by `make texts`. Plural forms are gettext's.

Values are words, too: a gap `{company}` filled with "orange" becomes "oranžová", and a translator can ask
for another form of it by name, `{company:gen}` → the message "orange" in the context "gen".
"""

import gettext
from functools import cache
from pathlib import Path
from typing import Any

from .mini_express.events import EVENTS, Event
from .mini_express.places import Place
from .sentences import C_, N_, Phrase, Problem, begun, plain

LANGUAGES: dict[str, str] = {"cs": "Čeština", "ko": "한국어", "en": "English"}
DEFAULT = "en"
LOCALE = Path(__file__).parent / "locale"

WORDS = (
    N_("brown"), N_("gray"), N_("orange"), N_("white"), N_("wild"), N_("refresh"),
    N_("red"), N_("blue"), N_("purple"), N_("green"), N_("yellow"), N_("masinfira"),
    N_("passenger"), N_("tourist"), N_("trainspotter"), N_("conductor"), N_("railwayman"),
    N_("standard"), N_("solo"), N_("two_with_bot"), N_("experts"),
    N_("golden_spike"), N_("ports"), N_("capacity_two"), N_("none"),
    N_("first"), N_("second"), N_("other"), N_("landscape"),
    N_("waiting"), N_("building"), N_("linked"), N_("off"),
    N_("map"), N_("tracks"), N_("assets"),
)  # fmt: skip
"""The words of the game that stand in values."""

FORMS = (
    C_("gen", "brown"), C_("gen", "gray"), C_("gen", "orange"), C_("gen", "white"),
    C_("acc", "brown"), C_("acc", "gray"), C_("acc", "orange"), C_("acc", "white"),
    C_("gen", "red"), C_("gen", "blue"), C_("gen", "purple"), C_("gen", "green"), C_("gen", "yellow"),
    C_("gen", "masinfira"), C_("dat", "red"), C_("dat", "blue"), C_("dat", "purple"),
    C_("dat", "green"), C_("dat", "yellow"), C_("dat", "masinfira"),
)  # fmt: skip
"""Their grammatical forms: a translator writes {company:gen} or {seat:dat} where a sentence needs one."""


def in_percent(p: float) -> int:
    """A probability as it is told where something is asked: never as certain."""
    return min(max(round(100 * p), 1), 99)


class Texts:
    """All texts in one language."""

    def __init__(self, lang: str = DEFAULT) -> None:
        self.lang = lang if lang in LANGUAGES else DEFAULT
        self._catalogue = gettext.translation("masinfira", LOCALE, [self.lang], fallback=True)

    def say(self, sentence: str | tuple[str, str], /, **values: Any) -> str:
        """A sentence in this language, its gaps filled; a (singular, plural) pair is chosen by `n`."""
        if isinstance(sentence, tuple):
            pattern = self._catalogue.ngettext(*sentence, values["n"])
        else:
            pattern = self._catalogue.gettext(sentence)
        filled = pattern.format_map(_Gaps({key: self.shown(value) for key, value in values.items()}))
        return begun(filled, pattern, values)

    def word(self, word: str, form: str = "") -> str:
        """One word of the game, in a grammatical form where the language has one."""
        if form and (found := self._catalogue.pgettext(form, word)) != word:
            return found
        return self._catalogue.gettext(word) if word else ""

    def event(self, event: Event) -> str:
        """A line of the log, or a step of Mašinfíra's reasoning."""
        return self.say(EVENTS[event.key], **event.values)

    def problem(self, problem: Problem) -> str:
        """A refusal, in one sentence."""
        return self.say(problem.sentence, **problem.values)

    def shown(self, value: Any) -> "_Word":
        match value:
            case Place():
                return _Word(self.say(value.sentence, city=value.city, n=value.n, m=value.m), self)
            case Phrase():
                return _Word(self.say(value.sentence, **value.values), self)
            case Problem():
                return _Word(self.problem(value), self)
            case (int(), int()):
                return _Word(plain(value), self)
            case list() | tuple():
                return _Word(", ".join(str(self.shown(v)) for v in value) or self.word("none"), self)
            case str() if value in WORDS:
                return _Word(self.word(value), self, value)
        return _Word(str(value), self)


class _Word(str):
    """A value ready for a gap; its format specification is a grammatical form."""

    __slots__ = ("source", "texts")

    texts: Texts
    source: str

    def __new__(cls, shown: str, texts: Texts, source: str = "") -> "_Word":
        word = super().__new__(cls, shown)
        word.texts, word.source = texts, source
        return word

    def __format__(self, form: str) -> str:
        return self.texts.word(self.source, form) if form and self.source else str(self)


class _Gaps(dict[str, "_Word"]):
    """Values of a sentence; a gap nobody filled stays visible instead of failing in front of a person."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"


@cache
def texts(lang: str) -> Texts:
    """The texts of one language; an unknown language is English."""
    return Texts(lang)
