"""Every sentence about a user's own pack that is wrong (`PackProblem`), with file and line where there is one.

Each test copies our pack to a folder and spoils one thing in it."""

import errno
import io
import os
import random
import re
import shutil
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import mini_express as game
from engine.catalogue import texts
from engine.mini_express.pack import BUILT_IN
from engine.mini_express.pack.archive import export_pack, files_in, import_pack

Spoil = Callable[[Path], object]


def replaced(name: str, old: str, new: str, count: int = 1) -> Spoil:
    """One text replaced by another in a file of the pack."""

    def spoil(pack: Path) -> None:
        text = (pack / name).read_text()
        assert old in text
        (pack / name).write_text(text.replace(old, new, count))

    return spoil


def hex_table(place: str, new: str) -> Spoil:
    """The [[hex]] table with this line in it, replaced in the map of the USA."""

    def spoil(pack: Path) -> None:
        tables = (pack / "boards/usa.toml").read_text().split("[[hex]]\n")
        (nth,) = [n for n, table in enumerate(tables) if place in table.splitlines()]
        tables[nth] = new
        text = "[[hex]]\n".join(tables) if new else "[[hex]]\n".join(t for t in tables if t)
        (pack / "boards/usa.toml").write_text(text)

    return spoil


def written(name: str, text: str | bytes) -> Spoil:
    """A file of the pack overwritten."""
    return lambda pack: (pack / name).write_bytes(text if isinstance(text, bytes) else text.encode())


LANDSCAPE = 'kind = "landscape"\nsource = "reconstructed"\n\n'
USA, EUROPE = "boards/usa.toml", "boards/europe.toml"

CASES: list[tuple[str, Spoil, str]] = [
    ("missing_folder", shutil.rmtree, "There is no pack in"),
    ("toml", written("values.toml", "rows = ["), "values.toml is not valid TOML"),
    ("unreadable", written("tiles.toml", b"\xff\xfe"), "tiles.toml cannot be read"),
    ("unreadable", lambda pack: os.mkfifo(pack / "boards/pipe.toml"), "pipe.toml cannot be read: it is not a text"),
    ("unreadable", lambda pack: (pack / "boards/sub.toml").mkdir(), "sub.toml cannot be read: it is a folder"),
    ("unreadable", written("tiles.toml", b"#" * 1_000_001), "tiles.toml cannot be read: larger than 1 MB"),
    ("unreadable", written("tiles.toml", b"a" + 20_000 * b".a" + b"=1"), "a line has more than 100 dots"),
    ("entry", replaced(USA, "capacity = 1", "capacity = 4"), "usa.toml, line 10: capacity = 1, 2 or 3 expected, 4"),
    ("entry", replaced(USA, "capacity = 1", "capacity = true"), "line 10: capacity"),
    ("entry", replaced(USA, 'kind = "city"', 'kind = "town"'), "line 10: kind ="),
    ("entry", replaced(USA, "at = [9, -9]", "at = [9]"), r"line 10: at = \[q, r\]"),
    ("entry", replaced(USA, "at = [9, -9]", "at = [900, -9]"), "between -99 and 99"),
    ("city_twice", replaced(USA, 'name = "Boston"', 'name = "Augusta"'), "two cities are called Augusta"),
    ("entry", replaced(USA, 'name = "Boston"', 'name = "\\u001b[31mBoston"'), "name = the city's name"),
    ("entry", replaced(USA, 'start = "brown"', 'start = "pink"'), "start = a company"),
    ("entry", replaced(USA, 'id = "usa"', "id = 7"), "line 1: id ="),
    ("entry", lambda pack: shutil.copy(pack / USA, pack / "boards/other.toml"), 'line 1: id = "other" expected'),
    ("entry", replaced(USA, "name = {", "names = {"), "line 1: name ="),
    ("entry", replaced(USA, "golden_spike = {", "golden_spike = 5 #"), "line 8: golden_spike ="),
    ("entry", replaced(USA, 'west = "San Francisco"', 'west = "Omaha"'), "line 8: east and west = two different"),
    ("entry", replaced("values.toml", "[9, 7, 3],", "[9, 7],"), r"values.toml, line 18: \[first, second, other\]"),
    ("entry", replaced("tiles.toml", "[2, 3]", "[2, 30]"), r"tiles.toml, line \d+: \[city moves, company moves\]"),
    ("entry", replaced("tiles.toml", "refresh = 2", "refresh = 0"), "tiles.toml, line 6: refresh"),
    ("entry", replaced("tiles.toml", '["brown", "gray"]', '["brown", "pink"]'), "tiles.toml, line 15: pair"),
    ("entry", replaced("tiles.toml", "count = 4", "count = -4"), "tiles.toml, line 15: count"),
    ("entry", replaced("tracks.toml", "length = 15", "length = 2"), "tracks.toml, line 4: length"),
    ("entry", replaced("tracks.toml", '"blue"', '"black"'), "tracks.toml, line 8: seats = each of red, blue"),
    ("entry", replaced("tracks.toml", "seats = [", 'seats = ["red", '), "tracks.toml, line 8: seats = each of"),
    ("entry", replaced("tracks.toml", "[colours]", "[colors]"), "line 8: seats = each of .* expected, nothing"),
    ("missing", replaced(USA, "[[hex]]", "[[place]]", 1000), r'boards/usa.toml: "\[\[hex\]\]" is missing'),
    ("missing", replaced("tiles.toml", "[bot]", "[robot]"), r'tiles.toml: "\[bot\]" is missing'),
    ("hex_twice", replaced(USA, "at = [9, -8]", "at = [9, -9]"), "boards/usa.toml, line 18: the hex"),
    ("cities", hex_table('name = "Tulsa"', "at = [0, 0]\n" + LANDSCAPE), "36 cities, this one has 35"),
    ("starts", replaced(USA, 'start = "brown"', 'start = "gray"'), "brown has 0"),
    ("island", hex_table("at = [1, -5]", "at = [40, 40]\n" + LANDSCAPE), r"line \d+: the hex 40,40 is cut off"),
    ("ports", replaced(EUROPE, 'kind = "port"', 'kind = "landscape"'), "5 ports or none, this one has 4"),
    ("named_city", replaced(USA, 'name = "Augusta"', 'name = "Portland (Maine)"'), "the city Augusta is missing"),
    ("first_city", lambda pack: [replaced(USA, '"Augusta"', '"X"')(pack), replaced(USA, '"Boston"', '"Augusta"')(pack)],
     "city 1 must be Augusta, here it is X"),
    ("start_city", replaced(USA, 'name = "Erie"', 'name = "Buffalo"'), "orange starts in Erie, here it .* Buffalo"),
    ("spike_city", replaced(USA, 'east = "Omaha"', 'east = "Topeka"'), "golden_spike names Topeka"),
    ("spike_city", replaced(USA, 'east = "Omaha"', 'east = "Erie"'), "golden_spike names Erie"),
    ("spike_hex", replaced(USA, "tile = [-1, -1]", "tile = [0, 0]"), r"0,0 is none"),
    ("value_rows", replaced("values.toml", "    [13, 10, 5],\n", ""), "16 rows expected .*, 15 found"),
    ("value_falls", replaced("values.toml", "[9, 7, 3]", "[8, 7, 3]"), "row 11 must not be lower"),
    ("value_order", replaced("values.toml", "[9, 7, 3]", "[9, 10, 3]"), "in row 11 a better rank"),
    ("bot_count", replaced("tiles.toml", "[1, 1], ", ""), "12 tiles with numbers expected, 11 found"),
    ("bot_stuck", lambda pack: [replaced("tiles.toml", f"[{c}, {m}]", f"[{c}, 2]", 9)(pack) for c in (1, 2, 3)
                                for m in (1, 3)], "the marker can never reach every company"),
    ("demand_count", replaced("tiles.toml", "count = 4", "count = 3"), "32 demand tiles expected, 31 found"),
    ("demand_wild", replaced("tiles.toml", '["brown", "wild"]', '["gray", "wild"]'), "brown has 0"),
]  # fmt: skip

ARCHIVE_KEYS = {"no_file", "folder", "archive", "exists", "unwritable"}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A copy of our pack, ready to be spoiled."""
    folder = tmp_path / "pack"
    shutil.copytree(BUILT_IN, folder)
    return folder


@pytest.mark.parametrize(
    ("key", "spoil", "sentence"), CASES, ids=[f"{n}-{c[0]}" for n, c in enumerate(CASES)]
)
def test_a_spoiled_pack_is_refused(pack: Path, key: str, spoil: Spoil, sentence: str) -> None:
    """With the key, and a sentence that says where and what was expected."""
    spoil(pack)
    with pytest.raises(game.PackProblem) as refusal:
        game.Pack.load(pack)
    assert refusal.value.key == key
    assert re.search(sentence, str(refusal.value)), str(refusal.value)


@pytest.mark.parametrize(
    ("spoil", "czech"),
    [
        (replaced(USA, "capacity = 1", "capacity = 4"), "očekává se capacity = 1, 2 nebo 3, nalezeno: 4."),
        (replaced(USA, "capacity = 1", "stars = 1"), "očekává se capacity = 1, 2 nebo 3, nalezeno: nic."),
        (written("tiles.toml", b"#" * 1_000_001), "(tiles.toml): soubor je větší než 1 MB."),
    ],
)
def test_what_was_expected_and_found_is_translated(pack: Path, spoil: Spoil, czech: str) -> None:
    spoil(pack)
    with pytest.raises(game.PackProblem) as refusal:
        game.Pack.load(pack)
    assert texts("cs").told(refusal.value).endswith(czech)


def test_a_byte_order_mark_as_some_editors_write_it_changes_nothing(pack: Path) -> None:
    for file in (pack / "values.toml", pack / USA):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert game.Pack.load(pack).digest == game.built_in().digest


def test_every_sentence_is_tested() -> None:
    """A new sentence needs a new case."""
    assert {key for key, *_ in CASES} | ARCHIVE_KEYS == set(game.PackProblem.sentences)


def test_a_sound_copy_is_the_same_pack(pack: Path) -> None:
    """The digest follows the data, not the place."""
    assert game.Pack.load(pack).digest == game.built_in().digest


def test_a_pack_need_hold_only_what_it_replaces(tmp_path: Path) -> None:
    """The rest comes from ours; games are played with it."""
    text = (BUILT_IN / "values.toml").read_text().replace("[13, 10, 5]", "[20, 10, 5]")
    (tmp_path / "values.toml").write_text(text)
    pack = game.Pack.load(tmp_path)
    assert pack.values[15] == (20, 10, 5)
    assert pack.values[:15] == game.built_in().values[:15]
    assert pack.digest != game.built_in().digest
    assert set(pack.boards) == {"usa", "europe"}


def test_a_state_made_with_other_share_values_is_scored_with_these_alone(tmp_path: Path) -> None:
    text = (BUILT_IN / "values.toml").read_text().replace("[13, 10, 5]", "[20, 10, 5]")
    (tmp_path / "values.toml").write_text(text)
    pack = game.Pack.load(tmp_path)
    made = game.new(mode="standard", seats=["red", "blue", "green"], pack=pack, rng=random.Random(1))
    plain = game.state_to_json(made)
    assert game.state_from_json(plain, pack) == made
    for read in (game.state_from_json, game.state_of_json, game.Part.from_json):
        with pytest.raises(game.Malformed, match=f'made with other printed data .pack "{pack.digest}"'):
            read(plain, game.built_in())
    del plain["demand"]
    for known in (
        game.Part.from_json(plain, pack).to_json(),
        game.Part.from_json(plain, pack).told_to_json(),
    ):
        with pytest.raises(game.Malformed, match="made with other printed data"):
            game.Part.from_json(known, game.built_in())


@pytest.mark.parametrize("others", [[], ["pyproject.toml", "boards.toml"]])
def test_a_folder_with_nothing_of_a_pack_does_not_pass_for_one(tmp_path: Path, others: list[str]) -> None:
    for name in others:
        (tmp_path / name).write_text("")
    with pytest.raises(game.PackProblem, match="There is no pack in"):
        game.Pack.load(tmp_path)


def test_an_archive_with_nothing_of_a_pack_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "empty.zip"
    zipfile.ZipFile(file, "w").close()
    with pytest.raises(game.PackProblem, match="nothing of a pack is in it"):
        import_pack(file, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_an_archive_with_an_entry_without_a_name_is_refused(tmp_path: Path) -> None:
    """Nothing writes such a one but somebody who means ill; Python 3.11 itself stumbles over it."""
    with zipfile.ZipFile(file := tmp_path / "nameless.zip", "w") as archive:
        archive.writestr("values.toml", "")
        archive.writestr(zipfile.ZipInfo("-"), "")
    file.write_bytes(_without_its_name(file.read_bytes()))
    with pytest.raises(game.PackProblem, match="unexpected entry"):
        import_pack(file, tmp_path / "mine")


def test_an_archive_with_an_entry_beyond_any_file_is_refused() -> None:
    """A 64-bit place that is negative to whoever reads it with a sign."""
    with zipfile.ZipFile(whole := io.BytesIO(), "w") as archive:
        archive.writestr("values.toml", "")
    with pytest.raises(game.PackProblem, match="it is damaged, or something else"):
        files_in(_at_place(whole.getvalue(), 2**63), "sent.zip")


def _at_place(archive: bytes, place: int) -> bytes:
    """The archive whose last entry begins there, as the list at its end says in its zip64 part."""
    at, end = archive.rindex(b"PK\x01\x02"), archive.rindex(b"PK\x05\x06")
    more = struct.pack("<HHQ", 1, 8, place)
    entry, tail = bytearray(archive[at:end] + more), bytearray(archive[end:])
    entry[30:32], entry[42:46] = struct.pack("<H", len(more)), b"\xff" * 4
    tail[12:16] = struct.pack("<I", len(entry))
    return archive[:at] + bytes(entry) + bytes(tail)


def _without_its_name(archive: bytes) -> bytes:
    """The archive with the one letter left out by which its last entry is called, in the list at its end."""
    at = archive.rindex(b"PK\x01\x02")
    end = archive.rindex(b"PK\x05\x06")
    entry = bytearray(archive[at:end])
    entry[28:30] = b"\0\0"
    assert entry[46:47] == b"-"
    tail = bytearray(archive[end:])
    tail[12:16] = (int.from_bytes(tail[12:16], "little") - 1).to_bytes(4, "little")
    return archive[:at] + bytes(entry[:46] + entry[47:]) + bytes(tail)


def test_whatever_its_tables_are_called_they_are_listed(pack: Path) -> None:
    text = (BUILT_IN / "tiles.toml").read_text() + '\n[["a("]]\nsource = "reconstructed"\n'
    (pack / "tiles.toml").write_text(text)
    entry = next(entry for entry in game.Pack.load(pack).reconstructed() if entry.what == "a(")
    assert entry.line == 1 + text[: text.index('[["a(')].count("\n")


def test_comments_and_spacing_do_not_change_the_digest(pack: Path) -> None:
    """Only printed data do."""
    replaced("values.toml", "rows = [", "# mine\nrows   = [")(pack)
    assert game.Pack.load(pack).digest == game.built_in().digest


def own_map(pack: Path, board_id: str) -> None:
    """A map of one's own in the pack, in which city 1 is Bangor."""
    text = (BUILT_IN / USA).read_text().replace('"Augusta"', '"Bangor"')
    (pack / f"boards/{board_id}.toml").write_text(text.replace('id = "usa"', f'id = "{board_id}"'))


def test_a_map_of_ones_own(pack: Path) -> None:
    """Another id: the named cities are not asked for."""
    own_map(pack, "mine")
    assert game.Pack.load(pack).boards["mine"].numbered[1].name == "Bangor"


@pytest.mark.parametrize("board_id", ["Mine", "mapa_č", "my map", "m" * 41, ""])
def test_a_map_whose_name_no_archive_could_carry_is_refused_at_once(pack: Path, board_id: str) -> None:
    """Not only by whoever imports what was exported."""
    own_map(pack, board_id)
    with pytest.raises(game.PackProblem, match="line 1: id = 1 to 40 characters of a–z, 0–9 and _ expected"):
        game.Pack.load(pack)


class TestArchives:
    """A pack as one file."""

    def test_exported_and_imported_it_is_the_same(self, pack: Path, tmp_path: Path) -> None:
        """Own files and ours in one archive."""
        replaced("values.toml", "[13, 10, 5]", "[20, 10, 5]")(pack)
        loaded = game.Pack.load(pack)
        export_pack(loaded, tmp_path / "mine.zip")
        assert import_pack(tmp_path / "mine.zip", tmp_path / "theirs").digest == loaded.digest

    @pytest.mark.parametrize("board_id", ["m" * 40, "2nd_map"])
    def test_whatever_can_be_played_on_can_be_handed_on(
        self, pack: Path, tmp_path: Path, board_id: str
    ) -> None:
        """A map with the longest id, and beside the pack's files another one that is none of it."""
        own_map(pack, board_id)
        (pack / "My-Notes.toml").write_text("this is = no TOML")
        loaded = game.Pack.load(pack)
        export_pack(loaded, tmp_path / "mine.zip")
        assert board_id in import_pack(tmp_path / "mine.zip", tmp_path / "theirs").boards

    def test_nothing_is_overwritten(self, pack: Path, tmp_path: Path) -> None:
        """Neither a file nor a folder."""
        export_pack(game.built_in(), tmp_path / "mine.zip")
        for write in (
            lambda: export_pack(game.built_in(), tmp_path / "mine.zip"),
            lambda: import_pack(tmp_path / "mine.zip", pack),
        ):
            with pytest.raises(game.PackProblem) as refusal:
                write()
            assert refusal.value.key == "exists"

    @pytest.mark.parametrize("name", ["../values.toml", "/etc/values.toml", "values.py", "boards/../x.toml"])
    def test_entries_with_other_names_are_refused(self, tmp_path: Path, name: str) -> None:
        """An archive comes from strangers."""
        with zipfile.ZipFile(tmp_path / "odd.zip", "w") as archive:
            archive.writestr(name, "rows = []")
        self.refused(tmp_path / "odd.zip", tmp_path)

    @pytest.mark.parametrize(("files", "told"), [(50, "line 1: id = "), (51, "too many files")])
    def test_more_files_than_a_pack_has_are_not_even_unpacked(
        self, tmp_path: Path, files: int, told: str
    ) -> None:
        with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
            for n in range(files):
                archive.writestr(f"boards/m{n}.toml", "")
        with pytest.raises(game.PackProblem, match=told):
            import_pack(tmp_path / "many.zip", tmp_path / "new")

    def test_a_file_is_imported_up_to_the_size_that_can_be_read_and_not_cut_off(self, tmp_path: Path) -> None:
        sound = (BUILT_IN / "values.toml").read_text()
        for name, size in (("large", 1_000_000), ("larger", 1_000_001)):
            with zipfile.ZipFile(tmp_path / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("values.toml", sound + "#" * (size - len(sound.encode())))
        assert import_pack(tmp_path / "large.zip", tmp_path / "mine").values == game.built_in().values
        self.refused(tmp_path / "larger.zip", tmp_path)

    @pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_what_is_unpacked_farther_than_it_is_read_is_refused(self, tmp_path: Path, way: int) -> None:
        with zipfile.ZipFile(tmp_path / "odd.zip", "w", way) as archive:
            archive.writestr("tiles.toml", "rows = []")
        self.refused(tmp_path / "odd.zip", tmp_path)

    def test_a_file_that_is_larger_than_it_says_fills_no_memory(self, tmp_path: Path) -> None:
        """A few kilobytes that unpack to 50 MB, of which the archive says that they are ten bytes."""
        with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("values.toml", bytes(50_000_000))
        data = (tmp_path / "bomb.zip").read_bytes()
        (tmp_path / "bomb.zip").write_bytes(
            data.replace(struct.pack("<I", 50_000_000), struct.pack("<I", 10))
        )
        tracemalloc.start()
        self.refused(tmp_path / "bomb.zip", tmp_path)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 10_000_000

    def test_something_else_than_an_archive(self, tmp_path: Path) -> None:
        """A text, or nothing at all."""
        (tmp_path / "letter.zip").write_text("Dear friend")
        self.refused(tmp_path / "letter.zip", tmp_path)
        self.refused(tmp_path / "nowhere.zip", tmp_path, "no_file")
        self.refused(tmp_path, tmp_path, "folder")

    def test_a_damaged_archive(self, tmp_path: Path) -> None:
        """What zipfile raises of it is not its own error."""
        with zipfile.ZipFile(tmp_path / "packed.zip", "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("values.toml", "rows = []" * 100)
        data = bytearray((tmp_path / "packed.zip").read_bytes())
        data[60:70] = bytes(10)
        (tmp_path / "packed.zip").write_bytes(data)
        self.refused(tmp_path / "packed.zip", tmp_path)

    def test_what_lies_beside_it_stays_as_it_is(self, pack: Path, tmp_path: Path) -> None:
        """An old file is packed too, and nothing else is touched on the way."""
        (tmp_path / "mine.zip.part").write_text("a letter")
        replaced("values.toml", "[13, 10, 5]", "[20, 10, 5]")(pack)
        os.utime(pack / "values.toml", (0, 0))
        export_pack(game.Pack.load(pack), tmp_path / "mine.zip")
        assert (tmp_path / "mine.zip.part").read_text() == "a letter"
        (tmp_path / "empty").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "empty")
        import_pack(tmp_path / "mine.zip", tmp_path / "link")
        assert (tmp_path / "empty" / "values.toml").exists()

    def test_where_nothing_can_be_written(self, tmp_path: Path) -> None:
        """A folder that is not there."""
        with pytest.raises(game.PackProblem) as refusal:
            export_pack(game.built_in(), tmp_path / "nowhere" / "mine.zip")
        assert refusal.value.key == "unwritable"

    def test_a_pack_that_is_wrong_leaves_nothing_behind(self, pack: Path, tmp_path: Path) -> None:
        """It is checked before it is put in its place."""
        with zipfile.ZipFile(tmp_path / "wrong.zip", "w") as archive:
            archive.writestr("values.toml", "rows = []")
        with pytest.raises(game.PackProblem) as refusal:
            import_pack(tmp_path / "wrong.zip", tmp_path / "new")
        assert refusal.value.key == "value_rows"
        assert sorted(p.name for p in tmp_path.iterdir()) == ["pack", "wrong.zip"]

    @staticmethod
    def refused(file: Path, folder: Path, key: str = "archive") -> None:
        with pytest.raises(game.PackProblem) as refusal:
            import_pack(file, folder / "new")
        assert refusal.value.key == key
        assert not (folder / "new").exists()


def test_a_disk_that_fills_up_during_the_import_is_not_blamed_on_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, folder = tmp_path / "usual.zip", tmp_path / "disk" / "mine"
    export_pack(game.Pack.load(), archive)

    def full(_path: Path, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(game.PackProblem) as refused:
        import_pack(archive, folder)
    assert str(refused.value) == f"{folder} cannot be written: no space is left on the disk."
    assert not any(folder.parent.iterdir())
