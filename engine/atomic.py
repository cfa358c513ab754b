"""Files that are whole at any moment, whatever is killed when: everything a person confirmed rests on this."""

import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL = re.compile(r"\.[0-9a-f]{16}\.part")
"""What a file is called while it is written; one that whoever wrote it was killed over stays."""


@contextmanager
def alone_in(place: Path, *, wait: bool = True) -> Iterator[None]:
    """Whoever changes what is in a folder, or in a file, waits here for the others, in this program or another.

    A program that ends, even killed, is waited for no more. Raises OSError; BlockingIOError instead of waiting.
    """
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)  # which also unlocks


def write_whole(path: Path, data: bytes, *, secret: bool = False) -> None:
    """Write a file so that a reader, or a restart, meets either the old or the new one. Raises OSError.

    A link stays, and where it leads is written. What is no regular file, such as a device or a pipe, cannot be
    put in another's place: the data goes into it. What is secret nobody else may read.
    """
    there = _mode(path)
    if there is not None and not stat.S_ISREG(there):
        path.write_bytes(data)
        return
    target = path.resolve()
    partial = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(_new_file(partial, there, secret), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # without it the new name itself could be lost
    finally:
        os.close(folder)


def _mode(path: Path) -> int | None:
    """Kind and permissions of what stands there or, for a link, where it leads; None where there is nothing."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _new_file(path: Path, replaced: int | None, secret: bool) -> int:
    """Open a new file for writing: with the mode of the one it will replace, else as the umask has it."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if secret else 0o666)
    if replaced is not None and not secret:
        os.fchmod(handle, stat.S_IMODE(replaced))
    return handle
