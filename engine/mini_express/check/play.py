"""What breaks no invariant of a position, but no play can have led to: a marker moved wrongly, a train misplaced.

Such a position can be played on, as people do who find out too late. So it is told, but not refused.
"""

from collections.abc import Iterator
from contextlib import suppress

from ..board import City, bits
from ..golden_spike import BONUS
from ..names import COMPANIES, REFRESH, SET_UP_DRAWS, TOP_VALUE, WILD
from ..setup import DEALT_BY, OFFER, Dealt, first_influence, shares_dealt
from ..shares import value_with
from ..state import Setup, Spike, State
from .broken import Broken, Unknown, each


def unplayed(state: State) -> list[Broken]:
    """Everything that no play from a new game leads to; of all but the offers only once the draft is over."""
    return [*each((_offers, _companies, _players, _influence, _bot, _spike), state)]


def _offers(state: State) -> Iterator[Broken]:
    """R2.1, R7.1, R8.1, R9.1: from the beginning offers only shrink."""
    mode = "standard"  # it deals most; where it is not told how the game is played
    with suppress(Unknown):
        mode = state.setup.mode
    for c in range(len(COMPANIES)):
        yield from each((_offer,), state, c, mode)


def _offer(state: State, c: int, mode: str) -> Iterator[Broken]:
    found, limit = state.offer[c], OFFER[mode]
    if found > limit:
        yield Broken("offer_dealt", rule=DEALT_BY[mode], company=COMPANIES[c], found=found, limit=limit)


def _companies(state: State) -> Iterator[Broken]:
    if state.phase != "draft":
        for c in range(len(COMPANIES)):
            yield from each((_out, _value, _dead_ends, _port), state, c)


def _players(state: State) -> Iterator[Broken]:
    if state.phase != "draft":
        for seat in range(len(state.setup.humans)):
            yield from each((_drafted,), state, seat)


def _influence(state: State) -> Iterator[Broken]:
    """R5.6: influence comes from the tiles of the cities that were built to, and shares cost some.

    Mašinfíra is given some with its shares, too (R7.16).
    """
    setup, board = state.setup, state.board
    found = sum(map(sum, state.influence))
    limit = sum(len(COMPANIES) * first_influence(setup, seat) for seat in range(len(setup.seats)))
    for number, city in board.numbered.items():
        limit += state.companies_at(city.bit) * _most_of_a_tile(state, number)
    if setup.from_difficulty("conductor"):
        limit += sum(state.shares[-1])
    if found > limit:
        yield Broken("influence_gained", rule="R5.6", found=found, limit=limit)


def _most_of_a_tile(state: State, number: int) -> int:
    """What the tile of a city gives at most: 2 (R5.6), and a wild one Mašinfíra 4 (R7.9)."""
    tile = state.demand[number]
    return 4 if state.bot and (tile is None or WILD in tile) else 2


def _bot(state: State) -> Iterator[Broken]:
    """R7.5: from Mašinfíra's first turn on its target marker lies on the map.

    In solo the two tiles of its set-up lie beside the bag (R7.3), until a refresh tile, which moves no marker,
    brings them back (R7.4).
    """
    bot, at_first = state.bot, SET_UP_DRAWS if state.setup.mode == "solo" else 0
    if bot is None or bot.target or state.phase != "play" or len(bot.drawn) in (0, at_first):
        return
    if all(tile == REFRESH or tile[0] for tile in state.setup.pack.bot_tiles):
        yield Broken("bot_moved", rule="R7.5")


def _spike(state: State) -> Iterator[Broken]:
    places = state.board.spike
    if state.spike is None or places is None or state.spike.status not in ("building", "linked"):
        return
    east, west = (state.board.city_named[name] for name in (places.east, places.west))
    yield from each((_eastern, _began_in_the_west), state, state.spike, east, west)


def _dealt(setup: Setup) -> Dealt:
    return shares_dealt(setup.mode, len(setup.seats))


def _out(state: State, c: int) -> Iterator[Broken]:
    """R2.5, R7.3: beside those in the box only what the draft left aside is out, until the supply is empty (R3.2)."""
    out, box, most = state.out[c], _dealt(state.setup).box, _most_left(state.setup)
    if out < box:
        clause = DEALT_BY[state.setup.mode]
        yield Broken("out_least", rule=clause, company=COMPANIES[c], found=out, limit=box)
    elif out > box + most and state.supply[c]:
        yield Broken("out_most", rule="R3.2", company=COMPANIES[c], found=out, limit=box + most)


def _most_left(setup: Setup) -> int:
    """How many shares of a company can leave the game after the draft: none where somebody gets them all."""
    return _dealt(setup).aside if setup.mode in ("standard", "solo") else 0


def _value(state: State, c: int) -> Iterator[Broken]:
    """R5.5: the landscape that was built on, and what the draft (R2.5) and the Golden Spike (R10.5) add."""
    built = (state.track[c] & state.board.landscape).bit_count()
    if state.spike is not None and state.spike.status == "linked":
        built += BONUS * (c in (state.spike.eastern, state.spike.western))
    players = len(state.setup.seats)
    expected = sorted({value_with(built, left, players) for left in _left(state, c)})
    if expected and 0 <= state.value[c] <= TOP_VALUE and state.value[c] not in expected:
        told = {"company": COMPANIES[c], "found": state.value[c], "expected": ", ".join(map(str, expected))}
        yield Broken("built_value", rule="R5.5", **told)


def _left(state: State, c: int) -> range:
    """How many shares of a company may have been left aside and raised its value (R2.5)."""
    if state.setup.mode != "standard":
        return range(1)
    left, most = state.out[c] - _dealt(state.setup).box, _most_left(state.setup)
    # Once the supply is empty, those that are out may have been in the offer.
    least = left if state.supply[c] else 0
    return range(max(least, 0), min(left, most) + 1)


def _dead_ends(state: State, c: int) -> Iterator[Broken]:
    """R5.2: every build leads on to a city, so a train on landscape has two others of its company beside it."""
    board = state.board
    track = state.track[c] & (board.landscape | board.city_mask | board.port_mask)
    hexes = [
        board.hex_of[bit]
        for bit in bits(track & board.landscape)
        if (board.grow(1 << bit) & track).bit_count() < 3  # itself and two more
    ]
    if hexes:
        yield Broken("dead_end", rule="R5.2", company=COMPANIES[c], hexes=hexes)


def _port(state: State, c: int) -> Iterator[Broken]:
    """R11.2: when a city with its wild tile was first reached, a company with supply was given a port."""
    board = state.board
    if not board.ports_closed or not state.supply[c] or state.track[c] & board.port_mask:
        return
    wild = (COMPANIES[c], WILD)
    if any(state.demand[n] == wild and state.companies_at(city.bit) for n, city in board.numbered.items()):
        yield Broken("port_start", rule="R11.2", company=COMPANIES[c])


def _drafted(state: State, seat: int) -> Iterator[Broken]:
    """R2.4, R9.1: what a player drafted is still there."""
    limit, rule = (4, "R9.1") if state.setup.mode == "experts" else (2, "R2.4")
    if sum(state.shares[seat]) < limit:
        yield Broken("few_shares", rule=rule, seat=state.setup.seats[seat], limit=limit)


def _eastern(state: State, spike: Spike, east: City, west: City) -> Iterator[Broken]:
    """R10.3: the eastern company built to Omaha, and had a train for the tile."""
    there = [c for c in range(len(COMPANIES)) if state.track[c] >> east.bit & 1]
    if spike.eastern is None:
        if all(state.supply[c] for c in there):
            yield Broken("spike_first", rule="R10.3", city=east.name)
    elif spike.eastern not in there or state.track[spike.eastern] >> west.bit & 1:
        company = COMPANIES[spike.eastern]
        yield Broken("spike_end", rule="R10.3", company=company, east=east.name, west=west.name)


def _began_in_the_west(state: State, spike: Spike, _: City, west: City) -> Iterator[Broken]:
    """R10.3: every other company with supply has a train in San Francisco; supplies never grow."""
    for c, company in enumerate(COMPANIES):
        if c != spike.eastern and state.supply[c] and not state.track[c] >> west.bit & 1:
            yield Broken("spike_start", rule="R10.3", company=company, city=west.name)
