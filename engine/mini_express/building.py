"""Building track (R5): which builds are legal, why another is not, and what a build does."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..hexgrid import Hex
from . import golden_spike, ports
from .actions import Build
from .board import Board, City, Reach
from .compensation import compensate
from .errors import IllegalAction
from .names import COMPANIES, INDEX, WILD, Pair
from .places import place
from .state import State
from .table import Table


def open_cities(state: State, company: int) -> list[tuple[City, int]]:
    """The cities this company may build to, with the trains the way takes, nearest first (R5.1)."""
    reach = state.board.reach(company, state.track[company])
    return reach.open_cities(state.reservoir[company], state.demand)


def build_actions(state: State) -> list[Build]:
    """Every legal build of the seat to move."""
    builds: list[Build] = []
    modules = state.spike is not None or state.board.ports_closed
    for c in range(len(COMPANIES)):
        found = state.board.reach(c, state.track[c]).builds(state.reservoir[c], state.demand)
        builds += _with_module_choices(state, found) if modules else found
    return builds


def _with_module_choices(state: State, builds: list[Build]) -> Iterator[Build]:
    """Each build once for each port (R11.2) and each western company (R10.4) that could be chosen."""
    for build in builds:
        free = ports.free_ports(state, build)
        western = golden_spike.western_choices(state, build)
        if not free and len(western) < 2:
            yield build
            continue
        for port in free or (None,):
            for company in western if len(western) > 1 else (None,):
                yield replace(build, port=port, western=company)


def check_build(state: State, action: Build) -> None:
    """Raises IllegalAction with the clause that forbids this build."""
    c = INDEX[action.company]
    if not state.reservoir[c]:
        raise IllegalAction("no_train", rule="R5.2", company=action.company)
    if not action.route:
        raise IllegalAction("no_route", rule="R5.2")
    for at in action.route:
        if at not in state.board.index:
            raise IllegalAction("off_map", rule="R1.3", hex=at)
    city = _check_destination(state, c, action.route[-1])
    reach = state.board.reach(c, state.track[c])
    if action.route not in reach.routes(city):
        raise _route_problem(state, action, city, reach)
    if len(action.route) > state.reservoir[c]:
        values = {"length": len(action.route), "has": state.reservoir[c], "company": action.company}
        raise IllegalAction("too_far", rule="R5.3", city=city.name, **values)
    _check_choices(state, action, city)


def _check_destination(state: State, company: int, at: Hex) -> City:
    """R5.1: a city that is new to the company, with a demand tile and room."""
    city = state.board.city_at.get(state.board.index[at])
    name = COMPANIES[company]
    if city is None:
        raise IllegalAction("no_city", rule="R5.1", hex=at)
    if state.track[company] >> city.bit & 1:
        raise IllegalAction("been_there", rule="R5.1", company=name, city=city.name)
    if state.companies_at(city.bit) >= city.capacity and city.number:
        raise IllegalAction("city_full", rule="R5.1", city=city.name, capacity=city.capacity)
    if not state.demand[city.number]:
        raise IllegalAction("no_tile", rule="R5.1", city=city.name)
    return city


def _route_problem(state: State, action: Build, city: City, reach: Reach) -> IllegalAction:
    """Which part of R5.2 or R5.3 this route breaks."""
    board, c = state.board, INDEX[action.company]
    for at in action.route:
        if state.track[c] >> board.index[at] & 1:
            return IllegalAction("own_track", rule="R5.2", company=action.company, hex=at)
    for at in action.route[:-1]:
        if not board.landscape >> board.index[at] & 1:
            rule = "R11.1" if board.ports_closed and board.index[at] in board.ports else "R5.2"
            return IllegalAction("not_landscape", rule=rule, hex=at)
    if not board.grow(state.track[c]) >> board.index[action.route[0]] & 1:
        return IllegalAction("not_joined", rule="R5.2", company=action.company, hex=action.route[0])
    for before, at in zip(action.route, action.route[1:], strict=False):
        if board.index[at] not in board.around[board.index[before]]:
            return IllegalAction("broken_route", rule="R5.2", hex=at)
    if not (routes := reach.routes(city)):
        return IllegalAction("no_way", rule="R5.3", company=action.company, city=city.name)
    values = {"length": len(action.route), "shortest": len(routes[0]), "city": city.name}
    return IllegalAction("not_shortest", rule="R5.3", **values)


def _check_choices(state: State, action: Build, city: City) -> None:
    """The wild company, the port and the western company: there exactly where there is a choice."""
    tile = state.demand[city.number]
    assert tile is not None
    if tile[1] == WILD and action.wild is None:
        raise IllegalAction("wild_missing", rule="R5.6", city=city.name)
    if tile[1] != WILD and action.wild is not None:
        raise IllegalAction("wild_extra", rule="R5.6", city=city.name)
    if action.wild == tile[0]:
        raise IllegalAction("wild_same", rule="R5.6", company=tile[0])
    free = ports.free_ports(state, action)
    if free and action.port not in free:
        raise IllegalAction("port_choice", rule="R11.2", ports=list(free))
    if not free and action.port is not None:
        raise IllegalAction("port_extra", rule="R11.2")
    western = golden_spike.western_choices(state, action)
    if len(western) > 1 and action.western not in western:
        raise IllegalAction("western_choice", rule="R10.4", companies=list(western))
    if len(western) <= 1 and action.western is not None:
        raise IllegalAction("western_extra", rule="R10.4")


def do_build(table: Table, action: Build) -> None:
    """Lay the track and do all that follows, in the order of R5.4-R5.7, then the modules (R10, R11)."""
    board, c = table.board, INDEX[action.company]
    city = board.city_of(action)
    tile = table.demand[city.number]
    assert tile is not None
    first = not any(track >> city.bit & 1 for track in table.track)
    _note_build(table, action, city)
    compensate(table, action)
    table.track[c] |= board.mask(action.route)
    table.reservoir[c] -= len(action.route)
    table.raise_value(c, len(action.route) - 1, "R5.5")
    _gain_influence(table, tile, action.wild)
    if first and tile[1] == WILD and board.ports_closed:
        ports.open_port(table, tile[0], action.port)
    if sum(track >> city.bit & 1 for track in table.track) >= city.capacity:
        table.demand[city.number] = None
        table.note("tile_left", "R5.7", city=city.name)
    golden_spike.after_build(table, action, city)


def _note_build(table: Table, action: Build, city: City) -> None:
    if table.log is not None:
        values = {"seat": table.seat, "company": action.company, "city": city.name, "n": len(action.route)}
        origin = place(table.board, origin_of(table.before, action))
        table.note("built", "R5.2", origin=origin, route=list(action.route), **values)


def _gain_influence(table: Table, tile: Pair, wild: str | None) -> None:
    """R5.6; for Mašinfíra a wild tile counts once in all four companies (R7.9)."""
    if table.before.bot_moves and tile[1] == WILD:
        for c in range(len(COMPANIES)):
            table.raise_influence(table.to_move, c, 1, "R7.9")
    elif tile[0] == tile[1]:
        table.raise_influence(table.to_move, INDEX[tile[0]], 2, "R5.6")
    else:
        for company in (tile[0], wild or tile[1]):
            table.raise_influence(table.to_move, INDEX[company], 1, "R5.6")


def origin_of(state: State, action: Build) -> Hex:
    """The hex of the company's track that a route leaves from: the most eastern, then most northern (R7.8)."""
    starts = origins(state.board, state.track[INDEX[action.company]], action.route)
    return state.board.hex_of[min(starts, key=state.board.eastern)]


def origins(board: Board, track: int, route: Sequence[Hex]) -> list[int]:
    """The bits of the hexes of this track that a route can leave from (R5.2)."""
    return [bit for bit in board.around[board.index[route[0]]] if track >> bit & 1]
