"""Following the board from frame to frame: where it lies in each, and what it looks like from above.

Cheap work only, a few milliseconds a frame: print corners of one frame in which the board was found are
tracked in every later one (pyramidal Lucas-Kanade: Bouguet, Intel 2000), always from that frame, so that
errors do not add up. While the camera stands still nothing is estimated anew, so the view from above stands
still too.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.photo import Pixels
from calibration.registration.agreement import plausible
from calibration.surface import Frame, Matrix, Points, Surface, inverse, scaling, transform

from ..cells.light import Log, to_log
from ..cells.shapes import disc

SMALL_SIDE = 640
CORNERS, CORNER_GAP_PX = 120, 8
# So many corners, and such a share of all, must agree on where the board is; hands cover the others.
LEAST_CORNERS, LEAST_SHARE = 12, 0.25
# Corners that on the whole moved less than this, px of the small frame, are where they were.
STEADY_PX, STRAY_PX = 0.5, 2.0
LOOK_SCALE = 0.5
PIECE_MM, HAND_MM = 16.0, 72.0
# What is darker than this share of full scale looks all the same: noise in shadows must not pass for change.
DARK = 0.03
_LIGHT = np.log(np.exp(to_log(np.arange(256, dtype=np.uint8))) + DARK).astype(np.float32)
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Small:
    """A frame made at most `SMALL_SIDE` px long; one of its px is `1 / shrink` px of the frame."""

    pixels: Pixels
    shrink: float

    @staticmethod
    def of(frame: Pixels) -> "Small":
        """Of a frame, (height, width, 3) uint8 BGR."""
        shrink = min(1.0, SMALL_SIDE / max(frame.shape[:2]))
        pixels = cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        return Small(pixels.astype(np.uint8), shrink)

    @cached_property
    def gray(self) -> NDArray[np.uint8]:
        """(height, width) uint8."""
        return cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY).astype(np.uint8)


class Follower:
    """Knows where the board was in one frame and finds it in the next ones."""

    def __init__(self, surface: Surface, start: Small, plane_to_frame: Matrix) -> None:
        self.surface, self.start = surface, start
        self.start_place = self.place = scaling(start.shrink) @ plane_to_frame
        self.corners = self.latest = self._corners()

    def _corners(self) -> NDArray[np.float32]:
        """Corners of whatever lies where the board is, (n, 1, 2) px of the small frame."""
        where = np.zeros(self.start.gray.shape, np.uint8)
        hull = cv2.convexHull(transform(self.surface.corners, self.start_place).astype(np.float32))
        cv2.fillConvexPoly(where, np.rint(hull).astype(np.int32), 1)
        found = cv2.goodFeaturesToTrack(self.start.gray, CORNERS, 0.01, CORNER_GAP_PX, mask=where)
        return np.zeros((0, 1, 2), np.float32) if found is None else found.astype(np.float32)

    def follow(self, small: Small) -> Matrix | None:
        """Plane mm → px of this small frame, or None where the board is covered or gone."""
        if len(self.corners) < LEAST_CORNERS:
            return None
        there, found = self._tracked(small)
        old, now = self.corners[found].reshape(-1, 2), there[found].reshape(-1, 2)
        steady = np.linalg.norm(now - self.latest[found].reshape(-1, 2), axis=1) < STEADY_PX
        if steady.sum() >= self._needed:
            return self.place
        moved = self._moved(old.astype(np.float64), now.astype(np.float64))
        if moved is not None:
            self.place = moved
            self.latest = cv2.perspectiveTransform(self.corners, moved @ inverse(self.start_place)).astype(
                np.float32
            )
        return moved

    def _tracked(self, small: Small) -> tuple[NDArray[np.float32], Mask]:
        """Where the corners are in this small frame, (n, 1, 2) px, and which of them were found, (n,) bool."""
        there, good, _ = cv2.calcOpticalFlowPyrLK(
            self.start.gray,
            small.gray,
            self.corners,
            self.latest.copy(),
            winSize=(15, 15),
            maxLevel=3,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        return np.asarray(there, np.float32), np.asarray(good.ravel() > 0)

    @property
    def _needed(self) -> float:
        return max(LEAST_CORNERS, LEAST_SHARE * len(self.corners))

    def _moved(self, old: Points, now: Points) -> Matrix | None:
        """Where the board is after the camera or the board was moved."""
        if len(old) < self._needed:
            return None
        found, mask = cv2.findHomography(old, now, cv2.USAC_MAGSAC, STRAY_PX)
        if found is None or mask.sum() < self._needed:
            return None
        place = np.asarray(found, np.float64) @ self.start_place
        return place if plausible(place, self.surface, self.start.gray.shape) else None


@dataclass(frozen=True, eq=False)
class Look:
    """The board from above at `LOOK_SCALE`: `light` in logs as in `light.py`, `seen` what lies inside the picture.

    `place` is where the board lay in the frame; the same object as long as neither board nor camera has moved.
    """

    light: Log
    seen: Mask
    place: Matrix

    def off(self, other: "Look") -> NDArray[np.float32]:
        """(height, width) float32: how far each place differs from another look, in logs of light.

        A gain of the whole picture is the camera's own exposure or white balance and does not count.
        """
        apart = self.light - other.light
        both = self.seen & other.seen
        sample = apart[::4, ::4][both[::4, ::4]]
        if not len(sample):
            return np.zeros(both.shape, np.float32)
        apart = cv2.blur(apart - np.median(sample, axis=0), (3, 3))
        blue, green, red = cv2.split(np.abs(apart))
        return np.where(both, cv2.max(cv2.max(blue, green), red), 0).astype(np.float32)


class Above:
    """Looks straight down on one surface, and says what two looks tell apart."""

    def __init__(self, surface: Surface) -> None:
        self.frame: Frame = surface.frame(LOOK_SCALE)
        self.centers = np.rint(transform(surface.centers, self.frame.to_px)).astype(int)
        self._place: Matrix | None = None
        self._seen: Mask = np.zeros(self.frame.size[::-1], bool)

    def look(self, small: Small, place: Matrix) -> Look:
        """What a small frame shows of the board; `place` is plane mm → its px."""
        if place is not self._place:
            self._place, self._seen = place, self.frame.inside(small.pixels.shape, place) > 250
        return Look(_LIGHT[self.frame.warp(small.pixels, place)], self._seen, place)

    def changes(self, off: NDArray[np.float32], least: float, area: float) -> Mask:
        """(height, width) bool: where at least `area` mm² within a piece's reach differ by `least`."""
        side = round(PIECE_MM * LOOK_SCALE)
        reached = cv2.blur((off > least).astype(np.float32), (side, side)) * PIECE_MM**2
        return np.asarray(reached >= area)

    def hand(self, off: NDArray[np.float32], least: float) -> bool:
        """Whether something differs that is too big for a piece: a hand, an arm, a mug."""
        solid = cv2.morphologyEx((off > least).astype(np.uint8), cv2.MORPH_CLOSE, disc(8))
        return bool(cv2.erode(solid, disc(HAND_MM * LOOK_SCALE)).any())

    def cells_near(self, changes: Mask, within: float) -> Mask:
        """(cells,) bool: which cells have a change within so many mm of their centre."""
        near = cv2.dilate(changes.astype(np.uint8), disc(2 * within * LOOK_SCALE)) > 0
        height, width = near.shape
        x, y = np.clip(self.centers, 0, (width - 1, height - 1)).T
        return np.asarray(near[y, x])

    def around(self, cells: Mask, within: float) -> Mask:
        """(height, width) bool: what is within so many mm of the centres of these cells."""
        where = np.zeros(self.frame.size[::-1], np.uint8)
        for x, y in self.centers[cells]:
            cv2.circle(where, (int(x), int(y)), round(within * LOOK_SCALE), 1, -1)
        return where > 0
