"""Whose share tiles lie in front of a player: every tile that features tell of is straightened and compared in colour.

Companies' tiles may differ in nothing but a colour and a symbol, and light is never known. So a tile is compared with
each company's print block by block in logarithms of light, with one gain for the whole tile: what counts is colour
relative to the rest of the tile. Blocks that agree are spent, so that two tiles never live on the same print.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import repeat
from math import log
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import Photo, Surface
from calibration.features import find_strongest
from calibration.photo import Pixels
from calibration.surface import Matrix, inverse, shifting, transform
from engine.mini_express.names import SHARES
from engine.sentences import N_, Problem

from ..cells.light import FLOOR, Log, to_log
from ..cells.odds import CERTAIN, chances_of_numbers, probability
from ..cells.shapes import bounds
from ..figure import Figure
from .poses import (
    LEVEL_SIZE,
    PHOTO_FEATURES,
    Pose,
    Votes,
    find_poses,
    fit_beside,
    level,
    poses_beside,
)
from .prints import Prints, as_complex, straight_tile, to_tile_px

SCALE, BLOCK, BLUR = 3.0, 15, 1.5
"""Pixels per mm of a straight tile, pixels of a block's side, and the blur in which small shifts do not matter."""
# A block whose log light differs by more than this is not that print. Log odds between companies fall by 1 where
# their differences, added up, differ by so many times what a block that agrees differs on average.
AGREES, EVIDENCE, FINE = 0.25, 2.0, 0.06
# Another phone, or light of another colour, takes even the right print farther off than that. So of companies by less
# than so much in log odds behind the best, blocks tell that differ by up to the second.
RIVALS, TELLS = 3.0, 1.2
# Blocks that must agree for a tile and the share of its print that must be shown; log odds by that share, 0 at even
# odds, and for each feature that tells of the tile.
LEAST_BLOCKS, LEAST_SHOWN = 5, 0.12
EVEN_SHARE, STEEPNESS, FEATURE_ODDS = 0.25, 14.0, 0.1
HARDLY_SHOWN = 0.04
"""The share of a print below which it hardly shows."""
# Tiles that lie over one another by more than this share are one tile.
ONE_TILE = 0.9
# One more tile of a company may be hidden, or lie in glare and be overlooked, with this probability: high enough that
# every count is asked.
MISSED = 0.06
REFINEMENTS, ROUNDS = 2, 4


class NoShares(Problem):
    """A photo for a player's shares that shows none."""

    sentences = {
        "none": N_(
            "No share tile was found in {photo}: take it from nearer and sharp, the tiles face up and each of them in "
            "sight."
        )
    }


@dataclass(frozen=True, eq=False)
class ShareTile:
    """A tile found: its mm → photo px, the probability that it is one, and of each company if it is."""

    plane: Matrix
    p: float
    companies: dict[str, float]


@dataclass(frozen=True, eq=False)
class _Site:
    """Where a tile may lie: what the photo, straightened by `to_straight`, shows there; which blocks are `usable`."""

    to_straight: Matrix
    seen: Log
    usable: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Comparison:
    """A site beside one company's print.

    Which usable blocks agree; how far off the usable ones are on average (`cost`), what is covered by something
    else counting no more than `AGREES`, or by so much more that companies can be told apart (`unlike`), and those that
    agree (`noise`); how much of the print is `shown`.
    """

    site: _Site
    agrees: NDArray[np.bool_]
    cost: float
    unlike: float
    noise: float
    shown: float

    @property
    def is_a_tile(self) -> bool:
        """Whether enough of the print is there to be a tile at all."""
        return bool(self.agrees.sum() >= LEAST_BLOCKS and self.shown >= LEAST_SHOWN)


class ShareReader:
    """Finds and tells apart the share tiles of one table; `surface` is its "shares"."""

    def __init__(self, surface: Surface) -> None:
        self.prints = Prints.of(surface)
        self.names = [kind.name for kind in surface.kinds]
        tiles = (straight_tile(surface, cell, SCALE) for cell in range(len(surface.cells)))
        self.straight = [_log(tile) for tile in tiles]
        rows, columns = (side // BLOCK for side in self.straight[0].shape[:2])
        self.shape = rows, columns

    def read(self, photo: Photo) -> list[ShareTile]:
        """Every share tile in the photo. Raises NoShares where there is none.

        The first tiles tell how the table lies, and the others are looked for as if seen from straight above.
        """
        seen, free = find_strongest(photo.pixels, PHOTO_FEATURES), _all_free(photo)
        first = self._tiles(find_poses(Votes.of(seen, self.prints), self.prints.rim), photo, free)
        clear = [tile for tile in first if tile.p > 0.5]
        if not clear:
            raise NoShares("none", photo=photo.name)
        from_above, to_level = _from_above(
            photo.pixels, level([tile.plane for tile in clear], self.prints.rim)
        )
        found = self._in_level(replace(photo, pixels=from_above))
        return [replace(tile, plane=inverse(to_level) @ tile.plane) for tile in found] or first

    def _in_level(self, photo: Photo) -> list[ShareTile]:
        """Every share tile in a photo as if from straight above."""
        free = _all_free(photo)
        seen, rim = find_strongest(photo.pixels, PHOTO_FEATURES), self.prints.rim
        found = self._tiles(find_poses(Votes.of(seen, self.prints), rim), photo, free)
        for _ in range(ROUNDS):
            planes = [tile.plane for tile in found if tile.p > 0.5]
            if not planes:
                break
            # What is covered but for a strip shows little: there every likeness counts that tells of a tile like these.
            rest = Votes.of(seen.outside(255 - free, 1.0), self.prints, every=True).like(planes, rim)
            more = self._tiles(poses_beside(rest, planes, rim), photo, free)
            found = self._each_once([tile for tile in [*found, *more] if self._fits(tile, planes)])
            if not any(tile.p > 0.5 for tile in more):
                break
        return found

    def _tiles(self, poses: Sequence[Pose], photo: Photo, free: NDArray[np.uint8]) -> list[ShareTile]:
        """The tiles at these poses that the print confirms."""
        tiles = [self._tile(pose, photo, free) for pose in poses]
        return [tile for tile in tiles if tile is not None]

    def _outline(self, tile: ShareTile) -> NDArray[np.float32]:
        return transform(self.prints.rim, tile.plane).astype(np.float32)

    def _each_once(self, tiles: Sequence[ShareTile]) -> list[ShareTile]:
        """The tiles without those that lie just where an earlier one does, which is the same tile seen again."""
        once: list[ShareTile] = []
        for tile in tiles:
            outlines = [self._outline(other) for other in once]
            if not _overlapped(self._outline(tile), outlines, ONE_TILE):
                once.append(tile)
        return once

    def _fits(self, tile: ShareTile, planes: Sequence[Matrix]) -> bool:
        """Whether it lies on the table as the others do."""
        outline = as_complex(transform(self.prints.rim, tile.plane))
        return bool(fit_beside(outline[None], planes, self.prints.rim)[0])

    def figures(self, seat: str, photo: Photo) -> list[Figure]:
        """How many shares of each company lie in front of `seat`. Raises NoShares."""
        tiles = self.read(photo)
        figures = []
        for name in self.names:
            chances = [tile.p * tile.companies[name] for tile in tiles]
            figures.append(Figure(("shares", seat, name), f"share/{name}", _counted([*chances, MISSED])))
        return figures

    def _tile(self, pose: Pose, photo: Photo, free: NDArray[np.uint8]) -> ShareTile | None:
        """The tile at a pose, its print then spent; None where the photo shows none there."""
        site = self._site(to_tile_px(SCALE) @ inverse(pose.plane), photo, free)
        rough = [self._comparison(site, print_) for print_ in self.straight]
        if max(each.agrees.sum() for each in rough) < LEAST_BLOCKS:
            return None
        if not pose.inliers and self._is_bare(rough, photo, free):
            return None
        # They work mostly outside Python's lock, so companies are compared at once.
        with ThreadPoolExecutor(len(self.names)) as pool:
            exact = [*pool.map(self._settled, rough, self.straight, repeat(photo), repeat(free))]
        chances = _chances(exact)
        best = exact[int(chances.argmax())]
        if not best.is_a_tile:
            return None
        p = float(probability(STEEPNESS * (best.shown - EVEN_SHARE) + FEATURE_ODDS * pose.inliers))
        to_photo = inverse(best.site.to_straight)
        self._spend(free, best.agrees, to_photo)
        companies = dict(zip(self.names, chances.tolist(), strict=True))
        return ShareTile(to_photo @ to_tile_px(SCALE), p, companies)

    def _is_bare(self, rough: Sequence[_Comparison], photo: Photo, free: NDArray[np.uint8]) -> bool:
        """Whether hardly any print shows, by that of one company: few votes tell mostly of no tile."""
        likeliest = int(np.argmin([each.cost for each in rough]))
        settled = self._settled(rough[likeliest], self.straight[likeliest], photo, free)
        return settled.shown < HARDLY_SHOWN

    def _site(self, to_straight: Matrix, photo: Photo, free: NDArray[np.uint8]) -> _Site:
        """The blocks of a tile that would lie there, usable where hardly any of them is spent."""
        size = self.straight[0].shape[1::-1]
        seen = _log(cv2.warpPerspective(photo.pixels, to_straight, size))  # type: ignore[arg-type]
        unspent = cv2.warpPerspective(free, to_straight, size) > 127
        return _Site(
            to_straight, self._blocks(seen), self._blocks(unspent[..., None]).mean(axis=(1, 2)) > 0.8
        )

    def _comparison(self, site: _Site, print_: Log) -> _Comparison:
        """A site compared with a company's print."""
        off, lit = _compared(site.seen, self._blocks(print_), site.usable)
        agrees = site.usable & (off < AGREES)
        cost, unlike = (_mean(np.minimum(off, most)[site.usable], most) for most in (AGREES, TELLS))
        noise, shown = _mean(off[agrees], AGREES), _shown(site.seen, lit, site.usable, agrees)
        return _Comparison(site, agrees, cost, unlike, noise, shown)

    def _settled(self, start: _Comparison, print_: Log, photo: Photo, free: NDArray[np.uint8]) -> _Comparison:
        """Moved to where a company's print lies best: every tile was tapped a little otherwise."""
        for _ in range(REFINEMENTS):
            moved = self._moved(start, print_, photo, free)
            if moved is None or moved.cost >= start.cost:
                break
            start = moved
        return start

    def _moved(
        self, start: _Comparison, print_: Log, photo: Photo, free: NDArray[np.uint8]
    ) -> _Comparison | None:
        """One step towards the most correlation of light (Evangelidis and Psarakis, PAMI 2008)."""
        height, width = print_.shape[:2]
        margin = shifting(BLOCK, BLOCK)
        size, to_wide = (width + 2 * BLOCK, height + 2 * BLOCK), margin @ start.site.to_straight
        wide = _log(cv2.warpPerspective(photo.pixels, to_wide, size)).mean(axis=2)  # type: ignore[arg-type]
        unspent = cv2.warpPerspective(free, to_wide, size)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
        begin, sort = margin.astype(np.float32), cv2.MOTION_HOMOGRAPHY
        try:
            _, move = cv2.findTransformECC(print_.mean(axis=2), wide, begin, sort, stop, unspent, 3)
        except cv2.error:  # it says so where it does not converge
            return None
        rim = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        if not np.abs(transform(rim, move.astype(np.float64)) - transform(rim, margin)).max() < 2 * BLOCK:
            return None
        moved = inverse(move.astype(np.float64)) @ to_wide
        return self._comparison(self._site(moved, photo, free), print_)

    def _blocks(self, picture: NDArray[Any]) -> NDArray[Any]:
        """A straight tile cut up: (blocks, pixels, channels); it is blurred, so every second pixel tells as much."""
        rows, columns = self.shape
        whole = picture[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, -1)
        few = whole[:, ::2, :, ::2].swapaxes(1, 2)
        return few.reshape(rows * columns, -1, picture.shape[2])

    def _spend(self, free: NDArray[np.uint8], agrees: NDArray[np.bool_], to_photo: Matrix) -> None:
        for block in np.flatnonzero(agrees):
            row, column = divmod(int(block), self.shape[1])
            square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + (column, row)
            cv2.fillConvexPoly(free, np.rint(transform(square * BLOCK - 0.5, to_photo)).astype(np.int32), 0)


def _from_above(photo: Pixels, to_level: Matrix) -> tuple[Pixels, Matrix]:
    """What a photo shows of the table, as if from straight above, and the homography from its px to that picture's."""
    whole = cv2.warpPerspective(photo, to_level, LEVEL_SIZE)
    left, top, right, bottom = bounds(np.asarray(whole.any(axis=2)))
    shown = np.ascontiguousarray(whole[top:bottom, left:right], np.uint8)
    return shown, shifting(-left, -top) @ to_level


def _all_free(photo: Photo) -> NDArray[np.uint8]:
    """(height, width): of no pixel has the print been spent."""
    return np.full(photo.pixels.shape[:2], 255, np.uint8)


def _overlapped(outline: NDArray[np.float32], others: Sequence[NDArray[np.float32]], share: float) -> bool:
    """Whether one of the others lies over or under more than this share of it."""
    area = share * cv2.contourArea(outline)
    return any(cv2.intersectConvexConvex(outline, other)[0] > area for other in others)


def _chances(companies: Sequence[_Comparison]) -> NDArray[np.float64]:
    """(companies,): how probable it is that a tile is each company's.

    What lies on a tile looks like the print of one company or another by chance, and more so the more a block may
    count. So it counts little, and only what that leaves open is told by more.
    """
    best = min(companies, key=lambda each: each.cost)
    steep = best.site.usable.sum() / (EVIDENCE * max(best.noise, FINE))
    behind = np.array([each.cost - best.cost for each in companies]) * steep
    chances, rivals = _shared(behind), behind < RIVALS
    unlike = np.array([each.unlike for each in companies]) * steep
    chances[rivals] = chances[rivals].sum() * _shared((behind + unlike)[rivals])
    return chances


def _shared(behind: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log odds by which each is behind → their shares of 1."""
    weights = np.exp(np.maximum(behind.min() - behind, -CERTAIN))
    return np.asarray(weights / weights.sum(), np.float64)


def _mean(values: NDArray[np.float64], of_none: float) -> float:
    return float(values.mean()) if len(values) else of_none


def _compared(seen: Log, print_: Log, usable: NDArray[np.bool_]) -> tuple[NDArray[np.float64], Log]:
    """How far each block is from a company's print, (blocks,), and the print in the photo's light.

    The light is the gain under which most blocks agree.
    """
    middles, rough = _differences(seen, print_)
    # How far each block is off under the gain of each other one: (gains, blocks).
    apart = np.abs(middles[:, None] - middles[None]).mean(axis=2) + rough[None]
    off = np.minimum(apart[:, usable], AGREES).sum(axis=1)
    gain = middles[int(np.where(usable, off, np.inf).argmin())]
    # What is dark gets lost in the floor under every logarithm, and sooner where light is scarce.
    lit = np.log(np.maximum(np.exp(print_) - FLOOR, 0) * np.exp(gain) + FLOOR).astype(np.float32)
    middles, rough = _differences(seen, lit)
    return np.abs(middles).mean(axis=1) + rough, lit


def _differences(seen: Log, print_: Log) -> tuple[Log, NDArray[np.float64]]:
    """How each block is off as a whole, (blocks, channels), and how far its pixels then still are, (blocks,)."""
    away = seen - print_
    middles = np.median(away, axis=1)
    return middles, np.abs(away - middles[:, None]).mean(axis=(1, 2)).astype(np.float64)


def _shown(seen: Log, print_: Log, usable: NDArray[np.bool_], agrees: NDArray[np.bool_]) -> float:
    """How much of the print's contrast the blocks show that agree, of all that could: bare table shows none."""
    if not agrees.any():
        return 0.0
    contrast = np.square(print_ - print_.mean(axis=(0, 1))).sum(axis=(1, 2))
    wrong = np.square(seen - print_)[agrees].sum()
    varied = np.square(print_[agrees] - print_[agrees].mean(axis=(0, 1))).sum()
    fits = max(0.0, 1 - float(wrong) / max(float(varied), 1e-6))
    return fits * float(contrast[agrees].sum() / max(contrast[usable].sum(), 1e-6))


def _log(pixels: NDArray[np.uint8]) -> Log:
    return cv2.GaussianBlur(to_log(pixels), (0, 0), BLUR)  # type: ignore[return-value]


def _counted(chances: Sequence[float]) -> dict[int | str, float]:
    """The log probability of every number of tiles there are, each of which is one with its own chance."""
    numbers = chances_of_numbers(chances)
    possible = [*numbers[:SHARES], sum(numbers[SHARES:])] if len(numbers) > SHARES else numbers
    return {n: log(max(float(p), 1e-12)) for n, p in enumerate(possible)}
