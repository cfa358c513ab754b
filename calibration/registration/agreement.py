"""Whether to believe that a surface lies where a homography says: by what a camera can see, and by the print itself."""

import cv2
import numpy as np
from numpy.typing import NDArray

from ..photo import Pixels
from ..projection import faces_camera
from ..surface import Matrix, Surface, normalised, transform

# No part of a surface is shown so many times as large, in area, as another: its far end would be nearly five times
# (the cube root) as far from the camera as the near one.
GROWTH = 100.0
# The condition number of a homography that shows the plane as a line: of the sixteen digits of a number its inverse
# keeps four.
SQUEEZED = 1e12
# A window of print agrees when its correlation with the reference is at least this; a random warp gives
# correlations around zero.
CORRELATES = 0.4
# Pixels per mm at which print is compared, and the side of a window.
CHECK_SCALE, WINDOW_MM = 1.0, 25
# A window is compared when more than this of it lies in the photo, 255 being all.
WITHIN = 250
# The mean square of its `normalised` print must be more than this: plain paper is like any other.
PRINTED = 100
# Fewer windows that are compared tell nothing.
LEAST_WINDOWS = 6


def plausible(plane_to_photo: Matrix, surface: Surface, shape: tuple[int, ...]) -> bool:
    """Can a camera see the surface like this: not mirrored, not from behind, not squeezed to a line?"""
    outline = cv2.convexHull(surface.corners.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    if not faces_camera(plane_to_photo, outline, GROWTH) or np.linalg.cond(plane_to_photo) > SQUEEZED:
        return False
    seen = transform(outline, plane_to_photo)
    inside = ((seen > 0) & (seen < np.array(shape[1::-1]))).all(axis=1)
    return bool(inside.any())


def agreement(photo: Pixels, surface: Surface, plane_to_photo: Matrix) -> float:
    """The share of windows of print, of those inside the photo, that correlate with the reference.

    `photo` (H, W, 3) uint8 BGR is straight; with next to no print inside it the share is 0.
    """
    found = correlations(photo, surface, plane_to_photo)
    return float(np.mean(found > CORRELATES)) if len(found) else 0.0


def correlations(photo: Pixels, surface: Surface, plane_to_photo: Matrix) -> NDArray[np.float32]:
    """(windows,): how well each window of print that lies in a straight photo agrees with the reference, in [-1, 1].

    Where there are too few to tell anything, none.
    """
    frame = surface.frame(CHECK_SCALE)
    a = surface.straight_print(CHECK_SCALE)[0].astype(np.float32) - 128
    b = normalised(frame.warp(photo, plane_to_photo)).astype(np.float32) - 128
    seen = frame.inside(photo.shape, plane_to_photo).astype(np.float32)
    n = round(WINDOW_MM * CHECK_SCALE)

    def window(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return cv2.blur(values, (n, n))[n // 2 :: n, n // 2 :: n]  # type: ignore

    correlation = window(a * b) / np.sqrt(window(a * a) * window(b * b) + 1)
    inside = (window(seen) > WITHIN) & (window(a * a) > PRINTED)
    return np.asarray(correlation[inside] if inside.sum() >= LEAST_WINDOWS else [], np.float32)
