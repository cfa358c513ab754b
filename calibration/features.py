"""RootSIFT features of a print, seen from above and from eight slanted directions.

RootSIFT is the square root of L1-normalised SIFT, compared by the Euclidean distance (Arandjelović and
Zisserman, "Three things everyone should know to improve object retrieval", CVPR 2012). SIFT withstands
a tilt of about 45°; matching against pre-tilted views carries it to 60° and beyond (the idea of ASIFT:
Morel and Yu, SIAM J. Imaging Sciences 2009).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Descriptors = NDArray[np.float32]

FEATURES = 2000
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


def find_features(pixels: NDArray[np.uint8], limit: int = FEATURES) -> Features:
    """RootSIFT features of an image, the `limit` strongest, points in its pixels."""
    gray = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY) if pixels.ndim == 3 else pixels, np.uint8)
    sift = cv2.SIFT_create(limit, contrastThreshold=0.02)  # type: ignore[attr-defined]
    strips = [_in_strip(sift, gray, strip) for strip in _strips(gray.shape)]
    keypoints = [keypoint for found, _ in strips for keypoint in found]
    if not keypoints:
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32))
    strongest = np.sort(np.argsort([-keypoint.response for keypoint in keypoints], kind="stable")[:limit])
    keypoints = [keypoints[n] for n in strongest]
    descriptors = np.concatenate([described for _, described in strips])[strongest]
    points = np.array([keypoint.pt for keypoint in keypoints], dtype=np.float64)
    root = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    turned = np.radians([keypoint.angle for keypoint in keypoints])
    sizes = np.array([keypoint.size for keypoint in keypoints])
    arrows = np.column_stack([np.cos(turned), np.sin(turned)]) * sizes[:, None]
    return Features(points, root.astype(np.float32), arrows)


Strip = tuple[int, int, int]
"""Along which axis a strip of an image goes, and from where to where, px."""


def _strips(shape: tuple[int, ...]) -> list[Strip]:
    """What an image of this shape is cut into, along its long side."""
    along = int(np.argmax(shape))
    edges = np.linspace(0, shape[along], -(-shape[0] * shape[1] // STRIP_PIXELS) + 1).round().astype(int)
    return [(along, start, end) for start, end in pairwise(edges.tolist())]


def _in_strip(sift: Any, gray: NDArray[np.uint8], strip: Strip) -> tuple[list[cv2.KeyPoint], Descriptors]:
    """The features whose middle lies in a strip, with points in pixels of the whole image."""
    along, start, end = strip
    before = max(0, start - BEYOND)
    window = [slice(None), slice(None)]
    window[along] = slice(before, end + BEYOND)
    keypoints, descriptors = sift.detectAndCompute(np.ascontiguousarray(gray[tuple(window)]), None)
    offset = (0, before) if along == 0 else (before, 0)
    for keypoint in keypoints:
        keypoint.pt = (keypoint.pt[0] + offset[0], keypoint.pt[1] + offset[1])
    mine = [n for n, keypoint in enumerate(keypoints) if start <= keypoint.pt[1 - along] < end]
    described = np.zeros((0, 128), np.float32) if descriptors is None else descriptors[mine]
    return [keypoints[n] for n in mine], described


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
