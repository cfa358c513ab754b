"""The grid without taps: the drawing of all hex edges is laid over the straightened board at every size and place.

A regular grid fits itself again one hex further, except along the coast of the map; so the best place is believed
only where it clearly beats its own neighbours.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import DIRECTIONS, Hex

from ..hexes import HEX_SIDE_MM, hex_center, hex_centers, hex_outline
from ..photo import Pixels
from ..projection import Lens, Projection
from ..surface import Matrix, Points, inverse
from .lines import Finder
from .taps import TOLERANCE, Tap, hexes_face_camera

# Long side of the straightened board, px, and which shares of it the hexes may take.
SIDE = 560
SHARES = np.arange(0.62, 0.995, 0.01)
# How much of each hex edge may be printed: all, or only a star at each corner.
PRINTED = (1.0, 0.3)
# A board that is so much wider or higher than the map lies the other way round.
ASPECT = 1.4
# How much more of the edges must lie on lines than one hex further. About one piece of an edge in eight has no
# counterpart there; by chance alone these make a difference of half a per cent, so this is three times that.
CLEARLY = 0.016


@dataclass(frozen=True, eq=False)
class Placement:
    """Where the drawing may lie in the straightened board, and how well it correlates with the lines there."""

    plane_to_image: Matrix
    score: float


def find_grid(
    photo: Pixels, outline: Points, hexes: Collection[Hex], taps: Sequence[Tap] = ()
) -> Projection | None:
    """The hex grid in a photo of the empty map whose corners are `outline`, (4, 2) px; None where it is not clear.

    `taps`, if there are any, must lie on their hexes.
    """
    best: Projection | None = None
    most = 0.0
    finder = Finder(hexes, photo)
    lens = Lens(0.0, (photo.shape[1], photo.shape[0]))
    for plane in _placed(photo, outline, list(hexes)):
        for view in _and_neighbours(finder.on_lines(Projection(plane, lens))):
            share = finder.share_on_lines(view)
            if share > most and _on_taps(view, taps) and hexes_face_camera(view.homography, hexes):
                best, most = view, share
    if best is None:
        return None
    rivals = [finder.share_on_lines(view) for view in _and_neighbours(best)[1:]]
    return best if most > max(rivals) + CLEARLY else None


def _and_neighbours(view: Projection | None) -> list[Projection]:
    """A grid, and the same grid one hex further in each direction."""
    if view is None:
        return []
    shifts = [np.eye(3)]
    for step in DIRECTIONS:
        shift = np.eye(3)
        shift[:2, 2] = hex_center(step)
        shifts.append(shift)
    return [Projection(view.homography @ shift, view.lens) for shift in shifts]


def _on_taps(view: Projection, taps: Sequence[Tap]) -> bool:
    if not taps:
        return True
    off = np.linalg.norm(view.plane_of([t.px for t in taps]) - hex_centers(t.hex for t in taps), axis=1)
    return bool(off.max() < TOLERANCE * HEX_SIDE_MM)


def _placed(photo: Pixels, outline: Points, hexes: list[Hex]) -> Iterator[Matrix]:
    """Plane mm → px where the drawing is placed best, for every side of the board that may be up."""
    ridges = _ridges(photo)
    corners = np.array([hex_outline(at) for at in hexes])
    extent = np.ptp(corners, axis=(0, 1))
    for turn in range(4):
        quad = np.roll(outline, turn, axis=0)
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        size = np.array([sides[0] + sides[2], sides[1] + sides[3]])
        size = np.rint(size * SIDE / size.max()).astype(int)
        unlike = (extent[0] / extent[1]) / (size[0] / size[1])
        if 1 / ASPECT < unlike < ASPECT:
            board = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) - np.float32(0.5)
            to_board = cv2.getPerspectiveTransform(quad.astype(np.float32), board).astype(np.float64)
            straight = cv2.warpPerspective(ridges, to_board, (int(size[0]), int(size[1])))
            found = max(
                _laid_over(straight.astype(np.float32), corners), key=lambda placement: placement.score
            )
            yield inverse(to_board) @ found.plane_to_image


def _laid_over(straight: NDArray[np.float32], corners: NDArray[np.float64]) -> Iterator[Placement]:
    """The best placement for every size and kind of lines."""
    low, extent = corners.min(axis=(0, 1)), np.ptp(corners, axis=(0, 1))
    room = float(min(np.array(straight.shape[::-1]) / extent))
    for scale in SHARES * room:
        for printed in PRINTED:
            drawing = _drawing((corners - low) * scale, printed)
            found = cv2.matchTemplate(straight, drawing, cv2.TM_CCOEFF_NORMED)
            _, score, _, at = cv2.minMaxLoc(found)
            x, y = np.array(at) - low * scale
            yield Placement(np.array([[scale, 0, x], [0, scale, y], [0, 0, 1.0]]), score)


def _drawing(px: NDArray[np.float64], printed: float) -> NDArray[np.float32]:
    """All hex edges as soft lines, (height, width) float32; the share `printed` of them, next to the corners."""
    width, height = np.ceil(px.max(axis=(0, 1))).astype(int) + 1
    drawing = np.zeros((height, width), np.uint8)
    for other in (np.roll(px, 1, axis=1), np.roll(px, -1, axis=1)):
        strokes = np.stack([px, px + (other - px) * printed / 2], axis=2).reshape(-1, 2, 2)
        cv2.polylines(drawing, list(np.rint(strokes * 8).astype(np.int32)), False, 255, 2, cv2.LINE_AA, 3)
    return cv2.GaussianBlur(drawing, (0, 0), 1.2).astype(np.float32)


def _ridges(photo: Pixels) -> NDArray[np.float32]:
    """How much each pixel looks like a thin line, (H, W) float32, made equal over the picture."""
    gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY).astype(np.float32)
    ridge = np.abs(gray - cv2.blur(gray, (9, 9)))
    equal = np.minimum(ridge / (cv2.blur(ridge, (61, 61)) + 1.0), 4.0)
    soft: NDArray[np.float32] = cv2.GaussianBlur(equal, (0, 0), 2.0).astype(np.float32)
    return soft
