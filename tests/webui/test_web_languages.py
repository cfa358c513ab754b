"""Whoever reads a refusal in another language loses nothing of what was filled in."""

import re
from html import unescape

import pytest
from fake_vision import jpeg
from test_web_underway import GAMES, between_turns, entered, what_is_asked

from engine.mini_express import built_in

THREE = {"mode": "standard", "board": "europe", "seat0": "green", "seat1": "red", "seat2": "blue"}
AGREED = {"mode": "solo", "difficulty": "tourist", "board": "usa", "seat0": "blue", "module": "golden_spike"}
TILES = {f"tile{n}": "-".join(pair) for n, pair in enumerate(built_in().demand_tiles, 1)}


def in_czech(visitor, answer) -> str:
    """The page that the link to Czech on a refused one leads to."""
    assert answer.status_code == 400, answer.text
    link = re.search(r'href="([^"]*lang=cs)"', answer.text)[1]
    assert visitor.token not in link
    page = visitor.get(unescape(link), follow_redirects=True)
    assert '<html lang="cs">' in page.text
    return str(page.text)


def chosen(page: str) -> dict[str, str]:
    """What is chosen in each list of a page."""
    lists = re.findall(r'<select name="(\w+)".*?</select>', page, re.S)
    words = re.findall(r'<select name="\w+".*?(?:value="([^"]*)" selected.*?)?</select>', page, re.S)
    return dict(zip(lists, words, strict=True))


@pytest.mark.parametrize(("start", "sent"), [("/new", {"tiles": "enter"}), ("/underway", {}), ("/count", {})])
def test_who_plays_what(visitor, start: str, sent: dict[str, str]) -> None:
    visitor.get(start)
    answer = visitor.post(start, **{**THREE, "seat2": "red"}, **sent)
    page = in_czech(visitor, answer)
    assert [chosen(page)[f"seat{n}"] for n in range(4)] == ["green", "red", "red", ""]
    ticked = re.findall(r'value="([\w-]+)"[^>]* checked', page)
    assert {"standard", *sent.values()} <= {*ticked}
    assert "europe" in ticked or start == "/count"


def test_the_tiles_that_lie_on_the_table_and_what_is_wrong_with_them(visitor) -> None:
    visitor.get("/new/tiles?mode=solo&difficulty=tourist&board=usa&seat0=blue")
    tiles = {**TILES, "tile1": TILES["tile32"]}
    answer = visitor.post("/new/tiles", **AGREED, **tiles)
    assert "aria-invalid" in answer.text
    page = in_czech(visitor, answer)
    assert chosen(page) == tiles
    assert page.count("aria-invalid") == answer.text.count("aria-invalid")
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert hidden.items() >= AGREED.items()
    assert visitor.post("/new/tiles", **hidden, **TILES).status_code == 303


@pytest.mark.parametrize("photo", [{}, {"photo": (jpeg(60, 40), "too_small.jpg")}])
def test_which_map_an_empty_board_is(visitor, photo: dict[str, object]) -> None:
    visitor.get("/calibrate/new/map")
    page = in_czech(visitor, visitor.post("/calibrate/new/map", board="europe", **photo))
    assert re.findall(r'value="(\w+)"[^>]* checked', page) == ["europe"]


def test_how_large_a_board_is(visitor) -> None:
    """Also where it is refused: 3000 mm may be a slip of the finger."""
    visitor.get("/calibrate/new/tracks")
    size = {"width": "3000", "height": "297,5"}
    answer = visitor.post("/calibrate/new/tracks", photo=(jpeg(), "a.jpg"), **size)
    for page in (answer.text, in_czech(visitor, answer)):
        assert dict(re.findall(r'name="(width|height)" value="([^"]*)"', page)) == size


@pytest.mark.parametrize("button", ["", "/photos"])
@pytest.mark.parametrize("agreed", GAMES)
def test_how_a_game_under_way_stands_and_what_is_wrong_with_it(visitor, agreed, button: str) -> None:
    page = entered(visitor, agreed)
    numbers = {**what_is_asked(between_turns(agreed, seed=1, actions=30)), "companies.gray.value": "16"}
    answer = visitor.post(page + button, seen=visitor.field("seen"), **numbers)
    czech = in_czech(visitor, answer)
    assert 'id="problem"' in czech
    for text in (answer.text, czech):
        typed = dict(re.findall(r'name="((?:companies|influence|shares)\.[\w.]+)" value="([^"]*)"', text))
        assert typed["companies.gray.value"] == "16"
        assert typed == {field: str(numbers[field]) for field in typed}
    assert chosen(czech)["to_move"] == numbers["to_move"]


def test_after_a_hex_that_was_refused_its_position_is_shown(visitor) -> None:
    page = entered(visitor, GAMES[0])
    assert f'href="{page}?lang=cs"' in visitor.post(f"{page}/hex", hex="99,99").text


def test_a_form_that_is_none_of_ours_does_not_swell_the_links(visitor) -> None:
    visitor.get("/new")
    answer = visitor.post("/new", **{**AGREED, "seat0": "pink", "more": "x" * 300_000})
    assert answer.status_code == 400
    assert len(answer.text) < 30_000


def test_where_a_form_has_no_page_of_its_own_its_game_is_shown(visitor) -> None:
    game = visitor.start()
    assert f'href="{game}?lang=cs"' in visitor.act(game, notation="pass").text
