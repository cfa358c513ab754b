"""The doubts of a photo are answered one after the other, and each answer can be taken back where it was given."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import pytest
from browser import Phone, join
from fake_vision import FakeDoubt, FakeScan, held_of, jpeg, send
from selenium.webdriver.support.ui import WebDriverWait

from calibration import RegistrationProblem
from engine.hexgrid import Hex
from engine.mini_express import COMPANIES
from vision.cells.reading import HardPhoto
from webui.pages.photo.photos import DOUBTS_SHOWN

FIRST, SECOND, THIRD = ((0, 0), "gray"), ((0, 1), "brown"), ((1, 0), "gray")
RAISED = ((0, 0), "brown")
LEARN = "It is so: learn from it"


@dataclass
class Unsure(FakeScan):
    """A vision that is in doubt until it is answered; after the first answer what it asked last comes first."""

    doubts: ClassVar = (FIRST, SECOND, THIRD)

    def __post_init__(self) -> None:
        asked = self.doubts[::-1] if self.told else self.doubts
        self.doubtful = [FakeDoubt(*train) for train in asked if train not in self.told]

    def answered(self, answers: Mapping[tuple[Hex, str], bool]) -> "Unsure":
        return type(self)(self.before, told=dict(answers))


class Raising(Unsure):
    """The answer to the first doubt raises another one, on the same hex."""

    doubts: ClassVar = (FIRST,)

    def __post_init__(self) -> None:
        super().__post_init__()
        if FIRST in self.told and RAISED not in self.told:
            self.doubtful = [FakeDoubt(*RAISED, p=0.25)]


class Blinded(Unsure):
    """In doubt because the photo is overexposed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.overexposed = (HardPhoto("burnt", photo="a.jpg"),)


class Overwhelmed(Unsure):
    """In doubt of more than one page asks."""

    doubts: ClassVar = tuple(((q, r), company) for q in range(3) for r in range(2) for company in COMPANIES)


@pytest.fixture
def reading(table) -> str:
    table.says = Unsure
    return send(table)


def answer(table, reading: str, train: tuple[Hex, str], present: str = "no", **fields: object) -> str:
    """Where the page goes on after a doubt was answered."""
    (q, r), company = train
    said = table.post(f"{reading}/correct", hex=f"{q},{r}", company=company, present=present, **fields)
    assert said.status_code == 303, said.text
    return said.location.removeprefix(reading)


def anchor(train: tuple[Hex, str]) -> str:
    (q, r), company = train
    return f"#doubt-{q},{r}-{company}"


def standing(page: str) -> list[str]:
    """The doubts of a page in their order, those that are answered with a tick."""
    found = re.findall(r'<li id="(doubt-[^"]+)"[^>]*?( class="answered")?>', page)
    return [f"#{id}{' ✓' if answered else ''}" for id, answered in found]


def test_who_answers_one_is_led_to_the_next_and_from_the_last_to_the_result(table, reading) -> None:
    assert answer(table, reading, SECOND) == anchor(THIRD)
    assert answer(table, reading, THIRD) == anchor(FIRST)
    assert answer(table, reading, FIRST) == "#result"
    assert "All doubts are answered." in table.get(reading).text


def test_that_a_photo_has_too_much_light_is_told_as_long_as_something_is_asked(table) -> None:
    table.says = Blinded
    reading = send(table)
    assert "There is too much light in a.jpg" in table.get(reading).text
    for train in (FIRST, SECOND, THIRD):
        answer(table, reading, train)
    assert "too much light" not in table.get(reading).text


def test_who_answers_on_the_hex_is_led_on_too_and_who_corrects_another_to_the_result(table, reading) -> None:
    table.get(reading)
    assert table.post(f"{reading}/correct", hex="0,0", train=["gray"]).location == reading + anchor(SECOND)
    assert table.post(f"{reading}/correct", hex="0,-2", train=["gray"]).location == f"{reading}#result"


def test_what_was_answered_stays_where_it_was_asked(table, reading) -> None:
    answer(table, reading, SECOND, "yes")
    page = table.get(reading).text
    assert standing(page) == [anchor(FIRST), f"{anchor(SECOND)} ✓", anchor(THIRD)]
    assert "2 doubts" in page
    assert "✓ You said: Yes" in page


def test_an_answer_is_taken_back_in_its_place_and_asked_again(table, app, reading) -> None:
    for train in (FIRST, SECOND, THIRD):
        answer(table, reading, train)
    back = table.post(f"{reading}/correct", hex="0,1", back="yes")
    assert back.location == reading + anchor(SECOND)
    page = table.get(reading).text
    assert standing(page) == [f"{anchor(FIRST)} ✓", anchor(SECOND), f"{anchor(THIRD)} ✓"]
    assert held_of(app, table, reading).answers == {FIRST: False, THIRD: False}


@pytest.fixture
def raised(table) -> str:
    """A reading whose doubt was answered, and the one that the answer raised, too."""
    table.says = Raising
    reading = send(table)
    answer(table, reading, FIRST)
    assert standing(table.get(reading).text) == [f"{anchor(FIRST)} ✓", anchor(RAISED)]
    answer(table, reading, RAISED)
    return reading


def test_a_doubt_that_an_answer_raised_stays_where_it_was_asked_too(table, raised) -> None:
    assert standing(table.get(raised).text) == [f"{anchor(FIRST)} ✓", f"{anchor(RAISED)} ✓"]


def test_it_stays_when_the_photos_are_read_again(table, reader, raised) -> None:
    """As after a restart, or with another photo of the same moment."""
    table.get(raised)
    added = table.post(f"{raised}/photos", photo=(jpeg(), "b.jpg")).location
    table.wait(added)
    for reading in (raised, added):
        reader._readings.clear()
        table.wait(reading)
        assert standing(table.get(reading).text) == [f"{anchor(FIRST)} ✓", f"{anchor(RAISED)} ✓"]


def test_one_answer_is_taken_back_and_the_other_of_its_hex_holds(table, app, raised) -> None:
    """The button beside a doubt says of which company."""
    beside = table.get(raised).text.split(f'id="{anchor(RAISED)[1:]}"')[1].split("</li>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', beside))
    assert fields["back"] == "yes"
    assert table.post(f"{raised}/correct", **fields).location == raised + anchor(RAISED)
    assert held_of(app, table, raised).answers == {FIRST: False}


def test_on_the_hex_all_that_was_said_of_it_is_taken_back(table, app, raised) -> None:
    sheet = table.get(f"{raised}?hex=0,0").text.split('id="correct"')[1]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', sheet.split('class="back"')[1]))
    table.post(f"{raised}/correct", **fields)
    assert not held_of(app, table, raised).answers


def test_answers_take_no_room_from_what_is_still_asked(table) -> None:
    table.says = Overwhelmed
    reading = send(table)
    asked = standing(table.get(reading).text)
    assert len(asked) == DOUBTS_SHOWN
    answer(table, reading, Overwhelmed.doubts[0])
    now = standing(table.get(reading).text)
    assert now[: len(asked)] == [f"{asked[0]} ✓", *asked[1:]]
    assert len(now) == DOUBTS_SHOWN + 1


def test_while_there_are_doubts_the_photo_does_not_teach(table, reader, reading) -> None:
    lessons = []
    reader.learn = lambda reading, state: lessons.append(state) or True
    page = table.get(reading).text
    assert LEARN not in page
    assert "Once the doubts are answered, it can teach how your pieces look." in page
    refused = table.post(f"{reading}/learn")
    assert refused.status_code == 409
    assert "in doubt: answer that first" in refused.text
    for train in (FIRST, SECOND, THIRD):
        answer(table, reading, train)
    page = table.get(reading).text
    assert LEARN in page
    assert "Once the doubts are answered" not in page
    assert not lessons
    assert table.post(f"{reading}/learn").status_code == 303
    assert lessons == [table.state]


@pytest.mark.slow
@pytest.mark.browser
def test_on_a_phone_the_next_doubt_is_in_sight_with_the_answer_before_it(
    phone: Phone, table, app, reading: str
) -> None:
    join(phone)
    phone.open(reading)
    phone.tap(f"[id='{anchor(FIRST)[1:]}'] button[value=yes]")
    phone.check_page()
    seen = """const box = document.getElementById(arguments[0]).getBoundingClientRect();
        return box.top >= 0 && box.bottom <= window.innerHeight"""
    for id in (anchor(SECOND)[1:], anchor(FIRST)[1:]):
        WebDriverWait(phone.driver, 5).until(lambda d, id=id: d.execute_script(seen, id))
    phone.tap(f"[id='{anchor(FIRST)[1:]}'] button[name=back]")
    assert "3 doubts" in phone.text("#doubts h2")


ABOVE_SHEET = """const box = (css) => document.querySelector(css).getBoundingClientRect();
const [hex, sheet] = [box(".hex.chosen"), box("#correct")];
return hex.top >= 0 && hex.bottom <= sheet.top"""


class Wordy(Unsure):
    """Much is said above the picture: six other photos were left out."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.left_out = tuple(RegistrationProblem("unsure", photo=f"photo {n} of 7") for n in range(2, 8))


@pytest.mark.browser
def test_the_hex_that_is_corrected_is_in_sight_above_its_sheet(phone: Phone, table) -> None:
    table.says = Wordy
    reading = send(table)
    join(phone)
    phone.open(f"{reading}?hex=0,0#correct")
    WebDriverWait(phone.driver, 5).until(lambda driver: driver.execute_script(ABOVE_SHEET))
