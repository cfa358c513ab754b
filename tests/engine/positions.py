"""Readable positions: say what a rule is about, the rest is laid out by the rules.

    position(track={"orange": ["Chicago", (3, -3)]}, reservoir={"orange": 4}, demand={"Tulsa": "orange gray"})

Start cities are part of every track. Trains that are not mentioned lie in the supply, shares that are not
mentioned are out of the game (R1.2), and every city with room has a demand tile (R2.3, R5.7).
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine import mini_express as game
from engine.hexgrid import Hex, neighbours
from engine.mini_express.names import COMPANIES, INDEX, SHARES, TRAINS, BotTile, Demand, Pair, pair
from engine.mini_express.pack import BUILT_IN
from engine.mini_express.setup import OFFER, PLAYERS, make_setup
from engine.mini_express.state import Bot, Setup, Spike, State, tile_order

Place = str | Hex
Numbers = Mapping[str, int] | int

HUMANS = ("red", "blue", "purple", "green", "yellow")


def europe_without(folder: Path, at: tuple[int, int]) -> game.Pack:
    """The shipped pack with one hex taken off the map of Europe."""
    text = (BUILT_IN / "boards" / "europe.toml").read_text("utf-8")
    blocks = text.split("\n[[hex]]\n")
    kept = [block for block in blocks if not block.startswith(f"at = [{at[0]}, {at[1]}]\n")]
    assert len(kept) == len(blocks) - 1
    (folder / "boards").mkdir()
    (folder / "boards" / "europe.toml").write_text("\n[[hex]]\n".join(kept), "utf-8")
    return game.Pack.load(folder)


def position(
    *,
    board: str = "usa",
    mode: str = "standard",
    players: int | None = None,
    difficulty: str | None = None,
    modules: Sequence[str] = (),
    track: Mapping[str, Sequence[Place]] = {},
    reservoir: Numbers = 4,
    supply: Mapping[str, int] = {},
    value: Numbers = 0,
    offer: Numbers | None = None,
    influence: Mapping[str, Numbers] = {},
    shares: Mapping[str, Numbers] = {},
    demand: Mapping[str, str | None] = {},
    to_move: str | None = None,
    phase: str = "play",
    actions_left: int | None = None,
    used: str | None = None,
    passes: int = 0,
    target: str | int = 0,
    marker: str = "brown",
    drawn: Iterable[BotTile] = (),
    redraw: bool = False,
    spike: str = "waiting",
    eastern: str | None = None,
    western: str | None = None,
    keep_clear: Sequence[Place] = (),
    sound: bool = True,
    pack: game.Pack | None = None,
) -> State:
    """A position in play. A `supply` that is given is reached by laying track on landscape, not on `keep_clear`."""
    if mode == "solo" and difficulty is None:
        difficulty = "passenger"
    humans = HUMANS[: players or PLAYERS[mode][0]]
    setup = make_setup(board, mode, difficulty, humans, modules, pack or game.built_in())
    on_tile = [eastern, western]
    placed = {c: _hexes(setup, [setup.board.starts[c].at, *track.get(c, ())]) for c in COMPANIES}
    held = _by_company(reservoir)
    for company, wanted in supply.items():
        spare = TRAINS - len(placed[company]) - held[company] - on_tile.count(company) - wanted
        placed[company] = _lengthened(setup, placed[company], spare, _hexes(setup, keep_clear))
    offers = _by_company(OFFER[mode] if offer is None else offer)
    rows = {part: [_by_company(given.get(seat, default)) for seat in setup.seats] for part, given, default in (
        ("influence", influence, 1), ("shares", shares, 0))}  # fmt: skip
    masks = tuple(setup.board.mask(placed[c]) for c in COMPANIES)
    state = State(
        setup,
        to_move=setup.seats.index(to_move or setup.seats[0]),
        phase=phase,
        actions_left=actions_left or (2 if mode == "experts" and used is None else 1),
        value=_row(value),
        reservoir=_row(reservoir),
        supply=tuple(TRAINS - len(placed[c]) - held[c] - on_tile.count(c) for c in COMPANIES),
        offer=tuple(offers.values()),
        aside=(0, 0, 0, 0),
        out=tuple(SHARES - offers[c] - sum(row[c] for row in rows["shares"]) for c in COMPANIES),
        track=masks,
        influence=tuple(tuple(row.values()) for row in rows["influence"]),
        shares=tuple(tuple(row.values()) for row in rows["shares"]),
        demand=_tiles(setup, masks, demand, spike),
        bot=_bot(setup, target, marker, drawn, redraw),
        spike=_spike(setup, spike, eastern, western),
        used=None if used is None else INDEX[used],
        passes=passes,
    )
    if sound:
        assert not game.check(state), [str(broken) for broken in game.check(state)]
    return state


def _row(numbers: Numbers) -> tuple[int, ...]:
    return tuple(_by_company(numbers).values())


def _by_company(numbers: Numbers) -> dict[str, int]:
    """One number for all, or some by name and the usual one for the rest."""
    if isinstance(numbers, int):
        return dict.fromkeys(COMPANIES, numbers)
    rest = numbers.get("rest", 0)
    return {company: numbers.get(company, rest) for company in COMPANIES}


def with_number(row: tuple[int, ...], company: str, change: int) -> tuple[int, ...]:
    """The row with one number changed."""
    at = game.COMPANIES.index(company)
    return (*row[:at], row[at] + change, *row[at + 1 :])


def hex_of(board: game.Board, place: Place) -> Hex:
    """The hex of a city's name, or the hex itself."""
    return board.city_named[place].at if isinstance(place, str) else place


def _hexes(setup: Setup, places: Iterable[Place]) -> list[Hex]:
    return list(dict.fromkeys(hex_of(setup.board, place) for place in places))


def _lengthened(setup: Setup, track: list[Hex], by: int, keep_clear: list[Hex]) -> list[Hex]:
    """The track and so many more landscape hexes, nearest first, but none of `keep_clear`."""
    landscape = {p.at for p in setup.board.printed if p.kind == "landscape"} - set(keep_clear)
    longer, todo = list(track), deque(track)
    while todo and len(longer) < len(track) + by:
        for near in neighbours(todo.popleft()):
            if near in landscape and near not in longer and len(longer) < len(track) + by:
                longer.append(near)
                todo.append(near)
    assert len(longer) == len(track) + by, "there is no room for that much track"
    return longer


def tile(text: str) -> Pair:
    """The demand tile with these two symbols: "orange gray"."""
    a, b = text.split()
    return pair(a, b)


def _tiles(setup: Setup, masks: tuple[int, ...], given: Mapping[str, str | None], spike: str) -> Demand:
    """The tiles that are given, and from what is left one for every other city with room."""
    wanted = {name: tile(text) if text else None for name, text in given.items()}
    left = list(setup.pack.demand_tiles)
    for one in wanted.values():
        if one:
            left.remove(one)
    left.sort(key=lambda one: one[1] == "wild")
    demand: list[Pair | None] = [None]
    places = setup.board.spike
    raced = "golden_spike" in setup.modules and spike in ("building", "linked")
    for city in setup.board.numbered.values():
        full = sum(mask >> city.bit & 1 for mask in masks) >= city.capacity
        gone = full or (raced and places is not None and city.name == places.west)
        demand.append(None if gone else wanted[city.name] if city.name in wanted else left.pop(0))
    return tuple(demand)


def _bot(setup: Setup, target: str | int, marker: str, drawn: Iterable[BotTile], redraw: bool) -> Bot | None:
    if setup.bot_seat is None:
        return None
    bag = list(setup.pack.bot_tiles)
    for one in drawn:
        bag.remove(one)
    number = setup.board.city_named[target].number if isinstance(target, str) else target
    return Bot(number, INDEX[marker], tile_order(bag), tile_order(drawn), redraw)


def _spike(setup: Setup, status: str, eastern: str | None, western: str | None) -> Spike | None:
    if "golden_spike" not in setup.modules:
        return None
    return Spike(status, *(None if c is None else INDEX[c] for c in (eastern, western)))


# What a test asks of a position, in the words of the rules.


def number(state: State, part: str, company: str) -> int:
    """The value, reservoir, supply, offer, aside or out of a company."""
    return int(getattr(state, part)[INDEX[company]])


def influence(state: State, seat: str, company: str) -> int:
    return state.influence[state.setup.seats.index(seat)][INDEX[company]]


def held(state: State, seat: str, company: str) -> int:
    """The shares of a company that a seat holds."""
    return state.shares[state.setup.seats.index(seat)][INDEX[company]]


def tile_on(state: State, city: str) -> Pair | None:
    return state.demand[state.board.city_named[city].number]


def companies_in(state: State, place: Place) -> set[str]:
    return {c for c in COMPANIES if hex_of(state.board, place) in state.hexes(c)}


def builds_of(state: State, company: str | None = None) -> list[game.Build]:
    """The legal builds, all of them or with one company."""
    builds = [a for a in game.legal_actions(state) if isinstance(a, game.Build)]
    return [build for build in builds if company in (None, build.company)]


def routes_to(state: State, company: str, city: str) -> set[tuple[Hex, ...]]:
    """The routes on which whoever is to move may build this company to this city."""
    at = hex_of(state.board, city)
    return {build.route for build in builds_of(state, company) if build.route[-1] == at}


def reachable(state: State, company: str) -> set[str]:
    """The cities to which this company can be built now."""
    names = {city.at: city.name for city in state.board.cities}
    return {names[build.route[-1]] for build in builds_of(state, company)}


def build(state: State, company: str, *route: Place, **choices: Any) -> game.Build:
    """A build along these hexes, the city last, by name or place."""
    return game.Build(company, tuple(hex_of(state.board, at) for at in route), **choices)


def refused(state: State, action: game.Action) -> game.IllegalAction:
    """The refusal of an action; it is an error if there is none."""
    try:
        game.apply(state, action)
    except game.IllegalAction as problem:
        assert action not in game.legal_actions(state)
        return problem
    raise AssertionError(f"{action} was not refused")


def put(obj: dict[str, Any], keys: Sequence[str], value: Any) -> None:
    """Change what stands in a JSON object under one key in the other; ... takes it away."""
    *parents, last = keys
    for key in parents:
        obj = obj[key]
    if value is ...:
        del obj[last]
    else:
        obj[last] = value


def keys(state: State, action: game.Action) -> list[str]:
    """The keys of the log of an action."""
    return [event.key for event in game.play(state, action)[1]]


def event(state: State, action: game.Action, key: str) -> game.Event:
    """The one event of this kind in the log of an action."""
    (found,) = [event for event in game.play(state, action)[1] if event.key == key]
    return found


def until(state: State, done: Callable[[State], bool], choose: Callable[[State], game.Action]) -> State:
    """Play on until something is so."""
    while not done(state):
        state = game.apply(state, choose(state))
    return state
