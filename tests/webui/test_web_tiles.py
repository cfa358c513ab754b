"""The demand tiles that lie on the table already: a photo can fill them in, and nobody is told to lay them out."""

import re
from pathlib import Path

import pytest
from browser import join
from fake_vision import FakeScan, send
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait
from visitors import CODE, Visitor, game_at

from engine.mini_express import built_in
from vision.state.decode import Conflict
from vision.state.demand import Cards, Tile
from webui import create_app
from webui.kept.saving import save
from webui.problems import WebProblem

NEW = "/new/tiles?mode=solo&difficulty=tourist&board=usa&seat0=blue&module=golden_spike"
AGREED = {"mode": "solo", "difficulty": "tourist", "board": "usa", "seat0": "blue", "module": "golden_spike"}
TILES = {f"tile{n}": "-".join(pair) for n, pair in enumerate(built_in().demand_tiles, 1)}
LAY, LAID = "Lay the demand tiles out as the map shows", "as you entered them"


@pytest.fixture
def known(reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table's map is known, so photos of it can be read."""
    monkeypatch.setattr(reader.profiles, "know", lambda board: True)


def test_without_a_known_map_the_page_says_what_would_let_a_photo_help(visitor) -> None:
    page = visitor.get(NEW).text
    assert "A photo of the map can fill them in once" in page
    assert 'href="/calibrate"' in page
    assert 'name="photo"' not in page


def test_a_photo_fills_the_tiles_of_a_new_game_in(table, app, known) -> None:
    assert "let a photo of the map fill them in" in table.get("/new").text
    page = table.get(NEW).text
    assert "Or let a photo of the map fill them in" in page
    assert "A photo of the map can fill them in once" not in page
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.split('name="photo"')[0]))
    photo = table.post("/new/tiles", **hidden, photo="yes").location
    table.path = photo.removesuffix("/photo")
    assert photo.endswith("/photo")
    state = game_at(app, table.path).state
    assert state.setup.humans == ("blue",)
    assert state.setup.modules == ("golden_spike",)
    seen = tuple(Tile(n, pair, 0.99) for n, pair in enumerate(reversed(state.demand[1:]), 1))
    table.says = lambda before: FakeScan(before, tiles_conflict=Conflict("tiles"), cards_shown=Cards(seen))
    assert "Finish a turn" not in table.get(photo).text
    proposed = table.get(send(table)).location  # without a word on tiles that nobody has entered
    words = re.findall(r'<option value="([\w-]*)" selected', table.get(proposed).text)
    assert words == ["-".join(tile.pair) for tile in seen]
    assert "/photos" not in table.get(proposed).text
    seen = seen[:13]  # of half of the board; one more photo shows the rest
    half = table.get(send(table)).location
    assert re.search(r'action="/game/\w+/photo/\w+/photos"', table.get(half).text)


def test_after_a_refusal_a_photo_is_still_offered(visitor, known) -> None:
    visitor.get(NEW)
    answer = visitor.post("/new/tiles", **AGREED, **{**TILES, "tile1": TILES["tile32"]})
    assert answer.status_code == 400
    assert 'name="photo"' in answer.text


def test_after_a_refusal_it_is_still_told_which_tiles_the_photo_shows_badly(visitor) -> None:
    game = visitor.start()
    visitor.get(f"{game}/tiles")
    answer = visitor.post(
        f"{game}/tiles", **{**TILES, "tile1": TILES["tile32"]}, unsure=["4", "9", "x", "9" * 5000]
    )
    assert answer.status_code == 400
    assert answer.text.count('class="tile-row doubt"') == 2
    assert re.findall(r'name="unsure" value="(\d+)">', answer.text) == ["4", "9"]
    assert "all those marked ?" in answer.text


def test_tiles_that_were_dealt_are_to_be_laid_out_until_others_are_entered(visitor, data_dir) -> None:
    game = visitor.start()
    page = visitor.get(game).text
    assert LAY in page and LAID not in page
    visitor.get(f"{game}/tiles")
    assert visitor.post(f"{game}/tiles", **TILES).status_code == 303
    for someone in (visitor, Visitor(create_app(data_dir, None, CODE))):
        page = someone.get(game).text
        assert LAY not in page and LAID in page
    assert f'href="{game}/tiles"' in page
    assert LAY in visitor.get(visitor.start()).text


def test_tiles_that_lie_on_the_table_already_need_not_be_laid_out(visitor) -> None:
    visitor.get(NEW)
    game = visitor.post("/new/tiles", **AGREED, **TILES).location
    page = visitor.get(game).text
    assert LAY not in page and LAID in page
    visitor.act(game, notation="draft gray")
    assert LAID not in visitor.get(game).text


def test_tiles_that_lie_already_are_to_be_entered_and_not_laid_out_by_who_leaves_the_photo(
    visitor, data_dir, known
) -> None:
    visitor.get(NEW)
    game = visitor.post("/new/tiles", **AGREED, photo="yes").location.removesuffix("/photo")
    for someone in (visitor, Visitor(create_app(data_dir, None, CODE))):
        page = someone.get(game).text
        assert LAY not in page and LAID not in page
        assert f'href="{game}/tiles">Enter the demand tiles<' in page
    assert f'href="{game}/photo">A photo of the map fills them in.<' in visitor.get(game).text
    visitor.get(f"{game}/tiles")
    assert visitor.post(f"{game}/tiles", **TILES).status_code == 303
    assert LAID in visitor.get(game).text


def test_before_the_tiles_on_the_table_are_entered_nothing_is_played_and_none_are_shown(visitor) -> None:
    """R2.3, R2.4: those in the game were dealt for now, and advice and builds would rest on them."""
    visitor.get(NEW)
    game = visitor.post("/new/tiles", **AGREED, photo="yes").location.removesuffix("/photo")
    page = visitor.get(game).text
    assert "not entered yet: do that before the first share" in page
    assert "draft " not in page and "/advice" not in page
    assert ", demand " not in page
    assert visitor.get(f"{game}/advice").location == game
    answer = visitor.act(game, notation="draft gray")
    assert answer.status_code == 409
    assert "not entered yet" in answer.text
    visitor.get(f"{game}/tiles")
    visitor.post(f"{game}/tiles", **TILES)
    assert ", demand " in visitor.get(game).text
    assert visitor.act(game, notation="draft gray").status_code == 303


def test_tiles_that_others_have_laid_meanwhile_are_shown(visitor) -> None:
    game = visitor.start()
    visitor.get(f"{game}/tiles")
    before = visitor.field("version")
    assert visitor.post(f"{game}/tiles", **TILES).status_code == 303
    other = TILES | {"tile1": TILES["tile2"], "tile2": TILES["tile1"]}
    refused = visitor.post(f"{game}/tiles", **{**other, "version": before})
    assert refused.status_code == 409 and "has moved on" in refused.text
    shown = re.findall(
        r'<select name="(tile\d+)".*?<option value="([\w-]+)" selected', refused.text, re.DOTALL
    )
    assert dict(shown) == TILES


@pytest.mark.parametrize("how", [TILES, {"photo": "yes"}], ids=["entered", "photo"])
def test_where_it_cannot_be_noted_that_they_lie_no_game_begins(visitor, games, monkeypatch, how) -> None:
    """Else the second press would begin a second one."""

    def fails(path: Path, data: bytes) -> None:
        if path.suffix == ".laid":
            raise WebProblem("not_saved", reason="full")
        save(path, data)

    monkeypatch.setattr("webui.kept.games.save", fails)
    visitor.get(NEW)
    assert visitor.post("/new/tiles", **AGREED, **how).status_code == 507
    assert games.newest_first() == []


def test_tiles_that_were_entered_in_an_earlier_version_need_not_be_laid_out(visitor, data_dir) -> None:
    """An empty file said so then."""
    game = visitor.start()
    (laid,) = (path.with_suffix(".laid") for path in data_dir.rglob("*.game"))
    laid.touch()
    page = visitor.get(game).text
    assert LAY not in page and LAID in page


@pytest.mark.parametrize(
    ("readable", "chosen"), [({"europe"}, "europe"), ({"usa", "europe"}, "usa"), (set(), "usa")]
)
def test_the_first_game_is_on_the_only_map_whose_photos_can_be_read(
    visitor, reader, monkeypatch: pytest.MonkeyPatch, readable: set[str], chosen: str
) -> None:
    profiles = reader.profiles
    monkeypatch.setattr(profiles, "know", lambda board: board.id in readable)
    assert re.findall(r'name="board" value="(\w+)"[^>]* checked', visitor.get("/new").text) == [chosen]


def proposing(table: Visitor) -> tuple[str, list[Tile]]:
    """A game begun with a photo that shows its tiles, two doubtful ones alike; the page that proposes them."""
    table.path = table.start()
    pairs = [*built_in().demand_tiles]
    tiles = [
        Tile(city, pair, 0.5 if pair == ("brown", "gray") else 0.999) for city, pair in enumerate(pairs, 1)
    ]
    table.says = lambda before: FakeScan(
        before, tiles_conflict=Conflict("tiles"), cards_shown=Cards(tuple(tiles))
    )
    return re.search(r'href="([^"]+/tiles\?photo=\w+)"', table.get(send(table)).text)[1], tiles


def test_what_one_tile_is_tells_those_that_look_like_it(table) -> None:
    page, tiles = proposing(table)
    alike = [f"tile{tile.city}" for tile in tiles if tile.pair == ("brown", "gray")]
    told = table.get(f"{page.replace('/tiles?', '/tiles/told?')}&{alike[0]}=gray-orange").json
    assert len(told) == 32
    assert all(told[name] == ["gray-orange", False] for name in alike)
    other = next(f"tile{tile.city}" for tile in tiles if tile.pair == ("orange", "white"))
    assert told[other] == ["orange-white", False]


def test_who_says_nonsense_of_a_tile_has_said_nothing(table) -> None:
    page, tiles = proposing(table)
    told = table.get(
        f"{page.replace('/tiles?', '/tiles/told?')}&tile1=%00&tile2=gray&tile99=gray-orange"
    ).json
    assert told == {f"tile{tile.city}": ["-".join(tile.pair), tile.doubtful] for tile in tiles}


def test_of_a_photo_that_is_gone_no_tile_is_told(table) -> None:
    proposing(table)
    assert table.get(f"{table.path}/tiles/told?photo=0123456789abcdef").status_code == 404


def test_on_the_phone_those_that_look_like_a_tile_follow_it_and_what_was_chosen_stays(table, phone) -> None:
    page, tiles = proposing(table)
    first, second, *rest = (tile.city for tile in tiles if tile.pair == ("brown", "gray"))
    join(phone)
    phone.open(page)
    assert len(phone.driver.find_elements(By.CSS_SELECTOR, ".tile-row.doubt")) == len(rest) + 2

    def choose(city: int, word: str) -> None:
        Select(phone.find(f"select[name=tile{city}]")).select_by_value(word)

    def shows(city: int, word: str) -> None:
        chosen = f"select[name=tile{city}]"
        WebDriverWait(phone.driver, 30).until(lambda _: phone.find(chosen).get_property("value") == word)

    choose(first, "gray-orange")
    for city in (second, *rest):
        shows(city, "gray-orange")
    assert f"Changed with it: {', '.join(map(str, (second, *rest)))}." in phone.text("[data-tally]")
    assert len(phone.driver.find_elements(By.CSS_SELECTOR, ".tile-row.doubt")) == len(rest) + 1
    choose(second, "brown-white")
    shows(first, "gray-orange")
    phone.check_page()
    phone.tap("button.big")  # there are too many of them, which is said; what was told stays told
    phone.driver.get_log("browser")  # the browser says there, too, that it was refused
    choose(rest[0], "brown-gray")
    shows(rest[1], "brown-gray")
    shows(first, "gray-orange")
    shows(second, "brown-white")
