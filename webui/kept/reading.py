"""A *reading*: the photos of one moment of a game, what vision found in them and what a person said of it.

It begins with the game as it stood, and ends with what was found or with the sentence that says why not.
"""

import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calibration import Photo
from engine.hexgrid import Hex
from engine.mini_express import COMPANIES, State
from engine.mini_express.names import Answers, Train
from engine.sentences import N_, Problem

from ..problems import WebProblem
from .games import Kept

if TYPE_CHECKING:  # at run time `vision` is looked up late, see `seeing`
    from vision import Scan

    from .seeing import Seen


@dataclass
class Reading:
    """One moment of one game, being read. `found` is what vision said, `now` that with a person's answers.

    `asked` is what was ever in doubt, in the order in which it was, with what the photos last said of it. The `photos`
    are held until they are read, `sizes` and `focals` tell of them afterwards; they have `taught` by this state last.
    Who looks at what was said before saying something else holds `saying`.
    """

    id: str
    kept: Kept
    photos: list[Photo]
    step: str = N_("Waiting: other photos are being read.")
    share: float = 0.0
    problem: Problem | None = None
    found: "Seen | None" = None
    now: "Seen | None" = None
    answers: dict[Train, bool] = field(default_factory=dict)
    asked: dict[Train, float] = field(default_factory=dict)
    sizes: list[tuple[int, int]] = field(init=False)
    focals: list[float | None] = field(init=False)
    taught: State | None = None
    saying: threading.RLock = field(init=False, default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.sizes = [photo.size for photo in self.photos]
        self.focals = [photo.focal for photo in self.photos]

    @property
    def done(self) -> bool:
        return self.now is not None or self.problem is not None

    @property
    def map(self) -> "Scan | None":
        """What is known of the map, None before it is read and where no photo shows it."""
        return self.now.map if self.now else None

    @property
    def trains(self) -> set[Train]:
        """What is shown: the trains that were read and, over them, what a person said."""
        denied = {train for train, there in self.answers.items() if not there}
        return (self._decoded | {train for train, there in self.answers.items() if there}) - denied

    @property
    def said(self) -> set[Hex]:
        """The hexes of which a person said something."""
        return {at for at, _ in self.answers}

    @property
    def left_out(self) -> set[Train]:
        """What a person said and no legal action explains."""
        decoded = self._decoded
        return {train for train, there in self.answers.items() if there != (train in decoded)}

    @property
    def _decoded(self) -> set[Train]:
        track = self.map.track if self.map else {}
        return {((at[0], at[1]), company) for company, hexes in track.items() for at in hexes}

    def answer(self, answers: Answers) -> None:
        """Decode anew with what a person said, too; nothing is read again. Raises WebProblem before it is read."""
        with self.saying:
            self._say({**self.answers, **answers})

    def take_back(self, at: Hex, companies: Collection[str] = COMPANIES) -> None:
        """Decode anew without what a person said of these on a hex. Raises WebProblem before it is read."""
        dropped = {(at, company) for company in companies}
        with self.saying:
            self._say({train: there for train, there in self.answers.items() if train not in dropped})

    def _say(self, answers: dict[Train, bool]) -> None:
        if self.found is None:
            raise WebProblem("not_read_yet")
        now = self.found.answered(answers) if answers else self.found
        doubts = [doubt for seen in (self.found, now) if seen.map for doubt in seen.map.doubtful]
        self.asked = {**self.asked, **{(doubt.hex, doubt.company): doubt.p for doubt in doubts}}
        self.now, self.answers = now, answers
