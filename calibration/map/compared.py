"""Whether the map in the photo is the one that the pack describes: its cities by their discs and rims.

The maps that are shipped are reconstructions, so what is printed may differ; nothing is changed by it, it is told.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.sentences import N_, Phrase, Problem

from ..photo import Photo
from .grid import Grid
from .rims import find_cities

# With fewer of the cities found, as a share, they are not printed as discs: then nothing can be said.
FOUND = 0.5
# So many differences are told one by one.
EACH = 6
ALIKE = Phrase("All cities are printed where the data of this map have them, with the same room.")


class Differs(Problem):
    """A city that is printed otherwise than in the data; a notice, not an error."""

    sentences: ClassVar[dict[str, str]] = {
        "room": N_("{city} has this room by its rim: {found}, in the data of this map: {known}."),
        "gone": N_("No city is printed where the data of this map have {city}."),
        "more": N_("On {hex} a city is printed, which the data of this map do not have."),
        "covered": N_(
            "If something lies there, clear the board: it is to be learnt from a photo of it without pieces."
        ),
        "many": N_(
            "{n} cities are printed otherwise than in the data of this map: is it the right map, without pieces on it, "
            "and does the grid lie right? If so, put in your own copy."
        ),
    }


def compared(photo: Photo, grid: Grid, board: Board) -> list[Phrase | Differs]:
    """What a person should know of the cities in the photo of the empty map, in sentences."""
    found = find_cities(photo.pixels, grid.view, [place.at for place in board.printed])
    if len(found) < FOUND * len(board.cities):
        return []
    differ = list(_differences(found, board))
    if len(differ) > EACH:
        return [Differs("many", n=len(differ))]
    keys = {city.key for city in differ}
    # One that is printed elsewhere is not covered.
    covered = [Differs("covered")] if "gone" in keys and "more" not in keys else []
    return [*differ, *covered] or [ALIKE]


def _differences(found: Mapping[Hex, int | None], board: Board) -> Iterator[Differs]:
    """Where discs lie otherwise than the cities of the data, or have a rim that clearly says something else (R1.3)."""
    for city in board.cities:
        if city.at not in found:
            yield Differs("gone", city=city.name)
        elif found[city.at] not in (None, city.capacity):
            yield Differs("room", city=city.name, found=found[city.at], known=city.capacity)
    for place in board.printed:
        # Ports may be printed as discs, too.
        if place.kind == "landscape" and place.at in found:
            yield Differs("more", hex=place.at)
