"""What the numbers beside messages stand for: the page of the rules, and a clause where it is cited."""

import random
import re

import pytest
from browser import Phone, join
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from visitors import Visitor, begun_with

from engine import mini_express as game
from engine.catalogue import LANGUAGES, texts


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_clause_stands_on_the_page_in_every_language(visitor: Visitor, lang: str) -> None:
    page = visitor.get(f"/rules?lang={lang}", follow_redirects=True).text
    assert all(f'id="{number}"' in page for number in game.CLAUSES)
    assert texts(lang).say(game.CLAUSES["R4.2"]) in page


def test_a_clause_leads_to_those_it_names(visitor: Visitor) -> None:
    page = visitor.get("/rules").text
    named = re.findall(r'href="#(R[^"]+)"', page)
    assert {"R4.2", "R10.3", "R7.12"} <= set(named)
    assert set(named) <= set(game.CLAUSES)


def test_without_a_script_a_number_leads_to_its_clause(visitor: Visitor, app) -> None:
    state = game.new(mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(1))
    page = visitor.get(f"{begun_with(app, state)}/score").text
    links = re.findall(r'class="rule" href="([^"]+)"', page)
    assert links
    assert all(link.split("#")[1] in game.CLAUSES for link in links)


@pytest.mark.browser
def test_a_number_is_explained_where_it_stands(phone: Phone, app) -> None:
    state = game.new(mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(1))
    join(phone)
    phone.open(f"{begun_with(app, state)}/score?lang=cs")
    page = phone.driver.current_url
    phone.check_page()
    cited = phone.find("main a.rule")
    number = cited.text
    cited.click()
    assert phone.text("dialog[open] .clause").split() == [
        number,
        *texts("cs").say(game.CLAUSES[number]).split(),
    ]
    assert [b.is_displayed() for b in phone.driver.find_elements(By.CSS_SELECTOR, "dialog button")] == [
        True,
        False,
    ]
    phone.check_page()
    phone.find("dialog[open] button").click()
    assert phone.driver.find_elements(By.CSS_SELECTOR, "dialog[open]") == []
    assert phone.driver.current_url == page


@pytest.mark.browser
def test_a_clause_in_a_clause(phone: Phone) -> None:
    """R8.3 names R6.3, which is shown in its place; Escape puts it away."""
    join(phone)
    phone.open("/rules?lang=en#R8.3")
    phone.check_page()
    phone.open("/")
    phone.driver.execute_script(
        "const a = document.createElement('a'); a.className = 'rule'; a.href = '/rules#R8.3';"
        "a.textContent = 'R8.3'; document.querySelector('main').append(a);"
    )
    phone.driver.execute_script("document.querySelector('main a.rule').click()")
    phone.find("dialog[open] a[href$='#R6.3']").click()
    phone.find("dialog[open] #R6\\.3")
    assert "Most points win" in phone.text("dialog[open]")
    phone.driver.find_element(By.XPATH, "//dialog//button[text()='Back']").click()
    phone.find("dialog[open] #R8\\.3")
    phone.find("dialog[open] button").send_keys(Keys.ESCAPE)
    assert phone.driver.find_elements(By.CSS_SELECTOR, "dialog[open]") == []
