"""How pieces are assumed to look until photos teach better: sizes in mm, colours, and the kinds made of them.

Colours are of painted or stained wood against white paper: blue, green, red, linear. A photo's own pieces tell more;
these only say which is which.
"""

from collections.abc import Iterable, Mapping
from math import pi, sqrt

from engine.mini_express.names import COMPANIES, SEATS

from .cell_names import CellName
from .surface import Kind

Size = tuple[float, float, float]
"""Length, width and height as the piece lies, mm."""

TRAIN_MM: Size = (20.0, 8.0, 12.0)
TRAIN_COLOURS = {
    "brown": (0.06, 0.10, 0.20),
    "gray": (0.25, 0.24, 0.23),
    "orange": (0.05, 0.25, 0.75),
    "white": (0.70, 0.76, 0.80),
}
# Only red, blue and purple are named in the rulebooks.
SEAT_COLOURS = {
    "red": (0.03, 0.03, 0.50),
    "blue": (0.45, 0.13, 0.03),
    "purple": (0.28, 0.05, 0.16),
    "green": (0.07, 0.25, 0.05),
    "yellow": (0.04, 0.50, 0.75),
}
CARD_COLOUR = (0.75, 0.85, 0.9)
DEMAND_TILE = Kind("demand tile", (1.0, 1.0, 1.0), (16.0, 16.0, 2.0))
# What lies on each sort of track or area, where nobody has measured it.
PIECES_MM: dict[str, Size] = {
    "value": (8.0, 8.0, 8.0),
    "influence": (8.0, 8.0, 5.0),
    "reservoir": TRAIN_MM,
    "offer": (45.0, 30.0, 2.0),
    "company": (10.0, 10.0, 10.0),
}


def trains(homes: Mapping[str, int]) -> tuple[Kind, ...]:
    """Every company's trains on the map; `homes` are the indices of the cells where one always stands."""
    return tuple(Kind(c, TRAIN_COLOURS[c], TRAIN_MM, homes[c]) for c in COMPANIES)


def share_tiles(size: tuple[float, float]) -> tuple[Kind, ...]:
    """Every company's share tile, of this width and height in mm."""
    thick = PIECES_MM["offer"][2]
    return tuple(Kind(c, CARD_COLOUR, (*size, thick), on=f"share/{c}") for c in COMPANIES)


def panel_pieces(names: Iterable[str], measured: Mapping[str, Size]) -> tuple[Kind, ...]:
    """The pieces of these tracks and areas, each with the places it can be on; sizes by sort or name if `measured`."""
    sizes = {**PIECES_MM, **measured}
    kinds: list[Kind] = []
    for name in names:
        sort, company, _ = CellName.of(name)
        size = sizes.get(name, sizes[sort])
        if sort in ("influence", "company"):
            kinds += [Kind(seat, SEAT_COLOURS[seat], _square(size), on=sort) for seat in SEATS]
        elif sort == "offer":
            kinds.append(Kind("share", CARD_COLOUR, size, on=sort))
        else:
            kinds += [Kind(c, TRAIN_COLOURS[c], size, on=name) for c in ([company] if company else COMPANIES)]
    return tuple(dict.fromkeys(kinds))


def _square(size: Size) -> Size:
    """A box with the footprint of something round: players' markers are taken to be discs."""
    length, width, height = size
    narrower = sqrt(pi / 4)
    return length * narrower, width * narrower, height
