"""Points that a person taps around something flat: read from a file, checked, made into its plane."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from engine.sentences import N_

from ..photo import Photo
from ..surface import Matrix, inverse, pairs, scaling, transform

POINTS_AT_MOST = 60
# From as steep as photos of empty boards mostly are taken, 45°, a side looks this much longer or shorter beside the
# other. Beyond that the lens must be one that a phone may have: its focal length is at most so many long sides.
SLANTED, FOCAL = 1.4, 1.5
OF_A_BOARD = {
    "corners": N_(
        "The four corners do not go round the board: tap them clockwise, from the one that is top left in print."
    ),
    "size": N_("{found} mm is not a sensible size for {what}: measure it in millimetres."),
    "outside": N_("A point of {what} lies outside the picture: check the points."),
    "turned": N_(
        "The board looks much wider or higher in the photo than its size in millimetres says: begin with the corner "
        "that is top left in print, go on clockwise, and give the width before the height."
    ),
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
    width, height = photo.size
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


def looks_turned(corners: Sequence[Px], size: tuple[float, float], picture: tuple[int, int]) -> bool:
    """Whether four corners clearly go round another shape than one of this width and height, mm.

    They are in pixels of a picture of this width and height.
    """
    px = np.array(corners)
    top, right, bottom, left = np.linalg.norm(px - np.roll(px, -1, axis=0), axis=1)
    wider = (top + bottom) / max(right + left, 1.0) * size[1] / size[0]
    return not 1 / SLANTED < wider < SLANTED and not _seen_aslant(corners, size, picture)


def _seen_aslant(corners: Sequence[Px], size: tuple[float, float], picture: tuple[int, int]) -> bool:
    """Whether these corners look so because the camera of a phone looks at them from the side.

    The axes of the plane are equally long in space, which tells the focal length: Zhang, "A flexible new technique for
    camera calibration", PAMI 2000. That of a shape seen from above that is not the right one is huge or imaginary.
    """
    plane = plane_of_corners(corners, size)
    if plane is None:
        return False
    long_side = max(picture)
    # Pixels from the middle of the picture, in units of its long side.
    centered = (plane - np.outer(np.append(picture, 0) / 2, plane[2])) / np.array(
        [[long_side], [long_side], [1]]
    )
    (ax, bx), (ay, by), (az, bz) = centered[:, :2]
    longer, deeper = ax**2 + ay**2 - bx**2 - by**2, bz**2 - az**2
    return bool(longer * deeper > 0 and abs(longer) < FOCAL**2 * abs(deeper))
