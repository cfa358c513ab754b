"""Where the camera was, as seen from the board: what tells how pieces with height shift in the picture."""

import numpy as np
from numpy.typing import NDArray

from calibration.surface import Matrix, Points

# Where neither the file nor the perspective tells the focal length: a phone's main camera, about 26 mm on
# film 36 mm wide, with phones between about 20 and 50 mm within reach of the prior.
PHONE_FOCAL = 0.75
PRIOR_SPREAD = 0.7
# How far the orthogonality of the two plane axes may be off by noise in the homography.
AXES_NOISE = 0.01


def camera_position(
    plane_to_photo: Matrix, size: tuple[int, int], focal: float | None = None
) -> NDArray[np.float64]:
    """The camera in the plane's frame: (x, y, height) in mm, float64.

    `size` is the photo's (width, height), `focal` in its pixels where known. Pose from a plane's homography:
    Zhang, "A flexible new technique for camera calibration", PAMI 2000.
    """
    # Pixels from the middle of the picture, in units of its long side.
    to_middle = np.array([[1, 0, -(size[0] - 1) / 2], [0, 1, -(size[1] - 1) / 2], [0, 0, max(size)]]) / max(
        size
    )
    centered = to_middle @ plane_to_photo
    length = focal / max(size) if focal else _focal(centered)
    pose = np.diag([1 / length, 1 / length, 1.0]) @ centered
    pose *= 2 / (np.linalg.norm(pose[:, 0]) + np.linalg.norm(pose[:, 1]))
    right, down = pose[:, 0], pose[:, 1]
    rotation = np.column_stack([right, down, np.cross(right, down)])
    position = -np.linalg.solve(rotation, pose[:, 2])
    return np.array([position[0], position[1], abs(position[2])])


def _focal(centered: Matrix) -> float:
    """The focal length, in long sides, that makes the plane's axes orthogonal and of one length.

    A view from above says nothing about it, so it is a least-squares estimate of 1/f² with a prior.
    """
    (ax, bx), (ay, by), (az, bz) = centered[:, :2] / np.sqrt((centered[:2, :2] ** 2).sum() / 2)
    slopes = np.array([ax * bx + ay * by, ax**2 + ay**2 - bx**2 - by**2]) / AXES_NOISE
    offsets = np.array([az * bz, az**2 - bz**2]) / AXES_NOISE
    prior = 1 / PHONE_FOCAL**2
    weight = 1 / PRIOR_SPREAD**2
    inverse_square = (prior * weight - slopes @ offsets) / (weight + slopes @ slopes)
    return float(1 / np.sqrt(np.clip(inverse_square, 0.15, 6.0)))


def raised(points: Points, height: float | NDArray[np.float64], camera: NDArray[np.float64]) -> Points:
    """Where points `height` mm above the plane, (n, 2) mm, cover the plane as the camera sees it; (n, 2) mm.

    `height` is that of all of them, or (n, 1).
    """
    grow = camera[2] / (camera[2] - height)
    lifted: Points = camera[:2] + (points - camera[:2]) * grow
    return lifted
