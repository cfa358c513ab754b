"""Games on disk: one text file each, written so that a power cut loses nothing that was confirmed.

The name of a file is an id that the server made, so no visitor can name one. A game's *version* is a
digest of its text: whoever changes a game says which version they saw, and two phones, or a phone and a command, cannot
overwrite each other.
"""

import hashlib
import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from engine.mini_express import Game, Malformed, State

from ..problems import WebProblem
from .latest import Latest
from .packs import Packs
from .saving import alone_with_files, rename, save, saved_at

SUFFIX, AWAY, LAID = ".game", ".away", ".laid"
ENTERED, TO_ENTER = "entered", "to_enter"
"""What people said of demand tiles that lie on the table already: the game has them, or is to get them yet."""
ID_BYTES = 4
GAME_ID = rf"[0-9a-f]{{{2 * ID_BYTES}}}"
# Those that are played; with all its positions a game of a hundred actions takes about 200 kB.
GAMES_IN_MEMORY = 32


@dataclass(frozen=True)
class Kept:
    """A game as it lies on disk, and how it stands; when it was `saved` is told in the computer's own time."""

    id: str
    version: str
    game: Game
    state: State
    saved: datetime


class Games:
    """All games of one table."""

    def __init__(self, folder: Path, packs: Packs) -> None:
        self.folder, self.packs = folder, packs
        self._lock = threading.Lock()
        self._read: Latest[str, Game] = Latest(GAMES_IN_MEMORY)
        self._listed: dict[str, Kept] = {}

    def newest_first(self, *, away: bool = False) -> list[Kept | WebProblem]:
        """Every game, or why it cannot be opened; or those that were put away."""
        return [*self._by_age(AWAY if away else SUFFIX)]

    def newest(self) -> Kept | None:
        """The newest game that can be opened."""
        return next((kept for kept in self._by_age(SUFFIX) if isinstance(kept, Kept)), None)

    def _by_age(self, suffix: str) -> Iterator[Kept | WebProblem]:
        with self._lock:  # while one is put away, it is neither here nor there
            files = [path for path in self.folder.glob(f"*{suffix}") if path.is_file()]
            ours = [path for path in files if re.fullmatch(GAME_ID, path.stem)]
            every = sorted(ours, key=saved_at, reverse=True)
        for path in every:
            try:
                yield self._in_list(path)
            except WebProblem as problem:
                if problem.key not in ("no_game", "away_game"):  # put away meanwhile
                    yield problem

    def _in_list(self, path: Path) -> Kept:
        """As `_load`; all games are in the list, so each is remembered until it changes, but only as it stands now."""
        version, saved = self._read_from(path)[1:]
        known = self._listed.get(path.stem)
        if known is None or (known.version, known.saved) != (version, saved):
            kept = self._load(path)
            known = replace(kept, game=Game(kept.game.start, kept.game.actions))
            self._listed[path.stem] = known
        return known

    def put_away(self, id: str) -> None:
        """Nobody wants to see it any more; it stays on the disk. Raises WebProblem, also where there is none."""
        self._rename(self._path(id), AWAY)

    def take_back(self, id: str) -> None:
        """It is among the games again. Raises WebProblem, also where it was not put away."""
        self._rename(self._path(id).with_suffix(AWAY), SUFFIX)

    def _rename(self, path: Path, suffix: str) -> None:
        new = path.with_suffix(suffix)
        with self._alone():
            if not path.is_file():
                raise WebProblem("away_game" if suffix == AWAY and new.is_file() else "no_game")
            if new.exists():  # copied there by hand
                raise WebProblem("twice_there", file=path.name, other=new.name)
            rename(path, new)

    def holds(self, id: str) -> bool:
        """Whether there is such a game, damaged or not."""
        return self._path(id).is_file()

    def load(self, id: str) -> Kept:
        """Raises WebProblem for a game that is not there, is damaged, or was begun with data that are not here."""
        return self._load(self._path(id))

    def _load(self, path: Path) -> Kept:
        text, version, saved = self._read_from(path)
        game = self._parsed(text, version, path)
        return Kept(path.stem, version, game, game.state, saved)

    def _read_from(self, path: Path) -> tuple[str, str, datetime]:
        """The text of a game, its version, and when it was saved. Raises WebProblem."""
        try:
            text = path.read_text(encoding="utf-8")
            return text, _version(text), saved_at(path)
        except FileNotFoundError:
            raise WebProblem("away_game" if path.with_suffix(AWAY).is_file() else "no_game") from None
        except (OSError, UnicodeDecodeError):
            raise WebProblem("damaged_game", file=path.name) from None

    def _parsed(self, text: str, version: str, path: Path) -> Game:
        """Replaying a game takes a moment, so the last ones are remembered by their version."""
        game = self._read.get(version)
        if game is None:
            try:
                game = self.packs.game(text)
            except Malformed as reason:
                key = "pack_gone" if reason.key == "game_pack" else "damaged_game"
                raise WebProblem(key, file=path.name, found=reason.values.get("found")) from reason
        self._read[version] = game
        return game

    def create(self, game: Game, laid: str | None = None) -> str:
        """Keep a new game, the data it is played with, and whether its tiles lie; returns its id. Raises WebProblem.

        The game is kept last: one whose tiles could not be noted would be begun a second time.
        """
        self.packs.hold(game.start.setup.pack)
        with self._alone():
            id = secrets.token_hex(ID_BYTES)
            while self._path(id).exists() or self._path(id).with_suffix(AWAY).exists():
                id = secrets.token_hex(ID_BYTES)
            if laid is not None:
                self.note_laid(id, laid)
            self._write(id, game)
        return id

    def change(self, id: str, version: str, change: Callable[[Game], Game]) -> Kept:
        """Replace a game by `change(game)`, if it is still the version that the visitor saw.

        Raises WebProblem, "stale" where it is not, and whatever `change` raises.
        """
        with self._alone():
            kept = self.load(id)
            if kept.version != version:
                raise WebProblem("stale")
            return self._write(id, change(kept.game))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Whoever changes a game waits here for other phones and commands. Raises WebProblem."""
        with self._lock, alone_with_files(self.folder):
            yield

    def note_laid(self, id: str, laid: str = ENTERED) -> None:
        """Its demand tiles lie on the table, people say. Raises WebProblem."""
        save(self._path(id).with_suffix(LAID), laid.encode())

    def laid(self, id: str) -> str | None:
        """What people have said of its demand tiles; None where they are to be laid out as they were dealt."""
        path = self._path(id).with_suffix(LAID)
        # Earlier versions noted only what was entered, by an empty file.
        said = path.read_text(errors="replace") if path.is_file() else None
        return said if said in (None, TO_ENTER) else ENTERED

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}{SUFFIX}"

    def _write(self, id: str, game: Game) -> Kept:
        text = game.to_text()
        save(path := self._path(id), text.encode())
        self._read[_version(text)] = game
        return Kept(id, _version(text), game, game.state, saved_at(path))


def _version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
