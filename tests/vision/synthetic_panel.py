"""A drawn board of tracks and reservoirs, nothing like the samples: a value track round a corner, rows, two yards."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from synthetic_table import WOOD, Camera, camera, draw_box, far

from calibration import Photo, Surface, calibrate_panel, read_panel_points
from calibration.surface import transform

SIZE = (360.0, 260.0)
PX_PER_MM = 3.0
VALUE = [(30.0, 30.0), (30.0, 220.0), (220.0, 220.0)]
ROWS = {"influence/brown": 60.0, "influence/gray": 100.0}
YARDS = {"reservoir/orange": (240.0, 130.0), "reservoir/white": (300.0, 130.0)}
YARD = (24.0, 100.0)
PAINT = {"red": (36, 30, 190), "blue": (170, 90, 30), "yellow": (30, 180, 225)}


@dataclass
class Pieces:
    """What stands on the board: value markers, players' markers, trains."""

    value: dict[str, int] = field(default_factory=dict)
    influence: dict[str, dict[str, int]] = field(default_factory=dict)
    reservoir: dict[str, int] = field(default_factory=dict)
    apart: float = 19.0
    """From train to train in a reservoir, mm."""


def print_() -> NDArray[np.uint8]:
    """A mottled board with strokes, round and square spaces."""
    rng = np.random.default_rng(5)
    width, height = (round(side * PX_PER_MM) for side in SIZE)
    coarse = rng.uniform(120, 205, (height // 70 + 1, width // 70 + 1, 3)) * np.array([0.8, 0.95, 1.0])
    picture = np.clip(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), 0, 255).astype(
        np.uint8
    )
    for _ in range(700):
        x, y = rng.uniform((0, 0), (width, height))
        ink = tuple(int(v) for v in rng.uniform(70, 200, 3))
        axes = (int(rng.uniform(3, 12)), int(rng.uniform(3, 12)))
        cv2.ellipse(picture, (int(x), int(y)), axes, rng.uniform(0, 180), 0, 360, ink, 2, cv2.LINE_AA)
    for x, y in [value_at(n) for n in range(16)]:
        cv2.circle(
            picture, (round(x * PX_PER_MM), round(y * PX_PER_MM)), 30, (190, 215, 220), -1, cv2.LINE_AA
        )
    return picture


def value_at(n: int) -> tuple[float, float]:
    """The middle of a space of the value track: 8 steps down, a corner, 7 to the right."""
    return (30.0, 30.0 + 190 * n / 8) if n <= 8 else (30.0 + 190 * (n - 8) / 7, 220.0)


def influence_at(track: str, n: int) -> tuple[float, float]:
    return 70.0 + 20.0 * n, ROWS[track]


PRINT = print_()


def _place(view: Camera) -> NDArray[np.float64]:
    """Board mm → the plane of the camera, which looks at the middle of the map."""
    x, y = camera(0.0).position[:2] - np.array(SIZE) / 2
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def board_to_photo(view: Camera) -> NDArray[np.float64]:
    return view.plane_to_photo @ _place(view)


def photograph(
    view: Camera, pieces: Pieces | None = None, light: tuple[float, ...] = (1, 1, 1)
) -> NDArray[np.uint8]:
    """The board with its pieces, as the camera sees it; `light` is a gain per channel."""
    rng = np.random.default_rng(2)
    to_photo = board_to_photo(view) @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1])
    table = (52, 70, 96)
    picture = cv2.warpPerspective(PRINT, to_photo, view.size, borderValue=table, flags=cv2.INTER_AREA)
    drawn = picture.astype(np.float64)
    move = _place(view)[:2, 2]
    boxes = sorted(_boxes(pieces or Pieces(), rng), key=lambda box: far(view, box[0] + move))
    for base, colour, height in reversed(boxes):
        draw_box(drawn, view, base + move, np.array(colour, float), height)
    lit = drawn * np.array(light) + rng.normal(0, 2.0, drawn.shape)
    return np.clip(cv2.GaussianBlur(lit, (0, 0), 0.7), 0, 255).astype(np.uint8)


Box = tuple[NDArray[np.float64], tuple[int, int, int], float]


def _boxes(pieces: Pieces, rng: np.random.Generator) -> list[Box]:
    boxes = [
        _box(value_at(n), (-4.5 + 9 * (k % 2), -4.5 + 9 * (k // 2)), (7, 7), WOOD[company], 7, rng)
        for k, (company, n) in enumerate(pieces.value.items())
    ]
    for k, (seat, row) in enumerate(pieces.influence.items()):
        for company, n in row.items():
            at = influence_at(f"influence/{company}", n)
            boxes.append(_box(at, (0, -9 + 9 * k), (7, 7), PAINT[seat], 5, rng))
    for company, count in pieces.reservoir.items():
        x, y = YARDS[f"reservoir/{company}"]
        for k in range(count):
            boxes.append(_box((x, y + pieces.apart * (k - 2)), (0, 0), (20, 8), WOOD[company], 12, rng, 4.0))
    return boxes


def _box(
    at: tuple[float, float],
    off: tuple[float, float],
    size: tuple[float, float],
    colour: tuple[int, int, int],
    height: float,
    rng: np.random.Generator,
    turn: float = 180.0,
) -> Box:
    corners = cv2.boxPoints(((0.0, 0.0), size, float(rng.uniform(-turn, turn)) if turn < 90 else 0.0))
    return corners + np.array(at) + np.array(off), colour, height


def points(view: Camera, error: float = 0.0) -> dict[str, object]:
    """The points file of a person who taps the empty board, off by a normal error in px."""
    rng = np.random.default_rng(3)

    def tap(places: list[tuple[float, float]]) -> list[list[float]]:
        px = transform(places, board_to_photo(view))
        return (px + rng.normal(0, error, px.shape)).tolist()

    width, height = SIZE
    (w, h) = YARD
    return {
        "corners": tap([(0, 0), (width, 0), (width, height), (0, height)]),
        "size_mm": [width, height],
        "pieces_mm": {"value": [7, 7, 7], "influence": [7, 7, 5]},
        "tracks": {
            "value": {"at": [0, 8, 15], "px": tap(VALUE)},
            **{n: {"at": [0, 10], "px": tap([influence_at(n, 0), influence_at(n, 10)])} for n in ROWS},
        },
        "areas": {
            n: tap(
                [
                    (x - w / 2, y - h / 2),
                    (x + w / 2, y - h / 2),
                    (x + w / 2, y + h / 2),
                    (x - w / 2, y + h / 2),
                ]
            )
            for n, (x, y) in YARDS.items()
        },
    }


def panel(error: float = 1.0) -> Surface:
    """The drawn board, calibrated."""
    view = camera(tilt=6, distance=520)
    return calibrate_panel("tracks", Photo(photograph(view)), read_panel_points(points(view, error)), "usa")
