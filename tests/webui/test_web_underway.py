"""A game that was begun without the pages goes on with them: told by hand, and by a photo of the boards."""

import json
import random
import re
from collections import Counter
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from fake_boards import SOLO
from fake_vision import TABLES, jpeg
from test_web_counting import with_tracks  # noqa: F401  (a fixture)
from visitors import CODE, Visitor, game_at, id_in

from calibration import load_photo
from engine import mini_express as game
from engine.mini_express import (
    COMPANIES,
    Build,
    State,
    legal_actions,
    new,
    play,
    state_to_json,
)
from engine.mini_express.pack.writing import tiles_toml
from webui import create_app
from webui.services import services_of

GAMES = [
    SOLO,
    {**SOLO, "module": "golden_spike"},
    {
        "board": "europe",
        "mode": "standard",
        "seat0": "blue",
        "seat1": "red",
        "seat2": "green",
        "module": "ports",
    },
    {"board": "usa", "mode": "two_with_bot", "seat0": "green", "seat1": "purple"},
    {"board": "usa", "mode": "experts", "seat0": "yellow", "seat1": "blue"},
]


def between_turns(agreed: dict[str, str], seed: int, actions: int) -> State:
    """A position of a game that was played at random, at the beginning of a turn."""
    rng = random.Random(seed)
    seats = [agreed[seat] for seat in ("seat0", "seat1", "seat2") if seat in agreed]
    modules = [agreed["module"]] if "module" in agreed else []
    state = new(
        board=agreed["board"],
        mode=agreed["mode"],
        difficulty=agreed.get("difficulty"),
        seats=seats,
        modules=modules,
        rng=rng,
    )
    turn = {"standard": 1, "experts": 2}.get(agreed["mode"], 1)
    while (
        actions > 0
        or state.phase == "draft"
        or state.actions_left != turn
        or (state.bot and state.bot.redraw)
    ):
        legal = legal_actions(state)
        builds = [action for action in legal if isinstance(action, Build)]
        state, _ = play(state, rng.choice(builds or legal))
        actions -= state.phase != "draft"
    return state


def what_is_asked(state: State) -> dict[str, object]:
    """The numbers, markers and demand tiles as somebody at the table reads them off."""
    plain = state_to_json(state)
    companies = {
        f"companies.{c}.{count}": plain["companies"][c][count]
        for c in COMPANIES
        for count in ("value", "reservoir", "offer", "out")
    }
    rows = {
        f"{row}.{seat}.{c}": plain[row][seat][c]
        for row in ("influence", "shares") for seat in plain["seats"] for c in COMPANIES
    }  # fmt: skip
    tiles = {f"demand.{number}": "-".join(pair) for number, pair in plain["demand"].items()}
    told: dict[str, object] = {**companies, **rows, **tiles, "to_move": plain["to_move"]}
    if bot := plain.get("bot"):
        drawn = ["refresh" if tile == "refresh" else ",".join(map(str, tile)) for tile in bot["drawn"]]
        told |= {"bot.company": bot["company"], "bot.target": bot["target"], "bot.drawn": drawn or "none"}
    if spike := plain.get("golden_spike"):
        told |= {f"golden_spike.{key}": spike[key] or "none" for key in ("status", "eastern", "western")}
    return told


def entered(visitor: Visitor, agreed: dict[str, str]) -> str:
    """The address of a position that has been begun."""
    visitor.get("/underway")
    answer = visitor.post("/underway", **agreed)
    assert answer.status_code == 303, answer.text
    visitor.get(answer.location)
    return str(answer.location)


def tap_trains(visitor: Visitor, page: str, state: State, *, every: bool = False) -> None:
    """The trains of every hex that has any, or of all hexes."""
    for at in state.board.index:
        trains = [company for company in COMPANIES if at in state.hexes(company)]
        if trains or every:
            answer = visitor.post(f"{page}/hex", hex=f"{at[0]},{at[1]}", train=trains)
            assert answer.status_code == 303, answer.text


def tell(visitor: Visitor, page: str, **numbers: object) -> str:
    """The page after these numbers were sent."""
    visitor.get(page)
    answer = visitor.post(page, seen=visitor.field("seen"), **numbers)
    assert answer.status_code == 303, answer.text
    return visitor.get(page).text


def go_on(visitor: Visitor, page: str):
    """As the button does: with the numbers as the page shows them."""
    visitor.get(page)
    return visitor.post(f"{page}/go", seen=visitor.field("seen"))


def test_the_map_the_mode_and_the_modules_are_named_where_a_position_is_entered(visitor) -> None:
    page = entered(visitor, {**SOLO, "difficulty": "tourist", "module": "golden_spike"})
    agreed = "USA · Solo against Mašinfíra · Tourist (normal) · Golden Spike (USA)"
    assert f">{agreed}</p>" in visitor.get(page).text


@pytest.mark.parametrize("agreed", GAMES, ids=lambda agreed: f"{agreed['mode']}-{agreed.get('module', '')}")
@pytest.mark.parametrize("actions", [0, 5, 14])
def test_what_is_told_of_a_table_is_the_position_that_goes_on(visitor, app, agreed, actions) -> None:
    """Whatever was played before: nothing of the position is lost, and nothing is made up."""
    state = between_turns(agreed, seed=actions, actions=actions)
    page = entered(visitor, agreed)
    tap_trains(visitor, page, state)
    text = tell(visitor, page, **what_is_asked(state))
    assert "Nothing is missing any more." in text, re.findall(r'aria-label="([^"]*), missing"', text)
    answer = go_on(visitor, page)
    assert state_to_json(game_at(app, answer.location).state) == {**state_to_json(state), "passes": 0}
    assert "Games still being entered" not in visitor.get("/").text


def test_the_list_of_games_tells_which_one_is_being_entered(visitor) -> None:
    page = entered(visitor, GAMES[2])
    card = visitor.get("/").text.split(f'href="{page}"')[1].split("</li>")[0]
    assert all(word in card for word in ("Europe", "Blue", "Red", "Green"))


def test_of_those_being_entered_only_the_newest_is_not_folded_away(visitor) -> None:
    assert "more game" not in visitor.get("/").text
    *others, newest = (entered(visitor, agreed) for agreed in GAMES[:3])
    shown, folded = visitor.get("/").text.split("<summary>2 more games are being entered")
    assert newest in shown
    assert not any(page in shown for page in others)
    assert all(f'href="{page}"' in folded and f'action="{page}/forget"' in folded for page in others)


def test_what_is_missing_is_marked_until_it_is_told(visitor) -> None:
    state = between_turns(SOLO, seed=1, actions=4)
    page = entered(visitor, SOLO)
    told = what_is_asked(state)
    some = {path: told.pop(path) for path in ("influence.red.gray", "to_move", "bot.target")}
    tap_trains(visitor, page, state)
    text = tell(visitor, page, **told)
    assert re.search(r'<td class="doubt"><input[^>]*name="influence.red.gray"', text)
    refused = go_on(visitor, page)
    assert refused.status_code == 409
    assert f'href="{page}"' in refused.text
    assert "Nothing is missing any more." in tell(visitor, page, **some)


def test_a_number_that_was_told_can_be_emptied_and_is_asked_again(visitor) -> None:
    state = between_turns(SOLO, seed=1, actions=4)
    page = entered(visitor, SOLO)
    tap_trains(visitor, page, state)
    text = tell(visitor, page, **what_is_asked(state))
    assert "Nothing is missing any more." in text
    text = tell(visitor, page, **{"influence.red.gray": "", "companies.gray.value": ""})
    assert re.search(r'<td class="doubt"><input[^>]*name="influence.red.gray" value=""', text)
    assert re.search(rf'name="companies.gray.value" value=""[^>]*placeholder="{state.value[1]}"', text)
    assert "1 number" in text


def test_what_follows_by_the_rules_need_not_be_told(visitor) -> None:
    """R5.5: a value is counted on the map; R1.2: nine shares of each company are somewhere."""
    state = between_turns(SOLO, seed=2, actions=6)
    page = entered(visitor, SOLO)
    tap_trains(visitor, page, state)
    told = {
        path: value for path, value in what_is_asked(state).items() if not path.endswith((".value", ".out"))
    }
    text = tell(visitor, page, **told)
    for company, value in zip(COMPANIES, state.value, strict=True):
        assert re.search(rf'name="companies.{company}.value" value=""[^>]*placeholder="{value}"', text)
    assert "Nothing is missing any more." in text


@pytest.mark.parametrize("number", ["16", "-1", "many"])
def test_a_number_that_cannot_be_is_marked_and_the_others_stay(visitor, number) -> None:
    """R5.5: a value goes up to 15."""
    page = entered(visitor, SOLO)
    wrong = {"companies.gray.value": number, "companies.brown.value": "3"}
    answer = visitor.post(page, seen=visitor.field("seen"), **wrong)
    assert answer.status_code == 400
    assert 'id="problem">What is marked ! cannot be: a whole number from 0 to 15 expected' in answer.text
    assert re.search(
        rf'class="[a-z ]*wrong"><input[^>]*name="companies.gray.value" value="{number}"', answer.text
    )
    assert 'name="companies.brown.value" value="3"' in answer.text


@pytest.mark.parametrize("button", ["", "/photos", "/go"])
def test_a_refusal_is_read_in_another_language_whichever_button_was_pressed(visitor, button) -> None:
    page = entered(visitor, SOLO)
    visitor.get(page)
    refused = visitor.post(page + button, **{"seen": visitor.field("seen"), "companies.brown.value": "99"})
    (czech,) = re.findall(r'href="([^"]*lang=cs[^"]*)"', refused.text)
    text = visitor.get(unescape(czech), follow_redirects=True).text
    assert 'value="99"' in text
    assert 'id="problem"' in text


def test_all_numbers_that_cannot_be_are_marked(visitor) -> None:
    """R1.2, R5.5: a value goes up to 15, a reservoir holds five trains."""
    page = entered(visitor, SOLO)
    wrong = {"companies.gray.value": "16", "companies.white.reservoir": "6"}
    right = {"companies.brown.value": "3"}
    answer = visitor.post(page, seen=visitor.field("seen"), **wrong, **right)
    assert {*re.findall(r'wrong"><input[^>]*name="([^"]+)"', answer.text)} == {*wrong}


def test_tiles_and_none_of_them_cannot_be_and_are_marked(visitor) -> None:
    page = entered(visitor, SOLO)
    answer = visitor.post(page, seen=visitor.field("seen"), **{"bot.drawn": ["1,1", "none"]})
    assert answer.status_code == 400
    assert "What is marked ! cannot be: Mašinfíra&#39;s tiles" in answer.text
    assert re.search(r'class="[a-z ]* wrong" id="bot.drawn"', answer.text)


def test_what_the_rules_forbid_is_told_and_nothing_is_thrown_away(visitor) -> None:
    """R1.2: there are nine shares of each company."""
    page = entered(visitor, SOLO)
    text = tell(visitor, page, **{"shares.red.gray": 8, "shares.masinfira.gray": 3})
    assert "It cannot be like this yet: " in text
    assert 'name="shares.masinfira.gray" value="3"' in text
    assert go_on(visitor, page).status_code == 400
    assert "It cannot be like this yet" not in tell(visitor, page, **{"shares.masinfira.gray": 1})


def test_a_train_far_from_home_is_told_until_the_way_there_is_tapped(visitor) -> None:
    """R1.2b."""
    page = entered(visitor, SOLO)
    visitor.post(f"{page}/hex", hex="0,-2", train="gray")
    assert "It cannot be like this yet: Gray: the track at Omaha is not connected" in visitor.get(page).text
    visitor.post(f"{page}/hex", hex="0,-2")
    assert "It cannot be like this yet" not in visitor.get(page).text


def test_who_confirms_the_trains_of_a_city_has_said_nothing_of_a_tile_that_is_only_shown(visitor) -> None:
    """It may be no more than what a photo seems to show."""
    page = entered(visitor, SOLO)
    shown = {"hex": "0,-2", "train": "gray", "tile_shown": "gray-white"}
    visitor.post(f"{page}/hex", **shown, tile="gray-white")
    assert 'value="gray-white" selected' not in visitor.get(f"{page}?hex=0,-2").text
    visitor.post(f"{page}/hex", **{**shown, "tile_shown": ""}, tile="gray-white")
    assert 'value="gray-white" selected' in visitor.get(f"{page}?hex=0,-2").text


def test_a_number_that_no_play_leads_to_is_told_and_the_game_goes_on(visitor) -> None:
    """R5.5: at a real table a marker may have been moved wrongly long ago."""
    state = between_turns(SOLO, seed=1, actions=4)
    page = entered(visitor, SOLO)
    tap_trains(visitor, page, state)
    asked = what_is_asked(state)
    text = tell(visitor, page, **asked)
    assert "No play leads to this" not in text
    value = asked["companies.brown.value"]
    assert isinstance(value, int)
    text = tell(visitor, page, **{"companies.brown.value": value + 1})
    assert f"Brown: the value is {value + 1}, but its track and the draft make {value}." in text
    assert go_on(visitor, page).status_code == 303


def test_influence_beyond_the_printed_track_is_told_and_can_be_so(visitor) -> None:
    """R5.6: no rule forbids it; but 999 is more than all builds of this game have given."""
    state = between_turns(SOLO, seed=1, actions=4)
    page = entered(visitor, SOLO)
    tap_trains(visitor, page, state)
    text = tell(visitor, page, **{**what_is_asked(state), "influence.red.gray": 15})
    assert "where the printed track ends" not in text
    text = tell(visitor, page, **{"influence.red.gray": 999})
    assert "The influence marked ! is more than 15, where the printed track ends" in text
    marked = r'class="[^"]*wrong"><input[^>]*name="([^"]+)"[^>]*aria-describedby="beyond"'
    assert re.findall(marked, text) == ["influence.red.gray"]
    assert 'href="#influence.red.gray"' in text and 'id="influence.red.gray"' in text
    assert "The influence of all players is 1" in text and "but what was built so far gives" in text
    assert go_on(visitor, page).status_code == 303


def test_what_cannot_be_hides_nothing_that_is_still_to_be_told(visitor) -> None:
    page = entered(visitor, SOLO)
    text = tell(visitor, page, **{"shares.red.brown": 9, "companies.brown.offer": 5})
    still = text[text.index('id="still"') : text.index('id="map"')]
    assert "It cannot be like this yet" in still
    assert {"#to_move", "#bot.target", "#bot.drawn"} <= {*re.findall(r'href="(#[^"]+)"', still)}


def test_two_phones_do_not_write_over_each_other(visitor, new_visitor) -> None:
    page, other = entered(visitor, SOLO), new_visitor()
    other.get(page)
    tell(visitor, page, **{"influence.red.gray": 4})
    answer = other.post(page, seen=other.field("seen"), **{"influence.red.gray": 5, "influence.red.brown": 7})
    assert answer.status_code == 409
    assert 'name="influence.red.brown" value="7"' in answer.text
    assert 'name="influence.red.gray" value="4"' in visitor.get(page).text


def test_it_outlives_the_server_and_is_thrown_away_only_when_asked(visitor, data_dir) -> None:
    page = entered(visitor, SOLO)
    tell(visitor, page, **{"influence.red.gray": 4})
    later = Visitor(create_app(data_dir, None, CODE))
    assert page in later.get("/").text
    assert 'name="influence.red.gray" value="4"' in later.get(page).text
    assert later.post(f"{page}/forget").status_code == 303
    assert later.get(page).status_code == 404
    assert not [*(data_dir / "positions").iterdir()]


def test_a_photo_that_is_damaged_is_left_out(visitor, app, data_dir) -> None:
    """What is kept is told by those that are whole."""
    page = entered(visitor, SOLO)
    positions = services_of(app).positions
    position = positions.load(id_in(page))
    photo = load_photo(jpeg().getvalue())
    positions.look(position, {0: photo, 1: photo}, {}, lambda now: now)
    (data_dir / "positions" / f"{position.id}-photo-0.jpg").write_bytes(b"no picture any more")
    assert [*positions.photos(positions.load(position.id))] == [1]


def test_a_photo_that_is_gone_keeps_nobody_from_playing_on(visitor, app, data_dir) -> None:
    state = between_turns(SOLO, seed=1, actions=4)
    page = entered(visitor, SOLO)
    tap_trains(visitor, page, state)
    tell(visitor, page, **what_is_asked(state))
    file = data_dir / "positions" / f"{id_in(page)}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "focals": {"0": None}}))
    assert (
        state_to_json(game_at(app, go_on(visitor, page).location).state)["track"]
        == state_to_json(state)["track"]
    )


def test_it_goes_on_with_the_data_it_was_begun_with(visitor, app) -> None:
    page = entered(visitor, SOLO)
    packs = services_of(app).packs
    before = packs.in_use
    packs.change(lambda _: {"tiles.toml": tiles_toml([(1, 1)] * 12, 2, Counter(before.demand_tiles))})
    assert packs.in_use.digest != before.digest
    assert visitor.get(page).text.count('name="bot.drawn" value="1,1"') == before.bot_tiles.count((1, 1))


@pytest.mark.parametrize(
    "fields", [{"hex": "99,99"}, {"hex": "x"}, {}, {"hex": "0,-2", "tile": "gray-pink"}], ids=str
)
def test_hexes_and_tiles_that_there_are_not_are_refused(visitor, fields) -> None:
    page = entered(visitor, SOLO)
    before = visitor.get(page).text
    answer = visitor.post(f"{page}/hex", **fields)
    assert answer.status_code == 400
    assert visitor.get(page).text == before


@pytest.mark.parametrize("query", ["x", "99,99", "0", "²,1", "0,-2,0", "9" * 5000 + ",1"])
def test_hexes_in_an_address_that_there_are_not_are_refused(visitor, query) -> None:
    assert visitor.get(f"{entered(visitor, SOLO)}?hex={query}").status_code == 400


@pytest.mark.parametrize(
    "id", ["0" * 16, "../../secret.json", "..%2f..%2fsecret1", "g" * 16, "0" * 15 + "%00"]
)
def test_positions_that_there_are_not_are_not_found(visitor, id) -> None:
    for path in ("", "/hex", "/rest", "/go", "/forget"):
        assert visitor.client.post(f"/underway/{id}{path}", data={"token": visitor.token}).status_code in (
            403,
            404,
        )
    assert visitor.get(f"/underway/{id}").status_code == 404


@pytest.mark.slow
def test_a_photo_of_the_boards_fills_in_what_it_shows(tmp_path, with_tracks: Path) -> None:  # noqa: F811
    """The sample's own numbers are there without being typed, and what is not sure is asked."""
    visitor = Visitor(create_app(tmp_path, with_tracks, CODE))
    visitor.get("/underway")
    photo = (TABLES / "study" / "whole_table.jpg").read_bytes()
    answer = visitor.post("/underway", **SOLO, photo=(BytesIO(photo), "table.jpg"))
    assert answer.status_code == 303, answer.text
    text = visitor.get(answer.location).text
    assert [
        re.search(rf'name="companies.{company}.value" value="(\d+)"', text)[1] for company in COMPANIES
    ] == ["9", "10", "15", "14"]
    assert "All trains are as drawn" in text
    assert 'name="demand.9"' in text
    picture = visitor.client.get(f"{answer.location}/photos/0.jpg")
    assert picture.status_code == 200
    assert not any(b"Exif" in file.read_bytes() for file in (tmp_path / "positions").glob("*.jpg"))
    visitor.get(answer.location)
    visitor.post(f"{answer.location}/rest")
    assert "All trains are as drawn" not in visitor.get(answer.location).text


@pytest.mark.slow
def test_the_photos_teach_the_profile_once_it_is_known_what_they_show(tmp_path, with_tracks: Path) -> None:  # noqa: F811
    app = create_app(tmp_path, with_tracks, CODE)
    visitor, lessons = Visitor(app), []
    services_of(app).reader.teacher = lambda photo, profile, state: lessons.append((photo, state)) or profile
    state = game.state_from_json(json.loads((TABLES / "study" / "solo_hand.json").read_text())["state"])
    visitor.get("/underway")
    photo = (TABLES / "study" / "solo_hand.jpg").read_bytes()
    agreed = {**SOLO, "difficulty": "passenger", "seat0": "blue"}
    page = visitor.post("/underway", **agreed, photo=(BytesIO(photo), "map.jpg")).location
    tap_trains(visitor, page, state, every=True)
    assert "Nothing is missing any more." in tell(visitor, page, **what_is_asked(state), sure="demand")
    assert not lessons
    assert go_on(visitor, page).status_code == 303
    services_of(app).reader.close()
    (taught,) = lessons
    assert taught[0].focal == load_photo(TABLES / "study" / "solo_hand.jpg").focal
    assert state_to_json(taught[1]) == {**state_to_json(state), "passes": 0}
