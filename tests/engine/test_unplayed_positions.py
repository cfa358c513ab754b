"""`unplayed` finds what breaks no invariant though no play leads to it: a played position is changed in one place."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import hex_of, position, until, with_number

from engine import mini_express as game
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES, INDEX
from engine.mini_express.state import State

SPIKE = {"modules": ["golden_spike"]}
EXPERTS = {"mode": "experts", "seats": ["red", "blue"]}
SOLO = {"mode": "solo", "difficulty": "tourist", "seats": ["red"]}


def played(seed: int, done: Callable[[State], bool], **agreed: Any) -> State:
    """The first position of a game at random that is as wanted, else its last one."""
    setup = {"seats": ["red", "blue", "purple"], **agreed}
    rng = random.Random(seed)
    return until(
        game.new(rng=rng, **setup),
        lambda state: state.phase == "over" or done(state),
        lambda state: rng.choice(game.legal_actions(state)),
    )


def under_way(state: State) -> bool:
    """Every company has built, and none is exhausted yet."""
    return all(track.bit_count() > 3 for track in state.track) and not state.exhausted()


def racing(state: State) -> bool:
    return state.spike is not None and state.spike.status == "building"


def with_train(state: State, company: str, place: Any) -> State:
    """A train more on a hex, or one less, from the supply or into it."""
    bit = 1 << state.board.index[hex_of(state.board, place)]
    c = INDEX[company]
    by = 1 if state.track[c] & bit else -1
    track = tuple(mask ^ bit if i == c else mask for i, mask in enumerate(state.track))
    return replace(state, track=track, supply=with_number(state.supply, company, by))


def dead_end(state: State) -> State:
    """Brown track one hex longer, into open country, where no other track of its own lies."""
    board, track = state.board, state.track[0]
    beside = board.grow(track) & board.landscape & ~track
    bit = next(b for b in board.hex_of if beside >> b & 1 and _neighbours(board, track, b) == 1)
    return with_train(state, "brown", board.hex_of[bit])


def _neighbours(board: Board, track: int, bit: int) -> int:
    return sum(track >> n & 1 for n in board.around[bit])


def out_of(part: str, by: int, to: str = "out") -> Callable[[], State]:
    """Brown shares moved from one place to another."""

    def changed() -> State:
        state = played(1, under_way)
        rows = {name: with_number(getattr(state, name), "brown", n) for name, n in ((part, -by), (to, by))}
        return replace(state, **rows)

    return changed


def spike(change: Callable[[State], State]) -> Callable[[], State]:
    def changed() -> State:
        return change(next(state for seed in range(50) if racing(state := played(seed, racing, **SPIKE))))

    return changed


def eastern(state: State) -> str:
    assert state.spike is not None
    assert state.spike.eastern is not None
    return COMPANIES[state.spike.eastern]


def without_eastern(state: State) -> State:
    """As if the tile had got no train, though there was one to put there."""
    assert state.spike is not None
    supply = with_number(state.supply, eastern(state), 1)
    return replace(state, spike=state.spike._replace(eastern=None), supply=supply)


def another_eastern(state: State) -> State:
    """A company that has not been in Omaha is said to be the eastern one."""
    assert state.spike is not None
    omaha = state.board.city_named["Omaha"].bit
    other = next(c for c, track in enumerate(state.track) if not track >> omaha & 1)
    return replace(state, spike=state.spike._replace(eastern=other))


def not_in_the_west(state: State) -> State:
    other = next(c for c in COMPANIES if c != eastern(state))
    return with_train(state, other, "San Francisco")


def without_port() -> State:
    """A company whose wild tile still lies in a city that was reached has no port."""

    def given_one(state: State) -> bool:
        return any(_own_wild(state))

    seeds = (played(seed, given_one, board="europe", modules=["ports"]) for seed in range(90))
    state = next(state for state in seeds if given_one(state))
    c = next(_own_wild(state))
    port = state.board.hexes(state.track[c] & state.board.port_mask)[0]
    return with_train(state, COMPANIES[c], port)


def _own_wild(state: State) -> Iterator[int]:
    """The companies that began at a port from which they have not built, and whose wild tile is still there."""
    for c, company in enumerate(COMPANIES):
        port = state.track[c] & state.board.port_mask
        tiles = [n for n, tile in enumerate(state.demand) if tile == (company, "wild")]
        there = any(state.companies_at(state.board.numbered[n].bit) for n in tiles)
        if port and there and state.supply[c] and not state.board.grow(port) & state.track[c] & ~port:
            yield c


def robbed() -> State:
    """A player has lost all shares to the offer."""
    state = played(1, under_way)
    rows = [*state.shares]
    offer = tuple(n + held for n, held in zip(state.offer, rows[1], strict=True))
    rows[1] = (0, 0, 0, 0)
    return replace(state, shares=tuple(rows), offer=offer)


def off_the_map(**agreed: Any) -> State:
    """Mašinfíra has had one turn, and its target marker was forgotten."""
    state = played(1, lambda state: state.bot is not None and bool(state.bot.target), **agreed)
    assert state.bot is not None
    return replace(state, bot=state.bot._replace(target=0))


CASES: list[tuple[str, str, Callable[[], State]]] = [
    ("built_value", "R5.5", lambda: _valued(played(1, under_way), 1)),
    ("built_value", "R5.5", lambda: _valued(played(1, under_way, **SOLO), -1)),
    ("dead_end", "R5.2", lambda: dead_end(played(1, under_way))),
    ("offer_dealt", "R2.1", out_of("out", 4, "offer")),
    ("out_least", "R2.1", out_of("out", 2, "offer")),
    ("out_most", "R3.2", out_of("offer", 4)),
    ("few_shares", "R2.4", robbed),
    (
        "few_shares",
        "R9.1",
        lambda: replace(played(1, under_way, **EXPERTS), shares=((2, 1, 1, 0), (1, 1, 1, 0))),
    ),
    ("influence_gained", "R5.6", lambda: _influential(played(1, under_way))),
    ("influence_gained", "R5.6", lambda: _influential(played(1, under_way, **SOLO))),
    ("spike_start", "R10.3", spike(not_in_the_west)),
    ("spike_end", "R10.3", spike(another_eastern)),
    ("spike_first", "R10.3", spike(without_eastern)),
    ("spike_end", "R10.3", spike(lambda state: with_train(state, eastern(state), "San Francisco"))),
    ("port_start", "R11.2", without_port),
    ("bot_moved", "R7.5", lambda: off_the_map(**SOLO)),
    ("bot_moved", "R7.5", lambda: off_the_map(mode="two_with_bot", seats=["red", "blue"])),
]


def _valued(state: State, by: int) -> State:
    return replace(state, value=with_number(state.value, "brown", by))


def _influential(state: State) -> State:
    return replace(state, influence=((*state.influence[0][:3], 999), *state.influence[1:]))


@pytest.mark.parametrize(("key", "rule", "changed"), CASES, ids=[f"{n}-{c[0]}" for n, c in enumerate(CASES)])
def test_it_is_found(key: str, rule: str, changed: Callable[[], State]) -> None:
    found = {problem.key: problem for problem in game.unplayed(changed())}
    assert found[key].rule == rule
    assert str(found[key])


@pytest.mark.parametrize(
    ("tile", "difficulty", "limit"),
    [
        ("gray gray", "passenger", 10),
        ("gray wild", "passenger", 12),
        (None, "passenger", 12),
        ("gray gray", "conductor", 13),
    ],
)
def test_after_one_build_there_is_so_much_influence_at_most(
    tile: str | None, difficulty: str, limit: int
) -> None:
    """R2.6: 1 everywhere; R5.6: 2 by the tile; R7.9: Mašinfíra 4 by a wild one; R7.16: 1 with each of its shares."""
    laid = {"track": {"gray": ["Denver"]}, "demand": {"Denver": tile}, "shares": {"masinfira": {"gray": 3}}}
    for more, told in ((0, False), (1, True)):
        held = {"red": {"gray": limit - 7 + more, "rest": 1}, "masinfira": 1}
        state = position(mode="solo", difficulty=difficulty, influence=held, sound=False, **laid)
        assert sum(map(sum, state.influence)) == limit + more
        assert ("influence_gained" in [problem.key for problem in game.unplayed(state)]) == told


@given(seed=st.integers(0, 10**6), steps=st.integers(0, 60), n=st.integers(0, 6))
def test_of_what_was_played_nothing_is_found(seed: int, steps: int, n: int) -> None:
    agreed: dict[str, Any] = [
        {"seats": ["red", "blue", "purple", "green"]},
        {"seats": ["red", "blue", "purple"], "modules": ["golden_spike"]},
        {"seats": ["red", "blue", "purple", "green", "yellow"], "board": "europe", "modules": ["ports"]},
        {"mode": "solo", "difficulty": "railwayman", "seats": ["red"], "modules": ["golden_spike"]},
        {"mode": "solo", "difficulty": "trainspotter", "seats": ["red"], "board": "europe"},
        {"mode": "two_with_bot", "seats": ["red", "blue"], "board": "europe", "modules": ["ports"]},
        {"mode": "experts", "seats": ["red", "blue"]},
    ][n]
    left = iter(range(steps))
    state = played(seed, lambda state: next(left, None) is None, **agreed)
    assert game.check(state) == []
    assert game.unplayed(state) == []


def test_after_a_refresh_tile_that_moves_no_marker_the_target_may_be_off_the_map() -> None:
    """R7.4: the first tile of Mašinfíra's first turn."""
    state = played(1, lambda state: state.phase == "play" and state.bot_moves, **SOLO)
    after = game.apply(state, game.Draw("refresh"))
    assert after.bot is not None and after.bot.target == 0
    assert game.unplayed(after) == []


@pytest.mark.parametrize(("supply", "told"), [(1, True), (0, False)])
def test_a_company_without_supply_was_given_no_port(supply: int, told: bool) -> None:
    """R11.2, R1.2"""
    laid = {"track": {"white": ["Sofia"]}, "demand": {"Sofia": "gray wild"}, "offer": {"gray": 0, "rest": 6}}
    state = position(board="europe", modules=["ports"], supply={"gray": supply}, sound=False, **laid)
    assert ("port_start" in [problem.key for problem in game.unplayed(state)]) == told


def test_the_first_in_omaha_may_have_had_no_train_for_the_tile_though_others_came_later() -> None:
    """R10.3"""
    there = {"track": {"gray": ["Omaha"], "white": ["Omaha"]}, "supply": {"gray": 0}}
    state = position(spike="building", sound=False, **SPIKE, **there)
    assert "spike_first" not in [problem.key for problem in game.unplayed(state)]
