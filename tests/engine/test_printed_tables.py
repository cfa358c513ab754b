"""What the rulebooks say of the printed tables, and what our pack makes of it (R1.1, last section of the rules).

What must hold of every pack, ours included, is refused when it is read: `test_pack_problems.py`."""

from collections import Counter
from itertools import product

import pytest

from engine import mini_express as game
from engine.mini_express.names import COMPANIES, REFRESH, SEATS, WILD, Pair, pair
from engine.mini_express.pack import BUILT_IN, pack_files
from engine.mini_express.pack.toml_file import TomlFile

PACK = game.built_in()
FIRST, SECOND, OTHER = range(3)


@pytest.mark.parametrize(
    ("row", "column", "worth"), [(5, OTHER, 2), (7, SECOND, 5), (9, FIRST, 8), (12, OTHER, 4)]
)
def test_cells_of_the_value_table_in_the_scoring_example(row: int, column: int, worth: int) -> None:
    """R6.4 gives four cells of the value table."""
    assert PACK.values[row][column] == worth


def test_fourteen_bot_tiles_two_of_them_refresh() -> None:
    """R1.1: 12 tiles with two numbers and 2 with the refresh icon."""
    assert len(PACK.bot_tiles) == 14
    assert PACK.bot_tiles.count(REFRESH) == 2


@pytest.mark.parametrize("tile", [(2, 2), (2, 1)])
def test_bot_tiles_of_the_worked_examples(tile: tuple[int, int]) -> None:
    """Both tiles drawn in the rulebooks' examples exist."""
    assert tile in PACK.bot_tiles


def test_numbered_bot_tiles_are_every_combination_once() -> None:
    """The fair reconstruction: cities 1-3 with companies 1-4."""
    numbered = [tile for tile in PACK.bot_tiles if tile != REFRESH]
    assert sorted(numbered) == sorted(product((1, 2, 3), (1, 2, 3, 4)))


@pytest.mark.parametrize("names", [("orange", "gray"), ("white", "orange"), ("gray", "white")])
def test_demand_tiles_of_the_worked_examples(names: Pair) -> None:
    """Tulsa, Detroit and Venice in the examples."""
    assert pair(*names) in PACK.demand_tiles


def test_the_other_demand_tiles_favour_no_company() -> None:
    """The fair reconstruction: 4 of each mixed pair, 1 of each double."""
    counts = Counter(tile for tile in PACK.demand_tiles if WILD not in tile)
    for a, b in product(COMPANIES, COMPANIES):
        assert counts[pair(a, b)] == (1 if a == b else 4)


def test_five_player_colours_three_of_them_from_the_rulebooks() -> None:
    """R1.1: red, blue and purple are named."""
    assert len(set(SEATS)) == 5
    assert {"red", "blue", "purple"} <= set(SEATS)


def test_every_entry_has_a_source() -> None:
    """A reader can tell what is printed in the rulebooks from what we made up."""
    heads = {"boards/usa.toml", "boards/europe.toml", "tiles.toml", "tracks.toml", "name"}
    entries = [
        (file, what, table)
        for file, path in pack_files(None).items()
        for what, table, _ in TomlFile.read(path, file).tables()
        if what not in heads
    ]
    without = [
        (f, what) for f, what, table in entries if table.get("source") not in ("rulebook", "reconstructed")
    ]
    assert len(entries) > 250
    assert not without


def test_every_reconstructed_entry_is_listed() -> None:
    """`pack check` names each of them, once for each `source = "reconstructed"` in the files."""
    written = sum(path.read_text().count('source = "reconstructed"') for path in BUILT_IN.rglob("*.toml"))
    assert len(list(PACK.reconstructed())) == written > 200


def test_what_is_certain_of_the_value_table_is_marked() -> None:
    """The four cells of the example stand beside the reconstruction."""
    (values,) = [entry for entry in PACK.reconstructed() if entry.file == "values.toml"]
    assert values.certain == ("row 5 other", "row 7 second", "row 9 first", "row 12 other")
