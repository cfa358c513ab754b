"""The tracks that builds can have made: those of real games, and what is found is one (R5.2, R5.3)."""

import random
from math import log

import pytest
from games import BOARDS, late_game
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hexgrid import Hex, neighbours
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES, TRAINS
from vision.state.played import likely_tracks

USA = BOARDS["usa"]
CLEAR = 9.0
# Orange from Erie to Louisville, and by the hex X of the rulebook's example to Chicago.
ORANGE: set[Hex] = {(6, -6), (6, -5), (5, -4), (4, -3), (3, -3), (3, -4)}


def shown(board: Board, track: set[Hex]) -> dict[Hex, float]:
    """Log odds of a photo that shows a track without any doubt."""
    return {at: CLEAR if at in track else -CLEAR for at in board.index}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("board", "modules"),
    [
        ("usa", []),
        ("usa", ["capacity_two"]),
        ("usa", ["golden_spike"]),
        ("europe", []),
        ("europe", ["ports"]),
    ],
)
def test_every_track_of_a_game_is_found(board: str, modules: list[str], seed: int) -> None:
    state = late_game(board, modules, seed)
    for company in COMPANIES:
        track = set(state.hexes(company))
        assert likely_tracks(BOARDS[board], company, shown(BOARDS[board], track)).hexes == track


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(sorted(BOARDS)), st.sampled_from(COMPANIES), st.integers(0, 2**32))
def test_builds_alone_can_have_made_what_is_found(name: str, company: str, seed: int) -> None:
    """Whatever a photo seems to show: the engine's own routes lead from the start to the whole track."""
    board, rng = BOARDS[name], random.Random(seed)
    odds = {at: rng.gauss(-3, 4) for at in board.index if rng.random() < 0.95}
    found = likely_tracks(board, company, odds).best
    assert found.bit_count() <= TRAINS
    assert found in made_within(board, company, found)


def made_within(board: Board, company: str, whole: int) -> set[int]:
    """Every part of a track that the engine's routes can have made, new starts included."""
    todo = [1 << board.starts[company].bit]
    made = set(todo)
    west = {board.city_named[board.spike.west].bit} if board.spike else set()
    starts = {city.bit for city in board.starts.values()}
    while todo:
        track = todo.pop()
        reach = board.reach(COMPANIES.index(company), track)
        open_to_all = [city for city, _ in reach.cities if city.bit not in starts]
        masks = [board.mask(route) for city in open_to_all for route in reach.routes(city)]
        new_starts = west | (set() if track & board.port_mask else set(board.ports))
        for more in (*masks, *(1 << bit for bit in new_starts)):
            if more & ~whole == 0 and track | more not in made:
                made.add(track | more)
                todo.append(track | more)
    return made


def test_no_track_ends_in_open_country() -> None:
    """R5.2: a train beside the track and before no city is none, however likely it looks by itself."""
    start = USA.starts["brown"].at
    beside = next(n for n in neighbours(start) if n in USA.index and USA.landscape >> USA.index[n] & 1)
    tracks = likely_tracks(USA, "brown", {**shown(USA, {start}), beside: CLEAR})
    assert tracks.hexes == {start}
    assert tracks.odds[beside] < 0


def test_what_hardly_shows_on_the_only_way_is_there() -> None:
    """R5.3, the rulebook's example: from X to Tulsa there is one shortest route."""
    (way,) = USA.reach(COMPANIES.index("orange"), USA.mask(ORANGE)).routes(USA.city_named["Tulsa"])
    odds = {**shown(USA, ORANGE | set(way)), way[1]: -4.0}
    assert likely_tracks(USA, "orange", odds).hexes == ORANGE | set(way)


def test_of_routes_that_look_alike_all_are_open() -> None:
    """R5.3, the rulebook's example: orange has four shortest routes to Omaha, and the player chooses."""
    omaha = USA.city_named["Omaha"]
    routes = USA.reach(COMPANIES.index("orange"), USA.mask(ORANGE)).routes(omaha)
    unclear = {at for route in routes for at in route} - {omaha.at}
    odds = shown(USA, ORANGE | {omaha.at}) | dict.fromkeys(unclear, 0.0)
    tracks = likely_tracks(USA, "orange", odds)
    assert len(routes) == 4
    for at in unclear:
        share = sum(at in route for route in routes) / len(routes)
        assert tracks.odds[at] == pytest.approx(log(share / (1 - share)), abs=0.05)


def test_a_far_train_is_a_new_start_only_where_the_rules_know_one() -> None:
    """R10.3: a train in San Francisco is believed where it clearly shows, one in Denver far from all track is not."""
    start = USA.starts["gray"].at
    for name, believed in (("San Francisco", True), ("Denver", False)):
        at = USA.city_named[name].at
        assert (at in likely_tracks(USA, "gray", shown(USA, {start, at})).hexes) == believed


@pytest.mark.parametrize(("together", "odds"), [(1, -8.0), (1, -12.0), (2, -8.0)])
def test_a_way_that_looks_empty_is_taken_where_enough_hangs_on_it(together: int, odds: float) -> None:
    """R5.2: one hex of the only way from Erie that does not show at all, or two beside each other that hardly do."""
    missed = [(6, -5), (5, -4)][:together]
    assert likely_tracks(USA, "orange", {**shown(USA, ORANGE), **dict.fromkeys(missed, odds)}).hexes == ORANGE


def test_a_new_start_that_nobody_can_see_is_thought_of() -> None:
    """R10.3: track on either side of San Francisco, and a hand upon it."""
    west = USA.city_named["San Francisco"]
    city = USA.reach(1, 1 << west.bit).cities[0][0]
    track = {USA.starts["gray"].at, *USA.reach(1, 1 << west.bit).routes(city)[0]}
    odds = {at: value for at, value in shown(USA, track).items() if at != west.at}
    assert likely_tracks(USA, "gray", odds).hexes == track | {west.at}


def test_a_company_has_one_port_at_most() -> None:
    """R11.4."""
    europe = BOARDS["europe"]
    ports = {europe.hex_of[bit] for bit in europe.ports[:3]}
    found = likely_tracks(europe, "brown", shown(europe, {europe.starts["brown"].at} | ports)).hexes
    assert len(found & ports) == 1


def test_what_is_settled_is_not_outweighed() -> None:
    """What the rules or a person exclude no evidence makes up for."""
    way = next(iter(USA.reach(COMPANIES.index("orange"), USA.mask(ORANGE)).routes(USA.city_named["Tulsa"])))
    excluded = {**shown(USA, ORANGE | set(way)), way[-1]: -27.0}
    assert way[-1] not in likely_tracks(USA, "orange", excluded).hexes
