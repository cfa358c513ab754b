"""The table painted instead of rendered, for practice photos by the hundred: `Scene` as `scene.Scene`, without Blender.

A photo in three lights takes four seconds on one core, with Cycles half a minute on two (Intel Xeon, 2026-11-28).
What is missing: edges of shadows on pieces, light from piece to piece, depth of field, and clutter beside the board.
"""

import colorsys
from functools import lru_cache
from math import cos, sin
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import solids
from boards import Bounds, Point
from camera import Camera
from card_art import EDGE, face_of
from layout import CARD_MM, CARDS, DICE, DIE_MM, MARKER_MM, SEAT_COLOURS, Spot
from painting import Light, Painting
from phone import linear
from PIL import ImageColor
from solids import Solid

PRINT_SHARE = 0.4
"""The print at two pixels a mm is enough for photos with fewer."""
CARD_PX = 80


class Scene:
    """One table as it stands for one photo, see `scene.Scene`."""

    def __init__(self, bounds: Bounds, table: dict[str, Any], folder: Path, seed: int) -> None:
        self.bounds, self.table, self.folder = bounds, table, folder
        self.rng = np.random.default_rng(seed)
        self.cards: list[Spot] = []
        self.pieces: list[tuple[Solid, np.ndarray, float]] = []
        self.covers: list[tuple[Solid, np.ndarray, float]] = []

    def put(self, spots: list[Spot]) -> None:
        """Stand the pieces of the game on the board."""
        self.cards = [spot for spot in spots if spot.kind in CARDS]
        self.pieces += [self._piece(spot) for spot in spots if spot.kind not in CARDS]

    def lamps(self, light: dict[str, Any]) -> None:
        self.light = Light(light)

    def cover(
        self, what: str, x: float, y: float, angle: float = 0.0, look: dict[str, Any] | None = None
    ) -> None:
        """Put dice, a mug or a hand at a point of the board frame, as `props.cover`; only dice have a `look`."""
        middle = solids.on_board([(x, y)])[0]
        if what == "dice":
            side = (look or {}).get("side", DIE_MM)
            for k, name in enumerate((look or {}).get("tones", DICE)):
                place = middle + (1.5 * side * k, 0) + self.rng.normal(0, 4, 2)
                foot = solids.square(place, side, self.rng.uniform(0, 3))
                self.covers.append((solids.prism(foot, 0, side), tone(name), 0.3))
        elif what == "mug":
            glaze = self._tone((0, 1), (0, 0.8), (0.1, 0.9))
            self.covers.append(
                (solids.prism(solids.ring(middle, 40, 28), 0, self.rng.uniform(70, 100)), glaze, 0.3)
            )
        else:
            self._hand(middle, angle)

    def hidden_share(self, camera: Camera, points: list[Point]) -> float:
        """The share of some points of the print that is outside the picture or behind a cover."""
        px = np.array([camera.on_board(point) for point in points])
        outside = (px < 0).any(1) | (px >= np.array(camera.size)).any(1)
        return float((outside | self._behind_covers(camera, px)).mean())

    def shoot(self, camera: Camera, samples: int) -> np.ndarray:
        """The light (height, width, 3) at the camera."""
        return sum(self.shoot_by_lamp(camera, samples))

    def shoot_by_lamp(self, camera: Camera, _samples: int) -> list[np.ndarray]:
        """The light (height, width, 3) of each lamp, and last of the room; rays are not counted."""
        picture = Painting(camera, self.light, self.table["grain"], self.rng)
        cards = {
            spot: solids.prism(_rim(spot, self.table), spot.level, spot.level + CARD_MM)
            for spot in self.cards
        }
        upright = [piece[0] for piece in self.pieces] + [cover[0] for cover in self.covers]
        picture.ground(self._flat(picture), upright, self.table["print_gloss"])
        for spot, solid in cards.items():
            self._paint_card(picture, spot, solid)
        eye = camera.position[:2]
        for solid, albedo, gloss in sorted(
            self.pieces, key=lambda piece: -float(np.linalg.norm(piece[0].foot.mean(0) - eye))
        ):
            picture.solid(solid, albedo, gloss)
        for solid, albedo, gloss in self.covers:
            picture.solid(solid, albedo, gloss, grained=False)
        blur = self.rng.uniform(0.0, 0.6)
        return [cv2.GaussianBlur(part, (0, 0), max(0.2, blur)) for part in picture.parts]

    def _piece(self, spot: Spot) -> tuple[Solid, np.ndarray, float]:
        """A piece, its colour and how rough it is."""
        if spot.kind == "marker":
            paint, gloss = tone(self.table.get("seats", SEAT_COLOURS)[spot.look[0]]), 0.35
        else:
            paint, gloss = tone(self.table["wood"][spot.look[0]]), self.table["gloss"]
        return self._shape(spot), paint * np.exp(self.rng.normal(0, 0.5 * self.table["grain"])), gloss

    def _shape(self, spot: Spot) -> Solid:
        middle = solids.on_board([spot.at])[0]
        if spot.kind == "marker":
            return solids.prism(solids.ring(middle, spot.size[0] / 2), spot.level, spot.level + MARKER_MM)
        if "disc" in self.table:
            radius, height = self.table["disc"]
            return solids.prism(solids.ring(middle, radius), spot.level, spot.level + height)
        if "cube" in self.table:
            side = self.table["cube"]
            return solids.prism(solids.square(middle, side, spot.angle), spot.level, spot.level + side)
        return solids.train(self.table["train"], spot)

    def _hand(self, middle: np.ndarray, angle: float) -> None:
        """An arm, a palm, four fingers and a thumb, flat on the board or above it."""
        skin, lift = self._tone((0.02, 0.09), (0.2, 0.6), (0.25, 0.95)), self.rng.uniform(0, 40)
        out, side = np.array([cos(angle), sin(angle)]), np.array([-sin(angle), cos(angle)])
        parts = [
            (middle - 180 * out, (150.0, 28.0), angle, 5.0, 60.0),
            (middle, (50.0, 42.0), angle, 0.0, 28.0),
        ]
        for k in range(4):
            place = middle + self.rng.uniform(65, 85) * out + (20 * k - 30) * side
            parts.append(
                (place, (self.rng.uniform(28, 42), 8.5), angle + self.rng.normal(0, 0.12), 0.0, 16.0)
            )
        parts.append((middle + 10 * out + 55 * side, (32.0, 10.0), angle + 0.8, 0.0, 18.0))
        for place, half, way, low, high in parts:
            solid = solids.prism(solids.oval(place, half, way), lift + low, lift + high)
            self.covers.append((solid, np.clip(skin * self.rng.uniform(0.85, 1.15), 0, 1), 0.5))

    def _tone(self, *ranges: tuple[float, float]) -> np.ndarray:
        """A colour whose hue, saturation and value are drawn from these ranges, linear."""
        return linear(255 * np.array(colorsys.hsv_to_rgb(*(self.rng.uniform(*pair) for pair in ranges))))

    def _behind_covers(self, camera: Camera, px: np.ndarray) -> np.ndarray:
        """(n,) bool: which pixels (n, 2) are behind a hand, a mug or dice."""
        hulls = [cv2.convexHull(camera.project(solid.hull()).astype(np.float32)) for solid, *_ in self.covers]
        return np.array(
            [any(cv2.pointPolygonTest(hull, at, False) >= 0 for hull in hulls) for at in px.tolist()]
        )

    def _flat(self, picture: Painting) -> np.ndarray:
        """(height, width, 3): the print, and a table top of two tones around it."""
        height, width, (_, tones, _) = picture.height, picture.width, self.table["top"]
        blots = cv2.resize(
            self.rng.uniform(0, 1, (height // 30, width // 30)),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )[..., None]
        top = np.clip(tone(tones[0]) * blots + tone(tones[1]) * (1 - blots), 0, 1)
        print_ = self.folder / "print.png"
        art = read(print_, print_.stat().st_mtime_ns)
        left, upper, right, lower = self.bounds
        to_mm = np.array(
            [[(right - left) / art.shape[1], 0, left], [0, (lower - upper) / art.shape[0], upper], [0, 0, 1]]
        )
        to_px = picture.camera.board_homography() @ to_mm
        shown = cv2.warpPerspective(art, to_px, (width, height), borderValue=(-1.0, -1.0, -1.0))
        return np.where(shown.min(-1, keepdims=True) >= 0, shown, top)

    def _paint_card(self, picture: Painting, spot: Spot, solid: Solid) -> None:
        picture.solid(solid, tone(EDGE), 0.8, grained=False)
        face = face_of(spot.kind, spot.look, self.table)
        small = cv2.resize(np.asarray(face), (CARD_PX, CARD_PX), interpolation=cv2.INTER_AREA)
        corners, rim = (
            solids.at_height(outline, solid.high) for outline in (solids.on_board(spot.corners()), solid.foot)
        )
        picture.card(linear(small), corners, rim)


def _rim(spot: Spot, table: dict[str, Any]) -> np.ndarray:
    """The outline of a card, in the world frame."""
    if spot.kind == "tile" and table["tile"] == "round":
        return solids.ring(solids.on_board([spot.at])[0], spot.size[0] / 2, 24)
    return solids.on_board(spot.corners())


@lru_cache(64)
def tone(name: str) -> np.ndarray:
    return linear(np.array(ImageColor.getrgb(name)[:3]))


@lru_cache(1)
def read(file: Path, _written: int) -> np.ndarray:
    """A print, linear, at `PRINT_SHARE` of its size; another may have been written there since."""
    art = cv2.imread(str(file))
    small = cv2.resize(art, None, fx=PRINT_SHARE, fy=PRINT_SHARE, interpolation=cv2.INTER_AREA)
    return linear(small[..., ::-1])
