"""A phone's camera over the table: where it is, what it sees, and the homographies between its pictures.

World frame: millimetres, x east and y north on the print, z up, z = 0 on the printed surface.
Board frame: see `boards.py` (y south). Pixels: x right, y down, (0, 0) is the centre of the top left pixel.
"""

from dataclasses import dataclass
from math import radians, tan

import numpy as np
from boards import Point

FIELD_OF_VIEW = 65.0
"""Degrees along the long side: the main camera of a phone, about 26 mm equivalent."""


@dataclass(frozen=True)
class Camera:
    """A pinhole. `axes` has the rows right, down, forward in the world frame; `size` is (width, height)."""

    position: np.ndarray
    axes: np.ndarray
    size: tuple[int, int]
    field_of_view: float = FIELD_OF_VIEW

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return max(self.size) / 2 / tan(radians(self.field_of_view / 2))

    def project(self, world: np.ndarray) -> np.ndarray:
        """World points (n, 3) in mm → pixels (n, 2)."""
        seen = (np.atleast_2d(world) - self.position) @ self.axes.T
        middle = (np.array(self.size) - 1) / 2
        return seen[:, :2] / seen[:, 2:] * self.focal + middle

    def board_homography(self) -> np.ndarray:
        """3×3: board frame in mm → pixels of this picture, for points on the printed surface."""
        width, height = self.size
        intrinsics = np.array(
            [[self.focal, 0, (width - 1) / 2], [0, self.focal, (height - 1) / 2], [0, 0, 1]]
        )
        rotation = self.axes * np.array([1, -1, 1])
        pose = np.column_stack([rotation[:, 0], rotation[:, 1], -self.axes @ self.position])
        return intrinsics @ pose

    def on_board(self, point: Point) -> Point:
        """A point of the print in mm → its pixel."""
        x, y = self.project(np.array([[point[0], -point[1], 0.0]]))[0]
        return float(x), float(y)


def between(reference: Camera, photo: Camera) -> np.ndarray:
    """3×3 from the pixels of one picture of the board to those of the other."""
    matrix = photo.board_homography() @ np.linalg.inv(reference.board_homography())
    return matrix / matrix[2, 2]


def look(
    bounds: tuple[float, float, float, float],
    size: tuple[int, int],
    tilt: float,
    rotation: float,
    fill: float,
    shift: Point = (0.0, 0.0),
    roll: float = 0.0,
) -> Camera:
    """A camera that sees the rectangle `bounds` (board frame) fill the share `fill` of the picture.

    `tilt` is the angle from the vertical, `rotation` from which side (0 south, 90 east), both in degrees;
    `roll` turns the phone about its axis; `shift` moves the board in the picture, in shares of its size.
    """
    left, top, right, bottom = bounds
    rim = np.array([[x, -y, 0.0] for x in (left, right) for y in (top, bottom)])
    target, distance = rim.mean(axis=0), 1000.0
    for _ in range(60):
        camera = _aim(target, distance, size, tilt, rotation, roll)
        pixels = camera.project(rim)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        off = (low + high) / 2 - (np.array(size) - 1) / 2 - np.array(shift) * size
        target = target + (camera.axes[0] * off[0] + camera.axes[1] * off[1]) * 0.6 * distance / camera.focal
        target = target * np.array([1, 1, 0])
        distance *= (max((high - low) / size) / fill) ** 0.6
    return _aim(target, distance, size, tilt, rotation, roll)


def _aim(
    target: np.ndarray, distance: float, size: tuple[int, int], tilt: float, rotation: float, roll: float
) -> Camera:
    t, a, turn = np.radians([tilt, rotation, roll])
    viewer = np.array([np.sin(a), -np.cos(a), 0])
    position = target + distance * (np.sin(t) * viewer + np.array([0, 0, np.cos(t)]))
    right = np.array([np.cos(a), np.sin(a), 0])
    forward = (target - position) / distance
    down = np.cross(forward, right)
    axes = np.array(
        [right * np.cos(turn) + down * np.sin(turn), down * np.cos(turn) - right * np.sin(turn), forward]
    )
    return Camera(position, axes, size)
