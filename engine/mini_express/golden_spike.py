"""The Golden Spike module of the USA map (R10).

Track *links* along neighbouring hexes of one company and between companies inside one hex (R10.4). A
*branch* is everything linked with one place, as a mask of hexes.
"""

from functools import lru_cache

from .actions import Build
from .board import Board, City, SpikeCities
from .compensation import supply_after
from .names import COMPANIES, INDEX
from .state import Counts, Spike, State
from .table import Table

BONUS = 2


@lru_cache(maxsize=256)
def branch(board: Board, track: Counts, seed: int) -> int:
    """All hexes linked with the track on the hexes of `seed`."""
    found = seed & (track[0] | track[1] | track[2] | track[3])
    while True:
        grown = found
        for company in track:
            grown |= board.piece(company, grown)
        if grown == found:
            return found
        found = grown


def western_choices(state: State, action: Build) -> tuple[str, ...]:
    """The companies one of which becomes the western one if this build makes the link; () if it does not."""
    if state.spike is None or state.spike.status in ("linked", "off"):
        return ()
    places, board = state.board.spike, state.board
    assert places is not None
    if state.spike.status == "waiting" and action.route[-1] != board.city_named[places.east].at:
        return ()
    east, west = (1 << board.city_named[name].bit for name in (places.east, places.west))
    route = board.mask(action.route)
    if state.spike.status == "waiting":
        return _choices_at_start(state, action, route, east, west)
    joints = _joints(state, action, route, east, west)
    if not joints:
        return ()
    track = list(state.track)
    track[INDEX[action.company]] |= route
    return _companies_on(track, joints, state.spike.eastern)


def _choices_at_start(state: State, action: Build, route: int, east: int, west: int) -> tuple[str, ...]:
    """The link made by the very trains that R10.3 places: it joins in San Francisco."""
    track, builder, supply = list(state.track), INDEX[action.company], supply_after(state, action)
    track[builder] |= route
    for c in range(len(COMPANIES)):
        if c != builder and supply[c]:
            track[c] |= west
    if not branch(state.board, tuple(track), east) & west:
        return ()
    return _companies_on(track, west, builder if supply[builder] else None)


def _joints(state: State, action: Build, route: int, east: int, west: int) -> int:
    """The hexes where the new track joined the two branches (R10.4); 0 when it does not join them."""
    board, own = state.board, state.track[INDEX[action.company]]
    eastern, western = branch(board, state.track, east), branch(board, state.track, west)
    touching_east = route & (eastern | board.grow(eastern & own))
    touching_west = route & (western | board.grow(western & own))
    if not touching_east or not touching_west or eastern & western:
        return 0
    piece = board.piece(own, board.grow(1 << board.index[action.route[0]]))
    from_east, from_west = bool(piece & eastern), bool(piece & western)
    if from_east == from_west:
        return touching_east & touching_west if from_east else touching_east | touching_west
    return touching_west if from_east else touching_east


def _companies_on(track: list[int], hexes: int, eastern: int | None) -> tuple[str, ...]:
    return tuple(COMPANIES[c] for c, own in enumerate(track) if own & hexes and c != eastern)


def after_build(table: Table, action: Build, city: City) -> None:
    """What a build sets off, after R5.7: the race begins, ends, or the tile leaves (R10.2-R10.5)."""
    places = table.board.spike
    if table.spike is None or places is None or table.spike.status in ("linked", "off"):
        return
    choices = western_choices(table.before, action)
    if table.spike.status == "waiting":
        if city.name == places.west:
            table.spike = Spike("off")
            table.note("spike_off", "R10.2")
        if city.name != places.east:
            return
        _begin(table, INDEX[action.company], places)
    if choices:
        _link(table, INDEX[action.western or choices[0]])


def _begin(table: Table, builder: int, places: SpikeCities) -> None:
    """R10.3: the first company in Omaha; the others get a start in San Francisco."""
    west = table.board.city_named[places.west]
    eastern = builder if table.use_supply(builder, 1) else None
    others = [c for c in range(len(COMPANIES)) if c != builder and table.use_supply(c, 1)]
    for c in others:
        table.track[c] |= 1 << west.bit
    table.demand[west.number] = None
    table.spike = Spike("building", eastern)
    names = [COMPANIES[c] for c in others]
    if eastern is None:
        table.note("spike_no_eastern", "R10.3", others=names)
    else:
        table.note("spike_eastern", "R10.3", company=COMPANIES[eastern], others=names)


def _link(table: Table, chosen: int) -> None:
    """R10.4, R10.5: the western company, and two more value for both."""
    assert table.spike is not None
    eastern = table.spike.eastern
    western = chosen if table.use_supply(chosen, 1) else None
    if western is None:
        table.note("spike_no_western", "R10.4")
    else:
        table.note("spike_western", "R10.4", company=COMPANIES[western])
    table.spike = Spike("linked", eastern, western)
    for c in (eastern, western):
        if c is not None:
            table.raise_value(c, BONUS, "R10.5")


def bot_western(state: State, choices: tuple[str, ...]) -> str | None:
    """Mašinfíra's choice (R10.6): most own shares, fewest of the humans', next under its marker."""
    if len(choices) < 2 or state.bot is None:
        return None
    marker, own = state.bot.company, state.shares[-1]

    def rank(company: str) -> tuple[int, int, int]:
        c = INDEX[company]
        humans = sum(row[c] for row in state.shares[:-1])
        return -own[c], humans, (c - marker) % len(COMPANIES)

    return min(choices, key=rank)
