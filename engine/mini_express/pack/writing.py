"""A user's own copy as a pack: a map or a table written as TOML, in the place of the file that is there already."""

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex

from ...atomic import write_whole
from ...hexgrid import Hex
from ...sentences import reason_of
from ..board import Printed
from ..errors import PackProblem
from ..names import Pair
from .reading import Pack, pack_files

OWN = "own copy"
IN_THE_MAKING = re.compile(r"\.pack-[0-9a-f]{16}")
"""What the folder of a pack is called while it is filled; one that whoever filled it was killed over stays."""


@dataclass(frozen=True)
class Drawing:
    """A map as somebody drew it from the printed one, not checked yet; `spike`: the two cities of R10."""

    id: str
    names: dict[str, str]
    printed: tuple[Printed, ...]
    spike: tuple[str, str] | None = None

    @property
    def file(self) -> str:
        """The name of its file in a pack."""
        return f"boards/{self.id}.toml"

    def to_toml(self) -> str:
        """The text of that file."""
        names = ", ".join(f"{code} = {_text(name)}" for code, name in self.names.items())
        head = [f"id = {_text(self.id)}", f"name = {{ {names} }}", *self._spike()]
        return "\n".join(head) + "\n" + "".join(_hex(printed) for printed in self.printed)

    def _spike(self) -> Iterable[str]:
        """The cities of the Golden Spike, and its tile on the hex south-west of the eastern one (R10.1)."""
        at = {printed.name: printed.at for printed in self.printed if printed.kind == "city"}
        if self.spike and set(self.spike) <= at.keys():
            east, west = self.spike
            q, r = at[east]
            names = f"east = {_text(east)}, west = {_text(west)}"
            yield f"golden_spike = {{ {names}, tile = {_at((q - 1, r + 1))}, source = {_text(OWN)} }}"


def values_toml(rows: Sequence[Sequence[int]]) -> str:
    """What a share is worth, 16 rows of (first, second, other), as its file in a pack."""
    return "\n".join([f"source = {_text(OWN)}", "rows = [", *(f"    {list(row)}," for row in rows), "]", ""])


def tiles_toml(numbers: Sequence[tuple[int, int]], refresh: int, demand: Mapping[Pair, int]) -> str:
    """Mašinfíra's tiles, and how many demand tiles there are of each pair, as their file in a pack."""
    bot = [
        "[bot]",
        f"source = {_text(OWN)}",
        f"refresh = {refresh}",
        f"numbers = {[*map(list, numbers)]}",
        "",
    ]
    pairs = [
        f"[[demand]]\npair = {json.dumps(pair)}\ncount = {count}\nsource = {_text(OWN)}\n"
        for pair, count in demand.items()
    ]
    return "\n".join([*bot, *pairs])


def own_copy(pack: Pack, files: Mapping[str, str], folder: Path) -> Pack:
    """A new pack in a folder inside `folder`, named by its digest: as `pack`, but with the text of these files.

    Raises PackProblem where they hold nothing that can be played with, or nothing can be written there.
    """
    with in_the_making(folder, folder) as made:
        _write(content := _content(pack, files), made)
        new = Pack.load(made)
        target = folder / new.digest
        if sound(target) is not None:
            # The digest does not tell names that differ in their spaces alone: it stays sound file by file.
            _write(content, target)
        else:
            shutil.rmtree(target, ignore_errors=True)
            os.replace(made, target)
        return replace(new, folder=target)


def tried_copy(pack: Pack, files: Mapping[str, str], folder: Path) -> Pack:
    """As `own_copy`, but only to look at: nothing is kept of it, and its own folder is gone. Raises PackProblem."""
    with in_the_making(folder, folder) as made:
        _write(_content(pack, files), made)
        return Pack.load(made)


@contextmanager
def in_the_making(beside: Path, target: Path) -> Iterator[Path]:
    """A new folder in `beside`, to be filled and then moved; gone at the end if it was not.

    Raises PackProblem, which names `target`, for what the operating system refuses.
    """
    try:
        beside.mkdir(parents=True, exist_ok=True)
        made = beside / f".pack-{token_hex(8)}"
        made.mkdir()
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise PackProblem("unwritable", file=str(target), reason=reason_of(error)) from None


def sound(folder: Path) -> Pack | None:
    """The pack in a folder, if it is what the folder's name says."""
    try:
        pack = Pack.load(folder)
    except PackProblem:
        return None
    return pack if pack.digest == folder.name else None


def _content(pack: Pack, files: Mapping[str, str]) -> dict[str, bytes]:
    """Every file of a pack by its name, shipped ones included, but with the text of these files."""
    held = {name: path.read_bytes() for name, path in pack_files(pack.folder).items()}
    return held | {name: text.encode() for name, text in files.items()}


def _write(content: Mapping[str, bytes], folder: Path) -> None:
    for name, data in content.items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, data)


def _hex(printed: Printed) -> str:
    """One [[hex]] table."""
    lines = ["", "[[hex]]", f"at = {_at(printed.at)}", f"kind = {_text(printed.kind)}"]
    if printed.name:
        lines.append(f"name = {_text(printed.name)}")
    if printed.kind == "city":
        lines.append(f"capacity = {printed.capacity}")
    if printed.start:
        lines.append(f"start = {_text(printed.start)}")
    return "\n".join([*lines, f"source = {_text(OWN)}", ""])


def _at(at: Hex) -> str:
    return f"[{at[0]}, {at[1]}]"


def _text(text: str) -> str:
    """A TOML string; a JSON string is one, as long as nothing in it is a surrogate or the sign for delete."""
    return json.dumps(text, ensure_ascii=False)
