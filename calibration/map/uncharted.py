"""A map that no data describe: its grid from hexes that touch each other, and what each hex may be.

Nobody knows yet which hexes such a map has, so hexes are named from the first one that is tapped, which is (0, 0).
From hexes that touch each other it is known where farther ones should lie; these are tapped next, and so on outwards.
"""

from collections.abc import Sequence
from math import dist
from typing import Any

import cv2
import numpy as np
from lap import lapjvx
from numpy.typing import NDArray

from engine.hexgrid import Hex, distance
from engine.mini_express.board import City
from engine.sentences import N_, Phrase, plain

from ..hexes import hex_center, hex_centers
from ..photo import Pixels
from ..projection import Projection
from ..surface import Matrix, Points, inverse, transform
from ..tapped.corners import Px
from ..tapped.marks import Wanted
from .grid import Grid, fit_grid
from .rims import find_cities
from .taps import GridProblem, Tap, grid_through, hexes_face_camera

TOUCHING: dict[Hex, Phrase] = {
    (0, 0): Phrase("Tap the middle of any hex in the middle of the map."),
    (0, 1): Phrase("Tap the middle of the hex that touches it from below, as printed."),
    (0, -1): Phrase("Tap the middle of the hex that touches the first one from above, as printed."),
    (1, 0): Phrase("Tap the middle of the hex that touches the first two from the right, as printed."),
    (-1, 1): Phrase("Tap the middle of the hex that touches the first two from the left, as printed."),
}
# Two of them lie where those before foretell it, however the camera stood: at a + b - c.
FORETOLD: dict[Hex, tuple[Hex, Hex, Hex]] = {
    (0, -1): ((0, 0), (0, 0), (0, 1)),
    (-1, 1): ((0, 0), (0, 1), (1, 0)),
}
# Farther from there, as a share of the distance between the first two, a tap is on another hex; or one before was.
ASTRAY = 0.4
RINGED = N_(
    "Tap the middle of the hex in the ring; if none is printed there, of another one far from the crosses."
)
# How many steps from the first hex the others may lie, after those that touch it: what is known foretells no farther.
REACH = (2, 2, 4, 7, 10)
# A tap names a hex when it lies so near to where that hex should be.
CLEARLY_MM = 17.0
TAPS = len(TOUCHING) + len(REACH)
# Two taps so near to each other are on one hex.
SAME_PX = 5.0
# Up to so many taps are too near to each other to tell how the camera foreshortens.
FLAT = 8
# Where more fit on the board, what was tapped were no hexes; a real one has room for about three hundred.
HEXES_AT_MOST = 800
# Hexes farther out than this are on no map.
FARTHEST = 30
# A hex whose middle lies so near to the cities' outer bounds, mm, is taken for part of the map.
COAST_MM = 30.0
# So near to the border of the photo, as a share of it, no hex is asked for.
EDGE = 0.03
NOTHING, LANDSCAPE, PORT = "nothing", "landscape", "port"


def next_hex(taps: Sequence[Tap], size: tuple[int, int], outline: Points | None) -> Wanted | None:
    """What to tap next in a photo of `size` (width, height); None where there is enough.

    `outline` are the board's corners, (4, 2) px, where they are known.
    """
    if len(taps) >= TAPS:
        return None
    if len(taps) < len(TOUCHING):
        at, words = list(TOUCHING.items())[len(taps)]
        return Wanted(plain(at), words, near=_beside(taps, at))
    apart = {at: min(distance(at, tap.hex) for tap in taps) for at in _within(_reach(taps))}
    shown = _shown(_foretold(taps, outline), [*apart], size)
    ring = max(shown, key=lambda at: apart[at], default=taps[0].hex)
    return Wanted("", Phrase(RINGED), near=shown.get(ring))


def named(taps: Sequence[Tap], px: Px, outline: Points | None) -> Tap:
    """The next tap, with the hex that lies there by those before.

    Raises GridProblem where it is too far from them, on one of them, or where they do not lie as they should.
    """
    for tap in taps:
        if dist(px, tap.px) < SAME_PX:
            raise GridProblem("twice", hex=tap.hex)
    if len(taps) < len(TOUCHING):
        at = list(TOUCHING)[len(taps)]
        beside = _beside(taps, at)
        if beside and dist(px, beside) > ASTRAY * dist(taps[0].px, taps[1].px):
            raise GridProblem("not_beside")
        return Tap(at, px)
    plane = _foretold(taps, outline)
    if not hexes_face_camera(plane, TOUCHING):
        raise GridProblem("tangled")
    place = transform([px], inverse(plane))[0]
    at = min(_within(_reach(taps) + 1), key=lambda at: float(np.linalg.norm(place - hex_center(at))))
    if distance((0, 0), at) > _reach(taps) or np.linalg.norm(place - hex_center(at)) > CLEARLY_MM:
        raise GridProblem("too_far")
    if at in (tap.hex for tap in taps):
        raise GridProblem("twice", hex=at)
    return Tap(at, px)


def _beside(taps: Sequence[Tap], at: Hex) -> Px | None:
    """Where a hex lies that touches those tapped before, px; None where they do not foretell it."""
    if at not in FORETOLD:
        return None
    tapped = {tap.hex: np.array(tap.px) for tap in taps}
    a, b, c = (tapped[there] for there in FORETOLD[at])
    x, y = (a + b - c).tolist()
    return x, y


def _reach(taps: Sequence[Tap]) -> int:
    return REACH[len(taps) - len(TOUCHING)]


def uncharted_grid(taps: Sequence[Tap], board: str, photo: Pixels, outline: Points | None) -> Grid:
    """The grid through the taps, on the print as far as that shows it: between the taps first, then between the cities.

    `outline` as of `next_hex`. Raises GridProblem.
    """
    tapped = [tap.hex for tap in taps]
    first = fit_grid(taps, board, _between(tapped), photo)
    hexes = hexes_on_board(photo, first.view, outline)
    if len(hexes) > HEXES_AT_MOST:
        raise GridProblem("no_fit", board=board)
    cities = [*find_cities(photo, first.view, hexes)]
    return fit_grid(taps, board, _between([*tapped, *cities]), photo, cities)


def hexes_on_board(photo: Pixels, view: Projection, outline: Points | None) -> list[Hex]:
    """All hexes whose middles lie on the board in the photo, or in the photo where no `outline` of it is known."""
    height, width = photo.shape[:2]
    bounds = np.array([(0, 0), (width, 0), (width, height), (0, height)]) if outline is None else outline
    inside = [at for at in _within(FARTHEST) if hexes_face_camera(view.homography, [(0, 0), at])]
    middles = view(hex_centers(inside)).tolist()
    return [at for at, px in zip(inside, middles, strict=True) if _depth(bounds, (px[0], px[1])) > 0]


def proposed_kinds(photo: Pixels, view: Projection, hexes: Sequence[Hex]) -> dict[Hex, str]:
    """What each hex may be: a city with room for 1 to 3 companies ("2"), landscape, or nothing.

    Cities are told by their discs, and one with an unsure rim is proposed with room for 1; what lies between them, or a
    little beyond, is landscape.
    """
    cities = find_cities(photo, view, hexes)
    bounds = cv2.convexHull(hex_centers(cities or [(0, 0)]).astype(np.float32))
    kinds = {at: LANDSCAPE if _depth(bounds, hex_center(at)) > -COAST_MM else NOTHING for at in hexes}
    return kinds | {at: str(capacity or 1) for at, capacity in cities.items()}


def proposed_names(cities: Sequence[Hex], known: Sequence[City]) -> list[str]:
    """Names for the cities, in their order: those of another drawing of the same country, each where it lies nearest.

    Both are brought to one place and size. Cities that outnumber those known get no name.
    """
    names = [""] * len(cities)
    if not cities:
        return names
    here, there = (_spread(hex_centers(every)) for every in (cities, [city.at for city in known]))
    away = np.linalg.norm(here[:, None] - there, axis=2)
    for city, other in zip(*lapjvx(away**2, extend_cost=True, return_cost=False), strict=True):
        names[city] = known[other].name
    return names


def _within(reach: int) -> list[Hex]:
    """The hexes up to so many steps from (0, 0)."""
    steps = range(-reach, reach + 1)
    return [(q, r) for q in steps for r in steps if distance((0, 0), (q, r)) <= reach]


def _foretold(taps: Sequence[Tap], outline: Points | None) -> Matrix:
    """Plane → px as far as the taps tell; the board's outline tells how the camera foreshortens."""
    plane, px = hex_centers(tap.hex for tap in taps), np.array([tap.px for tap in taps])
    if outline is not None:
        ways = [_in_frame(plane, px, np.roll(outline, turn, axis=0)) for turn in range(4)]
        return min(ways, key=lambda way: float(np.abs(transform(plane, way) - px).sum()))
    if len(taps) > FLAT:
        return grid_through(taps)
    across = np.linalg.lstsq(np.column_stack([plane, np.ones(len(plane))]), px, rcond=None)[0]
    return np.vstack([across.T, (0.0, 0.0, 1.0)])


def _in_frame(plane: Points, px: Points, corners: Points) -> Matrix:
    """Plane → px where the hexes lie straight in a board whose corners, px, are clockwise from its top left one."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    from_square = cv2.getPerspectiveTransform(square, corners.astype(np.float32)).astype(np.float64)
    inside = transform(px, inverse(from_square))
    (wide, left), (high, top) = (np.polyfit(plane[:, k], inside[:, k], 1) for k in (0, 1))
    found: Matrix = from_square @ np.array([[wide, 0, left], [0, high, top], [0, 0, 1]])
    return found


def _shown(plane: Matrix, hexes: Sequence[Hex], size: tuple[int, int]) -> dict[Hex, Px]:
    """Those of the hexes that lie in the picture, each with the px of its middle."""
    seen = [at for at in hexes if hexes_face_camera(plane, [(0, 0), at])]
    middles = transform(hex_centers(seen), plane).tolist()
    return {
        at: (x, y)
        for at, (x, y) in zip(seen, middles, strict=True)
        if EDGE * size[0] < x < (1 - EDGE) * size[0] and EDGE * size[1] < y < (1 - EDGE) * size[1]
    }


def _between(hexes: Sequence[Hex]) -> list[Hex]:
    """All hexes whose middles lie between these."""
    hull = cv2.convexHull(hex_centers(hexes).astype(np.float32))
    return [at for at in _within(FARTHEST) if _depth(hull, hex_center(at)) > -1.0]


def _depth(bounds: NDArray[Any], point: Px) -> float:
    """How far inside the bounds a point lies, negative outside."""
    return float(cv2.pointPolygonTest(bounds.astype(np.float32), point, measureDist=True))


def _spread(points: Points) -> Points:
    """The points moved and stretched to the square from (0, 0) to (1, 1)."""
    low, high = points.min(axis=0), points.max(axis=0)
    stretched: Points = (points - low) / np.maximum(high - low, 1.0)
    return stretched
