"""Files that a person names: one sentence for each way in which one cannot be read, whatever it was to hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .sentences import N_, Phrase, Problem, reason_of

UNREAD = {
    "no_file": N_("There is no file {file}: check the name."),
    "folder": N_("{file} is a folder: name a file."),
    "unreadable": N_("{file} cannot be read: {reason}."),
}
"""The sentences by their keys, for the problems that `reading` raises."""


@contextmanager
def reading(file: Phrase | str, refused: type[Problem]) -> Iterator[None]:
    """Whatever keeps `file` from being read here is `refused`: raises this problem, which has the sentences UNREAD."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise refused("no_file", file=file) from None
    except IsADirectoryError:
        raise refused("folder", file=file) from None
    except (OSError, ValueError) as error:  # a name that no file can have is a ValueError
        raise refused("unreadable", file=file, reason=reason_of(error)) from None


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a file, but no more than one too many: some never end. Raises OSError."""
    with path.open("rb") as file:
        return file.read(most + 1)
