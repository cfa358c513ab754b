"""A board of another game, from the description in the documentation to what stands on it; and what is refused."""

import copy
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from command_line import SOLO, call, refused
from synthetic_table import Camera, camera, draw_box

from calibration import (
    Cell,
    DescriptionProblem,
    Kind,
    Photo,
    PhotoProblem,
    Profile,
    ProfileProblem,
    RegistrationProblem,
    calibrate_described,
    read_description,
    register,
)
from calibration.surface import transform
from masinfira.commands import cells
from masinfira.main import run
from vision import Reading, examine, read_cells

PAGE = (Path(__file__).parents[2] / "docs" / "other_boards.md").read_text("utf-8")
REEF: dict[str, Any] = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
COLOURS = {kind["name"]: [*bytes.fromhex(kind["colour"][1:])][::-1] for kind in REEF["kinds"]}
STANDING = {"bay/1": "coral", "bay/3": "teal", "bay/5": "amber", "harbour": "amber", "shore": "coral"}
PX_PER_MM, SIZE = 8, (2000, 1500)
BLANK = Photo(np.full((1500, 2000, 3), 225, np.uint8))


def printed() -> np.ndarray:
    """A sea of blobs and strokes with the outlines of the cells."""
    rng = np.random.default_rng(3)
    width, height = (side * PX_PER_MM for side in REEF["size_mm"])
    board = np.full((height, width, 3), (215, 222, 228), np.uint8)
    for _ in range(500):
        middle, ink = rng.integers(0, (width, height)).tolist(), rng.integers(110, 235, 3).tolist()
        axes = rng.integers(8, 50, 2).tolist()
        cv2.ellipse(board, middle, axes, float(rng.uniform(0, 180)), 0, 360, ink, 5, cv2.LINE_AA)
    for cell in read_description(REEF).cells:
        outline = np.rint(np.array(cell.outline) * PX_PER_MM).astype(np.int32)
        cv2.fillConvexPoly(board, outline, (225, 232, 236))
        cv2.polylines(board, [outline], True, (60, 50, 45), 6, cv2.LINE_AA)
    return board


def taken(board_to_photo: np.ndarray, view: Camera | None = None) -> np.ndarray:
    """The board in a photo; through a camera, with cubes on it."""
    shrink = np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1])
    picture = cv2.warpPerspective(printed(), board_to_photo @ shrink, SIZE, borderValue=(52, 70, 96))
    picture = picture.astype(np.float64)
    middles = {str(cell.id): cell.center for cell in read_description(REEF).cells}
    for n, (cell, kind) in enumerate(STANDING.items() if view else ()):
        base = cv2.boxPoints((middles[cell], (10.0, 10.0), 25.0 * n))
        draw_box(picture, view, base, np.array(COLOURS[kind], float), 10.0)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def empty() -> np.ndarray:
    width, height = REEF["size_mm"]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    return taken(cv2.getPerspectiveTransform(corners, np.float32(REEF["corners"])))


def game() -> np.ndarray:
    """From another side, over the middle of this board instead of the map's."""
    away = camera(25, 40, 340).position - camera(25, 40, 0).position
    view = replace(camera(25, 40, size=SIZE), position=np.append(np.array(REEF["size_mm"]) / 2, 0) + away)
    return taken(view.plane_to_photo, view)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the commands of the page are run."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "reef.json").write_text(json.dumps(REEF))
    for name, picture in (("empty", empty()), ("game", game())):
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)
    return folder


PLAIN = calibrate_described(BLANK, read_description(REEF), "reef")
UNFOUND = register(BLANK, PLAIN)


@pytest.mark.slow
def test_the_board_of_the_page_is_read_as_it_says(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table)
    calibrate, read = (line.split()[1:] for line in PAGE.splitlines() if line.startswith("masinfira "))
    assert run(calibrate) == 0
    assert "knows reef now: 7 cells, 3 kinds of pieces." in capsys.readouterr().out
    changed = cv2.absdiff(cv2.imread("reef_cells.jpg"), cv2.imread("empty.jpg")).max(axis=2) > 40
    outlines = [transform(cell.outline, PLAIN.plane_to_image) for cell in PLAIN.cells]
    x, y = np.rint(np.concatenate(outlines)).astype(int).T
    assert changed[y, x].mean() > 0.9 and changed.mean() < 0.05, "the outlines lie where the file says"
    seen = call(capsys, *read)
    assert {cell: kinds[0] for cell, kinds in seen["pieces"].items() if kinds} == STANDING
    assert seen["unseen"] == seen["strange"] == seen["bare"] == seen["alike"] == []
    nothing = call(capsys, "cells", "empty.jpg", "--profile", "mytable", "--surface", "reef")
    assert nothing["bare"] == [{"cell": "harbour", "kind": "amber"}], "of every photo but the empty one"
    assert {*seen["observation"]["shore"]} == {"coral", "amber"}, "teal can only be in the bay"
    assert run(read) == 0
    assert "In bay/1: coral." in capsys.readouterr().out
    names: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0], names)
    assert names["probability"].shape == (7, 3)
    assert {piece.cell: piece.kind for piece in names["board"].standing} == STANDING
    call(capsys, *SOLO, "--out", "game.txt")
    for command in ("scan", "scan --modules none", "scan --before game.txt", "learn --state setup"):
        name, *options = command.split()
        told = refused(capsys, name, "game.jpg", "--profile", "mytable", *options)
        assert "has no surface map (it has: reef): calibrate it first" in told


@pytest.mark.slow
def test_that_kinds_are_alike_and_that_there_is_too_much_light_is_told(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def hardly_to_be_read(*args: Any) -> Reading:
        return replace(examine(*args), alike=(0, 2), burnt=0.3)

    monkeypatch.setattr(cells, "examine", hardly_to_be_read)
    profile = table / "alike"
    Profile("reef", {"reef": calibrate_described(Photo(empty()), read_description(REEF), "reef")}).save(
        profile
    )
    read = ["cells", str(table / "game.jpg"), "--profile", str(profile), "--surface", "reef"]
    seen = call(capsys, *read)
    assert (seen["alike"], seen["overexposed"]) == (["coral", "amber"], True)
    assert run(read) == 0
    out = capsys.readouterr().out
    assert "all coral and all amber may have been taken for each other" in out
    assert "There is too much light in game.jpg" in out


@pytest.mark.slow
def test_a_photo_of_another_size_than_was_registered_is_refused(table: Path) -> None:
    reef = calibrate_described(Photo(empty()), read_description(REEF), "reef")
    photo = game()
    found = register(photo, reef)
    with pytest.raises(RegistrationProblem, match=r"2000 × 1000 pixels .* 2000 × 1500"):
        read_cells(photo[:1000], found, reef)
    for other in (photo[..., 0], photo.astype(float)):
        with pytest.raises(PhotoProblem, match="must be an array"):
            read_cells(other, found, reef)


CORNERS = REEF["corners"]


@pytest.mark.parametrize(
    ("way", "value", "said"),
    [
        (["sise_mm"], 3, "reef cannot have sise_mm: it is described by name, size_mm, corners, cells, kinds"),
        (["name"], "map", "cannot be the name of a surface"),
        (["name"], "my reef", "cannot be the name of a surface"),
        (["size_mm"], [240, -180], "not a sensible size for the board"),
        (["size_mm"], [240, float("nan")], "cannot be size_mm of the board"),
        (["corners"], [[1, 2], 3], "cannot be corners of the board"),
        (["corners"], CORNERS[:3], "do not go round the board"),
        (["corners"], CORNERS[::-1], "do not go round the board"),
        (["corners"], CORNERS[1:] + CORNERS[:1], "begin with the corner that is top left"),
        (["corners"], [*CORNERS[:2], [2500, 1246], CORNERS[3]], "lies outside the picture"),
        (["cells"], [], "1 to 300 cells, and 0 are"),
        (["cells"], REEF["cells"] * 50, "1 to 300 cells, and 350 are"),
        (["cells", 1, "id"], "bay/1", "bay/1 is described twice"),
        (["cells", 1, "id"], 7, "7 cannot be id of a cell"),
        (["cells", 1, "radius"], 7, "bay/2 cannot have radius: it is described by id, center_mm, radius_mm"),
        (["cells", 1, "radius_mm"], "18", "cannot be radius_mm of bay/2"),
        (["cells", 1, "radius_mm"], 2, "must go round 64 mm²"),
        (["cells", 1, "center_mm"], [95, 10], "bay/2 reaches beyond the board"),
        (["cells", 1, "center_mm"], [50, 45], "bay/1 and bay/2 overlap"),
        (["cells", 5, "outline_mm"], [[170, 80], [225, 120], [225, 80], [170, 120]], "without crossing"),
        (["cells", 5, "outline_mm"], [[170, 80], [225, 80], [180, 90], [170, 120]], "turning inwards"),
        (["kinds", 0, "colour"], "red", "cannot be colour of coral"),
        (["kinds", 0, "size_mm"], [10, 10, 0], "not a sensible size for coral"),
        (["kinds", 0, "home"], "nowhere", "cannot be the home of coral"),
        (["kinds", 0, "home"], "harbour", "cannot be the home of coral"),
        (["kinds", 1, "home"], "shore", "cannot be the home of teal"),
        (["kinds", 1, "on"], "ba", "ba is where teal may be"),
        (["kinds", 1, "name"], "coral", "coral is described twice"),
    ],
)
def test_a_description_that_cannot_be_is_refused(way: list[Any], value: Any, said: str) -> None:
    described = copy.deepcopy(REEF)
    inner: Any = described
    for key in way[:-1]:
        inner = inner[key]
    inner[way[-1]] = value
    with pytest.raises(DescriptionProblem, match=re.escape(said)):
        calibrate_described(BLANK, read_description(described), "reef")


def test_what_is_missing_is_named() -> None:
    described = copy.deepcopy(REEF)
    del described["kinds"][0]["colour"]
    with pytest.raises(DescriptionProblem, match="coral lacks colour"):
        read_description(described)


def test_files_that_are_no_description_are_refused(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, new = str(table / "empty.jpg"), str(tmp_path / "new")
    calibrate = ["calibrate", "surface", photo, "--profile", new, "--describe"]
    assert "a JSON file that describes the board" in refused(capsys, *calibrate, photo)
    (tmp_path / "list.json").write_text("[]")
    assert "The board is described by" in refused(capsys, *calibrate, str(tmp_path / "list.json"))
    assert not (tmp_path / "new").exists()


SQUARE = (0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (0.0, 30.0)
FAR = (2400.0, 2400.0), (2500.0, 2400.0), (2400.0, 2500.0)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "my reef"}, "its name"),
        ({"reference": BLANK.pixels[..., 0]}, "its reference"),
        ({"cells": ()}, "it has no cells"),
        ({"cells": (Cell(7, SQUARE),)}, "the id of each cell"),
        ({"cells": (Cell((1, 2, 3), SQUARE),)}, "the id of each cell"),
        ({"cells": (Cell("a", SQUARE), Cell("a", SQUARE))}, "the id of each cell"),
        ({"cells": (Cell("a", SQUARE[:2]),)}, "the outline of the cell a"),
        ({"cells": (Cell("a", SQUARE), Cell("b", FAR))}, "its cells lie over more than 4 m²"),
        ({"kinds": ()}, "it has no kinds"),
        ({"kinds": (Kind("k", (0, 0, 0), (9, 9, 9)),)}, "the colour of k"),
        ({"kinds": (Kind("k", (30, 60, 200), (9, 9, 9)),)}, "the colour of k"),
        ({"kinds": (Kind("k", (0.1, 0.1, 0.1), (9, 9, 0)),)}, "the size of k"),
        ({"kinds": (Kind("k", (0.1, 0.1, 0.1), (9, 9, 9), 99),)}, "the home of k"),
        ({"plane_to_reference": np.diag([-1.0, 1, 1])}, "its plane"),
    ],
)
def test_a_surface_that_makes_no_sense_is_refused_wherever_it_is_used(
    changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    wrong: Any = replace(PLAIN, **changes)
    for use in (
        lambda: register(BLANK, wrong),
        lambda: read_cells(BLANK, UNFOUND, wrong),
        lambda: Profile("reef", {"reef": wrong}).save(tmp_path / "new"),
    ):
        with pytest.raises(ProfileProblem, match=f"cannot be used: {said}"):
            use()
    assert not (tmp_path / "new" / "profile.json").exists()


def test_the_cells_lie_where_the_corners_say() -> None:
    assert transform([(0, 0), (240, 180)], PLAIN.plane_to_reference) == pytest.approx(
        np.array([REEF["corners"][0], REEF["corners"][2]]), abs=1e-3
    )
