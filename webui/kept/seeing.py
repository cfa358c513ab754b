"""What the pages ask of `vision`, which is looked up late: they work without it, and it takes a second to load."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING

from calibration import Photo, Profile
from calibration.photo import Pixels
from engine.hexgrid import Hex
from engine.mini_express import Setup, State, state_to_json

from ..problems import WebProblem

if TYPE_CHECKING:
    from vision import Scan, TableScan


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

    def answered(self, answers: Mapping[tuple[Hex, str], bool]) -> "Seen":
        """With what a person said of (hex, company)."""
        return replace(self, table=self.table.answered(answers))


Progress = Callable[[str, float], None]
"""Told a sentence of the catalogue and the share of the work that is done, 0 to 1."""
Scanner = Callable[[Sequence[Photo], Profile, State, Progress], Seen]
Teacher = Callable[[Photo, Profile, State], Profile]
Counter = Callable[[Sequence[Photo], Profile, Sequence[str], Mapping[str, Photo]], "TableScan"]
Viewer = Callable[[Sequence[Photo], Profile, Setup], tuple["TableScan", list[Pixels]]]


def _vision() -> ModuleType:
    """The package itself. Raises WebProblem where it is not installed."""
    try:
        import vision  # noqa: PLC0415
    except ImportError:
        raise WebProblem("no_vision") from None
    return vision


def scan(photos: Sequence[Photo], profile: Profile, before: State, progress: Progress) -> Seen:
    found: TableScan = _vision().scan_table(photos, profile, before=before, progress=progress)
    maps = [sighting.photo for sighting in found.sightings if sighting.surface == "map"]
    of_map = tuple(n for n, photo in enumerate(photos) if any(photo is shown for shown in maps))
    # The pages show the pictures on disk; the photos themselves would only fill the memory.
    on_map = replace(found.map, photos=()) if found.map else None
    return Seen(replace(found, map=on_map, sightings=()), of_map, tuple(found.boards))


def count(
    photos: Sequence[Photo], profile: Profile, seats: Sequence[str], shares: Mapping[str, Photo]
) -> "TableScan":
    counted: TableScan = _vision().scan_table(photos, profile, seats=seats, shares=shares)
    return counted


def view(photos: Sequence[Photo], profile: Profile, setup: Setup) -> tuple["TableScan", list[Pixels]]:
    """All that photos show of a game of which no state is known, and those of the map with what was read drawn in."""
    vision = _vision()
    found: TableScan = vision.scan_table(
        photos, profile, pack=setup.pack, seats=setup.humans, modules=setup.modules
    )
    shown = range(len(found.map.photos)) if found.map else ()
    return found, [vision.annotate(found.map, number) for number in shown]


def teach(photo: Photo, profile: Profile, state: State) -> Profile:
    taught: Profile = _vision().teach(photo, profile, state.board, state_to_json(state))
    return taught
