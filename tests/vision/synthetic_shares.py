"""Drawn share tiles, nothing like the samples: the same strokes on all, a coloured field and its mark of their own."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import SHARE_TILES, Photo, Profile, calibrate_shares, read_share_points

SIZE = (32.0, 44.0)
PX_PER_MM = 10.0
INK = {"brown": (40, 62, 95), "gray": (140, 138, 135), "orange": (40, 130, 225), "white": (215, 225, 228)}
MARKS = {"brown": 3, "gray": 4, "orange": 5, "white": 6}
Picture = NDArray[np.uint8]
Lying = tuple[str, tuple[float, float], float]
"""A tile on the table: company, the middle in mm, and how far it is turned, degrees."""


def tile(company: str, ink: tuple[int, ...] | None = None) -> Picture:
    """Strokes on paper, the same for all; a field in the company's colour with as many dots as the company has."""
    rng = np.random.default_rng(8)
    width, height = (round(side * PX_PER_MM) for side in SIZE)
    picture = np.full((height, width, 3), (205, 222, 230), np.uint8)
    for _ in range(60):
        x, y = rng.uniform((0, 0), (width, height))
        axes = (int(rng.uniform(8, 30)), int(rng.uniform(8, 30)))
        cv2.ellipse(
            picture, (int(x), int(y)), axes, rng.uniform(0, 180), 0, 300, (90, 80, 75), 4, cv2.LINE_AA
        )
    cv2.rectangle(picture, (60, 110), (width - 60, 300), ink or INK[company], -1)
    for k in range(MARKS.get(company, 1)):
        cv2.circle(picture, (95 + 28 * (k % 5), 160 + 60 * (k // 5)), 10, (60, 50, 50), -1, cv2.LINE_AA)
    return picture


def homography(tilt: float, px_per_mm: float = 4.2) -> NDArray[np.float64]:
    """Table mm, from its middle, to pixels of a photo of 1600 × 1200, looked at `tilt` degrees from the vertical."""
    t, distance, focal = np.radians(tilt), 400.0, 400.0 * px_per_mm
    pose = np.array([[1, 0, 0], [0, np.cos(t), 0], [0, -np.sin(t), distance]])
    return np.array([[focal, 0, 799.5], [0, focal, 599.5], [0, 0, 1]]) @ pose


def photograph(
    tiles: list[Lying],
    tilt: float = 0.0,
    light: tuple[float, ...] = (1, 1, 1),
    ink: dict[str, tuple[int, ...]] | None = None,
) -> Photo:
    """The tiles on a mottled table, each over the ones before it; `light` is a gain per channel."""
    rng = np.random.default_rng(4)
    coarse = rng.uniform(60, 140, (60, 80, 3)).astype(np.float32)
    picture = cv2.resize(coarse, (1600, 1200), interpolation=cv2.INTER_CUBIC)
    to_photo = homography(tilt)
    for company, at, turn in tiles:
        move = to_photo @ _laid(at, turn) @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1])
        drawn = tile(company, (ink or {}).get(company))
        face = cv2.warpPerspective(drawn, move, (1600, 1200), flags=cv2.INTER_AREA)
        over = cv2.warpPerspective(np.full(drawn.shape[:2], 255, np.uint8), move, (1600, 1200)) > 127
        picture[over] = face[over]
    lit = picture * np.array(light) + rng.normal(0, 2.0, picture.shape)
    return Photo(np.clip(cv2.GaussianBlur(lit, (0, 0), 0.7), 0, 255).astype(np.uint8))


def _laid(at: tuple[float, float], turn: float) -> NDArray[np.float64]:
    """Tile mm, from its upper left corner, to table mm."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    middle = np.array([[1, 0, -SIZE[0] / 2], [0, 1, -SIZE[1] / 2], [0, 0, 1]])
    return np.array([[c, -s, at[0]], [s, c, at[1]], [0, 0, 1]]) @ middle


def profile(error: float = 1.5) -> Profile:
    """The drawn tiles calibrated from a photo of one of each, tapped a few pixels off."""
    rng = np.random.default_rng(3)
    tiles: list[Lying] = [(company, (50.0 * k - 75, 0.0), 4.0 * k) for k, company in enumerate(INK)]
    rim = np.array([(0, 0, 1), (SIZE[0], 0, 1), (*SIZE, 1), (0, SIZE[1], 1)]).T
    corners = {}
    for company, at, turn in tiles:
        px = homography(5) @ _laid(at, turn) @ rim
        corners[company] = ((px[:2] / px[2]).T + rng.normal(0, error, (4, 2))).tolist()
    points = read_share_points({"size_mm": list(SIZE), "tiles": corners})
    return Profile("usa", {SHARE_TILES: calibrate_shares(photograph(tiles, 5), points, "usa")})
