"""Counting a game with others: players that only a photo shows, and phones that correct it at once; nothing is lost."""

import re
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from fake_vision import jpeg
from test_web_counted import VALUE, kept, photos_on, with_tracks
from test_web_counting import NUMBERS, begun, counted, numbers
from visitors import Visitor

from engine.mini_express import COMPANIES
from vision import Figure
from webui.kept.reader import Reader

__all__ = ["with_tracks"]

TWO = {"mode": "standard", "seat0": "red", "seat1": "blue", "seat2": "green"}
THREE = {**TWO, "seat3": "yellow"}
YELLOW = Figure(("influence", "yellow", "brown"), "", {4: 9.0, 0: 0.0})
DOUBTFUL = replace(VALUE, weights={6: 1.0, 0: 0.0})
ALERT = "also seems to show markers of players who are not counted here: yellow"


@pytest.fixture
def page(visitor: Visitor, reader: Reader, with_tracks: Any) -> str:
    """The numbers of three players, after a photo with a doubtful number and a yellow marker."""

    def count(photos: Any, profile: Any, seats: Any, shares: Any) -> SimpleNamespace:
        figures = [DOUBTFUL, *([YELLOW] if "yellow" in seats else [])]
        return SimpleNamespace(figures=figures, colours=["red", "yellow"], all_conflicts=[])

    reader.counter = count
    visitor.get("/count")
    return counted(visitor, "/count", **TWO, photo=[(jpeg(), "a.jpg")])


def hidden(page: str) -> dict[str, Any]:
    """What a page sends along besides what is seen of it."""
    fields: dict[str, Any] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page):
        fields.setdefault(name, []).append(unescape(value))
    return {name: values for name, values in fields.items() if name != "token"}


def link_to_players(page: str) -> str:
    (link,) = re.findall(r'href="(/count\?[^"]*)"', page)
    return unescape(link)


def test_who_also_played_is_told_until_it_is_settled(visitor, page) -> None:
    assert ALERT in page
    again = counted(visitor, "/count/score", **{**hidden(page), "companies.gray.value": "99"})
    assert ALERT in again


def test_who_counts_another_player_keeps_the_photos_and_what_is_in_doubt(visitor, page) -> None:
    who = visitor.get(link_to_players(page)).text
    more = counted(visitor, "/count", **hidden(who), **THREE)
    assert ALERT not in more
    assert numbers(more)["companies.gray.value"] == "6"
    assert {f"influence.yellow.{company}" for company in COMPANIES} <= numbers(more).keys()
    assert numbers(more)[YELLOW.name] == "4", "by the photo that was sent before"
    assert photos_on(more) == photos_on(page) != []
    assert hidden(more)["doubt"] == ["companies.gray.value"]
    assert hidden(more)["count"] == hidden(page)["count"]


VALUE_OF_GRAY, VALUE_OF_BROWN = "companies.gray.value", "companies.brown.value"


@pytest.fixture
def phones(visitor: Visitor, new_visitor: Any) -> tuple[Visitor, Visitor, dict[str, Any]]:
    """Two phones and what the page with the numbers sends, which both look at."""
    begun(visitor)
    (address,) = kept(visitor)
    counted(visitor, "/count/score", **hidden(visitor.get(address).text), **{**NUMBERS, VALUE_OF_GRAY: 99})
    (address,) = kept(visitor)
    other = new_visitor()
    page = other.get(address).text
    return visitor, other, {**hidden(visitor.get(address).text), **numbers(page), VALUE_OF_GRAY: "6"}


def test_two_phones_correct_different_numbers_and_both_stay(phones) -> None:
    one, other, form = phones
    one.post("/count/score", **{**form, VALUE_OF_BROWN: "10"})
    page = counted_score(other, **{**form, "influence.blue.gray": "7"})
    assert (page[VALUE_OF_BROWN], page["influence.blue.gray"]) == ("10", "7")


def test_where_two_phones_correct_the_same_number_the_rest_of_the_other_stays(phones) -> None:
    one, other, form = phones
    one.post("/count/score", **{**form, VALUE_OF_BROWN: "10", "influence.blue.gray": "8"})
    refused = counted(other, "/count/score", **{**form, VALUE_OF_BROWN: "11"})
    assert "Somebody else has changed" in refused
    assert (numbers(refused)[VALUE_OF_BROWN], numbers(refused)["influence.blue.gray"]) == ("11", "8")
    page = counted_score(other, **{**hidden(refused), **numbers(refused)})
    assert (page[VALUE_OF_BROWN], page["influence.blue.gray"]) == ("11", "8")


def counted_score(visitor: Visitor, **fields: Any) -> dict[str, str]:
    """The numbers by which the score is counted that a form leads to."""
    address = visitor.post("/count/score", **fields).location
    assert address.startswith("/count/score?")
    return dict(parse_qsl(urlsplit(address).query))
