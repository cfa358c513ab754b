"""R4: taking a share, what it costs and the trains that follow it."""

import pytest
from positions import held, influence, keys, number, position, refused

from engine import mini_express as game


@pytest.mark.parametrize("trains", [1, 2, 3, 4, 5])
def test_a_share_costs_the_trains_in_the_reservoir(trains: int) -> None:
    """R4.1: one influence in this company for each train."""
    state = position(reservoir={"white": trains, "rest": 4}, influence={"red": {"white": 7, "rest": 1}})
    after = game.apply(state, game.TakeShare("white"))
    assert influence(after, "red", "white") == 7 - trains
    assert after.influence[0][:3] == state.influence[0][:3]


@pytest.mark.parametrize("trains", [1, 2, 3, 4, 5])
def test_without_enough_influence_it_is_illegal(trains: int) -> None:
    """R4.1: influence never goes below zero."""
    state = position(
        reservoir={"white": trains, "rest": 4}, influence={"red": {"white": trains - 1, "rest": 9}}
    )
    problem = refused(state, game.TakeShare("white"))
    assert (problem.key, problem.rule) == ("no_influence", "R4.1")
    assert (problem.values["cost"], problem.values["has"]) == (trains, trains - 1)


def test_just_enough_influence_will_do() -> None:
    """R4.1: down to 0."""
    state = position(reservoir={"white": 3, "rest": 4}, influence={"red": {"white": 3}})
    assert influence(game.apply(state, game.TakeShare("white")), "red", "white") == 0


def test_influence_in_other_companies_or_of_other_players_does_not_count() -> None:
    """R4.1: only one's own, in this company."""
    state = position(
        reservoir={"white": 3, "rest": 4}, influence={"red": {"white": 2, "rest": 9}, "blue": {"white": 9}}
    )
    assert game.TakeShare("white") not in game.legal_actions(state)


def test_with_an_empty_reservoir_it_costs_nothing() -> None:
    """R4.1."""
    state = position(reservoir={"white": 0, "rest": 4}, influence={"red": 0})
    after = game.apply(state, game.TakeShare("white"))
    assert held(after, "red", "white") == 1
    assert influence(after, "red", "white") == 0
    assert "took_share_free" in keys(state, game.TakeShare("white"))


@pytest.mark.parametrize(("before", "after"), [(0, 3), (1, 4), (2, 5), (3, 5), (4, 5), (5, 5)])
def test_three_trains_follow_but_never_more_than_five(before: int, after: int) -> None:
    """R4.2: what is too many stays in the supply."""
    state = position(reservoir={"brown": before, "rest": 4}, influence={"red": 5})
    played = game.apply(state, game.TakeShare("brown"))
    assert number(played, "reservoir", "brown") == after
    assert number(state, "supply", "brown") - number(played, "supply", "brown") == after - before


@pytest.mark.parametrize("supply", [1, 2])
def test_no_more_trains_than_there_are(supply: int) -> None:
    """R4.2, R3.2: the supply gives what it has, and is empty."""
    state = position(reservoir={"brown": 1, "rest": 4}, supply={"brown": supply})
    after = game.apply(state, game.TakeShare("brown"))
    assert number(after, "reservoir", "brown") == 1 + supply
    assert number(after, "supply", "brown") == 0
    assert number(after, "offer", "brown") == 0


def test_the_last_share_is_still_followed_by_trains() -> None:
    """R4.2 says nothing of the offer."""
    state = position(reservoir={"brown": 1, "rest": 4}, offer={"brown": 1, "rest": 3})
    assert number(game.apply(state, game.TakeShare("brown")), "reservoir", "brown") == 4


def test_value_and_track_do_not_change() -> None:
    """R4: a share is only a share."""
    state = position(reservoir=1, value=3)
    after = game.apply(state, game.TakeShare("brown"))
    assert (after.value, after.track, after.demand) == (state.value, state.track, state.demand)
