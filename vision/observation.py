"""What photos of one table at one moment show: a probability for every cell and kind, and what is unseen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.surface import CellId, Surface
from engine.hexgrid import Hex

from .reading import Reading

# No photo makes more certain than this, in log odds.
CERTAIN = 7.0


@dataclass(frozen=True, eq=False)
class Observation:
    """`probability`, `bare`, `beside_card` (cells, kinds), `card` (cells,) as in `Reading`; `seen` (cells,) bool.

    For a cell that no photo shows the probabilities say nothing.
    """

    board: str
    cells: tuple[CellId, ...]
    kinds: tuple[str, ...]
    probability: NDArray[np.float64]
    bare: NDArray[np.float64]
    beside_card: NDArray[np.float64]
    card: NDArray[np.float64]
    seen: NDArray[np.bool_]

    @staticmethod
    def of(surface: Surface, readings: Sequence[Reading]) -> "Observation":
        """One observation from the readings of several photos: independent looks, so log odds add up."""
        seen = np.array([reading.seen for reading in readings])

        def together(tables: list[NDArray[np.float64]]) -> NDArray[np.float64]:
            looks = seen.reshape(*seen.shape, *[1] * (tables[0].ndim - 1))
            return _probability((np.array([log_odds(table) for table in tables]) * looks).sum(axis=0))

        return Observation(
            surface.board,
            tuple(cell.id for cell in surface.cells),
            tuple(kind.name for kind in surface.kinds),
            together([reading.probability for reading in readings]),
            together([reading.bare for reading in readings]),
            together([reading.beside_card for reading in readings]),
            together([reading.card for reading in readings]),
            np.asarray(seen.any(axis=0)),
        )

    @cached_property
    def index(self) -> dict[CellId, int]:
        """Cell id → its row."""
        return {cell: i for i, cell in enumerate(self.cells)}

    @cached_property
    def odds(self) -> dict[str, dict[Hex, float]]:
        """For each kind, the log odds of a piece on every cell that was seen."""
        table = log_odds(self.probability)
        rows = [(i, cell) for i, cell in enumerate(self.cells) if self.seen[i] and isinstance(cell, tuple)]
        return {kind: {cell: float(table[i, k]) for i, cell in rows} for k, kind in enumerate(self.kinds)}

    @cached_property
    def unseen(self) -> list[Hex]:
        """The hexes that no photo shows."""
        return [cell for i, cell in enumerate(self.cells) if not self.seen[i] and isinstance(cell, tuple)]

    def p(self, at: Hex, kind: str) -> float:
        """The probability of a piece of `kind` on a hex."""
        return float(self.probability[self.index[at], self.kinds.index(kind)])

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> "Observation":
        """The observation after a person has said for some hexes and kinds whether a piece is there."""
        seen = self.seen.copy()
        tables = [self.probability.copy(), self.bare.copy(), self.beside_card.copy()]
        for (at, kind), there in answers.items():
            i, k = self.index[at], self.kinds.index(kind)
            for table in tables:
                table[i] = table[i] if seen[i] else 0.0
                table[i, k] = float(there)
            seen[i] = True
        probability, bare, beside_card = tables
        return replace(self, probability=probability, bare=bare, beside_card=beside_card, seen=seen)

    def to_json(self) -> dict[str, Any]:
        """Every probability of at least 1 % by kind, as [[q, r], p]; what is not listed is seen to be empty."""
        found = {
            kind: [
                [_plain(cell), round(float(self.probability[i, k]), 4)]
                for i, cell in enumerate(self.cells)
                if self.seen[i] and self.probability[i, k] >= 0.01
            ]
            for k, kind in enumerate(self.kinds)
        }
        return {"board": self.board, "track": found, "unseen": [_plain(cell) for cell in self.unseen]}


def log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Natural log odds, within ±`CERTAIN`."""
    least = 1 / (1 + np.exp(CERTAIN))
    p = np.clip(probability, least, 1 - least)
    odds: NDArray[np.float64] = np.log(p / (1 - p))
    return odds


def _probability(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    p: NDArray[np.float64] = 1 / (1 + np.exp(-odds))
    return p


def _plain(cell: CellId) -> Any:
    return list(cell) if isinstance(cell, tuple) else cell
