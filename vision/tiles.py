"""Which demand tile lies in a city: the two companies, or company and wild card, printed on it (R1.4, R2.3).

A tile's face is plain card with two printed symbols, so its pixels are card, the first colour or the second; the
pair that explains all of them best is read. What the companies' prints look like is taken from their wood until
tiles whose pairs are known have taught it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lessons import settled
from calibration.surface import Surface

from .colours import Colours, Float

Pair = tuple[str, str]
WILD = "wild"
# How widely the pixels of one print are spread, and how likely, in log, is a pixel of any other colour.
SPREAD, ANYTHING = 0.45, -6.0
# The shares of a face that the card and the two symbols cover.
CARD_SHARE = 0.55
# Pixels next to one another say much the same: this many are worth one.
PIXELS_PER_LOOK = 5.0
ROUNDS = 6


@dataclass(frozen=True, eq=False)
class Prints:
    """The colours on demand tiles, each (3,) as in `colours`: the plain `card` and one for each printed symbol.

    A symbol without a colour may be of any colour but the others'.
    """

    card: Float
    symbols: Mapping[str, Float | None]


def first_guess(faces: Sequence[Float], wood: Mapping[str, Float]) -> Prints:
    """Before any tile is known: the commonest colour is the card's, companies are printed in their wood's colour."""
    pixels = np.concatenate([np.zeros((0, 3), np.float32), *faces])
    card = np.median(pixels, axis=0) if len(pixels) else np.zeros(3)
    return Prints(np.asarray(card, np.float32), {**wood, WILD: None})


def prints_of(surface: Surface, faces: Sequence[Float], colours: Colours) -> Prints:
    """What this table's tiles look like, as far as it has been taught; `colours` are those of the kinds' wood."""
    taught = {
        name.removeprefix("tile "): np.array(colour, np.float32)
        for name, colour in settled(surface.lessons).items()
        if name.startswith("tile ")
    }
    guess = first_guess(faces, {kind.name: colours[k] for k, kind in enumerate(surface.kinds)})
    return Prints(taught.pop("card", guess.card), {**guess.symbols, **taught})


def is_taught(surface: Surface) -> bool:
    """Whether this table has shown what its tiles look like; what wood looks like does not tell that well enough."""
    return all(f"tile {name}" in surface.lessons for name in ("card", *(kind.name for kind in surface.kinds)))


def learn_prints(faces: Sequence[Float], pairs: Sequence[Pair], guess: Prints) -> Prints:
    """The printed colours from faces whose pairs are known: each pixel in turn given to what it is most like."""
    prints = guess
    for _ in range(ROUNDS):
        owned: dict[str, list[Float]] = {}
        for face, pair in zip(faces, pairs, strict=True):
            names = ["card", *sorted(set(pair))]
            likest = _each(face, prints, names).argmax(axis=1)
            for n, name in enumerate(names):
                owned.setdefault(name, []).append(face[likest == n])
        means = {
            name: np.median(np.concatenate(parts), axis=0).astype(np.float32) for name, parts in owned.items()
        }
        prints = Prints(means.pop("card", prints.card), {**prints.symbols, **means})
    return prints


def read_pair(face: Float, prints: Prints, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """(pairs,) the probability of each of `pairs` for a tile whose pixels are `face` (n, 3)."""
    names = ["card", *prints.symbols]
    each = _each(face, prints, names)
    scores = []
    for pair in pairs:
        a, b = (each[:, names.index(name)] for name in pair)
        symbol = np.logaddexp(a, b) + np.log((1 - CARD_SHARE) / 2)
        scores.append(np.logaddexp(each[:, 0] + np.log(CARD_SHARE), symbol).sum() / PIXELS_PER_LOOK)
    weights = np.exp(np.array(scores) - max(scores))
    return np.asarray(weights / weights.sum(), np.float64)


def _each(face: Float, prints: Prints, names: Sequence[str]) -> NDArray[np.float64]:
    """(n, names) the log-likelihood of each pixel to be of each print."""
    known = [prints.card, *(colour for colour in prints.symbols.values() if colour is not None)]
    nearest = np.max([_near(face, colour) for colour in known], axis=0)
    columns = []
    for name in names:
        colour = prints.card if name == "card" else prints.symbols[name]
        # Where a symbol's colour is not known, it is whatever is like nothing else.
        near = (
            np.log1p(-np.exp(np.minimum(nearest, -0.05))) + ANYTHING / 2
            if colour is None
            else _near(face, colour)
        )
        columns.append(np.logaddexp(near, ANYTHING))
    return np.stack(columns, axis=1)


def _near(face: Float, colour: Float) -> NDArray[np.float64]:
    near: NDArray[np.float64] = -0.5 * (((face - colour) / SPREAD) ** 2).sum(axis=1)
    return near
