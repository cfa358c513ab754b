"""Reading the share tiles in front of a player: drawn ones, and the sample photos."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import synthetic_table
from sample_tables import SAMPLES as FOLDER
from synthetic_shares import INK, Lying, photograph, profile

from calibration import (
    SHARE_TILES,
    Photo,
    Profile,
    RegistrationProblem,
    calibrate_shares,
    read_share_points,
)
from vision import NoShares, TableScan, scan_table
from vision.bench import bench_panels
from vision.bench.shares import bench_shares, counted, find_shares
from vision.samples import BenchProblem, Sample
from vision.shares.poses import _can_be
from vision.shares.reading import ShareReader, ShareTile, _chances, _Comparison, _Site

SAMPLES = [sample for sample in find_shares(FOLDER) if not sample.held_out]
LOOSE: list[Lying] = [
    ("brown", (-110, -60), 20),
    ("gray", (-40, -70), 100),
    ("white", (30, -55), 190),
    ("brown", (105, -60), 275),
    ("white", (-100, 35), 330),
    ("gray", (-30, 40), 45),
    ("white", (45, 45), 0),
]
TRUE = {"brown": 2, "gray": 2, "orange": 0, "white": 3}
FEW, FEW_TRUE = LOOSE[:2], {"brown": 1, "gray": 1, "orange": 0, "white": 0}


@pytest.fixture(scope="module")
def table() -> Profile:
    return profile()


def read(table: Profile, photo: Photo) -> TableScan:
    return scan_table([], table, shares={"blue": photo})


def counts(found: TableScan) -> dict[str, Any]:
    return {figure.path[2]: figure.best for figure in found.figures}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tilt", "light"), [(0, (1.0, 1.0, 1.0)), (35, (0.45, 0.75, 1.0)), (62, (1.0, 0.9, 0.8))]
)
def test_tiles_that_lie_any_way_round_are_counted(
    table: Profile, tilt: float, light: tuple[float, ...]
) -> None:
    found = read(table, photograph(LOOSE, tilt, light))
    assert counts(found) == TRUE
    assert found.state_part()["shares"] == {"blue": TRUE}


def compared(cost: float, unlike: float) -> _Comparison:
    """With a company's print, of which fifty blocks can be seen."""
    blocks = np.ones(50, bool)
    site = _Site(np.eye(3), np.zeros((50, 225, 3), np.float32), blocks)
    return _Comparison(site, blocks, cost, unlike, noise=0.06, shown=1.0)


def test_of_companies_that_agreement_leaves_open_the_least_unlike_is_taken() -> None:
    """Another phone takes the right print farther off than what agrees, and any other one still farther."""
    chances = _chances([compared(0.150, 0.50), compared(0.152, 0.30), compared(0.151, 0.60)])
    assert chances.argmax() == 1
    assert chances.max() > 0.99
    assert chances.sum() == pytest.approx(1)


def test_what_lies_on_a_tile_does_not_outweigh_what_agrees() -> None:
    """It is unlike the right print, and another one by chance much less."""
    assert _chances([compared(0.10, 0.50), compared(0.13, 0.20)])[0] > 0.99


@pytest.mark.slow
def test_in_a_row_the_count_is_right(table: Profile) -> None:
    row: list[Lying] = [("orange", (0.5 * k, -70 + 17.0 * k), 2.0 * k) for k in range(4)]
    found = read(table, photograph([*row, ("gray", (90, 0), 30)], 15))
    assert counts(found) == {"brown": 0, "gray": 1, "orange": 4, "white": 0}


@pytest.mark.slow
def test_every_count_is_asked_for_a_tile_may_be_hidden_or_overlooked(table: Profile) -> None:
    found = read(table, photograph(FEW))
    assert {figure.name for figure in found.doubtful} == {f"shares.blue.{company}" for company in TRUE}


@pytest.mark.slow
def test_a_tile_of_no_company_is_not_claimed(table: Profile) -> None:
    purple = photograph(
        [("brown", (-60, 0), 10), ("purple", (60, 0), 10)], 10, ink={"purple": (140, 30, 110)}
    )
    found = read(table, purple)
    sure = {figure.path[2]: figure.best for figure in found.figures if not figure.doubtful}
    assert counts(found)["brown"] == 1
    assert sum(int(count) for count in sure.values()) <= 1


@pytest.mark.slow
def test_two_players_are_read_from_two_photos(table: Profile) -> None:
    red, masinfira = photograph([("orange", (0, 0), 80)], 10), photograph([("white", (0, 0), 200)], 25)
    found = scan_table([], table, shares={"red": red, "masinfira": masinfira})
    nothing = dict.fromkeys(INK, 0)
    assert found.state_part()["shares"] == {
        "red": {**nothing, "orange": 1},
        "masinfira": {**nothing, "white": 1},
    }


@pytest.mark.slow
def test_while_shares_are_read_nobody_is_told_that_all_is_done(table: Profile) -> None:
    on_map = Photo(synthetic_table.photograph(synthetic_table.camera(30, 15), {}))
    told: list[tuple[str, float]] = []
    scan_table(
        [on_map],
        table.with_surface(synthetic_table.table().surfaces["map"]),
        progress=lambda step, share: told.append((step, share)),
        shares={"red": photograph([("orange", (0, 0), 80)], 10)},
    )
    shares = [share for _, share in told]
    begun = [step for step, _ in told].index("Looking at the share tiles")
    assert shares == sorted(shares)
    assert shares[begun] < 1
    assert told[-1] == ("Done", 1.0)


@pytest.mark.slow
def test_the_scan_as_json_names_the_paths(table: Profile) -> None:
    plain = json.loads(json.dumps(read(table, photograph(FEW)).to_json()))
    assert plain["registration"] is None
    assert plain["missing_surfaces"] == []
    assert plain["state"] == {"shares": {"blue": FEW_TRUE}}
    assert {entry["path"] for entry in plain["observation"]["figures"]} == {f"shares.blue.{c}" for c in TRUE}


@pytest.mark.slow
def test_the_profile_on_disk_reads_the_same(table: Profile, tmp_path: Path) -> None:
    table.save(tmp_path)
    assert counts(read(Profile.load(tmp_path), photograph(FEW, 20))) == FEW_TRUE


@pytest.mark.parametrize("gray", [120, 0])
def test_a_photo_without_share_tiles_is_refused(table: Profile, gray: int) -> None:
    with pytest.raises(NoShares, match="nearer"):
        read(table, Photo(np.full((900, 1200, 3), gray, np.uint8)))


def test_a_mottled_table_is_no_share_tile(table: Profile) -> None:
    with pytest.raises(NoShares):
        read(table, photograph([]))


def plane(left: float, scale: float = 4.0, lean: float = 0.0) -> np.ndarray:
    """A tile's mm → photo px: how far to the right it lies, how large, and how much farther off its right side is."""
    return np.array([[scale, 0, left], [0, scale, 100], [lean, 0, 1]])


@pytest.mark.slow
def test_a_tile_seen_twice_is_one_and_what_is_larger_than_the_others_is_none(
    table: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, companies = ShareReader(table.surfaces[SHARE_TILES]), {"brown": 1.0}
    first, again, large, beside = (
        ShareTile(at, 0.9, companies) for at in (plane(100), plane(102), plane(500, 8.0), plane(500))
    )
    rounds = iter([[first], [again, large, beside]])
    monkeypatch.setattr(reader, "_tiles", lambda *_: next(rounds, []))
    assert reader._in_level(photograph([("brown", (0, 0), 0)])) == [first, beside]


def test_no_tile_can_be_mirrored_bent_over_or_squeezed_to_a_line() -> None:
    rim = np.array([(0.0, 0.0), (30.0, 0.0), (30.0, 45.0), (0.0, 45.0)])
    assert _can_be(plane(100), rim)
    assert _can_be(plane(0, lean=0.02), rim)
    assert not _can_be(plane(0, lean=0.05), rim)
    assert not _can_be(plane(0, lean=-0.05), rim)
    assert not _can_be(np.diag([-1.0, 1.0, 1.0]) @ plane(100), rim)
    assert not _can_be(np.diag([1.0, 0.01, 1.0]) @ plane(100), rim)


def test_tiles_without_print_are_told_to_be_too_plain() -> None:
    corners = {
        c: [[20 + 90 * k, 20], [100 + 90 * k, 20], [100 + 90 * k, 140], [20 + 90 * k, 140]]
        for k, c in enumerate(INK)
    }
    points = read_share_points({"size_mm": [30, 45], "tiles": corners})
    surface = calibrate_shares(Photo(np.full((300, 500, 3), 180, np.uint8)), points, "usa")
    with pytest.raises(RegistrationProblem, match="too little print"):
        read(Profile("usa", {SHARE_TILES: surface}), photograph(LOOSE))


@pytest.mark.slow
def test_more_tiles_than_the_game_has_are_all_of_a_company(table: Profile) -> None:
    """R1.1: nine shares of each company; print without end is read to its end."""
    many: list[Lying] = [("gray", (36.0 * x - 180, 48.0 * y - 120), 0) for x in range(11) for y in range(6)]
    found = read(table, photograph(many))
    assert counts(found) == {"brown": 0, "gray": 9, "orange": 0, "white": 0}
    assert found.doubtful


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.photo.stem)
def test_of_the_samples_shares_most_are_found_and_every_mistake_is_asked(sample: Sample) -> None:
    found = counted(sample)
    assert [count.name for count in found if count.silent] == []
    assert sum(abs(count.read - count.true) for count in found) < 0.5 * sum(count.true for count in found)


def test_every_table_with_shares_has_its_tiles_and_points() -> None:
    samples = find_shares(FOLDER)
    assert len(samples) == 6
    assert sum(sample.held_out for sample in samples) == 2
    for sample in samples:
        assert (sample.table / "shares_tiles.jpg").exists()
        assert next(iter(sample.truth[SHARE_TILES].values())).keys() == INK.keys()


def test_the_bench_without_shares_says_so(tmp_path: Path) -> None:
    assert bench_shares(tmp_path) == {"share_photos": 0}


def test_a_truth_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "shares_loose.json").write_text("{")
    (tmp_path / "table" / "shares_loose.jpg").touch()
    for bench in (bench_shares, bench_panels):
        with pytest.raises(BenchProblem, match=r"shares_loose\.json cannot be read"):
            bench(tmp_path)


@pytest.mark.parametrize(("bench", "photo"), [(bench_shares, "shares_loose"), (bench_panels, "tracks_four")])
def test_points_that_cannot_be_read_are_refused(
    bench: Callable[[Path], object], photo: str, tmp_path: Path
) -> None:
    """Also where the truth does not say on which map it is, nor in which conditions."""
    (table := tmp_path / "study").mkdir()
    what = photo.partition("_")[0]
    shown = {SHARE_TILES: {"red": {}}} if what == "shares" else {"surfaces": [what]}
    (table / f"{photo}.json").write_text(json.dumps(shown))
    for name in (photo, f"{what}_tiles", f"{what}_empty"):
        shutil.copy(FOLDER / "study" / "tracks_empty.jpg", table / f"{name}.jpg")
    (table / f"{what}_points.json").write_text("{")
    with pytest.raises(BenchProblem, match=rf"{what}_points\.json cannot be read"):
        bench(tmp_path)
