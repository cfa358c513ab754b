"""What of a reading outlives the program: a note beside its pictures says of which game it is and what a person said.

With it the photos can be read again after a restart, and nothing has to be answered twice.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.mini_express.names import Answers, Train


@dataclass(frozen=True)
class Note:
    """The game and its version when the photos were taken, their focal lengths, what a person said of the hexes.

    And what was `asked`: what an answer had raised in doubt is none of the doubts that the photos leave by themselves.
    """

    game: str
    version: str
    focals: list[float | None]
    answers: Answers
    asked: Mapping[Train, float] = field(default_factory=dict)

    def to_plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        answers = [[*at, company, there] for (at, company), there in self.answers.items()]
        asked = [[*at, company, p] for (at, company), p in self.asked.items()]
        return {**asdict(self), "answers": answers, "asked": asked}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "Note":
        """The other way round. Raises ValueError, TypeError, KeyError."""
        answers = {((int(q), int(r)), str(company)): bool(there) for q, r, company, there in plain["answers"]}
        # Notes of earlier versions do not say what was asked.
        asked = {((int(q), int(r)), str(company)): float(p) for q, r, company, p in plain.get("asked", [])}
        return cls(str(plain["game"]), str(plain["version"]), list(plain["focals"]), answers, asked)
