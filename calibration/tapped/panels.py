"""Boards of tracks and areas: where their spaces lie in a photo of the empty board, from a few taps.

A track is a row of spaces for markers ("value/brown", "influence/brown", or "value" where all companies share
one), an area holds pieces loosely ("reservoir/brown", "offer/brown", "company/brown"). Nothing is known of a
board's print: its four corners and its size in millimetres give the plane, the taps everything else.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, ClassVar

import cv2
import numpy as np

from engine.mini_express.errors import as_json
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Problem

from ..cell_names import AREAS, TRACKS, CellName
from ..lessons import three
from ..photo import Photo
from ..pieces import PIECES_MM, Size, panel_pieces
from ..surface import Cell, Matrix, Points, Surface, inverse, overlap, pairs, scaling, transform
from .corners import OF_A_BOARD, lie_inside, looks_turned, plane_of_corners, read_points

NAME = re.compile(rf"({'|'.join((*TRACKS, *AREAS))})(/({'|'.join(COMPANIES)}))?")

PIECE_MM_WITHIN, BOARD_MM_WITHIN = (1.0, 100.0), (30.0, 1200.0)
LAST_SPACE = 120
# Spaces nearer than this, mm, hold no markers; straight parts of a track may differ this much in their spaces.
LEAST_PITCH_MM, UNEVEN = 4.0, 1.3
# No piece that lies in an area is narrower.
LEAST_AREA_MM = 6.0
# Corners are tapped as well as the rest; of two tracks, or areas of a kind, no more than this can be the same place.
BEYOND_MM, OVERLAP = 20.0, 0.5


class PanelProblem(Problem):
    """Points of a board of tracks and areas that do not fit together; says which and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "format": N_(
            'The points file needs "corners" (four points), "size_mm" (width, height) and "tracks" or "areas"; '
            "{found} was found instead."
        ),
        "name": N_(
            "{found} is not the name of a track or an area: name it like value/brown, influence/gray, "
            "reservoir/orange, offer/white or company/brown."
        ),
        **OF_A_BOARD,
        "at": N_(
            "The numbers of the spaces tapped on {what} must rise to {most} at most, one for each of 2 or more points."
        ),
        "together": N_(
            "The spaces of {what} would lie only {found} mm apart: check its points and the numbers of their spaces."
        ),
        "uneven": N_(
            "The spaces of {what} would be much wider on one side of a tapped space than on the other: tap the middle "
            "of its first space, of every corner space and of its last, and give their numbers."
        ),
        "area": N_("The corners of {what} lie too near each other, or in one line: tap them again."),
        "beyond": N_("{what} lies outside the four corners of the board: tap it again, or the corners."),
        "overlap": N_("{what} and {other} lie in the same place: tap again the one that lies elsewhere."),
        "few": N_("{what} needs three points or more, its corners."),
        "nothing": N_("The points name no track and no area: tap at least one."),
        "no_track": N_(
            "The points name no track such as value/brown: check that they are those of the board with the tracks."
        ),
        "no_area": N_(
            "The points name no area such as reservoir/brown: check that they are those of the board with the "
            "reservoirs."
        ),
    }


@dataclass(frozen=True)
class Track:
    """A row of spaces: `px` are the middles of its first, its corners and its last, `at` their numbers."""

    at: tuple[int, ...]
    px: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class PanelPoints:
    """What a person taps and measures: everything in pixels of the photo and in mm."""

    corners: tuple[tuple[float, float], ...]
    size: tuple[float, float]
    tracks: Mapping[str, Track]
    areas: Mapping[str, tuple[tuple[float, float], ...]]
    pieces: Mapping[str, Size]


def read_panel_points(obj: object, scale: float = 1.0) -> PanelPoints:
    """The points file's content, in pixels of an image made smaller by `scale`. Raises PanelProblem."""
    try:
        whole = dict(obj)  # type: ignore[call-overload]
        width, height = (float(v) for v in whole["size_mm"])
        points = PanelPoints(
            read_points(whole["corners"], scale),
            (width, height),
            {n: _read_track(track, scale) for n, track in _items(whole, "tracks")},
            {n: read_points(px, scale) for n, px in _items(whole, "areas")},
            {n: three(size) for n, size in _items(whole, "pieces_mm")},
        )
    except (TypeError, KeyError, ValueError, OverflowError, AttributeError):
        raise PanelProblem("format", found=as_json(obj)) from None
    _check_names(points)
    _check_sizes(points)
    return points


def _items(whole: Mapping[str, Any], part: str) -> Iterable[tuple[str, Any]]:
    return dict(whole.get(part) or {}).items()


def _read_track(track: Any, scale: float) -> Track:
    at = tuple(int(n) for n in track["at"])
    if at != tuple(track["at"]):
        raise ValueError(at)
    return Track(at, read_points(track["px"], scale))


def _check_names(points: PanelPoints) -> None:
    if not points.tracks and not points.areas:
        raise PanelProblem("nothing")
    for sorts, names in ((TRACKS, points.tracks), (AREAS, points.areas), (PIECES_MM, points.pieces)):
        for name in names:
            found = NAME.fullmatch(str(name))
            shared = sorts is PIECES_MM or name == "value"
            if not found or found[1] not in sorts or not (found[2] or shared):
                raise PanelProblem("name", found=name)


def _check_sizes(points: PanelPoints) -> None:
    low, high = BOARD_MM_WITHIN
    if not all(low <= side <= high for side in points.size):
        raise PanelProblem("size", found=list(points.size), what="size_mm")
    low, high = PIECE_MM_WITHIN
    for name, size in points.pieces.items():
        if not all(low <= side <= high for side in size):
            raise PanelProblem("size", found=list(size), what=name)


def calibrate_panel(name: str, photo: Photo, points: PanelPoints, board: str) -> Surface:
    """The surface `name` of the game on `board` from a photo of it empty. Raises PanelProblem."""
    if name == "tracks" and not points.tracks:
        raise PanelProblem("no_track")
    if name == "assets" and not points.areas:
        raise PanelProblem("no_area")
    _check_inside(points, photo)
    plane = _plane(points)
    if looks_turned(points.corners, points.size, photo.size):
        raise PanelProblem("turned")
    to_plane = inverse(plane)
    rows = {n: _spaces(n, track, to_plane) for n, track in points.tracks.items()}
    cells = [cell for n, track in points.tracks.items() for cell in _track_cells(n, rows, track.at[0])]
    cells += [_area_cell(n, px, to_plane) for n, px in points.areas.items()]
    _check_on_board(cells, points.size)
    _check_apart(cells)
    kinds = panel_pieces([*points.tracks, *points.areas], points.pieces)
    whole = scaling(photo.scale) @ plane
    return Surface(name, board, photo.pixels, whole, tuple(cells), kinds, scale=photo.scale)


def check_area(name: str, points: PanelPoints) -> None:
    """Raises PanelProblem where one of the areas has no room for anything."""
    _area_cell(name, points.areas[name], inverse(_plane(points)))


def _check_inside(points: PanelPoints, photo: Photo) -> None:
    named = {"corners": points.corners, **{n: t.px for n, t in points.tracks.items()}, **points.areas}
    for name, px in named.items():
        if not lie_inside(px, photo):
            raise PanelProblem("outside", what=name)


def _plane(points: PanelPoints) -> Matrix:
    """Plane mm → photo px by the four corners."""
    plane = plane_of_corners(points.corners, points.size)
    if plane is None:
        raise PanelProblem("corners")
    return plane


def _spaces(name: str, track: Track, to_plane: Matrix) -> Points:
    """(spaces, 2) float64: the middles of a track's spaces, mm; evenly spread between the tapped ones."""
    steps = np.diff(track.at)
    if (
        len(track.at) != len(track.px)
        or not len(steps)
        or min(*steps, track.at[0] + 1) < 1
        or track.at[-1] > LAST_SPACE
    ):
        raise PanelProblem("at", what=name, most=LAST_SPACE)
    bends = transform(track.px, to_plane)
    pitches = np.linalg.norm(np.diff(bends, axis=0), axis=1) / steps
    if pitches.min() < LEAST_PITCH_MM:
        raise PanelProblem("together", what=name, found=round(float(pitches.min()), 1))
    if pitches.max() > UNEVEN * pitches.min():
        raise PanelProblem("uneven", what=name)
    parts = [
        a + (b - a) * np.arange(n)[:, None] / n for (a, b), n in zip(pairwise(bends), steps, strict=True)
    ]
    return np.concatenate([*parts, bends[-1:]])


def _track_cells(name: str, rows: Mapping[str, Points], first: int) -> list[Cell]:
    """The spaces of a track: as long as they lie apart, as wide too, if no other track is nearer."""
    middles = rows[name]
    along = np.gradient(middles, axis=0)
    pitch = float(np.median(np.linalg.norm(np.diff(middles, axis=0), axis=1)))
    others = [row for other, row in rows.items() if other != name]
    apart = [float(np.linalg.norm(row[:, None] - middles, axis=2).min()) for row in others]
    width = max(LEAST_PITCH_MM, min([pitch, *apart]))
    return [
        Cell(f"{name}/{k}", _rectangle(middle, way / np.linalg.norm(way), pitch, width))
        for k, (middle, way) in enumerate(zip(middles, along, strict=True), first)
    ]


def _rectangle(middle: Points, way: Points, length: float, width: float) -> tuple[tuple[float, float], ...]:
    ahead, aside = way * length / 2, np.array([-way[1], way[0]]) * width / 2
    corners = (middle - ahead - aside, middle + ahead - aside, middle + ahead + aside, middle - ahead + aside)
    return pairs(corners)


def _area_cell(name: str, px: Sequence[tuple[float, float]], to_plane: Matrix) -> Cell:
    """An area as the hull of its points."""
    if len(px) < 3:
        raise PanelProblem("few", what=name)
    hull = cv2.convexHull(transform(px, to_plane).astype(np.float32)).reshape(-1, 2)
    if len(hull) < 3 or min(cv2.minAreaRect(hull)[1]) < LEAST_AREA_MM:
        raise PanelProblem("area", what=name)
    return Cell(name, pairs(hull))


def _check_on_board(cells: Sequence[Cell], size: tuple[float, float]) -> None:
    for cell in cells:
        outline = np.array(cell.outline)
        if outline.min() < -BEYOND_MM or (outline > np.add(size, BEYOND_MM)).any():
            raise PanelProblem("beyond", what=CellName.of(cell.id).row)


def _check_apart(cells: Sequence[Cell]) -> None:
    """A marker may stand on an area of another kind, but no two tracks or areas of a kind lie in one place."""
    for one, other in combinations(cells, 2):
        a, b = CellName.of(one.id), CellName.of(other.id)
        alike = a.sort == b.sort or {a.sort, b.sort} <= {*TRACKS}
        if alike and a.row != b.row and overlap(one, other) > OVERLAP:
            raise PanelProblem("overlap", what=a.row, other=b.row)
