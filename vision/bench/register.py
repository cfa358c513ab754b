"""How surely the board is found: also covered in good part, also with a fold, and never where another board lies.

Every map photo of the samples is registered to its own table, as it is, with patches over it, on a checked cloth and
with a fold that stands up, and to the tables with another map, where it must be refused. (The same map in other art may
be found: it is the same board.)
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import Photo, Registration, Surface, load_photo, register
from calibration.photo import Pixels
from calibration.projection import straightened
from calibration.surface import Matrix, Points, inverse, scaling, transform
from engine.sentences import Progress, silent

from ..cells.pose import camera_position, raised
from ..samples import Sample, calibrated, find_samples
from .counting import one_by_one, share

COVERED = 0.4
"""The share of the board that patches hide."""
PATCH_SIDE = 0.3
"""How large a patch is, at most, as a share of the photo's long side."""
FARTHER, CHECKS_MM = 0.6, (8.0, 40.0)
"""On the cloth the board is made smaller by this factor; how wide its checks are."""
FOLD_MM = 5.0
"""How high the middle of a folded board stands above the table, whose left and right edge lie on it."""
SETTLED = 8
"""What a photo shows of a folded board is found by so many steps."""
RIGHT_MM = 3.0
"""A registration is right where no hex lies further off than this, an eighth of its side."""
STEEP = 50

Centers = dict[int, tuple[float, float]]
"""The middles of cells, by the indices of these, px."""


@dataclass(frozen=True)
class Search:
    """One photo of a board looked for on its own table: `off_mm` of the worst hex, None where it was refused."""

    steep: bool
    off_mm: float | None
    covered_off_mm: float | None
    on_cloth_off_mm: float | None
    folded_off_mm: float | None


def bench_register(samples: Path, progress: Progress = silent) -> dict[str, Any]:
    """Shares of `photos` in which the board was found right, `registered_covered` with `COVERED` of it hidden,
    `registered_on_cloth` where what lies around it is checked, `registered_folded` with a fold; and how many of
    `strangers`, photos in which another map was looked for, were taken for it (`accepted_strangers`).

    Raises BenchProblem where there are no samples.
    """
    found = [sample for sample in find_samples(samples) if {"hex_px", "conditions"} <= set(sample.truth)]
    tables = {sample.table: sample.board for sample in found}
    surfaces = {table: calibrated(table, board).surface("map") for table, board in tables.items()}
    searches, strangers, accepted = [], 0, 0
    for nth, sample in enumerate(one_by_one(found, progress)):
        photo = load_photo(sample.photo)
        searches.append(_searched(sample, photo, surfaces[sample.table], nth))
        others = [surface for surface in surfaces.values() if surface.board != sample.board]
        strangers += len(others)
        accepted += sum(register(photo, surface).ok for surface in others)
    steep = [search for search in searches if search.steep]
    return {
        "photos": len(searches),
        **_figures(searches),
        "steep": {"photos": len(steep), **_figures(steep)},
        "strangers": strangers,
        "accepted_strangers": accepted,
    }


def _searched(sample: Sample, photo: Photo, surface: Surface, seed: int) -> Search:
    centers = _centers(sample, photo, surface)
    steep = sample.truth["conditions"].get("tilt", 0) >= STEEP
    patched = _patched(photo.pixels, np.array(list(centers.values())), seed)
    smaller, move = _on_cloth(photo.pixels, surface, centers, seed)
    moved = _at(centers, transform(list(centers.values()), move))
    folded, lifted = _folded(photo, surface, centers)
    return Search(
        steep,
        _off_mm(register(photo, surface), surface, centers),
        _off_mm(register(patched, surface), surface, centers),
        _off_mm(register(smaller, surface), surface, moved),
        _off_mm(register(folded, surface), surface, lifted),
    )


def _centers(sample: Sample, photo: Photo, surface: Surface) -> Centers:
    """Where the middle of each cell, by its index, truly lies in the photo, px; those inside it only."""
    width, height = photo.size
    told = {tuple(map(int, key.split(","))): at for key, at in sample.truth["hex_px"].items()}
    to_photo = inverse(scaling(photo.scale))
    places = (
        (i, transform([told[cell.id]], to_photo)[0])
        for i, cell in enumerate(surface.cells)
        if cell.id in told
    )
    return {i: (float(x), float(y)) for i, (x, y) in places if 0 <= x < width and 0 <= y < height}


def _at(cells: Iterable[int], px: Points) -> Centers:
    """The same cells, whose middles are at these points, (n, 2) px."""
    return {cell: (float(x), float(y)) for cell, (x, y) in zip(cells, px, strict=True)}


def _off_mm(found: Registration, surface: Surface, centers: Centers) -> float | None:
    """How far off the worst hex lies on the board, mm."""
    if not found.ok:
        return None
    told = found.in_photo(surface.centers[list(centers)], surface)
    to_board = inverse(found.plane_to_photo(surface))
    truly, seen = (
        transform(found.lens.straighten(px), to_board) for px in (np.array(list(centers.values())), told)
    )
    return float(np.linalg.norm(truly - seen, axis=1).max(initial=0.0))


def _patched(pixels: Pixels, centers: Points, seed: int) -> Pixels:
    """The photo with patches of one colour each on it, until `COVERED` of the hexes, `centers` (n, 2) px, is hidden."""
    rng, picture = np.random.default_rng(seed), pixels.copy()
    hidden = np.zeros(pixels.shape[:2], np.uint8)
    at = centers.astype(int)
    while hidden[at[:, 1], at[:, 0]].mean() < COVERED:
        middle = at[rng.integers(len(at))]
        corners = middle + rng.uniform(-0.5, 0.5, (6, 2)) * PATCH_SIDE * max(hidden.shape)
        outline = cv2.convexHull(np.rint(corners).astype(np.int32))
        cv2.fillConvexPoly(picture, outline, rng.integers(20, 236, 3).tolist())
        cv2.fillConvexPoly(hidden, outline, 1)
    return picture


def _on_cloth(pixels: Pixels, surface: Surface, centers: Centers, seed: int) -> tuple[Pixels, Matrix]:
    """The board cut out and made smaller, on a checked cloth that lies as it does; and where its pixels went."""
    height, width = pixels.shape[:2]
    aside = (1 - FARTHER) / 2
    move = np.array([[FARTHER, 0, width * aside], [0, FARTHER, height * aside], [0, 0, 1]])
    to_photo = _truly(surface, centers)
    board = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(board, np.rint(transform(surface.rim, to_photo)).astype(np.int32), 1)
    there = cv2.warpPerspective(board, move, (width, height))[..., None] > 0
    smaller = cv2.warpPerspective(pixels, move, (width, height))
    return np.where(there, smaller, _cloth(pixels.shape, inverse(move @ to_photo), seed)), move


def _truly(surface: Surface, centers: Centers) -> Matrix:
    """Plane → photo by where the middles of cells truly are."""
    found, _ = cv2.findHomography(surface.centers[list(centers)], np.array(list(centers.values())))
    return np.asarray(found, np.float64)


def _folded(photo: Photo, surface: Surface, centers: Centers) -> tuple[Photo, Centers]:
    """The photo as if the board had a fold across its middle, and where the middles of the cells are then."""
    width, height = photo.size
    to_photo = _truly(surface, centers)
    camera = camera_position(to_photo, (width, height), photo.focal)
    (left, top), (right, bottom) = surface.rim[0], surface.rim[2]

    def lifted(plane: Points) -> Points:
        """Where points of the board, (n, 2) mm, seem to lie; an edge that is not on the table is torn off there."""
        x, y = plane.T
        rise = FOLD_MM * (1 - np.abs(2 * (x - left) / (right - left) - 1))
        rise[(x < left) | (x > right) | (y < top) | (y > bottom)] = 0.0
        return raised(plane, rise[:, None], camera)

    def shown(px: Points) -> Points:
        """Which points of the photo as it was are seen at these, (n, 2) px."""
        seen = plane = transform(px, inverse(to_photo))
        for _ in range(SETTLED):
            plane = plane + seen - lifted(plane)
        return transform(plane, to_photo)

    there = transform(lifted(surface.centers[list(centers)]), to_photo)
    picture = straightened(photo.pixels, shown)
    return replace(photo, pixels=picture), _at(centers, there)


def _cloth(shape: tuple[int, ...], to_plane: Matrix, seed: int) -> Pixels:
    """What a photo shows of an endless cloth with checks of two colours that lies in the plane."""
    rng = np.random.default_rng(seed)
    turn, wide = rng.uniform(0, np.pi), rng.uniform(*CHECKS_MM)
    across = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) / wide
    places = np.stack(np.meshgrid(np.arange(shape[1]), np.arange(shape[0])), axis=-1).reshape(-1, 2)
    checks = np.floor(transform(places.astype(np.float64), to_plane) @ across).astype(int).sum(axis=1) % 2
    dark, light = rng.integers(20, 120, 3), rng.integers(140, 236, 3)
    cloth: Pixels = np.array([dark, light], np.uint8)[checks].reshape(shape)
    return cloth


def _figures(searches: Iterable[Search]) -> dict[str, Any]:
    rows = list(searches)
    return {
        "registered": share(_right(row.off_mm) for row in rows),
        "registered_covered": share(_right(row.covered_off_mm) for row in rows),
        "registered_on_cloth": share(_right(row.on_cloth_off_mm) for row in rows),
        "registered_folded": share(_right(row.folded_off_mm) for row in rows),
        "worst_mm": _worst(row.off_mm for row in rows),
        "worst_folded_mm": _worst(row.folded_off_mm for row in rows),
    }


def _worst(off_mm: Iterable[float | None]) -> float:
    return max((mm for mm in off_mm if mm is not None), default=0.0)


def _right(off_mm: float | None) -> bool:
    return off_mm is not None and off_mm <= RIGHT_MM
