"""A number of the state as photos show it: a weight for every value that it can have."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import Any

from calibration.cell_names import TRACKS

Keys = tuple[str, ...]
"""The way to a number of the state JSON, its keys from the outermost one on."""
Value = int | str
Weights = Mapping[Value, float]

SOME = "some"
"""At least one share tile: how many lie in a pile cannot be seen."""
# The weight, before looking, of a marker that stands on no space though the rules put it on one.
NOWHERE = -8.0
# A figure is asked about unless it is surer than this.
DOUBT = 0.03


@dataclass(frozen=True)
class Figure:
    """A number or name of the state, `path` in its JSON; `weights` are log odds of its values, unnormalised.

    `cells` are where it is read: the track or the areas. `of` is the colour of the marker, where it has one;
    `nowhere` weighs that it stands on none of the spaces.
    """

    path: Keys
    cells: str
    weights: Weights
    of: str = ""
    nowhere: float = NOWHERE

    @cached_property
    def probabilities(self) -> dict[Value, float]:
        """Of each value; they add up to 1 but for the chance that the marker stands on none of the spaces."""
        top = max([*self.weights.values(), self.nowhere])
        shares = {value: exp(weight - top) for value, weight in self.weights.items()}
        whole = sum(shares.values()) + exp(self.nowhere - top)
        return {value: share / whole for value, share in shares.items()}

    @property
    def best(self) -> Value:
        """The most probable value."""
        return max(self.probabilities, key=lambda value: self.probabilities[value])

    @property
    def p(self) -> float:
        """The probability of the best value."""
        return self.probabilities[self.best]

    @property
    def claimed(self) -> bool:
        """Whether the best value goes into the state."""
        return self.p > 0.5 and self.best != SOME

    @property
    def doubtful(self) -> bool:
        """Whether a person should confirm it."""
        return self.p < 1 - DOUBT or self.best == SOME

    @property
    def clear(self) -> bool:
        """Whether the best value needs no person to confirm it."""
        return self.claimed and not self.doubtful

    @property
    def name(self) -> str:
        """The path as one word, as in `companies.brown.value`."""
        return ".".join(self.path)

    def to_json(self) -> dict[str, Any]:
        """As an entry of `doubtful`."""
        what = self.path[0] if self.path[0] in ("influence", "shares") else self.path[-1]
        cell = f"{self.cells}/{self.best}" if isinstance(self.best, int) and what in TRACKS else self.cells
        return {"cell": cell, "what": what, "path": self.name, "value": self.best, "p": round(self.p, 4)}
