"""The file of a game that two write: `masinfira watch` what it sees, and a person what no picture shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from stat import S_ISREG

from engine import mini_express as game
from engine.sentences import Problem
from vision.live.turns import Turn, WatchEvent
from vision.live.video import Frames
from vision.live.watch import Watcher

from .files import read_game
from .saving import alone_with, save_game

Stamp = tuple[int, int, int]


@dataclass(frozen=True)
class Changed:
    """Somebody else has written the file, and watching goes on from this state."""

    seconds: float
    state: game.State


Told = WatchEvent | Changed


def stamp(file: Path | None) -> Stamp | None:
    """What tells one writing of a file from another; what is no file, such as a pipe, cannot be read again."""
    try:
        stat = file.stat() if file else None
    except OSError:
        return None
    return (stat.st_ino, stat.st_mtime_ns, stat.st_size) if stat and S_ISREG(stat.st_mode) else None


class Record:
    """The game as far as it is known: what was seen, and what a person writes into the `--out` file, if there is one.

    What a person writes counts, also what was `written` since the file had this stamp. Raises FileProblem.
    """

    def __init__(
        self, file: Path | None, pack: game.Pack, played: game.Game, written: Stamp | None = None
    ) -> None:
        self.file, self.played = file, played
        self._pack, self._written = pack, written
        self._refused: Stamp | None = None
        self._open = False
        self._save()

    def add(self, turn: Turn) -> None:
        """Go on with a turn, unless somebody has just written something else: that counts, and is read next.

        Where a picture leaves open what was played a person has to write it first. Raises FileProblem.
        """
        self._open = self._open or bool(turn.alternatives)
        if not self._open:
            self._save(turn.action)

    def corrected(self, *, last: bool = False) -> bool:
        """Whether somebody else has written the file since; then the game is what it says.

        Raises Problem where it can be read neither now nor when it was looked at before, or not at the `last` look:
        till then somebody may be writing it, and where it is gone be putting another in its place.
        """
        now = stamp(self.file)
        if self.file is None or now == self._written:
            return False
        try:
            self.played = read_game(str(self.file), self._pack)
        except Problem:
            if last or (now and now == self._refused):
                raise
            self._refused = now
            return False
        # What is written while it is read has another stamp and is read next.
        self._written, self._open = now, False
        return True

    def _save(self, *actions: game.Action) -> None:
        """Write the game with what was played, alone with the file, over what is known of it or where nothing is."""
        with alone_with(self.file):
            if stamp(self.file) in (None, self._written):
                self.played = reduce(game.Game.play, actions, self.played)
                save_game(self.file, self.played)
                self._written = stamp(self.file)


def follow(watcher: Watcher, frames: Frames, record: Record) -> Iterator[Told]:
    """Every event until the frames end; what a person writes into the file up to the end is gone on from."""
    seconds = 0.0
    for seconds, frame in frames:
        if record.corrected():
            yield _changed(watcher, record, seconds)
        yield from watcher.see(frame, seconds)
    yield from watcher.finish()
    while record.corrected(last=True):
        yield _changed(watcher, record, seconds)
        yield from watcher.finish()


def _changed(watcher: Watcher, record: Record, seconds: float) -> Changed:
    """Lets the watcher go on from what a person has written."""
    watcher.state = record.played.state
    return Changed(seconds, watcher.state)
