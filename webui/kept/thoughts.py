"""What came of thinking about positions: no second phone waits for what a first one was told."""

import random
from threading import BoundedSemaphore, Lock

from engine.mini_express import Advice, State, advise

from ..problems import WebProblem
from .latest import Latest

KEPT, ASKING_AT_MOST = 8, 3
"""Of so many positions the advice is kept; so many phones may wait for theirs, each of which keeps the server busy."""


class Thoughts:
    """The advice on the last few positions of this table."""

    def __init__(self) -> None:
        self._known: Latest[State, tuple[float, list[Advice]]] = Latest(KEPT)
        self._asking, self._thinking = BoundedSemaphore(ASKING_AT_MOST), Lock()

    def of(self, state: State, seconds: float) -> list[Advice]:
        """What comes of thinking about a position, no shorter than so long: the same for all who ask.

        Raises WebProblem.
        """
        if not self._asking.acquire(blocking=False):
            raise WebProblem("thinking")
        try:
            with self._thinking:
                known, thought = self._known.get(state, (0.0, []))
                if known < seconds:
                    known, thought = seconds, advise(state, seconds, random.Random())
                self._known[state] = known, thought
                return thought
        finally:
            self._asking.release()
