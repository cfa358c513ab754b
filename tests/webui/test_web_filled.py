"""What is filled in and not sent yet stays, whatever happens to the page, and never confirms what nobody looked at."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from browser import Phone, join, offline
from fake_boards import TILES, Boards, photographed
from fake_vision import jpeg
from selenium.webdriver.support.ui import Select
from test_web_underway import SOLO, entered
from visitors import Visitor, id_in

from webui.pages.position.known import open_on_map
from webui.services import services_of

pytestmark = pytest.mark.browser

BROWN, GRAY, SAVE = "companies.brown.value", "companies.gray.value", "#numbers > button.big"
HEX = "?hex=0,-2"


def _value(phone: Phone, name: str) -> str:
    return str(phone.find(f"[name='{name}']").get_property("value"))


def _write(phone: Phone, name: str, text: str) -> None:
    field = phone.find(f"[name='{name}']")
    field.clear()
    field.send_keys(text)


def _tick(phone: Phone, name: str, value: str) -> None:
    phone.driver.execute_script("arguments[0].click()", phone.find(f"[name='{name}'][value='{value}']"))


def _ticked(phone: Phone, name: str) -> list[str]:
    script = (
        "return [...document.getElementsByName(arguments[0])].filter((f) => f.checked).map((f) => f.value)"
    )
    return list(phone.driver.execute_script(script, name))


def _refused(phone: Phone) -> None:
    assert phone.find("#problem")
    phone.driver.get_log("browser")  # the browser says there, too, that it was refused


def _told(app, page: str, path: str) -> object:
    return services_of(app).positions.load(id_in(page)).part.told.get(path)


@pytest.fixture
def page(visitor: Visitor, phone: Phone) -> str:
    """A position to fill in, on the screen."""
    page = entered(visitor, SOLO)
    join(phone)
    phone.open(page)
    return page


def test_a_tick_stays_with_what_was_ticked_when_the_list_becomes_shorter(
    phone: Phone, app, doubtful: str
) -> None:
    join(phone)
    phone.open(doubtful)
    _tick(phone, "sure", "demand.7")
    city = services_of(app).positions.load(id_in(doubtful)).part.board.numbered[2]
    phone.open("{}?hex={},{}".format(doubtful, *city.at))
    Select(phone.find("select[name=tile]")).select_by_value("brown-brown")
    phone.tap("#correct .button.big")
    assert not phone.driver.find_elements("css selector", "[name=sure][value='demand.2']")
    assert _ticked(phone, "sure") == ["demand.7"]


def test_a_tick_does_not_confirm_another_tile_that_is_proposed_meanwhile(
    phone: Phone, visitor: Visitor, boards: Boards, doubtful: str
) -> None:
    """Another phone adds a photo, by which another tile lies there."""
    join(phone)
    phone.open(doubtful)
    for number in ("7", "9"):
        _tick(phone, "sure", f"demand.{number}")
    boards.state = {"demand": {**boards.state["demand"], "7": ["white", "white"]}}
    position = visitor.get(doubtful)
    assert "demand.7" in position.text
    sent = visitor.post(f"{doubtful}/photos", seen=visitor.field("seen"), photo=(jpeg(), "b.jpg"))
    assert sent.status_code == 303
    phone.driver.refresh()
    phone.loaded()
    assert _value(phone, "demand.7") == "white-white"
    assert TILES["7"] != ["white", "white"]
    assert _ticked(phone, "sure") == ["demand.9"]


def test_equal_tiles_beside_the_bag_are_told_apart(phone: Phone, page: str) -> None:
    phone.driver.execute_script("""document.getElementsByName("bot.drawn")[1].click()""")
    ticked = "return [...document.getElementsByName('bot.drawn')].map((f) => f.checked).indexOf(true)"
    phone.driver.refresh()
    phone.loaded()
    assert phone.driver.execute_script(ticked) == 1


def test_another_language_leaves_what_others_have_filled_in_meanwhile(
    phone: Phone, app, page: str, visitor: Visitor
) -> None:
    _write(phone, GRAY, "3")
    visitor.get(page)
    told = {BROWN: "5", GRAY: "4", "seen": visitor.field("seen")}
    assert visitor.post(page, **told).status_code == 303
    phone.tap(".languages a[lang=cs]")
    assert (_value(phone, BROWN), _value(phone, GRAY)) == ("5", "3")
    phone.tap(SAVE)
    _refused(phone)
    assert _told(app, page, GRAY) == 4
    assert _value(phone, GRAY) == "3"
    phone.tap(SAVE)
    assert _told(app, page, BROWN) == 5
    assert _told(app, page, GRAY) == 3


def test_what_was_sent_without_the_code_is_there_again_once_it_is_given(phone: Phone, page: str) -> None:
    """As after a new code, or where the browser has thrown the cookie away."""
    _write(phone, GRAY, "9")
    phone.driver.delete_all_cookies()
    phone.tap(SAVE)
    phone.driver.get_log("browser")  # the browser says there, too, that it was refused
    phone.find("#code").send_keys("abcd efgh")
    phone.tap("button[type=submit]")
    assert phone.find("#numbers")
    phone.loaded()
    assert _value(phone, GRAY) == "9"


def test_what_could_not_be_sent_outlives_a_reload(phone: Phone, page: str) -> None:
    _write(phone, GRAY, "9")
    with offline(phone):
        phone.driver.execute_script("arguments[0].click()", phone.find(SAVE))
        assert "check the connection" in phone.text(".away")
    phone.driver.refresh()
    phone.loaded()
    assert _value(phone, GRAY) == "9"


def test_what_was_refused_is_there_after_a_hex_was_looked_at(
    phone: Phone, app, page: str, visitor: Visitor
) -> None:
    _write(phone, BROWN, "99")
    _write(phone, GRAY, "5")
    phone.tap(SAVE)
    _refused(phone)
    visitor.get(page)
    others = {"companies.white.value": "6", "seen": visitor.field("seen")}
    assert visitor.post(page, **others).status_code == 303
    phone.open(page + HEX)
    phone.tap(".close")
    assert (_value(phone, BROWN), _value(phone, GRAY)) == ("99", "5")
    assert _value(phone, "companies.white.value") == "6"
    _write(phone, BROWN, "8")
    phone.tap(SAVE)
    assert [_told(app, page, path) for path in (BROWN, GRAY)] == [8, 5]
    visitor.get(page)
    assert visitor.post(page, **{GRAY: "7"}, seen=visitor.field("seen")).status_code == 303
    phone.driver.refresh()
    phone.loaded()
    assert _value(phone, GRAY) == "7", "it was accepted, so it is not put back"


def test_what_was_refused_is_there_in_another_language_and_after_that(phone: Phone, page: str) -> None:
    _write(phone, BROWN, "99")
    phone.tap(SAVE)
    _refused(phone)
    phone.tap(".languages a[lang=cs]")
    _refused(phone)
    phone.open(page + HEX)
    assert _value(phone, BROWN) == "99"


def test_trains_that_were_ticked_but_not_confirmed_are_forgotten_when_the_hex_is_left(
    phone: Phone, page: str
) -> None:
    phone.open(page + HEX)
    _tick(phone, "train", "brown")
    phone.tap(".languages a[lang=cs]")
    assert "brown" in _ticked(phone, "train")
    phone.tap(".close")
    phone.open(page + HEX)
    assert "brown" not in _ticked(phone, "train")


def test_tiles_for_one_map_are_not_put_into_another(phone: Phone) -> None:
    join(phone)
    tiles = "/new/tiles?mode=solo&difficulty=passenger&seat0=red&board="
    phone.open(f"{tiles}usa")
    Select(phone.find("select[name=tile3]")).select_by_index(2)
    chosen = _value(phone, "tile3")
    phone.open(f"{tiles}europe")
    assert _value(phone, "tile3") == ""
    phone.open(f"{tiles}usa")
    assert _value(phone, "tile3") == chosen


@pytest.mark.parametrize(("passes", "left"), [(0, 2), (5000, 1)], ids=["at once", "later"])
def test_a_second_tap_at_once_does_not_answer_the_next_hex(
    phone: Phone, visitor: Visitor, app, boards: Boards, passes: int, left: int
) -> None:
    """Its question stands where the first one stood, and nobody has looked at it yet."""
    boards.doubtful = [{"hex": hex} for hex in ([0, -2], [1, -2], [2, -2])]
    page = photographed(visitor)
    join(phone)
    with _clock(phone, passes):
        phone.open(page + HEX)
        phone.tap("#correct .button.big")
        if left == 1:
            phone.tap("#correct .button.big")
        else:
            phone.find("#correct .button.big").click()
            assert not phone.driver.find_elements("css selector", "#correct form[aria-busy]")
    assert len(open_on_map(services_of(app).positions.load(id_in(page)).part)) == left


@pytest.mark.parametrize(("passes", "taken"), [(0, 1), (5000, 2)], ids=["at once", "later"])
def test_a_second_tap_at_once_takes_no_second_share(phone: Phone, app, passes: int, taken: int) -> None:
    """The next choice stands where the first one stood."""
    join(phone)
    with _clock(phone, passes):
        phone.open("/new")
        phone.tap("form.setup button[type=submit]")
        phone.tap("form .choice")
        before = phone.text("h1")
        if taken == 2:
            phone.tap("form .choice")
            assert phone.text("#happened")
        else:
            phone.driver.execute_script("document.querySelector('form .choice').click()")
            assert not phone.driver.find_elements("css selector", "form[aria-busy]")
            assert phone.text("h1") == before
    (kept,) = services_of(app).games.newest_first()
    assert len(kept.game.actions) == taken


@contextmanager
def _clock(phone: Phone, passes: int) -> Iterator[None]:
    """So many milliseconds pass on every page whenever it looks at its clock."""
    source = f"let passed = 0; performance.now = () => (passed += {passes});"
    added = phone.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    try:
        yield
    finally:
        phone.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
