"""What is wrong with a position: every broken invariant, as python-chess's `status()` does for chess."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

from ..board import City
from ..golden_spike import branch
from ..names import (
    COMPANIES,
    LAST_CITY,
    REFRESH,
    RESERVOIR_SIZE,
    SET_UP_DRAWS,
    SHARES,
    TOP_VALUE,
    TRAINS,
    Pair,
)
from ..state import Bot, Spike, State
from .broken import Broken, Unknown, each
from .turn import turn


def check(state: State) -> list[Broken]:
    """Every broken invariant, in the order of the rules; [] when the position is sound."""
    return [*each(CHECKS, state)]


def _counts(state: State) -> Iterator[Broken]:
    """R1.2, R3.2, R4.2, R5.5: the numbers of each company."""
    for c in range(len(COMPANIES)):
        yield from each((_negative, _trains, _shares, _reservoir, _value, _exhausted), state, c)


def _negative(state: State, c: int) -> Iterator[Broken]:
    parts = {"reservoir": state.reservoir, "supply": state.supply, "offer": state.offer}
    parts |= {"aside": state.aside, "out": state.out}
    for part, row in parts.items():
        if row[c] < 0:
            yield Broken("negative", rule="R1.2", company=COMPANIES[c], part=part)
    for part, rows in {"influence": state.influence, "shares": state.shares}.items():
        if any(row[c] < 0 for row in rows):
            yield Broken("negative", rule="R1.2", company=COMPANIES[c], part=part)


def _trains(state: State, c: int) -> Iterator[Broken]:
    on_tile = (state.spike.eastern, state.spike.western) if state.spike else ()
    trains = state.track[c].bit_count() + state.reservoir[c] + state.supply[c] + on_tile.count(c)
    if trains != TRAINS:
        yield Broken("trains", rule="R1.2", company=COMPANIES[c], found=trains)


def _shares(state: State, c: int) -> Iterator[Broken]:
    shares = sum(row[c] for row in state.shares) + state.offer[c] + state.aside[c] + state.out[c]
    if shares != SHARES:
        yield Broken("shares", rule="R1.2", company=COMPANIES[c], found=shares)


def _reservoir(state: State, c: int) -> Iterator[Broken]:
    if state.reservoir[c] > RESERVOIR_SIZE:
        yield Broken("reservoir", rule="R4.2", company=COMPANIES[c], found=state.reservoir[c])


def _value(state: State, c: int) -> Iterator[Broken]:
    if not 0 <= state.value[c] <= TOP_VALUE:
        yield Broken("value", rule="R5.5", company=COMPANIES[c], found=state.value[c])


def _exhausted(state: State, c: int) -> Iterator[Broken]:
    if state.supply[c] == 0 and state.offer[c] > 0:
        yield Broken("exhausted", rule="R3.2", company=COMPANIES[c])


def _track(state: State) -> Iterator[Broken]:
    """R1.2b, R1.3, R11.2: every piece of track has a start in it."""
    for c in range(len(COMPANIES)):
        yield from each((_track_of,), state, c)


def _track_of(state: State, c: int) -> Iterator[Broken]:
    board, company, track = state.board, COMPANIES[c], state.track[c]
    everything, start = sum(1 << bit for bit in board.hex_of), board.starts[company]
    if track & ~everything:
        yield Broken("off_map", rule="R1.3", company=company)
    if not track >> start.bit & 1:
        yield Broken("no_start", rule="R2.2", company=company, city=start.name)
    starts = 1 << start.bit | _spike_start(state) | (board.port_mask if board.ports_closed else 0)
    if island := track & everything & ~board.piece(track, starts):
        yield Broken("island", rule="R1.2b", company=company, hexes=board.hexes(island))


def _spike_start(state: State) -> int:
    """San Francisco as one more start, once the race has begun (R10.3)."""
    places = state.board.spike
    if state.spike is None or places is None or state.spike.status not in ("building", "linked"):
        return 0
    return 1 << state.board.city_named[places.west].bit


def _ports(state: State) -> Iterator[Broken]:
    """R11.1-R11.4: a port is opened by a wild tile, one for a company, and one stays free."""
    if not state.board.ports_closed:
        return
    taken = [bit for bit in state.board.ports if state.companies_at(bit)]
    for bit in taken:
        if state.companies_at(bit) > 1:
            yield Broken("shared_port", rule="R11.2", hex=state.board.hex_of[bit])
    if len(taken) == len(state.board.ports):
        yield Broken("ports_full", rule="R11.4")
    for c, company in enumerate(COMPANIES):
        own = [bit for bit in taken if state.track[c] >> bit & 1]
        if len(own) > 1:
            yield Broken("two_ports", rule="R11.4", company=company)
        for bit in own:
            if any(
                tile == (company, "wild") and not _reached(state, n) for n, tile in enumerate(state.demand)
            ):
                yield Broken("closed_port", rule="R11.2", company=company, hex=state.board.hex_of[bit])


def _reached(state: State, number: int) -> bool:
    city = state.board.numbered.get(number)
    return city is not None and state.companies_at(city.bit) > 0


def _cities(state: State) -> Iterator[Broken]:
    """R5.1, R5.7: room in the cities, and tiles where there is room."""
    for city in state.board.cities:
        yield from each((_room if city.number else _start_city,), state, city)


def _start_city(state: State, city: City) -> Iterator[Broken]:
    others = [c for c, track in zip(COMPANIES, state.track, strict=True) if track >> city.bit & 1]
    if set(others) - {city.start}:
        yield Broken("start_closed", rule="R5.1", city=city.name, company=city.start)


def _room(state: State, city: City) -> Iterator[Broken]:
    n, opened = state.companies_at(city.bit), _spike_start(state) >> city.bit & 1
    if n > city.capacity and not opened:
        yield Broken("capacity", rule="R5.1", city=city.name, found=n, capacity=city.capacity)
    tile = state.demand[city.number] if city.number < len(state.demand) else None
    if tile and (n >= city.capacity or opened):
        yield Broken("full_tile", rule="R5.7", city=city.name)
    if not tile and n < city.capacity and not opened:
        yield Broken("lost_tile", rule="R5.7", city=city.name)


def _tiles(state: State) -> Iterator[Broken]:
    """R1.1: no more demand tiles of a pair than the game has, and only in numbered cities."""
    tiles = [*_tiles_there(state)]
    for number, _ in tiles:
        if number not in state.board.numbered:
            yield Broken("start_tile", rule="R2.3", number=number)
    limits = Counter(state.setup.pack.demand_tiles)
    for pair, found in Counter(tile for _, tile in tiles).items():
        if found > limits[pair]:
            yield Broken("tile_count", rule="R1.1", tile=list(pair), found=found, limit=limits[pair])


def _tiles_there(state: State) -> Iterator[tuple[int, Pair]]:
    for number in range(len(state.demand)):
        with suppress(Unknown):
            if tile := state.demand[number]:
                yield number, tile


def _bot_plays(state: State) -> Iterator[Broken]:
    """R7.2: Mašinfíra's things are there exactly where it plays."""
    if (state.bot is None) != (state.setup.bot_seat is None):
        yield Broken("bot_missing" if state.bot is None else "bot_extra", rule="R7.2")


def _bot(state: State) -> Iterator[Broken]:
    """R7.2-R7.6: the markers and the tiles of Mašinfíra."""
    if state.bot is not None:
        yield from each((_company_marker, _target_marker, _bag, _set_up, _redraw), state, state.bot)


def _company_marker(_: State, bot: Bot) -> Iterator[Broken]:
    if not 0 <= bot.company < len(COMPANIES):
        yield Broken("bot_company", rule="R7.2")


def _target_marker(_: State, bot: Bot) -> Iterator[Broken]:
    if not 0 <= bot.target <= LAST_CITY:
        yield Broken("bot_target", rule="R7.5", found=bot.target)


def _bag(state: State, bot: Bot) -> Iterator[Broken]:
    tiles = Counter(state.setup.pack.bot_tiles)
    waiting = state.setup.mode == "solo" and state.phase == "draft"
    if waiting:
        if REFRESH in (*bot.bag, *bot.drawn):
            yield Broken("bot_refresh", rule="R7.3")
        del tiles[REFRESH]
    if Counter((*bot.bag, *bot.drawn)) != tiles:
        yield Broken("bot_tiles", rule="R7.4", expected=sum(tiles.values()))
    elif not waiting and REFRESH in bot.drawn:
        yield Broken("bot_refresh", rule="R7.4")


def _set_up(state: State, bot: Bot) -> Iterator[Broken]:
    """R7.3: Mašinfíra draws after the humans have drafted, and the last tile of its set-up ends the draft."""
    if state.setup.mode != "solo" or state.phase != "draft":
        return
    limit = SET_UP_DRAWS - 1 if state.bot_moves else 0
    if len(bot.drawn) > limit:
        yield Broken("bot_set_up", rule="R7.3", found=len(bot.drawn), limit=limit)


def _redraw(state: State, bot: Bot) -> Iterator[Broken]:
    if bot.redraw and not (state.bot_moves and state.phase == "play"):
        yield Broken("bot_redraw", rule="R7.6")


def _spike_plays(state: State) -> Iterator[Broken]:
    """R10.1: the tile is there exactly where its module is."""
    wanted = "golden_spike" in state.setup.modules
    if (state.spike is not None) != wanted:
        yield Broken("spike_missing" if wanted else "spike_extra", rule="R10.1")


def _spike(state: State) -> Iterator[Broken]:
    """R10.2-R10.4: the status of the tile fits the track and its companies."""
    if state.spike is not None and state.board.spike is not None and "golden_spike" in state.setup.modules:
        yield from each((_spike_track, _no_companies, _companies), state, state.spike)


def _spike_track(state: State, spike: Spike) -> Iterator[Broken]:
    places = state.board.spike
    assert places is not None
    east, west = (1 << state.board.city_named[name].bit for name in (places.east, places.west))

    def reached(end: int) -> bool:
        return any(track & end for track in state.track)

    def linked() -> bool:
        return bool(branch(state.board, state.track, east) & west)

    fits: dict[str, Callable[[], bool]] = {
        "waiting": lambda: not reached(east) and not reached(west),
        "building": lambda: reached(east) and not linked(),
        "linked": linked,
        "off": lambda: reached(west),
    }
    if spike.status not in fits or not fits[spike.status]():
        yield Broken("spike_track", rule="R10.3", status=spike.status)


def _no_companies(_: State, spike: Spike) -> Iterator[Broken]:
    if spike.status in ("waiting", "off") and [*_companies_there(spike)]:
        yield Broken("spike_company", rule="R10.3", status=spike.status)


def _companies(_: State, spike: Spike) -> Iterator[Broken]:
    twice = len(there := [*_companies_there(spike)]) > len({*there})
    if twice or (spike.status == "building" and spike.western is not None):
        yield Broken("spike_company", rule="R10.4", status=spike.status)


def _companies_there(spike: Spike) -> Iterator[int]:
    for side in ("eastern", "western"):
        with suppress(Unknown):
            if (company := getattr(spike, side)) is not None:
                yield company


CHECKS: tuple[Callable[[State], Iterator[Broken]], ...] = (
    _counts,
    _track,
    _ports,
    _cities,
    _tiles,
    _bot_plays,
    _bot,
    _spike_plays,
    _spike,
    turn,
)
