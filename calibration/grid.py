"""The hex grid in the reference photo: a homography from a few tapped hexes, refined on printed lines.

The plane has its origin in the middle of hex (0, 0), x to the east and y to the south, in mm.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.hexgrid import Hex, center, corners, distance
from engine.sentences import N_, Problem

from .photo import Pixels
from .surface import Matrix, Points, inverse, transform

HEX_SIDE_MM = 25.0
LEAST_POINTS = 4
# A tap may be off by this share of a hex side; more than that is a tap on something else.
TOLERANCE = 0.45
# From here on another explanation is looked for, and believed where its error is this many times smaller.
SUSPICIOUS, FAR_BETTER = 0.12, 4.0
LINE_SEARCH = 0.16
LINE_CONTRAST, LINES_SHOWN, LINES_AGREE, LINE_ROUNDS = 1.0, 0.2, 0.6, 3


class GridProblem(Problem):
    """Tapped points that give no grid; says which and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "too_few": N_(
            "{found} hexes are tapped, at least 4 are needed: tap hexes far apart, at best near the corners."
        ),
        "not_on_board": N_("The hex {hex} is not on the map {board}: check the points."),
        "twice": N_("The hex {hex} is tapped twice: tap each hex once."),
        "outside": N_("The point for hex {hex} lies outside the picture: check the points."),
        "in_line": N_("The tapped hexes lie too much in one line: tap hexes near the corners of the map."),
        "wrong_tap": N_("The point for hex {hex} seems to lie on hex {instead}: tap it again."),
        "stray_tap": N_("The point for hex {hex} does not fit the others: tap it again."),
        "no_fit": N_(
            "The tapped points do not fit the map {board} together: check that it is the right map, tap again."
        ),
        "format": N_(
            'Points are written {{"image_points": [{{"hex": [q, r], "px": [x, y]}}, …]}}: {found} was found instead.'
        ),
    }


@dataclass(frozen=True)
class Tap:
    """The middle of a hex as a person tapped it, in pixels of the reference photo."""

    hex: Hex
    px: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Grid:
    """`plane` maps plane mm to reference px; `residual_px` is the taps' median distance from it.

    With only four taps anything fits, so `residual_px` then says nothing and `checked` is false.
    """

    plane: Matrix
    residual_px: float
    checked: bool
    on_lines: bool


def read_taps(obj: object, scale: float = 1.0) -> list[Tap]:
    """The points file's content as taps in an image made smaller by `scale`. Raises GridProblem."""
    rows = obj.get("image_points") if isinstance(obj, dict) else None
    if not isinstance(rows, list):
        raise GridProblem("format", found=_short(obj))
    return [_read_tap(row, scale) for row in rows]


def _read_tap(row: object, scale: float) -> Tap:
    try:
        (q, r), (x, y) = row["hex"], row["px"]  # type: ignore[index]
        at, px = (int(q), int(r)), ((float(x) + 0.5) / scale - 0.5, (float(y) + 0.5) / scale - 0.5)
    except (TypeError, KeyError, ValueError, OverflowError):
        raise GridProblem("format", found=_short(row)) from None
    if at != (q, r) or not np.isfinite(px).all():
        raise GridProblem("format", found=_short(row))
    return Tap(at, px)


def _short(obj: object) -> str:
    text = repr(obj)
    return text if len(text) < 60 else text[:57] + "…"


def hex_center(at: Hex) -> tuple[float, float]:
    """The middle of a hex, mm in the plane."""
    x, y = center(at)
    return x * HEX_SIDE_MM, y * HEX_SIDE_MM


def hex_outline(at: Hex) -> tuple[tuple[float, float], ...]:
    """The six corners of a hex, mm in the plane, clockwise on screen."""
    return tuple((x * HEX_SIDE_MM, y * HEX_SIDE_MM) for x, y in corners(at))


def fit_grid(taps: Sequence[Tap], board: str, hexes: Collection[Hex], reference: Pixels) -> Grid:
    """The homography that puts the tapped hexes where they were tapped. Raises GridProblem.

    A tap on the wrong hex is found from five taps on: it is the one that another hex explains.
    """
    _check_taps(taps, board, hexes, reference.shape)
    plane = _fit(taps)
    error = float(_errors(plane, taps).max())
    wrong = _wrong_tap(taps, hexes, error) if error > SUSPICIOUS else None
    if wrong or error > TOLERANCE or not _faces_camera(plane, hexes):
        raise wrong or _stray_tap(taps) or GridProblem("no_fit", board=board)
    refined = _on_lines(plane, hexes, reference)
    final = plane if refined is None else refined
    off = np.linalg.norm(transform([hex_center(t.hex) for t in taps], final) - [t.px for t in taps], axis=1)
    return Grid(final, float(np.median(off)), len(taps) > LEAST_POINTS, refined is not None)


def _check_taps(taps: Sequence[Tap], board: str, hexes: Collection[Hex], shape: tuple[int, ...]) -> None:
    if len(taps) < LEAST_POINTS:
        raise GridProblem("too_few", found=len(taps))
    seen: set[Hex] = set()
    for tap in taps:
        if tap.hex not in hexes:
            raise GridProblem("not_on_board", hex=tap.hex, board=board)
        if tap.hex in seen:
            raise GridProblem("twice", hex=tap.hex)
        if not (-1 < tap.px[0] < shape[1] and -1 < tap.px[1] < shape[0]):
            raise GridProblem("outside", hex=tap.hex)
        seen.add(tap.hex)
    for points in ([hex_center(t.hex) for t in taps], [t.px for t in taps]):
        if _thinness(points) < 0.08:
            raise GridProblem("in_line")


def _thinness(points: Sequence[tuple[float, float]]) -> float:
    """How far points are from all but one lying in a line: 0 for a line, about 1 for a square.

    A homography needs four points of which no three lie in line, so the best four count.
    """

    def smallest_turn(four: tuple[tuple[float, float], ...]) -> float:
        p = np.asarray(four)
        area = [abs(float(np.linalg.det(np.array([b - a, c - a])))) for a, b, c in combinations(p, 3)]
        return min(area) / max(float(np.ptp(p, axis=0).max()) ** 2, 1e-9)

    return max(smallest_turn(four) for four in islice(combinations(points, 4), 3000))


def _fit(taps: Iterable[Tap]) -> Matrix:
    pairs = list(taps)
    plane = np.array([hex_center(t.hex) for t in pairs])
    found, _ = cv2.findHomography(plane, np.array([t.px for t in pairs]), 0)
    return np.eye(3) if found is None else np.asarray(found / found[2, 2], np.float64)


def _errors(plane: Matrix, taps: Sequence[Tap]) -> NDArray[np.float64]:
    """(taps,) float64: how far each tap is from its hex's middle, in hex sides."""
    if abs(np.linalg.det(plane)) < 1e-12:
        return np.full(len(taps), np.inf)
    back = transform([t.px for t in taps], inverse(plane))
    off: NDArray[np.float64] = np.linalg.norm(back - [hex_center(t.hex) for t in taps], axis=1) / HEX_SIDE_MM
    return off


def _faces_camera(plane: Matrix, hexes: Iterable[Hex]) -> bool:
    """No hex mirrored, behind the camera, or absurdly smaller than another."""
    centers = np.array([hex_center(at) for at in hexes])
    depth = centers @ plane[2, :2] + plane[2, 2]
    if depth.min() <= 0:
        return False
    growth = np.linalg.det(plane) / depth**3
    return bool(growth.min() > 0 and growth.max() < 40 * growth.min())


def _wrong_tap(taps: Sequence[Tap], hexes: Collection[Hex], error: float) -> GridProblem | None:
    """The tap that lies on another hex: the one whose exchange for a near hex makes all fit far better."""
    if len(taps) <= LEAST_POINTS:
        return None
    taken = {tap.hex for tap in taps}
    trials = [
        (float(_errors(_fit(changed), changed).max()), k, at)
        for k, tap in enumerate(taps)
        for at in hexes
        if 0 < distance(at, tap.hex) <= 2 and at not in taken
        for changed in [[*taps[:k], Tap(at, tap.px), *taps[k + 1 :]]]
        if _faces_camera(_fit(changed), hexes)
    ]
    least, k, at = min(trials, default=(np.inf, 0, (0, 0)))
    return GridProblem("wrong_tap", hex=taps[k].hex, instead=at) if least < error / FAR_BETTER else None


def _stray_tap(taps: Sequence[Tap]) -> GridProblem | None:
    """The tap that lies nowhere: the one without which the others fit."""
    if len(taps) <= LEAST_POINTS + 1:
        return None
    rests = [[*taps[:k], *taps[k + 1 :]] for k in range(len(taps))]
    errors = [float(_errors(_fit(rest), rest).max()) for rest in rests]
    worst = int(np.argmin(errors))
    return GridProblem("stray_tap", hex=taps[worst].hex) if errors[worst] < SUSPICIOUS else None


def _on_lines(plane: Matrix, hexes: Collection[Hex], reference: Pixels) -> Matrix | None:
    """The grid moved onto printed hex lines; None where the print has none."""
    current = plane
    points, normals = _edge_samples(hexes)
    for _ in range(LINE_ROUNDS):
        offset, contrast = _line_offsets(current, points, normals, reference)
        clear = contrast > LINE_CONTRAST
        if clear.mean() < LINES_SHOWN:
            return None
        target = transform(points + normals * offset[:, None], current)
        px_per_mm = float(np.linalg.norm(np.ptp(target, axis=0)) / np.linalg.norm(np.ptp(points, axis=0)))
        found, mask = cv2.findHomography(points[clear], target[clear], cv2.RANSAC, max(1.0, px_per_mm))
        # Lines that do not lie on one grid are rivers and borders: about a fifth would agree by chance.
        if found is None or mask.mean() < LINES_AGREE:
            return None
        current = np.asarray(found, np.float64)
        if not _faces_camera(current, hexes):
            return None
    return current


def _edge_samples(hexes: Collection[Hex]) -> tuple[Points, Points]:
    """Points along every hex edge and the unit normals there, mm in the plane; (n, 2) float64 each."""
    points, normals = [], []
    for at in hexes:
        outline = np.array(hex_outline(at))
        for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            along = (b - a) / np.linalg.norm(b - a)
            for share in (0.2, 0.35, 0.5, 0.65, 0.8):
                points.append(a + share * (b - a))
                normals.append((-along[1], along[0]))
    return np.array(points), np.array(normals)


def _line_offsets(
    plane: Matrix, points: Points, normals: Points, reference: Pixels
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far along its normal each point's nearest line lies (mm), and how clearly it stands out."""
    steps = np.linspace(-LINE_SEARCH, LINE_SEARCH, 25) * HEX_SIDE_MM
    samples = points[:, None, :] + normals[:, None, :] * steps[None, :, None]
    image = transform(samples.reshape(-1, 2), plane).astype(np.float32).reshape(len(points), len(steps), 2)
    gray = cv2.GaussianBlur(cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    profile = cv2.remap(gray, image[..., 0], image[..., 1], cv2.INTER_LINEAR).astype(np.float64)
    # A printed line is a dark or light ridge: unlike the median of its surroundings.
    ridge = np.abs(profile - np.median(profile, axis=1, keepdims=True))
    best = ridge.argmax(axis=1)
    noise = np.median(ridge, axis=1) + 2.0
    return steps[best], ridge.max(axis=1) / noise / 2
