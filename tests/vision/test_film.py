"""The rendered film: what is told of it, with a reader that makes no mistakes and with the real one; and the bench."""

from dataclasses import replace
from pathlib import Path

import pytest
from sample_tables import SAMPLES, profile_of
from watching import never_wrong, trains_of, watched

from calibration import Profile
from vision import BoardSeen, Turn, VideoProblem, Watcher, video_frames
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


@pytest.mark.slow
def test_the_bench_follows_the_film(film: Film, study: Profile) -> None:
    """Its first turn; the test before this one follows all of it."""
    first = [name for name, _ in film.scenes].index("built") + 2
    figures = bench_film(replace(film, states=film.states[:2], scenes=film.scenes[:first]), study)
    assert figures["frames_per_s"] > 0
    assert figures["turns_played"] == 1
    assert figures["turns"] <= 1  # a machine that is too busy may miss it


def test_a_folder_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(VideoProblem, match="is a folder"):
        next(iter(video_frames(tmp_path)))


def test_a_folder_without_a_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchProblem, match=r"film\.json"):
        Film.load(tmp_path)
    with pytest.raises(BenchProblem, match="no films"):
        bench_watch(tmp_path)
