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

# Of all tracks of as many trains so many are built on, and none that is this much less probable than the best of as
# many or fewer, in log odds.
BEAM, BEHIND = 16, 15.0
# No way is thought of whose trains are together less probable than the first of these, or than the second where the
# tracks found leave out as much as that could win.
THINKABLE = -7.0, -14.0
# So many ways to a hex are kept.
WAYS = 6
# That a company has made one build more, and one train more, however they look; what a train on an unseen hex is
# worth; what it takes to believe in a new start, which the Golden Spike (R10.3) or a port (R11.2) gives.
A_BUILD, A_TRAIN, UNSEEN, NEW_START = -2.0, 1.3, -0.5, -6.0
# Nothing speaks for or against one train more than this.
CERTAIN = 14.0

Mask = int
Worth = Mapping[int, float]
"""What a train on each hex counts, in log odds."""
Way = tuple[float, Mask]
"""What the trains of a way are worth together, in log odds, and where they are."""


@dataclass(frozen=True, eq=False)
class Tracks:
    """Probable tracks of one company by their masks, with their scores in log odds."""

    board: Board
    scores: dict[Mask, float]

    @cached_property
    def best(self) -> Mask:
        return max(self.scores, key=lambda track: self.scores[track])

    @cached_property
    def hexes(self) -> set[Hex]:
        """The most probable track."""
        return set(self.board.hexes(self.best))

    @cached_property
    def odds(self) -> dict[Hex, float]:
        """The log odds of a train on every hex, within the bounds of `CERTAIN`."""
        top = self.scores[self.best]
        weights = {t: exp(score - top) for t, score in self.scores.items() if score > top - CERTAIN}
        total, least = sum(weights.values()), exp(-CERTAIN)
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


def likely_tracks(board: Board, company: str, odds: Mapping[Hex, float]) -> Tracks:
    """The tracks that builds of `company` can have made, by the log `odds` of a train on each hex that was seen."""
    worth = {
        bit: max(-CERTAIN, min(CERTAIN, odds[at])) + A_TRAIN if at in odds else UNSEEN
        for bit, at in board.hex_of.items()
    }
    quick, thorough = THINKABLE
    tracks = _search(board, 1 << board.starts[company].bit, worth, quick)
    left_out = sum(max(0.0, value) for bit, value in worth.items() if not tracks.best >> bit & 1)
    return tracks if left_out < -quick else _search(board, 1 << board.starts[company].bit, worth, thorough)


def _search(board: Board, start: Mask, worth: Worth, thinkable: float) -> Tracks:
    """The beam search from a track of one train; tracks of one size compete, so no order of builds is favoured."""
    by_size: list[dict[Mask, float]] = [{} for _ in range(TRAINS + 1)]
    by_size[1][start] = best = 0.0
    for tracks in by_size:
        leaders = heapq.nlargest(BEAM, tracks.items(), key=lambda item: item[1])
        best = max([best, *(score for _, score in leaders[:1])])
        for track, score in leaders:
            for gain, trains in _builds(board, track, worth, thinkable) if score > best - BEHIND else ():
                longer = by_size[(track | trains).bit_count()]
                longer[track | trains] = max(score + gain, longer.get(track | trains, -inf))
    return Tracks(board, {track: score for tracks in by_size for track, score in tracks.items()})


def _builds(board: Board, track: Mask, worth: Worth, thinkable: float) -> Iterator[Way]:
    """The likeliest ways from `track` to each city in reach, found by breadth, and new starts."""
    landscape, cities = board.landscape & ~track, board.city_mask & ~track
    near = seen = track
    ways: dict[int, list[Way]] = {}
    left = TRAINS - track.bit_count()
    for step in range(min(RESERVOIR_SIZE, left)):
        near = board.grow(near) & ~seen & (landscape | cities)
        seen |= near
        longer = _longer(board, ways, near, worth) if step else {b: [(worth[b], 1 << b)] for b in bits(near)}
        ways = {}
        for bit, found in longer.items():
            thought_of = heapq.nlargest(WAYS, (way for way in found if way[0] > thinkable))
            if cities >> bit & 1:
                yield from ((value + A_BUILD, trains) for value, trains in thought_of)
            elif thought_of:
                ways[bit] = thought_of
        near &= landscape
        if not ways:
            break
    for bit in _new_starts(board) if left else ():
        if not track >> bit & 1 and worth[bit] > -NEW_START:
            yield worth[bit] + NEW_START, 1 << bit


def _longer(board: Board, ways: Mapping[int, list[Way]], near: Mask, worth: Worth) -> dict[int, list[Way]]:
    """The ways led on to the hexes of `near`, by the hex they end on."""
    longer: dict[int, list[Way]] = {}
    for end, found in ways.items():
        for bit in board.around[end]:
            if near >> bit & 1:
                longer.setdefault(bit, []).extend(
                    (value + worth[bit], trains | 1 << bit) for value, trains in found
                )
    return longer


def _new_starts(board: Board) -> tuple[int, ...]:
    """Where a company may get a train without building there: the Golden Spike's western city, and ports."""
    return (board.city_named[board.spike.west].bit,) if board.spike else board.ports
