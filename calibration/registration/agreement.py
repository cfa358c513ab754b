"""Whether to believe that a surface lies where a homography says: by what a camera can see, and by the print itself."""

import cv2
import numpy as np
from numpy.typing import NDArray

from ..photo import Pixels
from ..surface import Matrix, Surface, normalised, transform

# A window of print agrees when its correlation with the reference is at least this; a random warp gives
# correlations around zero.
CORRELATES = 0.4
# Pixels per mm at which print is compared, and the side of a window.
CHECK_SCALE, WINDOW_MM = 1.0, 25


def plausible(plane_to_photo: Matrix, surface: Surface, shape: tuple[int, ...]) -> bool:
    """Can a camera see the surface like this: not mirrored, not from behind, not squeezed to a line?"""
    outline = cv2.convexHull(surface.corners.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    depth = outline @ plane_to_photo[2, :2] + plane_to_photo[2, 2]
    if depth.min() <= 0 < depth.max() or np.linalg.cond(plane_to_photo) > 1e12:
        return False
    # The Jacobian's determinant of a homography is det(H) / depth³.
    growth = np.linalg.det(plane_to_photo) / depth**3
    seen = transform(outline, plane_to_photo)
    inside = ((seen > 0) & (seen < np.array(shape[1::-1]))).all(axis=1)
    return bool(growth.min() > 0 and growth.max() < 100 * growth.min() and inside.any())


def agreement(photo: Pixels, surface: Surface, plane_to_photo: Matrix) -> float:
    """The share of windows of print, of those inside the photo, that correlate with the reference.

    `photo` (H, W, 3) uint8 BGR is straight; with next to no print inside it the share is 0.
    """
    frame = surface.frame(CHECK_SCALE)
    a = surface.straight_print(CHECK_SCALE)[0].astype(np.float32) - 128
    b = normalised(frame.warp(photo, plane_to_photo)).astype(np.float32) - 128
    seen = frame.inside(photo.shape, plane_to_photo).astype(np.float32)
    n = round(WINDOW_MM * CHECK_SCALE)

    def window(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return cv2.blur(values, (n, n))[n // 2 :: n, n // 2 :: n]  # type: ignore

    correlation = window(a * b) / np.sqrt(window(a * a) * window(b * b) + 1)
    inside = (window(seen) > 250) & (window(a * a) > 100)
    return float(np.mean(correlation[inside] > CORRELATES)) if inside.sum() >= 6 else 0.0
