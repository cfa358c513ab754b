"""Reading and checking the tables of a pack: share values, tiles, track lengths, player colours."""

from typing import Any

from ...sentences import Phrase
from ..errors import PackProblem
from ..file_values import is_pair, is_two_numbers, is_whole
from ..names import COMPANIES, REFRESH, SEATS, TOP_VALUE, WILD, BotTile, Pair, pair
from .toml_file import TomlFile

DEMAND_TILES = 32
BOT_TILES = 12


def read_values(file: TomlFile) -> tuple[tuple[int, int, int], ...]:
    """What a share is worth by value of the company: (first, second, other), R6.2. Raises PackProblem."""
    rows = file.data.get("rows")
    if not isinstance(rows, list) or len(rows) != TOP_VALUE + 1:
        found = len(rows) if isinstance(rows, list) else 0
        raise PackProblem("value_rows", file=file.name, found=found)
    for nth, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != 3 or not all(is_whole(v) and 0 <= v < 100 for v in row):
            file.wrong(_row_line(file, "rows", nth), Phrase("[first, second, other] as three numbers"), row)
        if not row[0] >= row[1] >= row[2]:
            raise PackProblem("value_order", file=file.name, row=nth)
        if nth and any(now < before for now, before in zip(row, rows[nth - 1], strict=True)):
            raise PackProblem("value_falls", file=file.name, row=nth)
    return tuple((row[0], row[1], row[2]) for row in rows)


def read_tiles(file: TomlFile) -> tuple[tuple[BotTile, ...], tuple[Pair, ...]]:
    """Mašinfíra's 14 tiles and the 32 demand tiles (R1.1). Raises PackProblem."""
    bot = file.data.get("bot")
    if not isinstance(bot, dict):
        raise PackProblem("missing", file=file.name, part="[bot]")
    return _bot_tiles(file, bot), _demand_tiles(file)


def _bot_tiles(file: TomlFile, bot: dict[str, Any]) -> tuple[BotTile, ...]:
    numbers = bot.get("numbers")
    if not isinstance(numbers, list) or len(numbers) != BOT_TILES:
        raise PackProblem("bot_count", file=file.name, found=len(numbers) if isinstance(numbers, list) else 0)
    for nth, tile in enumerate(numbers):
        if not is_two_numbers(tile) or not all(0 <= v <= 9 for v in tile):
            file.wrong(
                _row_line(file, "numbers", nth), Phrase("[city moves, company moves] from 0 to 9"), tile
            )
    # Moves that are all even leave the marker on every other company for good (R7.5).
    if all(company % 2 == 0 for _, company in numbers):
        raise PackProblem("bot_stuck", file=file.name)
    line = file.line(r"^[ \t]*refresh\s*=")
    refresh = file.get(
        bot, "refresh", lambda v: is_whole(v) and 1 <= v <= 9, Phrase("refresh = 1 to 9"), line
    )
    return (*((city, company) for city, company in numbers), *[REFRESH] * refresh)


def _demand_tiles(file: TomlFile) -> tuple[Pair, ...]:
    found: list[Pair] = []
    tables = file.data.get("demand", [])
    for nth, table in enumerate(tables if isinstance(tables, list) else []):
        line = file.header_line("demand", nth)
        names = file.get(table, "pair", is_pair, Phrase("pair = two companies, or a company and wild"), line)
        count = file.get(
            table, "count", lambda v: is_whole(v) and 0 <= v <= DEMAND_TILES, Phrase("count = a number"), line
        )
        found += [pair(*names)] * count
    if len(found) != DEMAND_TILES:
        raise PackProblem("demand_count", file=file.name, found=len(found))
    for company in COMPANIES:
        if (wild := found.count((company, WILD))) != 1:
            raise PackProblem("demand_wild", file=file.name, company=company, found=wild)
    return tuple(found)


def read_influence_length(file: TomlFile) -> int:
    """The printed length of the influence tracks, which limits nothing (R5.6). Raises PackProblem."""
    table = file.data.get("influence", {})
    line = file.line(r"^[ \t]*length\s*=")
    expected = Phrase("length = 5 to 99")
    return int(file.get(table, "length", lambda v: is_whole(v) and 5 <= v <= 99, expected, line))


def check_colours(file: TomlFile) -> None:
    """The five player colours (R1.1). Raises PackProblem."""
    colours, line = file.data.get("colours", {}), file.line(r"^[ \t]*seats\s*=")
    expected = Phrase("seats = each of {words} once", words=", ".join(SEATS))

    def whole(value: Any) -> bool:
        return isinstance(value, list) and sorted(map(str, value)) == sorted(SEATS)

    file.get(colours, "seats", whole, expected, line)


def _row_line(file: TomlFile, key: str, nth: int) -> int:
    return file.line(r"\[[^\[\]]*\]", nth, after=rf"{key}\s*=\s*\[")
