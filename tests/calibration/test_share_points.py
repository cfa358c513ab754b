"""Share tiles from four corners each: what is cut out of the photo, and what is refused in which words."""

import copy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import (
    SHARE_TILES,
    Photo,
    Profile,
    ShareProblem,
    Surface,
    calibrate_shares,
    read_share_points,
)
from engine.catalogue import texts

COLOURS = {"brown": (30, 50, 90), "gray": (130, 130, 130), "orange": (30, 120, 230), "white": (240, 240, 240)}
# Four tiles of 30 × 45 mm, photographed from straight above at 4 px/mm; that of gray lies on its side.
TILES: dict[str, list[list[float]]] = {
    "brown": [[40, 40], [160, 40], [160, 220], [40, 220]],
    "gray": [[400, 40], [400, 160], [220, 160], [220, 40]],
    "orange": [[440, 40], [560, 40], [560, 220], [440, 220]],
    "white": [[600, 40], [720, 40], [720, 220], [600, 220]],
}
POINTS: dict[str, Any] = {"size_mm": [30, 45], "tiles": TILES}


def photo() -> Photo:
    """Each tile in its company's colour, its upper left corner dark."""
    picture = np.full((300, 800, 3), 90, np.uint8)
    for company, corners in TILES.items():
        first, second, _, fourth = np.array(corners)
        cv2.fillConvexPoly(picture, np.array(corners, np.int32), COLOURS[company])
        mark = np.array([first, first + (second - first) / 3, first + (fourth - first) / 3])
        cv2.fillConvexPoly(picture, np.rint(mark).astype(np.int32), (0, 0, 0))
    return Photo(picture)


def points(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(POINTS), **changes}


def tiles(**changes: Any) -> dict[str, Any]:
    return points(tiles={**copy.deepcopy(TILES), **changes})


def surface(obj: object = POINTS) -> Surface:
    return calibrate_shares(photo(), read_share_points(obj), "usa")


def pixel(made: Surface, company: str, x: float, y: float) -> tuple[int, ...]:
    """The colour of a company's tile, x and y mm from its upper left corner."""
    left, top = made.cells[made.index[f"share/{company}"]].outline[0]
    px = made.plane_to_image @ [left + x, top + y, 1]
    column, row = np.rint(px[:2] / px[2]).astype(int)
    return tuple(int(v) for v in made.reference[row, column])


@pytest.mark.parametrize("company", COLOURS)
def test_every_tile_is_cut_out_upright_whichever_way_it_lay(company: str) -> None:
    made = surface()
    assert pixel(made, company, 15, 30) == COLOURS[company]
    assert pixel(made, company, 2, 3) == (0, 0, 0)
    assert pixel(made, company, 27, 3) == COLOURS[company]


def test_points_are_in_pixels_of_the_file() -> None:
    half = cv2.resize(photo().pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    made = calibrate_shares(Photo(half.astype(np.uint8), scale=2.0), read_share_points(POINTS, 2.0), "usa")
    assert pixel(made, "orange", 15, 30) == COLOURS["orange"]
    assert pixel(made, "orange", 2, 3) == (0, 0, 0)


def test_of_a_photo_from_very_near_no_more_is_kept_than_helps() -> None:
    near = cv2.resize(photo().pixels, None, fx=4, fy=4)
    corners = {company: (np.array(px) * 4).tolist() for company, px in TILES.items()}
    made = calibrate_shares(Photo(near.astype(np.uint8)), read_share_points(points(tiles=corners)), "usa")
    assert made.reference.shape[0] == 400
    assert pixel(made, "white", 15, 30) == COLOURS["white"]


def test_the_profile_on_disk_has_the_same_tiles(tmp_path: Path) -> None:
    made = surface()
    Profile("usa", {SHARE_TILES: made}).save(tmp_path)
    again = Profile.load(tmp_path).surface(SHARE_TILES)
    assert (again.cells, again.kinds) == (made.cells, made.kinds)
    assert np.abs(again.reference.astype(int) - made.reference).mean() < 2


@pytest.mark.parametrize(
    ("obj", "key"),
    [
        (points(size_mm=[30]), "format"),
        (points(size_mm=[30, 0]), "size"),
        (points(size_mm=[float("nan"), 45]), "size"),
        (points(size_mm=[1e300, 45]), "size"),
        (points(tiles=[1, 2]), "format"),
        (points(tiles={}), "missing"),
        (points(tiles={k: v for k, v in TILES.items() if k != "white"}), "missing"),
        (tiles(gray=[[0, "x"]] * 4), "format"),
        (tiles(gray=[[0, float("inf")]] * 4), "format"),
        (tiles(gray=[[1, 2]] * 1000), "format"),
        (tiles(gray=TILES["gray"][:3]), "corners"),
        (tiles(gray=TILES["gray"][::-1]), "corners"),
        (tiles(gray=[TILES["gray"][k] for k in (0, 2, 1, 3)]), "corners"),
        (tiles(gray=[[9, 9]] * 4), "corners"),
        (tiles(gray=[[700, 40], [9000, 40], [9000, 220], [700, 220]]), "outside"),
        (tiles(gray=[[40, 40], [60, 40], [60, 70], [40, 70]]), "too_small"),
        (None, "format"),
        ([], "format"),
        ({}, "format"),
    ],
)
def test_points_that_cannot_be_are_refused_in_words(obj: object, key: str) -> None:
    with pytest.raises(ShareProblem) as refused:
        surface(obj)
    assert refused.value.key == key
    assert str(refused.value)


def test_the_companies_that_are_missing_are_named() -> None:
    with pytest.raises(ShareProblem) as refused:
        surface(points(tiles={k: TILES[k] for k in ("brown", "orange")}))
    assert "gray, white" in texts("en").told(refused.value)
