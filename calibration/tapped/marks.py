"""A point that a person tapped in a photo, and the next one that is asked for."""

from dataclasses import dataclass

from engine.sentences import Phrase

from .corners import Px


@dataclass(frozen=True)
class Mark:
    """A point that was tapped: `of` says of what ("0,-2", "corners", "value/brown"), `px` where in the photo.

    No `px` says that this board has no such thing, or that it was not found. On a track `at` is the number of the
    space, and `bend` says that the track goes on from it in another direction.
    """

    of: str
    px: Px | None
    at: int = 0
    bend: bool = False


@dataclass(frozen=True)
class Wanted:
    """The next point to tap, in words; `at` is the space's likely number on a track, else None.

    Where the point should be, if that is known, is `near`, px.
    """

    of: str
    words: Phrase
    at: int | None = None
    optional: bool = False
    near: Px | None = None
