"""Files that outlive the program: written whole, and a sentence for whoever has no room for them."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from engine.atomic import PARTIAL, alone_in, write_whole
from engine.mini_express.pack.writing import IN_THE_MAKING
from engine.sentences import reason_of

from ..problems import WebProblem

ABANDONED_SECONDS = 60
"""Whoever writes something for so long is no more: a command on a game may write beside the server."""


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
def alone_with_files(folder: Path) -> Iterator[None]:
    """Whoever changes files of this folder waits here for the others, commands too. Raises WebProblem."""
    with ExitStack() as held:
        with _saving():
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(alone_in(folder))
        yield


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
    """Two programs that serve one folder would undo each other's changes. What killed ones have left is cleared up.

    A file is locked and not the folder, so that commands on the games in it need not wait. Raises WebProblem.
    """
    with ExitStack() as held:
        with used_for_games(folder):
            (lock := folder / ".served").touch()
            try:
                held.enter_context(alone_in(lock, wait=False))
            except BlockingIOError:
                raise WebProblem("served", folder=str(folder)) from None
        _clear_up(folder)
        yield


def _clear_up(folder: Path) -> None:
    """Remove what programs have left that were killed while they wrote; no link is followed."""
    for at, folders, files in os.walk(folder):
        for name in filter(PARTIAL.fullmatch, files):
            if _abandoned(path := Path(at, name)):
                with suppress(OSError):
                    path.unlink()
        for name in filter(IN_THE_MAKING.fullmatch, folders):
            if _abandoned(path := Path(at, name)):
                shutil.rmtree(path, ignore_errors=True)  # which leaves a link as it is


def _abandoned(path: Path) -> bool:
    with suppress(OSError):
        return time.time() - path.lstat().st_mtime > ABANDONED_SECONDS
    return False


def kept_secret(path: Path, is_one: Callable[[bytes], bool], new: bytes) -> bytes:
    """What a file holds that nobody but its owner may read; `new` where there is none yet. Raises WebProblem."""
    with used_for_games(path.parent):
        if not (path.exists() and is_one(path.read_bytes())):
            write_whole(path, new, secret=True)
        return path.read_bytes()
