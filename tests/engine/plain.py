"""The builds of R5 a second time: slow, with dictionaries, sets and deques, and nothing of the engine's but
its printed data and its JSON. The tests compare the engine's quick answers with these."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from engine import mini_express as game
from engine.hexgrid import Hex

Route = tuple[Hex, ...]
Track = dict[str, set[Hex]]

COMPANIES = ("brown", "gray", "orange", "white")
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def next_to(at: Hex) -> list[Hex]:
    """The six places around a hex, on the map or not."""
    return [(at[0] + dq, at[1] + dr) for dq, dr in STEPS]


class PlainMap:
    """A printed map: where track may run, the cities, and their numbers counted by hand."""

    def __init__(self, board: game.Board, modules: Iterable[str] = ()) -> None:
        self.kind = {p.at: p.kind for p in board.printed}
        self.name = {p.at: p.name for p in board.printed if p.kind == "city"}
        self.at = {name: at for at, name in self.name.items()}
        two = "capacity_two" in modules
        self.capacity = {p.at: 2 if two else p.capacity for p in board.printed if p.kind == "city"}
        self.start = {p.start: p.at for p in board.printed if p.start}
        self.open_ports = "ports" not in modules
        numbered = [at for at in self.name if at not in self.start.values()]
        numbered.sort(key=lambda at: (-at[0], at[1]))
        self.number = {at: n for n, at in enumerate(numbered, 1)}

    def is_landscape(self, at: Hex) -> bool:
        """May track run through this hex? (R5.2, R5.8, R11.1)"""
        kind = self.kind.get(at)
        return kind == "landscape" or (kind == "port" and self.open_ports)

    def shortest_routes(self, network: Iterable[Hex], city: Hex, limit: int = 9) -> set[Route]:
        """Every shortest route from the network to the city, up to a length (R5.2, R5.3)."""
        network = set(network)
        found: set[Route] = set()
        todo: deque[Route] = deque((at,) for own in network for at in next_to(own) if at not in network)
        seen_at = dict.fromkeys(network, 0)
        while todo:
            route = todo.popleft()
            at = route[-1]
            if len(route) > (len(next(iter(found))) if found else limit):
                break
            if at == city:
                found.add(route)
            elif self.is_landscape(at) and seen_at.setdefault(at, len(route)) == len(route):
                todo.extend((*route, near) for near in next_to(at) if near not in seen_at)
        return found

    def steps(self, a: Hex, b: Hex) -> int | None:
        """The distance of R7.7: over hexes along which track could run, the ends being what they are."""
        todo, seen = deque([(a, 0)]), {a}
        while todo:
            at, steps = todo.popleft()
            if at == b:
                return steps
            if at == a or self.is_landscape(at):
                fresh = [near for near in next_to(at) if near in self.kind and near not in seen]
                seen.update(fresh)
                todo.extend((near, steps + 1) for near in fresh)
        return None


def legal_builds(state: game.State) -> set[game.Build]:
    """Every legal build of a state in which a human may do anything (not a second action of R9.2)."""
    return set(_builds(state))


def _builds(state: game.State) -> Iterator[game.Build]:
    obj = game.state_to_json(state)
    plain = PlainMap(state.board, obj["modules"])
    track = {company: {(q, r) for q, r in hexes} for company, hexes in obj["track"].items()}
    for company in COMPANIES:
        trains = obj["companies"][company]["reservoir"]
        for city, number in plain.number.items():
            here = [c for c in COMPANIES if city in track[c]]
            tile = obj["demand"].get(str(number))
            if company in here or len(here) >= plain.capacity[city] or not tile:
                continue
            for route in plain.shortest_routes(track[company], city, trains):
                for wild in _wild(tile):
                    for port in _ports(plain, obj, track, company, route, tile):
                        for western in _western(state, plain, obj, track, company, route):
                            yield game.Build(company, route, wild, port, western)


def _wild(tile: list[str]) -> list[str | None]:
    return [c for c in COMPANIES if c not in tile] if "wild" in tile else [None]


def supply_after_compensation(
    obj: dict[str, Any], track: Track, company: str, route: Route
) -> dict[str, int]:
    """The supplies after R5.4, which comes before the events of the modules."""
    supply = {c: obj["companies"][c]["supply"] for c in COMPANIES}
    reservoir = {c: obj["companies"][c]["reservoir"] for c in COMPANIES}
    for at in route:
        for c in COMPANIES:
            if c != company and at in track[c] and supply[c] and reservoir[c] < 5:
                supply[c] -= 1
                reservoir[c] += 1
    return supply


def _ports(
    plain: PlainMap, obj: dict[str, Any], track: Track, company: str, route: Route, tile: list[str]
) -> list[Hex | None]:
    """R11.2: a free port where the first track reaches a wild tile."""
    if plain.open_ports or "wild" not in tile or any(route[-1] in own for own in track.values()):
        return [None]
    (colour,) = set(tile) - {"wild"}
    if not supply_after_compensation(obj, track, company, route)[colour]:
        return [None]
    taken = set().union(*track.values())
    return [at for at, kind in plain.kind.items() if kind == "port" and at not in taken]


def linked(track: Track, seed: Hex) -> set[tuple[Hex, str]]:
    """Everything linked with a hex: along one company's hexes, and between companies inside one (R10.4)."""
    todo = [(seed, c) for c in COMPANIES if seed in track[c]]
    found = set(todo)
    while todo:
        at, company = todo.pop()
        onward = [(near, company) for near in next_to(at) if near in track[company]]
        onward += [(at, c) for c in COMPANIES if at in track[c]]
        fresh = [node for node in onward if node not in found]
        found.update(fresh)
        todo += fresh
    return found


def _western(
    state: game.State, plain: PlainMap, obj: dict[str, Any], track: Track, company: str, route: Route
) -> list[str | None]:
    """R10.4: the companies to choose from, where this build makes the link and there is a choice."""
    spike, places = obj["golden_spike"], state.board.spike
    if spike is None or places is None or spike["status"] in ("linked", "off"):
        return [None]
    omaha, frisco = plain.at[places.east], plain.at[places.west]
    after = {c: set(own) for c, own in track.items()}
    after[company] |= set(route)
    eastern, joints = spike["eastern"], set(route)
    if spike["status"] == "waiting":
        if route[-1] != omaha:
            return [None]
        supply = supply_after_compensation(obj, track, company, route)
        eastern = company if supply[company] else None
        for c in COMPANIES:
            if c != company and supply[c]:
                after[c].add(frisco)
        joints = {frisco}
    if frisco not in {at for at, _ in linked(after, omaha)}:
        return [None]
    if spike["status"] == "building":
        joints = _joints(track, company, route, linked(track, omaha), linked(track, frisco))
    choices = [c for c in COMPANIES if c != eastern and after[c] & joints]
    return list(choices) if len(choices) > 1 else [None]


def _joints(
    track: Track, company: str, route: Route, east: set[tuple[Hex, str]], west: set[tuple[Hex, str]]
) -> set[Hex]:
    """The ruling of R10.4 on where the new track joined the two branches."""

    def touches(branch: set[tuple[Hex, str]]) -> set[Hex]:
        own = {at for at, c in branch if c == company}
        anyone = {at for at, _ in branch}
        return {at for at in route if at in anyone or own & set(next_to(at))}

    before = [(at, company) for at in next_to(route[0]) if at in track[company]]
    from_east, from_west = (any(node in branch for node in before) for branch in (east, west))
    if from_east and from_west:
        return touches(east) & touches(west)
    if from_east:
        return touches(west)
    return touches(east) if from_west else touches(east) | touches(west)
