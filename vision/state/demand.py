"""What lies on the map beside trains: the demand tile of each city, the target city marker, the Golden Spike tile.

A city has its tile as long as it is not full (R2.3, R5.7), so the track tells where tiles lie and the photo tells
which. The game has a certain set of tiles (R1.1), so all are read together: each of them lies in one city at
most. The marker lies on one city or on none (R7.2), the spike tile on its hex or not on the map (R10.1).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from lap import lapjvx
from numpy.typing import NDArray

from calibration.faces import Symbols
from calibration.surface import Surface
from engine.hexgrid import Hex
from engine.mini_express.board import Board, City
from engine.mini_express.names import COMPANIES, Pair

from ..cells.faces import pairs_of
from ..cells.looks import weights
from ..cells.odds import CERTAIN, TOLD, Odds, probability
from ..cells.reading import PLAIN_CARD, Reading
from .equals import same_pair, told_by_equals
from .observation import Observation

IMPOSSIBLE = -1e4
# What is less probable than this is asked: the target marker, a tile.
SURE_P, SURE_TILE = 0.96, 0.985
# Of two things that photos of two moments show, either is as likely.
EITHER = 0.5
# Log odds that the target marker lies off the map, before looking: where nobody knows whether Mašinfíra plays, and
# where it does. Then it only does so until its first turn (R7.2).
NO_MARKER, NOT_YET = 0.0, -3.0
# Of so many tiles it can be told whether they lie as they are said to; where fewer than this share look so, they lie
# otherwise, and where as many as the second do, they lie so. In 48 photos of the open tables and 12 of two drawn at
# random 0.71 and more looked so; of 1,200 times they were shuffled, 1,174 times less than 0.3, once more than 0.6.
TILES_AT_LEAST, OTHERWISE, AS_TOLD = 6, 0.3, 0.6


@dataclass(frozen=True)
class Tile:
    """The pair read on the tile of the city with this number, with its probability."""

    city: int
    pair: Pair
    p: float

    @property
    def doubtful(self) -> bool:
        """Whether a person should confirm it."""
        return self.p < SURE_TILE


@dataclass(frozen=True)
class Cards:
    """The tiles by city number; the likeliest city for the target marker, and how probable it is that it lies there.

    `spike_p` is how probable it is that the Golden Spike tile lies on its hex; 0 where that hex cannot be seen.
    """

    tiles: tuple[Tile, ...] = ()
    target: int = 0
    target_p: float = 0.0
    spike_p: float = 0.0

    @property
    def all_open(self) -> "Cards":
        """The same where photos contradict each other, so that no tile is sure."""
        return replace(self, tiles=tuple(replace(tile, p=min(tile.p, EITHER)) for tile in self.tiles))

    @property
    def clear_target(self) -> int:
        """The city the target marker clearly lies on, 0 where none does."""
        return self.target if self.target_p >= SURE_P else 0


@dataclass(frozen=True, eq=False)
class Faces:
    """What is on the cards by photos of one moment.

    `fits` (cells, pairs) log-likelihoods of what can be on a card (`pairs_of`), `same` (cells, cells) log odds that two
    cards show the same, `seen` (cells,) where a card would be seen.
    """

    fits: Odds
    same: Odds
    seen: NDArray[np.bool_]

    @staticmethod
    def of(readings: Sequence[Reading]) -> "Faces":
        """By the readings of several photos: they add up as far as the looks are independent."""
        cameras, seen = [look.camera for look in readings], np.array([look.card_seen for look in readings])
        fits = np.array([np.maximum(reading.faces, -CERTAIN) for reading in readings])
        same = np.array([same_pair(reading.agreement, reading.card) for reading in readings])
        weight = weights(cameras, readings[0].surface, seen)
        of_both = np.minimum(weight[..., None], weight[:, None, :])
        return Faces(
            fits=(fits * weight[..., None]).sum(axis=0),
            same=(same * of_both).sum(axis=0),
            seen=np.asarray(seen.any(axis=0)),
        )


def tiles_by_cell(surface: Surface, board: Board, tiles: Mapping[int, Pair | None]) -> dict[int, Symbols]:
    """Demand tiles by city number → what is on them by the indices of their cells."""
    cells = {number: surface.index[board.numbered[number].at] for number in tiles}
    return {cells[number]: tuple(sorted(pair)) for number, pair in tiles.items() if pair}


def tiles_in_view(reading: Reading, tiles: Mapping[int, Symbols]) -> list[int]:
    """Those of these tiles, by the indices of their cells, that are in plain view."""
    return [
        cell
        for cell in tiles
        if reading.seen[cell] and reading.card[cell] > PLAIN_CARD and cell in reading.shown
    ]


def laid_so(readings: Sequence[Reading], tiles: Mapping[int, Symbols]) -> float | None:
    """Of the tiles that have an equal one, as they are said to lie, the share that look most like such a one.

    This asks nothing of what the symbols look like: it holds on a table that nobody has read yet. None where too few
    tiles can be seen.
    """
    alike = [like for reading in readings for like in _like_their_equals(reading, tiles)]
    return sum(alike) / len(alike) if len(alike) >= TILES_AT_LEAST else None


def _like_their_equals(reading: Reading, tiles: Mapping[int, Symbols]) -> list[bool]:
    """Of each tile in plain view that has an equal one whether it looks more like that than like any other."""
    cells = tiles_in_view(reading, tiles)
    pairs = [tiles[cell] for cell in cells]
    if len(set(pairs)) == len(pairs):
        return []
    alike = reading.agreement[np.ix_(cells, cells)]
    np.fill_diagonal(alike, -np.inf)
    most = alike.argmax(axis=1).tolist()
    return [pairs[other] == pair for pair, other in zip(pairs, most, strict=True) if pairs.count(pair) > 1]


def laid_otherwise(readings: Sequence[Reading], tiles: Mapping[int, Symbols]) -> bool:
    """Whether these tiles plainly lie otherwise in the photos than they are said to."""
    share = laid_so(readings, tiles)
    return share is not None and share < OTHERWISE


def read_as_others(each: Sequence[Cards]) -> list[int]:
    """The cities whose tile, by what several photos show each by itself, is surely one pair and surely another."""
    sure = {(tile.city, tile.pair) for cards in each for tile in cards.tiles if not tile.doubtful}
    return sorted(city for city, pairs in Counter(city for city, _ in sure).items() if pairs > 1)


def read_cards(
    observation: Observation,
    faces: Faces,
    board: Board,
    track: Mapping[str, Sequence[Hex]],
    tiles: Sequence[Pair],
    bot: bool | None = None,
    told: Mapping[int, Pair] | None = None,
) -> Cards:
    """What lies there, given the decoded `track`; `tiles` are all there are in the game.

    `bot` says whether Mašinfíra plays, where that is known; `told` is what a person said of tiles, by city number.
    """

    def has_tile(city: City) -> bool:
        taken = sum(city.at in track[company] for company in COMPANIES)
        return taken < city.capacity and bool(faces.seen[observation.index[city.at]])

    numbers = [number for number, city in sorted(board.numbered.items()) if has_tile(city)]
    rows = [observation.index[board.numbered[number].at] for number in numbers]
    target, p = (0, 0.0) if bot is False else _target(observation, board, NOT_YET if bot else NO_MARKER)
    known = [(told or {}).get(number) for number in numbers]
    laid = _tiles(numbers, _fits(faces, rows, observation.kinds, tiles, known), tiles)
    return Cards(laid, target, p, _spike(observation, board))


def _fits(
    faces: Faces,
    rows: Sequence[int],
    kinds: Sequence[str],
    tiles: Sequence[Pair],
    told: Sequence[Pair | None],
) -> Odds:
    """(cities, tiles): how well each of `tiles` fits the cities in these rows, some of whose tiles are `told`."""
    pairs, every = [tuple(sorted(pair)) for pair in tiles], pairs_of(kinds)
    counts = Counter(pairs)
    there = [*counts]
    alone = faces.fits[np.ix_(rows, [every.index(pair) for pair in there])]
    for city, pair in enumerate(told):
        if pair:
            alone[city] = np.where([other == tuple(sorted(pair)) for other in there], 0.0, -TOLD)
    together = told_by_equals(alone, faces.same[np.ix_(rows, rows)], [*counts.values()])
    return together[:, [there.index(pair) for pair in pairs]]


def _tiles(numbers: Sequence[int], fits: Odds, tiles: Sequence[Pair]) -> tuple[Tile, ...]:
    """The likeliest way to lay different ones of `tiles` into the cities; `fits` (cities, tiles)."""
    laid = zip(*_likeliest(fits), strict=True)
    return tuple(Tile(numbers[city], tiles[tile], _share(fits, city, tile, tiles)) for city, tile in laid)


def _likeliest(fits: Odds) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """The cities and tiles, by row and column, of the likeliest way to lay different tiles."""
    return lapjvx(-fits, extend_cost=True, return_cost=False)


def _share(fits: Odds, city: int, tile: int, tiles: Sequence[Pair]) -> float:
    """How probable this tile is in this city, each pair weighed by the likeliest way to lay all with it there."""
    totals = {}
    # In a fixed order, so that the sum is the same to the last digit whenever a photo is read.
    for pair in dict.fromkeys(tiles):
        forced = fits.copy()
        forced[city, [other != pair for other in tiles]] = IMPOSSIBLE
        totals[pair] = forced[_likeliest(forced)].sum()
    return float(np.exp(totals[tiles[tile]] - np.logaddexp.reduce(list(totals.values()))))


def _target(observation: Observation, board: Board, off_the_map: float) -> tuple[int, float]:
    """The likeliest city for the marker, and how likely it is that it lies there."""
    numbers = [*board.numbered]
    rows = [observation.index[board.numbered[number].at] for number in numbers]
    # Off the map is as likely as on any city, while none of them is seen.
    hidden = -np.log(len(rows))
    odds = np.where(observation.seen[rows], observation.marker[rows], hidden)
    best = int(odds.argmax())
    return numbers[best], float(np.exp(odds[best] - np.logaddexp.reduce(odds, initial=off_the_map)))


def _spike(observation: Observation, board: Board) -> float:
    """How probable it is that a card lies on the hex of the Golden Spike tile, which is no city."""
    row = observation.index[board.spike.tile] if board.spike else None
    if row is None or not observation.seen[row]:
        return 0.0
    return float(probability(observation.card[row]))
