"""Two phones enter one game under way: what each tells stays, and only what both tell otherwise is asked again."""

import re
from html import unescape
from typing import Any

import pytest
from fake_boards import SOLO, TILES
from test_web_underway import entered
from visitors import Visitor

GRAY, BROWN = "influence.red.gray", "influence.red.brown"


def form_on(visitor: Visitor, page: str) -> dict[str, Any]:
    """All that a browser sends with the numbers of the page as it stands there."""
    text = visitor.get(page).text
    form = text[text.index('id="numbers"') :]
    fields = dict(re.findall(r'<input type="(?:hidden|text)"[^>]* name="([^"]+)" value="([^"]*)"', form))
    fields |= dict(re.findall(r'<input [^>]*name="([a-z.]+)" value="([^"]*)"', form))
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options) or re.search(
            r'value="([^"]*)"', options
        )
        fields[name] = chosen[1] if chosen else ""
    fields.pop("sure", None)
    return {name: unescape(value) for name, value in fields.items() if name != "token"}


def value_of(visitor: Visitor, page: str, path: str) -> str:
    return str(form_on(visitor, page)[path])


@pytest.fixture
def phones(visitor: Visitor, new_visitor: Any) -> tuple[Visitor, Visitor, str]:
    """Two phones and the page of a position that both look at."""
    return visitor, new_visitor(), entered(visitor, SOLO)


def test_what_two_phones_tell_at_once_both_stays(phones) -> None:
    one, other, page = phones
    first, second = form_on(one, page), form_on(other, page)
    assert one.post(page, **{**first, GRAY: "4"}).status_code == 303
    assert other.post(page, **{**second, BROWN: "2"}).status_code == 303
    assert (value_of(one, page, GRAY), value_of(one, page, BROWN)) == ("4", "2")


def test_what_both_tell_otherwise_is_asked_again_and_nothing_else_is_lost(phones) -> None:
    one, other, page = phones
    first, second = form_on(one, page), form_on(other, page)
    assert one.post(page, **{**first, GRAY: "4", BROWN: "2"}).status_code == 303
    refused = other.post(page, **{**second, GRAY: "5"})
    assert refused.status_code == 409
    assert f'name="{GRAY}" value="5"' in refused.text
    assert f'name="{BROWN}" value="2"' in refused.text, "what the other phone has told"
    seen, was = (re.search(rf'name="{name}" value="([^"]*)"', refused.text)[1] for name in ("seen", "was"))
    again = {**second, GRAY: "5", BROWN: "2", "seen": seen, "was": unescape(was)}
    assert other.post(page, **again).status_code == 303
    assert (value_of(one, page, GRAY), value_of(one, page, BROWN)) == ("5", "2")


def test_what_nobody_touched_is_not_emptied_where_the_form_says_nothing_of_what_it_showed(phones) -> None:
    """As one that was loaded before an update."""
    one, other, page = phones
    first, second = form_on(one, page), form_on(other, page)
    assert one.post(page, **{**first, BROWN: "2"}).status_code == 303
    del second["was"]
    refused = other.post(page, **{**second, GRAY: "5"})
    assert refused.status_code == 409
    assert f'name="{BROWN}" value="2"' in refused.text


def test_a_tile_that_is_confirmed_while_another_phone_tells_of_another_is_confirmed(
    new_visitor, doubtful: str
) -> None:
    one, other = new_visitor(), new_visitor()
    first, second = form_on(one, doubtful), form_on(other, doubtful)
    assert one.post(doubtful, **{**first, "demand.7": "white-white"}).status_code == 303
    assert other.post(doubtful, **{**second, "sure": "demand.2"}).status_code == 303
    text = one.get(doubtful).text
    assert {n for n in TILES if f'name="sure" value="demand.{n}"' in text} == {"9"}
    stale = other.post(doubtful, **{**second, "sure": ["demand.7"]})
    assert stale.status_code == 409, "what was ticked is not what lies there any more"
