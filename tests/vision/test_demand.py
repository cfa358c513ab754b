"""Demand tiles read together: each tile of the game lies in one city at most (R1.1, R1.4, R2.3, R5.7)."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from synthetic_table import BOARD
from test_decode import observation

from engine import mini_express as game
from engine.mini_express.names import WILD
from vision import Observation
from vision.demand import SURE, Pair, read_cards
from vision.faces import fits_of_symbols
from vision.odds import Odds

TILES = game.built_in().demand_tiles
NAMES = (*game.COMPANIES, WILD)
START = {company: [BOARD.starts[company].at] for company in game.COMPANIES}


def showing(laid: dict[int, Pair], sure: float = 4.0) -> Observation:
    """A photo in which the symbols of the tiles in these cities show, with log odds of `sure`."""
    plain = observation({})
    faces = plain.faces.copy()
    for number, pair in laid.items():
        faces[plain.index[BOARD.numbered[number].at]] = likely(
            [sure if name in pair else -sure for name in NAMES]
        )
    return replace(plain, faces=faces)


def likely(symbols: list[float]) -> Odds:
    """(pairs,): the log-likelihoods of the faces by the log odds of symbols."""
    return fits_of_symbols(np.array([symbols]))[0]


@pytest.fixture
def laid() -> dict[int, Pair]:
    order = np.random.default_rng(3).permutation(len(TILES))
    return {number: TILES[n] for number, n in zip(BOARD.numbered, order.tolist(), strict=True)}


def test_every_tile_is_read_in_its_city(laid: dict[int, Pair]) -> None:
    read = read_cards(showing(laid), BOARD, START, TILES).tiles
    assert {tile.city: tile.pair for tile in read} == laid
    assert all(tile.p > 0.95 for tile in read)


def test_a_tile_that_hardly_shows_is_the_one_that_is_left(laid: dict[int, Pair]) -> None:
    """The game has one tile with brown twice (R1.4), so what looks like a second one is another."""
    seen = showing(laid)
    cities = {pair: number for number, pair in laid.items()}
    row = seen.index[BOARD.numbered[cities["gray", "orange"]].at]
    seen.faces[row] = likely([1.0, -0.5, -0.6, -2.0, -2.0])
    read = {tile.city: tile for tile in read_cards(seen, BOARD, START, TILES).tiles}
    assert {city: tile.pair for city, tile in read.items()} == laid
    assert read[cities["gray", "orange"]].p > 0.9


def test_nothing_seen_is_nothing_known() -> None:
    read = read_cards(showing({}), BOARD, START, TILES).tiles
    assert Counter(tile.pair for tile in read) == Counter(TILES)
    assert all(tile.p < 0.1 for tile in read)


def test_a_full_city_and_an_unseen_one_have_no_tile(laid: dict[int, Pair]) -> None:
    number, city = next((n, c) for n, c in BOARD.numbered.items() if c.capacity == 1)
    track = {**START, "gray": [*START["gray"], city.at]}
    assert number not in {tile.city for tile in read_cards(showing(laid), BOARD, track, TILES).tiles}
    hidden = showing(laid)
    hidden.seen[hidden.index[city.at]] = False
    assert number not in {tile.city for tile in read_cards(hidden, BOARD, START, TILES).tiles}


@pytest.mark.parametrize(
    ("target", "shown", "low", "high"), [(1, 6.0, 0.96, 1), (17, 1.0, 0.3, 0.9), (17, -4.5, 0, 0.04)]
)
def test_the_target_marker_lies_on_one_city_or_on_none(
    target: int, shown: float, low: float, high: float
) -> None:
    seen = observation({})
    seen.marker[:] = -6.0
    seen.marker[seen.index[BOARD.numbered[target].at]] = shown
    read = read_cards(seen, BOARD, START, TILES)
    assert read.target == target
    assert low <= read.target_p <= high


def test_the_target_marker_may_lie_where_nobody_sees_it() -> None:
    """Which city that is nobody can say, and one where it hardly shows is no surer for it."""
    seen = observation({}, unseen={city.at for city in BOARD.cities})
    assert read_cards(seen, BOARD, START, TILES).target_p == pytest.approx(0.5 / len(BOARD.numbered))


@pytest.mark.parametrize(("shown", "there"), [(5.0, True), (-5.0, False)])
def test_a_card_on_the_hex_south_west_of_omaha_is_the_golden_spike_tile(shown: float, there: bool) -> None:
    """R10.1: nothing else ever lies on that landscape hex."""
    assert BOARD.spike is not None
    seen = observation({})
    row = seen.index[BOARD.spike.tile]
    seen.card[row] = shown
    assert (read_cards(seen, BOARD, START, TILES).spike_p > SURE) == there
    seen.seen[row] = False
    assert read_cards(seen, BOARD, START, TILES).spike_p == 0.0


def test_no_golden_spike_tile_on_a_map_without_its_hex() -> None:
    seen = observation({})
    seen.card[:] = 8.0
    assert read_cards(seen, replace(BOARD, spike=None), START, TILES).spike_p == 0.0
