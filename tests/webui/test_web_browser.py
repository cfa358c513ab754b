"""A real browser on the size of a phone: join, start, draft, build, run Mašinfíra, score, photo."""

import contextlib
import json
import os
import random
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_vision import BLANK, jpeg
from selenium import webdriver
from selenium.common.exceptions import JavascriptException, TimeoutException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait
from test_web_copying import drawn, middle
from test_web_underway import GAMES, SOLO, entered
from visitors import CODE, Visitor
from waitress.server import create_server

from calibration import calibrate_map, load_photo, read_taps
from engine import mini_express as game
from engine.mini_express import Build, Game, built_in
from webui import create_app

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
SWITCHES = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
]  # fmt: skip
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
TABLE = Path(__file__).parents[2] / "sample_photos" / "study"
UNDERSIZED = """
return [...document.querySelectorAll("a,button,select,summary,label.pick,label.file")]
  .filter((e) => !e.closest("svg, .visually-hidden, .skip") && !e.matches(".visually-hidden, .skip"))
  .map((e) => [e.getBoundingClientRect(), e.outerHTML.slice(0, 100)])
  .filter(([r]) => r.width && (r.width < 44 || r.height < 44)).map(([r, html]) => html);
"""
UNNAMED = """
return [...document.querySelectorAll("a,button,input:not([type=hidden]),select,summary,img")]
  .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.alt || (e.labels && e.labels.length)))
  .map((e) => e.outerHTML.slice(0, 100));
"""

pytestmark = pytest.mark.browser


class Phone:
    """A browser with the words of a person: open, tap, see."""

    def __init__(self, driver: webdriver.Chrome, base: str) -> None:
        self.driver, self.base = driver, base

    def open(self, path: str) -> None:
        self.driver.get(self.base + path)

    def find(self, css: str) -> WebElement:
        return WebDriverWait(self.driver, 30).until(lambda d: d.find_element(By.CSS_SELECTOR, css))

    def tap(self, css: str) -> None:
        """Tap what the selector finds, and wait for the page that follows."""
        element = self.find(css)
        self.driver.execute_script(
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element
        )
        page = self.driver.find_element(By.TAG_NAME, "html").id
        element.click()
        WebDriverWait(self.driver, 30).until(lambda d: d.find_element(By.TAG_NAME, "html").id != page)

    def text(self, css: str = "body") -> str:
        return self.find(css).text

    def check_page(self) -> None:
        """Fits a phone, thumbs and screen readers."""
        width = self.driver.execute_script("return document.documentElement.scrollWidth")
        assert width <= self.driver.execute_script("return window.innerWidth"), self.driver.current_url
        assert self.driver.execute_script(UNDERSIZED) == [], self.driver.current_url
        assert self.driver.execute_script(UNNAMED) == [], self.driver.current_url


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    if not (CHROMIUM.exists() and DRIVER.exists()):
        pytest.fail("The browser tests need Chromium: run apt-get install -y chromium chromium-driver")
    options = Options()
    options.binary_location = str(CHROMIUM)
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    os.environ.setdefault("SE_AVOID_STATS", "true")
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    yield driver
    driver.quit()


@pytest.fixture
def phone(driver: webdriver.Chrome, app) -> Iterator[Phone]:
    server = create_server(app, host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.get_log("browser")
    yield Phone(driver, f"http://127.0.0.1:{server.effective_port}")
    driver.get("about:blank")
    server.close()
    server.task_dispatcher.shutdown()
    problems = [line for line in driver.get_log("browser") if "403" not in line["message"]]
    assert problems == []


def join(phone: Phone) -> None:
    phone.open("/")
    phone.find("#code").send_keys("abcd efgh")
    phone.tap("button[type=submit]")
    phone.find("a[href='/new']")


def test_a_solo_game_on_a_phone(phone: Phone) -> None:
    join(phone)
    phone.check_page()
    phone.tap("a[href='/new']")
    phone.check_page()
    phone.tap("form.setup button[type=submit]")
    phone.check_page()
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


def test_taps_that_do_not_fit_lead_on_to_what_can_be_done(phone: Phone, tmp_path: Path) -> None:
    """After the last tap the page says what is wrong and which points can be tapped again."""
    (tmp_path / "noise.jpg").write_bytes(jpeg().getvalue())
    join(phone)
    phone.open("/calibrate/new/map?board=usa")
    phone.find("input[type=file]").send_keys(str(tmp_path / "noise.jpg"))
    phone.tap("form.setup button[type=submit]")
    photo = phone.find("input[type=image]")
    for n in range(5):
        _touch(phone, photo, 60 + 100 * n, 60 + 90 * (n % 3))
    with contextlib.suppress(TimeoutException, JavascriptException):
        _touch(phone, photo, 600, 400)  # the page leaves what is waited for
    WebDriverWait(phone.driver, 30).until(lambda _: phone.driver.find_elements("css selector", ".again"))
    assert len(phone.driver.find_elements("css selector", ".again")) == 6
    assert phone.text("[role=alert]")


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


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_pages_fit_in_every_language(phone: Phone, lang: str) -> None:
    join(phone)
    phone.tap(f".languages a[lang={lang}]")
    phone.tap("a[href='/new']")
    phone.check_page()
    phone.tap("form.setup button[type=submit]")
    phone.check_page()
    path = phone.driver.current_url.split("/", 3)[3].split("#")[0]
    for page in ("", "/score", "/log", "/photo", "/tiles"):
        phone.open(f"/{path}{page}")
        phone.check_page()


@pytest.mark.parametrize("lang", ["cs", "en", "ko"])
def test_a_narrow_phone(phone: Phone, lang: str) -> None:
    phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**PHONE, "width": 320, "height": 568})
    join(phone)
    phone.open(f"/new?lang={lang}")
    phone.check_page()
    phone.tap("form.setup button[type=submit]")
    phone.check_page()
    game = phone.driver.current_url.removeprefix(phone.base)
    for page in (f"{game}/tiles", f"{game}/score", "/calibrate", "/copy/tables", "/"):
        phone.open(page)
        phone.check_page()


@pytest.mark.parametrize("lang", ["cs", "en", "ko"])
def test_big_letters(phone: Phone, app, lang: str) -> None:
    """WCAG 1.4.4: with letters twice as large nothing has to be scrolled sideways but maps and tables."""
    state = game.new(mode="standard", seats=["red", "purple", "green"], rng=random.Random(1))
    while state.phase == "draft":
        state = game.apply(state, game.legal_actions(state)[0])
    path = f"/game/{app.config['GAMES'].create(Game(state))}"
    counted = "/count/numbers?mode=standard&seat0=red&seat1=purple&seat2=green"
    underway = entered(Visitor(app), GAMES[2])
    phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**PHONE, "width": 320})
    join(phone)
    build = next(action for action in game.legal_actions(state) if isinstance(action, Build))
    city = state.board.city_at[state.board.index[build.route[-1]]].number
    played = (path, f"{path}?city={city}", f"{path}/tiles", f"{path}/score")
    wide = {}
    for page in (
        f"/?lang={lang}",
        *played,
        "/new",
        counted,
        "/underway",
        underway,
        f"{underway}?hex=0,0",
        "/calibrate",
        "/copy/tables",
    ):
        phone.open(page)
        phone.driver.execute_script("document.documentElement.style.fontSize = '200%'")
        wide[page] = phone.driver.execute_script("return document.documentElement.scrollWidth")
    assert {page: width for page, width in wide.items() if width > 320} == {}


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


def test_the_last_tap_of_a_copy_leads_on_to_its_hexes(phone: Phone, visitor, data_dir: Path) -> None:
    tapped = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 1), (2, 0), (0, 2), (2, -2), (-2, 0)]
    marks = [{"of": f"{q},{r}", "px": middle((q, r)), "at": 0, "bend": False} for q, r in tapped]
    path = drawn(data_dir, visitor, marks=marks)
    join(phone)
    phone.open(path.replace("/copy/", "/calibrate/"))
    last = "send(document.querySelector('form[data-tap]'), arguments[0])"
    phone.driver.execute_script(last, middle((-2, 2)))
    WebDriverWait(phone.driver, 30).until(lambda driver: driver.current_url.endswith(path))
    assert phone.find(".brushes")


def test_what_is_filled_in_goes_along_into_another_language(phone: Phone) -> None:
    join(phone)
    phone.open("/new")
    for choice in ("#mode-standard", "#board-europe"):
        phone.driver.execute_script("document.querySelector(arguments[0]).click()", choice)
    Select(phone.find("select[name=seat3]")).select_by_value("yellow")
    phone.tap(".languages a[lang=cs]")
    assert phone.driver.execute_script("return document.documentElement.lang") == "cs"
    assert phone.find("#mode-standard").is_selected()
    assert phone.find("#board-europe").is_selected()
    assert phone.find("select[name=seat3]").get_property("value") == "yellow"
    phone.driver.execute_script("document.querySelector('#tiles-enter').click()")
    phone.tap("form.setup button[type=submit]")
    Select(phone.find("select[name=tile3]")).select_by_index(2)
    chosen = phone.find("select[name=tile3]").get_property("value")
    left = phone.text("[data-tally]")
    phone.tap(".languages a[lang=en]")
    assert phone.find("select[name=tile3]").get_property("value") == chosen
    assert "31" in left
    assert phone.text("[data-tally]") == "31 tiles are still to be chosen."
    phone.open("/count/numbers?mode=solo&difficulty=passenger&seat0=blue")
    phone.find("input[name='companies.gray.value']").send_keys("12")
    phone.tap(".languages a[lang=ko]")
    assert phone.find("input[name='companies.gray.value']").get_property("value") == "12"
    phone.open("/count/numbers?mode=solo&difficulty=passenger&seat0=blue")
    assert phone.find("input[name='companies.gray.value']").get_property("value") == ""


def test_a_form_is_not_thrown_away_when_the_server_is_gone(phone: Phone) -> None:
    join(phone)
    phone.open("/new")
    phone.driver.execute_cdp_cmd("Network.enable", {})
    offline = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    phone.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **offline})
    try:
        phone.find("form.setup button[type=submit]").click()
        assert "check the connection" in phone.text(".away")
        assert phone.driver.current_url.endswith("/new")
    finally:
        phone.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, **offline})
    phone.driver.get_log("browser")  # the browser says there, too, that it was offline
    phone.tap("form.setup button[type=submit]")
    assert "/game/" in phone.driver.current_url


def test_the_page_notices_another_phone(phone: Phone, visitor) -> None:
    join(phone)
    path = visitor.start()
    phone.open(path)
    assert visitor.act(path, kind="draft", company="gray").status_code == 303
    phone.find(".moved")
    phone.tap(".moved a")
    assert "Red takes a first share of gray" in phone.text("#happened")


def test_an_empty_photo_is_told_and_not_sent(phone: Phone, app, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(app.config["READER"], "profile", lambda board: BLANK)
    state = game.new(mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(1))
    join(phone)
    phone.open(f"/game/{app.config['GAMES'].create(Game(state))}/photo")
    (tmp_path / "cloud.jpg").touch()
    phone.find("input[type=file][multiple]").send_keys(str(tmp_path / "cloud.jpg"))
    assert "This file is empty" in phone.text(".sending")
    assert phone.driver.current_url.endswith("/photo")


@pytest.mark.parametrize(
    ("path", "form"), [("/calibrate/new/map", "form.setup"), ("/", "form[action='/open']")]
)
def test_what_is_too_big_is_told_and_not_sent(phone: Phone, tmp_path: Path, path: str, form: str) -> None:
    join(phone)
    phone.open(path)
    phone.driver.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    with (tmp_path / "film.jpg").open("wb") as file:
        file.truncate(40_000_000)
    phone.find(f"{form} input[type=file]").send_keys(str(tmp_path / "film.jpg"))
    phone.find(f"{form} button[type=submit]").click()
    assert "at most 25 megabytes at once" in phone.text(f"{form} .away")
    assert phone.driver.current_url.endswith(path)


@pytest.fixture
def app(request: pytest.FixtureRequest, data_dir: Path, tmp_path: Path):
    """The application; for the photo test with a table that was calibrated."""
    folder = tmp_path / "profile"
    if request.node.get_closest_marker("slow"):
        photo = load_photo(TABLE / "empty.jpg")
        taps = read_taps(json.loads((TABLE / "points.json").read_text()), photo.scale)
        calibrate_map(photo, taps, built_in().boards["usa"])[0].save(folder)
    return create_app(data_dir, folder, CODE)


@pytest.mark.slow
def test_a_photo_becomes_an_action(phone: Phone, app) -> None:
    truth = json.loads((TABLE / "early_day.json").read_text())
    id = app.config["GAMES"].create(Game(game.state_from_json(truth["before"])))
    join(phone)
    phone.open(f"/game/{id}/photo")
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
