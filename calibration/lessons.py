"""What a table has taught about the looks of its pieces: colours by name, one for each photo that taught it.

A colour is three numbers on whatever scale the reader uses. What counts is the median over the photos and what was
assumed before, so that one photo in bad light spoils nothing; the first photos, mostly of the set-up, are never
dropped.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Colour = tuple[float, float, float]
Lessons = Mapping[str, tuple[Colour, ...]]

# On no scale of a reader is anything so far from 0.
FARTHEST = 1e6
FIRST_KEPT, LAST_KEPT = 4, 8


def with_lesson(lessons: Lessons, shown: Mapping[str, Colour]) -> Lessons:
    """The lessons and one more, what one photo showed."""
    return {name: remembered((*lessons.get(name, ()), *_one(shown, name))) for name in {**lessons, **shown}}


def has_taught(lessons: Lessons, shown: Mapping[str, Colour]) -> bool:
    """Whether the photo that shows this is among those that taught: no two photos show one colour to the last place."""
    return any(_stored(colour) in map(_stored, lessons.get(name, ())) for name, colour in shown.items())


def settled(assumed: Sequence[float], taught: Sequence[Colour]) -> Colour:
    """What the photos and the assumption together say of one name: a median, in which they have a voice each.

    The one piece of a kind in a photo of the set-up may stand in a shadow.
    """
    return _colour(np.median(np.array([assumed, *taught]), axis=0).tolist())


def lessons_to_json(lessons: Lessons) -> dict[str, list[list[float]]]:
    """Colours by name, to four places."""
    return {name: [_stored(colour) for colour in colours] for name, colours in lessons.items()}


def lessons_from_json(obj: Mapping[str, list[list[float]]]) -> Lessons:
    """Raises ValueError, TypeError for anything but colours by name."""
    return {
        str(name): tuple(_colour(colour) for colour in colours) for name, colours in obj.items() if colours
    }


def three(values: Any) -> tuple[float, float, float]:
    """Three numbers of plain data, as a colour or a size is. Raises ValueError, TypeError."""
    a, b, c = values
    return float(a), float(b), float(c)


def remembered(looks: tuple[T, ...], last: int = LAST_KEPT) -> tuple[T, ...]:
    """Of the looks of one thing the first ones and the `last`."""
    middle = max(FIRST_KEPT, len(looks) - last)
    return looks[:FIRST_KEPT] + looks[middle:]


def _stored(colour: Colour) -> list[float]:
    return [round(v, 4) for v in colour]


def _one(shown: Mapping[str, Colour], name: str) -> tuple[Colour, ...]:
    return (shown[name],) if name in shown else ()


def _colour(values: list[float]) -> Colour:
    colour = three(values)
    if not (np.abs(colour) < FARTHEST).all():
        raise ValueError("colour")
    return colour
