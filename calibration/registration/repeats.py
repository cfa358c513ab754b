"""A board whose print repeats itself may be found some repetitions beside; the print tells which place is right.

The sixteen spaces of a track differ by a number only, and four tracks below each other by even less. Where few features
match, they may all be those of a neighbour, and most of the print agrees there too.
"""

from functools import lru_cache

import numpy as np

from ..photo import Pixels
from ..surface import Matrix, Points, Surface, shifting
from .agreement import correlations

# Where so many features match, they are not all those of a neighbour.
PLENTY = 80
# So many repetitions beside a board is looked for, in so many directions.
REACH, DIRECTIONS = 3, 2
# The print repeats itself where it correlates so well with itself: that of tracks does by 0.6 to 0.8 a space farther.
ALIKE = 0.4
# So many steps between cells are tried, the shortest first, and no more than the second number where none of these is
# one; two that differ by less, mm, are the same, and two between which the sine of the angle is less in one direction.
TRIED, TO_NEIGHBOURS, SAME_STEP, SAME_DIRECTION = 40, 6, 3.0, 0.2


def right_place(photo: Pixels, surface: Surface, plane_to_photo: Matrix) -> Matrix:
    """The homography itself or one beside by some repetitions, whichever agrees best with a straight photo."""
    if not (moves := repeats(surface)):
        return plane_to_photo
    places = [plane_to_photo, *(plane_to_photo @ move for move in moves)]
    return places[int(np.argmax([_likeness(photo, surface, place) for place in places]))]


@lru_cache(4)
def repeats(surface: Surface) -> list[Matrix]:
    """The translations of the plane, mm, after which the print looks much as before; kept, for it never changes."""
    found: list[Points] = []
    for nth, step in enumerate(_steps(surface.centers)[:TRIED]):
        if len(found) == DIRECTIONS or (nth == TO_NEIGHBOURS and not found):
            break
        if all(_turned(step, other) > SAME_DIRECTION for other in found) and _alike(surface, shifting(*step)):
            found.append(step)
    moves = [shifting(*(n * step)) for step in found for n in range(-REACH, REACH + 1) if n]
    return [move for move in moves if _alike(surface, move)]


def _alike(surface: Surface, move: Matrix) -> bool:
    """Whether the print moved like this looks much as before."""
    return _likeness(surface.reference, surface, surface.plane_to_image @ move) > ALIKE


def _likeness(photo: Pixels, surface: Surface, plane_to_photo: Matrix) -> float:
    """How well the photo shows the print there, a mean correlation."""
    found = correlations(photo, surface, plane_to_photo)
    return float(found.mean()) if len(found) else -1.0


def _steps(centers: Points) -> Points:
    """(n, 2): from every cell to every other, mm, in one of both directions and each only once, the shortest first.

    Cells that lie in one place are no step apart.
    """
    first, second = np.triu_indices(len(centers), 1)
    steps = centers[second] - centers[first]
    steps = np.where(steps[:, :1] + steps[:, 1:] / 2 < 0, -steps, steps)
    _, kept = np.unique(np.rint(steps / SAME_STEP), axis=0, return_index=True)
    lengths = np.linalg.norm(steps[kept], axis=1)
    by_length = np.argsort(lengths, kind="stable")
    return np.asarray(steps[kept][by_length[lengths[by_length] > SAME_STEP]], np.float64)


def _turned(one: Points, other: Points) -> float:
    """The sine of the angle between two directions, whichever way each points."""
    across = abs(float(one[0] * other[1] - one[1] * other[0]))
    return across / float(np.linalg.norm(one) * np.linalg.norm(other))
