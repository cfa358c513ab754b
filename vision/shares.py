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
from .light import Log, to_log
from .share_poses import PHOTO_FEATURES, Float, Pose, Prints, Votes, find_poses, fit_beside, poses_beside, straight_tile, to_tile_px

SCALE, BLOCK, BLUR = 3.0, 15, 1.5
"""Pixels per mm of a straight tile, pixels of a block's side, and the blur in which small shifts do not matter."""
# A block whose log light differs by more than this is not that print; log odds fall by 1 for each of these.
AGREES, EVIDENCE = 0.25, 0.12
# Blocks that must agree for a tile, the share of the free ones for even odds, and log odds for each more of it.
LEAST_BLOCKS, EVEN_SHARE, STEEPNESS = 5, 0.4, 14.0
CERTAIN, LEAST_P, REFINEMENTS, ROUNDS = 9.0, 0.05, 2, 4


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
class _Look:
    """A tile straightened by `to_straight`: which blocks are `usable`, which of them look as the likeliest company's,
    what each company's print would cost, and how much of the print is `shown`."""

    to_straight: Matrix
    usable: NDArray[np.bool_]
    agrees: NDArray[np.bool_]
    costs: Float
    shown: float

    @property
    def best(self) -> int:
        return int(self.costs.argmin())

    @property
    def cost(self) -> float:
        """How far the likeliest company's print is off, where a block that is not free says nothing."""
        return float(self.costs.min() / max(1, self.usable.sum()))


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
        spent = np.zeros(photo.pixels.shape[:2], np.uint8)
        seen, rim = find_features(photo.pixels, PHOTO_FEATURES), self.prints.rim
        found = self._tiles(find_poses(Votes.of(seen, self.prints), rim), photo, spent)
        for _ in range(ROUNDS):
            planes = [tile.plane for tile in found if tile.p > 0.5]
            if not planes:
                raise NoShares("none", photo=photo.name)
            # What is covered but for a strip shows little: there every likeness counts that tells of a tile like these.
            rest = Votes.of(_beside(seen, spent), self.prints, every=True).like(planes, rim)
            more = self._tiles(poses_beside(rest, planes, rim), photo, spent)
            found = [tile for tile in [*found, *more] if self._fits(tile, planes)]
            if not any(tile.p > 0.5 for tile in more):
                break
        return found

    def _tiles(self, poses: Sequence[Pose], photo: Photo, spent: NDArray[np.uint8]) -> list[ShareTile]:
        """The tiles at these poses that the print confirms."""
        tiles = [self._tile(pose, photo, spent) for pose in poses]
        return [tile for tile in tiles if tile is not None]

    def _fits(self, tile: ShareTile, planes: Sequence[Matrix]) -> bool:
        """Whether it lies on the table as the others do."""
        x, y = transform(self.prints.rim, tile.plane).T
        return bool(fit_beside((x + 1j * y)[None], planes, self.prints.rim)[0])

    def figures(self, seat: str, photo: Photo) -> list[Figure]:
        """How many shares of each company lie in front of `seat`. Raises NoShares."""
        tiles = self.read(photo)
        chances = {name: [tile.p * tile.companies[name] for tile in tiles] for name in self.names}
        return [
            Figure(("shares", seat, name), f"share/{name}", _counted(chances[name])) for name in self.names
        ]

    def _tile(self, pose: Pose, photo: Photo, spent: NDArray[np.uint8]) -> ShareTile | None:
        """The tile at a pose, its print then spent; None where the photo shows none there."""
        to_straight = to_tile_px(SCALE) @ inverse(pose.plane)
        look = self._look(to_straight, photo, spent)
        for _ in range(REFINEMENTS):
            moved = self._refined(look, photo, spent)
            if moved is None or moved.cost >= look.cost:
                break
            look = moved
        if look.agrees.sum() < LEAST_BLOCKS:
            return None
        p = 1 / (1 + exp(-STEEPNESS * (look.shown - EVEN_SHARE)))
        if p < LEAST_P:
            return None
        self._spend(spent, look.agrees, inverse(look.to_straight))
        weights = np.exp(np.maximum((look.costs.min() - look.costs) / EVIDENCE, -CERTAIN))
        companies = dict(zip(self.names, (weights / weights.sum()).tolist(), strict=True))
        return ShareTile(inverse(look.to_straight) @ to_tile_px(SCALE), p, companies)

    def _look(self, to_straight: Matrix, photo: Photo, spent: NDArray[np.uint8]) -> "_Look":
        """The blocks of a tile that would lie there, compared with every company's."""
        size = self.looks[0].shape[1::-1]
        seen = self._blocks(_log(cv2.warpPerspective(photo.pixels, to_straight, size)))  # type: ignore[arg-type]
        free = cv2.warpPerspective(np.where(spent, 0, 255).astype(np.uint8), to_straight, size) > 127
        usable = self._blocks(free[..., None]).mean(axis=(1, 2)) > 0.8
        looks = [self._blocks(look) for look in self.looks]
        off, gains = (np.array(part) for part in zip(*(_compared(seen, k, usable) for k in looks), strict=True))
        costs = np.minimum(off, AGREES)[:, usable].sum(axis=1)
        best = int(costs.argmin())
        agrees = usable & (off[best] < AGREES)
        return _Look(to_straight, usable, agrees, costs, _shown(seen - gains[best], looks[best], usable, agrees))

    def _blocks(self, picture: NDArray[Any]) -> NDArray[Any]:
        """A straight tile cut up: (blocks, pixels, channels)."""
        rows, columns = self.shape
        whole = picture[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK, -1)
        return whole.swapaxes(1, 2).reshape(rows * columns, BLOCK * BLOCK, -1)

    def _refined(self, look: "_Look", photo: Photo, spent: NDArray[np.uint8]) -> "_Look | None":
        """Moved to where the print of the likeliest company lies best (Evangelidis and Psarakis, PAMI 2008)."""
        height, width = self.looks[0].shape[:2]
        margin = np.array([[1, 0, BLOCK], [0, 1, BLOCK], [0, 0, 1.0]])
        size = (width + 2 * BLOCK, height + 2 * BLOCK)
        wide = _log(cv2.warpPerspective(photo.pixels, margin @ look.to_straight, size))  # type: ignore[arg-type]
        free = cv2.warpPerspective(np.where(spent, 0, 255).astype(np.uint8), margin @ look.to_straight, size)
        print_ = self.looks[look.best].mean(axis=2)
        steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
        try:
            _, move = cv2.findTransformECC(
                print_, wide.mean(axis=2), margin.astype(np.float32), cv2.MOTION_HOMOGRAPHY, steps, free, 3
            )
        except cv2.error:  # it says so where it does not converge
            return None
        return self._look(inverse(move.astype(np.float64)) @ margin @ look.to_straight, photo, spent)

    def _spend(self, spent: NDArray[np.uint8], agrees: NDArray[np.bool_], to_photo: Matrix) -> None:
        for block in np.flatnonzero(agrees):
            row, column = divmod(int(block), self.shape[1])
            square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + (column, row)
            cv2.fillConvexPoly(spent, np.rint(transform(square * BLOCK - 0.5, to_photo)).astype(np.int32), 255)


def _compared(seen: Log, look: Log, usable: NDArray[np.bool_]) -> tuple[Float, Float]:
    """How far each block is from a company's print, (blocks,), under the gain (3,) that makes most blocks agree."""
    away = seen - look
    middles = np.median(away, axis=1)
    rough = np.abs(away - middles[:, None]).mean(axis=(1, 2))
    apart = np.abs(middles[:, None] - middles[None]).mean(axis=2) + rough[None]
    kept = np.minimum(apart[:, usable], AGREES).sum(axis=1)
    gain = int(np.where(usable, kept, np.inf).argmin())
    return np.asarray(apart[gain], np.float64), np.asarray(middles[gain], np.float64)


def _shown(light: Log, look: Log, usable: NDArray[np.bool_], agrees: NDArray[np.bool_]) -> float:
    """How much of the print's contrast the blocks show that agree, of all that could: bare table shows none."""
    if not agrees.any():
        return 0.0
    contrast = np.square(look - look.mean(axis=(0, 1))).sum(axis=(1, 2))
    wrong = np.square(light - look)[agrees].sum()
    varied = np.square(look[agrees] - look[agrees].mean(axis=(0, 1))).sum()
    fits = max(0.0, 1 - float(wrong) / max(float(varied), 1e-6))
    return fits * float(contrast[agrees].sum() / max(contrast[usable].sum(), 1e-6))


def _beside(seen: View, spent: NDArray[np.uint8]) -> View:
    """The features that do not lie on print that is spent."""
    x, y = seen.points.astype(int).T
    free = spent[y, x] == 0
    return View(seen.points[free], seen.descriptors[free], seen.arrows[free])


def _log(pixels: NDArray[np.uint8]) -> Log:
    return cv2.GaussianBlur(to_log(pixels), (0, 0), BLUR)  # type: ignore[return-value]


def _counted(chances: Sequence[float]) -> dict[int | str, float]:
    """The log probability of every number of tiles, each of which is one with its own chance."""
    numbers = np.array([1.0])
    for p in chances:
        numbers = np.convolve(numbers, [1 - p, p])
    return {n: log(max(float(p), 1e-12)) for n, p in enumerate(numbers[: SHARES + 1])}
