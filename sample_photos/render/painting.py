"""Light on flat faces and how they get into a picture: Lambert and Blinn-Phong for each lamp, no ray is traced.

Light is linear RGB. Needs OpenCV.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import pi, sqrt
from typing import Any

import cv2
import numpy as np
from camera import Camera
from phone import kelvin
from solids import UP, Face, Solid, at_height

STRENGTH = 1e6 / pi**2
"""A flat lamp sends watts / pi along its axis for each steradian, and a white matt face sends on 1 / pi of the light on
it; distances are in mm, watts belong to metres. So lamps and room relate as they do in Blender."""
BOUNCE = 0.12
"""How much of the light on the board comes up again to what stands on it."""
MIRRORED = 0.04
"""What a surface that does not conduct mirrors of light from above."""
NEAR_MM = 60.0
"""Nothing farther off throws its shadow on a piece."""
SIXTEENTHS = 4
"""OpenCV takes corners as whole numbers of 1/16 of a pixel."""


class Light:
    """The lamps (x, y in the board frame, z, kelvin, watts, size) and the room, as `Scene.lamps` takes them."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.lamps = told["lamps"]
        self.places = [np.array([x, -y, z]) for x, y, z, *_ in self.lamps]
        self.powers = [STRENGTH * lamp[4] * kelvin(lamp[3]) for lamp in self.lamps]
        self.room = told["room"][1] * kelvin(told["room"][0])

    def on_face(
        self, albedo: np.ndarray, face: Face, eye: np.ndarray, gloss: float, reaching: Sequence[float]
    ) -> list[np.ndarray]:
        """What comes to the eye from a face: (3,) for each lamp, of which a share is `reaching` it, and the room."""
        corners, normal = face
        at = corners.mean(0)
        view, told = _unit(eye - at), []
        for place, power, share in zip(self.places, self.powers, reaching, strict=True):
            away = place - at
            way, far = _unit(away), float(np.linalg.norm(away))
            mirrored = MIRRORED * shine(normal @ _unit(way + view), gloss)
            direct = share * (albedo + mirrored) * max(0.0, float(normal @ way))
            told.append(power * (direct / far**2 + albedo * BOUNCE * (1 - normal[2]) * place[2] / far**3))
        return [*told, self.room * albedo * (0.55 + 0.45 * normal[2])]


def shine(cosine: Any, roughness: float) -> Any:
    """Blinn and Phong's highlight, for the cosine between normal and half vector."""
    power = min(2000.0, 2 / roughness**4)
    return (power + 8) / 8 * np.clip(cosine, 0, 1) ** power


class Painting:
    """What one camera sees, light of every lamp apart: `parts`, (height, width, 3) each, the room's last."""

    def __init__(self, camera: Camera, light: Light, grain: float, rng: np.random.Generator) -> None:
        self.camera, self.light = camera, light
        self.width, self.height = camera.size
        noise = cv2.GaussianBlur(rng.normal(0, 1, (self.height, self.width)), (0, 0), 2.5)
        noise = noise / noise.std() * 0.6 + rng.normal(0, 0.4, noise.shape)
        self.grain = np.exp(grain * 0.5 * noise)[..., None]
        self.parts: list[np.ndarray] = []
        self.shadows: list[np.ndarray] = []
        self.upright: list[Solid] = []

    @cached_property
    def points(self) -> np.ndarray:
        """(height, width, 3): the point of the print at each pixel, in the world frame."""
        y, x = np.mgrid[: self.height, : self.width].astype(np.float64)
        seen = np.stack([x, y, np.ones_like(x)], -1) @ np.linalg.inv(self.camera.board_homography()).T
        return np.dstack([seen[..., 0] / seen[..., 2], -seen[..., 1] / seen[..., 2], np.zeros_like(x)])

    @property
    def px_per_mm(self) -> float:
        middle = self.points[self.height // 2, self.width // 2]
        beside = self.points[self.height // 2, self.width // 2 + 10]
        return 10 / float(np.linalg.norm(beside - middle))

    def ground(self, albedo: np.ndarray, upright: list[Solid], gloss: float) -> None:
        """Begin with what lies flat, (height, width, 3), in the light and in the shadow of the solids upright on it."""
        self.upright = upright
        view = self.camera.position - self.points
        view /= np.linalg.norm(view, axis=-1, keepdims=True)
        for lamp, place, power in zip(self.light.lamps, self.light.places, self.light.powers, strict=True):
            away = place - self.points
            far = np.linalg.norm(away, axis=-1, keepdims=True)
            half = away / far + view
            highlight = MIRRORED * shine(half[..., 2:] / np.linalg.norm(half, axis=-1, keepdims=True), gloss)
            self.shadows.append(self._shadow(place, lamp[5]))
            self.parts.append((albedo + highlight) * (1 - self.shadows[-1]) * power * place[2] / far**3)
        self.parts.append(albedo * self._room_left() * self.light.room)

    def solid(self, solid: Solid, albedo: np.ndarray, gloss: float, grained: bool = True) -> None:
        eye = self.camera.position
        around = [
            other
            for other in self.upright
            if other is not solid and np.linalg.norm(other.foot.mean(0) - solid.foot.mean(0)) < NEAR_MM
        ]
        for face in solid.towards(eye):
            at = face[0].mean(0) + face[1] / 2
            reaching = [
                float(not any(other.between(at, lamp) for other in around)) for lamp in self.light.places
            ]
            self.face(face[0], self.light.on_face(albedo, face, eye, gloss, reaching), grained)

    def face(self, corners: np.ndarray, colours: list[np.ndarray], grained: bool = True) -> None:
        if (found := self._window(corners)) is None:
            return
        window, share = found
        for part, colour in zip(self.parts, colours, strict=True):
            part[window] += (colour * (self.grain[window] if grained else 1) - part[window]) * share

    def card(self, picture: np.ndarray, corners: np.ndarray, rim: np.ndarray) -> None:
        """A picture (n, n, 3) on a card that lies flat: on its four corners, and seen within its rim."""
        if (found := self._window(rim)) is None:
            return
        window, share = found
        px = self.camera.project(corners) - (window[1].start, window[0].start)
        side = int(np.clip(1.3 * np.linalg.norm(px[0] - px[1]), 8, len(picture)))
        small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
        edge = np.array([(-0.5, -0.5), (side - 0.5, -0.5), (side - 0.5, side - 0.5), (-0.5, side - 0.5)])
        to_px = cv2.getPerspectiveTransform(edge.astype(np.float32), px.astype(np.float32))
        shown = cv2.warpPerspective(small, to_px, share.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        lit = self.light.on_face(
            np.ones(3), (corners, UP), self.camera.position, 1.0, [1.0] * len(self.shadows)
        )
        shares = [1 - shadow[window] for shadow in self.shadows] + [1.0]
        for part, colour, reaching in zip(self.parts, lit, shares, strict=True):
            part[window] += (shown * colour * reaching - part[window]) * share

    def _window(self, corners: np.ndarray) -> tuple[tuple[slice, slice], np.ndarray] | None:
        """Where in the picture a face is, and how much of each pixel there is its, (h, w, 1); none outside."""
        px = self.camera.project(corners)
        left, top = np.maximum(np.floor(px.min(0)).astype(int) - 1, 0)
        right, bottom = np.minimum(np.ceil(px.max(0)).astype(int) + 2, self.camera.size)
        if left >= right or top >= bottom:
            return None
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [_sixteenths(px - (left, top))], 255, cv2.LINE_AA, SIXTEENTHS)
        return (slice(top, bottom), slice(left, right)), mask[..., None] / 255.0

    def _shadow(self, lamp: np.ndarray, size: float) -> np.ndarray:
        """(height, width, 1): how much of a lamp's light does not reach the print."""
        hulls = []
        for solid in self.upright:
            foot_and_top = solid.hull()
            share = lamp[2] / (lamp[2] - foot_and_top[:, 2:])
            thrown = lamp[:2] + (foot_and_top[:, :2] - lamp[:2]) * share
            hulls.append(cv2.convexHull(thrown.astype(np.float32))[:, 0])
        return self._blurred(hulls, min(30.0, size * 5 / float(np.linalg.norm(lamp)) * self.px_per_mm))

    def _room_left(self) -> np.ndarray:
        """(height, width, 1): how much of the room's light reaches the print beside what stands there."""
        feet = [solid.foot for solid in self.upright]
        near, farther = (self._blurred(feet, mm * self.px_per_mm) for mm in (4, 9))
        return 1 - np.clip(0.8 * near + 0.5 * farther, 0, 0.75)

    def _blurred(self, outlines: Iterable[np.ndarray], radius: float) -> np.ndarray:
        mask = np.zeros((self.height, self.width), np.float32)
        for outline in outlines:
            px = self.camera.project(at_height(outline, 0.0))
            if np.abs(px).max() < 6000:
                cv2.fillConvexPoly(mask, _sixteenths(px), 1.0, cv2.LINE_AA, SIXTEENTHS)
        return cv2.GaussianBlur(mask, (0, 0), max(0.5, radius))[..., None]


def _sixteenths(px: np.ndarray) -> np.ndarray:
    return np.rint(px * 2**SIXTEENTHS).astype(np.int32)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / sqrt(float(vector @ vector))
