"""Files that outlive the program: written whole, and a sentence for whoever has no room for them.

Whatever is kept in a folder has an id that no visitor can choose, its file is named by it, and so are its photos.
"""

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from calibration import Photo
from calibration.photo import jpeg
from engine.atomic import alone_in, write_whole
from engine.sentences import reason_of

from ..problems import WebProblem

ID = re.compile(r"[0-9a-f]{16}")
# So that nothing of the board is lost, and a photo takes half a megabyte.
JPEG_QUALITY = 88


class Saved(Protocol):
    """What was saved at a time."""

    @property
    def saved(self) -> datetime: ...


Kept = TypeVar("Kept", bound=Saved)


def new_id() -> str:
    """One that nothing else has."""
    return secrets.token_hex(8)


def save(path: Path, data: bytes) -> None:
    """Write a file, and make its folder if need be. Raises WebProblem."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as reason:
        raise WebProblem("not_saved", reason=reason_of(reason)) from None


def save_photo(path: Path, photo: Photo, quality: int = JPEG_QUALITY) -> None:
    """Write a photo re-encoded: so nothing stays of what a phone writes into its files. Raises WebProblem."""
    save(path, jpeg(photo.pixels, quality))


def saved_at(path: Path) -> datetime:
    """When a file was saved, in the computer's own time. Raises OSError."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone()


def newest_first(folder: Path, load: Callable[[str], Kept]) -> list[Kept]:
    """What can be read of all that is kept in a folder, each as `load` reads it by its id."""
    found = []
    for path in folder.glob("*.json"):
        with suppress(WebProblem):
            found.append(load(path.stem))
    return sorted(found, key=lambda kept: kept.saved, reverse=True)


def remove_all_of(folder: Path, id: str) -> None:
    """What is kept there by this id, and its photos."""
    for path in folder.glob(f"{id}*"):
        path.unlink(missing_ok=True)


@contextmanager
def used_for_games(folder: Path) -> Iterator[None]:
    """Whatever the server needs of the folder of the games before it can start. Raises WebProblem."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except (OSError, UnicodeDecodeError) as reason:
        raise WebProblem("no_data", folder=str(folder), reason=reason_of(reason)) from None


@contextmanager
def served_alone(folder: Path) -> Iterator[None]:
    """Two programs that serve one folder would undo each other's changes.

    A file is locked and not the folder, so that commands on the games in it need not wait. Raises WebProblem.
    """
    with ExitStack() as held:
        with used_for_games(folder):
            (lock := folder / ".served").touch()
            try:
                held.enter_context(alone_in(lock, wait=False))
            except BlockingIOError:
                raise WebProblem("served", folder=str(folder)) from None
        yield


def kept_secret(path: Path, is_one: Callable[[bytes], bool], new: bytes) -> bytes:
    """What a file holds that nobody but its owner may read; `new` where there is none yet. Raises WebProblem."""
    with used_for_games(path.parent):
        if not (path.exists() and is_one(path.read_bytes())):
            write_whole(path, new, secret=True)
        return path.read_bytes()
