"""Saving what a command is asked to keep: whole or not at all, and never over what is read or another game."""

import errno
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from engine import mini_express as game
from engine.atomic import alone_in, write_whole
from engine.files import read_bytes, reading
from engine.mini_express.pack import pack_files
from engine.sentences import REASONS, reason_of

from .files import MAX_BYTES, STDIN, FileProblem, read_game, stands

Source = str | Path | None
"""What a command is given to read; None where it is not given."""
MayReplace = Callable[[bytes], bool]
"""Whether what a file holds is of the kind that a command writes, so that the command may write it anew."""
DRAWN = b"\xff\xfe\x00\x0bmasinfira"
"""The comment in a JPEG by which a picture of ours is told from a photo: its marker, its length, its text."""


def is_position(data: bytes) -> bool:
    """A state, or what is known of one; not a scan, whose doubts and confidences no command can write anew."""
    try:
        found = json.loads(data)
    except (RecursionError, ValueError):
        return False
    if not isinstance(found, dict) or "doubtful" in found:
        return False
    return bool({"format", "board", "seats", "track", "state"} & found.keys())


def is_drawn(data: bytes) -> bool:
    """A picture that we have drawn into."""
    return DRAWN in data[:100]


def is_plot(data: bytes) -> bool:
    """A drawing of figures."""
    return data.startswith(b"<svg")


def check_output(
    path: Path | None,
    pack: game.Pack,
    reads: Iterable[Source] = (),
    goes_on: Source = None,
    may_replace: MayReplace = is_position,
) -> None:
    """Before the work: whether a file may be written, so that nothing is lost. Raises FileProblem.

    Refused are, by whatever name:
    - a file of the pack, or one that the command `reads`, unless it `goes_on` with the position in it;
    - a recorded game, unless that very game goes on in it as text;
    - anything else that it may not replace;
    - what is protected against writing, or lies in such a folder.
    """
    if path is None:
        return
    name, same = str(path), _is_same(path, goes_on)
    if stands(path.is_dir):
        raise FileProblem("folder", file=name)
    if not stands(path.parent.is_dir):
        raise FileProblem("no_folder", folder=str(path.parent), file=path.name)
    if not same and any(_is_same(path, source) for source in (*reads, *pack_files(pack.folder).values())):
        raise FileProblem("in_use", file=name)
    there = _what_is_there(path)
    if not (same and path.suffix != ".json") and game.is_record(there.decode("utf-8-sig", errors="replace")):
        raise FileProblem("game_there", file=name)
    if not same and there.strip() and not may_replace(there):
        raise FileProblem("other_there", file=name)
    if not _is_writable(path):
        raise FileProblem("unwritable", file=name, reason=REASONS[errno.EACCES])


def _is_writable(path: Path) -> bool:
    """Whether what stands there may be written, and the folder in which a new file takes its place."""
    place = Path(os.path.realpath(path))
    written_into = stands(place.exists) and not stands(place.is_file)  # a device or a pipe
    needed = [place] if written_into else [place, place.parent]
    return all(os.access(one, os.W_OK) for one in needed if stands(one.exists))


def check_picture(
    path: Path | None, pack: game.Pack, reads: Iterable[Source], may_replace: MayReplace = is_drawn
) -> None:
    """The same of a picture that is to be saved. Raises FileProblem."""
    if path and path.suffix.lower() not in (".jpg", ".jpeg"):
        raise FileProblem("no_picture", file=str(path))
    check_output(path, pack, reads, may_replace=may_replace)


def check_both(one: Path | None, other: Path | None) -> None:
    """Before the work: whether two things are to be saved under one name. Raises FileProblem."""
    if one and other and (os.path.realpath(one) == os.path.realpath(other) or _is_same(one, other)):
        raise FileProblem("twice", file=str(one))


def _is_same(path: Path, source: Source) -> bool:
    """Whether both are one regular file; into a device or a pipe nothing is lost."""
    if source is None or source == STDIN:
        return False
    return stands(lambda: path.is_file() and path.samefile(source))


def _has_gone(path: Path, source: str) -> bool:
    """Whether `source`, which has been read, was this file and is there no more: somebody has put it away."""
    named_so = source != STDIN and os.path.realpath(path) == os.path.realpath(source)
    return named_so and not stands(path.exists)


def _what_is_there(path: Path) -> bytes:
    """What a regular file holds, nothing where there is none. Raises FileProblem: unread it may be anything."""
    with reading(str(path), FileProblem):
        return read_bytes(path, MAX_BYTES) if stands(path.is_file) else b""


def save_game(path: Path | None, played: game.Game) -> None:
    """Save the state as JSON or, under any other name than *.json, the game as text. Raises FileProblem."""
    if path is None:
        return
    if path.suffix == ".json":
        save_json(path, game.state_to_json(played.state))
    else:
        write_atomically(path, played.to_text().encode())


def save_gone_on(
    path: Path | None, played: game.Game, before: game.Game, source: str, pack: game.Pack
) -> None:
    """Save what the game `before` in `source` has become; over itself, only if it is still there. Raises Problem."""
    if path:
        save_over(path, source, lambda: read_game(source, pack) == before, lambda: save_game(path, played))


def save_over(path: Path, source: str, unchanged: Callable[[], bool], save: Callable[[], None]) -> None:
    """Save what was made of what `source` held; over itself, only if that is still `unchanged`. Raises Problem.

    Of two programs that go on with one file at once, the later is told, and loses nobody's turn.
    """
    with alone_with(path):
        if _has_gone(path, source) or (_is_same(path, source) and not unchanged()):
            raise FileProblem("changed", file=str(path))
        save()


@contextmanager
def alone_with(path: Path | None) -> Iterator[None]:
    """Whoever writes over a file waits here for the others who do. Raises FileProblem.

    Not so for a device or a pipe: nothing is lost in it, and to write it may take until somebody reads.
    """
    if path is None or (stands(path.exists) and not stands(path.is_file)):
        yield
        return
    with ExitStack() as alone:
        with _writing(path):
            alone.enter_context(alone_in(Path(os.path.realpath(path)).parent))
        yield


def save_json(path: Path, value: Any) -> None:
    """Save a state, or what is known of one. Raises FileProblem."""
    write_atomically(path, (json.dumps(value, indent=2) + "\n").encode())


def write_atomically(path: Path, data: bytes) -> None:
    """Write a whole file or nothing, into a folder that there is. Raises FileProblem."""
    with _writing(path):
        write_whole(path, data)


def make_folder(path: Path) -> None:
    """Make the folder that a command is there to fill. Raises FileProblem."""
    with _writing(path):
        path.mkdir(parents=True, exist_ok=True)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Raises FileProblem where the system refuses."""
    try:
        yield
    except IsADirectoryError:
        raise FileProblem("folder", file=str(path)) from None
    except OSError as error:
        raise FileProblem("unwritable", file=str(path), reason=reason_of(error)) from None
