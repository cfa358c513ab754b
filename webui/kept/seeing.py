"""What the pages ask of `vision`, which is looked up late: it takes a second to load."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from calibration import Photo, Profile
from engine.mini_express import Setup, State, state_to_json
from engine.mini_express.names import Answers
from engine.mini_express.notation import hex_to_text
from engine.sentences import Progress

if TYPE_CHECKING:
    from vision import Scan, TableScan

OTHER_TRAINS, OTHER_TILES, OTHER_NUMBERS = "moments", "other_tiles", "apart"
"""The conflicts of photos that contradict each other: in trains, in demand tiles, in the numbers of other boards."""
NO_PIXELS = np.zeros((0, 0, 3), np.uint8)


@dataclass(frozen=True)
class Seen:
    """What photos show of a game: the `table` that was read in them, whose photos themselves are not kept.

    `of_map` are the numbers of the photos that show the map, `boards` the names of the other boards in any of them.
    """

    table: "TableScan"
    of_map: tuple[int, ...]
    boards: tuple[str, ...]

    @property
    def map(self) -> "Scan | None":
        return self.table.map

    def answered(self, answers: Answers) -> "Seen":
        """With what a person said of (hex, company)."""
        return replace(self, table=self.table.answered(answers))


Outline = Sequence[tuple[float, float]]
"""The six corners of a hex in a photo, px."""


@dataclass(frozen=True)
class Places:
    """Where hexes lie in a photo of (width, height): the outline of each by its text."""

    size: tuple[int, int]
    hexes: Mapping[str, Outline]


Scanner = Callable[[Sequence[Photo], Profile, State, Progress], Seen]
Teacher = Callable[[Photo, Profile, State], Profile]
Counter = Callable[[Sequence[Photo], Profile, Sequence[str], Mapping[str, Photo]], "TableScan"]
Viewer = Callable[[Sequence[Photo], Profile, Setup], tuple["TableScan", dict[int, Places]]]


def _vision() -> ModuleType:
    import vision  # noqa: PLC0415

    return vision


def scan(photos: Sequence[Photo], profile: Profile, before: State, progress: Progress) -> Seen:
    """What photos show of a game since the state before. Raises as `vision.scan_table`, as do the next two."""
    found: TableScan = _vision().scan_table(photos, profile, before=before, progress=progress)
    maps = [sighting.photo for sighting in found.sightings if sighting.surface == "map"]
    of_map = tuple(sorted({_number(photo, photos) for photo in maps}))
    return Seen(_without_pictures(found), of_map, tuple(found.boards))


def count(
    photos: Sequence[Photo], profile: Profile, seats: Sequence[str], shares: Mapping[str, Photo]
) -> "TableScan":
    """What photos of a finished game show of its tracks, and of the share tiles of each seat."""
    counted: TableScan = _vision().scan_table(
        photos, profile, agreed=_vision().Agreed(seats=seats), shares=shares
    )
    return counted


def view(photos: Sequence[Photo], profile: Profile, setup: Setup) -> tuple["TableScan", dict[int, Places]]:
    """All that photos show of a game of which no state is known, and where hexes lie in those of the map.

    These are numbered as in `photos`.
    """
    found: TableScan = _vision().scan_table(photos, profile, agreed=_vision().Agreed.of(setup))
    if (on_map := found.map) is None:
        return found, {}
    maps = {_number(photo, photos): _places(on_map, n) for n, photo in enumerate(on_map.photos)}
    return _without_pictures(found), maps


def _without_pictures(found: "TableScan") -> "TableScan":
    """The pages show the pictures on disk; their pixels would only fill the memory, but a scan tells of its photos."""
    if (on_map := found.map) is not None:
        on_map = replace(on_map, photos=tuple(replace(photo, pixels=NO_PIXELS) for photo in on_map.photos))
    return replace(found, map=on_map, sightings=())


def _number(photo: Photo, photos: Sequence[Photo]) -> int:
    """Which of these it is; photos are alike only where they are the same."""
    return next(number for number, other in enumerate(photos) if other is photo)


def _places(scan: "Scan", number: int) -> Places:
    """The hexes that lie whole in a photo of the map."""
    width, height = scan.photos[number].size

    def inside(outline: Outline) -> bool:
        return all(0 <= x < width and 0 <= y < height for x, y in outline)

    hexes = {
        hex_to_text(at): [(round(x, 1), round(y, 1)) for x, y in outline]
        for at, outline in scan.outlines(number).items()
        if inside(outline)
    }
    return Places((width, height), hexes)


def teach(photo: Photo, profile: Profile, state: State) -> Profile:
    """The profile with what a photo of this state teaches. Raises as `vision.teach`."""
    taught: Profile = _vision().teach(photo, profile, state.board, state_to_json(state))
    return taught
