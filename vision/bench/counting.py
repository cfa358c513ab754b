"""What all benches do: take things one by one, and count."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from engine.sentences import N_, Progress

READING = N_("Reading the sample photos")
T = TypeVar("T")


def one_by_one(things: Sequence[T], progress: Progress, step: str = READING) -> Iterator[T]:
    """Each of the things in turn, with the share that is done told before it."""
    for nth, thing in enumerate(things):
        progress(step, nth / len(things))
        yield thing


def share(values: Iterable[bool | None]) -> float | None:
    """How many of the values that are known are true, as a share; None of nothing."""
    listed = [value for value in values if value is not None]
    return sum(listed) / len(listed) if listed else None
