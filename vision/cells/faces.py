"""Telling what a card shows by the cards this table has been taught, and which cards in a photo look the same.

Pictures of cards are laid over what lies there, as they are and blurred, in all turns and a little beside, for a card
lies any way round and not quite where it was found. What counts is how well the pattern agrees, whatever the light:
the normalised cross-correlation (Lewis 1995). In polar coordinates a turn is a shift, so one Fourier transform
tries all turns at once (De Castro and Morandi 1987).
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
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
ANGLES = 2 * np.pi * np.arange(TURNS) / TURNS
# (x and y, radii, turns): the places around a middle.
AROUND = np.multiply.outer([np.cos(ANGLES), np.sin(ANGLES)], RADII).swapaxes(1, 2).astype(np.float32)
# Shade and glare change the colours of print more than its lightness. Every pixel counts for the area it stands for.
WEIGHTS = (np.sqrt(RADII)[:, None, None] * np.array([1.5, 1.0, 1.0])).astype(np.float32)
AREAS = (RADII / RADII.sum() / TURNS).astype(np.float32)
# BLAS works out products of so few pictures on one core; on two, its threads wait for each other busily, and where
# another program runs that takes seconds.
AT_ONCE = 32
# So many cards are looked at at once.
CORES = 2
# A pattern fainter than this, as the weighted norm of its colours, says little.
FAINT = 0.45
# Correlation → log-likelihood, as of Gaussian noise in so many independent places, but for what always stays.
PLACES, STAYS = 16, 0.03


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


Spectra = NDArray[np.complex64]
"""(frequencies, values, pictures) of faces and blurred faces, by turns, complex conjugates."""


@dataclass(frozen=True, eq=False)
class Looks:
    """What has been learnt of a table's cards: pictures and which of the `pairs` many pairs each shows (pictures,)."""

    spectra: Spectra
    of_pair: NDArray[np.int64]
    pairs: int

    def fits(self, alike: Float) -> Odds:
        """(cards, pairs): natural log-likelihoods by how well each picture agrees (cards, pictures).

        A face never seen fits as well as the best one known.
        """
        best = np.broadcast_to(alike.max(axis=1, keepdims=True), (len(alike), self.pairs)).copy()
        for pair in np.unique(self.of_pair):
            best[:, pair] = alike[:, self.of_pair == pair].max(axis=1)
        return np.asarray(-PLACES / 2 * np.log(1 + STAYS - best * np.abs(best)), np.float64)


@dataclass(frozen=True, eq=False)
class Compared:
    """Cards of one photo: `each_other` (cards, cards) correlations, how well each two agree, `learnt` (cards, pairs)
    log-likelihoods of what they show by the cards that have been learnt, None where none have.
    """

    each_other: Float
    learnt: Odds | None


def compared(windows: Sequence[Face], looks: Looks | None) -> Compared:
    """What `face_at` shows of the cards of a photo, compared with each other and with what has been learnt."""
    if not windows:
        return Compared(np.zeros((0, 0), np.float32), None if looks is None else np.zeros((0, looks.pairs)))
    own = _spectra_of([middle_of(window) for window in windows])
    alike = _correlations(windows, [own] if looks is None else [own, looks.spectra])
    count = len(windows)
    each = alike[:, : 2 * count].reshape(count, count, 2).max(axis=2)
    return Compared((each + each.T) / 2, looks.fits(alike[:, 2 * count :]) if looks else None)


@lru_cache(2)
def looks_of(surface: Surface) -> Looks | None:
    """What the surface's faces teach, None without any; kept, for a surface never changes."""
    pairs = pairs_of([kind.name for kind in surface.kinds])
    shown = [(pairs.index(symbols), face) for symbols, faces in surface.faces.items() for face in faces]
    if not shown:
        return None
    spectra = _spectra_of([face for _, face in shown])
    return Looks(spectra, np.repeat([pair for pair, _ in shown], 2), len(pairs))


def _spectra_of(faces: Sequence[Face]) -> Spectra:
    """Of each face and then of the same face blurred."""
    pictures = [picture for face in faces for picture in _sharp_and_blurred(_colours(face))]
    middle = [(SIDE // 2, SIDE // 2)]
    spectra = _spectra(np.concatenate([_polar(picture, middle) for picture in pictures]))
    return np.ascontiguousarray(spectra.conj().transpose(0, 2, 1))


def _correlations(windows: Sequence[Face], spectra: Sequence[Spectra]) -> Float:
    """(windows, pictures): how well each agrees with each picture; the first two for each window are of itself."""
    starts = [(part, n) for part in spectra for n in range(0, part.shape[2], AT_ONCE)]
    parts = [np.ascontiguousarray(part[..., n : n + AT_ONCE]) for part, n in starts]
    with ThreadPoolExecutor(CORES) as cores:
        return np.stack([*cores.map(partial(_likeness, parts), windows, range(len(windows)))])


def _likeness(parts: Sequence[Spectra], window: Face, nth: int) -> Float:
    """(pictures,): the correlation with each, at its best turn and shift; `nth` says which are of itself."""
    picture, middle = _colours(window), WINDOW // 2
    strides = range(-2 * STRIDE, 2 * STRIDE + 1, STRIDE)
    there = [(middle + x, middle + y) for x, y in product(strides, strides)]
    far = _at(parts, picture, there)
    others = np.delete(far, (2 * nth, 2 * nth + 1), axis=1)
    x, y = there[int(others.max(axis=1, initial=-1.0).argmax())]
    near = _at(parts, picture, [(x + dx, y + dy) for dx, dy in product((-1, 0, 1), repeat=2)])
    return np.asarray(np.maximum(far.max(axis=0), near.max(axis=0)), np.float32)


def _at(parts: Sequence[Spectra], picture: Float, middles: Sequence[tuple[int, int]]) -> Float:
    """(middles, pictures): the correlation of what is around each of the middles with each picture."""
    shown = _spectra(_polar(picture, middles))
    alike = np.concatenate([shown @ part for part in parts], axis=2)
    turned = np.fft.irfft(alike.transpose(1, 2, 0), TURNS)
    return np.asarray(turned.max(axis=2), np.float32)


def _colours(face: Face) -> Float:
    return face.astype(np.float32) * STEP


def _sharp_and_blurred(face: Float) -> Iterable[Float]:
    return face, cv2.GaussianBlur(face, (0, 0), BLUR).astype(np.float32)


def _polar(picture: Float, middles: Sequence[tuple[int, int]]) -> Float:
    """(middles, radii, turns, 3): the picture around each of the middles, x and y in its pixels."""
    at = np.array(middles, np.float32)[:, :, None, None] + AROUND
    flat = at.transpose(1, 0, 2, 3).reshape(2, -1, TURNS)
    seen = cv2.remap(picture, flat[0], flat[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.reshape(len(middles), len(RADII), TURNS, 3).astype(np.float32)


def _spectra(polar: Float) -> NDArray[np.complex64]:
    """(frequencies, pictures, values) of (pictures, radii, turns, 3), each of mean 0 and, unless faint, of norm 1."""
    # A product of matrices, for it is five times as fast as a sum over both axes.
    mean = (AREAS @ polar.reshape(len(polar), len(RADII), -1)).reshape(len(polar), TURNS, 3).sum(axis=1)
    apart = (polar - mean[:, None, None]) * WEIGHTS
    flat = apart.reshape(len(polar), -1)
    apart /= np.sqrt(np.einsum("pv,pv->p", flat, flat))[:, None, None, None] + np.float32(FAINT)
    rings = np.ascontiguousarray(apart.transpose(0, 1, 3, 2))
    # Five times as fast as NumPy's.
    whole = cv2.dft(rings.reshape(-1, TURNS), flags=cv2.DFT_ROWS | cv2.DFT_COMPLEX_OUTPUT)
    half = whole.reshape(len(polar), -1, TURNS, 2)[:, :, : TURNS // 2 + 1]
    return np.ascontiguousarray(half.transpose(2, 0, 1, 3)).view(np.complex64)[..., 0]
