"""One photo made comparable with its reference: straightened, in the same light, as sharp as each other."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.photo import Photo, Pixels
from calibration.registration.register import Registration
from calibration.surface import Frame, Kind, Matrix, Surface, inverse, shifting, transform

from .glare import without_strong_glare
from .light import Log, local_gain, on_grid, resized, to_log
from .pose import camera_position
from .shapes import window_around
from .veil import gain_and_veil, with_veil

BURNT, NEARLY_BURNT = 250, 245
"""From this level on, of 255, a pixel has no more to tell, and from this on it may say less than there is."""
SCALE = 1.0
"""Pixels per mm of the straight frame, unless a reader of smaller things wants more."""


class Sight:
    """`light` and `reference` (height, width, 3) are logs in the reference's light, in the straight `frame`.

    Glare that lies over much of the print, in either of them, is taken off the reference's and laid over it as the
    photo has it (`veil`). `visible` (height, width) bool tells what lies inside the photo; `camera` is where it was
    taken from, mm in the plane's frame; `white` (3,) the log blue-green-red of the reference's brightest print, near
    to paper; `burnt` the share of what the photo has of the cells, all colours counted, that is burnt out.
    """

    def __init__(
        self,
        photo: Pixels,
        plane_to_photo: Matrix,
        surface: Surface,
        focal: float | None,
        scale: float = SCALE,
    ) -> None:
        self.surface, self.frame = surface, surface.frame(scale)
        self._photo, self._plane_to_photo = photo, plane_to_photo
        size = (photo.shape[1], photo.shape[0])
        self.camera = camera_position(plane_to_photo, size, focal)
        self.visible = self.frame.inside(photo.shape, plane_to_photo) > 0
        seen = self.frame.warp(photo, plane_to_photo)
        in_cells = seen[self.visible & (self.cell_of >= 0)]
        self.burnt = float((in_cells >= BURNT).mean()) if len(in_cells) else 0.0
        self._bring_together(
            seen,
            _as_photographed(surface, plane_to_photo, size, self.frame),
        )

    def _bring_together(self, photo: Pixels, reference: Pixels) -> None:
        """Find the light of both, (height, width, 3) in the frame, and what is white."""
        seen, plain, size = to_log(photo), to_log(reference), self.frame.size
        true = reduce(cv2.max, [*cv2.split(photo), *cv2.split(reference)]) < NEARLY_BURNT
        true &= self.visible
        quotient = local_gain(seen, plain, true, self.frame.scale)
        self._gain, veil = gain_and_veil(seen, plain, quotient, true, self.frame.scale)
        self._to_gain = on_grid(size, self._gain) @ self.frame.to_px
        self.reference = with_veil(plain, resized(veil, size))
        few = np.flatnonzero(self.visible)[::7]
        own = resized(np.minimum(veil, 0), size)
        paper = with_veil(*(layer.reshape(-1, 3)[few] for layer in (plain, own)))
        self.white = np.percentile(paper if len(few) else np.zeros((1, 3)), 99.5, axis=0).astype(np.float32)
        self.light: Log = _without_burnt_colour(seen - resized(self._gain, size), photo, self.white)

    @staticmethod
    def of(straight: Photo, registration: Registration, surface: Surface, scale: float = SCALE) -> "Sight":
        """Of a photo that is `registration.straight` already, at `scale` pixels per mm."""
        plane_to_photo = registration.plane_to_photo(surface)
        return Sight(straight.pixels, plane_to_photo, surface, straight.focal, scale)

    def of_kinds(self, kinds: Sequence[Kind]) -> "Sight":
        """The same sight, in which only these kinds of pieces are looked for."""
        other = copy(self)
        other.surface = replace(self.surface, kinds=tuple(kinds))
        return other

    def around(self, cells: Sequence[int], margin: int, step: int) -> "Sight":
        """What of the same sight lies in and between these cells, with so many px around, from a whole `step` px on."""
        rows, columns = window_around(np.isin(self.cell_of, cells), margin, step)
        other, part = copy(self), np.s_[rows, columns]
        size = (columns.stop - columns.start, rows.stop - rows.start)
        to_px = shifting(-columns.start, -rows.start) @ self.frame.to_px
        other.frame = replace(self.frame, to_px=to_px, size=size)
        for layer in ("light", "reference", "visible", "clear", "cell_of"):
            setattr(other, layer, getattr(self, layer)[part])
        return other

    @cached_property
    def clear(self) -> Log:
        """`light` with strong glare taken off the print."""
        return without_strong_glare(self.light, self.reference, self.frame.scale)

    def window(self, middle: tuple[float, float], side: int, scale: float) -> Log:
        """(side, side, 3): what the photo shows around a point, mm in the plane, in the reference's light.

        At `scale` pixels per mm: finer than the frame, if the photo is.
        """
        x, y = ((side - 1) / 2 - scale * at for at in middle)
        near = Frame(np.array([[scale, 0, x], [0, scale, y], [0, 0, 1]]), (side, side), scale)
        to_near = near.to_px @ inverse(self._to_gain)
        gain = cv2.warpPerspective(self._gain, to_near, near.size, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(to_log(near.warp(self._photo, self._plane_to_photo)) - gain, np.float32)

    @cached_property
    def cell_of(self) -> NDArray[np.int32]:
        """(height, width) int32: the cell each pixel lies in, else -1."""
        return cell_map(self.surface, self.frame)


def _without_burnt_colour(light: Log, pixels: Pixels, white: NDArray[np.float32]) -> Log:
    """`light` with what is burnt out in all colours as light as it is, but colourless: most likely it is white."""
    # Ten times as fast as the least along the last axis.
    burnt = reduce(cv2.min, cv2.split(pixels)) >= BURNT
    light[burnt] = light[burnt].mean(axis=1, keepdims=True) + white - white.mean()
    return light


def cell_map(surface: Surface, frame: Frame) -> NDArray[np.int32]:
    """(height, width) int32: the cell each pixel of the frame lies in, else -1."""
    cell_of = np.full(frame.size[::-1], -1, np.int32)
    for i, cell in enumerate(surface.cells):
        cv2.fillConvexPoly(cell_of, np.rint(transform(cell.outline, frame.to_px)).astype(np.int32), i)
    return cell_of


def _as_photographed(surface: Surface, plane_to_photo: Matrix, size: tuple[int, int], frame: Frame) -> Pixels:
    """The reference as this photo's pixels would show it: through the photo and back, as sharp as it is."""
    homography = plane_to_photo @ inverse(surface.plane_to_image)
    there = cv2.warpPerspective(surface.reference, homography, size, flags=cv2.INTER_LINEAR)
    return frame.warp(there.astype(np.uint8), plane_to_photo)
