"""The tracks that play can have made.

A company's track grows by builds alone, each a shortest route from all it has to a city, through landscape only, of at
most five trains (R5.2, R5.3). So no track ends in open country, and what a photo shows badly is told by what it shows
well. A beam search plays builds, likely ones first, and keeps every track it comes by with its score.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf, log

from engine.hexgrid import Hex
from engine.mini_express.board import Board, bits
from engine.mini_express.names import RESERVOIR_SIZE, TRAINS

from ..cells.odds import SETTLED

# Of all tracks of one size so many are built on, fewer for a first look, and none that is this much less probable, in
# log odds, than the best of that size or smaller.
BEAM, FIRST_BEAM, BEHIND = 32, 8, 15.0
# A way is thought of where its trains together are at least this probable; where the tracks found so leave out trains
# that are worth as much, the search is made again with the second.
THINKABLE = -7.0, -14.0
# So many ways to a hex are kept.
WAYS = 6
# A company has made one build more.
A_BUILD = -1.5
# A train that a photo leaves open is there: track is not scattered, it leads on.
A_TRAIN = 1.7
# There is a train on a hex that nobody could see.
UNSEEN = -0.5
# A company has been given a new start: in San Francisco (R10.3), or one port (R11.2, R11.4).
NEW_START = -4.0
# What photos say of one train counts no more than this, or than the second where the rules or a person settle it.
PHOTO_AT_MOST, SETTLED_AT_MOST = 9.0, 14.0
# Log odds beyond which it is: SETTLED, but for what photos said against it.
NEARLY_SETTLED = SETTLED - 1.0

HexMask = int
LogOdds = Mapping[int, float]
"""Of a train on every hex, by its bit."""
Way = tuple[float, HexMask]
"""What the trains of a way are worth together, in log odds, and where they are."""
Ways = dict[int, list[Way]]
"""By the hex they end on."""


@dataclass(frozen=True, eq=False)
class Tracks:
    """Probable tracks of one company by their masks, with their scores in log odds."""

    board: Board
    scores: dict[HexMask, float]

    @cached_property
    def best(self) -> HexMask:
        """The most probable track as a mask."""
        return max(self.scores, key=lambda track: self.scores[track])

    @cached_property
    def hexes(self) -> set[Hex]:
        """The most probable track."""
        return set(self.board.hexes(self.best))

    @cached_property
    def odds(self) -> dict[Hex, float]:
        """The log odds of a train on every hex, within the bounds of `SETTLED_AT_MOST`."""
        top = self.scores[self.best]
        weights = {t: exp(score - top) for t, score in self.scores.items() if score > top - SETTLED_AT_MOST}
        total, least = sum(weights.values()), exp(-SETTLED_AT_MOST)
        there = dict.fromkeys(self.board.hex_of, 0.0)
        for track, weight in weights.items():
            for bit in bits(track):
                there[bit] += weight
        return {
            self.board.hex_of[bit]: log(max(least, weight / total)) - log(max(least, 1 - weight / total))
            for bit, weight in there.items()
        }

    def stakes(self, at: Hex) -> int:
        """How many trains the most probable track with this hex the other way round has more or less."""
        bit = 1 << self.board.index[at]
        others = [track for track in self.scores if (track ^ self.best) & bit]
        likeliest = max(others, key=lambda track: self.scores[track], default=self.best ^ bit)
        return (likeliest ^ self.best).bit_count()


def likely_tracks(board: Board, company: str, odds: Mapping[Hex, float], beam: int = BEAM) -> Tracks:
    """The tracks that builds of `company` can have made, by the log `odds` of a train on each hex that was seen."""
    worth = {bit: _worth(odds[at]) if at in odds else UNSEEN for bit, at in board.hex_of.items()}
    start, (quick, thorough) = 1 << board.starts[company].bit, THINKABLE
    tracks = _Beam(board, worth, beam, quick).tracks_from(start)
    left_out = sum(max(0.0, value) for bit, value in worth.items() if not tracks.best >> bit & 1)
    return tracks if left_out < -quick else _Beam(board, worth, beam, thorough).tracks_from(start)


def _worth(odds: float) -> float:
    """What a train counts in a track that has it."""
    if abs(odds) > NEARLY_SETTLED:
        return SETTLED_AT_MOST if odds > 0 else -inf
    return max(-PHOTO_AT_MOST, min(PHOTO_AT_MOST, odds)) + A_TRAIN


@dataclass(frozen=True, eq=False)
class _Beam:
    """A beam search over the tracks of one company: what a train on each hex is worth, how many tracks of a size are
    built on, and from where on a way is thought of."""

    board: Board
    worth: LogOdds
    width: int
    thinkable: float

    def tracks_from(self, start: HexMask) -> Tracks:
        """From a track of one train; tracks of one size compete, so no order of builds is favoured."""
        by_size: list[dict[HexMask, float]] = [{} for _ in range(TRAINS + 1)]
        by_size[1][start] = best = 0.0
        for tracks in by_size:
            leaders = heapq.nlargest(self.width, tracks.items(), key=lambda item: item[1])
            best = max([best, *tracks.values()])
            for track, score in leaders:
                if score <= best - BEHIND:
                    break
                for gain, trains in self._builds(track):
                    longer = by_size[(grown := track | trains).bit_count()]
                    if score + gain > longer.get(grown, -inf):
                        longer[grown] = score + gain
        return Tracks(self.board, {track: score for tracks in by_size for track, score in tracks.items()})

    def _builds(self, track: HexMask) -> Iterator[Way]:
        """The likeliest ways from `track` to each city in reach, found by breadth, and new starts."""
        landscape, cities = self.board.landscape & ~track, self.board.destinations & ~track
        left = TRAINS - track.bit_count()
        near = seen = track
        ways: Ways = {}
        for step in range(min(RESERVOIR_SIZE, left)):
            near = self.board.grow(near) & ~seen & (landscape | cities)
            seen |= near
            if not (ways := self._led_on(ways, near) if step else self._first(near)):
                break
            for bit in bits(near & cities):
                yield from ((value + A_BUILD, trains) for value, trains in ways.pop(bit, ()))
            near &= landscape
        for bit in _new_starts(self.board, track) if left else ():
            if self.worth[bit] + NEW_START > self.thinkable:
                yield self.worth[bit] + NEW_START, 1 << bit

    @cached_property
    def _likely(self) -> HexMask:
        """The hexes that a way may consist of alone."""
        return sum(1 << bit for bit, value in self.worth.items() if value > self.thinkable)

    def _first(self, near: HexMask) -> Ways:
        """The likely ways of one train to the hexes of `near`."""
        return {bit: [(self.worth[bit], 1 << bit)] for bit in bits(near & self._likely)}

    def _led_on(self, ways: Ways, near: HexMask) -> Ways:
        """The ways led on to the hexes of `near`, the likeliest to each."""
        longer: Ways = {}
        for end, found in ways.items():
            for bit in self.board.around[end]:
                if near >> bit & 1:
                    more, here = self.worth[bit], 1 << bit
                    longer.setdefault(bit, []).extend(
                        (value, trains | here)
                        for before, trains in found
                        if (value := before + more) > self.thinkable
                    )
        return {bit: _likeliest(led_on) for bit, led_on in longer.items() if led_on}


def _likeliest(ways: list[Way]) -> list[Way]:
    return heapq.nlargest(WAYS, ways) if len(ways) > WAYS else ways


def _new_starts(board: Board, track: HexMask) -> list[int]:
    """Where a company may get a train without building there: the Golden Spike's western city, and one port."""
    west = () if board.spike is None else (board.city_named[board.spike.west].bit,)
    ports = () if track & board.port_mask else board.ports
    return [bit for bit in (*west, *ports) if not track >> bit & 1]
