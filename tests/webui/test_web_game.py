"""Games on the page: set-up, actions, Mašinfíra, undo, score, two phones."""

import os
import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from itertools import count
from pathlib import Path

import pytest
from visitors import begun_with, game_at, id_in

from engine.mini_express import Build, Game, State, action_to_text, apply, built_in, legal_actions, new


def file_of(data_dir: Path, game: str) -> Path:
    return data_dir / f"{id_in(game)}.game"


def first_build(visitor, game: str) -> dict[str, str]:
    """The fields of a legal build, chosen as a person does: company, city, way."""
    links = re.findall(r'href="([^"]+\?company=\w+&amp;city=\d+)#choice"', visitor.get(game).text)
    page = visitor.get(links[0].replace("&amp;", "&")).text
    panel = page[page.index('id="choice"') :]
    fields = {name: re.search(rf'name="{name}" value="([^"]+)"', panel) for name in ("notation", "wild")}
    return {name: found[1] for name, found in fields.items() if found}


@pytest.mark.parametrize(
    "setup",
    [
        {},
        {"difficulty": "railwayman", "module": "golden_spike", "korean_start": "1"},
        {"board": "europe", "module": "ports"},
        {"mode": "two_with_bot", "seat1": "blue", "module": "capacity_two"},
        {"mode": "experts", "seat1": "blue"},
        {"mode": "standard", "seat1": "blue", "seat2": "purple", "seat3": "green", "seat4": "yellow"},
    ],
)
def test_every_kind_of_game_starts_and_is_shown(visitor, setup: dict[str, str]) -> None:
    game = visitor.start(**setup)
    for page in (
        "",
        "/score",
        "/log",
        "/photo",
        "/tiles",
        "/record.txt",
        "/version",
        "?city=5",
        "?company=gray",
    ):
        assert visitor.get(game + page).status_code == 200


def test_the_modules_which_change_what_is_legal_are_named_under_the_heading(visitor) -> None:
    game = visitor.start(board="europe", module=["ports", "capacity_two"])
    agreed = "Europe · Solo against Mašinfíra · Passenger (easy)"
    modules = "Ports (Europe) · Every city has room for two (first game)"
    assert f"<p>{agreed} · {modules}</p>" in visitor.get(game).text
    assert "<p>USA · Solo against Mašinfíra · Passenger (easy)</p>" in visitor.get(visitor.start()).text


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["cs", "ko", "en"])
def test_a_whole_solo_game_in_each_language(visitor, lang: str) -> None:
    """Every page is shown at every turn of a game, and none of them fails."""
    visitor.get(f"/?lang={lang}")
    game = visitor.start(difficulty="tourist")
    visitor.draft(game)
    for turn in range(60):
        page = visitor.get(game)
        if 'class="winner"' in page.text:
            break
        if (share := re.search(r'name="notation" value="(share \w+)"', page.text)) and turn % 3:
            fields = {"notation": share[1]}
        else:
            fields = first_build(visitor, game)
        assert visitor.post(f"{game}/act", **fields).status_code == 303
        for path in ("", "/score", "/log"):
            assert visitor.get(game + path).status_code == 200
        if f"{game}/bot" in visitor.get(game).text:
            assert visitor.post(f"{game}/bot").status_code == 303
    else:
        pytest.fail("the game never ended")
    assert visitor.get(game + "/score").status_code == 200


@pytest.mark.parametrize(
    ("setup", "clause"),
    [
        ({}, "R7.12"),
        ({"mode": "experts", "seat1": "blue"}, "R9.3"),
        ({"mode": "two_with_bot", "seat1": "blue"}, "R6.2"),
        ({"mode": "standard", "seat1": "blue", "seat2": "purple"}, "R6.2"),
    ],
)
def test_the_score_names_the_clause_of_its_columns(visitor, setup: dict[str, str], clause: str) -> None:
    """Alone against Mašinfíra, and with two experts, the column 1st is not used."""
    page = visitor.get(visitor.start(**setup) + "/score").text
    footnote = page[page.index("A share&#39;s worth") :]
    assert re.findall(r"R\d+\.\d+(?=</span>)", footnote) == [clause]


@pytest.mark.parametrize(
    ("setup", "sentence", "clause"),
    [
        ({}, "Tied on points: a tie goes to Mašinfíra.", "R7.12"),
        (
            {"mode": "standard", "seat1": "blue", "seat2": "purple"},
            "Tied on points and shares: of those, red comes first in turn order.",
            "R6.3",
        ),
    ],
)
def test_the_score_says_what_decides_a_tie(
    visitor, setup: dict[str, str], sentence: str, clause: str
) -> None:
    """Before the first share everybody has 0 points."""
    page = unescape(visitor.get(visitor.start(**setup) + "/score").text)
    assert clause in page.split(sentence)[1].split("</p>")[0]


def test_the_tile_really_drawn_can_be_entered(visitor) -> None:
    game = visitor.start()
    for company in ("orange", "gray"):
        visitor.act(game, notation=f"draft {company}")
    assert visitor.act(game, notation="draw 2,1").status_code == 303
    answer = visitor.act(game, notation="draw 2,1")
    assert answer.status_code == 409
    assert "not in the bag" in answer.text


def test_a_hex_with_a_new_train_is_called_new_whether_it_can_be_tapped_or_not(visitor, app) -> None:
    game = visitor.start()
    visitor.draft(game)
    state = game_at(app, game).state
    builds = [action for action in legal_actions(state) if isinstance(action, Build) and not action.wild]
    build = max(builds, key=lambda action: len(action.route))
    assert len(build.route) > 1, "it leads over a hex without a city"
    assert visitor.act(game, notation=action_to_text(build)).status_code == 303
    page = visitor.get(game).text
    new = re.findall(r'<g class="hex[^"]* last[^"]*"', page)
    named = re.findall(r'aria-label="[^"]*, new[",]', page)
    assert len(new) == len(named) >= len(build.route)


def test_masinfiras_reasons_stand_on_the_page_with_their_rules(visitor) -> None:
    game = visitor.start()
    visitor.draft(game)
    visitor.post(f"{game}/act", **first_build(visitor, game))
    visitor.get(game)
    visitor.post(f"{game}/bot")
    page = visitor.get(game).text
    happened = page[page.index('id="happened"') :]
    assert "R7.5" in happened
    assert "R7.6" in happened or "R7.7" in happened


def test_a_city_out_of_reach_says_why(visitor) -> None:
    game = visitor.start()
    visitor.draft(game)
    number = {city.name: n for n, city in built_in().boards["usa"].numbered.items()}["San Francisco"]
    page = visitor.get(f"{game}?city={number}").text
    assert page.count("cannot reach San Francisco") == 4


def test_undo_takes_back_the_last_action(visitor) -> None:
    game = visitor.start()
    before = visitor.get(game + "/record.txt").text
    visitor.act(game, notation="draft white")
    visitor.get(game)
    assert visitor.post(f"{game}/undo").status_code == 303
    assert visitor.get(game + "/record.txt").text == before
    visitor.get(game)
    answer = visitor.post(f"{game}/undo")
    assert answer.status_code == 409
    assert "nothing to undo" in answer.text


def test_two_phones_cannot_act_on_the_same_position(visitor, new_visitor) -> None:
    other = new_visitor()
    game = visitor.start()
    other.get(game)
    assert visitor.act(game, notation="draft white").status_code == 303
    answer = other.post(f"{game}/act", notation="draft gray")
    assert answer.status_code == 409
    assert "has moved on" in answer.text
    assert visitor.get(game + "/version").json["version"] in answer.text
    other.page = answer
    assert other.post(f"{game}/act", notation="draft gray").status_code == 303


def test_of_many_taps_at_once_one_counts(visitor, new_visitor) -> None:
    game = visitor.start()
    phones = [new_visitor() for _ in range(8)]
    for phone in phones:
        phone.get(game)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda phone: phone.post(f"{game}/act", notation="draft gray"), phones))
    assert sorted(answer.status_code for answer in answers) == [303] + [409] * 7


def test_an_illegal_action_says_which_rule_and_changes_nothing(visitor, data_dir) -> None:
    game = visitor.start()
    before = file_of(data_dir, game).read_text()
    answer = visitor.act(game, notation="share gray")
    assert answer.status_code == 409
    assert 'role="alert"' in answer.text
    assert file_of(data_dir, game).read_text() == before


def _filled_in(page: str) -> list[str]:
    """What a form for a game has chosen already."""
    ticked = re.findall(r'<input [^>]*value="(\w+)"[^>]* checked', page)
    return ticked + re.findall(r'<option value="(\w+)" selected', page)


def test_the_next_game_is_filled_in_like_the_last(visitor) -> None:
    assert _filled_in(visitor.get("/new").text) == [
        "solo",
        "passenger",
        "usa",
        "deal",
        "red",
        "blue",
        "purple",
    ]
    seats = {"seat0": "green", "seat1": "red", "seat2": "yellow", "seat3": "blue"}
    visitor.start(mode="standard", board="europe", module="ports", **seats)
    again = ["standard", "passenger", "europe", "ports", "deal", *seats.values()]
    assert _filled_in(visitor.get("/new").text) == again
    assert _filled_in(visitor.get("/underway").text) == [word for word in again if word != "deal"]


def test_games_tell_when_they_were_played_and_who_won(visitor, games, data_dir) -> None:
    rng, won = (
        random.Random(3),
        Game(new(mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(3))),
    )
    while won.state.phase != "over":
        won = won.play(rng.choice(legal_actions(won.state)))
    over, going = games.create(won), visitor.start()
    os.utime(file_of(data_dir, going), (0, 0))
    home = visitor.get("/").text
    games, finished = home.split("1 game is over")
    assert going in games
    assert "1970-01-0" in games
    assert over not in games
    assert over in finished
    winner = r"(Red|Mašinfíra) wins with \d+ points?\."
    assert re.search(winner, finished)
    last = visitor.get(f"/game/{over}").text.split("What just happened")[1]
    assert re.search(rf"The game is over\.\s+{winner}", last)


def test_the_demand_tiles_of_the_table_can_be_entered(visitor) -> None:
    game = visitor.start()
    page = visitor.get(game + "/tiles").text
    words = re.findall(r'<option value="([\w-]+)" selected', page)
    assert len(words) == 32
    tiles = {f"tile{n}": word for n, word in enumerate(words[1:] + words[:1], 1)}
    assert visitor.post(game + "/tiles", **tiles).status_code == 303
    assert "✓ The demand tiles are saved." in visitor.get(game).text
    again = re.findall(r'<option value="([\w-]+)" selected', visitor.get(game + "/tiles").text)
    assert again == words[1:] + words[:1]
    answer = visitor.post(
        game + "/tiles", **{**tiles, "tile1": words[5], "tile2": words[5], "tile3": words[5]}
    )
    assert answer.status_code == 400
    assert re.findall(r'name="tile(\d+)" required aria-invalid', answer.text)[:3] == ["1", "2", "3"]
    kept = re.findall(r'<option value="([\w-]+)" selected', answer.text)
    assert kept == [words[5]] * 3 + again[3:]
    visitor.act(game, notation="draft gray")
    visitor.get(game + "/tiles")
    assert visitor.post(game + "/tiles", **tiles).status_code == 409


def test_a_game_whose_tiles_lie_on_the_table_begins_with_them_or_not_at_all(visitor) -> None:
    lay = visitor.start(tiles="enter", mode="standard", seat1="blue", seat2="green", module="golden_spike")
    page = visitor.get(lay).text
    assert page.count('<option value="" selected>') == 32
    assert "with-tabs" not in page
    assert "/game/" not in visitor.get("/").text
    words = Counter(
        {word: int(n) for word, n in re.findall(r'<option value="([\w-]+)" data-count="(\d)"', page)}
    )
    tiles = {f"tile{n}": word for n, word in enumerate(words.elements(), 1)}
    visitor.get(lay)
    agreed = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', visitor.page.text))
    answer = visitor.post("/new/tiles", **agreed, **{**tiles, "tile1": tiles["tile32"]})
    assert answer.status_code == 400
    assert answer.text.count("aria-invalid") == 1 + [*tiles.values()].count(tiles["tile32"])
    assert dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', answer.text)) == agreed
    game = visitor.post("/new/tiles", **agreed, **tiles).location
    record = visitor.get(game + "/record.txt").text
    assert "modules: golden_spike" in record
    assert "seats: red blue green" in record
    saved = re.findall(r'<option value="([\w-]+)" selected', visitor.get(game + "/tiles").text)
    assert saved == [*tiles.values()]


def test_a_module_that_the_map_has_no_room_for_is_not_sent_by_a_hidden_box(visitor) -> None:
    record = visitor.get(visitor.start(board="usa", module="ports") + "/record.txt").text
    assert "modules" not in record


def test_company_letters_stand_beside_the_colours(visitor) -> None:
    game = visitor.start()
    page = visitor.get(game).text
    for company, letter in {"brown": "B", "gray": "G", "orange": "O", "white": "W"}.items():
        assert re.search(rf'class="train {company}"><rect[^>]+><text[^>]+>{letter}<', page)


def test_a_refusal_leads_back_to_what_there_is(visitor) -> None:
    game = visitor.start()

    def back(page: str) -> str:
        return re.search(r'class="button" href="([^"]*)"', page)[1]

    assert back(visitor.get(game + "/bot").text) == game
    assert back(visitor.get(game + "/photo/0123456789abcdef").text) == game
    assert back(visitor.get("/game/deadbeef").text) == "/"
    assert back(visitor.get("/game/deadbeef/log").text) == "/"


def test_the_legend_tells_what_the_map_shows(visitor, app) -> None:
    path = visitor.start()
    assert legend(visitor, path) == []
    visitor.draft(path)
    assert legend(visitor, path)[0] == "can be built to now"
    state = game_at(app, path).state
    over = begun_with(app, replace(state, phase="over"))
    assert "can be built to now" not in legend(visitor, over)


def legend(visitor, path: str) -> list[str]:
    found = re.search(r'<p class="legend"[^>]*>(.*?)</p>', visitor.get(path).text, re.DOTALL)
    return re.findall(r"</span>([^<]+?)\s*(?:<|$)", found[1]) if found else []


def test_a_port_is_chosen_by_a_number_on_the_map_and_a_place_in_words(visitor, app) -> None:
    """R11.2: the train is of the tile's other company, not of the one that builds."""
    state, port = None, None
    for seed in range(200):
        state = new(
            board="europe", mode="standard", seats=["red", "blue", "green"], modules=["ports"],
            rng=random.Random(seed),
        )  # fmt: skip
        while state.phase == "draft":
            state = apply(state, legal_actions(state)[0])
        if port := next((a for a in legal_actions(state) if isinstance(a, Build) and a.port), None):
            break
    assert port
    path = begun_with(app, state)
    city = state.board.city_at[state.board.index[port.route[-1]]]
    page = visitor.get(f"{path}?city={city.number}&company={port.company}").text
    other = next(company for company in state.demand[city.number] if company != "wild")
    assert f"The free port where a train of {other} is placed" in page
    on_map = page.split("</svg>")[0]
    assert re.findall(r'⚓</text><text class="number" y="7">(\d)', on_map) == ["1", "2", "3", "4", "5"]
    assert "<small>3,-1</small>" not in page


def test_what_a_build_brings_is_told_but_for_what_is_still_to_be_chosen(visitor, app) -> None:
    """R5.6: a wild tile gives influence in another company, too, of the player's choice."""
    state, wild = _before_a_wild_tile()
    city = state.board.city_at[state.board.index[wild.route[-1]]]
    path = begun_with(app, state)
    page = visitor.get(f"{path}?city={city.number}&company={wild.company}").text
    brought = page.split("What it brings")[1].split("</details>")[0]
    own = next(company for company in state.demand[city.number] if company != "wild")
    assert re.findall(r"influence in (\w+)", brought) == [own]


def _before_a_wild_tile() -> tuple[State, Build]:
    """A position with a build to a wild tile for which there is one way only."""
    for seed in count():
        state = new(mode="standard", seats=["red", "blue", "green"], rng=random.Random(seed))
        while state.phase == "draft":
            state = apply(state, legal_actions(state)[0])
        builds = [action for action in legal_actions(state) if isinstance(action, Build)]
        for build in (build for build in builds if build.wild):
            there = [b.route for b in builds if (b.company, b.route[-1]) == (build.company, build.route[-1])]
            if len({*there}) == 1:
                return state, build
    raise AssertionError("count() ends never")


def test_when_the_end_has_begun_it_is_told_who_is_last(visitor, app) -> None:
    """R3.3: two companies are exhausted, and the round is played out."""
    told = "The end has begun: Green has the last turn."
    state = new(mode="standard", seats=["red", "blue", "green"], rng=random.Random(2))
    while len(state.exhausted()) < 2 or state.to_move != 1:
        assert told not in visitor.get(begun_with(app, state)).text
        shares = [a for a in legal_actions(state) if not isinstance(a, Build)]
        state = apply(state, (shares or legal_actions(state))[0])
    assert state.phase == "play"
    assert told in visitor.get(begun_with(app, state)).text


def test_who_reads_korean_begins_as_the_korean_rulebook_does(visitor, app) -> None:
    """R7.2: the target marker begins on city 1, unless the players agree otherwise."""
    box = r'name="korean_start" value="1"( checked)?'
    assert re.search(box, visitor.get("/new").text)[1] is None
    assert re.search(box, visitor.get("/new?lang=ko", follow_redirects=True).text)[1] == " checked"
    game = visitor.start(mode="standard", seat0="red", seat1="blue", seat2="green", korean_start="1")
    assert not game_at(app, game).state.setup.korean_start
