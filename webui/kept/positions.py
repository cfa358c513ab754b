"""Positions being entered, on disk: what photos and people have told so far of games that are under way."""

import json
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from calibration import Photo, load_photo
from calibration.photo import Pixels, jpeg
from engine.mini_express import Part
from engine.sentences import Problem

from ..problems import WebProblem
from .keeping import ID, picture_path
from .packs import Packs
from .saving import save, saved_at

JPEG_QUALITY = 88


@dataclass(frozen=True)
class Position:
    """What is known of one; when it was `saved`, in the computer's own time.

    `focals` are the focal lengths of its photos, `pictures` is how many of them show the map.
    """

    id: str
    part: Part
    focals: tuple[float | None, ...]
    pictures: int
    saved: datetime


class Positions:
    """All positions of this table that no game has come of yet."""

    def __init__(self, folder: Path, packs: Packs) -> None:
        self._folder, self._packs = folder, packs
        self._lock = threading.Lock()

    def begin(self, part: Part, photos: Sequence[Photo], pictures: Sequence[Pixels]) -> str:
        """Keep a new one and the data it is played with; returns its id. Raises WebProblem.

        `pictures` are those with what was read drawn in. All are kept re-encoded, so nothing of what a phone writes
        into its files stays.
        """
        self._packs.hold(part.pack)
        id = secrets.token_hex(8)
        for number, photo in enumerate(photos):
            save(self._photo_path(id, number), jpeg(photo.pixels, JPEG_QUALITY))
        for number, picture in enumerate(pictures):
            save(picture_path(self._folder, id, number), jpeg(picture, JPEG_QUALITY))
        self._write(
            Position(id, part, tuple(photo.focal for photo in photos), len(pictures), datetime.now(UTC))
        )
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
            part = Part.from_json(plain["part"], pack)
            return Position(id, part, tuple(plain["focals"]), int(plain["pictures"]), saved)
        except (OSError, ValueError, TypeError, KeyError, Problem):
            raise WebProblem("position_gone") from None

    def change(self, id: str, change: Callable[[Part], Part]) -> Position:
        """Replace what is known by `change` of it. Raises WebProblem, and whatever `change` raises."""
        with self._lock:
            before = self.load(id)
            self._write(after := replace(before, part=change(before.part)))
            return after

    def picture(self, position: Position, number: int) -> Path:
        """The file of one of its pictures. Raises WebProblem."""
        path = picture_path(self._folder, position.id, number)
        if not 0 <= number < position.pictures or not path.is_file():
            raise WebProblem("photo_gone")
        return path

    def photos(self, position: Position) -> list[Photo]:
        """Its photos as they were taken, but for those that are gone. Raises PhotoProblem."""
        paths = [self._photo_path(position.id, number) for number in range(len(position.focals))]
        found = [(path, focal) for path, focal in zip(paths, position.focals, strict=True) if path.is_file()]
        return [replace(load_photo(path), focal=focal) for path, focal in found]

    def forget(self, position: Position) -> None:
        """A game has come of it, or nobody wants it any more."""
        with self._lock:
            for path in self._folder.glob(f"{position.id}*"):
                path.unlink(missing_ok=True)

    def _path(self, id: str) -> Path:
        return self._folder / f"{id}.json"

    def _photo_path(self, id: str, number: int) -> Path:
        return self._folder / f"{id}-photo-{number}.jpg"

    def _write(self, position: Position) -> None:
        part, counts = position.part, {"focals": position.focals, "pictures": position.pictures}
        plain = {"pack": part.pack.digest, **counts, "part": part.told_to_json()}
        save(self._path(position.id), json.dumps(plain).encode())
