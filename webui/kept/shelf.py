"""Things that are kept by their ids in a folder: a JSON file tells of each, and its photos lie beside it.

The server makes the ids, and they name the files: no visitor can choose one.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from calibration import Photo, PhotoProblem, load_photo
from calibration.photo import jpeg
from calibration.surface_files import MALFORMED
from engine.sentences import Problem

from ..problems import WebProblem
from .saving import remove, save, saved_at

ID = re.compile(r"[0-9a-f]{16}")
# So that nothing of the board is lost, and a photo takes half a megabyte.
JPEG_QUALITY = 88

T = TypeVar("T")


def new_id() -> str:
    """One that nothing else has."""
    return secrets.token_hex(8)


class Shelf:
    """One such folder. `gone` is the key of the problem with what is not in it, `photo_name` how photos are called."""

    def __init__(self, folder: Path, gone: str, photo_name: str = "{id}-{number}.jpg") -> None:
        self._folder, self._gone, self._photo_name = folder, gone, photo_name

    def read(self, id: str, parse: Callable[[Any], T]) -> T:
        """What `parse` makes of what is told. Any text may come as `id`. Raises WebProblem where that cannot be."""
        if ID.fullmatch(id):
            with suppress(OSError, Problem, *MALFORMED):
                return parse(json.loads(self._path(id).read_bytes()))
        raise WebProblem(self._gone)

    def write(self, id: str, plain: Mapping[str, Any]) -> None:
        """Keep what is told of it. Raises WebProblem."""
        save(self._path(id), json.dumps(plain).encode())

    def saved(self, id: str) -> datetime:
        """When that was told. Raises OSError."""
        return saved_at(self._path(id))

    def save_photo(self, id: str, photo: Photo, number: int = 0, quality: int = JPEG_QUALITY) -> None:
        """Re-encoded: so nothing stays of what a phone writes into its files. Raises WebProblem."""
        save(self._photo_path(id, number), jpeg(photo.pixels, quality))

    def copies(self, id: str, numbers: Iterable[int], photo: Photo) -> list[int]:
        """The numbers, of these, at which just this photo was saved: encoded once more it has the same bytes."""
        found, data = [], jpeg(photo.pixels, JPEG_QUALITY)
        for number in numbers:
            with suppress(OSError, WebProblem):
                if self.photo(id, number).read_bytes() == data:
                    found.append(number)
        return found

    def photo(self, id: str, number: int = 0) -> Path:
        """The file of a photo. Any text may come as `id`, any number. Raises WebProblem where there is none."""
        if ID.fullmatch(id):
            with suppress(OSError):  # the number may be too long for the name of a file
                if (path := self._photo_path(id, number)).is_file():
                    return path
        raise WebProblem("photo_gone")

    def load_photo(self, id: str, number: int = 0) -> Photo:
        """A photo itself. Raises WebProblem where there is none, or it is damaged: it was whole when it was kept."""
        try:
            return load_photo(self.photo(id, number))
        except PhotoProblem:
            raise WebProblem("photo_damaged") from None

    def remove_photos(self, id: str, numbers: Iterable[int]) -> None:
        """Clear them up; one that cannot be removed hinders nobody."""
        for number in numbers:
            with suppress(WebProblem):
                remove(self._photo_path(id, number))

    def every(self, load: Callable[[str], T]) -> list[T]:
        """What can be read of all that is here, each as `load` reads it by its id, the newest first."""
        found = []
        for id in self._ids():
            with suppress(WebProblem):
                found.append(load(id))
        return found

    def remove(self, id: str) -> None:
        """With its photos. Raises WebProblem."""
        for path in self._folder.glob(f"{id}*"):
            remove(path)

    def prune(self, keep: str, at_most: int, of: Iterable[str] | None = None) -> None:
        """So many are left of all, or `of` these: the newest, and `keep`, which was made just now.

        By its file that one may be the oldest: the clock may have been set back since the others were written. What
        cannot be removed hinders nobody.
        """
        others = [id for id in (self._ids() if of is None else of) if id != keep]
        for id in others[at_most - 1 :]:
            with suppress(WebProblem):
                self.remove(id)

    def _ids(self) -> list[str]:
        """Of all that is here, the newest first; also of photos of which nothing was told, as on a full disk."""
        written = {}
        # What is told last, in the .json, says how old something is, not its .jpg.
        for path in sorted(self._folder.glob("*.j*"), key=lambda path: path.suffix):
            if id := ID.match(path.name):
                with suppress(FileNotFoundError):  # others may have just removed it
                    written[id[0]] = path.stat().st_mtime
        return sorted(written, key=written.__getitem__, reverse=True)

    def _path(self, id: str) -> Path:
        return self._folder / f"{id}.json"

    def _photo_path(self, id: str, number: int) -> Path:
        return self._folder / self._photo_name.format(id=id, number=number)
