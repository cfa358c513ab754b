"""What photos of one table at one moment show: a probability for every cell and kind, and what is unseen."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.surface import CellId, Surface
from engine.hexgrid import Hex, neighbours
from engine.mini_express.names import Answers

from ..cells.looks import weights
from ..cells.odds import CERTAIN, NOT_THERE, TOLD, Odds, probability
from ..cells.reading import Reading

# A certain kind stands in about one cell of twelve, and new in about one of five that have changed: log odds.
NEW_WHERE_CHANGED = 1.0
# Two photos that are surer than this, in log odds, of the contrary do not show the same moment.
SURE_ODDS = 4.0
# So sure one photo must be of two trains beside each other that another is sure are not there: none of the 24 pairs of
# sample photos of one moment has two such places.
RATHER = 2.5
# Where trains plainly show on so many other hexes, by these log odds, the map is not empty: a start city may have been
# printed in the very colour of its company's wood.
BUILT, PLAINLY = 4, 3.0


@dataclass(frozen=True, eq=False)
class Observation:
    """Log odds `table` (cells, kinds) of pieces, `card`, `marker` (cells,), and `seen` (cells,), as in
    `Reading`. Of a cell that no photo shows they say nothing: 0. `told` is what a person said of
    (cell, kind); `table` has it too. On `apart`, (cell, kind), the photos contradict each other; those `bare` are home
    cells, certain in `table` without looking, on which nothing shows, nor much of a game elsewhere. Two kinds that
    are `alike` may be taken for each other, in every photo.
    """

    board: str
    cells: tuple[CellId, ...]
    kinds: tuple[str, ...]
    table: Odds
    card: Odds
    marker: Odds
    seen: NDArray[np.bool_]
    told: Answers = field(default_factory=dict)
    apart: tuple[tuple[CellId, str], ...] = ()
    bare: tuple[tuple[CellId, str], ...] = ()
    alike: tuple[str, ...] = ()

    @staticmethod
    def of(surface: Surface, readings: Sequence[Reading]) -> "Observation":
        """One observation from the readings of several photos: log odds add up as far as the looks are independent."""
        seen = np.array([reading.seen for reading in readings])
        weight = weights([reading.camera for reading in readings], surface, seen)
        table, card, marker = (
            np.clip(np.array(looks), -CERTAIN, CERTAIN)
            for looks in zip(*((r.odds, r.card, r.marker) for r in readings), strict=True)
        )
        homes = [(kind.home, k) for k, kind in enumerate(surface.kinds) if kind.home is not None]
        bare = _bare(table * weight[..., None], homes)
        for home, k in homes:
            # What is certain of home cells without looking.
            table[:, home] = -CERTAIN
            table[:, home, k] = CERTAIN
        table = _without_alike(table * seen[..., None], readings, seen)
        cells, kinds = tuple(cell.id for cell in surface.cells), tuple(kind.name for kind in surface.kinds)
        return Observation(
            surface.board,
            cells,
            kinds,
            (table * weight[..., None]).sum(axis=0),
            (card * weight).sum(axis=0),
            (marker * weight).sum(axis=0),
            np.asarray(seen.any(axis=0)),
            apart=tuple((cells[i], kinds[k]) for i, k in _contradictions(table, cells)),
            bare=tuple((cells[home], kinds[k]) for home, k in bare),
            alike=tuple(kinds[k] for k in _alike_in_all(readings)),
        )

    @cached_property
    def index(self) -> dict[CellId, int]:
        """Cell id → its row."""
        return {cell: i for i, cell in enumerate(self.cells)}

    @cached_property
    def unseen(self) -> list[Hex]:
        """The hexes that no photo shows and of which nobody has told everything."""
        hexes = (cell for i, cell in enumerate(self.cells) if not self.seen[i] and isinstance(cell, tuple))
        return [at for at in hexes if any((at, kind) not in self.told for kind in self.kinds)]

    def p(self, at: Hex, kind: str) -> float:
        """The probability of a piece of `kind` on a hex."""
        return float(probability(self.table[self.index[at], self.kinds.index(kind)]))

    def answered(self, answers: Answers) -> "Observation":
        """The observation after a person has said for some hexes and kinds whether a piece is there."""
        table = self.table.copy()
        for (at, kind), there in answers.items():
            table[self.index[at], self.kinds.index(kind)] = TOLD if there else -TOLD
        return replace(self, table=table, told={**self.told, **answers})

    def where_changed(self, hexes: Collection[Hex]) -> "Observation":
        """The observation where these hexes look other than before: there a new piece is likelier than anywhere."""
        table = self.table.copy()
        table[[self.index[at] for at in hexes]] += NEW_WHERE_CHANGED
        return replace(self, table=table)

    def to_json(self) -> dict[str, Any]:
        """Every probability of at least 1 % by kind, as [[q, r], p]; what is not listed is seen to be empty."""
        p = probability(self.table)
        found = {
            kind: [
                [_plain(cell), round(float(p[i, k]), 4)]
                for i, cell in enumerate(self.cells)
                if (self.seen[i] or (cell, kind) in self.told) and p[i, k] >= 0.01
            ]
            for k, kind in enumerate(self.kinds)
        }
        return {"board": self.board, "track": found, "unseen": [_plain(cell) for cell in self.unseen]}


def _contradictions(looks: Odds, cells: Sequence[CellId]) -> Iterator[tuple[int, int]]:
    """Cell and kind of all `looks` (photos, cells, kinds) that contradict each other.

    Either one is sure of the contrary of another, or it shows two trains of one company beside each other, a build or
    a part of it, that another is sure are not there.
    """
    most, in_photo, index = looks.max(axis=0), looks.argmax(axis=0), {cell: i for i, cell in enumerate(cells)}
    gone = looks.min(axis=0) < -SURE_ODDS
    rather = {(i, k): int(in_photo[i, k]) for i, k in np.argwhere((most > RATHER) & gone).tolist()}
    for (i, k), photo in rather.items():
        cell = cells[i]
        beside = neighbours(cell) if isinstance(cell, tuple) else ()
        if most[i, k] > SURE_ODDS or any(rather.get((index.get(at, -1), k)) == photo for at in beside):
            yield i, k


def _bare(table: Odds, homes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The home cells, each with its kind, on which nothing shows in all photos, (photos, cells, kinds), together.

    None where there is plainly a game: trains elsewhere, or on more than half of the home cells in sight. Where these
    are printed in the wood's colours, three of ten set-ups show nothing of one train, empty maps of two or more.
    """
    shown = table.sum(axis=0)
    elsewhere = np.delete(shown, [home for home, _ in homes], axis=0)
    if (elsewhere > PLAINLY).sum() >= BUILT:
        return []
    bare = [(home, k) for home, k in homes if shown[home, k] < NOT_THERE]
    in_sight = np.count_nonzero([shown[home, k] for home, k in homes])  # what nobody sees is 0
    return bare if 2 * len(bare) >= in_sight else []


def _alike_in_all(readings: Sequence[Reading]) -> tuple[int, ...]:
    """Two kinds that may be taken for each other, where there is no photo in which they may not."""
    pairs = {reading.alike for reading in readings}
    return readings[0].alike or () if len(pairs) == 1 else ()


def _without_alike(table: Odds, readings: Sequence[Reading], seen: NDArray[np.bool_]) -> Odds:
    """(photos, cells, kinds): the same without what photos in which two kinds are alike say of these, where another
    photo shows the cell, `seen` (photos, cells), and tells them apart."""
    for of_photo, reading in zip(table, readings, strict=True):
        told = seen[[other.alike != reading.alike for other in readings]].any(axis=0)
        of_photo[np.ix_(told, [*(reading.alike or ())])] = 0
    return table


def _plain(cell: CellId) -> Any:
    return list(cell) if isinstance(cell, tuple) else cell
