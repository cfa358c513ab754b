"""The file of a game that `masinfira watch` and a person write: nobody's turn is lost, whoever writes when."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sample_tables import SAMPLES

from engine import mini_express as game
from engine.atomic import alone_in
from engine.sentences import Problem
from masinfira import shared_record
from masinfira.files import read_game
from masinfira.saving import save_game
from masinfira.shared_record import Record
from vision.live.turns import Turn, WatchEvent

PACK = game.built_in()
FILMED = json.loads((SAMPLES / "study" / "film" / "film.json").read_text("utf-8"))


@pytest.fixture
def before(tmp_path: Path) -> str:
    """A game underway, in which a person may build or take a share."""
    file = tmp_path / "before.json"
    file.write_text(json.dumps(FILMED["before"]))
    return str(file)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "now.txt"


@pytest.fixture
def record(before: str, out: Path) -> Record:
    return Record(out, PACK, read_game(before, PACK))


def test_what_a_person_has_just_played_is_not_overwritten(record: Record, out: Path) -> None:
    seen, played = game.legal_actions(record.played.state)[:2]
    save_game(out, record.played.play(played))
    record.add(turn(record.played, seen))
    assert read_game(str(out), PACK).actions == (played,)
    assert record.corrected()
    assert record.played.actions == (played,)


def test_nobody_else_writes_the_file_while_a_turn_is_written(
    out: Path, before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look whether somebody has played and the writing nobody can."""
    written = []

    def spied(file: Path, played: game.Game) -> None:
        with pytest.raises(BlockingIOError), alone_in(tmp_path, wait=False):
            pass
        written.append(len(played.actions))
        save_game(file, played)

    monkeypatch.setattr(shared_record, "save_game", spied)
    record = Record(out, PACK, read_game(before, PACK))
    record.add(turn(record.played, game.legal_actions(record.played.state)[0]))
    assert written == [0, 1]
    with alone_in(tmp_path, wait=False):
        assert read_game(str(out), PACK) == record.played


@pytest.mark.parametrize("there", [False, True])
def test_what_a_person_plays_while_the_camera_is_opened_counts(out: Path, before: str, there: bool) -> None:
    """Whether there was a file to go on in or not."""
    start = read_game(before, PACK)
    if there:
        save_game(out, start)
    written = shared_record.stamp(out)
    played = start.play(game.legal_actions(start.state)[0])
    save_game(out, played)
    record = Record(out, PACK, start, written)
    assert read_game(str(out), PACK) == played
    assert record.corrected()
    assert record.played == played


class LastPicture:
    """Stands for a watcher that sees, when the frames end, that the first legal action has been played."""

    def __init__(self, state: game.State) -> None:
        self.state = state

    def see(self, *_: Any) -> list[WatchEvent]:
        return []

    def finish(self) -> list[WatchEvent]:
        return [turn(game.Game(self.state), game.legal_actions(self.state)[0])]


def test_what_a_person_plays_while_the_last_picture_is_read_is_gone_on_from(
    record: Record, out: Path
) -> None:
    share = next(a for a in game.legal_actions(record.played.state) if isinstance(a, game.TakeShare))
    played, told = record.played.play(share), []
    watcher: Any = LastPicture(record.played.state)
    for event in shared_record.follow(watcher, iter([(1.0, np.zeros((720, 1280, 3), np.uint8))]), record):
        if not told:
            save_game(out, played)
        if isinstance(event, Turn):
            record.add(event)
        told.append(type(event))
    assert told == [Turn, shared_record.Changed, Turn]
    assert read_game(str(out), PACK).actions == (share, game.legal_actions(played.state)[0])


def test_a_file_that_holds_no_game_when_the_film_ends_is_told(record: Record, out: Path) -> None:
    """There is no later look at which it could be whole."""
    out.write_text("nothing of the kind")
    watcher: Any = LastPicture(record.played.state)
    with pytest.raises(Problem, match="holds no position"):
        [*shared_record.follow(watcher, iter([]), record)]
    assert out.read_text() == "nothing of the kind"


def turn(played: game.Game, action: game.Action, *others: game.Action) -> Turn:
    """A turn that was seen, and what else it may have been."""
    return Turn(1.0, action, [], game.apply(played.state, action), [*others])


def test_a_file_that_is_just_being_written_is_read_when_it_is_whole(
    record: Record, out: Path, tmp_path: Path
) -> None:
    played = game.legal_actions(record.played.state)[0]
    save_game(whole := tmp_path / "whole.txt", record.played.play(played))
    out.write_text("")
    assert not record.corrected()
    out.write_text(whole.read_text())
    assert record.corrected()
    assert record.played.actions == (played,)
    out.write_text("nothing of the kind")
    assert not record.corrected()
    with pytest.raises(Problem):  # nobody has written on
        record.corrected()


def test_a_file_that_an_editor_renames_away_before_it_writes_it_anew_is_waited_for(
    record: Record, out: Path, tmp_path: Path
) -> None:
    """However many pictures come meanwhile."""
    played = record.played.play(game.legal_actions(record.played.state)[0])
    out.rename(tmp_path / "now.txt~")
    assert [record.corrected() for _ in range(3)] == [False] * 3
    save_game(out, played)
    assert record.corrected()
    assert record.played == played


def test_a_file_that_somebody_has_removed_is_written_with_the_next_turn(record: Record, out: Path) -> None:
    out.unlink()
    assert not record.corrected()
    record.add(turn(record.played, game.legal_actions(record.played.state)[0]))
    assert read_game(str(out), PACK) == record.played
    assert not record.corrected()
    out.unlink()
    with pytest.raises(Problem, match="no file"):
        record.corrected(last=True)


def test_a_file_that_goes_while_it_is_looked_at_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    assert shared_record.stamp(tmp_path / "now.txt") is None


def test_what_is_written_while_the_file_is_read_is_read_next(
    record: Record, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = record.played.play(game.legal_actions(record.played.state)[0])
    second = first.play(game.legal_actions(first.state)[0])
    save_game(out, first)

    def slowly(file: str, pack: game.Pack) -> game.Game:
        found = read_game(file, pack)
        save_game(out, second)
        return found

    monkeypatch.setattr(shared_record, "read_game", slowly)
    assert record.corrected()
    assert record.played.actions == first.actions
    assert record.corrected()
    assert record.played.actions == second.actions


def test_what_a_picture_leaves_open_is_written_by_a_person_first(record: Record, out: Path) -> None:
    seen, other, *_ = game.legal_actions(start := record.played.state)
    record.add(turn(record.played, seen, other))
    record.add(Turn(2.0, seen, [], start, []))  # what follows rests on it
    assert read_game(str(out), PACK).actions == ()
    save_game(out, record.played.play(other))
    assert record.corrected()
    after = game.legal_actions(record.played.state)[0]
    record.add(turn(record.played, after))
    assert read_game(str(out), PACK).actions == (other, after)
