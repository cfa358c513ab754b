"""A homography made exact: small windows of the print are tracked in the straightened photo."""

from typing import NamedTuple

import cv2
import numpy as np

from ..photo import Pixels
from ..projection import Lens, Projection, bent_if_better, fit_projection
from ..surface import Frame, Matrix, Points, Surface, inverse, normalised, transform
from .agreement import plausible

# Pixels per mm at which windows are tracked, one after the other.
SCALES = (0.8, 1.5)
# A window is tracked, px, at a quarter of the size first (two pyramid levels), so that it is found farther off, too.
TRACK = {"winSize": (21, 21), "maxLevel": 2}
# Tracked back it must come so near to where it began, frame px.
RETURNS_PX = 0.5
# So many must come back to where they began, and so many of them tell of one homography, this near, photo px.
LEAST_TRACKED, LEAST_AGREEING, AGREE_PX = 18, 9, 1.5
# A tracked corner farther off than this, photo px, has lost its way or is covered.
STRAY_PX = 3.0


class Tracked(NamedTuple):
    """The projection plane mm → photo px; by how much the corners of print that agree are off, the median, photo px.

    `plane` (n, 2) mm and `image` (n, 2) photo px are all that were tracked at the coarser scale, which reaches farther.
    """

    view: Projection
    residual: float
    plane: Points
    image: Points


def tracked(photo: Pixels, surface: Surface, start: Matrix) -> Tracked:
    """Refine plane → photo by tracking corners of the print."""
    current = Projection(start, Lens(0.0, (photo.shape[1], photo.shape[0])))
    residual, followed = float("inf"), list[tuple[Points, Points]]()
    for scale in SCALES:
        frame = surface.frame(scale)
        straight = current.lens.picture(photo)
        plane, offset = print_offsets(straight, surface, frame, current.homography)
        seen = transform(transform(plane, frame.to_px) + offset, current.homography @ inverse(frame.to_px))
        image = current.lens.bend(seen)
        followed.append((plane, image))
        if len(plane) < LEAST_TRACKED:
            continue
        better = _fitted(plane, image, current)
        if better and plausible(better.homography, surface, photo.shape[:2]):
            off = np.linalg.norm(better(plane) - image, axis=1)
            residual, current = float(np.median(off[off < STRAY_PX])), better
    return Tracked(current, residual, *followed[0])


def _fitted(plane: Points, image: Points, current: Projection) -> Projection | None:
    """The projection of tracked points, with a bent lens only where that fits clearly better."""
    found, mask = cv2.findHomography(plane, image, cv2.USAC_MAGSAC, AGREE_PX, maxIters=2000, confidence=0.999)
    if found is None or mask.sum() < LEAST_AGREEING:
        return None
    flat = Projection(np.asarray(found, np.float64), Lens(0.0, current.lens.size))
    return bent_if_better(flat, fit_projection(current, plane, image), plane, image)


def print_offsets(photo: Pixels, surface: Surface, frame: Frame, current: Matrix) -> tuple[Points, Points]:
    """Corners of the print (plane mm) and how far each is off in the straightened photo (frame px)."""
    reference, corners = surface.straight_print(frame.scale)
    seen = normalised(frame.warp(photo, current))
    if not len(corners):
        return np.zeros((0, 2)), np.zeros((0, 2))
    there, good, _ = cv2.calcOpticalFlowPyrLK(reference, seen, corners, None, **TRACK)  # type: ignore
    back, good_back, _ = cv2.calcOpticalFlowPyrLK(seen, reference, there, None, **TRACK)  # type: ignore
    returns = np.linalg.norm((back - corners).reshape(-1, 2), axis=1) < RETURNS_PX
    keep = (good.ravel() > 0) & (good_back.ravel() > 0) & returns
    start = corners.reshape(-1, 2).astype(np.float64)[keep]
    offset = there.reshape(-1, 2).astype(np.float64)[keep] - start
    return transform(start, inverse(frame.to_px)), offset
