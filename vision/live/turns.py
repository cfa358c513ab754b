"""What watching a table tells: the board in sight or gone, finished turns, and what is unclear."""

from dataclasses import dataclass

from engine import mini_express as game
from engine.mini_express.names import Train
from engine.sentences import N_, Problem

from ..scan import Scan
from ..state.decode import Doubt
from ..state.successor import trains_of


class Hidden(Problem):
    """What keeps the board from being read when the last picture is taken."""

    sentences = {
        "covered": N_(
            "At the end something lies over the board, such as a hand, so what is below it was not read: film on until "
            "it is gone."
        ),
    }


@dataclass(frozen=True)
class BoardSeen:
    """The board was found, or it is no longer in the picture."""

    seconds: float
    found: bool


@dataclass(frozen=True)
class Turn:
    """An action that was played: what it did (`log`), the state after it, and others that look the same."""

    seconds: float
    action: game.Action
    log: list[game.Event]
    state: game.State
    alternatives: list[game.Action]


@dataclass(frozen=True)
class Unclear:
    """Something changed that no legal action explains, that fits several or is hidden: nothing is taken as played."""

    seconds: float
    conflicts: list[Problem]
    doubtful: list[Doubt]

    @property
    def what(self) -> tuple[list[str], set[Train]]:
        """What is unclear, without its time and figures."""
        return [str(problem) for problem in self.conflicts], {(d.hex, d.company) for d in self.doubtful}


WatchEvent = BoardSeen | Turn | Unclear


def turns_of(found: Scan, before: game.State, seconds: float) -> list[Turn]:
    """The first actions of a reading, as far as no train of theirs is doubtful, each with what else it may have been.

    What does not show, such as a share that Mašinfíra takes, is believed only for the build that follows.
    """
    asked = {(doubt.hex, doubt.company) for doubt in found.doubtful}
    turns: list[Turn] = []
    state, sure = before, 0
    for nth, action in enumerate(found.actions):
        after, log = game.play(state, action)
        added = trains_of(after) - trains_of(state)
        if added & asked:
            break
        others = dict.fromkeys(line[nth] for line in found.alternatives if line[nth] != action)
        turns.append(Turn(seconds, action, log, after, list(others)))
        state, sure = after, len(turns) if added else sure
    return turns[:sure]
