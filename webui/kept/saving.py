"""Files that outlive the program: written whole, and a sentence for whoever has no room for them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from engine.atomic import alone_in, write_whole
from engine.sentences import reason_of

from ..problems import WebProblem


def save(path: Path, data: bytes) -> None:
    """Write a file, and make its folder if need be. Raises WebProblem."""
    with _saving():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)


def remove(path: Path) -> None:
    """Delete a file, if it is there. Raises WebProblem."""
    with _saving():
        path.unlink(missing_ok=True)


def rename(path: Path, new: Path) -> None:
    """Give a file another name. Raises WebProblem."""
    with _saving():
        path.rename(new)


@contextmanager
def _saving() -> Iterator[None]:
    """Raises WebProblem for what the operating system refuses."""
    try:
        yield
    except OSError as reason:
        raise WebProblem("not_saved", reason=reason_of(reason)) from None


def saved_at(path: Path) -> datetime:
    """When a file was saved, in the computer's own time. Raises OSError."""
    return datetime.fromtimestamp(path.stat().st_mtime).astimezone()


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
