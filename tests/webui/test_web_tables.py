"""My copy of the tables: corrected on the phone, played with from then on; a game under way keeps its own."""

import json
import random
import re
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from visitors import CODE, Visitor, game_at

from engine.mini_express import Pack, built_in, new, state_to_json
from engine.mini_express.pack import BUILT_IN
from engine.mini_express.pack.writing import own_copy, sound, tiles_toml
from webui import create_app
from webui.kept.games import Games
from webui.kept.packs import Packs
from webui.pages.boards.tables import Numbers
from webui.problems import WebProblem
from webui.server import _for_people
from webui.services import services_of


def fields_of(visitor: Visitor) -> dict[str, str]:
    page = visitor.get("/copy/tables").text
    return dict(re.findall(r'name="([\w-]+\.[\w-]+|seen)" value="(\w+)"', page))


def in_use(data_dir: Path) -> Pack:
    return Pack.load(data_dir / "packs" / (data_dir / "packs" / "in_use").read_text())


def test_what_is_corrected_is_played_with(visitor, data_dir: Path) -> None:
    old = visitor.start()
    fields = fields_of(visitor)
    assert len(fields) == 16 * 3 + 14 + 12 * 2 + 1
    changed = {"first.15": "14", "city.0": "2", "count.brown-gray": "5", "count.brown-orange": "3"}
    assert visitor.post("/copy/tables", **{**fields, **changed}).location == "/calibrate"
    assert "numbers of your copy" in visitor.get("/copy/tables").text
    pack = in_use(data_dir)
    assert pack.values[15] == (14, 10, 5)
    assert pack.bot_tiles[0] == (2, 1)
    assert pack.demand_tiles.count(("brown", "gray")) == 5
    assert f"pack: {pack.digest}" in visitor.get(visitor.start() + "/record.txt").text
    assert f"pack: {built_in().digest}" in visitor.get(old + "/record.txt").text


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("first.3", "1", "a better rank is worth less"),
        ("other.9", "0", "must not be lower"),
        ("count.gray-wild", "0", "32 demand tiles"),
        ("count.gray-gray", "2", "32 demand tiles"),
        ("first.3", "", "A number is missing"),
        ("city.3", "12", "A number is missing"),
    ],
)
def test_what_cannot_be_printed_is_refused_and_what_was_written_stays(
    visitor, data_dir: Path, field: str, value: str, told: str
) -> None:
    answer = visitor.post("/copy/tables", **{**fields_of(visitor), "second.15": "11", field: value})
    assert answer.status_code == 400
    assert told in answer.text
    assert "is missing" in told or 'name="second.15" value="11"' in answer.text
    assert not (data_dir / "packs" / "in_use").exists()


def test_on_a_full_disk_it_is_said_that_there_is_no_room_and_what_was_written_stays(
    visitor, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    fields = fields_of(visitor)
    monkeypatch.setattr("os.fsync", full)
    answer = visitor.post("/copy/tables", **{**fields, "first.15": "14"})
    assert answer.status_code == 507
    assert "could not be saved (no space is left on the disk)" in answer.text
    assert 'name="first.15" value="14"' in answer.text
    assert not (data_dir / "packs" / "in_use").exists()


def test_the_tables_and_a_map_are_one_copy(visitor, data_dir: Path) -> None:
    """What is changed later goes on from what was changed before."""
    visitor.post("/copy/tables", **{**fields_of(visitor), "first.15": "14"})
    visitor.post("/copy/tables", **{**fields_of(visitor), "second.15": "11"})
    assert in_use(data_dir).values[15] == (14, 11, 5)


def test_what_another_phone_changed_meanwhile_is_not_written_over_unseen(visitor, data_dir: Path) -> None:
    fields = fields_of(visitor)
    visitor.post("/copy/tables", **{**fields, "first.15": "14"})
    answer = visitor.post("/copy/tables", **{**fields, "second.15": "11"})
    assert answer.status_code == 409
    assert "Somebody else" in answer.text
    assert 'name="second.15" value="11"' in answer.text
    assert in_use(data_dir).values[15] == (14, 10, 5)
    seen = re.search(r'name="seen" value="(\w+)"', answer.text)
    assert seen
    visitor.post("/copy/tables", **{**fields, "second.15": "11", "seen": seen[1]})
    assert in_use(data_dir).values[15] == (13, 11, 5)


def test_what_two_phones_change_at_once_is_both_changed(tmp_path: Path) -> None:
    packs = Packs(tmp_path, None)

    def slowly(files: dict[str, str]) -> Callable[[Pack], dict[str, str]]:
        def after_a_while(in_use: Pack) -> dict[str, str]:
            time.sleep(0.1)
            return files

        return after_a_while

    numbers = Numbers.of(packs.in_use)
    values = numbers.files()["values.toml"].replace("own copy", "own values")
    tiles = tiles_toml(numbers.bot[::-1], numbers.refresh, numbers.demand)
    with ThreadPoolExecutor(2) as phones:
        list(phones.map(packs.change, [slowly({"values.toml": values}), slowly({"tiles.toml": tiles})]))
    assert "own values" in (packs.in_use.folder / "values.toml").read_text()
    assert (packs.in_use.folder / "tiles.toml").read_text() == tiles


def test_data_that_two_phones_begin_games_with_at_once_are_kept_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []

    def slowly(pack: Pack, files: dict[str, str], folder: Path) -> Pack:
        kept.append(pack.digest)
        time.sleep(0.05)
        return own_copy(pack, files, folder)

    packs, other = Packs(tmp_path / "packs", None), own_tiles(tmp_path / "other")
    monkeypatch.setattr("webui.kept.packs.own_copy", slowly)
    with ThreadPoolExecutor(2) as phones:
        assert [*phones.map(lambda _: packs.hold(other), range(2))] == [None, None]
    assert kept == [other.digest]


def test_of_two_phones_that_save_the_same_page_at_once_one_is_told(data_dir: Path, new_visitor) -> None:
    phones = [new_visitor(), new_visitor()]
    written = [{**fields_of(phones[0]), "first.15": "14"}, {**fields_of(phones[1]), "second.15": "11"}]
    with ThreadPoolExecutor(2) as at_once:
        answers = list(
            at_once.map(lambda phone, fields: phone.post("/copy/tables", **fields), phones, written)
        )
    assert sorted(answer.status_code for answer in answers) == [303, 409]


def zipped(**files: str) -> BytesIO:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return BytesIO(out.getvalue())


def test_a_copy_that_was_saved_as_a_file_is_opened_again(visitor, data_dir: Path) -> None:
    """Also at another table; until then new games are played with the shipped one."""
    visitor.post("/copy/tables", **{**fields_of(visitor), "first.15": "14"})
    own, saved = in_use(data_dir).digest, visitor.client.get("/copy/pack.zip").data
    visitor.get("/calibrate")
    visitor.post("/copy/shipped")
    assert not (data_dir / "packs" / "in_use").exists()
    visitor.get("/calibrate")
    assert visitor.post("/copy/open", copy=(BytesIO(saved), "mine.zip")).location == "/calibrate"
    assert in_use(data_dir).digest == own != built_in().digest


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (BytesIO(b"no archive"), "This file holds no copy of the map and the tables"),
        (zipped(), "nothing of a pack is in it"),
        (zipped(other_toml="rows = []"), "nothing of a pack is in it"),
        (zipped(__etc_passwd="x"), "unexpected entry"),
        (zipped(values_toml="rows = ["), "The value table"),
    ],
    ids=["no archive", "empty", "another table", "another name", "damaged"],
)
def test_a_file_that_is_no_copy_is_refused_and_changes_nothing(
    visitor, data_dir: Path, file: BytesIO, sentence: str
) -> None:
    visitor.get("/calibrate")
    answer = visitor.post("/copy/open", copy=(file, "a.zip"))
    assert answer.status_code == 400
    assert sentence in answer.text
    assert not (data_dir / "packs" / "in_use").exists()


def own_tiles(folder: Path) -> Pack:
    """A pack with other tiles for Mašinfíra."""
    tiles = tiles_toml([(1, 1)] * 12, 2, Counter(built_in().demand_tiles))
    return own_copy(built_in(), {"tiles.toml": tiles}, folder)


def test_a_page_left_open_does_not_put_aside_the_pack_that_the_server_was_given(tmp_path: Path) -> None:
    given = own_tiles(tmp_path)
    app = create_app(tmp_path / "games", None, CODE, given)
    visitor = Visitor(app)
    visitor.get("/new")
    assert "was started with printed data of its own" in visitor.post("/copy/shipped").text
    assert services_of(app).packs.in_use is given


def test_with_a_game_that_is_opened_its_data_are_kept_whatever_is_in_use(
    visitor, app, tmp_path: Path
) -> None:
    """A newer masinfira may come with others."""
    opened = game_at(app, visitor.start()).game
    folder = tmp_path / "elsewhere"
    games = Games(folder, Packs(folder / "packs", own_tiles(tmp_path / "copies")))
    assert sound(folder / "packs" / built_in().digest) is None
    games.create(opened)
    assert sound(folder / "packs" / built_in().digest)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_state_is_opened_with_the_data_that_it_names(app, visitor, tmp_path: Path, wrapped: bool) -> None:
    other = own_tiles(tmp_path)
    services_of(app).packs.hold(other)
    state = new(mode="solo", difficulty="tourist", seats=["red"], pack=other, rng=random.Random(1))
    plain = {"state": state_to_json(state)} if wrapped else state_to_json(state)
    visitor.get("/")
    answer = visitor.post("/open", game=(BytesIO(json.dumps(plain).encode()), "state.json"))
    assert game_at(app, answer.location).state == state


def test_data_in_a_folder_of_another_name_are_not_taken_for_those(tmp_path: Path) -> None:
    made = own_copy(
        built_in(), {"tiles.toml": tiles_toml([(1, 1)] * 12, 2, Counter(built_in().demand_tiles))}, tmp_path
    )
    (tmp_path / made.digest).rename(tmp_path / "deadbeef")
    assert Packs(tmp_path, None).of("deadbeef") is None


def test_a_start_without_the_pack_that_was_given_leaves_its_names_as_they_are_written(tmp_path: Path) -> None:
    """Games were begun with it; the digest is that of the shipped one."""
    usa, folder = (BUILT_IN / "boards/usa.toml").read_text(), tmp_path / "packs"
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards/usa.toml").write_text(usa.replace("New Orleans", "NewOrleans"))
    Packs(folder, Pack.load(tmp_path))
    later = Packs(folder, None)
    assert later.in_use is built_in()
    assert "NewOrleans" in later.of(built_in().digest).board("usa").city_named


def test_a_name_corrected_by_a_space_is_in_use_after_a_restart_until_the_shipped_data_are(
    tmp_path: Path,
) -> None:
    usa, packs = (BUILT_IN / "boards/usa.toml").read_text(), Packs(tmp_path, None)
    packs.change(lambda _: {"boards/usa.toml": usa.replace("New Orleans", "NewOrleans")})
    assert "NewOrleans" in Packs(tmp_path, None).in_use.board("usa").city_named
    packs.use_shipped()
    assert Packs(tmp_path, None).in_use is packs.in_use is built_in()


def test_an_own_copy_that_is_damaged_is_told_of_until_another_is_in_use(visitor, data_dir: Path) -> None:
    """Else new games would be played with other numbers, and nobody would know."""
    visitor.post("/copy/tables", **{**fields_of(visitor), "first.15": "14"})
    (in_use(data_dir).folder / "values.toml").write_text("rows = [")
    later = Visitor(create_app(data_dir, None, CODE))
    for page in ("/calibrate", "/new"):
        assert "Your own copy of the map and the tables is damaged" in later.get(page).text
    later.get("/calibrate")
    assert later.post("/copy/shipped").location == "/calibrate"
    assert "is damaged" not in later.get("/calibrate").text + later.get("/new").text
    assert "is damaged" not in Visitor(create_app(data_dir, None, CODE)).get("/calibrate").text


@pytest.mark.parametrize("said", [b"", b"\xff", b"zzzz"])
def test_where_it_cannot_be_read_which_copy_is_in_use_that_is_told(tmp_path: Path, said: bytes) -> None:
    assert Packs(tmp_path, None).damaged is None
    (tmp_path / "in_use").write_bytes(said)
    problem = Packs(tmp_path, None).damaged
    assert problem and str(tmp_path / "in_use") in str(problem)


def test_a_damaged_copy_is_told_of_at_the_start(data_dir: Path) -> None:
    damaged = WebProblem("copy_damaged", folder="here")
    door = {"url": "http://here", "join_url": "http://here/join", "join_code": CODE, "data": "here"}
    assert "damaged" in next(_for_people(door, "en", damaged))
    assert "damaged" not in "".join(_for_people(door, "en", None))


def test_what_is_only_tried_is_not_kept(tmp_path: Path) -> None:
    usa, packs = (BUILT_IN / "boards/usa.toml").read_text(), Packs(tmp_path, None)
    for name in ("Orléans", "NewOrleans"):  # another digest, and the same
        tried = packs.tried({"boards/usa.toml": usa.replace("New Orleans", name)})
        assert name in tried.board("usa").city_named
    assert [path.name for path in tmp_path.iterdir()] == [built_in().digest]
    assert "New Orleans" in Pack.load(tmp_path / built_in().digest).board("usa").city_named


def test_a_given_pack_is_kept_with_its_names_as_they_are_written(tmp_path: Path) -> None:
    """The digest does not tell names that differ in their spaces alone."""
    usa, folder = (BUILT_IN / "boards/usa.toml").read_text(), tmp_path / "packs"
    for name in ("NewOrleans", "New Orleans"):
        (tmp_path / name / "boards").mkdir(parents=True)
        (tmp_path / name / "boards/usa.toml").write_text(usa.replace("New Orleans", name))
        given = Pack.load(tmp_path / name)
        Packs(folder, given)
        assert name in Pack.load(folder / given.digest).board("usa").city_named
