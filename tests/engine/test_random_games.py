"""Random games of every kind: what must hold at every step of every game (R1.2, R1.3, R3.1, R3.2)."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import builds_of
from strategies import LONGEST_GAME, played, positions, set_ups

from engine import mini_express as game
from engine.catalogue import texts
from engine.mini_express.names import COMPANIES, MASINFIRA
from engine.mini_express.notation import action_from_text, action_to_text
from engine.mini_express.record import Game
from engine.mini_express.state import State

SEEDS = st.integers(0, 2**32)


def assert_conserved(state: State) -> None:
    """R1.2: 25 trains and 9 shares of each company, counted once more by hand."""
    obj = game.state_to_json(state)
    spike = obj["golden_spike"] or {}
    for company in COMPANIES:
        numbers = obj["companies"][company]
        on_tile = [spike.get("eastern"), spike.get("western")].count(company)
        trains = len(obj["track"][company]) + numbers["reservoir"] + numbers["supply"] + on_tile
        shares = numbers["offer"] + numbers["aside"] + numbers["out"]
        assert trains == 25
        assert shares + sum(held[company] for held in obj["shares"].values()) == 9
        assert all(number >= 0 for number in numbers.values())
        assert numbers["reservoir"] <= 5
        assert numbers["value"] <= 15
        assert numbers["supply"] > 0 or numbers["offer"] == 0


def assert_room(state: State) -> None:
    """R1.3: no city holds more companies than its rim says, but San Francisco after R10.3."""
    raced = state.spike is not None and state.spike.status in ("building", "linked")
    for city in state.board.numbered.values():
        if not (raced and city.name == "San Francisco"):
            assert state.companies_at(city.bit) <= city.capacity


class TestEveryStep:
    """Invariants of a whole game."""

    @staticmethod
    def play(set_up: dict[str, Any], seed: int, builder: bool) -> int:
        """Play it through; how many actions it took."""
        before, steps = None, -1
        for state, actions, _ in played(set_up, seed, builder=builder):
            steps += 1
            assert_conserved(state)
            assert_room(state)
            assert game.check(state) == []
            assert bool(actions) == (state.phase != "over")
            if before is not None:
                assert all(old & new == old for old, new in zip(before.track, state.track, strict=True))
                assert all(old <= new for old, new in zip(before.value, state.value, strict=True))
            before = state
        assert before is not None and before.phase == "over"
        return steps

    @given(set_ups(), SEEDS, st.booleans())
    @settings(max_examples=60)
    def test_what_must_hold_holds(self, set_up: dict[str, Any], seed: int, builder: bool) -> None:
        """Conservation, capacity, `check`, no dead end, an end; trains never leave, values never fall."""
        assert self.play(set_up, seed, builder) < LONGEST_GAME / 4

    @pytest.mark.slow
    @given(set_ups(), SEEDS, st.booleans())
    @settings(max_examples=300)
    def test_what_must_hold_holds_in_many_games(
        self, set_up: dict[str, Any], seed: int, builder: bool
    ) -> None:
        """The same, longer."""
        assert self.play(set_up, seed, builder) < LONGEST_GAME / 4


class TestLegalActions:
    """`legal_actions` and `apply` agree."""

    @given(positions())
    @settings(max_examples=60)
    def test_every_legal_action_applies(self, state: State) -> None:
        """No action that is listed is refused, and none is listed twice."""
        actions = game.legal_actions(state)
        assert len(set(actions)) == len(actions)
        for action in actions:
            assert_conserved(game.apply(state, action))

    @given(positions(), st.data())
    @settings(max_examples=150)
    def test_what_is_not_listed_is_refused(self, state: State, data: st.DataObject) -> None:
        """A legal build changed in one place is legal only if it is listed."""
        builds = builds_of(state)
        if not builds:
            return
        build = data.draw(st.sampled_from(builds))
        hexes = st.sampled_from([p.at for p in state.board.printed])
        companies, longer = st.sampled_from(COMPANIES), st.lists(hexes, min_size=1, max_size=5)
        at = data.draw(st.integers(0, len(build.route) - 1))
        mutated = data.draw(
            st.sampled_from(
                [
                    replace(build, company=data.draw(companies)),
                    replace(build, route=(*build.route[:at], data.draw(hexes), *build.route[at + 1 :])),
                    replace(build, route=(*build.route[:at], *build.route[at + 1 :]) or build.route),
                    replace(build, route=tuple(reversed(build.route))),
                    replace(build, route=tuple(data.draw(longer))),
                    replace(build, wild=data.draw(st.none() | companies)),
                    replace(build, port=data.draw(st.none() | hexes)),
                    replace(build, western=data.draw(st.none() | companies)),
                ]
            )
        )
        if mutated in game.legal_actions(state):
            game.apply(state, mutated)
        else:
            with pytest.raises(game.IllegalAction):
                game.apply(state, mutated)

    @given(positions(humans=False))
    @settings(max_examples=40)
    def test_chances_are_those_of_the_legal_draws(self, state: State) -> None:
        """In Mašinfíra's turn: the same actions, and the chances make 1."""
        chances = dict(game.chance(state))
        assert list(chances) == game.legal_actions(state)
        assert sum(chances.values()) == pytest.approx(1 if chances else 0)


class TestTextForms:
    """What is written can be read back."""

    @given(positions())
    @settings(max_examples=60)
    def test_actions(self, state: State) -> None:
        """As JSON and as one line of notation."""
        for action in game.legal_actions(state):
            assert game.action_from_json(json.loads(json.dumps(game.action_to_json(action)))) == action
            assert action_from_text(action_to_text(action)) == action

    @given(set_ups(), SEEDS)
    @settings(max_examples=25)
    def test_states(self, set_up: dict[str, Any], seed: int) -> None:
        """Every state of a game."""
        for state, _, _ in played(set_up, seed, builder=True):
            again = game.state_from_json(json.loads(json.dumps(game.state_to_json(state))))
            assert again == state
            assert hash(again) == hash(state)

    @given(set_ups(), SEEDS)
    @settings(max_examples=25)
    def test_games_replay_to_the_same_states(self, set_up: dict[str, Any], seed: int) -> None:
        """A game is where it began and the list of its actions; as text it can be read back."""
        steps = list(played(set_up, seed))
        record = Game(steps[0][0], tuple(action for _, _, action in steps[:-1]))
        assert record.states == tuple(state for state, _, _ in steps)
        assert Game.from_text(record.to_text()) == record
        assert record.undo().state == steps[-2][0]


class TestTheLog:
    """What happened, told."""

    @given(set_ups(), SEEDS, st.sampled_from(["cs", "ko", "en"]))
    @settings(max_examples=25)
    def test_every_event_is_a_sentence(self, set_up: dict[str, Any], seed: int, lang: str) -> None:
        """With its clause and without open gaps, in each language; and telling changes nothing."""
        for state, _, action in played(set_up, seed, builder=True):
            if action is None:
                break
            after, events = game.play(state, action)
            assert after == game.apply(state, action)
            for event in events:
                assert event.rule.startswith("R")
                said = texts(lang).told(event)
                assert said
                assert "{" not in said

    @given(set_ups(), SEEDS)
    @settings(max_examples=25)
    def test_scores_are_sums_and_the_winner_has_most(self, set_up: dict[str, Any], seed: int) -> None:
        """R6.2, R6.3 at the end of the game."""
        *_, (state, _, _) = played(set_up, seed)
        scored = game.score(state)
        totals = {seat: s["total"] for seat, s in scored["seats"].items()}
        for seat in scored["seats"].values():
            assert seat["total"] == sum(c["worth"] * c["shares"] for c in seat["companies"].values())
        assert totals[scored["winner"]] == max(totals.values())
        if set_up["mode"] == "solo" and len(set(totals.values())) == 1:
            assert scored["winner"] == MASINFIRA
