"""Czech, Korean and English for everything a person reads, from one catalogue (GNU gettext).

English sentences stand in the code and are the message ids; `locale/<lang>/LC_MESSAGES/masinfira.po`
holds the other languages, compiled to `.mo` beside it by `make texts`. Plural forms are gettext's.

Values are words, too: a gap `{company}` filled with "orange" becomes "oranžová", and a translator can ask
for another form of it by name, `{company:gen}` → the message "orange" in the context "gen".
"""

import gettext
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from .mini_express.words import WORDS
from .sentences import Said, Typed, begun, listed, plain

LANGUAGES: dict[str, str] = {"cs": "Čeština", "ko": "한국어", "en": "English"}
DEFAULT = "en"
LOCALE = Path(__file__).parent / "locale"
_DECIMAL_MARKS = {"cs": ","}


def in_percent(p: float) -> int:
    """A probability as it is told where something is asked: never as certain."""
    return min(max(round(100 * p), 1), 99)


def isolated(name: str) -> str:
    """A name that is written from right to left so that what stands beside it keeps its order (UAX 9, FSI and PDI)."""
    if name.isascii() or not {unicodedata.bidirectional(letter) for letter in name} & {"R", "AL"}:
        return name
    return f"\u2068{name}\u2069"


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

    def told(self, said: Said) -> str:
        """A line of the log, a step of Mašinfíra's reasoning, a refusal: each in one sentence."""
        return self.say(said.sentence, **said.values)

    def shown(self, value: Any) -> "_Word":
        """A value as it stands in a gap of a sentence."""
        match value:
            # Words and numbers first: to find out whether something is Said takes much longer.
            case str():
                known = value in WORDS and not isinstance(value, Typed)
                return _Word(self.word(value), self, value) if known else _Word(isolated(value), self)
            case int():
                return _Word(str(value), self)
            case float():
                return _Word(str(value).replace(".", _DECIMAL_MARKS.get(self.lang, ".")), self)
            case Said():
                return _Word(self.told(value), self)
            case (int(), int()):
                return _Word(plain(value), self)
            case list() | tuple():
                return _Word(listed([str(self.shown(v)) for v in value]) or self.word("none"), self)
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
