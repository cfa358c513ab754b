"""Whose share tiles lie in front of a player: every tile that features tell of is straightened and compared in colour.

Companies' tiles may differ in nothing but a colour and a symbol, and light is never known. So a tile is compared with
each company's print block by block in logarithms of light, with one gain for the whole tile: what counts is colour
relative to the rest of the tile. Blocks that agree are spent, so that two tiles never live on the same print.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import Photo, Surface
from calibration.features import View, find_features
from calibration.surface import Matrix, inverse, transform
from engine.mini_express.names import SHARES
from engine.sentences import N_, Problem

from .figures import Figure
from .light import FLOOR, Log, to_log
from .odds import chances_of_numbers
from .share_poses import (
    PHOTO_FEATURES,
    Float,
    Pose,
    Prints,
    Votes,
    find_poses,
    fit_beside,
    poses_beside,
    straight_tile,
    to_tile_px,
)

SCALE, BLOCK, BLUR = 3.0, 15, 1.5
"""Pixels per mm of a straight tile, pixels of a block's side, and the blur in which small shifts do not matter."""
# A block whose log light differs by more than this is not that print. Log odds between companies fall by 1 where
# their differences, added up, differ by so many times what a block that agrees differs on average.
AGREES, EVIDENCE, FINE = 0.25, 2.0, 0.06
# Blocks that must agree for a tile and the share of its print that must be shown; log odds by that share, 0 at even
# odds, and for each feature that tells of the tile.
LEAST_BLOCKS, LEAST_SHOWN = 5, 0.12
EVEN_SHARE, STEEPNESS, FEATURE_ODDS = 0.25, 14.0, 0.1
# Tiles that lie over one another by more than this share are one tile.
SAME = 0.9
# One more tile of a company may be hidden, or lie in glare and be overlooked, with this probability: high enough that
# every count is asked.
MISSED = 0.06
CERTAIN, REFINEMENTS, ROUNDS = 9.0, 2, 4


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
class _Place:
    """Where a tile may lie: what the photo, straightened by `to_straight`, shows there; which blocks are `usable`."""

    to_straight: Matrix
    seen: Log
    usable: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Look:
    """A place beside one company's print.

    Which usable blocks agree; how far off the usable ones are on average (`cost`), what is covered by something
    else counting no more than `AGREES`, and those that agree (`noise`); how much of the print is `shown`.
    """

    place: _Place
    agrees: NDArray[np.bool_]
    cost: float
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
        looks = [straight_tile(surface, cell, SCALE) for cell in range(len(surface.cells))]
        self.looks = [_log(look) for look in looks]
        rows, columns = (side // BLOCK for side in self.looks[0].shape[:2])
        self.shape = rows, columns

    def read(self, photo: Photo) -> list[ShareTile]:
        """Every share tile in the photo. Raises NoShares where there is none."""
        free = np.full(photo.pixels.shape[:2], 255, np.uint8)
        seen, rim = find_features(photo.pixels, PHOTO_FEATURES), self.prints.rim
        found = self._tiles(find_poses(Votes.of(seen, self.prints), rim), photo, free)
        for _ in range(ROUNDS):
            planes = [tile.plane for tile in found if tile.p > 0.5]
            if not planes:
                raise NoShares("none", photo=photo.name)
            # What is covered but for a strip shows little: there every likeness counts that tells of a tile like these.
            rest = Votes.of(_beside(seen, free), self.prints, every=True).like(planes, rim)
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
        kept: list[ShareTile] = []
        for tile in tiles:
            outlines = [self._outline(other) for other in kept]
            if not _overlapped(self._outline(tile), outlines, SAME):
                kept.append(tile)
        return kept

    def _fits(self, tile: ShareTile, planes: Sequence[Matrix]) -> bool:
        """Whether it lies on the table as the others do."""
        x, y = transform(self.prints.rim, tile.plane).T
        return bool(fit_beside((x + 1j * y)[None], planes, self.prints.rim)[0])

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
        place = self._place(to_tile_px(SCALE) @ inverse(pose.plane), photo, free)
        rough = [self._look(place, print_) for print_ in self.looks]
        if max(look.agrees.sum() for look in rough) < LEAST_BLOCKS:
            return None
        looks = [self._settled(*pair, photo, free) for pair in zip(rough, self.looks, strict=True)]
        best = min(looks, key=lambda look: look.cost)
        if not best.is_a_tile:
            return None
        p = 1 / (1 + exp(-STEEPNESS * (best.shown - EVEN_SHARE) - FEATURE_ODDS * pose.inliers))
        to_photo = inverse(best.place.to_straight)
        self._spend(free, best.agrees, to_photo)
        worse = np.array([look.cost - best.cost for look in looks]) * best.place.usable.sum()
        weights = np.exp(np.maximum(-worse / (EVIDENCE * max(best.noise, FINE)), -CERTAIN))
        companies = dict(zip(self.names, (weights / weights.sum()).tolist(), strict=True))
        return ShareTile(to_photo @ to_tile_px(SCALE), p, companies)

    def _place(self, to_straight: Matrix, photo: Photo, free: NDArray[np.uint8]) -> _Place:
        """The blocks of a tile that would lie there, usable where hardly any of them is spent."""
        size = self.looks[0].shape[1::-1]
        seen = _log(cv2.warpPerspective(photo.pixels, to_straight, size))  # type: ignore[arg-type]
        unspent = cv2.warpPerspective(free, to_straight, size) > 127
        return _Place(
            to_straight, self._blocks(seen), self._blocks(unspent[..., None]).mean(axis=(1, 2)) > 0.8
        )

    def _look(self, place: _Place, print_: Log) -> _Look:
        """A place compared with a company's print."""
        off, lit = _compared(place.seen, self._blocks(print_), place.usable)
        cost = float(np.minimum(off, AGREES)[place.usable].mean()) if place.usable.any() else AGREES
        agrees = place.usable & (off < AGREES)
        noise = float(off[agrees].mean()) if agrees.any() else AGREES
        return _Look(place, agrees, cost, noise, _shown(place.seen, lit, place.usable, agrees))

    def _settled(self, look: _Look, print_: Log, photo: Photo, free: NDArray[np.uint8]) -> _Look:
        """Moved to where a company's print lies best: every tile was tapped a little otherwise."""
        for _ in range(REFINEMENTS):
            moved = self._moved(look, print_, photo, free)
            if moved is None or moved.cost >= look.cost:
                break
            look = moved
        return look

    def _moved(self, look: _Look, print_: Log, photo: Photo, free: NDArray[np.uint8]) -> _Look | None:
        """One step towards the most correlation of light (Evangelidis and Psarakis, PAMI 2008)."""
        height, width = print_.shape[:2]
        margin = np.array([[1, 0, BLOCK], [0, 1, BLOCK], [0, 0, 1.0]])
        size, to_wide = (width + 2 * BLOCK, height + 2 * BLOCK), margin @ look.place.to_straight
        wide = _log(cv2.warpPerspective(photo.pixels, to_wide, size)).mean(axis=2)  # type: ignore[arg-type]
        unspent = cv2.warpPerspective(free, to_wide, size)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
        start, sort = margin.astype(np.float32), cv2.MOTION_HOMOGRAPHY
        try:
            _, move = cv2.findTransformECC(print_.mean(axis=2), wide, start, sort, stop, unspent, 3)
        except cv2.error:  # it says so where it does not converge
            return None
        rim = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        if not np.abs(transform(rim, move.astype(np.float64)) - transform(rim, margin)).max() < 2 * BLOCK:
            return None
        moved = inverse(move.astype(np.float64)) @ to_wide
        return self._look(self._place(moved, photo, free), print_)

    def _blocks(self, picture: NDArray[Any]) -> NDArray[Any]:
        """A straight tile cut up: (blocks, pixels, channels)."""
        rows, columns = self.shape
        whole = picture[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, -1)
        return whole.swapaxes(1, 2).reshape(rows * columns, BLOCK * BLOCK, -1)

    def _spend(self, free: NDArray[np.uint8], agrees: NDArray[np.bool_], to_photo: Matrix) -> None:
        for block in np.flatnonzero(agrees):
            row, column = divmod(int(block), self.shape[1])
            square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + (column, row)
            cv2.fillConvexPoly(free, np.rint(transform(square * BLOCK - 0.5, to_photo)).astype(np.int32), 0)


def _overlapped(outline: NDArray[np.float32], others: Sequence[NDArray[np.float32]], share: float) -> bool:
    """Whether one of the others lies over or under more than this share of it."""
    area = share * cv2.contourArea(outline)
    return any(cv2.intersectConvexConvex(outline, other)[0] > area for other in others)


def _compared(seen: Log, look: Log, usable: NDArray[np.bool_]) -> tuple[Float, Log]:
    """How far each block is from a company's print, (blocks,), and the print in the photo's light.

    The light is the gain under which most blocks agree.
    """
    middles, rough = _differences(seen, look)
    # How far each block is off under the gain of each other one: (gains, blocks).
    apart = np.abs(middles[:, None] - middles[None]).mean(axis=2) + rough[None]
    kept = np.minimum(apart[:, usable], AGREES).sum(axis=1)
    gain = middles[int(np.where(usable, kept, np.inf).argmin())]
    # What is dark gets lost in the floor under every logarithm, and sooner where light is scarce.
    lit = np.log(np.maximum(np.exp(look) - FLOOR, 0) * np.exp(gain) + FLOOR).astype(np.float32)
    middles, rough = _differences(seen, lit)
    return np.abs(middles).mean(axis=1) + rough, lit


def _differences(seen: Log, look: Log) -> tuple[Log, Float]:
    """How each block is off as a whole, (blocks, channels), and how far its pixels then still are, (blocks,)."""
    away = seen - look
    middles = np.median(away, axis=1)
    return middles, np.abs(away - middles[:, None]).mean(axis=(1, 2)).astype(np.float64)


def _shown(seen: Log, look: Log, usable: NDArray[np.bool_], agrees: NDArray[np.bool_]) -> float:
    """How much of the print's contrast the blocks show that agree, of all that could: bare table shows none."""
    if not agrees.any():
        return 0.0
    contrast = np.square(look - look.mean(axis=(0, 1))).sum(axis=(1, 2))
    wrong = np.square(seen - look)[agrees].sum()
    varied = np.square(look[agrees] - look[agrees].mean(axis=(0, 1))).sum()
    fits = max(0.0, 1 - float(wrong) / max(float(varied), 1e-6))
    return fits * float(contrast[agrees].sum() / max(contrast[usable].sum(), 1e-6))


def _beside(seen: View, free: NDArray[np.uint8]) -> View:
    """The features that do not lie on print that is spent."""
    x, y = seen.points.astype(int).T
    left = free[y, x] > 0
    return View(seen.points[left], seen.descriptors[left], seen.arrows[left])


def _log(pixels: NDArray[np.uint8]) -> Log:
    return cv2.GaussianBlur(to_log(pixels), (0, 0), BLUR)  # type: ignore[return-value]


def _counted(chances: Sequence[float]) -> dict[int | str, float]:
    """The log probability of every number of tiles there are, each of which is one with its own chance."""
    numbers = chances_of_numbers(chances)
    possible = [*numbers[:SHARES], sum(numbers[SHARES:])] if len(numbers) > SHARES else numbers
    return {n: log(max(float(p), 1e-12)) for n, p in enumerate(possible)}
