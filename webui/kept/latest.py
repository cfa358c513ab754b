"""A dictionary that forgets."""

import threading
from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Latest(OrderedDict[K, V]):
    """So many values at most, those that were stored last; several threads may store at once."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most, self._storing = most, threading.Lock()

    def __setitem__(self, key: K, value: V) -> None:
        with self._storing:
            super().__setitem__(key, value)
            self.move_to_end(key)
            while len(self) > self.most:
                self.popitem(last=False)
