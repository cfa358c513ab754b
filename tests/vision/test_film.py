"""The rendered film: what is told of it, with a reader that makes no mistakes and with the real one; and the bench."""

from concurrent.futures import Executor
from pathlib import Path

import numpy as np
import pytest
from games import drafted
from sample_tables import SAMPLES, profile_of
from watching import never_wrong, trains_of, watched

from calibration import Profile
from calibration.photo import Pixels
from engine import mini_express as game
from vision import BoardSeen, Turn, VideoProblem, Watcher, WatchEvent, video_frames
from vision.bench.watch import Film, bench_film, bench_watch
from vision.live import watch
from vision.samples import BenchProblem

FILM = SAMPLES / "study" / "film"


@pytest.fixture(scope="module")
def study() -> Profile:
    return profile_of("study")


@pytest.fixture(scope="module")
def film() -> Film:
    """A hand passes, track is half built, built, a hand passes in vain, Mašinfíra builds."""
    return Film.load(FILM)


@pytest.mark.slow
def test_each_turn_of_the_film_is_told_once_and_nothing_else(
    study: Profile, film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, built, answered = (trains_of(state) for state in film.states)
    half = {**before, "brown": [at for at in built["brown"] if at != (5, -2)]}
    standing = {"before": before, "half": half, "built": built, "bot": answered}
    given: list[str] = []
    monkeypatch.setattr(watch, "scan", never_wrong(film.pictures, standing, given))
    events = watched(Watcher(study, film.states[0]), film)
    assert given == ["before", "half", "built", "bot"]
    assert [type(event) for event in events] == [BoardSeen, Turn, Turn]
    assert [event.state for event in events if isinstance(event, Turn)] == list(film.states[1:])


@pytest.mark.slow
def test_of_the_film_what_was_played_is_told_and_nothing_else(study: Profile, film: Film) -> None:
    watcher = Watcher(study, film.states[0])
    turns = [event for event in watched(watcher, film) if isinstance(event, Turn)]
    assert [turn.state for turn in turns] == list(film.states[1:])
    assert watcher.state == film.states[-1]


def test_the_bench_counts_the_frames_and_the_turns_also_those_told_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two turns of three are told, by a watcher that is given frames as long as the film lasts."""
    before, *after = states = [drafted(seed) for seed in range(4)]
    film = Film(tuple(states), (("bare", 0.2),), {"bare": np.zeros((8, 8, 3), np.uint8)})
    turn, given = Turn(0.0, game.legal_actions(before)[0], [], after[0], []), list[float]()

    class Stub:
        def __init__(self, profile: Profile, state: game.State, executor: Executor) -> None:
            assert state == before

        def see(self, frame: Pixels, seconds: float) -> list[WatchEvent]:
            given.append(seconds)
            return [] if given[1:] else [BoardSeen(seconds, True), turn]

        def finish(self) -> list[WatchEvent]:
            return [turn]

    monkeypatch.setattr("vision.bench.watch.Watcher", Stub)
    figures = bench_film(film, Profile("usa", {}))
    assert given[-1] < film.seconds
    assert figures == {"frames_per_s": len(given) / 0.2, "turns": 2, "turns_played": 3}


def test_a_folder_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(VideoProblem, match="is a folder"):
        next(iter(video_frames(tmp_path)))


def test_a_folder_without_a_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchProblem, match=r"film\.json"):
        Film.load(tmp_path)
    with pytest.raises(BenchProblem, match="no films"):
        bench_watch(tmp_path)
