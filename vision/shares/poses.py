"""Where share tiles lie in a photo: features vote for whole tiles, votes that agree are a tile.

Each feature of the print knows where the four corners of its tile are, seen from its own place, way round and size;
so every match of a photo's feature with it foretells the tile's outline (Lowe, "Distinctive image features from
scale-invariant keypoints", IJCV 2004, section 7.3). A robust homography is fitted to votes that agree. Companies'
tiles may be alike but for colour, so whose tile it is is left open here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.features import Features
from calibration.projection import faces_camera
from calibration.surface import Matrix, Points, inverse, transform

from .prints import Complex, Prints, as_complex, to_tile_px

PHOTO_FEATURES = 6000
# The nearest print must be clearly nearer than any of its neighbours that is elsewhere on the tile, farther off, mm.
RATIO, ELSEWHERE_MM, NEIGHBOURS, CHUNK = 0.88, 3.0, 12, 500
# Neighbours are looked for in groups of so many prints.
GROUP = 30
# Where every likeness counts: the least cosine of two descriptors.
ALIKE = 0.7
# Votes agree whose outlines are so near each other, and points lie together that are, as a share of the tile's size.
AGREE, NEAR = 0.14, 0.025
LEAST_VOTES, LEAST_INLIERS, LEAST_BESIDE, TILES_AT_MOST = 4, 5, 3, 60
BESIDE_AT_MOST, VOTES_AT_MOST = 100, 3000
OUTLINE_WEIGHT = 0.2
ENOUGH_FOR_PERSPECTIVE, WIDE_MM = 8, 10.0
SIDE_PX_WITHIN, LEAST_AREA = (30.0, 3000.0), 0.1
# No part of a tile is shown so many times as large, in area, as another: its far end would be twice (the cube root) as
# far from the camera as the near one.
GROWTH = 8.0
# By how much the logarithm of a tile's sides and diagonals may differ from those of others on the same table.
LIKE = 0.3
LEVEL_SIZE, LEVEL_MM = (2400, 2400), 300.0
"""Width and height of the picture from straight above, and how far it reaches at least."""


@dataclass(frozen=True, eq=False)
class Pose:
    """A tile found: `plane` maps its mm to photo px, `inliers` features lie where it says."""

    plane: Matrix
    inliers: int = 0


@dataclass(frozen=True, eq=False)
class Votes:
    """What features of a photo foretell: each `point` (n, 2) px is the place `at` (n, 2) mm of a tile, whose corners
    are the `outline` (n, 4), complex px."""

    points: Points
    at: Points
    outlines: Complex

    @staticmethod
    def of(seen: Features, prints: Prints, every: bool = False) -> "Votes":
        """Of features that are alike, clearly more than print elsewhere on the tile, or of `every` near one."""
        here, there = _matches(seen, prints, every)
        outlines = (
            as_complex(seen.points[here])[:, None]
            + prints.outline[there] * as_complex(seen.arrows[here])[:, None]
        )
        side = np.abs(outlines - np.roll(outlines, 1, axis=1)).max(axis=1)
        sound = (side > SIDE_PX_WITHIN[0]) & (side < SIDE_PX_WITHIN[1])
        return Votes(seen.points[here], prints.at[there], outlines).only(sound)

    def only(self, these: NDArray[np.bool_]) -> "Votes":
        """Those of the votes, (n,) bool."""
        return Votes(self.points[these], self.at[these], self.outlines[these])

    def like(self, planes: Sequence[Matrix], rim: Points) -> "Votes":
        """Those whose tile would be one on the same table as the tiles that are known by their planes."""
        return self.only(fit_beside(self.outlines, planes, rim))

    def thinned(self) -> "Votes":
        """So few that all pairs of them can be compared, from all over the photo."""
        step = 1 + len(self.points) // VOTES_AT_MOST
        return self.only(np.arange(len(self.points)) % step == 0)


def fit_beside(outlines: Complex, planes: Sequence[Matrix], rim: Points) -> NDArray[np.bool_]:
    """(n,) bool: which outlines (n, 4) are as large and square as a tile in the plane of the nearest one known."""
    true, fits, nearest = as_complex(rim), np.zeros(len(outlines), bool), _nearest(outlines, planes, rim)
    for k, plane in enumerate(planes):
        on_table = _on_table(outlines[nearest == k], plane)
        # Both sides and the diagonals, so that it is neither larger nor askew.
        ratios = [
            np.abs(on_table - np.roll(on_table, n, axis=1)) / np.abs(true - np.roll(true, n)) for n in (1, 2)
        ]
        fits[nearest == k] = np.abs(np.log(np.maximum(ratios, 1e-6))).max(axis=(0, 2)) < LIKE
    return fits


def level(planes: Sequence[Matrix], rim: Points) -> Matrix:
    """Photo px → px of `LEVEL_SIZE` as if from straight above, with the tiles known by their planes around the middle.

    The table lies as the plane says beside which most of the others look like tiles, of equals the first. What lies
    there is as large as in the photo, or as leaves room for `LEVEL_MM` each way.
    """
    corners = np.array([transform(rim, plane) for plane in planes])
    outlines = as_complex(corners)
    plane = planes[int(np.argmax([fit_beside(outlines, [each], rim).sum() for each in planes]))]
    middle = transform(corners.mean(axis=(0, 1))[None], inverse(plane))
    sides = transform(middle + np.eye(2), plane) - transform(middle, plane)
    side = min(LEVEL_SIZE) / 2
    scale = min(float(np.linalg.norm(sides, axis=1).max()), side / LEVEL_MM)
    return to_tile_px(scale, middle[0] - side / scale) @ inverse(plane)


def _nearest(outlines: Complex, planes: Sequence[Matrix], rim: Points) -> NDArray[np.int64]:
    """(n,) which of the tiles known by their planes is nearest to each outline (n, 4)."""
    middles = np.array([as_complex(transform(rim, plane)).mean() for plane in planes])
    return np.asarray(np.abs(outlines.mean(axis=1)[:, None] - middles).argmin(axis=1), np.int64)


def _on_table(outlines: Complex, plane: Matrix) -> Complex:
    """Outlines (n, 4) in the photo as they lie in the plane of a tile, mm."""
    return as_complex(transform(_points(outlines.ravel()), inverse(plane))).reshape(-1, 4)


def poses_beside(votes: Votes, planes: Sequence[Matrix], rim: Points) -> list[Pose]:
    """Where votes tell of tiles that lie flat beside those known by their planes; few votes do, for a tile has its
    size and can only be moved and turned. The clearest first."""
    poses, true, votes = [], as_complex(rim), votes.thinned()
    for agreeing in islice(_clusters(votes, LEAST_BESIDE), BESIDE_AT_MOST):
        outline = _middle(votes.outlines[agreeing])[None]
        plane = planes[_nearest(outline, planes, rim)[0]]
        on_table = _on_table(outline, plane)[0]
        turn = np.vdot(true - true.mean(), on_table - on_table.mean())
        turn /= abs(turn)
        shift = on_table.mean() - turn * true.mean()
        move = np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag], [0, 0, 1]])
        poses.append(Pose(plane @ move))
    return poses


def _clusters(votes: Votes, least: int) -> Iterator[NDArray[np.bool_]]:
    """Sets of votes that agree, (votes,) bool, the largest first, each vote in one of them."""
    alike, free = _agreement(votes.outlines), np.ones(len(votes.points), bool)
    friends = alike.sum(axis=1)
    while friends.max(initial=0) >= least:
        agreeing = np.asarray(alike[friends.argmax()] & free)
        yield agreeing
        free &= ~agreeing
        friends = np.where(free, friends - alike[:, agreeing].sum(axis=1), 0)


def _middle(outlines: Complex) -> Complex:
    return np.asarray(np.median(outlines.real, axis=0) + 1j * np.median(outlines.imag, axis=0), np.complex128)


def _points(values: Complex) -> Points:
    return np.column_stack([values.real, values.imag])


def find_poses(votes: Votes, rim: Points) -> list[Pose]:
    """Every tile that votes agree on, also those that overlap; the clearest first. Nearly the same may come twice.

    `rim` are the corners of a tile, mm.
    """
    poses, votes = list[Pose](), votes.thinned()
    free = np.ones(len(votes.points), bool)
    for agreeing in _clusters(votes, LEAST_VOTES):
        pose, used = _fitted(votes, agreeing & free, free, rim)
        if pose is not None:
            poses.append(pose)
            free &= ~used
    return sorted(poses, key=lambda pose: -pose.inliers)[:TILES_AT_MOST]


def _matches(seen: Features, prints: Prints, every: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of the photo's features and of the print's that are alike, as `Votes.of` says."""
    here, there = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for start in range(0, len(seen.points), CHUNK):
        alike = seen.descriptors[start : start + CHUNK] @ prints.descriptors.T
        near = _most_alike(alike)
        likeness = np.take_along_axis(alike, near, axis=1)
        best = np.take_along_axis(near, likeness.argmax(axis=1)[:, None], axis=1)
        elsewhere = np.linalg.norm(prints.at[near] - prints.at[best], axis=2) > ELSEWHERE_MM
        second = np.where(elsewhere, likeness, -1).max(axis=1)
        # Unit vectors: squared distance = 2 - 2 · similarity.
        clear = (1 - likeness.max(axis=1) < RATIO**2 * (1 - second))[:, None] & (near == best)
        chosen = (likeness > ALIKE) if every else clear
        rows, columns = np.nonzero(chosen)
        here.append(rows + start)
        there.append(near[rows, columns])
    return np.concatenate(here), np.concatenate(there)


def _most_alike(alike: NDArray[np.float32]) -> NDArray[np.int64]:
    """(features, `NEIGHBOURS`): the columns with the largest values of each row.

    Those are among the columns of the largest groups, by their largest values; to find all at once takes seven times as
    long.
    """
    step = max(NEIGHBOURS, -(-alike.shape[1] // GROUP))
    groups = np.pad(alike, ((0, 0), (0, step * GROUP - alike.shape[1])), constant_values=-1)
    largest = np.argpartition(groups.reshape(len(alike), GROUP, step).max(axis=1), -NEIGHBOURS, axis=1)
    columns = largest[:, -NEIGHBOURS:, None] + step * np.arange(GROUP)
    columns = columns.reshape(len(alike), -1)
    few = np.take_along_axis(groups, columns, axis=1)
    return np.take_along_axis(columns, np.argpartition(few, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS:], axis=1)


def _agreement(outlines: Complex) -> NDArray[np.bool_]:
    """(votes, votes) bool: which foretell nearly the same outline."""
    size = np.abs(outlines[:, 2] - outlines[:, 0]).astype(np.float32)
    corners = outlines.astype(np.complex64)
    off = sum(np.abs(corners[:, None, k] - corners[None, :, k]) for k in range(4)) / 4
    return np.asarray(off < AGREE * np.minimum(size[:, None], size[None]))


def _fitted(
    votes: Votes, agreeing: NDArray[np.bool_], free: NDArray[np.bool_], rim: Points
) -> tuple[Pose | None, NDArray[np.bool_]]:
    """The pose of agreeing votes, and which free ones lie where it says."""
    if agreeing.sum() < LEAST_VOTES:
        return None, agreeing
    points, at, outline = votes.points, votes.at, _middle(votes.outlines[agreeing])
    corners, reach = _points(outline), NEAR * float(np.abs(outline[2] - outline[0]))
    matrix = _affine(rim, corners)
    for near in (3 * reach, 2 * reach, reach):
        used = free & (np.linalg.norm(transform(at, matrix) - points, axis=1) < near)
        if used.sum() < LEAST_INLIERS:
            return None, used
        matrix = _affine_beside(rim, corners, at[used], points[used])
    matrix, used = _in_perspective(matrix, points, at, free, reach)
    inliers = len(np.unique(np.round(points[used]), axis=0))
    if inliers < LEAST_INLIERS or not _can_be(matrix, rim):
        return None, used
    return Pose(matrix, inliers), used


def _affine_beside(rim: Points, corners: Points, at: Points, points: Points) -> Matrix:
    """The affine map by the features used; what few, all on one side of the tile, leave open, its `corners` tell."""
    weights = np.concatenate([np.full(len(rim), OUTLINE_WEIGHT), np.ones(len(at))])
    return _affine(np.vstack([rim, at]), np.vstack([corners, points]), weights)


def _affine(at: Points, points: Points, weights: NDArray[np.float64] | None = None) -> Matrix:
    """The affine map of least squares from tile mm to photo px, (3, 3)."""
    root = np.sqrt(np.ones(len(at)) if weights is None else weights)[:, None]
    solved, *_ = np.linalg.lstsq(np.column_stack([at, np.ones(len(at))]) * root, points * root, rcond=None)
    return np.vstack([solved.T, [0, 0, 1]])


def _in_perspective(
    matrix: Matrix, points: Points, at: Points, free: NDArray[np.bool_], reach: float
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The pose with perspective where features all over the tile tell of it, and the matches that fit."""
    used = free & (np.linalg.norm(transform(at, matrix) - points, axis=1) < reach)
    if used.sum() >= ENOUGH_FOR_PERSPECTIVE and _spread(at[used]) > WIDE_MM:
        found, _ = cv2.findHomography(at[used], points[used], cv2.RANSAC, reach / 2)
        if found is not None:
            matrix = np.asarray(found, np.float64)
    return matrix, free & (np.linalg.norm(transform(at, matrix) - points, axis=1) < reach)


def _spread(at: Points) -> float:
    """How wide points lie where they lie narrowest, mm: twice the lesser standard deviation."""
    return float(2 * np.sqrt(max(np.linalg.eigvalsh(np.cov(at.T))[0], 0)))


def _can_be(plane: Matrix, rim: Points) -> bool:
    """Whether a camera can see a tile like this: not mirrored, nor bent over, nor squeezed to a line."""
    if not faces_camera(plane, rim, GROWTH):
        return False
    corners = transform(rim, plane).astype(np.float32)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    area = cv2.contourArea(corners, True)
    return bool(cv2.isContourConvex(corners) and area > LEAST_AREA * sides.max() ** 2)
