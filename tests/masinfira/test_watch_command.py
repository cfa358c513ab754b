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
from sample_tables import SAMPLES

from engine import mini_express as game
from masinfira.commands import watch as command
from masinfira.main import run
from vision.bench.watch import Film
from vision.live.watch import AtOnce

TABLE = SAMPLES / "study"
RATE = 8


@pytest.fixture(scope="module")
def film() -> Film:
    return Film.load(TABLE / "film")


@pytest.fixture
def watch(film: Film, study: list[str], tmp_path: Path) -> list[str]:
    """The command, but for what it films."""
    before = tmp_path / "before.json"
    before.write_text(json.dumps(game.state_to_json(film.states[0])))
    return ["watch", *study, "--before", str(before)]


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


@pytest.mark.slow
def test_every_finished_turn_is_a_line_of_json_and_the_state_is_kept(
    film: Film, watch: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = video(shown(film, ("before", 1.2), ("hand", 0.8), ("built", 1.6)), tmp_path / "film.avi")
    out = tmp_path / "now.json"
    assert run([*watch, "--video", file, "--out", str(out), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    turns = [event for event in events if event["event"] == "turn"]
    assert [turn["state"] for turn in turns] == [game.state_to_json(film.states[1])]
    assert turns[0]["notation"] == "build b 7,-4 6,-3 5,-2"
    assert turns[0]["text"].startswith("Brown built ")
    assert turns[0]["log"][0]["key"] == "built"
    assert json.loads(out.read_text()) == turns[0]["state"]


@pytest.mark.slow
def test_people_read_what_was_built_even_just_before_the_film_ends(
    film: Film, watch: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = video(shown(film, ("before", 1.2), ("built", 0.5)), tmp_path / "film.avi")
    assert run([*watch, "--video", file]) == 0
    told = capsys.readouterr().out
    assert "Brown built " in told
    assert told.endswith("Watching ends: 1 turn was told.\n")


@pytest.mark.slow
def test_after_ctrl_c_a_last_look_is_taken(
    film: Film, watch: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    assert run([*watch, "--camera", "0"]) == 0
    told = capsys.readouterr().out
    assert "Brown built " in told
    assert told.endswith("Watching ends: 1 turn was told.\n")
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_a_second_ctrl_c_ends_at_once_without_complaint(
    film: Film, watch: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(number: int) -> Iterator[tuple[float, Any]]:
        yield 0.0, film.frame(0.0, number)
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
        pytest.fail("it films on")

    monkeypatch.setattr(command, "camera_frames", interrupted)
    assert run([*watch, "--camera", "0"]) == 0
    assert "Watching ends: 0 turns were told." in capsys.readouterr().out


def test_what_a_person_plays_into_the_file_counts(
    film: Film,
    watch: list[str],
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
    assert run([*watch, "--camera", "0", "--out", str(out)]) == 0
    assert states == [game.apply(film.states[0], share)]
    assert game.state_from_json(json.loads(out.read_text())) == states[0]
    assert "now.json has been changed meanwhile: watching goes on" in capsys.readouterr().out


def test_a_camera_that_is_not_there(watch: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert "Camera 99 cannot be opened" in refused(capfd, *watch, "--camera", "99")


def test_the_same_line_can_be_tried_again_once_the_camera_is_plugged_in(
    watch: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        told = refused(capfd, *watch, "--camera", "99", "--out", str(tmp_path / "game.txt"))
        assert "Camera 99 cannot be opened" in told


def test_the_profile_of_another_map_is_told_before_the_camera_is_opened_and_the_file_written(
    study: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    europe, out = tmp_path / "europe.json", tmp_path / "game.txt"
    assert run(["new", "--board", "europe", "--seats", "red", "blue", "green", "--out", str(europe)]) == 0
    capfd.readouterr()
    monkeypatch.delattr(command, "camera_frames")
    watch = ["watch", "--camera", "0", *study, "--before", str(europe), "--out", str(out)]
    assert "for the map USA, and Europe is needed" in refused(capfd, *watch)
    assert not out.exists()


@pytest.mark.parametrize("number", ["-1", "100", "99999999999"])
def test_a_number_that_no_camera_has(
    watch: list[str], capfd: pytest.CaptureFixture[str], number: str
) -> None:
    assert f"no camera {number}" in refused(capfd, *watch, "--camera", number)


def test_a_picture_is_no_video_whatever_it_holds(
    watch: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("not a film")
    for file in (text, TABLE / "empty.jpg"):
        told = refused(capfd, *watch, "--video", str(file))
        assert f"{file.name} is not a video" in told


def test_a_film_without_the_board_is_refused(
    film: Film, watch: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = Film(film.states, (("bare", 1.5),), {"bare": np.full((720, 1280, 3), 90, np.uint8)})
    file = video(bare, tmp_path / "film.avi")
    assert run([*watch, "--video", file, "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out) == {"event": "board", "seconds": 0.0, "found": False}
    assert "The board was found nowhere in" in err


def test_a_film_without_colours_is_refused_before_any_turn_is_promised(
    film: Film, watch: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    writer = cv2.VideoWriter(
        str(file := tmp_path / "gray.avi"), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (1280, 720)
    )
    for _ in range(3):
        gray = cv2.cvtColor(film.pictures["before"], cv2.COLOR_BGR2GRAY)
        writer.write(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    writer.release()
    told = refused(capfd, *watch, "--video", str(file))
    assert "film without a black-and-white filter" in told


def test_a_film_too_short_or_cut_short_is_told_as_such(
    film: Film, watch: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one = video(shown(film, ("before", 1 / RATE)), tmp_path / "one.avi")
    (cut := tmp_path / "cut.avi").write_bytes(Path(one).read_bytes()[:3000])
    (unfinished := tmp_path / "cut.mp4").write_bytes(b"\0\0\0\x20ftypisom" + bytes(5000))
    for file in (one, str(cut), str(unfinished)):
        told = refused(capfd, *watch, "--video", file)
        assert "is damaged, cut short or too short" in told


def test_a_file_that_is_no_video(watch: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "no file nowhere.mp4" in refused(capfd, *watch, "--video", "nowhere.mp4")
    text = tmp_path / "film.mp4"
    for content in (b"not a film", b"#EXTM3U\n#EXTINF:9,\nhttp://127.0.0.1:9/film.ts\n", b"\0" * 5000):
        text.write_bytes(content)
        assert "is not a video" in refused(capfd, *watch, "--video", str(text))
    text.write_bytes(b"")
    assert "film.mp4 is empty" in refused(capfd, *watch, "--video", str(text))
    assert "/dev/null is not a video" in refused(capfd, *watch, "--video", "/dev/null")


def test_pictures_too_small_to_see_trains_in(
    film: Film, watch: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = video(shown(film, ("before", 0.5)), tmp_path / "small.avi", size=(480, 270))
    assert "only 480 × 270 pixels" in refused(capfd, *watch, "--video", file)


def test_a_camera_or_a_video_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--camera" in usage_error(capsys, "watch", "--profile", "x", "--before", "y")


@pytest.mark.slow
def test_a_damaged_video_ends_where_it_is_damaged(
    film: Film, watch: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Path(video(shown(film, ("before", 1.0)), tmp_path / "whole.avi")).read_bytes()
    cut = tmp_path / "cut.avi"
    rng = np.random.default_rng(1)
    cut.write_bytes(whole[: len(whole) // 2] + rng.bytes(4000))
    assert run([*watch, "--video", str(cut), "--json"]) == 0
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
