"""The colours of all kinds of pieces in one photo, found together.

Each kind by itself is looked for near the colour assumed for it (`colours`). Where a table's wood or a photo's light is
far from that, all pieces of one kind can pass for another's, and then teach that the wrong colour. So here the kinds
share out what the pieces show: a classification likelihood of Cauchy distributions, whose middles are the medians of
like tops, searched by moving one kind or two at a time. Light changes all kinds alike, so what tells which is which is
mostly how they differ from each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from .colours import Colours, Float, colours_of_pieces
from .odds import Odds

# How widely the tops of one kind scatter, as scaled colours, for lamps and shadows take some far off; and the log
# likelihood of one that is no kind's.
SCATTER, STRAY = np.array([0.4, 0.45, 0.45], np.float32), -12.0
# How far from what is assumed of them all kinds may be together, and each beside that.
COMMON, OWN = (1.2, 0.6, 0.6), (0.5, 0.7, 1.5)
# How far what a home cell shows, with all that lies there, may be from its kind; how much a piece found there counts.
HOME_SCATTER, HOME_PIECE = 1.2, 2.0
# Tops so near to each other are one group, and so many groups, the largest, are tried.
ALIKE, GROUPS = np.array([0.7, 0.5, 0.5], np.float32), 7
# Fewer pieces than this for each kind, as at the set-up, may all stand in shadows.
PIECES = 2
# No two kinds are of the very same colour, but the log likelihood of that has an end.
SAME = 1e-3
# So much likelier, in nats, other colours must be to be believed.
PLAINLY = 20.0
# Where two kinds with exchanged colours would be less likely by no more than this, in nats, either may be the other: so
# it was on four of 294 photos of games, on which 4 to 27 readings were wrong that nobody was asked about.
HARDLY = 8.0
# Of the pieces that are said to stand there, at least this share looks more like the others of its kind than like any
# other kind: in 225 of 228 photos of games whose position was known, and in 34 of 100 where another game's was told.
KNOWN_AGAIN = 0.75

Places = NDArray[np.int64]
"""(trials, kinds): which of the colours in question each kind has."""


@dataclass(frozen=True, eq=False)
class Shown:
    """What a photo shows of its kinds' colours, all of them scaled.

    `assumed`, `at_home`, `now` (kinds, 3): what was assumed of each, what its home cell shows, else the same, and what
    is believed as yet; `tops` (n, 3): what the pieces found show on top, of whatever kind; `home_of` (n,): in the home
    cell of which kind each of them stands, or -1.
    """

    assumed: Colours
    at_home: Colours
    now: Colours
    tops: Float
    home_of: NDArray[np.int64]

    @cached_property
    def colours(self) -> Float:
        """(kinds + groups, 3): the colours in question, those of `now` first."""
        return np.vstack([self.now, _groups(self.tops)])

    @cached_property
    def _fits(self) -> Float:
        """(n, colours): how well each top fits each colour, a log likelihood."""
        fits: Float = np.maximum(-2 * np.log1p(_apart(self.tops, self.colours, SCATTER)), STRAY)
        return fits

    @cached_property
    def _of_one(self) -> Odds:
        """(kinds, colours): how likely one kind has a colour, by its home cell."""
        said = -np.log1p(_apart(self.at_home, self.colours, HOME_SCATTER))
        for kind in set(self.home_of.tolist()) - {-1}:
            said[kind] += HOME_PIECE * self._fits[self.home_of == kind].max(axis=0)
        return said

    @cached_property
    def _of_two(self) -> Odds:
        """(colours, colours): how likely two kinds have these colours, by how they differ."""
        return np.asarray(np.log(SAME - np.expm1(-_apart(self.colours, self.colours, SCATTER) / 2)))

    def likelihood(self, places: Places) -> Odds:
        """(trials,): the log likelihood that the kinds have these of the `colours`."""
        said: Odds = self._fits[:, places].max(axis=-1).sum(axis=0)
        said = said + _expected(self.colours[places] - self.assumed)
        for kind, place in enumerate(places.T):
            said += self._of_one[kind, place]
        for one, other in combinations(places.T, 2):
            said += self._of_two[one, other]
        return said


def colours_together(shown: Shown) -> Colours | None:
    """(kinds, 3): the colours that explain all pieces best.

    None where pieces are few, or those believed as yet are not plainly worse.
    """
    kinds = len(shown.now)
    if len(shown.tops) < PIECES * kinds:
        return None
    best = np.arange(kinds)
    likelihood = first = shown.likelihood(best[None])[0]
    while True:
        trials = _moved(best, range(kinds, len(shown.colours)))
        said = shown.likelihood(trials)
        if said.max() <= likelihood:
            break
        best, likelihood = trials[said.argmax()], said.max()
    return shown.colours[best] if likelihood > first + PLAINLY else None


def hardly_apart(shown: Shown) -> tuple[int, int] | None:
    """Two kinds of which each may as well have the other's colour, as far as all that is shown tells.

    None where there are none, or pieces are too few to tell.
    """
    kinds = len(shown.now)
    couples = [*combinations(range(kinds), 2)]
    if len(shown.tops) < PIECES * kinds or not couples:
        return None
    places = np.tile(np.arange(kinds), (1 + len(couples), 1))
    for exchanged, (one, other) in zip(places[1:], couples, strict=True):
        exchanged[[one, other]] = other, one
    first, *said = shown.likelihood(places)
    likeliest = int(np.argmax(said))
    return couples[likeliest] if said[likeliest] > first - HARDLY else None


def colours_of_known(at_home: Colours, tops: Sequence[tuple[int, Float | None]]) -> Colours | None:
    """(kinds, 3): the colours by the `tops`, kind and colour, of pieces that are known to stand there.

    None where they do not look it: then the photo shows something else, and what is known of another game teaches
    nothing about this one.
    """
    colours = colours_of_pieces(at_home, tops)
    shown = [(kind, top) for kind, top in tops if top is not None]
    if not shown:
        return None
    kinds, each = zip(*shown, strict=True)
    likest = _apart(np.array(each), colours, SCATTER).argmin(axis=1)
    return colours if np.mean(likest == np.array(kinds)) >= KNOWN_AGAIN else None


def _moved(places: NDArray[np.int64], groups: range) -> Places:
    """The same, and with one or two kinds moved to any of the `groups`."""
    trials = [places]
    for movers in combinations(range(len(places)), min(2, len(places))):
        for to in product(*([places[mover], *groups] for mover in movers)):
            trial = places.copy()
            trial[list(movers)] = to
            trials.append(trial)
    return np.array(trials)


def _groups(tops: Float) -> Float:
    """(groups, 3): the medians of like tops, the largest group first."""
    left, alike, groups = tops, _apart(tops, tops, ALIKE) < 1, list[Float]()
    while len(left) and len(groups) < GROUPS:
        largest = alike[alike.sum(axis=1).argmax()]
        groups.append(np.median(left[largest], axis=0))
        left, alike = left[~largest], alike[np.ix_(~largest, ~largest)]
    return np.array(groups, np.float32).reshape(-1, 3)


def _apart(some: Float, others: Float, unit: Float | float) -> Float:
    """(some, others): the squared distances of colours."""
    return np.asarray(np.square((some[:, None] - others) / unit).sum(axis=-1), np.float32)


def _expected(off: Float) -> Odds:
    """(trials,): how likely the kinds are `off` (trials, kinds, 3) what is assumed, a normal distribution."""
    kinds, said = off.shape[1], np.zeros(len(off))
    for channel, (common, own) in enumerate(zip(COMMON, OWN, strict=True)):
        precision = np.linalg.inv(own**2 * np.eye(kinds) + common**2)
        said -= np.einsum("tk,kl,tl->t", off[..., channel], precision, off[..., channel]) / 2
    return said
