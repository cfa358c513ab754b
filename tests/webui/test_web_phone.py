"""What holds on a phone for every page: it fits, nothing that was filled in is lost, what cannot be sent is told."""

import random
from pathlib import Path

import pytest
from browser import PHONE, Phone, begin_map, join, offline
from fake_vision import BLANK, jpeg
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait
from test_web_underway import GAMES, entered
from visitors import Visitor, begun_with

from engine import mini_express as game
from engine.mini_express import COMPANIES, Build, State
from webui.pages.game.moves import Destination, builds_of, destination

pytestmark = pytest.mark.browser

# A list is as wide as its longest line where nothing holds it back.
NARROWER_THAN_THEIR_TILES = """return [...document.querySelectorAll(".tile-row select")].filter((list) => {
  const given = list.offsetWidth;
  list.style.width = "max-content";
  return list.offsetWidth > given;
}).map((list) => list.name)"""
IN_SIGHT = "return arguments[0].getBoundingClientRect().bottom < innerHeight"
CUT_OFF = """return [...document.querySelectorAll(".choice-panel .pick > span")]
  .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)"""


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["cs", "en", "ko"])
def test_big_letters(phone: Phone, app, lang: str) -> None:
    """WCAG 1.4.4: with letters twice as large nothing has to be scrolled sideways but maps and tables."""
    state = game.new(mode="standard", seats=["red", "purple", "green"], rng=random.Random(1))
    while state.phase == "draft":
        state = game.apply(state, game.legal_actions(state)[0])
    path = begun_with(app, state)
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


def _destinations(state: State) -> list[Destination]:
    builds = builds_of(state, game.legal_actions(state))
    return [destination(state, c, found) for c in COMPANIES for found in builds[c].values()]


def _with_much_to_choose(**setup: object) -> tuple[State, Destination]:
    """A position and a city to which several ways lead, or whose builder may choose a port."""
    rng = random.Random(1)
    state = game.new(mode="standard", seats=["red", "purple", "green"], rng=rng, **setup)
    while True:
        for found in _destinations(state) if state.phase == "play" else ():
            if found.ports or (len(found.ways) > 1 and found.ways[0].compensated):
                return state, found
        state = game.apply(state, rng.choice(game.legal_actions(state)))


@pytest.mark.parametrize("lang", ["cs", "ko"])
@pytest.mark.parametrize("setup", [{"board": "usa"}, {"board": "europe", "modules": ["ports"]}])
def test_all_that_is_said_of_a_way_or_a_port_stands_within_the_sheet(
    phone: Phone, app, lang: str, setup: dict[str, object]
) -> None:
    state, found = _with_much_to_choose(**setup)
    path = begun_with(app, state)
    phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**PHONE, "width": 360, "height": 740})
    join(phone)
    phone.open(f"{path}?lang={lang}&company={found.company}&city={found.city.number}")
    phone.check_page()
    assert phone.driver.execute_script(CUT_OFF) == []


ABOVE_THE_TABS = """
arguments[0].scrollIntoView({block: "nearest", behavior: "instant"});
return arguments[0].getBoundingClientRect().bottom <= document.querySelector(".tabs").getBoundingClientRect().top;
"""
UNDER_THE_SHEET = """
const [sheet, map, hex] = [".choice-panel", ".map-scroll", ".outlines .chosen"]
  .map((css) => document.querySelector(css).getBoundingClientRect());
return [sheet.left < map.right && sheet.top < map.bottom,
        hex.left < map.left || hex.right > map.right || hex.top < map.top || hex.bottom > map.bottom];
"""


@pytest.mark.parametrize(("width", "height"), [(740, 360), (915, 340), (360, 740)])
def test_the_city_to_build_to_is_in_sight_beside_the_sheet(
    phone: Phone, app, width: int, height: int
) -> None:
    state, found = _with_much_to_choose(board="usa")
    path = begun_with(app, state)
    size = {**PHONE, "width": width, "height": height}
    phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    join(phone)
    phone.open(f"{path}?company={found.company}&city={found.city.number}#choice")
    phone.check_page()
    assert phone.driver.execute_script(UNDER_THE_SHEET) == [False, False]
    assert phone.driver.execute_script(ABOVE_THE_TABS, phone.find(".choice-panel .button.big"))


def test_the_game_in_play_is_in_sight_however_many_are_being_entered(phone: Phone, visitor: Visitor) -> None:
    for _ in range(4):
        entered(visitor, GAMES[0])
    game = visitor.start()
    join(phone)
    assert phone.driver.execute_script(IN_SIGHT, phone.find(f"a[href='{game}']"))
    phone.find("details:has(#begun) summary").click()
    phone.check_page()
    phone.driver.execute_script("window.confirm = () => true")
    phone.tap("#begun button")
    # Who throws one away can throw away the next at once.
    assert phone.find("#begun").is_displayed()
    assert len(phone.driver.find_elements("css selector", "#begun li")) == 2


@pytest.mark.parametrize("lang", ["cs", "en", "ko"])
def test_every_tile_to_choose_is_read_whole(phone: Phone, doubtful: str, lang: str) -> None:
    phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**PHONE, "width": 360, "height": 740})
    join(phone)
    phone.open(f"/?lang={lang}")
    for page in (
        "/new/tiles?mode=solo&difficulty=passenger&board=usa&seat0=red",
        doubtful,
        f"{doubtful}?hex=3,-4",
    ):
        phone.open(page)
        phone.check_page()
        assert phone.find(".tile-row select")
        assert phone.driver.execute_script(NARROWER_THAN_THEIR_TILES) == []


GROUNDS = """
const table = document.querySelector(".sideways"), ground = table.closest(".panel") ?? document.body;
return [getComputedStyle(table).backgroundImage, getComputedStyle(ground).backgroundColor];
"""


@pytest.mark.parametrize("in_a_card", [True, False])
def test_the_edges_of_a_table_have_the_colour_of_what_it_lies_on(
    phone: Phone, visitor: Visitor, in_a_card: bool
) -> None:
    numbers = "/count/numbers?mode=solo&difficulty=passenger&seat0=blue"
    join(phone)
    phone.open(visitor.start() if in_a_card else numbers)
    edges, ground = phone.driver.execute_script(GROUNDS)
    assert edges.count(ground) == 2


@pytest.mark.slow
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
    assert phone.text("[data-tally]") == "Tiles still to be chosen: 31."
    phone.open("/count/numbers?mode=solo&difficulty=passenger&seat0=blue")
    phone.find("input[name='companies.gray.value']").send_keys("12")
    phone.tap(".languages a[lang=ko]")
    assert phone.find("input[name='companies.gray.value']").get_property("value") == "12"
    phone.open("/")
    phone.open("/count/numbers?mode=solo&difficulty=passenger&seat0=blue")
    assert phone.find("input[name='companies.gray.value']").get_property("value") == ""


def test_who_goes_back_after_choosing_a_language_reads_the_page_before_in_it(phone: Phone) -> None:
    join(phone)
    phone.tap("a[href='/new']")
    phone.tap(".languages a[lang=cs]")
    phone.tap(".languages a[lang=ko]")
    phone.driver.back()
    phone.loaded()
    phone.find("html[lang=ko] a[href='/new']")
    assert phone.driver.current_url == f"{phone.base}/"


def test_tiles_that_are_not_saved_yet_outlive_a_reload(phone: Phone) -> None:
    join(phone)
    phone.open("/new/tiles?mode=solo&difficulty=passenger&board=usa&seat0=red")
    Select(phone.find("select[name=tile3]")).select_by_index(2)
    chosen = phone.find("select[name=tile3]").get_property("value")
    phone.driver.refresh()
    phone.loaded()
    assert phone.find("select[name=tile3]").get_property("value") == chosen
    assert phone.text("[data-tally]") == "Tiles still to be chosen: 31."


@pytest.mark.slow
def test_numbers_that_are_not_saved_yet_are_there_after_a_hex_was_tapped(phone: Phone, app) -> None:
    page = entered(Visitor(app), GAMES[0])
    join(phone)
    phone.open(page)
    phone.find("input[name='companies.gray.value']").send_keys("7")
    phone.open(f"{page}?hex=0,-2")
    phone.find("#correct input[value=gray]").click()
    phone.tap("#correct button.big")
    assert phone.find("input[name='companies.gray.value']").get_property("value") == "7"
    phone.tap("#numbers > button.big")
    phone.find("input[name='companies.gray.value']").clear()
    phone.open(page)
    assert phone.find("input[name='companies.gray.value']").get_property("value") == ""
    phone.find("input[name='companies.gray.value']").send_keys("7")
    phone.tap("#numbers > button.big")
    assert phone.find("input[name='companies.gray.value']").get_attribute("value") == "7"


def test_who_chooses_another_tile_than_the_proposed_one_is_sure(phone: Phone, doubtful: str) -> None:
    join(phone)
    phone.open(doubtful)
    assert not phone.find("input[value='demand.9']").is_selected()
    Select(phone.find("select[name='demand.9']")).select_by_value("orange-white")
    assert phone.find("input[value='demand.9']").is_selected()
    assert not phone.find("input[value='demand.7']").is_selected()
    phone.check_page()


def test_what_is_marked_is_named_so_to_who_cannot_see_it(
    phone: Phone, visitor: Visitor, doubtful: str
) -> None:
    def name(field: str) -> str:
        return str(phone.find(f"[name='{field}']").accessible_name)

    join(phone)
    phone.open(doubtful)
    assert name("demand.9") == "Chicago, doubtful"
    phone.open(entered(visitor, GAMES[0]))
    assert name("companies.brown.reservoir") == "Reservoir, Brown, missing"
    assert name("to_move") == "Whose turn begins?, missing"
    assert name("demand.9") == "Chicago, missing"


@pytest.mark.parametrize("again", ["form.setup button[type=submit]", ".away button"])
def test_a_form_is_not_thrown_away_when_the_server_is_gone(phone: Phone, again: str) -> None:
    join(phone)
    phone.open("/new")
    phone.driver.execute_script("document.querySelector('#board-europe').click()")
    with offline(phone):
        phone.find("form.setup button[type=submit]").click()
        assert "check the connection" in phone.text(".away")
        assert phone.driver.current_url.endswith("/new")
    phone.tap(again)
    assert "Europe" in phone.text(".turn")


def test_a_photo_that_did_not_arrive_is_sent_again_and_not_taken_again(
    phone: Phone, table, tmp_path: Path
) -> None:
    (tmp_path / "turn.jpg").write_bytes(jpeg(320, 240).getvalue())
    join(phone)
    phone.open(f"{table.path}/photo")
    with offline(phone):
        phone.find("input[type=file][multiple]").send_keys(str(tmp_path / "turn.jpg"))
        assert "The photo could not be sent: check the connection" in phone.text(".alert")
        assert phone.text(".sending") == ""
        phone.check_page()
        phone.find(".away button").click()  # too early
        WebDriverWait(phone.driver, 30).until(lambda _: "could not be sent" in phone.text(".alert"))
    phone.tap(".away button")
    phone.find("#result")
    assert phone.find("image").get_dom_attribute("width") == "320"


def test_a_photo_that_is_refused_is_told_where_another_can_be_taken(
    phone: Phone, table, tmp_path: Path
) -> None:
    (tmp_path / "note.jpg").write_bytes(b"no picture")
    join(phone)
    phone.open(f"{table.path}/photo")
    phone.find("input[type=file][multiple]").send_keys(str(tmp_path / "note.jpg"))
    assert "not a picture" in phone.text(".alert")
    assert not phone.driver.find_elements("css selector", ".away button")
    assert phone.find("input[type=file][multiple]").is_enabled()
    phone.driver.get_log("browser")  # the browser says there, too, that it was refused


RESTORED = "window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"


def test_a_tapped_photo_that_the_browser_restores_waits_for_nothing(phone: Phone, tmp_path: Path) -> None:
    """The last tap led to another page, and who goes back can tap again."""
    begin_map(phone, tmp_path)
    phone.driver.execute_script("window.fetch = () => new Promise(() => {})")
    phone.find("input[type=image]").send_keys(Keys.ARROW_RIGHT, Keys.ENTER)
    left = "[aria-busy], .cross"
    assert len(phone.driver.find_elements("css selector", left)) == 3
    phone.driver.execute_script(RESTORED)
    assert not phone.driver.find_elements("css selector", left)


def test_who_taps_without_the_code_is_asked_for_it(phone: Phone, tmp_path: Path) -> None:
    begin_map(phone, tmp_path)
    phone.driver.delete_all_cookies()
    phone.find("input[type=image]").send_keys(Keys.ARROW_RIGHT, Keys.ENTER)
    assert phone.find("#code")
    phone.driver.get_log("browser")  # the browser says there, too, that it was refused


def test_the_page_notices_another_phone(phone: Phone, visitor) -> None:
    join(phone)
    path = visitor.start()
    phone.open(path)
    assert visitor.act(path, notation="draft gray").status_code == 303
    phone.find(".moved")
    phone.tap(".moved a")
    assert "Red takes a first share of gray" in phone.text("#happened")


def test_an_empty_photo_is_told_and_not_sent(phone: Phone, app, reader, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reader, "profile", lambda board: BLANK)
    state = game.new(mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(1))
    join(phone)
    phone.open(f"{begun_with(app, state)}/photo")
    (tmp_path / "cloud.jpg").touch()
    phone.find("input[type=file][multiple]").send_keys(str(tmp_path / "cloud.jpg"))
    assert "This file is empty" in phone.text(".away")
    assert phone.driver.current_url.endswith("/photo")


@pytest.mark.parametrize(
    ("path", "form"), [("/calibrate/new/map?board=usa", "form.setup"), ("/", "form[action='/open']")]
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
