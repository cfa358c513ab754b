"""The hex grid in the photo of the empty map: from a few tapped hexes, refined on the printed lines or cities."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.hexgrid import Hex
from engine.sentences import N_, Phrase

from ..hexes import hex_centers
from ..photo import Pixels
from ..projection import Lens, Projection
from ..surface import Matrix, Points
from .discs import moved_onto_discs
from .lines import Finder
from .taps import (
    ENOUGH,
    LEAST_POINTS,
    Interpretation,
    LeftOut,
    Tap,
    check_agreement,
    check_taps,
    hexes_face_camera,
    interpretations,
    judged,
    left_out,
)

# Lines and cities may be printed a little apart. Where more than a shift parts them, mm, the lines are double ones, of
# which now the one and now the other was taken.
DOUBLED_MM = 1.0
# How well the taps fit, by what the grid was found on.
FITS = {
    "lines": N_("The hexes lie on the printed lines; the points are {px} px ({mm} mm) off on average."),
    "discs": N_("The hexes lie around the printed cities; the points are {px} px ({mm} mm) off on average."),
    "": N_(
        "Neither printed lines nor cities were found, so the hexes lie as exactly as the points were tapped; "
        "they are {px} px ({mm} mm) apart on average."
    ),
}
UNCHECKED = Phrase(
    "So few points fit more than one grid: tap one or two more, so that a wrong one can be found."
)


@dataclass(frozen=True, eq=False)
class Grid:
    """The hexes in the photo straightened by `lens`, which mostly is the photo itself.

    `residual_px` and `residual_mm` are the taps' median distance from the grid. `checked` is false where another
    grid fits nearly as well: with only four taps and no lines any does, and a small residual then says nothing.
    `left_out` says which taps are not believed.
    """

    plane_to_image: Matrix
    lens: Lens
    residual_px: float
    residual_mm: float
    checked: bool
    found: str
    left_out: tuple[LeftOut, ...] = ()

    @property
    def view(self) -> Projection:
        """Plane mm → px of the photo as it was taken."""
        return Projection(self.plane_to_image, self.lens)

    def told(self, scale: float = 1.0) -> list[Phrase | LeftOut]:
        """What a person should know of it, in sentences; pixels are those of a file `scale` times as large."""
        px, mm = round(self.residual_px * scale, 1), round(self.residual_mm, 1)
        fit = Phrase(FITS[self.found], px=px, mm=mm)
        # Four taps that nothing checks always fit.
        return [
            *self.left_out,
            *([] if self.checked else [UNCHECKED]),
            *([fit] if self.checked or px else []),
        ]


def fit_grid(
    taps: Sequence[Tap],
    board: str,
    hexes: Collection[Hex],
    reference: Pixels,
    cities: Collection[Hex] = (),
) -> Grid:
    """The grid that puts the tapped hexes where they were tapped. Raises GridProblem.

    A wrong tap is found from five taps on: another hex explains it, or none. Where enough
    others agree, or the print does, it is left out: its lines, or else the discs of the `cities`. The lens is
    estimated from these, never from taps, which are too few and too coarse.
    """
    check_taps(taps, board, hexes, reference.shape)
    ways = interpretations(taps, board, hexes)
    no_lens = Lens(0.0, (reference.shape[1], reference.shape[0]))
    starts = [Projection(way.plane_to_image, no_lens) for way in ways]
    for found, view in _in_print(starts, hexes, reference, cities):
        if hexes_face_camera(view.homography, hexes):
            seen = judged(view.homography, view.plane_of([tap.px for tap in taps]), taps, hexes)
            if len(seen.right) >= LEAST_POINTS:
                return _grid(view, taps, seen, True, found)
    check_agreement(ways, taps, board)
    likeliest = ways[0]
    if len(likeliest.right) >= ENOUGH:
        # Where the print tells nothing, no tap is left out that may be right.
        likeliest = next((way for way in ways if not way.wrong), likeliest)
    checked = len(ways) == 1 and len(likeliest.right) > LEAST_POINTS
    return _grid(Projection(likeliest.plane_to_image, no_lens), taps, likeliest, checked, "")


def _in_print(
    starts: Sequence[Projection], hexes: Collection[Hex], reference: Pixels, cities: Collection[Hex]
) -> Iterator[tuple[str, Projection]]:
    """The grids found in the print near any of the `starts`, by the lines, then by cities and the lines near them."""
    finder = Finder(hexes, reference)
    for start in starts:
        if (on_lines := finder.on_lines(start)) is not None:
            on_discs = moved_onto_discs(on_lines, reference, cities)
            if on_discs is None or _stretched(on_lines, on_discs, hexes) <= DOUBLED_MM:
                yield "lines", on_lines
            else:
                yield "discs", on_discs
    for start in starts:
        if (on_discs := moved_onto_discs(start, reference, cities)) is not None:
            on_lines = finder.on_lines(on_discs)
            yield ("discs", on_discs) if on_lines is None else ("lines", on_lines)


def _stretched(one: Projection, other: Projection, hexes: Collection[Hex]) -> float:
    """How far apart, mm, two grids are at most where one is shifted so that they agree best."""
    centers = hex_centers(hexes)
    apart = (other(centers) - one(centers)) / one.px_per_mm(centers)[:, None]
    return float(np.linalg.norm(apart - apart.mean(axis=0), axis=1).max())


def _grid(view: Projection, taps: Sequence[Tap], way: Interpretation, checked: bool, found: str) -> Grid:
    believed = [taps[k] for k in way.right]
    centers, px = hex_centers(tap.hex for tap in believed), np.array([tap.px for tap in believed])
    return Grid(
        view.homography,
        view.lens,
        _median_length(view(centers) - px),
        _median_length(centers - view.plane_of(px)),
        checked,
        found,
        left_out(way, taps),
    )


def _median_length(vectors: Points) -> float:
    return float(np.median(np.linalg.norm(vectors, axis=1)))
