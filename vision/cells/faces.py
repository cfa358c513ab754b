"""Telling what a card shows by the cards this table has been taught.

The pictures learnt are laid over what lies there, as they are and blurred, in all turns and a little beside, for a card
lies any way round and not quite where it was found. What counts is how well the pattern agrees, whatever the light:
the normalised cross-correlation (Lewis 1995). In polar coordinates a turn is a shift, so one Fourier transform
tries all turns at once (De Castro and Morandi 1987).
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.faces import MIDDLE, SIDE, SYMBOLS_EACH, Face, Symbols
from calibration.surface import Surface
from engine.mini_express.names import WILD

from .colours import Float, scaled
from .odds import Odds
from .sight import Sight

# Scaled colours per step of a face.
STEP = 0.05
# Cards are looked for so many pixels of a face beside where they were found: first in strides, then around the best.
STRIDE, BESIDE = 3, 7
WINDOW = SIDE + 2 * BESIDE
# Learnt faces are also shown this much blurred, in pixels of a face.
BLUR = 2.0
TURNS = 36
RADII = np.arange(1, SIDE // 2 + 1)
# Shade and glare change the colours of print more than its lightness. Every pixel counts for the area it stands for.
WEIGHTS = np.sqrt(RADII)[:, None, None] * np.array([1.5, 1.0, 1.0])
# BLAS works out products of so few pictures on one core; on two, its threads wait for each other busily, and where
# another program runs that takes seconds.
AT_ONCE = 32
# So many cards are looked at at once.
CORES = 2
# A pattern fainter than this, as the weighted norm of its colours, says little.
FAINT = 0.45
# Correlation → log-likelihood, as of Gaussian noise in so many independent places, but for what always stays.
PLACES, STAYS = 18, 0.03


def pairs_of(kinds: Sequence[str]) -> list[Symbols]:
    """All that can be on a card: two symbols of these kinds or the wild card."""
    return [tuple(sorted(pair)) for pair in combinations_with_replacement((*kinds, WILD), SYMBOLS_EACH)]


def fits_of_symbols(symbols: Odds) -> Odds:
    """(cards, kinds + 1) log odds of each symbol on a card, the wild card last → (cards, pairs) log-likelihoods."""
    every = range(symbols.shape[1])
    shown = np.array(
        [[n in pair for n in every] for pair in combinations_with_replacement(every, SYMBOLS_EACH)]
    )
    fits: Odds = -np.logaddexp(0, np.where(shown, -1, 1) * symbols[:, None, :]).sum(axis=2)
    return fits


def face_at(sight: Sight, at: tuple[float, float]) -> Face:
    """(WINDOW, WINDOW, 3): what the photo shows around a point, mm in the plane; its middle is a face."""
    assert sight.surface.card is not None
    mm_per_px = MIDDLE * sight.surface.card.size[0] / SIDE
    colours = scaled(sight.window(at, WINDOW, 1 / mm_per_px), sight.white)
    return np.asarray(np.clip(np.rint(colours / STEP), -127, 127), np.int8)


def middle_of(window: Face) -> Face:
    """The face in the middle of what `face_at` gave."""
    return window[BESIDE:-BESIDE, BESIDE:-BESIDE]


@dataclass(frozen=True, eq=False)
class Looks:
    """What has been learnt of a table's cards.

    `spectra` (frequencies, values, pictures) of faces and blurred faces, complex conjugates, a few pictures at a time;
    `of_pair` (pictures,) which of the `pairs` many pairs each of them shows.
    """

    spectra: list[NDArray[np.complex64]]
    of_pair: NDArray[np.int64]
    pairs: int

    def fits(self, windows: Sequence[Face]) -> Odds:
        """(windows, pairs): natural log-likelihoods; a face never seen fits as well as the best one known."""
        alike = self.correlations(windows)
        return np.asarray(-PLACES / 2 * np.log(1 + STAYS - alike * np.abs(alike)), np.float64)

    def correlations(self, windows: Sequence[Face]) -> Float:
        """(windows, pairs): with the picture of each pair that agrees best; of a pair without, with the best of all."""
        with ThreadPoolExecutor(CORES) as cores:
            best = np.stack([*cores.map(self._likeness, windows)])
        alike = np.broadcast_to(best.max(axis=1, keepdims=True), (len(windows), self.pairs)).copy()
        for pair in np.unique(self.of_pair):
            alike[:, pair] = best[:, self.of_pair == pair].max(axis=1)
        return alike

    def _likeness(self, window: Face) -> Float:
        """(pictures,): the correlation with each, at its best turn and shift."""
        picture, middle = _colours(window), WINDOW // 2
        strides = range(-2 * STRIDE, 2 * STRIDE + 1, STRIDE)
        there = [(middle + x, middle + y) for x, y in product(strides, strides)]
        far = self._at(picture, there)
        x, y = there[int(far.max(axis=1).argmax())]
        near = self._at(picture, [(x + dx, y + dy) for dx, dy in product((-1, 0, 1), repeat=2)])
        return np.asarray(np.maximum(far.max(axis=0), near.max(axis=0)), np.float32)

    def _at(self, picture: Float, middles: Sequence[tuple[int, int]]) -> Float:
        """(middles, pictures): the correlation of what is around each of the middles with each picture learnt."""
        shown = _spectra(_polar(picture, middles))
        alike = np.concatenate([shown @ part for part in self.spectra], axis=2)
        turned = np.fft.irfft(alike.transpose(1, 2, 0), TURNS)
        return np.asarray(turned.max(axis=2), np.float32)


@lru_cache(2)
def looks_of(surface: Surface) -> Looks | None:
    """What the surface's faces teach, None without any; kept, for a surface never changes."""
    pairs = pairs_of([kind.name for kind in surface.kinds])
    shown = [(pairs.index(symbols), face) for symbols, faces in surface.faces.items() for face in faces]
    return _looks(shown, len(pairs)) if shown else None


def most_alike(windows: Sequence[Face]) -> NDArray[np.intp]:
    """(windows,): which of the others in the same photo each card looks most like; two or more `windows`."""
    alike = _looks([*enumerate(map(middle_of, windows))], len(windows)).correlations(windows)
    np.fill_diagonal(alike, -np.inf)
    return np.asarray(alike.argmax(axis=1))


def _looks(shown: Sequence[tuple[int, Face]], pairs: int) -> Looks:
    """Faces, each with the number of its pair."""
    pictures = [picture for _, face in shown for picture in _sharp_and_blurred(_colours(face))]
    middle = [(SIDE // 2, SIDE // 2)]
    spectra = (
        _spectra(np.concatenate([_polar(picture, middle) for picture in pictures])).conj().transpose(0, 2, 1)
    )
    parts = [np.ascontiguousarray(spectra[..., n : n + AT_ONCE]) for n in range(0, len(pictures), AT_ONCE)]
    return Looks(parts, np.repeat([pair for pair, _ in shown], 2), pairs)


def _colours(face: Face) -> Float:
    return face.astype(np.float32) * STEP


def _sharp_and_blurred(face: Float) -> Iterable[Float]:
    return face, cv2.GaussianBlur(face, (0, 0), BLUR).astype(np.float32)


def _polar(picture: Float, middles: Sequence[tuple[int, int]]) -> Float:
    """(middles, radii, turns, 3): the picture around each of the middles, x and y in its pixels."""
    turn = 2 * np.pi * np.arange(TURNS) / TURNS
    x, y = np.multiply.outer(RADII, np.cos(turn)), np.multiply.outer(RADII, np.sin(turn))
    at = np.array(middles)[:, :, None, None] + np.stack([x, y])
    flat = at.transpose(1, 0, 2, 3).reshape(2, -1, TURNS).astype(np.float32)
    seen = cv2.remap(picture, flat[0], flat[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.reshape(len(middles), len(RADII), TURNS, 3).astype(np.float32)


def _spectra(polar: Float) -> NDArray[np.complex64]:
    """(frequencies, pictures, values) of (pictures, radii, turns, 3), each of mean 0 and, unless faint, of norm 1."""
    mean = np.average(polar.mean(axis=2), axis=1, weights=RADII)
    apart = (polar - mean[:, None, None]) * WEIGHTS
    norm = np.sqrt((apart**2).sum(axis=(1, 2, 3), keepdims=True))
    rings = np.ascontiguousarray((apart / (norm + FAINT)).transpose(0, 1, 3, 2), np.float32)
    # Five times as fast as NumPy's.
    whole = cv2.dft(rings.reshape(-1, TURNS), flags=cv2.DFT_ROWS | cv2.DFT_COMPLEX_OUTPUT)
    half = whole.reshape(len(polar), -1, TURNS, 2)[:, :, : TURNS // 2 + 1]
    return np.ascontiguousarray(half.transpose(2, 0, 1, 3)).view(np.complex64)[..., 0]
