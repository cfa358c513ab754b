"""Finding the surface in a later photo by its printed picture alone.

Features give a first homography; small windows of the print, tracked in the straightened photo, make it
exact; and the print itself decides whether to believe it. The thresholds on inliers come from experiments
on real photos of a printed train board: photos without the board gave at most 8, photos with it as few as
12, and from 25 on all were right.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.sentences import N_, Phrase, Problem

from .features import View, match
from .photo import Photo, Pixels
from .projection import NO_LENS, Lens, Projection, bent_if_better, fit_projection
from .surface import Frame, Matrix, Points, Surface, inverse, normalised, scaling, transform

SURE_INLIERS = 25
LEAST_INLIERS = 9
PLENTY = 80
# The second, for hard photos, is as large as memory allows: features of 1440 px take 250 MB for a moment.
FEATURE_SIDES = (800, 1440)
# So many of the homographies that unclear matches tell of are compared with the print.
JUDGED = 3
# A window of print agrees when its correlation with the reference is at least this; a random warp gives
# correlations around zero.
AGREES = 0.4
AGREEMENT_WHEN_SURE = 0.06
AGREEMENT_WHEN_UNSURE = 0.25
CHECK_SCALE = 1.0
WINDOW_MM = 25
Found = tuple[Matrix | None, int]
"""Plane mm → photo px, or None, and how many matches agree on it."""
Matches = tuple[Points, Points]
"""(n, 2) plane mm and (n, 2) photo px of features that look alike, the clearest first."""
# A tracked corner farther off than this, photo px, has lost its way or is covered.
STRAY_PX = 3.0


class RegistrationProblem(Problem):
    """Why a photo could not be registered, and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "not_found": N_(
            "The board was not found in {photo}: is it the one that was calibrated? Then take the photo so that most "
            "of it is in sight and sharp."
        ),
        "unsure": N_(
            "The board was not found with certainty in {photo}: take it again, more from above and sharp."
        ),
        "too_small": N_("The board is too small in {photo}: go nearer."),
        "plain": N_(
            "The reference photo shows too little print to find the board by: calibrate with a sharper photo."
        ),
    }


@dataclass(frozen=True, eq=False)
class Registration:
    """Where the surface lies in a photo.

    `homography` maps reference px to px of the photo straightened by `lens`, which mostly is the photo itself
    (3×3 float64), `inliers` counts the feature matches behind it, `residual_px` is their median distance in
    photo px after the fit, `agreement` the share of visible print windows that look as in the reference.
    Where `ok` is false nothing else may be trusted and `problem` says what to do. One photo px stands for
    `scale` px of the photo's file.
    """

    homography: Matrix
    inliers: int
    residual_px: float
    agreement: float = 0.0
    problem: RegistrationProblem | None = None
    scale: float = 1.0
    lens: Lens = NO_LENS

    @property
    def ok(self) -> bool:
        return self.problem is None

    def plane_to_photo(self, surface: Surface) -> Matrix:
        """The homography from plane mm to px of the straight photo."""
        return self.homography @ surface.plane

    def straight(self, photo: Photo) -> Photo:
        """The photo as a pinhole would have taken it, of the same size: what homographies hold for."""
        focal = photo.focal and photo.focal * self.lens.shrink
        return replace(photo, pixels=self.lens.picture(photo.pixels), focal=focal)

    def in_photo(self, points: Sequence[tuple[float, float]] | Points, surface: Surface) -> Points:
        """Where plane points, (n, 2) mm, are in the photo as it was taken, (n, 2) px."""
        return self.lens.bend(transform(points, self.plane_to_photo(surface)))

    def to_json(self) -> dict[str, Any]:
        """As plain data, everything in pixels of the files; the homography is None where it was not found."""
        whole = scaling(self.scale) @ self.homography
        return {
            "ok": self.ok,
            "inliers": self.inliers,
            "residual_px": round(self.residual_px * self.scale, 3) if isfinite(self.residual_px) else None,
            "agreement": round(self.agreement, 3),
            "k1": round(self.lens.k1, 4),
            "homography": (whole / whole[2, 2]).tolist() if self.ok else None,
        }


def register(photo: Pixels | Photo, surface: Surface) -> Registration:
    """Find `surface` in `photo`, (H, W, 3) uint8 BGR. Never raises; see `Registration.problem`."""
    taken = photo if isinstance(photo, Photo) else Photo(photo)
    return replace(_register(taken, surface), scale=taken.scale)


def painted_over(photo: Photo, surface: Surface, registration: Registration) -> Photo:
    """The photo without a surface found in it: of what else it shows, a search then finds more features.

    No plausible view of the cells has the horizon within the small margin around them.
    """
    outline = np.rint(registration.in_photo(surface.rim, surface)).astype(np.int32)
    pixels = photo.pixels.copy()
    cv2.fillConvexPoly(pixels, outline, (128, 128, 128))
    return replace(photo, pixels=pixels)


def check_print(surface: Surface) -> None:
    """Raises RegistrationProblem where the reference photo shows too little print to be found by, in any photo."""
    if _is_plain(surface):
        raise RegistrationProblem("plain")


def _is_plain(surface: Surface) -> bool:
    return len(surface.views[0].points) < LEAST_INLIERS


def _register(taken: Photo, surface: Surface) -> Registration:
    photo, name = taken.pixels, taken.name
    if _is_plain(surface):
        return _refused("plain", name)
    found, inliers = _by_features(taken, surface)
    if found is None:
        return _refused("not_found", name, inliers)
    if not plausible(found, surface, photo.shape[:2]):
        return _refused("not_found", name, inliers)
    view, residual = _tracked(photo, surface, found)
    plane_to_photo = view.homography
    agreement = _agreement(view.lens.picture(photo), surface, plane_to_photo)
    needed = AGREEMENT_WHEN_SURE if inliers >= SURE_INLIERS else AGREEMENT_WHEN_UNSURE
    homography = plane_to_photo @ inverse(surface.plane)
    homography /= homography[2, 2]
    problem = None
    if agreement < needed:
        problem = RegistrationProblem("unsure" if inliers >= SURE_INLIERS else "not_found", photo=name)
    elif _cell_side(plane_to_photo, surface) < 8:
        problem = RegistrationProblem("too_small", photo=name)
    return Registration(homography, inliers, residual, agreement, problem, lens=view.lens)


def _refused(key: str, name: Phrase | str, inliers: int = 0) -> Registration:
    return Registration(np.eye(3), inliers, float("inf"), 0.0, RegistrationProblem(key, photo=name))


def _by_features(photo: Photo, surface: Surface) -> Found:
    """Plane mm → photo px from feature matches, and how many agree; the small copy of the photo first.

    Where few matches are clear, all are asked, and the print tells which of the homographies found is right.
    """
    likeliest: Found = (None, 0)
    for side in FEATURE_SIDES:
        shrink = min(1.0, side / max(photo.pixels.shape[:2]))
        clear, matches = _by_clear_matches(photo.features(shrink), surface.views)
        if clear[1] >= SURE_INLIERS:
            return _at_full_size(clear, shrink)
        found = [_at_full_size(each, shrink) for each in (clear, *_by_all_matches(matches))]
        shown = [_plausible_agreement(photo.pixels, surface, homography) for homography, _ in found]
        likeliest = max(likeliest, found[0], key=lambda each: each[1])
        if max(shown) >= AGREEMENT_WHEN_UNSURE:
            return found[int(np.argmax(shown))]
        if shrink == 1.0:
            break
    return likeliest


def _plausible_agreement(photo: Pixels, surface: Surface, plane_to_photo: Matrix | None) -> float:
    """How far the photo shows the print there; 0 where no camera can see the surface like this."""
    if plane_to_photo is None or not plausible(plane_to_photo, surface, photo.shape[:2]):
        return 0.0
    return _agreement(photo, surface, plane_to_photo)


def _at_full_size(found: Found, shrink: float) -> Found:
    return (None if found[0] is None else scaling(1 / shrink) @ found[0]), found[1]


def _by_clear_matches(seen: View, views: tuple[View, ...]) -> tuple[Found, list[Matches]]:
    """The homography with most inliers among the views, that from above being tried first; all matches with them."""
    best: Found = (None, 0)
    matches: list[Matches] = []
    for view in views:
        pairs, clear = match(seen, view)
        plane, image = view.points[pairs[:, 1]], seen.points[pairs[:, 0]]
        matches.append((plane, image))
        best = max(best, _agreed(plane[:clear], image[:clear], cv2.USAC_MAGSAC), key=lambda found: found[1])
        if best[1] >= PLENTY:
            break
    return best, matches


def _by_all_matches(matches: list[Matches]) -> list[Found]:
    """The homographies with most inliers when matches that are not clear count too (PROSAC: the clear ones first;
    Chum and Matas, CVPR 2005)."""
    found = [_agreed(plane, image, cv2.USAC_PROSAC) for plane, image in matches]
    return sorted(found, key=lambda each: -each[1])[:JUDGED]


def _agreed(plane: Points, image: Points, method: int) -> Found:
    """The homography on which most matches agree, and how many."""
    if len(plane) < LEAST_INLIERS:
        return None, 0
    found, mask = cv2.findHomography(plane, image, method, 3.0, maxIters=3000, confidence=0.999)
    inliers = 0 if found is None else int(mask.sum())
    return (np.asarray(found, np.float64), inliers) if inliers >= LEAST_INLIERS else (None, 0)


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


def _cell_side(plane_to_photo: Matrix, surface: Surface) -> float:
    """The square root of the median cell's area in photo px."""
    areas = [
        abs(cv2.contourArea(transform(c.outline, plane_to_photo).astype(np.float32))) for c in surface.cells
    ]
    return float(np.sqrt(np.median(areas)))


def _tracked(photo: Pixels, surface: Surface, start: Matrix) -> tuple[Projection, float]:
    """Refine plane → photo by tracking corners of the print; also the median residual in photo px."""
    current, residual = Projection(start, Lens(0.0, (photo.shape[1], photo.shape[0]))), float("inf")
    for scale in (0.8, 1.5):
        frame = surface.frame(scale)
        straight = current.lens.picture(photo)
        plane, offset = _print_offsets(straight, surface, frame, current.homography)
        if len(plane) < 2 * LEAST_INLIERS:
            continue
        seen = transform(transform(plane, frame.to_px) + offset, current.homography @ inverse(frame.to_px))
        image = current.lens.bend(seen)
        better = _fitted(plane, image, current)
        if better and plausible(better.homography, surface, photo.shape[:2]):
            off = np.linalg.norm(better(plane) - image, axis=1)
            residual, current = float(np.median(off[off < STRAY_PX])), better
    return current, residual


def _fitted(plane: Points, image: Points, current: Projection) -> Projection | None:
    """The projection of tracked points, with a bent lens only where that fits clearly better."""
    found, mask = cv2.findHomography(plane, image, cv2.USAC_MAGSAC, 1.5, maxIters=2000, confidence=0.999)
    if found is None or mask.sum() < LEAST_INLIERS:
        return None
    flat = Projection(np.asarray(found, np.float64), Lens(0.0, current.lens.size))
    return bent_if_better(flat, fit_projection(current, plane, image), plane, image)


def _print_offsets(photo: Pixels, surface: Surface, frame: Frame, current: Matrix) -> tuple[Points, Points]:
    """Corners of the print (plane mm) and how far each is off in the straightened photo (frame px)."""
    reference, corners = surface.straight_print(frame.scale)
    seen = normalised(frame.warp(photo, current))
    if not len(corners):
        return np.zeros((0, 2)), np.zeros((0, 2))
    track = {"winSize": (21, 21), "maxLevel": 2}
    there, good, _ = cv2.calcOpticalFlowPyrLK(reference, seen, corners, None, **track)  # type: ignore
    back, good_back, _ = cv2.calcOpticalFlowPyrLK(seen, reference, there, None, **track)  # type: ignore
    returns = np.linalg.norm((back - corners).reshape(-1, 2), axis=1) < 0.5
    keep = (good.ravel() > 0) & (good_back.ravel() > 0) & returns
    start = corners.reshape(-1, 2).astype(np.float64)[keep]
    offset = there.reshape(-1, 2).astype(np.float64)[keep] - start
    return transform(start, inverse(frame.to_px)), offset


def _agreement(photo: Pixels, surface: Surface, plane_to_photo: Matrix) -> float:
    """The share of windows of print, of those inside the photo, that correlate with the reference."""
    frame = surface.frame(CHECK_SCALE)
    a = surface.straight_print(CHECK_SCALE)[0].astype(np.float32) - 128
    b = normalised(frame.warp(photo, plane_to_photo)).astype(np.float32) - 128
    seen = frame.inside(photo.shape, plane_to_photo).astype(np.float32)
    n = round(WINDOW_MM * CHECK_SCALE)

    def window(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return cv2.blur(values, (n, n))[n // 2 :: n, n // 2 :: n]  # type: ignore

    correlation = window(a * b) / np.sqrt(window(a * a) * window(b * b) + 1)
    inside = (window(seen) > 250) & (window(a * a) > 100)
    return float(np.mean(correlation[inside] > AGREES)) if inside.sum() >= 6 else 0.0
