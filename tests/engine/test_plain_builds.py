"""The engine's bit masks against the plain search of `plain.py`, on positions of random games (R5, R7.7, R7.8)."""

import pytest
from hypothesis import given, settings
from plain import PlainMap, Route, legal_builds, next_to
from positions import builds_of
from strategies import positions, races

from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.bot import candidates, choose_route
from engine.mini_express.names import COMPANIES
from engine.mini_express.state import State

FAR = 10**6


def assert_same_builds(state: State) -> None:
    """All of them, with the choices of wild tiles, ports and western companies; R9.2 forbids some."""
    if state.used is None:
        assert set(builds_of(state)) == legal_builds(state)
    else:
        allowed = {b for b in legal_builds(state) if b.company != COMPANIES[state.used or 0]}
        assert set(builds_of(state)) <= allowed
        for build in allowed - set(builds_of(state)):
            with pytest.raises(game.IllegalAction) as refusal:
                game.apply(state, build)
            assert refusal.value.key == "second_ends"


@given(positions())
@settings(max_examples=80)
def test_legal_builds(state: State) -> None:
    """R5.1–R5.3, R5.6, R10.4, R11.2."""
    assert_same_builds(state)


@pytest.mark.slow
@given(positions())
@settings(max_examples=300)
def test_legal_builds_in_many_positions(state: State) -> None:
    """The same, longer."""
    assert_same_builds(state)


@given(races())
@settings(max_examples=40)
def test_legal_builds_near_the_link(state: State) -> None:
    """R10.4: who may become the western company, and when."""
    assert_same_builds(state)


@pytest.mark.slow
@given(races())
@settings(max_examples=150)
def test_legal_builds_near_the_link_in_many_positions(state: State) -> None:
    """The same, longer."""
    assert_same_builds(state)


def plain_choice(state: State, company: str) -> tuple[str, set[Route], Hex] | None:
    """Mašinfíra's city, its shortest routes there and its start hex, straight from R7.7 and R7.8."""
    plain = PlainMap(state.board, state.setup.modules)
    track = {c: set(state.hexes(c)) for c in COMPANIES}
    trains = state.reservoir[COMPANIES.index(company)]
    target = next((at for at, n in plain.number.items() if state.bot and n == state.bot.target), None)
    found = []
    for city, number in plain.number.items():
        here = [c for c in COMPANIES if city in track[c]]
        routes = plain.shortest_routes(track[company], city, trains)
        if routes and state.demand[number] and company not in here:
            steps = plain.steps(target, city) if target else None
            distance = FAR if steps is None else steps
            found.append(((distance, len(min(routes)), -len(here), -number), plain.name[city], routes))
    if not found:
        return None
    _, name, routes = min(found, key=lambda one: one[0])
    starts = {at for route in routes for at in next_to(route[0]) if at in track[company]}
    return name, routes, min(starts, key=lambda at: (-at[0], at[1]))


def runs_clockwise(start: Hex, route: Route, other: Route) -> bool:
    """Wherever the two part and meet again: does the route have the enclosed area on its right?"""
    at = 0
    while at < len(route):
        end = at
        while route[end] != other[end]:
            end += 1
        before = route[at - 1] if at else start
        loop = [before, *route[at : end + 1], *reversed(other[at:end])]
        # With q to the east and r to the south-east the orientation is that of the map, y downwards.
        turn = sum(q * r2 - q2 * r for (q, r), (q2, r2) in zip(loop, [*loop[1:], loop[0]], strict=True))
        if end > at and turn <= 0:
            return False
        at = end + 1
    return True


def assert_same_choice(state: State) -> None:
    for c, company in enumerate(COMPANIES):
        expected = plain_choice(state, company)
        found = candidates(state, c)
        if expected is None:
            assert found == []
            continue
        name, routes, start = expected
        assert found[0].city.name == name
        choice = choose_route(state, c, found[0].city)
        from_start = {route for route in routes if route[0] in next_to(start)}
        assert (set(choice.routes), choice.start, set(choice.from_start)) == (routes, start, from_start)
        assert choice.chosen in from_start
        assert all(runs_clockwise(start, choice.chosen, other) for other in from_start)


@given(positions(humans=False))
@settings(max_examples=60)
def test_masinfiras_city_start_and_route(state: State) -> None:
    """R7.7, R7.8: nearest city with its tie-breaks, start hex, and the clockwise rule against every other route."""
    if state.bot is not None:
        assert_same_choice(state)


@pytest.mark.slow
@given(positions(humans=False))
@settings(max_examples=300)
def test_masinfiras_choices_in_many_positions(state: State) -> None:
    """The same, longer."""
    if state.bot is not None:
        assert_same_choice(state)
