"""Demand tiles read together: each tile of the game lies in one city at most (R1.1, R1.4, R2.3, R5.7)."""

import random
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from by_hand import observation
from synthetic_table import BOARD
from test_faces import drawn

from engine import mini_express as game
from engine.mini_express.board import Board
from engine.mini_express.names import WILD, Pair
from vision import Observation, Scan
from vision.cells.faces import compared, fits_of_symbols, pairs_of
from vision.cells.odds import Odds
from vision.cells.places import HIDDEN_SHARE
from vision.cells.reading import Reading
from vision.state.demand import (
    SURE_P,
    SURE_TILE,
    Cards,
    Faces,
    Tile,
    laid_otherwise,
    laid_so,
    read_as_others,
    read_cards,
    tiles_by_cell,
)

TILES = game.built_in().demand_tiles
NAMES = (*game.COMPANIES, WILD)
START = {company: [BOARD.starts[company].at] for company in game.COMPANIES}


def showing(laid: dict[int, Pair]) -> Faces:
    """What a photo says of the faces that shows the symbols of the tiles in these cities."""
    plain = observation({})
    faces = np.zeros((len(plain.cells), len(pairs_of(plain.kinds))))
    for number, pair in laid.items():
        faces[row_of(number)] = likely([4.0 if name in pair else -4.0 for name in NAMES])
    return Faces(faces, np.zeros((len(faces),) * 2), np.ones(len(faces), bool))


def row_of(number: int) -> int:
    """The row of a city by its number."""
    return observation({}).index[BOARD.numbered[number].at]


def surface() -> SimpleNamespace:
    """A map whose cells are in the order of an observation's."""
    return SimpleNamespace(index=observation({}).index)


def read_in(seen: Observation, board: Board = BOARD, bot: bool | None = None) -> Cards:
    """What is read of a photo on which no tile can be told from another."""
    return read_cards(seen, showing({}), board, START, TILES, bot)


def likely(symbols: list[float]) -> Odds:
    """(pairs,): the log-likelihoods of the faces by the log odds of symbols."""
    return fits_of_symbols(np.array([symbols]))[0]


@pytest.fixture
def laid() -> dict[int, Pair]:
    order = np.random.default_rng(3).permutation(len(TILES))
    return {number: TILES[n] for number, n in zip(BOARD.numbered, order.tolist(), strict=True)}


def test_every_tile_is_read_in_its_city(laid: dict[int, Pair]) -> None:
    read = read_cards(observation({}), showing(laid), BOARD, START, TILES).tiles
    assert {tile.city: tile.pair for tile in read} == laid
    assert all(tile.p > 0.95 for tile in read)


def test_a_tile_that_hardly_shows_is_the_one_that_is_left(laid: dict[int, Pair]) -> None:
    """The game has one tile with brown twice (R1.1), so what looks like a second one is another."""
    faces = showing(laid)
    cities = {pair: number for number, pair in laid.items()}
    faces.fits[row_of(cities["gray", "orange"])] = likely([1.0, -0.5, -0.6, -2.0, -2.0])
    read = {tile.city: tile for tile in read_cards(observation({}), faces, BOARD, START, TILES).tiles}
    assert {city: tile.pair for city, tile in read.items()} == laid
    assert read[cities["gray", "orange"]].p > 0.9


def test_a_photo_that_does_not_show_a_city_says_nothing_of_its_tile(laid: dict[int, Pair]) -> None:
    """What two photos show counts twice, what covers the city in one of them does not."""
    city, faces = row_of(5), showing(laid).fits
    alike = {"agreement": np.zeros((len(faces),) * 2), "card": np.zeros(len(faces))}
    of_map = SimpleNamespace(centers=np.zeros((len(faces), 2)))
    above, aside = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.5])
    plain = SimpleNamespace(
        faces=faces, card_seen=np.ones(len(faces), bool), camera=above, surface=of_map, **alike
    )
    covered = SimpleNamespace(
        faces=faces[:, ::-1],
        card_seen=np.arange(len(faces)) != city,
        camera=aside,
        surface=of_map,
        **alike,
    )
    both, one = Faces.of([plain, covered]).fits, Faces.of([plain]).fits
    assert np.array_equal(both[city], one[city])
    assert not np.array_equal(both[row_of(7)], one[row_of(7)])


def test_a_tile_that_hardly_shows_is_what_those_say_that_look_like_it(laid: dict[int, Pair]) -> None:
    """Where three of four equal ones are read, the fourth need not be."""
    faces, pair = showing(laid), ("brown", "gray")
    equal = [row_of(number) for number, tile in laid.items() if tile == pair]
    faces.fits[equal[0]] = likely([-1.0, 1.0, -2.0, 1.0, -2.0])
    city = next(number for number in laid if row_of(number) == equal[0])

    def p_of_city() -> float:
        read = {tile.city: tile for tile in read_cards(observation({}), faces, BOARD, START, TILES).tiles}
        return read[city].p if read[city].pair == pair else 0.0

    alone = p_of_city()
    faces.same[np.ix_(equal, equal)] = 5.0
    assert p_of_city() > max(alone, SURE_TILE)


def test_nothing_seen_is_nothing_known() -> None:
    read = read_in(observation({})).tiles
    assert Counter(tile.pair for tile in read) == Counter(TILES)
    assert all(tile.p < 0.1 for tile in read)


def test_a_full_city_and_an_unseen_one_have_no_tile(laid: dict[int, Pair]) -> None:
    number, city = next((n, c) for n, c in BOARD.numbered.items() if c.capacity == 1)
    track = {**START, "gray": [*START["gray"], city.at]}
    shown, faces = observation({}), showing(laid)
    assert number not in {tile.city for tile in read_cards(shown, faces, BOARD, track, TILES).tiles}
    faces.seen[row_of(number)] = False
    assert number not in {tile.city for tile in read_cards(shown, faces, BOARD, START, TILES).tiles}


@pytest.mark.parametrize(
    ("card", "hidden", "read"), [(6.0, 0.0, True), (6.0, 0.3, True), (6.0, 0.6, False), (0.0, 0.3, False)]
)
def test_a_card_in_plain_view_is_read_though_a_part_of_its_hex_is_hidden(
    card: float, hidden: float, read: bool
) -> None:
    """Trains may stand behind what covers it, its tile does not."""
    cell = {"seen": np.array([hidden < HIDDEN_SHARE]), "card": np.array([card]), "hidden": np.array([hidden])}
    assert Reading.card_seen.func(SimpleNamespace(**cell)).tolist() == [read]


@pytest.mark.parametrize(
    ("target", "shown", "low", "high"), [(1, 6.0, 0.96, 1), (17, 1.0, 0.3, 0.9), (17, -4.5, 0, 0.04)]
)
def test_the_target_marker_lies_on_one_city_or_on_none(
    target: int, shown: float, low: float, high: float
) -> None:
    seen = observation({})
    seen.marker[:] = -6.0
    seen.marker[seen.index[BOARD.numbered[target].at]] = shown
    read = read_in(seen)
    assert read.target == target
    assert low <= read.target_p <= high


@pytest.mark.parametrize(("shown", "low", "high"), [(-1.0, 0.8, 0.96), (-9.0, 0.0, 0.04)])
def test_where_masinfira_plays_its_marker_mostly_lies_on_the_map(
    shown: float, low: float, high: float
) -> None:
    """R7.2: one that hardly shows is likelier than none; where nothing shows it lies off the map. Others have none."""
    seen = observation({})
    seen.marker[:] = -9.0
    seen.marker[seen.index[BOARD.numbered[17].at]] = shown
    assert low <= read_in(seen, bot=True).target_p <= high
    assert read_in(seen, bot=False).target_p == 0.0


def test_the_target_marker_may_lie_where_nobody_sees_it() -> None:
    """Which city that is nobody can say, and one where it hardly shows is no surer for it."""
    seen = observation({}, unseen={city.at for city in BOARD.cities})
    assert read_in(seen).target_p == pytest.approx(0.5 / len(BOARD.numbered))


@pytest.mark.parametrize(("shown", "there"), [(5.0, True), (-5.0, False)])
def test_a_card_on_the_hex_south_west_of_omaha_is_the_golden_spike_tile(shown: float, there: bool) -> None:
    """R10.1: nothing else ever lies on that landscape hex."""
    assert BOARD.spike is not None
    seen = observation({})
    row = seen.index[BOARD.spike.tile]
    seen.card[row] = shown
    assert (read_in(seen).spike_p > SURE_P) == there
    seen.seen[row] = False
    assert read_in(seen).spike_p == 0.0


def test_no_golden_spike_tile_on_a_map_without_its_hex() -> None:
    seen = observation({})
    seen.card[:] = 8.0
    assert read_in(seen, replace(BOARD, spike=None)).spike_p == 0.0


def photo_of(laid: dict[int, Pair], seen: bool = True) -> SimpleNamespace:
    """Tiles in symbols that nobody has ever taught."""
    rng, cells = np.random.default_rng(1), tiles_by_cell(surface(), BOARD, laid)
    windows = {cell: drawn(pair, rng) for cell, pair in cells.items()}
    agreement = np.zeros((500, 500))
    agreement[np.ix_([*windows], [*windows])] = compared([*windows.values()], None).each_other
    return SimpleNamespace(
        seen=np.full(500, seen), card=np.full(500, 5.0), shown=windows, agreement=agreement
    )


@pytest.mark.parametrize(("moved", "told"), [(0, False), (10, False), (32, True)])
def test_tiles_that_plainly_lie_otherwise_are_told(laid: dict[int, Pair], moved: int, told: bool) -> None:
    """A few may be said to lie elsewhere; laid by somebody else, hardly any lies where it is said to."""
    first = [*laid][:moved]
    elsewhere = random.Random(1).sample(first, moved)
    said = laid | {number: laid[other] for number, other in zip(first, elsewhere, strict=True)}
    assert laid_otherwise([photo_of(laid)], tiles_by_cell(surface(), BOARD, said)) is told


def test_of_too_few_tiles_nothing_is_told(laid: dict[int, Pair]) -> None:
    tiles = tiles_by_cell(surface(), BOARD, laid)
    assert laid_so([photo_of(laid, seen=False)], tiles) is None
    assert not laid_otherwise([photo_of(laid, seen=False)], tiles)
    assert laid_so([photo_of(laid)], tiles) > 0.9


@pytest.mark.parametrize(
    ("spike_p", "brown", "waits"),
    [(1.0, (), True), (0.5, (), False), (1.0, ("Omaha",), False), (1.0, ("San Francisco",), False)],
)
def test_the_golden_spike_waits_until_track_reaches_one_of_its_ends(
    spike_p: float, brown: tuple[str, ...], waits: bool
) -> None:
    """R10.2, R10.3: what lies there then is something else."""
    track = {**START, "brown": [*START["brown"], *(BOARD.city_named[name].at for name in brown)]}
    seen = SimpleNamespace(board=BOARD, cards=Cards(spike_p=spike_p), track=track)
    assert Scan.spike_waits.fget(seen) is waits


@pytest.mark.parametrize(("p", "lies_on", "asked"), [(0.01, 0, False), (0.5, 0, True), (0.999999, 7, False)])
def test_the_target_marker_is_claimed_where_it_clearly_lies_and_asked_where_it_may(
    p: float, lies_on: int, asked: bool
) -> None:
    seen = SimpleNamespace(before=None, cards=Cards(target=7, target_p=p))
    assert (Scan.target.fget(seen), Scan.doubtful_target.fget(seen)) == (lies_on, asked)


def test_a_tile_is_another_only_where_two_photos_are_sure_of_it() -> None:
    """R5.7: as long as its city is not full it lies there."""

    def seen(p: float, *pairs: Pair) -> Cards:
        return Cards(tuple(Tile(n, pair, p) for n, pair in enumerate(pairs, 1)))

    one, other = ("gray", "brown"), ("white", "orange")
    assert read_as_others([seen(0.99, one, one), seen(0.99, one, other)]) == [2]
    assert read_as_others([seen(0.99, one, one), seen(0.98, one, other)]) == []
    assert read_as_others([seen(0.99, one, other), seen(0.99, one)]) == []
