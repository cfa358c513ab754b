"""Practice photos that are painted, not rendered: they show what is told of them, and are read like photos."""

import random
from pathlib import Path
from typing import Any

import cv2
import layout
import numpy as np
import phone
import pytest
from boards import Board, center, load
from camera import Camera, look
from layout import Spot
from painted import Scene, tone
from synthetic_table import BOARD, CORNERS, HEXES, PRINT, PRINT_TO_PX, PX_PER_MM

from calibration import Photo, Tap, calibrate_map, register
from vision import read_cells

TABLE: dict[str, Any] = {
    "top": ["planks", ["#8a5a33", "#6b4426"], 0.6],
    "wood": {"brown": "#5c3c26", "gray": "#83878b", "orange": "#dd7a26", "white": "#efe9dc"},
    "train": [(-10, 0), (10, 0), (10, 8), (4, 8), (3, 12), (0, 12), (-1, 8), (-10, 8)],
    "tile": "square",
    "print_gloss": 0.5,
    "gloss": 0.9,
    "grain": 0.05,
}
WINDOW = {"lamps": [[700, 400, 1200, 5200, 30, 600], [-500, 100, 1300, 5000, 12, 400]], "room": [5600, 0.3]}
PHONE = {"balance": 0.9, "exposure": 0.0, "iso": 0.5, "sharpen": 0.3, "softness": 0.4}
LEFT, TOP = -PRINT_TO_PX[:2, 2] / PX_PER_MM
BOUNDS = (LEFT, TOP, LEFT + PRINT.shape[1] / PX_PER_MM, TOP + PRINT.shape[0] / PX_PER_MM)
GAME = {
    "track": {
        "brown": [(7, -5), (6, -4), (5, -3), (4, -2), (2, -2)],
        "gray": [(7, -3), (6, -3), (6, -2), (2, 0), (1, 1)],
        "orange": [(6, -6), (6, -5), (5, -4), (3, -4), (2, -3)],
        "white": [(5, 0), (4, 0), (3, 0), (3, 1), (-3, 0)],
    },
    "demand": {str(number): ("gray", "orange") for number in BOARD.numbered},
    "bot": None,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the scene finds its print."""
    assert cv2.imwrite(str(tmp_path / "print.png"), PRINT)
    return tmp_path


@pytest.fixture(scope="module")
def board() -> Board:
    return load("usa")


def scene(folder: Path, spots: list[Spot]) -> Scene:
    painted = Scene(BOUNDS, TABLE, folder, 1)
    painted.put(spots)
    painted.lamps(WINDOW)
    return painted


def camera(tilt: float = 20, rotation: float = 10, size: tuple[int, int] = (800, 600)) -> Camera:
    return look(BOUNDS, size, tilt, rotation, 0.95)


def developed(painted: Scene, view: Camera) -> np.ndarray:
    """(h, w, 3) uint8 BGR."""
    picture = phone.develop(painted.shoot(view, 1), phone.kelvin(5200), PHONE, 1)
    return np.asarray(picture)[..., ::-1].copy()


def test_a_train_shows_its_wood_where_it_stands(folder: Path) -> None:
    """Level with its roof, in the light of each lamp and of the room."""
    at = center((2, 0))
    parts = scene(folder, [Spot("train", ("orange",), at, 0.3, layout.TRAIN)]).shoot_by_lamp(camera(), 1)
    x, y = np.rint(camera().project(np.array([[at[0] - 4, -at[1], 8.0]]))[0]).astype(int)
    assert len(parts) == len(WINDOW["lamps"]) + 1
    for part, light in zip(parts, [phone.kelvin(t) for t in (5200, 5000, 5600)], strict=True):
        shown = part[y, x] / light
        assert shown / shown.sum() == pytest.approx(tone("#dd7a26") / tone("#dd7a26").sum(), abs=0.06)


def test_what_a_hand_hides_is_told_and_not_shown(folder: Path) -> None:
    bare, covered = (scene(folder, []) for _ in range(2))
    covered.cover("hand", *center((2, 0)), 0.4)
    under, beside = [center((2, 0))], [center((-8, 0))]
    assert (covered.hidden_share(camera(), under), covered.hidden_share(camera(), beside)) == (1, 0)
    assert bare.hidden_share(camera(), under) == 0
    difference = np.abs(developed(covered, camera()).astype(int) - developed(bare, camera()))
    (x, y), (far_x, far_y) = (np.rint(camera().on_board(points[0])).astype(int) for points in (under, beside))
    assert difference[y, x].max() > 20 > difference[far_y - 3 : far_y + 3, far_x - 3 : far_x + 3].mean()


def test_half_of_a_card_that_trains_stand_on_still_shows(board: Board) -> None:
    """And without leave nothing stands on a card."""
    for on_cards in (False, True):
        spots = layout.spread(board, GAME, "", 0.0, random.Random(3), on_cards=on_cards)
        cards = [spot for spot in spots if spot.kind == "tile"]
        trains = [spot for spot in spots if spot.kind == "train"]
        on_them = [train for train in trains if any(layout.touching(train, card) for card in cards)]
        assert bool(on_them) == on_cards
        assert all(train.level == layout.CARD_MM for train in on_them)
        assert all(layout.shows(card, spots) for card in cards)


@pytest.mark.slow
def test_trains_that_stand_beside_each_other_and_on_cards_are_read(folder: Path, board: Board) -> None:
    spots = layout.spread(board, GAME, "", 0.0, random.Random(5), on_cards=True)
    above, from_here = camera(3, 0, size=(1200, 900)), camera(size=(1200, 900))
    taps = [Tap(at, above.on_board(center(at))) for at in CORNERS]
    surface, _ = calibrate_map(Photo(developed(scene(folder, []), above)), taps, BOARD)
    photo = developed(scene(folder, spots), from_here)
    probability = read_cells(photo, register(photo, surface), surface)
    told = [[at in GAME["track"][kind.name] for kind in surface.kinds] for at in HEXES]
    assert ((probability > 0.5) != told).sum() <= 2
