"""Sentences for people, kept as data: a key, values and, behind them, one catalogue of translations.

The English sentence stands in the code and is the message id of the catalogue (GNU gettext, read by
the standard library, which also knows each language's plural forms). `N_` marks a sentence for the
catalogue without translating it, as `Phrase` does for a part of one, `P_` a pair that a number chooses
from; `catalogue.py` translates.
"""

import errno
import re
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable


def N_(text: str) -> str:
    """Mark an English sentence for the catalogue."""
    return text


def P_(singular: str, plural: str) -> tuple[str, str]:
    """Mark a pair of English sentences for the catalogue; the value `n` chooses between them."""
    return singular, plural


def C_(form: str, word: str) -> str:
    """Mark a grammatical form of a word for the catalogue, for languages that have one."""
    return f"{form}:{word}"


@runtime_checkable
class Said(Protocol):
    """What `catalogue.py` can say: a sentence of the catalogue, or a pair that `n` chooses from, and its values."""

    @property
    def sentence(self) -> str | tuple[str, str]: ...
    @property
    def values(self) -> Mapping[str, Any]: ...


class Phrase:
    """A part of a sentence that fills a gap of another, and may have gaps of its own; `str()` is plain English."""

    def __init__(self, sentence: str, **values: Any) -> None:
        self.sentence, self.values = sentence, values

    def __str__(self) -> str:
        return self.sentence.format(**plain_values(self.values))


class Typed(str):
    """A word as a person types it, such as a key or the name of a file: the same in every language."""

    __slots__ = ()


Progress = Callable[[str, float], None]
"""Told a sentence of the catalogue and the share of the work that is done, 0 to 1."""


def silent(step: str, share: float) -> None:
    """Progress that nobody watches."""


def part_of(say: Progress, done: float, share: float) -> Progress:
    """The progress of a part of the whole, which is `share` of it and begins when `done` of it is done."""
    return lambda step, of_part: say(step, done + share * of_part)


def begun(sentence: str, pattern: str, values: Mapping[str, Any]) -> str:
    """A filled pattern with a capital letter where a phrase or a colour begins it; a file keeps its name."""
    gap = re.match(r"\{(\w+)", pattern)
    if gap and (gap[1] in ("company", "seat") or isinstance(values.get(gap[1]), Phrase)):
        return sentence[:1].upper() + sentence[1:]
    return sentence


def plain(value: Any) -> Any:
    """A value as it stands in a plain sentence: a hex as q,r, several things as `listed`, anything else as it is."""
    match value:
        case (int(q), int(r)):
            return f"{q},{r}"
        case list() | tuple():
            return listed([str(plain(each)) for each in value]) or "none"
    return value


def listed(parts: Sequence[str]) -> str:
    """Several things with commas, with semicolons where they have commas themselves, as hexes do."""
    return ("; " if any("," in part for part in parts) else ", ").join(parts)


def plain_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """What fills the gaps of a plain English sentence."""
    return {name: plain(value) for name, value in values.items()}


REASONS = {
    errno.EACCES: Phrase("you have no permission for it"),
    errno.EPERM: Phrase("you have no permission for it"),
    errno.EROFS: Phrase("nothing can be written on that disk"),
    errno.ENOSPC: Phrase("no space is left on the disk"),
    errno.EDQUOT: Phrase("no space is left for you on the disk"),
    errno.EIO: Phrase("the disk does not work as it should"),
    errno.EISDIR: Phrase("it is a folder"),
    errno.ENOTDIR: Phrase("a part of its path is a file and no folder"),
    errno.ENOENT: Phrase("there is no such file or folder"),
    errno.EEXIST: Phrase("there is a file of that name"),
    errno.ENAMETOOLONG: Phrase("the name is too long"),
    errno.ELOOP: Phrase("its links lead in a circle"),
    errno.EADDRINUSE: Phrase("another program uses it"),
    errno.EADDRNOTAVAIL: Phrase("this computer has no such address"),
}
"""Why the operating system refuses something, by the number it gives; anything else is told as it says it."""


def reason_of(error: Exception) -> Phrase | str:
    """Why the operating system, or a library, refused something."""
    if isinstance(error, socket.gaierror):  # its numbers are not those of errno
        return REASONS[errno.EADDRNOTAVAIL]
    if isinstance(error, OSError) and error.errno in REASONS:
        return REASONS[error.errno]
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class Problem(Exception):
    """Something a person must know and can act on; `str()` is a plain English sentence.

    Each subclass lists its sentences by key. `values` fill the gaps of the sentence, `rule` is the
    clause of the rules it rests on ("" where it is not a matter of rules).
    """

    sentences: ClassVar[Mapping[str, str]] = {}

    def __init__(self, key: str, *, rule: str = "", **values: Any) -> None:
        self.key, self.rule, self.values = key, rule, values
        super().__init__(key)

    @property
    def sentence(self) -> str:
        """The English sentence with its gaps, which is also its key in the catalogue."""
        return self.sentences[self.key]

    def __str__(self) -> str:
        values = plain_values(self.values)
        return begun(self.sentence.format(**values), self.sentence, values)
