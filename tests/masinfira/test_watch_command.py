"""`masinfira watch` on a video: an object for each turn, the state kept, refusals in one sentence."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from command_line import refused, usage_error
from sample_tables import SAMPLES, profile_of

from engine import mini_express as game
from engine.atomic import alone_in
from engine.sentences import Problem
from masinfira.commands import watch as command
from masinfira.files import read_game
from masinfira.main import run
from masinfira.saving import save_game
from vision import Turn, WatchEvent
from vision.bench.watch import Film
from vision.live.watch import AtOnce

TABLE = SAMPLES / "study"
RATE = 8


@pytest.fixture(scope="module")
def film() -> Film:
    return Film.load(TABLE / "film")


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("profile") / "study"
    profile_of("study").save(folder)
    return str(folder)


@pytest.fixture
def before(film: Film, tmp_path: Path) -> str:
    file = tmp_path / "before.json"
    file.write_text(json.dumps(game.state_to_json(film.states[0])))
    return str(file)


def shown(film: Film, *scenes: tuple[str, float]) -> Film:
    """The same pictures in other scenes."""
    return Film(film.states, scenes, film.pictures)


def video(film: Film, file: Path, size: tuple[int, int] = (1280, 720)) -> str:
    """The film as a file of Motion JPEG."""
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), RATE, size)
    for nth in range(round(film.seconds * RATE)):
        writer.write(cv2.resize(film.frame(nth / RATE, nth), size, interpolation=cv2.INTER_AREA))
    writer.release()
    return str(file)


def test_what_a_person_has_just_played_is_not_overwritten(before: str, tmp_path: Path) -> None:
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
    seen, played = game.legal_actions(record.played.state)[:2]
    save_game(out, record.played.play(played))
    record.add(turn(record.played, seen))
    assert read_game(str(out), pack).actions == (played,)
    assert record.corrected()
    assert record.played.actions == (played,)


def test_nobody_else_writes_the_file_while_a_turn_is_written(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look whether somebody has played and the writing nobody can."""
    out, pack, written = tmp_path / "now.txt", game.built_in(), []

    def spied(file: Path, played: game.Game) -> None:
        with pytest.raises(BlockingIOError), alone_in(tmp_path, wait=False):
            pass
        written.append(len(played.actions))
        save_game(file, played)

    monkeypatch.setattr(command, "save_game", spied)
    record = command.Record(out, pack, read_game(before, pack))
    record.add(turn(record.played, game.legal_actions(record.played.state)[0]))
    assert written == [0, 1]
    with alone_in(tmp_path, wait=False):
        assert read_game(str(out), pack) == record.played


@pytest.mark.parametrize("there", [False, True])
def test_what_a_person_plays_while_the_camera_is_opened_counts(
    before: str, tmp_path: Path, there: bool
) -> None:
    """Whether there was a file to go on in or not."""
    out, pack = tmp_path / "now.txt", game.built_in()
    start = read_game(before, pack)
    if there:
        save_game(out, start)
    written = command.stamp(out)
    played = start.play(game.legal_actions(start.state)[0])
    save_game(out, played)
    record = command.Record(out, pack, start, written)
    assert read_game(str(out), pack) == played
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
    before: str, tmp_path: Path
) -> None:
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
    share = next(a for a in game.legal_actions(record.played.state) if isinstance(a, game.TakeShare))
    played, told = record.played.play(share), []
    watcher: Any = LastPicture(record.played.state)
    for event in command.follow(watcher, iter([(1.0, np.zeros((720, 1280, 3), np.uint8))]), record):
        if not told:
            save_game(out, played)
        if isinstance(event, Turn):
            record.add(event)
        told.append(type(event))
    assert told == [Turn, command.Changed, Turn]
    assert read_game(str(out), pack).actions == (share, game.legal_actions(played.state)[0])


def test_a_file_that_holds_no_game_when_the_film_ends_is_told(before: str, tmp_path: Path) -> None:
    """There is no later look at which it could be whole."""
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
    out.write_text("nothing of the kind")
    watcher: Any = LastPicture(record.played.state)
    with pytest.raises(Problem, match="holds no position"):
        [*command.follow(watcher, iter([]), record)]
    assert out.read_text() == "nothing of the kind"


def turn(played: game.Game, action: game.Action, *others: game.Action) -> Turn:
    """A turn that was seen, and what else it may have been."""
    return Turn(1.0, action, [], game.apply(played.state, action), [*others])


def test_a_file_that_is_just_being_written_is_read_when_it_is_whole(before: str, tmp_path: Path) -> None:
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
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
    before: str, tmp_path: Path
) -> None:
    """However many pictures come meanwhile."""
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
    played = record.played.play(game.legal_actions(record.played.state)[0])
    out.rename(tmp_path / "now.txt~")
    assert [record.corrected() for _ in range(3)] == [False] * 3
    save_game(out, played)
    assert record.corrected()
    assert record.played == played


def test_a_file_that_somebody_has_removed_is_written_with_the_next_turn(before: str, tmp_path: Path) -> None:
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
    out.unlink()
    assert not record.corrected()
    record.add(turn(record.played, game.legal_actions(record.played.state)[0]))
    assert read_game(str(out), pack) == record.played
    assert not record.corrected()
    out.unlink()
    with pytest.raises(Problem, match="no file"):
        record.corrected(last=True)


def test_a_file_that_goes_while_it_is_looked_at_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "is_file", lambda path: True)
    assert command.stamp(tmp_path / "now.txt") is None


def test_what_is_written_while_the_file_is_read_is_read_next(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
    first = record.played.play(game.legal_actions(record.played.state)[0])
    second = first.play(game.legal_actions(first.state)[0])
    save_game(out, first)

    def slowly(file: str, pack: game.Pack) -> game.Game:
        found = read_game(file, pack)
        save_game(out, second)
        return found

    monkeypatch.setattr(command, "read_game", slowly)
    assert record.corrected()
    assert record.played.actions == first.actions
    assert record.corrected()
    assert record.played.actions == second.actions


def test_what_a_picture_leaves_open_is_written_by_a_person_first(before: str, tmp_path: Path) -> None:
    out, pack = tmp_path / "now.txt", game.built_in()
    record = command.Record(out, pack, read_game(before, pack))
    seen, other, *_ = game.legal_actions(start := record.played.state)
    record.add(turn(record.played, seen, other))
    record.add(Turn(2.0, seen, [], start, []))  # what follows rests on it
    assert read_game(str(out), pack).actions == ()
    save_game(out, record.played.play(other))
    assert record.corrected()
    after = game.legal_actions(record.played.state)[0]
    record.add(turn(record.played, after))
    assert read_game(str(out), pack).actions == (other, after)


@pytest.mark.slow
def test_every_finished_turn_is_a_line_of_json_and_the_state_is_kept(
    film: Film, profile: str, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = video(shown(film, ("before", 1.2), ("hand", 0.8), ("built", 1.6)), tmp_path / "film.avi")
    out = tmp_path / "now.json"
    options = ["--profile", profile, "--before", before, "--out", str(out), "--json"]
    assert run(["watch", "--video", file, *options]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    turns = [event for event in events if event["event"] == "turn"]
    assert [turn["state"] for turn in turns] == [game.state_to_json(film.states[1])]
    assert turns[0]["notation"] == "build b 7,-4 6,-3 5,-2"
    assert turns[0]["text"].startswith("Brown built ")
    assert turns[0]["log"][0]["key"] == "built"
    assert json.loads(out.read_text()) == turns[0]["state"]


@pytest.mark.slow
def test_people_read_what_was_built_even_just_before_the_film_ends(
    film: Film, profile: str, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = video(shown(film, ("before", 1.2), ("built", 0.5)), tmp_path / "film.avi")
    assert run(["watch", "--video", file, "--profile", profile, "--before", before]) == 0
    told = capsys.readouterr().out
    assert "Brown built " in told
    assert told.endswith("Watching ends: 1 turn was told.\n")


@pytest.mark.slow
def test_after_ctrl_c_a_last_look_is_taken(
    film: Film, profile: str, before: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Too short for a turn to count as finished while the camera goes on."""

    scenes = shown(film, ("before", 1.2), ("built", 0.5))

    def frames(number: int) -> Iterator[tuple[float, Any]]:
        for nth in range(round(scenes.seconds * RATE)):
            yield nth / RATE, scenes.frame(nth / RATE, nth)
        signal.raise_signal(signal.SIGINT)
        yield scenes.seconds, film.frame(0.0, number)
        pytest.fail("it films on")

    monkeypatch.setattr(command, "camera_frames", frames)
    monkeypatch.setattr(command, "ThreadPoolExecutor", lambda threads: AtOnce())
    assert run(["watch", "--camera", "0", "--profile", profile, "--before", before]) == 0
    told = capsys.readouterr().out
    assert "Brown built " in told
    assert told.endswith("Watching ends: 1 turn was told.\n")
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_a_second_ctrl_c_ends_at_once_without_complaint(
    film: Film, profile: str, before: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(number: int) -> Iterator[tuple[float, Any]]:
        yield 0.0, film.frame(0.0, number)
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
        pytest.fail("it films on")

    monkeypatch.setattr(command, "camera_frames", interrupted)
    assert run(["watch", "--camera", "0", "--profile", profile, "--before", before]) == 0
    assert "Watching ends: 0 turns were told." in capsys.readouterr().out


def test_what_a_person_plays_into_the_file_counts(
    film: Film,
    profile: str,
    before: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And is told of: taking a share does not show on the map, so it is played on the command line meanwhile."""
    out = tmp_path / "now.json"
    share = next(a for a in game.legal_actions(film.states[0]) if isinstance(a, game.TakeShare))
    states = []

    def frames(number: int) -> Iterator[tuple[float, Any]]:
        yield 0.0, film.frame(0.0, number)
        assert run(["play", str(out), game.action_to_text(share), "--out", str(out)]) == 0
        yield 0.1, film.frame(0.0, number)

    follow = command.follow

    def spied(watcher: Any, *rest: Any) -> Iterator[Any]:
        yield from follow(watcher, *rest)
        states.append(watcher.state)

    monkeypatch.setattr(command, "camera_frames", frames)
    monkeypatch.setattr(command, "follow", spied)
    options = ["--profile", profile, "--before", before, "--out", str(out)]
    assert run(["watch", "--camera", "0", *options]) == 0
    assert states == [game.apply(film.states[0], share)]
    assert game.state_from_json(json.loads(out.read_text())) == states[0]
    assert "now.json has been changed meanwhile: watching goes on" in capsys.readouterr().out


def test_a_camera_that_is_not_there(profile: str, before: str, capfd: pytest.CaptureFixture[str]) -> None:
    options = ["--profile", profile, "--before", before]
    assert "Camera 99 cannot be opened" in refused(capfd, "watch", "--camera", "99", *options)


def test_the_same_line_can_be_tried_again_once_the_camera_is_plugged_in(
    profile: str, before: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    watch = [
        "watch",
        "--camera",
        "99",
        "--profile",
        profile,
        "--before",
        before,
        "--out",
        str(tmp_path / "game.txt"),
    ]
    for _ in range(2):
        assert "Camera 99 cannot be opened" in refused(capfd, *watch)


def test_the_profile_of_another_map_is_told_before_the_camera_is_opened_and_the_file_written(
    profile: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    europe, out = tmp_path / "europe.json", tmp_path / "game.txt"
    assert run(["new", "--board", "europe", "--seats", "red", "blue", "green", "--out", str(europe)]) == 0
    capfd.readouterr()
    monkeypatch.delattr(command, "camera_frames")
    watch = ["watch", "--camera", "0", "--profile", profile, "--before", str(europe), "--out", str(out)]
    assert "for the map USA, and Europe is needed" in refused(capfd, *watch)
    assert not out.exists()


@pytest.mark.parametrize("number", ["-1", "100", "99999999999"])
def test_a_number_that_no_camera_has(
    profile: str, before: str, capfd: pytest.CaptureFixture[str], number: str
) -> None:
    options = ["--profile", profile, "--before", before]
    assert f"no camera {number}" in refused(capfd, "watch", "--camera", number, *options)


def test_a_picture_is_no_video_whatever_it_holds(
    profile: str, before: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("not a film")
    for file in (text, TABLE / "empty.jpg"):
        told = refused(capfd, "watch", "--video", str(file), "--profile", profile, "--before", before)
        assert f"{file.name} is not a video" in told


def test_a_film_without_the_board_is_refused(
    film: Film, profile: str, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = Film(film.states, (("bare", 1.5),), {"bare": np.full((720, 1280, 3), 90, np.uint8)})
    file = video(bare, tmp_path / "film.avi")
    assert run(["watch", "--video", file, "--profile", profile, "--before", before, "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out) == {"event": "board", "seconds": 0.0, "found": False}
    assert "The board was found nowhere in" in err


def test_a_film_without_colours_is_refused_before_any_turn_is_promised(
    film: Film, profile: str, before: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    writer = cv2.VideoWriter(
        str(file := tmp_path / "gray.avi"), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (1280, 720)
    )
    for _ in range(3):
        gray = cv2.cvtColor(film.pictures["before"], cv2.COLOR_BGR2GRAY)
        writer.write(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    writer.release()
    told = refused(capfd, "watch", "--video", str(file), "--profile", profile, "--before", before)
    assert "film without a black-and-white filter" in told


def test_a_film_too_short_or_cut_short_is_told_as_such(
    film: Film, profile: str, before: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one = video(shown(film, ("before", 1 / RATE)), tmp_path / "one.avi")
    (cut := tmp_path / "cut.avi").write_bytes(Path(one).read_bytes()[:3000])
    (unfinished := tmp_path / "cut.mp4").write_bytes(b"\0\0\0\x20ftypisom" + bytes(5000))
    for file in (one, str(cut), str(unfinished)):
        told = refused(capfd, "watch", "--video", file, "--profile", profile, "--before", before)
        assert "is damaged, cut short or too short" in told


def test_a_file_that_is_no_video(
    profile: str, before: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ["--profile", profile, "--before", before]
    assert "no file nowhere.mp4" in refused(capfd, "watch", "--video", "nowhere.mp4", *options)
    text = tmp_path / "film.mp4"
    for content in (b"not a film", b"#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1:9/film.ts\n", b"\0" * 5000):
        text.write_bytes(content)
        assert "is not a video" in refused(capfd, "watch", "--video", str(text), *options)
    text.write_bytes(b"")
    assert "film.mp4 is empty" in refused(capfd, "watch", "--video", str(text), *options)
    assert "/dev/null is not a video" in refused(capfd, "watch", "--video", "/dev/null", *options)


def test_pictures_too_small_to_see_trains_in(
    film: Film, profile: str, before: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = video(shown(film, ("before", 0.5)), tmp_path / "small.avi", size=(480, 270))
    options = ["--profile", profile, "--before", before]
    assert "only 480 × 270 pixels" in refused(capfd, "watch", "--video", file, *options)


def test_a_camera_or_a_video_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--camera" in usage_error(capsys, "watch", "--profile", "x", "--before", "y")


@pytest.mark.slow
def test_a_damaged_video_ends_where_it_is_damaged(
    film: Film, profile: str, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Path(video(shown(film, ("before", 1.0)), tmp_path / "whole.avi")).read_bytes()
    cut = tmp_path / "cut.avi"
    rng = np.random.default_rng(1)
    cut.write_bytes(whole[: len(whole) // 2] + rng.bytes(4000))
    assert run(["watch", "--video", str(cut), "--profile", profile, "--before", before, "--json"]) == 0
    assert all(json.loads(line)["event"] == "board" for line in capsys.readouterr().out.splitlines())


def test_a_second_ctrl_c_ends_the_last_look_though_a_script_had_the_first_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        frames = command.until_stopped(iter([(0.0, None), (0.1, None), (0.2, None)]))
        next(frames)
        signal.raise_signal(signal.SIGINT)
        assert list(frames) == []
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
