"""RootSIFT features of a print, seen from above and from eight slanted directions.

RootSIFT is the square root of L1-normalised SIFT, compared by the Euclidean distance (Arandjelović and
Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012). SIFT withstands
a tilt of about 45°; matching against pre-tilted views carries it to 60° and beyond (the idea of ASIFT:
Morel and Yu, SIAM J. Imaging Sciences 2009).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Descriptors = NDArray[np.float32]
NOTHING: Descriptors = np.zeros((0, 128), np.float32)

# So many features are kept of a print, and of a photo, in which a board may be small.
FEATURES, PHOTO_FEATURES = 2000, 4000
# Features compete for room within squares of so many px, or all of them with each other.
SQUARE, EVERYWHERE = 50, 100_000
TILT = np.radians(55)
DIRECTIONS = 8
# The nearest descriptor must be clearly nearer than the second (Lowe 2004, section 7.1).
RATIO = 0.82
# Pictures are searched in strips of so many pixels, for SIFT takes 200 bytes for each; and each strip with so many px
# on both sides of it, that describe the features at its edges.
STRIP_PIXELS, BEYOND = 1_200_000, 100


@dataclass(frozen=True, eq=False)
class Features:
    """Features: `points` (n, 2) float64 in the frame the docstring of the maker says, `descriptors` (n, 128).

    `arrows` (n, 2) float64 say which way round each feature is and how large, in px of the image it was found in;
    views that are kept for registration have none.
    """

    points: NDArray[np.float64]
    descriptors: Descriptors
    arrows: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))

    def outside(self, mask: NDArray[np.uint8], shrink: float) -> "Features":
        """Those where a `mask` (height, width), of which `shrink` px make one of the points' px, is 0."""
        x, y = (self.points / shrink).astype(int).T
        out = mask[y.clip(0, mask.shape[0] - 1), x.clip(0, mask.shape[1] - 1)] == 0
        return Features(self.points[out], self.descriptors[out], self.arrows[out])


def find_features(pixels: NDArray[np.uint8], limit: int = FEATURES, square: int = SQUARE) -> Features:
    """RootSIFT features of an image, about `limit` at most, points in its pixels: the strongest of every `square`, px.

    The strongest of all would leave nothing for a board that lies on a checked cloth.
    """
    gray = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY) if pixels.ndim == 3 else pixels, np.uint8)
    # All of them are asked for, or only those that can be among the strongest of all.
    most = limit if square == EVERYWHERE else 0
    sift = cv2.SIFT_create(most, contrastThreshold=0.02)  # type: ignore[attr-defined]
    strips = _strips(gray.shape)
    share = limit if square == EVERYWHERE else -(-limit // len(strips))
    found = [_in_strip(sift, gray, strip, share, square) for strip in strips]
    keypoints = [keypoint for part, _ in found for keypoint in part]
    if not keypoints:
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32))
    kept = _strongest(keypoints, limit, EVERYWHERE)
    keypoints = [keypoints[n] for n in kept]
    descriptors = np.concatenate([described for _, described in found])[kept]
    root = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    turned = np.radians([keypoint.angle for keypoint in keypoints])
    sizes = np.array([keypoint.size for keypoint in keypoints])
    arrows = np.column_stack([np.cos(turned), np.sin(turned)]) * sizes[:, None]
    return Features(_points(keypoints), root.astype(np.float32), arrows)


Strip = tuple[int, int, int]
"""Along which axis a strip of an image goes, and from where to where, px."""


def _strips(shape: tuple[int, ...]) -> list[Strip]:
    """What an image of this shape is cut into, along its long side."""
    along = int(np.argmax(shape))
    edges = np.linspace(0, shape[along], -(-shape[0] * shape[1] // STRIP_PIXELS) + 1).round().astype(int)
    return [(along, start, end) for start, end in pairwise(edges.tolist())]


def _in_strip(
    sift: Any, gray: NDArray[np.uint8], strip: Strip, limit: int, square: int
) -> tuple[list[cv2.KeyPoint], Descriptors]:
    """The features whose middle lies in a strip, at most `limit`, with points in pixels of the whole image."""
    along, start, end = strip
    before = max(0, start - BEYOND)
    window = [slice(None), slice(None)]
    window[along] = slice(before, end + BEYOND)
    part = np.ascontiguousarray(gray[tuple(window)])
    if square == EVERYWHERE:
        keypoints, descriptors = sift.detectAndCompute(part, None)
        mine = [n for n, k in enumerate(keypoints) if start <= k.pt[1 - along] + before < end]
        keypoints, descriptors = [keypoints[n] for n in mine], descriptors[mine] if mine else NOTHING
    else:
        inside = [k for k in sift.detect(part, None) if start <= k.pt[1 - along] + before < end]
        if not inside:
            return [], NOTHING
        keypoints, descriptors = sift.compute(part, [inside[n] for n in _strongest(inside, limit, square)])
    offset = (0, before) if along == 0 else (before, 0)
    for keypoint in keypoints:
        keypoint.pt = (keypoint.pt[0] + offset[0], keypoint.pt[1] + offset[1])
    return [*keypoints], descriptors


def _strongest(keypoints: Sequence[cv2.KeyPoint], limit: int, side: int) -> list[int]:
    """Which ones to keep: the strongest of every square of this side, px, then the second of each, up to `limit`."""
    strength = -np.array([keypoint.response for keypoint in keypoints])
    column, row = (_points(keypoints) // side).astype(int).T
    square = row * (column.max() + 1) + column
    order = np.lexsort((strength, square))
    place = np.empty(len(order), int)
    place[order] = np.arange(len(order)) - np.searchsorted(square[order], square[order])
    return sorted(np.lexsort((strength, place))[:limit].tolist())


def _points(keypoints: Sequence[cv2.KeyPoint]) -> NDArray[np.float64]:
    return np.array([keypoint.pt for keypoint in keypoints], dtype=np.float64)


def match(a: Features, b: Features) -> tuple[NDArray[np.int64], int]:
    """(n, 2) int64: rows of `a` and `b` that are each other's nearest neighbours, the clearest first.

    Also how many of them are clear: where a print repeats itself, few are though many are right.
    """
    if len(a.points) < 2 or len(b.points) < 2:
        return np.zeros((0, 2), np.int64), 0
    similarity = a.descriptors @ b.descriptors.T
    rows = np.arange(len(similarity))
    best = similarity.argmax(axis=1)
    top = similarity[rows, best]
    # Ten times as fast as to ask each of `b` which of `a` is the nearest.
    mutual = np.flatnonzero(top == similarity.max(axis=0)[best])
    similarity[rows, best] = -1
    second = similarity.max(axis=1)
    # Unit vectors: squared distance = 2 - 2 · similarity.
    ratio = ((1 - top) / np.maximum(1 - second, 1e-6))[mutual]
    order = np.argsort(ratio, kind="stable")
    pairs = np.column_stack([mutual, best[mutual]])[order]
    return pairs, int((ratio < RATIO**2).sum())


def from_all_sides(straight: NDArray[np.uint8], px_to_plane: NDArray[np.float64]) -> tuple[Features, ...]:
    """The view from above and eight slanted ones of a straight image; points mapped by `px_to_plane`."""
    return tuple(_from_this_side(seen, px_to_plane @ np.linalg.inv(move)) for seen, move in slanted(straight))


def slanted(straight: NDArray[np.uint8]) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float64]]]:
    """A straight image as it is and seen from eight sides, each with the homography to its pixels."""
    height, width = straight.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    tilts = [np.eye(3)] + [_slanted(width, height, 2 * np.pi * k / DIRECTIONS) for k in range(DIRECTIONS)]
    for tilt in tilts:
        seen = cv2.perspectiveTransform(corners[None], tilt)[0]
        low = seen.min(axis=0)
        move = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ tilt
        size = np.ceil(seen.max(axis=0) - low).astype(int)
        yield cv2.warpPerspective(straight, move, (int(size[0]), int(size[1]))), move  # type: ignore


def _from_this_side(seen: NDArray[np.uint8], px_to_plane: NDArray[np.float64]) -> Features:
    """The features of one slanted picture, points mapped by `px_to_plane`."""
    found = find_features(seen)
    if not len(found.points):
        return found
    points = cv2.perspectiveTransform(found.points[None], px_to_plane)[0]
    return Features(points.astype(np.float64), found.descriptors)


def _slanted(width: int, height: int, direction: float) -> NDArray[np.float64]:
    """The homography of a camera that looks from `direction` at the image's middle, 55° from above."""
    distance = 1.6 * max(width, height)
    c, s = np.cos(direction), np.sin(direction)
    # A plane point turned and tilted lies at (x', y' cos, distance + y' sin) before the camera.
    slanted = np.array(
        [
            [distance * c, distance * s, 0],
            [-distance * s * np.cos(TILT), distance * c * np.cos(TILT), 0],
            [-s * np.sin(TILT), c * np.sin(TILT), distance],
        ]
    )
    from_middle: NDArray[np.float64] = slanted @ np.array(
        [[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]]
    )
    return from_middle
