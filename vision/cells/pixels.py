"""What each pixel speaks for: the print, a shadow on it, or wood of one of the kinds' colours.

A pixel, brought into the light of the reference, is split into lightness (mean logarithm) and two
chromas (log ratios red/green and blue/green). A surface in shade or turned away from the lamp changes
lightness far more than chroma, so chroma decides and lightness helps; lightness is never absolute, it is
relative to the print around.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .colours import Colours, Float, colour_of, planes, split
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
# How many pixels down and right of where it should be the print may lie.
BESIDE = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
# A pixel this unlikely to be print has changed; one this likely needs no closer look.
NOT_PRINT, PLAINLY_PRINT = -4.5, -1.0
# Learning: how far a table's colours may lie from the ones first assumed, and how many pixels (a third of
# a piece) weigh as much as the assumption.
COLOUR_SPREAD = np.array([0.9, 0.5, 0.8], np.float32)
ASSUMED_PIXELS, PIXELS_AT_LEAST = 100, 30


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
    registration puts it, so the best of five places counts. How much print differs by chance the photo tells
    itself: most of it is uncovered. Pixels are kept by channel.
    """

    def __init__(self, photo: Log, reference: Log) -> None:
        mine, print_ = planes(photo), planes(reference)
        difference = mine - print_
        sample = np.abs(difference[:, ::3, ::3].reshape(3, -1))
        spread = 1.9 * np.median(sample, axis=1)
        self.noise = np.minimum(np.sqrt(spread**2 + PRINT_LEAST**2), PRINT_MOST).astype(np.float32)
        red_noise, blue_noise = _chroma_noise(photo)
        self.cost = self._cost(difference, (red_noise, blue_noise), Shade())
        self.rows, self.columns = far = np.nonzero(self.cost > -PLAINLY_PRINT)
        self.noise_here = red_noise[far], blue_noise[far]
        self.difference = self._nearest(mine[:, self.rows, self.columns], print_)

    def _nearest(self, mine: Float, print_: Float) -> Float:
        """(3, n): the difference of each far pixel, `mine` (3, n), from the most similar print around it."""
        height, width = print_.shape[1:]
        best, cost = mine, np.full(mine.shape[1], np.inf, np.float32)
        for down, right in BESIDE:
            rows = np.clip(self.rows + down, 0, height - 1)
            columns = np.clip(self.columns + right, 0, width - 1)
            off = mine - print_.reshape(3, -1).take(rows * width + columns, axis=1)
            new = self._cost(off, self.noise_here, Shade())
            nearer = new < cost
            best, cost = np.where(nearer, off, best), np.where(nearer, new, cost)
        return best

    def likelihood(self, shade: Shade) -> Float:
        """(height, width) float32: the log-likelihood of each pixel to be print, perhaps in shadow."""
        cost = self.cost.copy()
        cost[self.rows, self.columns] = self._cost(self.difference, self.noise_here, shade)
        return -cost

    def _cost(self, difference: Float, chroma_noise: tuple[Float, Float], shade: Shade) -> Float:
        """The negative log-likelihood of `difference` (3, …) where the photo has this `_chroma_noise`."""
        lightness, red, blue = difference
        dark = np.maximum(-lightness - self.noise[0], 0)
        tolerance = (shade.spread * dark) ** 2
        red_noise, blue_noise = chroma_noise
        chroma = (red - shade.slope[0] * dark) ** 2 / (self.noise[1] ** 2 + tolerance + red_noise)
        chroma += (blue - shade.slope[1] * dark) ** 2 / (self.noise[2] ** 2 + tolerance + blue_noise)
        near = np.maximum(lightness, -self.noise[0]) / self.noise[0]
        cost: Float = (near**2 + chroma) / 2 + dark / shade.depth
        return cost


def learn_shade(prints: Print, where: NDArray[np.bool_]) -> Shade:
    """The colour of shadows from the dark pixels `where` (height, width) there is print but no piece."""
    beside = where[prints.rows, prints.columns]
    dark = -prints.difference[0]
    chosen = beside & (dark > SHADOW)
    depths = np.concatenate([dark[beside], np.zeros(max(0, int(where.sum() - beside.sum())), np.float32)])
    depth = float(np.clip(DEPTH * np.percentile(depths, 75), *DEPTHS)) if len(depths) else Shade.depth
    if chosen.sum() < PIXELS_AT_LEAST:
        return Shade(depth=depth)
    slopes = prints.difference[1:, chosen] / dark[chosen]
    middle = np.clip(np.median(slopes, axis=1), -0.4, 0.4)
    spread = float(np.clip(1.5 * np.median(np.abs(slopes - middle[:, None])), 0.08, 0.22))
    return Shade((float(middle[0]), float(middle[1])), spread, depth)


def _chroma_noise(photo: Log) -> tuple[Float, Float]:
    """Variance of the two chromas by sensor noise: the darker a channel the more."""
    noise: Float = ((CHROMA_NOISE * np.exp(np.minimum(-photo, 6))) ** 2).astype(np.float32)
    return noise[..., 2] + noise[..., 1], noise[..., 0] + noise[..., 1]


def wood_likelihood(pixels: Log, colours: Colours, spread: float = 1.0) -> Float:
    """(kinds, n) float32: log-likelihood of (n, 3) pixels to be wood of each kind; on the scale of the print's.

    A level face is lit like the paper around it, so it is as light as the kind's colour says; a face that
    turns away from the lamp is darker, the more the rarer.
    """
    red_noise, blue_noise = _chroma_noise(pixels)
    red_width, blue_width = (WOOD_CHROMA * spread) ** 2
    lightness, red, blue = (part - colours[:, n, None] for n, part in enumerate(split(pixels).T))
    lighter, darker = np.maximum(lightness, 0), np.maximum(-lightness, 0)
    chroma = red**2 / (red_width + red_noise) + blue**2 / (blue_width + blue_noise)
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


def wood_odds(photo: Log, for_print: Float, colours: Colours, spread: float = 1.0) -> Float:
    """(kinds, height, width) float32: how much each pixel speaks for wood of each kind, in log odds.

    First the limited log odds of the likeliest wood against print and anything else, then what a kind lacks
    to the likeliest one. So the shaded side of a white piece, which is like gray, still speaks for wood.
    """
    odds = np.full((len(colours), *for_print.shape), EVIDENCE_LEAST, np.float32)
    worth = for_print < PLAINLY_PRINT
    wood = wood_likelihood(photo[worth], colours, spread)
    best = wood.max(axis=0)
    is_wood = np.minimum(best - np.logaddexp(for_print[worth] + PRINT_PRIOR, SOMETHING_ELSE), EVIDENCE_LIMIT)
    for k in range(len(colours)):
        odds[k][worth] = np.maximum(is_wood + wood[k] - best, EVIDENCE_LEAST)
    return odds


def own_print(reference: Float, colour: Float) -> NDArray[np.bool_]:
    """(height, width) bool: where the print itself has this colour (3,), both as `split`.

    There a pixel that looks like print says little against a piece.
    """
    lighter, red, blue = (reference[..., channel] - colour[channel] for channel in range(3))
    chroma = (np.abs(red) < 2 * WOOD_CHROMA[0]) & (np.abs(blue) < 2 * WOOD_CHROMA[1])
    level: NDArray[np.bool_] = chroma & (lighter < WOOD_LIGHTER) & (lighter > -FACES_DARKER)
    return level
