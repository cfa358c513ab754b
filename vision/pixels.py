"""What each pixel speaks for: the print, a shadow on it, or wood of one of the kinds' colours.

A pixel, brought into the light of the reference, is split into lightness (mean logarithm) and two
chromas (log ratios red/green and blue/green). A surface in shade or turned away from the lamp changes
lightness far more than chroma, so chroma decides and lightness helps; lightness is never absolute, it is
relative to the print around.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.surface import Kind

from .colours import Colours, Float, colour_of, split
from .light import Log

# Standard deviations of logarithms. Print: what the gain does not explain. Wood: faces in other light.
PRINT_LEAST, PRINT_MOST, PRINT_DARKER = 0.06, 0.12, 0.45
# Shadows: darker than this, and their usual depth from what lies beside pieces.
SHADOW, DEPTH, DEPTHS = 0.4, 0.5, (0.2, 0.5)
WOOD_CHROMA = np.array([0.16, 0.24], np.float32)
WOOD_LIGHTER, FACES_DARKER = 0.30, 0.60
# Dark pixels have noisier chroma: this much of full scale.
CHROMA_NOISE = 0.004
# The log-likelihood of a pixel that is neither print nor wood, and the weight of print beforehand.
SOMETHING_ELSE, PRINT_PRIOR = -7.0, 1.0
EVIDENCE_LIMIT, EVIDENCE_LEAST = 2.5, -4.0
# A pixel of a symbol on a card, which may be anything and so says little for it; how little white print says
# against a card.
CARD_SYMBOL, CARD_ANYTHING, CARD_ON_WHITE = -6.5, -0.3, -0.4
# A pixel this unlikely to be print has changed; one this likely needs no closer look.
CHANGED, SAME = -4.5, -1.0
# Learning: how far a table's colours may lie from the ones first assumed, and how many pixels (a third of
# a piece) weigh as much as the assumption.
COLOUR_SPREAD = np.array([0.9, 0.5, 0.8], np.float32)
ASSUMED_PIXELS, PIXELS_AT_LEAST = 100, 30


def kind_colours(kinds: Sequence[Kind], white: Float) -> Colours:
    """The kinds' colours as `split`, `white` (3,) being the log blue-green-red of white paper."""
    return split(np.log(np.array([k.colour for k in kinds], np.float32)) + white)


@dataclass(frozen=True)
class Shade:
    """The shadows on the print: chroma per darkness, (red-green, blue-green), its spread, and how deep they are.

    What the main lamp does not reach is lit by the other lamps, so its colour differs the more the darker.
    """

    slope: tuple[float, float] = (0.0, 0.0)
    spread: float = 0.22
    depth: float = 0.3


class Print:
    """How far every pixel of a photo is from being print.

    `photo` and `reference` (height, width, 3) in the same light. The print may lie a pixel beside where the
    registration puts it and a little blurred, so the best of its nine places counts, sharp or blurred. How
    much print differs by chance the photo tells itself: most of it is uncovered.
    """

    def __init__(self, photo: Log, reference: Log) -> None:
        difference = split(photo - reference)
        sample = np.abs(difference[::3, ::3].reshape(-1, 3))
        spread = 1.9 * np.median(sample, axis=0)
        self.noise = np.minimum(np.sqrt(spread**2 + PRINT_LEAST**2), PRINT_MOST).astype(np.float32)
        cost = self._cost(difference, _chroma_noise(photo), Shade())
        self.rows, self.columns = np.nonzero(cost > -SAME)
        self.photo = photo[self.rows, self.columns]
        self.photo_noise = _chroma_noise(self.photo)
        self.difference = self._nearest(difference[self.rows, self.columns], reference)
        self.cost = cost

    def _nearest(self, difference: Float, reference: Log) -> Float:
        """(n, 3): the difference of each far pixel from the most similar print around it."""
        height, width = reference.shape[:2]
        best, cost = difference, self._cost(difference, self.photo_noise, Shade())
        mine = split(self.photo)
        blurred = np.asarray(cv2.blur(reference, (3, 3)), np.float32)
        rows, columns = (
            [np.clip(at + step, 0, size - 1) for step in (-1, 0, 1)]
            for at, size in ((self.rows, height), (self.columns, width))
        )
        places = [row * width + column for row in rows for column in columns]
        for source in (split(reference), split(blurred)):
            for place in places:
                off = mine - source.reshape(-1, 3).take(place, axis=0)
                new = self._cost(off, self.photo_noise, Shade())
                nearer = new < cost
                best[nearer], cost[nearer] = off[nearer], new[nearer]
        return best

    def likelihood(self, shade: Shade) -> Float:
        """(height, width) float32: the log-likelihood of each pixel to be print, perhaps in shadow."""
        cost = self.cost.copy()
        cost[self.rows, self.columns] = self._cost(self.difference, self.photo_noise, shade)
        return -cost

    def _cost(self, difference: Float, chroma_noise: tuple[Float, Float], shade: Shade) -> Float:
        """The negative log-likelihood of `difference` (…, 3 as `split`) where the photo has this `_chroma_noise`."""
        lightness = difference[..., 0]
        dark = np.maximum(-lightness - self.noise[0], 0)
        tolerance = (shade.spread * dark) ** 2
        red_noise, blue_noise = chroma_noise
        red, blue = difference[..., 1] - shade.slope[0] * dark, difference[..., 2] - shade.slope[1] * dark
        chroma = red**2 / (self.noise[1] ** 2 + tolerance + red_noise)
        chroma += blue**2 / (self.noise[2] ** 2 + tolerance + blue_noise)
        near = np.maximum(lightness, -self.noise[0]) / self.noise[0]
        cost: Float = (near**2 + chroma) / 2 + dark / shade.depth
        return cost


def learn_shade(prints: Print, where: NDArray[np.bool_]) -> Shade:
    """The colour of shadows from the dark pixels `where` (height, width) there is print but no piece."""
    beside = where[prints.rows, prints.columns]
    dark = -prints.difference[:, 0]
    chosen = beside & (dark > SHADOW)
    depths = np.concatenate([dark[beside], np.zeros(max(0, int(where.sum() - beside.sum())), np.float32)])
    depth = float(np.clip(DEPTH * np.percentile(depths, 75), *DEPTHS)) if len(depths) else Shade.depth
    if chosen.sum() < PIXELS_AT_LEAST:
        return Shade(depth=depth)
    slopes = prints.difference[chosen, 1:] / dark[chosen, None]
    middle = np.clip(np.median(slopes, axis=0), -0.4, 0.4)
    spread = float(np.clip(1.5 * np.median(np.abs(slopes - middle)), 0.08, 0.22))
    return Shade((float(middle[0]), float(middle[1])), spread, depth)


def _chroma_noise(photo: Log) -> tuple[Float, Float]:
    """Variance of the two chromas by sensor noise: the darker a channel the more."""
    noise: Float = ((CHROMA_NOISE * np.exp(np.minimum(-photo, 6))) ** 2).astype(np.float32)
    return noise[..., 2] + noise[..., 1], noise[..., 0] + noise[..., 1]


def wood_likelihood(pixels: Log, colours: Colours, spread: float = 1.0) -> Float:
    """(n, kinds) float32: log-likelihood of (n, 3) pixels to be wood of each kind; on the scale of the print's.

    A level face is lit like the paper around it, so it is as light as the kind's colour says; a face that
    turns away from the lamp is darker, the more the rarer.
    """
    parts = split(pixels)
    red_noise, blue_noise = _chroma_noise(pixels)
    wide = (WOOD_CHROMA * spread) ** 2
    off = parts[:, None, :] - colours[None]
    lighter, darker = np.maximum(off[..., 0], 0), np.maximum(-off[..., 0], 0)
    chroma = (
        off[..., 1] ** 2 / (wide[0] + red_noise)[:, None] + off[..., 2] ** 2 / (wide[1] + blue_noise)[:, None]
    )
    # Wood is spread more widely than print, so each pixel of it is less likely by this much.
    room = WOOD_CHROMA.prod() * FACES_DARKER * spread**3
    wood = np.float32(np.log(2 * PRINT_MOST**2 * PRINT_DARKER / room)) - chroma / 2
    wood -= (lighter / (WOOD_LIGHTER * spread)) ** 2 / 2 + darker / (FACES_DARKER * spread**3)
    return np.asarray(wood, np.float32)


def learn_colours(shown: Iterable[tuple[int, Log]], assumed: Colours, parts: slice = slice(0, 3)) -> Colours:
    """The kinds' colours as this photo shows them, drawn towards the assumed colours.

    `shown` are indices of kinds with pixels (n, 3) of theirs in the reference's light. `parts` says which of
    lightness and the two chromas may be learnt.
    """
    pixels: dict[int, list[Log]] = {}
    for kind, some in shown:
        pixels.setdefault(kind, []).append(some)
    colours = assumed.copy()
    moved = []
    for k, mine in ((k, split(np.concatenate(some))) for k, some in sorted(pixels.items())):
        if (colour := colour_of(mine, PIXELS_AT_LEAST)) is not None:
            off = np.clip(colour - assumed[k], -COLOUR_SPREAD, COLOUR_SPREAD)
            colours[k, parts] += (off * len(mine) / (len(mine) + ASSUMED_PIXELS))[parts]
            moved.append(k)
    # Kinds that were not found stand in the same light as those that were.
    rest = [k for k in range(len(assumed)) if k not in moved]
    if moved and rest:
        colours[rest, 0] += np.median((colours - assumed)[moved, 0])
    return colours


def evidence(photo: Log, for_print: Float, colours: Colours, spread: float = 1.0) -> Float:
    """(kinds, height, width) float32: how much each pixel speaks for wood of each kind, in log odds.

    First the limited log odds of the likeliest wood against print and anything else, then what a kind lacks
    to the likeliest one. So the shaded side of a white piece, which is like gray, still speaks for wood.
    """
    odds = np.full((len(colours), *for_print.shape), EVIDENCE_LEAST, np.float32)
    worth = for_print < SAME
    wood = wood_likelihood(photo[worth], colours, spread)
    best = wood.max(axis=1)
    is_wood = np.minimum(best - np.logaddexp(for_print[worth] + PRINT_PRIOR, SOMETHING_ELSE), EVIDENCE_LIMIT)
    for k in range(len(colours)):
        odds[k][worth] = np.maximum(is_wood + wood[:, k] - best, EVIDENCE_LEAST)
    return odds


def own_print(reference: Float, colour: Float) -> NDArray[np.bool_]:
    """(height, width) bool: where the print itself has this colour (3,), both as `split`.

    There a pixel that looks like print says little against a piece.
    """
    lighter, red, blue = (reference[..., channel] - colour[channel] for channel in range(3))
    chroma = (np.abs(red) < 2 * WOOD_CHROMA[0]) & (np.abs(blue) < 2 * WOOD_CHROMA[1])
    level: NDArray[np.bool_] = chroma & (lighter < WOOD_LIGHTER) & (lighter > -FACES_DARKER)
    return level


def card_evidence(
    photo: Log, white_print: NDArray[np.bool_], for_print: Float, white: Float, where: NDArray[np.bool_]
) -> Float:
    """(height, width) float32: limited log odds of printed card against print, in the pixels `where`.

    Card is white or, where a symbol is printed on it, anything; on `white_print` it hardly shows, which says
    little against it.
    """
    odds = np.full(for_print.shape, EVIDENCE_LEAST, np.float32)
    likely = wood_likelihood(photo[where], split(white)[None])[:, 0]
    print_or_else = np.logaddexp(for_print[where] + PRINT_PRIOR, SOMETHING_ELSE)
    found = np.maximum(likely - print_or_else, np.minimum(CARD_SYMBOL - print_or_else, CARD_ANYTHING))
    odds[where] = np.where(white_print[where], np.maximum(found, CARD_ON_WHITE), found)
    return np.clip(odds, EVIDENCE_LEAST, EVIDENCE_LIMIT)
