"""Everything printed on cardboard, read from a *pack*: a folder of TOML files.

    boards/<id>.toml   a [[hex]] table for each hex of a map
    values.toml        what a share is worth, 16 rows of (first, second, other)
    tiles.toml         Mašinfíra's tiles and the demand tiles
    tracks.toml        the length of the influence tracks, the player colours: checked, but no rule needs them

A user's pack need hold only what it replaces; the rest comes from the data that is shipped here.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...sentences import reason_of
from ..board import Board
from ..errors import Malformed, PackProblem
from ..names import BotTile, Pair
from .boards import read_board
from .tables import check_colours, read_influence_length, read_tiles, read_values
from .toml_file import TomlFile

BUILT_IN = Path(__file__).parents[1] / "data"
TABLES = frozenset(path.name for path in BUILT_IN.glob("*.toml"))
"""The files of a pack that are no maps."""


class Entry(NamedTuple):
    """One reconstructed entry of a pack, for `masinfira pack check`."""

    file: str
    line: int
    what: str
    certain: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Pack:
    """The printed data a game is played with. `values` rows are (first, second, other) by company value.

    The influence tracks end at `influence_length`, though influence itself has no limit (R5.6).
    """

    folder: Path | None
    boards: dict[str, Board]
    values: tuple[tuple[int, int, int], ...]
    bot_tiles: tuple[BotTile, ...]
    demand_tiles: tuple[Pair, ...]
    influence_length: int
    digest: str

    @staticmethod
    def load(folder: Path | None = None) -> "Pack":
        """Read the shipped pack, or a user's pack over it. Raises PackProblem."""
        try:
            if folder is not None and not holds_pack(folder):
                raise PackProblem("missing_folder", folder=str(folder))
        except OSError as error:
            raise PackProblem("unreadable", file=str(folder), reason=reason_of(error)) from None
        paths = pack_files(folder)
        files = {name: TomlFile.read(path, name) for name, path in paths.items()}
        boards = [read_board(file) for name, file in files.items() if name.startswith("boards/")]
        bot_tiles, demand_tiles = read_tiles(files["tiles.toml"])
        check_colours(files["tracks.toml"])
        return Pack(
            folder,
            {board.id: board for board in boards},
            read_values(files["values.toml"]),
            bot_tiles,
            demand_tiles,
            read_influence_length(files["tracks.toml"]),
            _digest(files),
        )

    def board(self, id: str) -> Board:
        """The map of this name. Raises Malformed."""
        if id not in self.boards:
            raise Malformed("unknown_board", rule="R1.4", found=id, known=", ".join(sorted(self.boards)))
        return self.boards[id]

    def reconstructed(self) -> Iterator[Entry]:
        """Every entry whose source is "reconstructed", and what of it is certain all the same."""
        for name, path in pack_files(self.folder).items():
            file = TomlFile.read(path, name)
            for part, table, line in file.tables():
                if table.get("source") == "reconstructed":
                    certain = table.get("certain")
                    yield Entry(name, line, part, tuple(certain) if isinstance(certain, list) else ())


@cache
def built_in() -> Pack:
    """The pack that is shipped: a reconstruction; `Pack.reconstructed` lists which of its entries are."""
    return Pack.load()


def is_of_pack(name: str) -> bool:
    """Whether a file in a pack is called so: one of its tables, or a map."""
    return name in TABLES or name.startswith("boards/")


def holds_pack(folder: Path) -> bool:
    """Whether anything of a pack stands there: without it, the shipped data would pass for a user's own."""
    return any((folder / name).is_file() for name in TABLES) or any(folder.glob("boards/*.toml"))


def pack_files(folder: Path | None) -> dict[str, Path]:
    """File name inside a pack → where it stands; a user's file goes before the shipped one, others there are none."""
    found = {}
    for root in (BUILT_IN, *([folder] if folder else [])):
        tables = [path for path in root.glob("*.toml") if path.name in TABLES]
        for path in sorted([*tables, *root.glob("boards/*.toml")]):
            found[path.relative_to(root).as_posix()] = path
    return found


def unread_tables(folder: Path) -> list[str]:
    """The tables in a user's pack that none of ours is called like: misspelt, or no part of a pack."""
    return sorted(path.name for path in folder.glob("*.toml") if path.name not in TABLES)


def _digest(files: dict[str, TomlFile]) -> str:
    """Eight letters that change with the printed data, but not with comments nor with any space, even inside a name."""
    text = repr([(name, file.data) for name, file in sorted(files.items())])
    return hashlib.sha256(re.sub(r"\s", "", text).encode()).hexdigest()[:8]
