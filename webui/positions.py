"""Positions being entered, on disk: what photos and people have told so far of games that are under way."""

import json
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from engine.mini_express import Part
from engine.sentences import Problem

from .keeping import ID, picture_path
from .packs import Packs
from .problems import WebProblem
from .saving import save, saved_at


@dataclass(frozen=True)
class Position:
    """What is known of one; `pictures` is how many photos show its map; when it was `saved`, in the computer's time."""

    id: str
    part: Part
    pictures: int
    saved: datetime


class Positions:
    """All positions of this table that no game has come of yet."""

    def __init__(self, folder: Path, packs: Packs) -> None:
        self._folder, self._packs = folder, packs
        self._lock = threading.Lock()

    def begin(self, part: Part, pictures: Sequence[bytes]) -> str:
        """Keep a new one and the data it is played with; returns its id. Raises WebProblem."""
        self._packs.hold(part.pack)
        id = secrets.token_hex(8)
        for number, picture in enumerate(pictures):
            save(picture_path(self._folder, id, number), picture)
        self._write(id, part, len(pictures))
        return id

    def all(self) -> list[Position]:
        """Every one that can be read, the newest first."""
        found = []
        for path in self._folder.glob("*.json"):
            with suppress(WebProblem):
                found.append(self.load(path.stem))
        return sorted(found, key=lambda position: position.saved, reverse=True)

    def load(self, id: str) -> Position:
        """Any text may come as `id`. Raises WebProblem where there is none, or its data are not here."""
        if not ID.fullmatch(id):
            raise WebProblem("position_gone")
        try:
            plain, saved = json.loads(self._path(id).read_bytes()), saved_at(self._path(id))
            pack = self._packs.of(plain["pack"])
            if pack is None:
                raise WebProblem("position_gone")
            return Position(id, Part.from_json(plain["part"], pack), int(plain["pictures"]), saved)
        except (OSError, ValueError, TypeError, KeyError, Problem):
            raise WebProblem("position_gone") from None

    def change(self, id: str, change: Callable[[Part], Part]) -> Position:
        """Replace what is known by `change` of it. Raises WebProblem, and whatever `change` raises."""
        with self._lock:
            before = self.load(id)
            self._write(id, change(before.part), before.pictures)
            return self.load(id)

    def picture(self, position: Position, number: int) -> Path:
        """The file of one of its pictures. Raises WebProblem."""
        path = picture_path(self._folder, position.id, number)
        if not 0 <= number < position.pictures or not path.is_file():
            raise WebProblem("photo_gone")
        return path

    def forget(self, position: Position) -> None:
        """A game has come of it, or nobody wants it any more."""
        with self._lock:
            self._path(position.id).unlink(missing_ok=True)
            for number in range(position.pictures):
                picture_path(self._folder, position.id, number).unlink(missing_ok=True)

    def _path(self, id: str) -> Path:
        return self._folder / f"{id}.json"

    def _write(self, id: str, part: Part, pictures: int) -> None:
        plain = {"pack": part.pack.digest, "pictures": pictures, "part": part.told_to_json()}
        save(self._path(id), json.dumps(plain).encode())
