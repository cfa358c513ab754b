"""The print of the share tiles: one of each company, cut out of a photo by the four corners somebody tapped.

The tiles lie anywhere in the photo, so each has a plane of its own. They are straightened and laid side by side,
and that strip is the reference of the surface "shares": a cell for each company, named "share/brown".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import cv2
import numpy as np

from engine.mini_express.errors import as_json
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Problem

from ..photo import Photo, Pixels
from ..pieces import share_tiles
from ..surface import Cell, Matrix, Surface, inverse, shifting, transform
from .corners import Px, lie_inside, plane_of_corners, read_points

SHARE_TILES = "shares"
GAP_MM = 6.0
TILE_MM_WITHIN = 10.0, 200.0
# Pixels of a tile's long side in the photo: fewer show too little of the print, and more than kept add nothing.
LEAST_SIDE, SIDE_KEPT = 80, 400


class ShareProblem(Problem):
    """Points of share tiles that do not fit together; says which and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "format": N_(
            'The points file of the share tiles needs "size_mm" (width, height) and "tiles" with four points for '
            "each company; {found} was found instead."
        ),
        "missing": N_(
            "The points file has no share tile of {companies}: lay one of each company into the photo."
        ),
        "size": N_(
            "{found} mm is not a sensible size of a share tile: measure its width and height in millimetres."
        ),
        "corners": N_(
            "The four corners of the share tile of {company} do not go round it: tap them clockwise, from the one that "
            "is top left in print."
        ),
        "outside": N_("A corner of the share tile of {company} lies outside the picture: check the points."),
        "too_small": N_("The share tile of {company} is too small in the photo: take it from nearer."),
    }


@dataclass(frozen=True)
class SharePoints:
    """The width and height of a share tile, mm, and the corners of one of each company, in pixels of the photo."""

    size: tuple[float, float]
    tiles: Mapping[str, tuple[Px, ...]]


def read_share_points(obj: object, scale: float = 1.0) -> SharePoints:
    """The points file's content, in pixels of an image made smaller by `scale`. Raises ShareProblem."""
    try:
        whole = dict(obj)  # type: ignore[call-overload]
        width, height = (float(v) for v in whole["size_mm"])
        listed = dict(whole["tiles"])
        tiles = {company: read_points(listed[company], scale) for company in COMPANIES if company in listed}
    except (TypeError, KeyError, ValueError, OverflowError, AttributeError):
        raise ShareProblem("format", found=as_json(obj)) from None
    low, high = TILE_MM_WITHIN
    if not all(low <= side <= high for side in (width, height)):
        raise ShareProblem("size", found=[width, height])
    if missing := [company for company in COMPANIES if company not in tiles]:
        raise ShareProblem("missing", companies=missing)
    return SharePoints((width, height), tiles)


def calibrate_shares(photo: Photo, points: SharePoints, board: str) -> Surface:
    """The surface "shares" of the game on `board` from a photo of a tile of each company. Raises ShareProblem."""
    planes = [_plane(company, points, photo) for company in COMPANIES]
    width, height = points.size
    lefts = [k * (width + GAP_MM) for k in range(len(COMPANIES))]
    long_side = max(_side(points.tiles[company]) for company in COMPANIES)
    scale = min(long_side, SIDE_KEPT) / max(points.size)
    to_px = np.array([[scale, 0, -0.5], [0, scale, -0.5], [0, 0, 1.0]])
    strip = _side_by_side(photo.pixels, planes, lefts, points.size, to_px)
    cells = tuple(
        Cell(f"share/{company}", ((x, 0.0), (x + width, 0.0), (x + width, height), (x, height)))
        for company, x in zip(COMPANIES, lefts, strict=True)
    )
    return Surface(SHARE_TILES, board, strip, to_px, cells, share_tiles(points.size))


def _plane(company: str, points: SharePoints, photo: Photo) -> Matrix:
    """The tile's mm → photo px."""
    corners = points.tiles[company]
    plane = plane_of_corners(corners, points.size)
    if plane is None:
        raise ShareProblem("corners", company=company)
    if not lie_inside(corners, photo):
        raise ShareProblem("outside", company=company)
    if _side(corners) < LEAST_SIDE:
        raise ShareProblem("too_small", company=company)
    return plane


def _side(corners: tuple[Px, ...]) -> float:
    """The longest side of a tile in the photo, px."""
    return float(np.linalg.norm(np.diff([*corners, corners[0]], axis=0), axis=1).max())


def _side_by_side(
    photo: Pixels, planes: list[Matrix], lefts: list[float], size: tuple[float, float], to_px: Matrix
) -> Pixels:
    """The tiles seen straight from above on gray, their left edges at `lefts` mm."""
    width, height = np.ceil(transform([(lefts[-1] + size[0], size[1])], to_px)[0]).astype(int)
    strip = np.full((height, width, 3), 128, np.uint8)
    for plane, left in zip(planes, lefts, strict=True):
        place = to_px @ shifting(left, 0)
        seen = cv2.warpPerspective(photo, place @ inverse(plane), (int(width), int(height)))
        a, b = np.rint(transform([(0, 0), (size[0], 0)], place)[:, 0]).astype(int)
        strip[:, max(a, 0) : b] = seen[:, max(a, 0) : b]
    return strip
