"""What is wrong with a position: every broken invariant, as python-chess's `status()` does for chess."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from ..sentences import N_, Problem
from . import setup as setups
from .board import City
from .golden_spike import branch
from .names import COMPANIES, LAST_CITY, REFRESH, RESERVOIR_SIZE, SHARES, TOP_VALUE, TRAINS, Pair
from .shares import draft_order, drafts_done
from .state import Bot, Spike, State


class Broken(Problem):
    """One broken invariant of a position."""

    sentences = {
        "trains": N_(
            "{company}: {found} trains in all instead of 25 (map, reservoir, supply and Golden Spike tile)."
        ),
        "shares": N_(
            "{company}: {found} shares in all instead of 9 (offer, held, set aside and out of the game)."
        ),
        "negative": N_('{company}: "{part}" is below zero.'),
        "reservoir": N_("{company}: {found} trains in the reservoir, which holds 5 at most."),
        "value": N_("{company}: the value {found} is not between 0 and 15."),
        "exhausted": N_("{company}: the supply is empty, so no share can be left in its offer."),
        "off_map": N_("{company}: a train stands where the map has no hex."),
        "no_start": N_("{company}: no train stands on its start city {city}."),
        "island": N_("{company}: the track at {hexes} is not connected with a start of {company}."),
        "closed_port": N_("{company}: a train stands on the port {hex} without the Ports event behind it."),
        "two_ports": N_("{company}: it has more than one port."),
        "ports_full": N_("All five ports are taken: one always stays free."),
        "shared_port": N_("The port {hex} is taken by more than one company."),
        "capacity": N_("{city}: {found} companies in a city for {capacity}."),
        "start_closed": N_("{city} is the start of {company}: no other company can be there."),
        "full_tile": N_("{city} is full, so its demand tile is gone."),
        "lost_tile": N_("{city} has room, so its demand tile must still lie there."),
        "start_tile": N_("A demand tile lies at number {number}, but there is no such city."),
        "tile_count": N_("There are {found} demand tiles {tile}, the game has {limit}."),
        "bot_company": N_("Mašinfíra's company marker is at no company."),
        "bot_target": N_("Mašinfíra's target city marker is at {found}; it goes from 0 to 32."),
        "bot_tiles": N_("The tiles in Mašinfíra's bag and beside it are not the {expected} of this game."),
        "bot_refresh": N_("The refresh tiles wait outside the bag until Mašinfíra has its first shares."),
        "bot_redraw": N_("Only Mašinfíra, in its turn, can be about to draw again."),
        "bot_missing": N_("This mode needs Mašinfíra's markers and bag."),
        "bot_extra": N_("Mašinfíra's markers are there, but it does not play in this mode."),
        "spike_missing": N_("The Golden Spike is part of this game, but the state says nothing of it."),
        "spike_extra": N_("The Golden Spike is there, but it is not part of this game."),
        "spike_track": N_("The Golden Spike is {status}, which does not fit the track on the map."),
        "spike_company": N_("The Golden Spike is {status}, which does not fit its companies."),
        "turn": N_("It is nobody's turn: seat {found} does not exist."),
        "actions": N_("{found} actions left do not fit this turn."),
        "aside": N_("Shares are still set aside after the draft."),
        "draft_track": N_("Trains or shares have moved before the draft is over."),
        "draft_seat": N_("In this draft it is the turn of {expected}."),
        "over": N_("The game is marked as over, but nothing has ended it."),
        "not_over": N_("The game is over, but the state says it goes on."),
    }


class Unknown(Exception):
    """Asked of a position is what nobody has told (`part_check`)."""


def check(state: State) -> list[Broken]:
    """Every broken invariant, in the order of the rules; [] when the position is sound."""
    return [*_each(CHECKS, state)]


def _each(parts: Iterable[Callable[..., Iterator[Broken]]], *of: Any) -> Iterator[Broken]:
    """What is broken in each of these respects, until something is asked that nobody has told."""
    for part in parts:
        with suppress(Unknown):
            yield from part(*of)


def _counts(state: State) -> Iterator[Broken]:
    """R1.2, R3.2, R4.2, R5.5: the numbers of each company."""
    for c in range(len(COMPANIES)):
        yield from _each((_negative, _trains, _shares, _reservoir, _value, _exhausted), state, c)


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
        yield from _each((_track_of,), state, c)


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
        yield from _each((_room if city.number else _start_city,), state, city)


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


def _bot(state: State) -> Iterator[Broken]:
    """R7.2-R7.6: the markers and the tiles of Mašinfíra."""
    yield from _each((_plays,), state)
    if state.bot is not None:
        yield from _each((_company_marker, _target_marker, _bag, _redraw), state, state.bot)


def _plays(state: State) -> Iterator[Broken]:
    if (state.bot is None) != (state.setup.bot_seat is None):
        yield Broken("bot_missing" if state.bot is None else "bot_extra", rule="R7.2")


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


def _redraw(state: State, bot: Bot) -> Iterator[Broken]:
    if bot.redraw and not (state.bot_moves and state.phase == "play"):
        yield Broken("bot_redraw", rule="R7.6")


def _spike(state: State) -> Iterator[Broken]:
    """R10: the tile is there, and its status fits the track and its companies."""
    yield from _each((_tile_plays,), state)
    if state.spike is not None and state.board.spike is not None and "golden_spike" in state.setup.modules:
        yield from _each((_spike_track, _no_companies, _companies), state, state.spike)


def _tile_plays(state: State) -> Iterator[Broken]:
    wanted = "golden_spike" in state.setup.modules
    if (state.spike is not None) != wanted:
        yield Broken("spike_missing" if wanted else "spike_extra", rule="R10.1")


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


def _turn(state: State) -> Iterator[Broken]:
    """R2.4, R3.3, R9.2: whose turn it is, and whether the game goes on."""
    yield from _each((_seat, _actions, _draft, _aside, _over, _not_over), state)


def _seat(state: State) -> Iterator[Broken]:
    if not 0 <= state.to_move < len(state.setup.seats):
        yield Broken("turn", rule="R3.1", found=state.to_move)


def _actions(state: State) -> Iterator[Broken]:
    most = 2 if state.setup.mode == "experts" else 1
    if not 1 <= state.actions_left <= most or (state.used is not None and state.actions_left != 1):
        yield Broken("actions", rule="R9.2", found=state.actions_left)


def _draft(state: State) -> Iterator[Broken]:
    if state.phase != "draft":
        return
    start = setups.starting_state(state.setup, state.demand)
    parts = ("value", "reservoir", "supply", "offer", "track", "influence")
    if any(getattr(state, part) != getattr(start, part) for part in parts):
        yield Broken("draft_track", rule="R2.2")
    order, done = draft_order(state), drafts_done(state)
    seat = order[done] if done < len(order) else _after_humans(state)
    if seat is None or seat != state.to_move:
        expected = state.setup.seats[seat if seat is not None else 0]
        yield Broken("draft_seat", rule="R2.4", expected=expected)


def _after_humans(state: State) -> int | None:
    """Who drafts after the humans: Mašinfíra, in solo only (R7.3)."""
    return state.setup.bot_seat if state.setup.mode == "solo" else None


def _aside(state: State) -> Iterator[Broken]:
    if state.phase != "draft" and any(state.aside):
        yield Broken("aside", rule="R2.5")


def _over(state: State) -> Iterator[Broken]:
    if state.phase == "over" and not (
        _bot_at_end(state) or _exhausted_enough(state) or state.passes >= len(state.setup.seats)
    ):
        yield Broken("over", rule="R3.3")


def _not_over(state: State) -> Iterator[Broken]:
    if state.phase == "play" and (_bot_at_end(state) or (_exhausted_enough(state) and _round_over(state))):
        yield Broken("not_over", rule="R3.3")


def _bot_at_end(state: State) -> bool:
    return state.bot is not None and state.bot.target == LAST_CITY and state.setup.from_difficulty("tourist")


def _exhausted_enough(state: State) -> bool:
    return len(state.exhausted()) >= state.setup.exhausted_at_end


def _round_over(state: State) -> bool:
    return state.setup.mode == "experts" or state.to_move == 0


CHECKS: tuple[Callable[[State], Iterator[Broken]], ...] = (
    _counts,
    _track,
    _ports,
    _cities,
    _tiles,
    _bot,
    _spike,
    _turn,
)
