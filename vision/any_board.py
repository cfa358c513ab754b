"""What a reading tells of any board, of whatever game: which pieces stand where, and what a person should look at."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.sentences import plain

from .cells.odds import NOT_THERE, probability
from .cells.reading import Reading
from .figure import DOUBT


class PieceInCell(NamedTuple):
    """A piece of a kind in a cell, each by its name, and how probable it is."""

    cell: str
    kind: str
    p: float

    @property
    def doubtful(self) -> bool:
        """Whether a person should look."""
        return DOUBT < self.p < 1 - DOUBT


@dataclass(frozen=True, eq=False)
class BoardReading:
    """What a reading tells of the cells, each by its name."""

    reading: Reading

    @cached_property
    def names(self) -> list[str]:
        """The name of every cell."""
        return [str(plain(cell.id)) for cell in self.reading.surface.cells]

    @cached_property
    def pieces(self) -> list[PieceInCell]:
        """Every kind in every cell where such a piece may be, by cells."""
        surface, p = self.reading.surface, probability(self.reading.odds)
        return [
            PieceInCell(self.names[i], kind.name, float(p[i, k]))
            for i, cell in enumerate(surface.cells)
            for k, kind in enumerate(surface.kinds)
            if kind.may_be_in(cell.id)
        ]

    @cached_property
    def standing(self) -> list[PieceInCell]:
        """What is more probable than not."""
        return [piece for piece in self.pieces if piece.p > 0.5]

    @cached_property
    def unseen(self) -> list[str]:
        """The cells that are covered or outside the photo."""
        return self._named(~self.reading.seen)

    @cached_property
    def doubtful(self) -> list[PieceInCell]:
        """What a person should look at: of cells out of sight only what seems to stand there."""
        return [
            piece
            for piece in self.pieces
            if piece.doubtful and (piece.p > 0.5 or piece.cell not in self.unseen)
        ]

    @cached_property
    def strange(self) -> list[str]:
        """The cells in sight in which something lies that is none of the pieces, nor a card where one may lie."""
        reading = self.reading
        other = np.maximum(reading.marker, np.where(reading.surface.card_cells, -np.inf, reading.card))
        told = {piece.cell for piece in self.pieces if piece.p > DOUBT}
        return [cell for cell in self._named((other > 0) & reading.seen) if cell not in told]

    @cached_property
    def bare(self) -> list[tuple[str, str]]:
        """Home cell and kind where nothing shows of the piece, though the cell is in sight."""
        seen, odds = self.reading.seen, self.reading.odds
        return [
            (self.names[kind.home], kind.name)
            for k, kind in enumerate(self.reading.surface.kinds)
            if kind.home is not None and seen[kind.home] and odds[kind.home, k] < NOT_THERE
        ]

    @cached_property
    def alike(self) -> list[str]:
        """Two kinds of which all pieces may be taken for each other in this photo, or none."""
        return [self.reading.surface.kinds[k].name for k in self.reading.alike or ()]

    def _named(self, which: NDArray[np.bool_]) -> list[str]:
        return [self.names[i] for i in np.flatnonzero(which)]

    def to_json(self) -> dict[str, Any]:
        """As plain data: every probability, then what follows of them."""
        observation: dict[str, dict[str, float]] = {}
        for piece in self.pieces:
            observation.setdefault(piece.cell, {})[piece.kind] = round(piece.p, 4)
        return {
            "observation": observation,
            "pieces": {cell: [k for k, p in row.items() if p > 0.5] for cell, row in observation.items()},
            "doubtful": [{"cell": d.cell, "kind": d.kind, "p": round(d.p, 4)} for d in self.doubtful],
            "strange": self.strange,
            "bare": [{"cell": cell, "kind": kind} for cell, kind in self.bare],
            "unseen": self.unseen,
            "alike": self.alike,
            "overexposed": self.reading.overexposed,
        }
