"""What the network says of a board of tracks and areas: a second opinion beside the fitted boxes.

It was taught on maps, with trains and with the discs and cubes of other games. So the pieces of each sort, values or
trains in reservoirs, are shown to it as a map with these pieces only. Discs as small as those of influence it
hardly sees.
"""

from dataclasses import dataclass

import numpy as np

from calibration.cell_names import CellName

from ..cells.network import AROUND, GRID_PX, OddsMaps, common_layers
from ..cells.odds import Odds
from ..cells.places import odds_in_cells, places_in_cell
from ..cells.reading import pieces_seen
from ..cells.sight import Sight

SEEN = ("value", "reservoir", "company")
"""The sorts of pieces that it is asked about."""


@dataclass(frozen=True, eq=False)
class Opinion:
    """`odds` (cells, kinds): log odds that a piece of that kind stands there, within `CERTAIN`.

    Of what the network was not asked about they are 0. `piles` has, for the index of every reservoir, those of each
    place where one of its trains may lie, the likeliest first.
    """

    odds: Odds
    piles: dict[int, list[float]]


def second_opinion(whole: Sight) -> Opinion:
    """Look at the pieces of every sort in a sight, where they may be."""
    surface = whole.surface
    odds: Odds = np.zeros((len(surface.cells), len(surface.kinds)))
    piles: dict[int, list[float]] = {}
    for sort in SEEN:
        group = [k for k, kind in enumerate(surface.kinds) if CellName.of(kind.on).sort == sort]
        kinds = [surface.kinds[k] for k in group]
        places = [n for n, cell in enumerate(surface.cells) if any(kind.may_be_in(cell.id) for kind in kinds)]
        if not places:
            continue
        sight = whole.around(places, AROUND * GRID_PX, GRID_PX).of_kinds(kinds)
        found = pieces_seen(sight, common_layers(sight))
        odds[:, group] = odds_in_cells(sight, found.kinds)
        if sort == "reservoir":
            piles = _piles(sight, found)
    return Opinion(odds, piles)


def _piles(sight: Sight, found: OddsMaps) -> dict[int, list[float]]:
    """What may lie in every reservoir."""
    return {
        cell: places_in_cell(sight, layer, cell, kind.size[1])
        for kind, layer in zip(sight.surface.kinds, found.kinds, strict=True)
        for cell, area in enumerate(sight.surface.cells)
        if kind.may_be_in(area.id)
    }
