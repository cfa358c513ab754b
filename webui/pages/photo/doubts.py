"""What a photo leaves in doubt, asked one by one; what was answered stays where it was asked, to be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.hexgrid import Hex
from engine.mini_express.notation import hex_to_text

from ...kept.reading import Reading


@dataclass(frozen=True)
class Question:
    """Whether a train of `company` is on `hex`: `p` by the photo; what a person `said`, None while it is open."""

    hex: Hex
    company: str
    p: float
    said: bool | None

    @property
    def open(self) -> bool:
        return self.said is None

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return f"doubt-{hex_to_text(self.hex)}-{self.company}"


def questions(reading: Reading) -> list[Question]:
    """Those that are open and those that a person answered, in the order in which they were asked first.

    What other answers have settled meanwhile is not asked any more.
    """
    now = {(doubt.hex, doubt.company) for doubt in reading.map.doubtful} if reading.map else set()
    asked, relevant = reading.asked.items(), reading.answers.keys() | now
    return [Question(*train, p, reading.answers.get(train)) for train, p in asked if train in relevant]


def shown(every: Sequence[Question], at_most: int) -> list[Question]:
    """All but the open ones beyond so many."""
    hidden = [question for question in every if question.open][at_most:]
    return [question for question in every if question not in hidden]


def following(every: Sequence[Question], at: Hex) -> Question | None:
    """Of the open ones that on this hex, else the next below it, else the first."""
    here = next((n for n, question in enumerate(every) if question.hex == at), 0)
    return next((question for question in (*every[here:], *every[:here]) if question.open), None)
