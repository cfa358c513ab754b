"""Taps: where a person says that hexes lie in the photo of the empty map, and which of them to believe."""

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import ClassVar

import cv2
import numpy as np

from engine.hexgrid import Hex
from engine.mini_express.errors import as_json
from engine.sentences import N_, Problem

from ..hexes import HEX_SIDE_MM, hex_center, hex_centers
from ..projection import faces_camera
from ..surface import Matrix, Points, inverse, pairs, scaling, transform

LEAST_POINTS = 4
# From so many taps that agree on, others may be left out; four points always fit a homography.
ENOUGH = 5
# A tap may be off by this share of a hex side; more than that is a tap on something else.
TOLERANCE = 0.45
# A tap on a hex beside the right one is this near to it, in hex sides.
NEXT = 3**0.5 + TOLERANCE
# How far taps usually are off, in hex sides, and what a tap on the hex beside, on any other, or on none, costs against
# that. Of 320 sets of six and eight taps drawn by lot, 240 of them with one wrong tap, 316 are understood rightly; of
# 160 sets of five, 120.
USUAL, BESIDE, FAR, STRAY = 0.1, 4.0, 14.0, 22.0
TRIES = 600
# Taps whose `_thinness` is less than this lie too much in one line.
THIN = 0.08
# No hex is shown so many times as large, in area, as another: the far end of the map would be more than three times
# (the cube root) as far from the camera as the near one, and the empty map is taken from above.
GROWTH = 40.0
# Ways to understand the taps that cost so little more than the best are left to the printed lines to tell.
UNCLEAR, WAYS = 10.0, 4
# In ways that cost so little more than the best, the wrong tap is to be looked for, too.
SUSPICIOUS = 6.0


class GridProblem(Problem):
    """Tapped points that give no grid; says which and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "too_few": N_(
            "Tapped hexes: {found}, and at least 4 are needed: tap hexes far apart, at best near the corners."
        ),
        "not_on_board": N_("The hex {hex} is not on the map {board}: check the points."),
        "too_far": N_("This is too far from the hexes tapped so far: tap one nearer to them."),
        "not_beside": N_(
            "This hex and those before do not touch each other as they should: tap the middle of the one in the ring, "
            "or take back what was tapped wrongly."
        ),
        "tangled": N_(
            "The first five hexes do not lie beside each other as they should: take them back and tap them again."
        ),
        "twice": N_("The hex {hex} is tapped twice: tap each hex once."),
        "outside": N_("The point for hex {hex} lies outside the picture: check the points."),
        "in_line": N_(
            "The points lie too much in one line, or on one spot: tap hexes near the corners of the map, each where "
            "the photo shows it."
        ),
        "wrong_tap": N_("The point for hex {hex} seems to lie on hex {instead}: tap it again."),
        "stray_tap": N_("The point for hex {hex} does not fit the others: tap it again."),
        "wrong_taps": N_("The points for {hexes} seem to be wrong: tap them again."),
        "one_of": N_(
            "The points do not fit together: one of those for {hexes} seems to be wrong. Tap it again."
        ),
        "no_fit": N_(
            "The tapped points do not fit the map {board} together: check that it is the right map, tap again."
        ),
        "none": N_(
            "The points file has no points, as where no hexes were found: write down where at least four lie."
        ),
        "format": N_(
            'Points are written {{"image_points": [{{"hex": [q, r], "px": [x, y]}}, …]}}: {found} was found instead.'
        ),
    }


class LeftOut(Problem):
    """A tap that was left out because enough others agree; a notice, not an error."""

    sentences: ClassVar[dict[str, str]] = {
        "wrong_tap": N_("The point for hex {hex} lies on hex {instead} and was left out: the others agree."),
        "stray_tap": N_("The point for hex {hex} does not fit the others and was left out."),
    }


@dataclass(frozen=True)
class Tap:
    """The middle of a hex as a person tapped it, in pixels of the reference photo."""

    hex: Hex
    px: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Interpretation:
    """One way to understand the taps: with the homography through those in `right`.

    Of the others, `wrong` maps a tap's index to the hex it lies on, or to None where it lies on none.
    """

    plane_to_image: Matrix
    right: list[int]
    wrong: dict[int, Hex | None]
    cost: float


def read_taps(obj: object, scale: float = 1.0) -> list[Tap]:
    """The points file's content as taps in an image made smaller by `scale`; null is what `propose` writes where it
    found none. Raises GridProblem."""
    rows = obj.get("image_points", ...) if isinstance(obj, dict) else ...
    if rows is None:
        raise GridProblem("none")
    if not isinstance(rows, list):
        raise GridProblem("format", found=as_json(obj))
    return [_read_tap(row, scale) for row in rows]


def _read_tap(row: object, scale: float) -> Tap:
    try:
        (q, r), (x, y) = row["hex"], row["px"]  # type: ignore[index]
        at, px = (int(q), int(r)), (float(x), float(y))
    except (TypeError, KeyError, ValueError, OverflowError):
        raise GridProblem("format", found=as_json(row)) from None
    if at != (q, r) or not np.isfinite(px).all():
        raise GridProblem("format", found=as_json(row))
    (px,) = pairs(transform([px], inverse(scaling(scale))))
    return Tap(at, px)


def check_taps(taps: Sequence[Tap], board: str, hexes: Collection[Hex], shape: tuple[int, ...]) -> None:
    """Raise GridProblem where taps cannot make a grid whatever the photo shows."""
    if len(taps) < LEAST_POINTS:
        raise GridProblem("too_few", found=len(taps))
    check_each(taps, board, hexes, shape)
    for points in ([hex_center(t.hex) for t in taps], [t.px for t in taps]):
        if _thinness(points) < THIN:
            raise GridProblem("in_line")


def check_each(taps: Sequence[Tap], board: str, hexes: Collection[Hex], shape: tuple[int, ...]) -> None:
    """Raise GridProblem where a tap is on no hex of the map, outside the picture, or there twice."""
    seen: set[Hex] = set()
    for tap in taps:
        if tap.hex not in hexes:
            raise GridProblem("not_on_board", hex=tap.hex, board=board)
        if tap.hex in seen:
            raise GridProblem("twice", hex=tap.hex)
        if not (-1 < tap.px[0] < shape[1] and -1 < tap.px[1] < shape[0]):
            raise GridProblem("outside", hex=tap.hex)
        seen.add(tap.hex)


def _thinness(points: Sequence[tuple[float, float]]) -> float:
    """How far points are from all but one lying in a line: 0 for a line, about 1 for a square.

    A homography needs four points of which no three lie in line, so the best four count.
    """

    def smallest_turn(four: tuple[tuple[float, float], ...]) -> float:
        p = np.asarray(four)
        area = [abs(float(np.linalg.det(np.array([b - a, c - a])))) for a, b, c in combinations(p, 3)]
        return min(area) / max(float(np.ptp(p, axis=0).max()) ** 2, 1e-9)

    return max(smallest_turn(four) for four in islice(combinations(points, 4), 3000))


def interpretations(taps: Sequence[Tap], board: str, hexes: Collection[Hex]) -> list[Interpretation]:
    """The ways to understand the taps that may be right, the most probable first, at most `WAYS`.

    Raises GridProblem where there is none.
    """
    ways: dict[tuple[tuple[int, Hex | None], ...], Interpretation] = {}
    for way in sorted(_interpretations(taps, hexes), key=lambda way: way.cost):
        if len(way.right) >= LEAST_POINTS:
            ways.setdefault(tuple(way.wrong.items()), way)
    if not ways:
        raise GridProblem("no_fit", board=board)
    best = next(iter(ways.values()))
    return [way for way in ways.values() if way.cost < best.cost + UNCLEAR][:WAYS]


def check_agreement(ways: Sequence[Interpretation], taps: Sequence[Tap], board: str) -> None:
    """Raise GridProblem where too few taps agree, naming the wrong ones or, where it is not clear, all that may be."""
    best = ways[0]
    if not best.wrong or len(best.right) >= ENOUGH:
        return
    if 2 * len(best.wrong) > len(best.right):  # any four fit some grid
        raise GridProblem("no_fit", board=board)
    if len(best.wrong) > 1:
        raise GridProblem("wrong_taps", hexes=[taps[k].hex for k in best.wrong])
    probable = [way for way in ways if way.cost < best.cost + SUSPICIOUS]
    suspects = list(dict.fromkeys(k for way in probable for k in way.wrong))
    if len(suspects) > 1:
        raise GridProblem("one_of", hexes=[taps[k].hex for k in suspects])
    (wrong,) = left_out(best, taps)
    raise GridProblem(wrong.key, **wrong.values)


def left_out(way: Interpretation, taps: Sequence[Tap]) -> tuple[LeftOut, ...]:
    """A notice for each tap that is not believed."""
    return tuple(
        LeftOut("stray_tap", hex=taps[k].hex)
        if instead is None
        else LeftOut("wrong_tap", hex=taps[k].hex, instead=instead)
        for k, instead in way.wrong.items()
    )


def _interpretations(taps: Sequence[Tap], hexes: Collection[Hex]) -> Iterator[Interpretation]:
    """What all taps together say, and what every four of them say of the others."""
    for some in [range(len(taps)), *_fours(len(taps))]:
        rough = _interpretation(taps, hexes, [taps[k] for k in some], reach=1.0)
        if rough is None:
            continue
        # Four clumsy taps tell roughly where the others lie; with these, the second look is sharper. So roughly, a tap
        # on no hex seems to lie on some, and would spoil it.
        understood = _understood(taps, rough)
        in_place = [tap for tap in understood if tap in taps]
        for believed in [understood] if in_place == understood else [understood, in_place]:
            if (sharp := _interpretation(taps, hexes, believed)) is not None:
                yield sharp


def _fours(count: int) -> list[tuple[int, ...]]:
    """Every four of the taps, or where these are too many, some drawn by lot, always the same."""
    if comb(count, LEAST_POINTS) <= TRIES:
        return list(combinations(range(count), LEAST_POINTS))
    lot = random.Random(0)
    return [tuple(lot.sample(range(count), LEAST_POINTS)) for _ in range(TRIES)]


def _understood(taps: Sequence[Tap], way: Interpretation) -> list[Tap]:
    """The taps with the hexes they lie on, without those that lie on none."""
    found = [*way.right, *(k for k, instead in way.wrong.items() if instead is not None)]
    return [Tap(way.wrong.get(k) or taps[k].hex, taps[k].px) for k in sorted(found)]


def _interpretation(
    taps: Sequence[Tap], hexes: Collection[Hex], believed: Sequence[Tap], reach: float = TOLERANCE
) -> Interpretation | None:
    """The taps as seen from the homography of the believed ones; None where no camera sees it so."""
    if len(believed) < LEAST_POINTS:
        return None
    plane_to_image = grid_through(believed)
    if not hexes_face_camera(plane_to_image, hexes):
        return None
    places = transform([tap.px for tap in taps], inverse(plane_to_image))
    return judged(plane_to_image, places, taps, hexes, reach)


def judged(
    plane_to_image: Matrix,
    places: Points,
    taps: Sequence[Tap],
    hexes: Collection[Hex],
    reach: float = TOLERANCE,
) -> Interpretation:
    """What taps say by their `places` in the plane, (taps, 2) mm: right, or within `reach` hex sides on another hex."""
    board, right, cost = list(hexes), list[int](), 0.0
    wrong: dict[int, Hex | None] = {}
    own = np.linalg.norm(places - hex_centers(tap.hex for tap in taps), axis=1) / HEX_SIDE_MM
    away = np.linalg.norm(places[:, None] - hex_centers(board), axis=2) / HEX_SIDE_MM
    for k, nearest in enumerate(away.argmin(axis=1).tolist()):
        if own[k] < TOLERANCE:
            right.append(k)
            cost += (own[k] / USUAL) ** 2
        elif away[k, nearest] < reach:
            wrong[k] = board[nearest]
            cost += (BESIDE if own[k] < NEXT else FAR) + (away[k, nearest] / USUAL) ** 2
        else:
            wrong[k] = None
            cost += STRAY
    return Interpretation(plane_to_image, right, wrong, float(cost))


def grid_through(taps: Sequence[Tap]) -> Matrix:
    """The homography plane mm → px that shows the hexes best where they were tapped; of zeros where none does."""
    found, _ = cv2.findHomography(hex_centers(tap.hex for tap in taps), np.array([tap.px for tap in taps]))
    return np.zeros((3, 3)) if found is None else np.asarray(found, np.float64)


def hexes_face_camera(plane_to_image: Matrix, hexes: Iterable[Hex]) -> bool:
    """No hex is mirrored, behind the camera where another is before it, or absurdly smaller than another."""
    return bool(np.isfinite(plane_to_image).all()) and faces_camera(
        plane_to_image, hex_centers(hexes), GROWTH
    )
