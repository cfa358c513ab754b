"""Points that a person taps around something flat: read from a file, checked, made into its plane."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from engine.sentences import N_

from ..photo import Photo
from ..surface import Matrix, inverse, pairs, scaling, transform

POINTS_AT_MOST = 60
# From as steep as photos of empty boards are taken, a side looks this much longer or shorter beside the other.
SLANTED = 1.4
OF_A_BOARD = {
    "corners": N_(
        "The four corners do not go round the board: tap them clockwise, from the one that is top left in print."
    ),
    "size": N_("{found} mm is not a sensible size for {what}: measure it in millimetres."),
    "outside": N_("A point of {what} lies outside the picture: check the points."),
}
"""What can be wrong with corners, sizes and points of any board that is tapped, by the key of the problem."""
Px = tuple[float, float]


def read_points(rows: Any, scale: float) -> tuple[Px, ...]:
    """Points [[x, y], …] of a file, in pixels of an image made smaller by `scale`. Raises TypeError, ValueError."""
    points = pairs(rows)
    if len(points) > POINTS_AT_MOST or not np.isfinite(points).all():
        raise ValueError("points")
    return pairs(transform(points, inverse(scaling(scale))))


def lie_inside(points: Sequence[Px], photo: Photo) -> bool:
    """Whether the photo shows all of these points."""
    height, width = photo.pixels.shape[:2]
    return all(-1 < x < width and -1 < y < height for x, y in points)


def plane_of_corners(corners: Sequence[Px], size: tuple[float, float]) -> Matrix | None:
    """Plane mm → photo px by the four corners of something of this width and height, mm.

    They go clockwise from the one that is top left in print; None where they do not go round it.
    """
    (width, height), seen = size, np.array(corners, np.float32)
    if len(seen) != 4 or not cv2.isContourConvex(seen) or cv2.contourArea(seen, True) <= 0:
        return None
    printed = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(printed, seen), np.float64)


def looks_turned(corners: Sequence[Px], size: tuple[float, float]) -> bool:
    """Whether four corners, px, clearly go round another shape than one of this width and height, mm."""
    px = np.array(corners)
    top, right, bottom, left = np.linalg.norm(px - np.roll(px, -1, axis=0), axis=1)
    wider = (top + bottom) / max(right + left, 1.0) * size[1] / size[0]
    return not 1 / SLANTED < wider < SLANTED
