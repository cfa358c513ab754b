"""Reading and checking a map of a pack (R1.3-R1.5, R10.1)."""

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import Any

from ...hexgrid import neighbours
from ...sentences import Phrase
from ..board import Board, Printed, SpikeCities
from ..errors import PackProblem
from ..file_values import is_two_numbers, is_whole
from ..names import CITIES, COMPANIES
from .toml_file import TomlFile

ID = re.compile(r"[a-z0-9_]{1,40}")
"""What a map can be called, and so its file in a pack and in an archive of it."""
PORTS = 5
NAME_AT_MOST = 39
KINDS = ("landscape", "city", "port")

# R1.5: what the rulebooks say of the two printed maps. Maps with other ids are not held to it.
STARTS = {
    "usa": {"orange": "Erie", "brown": "Baltimore", "gray": "Wilmington", "white": "Tallahassee"},
    "europe": {"orange": "Barcelona", "brown": "Warsaw", "gray": "London", "white": "Belgrade"},
}
FIRST_CITY = {"usa": "Augusta", "europe": "Kiev"}


def read_board(file: TomlFile) -> Board:
    """Raises PackProblem with file, line and what was expected."""
    expected = Phrase("id = 1 to 40 characters of a–z, 0–9 and _")
    board_id = file.get(file.data, "id", lambda v: isinstance(v, str) and bool(ID.fullmatch(v)), expected, 1)
    if (stem := PurePosixPath(file.name).stem) != board_id:
        file.wrong(1, f'id = "{stem}"', board_id)  # else two files could be maps of one name
    names = file.data.get("name")
    if not isinstance(names, dict) or not isinstance(names.get("en"), str):
        file.wrong(1, "name = { en = ..., cs = ..., ko = ... }", names)
    tables = file.data.get("hex")
    if not isinstance(tables, list):
        raise PackProblem("missing", file=file.name, part="[[hex]]")
    printed = tuple(_hex(file, table, file.header_line("hex", nth)) for nth, table in enumerate(tables))
    _check_shape(file, printed)
    board = Board(board_id, names, printed, _spike(file))
    _check_cities(file, board)
    return board


def _hex(file: TomlFile, table: Any, line: int) -> Printed:
    if not isinstance(table, dict):
        file.wrong(line, Phrase("a [[hex]] table"), table)
    q, r = file.get(table, "at", is_two_numbers, "at = [q, r]", line)
    if max(abs(q), abs(r)) > 99:
        file.wrong(line, Phrase("at = [q, r] between -99 and 99"), [q, r])
    kind = file.get(table, "kind", lambda v: v in KINDS, Phrase('kind = "landscape", "city" or "port"'), line)
    if kind != "city":
        return Printed((q, r), kind, str(table.get("name", "")))
    name = file.get(
        table,
        "name",
        lambda v: isinstance(v, str) and 0 < len(v) <= NAME_AT_MOST and v.isprintable(),
        Phrase("name = the city's name"),
        line,
    )
    capacity = file.get(
        table, "capacity", lambda v: is_whole(v) and 1 <= v <= 3, Phrase("capacity = 1, 2 or 3"), line
    )
    start = table.get("start", "")
    if start not in ("", *COMPANIES):
        file.wrong(line, Phrase("start = a company"), start)
    return Printed((q, r), kind, name, capacity, start)


def _check_shape(file: TomlFile, printed: tuple[Printed, ...]) -> None:
    """No hex twice, 36 cities, 5 ports or none, a start for each company, one piece."""
    at = [p.at for p in printed]
    for place, count in Counter(at).items():
        if count > 1:
            again = at.index(place, at.index(place) + 1)
            raise PackProblem("hex_twice", file=file.name, line=file.header_line("hex", again), hex=place)
    kinds = Counter(p.kind for p in printed)
    if kinds["city"] != CITIES:
        raise PackProblem("cities", file=file.name, found=kinds["city"])
    if kinds["port"] not in (0, PORTS):
        raise PackProblem("ports", file=file.name, found=kinds["port"])
    starts = Counter(p.start for p in printed if p.start)
    for company in COMPANIES:
        if starts[company] != 1:
            raise PackProblem("starts", file=file.name, company=company, found=starts[company])
    names = Counter(p.name for p in printed if p.kind == "city")
    for nth, p in enumerate(printed):
        if p.kind == "city" and names[p.name] > 1:
            raise PackProblem("city_twice", file=file.name, line=file.header_line("hex", nth), city=p.name)
    _check_island(file, at)


def _check_island(file: TomlFile, at: list[tuple[int, int]]) -> None:
    left, todo = set(at[1:]), [at[0]]
    while todo:
        near = left.intersection(neighbours(todo.pop()))
        left -= near
        todo += near
    if left:
        # The smaller part is the island.
        cut_off = left if 2 * len(left) <= len(at) else set(at) - left
        nth = min(at.index(place) for place in cut_off)
        raise PackProblem("island", file=file.name, line=file.header_line("hex", nth), hex=at[nth])


def _check_cities(file: TomlFile, board: Board) -> None:
    """What the rulebooks say by name of the two printed maps, and the cities of the Golden Spike."""
    first = FIRST_CITY.get(board.id)
    for company, city in STARTS.get(board.id, {}).items():
        if (found := board.starts[company].name) != city:
            raise PackProblem("start_city", file=file.name, company=company, city=city, found=found)
    if first and first not in board.city_named:
        raise PackProblem("named_city", file=file.name, city=first, board=board.id)
    if first and board.numbered[1].name != first:
        raise PackProblem("first_city", file=file.name, city=first, found=board.numbered[1].name)
    if board.spike:
        for name in (board.spike.east, board.spike.west):
            if not (name in board.city_named and board.city_named[name].number):
                raise PackProblem("spike_city", file=file.name, city=name)
        if not board.landscape >> board.index.get(board.spike.tile, 10**6) & 1:
            raise PackProblem("spike_hex", file=file.name, hex=board.spike.tile)


def _spike(file: TomlFile) -> SpikeCities | None:
    table = file.data.get("golden_spike")
    if table is None:
        return None
    line = file.line(r"^[ \t]*golden_spike|^[ \t]*\[golden_spike")
    if not isinstance(table, dict):
        file.wrong(line, "golden_spike = { east = ..., west = ..., tile = [q, r] }", table)
    east, west = (
        file.get(table, key, lambda v: isinstance(v, str), Phrase("{key} = a city", key=key), line)
        for key in ("east", "west")
    )
    if east == west:
        file.wrong(line, Phrase("east and west = two different cities"), east)
    q, r = file.get(table, "tile", is_two_numbers, "tile = [q, r]", line)
    return SpikeCities(east, west, (q, r))
