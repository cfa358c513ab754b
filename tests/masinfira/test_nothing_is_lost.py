"""What a command saves never takes the place of what it reads, nor of a game that it does not go on with."""

import errno
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import SOLO, call, refused
from PIL import Image
from sample_tables import SAMPLES

from engine import mini_express as game
from masinfira.commands import play
from masinfira.files import FileProblem
from masinfira.main import run
from masinfira.saving import check_output, check_picture

NEW = [*SOLO, "--auto-draft"]
EMPTY = SAMPLES / "cellar" / "empty.jpg"
VALUES = Path(game.__file__).parent / "data" / "values.toml"
PACK = game.built_in()


@pytest.fixture
def record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A recorded game, the human to move."""
    file = tmp_path / "game.txt"
    assert run([*NEW, "--out", str(file)]) == 0
    capsys.readouterr()
    return file


def test_a_game_goes_on_in_its_own_file_by_whatever_name(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (link := tmp_path / "link.txt").symlink_to(record)
    for name in (record, link, tmp_path / ".." / tmp_path.name / record.name):
        share = call(capsys, "moves", str(record))["actions"][0]["notation"]
        call(capsys, "play", str(record), share, "--out", str(name))
        call(capsys, "replay", str(name), "--to", "-1", "--out", str(name))
        assert len(call(capsys, "replay", str(name))["actions"]) == 4
    monkeypatch.chdir(record.parent)
    call(capsys, "play", str(record), share, "--out", "game.txt")
    call(capsys, "bot", "game.txt", "--seed", "1", "--out", str(record))


def test_a_game_that_is_not_gone_on_with_is_kept(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.txt"
    other.write_bytes(b"\xef\xbb\xbf" + record.read_bytes())  # as an editor of another system saves it
    share = call(capsys, "moves", str(record))["actions"][0]["notation"]
    before = other.read_bytes()
    for command in (NEW, ["play", str(record), share], ["replay", str(record)], ["set", str(record)]):
        assert "choose another name" in refused(capsys, *command, "--out", str(other))
    assert other.read_bytes() == before


def test_a_game_is_not_kept_as_its_last_position_only(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path
) -> None:
    named = Path(shutil.copy(record, tmp_path / "game.json"))
    assert "There is a game in" in refused(capsys, "replay", str(named), "--out", str(named))


def test_what_is_write_protected_is_kept(
    capsys: pytest.CaptureFixture[str], record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # root, as whom these tests may run, may write everywhere: here the owner's permission counts for everybody
    monkeypatch.setattr("os.access", lambda place, _: bool(place.stat().st_mode & 0o200))
    go_on, before = ["replay", str(record), "--to", "-1", "--out", str(record)], record.read_bytes()
    for place, protected, usual in ((record, 0o444, 0o644), (record.parent, 0o555, 0o755)):
        place.chmod(protected)
        assert "cannot be written: you have no permission for it" in refused(capsys, *go_on)
        assert record.read_bytes() == before
        place.chmod(usual)
    call(capsys, *go_on)
    assert record.read_bytes() != before


def test_an_action_is_not_written_over(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path
) -> None:
    action = tmp_path / "action.json"
    action.write_text(json.dumps(call(capsys, "moves", str(record))["actions"][0]))
    told = refused(capsys, "play", str(record), str(action), "--out", str(tmp_path / "." / "action.json"))
    assert "This command reads" in told


@pytest.mark.parametrize("command", [["calibrate", "propose", "--board", "usa"], ["scan", "--profile", "p"]])
def test_a_photo_is_not_drawn_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """And it is told before any work is done: there is no such profile, and the photo is no photo."""
    photo = tmp_path / "photo.jpg"
    photo.write_text("no photo")
    monkeypatch.chdir(tmp_path)
    assert "This command reads" in refused(capsys, *command, "photo.jpg", "--annotate", str(photo))
    assert "end in .jpg" in refused(capsys, *command, "photo.jpg", "--annotate", "photo.png")
    assert "no folder nowhere" in refused(capsys, *command, "photo.jpg", "--annotate", "nowhere/drawn.JPEG")
    assert photo.read_text() == "no photo"


def test_a_game_is_not_written_over_the_picture_of_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whatever name, whether there is such a file yet or not."""
    monkeypatch.chdir(tmp_path)
    scan = ["scan", "photo.jpg", "--profile", "p", "--before", "game.json", "--annotate", "seen.jpg"]
    for _ in range(2):
        for out in ("seen.jpg", str(tmp_path / "." / "seen.jpg")):
            assert "Two things are to be saved" in refused(capsys, *scan, "--out", out)
        (tmp_path / "seen.jpg").write_text("an older picture")


@pytest.mark.parametrize(
    "there", [b"Dear diary,\n", EMPTY.read_bytes(), b'{"type": "pass"}', b"[1, 2]", b"\0" * 6_000_000]
)
def test_nothing_is_written_over_that_is_no_position(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path, there: bytes
) -> None:
    share = call(capsys, "moves", str(record))["actions"][0]["notation"]
    for name in ("notes.txt", "notes.json"):
        (notes := tmp_path / name).write_bytes(there)
        for command in (NEW, ["play", str(record), share], ["replay", str(record)], ["set", str(record)]):
            assert "is there already" in refused(capsys, *command, "--out", str(notes))
        assert notes.read_bytes() == there


def test_an_older_position_and_an_empty_file_are_written_over(tmp_path: Path) -> None:
    """As where a script runs again, or made the file by itself to have a name for it."""
    for name in ("game.json", "game.txt"):
        (out := tmp_path / "out" / name).parent.mkdir(exist_ok=True)
        out.touch()
        assert run([*NEW, "--out", str(out)]) == 0
        out.write_text(json.dumps({"board": "usa"}))
        assert run([*NEW, "--out", str(out)]) == 0


@pytest.mark.slow
def test_a_picture_is_drawn_over_an_older_one_and_over_no_photo(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    photo, drawn = Path(shutil.copy(EMPTY, tmp_path / "photo.jpg")), tmp_path / "drawn.jpg"
    propose = ["calibrate", "propose", str(EMPTY), "--board", "usa", "--annotate"]
    assert "is there already" in refused(capsys, *propose, str(photo))
    for _ in range(2):
        assert run([*propose, str(drawn)]) == 0
    with Image.open(drawn) as picture:
        picture.load()  # whole, and as a picture viewer would read it


def test_a_table_profile_and_a_pack_are_not_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder, pack = tmp_path / "profile", tmp_path / "pack"
    folder.mkdir()
    shutil.copy(EMPTY, folder / "map.jpg")
    (folder / "profile.json").write_text(json.dumps({"surfaces": {"map": {"image": "map.jpg"}}}))
    scan = ["scan", "photo.jpg", "--profile", str(folder)]
    assert "This command reads" in refused(capsys, *scan, "--annotate", str(folder / "map.jpg"))
    pack.mkdir()
    values = Path(shutil.copy(VALUES, pack))
    assert "This command reads" in refused(capsys, *NEW, "--pack", str(pack), "--out", str(values))


def test_watching_goes_on_in_the_file_by_another_name_and_in_no_other_game(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing else is wrong, what is told next is that there is no profile."""
    monkeypatch.chdir(tmp_path)
    watch = ["watch", "--video", "film.mp4", "--profile", "none", "--before"]
    for name in (str(record), "./game.txt", "../" + tmp_path.name + "/game.txt"):
        assert "no table profile" in refused(capsys, *watch, "game.txt", "--out", name)
    start = Path(shutil.copy(record, tmp_path / "start.txt"))
    assert "choose another name" in refused(capsys, *watch, str(start), "--out", str(record))


def test_the_samples_are_not_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """And what the same command has written before is no reason to refuse."""
    table = tmp_path / "samples" / "cellar"
    table.mkdir(parents=True)
    for name in ("empty.jpg", "points.json"):
        shutil.copy(EMPTY.with_name(name), table)
    bench = ["bench", "vision", "--samples", str(table.parent), "--plot"]
    assert "This command reads" in refused(capsys, *bench, str(table / "points.json"))
    (plot := table / "plot.svg").touch()
    assert "no sample photos with their truth" in refused(capsys, *bench, str(plot))


def test_no_folder_is_made_where_a_name_is_mistyped(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path
) -> None:
    nowhere = tmp_path / "gmaes"
    for command in (NEW, ["replay", str(record)], ["set", str(record)]):
        assert "make it first" in refused(capsys, *command, "--out", str(nowhere / "game.json"))
    assert "make it first" in refused(capsys, "pack", "export", str(nowhere / "pack.zip"))
    assert "make it first" in refused(capsys, "bench", "vision", "--plot", str(nowhere / "plot.svg"))
    assert not nowhere.exists()


def test_a_name_that_no_file_can_have_is_told_when_it_is_written(tmp_path: Path) -> None:
    check_output(tmp_path / ("x" * 300), PACK)
    check_picture(None, PACK, ())
    with pytest.raises(FileProblem, match="no folder"):
        check_output(tmp_path / ("x" * 300) / "game.txt", PACK)


def test_of_two_who_go_on_with_one_game_at_once_the_later_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, record: Path
) -> None:
    """Two people play from two terminals: the other one's action comes while this one is being carried out."""
    file = str(record)
    mine, other = "build b 8,-6", "build g 6,-3 5,-2"
    read_action = play.read_action

    def meanwhile(source: str) -> game.Action:
        monkeypatch.setattr(play, "read_action", read_action)
        assert run(["play", file, other, "--out", file]) == 0
        capsys.readouterr()
        return read_action(source)

    monkeypatch.setattr(play, "read_action", meanwhile)
    assert "Somebody else has changed" in refused(capsys, "play", file, mine, "--out", file)
    assert record.read_text().rstrip().endswith(other)


def test_who_goes_on_with_a_game_that_was_put_away_meanwhile_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, record: Path
) -> None:
    """Else there would be two of it, and the one that is taken back would lose what was played in the other."""
    away, read_action = record.with_suffix(".away"), play.read_action

    def meanwhile(source: str) -> game.Action:
        record.rename(away)
        return read_action(source)

    monkeypatch.setattr(play, "read_action", meanwhile)
    told = refused(capsys, "play", str(record), "build b 8,-6", "--out", str(record))
    assert "Somebody else has changed" in told
    assert not record.exists()


def test_a_file_that_may_not_be_read_is_not_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one could be put in its place all the same: that asks only for permission in the folder."""
    (diary := tmp_path / "diary.txt").write_text("Dear diary,\n")

    really = io.open

    def refusing(path: Any, *mode: Any, **options: Any) -> Any:
        if path == diary:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return really(path, *mode, **options)

    monkeypatch.setattr("io.open", refusing)
    assert "diary.txt cannot be read: you have no permission" in refused(capsys, *NEW, "--out", str(diary))
    assert [*tmp_path.iterdir()] == [diary]
    assert diary.stat().st_size == len("Dear diary,\n")
