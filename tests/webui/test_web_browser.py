"""Games, calibrations and photos on a phone, as a person goes through them."""

import contextlib
import json
import random
import re
import time
from pathlib import Path

import pytest
from browser import PHONE, TABLE, Phone, begin_map, join
from fake_vision import calibrated
from selenium.common.exceptions import JavascriptException, TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from test_web_copying import drawn, middle
from test_web_underway import SOLO, entered
from visitors import CODE, Visitor, begun_with

from engine import mini_express as game
from engine.mini_express import built_in
from webui import create_app

pytestmark = pytest.mark.browser


def test_a_solo_game_on_a_phone(phone: Phone) -> None:
    join(phone)
    phone.check_page()
    phone.tap("a[href='/new']")
    phone.check_page()
    phone.tap("form.setup button[type=submit]")
    phone.check_page()
    assert phone.sees(".map .train.gray"), "the map opens where trains stand"
    for _ in range(2):
        phone.tap("form .choice")
    phone.tap(".bot .button.big")
    _build(phone)
    phone.tap(".bot .button.big")
    assert "R7." in phone.text("#happened")
    phone.check_page()
    for page in ("score", "log", "photo"):
        phone.tap(f".tabs a[href$='{page}']")
        phone.check_page()
    phone.tap(".tabs a:first-child")
    phone.check_page()


def _build(phone: Phone) -> None:
    """Tap a city on the map, a company, a way, and confirm."""
    phone.driver.execute_script(
        "document.querySelector('.map a .hex.open').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    phone.find("#choice")
    phone.check_page()
    if phone.driver.find_elements(By.CSS_SELECTOR, "#choice a.choice"):
        phone.tap("#choice a.choice")
    for radio in phone.driver.find_elements(By.CSS_SELECTOR, "#choice input[name=wild]")[:1]:
        phone.driver.execute_script("arguments[0].click()", radio)
    phone.tap("#choice .button.big")
    assert "builds" in phone.text("#happened")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["cs", "en", "ko"])
def test_a_finished_game_is_counted_on_a_phone(phone: Phone, lang: str) -> None:
    join(phone)
    phone.tap(f".languages a[lang={lang}]")
    phone.tap("a[href='/count']")
    phone.check_page()
    phone.tap("form.setup button[type=submit]")
    phone.check_page()
    for n, field in enumerate(phone.driver.find_elements(By.CSS_SELECTOR, ".numbers input")):
        field.send_keys(str(n % 7))
    phone.tap("form button[type=submit]")
    phone.check_page()
    assert phone.find(".winner .icon-score")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["cs", "en", "ko"])
def test_a_board_is_tapped_on_a_phone(phone: Phone, lang: str) -> None:
    """A glass shows what lies under the finger; the next point is asked without loading the photo again."""
    points = json.loads((TABLE / "tracks_points.json").read_text())
    join(phone)
    phone.tap(f".languages a[lang={lang}]")
    phone.tap("a[href='/calibrate']")
    phone.check_page()
    phone.tap("a[href='/calibrate/new/tracks']")
    phone.check_page()
    for field, mm in zip(("width", "height"), points["size_mm"], strict=True):
        phone.find(f"input[name={field}]").send_keys(str(mm))
    phone.find("input[type=file]").send_keys(str(TABLE / "tracks_empty.jpg"))
    phone.tap("form.setup button[type=submit]")
    photo = phone.find("input[type=image]")
    for px in (*points["corners"], *points["tracks"]["value/brown"]["px"]):
        phone.check_page()
        _touch(phone, photo, *px)
    assert _field(phone, "of") == "influence/brown"
    drawn = "return [...document.querySelectorAll('.marks g')].map((g) => g.getAttribute('transform'))"
    places = [re.findall(r"[\d.]+", mark)[:2] for mark in phone.driver.execute_script(drawn)]
    assert [[float(x), float(y)] for x, y in places[:4]] == [
        pytest.approx(px, abs=4) for px in points["corners"]
    ]


@pytest.mark.slow
def test_taps_that_do_not_fit_lead_on_to_what_can_be_done(phone: Phone, tmp_path: Path) -> None:
    """After the last tap the page says what is wrong and which points can be tapped again."""
    begin_map(phone, tmp_path)
    photo = phone.find("input[type=image]")
    for n in range(5):
        _touch(phone, photo, 60 + 100 * n, 60 + 90 * (n % 3))
    with contextlib.suppress(TimeoutException, JavascriptException):
        _touch(phone, photo, 600, 400)  # the page leaves what is waited for
    WebDriverWait(phone.driver, 30).until(lambda _: phone.driver.find_elements("css selector", ".again"))
    assert len(phone.driver.find_elements("css selector", ".again")) == 6
    assert phone.text("[role=alert]")


def test_a_city_is_chosen_by_keyboard_and_escape_leads_back_to_it(phone: Phone, app) -> None:
    state = game.new(board="usa", mode="standard", seats=["red", "purple", "green"], rng=random.Random(1))
    while state.phase == "draft":
        state = game.apply(state, game.legal_actions(state)[0])
    join(phone)
    phone.open(begun_with(app, state))
    city = phone.find(".map a:has(.open)")
    named = city.get_attribute("aria-label")
    city.send_keys(Keys.ENTER)
    phone.find(".close")
    assert phone.driver.switch_to.active_element.get_attribute("id") == "choice"
    phone.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    WebDriverWait(phone.driver, 30).until(lambda d: not d.find_elements(By.CSS_SELECTOR, ".close"))
    assert phone.driver.switch_to.active_element.get_attribute("aria-label") == named


@pytest.mark.slow
def test_a_board_is_tapped_by_keyboard(phone: Phone) -> None:
    """The arrow keys move the cross from the middle of the photo, with Shift by one of its pixels."""
    join(phone)
    phone.open("/calibrate/new/tracks")
    for field in ("width", "height"):
        phone.find(f"input[name={field}]").send_keys("300")
    phone.find("input[type=file]").send_keys(str(TABLE / "tracks_empty.jpg"))
    phone.tap("form.setup button[type=submit]")
    photo = phone.find("input[type=image]")
    wide, high = (int(photo.get_dom_attribute(side)) for side in ("width", "height"))
    keys = ActionChains(phone.driver)
    phone.driver.execute_script("arguments[0].focus()", photo)
    keys.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_UP).key_down(Keys.SHIFT).send_keys(Keys.ARROW_UP)
    keys.key_up(Keys.SHIFT).perform()
    assert phone.find(".glass").is_displayed()
    ActionChains(phone.driver).send_keys(Keys.ENTER).perform()
    WebDriverWait(phone.driver, 30).until(lambda _: _field(phone, "marks") == "1")
    mark = phone.find(".marks g").get_attribute("transform")
    x, y = map(float, re.findall(r"[\d.]+", mark)[:2])
    assert (x, y) == pytest.approx((wide / 2 + wide / 80, high / 2 - wide / 80 - 1), abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["cs", "en", "ko"])
def test_a_map_is_painted_hex_by_hex(phone: Phone, visitor, data_dir: Path, lang: str) -> None:
    """What is chosen stays chosen, and the page stays where it was scrolled to."""
    path = drawn(data_dir, visitor)
    join(phone)
    phone.open(f"{path}?lang={lang}")
    phone.check_page()
    phone.find("label:has(#kind-landscape)").click()
    photo = phone.find("input[type=image]")
    x, y = middle((0, -2))
    tapped = """const box = arguments[0].getBoundingClientRect(), size = box.width / arguments[0].getAttribute("width");
        arguments[0].dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail: 1,
            clientX: box.x + arguments[1] * size, clientY: box.y + arguments[2] * size}));"""
    signs = "return document.querySelectorAll('.marks text').length"
    assert phone.driver.execute_script(signs) == 36
    phone.driver.execute_script(tapped, photo, x, y)
    WebDriverWait(phone.driver, 30).until(lambda _: phone.driver.execute_script(signs) == 35)
    assert phone.driver.execute_script("return document.querySelector('#kind-landscape').checked")
    assert "35" in phone.text("#noted")
    for page in (f"{path}/names", "/copy/tables", "/calibrate"):
        phone.open(page)
        phone.check_page()
    phone.open(f"{path}/names")
    phone.find(".city-names input").click()
    assert phone.driver.switch_to.active_element.get_dom_attribute("name").startswith("name.")


def _field(phone: Phone, name: str) -> str:
    """A hidden field of the point that is asked for; what is asked is replaced as a whole."""
    script = "return document.querySelector(`.tap-fields input[name=${arguments[0]}]`).value"
    return str(phone.driver.execute_script(script, name))


def _touch(phone: Phone, photo: WebElement, x: float, y: float) -> None:
    """Hold a finger on the photo at this pixel of it, and let go."""
    asked = _field(phone, "marks")
    left, top, scale = phone.driver.execute_script(
        "const box = arguments[0].getBoundingClientRect();"
        "return [box.x, box.y, box.width / arguments[0].getAttribute('width')]",
        photo,
    )
    finger = ActionBuilder(phone.driver, mouse=PointerInput(interaction.POINTER_TOUCH, "finger"))
    finger.pointer_action.move_to_location(round(left + scale * x), round(top + scale * y)).pointer_down()
    finger.perform()
    assert phone.find(".glass").is_displayed()
    finger.clear_actions()  # let go
    WebDriverWait(phone.driver, 30).until(lambda _: _field(phone, "marks") != asked)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(740, 360), (360, 740)])
def test_beside_a_photo_to_tap_there_is_always_room_to_scroll(
    phone: Phone, tmp_path: Path, width: int, height: int
) -> None:
    phone.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {**PHONE, "width": width, "height": height}
    )
    begin_map(phone, tmp_path)
    photo = phone.find("input[type=image]")
    phone.driver.execute_script("arguments[0].scrollIntoView({block: 'end', behavior: 'instant'})", photo)
    shown = photo.rect
    assert shown["height"] < 0.75 * height
    assert shown["width"] / shown["height"] == pytest.approx(640 / 480, abs=0.02)
    assert max(height - shown["height"], width - shown["width"]) > 100
    _touch(phone, photo, 500, 400)
    mark = phone.driver.execute_script("return document.querySelector('.marks g').getAttribute('transform')")
    assert [float(at) for at in re.findall(r"[\d.]+", mark)[:2]] == pytest.approx([500, 400], abs=2)


def test_trains_of_a_game_under_way_are_tapped_on_the_map(phone: Phone, app) -> None:
    page = entered(Visitor(app), SOLO)
    join(phone)
    phone.open(f"{page}?hex=0,-2")
    phone.check_page()
    phone.find("#correct input[value=gray]").click()
    phone.tap("#correct button.big")
    WebDriverWait(phone.driver, 30).until(lambda driver: driver.current_url.endswith("#map"))
    assert "Omaha" in phone.find(".alert").text
    phone.check_page()


def test_who_ticks_none_of_mashinfiras_tiles_has_no_other_ticked(phone: Phone, app) -> None:
    page = entered(Visitor(app), SOLO)
    join(phone)
    phone.open(page)

    def tick(value: str) -> list[str | None]:
        phone.driver.execute_script(
            "arguments[0].click()", phone.find(f"[name='bot.drawn'][value='{value}']")
        )
        ticked = phone.driver.find_elements(By.CSS_SELECTOR, "[name='bot.drawn']:checked")
        return [field.get_attribute("value") for field in ticked]

    assert tick("1,1") == ["1,1"]
    assert tick("refresh") == ["1,1", "refresh"]
    assert tick("none") == ["none"]
    assert tick("2,1") == ["2,1"]


def test_the_last_tap_of_a_copy_leads_on_to_its_hexes(phone: Phone, visitor, data_dir: Path) -> None:
    tapped = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 1), (2, 0), (0, 2), (2, -2), (-2, 0)]
    marks = [{"of": f"{q},{r}", "px": middle((q, r)), "at": 0, "bend": False} for q, r in tapped]
    path = drawn(data_dir, visitor, marks=marks)
    join(phone)
    phone.open(path.replace("/copy/", "/calibrate/"))
    with contextlib.suppress(TimeoutException, JavascriptException):
        _touch(phone, phone.find("input[type=image]"), *middle((-2, 2)))  # the page leaves what is waited for
    WebDriverWait(phone.driver, 30).until(lambda driver: driver.current_url.endswith(path))
    assert phone.find(".brushes")


@pytest.fixture
def known_table(tmp_path: Path) -> Path:
    return calibrated(TABLE, tmp_path / "profile")


@pytest.fixture
def app(data_dir: Path, tmp_path: Path):
    return create_app(data_dir, tmp_path / "profile", CODE)


@pytest.mark.slow
def test_a_photo_becomes_an_action(known_table: Path, phone: Phone, app) -> None:
    truth = json.loads((TABLE / "early_day.json").read_text())
    path = begun_with(app, game.state_from_json(truth["before"]))
    join(phone)
    phone.open(f"{path}/photo")
    chooser = phone.find("input[type=file][multiple]")
    chooser.send_keys(str(TABLE / "early_day.jpg"))
    phone.find("[data-status]")
    phone.find(".pictures .hex.last")
    phone.check_page()
    city = game.action_from_json(truth["action"])
    name = built_in().boards["usa"].city_at[built_in().boards["usa"].index[city.route[-1]]].name
    assert name in phone.text("#result")
    _correct_something(phone)
    _say_the_impossible(phone)
    phone.tap("#result .button.big")
    assert name in phone.text("#happened")


def _say_the_impossible(phone: Phone) -> None:
    """A train where no build can have put it: it is shown as said, nothing can be entered, and it is taken back."""
    link = phone.find(".pictures a[aria-label^='Chicago']").get_dom_attribute("href")
    phone.open(link)
    phone.driver.execute_script("document.querySelector('#correct input[value=brown]').click()")
    phone.tap("#correct .button.big")
    assert "You said that a train of brown is on Chicago" in phone.text("#result")
    phone.find(".pictures a[aria-label='Chicago: brown, gray, new, you said so']")
    assert phone.driver.find_elements(By.CSS_SELECTOR, "#result > form .button.big") == []
    phone.check_page()
    phone.open(link)
    phone.check_page()
    phone.tap("#correct [name=back]")
    assert "You said" not in phone.text("#result")


def _correct_something(phone: Phone) -> None:
    """Tap a hex without trains, say that it is so, and come back to the result."""
    link = phone.driver.execute_script(
        "return document.querySelector('.pictures a:not(:has(.train))').getAttribute('href')"
    )
    phone.open(link)
    phone.check_page()
    phone.tap("#correct .button.big")
    time.sleep(0.2)
    phone.find("#result")
