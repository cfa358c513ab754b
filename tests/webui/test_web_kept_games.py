"""Games on disk: none is lost or takes the place of another, damaged ones hide no other, those put away come back."""

import os
import random
import secrets
from pathlib import Path

import pytest
from test_web_game import file_of
from visitors import CODE, Visitor, game_at, id_in

from engine.atomic import alone_in
from engine.mini_express import Draft, Game, new
from webui import create_app
from webui.kept.games import ID_BYTES, Games
from webui.kept.packs import Packs
from webui.problems import WebProblem


def test_a_restart_loses_nothing_that_was_confirmed(visitor, data_dir) -> None:
    game = visitor.start()
    visitor.draft(game)
    text = visitor.get(game + "/record.txt").text
    again = create_app(data_dir, None, CODE).test_client()
    again.post("/join", data={"code": CODE})
    assert again.get(game + "/record.txt").text == text
    assert Game.from_text(text).to_text() == text


def test_a_half_written_file_is_never_left_behind(tmp_path: Path, monkeypatch) -> None:
    games = Games(tmp_path, Packs(tmp_path / "packs", None))
    id = games.create(Game(new(mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(1))))
    before = (tmp_path / f"{id}.game").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(WebProblem, match="no space is left"):
        games.change(id, games.load(id).version, lambda game: game.play(Draft("gray")))
    assert (tmp_path / f"{id}.game").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [f"{id}.game"]


def test_the_newest_game_stands_above_everything_else_at_home(visitor, data_dir) -> None:
    """Even where a damaged one is newer."""
    games = [visitor.start() for _ in range(3)]
    for minute, game in enumerate(games):
        os.utime(file_of(data_dir, game), (60 * minute, 60 * minute))
    _, newest, damaged = games
    file_of(data_dir, damaged).write_bytes(b"")
    os.utime(file_of(data_dir, damaged), (300, 300))
    page = visitor.get("/").text
    order = ("Go on with this game", f'href="{newest}"', "Start a new game", "Other games")
    assert [*map(page.index, order)] == sorted(map(page.index, order))


def test_a_damaged_record_is_one_sentence_and_does_not_hide_the_others(visitor, data_dir) -> None:
    good, bad = visitor.start(), visitor.start()
    for rubbish in (b"", b"\xff\xfe\x00", b"masinfira/mini-express/game/1\nboard: mars\n\n", b"{}" * 100):
        file_of(data_dir, bad).write_bytes(rubbish)
        answer = visitor.get(bad)
        assert answer.status_code == 409
        assert "damaged" in answer.text
        home = visitor.get("/").text
        assert good in home
        assert "damaged" in home


def test_whatever_else_lies_in_the_folder_hides_no_game(visitor, data_dir) -> None:
    """A link to nothing, a game under another name, and a note of the tiles that nobody can read."""
    game = visitor.start()
    (data_dir / "0123abcd.game").symlink_to(data_dir / "nowhere")
    (data_dir / "mine.game").write_bytes(file_of(data_dir, game).read_bytes())
    file_of(data_dir, game).with_suffix(".laid").write_bytes(b"\xff\xfe")
    for page in ("/", "/new", "/count", game):
        assert visitor.get(page).status_code == 200
    assert "mine" not in visitor.get("/").text


def test_a_damaged_game_can_be_put_away_and_taken_back(visitor, data_dir) -> None:
    game = visitor.start()
    file_of(data_dir, game).write_bytes(b"rubbish")
    assert f'action="{game}/away"' in visitor.get("/").text
    assert visitor.post(f"{game}/away").location == "/"
    home = visitor.get("/").text
    assert "1 game is put away" in home
    assert f'action="{game}/away"' not in home
    visitor.post(game.replace("/game/", "/away/"))
    assert file_of(data_dir, game).read_bytes() == b"rubbish"


def test_the_game_last_played_is_the_first_in_the_list(visitor, games, data_dir: Path) -> None:
    """In whatever order they were begun."""
    paths = [visitor.start() for _ in range(3)]
    for path, seconds in zip(paths, (2000, 3000, 1000), strict=True):
        os.utime(file_of(data_dir, path), (seconds, seconds))
    order = [kept.id for kept in games.newest_first()]
    assert order == [id_in(paths[n]) for n in (1, 0, 2)]


def test_a_list_longer_than_the_memory_reads_only_what_has_changed(visitor, games, monkeypatch) -> None:
    """Replaying a whole game takes ten milliseconds, and the first page shows every one."""
    monkeypatch.setattr("webui.kept.games.GAMES_IN_MEMORY", 1)
    paths, read = [visitor.start() for _ in range(3)], []
    visitor.get("/")
    of_text = games.packs.game
    monkeypatch.setattr(games.packs, "game", lambda text: read.append(text) or of_text(text))
    visitor.get("/")
    assert not read
    visitor.draft(paths[0])
    read.clear()
    page = visitor.get("/").text
    assert len(read) <= 1
    assert page.count("4 actions") == 1 and page.count("0 actions") == 2


def test_a_game_that_the_disk_does_not_put_away_is_told_of(visitor, monkeypatch) -> None:
    game = visitor.start()
    visitor.get(game)

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "rename", refuse)
    answer = visitor.post(f"{game}/away")
    assert answer.status_code == 507
    assert "could not be saved" in answer.text
    assert visitor.get(game).status_code == 200


def test_a_game_that_was_put_away_comes_back_as_it_was(visitor, stranger, data_dir) -> None:
    game = visitor.start()
    record = visitor.get(game + "/record.txt").text
    visitor.get(game + "/log")
    assert stranger.client.post(f"{game}/away").status_code == 403
    assert visitor.post(f"{game}/away").location == "/"
    home = visitor.get("/").text
    assert "1 game is put away" in home
    assert f'href="{game}"' not in home
    gone = visitor.get(game)
    assert gone.status_code == 404
    assert "This game was put away: take it back" in gone.text
    assert visitor.post(f"{game}/away").status_code == 404
    later = Visitor(create_app(data_dir, None, CODE))
    later.get("/")
    assert later.post(game.replace("/game/", "/away/")).location == game
    assert later.get(game + "/record.txt").text == record
    assert "put away" not in later.get("/").text


def test_a_game_that_is_put_away_does_not_take_the_place_of_another_of_its_name(visitor, data_dir) -> None:
    """Somebody has copied it there by hand."""
    game = visitor.start()
    away = file_of(data_dir, game).with_suffix(".away")
    away.write_text("the other one")
    refused = visitor.post(f"{game}/away")
    assert refused.status_code == 409 and "are the same game" in refused.text
    assert away.read_text() == "the other one"
    assert visitor.get(game).status_code == 200


def test_while_a_game_is_changed_no_command_changes_it(visitor, app, games, data_dir) -> None:
    """A command that goes on with the same file waits, and then is told that somebody else has changed it."""
    kept = game_at(app, visitor.start())

    def change(game: Game) -> Game:
        with pytest.raises(BlockingIOError), alone_in(games.folder, wait=False):
            pass
        return game

    games.change(kept.id, kept.version, change)
    with alone_in(games.folder, wait=False):
        pass


def test_a_new_game_never_takes_the_place_of_one_that_is_there_or_was_put_away(
    visitor, games, monkeypatch
) -> None:
    ids = [id_in(visitor.start()) for _ in range(2)]
    games.put_away(ids[1])
    drawn, any_other = iter([*ids, "0000000f"]), secrets.token_hex
    monkeypatch.setattr(secrets, "token_hex", lambda n: next(drawn) if n == ID_BYTES else any_other(n))
    assert games.create(games.load(ids[0]).game) == "0000000f"
    games.take_back(ids[1])
    assert {kept.id for kept in games.newest_first()} == {*ids, "0000000f"}
