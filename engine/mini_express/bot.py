"""Mašinfíra: what it decides (R7.4-R7.10), each decision kept as data so that it can be explained.

A turn is a `Draw` action: the tile moves the markers and, where the company can act, the whole bot
action follows. Where it cannot, the turn stays with the bot, which draws again (`bot.redraw`).
"""

from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

from ..hexgrid import Hex, center
from . import golden_spike, ports
from .actions import Build, Draw
from .board import City
from .building import do_build, open_cities, origins
from .errors import IllegalAction
from .names import COMPANIES, LAST_CITY, REFRESH, SET_UP_DRAWS, BotTile
from .places import place
from .shares import SHARE_TRAINS, add_trains
from .state import Bot, State, tile_order
from .table import Table

FAR = 10**6
"""No way at all counts as farther than any number (R7.7)."""

BUILDS_FROM = 3
"""With this many trains in the reservoir Mašinfíra builds, with fewer it takes a share (R7.6, R7.7)."""


class Candidate(NamedTuple):
    """A city Mašinfíra could build to. Sorted, the best comes first (R7.7): what should be most is negated."""

    distance: int
    length: int
    minus_companies: int
    minus_number: int
    city: City

    @property
    def companies(self) -> int:
        return -self.minus_companies


CHOSE = ("bot_chose_distance", "bot_chose_length", "bot_chose_companies", "bot_chose_number")
"""What is told where a part of a candidate decides, in the order of the parts."""


@dataclass(frozen=True)
class RouteChoice:
    """The way to the destination (R7.8): all shortest routes, the start hex, those from it, the chosen."""

    routes: tuple[tuple[Hex, ...], ...]
    start: Hex
    from_start: tuple[tuple[Hex, ...], ...]
    chosen: tuple[Hex, ...]


def candidates(state: State, company: int) -> list[Candidate]:
    """The cities this company may build to, best first for the bot's target (R7.7)."""
    board, target = state.board, _bot(state).target
    steps = board.steps_from(board.numbered[target].bit) if target else {}
    found = [
        Candidate(steps.get(city.bit, FAR), length, -state.companies_at(city.bit), -city.number, city)
        for city, length in open_cities(state, company)
    ]
    return sorted(found)


def choose_route(state: State, company: int, city: City) -> RouteChoice:
    """The start hex, then the clockwise rule (R7.8)."""
    board, track = state.board, state.track[company]
    routes = {route: origins(board, track, route) for route in board.reach(company, track).routes(city)}
    first = min((bit for origin in routes.values() for bit in origin), key=board.eastern)
    start, from_start = board.hex_of[first], [route for route, origin in routes.items() if first in origin]
    chosen = reduce(lambda a, b: leftmost(start, a, b), from_start)
    return RouteChoice(tuple(routes), start, tuple(from_start), chosen)


def leftmost(start: Hex, a: tuple[Hex, ...], b: tuple[Hex, ...]) -> tuple[Hex, ...]:
    """The clockwise rule (R7.8) for two shortest routes from one start to one city.

    Where they part and meet again, the one with the enclosed area on its right is taken. Hexes of equal
    rank are equally far from the network, so the two can only meet at equal ranks.
    """
    chosen: list[Hex] = []
    i = 0
    while i < len(a):
        j = i
        while a[j] != b[j]:
            j += 1
        before = a[i - 1] if i else start
        loop = [before, *a[i : j + 1], *reversed(b[i:j])]
        chosen += (a if _area(loop) > 0 else b)[i : j + 1]
        i = j + 1
    return tuple(chosen)


def _area(loop: list[Hex]) -> float:
    """Twice the signed area inside a loop of hexes; positive when it runs clockwise on the map."""
    points = [center(at) for at in loop]
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)


def next_target(state: State, target: int, steps: int) -> tuple[int, list[int]]:
    """Where the target city marker comes to stand, and the numbers it passed over without a tile (R7.5)."""
    skipped: list[int] = []
    for _ in range(steps):
        ahead = [n for n in range(target + 1, LAST_CITY + 1) if state.demand[n]]
        if not ahead:
            break
        skipped += range(target + 1, ahead[0])
        target = ahead[0]
    return target, skipped


def can_act(state: State, company: int) -> bool:
    """Could Mašinfíra act with this company? (R7.6, R7.10)"""
    if state.reservoir[company] < BUILDS_FROM:
        return state.offer[company] > 0
    return bool(open_cities(state, company))


def draw_actions(state: State) -> list[Draw]:
    """The distinct tiles in the bag."""
    return [Draw(tile) for tile in dict.fromkeys(_bot(state).bag)]


def draw_chances(state: State) -> list[tuple[Draw, float]]:
    """Each distinct draw with its probability."""
    bag = _bot(state).bag
    return [(draw, bag.count(draw.tile) / len(bag)) for draw in draw_actions(state)]


def check_draw(state: State, action: Draw) -> None:
    """Raises IllegalAction when the tile is not in the bag."""
    if state.bot is None or not state.bot_moves:
        raise IllegalAction("not_bot_turn", rule="R7.4", seat=state.seat)
    if action.tile not in state.bot.bag:
        raise IllegalAction("not_in_bag", rule="R7.4", tile=action.tile)


def do_draw(table: Table, action: Draw) -> bool:
    """Carry out a draw; is Mašinfíra's turn over with it? (R7.4-R7.10)"""
    bot = _bot(table)
    if isinstance(action.tile, str):
        table.note("bot_refresh", "R7.4")
        table.bot = bot._replace(bag=tile_order(bot.bag + bot.drawn), drawn=())
        return False
    _move_markers(table, bot, action.tile)
    if table.setup.ended_by(table.bot):
        table.phase = "over"
        table.note("game_over_target", "R7.14", number=LAST_CITY)
        return True
    return _act(table)


def _move_markers(table: Table, bot: Bot, tile: tuple[int, int]) -> None:
    """R7.5; only the company marker in a redraw (R7.6), and with a tile that has no city moves, as an own copy may."""
    table.note("bot_drew", "R7.4", tile=tile)
    company = (bot.company + tile[1]) % len(COMPANIES)
    table.note("bot_company", "R7.5", before=COMPANIES[bot.company], company=COMPANIES[company])
    target = bot.target
    if tile[0] and not bot.redraw:
        target, skipped = next_target(table.before, bot.target, tile[0])
        _note_target(table, bot.target, target, skipped)
    table.bot = Bot(target, company, *_drawn(bot, tile), bot.redraw)


def _note_target(table: Table, before: int, target: int, skipped: list[int]) -> None:
    if table.log is None:
        return
    cities = table.board.numbered
    if target == before:
        table.note("bot_target_stays", "R7.5")
        return
    values = {"city": cities[target].name, "number": target}
    if skipped:
        table.note("bot_target", "R7.5", skipped=[cities[n].name for n in skipped], **values)
    else:
        table.note("bot_target_plain", "R7.5", **values)


def _drawn(bot: Bot, tile: BotTile) -> tuple[tuple[BotTile, ...], tuple[BotTile, ...]]:
    """The bag and the drawn tiles after this tile was drawn."""
    bag = list(bot.bag)
    bag.remove(tile)
    return tuple(bag), tile_order((*bot.drawn, tile))


def _act(table: Table) -> bool:
    """The action of the company under the marker: is the turn over, or does it draw again? (R7.6, R7.7, R7.10)"""
    bot, state = _bot(table), table.before  # only the markers have changed
    c, n = bot.company, state.reservoir[bot.company]
    values = {"company": COMPANIES[c], "n": n}
    if can_act(state, c):
        table.bot, table.passes = bot._replace(redraw=False), 0
        if n < BUILDS_FROM:
            table.note("bot_takes", "R7.6", **values)
            _take(table, c)
        else:
            table.note("bot_builds", "R7.7", **values)
            _build(table, table.freeze(), c)
    elif any(can_act(state, other) for other in range(len(COMPANIES))):
        table.bot = bot._replace(redraw=True)
        key, rule = ("bot_no_share", "R7.6") if n < BUILDS_FROM else ("bot_no_city", "R7.10")
        table.note(key, rule, **values)
        return False
    else:
        table.bot, table.passes = bot._replace(redraw=False), state.passes + 1
        table.note("bot_cannot_act", "R7.10")
    return True


def _take(table: Table, company: int) -> None:
    """A share for free (R7.6); what the difficulties change: R7.14, R7.16."""
    table.note("took_share_free", "R7.6", seat=table.seat, company=COMPANIES[company])
    table.take_offered(table.to_move, company)
    if table.setup.from_difficulty("tourist"):
        add_trains(table, company, SHARE_TRAINS - table.reservoir[company], "R7.14")
    else:
        add_trains(table, company, SHARE_TRAINS)
    if table.setup.from_difficulty("conductor"):
        table.raise_influence(table.to_move, company, 1, "R7.16")


def _build(table: Table, state: State, company: int) -> None:
    """Destination, route and the choices of the modules, then the build (R7.7-R7.9, R10.6, R11.3)."""
    found = candidates(state, company)
    city = found[0].city
    choice = choose_route(state, company, city)
    if table.log is not None:
        _explain_city(table, found)
        _explain_route(table, state, choice)
    action = Build(COMPANIES[company], choice.chosen)
    action = replace(action, port=ports.bot_port(state, action, city))
    western = golden_spike.bot_western(state, golden_spike.western_choices(state, action))
    if western:
        table.note("bot_western", "R10.6", company=western)
    if action.port:
        table.note("bot_port", "R11.3", port=action.port, place=place(state.board, action.port))
    do_build(table, Build(action.company, action.route, None, action.port, western))


def _explain_city(table: Table, found: list[Candidate]) -> None:
    """The candidate cities and the first tie-break that decided among them (R7.7)."""
    best = found[0]
    if len(found) == 1:
        table.note("bot_only_city", "R7.7", city=best.city.name)
        return
    for c in found:
        values = {"city": c.city.name, "number": c.city.number, "length": c.length, "companies": c.companies}
        if c.distance < FAR:
            table.note("bot_candidate", "R7.7", distance=c.distance, **values)
        else:
            table.note("bot_candidate_no_way", "R7.7", **values)
    key = next(key for key, a, b in zip(CHOSE, best, found[1], strict=False) if a != b)
    table.note(key, "R7.7", city=best.city.name)


def _explain_route(table: Table, state: State, choice: RouteChoice) -> None:
    """The routes, the start hex and the clockwise choice (R7.8)."""
    routes = [list(route) for route in choice.routes]
    start = place(state.board, choice.start)
    table.note("bot_start", "R7.8", n=len(routes), start=start, start_hex=choice.start, routes=routes)
    if len(choice.from_start) > 1:
        way = [place(state.board, at) for at in choice.chosen]
        values = {"route": list(choice.chosen), "routes": [list(route) for route in choice.from_start]}
        table.note("bot_clockwise", "R7.8", n=len(choice.from_start), way=way, **values)


def do_draft_draw(table: Table, action: Draw) -> bool:
    """One of the two draws of R7.3: Mašinfíra's first shares; was it the second?"""
    bot = _bot(table)
    assert not isinstance(action.tile, str)
    c = (bot.company + action.tile[1]) % len(COMPANIES)
    wanted = 2 if table.setup.from_difficulty("trainspotter") else 1
    taken = min(wanted, table.aside[c])
    table.aside[c] -= taken
    table.shares[table.to_move][c] += taken
    key = "bot_draft" if taken else "bot_draft_none"
    table.note(key, "R7.3", tile=action.tile, company=COMPANIES[c], n=taken)
    table.bot = Bot(bot.target, c, *_drawn(bot, action.tile))
    return len(table.bot.drawn) == SET_UP_DRAWS


def add_refresh(table: Table) -> None:
    """The refresh tiles join the bag once Mašinfíra has its first shares (R7.3)."""
    bot = _bot(table)
    refresh = tuple(tile for tile in table.setup.pack.bot_tiles if tile == REFRESH)
    table.bot = bot._replace(bag=tile_order((*bot.bag, *refresh)))


def _bot(of: State | Table) -> Bot:
    """Mašinfíra's things, where it plays."""
    assert of.bot is not None
    return of.bot
