"""Calibrations under way, on disk: a photo of an empty board, and what was tapped in it so far."""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from calibration import SHARE_TILES, Mark, Photo, Tap, points_file, read_taps
from calibration.cell_names import BOARDS
from calibration.surface import Points
from calibration.tapped.asked import COPY
from engine.hexgrid import Hex
from engine.mini_express.notation import hex_to_text

from ..problems import WebProblem
from .shelf import Shelf

CALIBRATIONS_KEPT = 8
# The photo becomes the reference by which every later one is found.
JPEG_QUALITY = 95
BY_HEX = ("kinds", "names")
SURFACES = (*BOARDS, SHARE_TILES, COPY)
"""What the pages can calibrate."""

Made = TypeVar("Made")


@dataclass(frozen=True)
class Calibration:
    """A photo of `pixels` width and height and its marks, in its pixels; `size` of the board or tile, mm.

    `taps` is how many hexes of a map are to be tapped. `proposed` is the points file of the grid that was found
    without taps, None if there was none; `declined` tells that a person said that it is wrong. `other` is what was
    found in its place where the photo seems to show another map: its `board`, and its grid as `proposed`.

    Of an own copy `outline` are the board's corners, if they stand out, and `proposed` all hexes of the grid; `kinds`
    says what each of them is, `names` how cities are called.
    """

    id: str
    surface: str
    board: str
    size: tuple[float, float]
    pixels: tuple[int, int]
    taps: int
    marks: tuple[Mark, ...] = ()
    proposed: dict[str, Any] | None = None
    declined: bool = False
    other: dict[str, Any] | None = None
    outline: list[list[float]] | None = None
    kinds: dict[Hex, str] = field(default_factory=dict)
    names: dict[Hex, str] = field(default_factory=dict)

    @property
    def grid(self) -> dict[str, Any] | None:
        """The points file that stands for taps, if there is one and nobody said that it is wrong."""
        return None if self.declined else self.proposed

    @property
    def tapped(self) -> list[Tap]:
        """The hexes of a map that were tapped."""
        return read_taps(points_file(self.surface, self.marks, self.size))

    @property
    def corners(self) -> Points | None:
        """The board's corners in the photo, (4, 2) px, where they are known."""
        return None if self.outline is None else np.array(self.outline)

    def without(self, of: str) -> "Calibration":
        """The calibration without what was tapped of one thing."""
        return replace(self, marks=tuple(mark for mark in self.marks if mark.of != of))


class Calibrations:
    """The last few calibrations of this table."""

    def __init__(self, folder: Path) -> None:
        self._shelf = Shelf(folder, "calibration_gone", "{id}.jpg")
        self._lock = threading.Lock()
        self._finished: deque[str] = deque(maxlen=CALIBRATIONS_KEPT)
        self._last: tuple[object, Any] | None = None

    def begin(self, photo: Photo, calibration: Calibration) -> Calibration:
        """Keep one that begins and its photo, re-encoded, so that nothing of what a phone writes into its files stays.

        Raises WebProblem.
        """
        with self._lock:
            self._shelf.save_photo(calibration.id, photo, quality=JPEG_QUALITY)
            self._write(calibration)
            self._shelf.prune(calibration.id, CALIBRATIONS_KEPT)
        return calibration

    def load(self, id: str) -> Calibration:
        """A calibration; any text may come as `id`. Raises WebProblem where it is not kept any more."""
        return self._shelf.read(id, lambda plain: _read(id, plain))

    def all(self) -> list[tuple[Calibration, datetime]]:
        """Those that can be gone on with and when each was gone on with, the newest first."""
        with self._lock:
            return self._shelf.every(lambda id: (self.load(id), self._shelf.saved(id)))

    def forget(self, calibration: Calibration) -> None:
        """It was begun in vain. Raises WebProblem."""
        with self._lock:
            self._shelf.remove(calibration.id)

    def finish(self, calibration: Calibration) -> None:
        """It has come to its end, and what came of it is kept: one that cannot be removed hinders nobody."""
        self._finished.append(calibration.id)
        with suppress(WebProblem):
            self.forget(calibration)

    def is_finished(self, id: str) -> bool:
        """Whether it is one of the last that came to their end since the server was started."""
        return id in self._finished

    def change(self, id: str, change: Callable[[Calibration], Calibration]) -> Calibration:
        """Replace a calibration by `change(calibration)`. Raises WebProblem, and whatever `change` raises."""
        with self._lock:
            calibration = change(self.load(id))
            self._write(calibration)
            return calibration

    def once(self, calibration: Calibration, rests_on: object, make: Callable[[Photo], Made]) -> Made:
        """What `make` makes of the photo of a calibration, remembered until it or what else that `rests_on` is another.

        Raises WebProblem, and whatever `make` raises.
        """
        last, key = self._last, (calibration, rests_on)
        if last is None or last[0] != key:
            self._last = last = key, make(self.photo(calibration))
        made: Made = last[1]
        return made

    def picture(self, calibration: Calibration) -> Path:
        """The file of its photo. Raises WebProblem where it is not kept any more."""
        return self._shelf.photo(calibration.id)

    def photo(self, calibration: Calibration) -> Photo:
        """Its photo. Raises WebProblem where it is not kept any more, or damaged."""
        return self._shelf.load_photo(calibration.id)

    def _write(self, calibration: Calibration) -> None:
        by_text = {part: _by_text(getattr(calibration, part)) for part in BY_HEX}
        self._shelf.write(calibration.id, asdict(calibration) | by_text)


def _read(id: str, plain: dict[str, Any]) -> Calibration:
    """Raises ValueError, TypeError, KeyError, AttributeError where a file tells of none."""
    if plain["surface"] not in SURFACES or not isinstance(plain["board"], str):
        raise ValueError("no such surface")
    if not isinstance(plain["taps"], int):
        raise TypeError("no number of taps")
    marks = tuple(Mark(m["of"], m["px"] and tuple(m["px"]), m["at"], m["bend"]) for m in plain["marks"])
    (width, height), (wide, high) = plain["size"], plain["pixels"]
    by_hex = {part: _by_hex(plain.get(part, {})) for part in BY_HEX}
    sizes = {"size": (width, height), "pixels": (wide, high)}
    return Calibration(**{**plain, "id": id, **by_hex, "marks": marks, **sizes})


def _by_text(told: dict[Hex, str]) -> dict[str, str]:
    """With hexes as keys of JSON, "q,r"."""
    return {hex_to_text(at): what for at, what in told.items()}


def _by_hex(told: dict[str, str]) -> dict[Hex, str]:
    """The other way round. Raises ValueError."""
    return {(int(q), int(r)): what for at, what in told.items() for q, r in [at.split(",")]}
