"""Files that are whole at any moment, whatever is killed when: everything a person confirmed rests on this."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Whoever changes what is in a folder waits here for the others, in this program or another. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)  # which also unlocks


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader, or a restart, meets either the old or the new one. Raises OSError."""
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # without it the new name itself could be lost
    finally:
        os.close(folder)
