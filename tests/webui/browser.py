"""A phone: a real browser with the words of a person, and what every page of it must keep to."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fake_vision import jpeg
from sample_tables import SAMPLES
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from waitress.server import create_server
from waitress.wasyncore import close_all

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
SWITCHES = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
]  # fmt: skip
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
TABLE = SAMPLES / "study"
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
# The page itself, and the sheet that lies over it.
WIDER_THAN_THEIR_PLACE = """
return [document.documentElement, ...document.querySelectorAll(".choice-panel")]
  .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.outerHTML.slice(0, 100));
"""
# A second tap right after a first one was meant for what stood there before.
CALM = """return !arguments[0].closest("form[data-calm]")
  || Date.now() - performance.timeOrigin > 700 + performance.getEntriesByType("navigation")[0].loadEventEnd"""
WITHIN = """const [part, all] = [arguments[0], arguments[0].closest('.map-scroll')].map(e => e.getBoundingClientRect());
return all.left <= part.left && part.right <= all.right && all.top <= part.top && part.bottom <= all.bottom"""


class Phone:
    """A browser with the words of a person: open, tap, see."""

    def __init__(self, driver: webdriver.Chrome, base: str) -> None:
        self.driver, self.base = driver, base

    def open(self, path: str) -> None:
        self.driver.get(self.base + path)
        self.loaded()

    def loaded(self) -> None:
        """Wait for style sheets and scripts, too: on a busy machine the driver is back before them."""
        WebDriverWait(self.driver, 30).until(
            lambda d: d.execute_script("return document.readyState") == "complete"
        )

    def find(self, css: str) -> WebElement:
        return WebDriverWait(self.driver, 30).until(lambda d: d.find_element(By.CSS_SELECTOR, css))

    def tap(self, css: str) -> None:
        """Tap what the selector finds, and wait for the page that follows."""
        element = self.find(css)
        self.driver.execute_script(
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element
        )
        WebDriverWait(self.driver, 30).until(lambda d: d.execute_script(CALM, element))
        page = self.driver.find_element(By.TAG_NAME, "html").id
        element.click()
        WebDriverWait(self.driver, 30).until(lambda d: d.find_element(By.TAG_NAME, "html").id != page)
        self.loaded()

    def text(self, css: str = "body") -> str:
        return self.find(css).text

    def sees(self, css: str) -> bool:
        """Whether what the selector finds lies whole within the picture it is in, without scrolling that."""
        return bool(self.driver.execute_script(WITHIN, self.find(css)))

    def check_page(self) -> None:
        """Fits a phone, thumbs and screen readers."""
        assert self.driver.execute_script(WIDER_THAN_THEIR_PLACE) == [], self.driver.current_url
        assert self.driver.execute_script(UNDERSIZED) == [], self.driver.current_url
        assert self.driver.execute_script(UNNAMED) == [], self.driver.current_url


@pytest.fixture(scope="session")
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
    server.task_dispatcher.shutdown()
    # The thread itself closes what it waits for, the connections that the browser keeps among it, and so ends.
    server.trigger.pull_trigger(lambda: close_all(server._map))
    thread.join(10)
    assert not thread.is_alive()
    problems = [line for line in driver.get_log("browser") if "403" not in line["message"]]
    assert problems == []


def join(phone: Phone) -> None:
    phone.open("/")
    phone.find("#code").send_keys("abcd efgh")
    phone.tap("button[type=submit]")
    phone.find("a[href='/new']")


def begin_map(phone: Phone, folder: Path) -> None:
    """Join, and send a photo for the map in which nothing is found, so that its cities are to be tapped."""
    (folder / "noise.jpg").write_bytes(jpeg().getvalue())
    join(phone)
    phone.open("/calibrate/new/map?board=usa")
    phone.find("input[type=file]").send_keys(str(folder / "noise.jpg"))
    phone.tap("form.setup button[type=submit]")


@contextmanager
def offline(phone: Phone) -> Iterator[None]:
    """The connection is gone for a while."""
    phone.driver.execute_cdp_cmd("Network.enable", {})
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    phone.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **network})
    try:
        yield
    finally:
        phone.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, **network})
    phone.driver.get_log("browser")  # the browser says there, too, that it was offline
