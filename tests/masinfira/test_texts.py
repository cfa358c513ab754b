"""The catalogue: nothing untranslated, no gap lost, plural forms right, compiled files fresh."""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from calibration import load_photo
from engine import mini_express as game
from engine.catalogue import LOCALE, texts
from engine.mini_express import EVENTS, Event, IllegalAction
from engine.mini_express.check.broken import Broken
from engine.mini_express.errors import Malformed, PackProblem
from engine.mini_express.record import GAME_FORMAT
from engine.sentences import Phrase, Problem
from masinfira.files import FileProblem

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


@pytest.mark.parametrize("name", ["ירושלים 🎉", "بغداد"])
def test_a_name_from_right_to_left_keeps_its_place(name: str) -> None:
    """Without the isolating signs the numbers beside it would change places with it."""
    assert texts("cs").say("{city} ({number})", city=name, number=3) == f"\u2068{name}\u2069 (3)"


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


def spoken(compiled: Catalog) -> dict[object, object]:
    """What a compiled catalogue says and how it counts: its header also names the Babel that wrote it."""
    said: dict[object, object] = {(m.context, tuple(forms(m.id))): m.string for m in compiled if m.id}
    return said | {"plural": compiled.plural_forms}


def forms(value: str | tuple[str, ...] | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def test_a_decimal_number_is_written_as_in_the_language() -> None:
    told = [texts(lang).say("Read in {seconds} s.", seconds=0.85) for lang in ("en", "cs", "ko")]
    assert ["0.85" in told[0], "0,85" in told[1], "0.85" in told[2]] == [True] * 3


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_every_sentence_of_the_code_is_translated(lang: str) -> None:
    translated = {forms(m.id)[0] for m in catalogue(lang) if m.id and all(forms(m.string)) and not m.fuzzy}
    assert set(sentences_in_the_code()) - translated == set()


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_no_translation_invents_or_loses_a_gap(lang: str) -> None:
    def differs(message: Message) -> bool:
        wanted, *others = set().union(*map(gaps, forms(message.id))), *map(gaps, forms(message.string))
        # "one train" may leave the number out, but must not use a gap nobody fills; what is said of many tells how many
        return any(not has <= wanted or wanted - has - {"n"} for has in others) or others[-1] != wanted

    assert [m.id for m in catalogue(lang) if m.id and differs(m)] == []


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_no_translation_counts_in_english(lang: str) -> None:
    """The columns of the value table are printed 1st, 2nd and Other."""
    texts_of = [text for m in catalogue(lang) if m.id for text in forms(m.string)]
    assert [text for text in texts_of if re.search(r"\b(1st|2nd|3rd|Other)\b", text)] == []


@pytest.mark.parametrize("lang", ["cs", "ko", "en"])
def test_the_compiled_catalogue_is_the_written_one(lang: str) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, catalogue(lang))
    fresh.seek(0)
    shipped = io.BytesIO((LOCALE / lang / "LC_MESSAGES" / "masinfira.mo").read_bytes())
    assert spoken(read_mo(shipped)) == spoken(read_mo(fresh))


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


def small_state(**parts: object) -> dict[str, object]:
    return {
        "format": "masinfira/mini-express/state/1",
        "seats": ["red", "masinfira"],
        "mode": "solo",
        **parts,
    }


FRAGMENTS: list[tuple[Callable[[], object], str, str]] = [
    (
        lambda: game.state_from_json(small_state(demand={"7": ["wild", "wild"]})),
        "očekává se dvě společnosti, nebo společnost a wild",
        "필요한 값: 회사 두 개, 또는 회사와 wild",
    ),
    (
        lambda: game.state_from_json(small_state(mode=7)),
        "očekává se jedno z: standard, solo",
        "필요한 값: 다음 중 하나: standard, solo",
    ),
    (
        lambda: game.Part.from_json({"seats": ["red", "masinfira"], "passes": -1}, game.built_in()),
        "očekává se celé číslo od 0 do 999",
        "필요한 값: 0부터 999까지의 정수",
    ),
    (lambda: game.Game.from_text(f"{GAME_FORMAT}\nboard\n\n"), "slovo: hodnota", "단어: 값"),
    (lambda: load_photo(b""), "(fotka)", "사진: 빈 파일"),
]


@pytest.mark.parametrize(("read", "czech", "korean"), FRAGMENTS)
def test_parts_of_sentences_are_translated(read: Callable[[], object], czech: str, korean: str) -> None:
    """What was expected, or how a thing without a name is called, is in the language of the sentence."""
    with pytest.raises(Problem) as refusal:
        read()
    assert czech in texts("cs").told(refusal.value)
    assert korean in texts("ko").told(refusal.value)


def test_a_part_of_a_sentence_has_gaps_of_its_own() -> None:
    part = Phrase("a whole number from 0 to {most}", most=15)
    assert str(part) == "a whole number from 0 to 15"
    problem = Malformed("state_part", part="passes", expected=part, found=Phrase("nothing"))
    assert (
        str(problem) == '"passes" in the state is wrong: a whole number from 0 to 15 expected, nothing found.'
    )


@pytest.mark.parametrize(
    ("several", "listed"),
    [
        ([(3, -4), (-1, 0)], "3,-4; -1,0"),
        (["brown", "wild"], "brown, wild"),
        (("red", Phrase("standard input")), "red, standard input"),
        ([], "none"),
    ],
)
def test_several_things_in_a_gap_stand_one_after_another(several: object, listed: str) -> None:
    """In the plain sentence, which scripts read, as in the catalogue's English, and within a phrase too."""
    problem = Broken("island", company="brown", hexes=several)
    assert str(problem) == texts("en").told(problem)
    assert f"the track at {listed} is not" in str(problem)
    assert str(Phrase("one of {words}", words=several)) == f"one of {listed}"


@pytest.mark.parametrize(
    ("file", "english", "czech"),
    [
        (Phrase("standard input"), "Standard input is larger", "Standardní vstup je větší"),
        ("states/game.json", "states/game.json is larger", "states/game.json je větší"),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_a_file_does(
    file: Phrase | str, english: str, czech: str
) -> None:
    problem = FileProblem("large", file=file)
    assert texts("en").told(problem).startswith(english)
    assert str(problem).startswith(english)
    assert texts("cs").told(problem).startswith(czech)


def test_a_sentence_begins_with_a_capital_where_a_colour_begins_it() -> None:
    refused = IllegalAction("draft_same", seat="red", company="gray")
    assert texts("en").told(refused) == str(refused)
    assert str(refused).startswith("Red already holds a share of gray")
    rose = Event("value_rose", "R5.5", {"company": "gray", "before": 0, "after": 1})
    assert texts("en").told(rose) == "Gray: value 0 → 1."
    assert texts("cs").told(Broken("off_map", company="gray")).startswith("Šedá: vlak")


def test_a_phrase_within_a_sentence_keeps_its_small_letter() -> None:
    problem = FileProblem("unreadable", file="a.jpg", reason=Phrase("standard input"))
    assert texts("en").told(problem) == str(problem) == "a.jpg cannot be read: standard input."
