"""The page that says which action is good."""

import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from html import unescape
from threading import Event

import pytest
from browser import Phone, join
from visitors import Visitor, game_at
from werkzeug.datastructures import MultiDict

from engine import mini_express as game
from webui.forms import action_of
from webui.kept import thoughts
from webui.pages.game import advising

SET_UPS = [
    {"mode": "solo", "difficulty": "railwayman", "seats": ["red"], "modules": ["golden_spike"]},
    {"board": "europe", "mode": "standard", "seats": ["red", "blue", "purple"], "modules": ["ports"]},
    {"mode": "experts", "seats": ["green", "yellow"]},
]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment of thought is enough here."""
    monkeypatch.setattr(advising, "SECONDS", 0.1)
    monkeypatch.setattr(advising, "LONGER", 0.2)


def forms_of(page: str) -> list[dict[str, str]]:
    """The fields of every form of a page that plays an action."""
    forms = re.findall(r'<form method="post" action="[^"]+/act".*?</form>', page, re.S)
    found = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms]
    return [{name: unescape(value) for name, value in form.items()} for form in found]


@pytest.mark.parametrize("set_up", SET_UPS)
def test_a_form_asks_for_exactly_the_action_it_was_made_of(set_up: dict[str, object]) -> None:
    rng = random.Random(3)
    state = game.new(**set_up, rng=rng)
    while actions := game.legal_actions(state):
        for action in actions:
            assert action_of(MultiDict({"notation": game.action_to_text(action)}), state) == action
        state = game.apply(state, rng.choice(actions))
    assert action_of(MultiDict({"notation": "pass"}), state) == game.Pass()


def test_the_best_actions_are_shown_and_one_tap_does_one(visitor: Visitor) -> None:
    path = visitor.start()
    visitor.draft(path)
    page = visitor.get(path + "/advice").text
    offered = forms_of(page)
    assert len(offered) == game.BEST_SHOWN
    before = game_at(visitor.client.application, path).game
    assert visitor.post(path + "/act", **offered[0]).status_code == 303
    after = game_at(visitor.client.application, path).game
    assert len(after.actions) == len(before.actions) + 1
    assert after.actions[-1] == action_of(MultiDict(offered[0]), before.state)


def test_a_company_is_shown_a_city_only_once(visitor: Visitor) -> None:
    path = visitor.start()
    visitor.draft(path)
    lines = [form["notation"] for form in forms_of(visitor.get(path + "/advice").text)]
    builds = [build for line in lines if isinstance(build := game.action_from_text(line), game.Build)]
    places = [(build.company, build.route[-1]) for build in builds]
    assert len(places) == len(set(places)) > 1


def test_the_tile_of_the_golden_spike_is_on_its_map_too(visitor: Visitor) -> None:
    path = visitor.start(module="golden_spike")
    visitor.draft(path)
    assert all('class="spike-mark"' in visitor.get(path + page).text for page in ("", "/advice"))


@pytest.mark.parametrize("lang", ["cs", "ko", "en"])
@pytest.mark.parametrize("setup", [{"module": "golden_spike"}, {"board": "europe", "module": "ports"},
                                   {"mode": "experts", "seat1": "blue"}])  # fmt: skip
def test_every_kind_of_game_is_advised_in_each_language(
    visitor: Visitor, lang: str, setup: dict[str, str]
) -> None:
    visitor.get(f"/?lang={lang}")
    path = visitor.start(**setup)
    for _ in range(8):
        state = game_at(visitor.client.application, path).state
        if state.bot_moves:
            visitor.get(path)
            visitor.post(path + "/bot")
            continue
        page = visitor.get(path + "/advice")
        assert page.status_code == 200
        assert visitor.post(path + "/act", **forms_of(page.text)[0]).status_code == 303


def test_where_nobody_has_a_choice_the_table_is_shown(visitor: Visitor) -> None:
    path = visitor.start()
    for company in ("orange", "gray"):
        visitor.act(path, notation=f"draft {company}")
    assert "/advice" not in visitor.get(path).text
    answer = visitor.get(path + "/advice")
    assert (answer.status_code, answer.location) == (303, path)


def test_a_position_is_thought_about_once(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float] = []

    def counted(state: game.State, seconds: float, rng: random.Random) -> list[game.Advice]:
        times.append(seconds)
        return game.advise(state, seconds, rng)

    monkeypatch.setattr(thoughts, "advise", counted)
    path = visitor.start()
    shown = [forms_of(visitor.get(path + "/advice").text) for _ in range(2)]
    assert shown[0] == shown[1]
    assert times == [0.1]
    assert 'name="longer"' not in visitor.get(path + "/advice?longer=1").text
    assert times == [0.1, 0.2]
    visitor.get(path + "/advice")
    assert times == [0.1, 0.2]


def test_phones_that_ask_at_once_are_told_the_same(
    visitor: Visitor, new_visitor: Callable[[], Visitor]
) -> None:
    path = visitor.start()
    phones = [new_visitor() for _ in range(thoughts.ASKING_AT_MOST)]
    with ThreadPoolExecutor(len(phones)) as at_once:
        pages = [*at_once.map(lambda phone: forms_of(phone.get(path + "/advice").text), phones)]
    told = [[{k: v for k, v in form.items() if k != "token"} for form in page] for page in pages]
    assert told[0]
    assert all(each == told[0] for each in told)


def test_who_asks_while_too_many_wait_is_told_so(
    visitor: Visitor, new_visitor: Callable[[], Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody_is_told = Event()

    def until_then(state: game.State, seconds: float, rng: random.Random) -> list[game.Advice]:
        assert somebody_is_told.wait(60)
        return game.advise(state, seconds, rng)

    monkeypatch.setattr(thoughts, "advise", until_then)
    path = visitor.start()
    phones = [new_visitor() for _ in range(thoughts.ASKING_AT_MOST + 1)]
    with ThreadPoolExecutor(len(phones)) as at_once:
        asked = [at_once.submit(phone.get, path + "/advice") for phone in phones]
        first = next(as_completed(asked)).result()
        somebody_is_told.set()
    assert first.status_code == 503
    assert "Advice is being worked out for others" in first.text
    assert sum(answer.result().status_code == 200 for answer in asked) == thoughts.ASKING_AT_MOST


def test_advice_on_a_position_that_is_gone_is_refused(visitor: Visitor) -> None:
    path = visitor.start()
    old = forms_of(visitor.get(path + "/advice").text)[0]
    stale = {**old, "version": visitor.field("version")}
    visitor.act(path, notation=old["notation"])
    assert visitor.post(path + "/act", **stale).status_code == 409


def test_only_who_has_joined_is_advised(visitor: Visitor, stranger: Visitor) -> None:
    path = visitor.start()
    assert "Do this" not in stranger.get(path + "/advice").text
    assert visitor.get("/game/00000000/advice").status_code == 404


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("lang", ["cs", "ko", "en"])
def test_advice_on_a_phone(phone: Phone, lang: str) -> None:
    join(phone)
    phone.tap(f".languages a[lang={lang}]")
    phone.tap("a[href='/new']")
    phone.tap("form.setup button[type=submit]")
    for _ in range(2):
        phone.tap("form .choice")
    phone.tap(".bot .button.big")
    phone.tap("form[action$='/advice'] button")
    phone.check_page()
    phone.tap(".turns .button")
    assert phone.text("#happened")
    phone.check_page()
