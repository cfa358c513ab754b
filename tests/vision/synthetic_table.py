"""A drawn table: a print with texture, a pinhole camera, boxes of wood. Nothing here looks like the samples."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import Photo, Profile, Tap, calibrate_map
from calibration.hexes import hex_center, hex_outline
from calibration.surface import transform
from engine import mini_express as game
from engine.hexgrid import Hex

BOARD = game.built_in().boards["usa"]
HEXES = [p.at for p in BOARD.printed]
PX_PER_MM = 2.0
WOOD = {"brown": (38, 60, 92), "gray": (138, 134, 130), "orange": (40, 130, 225), "white": (225, 232, 236)}
CORNERS: tuple[Hex, ...] = ((9, -9), (8, -6), (7, 1), (-10, 3), (-8, -2), (-4, 4))


@dataclass(frozen=True)
class Camera:
    """A pinhole over the board: `plane_to_photo` for z = 0, `project` for points with height."""

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    size: tuple[int, int]
    focal: float

    @property
    def plane_to_photo(self) -> NDArray[np.float64]:
        lens = np.array(
            [[self.focal, 0, (self.size[0] - 1) / 2], [0, self.focal, (self.size[1] - 1) / 2], [0, 0, 1]]
        )
        pose = np.column_stack([self.rotation[:, 0], self.rotation[:, 1], -self.rotation @ self.position])
        return lens @ pose

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 3) mm, height upwards → (n, 2) px."""
        below = points * np.array([1, 1, -1])
        seen = (below - self.position) @ self.rotation.T
        return seen[:, :2] / seen[:, 2:] * self.focal + (np.array(self.size) - 1) / 2


def camera(
    tilt: float = 0.0, turn: float = 0.0, distance: float = 900.0, size: tuple[int, int] = (1600, 1200)
) -> Camera:
    """A camera that looks at the middle of the board, `tilt` and `turn` in degrees."""
    t, a = np.radians(tilt), np.radians(turn)
    middle = np.append(np.mean([hex_center(at) for at in HEXES], axis=0), 0.0)
    # The plane's z axis points into the table, so a camera above has a negative z.
    back = np.array([np.sin(t) * np.sin(a), np.sin(t) * np.cos(a), -np.cos(t)])
    right = np.array([np.cos(a), -np.sin(a), 0.0])
    forward = -back
    rotation = np.array([right, np.cross(forward, right), forward])
    return Camera(middle + back * distance, rotation, size, 0.75 * max(size))


def printed(seed: int = 0, lines: float = 1.0) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A print in the plane with blobs, strokes and hex lines; and plane mm → its pixels.

    `lines` is the share of each hex side that is printed, half of it at either corner.
    """
    rng = np.random.default_rng(seed)
    low = np.min([hex_outline(at) for at in HEXES], axis=(0, 1)) - 40
    high = np.max([hex_outline(at) for at in HEXES], axis=(0, 1)) + 40
    to_px = np.array([[PX_PER_MM, 0, -low[0] * PX_PER_MM], [0, PX_PER_MM, -low[1] * PX_PER_MM], [0, 0, 1]])
    width, height = np.ceil((high - low) * PX_PER_MM).astype(int)
    coarse = rng.uniform(150, 215, (height // 60 + 1, width // 60 + 1, 3)) * np.array([0.85, 0.97, 1.0])
    paper = cv2.resize(coarse, (int(width), int(height)), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(paper, 0, 255).astype(np.uint8)
    for _ in range(1500):
        x, y = rng.uniform((0, 0), (width, height))
        ink = tuple(int(v) for v in rng.uniform(70, 200, 3))
        axes = (int(rng.uniform(2, 9)), int(rng.uniform(2, 9)))
        cv2.ellipse(picture, (int(x), int(y)), axes, rng.uniform(0, 180), 0, 360, ink, 2, cv2.LINE_AA)
    for at in HEXES if lines else ():
        outline = transform(hex_outline(at), to_px)
        for corner in range(6):
            for other in (corner - 1, (corner + 1) % 6):
                end = outline[corner] + (outline[other] - outline[corner]) * lines / 2
                stroke = np.rint(np.array([outline[corner], end]) * 8).astype(np.int32)
                cv2.polylines(picture, [stroke], False, (60, 70, 80), 2, cv2.LINE_AA, 3)
    return picture, to_px


PRINT, PRINT_TO_PX = printed()


def photograph(
    view: Camera,
    trains: dict[str, list[Hex]] | None = None,
    seed: int = 1,
    light: tuple[float, ...] = (1, 1, 1),
    board: NDArray[np.uint8] = PRINT,
) -> NDArray[np.uint8]:
    """The board with boxes of wood on it, as the camera sees it, with noise; `light` is a gain per channel."""
    rng = np.random.default_rng(seed)
    picture = cv2.warpPerspective(
        board,
        view.plane_to_photo @ np.linalg.inv(PRINT_TO_PX),
        view.size,
        borderValue=(52, 70, 96),
        flags=cv2.INTER_AREA,
    ).astype(np.float64)
    if trains is not None:
        _draw_tiles(picture, view, trains)
    for base, company in sorted(_boxes(trains or {}, rng), key=lambda box: -far(view, box[0])):
        draw_box(picture, view, base, np.array(WOOD[company], float))
    lit = picture * np.array(light) + rng.normal(0, 2.0, picture.shape)
    return np.clip(cv2.GaussianBlur(lit, (0, 0), 0.7), 0, 255).astype(np.uint8)


SPOTS = ((-9.0, -9.0), (9.0, -9.0), (-9.0, 9.0), (9.0, 9.0))


def _draw_tiles(picture: NDArray[np.float64], view: Camera, trains: dict[str, list[Hex]]) -> None:
    """A demand tile, white with two coloured squares, in every city that is not full, beside its trains."""
    for city in BOARD.numbered.values():
        inside = [SPOTS[k] for k, hexes in enumerate(trains.values()) if city.at in hexes]
        if len(inside) < city.capacity:
            middle = np.array(hex_center(city.at)) - (np.mean(inside, axis=0) if inside else 0.0)
            _draw_square(picture, view, middle, 16.0, (228, 232, 236))
            _draw_square(picture, view, middle + (-3.5, 0), 5.0, WOOD["orange"])
            _draw_square(picture, view, middle + (3.5, 0), 5.0, WOOD["gray"])


def _draw_square(
    picture: NDArray[np.float64], view: Camera, at: NDArray[np.float64], side: float, ink: tuple[int, ...]
) -> None:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2 + at
    px = transform(corners, view.plane_to_photo)
    cv2.fillPoly(picture, [np.rint(px * 8).astype(np.int32)], ink, cv2.LINE_AA, 3)


def _boxes(trains: dict[str, list[Hex]], rng: np.random.Generator) -> list[tuple[NDArray[np.float64], str]]:
    boxes = []
    for k, (company, hexes) in enumerate(trains.items()):
        for at in hexes:
            middle = np.array(hex_center(at)) + SPOTS[k] + rng.uniform(-1, 1, 2)
            corners = cv2.boxPoints(((0.0, 0.0), (20.0, 8.0), float(rng.uniform(0, 180))))
            boxes.append((corners + middle, company))
    return boxes


def far(view: Camera, base: NDArray[np.float64]) -> float:
    """How far from the camera something stands on the table."""
    return float(np.linalg.norm(np.append(base.mean(axis=0), 0) - view.position))


def draw_box(
    picture: NDArray[np.float64],
    view: Camera,
    base: NDArray[np.float64],
    wood: NDArray[np.float64],
    height: float = 12.0,
) -> None:
    """The sides, darker, then the top."""
    low = view.project(np.column_stack([base, np.zeros(4)]))
    high = view.project(np.column_stack([base, np.full(4, height)]))
    for k in range(4):
        side = np.array([low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]])
        cv2.fillPoly(picture, [np.rint(side * 8).astype(np.int32)], (wood * 0.75).tolist(), cv2.LINE_AA, 3)
    cv2.fillPoly(picture, [np.rint(high * 8).astype(np.int32)], wood.tolist(), cv2.LINE_AA, 3)


def taps(view: Camera, hexes: tuple[Hex, ...] = CORNERS, error: float = 0.0, seed: int = 0) -> list[Tap]:
    """Hexes as a person taps them, off by a normal error in px."""
    rng = np.random.default_rng(seed)
    px = transform([hex_center(at) for at in hexes], view.plane_to_photo) + rng.normal(
        0, error, (len(hexes), 2)
    )
    return [Tap(at, (float(x), float(y))) for at, (x, y) in zip(hexes, px, strict=True)]


@cache
def table() -> Profile:
    """The profile of the drawn table, from a photo of it empty; nothing changes it."""
    view = camera(tilt=5)
    surface, _ = calibrate_map(Photo(photograph(view)), taps(view, error=1.0), BOARD)
    return Profile(BOARD.id, {"map": surface})
