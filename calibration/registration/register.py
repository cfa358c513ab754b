"""Finding the surface in a later photo by its printed picture alone.

Features give a first homography (`by_features`); small windows of the print, tracked in the straightened photo, make it
exact (`tracking`); where the print repeats itself, it tells which of the places that look alike is right (`repeats`);
where the board does not lie flat, how it is lifted (`relief`); and it decides whether to believe that (`agreement`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any, ClassVar

import cv2
import numpy as np

from engine.sentences import N_, Phrase, Problem

from ..photo import SHORT_SIDE_AT_LEAST, Photo, Pixels, of_pixels
from ..profile import check_sound
from ..projection import NO_LENS, Lens
from ..surface import Matrix, Points, Surface, inverse, scaling, transform
from .agreement import agreement, plausible
from .by_features import AGREEMENT_WHEN_UNSURE, LEAST_INLIERS, SURE_INLIERS, found_by_features
from .relief import Relief, flattened, relief_of
from .repeats import PLENTY, right_place
from .tracking import Tracked, tracked

# How much of the print must agree where many features do.
AGREEMENT_WHEN_SURE = 0.06
# A cell that is smaller than this, px, cannot be read.
LEAST_CELL_PX = 8.0
# Of two boards that lie on a table the outlines, with their margins, overlap less than this share of either.
SAME_PLACE = 0.3


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
        "same_place": N_(
            "The place pointed at for {surface} shows another board, {other}: take a photo of the right one, or if "
            "{other} was calibrated with this one by mistake, calibrate that anew first."
        ),
        "other_photo": N_(
            "This photo has {found} pixels and the one in which the board was found {expected}: read the same photo."
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
    (3×3 float64), `inliers` counts the feature matches behind it, `residual_px` is the median distance, in px of
    `Photo.pixels`, of the corners of print that were tracked from where it puts them (infinite where too few were),
    `agreement` the share of visible print windows that look as in the reference. One such px stands for `scale` px of
    the photo's file; `size` is the photo's width and height, px. A board that does not lie flat has a `relief`, and the
    straight photo is as if it did. Where the surface was not found `ok` is false, `homography` None, and `problem` says
    what to do.
    """

    homography: Matrix | None
    inliers: int
    residual_px: float
    agreement: float = 0.0
    problem: RegistrationProblem | None = None
    scale: float = 1.0
    lens: Lens = NO_LENS
    size: tuple[int, int] | None = None
    relief: Relief | None = None

    @property
    def ok(self) -> bool:
        """Whether the surface was found."""
        return self.problem is None

    def plane_to_photo(self, surface: Surface) -> Matrix:
        """The homography from plane mm to px of the straight photo. Raises RegistrationProblem where there is none."""
        if self.problem:
            raise self.problem
        assert self.homography is not None
        return self.homography @ surface.plane_to_reference

    @property
    def residual_in_file(self) -> float:
        """The residual in pixels of the photo's file, as a person knows it."""
        return self.residual_px * self.scale

    def straight(self, photo: Photo) -> Photo:
        """The photo as a pinhole would have taken it, of the same size: what homographies hold for."""
        focal = photo.focal and photo.focal * self.lens.shrink
        pixels = photo.pixels
        straight = flattened(pixels, self.lens, self.relief) if self.relief else self.lens.picture(pixels)
        return replace(photo, pixels=straight, focal=focal)

    def in_photo(self, points: Sequence[tuple[float, float]] | Points, surface: Surface) -> Points:
        """Where plane points, (n, 2) mm, are in the photo as it was taken, (n, 2) px."""
        flat = transform(points, self.plane_to_photo(surface))
        return self.lens.bend(self.relief.bend(flat) if self.relief else flat)

    def to_json(self) -> dict[str, Any]:
        """As plain data, everything in pixels of the files; homography and residual are None where there is none."""
        whole = None if self.homography is None else scaling(self.scale) @ self.homography
        residual = self.residual_in_file
        return {
            "ok": self.ok,
            "inliers": self.inliers,
            "residual_px": round(residual, 3) if isfinite(residual) else None,
            "agreement": round(self.agreement, 3),
            "k1": round(self.lens.k1, 4),
            "uneven_mm": round(self.relief.most, 1) if self.relief else 0.0,
            "homography": None if whole is None else (whole / whole[2, 2]).tolist(),
        }


def register(photo: Pixels | Photo, surface: Surface) -> Registration:
    """Find `surface` in `photo`, (H, W, 3) uint8 BGR; `Registration.problem` says why it was not found.

    Raises PhotoProblem where the array is no photo, ProfileProblem where the surface is unsound.
    """
    taken = photo if isinstance(photo, Photo) else of_pixels(photo)
    check_sound(surface)
    return replace(_register(taken, surface), scale=taken.scale, size=taken.size)


def check_print(surface: Surface) -> None:
    """Raises RegistrationProblem where the reference photo shows too little print to be found by, in any photo."""
    if _is_plain(surface):
        raise RegistrationProblem("plain")


def check_apart(surface: Surface, known: Iterable[Surface]) -> None:
    """Raises RegistrationProblem where the reference photo shows another `known` board in the place of `surface`."""
    for other in (each for each in known if each.name != surface.name):
        found = register(surface.reference, other)
        if found.ok and _share_covered(surface, found.in_photo(other.rim, other)) > SAME_PLACE:
            raise RegistrationProblem("same_place", surface=surface.name, other=other.name)


def _share_covered(surface: Surface, outline: Points) -> float:
    """The share of a surface, as its reference photo shows it, that lies within a convex outline, (4, 2) px."""
    own = transform(surface.rim, surface.plane_to_image).astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(own, outline.astype(np.float32))
    return shared / cv2.contourArea(own)


def _is_plain(surface: Surface) -> bool:
    return len(surface.views[0].points) < LEAST_INLIERS


def _register(taken: Photo, surface: Surface) -> Registration:
    if _is_plain(surface):
        return _refused("plain", taken.name)
    if min(taken.pixels.shape[:2]) < SHORT_SIDE_AT_LEAST:
        return _refused("too_small", taken.name)
    found, inliers = found_by_features(taken, surface)
    if found is None or not plausible(found, surface, taken.pixels.shape[:2]):
        return _refused("not_found", taken.name, inliers)
    where = tracked(taken.pixels, surface, found)
    straight, first = where.view.lens.picture(taken.pixels), where.view.homography
    if inliers < PLENTY and (right := right_place(straight, surface, first)) is not first:
        where = tracked(taken.pixels, surface, right)
        straight = where.view.lens.picture(taken.pixels)
    plane_to_photo = where.view.homography
    agrees = agreement(straight, surface, plane_to_photo)
    homography = _from_reference(plane_to_photo, surface)
    flat = Registration(homography, inliers, where.residual, agrees, lens=where.view.lens)
    seen = _as_it_lies(flat, taken.pixels, surface, where)
    key = _doubt(inliers, seen.agreement, _cell_side(plane_to_photo, surface))
    return _refused(key, taken.name, inliers, seen.agreement) if key else seen


def _as_it_lies(flat: Registration, photo: Pixels, surface: Surface, where: Tracked) -> Registration:
    """The same or, where the print shows better so, as a board that does not lie flat."""
    if (uneven := relief_of(photo, surface, where)) is None:
        return flat
    relief, residual = uneven
    agrees = agreement(flattened(photo, flat.lens, relief), surface, relief.plane_to_photo)
    if agrees < flat.agreement:
        return flat
    homography = _from_reference(relief.plane_to_photo, surface)
    return replace(flat, homography=homography, residual_px=residual, agreement=agrees, relief=relief)


def _from_reference(plane_to_photo: Matrix, surface: Surface) -> Matrix:
    """The homography from the reference to the photo."""
    homography = plane_to_photo @ inverse(surface.plane_to_reference)
    return np.asarray(homography / homography[2, 2], np.float64)


def _doubt(inliers: int, agrees: float, cell_side: float) -> str:
    """What speaks against a homography, as a key of `RegistrationProblem`; "" if nothing does."""
    sure = inliers >= SURE_INLIERS
    if agrees < (AGREEMENT_WHEN_SURE if sure else AGREEMENT_WHEN_UNSURE):
        return "unsure" if sure else "not_found"
    return "too_small" if cell_side < LEAST_CELL_PX else ""


def _refused(key: str, name: Phrase | str, inliers: int = 0, agrees: float = 0.0) -> Registration:
    return Registration(None, inliers, inf, agrees, RegistrationProblem(key, photo=name))


def _cell_side(plane_to_photo: Matrix, surface: Surface) -> float:
    """The square root of the median cell's area in photo px."""
    areas = [
        abs(cv2.contourArea(transform(c.outline, plane_to_photo).astype(np.float32))) for c in surface.cells
    ]
    return float(np.sqrt(np.median(areas)))
