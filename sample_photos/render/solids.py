"""Things with flat faces, in the world frame: millimetres, x east, y north, z up (see `camera.py`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

import cv2
import numpy as np
from boards import Point
from layout import Spot

Face = tuple[np.ndarray, np.ndarray]
"""Corners (n, 3) and the normal outwards (3,)."""
UP = np.array([0.0, 0.0, 1.0])
HALF_TRAIN = 4.0
"""Half of the board that a train is sawn from, mm."""


@dataclass(frozen=True, eq=False)
class Solid:
    """Its faces; `foot` (n, 2) is what it covers below, from the height `low` to `high`."""

    faces: tuple[Face, ...]
    foot: np.ndarray
    low: float
    high: float

    def towards(self, eye: np.ndarray) -> list[Face]:
        """The faces that can be seen from a point, the farthest first."""
        seen = [(corners, normal) for corners, normal in self.faces if normal @ (eye - corners.mean(0)) > 0]
        return sorted(seen, key=lambda face: -float(np.linalg.norm(face[0].mean(0) - eye)))

    def between(self, at: np.ndarray, lamp: np.ndarray) -> bool:
        """Whether it stands between a point and a lamp above it, as far as four points on the way tell."""
        if self.high <= at[2]:
            return False
        out = at + (lamp - at) * min(1.0, (self.high - at[2]) / (lamp[2] - at[2]))
        outline = self.foot.astype(np.float32)
        for share in (0.15, 0.4, 0.7, 1.0):
            x, y, z = (float(v) for v in at + (out - at) * share)
            if z >= self.low and cv2.pointPolygonTest(outline, (x, y), False) > 0:
                return True
        return False

    def hull(self) -> np.ndarray:
        """(2n, 3): the foot at its lower and at its upper end."""
        return np.vstack([at_height(self.foot, self.low), at_height(self.foot, self.high)])


def at_height(outline: np.ndarray, height: float) -> np.ndarray:
    return np.column_stack([outline, np.full(len(outline), height)])


def prism(outline: np.ndarray, low: float, high: float) -> Solid:
    """What stands upright over a convex outline (n, 2)."""
    base, top, middle = at_height(outline, low), at_height(outline, high), outline.mean(0)
    faces = [(top, UP)]
    for k in range(len(outline)):
        after = (k + 1) % len(outline)
        along = outline[after] - outline[k]
        out = np.array([along[1], -along[0], 0.0]) / np.linalg.norm(along)
        if out[:2] @ (outline[k] - middle) < 0:
            out = -out
        faces.append((np.array([base[k], base[after], top[after], top[k]]), out))
    return Solid(tuple(faces), outline, low, high)


def on_board(points: Sequence[Point]) -> np.ndarray:
    """(n, 2) in the world frame from points in the board frame, whose y goes south."""
    return np.array([(x, -y) for x, y in points])


def ring(middle: np.ndarray, radius: float, count: int = 16) -> np.ndarray:
    """(count, 2): a circle."""
    return np.array(
        [middle + radius * np.array([cos(a), sin(a)]) for a in np.linspace(0, 2 * pi, count, False)]
    )


def square(middle: np.ndarray, side: float, angle: float) -> np.ndarray:
    """(4, 2): a square turned by `angle`."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    return middle + corners @ _turn(angle)


def oval(middle: np.ndarray, half: tuple[float, float], angle: float) -> np.ndarray:
    """(14, 2): between an ellipse and a rectangle, as fingers and arms are from above."""
    a = np.linspace(0, 2 * pi, 14, False)
    round_ = np.column_stack([np.cos(a), np.sin(a)])
    return middle + np.sign(round_) * np.abs(round_) ** 0.7 * half @ _turn(angle)


def train(outline: Sequence[Point], spot: Spot) -> Solid:
    """A train with this outline (along, up), standing where its spot is, or lying on its side, see `Scene.stand`."""
    side = np.array(outline)
    if _area(side) < 0:
        side = side[::-1]
    faces = [(_across(side, y), np.array([0.0, np.sign(y), 0.0])) for y in (-HALF_TRAIN, HALF_TRAIN)]
    for a, b in zip(side, np.roll(side, -1, axis=0), strict=True):
        along = b - a
        corners = np.vstack([_across(np.array([a, b]), -HALF_TRAIN), _across(np.array([b, a]), HALF_TRAIN)])
        faces.append((corners, np.array([along[1], 0.0, -along[0]]) / np.linalg.norm(along)))
    low, high = spot.level, spot.level + (2 * HALF_TRAIN if spot.toppled else float(side[:, 1].max()))
    placed = tuple(_placed(face, spot) for face in faces)
    return Solid(placed, on_board(spot.corners()), low, high)


def _placed(face: Face, spot: Spot) -> Face:
    """A face of a train in its own frame, where the train is."""
    corners, normal = face
    (x, y), z = spot.at, spot.level
    if spot.toppled:
        # Turned about its long axis, its upper side to the south; its middle stays where the spot is.
        corners, normal = (np.stack([v[..., 0], -v[..., 2], v[..., 1]], -1) for v in (corners, normal))
        x, y, z = x + 6 * sin(spot.angle), y - 6 * cos(spot.angle), z + HALF_TRAIN
    turn = np.eye(3)
    turn[:2, :2] = _turn(-spot.angle)
    return corners @ turn + (x, -y, z), normal @ turn


def _across(side: np.ndarray, y: float) -> np.ndarray:
    return np.column_stack([side[:, 0], np.full(len(side), y), side[:, 1]])


def _area(outline: np.ndarray) -> float:
    """Twice the area, positive where the outline goes counterclockwise."""
    (x, y), (next_x, next_y) = outline.T, np.roll(outline, -1, axis=0).T
    return float(np.sum(x * next_y - next_x * y))


def _turn(angle: float) -> np.ndarray:
    """(2, 2): what rows are multiplied by to be turned counterclockwise."""
    return np.array([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])
