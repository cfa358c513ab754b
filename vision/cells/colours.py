"""The colours of the kinds of pieces as one photo shows them.

Colours are lightness and two chromas (log ratios red/green and blue/green), relative to white paper in the
reference's light and each divided by how widely it varies, so that they can be compared. A profile says what the
kinds look like on this table; every photo has its own light and says it better, by the pieces found in it.
"""

from collections.abc import Iterable
from copy import copy
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lessons import settled
from calibration.surface import Kind, Surface

from .light import Log
from .sight import Sight

Float = NDArray[np.float32]
F = TypeVar("F", bound=np.floating)
Colours = NDArray[np.float32]
"""(kinds, 3) float32."""

LEAN: Final = slice(7, 9)
"""Which of the network's layers tell how things lean, in x and in y."""
SPREAD = np.array([0.5, 0.25, 0.35], np.float32)
"""What lightness and the two chromas, natural logarithms, are divided by."""
# So many pixels say something about a colour.
PIXELS_AT_LEAST = 12
# So much, of 1, counts what the tops of no, one, two, more pieces of a kind show, and the rest what was assumed. A home
# cell often has print of its piece's own colour, from which only shaded sides stand out: as a whole it counts less, and
# least where photos have taught.
SHOWN_BY, SHOWN_AT_HOME, SHOWN_AND_TAUGHT = (0.0, 0.5, 0.7, 0.9), 0.8, 0.65
# How far a photo's colours may lie from those assumed.
COLOUR_LIMIT = np.array([3.0, 3.0, 4.0], np.float32)
# A pixel that differs this much from the print, as scaled colours, may be a piece.
UNLIKE_PRINT = 0.4
# White is plainly wrong where the chroma of all kinds together is more than this off what is assumed; a kind tells of
# it by one over the second and its chroma.
WHITE, GRAY = 1.0, 1.5
# What no shadow makes of the print is off its chroma by so much, as scaled colours, or lighter by twice that. What is
# darker than `DARK` has noisy chroma: for every two steps it counts by a factor of e less, down to the `FAINTEST`.
BEYOND_SHADOW, DARK, FAINTEST = 1.2, -2.5, 0.2
# So many such pixels tell a colour, in a home cell and on a piece's top; of their lightness this share is below it.
AT_HOME, ON_TOP, LEVEL_SHARE = 30, 20, 0.7
# A piece covers no more than so many times what a box of its size would: in more of a home cell lies something else.
# So far from what is assumed, in chroma, another colour in it may be nearer to the piece's.
LARGER, FAR = 1.3, 2.5
# No piece covers this share of its cell: where so much differs from the print, much of it does so by noise.
FULL = 0.6
# What a piece shows on top: so high, so many pixels around its middle.
TOP_MM, TOP_PX = 10.0, 4
# Level faces are the lightest part of a piece: this percentile of its pixels is their lightness.
LEVEL_FACES = 80


def split(log: NDArray[F]) -> NDArray[F]:
    """Lightness, red-green and blue-green chroma of (…, 3) log blue-green-red; the same shape."""
    blue, green, red = log[..., 0], log[..., 1], log[..., 2]
    return np.stack([(blue + green + red) / 3, red - green, blue - green], axis=-1)


def planes(log: Log, white: Float | None = None) -> Float:
    """(3, height, width): a picture as `split`, or with `white` as `scaled`, by channel, and eight times as fast."""
    # What `split` does is linear, so what it makes of each channel by itself is its matrix.
    mix = split(np.eye(3)).T
    if white is not None:
        mix = mix / SPREAD[:, None]
        mix = np.column_stack([mix, -mix @ white])
    return np.array(cv2.split(cv2.transform(log, mix)))


def scaled(log: Float, white: Float) -> Float:
    """(…, 3) log linear blue-green-red as colours; `white` (3,) is the log of white paper."""
    return (split(log - white) / SPREAD).astype(np.float32)


def as_log(colours: Colours, white: Float) -> Log:
    """The log blue-green-red (n, 3) of what has these scaled colours (n, 3), the inverse of `scaled`."""
    return np.linalg.solve(split(np.eye(3)).T, (colours * SPREAD).T).T.astype(np.float32) + white


def assumed_colours(surface: Surface) -> Colours:
    """What the table has taught about the kinds, and what the profile assumes of those it has not."""
    each = [
        settled(assumed, surface.lessons.get(kind.name, ()))
        for kind, assumed in zip(surface.kinds, _first_colours(surface).tolist(), strict=True)
    ]
    return np.array(each, np.float32)


def _first_colours(surface: Surface) -> Colours:
    """What the profile assumes of the kinds by itself."""
    return scaled(np.log(np.array([k.colour for k in surface.kinds], np.float32)), np.zeros(3, np.float32))


def colour_of(pixels: Float, at_least: int = PIXELS_AT_LEAST) -> Float | None:
    """(3,): the colour of the wood that `pixels` (n, 3) show, shaded faces among them; None if these are too few.

    The pixels are lightness and two chromas, scaled or not.
    """
    if len(pixels) < at_least:
        return None
    middle = np.median(pixels, axis=0)
    middle[0] = np.percentile(pixels[:, 0], LEVEL_FACES)
    return np.asarray(middle, np.float32)


def drawn_towards(assumed: Float, shown: Float, share: float) -> Float:
    """The colour (3,) in between, of which `share` is what a photo shows, but not beyond reason."""
    off = np.clip(shown - assumed, -COLOUR_LIMIT, COLOUR_LIMIT)
    return np.asarray(assumed + share * off, np.float32)


def colours_at_home(sight: Sight, layers: Float, ask: NDArray[np.bool_]) -> tuple[Colours, NDArray[np.bool_]]:
    """The kinds' colours, of those to `ask` (kinds,) by what stands in their home cells; and (kinds,) which showed it.

    `layers` as of the network: photo, then print, as scaled colours.
    """
    colours, learnt = assumed_colours(sight.surface), ask.copy()
    for k in np.flatnonzero(ask).tolist():
        kind = sight.surface.kinds[k]
        where = (sight.cell_of == kind.home) & sight.visible
        most = LARGER * _covered_by(kind, layers[LEAN, where], sight.frame.scale)
        shown = colour_at_home(layers, where, most, colours[k])
        learnt[k] = shown is not None
        if shown is not None:
            taught = kind.name in sight.surface.lessons
            colours[k] = drawn_towards(colours[k], shown, SHOWN_AND_TAUGHT if taught else SHOWN_AT_HOME)
    return colours, learnt


def _covered_by(kind: Kind, lean: Float, scale: float) -> float:
    """How many px of a sight at `scale` px/mm a box of a piece's size covers where things `lean` so, (2, n)."""
    if not lean.size:
        return 0.0
    length, width, height = kind.size
    return float(length * (width + height * np.hypot(*lean.mean(axis=1))) * scale**2)


def colour_at_home(layers: Float, where: NDArray[np.bool_], at_most: float, assumed: Float) -> Float | None:
    """(3,): the colour of what stands in a home cell, the pixels `where` (height, width), None if nothing does.

    What no shadow makes of the print tells it, if that is no more than a piece can be, `at_most` so many px. Where its
    chroma is far from the `assumed` one, (3,), and that of all that differs from the print is nearer, it is something
    else: white wood on white print hardly differs from it.
    """
    photo, print_ = layers[:3, where], layers[3:6, where]
    shown, of_all = _beyond_shadow(photo, print_, AT_HOME, at_most), _of_all(photo, print_)
    if shown is None or of_all is None:
        return of_all if shown is None else shown
    off, off_of_all = (float(np.hypot(*(colour - assumed)[1:])) for colour in (shown, of_all))
    return of_all if off > FAR and off_of_all < off else shown


def _of_all(photo: Float, print_: Float) -> Float | None:
    """(3,): the colour of all in a cell that differs from the print, by pixels of both, (3, n), None if nothing does.

    Where most of the cell does, each pixel counts as much as it does: dark print differs a little everywhere, by noise,
    and of a piece on print of its own colour only what reaches beyond that differs at all.
    """
    apart = np.abs(photo - print_).max(axis=0)
    plain = apart > UNLIKE_PRINT
    if np.count_nonzero(plain) < max(PIXELS_AT_LEAST, FULL * len(plain)):
        return _on_print(photo, print_)
    return _weighted_colour(photo[:, plain], apart[plain], LEVEL_FACES / 100)


def with_white_by_home(sight: Sight) -> Sight:
    """The same sight, with the colour of white as the home cells tell it where the whitest print plainly is not.

    Everything on a board of strong colours without any paper in it would else have the opposite colour. How far all
    kinds together seem off what the profile assumed of them at first, the weighted median of their chroma, tells: grays
    count more than strong colours, and one more that white is right, so that a hand on a home cell or wood of another
    colour changes little. What a photo has taught does not count, lest it be told otherwise when it comes again.
    """
    white, off, weights = sight.white, [np.zeros(3, np.float32)], [1 / GRAY]
    for kind, colour in zip(sight.surface.kinds, _first_colours(sight.surface), strict=True):
        where = (sight.cell_of == kind.home) & sight.visible if kind.home is not None else np.s_[:0]
        both = [scaled(log[where], white).T for log in (sight.light, sight.reference)]
        if (shown := _on_print(*both)) is not None:
            off.append(shown - colour)
            weights.append(1 / (GRAY + np.hypot(*colour[1:])))
    chromas = np.transpose(off)[1:]
    together = np.array([0, *(_weighted_quantile(chroma, np.array(weights), 0.5) for chroma in chromas)])
    other = copy(sight)
    other.white = as_log((together - np.clip(together, -WHITE, WHITE)).astype(np.float32), white)
    return other


def _weighted_colour(pixels: Float, weights: NDArray[np.floating], level: float) -> Float:
    """(3,): the colour of `pixels` (3, n) by their `weights` (n,); the share `level` of their lightness is below it."""
    each = zip(pixels, (level, 0.5, 0.5), strict=True)
    return np.array([_weighted_quantile(values, weights, share) for values, share in each], np.float32)


def _weighted_quantile(values: Float, weights: NDArray[np.floating], share: float) -> float:
    order = np.argsort(values)
    total = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(total, share * total[-1])])


def colours_of_pieces(colours: Colours, shown: Iterable[tuple[int, Float | None]]) -> Colours:
    """`colours` made better by the pieces found, `shown` their kinds and colours: more by more pieces of a kind.

    The piece in a home cell may stand in a shadow, or near a lamp; what most pieces show holds for all.
    """
    of_kind: list[list[Float]] = [[] for _ in colours]
    for kind, colour in shown:
        of_kind[kind] += [] if colour is None else [colour]
    better = [
        drawn_towards(old, np.median(tops, axis=0), SHOWN_BY[min(len(tops), len(SHOWN_BY) - 1)])
        if tops
        else old
        for old, tops in zip(colours, of_kind, strict=True)
    ]
    return np.array(better, np.float32)


def colour_of_top(sight: Sight, layers: Float, x: float, y: float) -> Float | None:
    """The colour (3,) of the top of the piece whose foot is at x, y px; None where little shows."""
    height, width = sight.visible.shape
    lean = layers[LEAN, min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)] * TOP_MM
    left, up = round(float(x + lean[0])) - TOP_PX, round(float(y + lean[1])) - TOP_PX
    window = np.s_[max(up, 0) : max(up + 2 * TOP_PX + 1, 0), max(left, 0) : max(left + 2 * TOP_PX + 1, 0)]
    there = layers[(slice(None), *window)][:, sight.visible[window]]
    shown = _beyond_shadow(there[:3], there[3:6], ON_TOP)
    return _on_print(there[:3], there[3:6]) if shown is None else shown


def _on_print(photo: Float, print_: Float) -> Float | None:
    """(3,): the colour of what stands on the print, by pixels of both, (3, n), None if nothing does."""
    return colour_of(photo[:, np.abs(photo - print_).max(axis=0) > UNLIKE_PRINT].T)


def _beyond_shadow(photo: Float, print_: Float, at_least: int, at_most: float = np.inf) -> Float | None:
    """(3,): the colour of what no shadow makes of the print, by pixels of both, (3, n); None where it is too little,
    or more than `at_most` px.

    A shadow makes print darker and hardly changes its chroma. Each pixel counts by the square of how far it is off.
    """
    lighter, *chroma = photo - print_
    told = np.clip(np.exp((photo[0] - DARK) / 2), FAINTEST, 1)
    off = np.hypot(np.hypot(*chroma) * told, np.maximum(lighter, 0) / 2)
    if not at_least <= np.count_nonzero(off > BEYOND_SHADOW) <= at_most:
        return None
    return _weighted_colour(photo, np.square(np.maximum(off - UNLIKE_PRINT, 0)), LEVEL_SHARE)
