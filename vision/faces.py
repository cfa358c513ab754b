"""Telling what a card shows by the cards this table has been taught.

A card shows two symbols, and each symbol has its own share of the card's colours, on whatever ground and in whatever
shape it is printed. So each card is told by how much of it has which colour, whichever way round it lies; what the
single symbols add to that is found by ridge regression over all faces learnt, as is how far a face strays from it in
other light.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2
from scipy.special import logsumexp, softmax

from calibration.faces import SIDE, SYMBOLS_EACH, Face, Symbols
from calibration.surface import Surface
from engine.mini_express.names import WILD

from .colours import Float
from .odds import Odds

# Scaled colours per step of a face.
STEP = 0.05
COLOURS, SOFTNESS = 16, 0.1
# Fewer faces, or of one symbol, say too little.
FACES_AT_LEAST, OF_EACH_AT_LEAST = 24, 4
# What keeps the regression sane: so many cards that look like the mean of all; so much noise in any share.
PRIOR_CARDS, NOISE = 0.3, 3e-4

_x = np.arange(SIDE) - SIDE // 2
DISC: NDArray[np.bool_] = np.hypot(*np.meshgrid(_x, _x)) <= SIDE // 2


@dataclass(frozen=True, eq=False)
class Looks:
    """What has been learnt of a table's cards.

    `palette` (colours, 3); `of_pair` (pairs, colours) the shares that each of `pairs` should have of them;
    `precision` (colours, colours) the inverse covariance of what strays from it.
    """

    names: tuple[str, ...]
    pairs: list[Symbols]
    palette: NDArray[np.float64]
    of_pair: NDArray[np.float64]
    precision: NDArray[np.float64]

    def odds(self, faces: Sequence[Face]) -> Odds:
        """(faces, symbols): natural log odds that a card shows each symbol."""
        off = _shares(faces, self.palette)[:, None] - self.of_pair
        fits = -np.einsum("npa,ab,npb->np", off, self.precision, off) / 2
        with_it = np.array([[name in pair for pair in self.pairs] for name in self.names])
        each = [logsumexp(fits[:, on], axis=1) - logsumexp(fits[:, ~on], axis=1) for on in with_it]
        return np.stack(each, axis=1)


def face_at(layers: Float, x: int, y: int) -> Face:
    """The face in the photo's layers, scaled colours (3, height, width), around a pixel."""
    _, height, width = layers.shape
    around = np.arange(SIDE) - SIDE // 2
    rows, columns = np.clip(y + around, 0, height - 1), np.clip(x + around, 0, width - 1)
    window = layers[:3, rows[:, None], columns]
    return np.asarray(np.clip(np.rint(np.moveaxis(window, 0, -1) / STEP), -127, 127), np.int8)


@lru_cache(2)
def looks_of(surface: Surface) -> Looks | None:
    """What the surface's faces teach, None where these are too few; kept, for a surface never changes."""
    names = (*(kind.name for kind in surface.kinds), WILD)
    pairs = list(combinations_with_replacement(names, SYMBOLS_EACH))
    learnt = [(symbols, face) for symbols, faces in surface.faces.items() for face in faces]
    shown = np.array([_counts(symbols, names) for symbols, _ in learnt]).reshape(-1, len(names))
    if len(learnt) < FACES_AT_LEAST or (np.count_nonzero(shown, axis=0) < OF_EACH_AT_LEAST).any():
        return None
    faces = [face for _, face in learnt]
    palette, _ = kmeans2(_pixels(faces).reshape(-1, 3), COLOURS, minit="++", seed=1)
    shares = _shares(faces, palette)
    weight = shown.T @ shown + PRIOR_CARDS * np.eye(len(names))
    of_symbol = np.linalg.solve(weight, shown.T @ shares + PRIOR_CARDS * shares.mean(axis=0))
    stray = shares - shown @ of_symbol
    precision = np.linalg.inv(stray.T @ stray / len(stray) + NOISE * np.eye(COLOURS))
    of_pair = np.array([_counts(pair, names) for pair in pairs]) @ of_symbol
    return Looks(names, pairs, palette, of_pair, precision)


def _counts(symbols: Symbols, names: Sequence[str]) -> NDArray[np.float64]:
    """(symbols,): which share of a card's symbols each of them is."""
    return np.array([symbols.count(name) / len(symbols) for name in names])


def _pixels(faces: Sequence[Face]) -> NDArray[np.float64]:
    """(faces, pixels, 3): the scaled colours of the middles of faces."""
    return np.array([face[DISC] for face in faces]) * STEP


def _shares(faces: Sequence[Face], palette: NDArray[np.float64]) -> NDArray[np.float64]:
    """(faces, colours): how much of each face is like each colour of the palette."""
    far = ((_pixels(faces)[:, :, None] - palette) ** 2).sum(axis=-1)
    shares: NDArray[np.float64] = softmax(-far / SOFTNESS, axis=-1).mean(axis=1)
    return shares
