"""The outline of the board: the largest four-sided thing that is unlike the table around it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from ..photo import Pixels
from ..surface import Points, scaling, transform

SIDE = 600
TABLE_COLOURS = 6
# The strip along the picture's border that is taken for table, as a share of its side.
STRIP = 0.02
# Table is what differs from the border no more than the border itself does, times this; Lab units.
UNLIKE, UNLIKE_AT_LEAST = 1.5, 5.0
AREA_AT_LEAST, FILLED, NEAR_SIDE = 0.15, 0.9, 0.03


def board_outline(photo: Pixels) -> Points | None:
    """The board's corners, (4, 2) float64 px, clockwise from the one nearest the top left; None if unclear.

    What is like the border of the picture is table, so a board that reaches out of the picture is not found.
    """
    shrink = min(1.0, SIDE / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    unlike = _unlike_table(small.astype(np.uint8))
    contours, _ = cv2.findContours(unlike, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(contours, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) < AREA_AT_LEAST * unlike.size:
        return None
    corners = _four_corners(largest.reshape(-1, 2).astype(np.float64))
    if corners is None:
        return None
    area = cv2.contourArea(corners.astype(np.float32))
    if cv2.contourArea(largest) < FILLED * area or area < FILLED * cv2.contourArea(cv2.convexHull(largest)):
        return None
    return transform(_clockwise(corners), scaling(1 / shrink))


def _unlike_table(small: Pixels) -> NDArray[np.uint8]:
    """(height, width) uint8: 255 where the colour is unlike all colours along the picture's border."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 2.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    # Light changes across a table more than its colour does.
    lab[..., 0] *= 0.5
    strip = max(2, round(STRIP * max(lab.shape)))
    inside = np.zeros(lab.shape[:2], bool)
    inside[strip:-strip, strip:-strip] = True
    border = lab[~inside]
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(0)
    _, _, table = cv2.kmeans(border, TABLE_COLOURS, None, stop, 1, cv2.KMEANS_PP_CENTERS)  # type: ignore
    away = np.min([np.linalg.norm(lab - colour, axis=2) for colour in table], axis=0)
    limit = max(UNLIKE_AT_LEAST, UNLIKE * float(np.quantile(away[~inside], 0.98)))
    unlike = np.where((away > limit) & inside, 255, 0).astype(np.uint8)
    closed = cv2.morphologyEx(unlike, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    return cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)).astype(np.uint8)


def _four_corners(contour: Points) -> Points | None:
    """Where the four straight sides of a contour meet; None where it has not four."""
    hull = cv2.convexHull(contour.astype(np.float32))
    length = cv2.arcLength(hull, True)
    for share in (0.01, 0.02, 0.03, 0.05):
        rough = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2).astype(np.float64)
        if len(rough) == 4:
            sides = [_side(contour, a, b) for a, b in zip(rough, np.roll(rough, -1, axis=0), strict=True)]
            meets = np.array([np.cross(a, b) for a, b in zip(np.roll(sides, 1, axis=0), sides, strict=True)])
            return meets[:, :2] / meets[:, 2:] if np.abs(meets[:, 2]).min() > 1e-6 else rough
    return None


def _side(points: Points, a: Points, b: Points) -> NDArray[np.float64]:
    """The line, (3,) with a x + b y + c = 0, through the contour's points near the middle of a side."""
    along = (b - a) / np.linalg.norm(b - a)
    share = (points - a) @ along / np.linalg.norm(b - a)
    away = np.abs((points - a) @ np.array([-along[1], along[0]]))
    near = points[(share > 0.1) & (share < 0.9) & (away < NEAR_SIDE * np.linalg.norm(b - a))]
    if len(near) < 10:
        near = np.array([a, b])
    vx, vy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([-vy, vx, vy * x - vx * y], dtype=np.float64)


def _clockwise(corners: Points) -> Points:
    """Clockwise on screen, from the corner nearest the top left."""
    around = corners - corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
    return np.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0)
