"""Before and while a board is tapped people are told what to measure, what can be, and where they are."""

import re
import threading

import pytest
from browser import TABLE, Phone, join
from fake_vision import jpeg
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from test_web_calibrating import CORNERS, SIZE, send, tap

from webui.pages.boards.tapping import measures, size_in
from webui.services import services_of


@pytest.mark.parametrize(
    ("surface", "hint"),
    [
        ("tracks", "An example: 430 × 308. 30 to 1200 mm are possible."),
        ("assets", "An example: 350 × 232. 30 to 1200 mm are possible."),
        ("shares", "An example: 30 × 45. 10 to 200 mm are possible."),
    ],
)
def test_what_to_measure_is_told_with_an_example_that_can_be(visitor, surface: str, hint: str) -> None:
    page = visitor.get(f"/calibrate/new/{surface}").text
    assert hint in page
    assert ("Measure one tile" in page) == (surface == "shares")
    width, height = measures(surface).example
    assert size_in({"width": str(width), "height": str(height)}, surface) == (width, height)


def test_it_is_told_too_where_the_size_is_corrected(visitor) -> None:
    path = send(visitor, "tracks", width="43", height="300")
    for corner in CORNERS:
        tap(visitor, path, *corner)
    page = visitor.get(path).text
    assert "An example: 430 × 308." in page
    assert 'name="width" value="43"' in page


def test_the_last_tap_is_framed(visitor) -> None:
    path = send(visitor, "tracks", **SIZE)
    assert 'class="latest"' not in visitor.get(path).text
    for x, y in CORNERS[:2]:
        tap(visitor, path, x, y)
        (framed,) = re.findall(
            r"translate\(([\d. ]+)\)[^>]*><path[^>]*/><path class=\"latest\"", visitor.get(path).text
        )
        assert [float(at) for at in framed.split()] == [x, y]


@pytest.mark.browser
@pytest.mark.parametrize("width", ["43000", "4", "430.55", "x"])
def test_a_size_that_cannot_be_is_told_before_the_photo_is_sent(phone: Phone, width: str) -> None:
    join(phone)
    phone.open("/calibrate/new/tracks")
    phone.check_page()
    field = phone.find("input[name=width]")
    field.send_keys(width)
    phone.find("input[name=height]").send_keys("297,5")
    phone.find("input[type=file]").send_keys(str(TABLE / "tracks_empty.jpg"))
    phone.find("form.setup button[type=submit]").click()
    assert "from 30 to 1200" in field.get_property("validationMessage")
    assert phone.driver.current_url.endswith("/calibrate/new/tracks")
    field.clear()
    field.send_keys("430")
    phone.tap("form.setup button[type=submit]")
    assert phone.find("#ask")


@pytest.mark.browser
def test_what_is_no_number_is_told_in_the_language_of_the_page(phone: Phone) -> None:
    join(phone)
    phone.open("/copy/tables?lang=cs")
    field = phone.find("input[name='first.3']")
    field.clear()
    field.send_keys("4x")
    assert field.get_property("validationMessage") == "Napište celé číslo, jen číslicemi."
    field.clear()
    field.send_keys("4")
    assert field.get_property("validationMessage") == ""


@pytest.mark.browser
def test_while_a_tap_is_on_its_way_it_shows_where_it_was_and_that_it_is_waited_for(
    phone: Phone, visitor, app, monkeypatch
) -> None:
    """The last one takes a while, for then everything is worked out."""
    path, answer = send(visitor, "tracks", (jpeg(), "a.jpg"), **SIZE), threading.Event()
    calibrations = services_of(app).calibrations
    change = calibrations.change
    monkeypatch.setattr(calibrations, "change", lambda id, work: answer.wait(20) and change(id, work))
    join(phone)
    phone.open(path)
    busy = "return getComputedStyle(document.querySelector('#ask .busy')).display"
    assert phone.driver.execute_script(busy) == "none"
    phone.find("input[type=image]").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ENTER)  # in the middle
    try:
        assert phone.driver.execute_script(busy) == "block"
        place = phone.find(".cross").get_attribute("style")
    finally:
        answer.set()
    assert "left: 50%" in place and "top: 50%" in place
    WebDriverWait(phone.driver, 30).until(lambda d: d.find_elements("css selector", ".marks .latest"))
    assert not phone.driver.find_elements("css selector", ".cross")
    assert phone.driver.execute_script(busy) == "none"
    assert "top right" in phone.text("#ask")
