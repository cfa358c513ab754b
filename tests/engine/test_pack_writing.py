"""An own copy of a map: written as a pack, read again, and refused where no map can be so."""

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from engine.mini_express import Pack, PackProblem, built_in
from engine.mini_express.board import Board
from engine.mini_express.pack.tables import read_tiles, read_values
from engine.mini_express.pack.toml_file import TomlFile
from engine.mini_express.pack.writing import Drawing, own_copy, tiles_toml, values_toml


def copied(pack: Pack, drawing: Drawing, folder: Path) -> Pack:
    return own_copy(pack, {drawing.file: drawing.to_toml()}, folder)


def drawn(board: Board) -> Drawing:
    spike = board.spike and (board.spike.east, board.spike.west)
    return Drawing(board.id, board.names, board.printed, spike)


@pytest.mark.parametrize("name", ["usa", "europe"])
def test_a_map_that_is_drawn_as_ours_is_ours(name: str, tmp_path: Path) -> None:
    ours = built_in().board(name)
    made = copied(built_in(), drawn(ours), tmp_path)
    copy = made.board(name)
    assert (copy.printed, copy.spike, copy.names) == (ours.printed, ours.spike, ours.names)
    assert made.values == built_in().values
    assert made.folder == tmp_path / made.digest


def test_what_is_written_is_no_reconstruction(tmp_path: Path) -> None:
    made = copied(built_in(), drawn(built_in().board("usa")), tmp_path)
    files = {entry.file for entry in made.reconstructed()}
    assert "boards/usa.toml" not in files
    assert "boards/europe.toml" in files


def test_an_own_copy_is_laid_over_an_copied(tmp_path: Path) -> None:
    """Each of the two maps is drawn by itself."""
    renamed = [
        replace_name(built_in().board(name), old) for name, old in (("usa", "Denver"), ("europe", "Rome"))
    ]
    first = copied(built_in(), drawn(renamed[0]), tmp_path)
    second = copied(first, drawn(renamed[1]), tmp_path)
    assert 'A "new" \\ name' in second.board("usa").city_named
    assert 'A "new" \\ name' in second.board("europe").city_named
    assert Pack.load(tmp_path / first.digest).digest == first.digest


def replace_name(board: Board, city: str) -> Board:
    new = tuple(p._replace(name='A "new" \\ name') if p.name == city else p for p in board.printed)
    return replace(board, printed=new, _variants={})


def test_a_damaged_copy_is_made_anew(tmp_path: Path) -> None:
    drawing = drawn(built_in().board("usa"))
    digest = copied(built_in(), drawing, tmp_path).digest
    (tmp_path / digest / drawing.file).write_text("half a fi")
    assert copied(built_in(), drawing, tmp_path).digest == digest
    assert Pack.load(tmp_path / digest).digest == digest


def test_a_name_may_be_corrected_by_a_space(tmp_path: Path) -> None:
    """The digest stays, so it must not be asked alone whether the copy is there already."""
    ours = drawn(built_in().board("usa"))
    typed = replace(ours, printed=tuple(p._replace(name=p.name.replace("New ", "New")) for p in ours.printed))
    wrong = copied(built_in(), typed, tmp_path)
    right = copied(wrong, ours, tmp_path)
    assert right.digest == wrong.digest
    assert "New Orleans" in right.board("usa").city_named
    assert "New Orleans" in Pack.load(tmp_path / right.digest).board("usa").city_named


def test_all_who_may_read_the_folder_may_read_the_copy(tmp_path: Path) -> None:
    (folder := tmp_path / "shared").mkdir()
    made = copied(built_in(), drawn(built_in().board("usa")), folder)
    assert made.folder.stat().st_mode == folder.stat().st_mode


def test_the_same_copy_twice_is_one(tmp_path: Path) -> None:
    drawing = drawn(built_in().board("usa"))
    assert copied(built_in(), drawing, tmp_path).digest == copied(built_in(), drawing, tmp_path).digest
    assert len([*tmp_path.iterdir()]) == 1


def test_a_map_that_breaks_the_rules_leaves_nothing_behind(tmp_path: Path) -> None:
    ours = built_in().board("usa")
    without = replace(drawn(ours), printed=tuple(p for p in ours.printed if p.name != "Denver"))
    with pytest.raises(PackProblem) as refused:
        copied(built_in(), without, tmp_path)
    assert refused.value.key == "cities"
    assert not [*tmp_path.iterdir()]


def test_without_its_cities_a_map_has_no_golden_spike(tmp_path: Path) -> None:
    ours = built_in().board("usa")
    assert (
        copied(built_in(), replace(drawn(ours), spike=("Omaha", "Atlantis")), tmp_path).board("usa").spike
        is None
    )


def test_tables_are_written_as_they_were() -> None:
    pack = built_in()
    numbers = [tile for tile in pack.bot_tiles if isinstance(tile, tuple)]
    tiles = tiles_toml(numbers, pack.bot_tiles.count("refresh"), Counter(pack.demand_tiles))
    found = read_tiles(TomlFile("tiles.toml", tiles, tomllib.loads(tiles)))
    assert found == (pack.bot_tiles, pack.demand_tiles)
    values = values_toml(pack.values)
    assert read_values(TomlFile("values.toml", values, tomllib.loads(values))) == pack.values


def test_a_table_that_falls_is_refused_with_its_row(tmp_path: Path) -> None:
    rows = [list(row) for row in built_in().values]
    rows[9][0] = 1
    with pytest.raises(PackProblem) as refused:
        own_copy(built_in(), {"values.toml": values_toml(rows)}, tmp_path)
    assert (refused.value.key, refused.value.values["row"]) == ("value_order", 9)
