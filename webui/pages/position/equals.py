"""Demand tiles of a position that look like one a person told: what that one is, they are."""

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.mini_express.fields import Path
from engine.mini_express.names import Pair

from ...kept.positions import Position, path_of

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import TableScan
    from vision.state.demand import Tile

DEMAND = "demand."


def with_equals(before: Position, after: Position, found: "TableScan | None") -> Position:
    """`after`, with what its photos show in the other cities once a tile was told which is not in `before`.

    That is `after` itself where no tile was told, or nobody remembers how the photos show the map.
    """
    told = _tiles_said(after)
    if found is None or found.map is None or told == _tiles_said(before):
        return after
    return _laid(after, found.map.cards_told(told).tiles)


def changed_tiles(one: Position, other: Position) -> list[int]:
    """The numbers of the cities whose tiles differ."""
    paths = [path for path in one.part.fields if path.startswith(DEMAND)]
    return [int(_city(path)) for path in paths if one.part.told.get(path) != other.part.told.get(path)]


def _laid(position: Position, tiles: "Collection[Tile]") -> Position:
    """With these tiles in the cities where photos show one and nobody has said which.

    One that was clear stays so while it is read as before: what is told elsewhere does not open it again.
    """
    part, said = position.part, _said(position)
    named = {f"{DEMAND}{tile.city}": tile for tile in tiles}
    shown = {path: tile for path, tile in named.items() if part.told.get(path) and path not in said}
    fresh = {p: t for p, t in shown.items() if p in part.unsure or sorted(part.told[p]) != sorted(t.pair)}
    doubtful = {path for path, tile in fresh.items() if tile.doubtful}
    laid = part.filled_in([f"{path}={','.join(tile.pair)}" for path, tile in fresh.items()])
    return replace(position, part=replace(laid, unsure=laid.unsure | doubtful))


def _tiles_said(position: Position) -> dict[int, Pair]:
    """The tiles that people have told, by city number."""
    told, tiles = position.part.told, {}
    for path in _said(position):
        if path.startswith(DEMAND) and told.get(path):
            one, other = told[path]
            tiles[int(_city(path))] = (one, other)
    return tiles


def _said(position: Position) -> list[Path]:
    """What people have told, in the order in which they told it first."""
    return [*dict.fromkeys(path_of(text) for text in position.said)]


def _city(path: Path) -> str:
    return path.removeprefix(DEMAND)
