"""From probabilities to the most probable track the rules allow, when nothing is known of the game before.

Per company the track must hang together with its start (R1.2b) and count at most 25 trains (R1.2); a city
takes as many companies as its capacity, a start city only its own (R1.3, R5.1). Hexes that nobody could
see may complete a connection, and nothing is claimed of them.
"""

import heapq
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import exp, inf

from engine.hexgrid import Hex, neighbours
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES, TRAINS
from engine.sentences import N_, Problem

from .cities import under_capacity
from .observation import Observation

Odds = Mapping[Hex, float]

# A reading is doubtful where its probability under the rules lies between this and its opposite.
DOUBT = 0.003
# Of a photo with more doubts than this the rest is not to be trusted either.
TOO_MANY = 30
# Log odds beyond which a reading needs no second thought.
SURE_ABSENT, SURE_PRESENT = -8.0, 8.0
# What a forced reading counts, in log odds: more than any evidence.
FORCED = 60.0
# What it costs to assume that the track runs through a hex nobody could see.
THROUGH_UNSEEN = 0.5


@dataclass(frozen=True)
class Doubt:
    """A reading a person should confirm: `p` that a train of `company` is on `hex`, and what the state says.

    `stakes` is how many readings change when it turns out to be otherwise, itself and what hangs on it.
    """

    hex: Hex
    company: str
    p: float
    claimed: bool
    stakes: int = 1

    @property
    def worth(self) -> float:
        """How many readings an answer is expected to put right."""
        return self.stakes * (1 - self.p if self.claimed else self.p)


class HardPhoto(Problem):
    """A photo of which a person would have to answer more than anybody will."""

    sentences = {
        "many": N_(
            "{n} readings are doubtful: take the photo again if you can, more from above, without glare or shadow."
        )
    }


@dataclass(frozen=True)
class Decoded:
    """The most probable track by company, and what is doubtful about it, most useful to confirm first."""

    track: dict[str, list[Hex]]
    doubtful: list[Doubt]

    @property
    def conflicts(self) -> list[Problem]:
        """What speaks against the photo as a whole."""
        many = len(self.doubtful) > TOO_MANY
        return [HardPhoto("many", n=len(self.doubtful))] if many else []


def decode(observation: Observation, board: Board) -> Decoded:
    """The most probable track under the rules, with its doubts."""
    unseen = set(observation.unseen)
    allowed = under_capacity(observation, board)
    track: dict[str, list[Hex]] = {}
    doubtful: list[Doubt] = []
    for company in COMPANIES:
        root = board.starts[company].at
        chosen, score = connected(allowed[company], root, unseen)
        track[company] = sorted(chosen)
        for at, raw in allowed[company].items():
            if at != root and (SURE_ABSENT < raw < SURE_PRESENT or (raw > 0) != (at in chosen)):
                p, stakes = _under_rules(at, allowed[company], root, unseen, chosen, score)
                # A reading that the rules overrule stays a doubt, whatever they make of it.
                overruled = (raw > 0) != (at in chosen)
                if overruled or DOUBT < p < 1 - DOUBT:
                    shown = 1 / (1 + exp(-raw)) if overruled else p
                    doubtful.append(Doubt(at, company, shown, at in chosen, stakes))
    return Decoded(track, sorted(doubtful, key=lambda doubt: -doubt.worth))


def _under_rules(
    at: Hex, odds: dict[Hex, float], root: Hex, unseen: set[Hex], chosen: set[Hex], score: float
) -> tuple[float, int]:
    """The probability of a train on `at` when the rest may change with it to what then is best, and how much does."""
    claimed = at in chosen
    otherwise, forced = connected({**odds, at: -FORCED if claimed else FORCED}, root, unseen)
    # The forced reading itself counts with its true odds.
    forced += 0.0 if claimed else odds[at] - FORCED
    advantage = score - forced
    p = 1 / (1 + exp(max(-30.0, min(30.0, -advantage if claimed else advantage))))
    return p, len(chosen ^ otherwise)


def connected(odds: Odds, root: Hex, unseen: Collection[Hex]) -> tuple[set[Hex], float]:
    """The set of hexes with the best total odds that hangs together with `root`, and that total.

    A prize-collecting Steiner tree, approached by joining islands over their cheapest bridges while that
    pays; on a board of 150 hexes with few gaps this is the best in practice.
    """
    wanted = {at for at, value in odds.items() if value > 0} | {root}
    chosen, crossed = _grown({root}, wanted), set[Hex]()
    while islands := _islands(wanted - chosen):
        best_gain = max(sum(odds[at] for at in island) for island in islands)
        reach = _cheapest_ways(chosen | crossed, odds, unseen, best_gain)
        gains = []
        for island in islands:
            door = min(island, key=lambda at: reach.get(at, (inf, ()))[0])
            cost, way = reach.get(door, (inf, ()))
            gains.append((sum(odds[at] for at in island) - cost, sorted(island), way))
        gain, island_hexes, way = max(gains)
        if gain <= 0:
            break
        chosen |= set(island_hexes) | {at for at in way if at in odds}
        crossed |= {at for at in way if at not in odds}
    while len(chosen) > TRAINS:
        weakest = sorted(chosen, key=lambda at: odds.get(at, 0.0))
        chosen.remove(next(at for at in weakest if _is_leaf(at, chosen, crossed, root)))
    return chosen, sum(odds.get(at, 0.0) for at in chosen) - THROUGH_UNSEEN * len(crossed)


def _cheapest_ways(
    start: set[Hex], odds: Odds, unseen: Collection[Hex], limit: float
) -> dict[Hex, tuple[float, tuple[Hex, ...]]]:
    """For every hex within `limit` the cost of the cheapest way from `start` and the hexes between (Dijkstra)."""
    best: dict[Hex, tuple[float, tuple[Hex, ...]]] = {}
    queue: list[tuple[float, Hex, tuple[Hex, ...]]] = [(0.0, at, ()) for at in start]
    heapq.heapify(queue)
    done: set[Hex] = set()
    while queue:
        cost, at, way = heapq.heappop(queue)
        if cost > limit:
            break
        if at in done:
            continue
        done.add(at)
        if at not in start:
            best[at] = cost, way
            way = (*way, at)
            cost += max(0.0, -odds[at]) if at in odds else THROUGH_UNSEEN
        for near in neighbours(at):
            if near not in done and (near in odds or near in unseen):
                heapq.heappush(queue, (cost, near, way))
    return best


def _grown(seed: set[Hex], within: set[Hex]) -> set[Hex]:
    """The hexes of `within` that hang together with `seed`."""
    found, todo = set(seed), list(seed)
    while todo:
        fresh = [at for at in neighbours(todo.pop()) if at in within and at not in found]
        found.update(fresh)
        todo += fresh
    return found


def _islands(hexes: set[Hex]) -> list[set[Hex]]:
    islands, left = [], set(hexes)
    while left:
        island = _grown({next(iter(left))}, left)
        islands.append(island)
        left -= island
    return islands


def _is_leaf(at: Hex, chosen: set[Hex], crossed: set[Hex], root: Hex) -> bool:
    """Whether this hex can go without cutting anything off from `root`; `crossed` are unseen ones on the way."""
    return at != root and chosen - {at} <= _grown({root}, (chosen | crossed) - {at})
