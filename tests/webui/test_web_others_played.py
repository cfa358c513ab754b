"""Counting a game in which a photo shows markers of more players: they are counted too, and nothing is lost by it."""

import re
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from fake_vision import jpeg
from flask import Flask
from test_web_counted import VALUE, photos_on, with_tracks
from test_web_counting import counted, numbers
from visitors import Visitor

from engine.mini_express import COMPANIES

__all__ = ["with_tracks"]

TWO = {"mode": "standard", "seat0": "red", "seat1": "blue", "seat2": "green"}
THREE = {**TWO, "seat3": "yellow"}
DOUBTFUL = replace(VALUE, weights={6: 1.0, 0: 0.0})
ALERT = "also shows markers of players who are not counted here: yellow"


@pytest.fixture
def page(visitor: Visitor, app: Flask, with_tracks: Any) -> str:
    """The numbers of three players, after a photo with a doubtful number and a yellow marker."""
    found = SimpleNamespace(figures=[DOUBTFUL], colours=["red", "yellow"], all_conflicts=[])
    app.extensions["masinfira"].reader.counter = lambda *_: found
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
    assert photos_on(more) == photos_on(page) != []
    assert hidden(more)["doubt"] == ["companies.gray.value"]
    assert hidden(more)["count"] == hidden(page)["count"]
