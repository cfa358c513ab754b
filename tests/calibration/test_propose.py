"""Proposals from the photo of an empty map: right where they are made, and none where nothing is clear."""

import json
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from bent import bend_points
from sample_tables import SAMPLES
from synthetic_table import BOARD, HEXES, camera, photograph, printed

from calibration import GridProblem, Photo, Proposal, Tap, calibrate_map, load_photo, propose, read_taps
from calibration.hexes import hex_center, hex_outline
from calibration.map.outline import board_outline
from calibration.projection import Lens
from calibration.surface import scaling, transform
from engine.hexgrid import Hex
from engine.mini_express import built_in

CAPACITIES = {p.at: p.capacity for p in BOARD.printed if p.kind == "city"}


def where_hexes_are(table: str, hexes: Sequence[Hex] = HEXES) -> np.ndarray:
    """The true middles of the hexes in a table's empty.jpg, from a photo with known truth."""
    truth = json.loads((SAMPLES / table / "setup.json").read_text())
    px = np.array([truth["hex_px"][f"{q},{r}"] for q, r in hexes])
    return transform(px, np.linalg.inv(np.array(truth["homography"])))


@pytest.fixture(scope="module", params=["study", "cellar", "loft", "kitchen"])
def sample(request: pytest.FixtureRequest) -> tuple[str, Photo, Proposal]:
    photo = load_photo(SAMPLES / request.param / "empty.jpg")
    return request.param, photo, propose(photo, BOARD)


@pytest.mark.slow
def test_the_grid_of_a_sample_is_found_without_taps(sample: tuple[str, Photo, Proposal]) -> None:
    table, photo, found = sample
    assert found.grid is not None
    seen = transform(found.grid([hex_center(at) for at in HEXES]), scaling(photo.scale))
    assert np.linalg.norm(seen - where_hexes_are(table), axis=1).max() < 1.5


@pytest.mark.slow
def test_cities_and_their_rims_are_proposed(sample: tuple[str, Photo, Proposal]) -> None:
    _, _, found = sample
    assert found.cities == CAPACITIES


@pytest.mark.slow
@pytest.mark.parametrize("table", ["garden", "salon"])
def test_cities_are_found_by_a_few_taps_where_no_line_tells_the_grid(table: str) -> None:
    """R1.3; on one of these maps no lines are printed, on the other double ones."""
    europe = built_in().boards["europe"]
    capacities = {p.at: p.capacity for p in europe.printed if p.kind == "city"}
    photo = load_photo(SAMPLES / table / "empty.jpg")
    taps = read_taps(json.loads((SAMPLES / table / "points.json").read_text()), photo.scale)
    proposal = propose(photo, europe, taps)
    found = proposal.cities
    assert found is not None
    assert proposal.left_out == ()
    assert found.items() <= capacities.items()
    assert len(found) >= 0.95 * len(capacities)


@pytest.mark.slow
@pytest.mark.parametrize("table", ["garden", "salon"])
def test_cities_tell_the_grid_where_there_are_no_lines_or_double_ones(table: str) -> None:
    """With taps off by 12 px of a 12-megapixel photo no hex is more than 1 mm off."""
    photo, europe = load_photo(SAMPLES / table / "empty.jpg"), built_in().boards["europe"]
    hexes = [printed.at for printed in europe.printed]
    true = transform(where_hexes_are(table, hexes), np.linalg.inv(scaling(photo.scale)))
    rng, off = np.random.default_rng(1), 12 / 4000 * max(photo.pixels.shape)
    taps = [
        Tap(at, tuple(true[hexes.index(at)] + rng.uniform(-off, off, 2))) for at in hexes[:: len(hexes) // 6]
    ]
    grid = calibrate_map(photo, taps, europe)[1]
    assert grid.found == "discs"
    seen = transform([hex_center(at) for at in hexes], grid.plane_to_image)
    neighbours = np.linalg.norm(seen[0] - seen, axis=1)[1:].min()  # 43.3 mm
    assert np.linalg.norm(seen - true, axis=1).max() < neighbours / 43.3


@pytest.mark.slow
def test_a_proposal_is_a_points_file_too(sample: tuple[str, Photo, Proposal]) -> None:
    _, photo, found = sample
    obj = found.to_json(photo.scale)
    assert [tuple(row["hex"]) for row in obj["image_points"]] == HEXES
    assert all(0 < x < 3000 and 0 < y < 2250 for x, y in (row["px"] for row in obj["image_points"]))
    assert len(obj["outline"]) == 4


def test_the_outline_is_the_board() -> None:
    view = camera(20, 10, distance=1300)
    picture, to_px = printed()
    corners = transform(
        [(-0.5, -0.5), (picture.shape[1] - 0.5, -0.5), (picture.shape[1] - 0.5, picture.shape[0] - 0.5),
         (-0.5, picture.shape[0] - 0.5)],
        view.plane_to_photo @ np.linalg.inv(to_px),
    )  # fmt: skip
    found = board_outline(photograph(view))
    assert found is not None
    assert max(np.linalg.norm(found - corner, axis=1).min() for corner in corners) < 12


def test_where_nothing_is_clear_nothing_is_proposed() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (600, 800, 3), dtype=np.uint8)
    for pixels in (np.full((600, 800, 3), 120, np.uint8), noise):
        found = propose(Photo(pixels), BOARD)
        assert (found.outline, found.grid, found.cities) == (None, None, None)
        assert found.to_json()["image_points"] is None


@pytest.mark.slow
def test_a_tap_that_the_grid_contradicts_leaves_no_grid() -> None:
    """Two taps on the corners of hexes: better nothing than a grid that a person has to disbelieve."""
    photo = load_photo(SAMPLES / "cellar" / "empty.jpg")
    hexes = (0, 0), (3, -1)
    plane, _ = cv2.findHomography(np.array([hex_center(at) for at in HEXES]), where_hexes_are("cellar"))
    px = transform([hex_outline(at)[0] for at in hexes], np.linalg.inv(scaling(photo.scale)) @ plane)
    taps = [Tap(at, (float(x), float(y))) for at, (x, y) in zip(hexes, px, strict=True)]
    assert propose(photo, BOARD, taps).grid is None


def test_taps_of_a_proposal_are_checked_one_by_one() -> None:
    photo = Photo(np.full((600, 800, 3), 120, np.uint8))
    for tap, key in ((Tap((40, 40), (5, 5)), "not_on_board"), (Tap((0, 0), (5, 5000)), "outside")):
        with pytest.raises(GridProblem) as problem:
            propose(photo, BOARD, [tap])
        assert problem.value.key == key


@pytest.mark.slow
def test_a_board_without_lines_gets_an_outline_but_no_grid() -> None:
    found = propose(Photo(photograph(camera(10, distance=1300), board=printed(lines=0)[0])), BOARD)
    assert found.outline is not None
    assert found.grid is None


@pytest.mark.parametrize("k1", [-0.14, -0.1])
def test_what_lies_far_outside_is_not_bent_back_into_the_picture(k1: float) -> None:
    lens = Lens(k1, (1600, 1200))
    ways = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    for far in (1500, 3000, 9000):
        points = lens.bend(np.array([799.5, 599.5]) + far * np.column_stack([np.cos(ways), np.sin(ways)]))
        assert not ((points > -0.5) & (points < [1599.5, 1199.5])).all(axis=1).any()


def test_a_lens_bends_and_straightens() -> None:
    lens = Lens(-0.1, (1600, 1200))
    points = np.random.default_rng(0).uniform((0, 0), (1600, 1200), (50, 2))
    assert np.abs(lens.bend(lens.straighten(points)) - points).max() < 1e-6
    pinhole = (lens.straighten(points) - (799.5, 599.5)) / lens.shrink + (799.5, 599.5)
    assert np.abs(bend_points(pinhole, -0.1, lens.size) - points).max() < 1e-6
