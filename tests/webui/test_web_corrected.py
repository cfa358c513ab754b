"""A position that a game goes on from is corrected, as long as nothing was played since."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from fake_boards import SOLO, photographed
from fake_vision import jpeg
from test_web_underway import between_turns, entered, go_on, tap_trains, tell, what_is_asked
from visitors import Visitor, game_at

from engine.mini_express import Game, State, action_to_text, legal_actions, state_to_json
from webui.kept.reader import Reader

STATE = between_turns(SOLO, seed=1, actions=4)


def filled_in(visitor: Visitor, page: str, state: State) -> str:
    """The address of this position, once all of it is told."""
    tap_trains(visitor, page, state)
    tell(visitor, page, **what_is_asked(state), sure="demand")
    return page


def gone_on(visitor: Visitor, page: str, state: State) -> str:
    """The address of the game that goes on from this position."""
    filled_in(visitor, page, state)
    answer = go_on(visitor, page)
    assert answer.status_code == 303, answer.text
    return str(answer.location)


@pytest.fixture
def game(visitor: Visitor) -> str:
    return gone_on(visitor, entered(visitor, SOLO), STATE)


def correction(visitor: Visitor, game: str) -> str:
    """Where the page of a game leads to for correcting it; "" where it does not."""
    found = re.search(r'href="(/underway/[^"]+)"', visitor.get(game).text)
    return found[1] if found else ""


def play_on(visitor: Visitor, game: str) -> None:
    assert visitor.act(game, notation=action_to_text(legal_actions(STATE)[0])).status_code == 303


def test_the_form_is_as_it_was_and_the_game_begins_from_what_it_says_now(visitor, app, game) -> None:
    page = correction(visitor, game)
    asked = what_is_asked(STATE)
    text = visitor.get(page).text
    assert dict(re.findall(r'name="(influence[^"]+)" value="(\d+)"', text)) == {
        name: str(value) for name, value in asked.items() if name.startswith("influence")
    }
    tell(visitor, page, **{"influence.red.gray": 7})
    assert go_on(visitor, page).location == game
    corrected = state_to_json(STATE)
    corrected["influence"]["red"]["gray"] = 7
    assert state_to_json(game_at(app, game).state) == {**corrected, "passes": 0}
    assert correction(visitor, game) == page
    assert visitor.get("/").text.count(game) == 1


def test_what_was_typed_and_not_saved_comes_into_the_game_too(visitor, app, game) -> None:
    """The button to go on is another one than that which saves."""
    page = correction(visitor, game)
    visitor.get(page)
    typed = {"seen": visitor.field("seen"), "influence.red.gray": 7}
    assert visitor.post(f"{page}/go", **typed).location == game
    assert state_to_json(game_at(app, game).state)["influence"]["red"]["gray"] == 7


def test_nothing_goes_on_by_numbers_that_cannot_be_or_where_one_was_emptied(visitor, app, game) -> None:
    page, version = correction(visitor, game), game_at(app, game).version
    visitor.get(page)
    refused = visitor.post(f"{page}/go", seen=visitor.field("seen"), **{"influence.red.gray": "much"})
    assert refused.status_code == 400
    assert 'value="much"' in refused.text
    emptied = visitor.post(f"{page}/go", seen=visitor.field("seen"), **{"influence.red.gray": ""})
    assert emptied.status_code == 409
    assert "Something is still missing" in emptied.text
    assert game_at(app, game).version == version


@pytest.mark.slow
def test_the_photos_are_still_there(visitor, boards) -> None:
    page = photographed(visitor, (jpeg(), "a.jpg"))
    game = gone_on(visitor, page, STATE)
    assert f"{page}/photos/0.jpg" in visitor.get(correction(visitor, game)).text
    assert visitor.client.get(f"{page}/photos/0.jpg").mimetype == "image/jpeg"


def test_a_game_that_was_played_on_is_not_corrected_until_that_is_undone(visitor, app, game) -> None:
    page = correction(visitor, game)
    visitor.get(page)
    play_on(visitor, game)
    played = game_at(app, game).version
    assert correction(visitor, game) == ""
    assert visitor.get(page).location == game
    refused = go_on(visitor, page)
    assert refused.status_code == 409
    assert "The game has been played on since" in refused.text
    assert game_at(app, game).version == played
    visitor.get(game)
    assert visitor.post(f"{game}/undo").status_code == 303
    assert correction(visitor, game) == page


@pytest.mark.parametrize("what", ["", "/hex", "/rest", "/photos", "/photos/0/remove", "/forget"])
def test_a_correction_that_comes_too_late_is_refused_and_not_lost_without_a_word(
    visitor, new_visitor, game, what
) -> None:
    """The form was open when somebody else played on."""
    page, other = correction(visitor, game), new_visitor()
    other.get(page)
    play_on(visitor, game)
    fields = {"seen": other.field("seen"), "hex": "0,-2", "influence.red.gray": 7}
    refused = other.post(page + what, **fields)
    assert refused.status_code == 409
    assert "The game has been played on since" in refused.text


@pytest.fixture
def lessons(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> list[State]:
    """What the photos of positions have been said to show."""
    taught: list[State] = []
    monkeypatch.setattr(reader, "learn_later", lambda id, photos, state: taught.append(state))
    return taught


@pytest.mark.slow
def test_who_goes_on_thrice_teaches_once_but_a_correction_teaches_anew(visitor, app, boards, lessons) -> None:
    game = gone_on(visitor, page := photographed(visitor, (jpeg(), "a.jpg")), STATE)
    version = game_at(app, game).version
    for _ in range(2):
        assert go_on(visitor, page).location == game
    assert len(lessons) == 1
    assert game_at(app, game).version == version
    tell(visitor, page, **{"influence.red.gray": 7})
    assert go_on(visitor, page).location == game
    assert [state_to_json(state)["influence"]["red"]["gray"] for state in lessons[1:]] == [7]


@pytest.mark.slow
def test_when_two_press_at_once_one_game_comes_of_it(
    visitor, new_visitor, games, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, create = filled_in(visitor, entered(visitor, SOLO), STATE), games.create

    def slowly(game: Game) -> str:
        time.sleep(0.1)
        return str(create(game))

    monkeypatch.setattr(games, "create", slowly)
    both = visitor, new_visitor()
    with ThreadPoolExecutor(2) as pressing:
        pressed = [*pressing.map(lambda someone: go_on(someone, page).location, both)]
    assert pressed[0] == pressed[1]
    assert len(games.newest_first()) == 1


def test_the_game_cannot_be_thrown_away_with_its_position(visitor, game) -> None:
    assert "/forget" not in visitor.get(correction(visitor, game)).text


def test_what_was_entered_of_a_game_that_was_put_away_begins_another(visitor, game) -> None:
    page = correction(visitor, game)
    visitor.get(game)
    assert visitor.post(f"{game}/away").status_code == 303
    assert "/forget" in visitor.get(page).text
    another = go_on(visitor, page).location
    assert another != game
    assert correction(visitor, another) == page


def test_a_new_game_was_not_entered(visitor) -> None:
    assert correction(visitor, visitor.start()) == ""
