"""RootSIFT features of a print, seen from above and from eight slanted directions.

RootSIFT is the square root of L1-normalised SIFT, compared by the Euclidean distance (Arandjelović and
Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012). SIFT withstands
a tilt of about 45°; matching against pre-tilted views carries it to 60° and beyond (the idea of ASIFT:
Morel and Yu, SIAM J. Imaging Sciences 2009).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Descriptors = NDArray[np.float32]
NOTHING: Descriptors = np.zeros((0, 128), np.float32)

# So many features are kept of a print, and of a photo, in which a board may be small.
FEATURES, PHOTO_FEATURES = 2000, 4000
# The features of a board compete for room within squares of so many px.
SQUARE = 50
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
        """Those where a `mask` (height, width), each px of which is as wide as `shrink` of the points' px, is 0."""
        x, y = (self.points / shrink).astype(int).T
        out = mask[y.clip(0, mask.shape[0] - 1), x.clip(0, mask.shape[1] - 1)] == 0
        return Features(self.points[out], self.descriptors[out], self.arrows[out])


def find_features(pixels: NDArray[np.uint8], limit: int = FEATURES) -> Features:
    """RootSIFT features of an image, `limit` at most, points in its pixels: the strongest of every part of it.

    The strongest of all would leave nothing for a board that lies on a checked cloth.
    """
    sift = _sift()
    return _described(*_spread(_joined(_all_in(window, sift) for window in _windows(pixels)), limit))


def find_strongest(pixels: NDArray[np.uint8], limit: int) -> Features:
    """RootSIFT features of an image, the `limit` strongest of all, points in its pixels."""
    sift = _sift(limit)
    found = _joined(_all_in(window, sift) for window in _windows(pixels))
    return _described(*_only(found, np.argsort(_weakness(found[0]), kind="stable")[:limit]))


Part = tuple[list[cv2.KeyPoint], Descriptors]
"""Keypoints, in pixels of the whole image, and what they are like, (n, 128) as SIFT has it."""


class Window(NamedTuple):
    """A strip of an image, from `start` to `end` along one axis, with what describes the features at its edges.

    The first of `pixels` lies at `corner` (x, y) of the image.
    """

    pixels: NDArray[np.uint8]
    corner: tuple[int, int]
    axis: int
    start: int
    end: int

    def has(self, keypoint: cv2.KeyPoint) -> bool:
        """Whether the middle of what was found in `pixels` lies in the strip."""
        return self.start <= keypoint.pt[1 - self.axis] + self.corner[1 - self.axis] < self.end

    def in_image(self, keypoints: Iterable[cv2.KeyPoint]) -> list[cv2.KeyPoint]:
        """What was found in `pixels`, moved to where it lies in the image."""
        moved = [*keypoints]
        for keypoint in moved:
            keypoint.pt = (keypoint.pt[0] + self.corner[0], keypoint.pt[1] + self.corner[1])
        return moved


def _windows(pixels: NDArray[np.uint8]) -> list[Window]:
    """What an image is searched in, along its long side."""
    gray = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY) if pixels.ndim == 3 else pixels, np.uint8)
    axis = int(np.argmax(gray.shape))
    edges = np.linspace(0, gray.shape[axis], -(-gray.size // STRIP_PIXELS) + 1).round().astype(int)
    return [_window(gray, axis, start, end) for start, end in pairwise(edges.tolist())]


def _window(gray: NDArray[np.uint8], axis: int, start: int, end: int) -> Window:
    before = max(0, start - BEYOND)
    part = [slice(None), slice(None)]
    part[axis] = slice(before, end + BEYOND)
    corner = (0, before) if axis == 0 else (before, 0)
    return Window(np.ascontiguousarray(gray[tuple(part)]), corner, axis, start, end)


def _sift(limit: int = 0) -> Any:
    """SIFT that finds so many features, or all with 0."""
    return cv2.SIFT_create(limit, contrastThreshold=0.02)  # type: ignore[attr-defined]


def _all_in(window: Window, sift: Any) -> Part:
    """Every feature of a window that SIFT gives; to choose some first and describe only these takes longer."""
    keypoints, descriptors = sift.detectAndCompute(window.pixels, None)
    mine = [n for n, keypoint in enumerate(keypoints) if window.has(keypoint)]
    return window.in_image(keypoints[n] for n in mine), descriptors[mine] if mine else NOTHING


def _spread(found: Part, limit: int) -> Part:
    """The strongest of every square of the picture, then the second of each, up to `limit`."""
    keypoints, _ = found
    if len(keypoints) <= limit:
        return found
    weakness = _weakness(keypoints)
    column, row = (_points(keypoints) // SQUARE).astype(int).T
    square = row * (column.max() + 1) + column
    order = np.lexsort((weakness, square))
    place = np.empty(len(order), int)
    place[order] = np.arange(len(order)) - np.searchsorted(square[order], square[order])
    return _only(found, np.lexsort((weakness, place))[:limit])


def _only(found: Part, chosen: NDArray[np.intp]) -> Part:
    """Those with the numbers that were `chosen`, (n,), in the order in which they were found."""
    keypoints, descriptors = found
    kept = np.sort(chosen)
    return [keypoints[n] for n in kept], descriptors[kept]


def _weakness(keypoints: Iterable[cv2.KeyPoint]) -> NDArray[np.float64]:
    return np.array([-keypoint.response for keypoint in keypoints], np.float64)


def _points(keypoints: Iterable[cv2.KeyPoint]) -> NDArray[np.float64]:
    return np.array([keypoint.pt for keypoint in keypoints], np.float64).reshape(-1, 2)


def _joined(parts: Iterable[Part]) -> Part:
    keypoints, descriptors = zip(*parts, strict=True)
    return [*chain.from_iterable(keypoints)], np.concatenate(descriptors)


def _described(keypoints: Sequence[cv2.KeyPoint], descriptors: Descriptors) -> Features:
    """Keypoints and what they are like, as features."""
    root = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    turned = np.radians([keypoint.angle for keypoint in keypoints])
    sizes = np.array([keypoint.size for keypoint in keypoints])
    arrows = np.column_stack([np.cos(turned), np.sin(turned)]) * sizes[:, None]
    return Features(_points(keypoints), root.astype(np.float32), arrows)


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
