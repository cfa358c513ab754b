"""Advice: which actions are good, and why."""

import random
import time
from statistics import mean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from positions import position
from strategies import positions

from engine import mini_express as game
from engine.mini_express.advice import first_sight
from engine.mini_express.advice.advise import ranked
from engine.mini_express.advice.search import Node, Search, Tried, _remember, played_out
from engine.mini_express.state import State

SEEDS = st.integers(0, 2**32)
LAST_TURN = {"phase": "play", "offer": {"brown": 0, "gray": 0, "rest": 4}, "to_move": "purple"}
"""Two companies are exhausted, and the last of three players has the last action of the game (R3.3)."""


def searched(state: State, times: int, seed: int = 1) -> Search:
    """After so many lines of play, the same each time."""
    search = Search(state, random.Random(seed))
    for _ in range(times):
        search.try_once()
    return search


def thought(state: State, times: int, seed: int = 1) -> list[game.Advice]:
    return ranked(searched(state, times, seed))


def points(state: State, seat: str) -> float:
    """What a seat has, less what the others have in the mean."""
    totals = {name: part["total"] for name, part in game.score(state)["seats"].items()}
    return totals.pop(seat) - mean(totals.values())


class TestFirstSight:
    """What an action brings at once."""

    @given(positions())
    @pytest.mark.slow
    def test_a_gain_is_the_change_of_the_score(self, state: State) -> None:
        assume(state.phase == "play" and state.spike is None)
        groups = first_sight.by_likeness(game.legal_actions(state))
        now = points(state, state.seat)
        for alike, gain in zip(groups, first_sight.gains(state, groups), strict=True):
            for action in alike:
                assert points(game.apply(state, action), state.seat) - now == pytest.approx(gain)

    @given(positions())
    def test_every_action_is_in_one_group(self, state: State) -> None:
        actions = game.legal_actions(state)
        grouped = [action for alike in first_sight.by_likeness(actions) for action in alike]
        assert sorted(map(repr, grouped)) == sorted(map(repr, actions))

    def test_the_highest_gain_is_chosen(self) -> None:
        state = position(**LAST_TURN, value={"orange": 12, "rest": 1}, reservoir=0)
        chosen = first_sight.choose(state, game.legal_actions(state), random.Random(1), noise=0)
        assert chosen == game.TakeShare("orange")

    def test_noise_makes_other_actions_possible_and_the_best_the_most_frequent(self) -> None:
        state = position(**LAST_TURN, value={"orange": 12, "white": 9}, reservoir=0)
        actions, rng = game.legal_actions(state), random.Random(1)
        chosen = [first_sight.choose(state, actions, rng, noise=3.0) for _ in range(200)]
        assert 100 < chosen.count(game.TakeShare("orange")) < 200


class TestSearch:
    """Lines of play tried out."""

    @settings(max_examples=25)
    @given(positions(), SEEDS)
    @pytest.mark.slow
    def test_every_legal_action_is_ranked_and_every_line_counted(self, state: State, seed: int) -> None:
        assume(state.phase != "over" and not state.bot_moves)
        advice = ranked(search := searched(state, 12, seed))
        assert sorted(repr(each.action) for each in advice) == sorted(map(repr, game.legal_actions(state)))
        assert sum(each.times for each in advice) == search.times >= 12
        assert [each.times > 0 for each in advice] == sorted(
            (each.times > 0 for each in advice), reverse=True
        )
        for each in advice:
            assert (each.won is None) == (each.ahead is None) == (each.times == 0)
            assert each.won is None or 0 <= each.won <= 1

    @settings(max_examples=25)
    @given(positions(), SEEDS)
    def test_a_game_that_is_played_out_is_over(self, state: State, seed: int) -> None:
        end = played_out(state, random.Random(seed))
        assert end.phase == "over"
        assert not game.check(end)

    @pytest.mark.slow
    def test_the_same_chance_gives_the_same_advice(self) -> None:
        state = position(mode="solo", value=3)
        assert thought(state, 60, seed=5) == thought(state, 60, seed=5)
        assert thought(state, 60, seed=5) != thought(state, 60, seed=6)

    def test_a_few_good_lines_do_not_beat_many(self) -> None:
        lucky = Tried(game.TakeShare("brown"), 0.5, visits=2, value=1.8)
        proved = Tried(game.TakeShare("gray"), 0.5, visits=100, value=80)
        assert proved.lower_bound > lucky.lower_bound > Tried(game.TakeShare("white"), 0.5).lower_bound

    def test_one_victory_does_not_beat_what_wins_half_of_a_hundred_games(self) -> None:
        lucky = Tried(game.TakeShare("brown"), 0.5, visits=1, value=0.97)
        assert Tried(game.TakeShare("gray"), 0.5, visits=95, value=44).lower_bound > lucky.lower_bound

    def test_however_good_what_may_come_has_proved_it_does_not_beat_a_victory_at_once(self) -> None:
        over = Node(position(phase="over", offer={"brown": 0, "gray": 0, "rest": 5}))
        narrow = Tried(game.TakeShare("brown"), 0.5, visits=1, value=0.6, won=1, then=over)
        promising = Tried(game.TakeShare("gray"), 0.5, visits=1000, value=990, won=1000)
        assert narrow.lower_bound > promising.lower_bound
        assert (
            Tried(game.TakeShare("white"), 0.5, visits=1, value=0.6, then=over).lower_bound
            < promising.lower_bound
        )

    def test_to_win_a_tie_is_better_than_to_lose_it(self) -> None:
        """R9.3: of two with as many points the one with fewer shares wins."""
        end = position(mode="experts", offer={"gray": 3, "rest": 4}, value={"white": 8},
                       shares={"red": {"gray": 5}, "blue": {"white": 2}})  # fmt: skip
        red, blue = (Tried(game.TakeShare("brown"), 0.5) for _ in end.setup.seats)
        _remember([(0, red), (1, blue)], end)
        assert (red.ahead, red.won, blue.ahead, blue.won) == (0, 0, 0, 1)
        assert blue.value > red.value

    def test_a_victory_at_once_beats_whatever_else_may_come(self) -> None:
        """R9.3: the last share of gray ends the game, and red is ahead; going on might bring more."""
        state = position(mode="experts", offer={"gray": 1, "rest": 4}, reservoir=0, value={"gray": 1, "rest": 12},
                         influence={"red": 5}, shares={"red": 2, "blue": {"gray": 1, "rest": 2}})  # fmt: skip
        assert thought(state, 100)[0].action == game.TakeShare("gray")

    def test_the_last_action_of_a_game_is_the_one_with_the_most_points(self) -> None:
        state = position(
            **LAST_TURN, value={"orange": 7, "white": 12, "rest": 3}, shares={"purple": 1}, reservoir=2,
            influence={"purple": 3},
        )  # fmt: skip
        best = max(points(game.apply(state, action), "purple") for action in game.legal_actions(state))
        assert points(game.apply(state, thought(state, 300)[0].action), "purple") == best


def test_nobody_is_advised_where_nobody_has_a_choice() -> None:
    solo = position(mode="solo", to_move="masinfira")
    assert game.advise(solo, 0.1, random.Random(1)) == []
    over = position(mode="solo", phase="over", offer={"brown": 0, "gray": 0, "rest": 5})
    assert game.advise(over, 0.1, random.Random(1)) == []


def test_where_nothing_is_left_to_find_out_nobody_waits() -> None:
    state = position(**LAST_TURN, reservoir=0)
    began = time.monotonic()
    advice = game.advise(state, 60, random.Random(1))
    assert time.monotonic() - began < 30
    assert [each.times for each in advice] == [1] * len(advice)
    assert all(each.ends for each in advice)


def test_an_action_that_ends_the_game_says_so() -> None:
    advice = thought(position(**LAST_TURN, reservoir=0, influence={"purple": 3}, shares={"purple": 2}), 1)
    assert {each.outlook.key for each in advice} == {"wins_at_once"}
    lost = thought(position(**LAST_TURN, reservoir=0, value=9, shares={"red": 2}), 1)
    assert {each.outlook.key for each in lost} == {"ends_at_once"}


def test_thinking_takes_the_time_it_is_given_and_tells_how_far_it_is() -> None:
    told: list[float] = []
    advice = game.advise(position(), 0.2, random.Random(1), told.append)
    assert sum(each.times for each in advice) == len(told)
    assert told == sorted(told)
    assert 0 <= told[0] < 1


def test_without_any_time_one_line_is_tried_and_all_the_time_is_over() -> None:
    told: list[float] = []
    advice = game.advise(position(), 0, random.Random(1), told.append)
    assert sum(each.times for each in advice) == 1
    assert told == [1.0]


class TestReasons:
    """What speaks for an action."""

    def test_points_change_for_who_acts_and_for_rivals(self) -> None:
        """Red pays one of its 3 influence (R4.1) and is tied with blue, which comes up to the first column (R6.1)."""
        influence = {"red": {"orange": 3}, "blue": {"orange": 2}}
        state = position(
            value={"orange": 12}, reservoir=1, influence=influence, shares={"blue": {"orange": 1}}
        )
        first, second, _ = state.setup.pack.values[12]
        price, *told = game.reasons(state, game.TakeShare("orange"))
        assert (price.key, price.rule, price.values["cost"]) == ("took_share", "R4.1", 1)
        assert [(event.key, event.rule) for event in told] == [("points_change", "R6.2")] * 2
        assert [event.values for event in told] == [
            {"seat": "red", "company": "orange", "before": 0, "after": first},
            {"seat": "blue", "company": "orange", "before": second, "after": first},
        ]

    def test_the_beginning_of_the_end_is_told(self) -> None:
        state = position(offer={"brown": 0, "gray": 1, "rest": 4}, reservoir=0)
        reasons = game.reasons(state, game.TakeShare("gray"))
        assert ("end_begins", "R3.3") in [(event.key, event.rule) for event in reasons]

    def test_the_end_is_told(self) -> None:
        state = position(**LAST_TURN, reservoir=0)
        keys = [event.key for event in game.reasons(state, game.TakeShare("white"))]
        assert "game_over" in keys
        assert "end_begins" not in keys

    @given(positions())
    def test_every_reason_is_a_change_of_the_score(self, state: State) -> None:
        assume(state.phase != "over" and not state.bot_moves)
        action = game.legal_actions(state)[0]
        after = game.apply(state, action)
        told = dict.fromkeys(state.setup.seats, 0)
        for event in game.reasons(state, action):
            if event.key == "points_change":
                told[event.values["seat"]] += event.values["after"] - event.values["before"]
        scores = [game.score(each)["seats"] for each in (state, after)]
        assert told == {seat: scores[1][seat]["total"] - scores[0][seat]["total"] for seat in told}


@pytest.mark.slow
def test_the_advice_wins_where_first_sight_loses() -> None:
    """Six games against the hardest Mašinfíra (R7.17), the same tiles for both."""

    def won(seed: int, times: int) -> bool:
        rng = random.Random(seed)
        state = game.new(mode="solo", difficulty="railwayman", seats=["red"], rng=rng)
        while actions := game.legal_actions(state):
            if draws := game.chance(state):
                action = rng.choices([draw for draw, _ in draws], [p for _, p in draws])[0]
            elif times:
                action = thought(state, times, seed)[0].action
            else:
                action = first_sight.choose(state, actions, rng, noise=0)
            state = game.apply(state, action)
        return game.score(state)["winner"] == "red"

    assert sum(won(seed, 60) for seed in range(6)) > sum(won(seed, 0) for seed in range(6)) + 1
