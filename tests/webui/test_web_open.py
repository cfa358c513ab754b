"""Games and positions from files: what the pages and the commands saved goes on here."""

import json
import random
from io import BytesIO
from pathlib import Path

import pytest
from visitors import game_at

from engine.mini_express import Game, Pack, apply, built_in, legal_actions, new, state_to_json
from engine.mini_express.pack.writing import Drawing, own_copy
from webui.services import services_of


def send(visitor, data: bytes):
    visitor.get("/")
    return visitor.post("/open", game=(BytesIO(data), "game.txt"))


@pytest.fixture
def played(visitor, app) -> Game:
    """A game that was drafted on the pages."""
    path = visitor.start()
    visitor.draft(path)
    return game_at(app, path).game


def test_a_saved_game_goes_on_with_all_its_moves(visitor, app, played: Game) -> None:
    answer = send(visitor, played.to_text().encode())
    assert answer.status_code == 303
    opened = game_at(app, answer.location).game
    assert opened == played
    assert visitor.get(answer.location).status_code == 200


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_position_is_the_start_of_a_game(visitor, app, played: Game, wrapped: bool) -> None:
    """As `masinfira set` and `scan` write it; it can be played on, and its tiles are no longer laid out anew."""
    state = apply(played.state, legal_actions(played.state)[0])
    obj = {"state": state_to_json(state), "log": []} if wrapped else state_to_json(state)
    answer = send(visitor, json.dumps(obj).encode())
    kept = game_at(app, answer.location)
    assert state_to_json(kept.state) == state_to_json(state)
    assert not kept.game.actions
    for page in ("", "/score", "/log", "/photo"):
        assert visitor.get(answer.location + page).status_code == 200
    assert "this game was opened later" in visitor.get(answer.location + "/tiles").text
    assert visitor.post(answer.location + "/tiles").status_code == 409


def test_once_a_share_is_taken_the_tiles_lie_however_the_draft_was_begun(visitor, app) -> None:
    """There is nothing to undo in a game that was opened in the middle of its draft."""
    begun = game_at(app, visitor.start()).state
    link = "Enter the demand tiles"
    answer = send(visitor, json.dumps(state_to_json(begun)).encode())
    assert link in visitor.get(answer.location).text
    state = apply(begun, legal_actions(begun)[0])
    assert state.phase == "draft"
    answer = send(visitor, json.dumps(state_to_json(state)).encode())
    assert link not in visitor.get(answer.location).text
    assert "this game was opened later" in visitor.get(answer.location + "/tiles").text
    assert visitor.post(answer.location + "/tiles").status_code == 409


NO_GAMES = [
    b"",
    b"hello",
    b"\xff\xfe\x00",
    b"[" * 200_000,
    b" " * 600_000,
    b"[]",
    b"7",
    b'{"state": 7}',
    b"masinfira/x",
]


@pytest.mark.parametrize("data", NO_GAMES)
def test_a_file_that_is_no_game_is_refused_in_one_sentence(visitor, data: bytes) -> None:
    answer = send(visitor, data)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert "went wrong here" not in answer.text


def test_a_position_that_breaks_the_rules_is_refused_with_the_reason(visitor, played: Game) -> None:
    obj = state_to_json(played.state)
    obj["track"]["gray"] = [*obj["track"]["gray"], [0, 0]]
    answer = send(visitor, json.dumps(obj).encode())
    assert answer.status_code == 400
    assert "26 trains in all instead of 25" in answer.text
    assert ">R1.2</span>" in answer.text


@pytest.fixture
def own(tmp_path: Path) -> Pack:
    """An own copy of the map of the USA, with no city where the shipped one has it."""
    usa = built_in().board("usa")
    printed = tuple(hex._replace(at=(hex.at[0] + 1, hex.at[1])) for hex in usa.printed)
    drawing = Drawing("usa", usa.names, printed, None)
    return own_copy(built_in(), {drawing.file: drawing.to_toml()}, tmp_path)


@pytest.mark.parametrize("file", [Game.to_text, lambda game: json.dumps(state_to_json(game.start))])
def test_what_was_saved_with_a_copy_that_is_not_here_is_refused_with_what_to_do(visitor, own, file) -> None:
    state = new(mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(1), pack=own)
    answer = send(visitor, file(Game(state)).encode())
    assert answer.status_code == 400
    assert "another copy of the map or the tables, which is not here: open it where" in answer.text


def test_a_position_on_the_shipped_map_is_opened_where_an_own_copy_is_in_use(
    visitor, app, played, own
) -> None:
    """Its file names no copy, and on the own map the trains stand in no city."""
    map_of_mine = (own.folder / "boards/usa.toml").read_text()
    services_of(app).packs.change(lambda _: {"boards/usa.toml": map_of_mine})
    answer = send(visitor, json.dumps(state_to_json(played.state)).encode())
    assert game_at(app, answer.location).state == played.state


def test_opening_needs_the_token_of_the_page(visitor, played: Game) -> None:
    answer = visitor.client.post("/open", data={"game": (BytesIO(played.to_text().encode()), "g.txt")})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "text",
    ["{}", '{"board": "usa"}', '{"format": "masinfira/mini-express/truth/1"}', '{"notation": "draft o"}'],
)
def test_what_holds_no_whole_position_is_told_in_words_of_the_page(visitor, text: str) -> None:
    answer = send(visitor, text.encode())
    assert answer.status_code == 400
    assert "This file holds no game" in answer.text


def test_a_position_with_half_a_character_is_no_game_file(visitor) -> None:
    """No page could show it."""
    answer = send(visitor, b'{"format": "masinfira/mini-express/state/1", "board": "\\ud800"}')
    assert answer.status_code == 400
    assert b"\\ud800" not in answer.data


@pytest.mark.parametrize("key", ["phase", "board", "mode"])
def test_nor_is_a_record_that_begins_with_one(visitor, played: Game, key: str) -> None:
    begun = Game(played.state)
    obj = {**state_to_json(begun.start), key: "\ud800"}
    head, _, rest = begun.to_text().partition("state: ")
    text = f"{head}state: {json.dumps(obj)}\n{rest.partition(chr(10))[2]}"
    answer = send(visitor, text.encode())
    assert answer.status_code == 400
    assert "?" in answer.text
