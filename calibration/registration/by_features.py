"""Where a surface lies in a photo by the features of its print: a first homography, good to a few pixels."""

from typing import NamedTuple

import cv2
import numpy as np

from ..features import Features, match
from ..photo import Photo, Pixels
from ..surface import Matrix, Points, Surface, scaling
from .agreement import agreement, plausible

# Photos without the board gave at most 8 inliers, photos with it as few as 12, and from 25 on all were right (real
# photos of a printed train board).
LEAST_INLIERS, SURE_INLIERS = 9, 25
# The second, for hard photos, is as large as memory allows: features of 1440 px take 250 MB for a moment.
FEATURE_SIDES = (800, 1440)
# So many of the homographies that unclear matches tell of are compared with the print.
JUDGED = 3
# How much of the print must agree where there are few inliers.
AGREEMENT_WHEN_UNSURE = 0.25
Matches = tuple[Points, Points]
"""(n, 2) plane mm and (n, 2) photo px of features that look alike, the clearest first."""


class Found(NamedTuple):
    """A homography plane mm → photo px, or None, and how many matches agree on it."""

    plane_to_photo: Matrix | None
    inliers: int


NOTHING = Found(None, 0)


def found_by_features(photo: Photo, surface: Surface) -> Found:
    """Plane mm → photo px from feature matches, and how many agree; the small copy of the photo first.

    Where few matches are clear, all are asked, and the print tells which of the homographies found is right.
    """
    likeliest = NOTHING
    for side in FEATURE_SIDES:
        shrink = min(1.0, side / max(photo.pixels.shape[:2]))
        clear, matches = _by_clear_matches(photo.features(shrink), surface.views)
        if clear.inliers >= SURE_INLIERS:
            return _at_full_size(clear, shrink)
        found = [_at_full_size(each, shrink) for each in (clear, *_by_all_matches(matches))]
        shown = [_plausible_agreement(photo.pixels, surface, each.plane_to_photo) for each in found]
        likeliest = max(likeliest, found[0], key=lambda each: each.inliers)
        if max(shown) >= AGREEMENT_WHEN_UNSURE:
            return found[int(np.argmax(shown))]
        if shrink == 1.0:
            break
    return likeliest


def _plausible_agreement(photo: Pixels, surface: Surface, plane_to_photo: Matrix | None) -> float:
    """How far the photo shows the print there; 0 where no camera can see the surface like this."""
    if plane_to_photo is None or not plausible(plane_to_photo, surface, photo.shape[:2]):
        return 0.0
    return agreement(photo, surface, plane_to_photo)


def _at_full_size(found: Found, shrink: float) -> Found:
    small = found.plane_to_photo
    return found if small is None else Found(scaling(1 / shrink) @ small, found.inliers)


def _by_clear_matches(seen: Features, views: tuple[Features, ...]) -> tuple[Found, list[Matches]]:
    """The homography with most inliers among the views, until one has enough; all matches with those that were tried.

    That from above is tried first. Which view it was makes no difference once the print has been tracked.
    """
    best = NOTHING
    matches: list[Matches] = []
    for view in views:
        pairs, clear = match(seen, view)
        plane, image = view.points[pairs[:, 1]], seen.points[pairs[:, 0]]
        matches.append((plane, image))
        best = max(
            best, _agreed(plane[:clear], image[:clear], cv2.USAC_MAGSAC), key=lambda found: found.inliers
        )
        if best.inliers >= SURE_INLIERS:
            break
    return best, matches


def _by_all_matches(matches: list[Matches]) -> list[Found]:
    """The homographies with most inliers when matches that are not clear count too (PROSAC: the clear ones first;
    Chum and Matas, CVPR 2005)."""
    found = [_agreed(plane, image, cv2.USAC_PROSAC) for plane, image in matches]
    return sorted(found, key=lambda each: -each.inliers)[:JUDGED]


def _agreed(plane: Points, image: Points, method: int) -> Found:
    """The homography on which most matches agree, and how many."""
    if len(plane) < LEAST_INLIERS:
        return NOTHING
    found, mask = cv2.findHomography(plane, image, method, 3.0, maxIters=3000, confidence=0.999)
    inliers = 0 if found is None else int(mask.sum())
    return Found(np.asarray(found, np.float64), inliers) if inliers >= LEAST_INLIERS else NOTHING
