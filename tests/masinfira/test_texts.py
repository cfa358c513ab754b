"""The catalogue: nothing untranslated, no gap lost, plural forms right, compiled files fresh."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.catalogue import LOCALE, texts
from engine.mini_express import EVENTS, IllegalAction
from engine.mini_express.check import Broken
from engine.mini_express.errors import Malformed, PackProblem

ROOT = Path(__file__).parents[2]
KEYWORDS = {
    "N_": None,
    "_": None,
    "say": None,
    "Phrase": None,
    "P_": (1, 2),
    "ngettext": (1, 2),
    "C_": ((1, "c"), 2),
}
PACKAGES = ("engine", "calibration", "vision", "webui", "masinfira")
METHODS = [("**.py", "python"), ("**.html", "jinja2")]


def catalogue(lang: str):  # type: ignore[no-untyped-def]
    path = LOCALE / lang / "LC_MESSAGES" / "masinfira.po"
    return read_po(io.BytesIO(path.read_bytes()), lang)


def sentences_in_the_code() -> Iterator[str]:
    for package in PACKAGES:
        for _file, _line, message, _comments, _context in extract_from_dir(
            ROOT / package, METHODS, keywords=KEYWORDS
        ):
            yield message[0] if isinstance(message, tuple) else message


def gaps(text: str) -> set[str]:
    """The names of the gaps of a sentence, without their grammatical forms."""
    return set(re.findall(r"\{(\w+)(?::\w+)?\}", text))


def forms(value: str | tuple[str, ...] | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_every_sentence_of_the_code_is_translated(lang: str) -> None:
    translated = {forms(m.id)[0] for m in catalogue(lang) if m.id and all(forms(m.string)) and not m.fuzzy}
    assert set(sentences_in_the_code()) - translated == set()


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_no_translation_invents_or_loses_a_gap(lang: str) -> None:
    def differs(message: Message) -> bool:
        wanted = set().union(*map(gaps, forms(message.id)))
        # "one train" may leave the number out, but must not use a gap nobody fills
        return any(not gaps(text) <= wanted or wanted - gaps(text) - {"n"} for text in forms(message.string))

    assert [m.id for m in catalogue(lang) if m.id and differs(m)] == []


@pytest.mark.parametrize("lang", ["cs", "ko", "en"])
def test_the_compiled_catalogue_is_the_written_one(lang: str) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, catalogue(lang))
    assert (LOCALE / lang / "LC_MESSAGES" / "masinfira.mo").read_bytes() == fresh.getvalue()


@pytest.mark.parametrize(("n", "word"), [(1, "vlak"), (2, "vlaky"), (5, "vlaků"), (0, "vlaků")])
def test_czech_has_three_plural_forms(n: int, word: str) -> None:
    sentence = texts("cs").say(EVENTS["compensated"], company="orange", n=n)
    assert re.search(rf"\b{n} {word}\b", sentence), sentence


@pytest.mark.parametrize("lang", ["cs", "ko", "en"])
def test_words_of_the_game_are_words(lang: str) -> None:
    """No reader meets an identifier such as two_with_bot."""
    assert "_" not in "".join(
        texts(lang).word(word) for word in ("two_with_bot", "golden_spike", "capacity_two")
    )


@pytest.mark.parametrize("problem", [IllegalAction, Malformed, PackProblem, Broken])
def test_refusals_are_sentences(problem: type[IllegalAction]) -> None:
    assert all(sentence.endswith((".", "{reason}")) for sentence in problem.sentences.values())
