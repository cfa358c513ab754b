"""Watching a table: what is told of what a camera sees, and what is not, with a reader that makes no mistakes."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import cv2
import numpy as np
import pytest
from drawn_game import AGAIN, ANSWERED, BEFORE, BUILD, BUILT, STANDING, TAKEN, filmed
from synthetic_table import HEXES, camera, table
from watching import RATE, Picture, never_wrong, trains_of, watched

from calibration import Photo, PhotoProblem, Profile, RegistrationProblem
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.sentences import Problem
from vision import BoardSeen, Conflict, Scan, Turn, Unclear, VideoProblem, Watcher, WatchEvent, live, scan
from vision.bench.watch import Film


@pytest.fixture(scope="module")
def profile() -> Profile:
    return table()


@pytest.fixture(scope="module")
def pictures() -> dict[str, Picture]:
    """What a camera sees of the table, also after it was moved."""
    aside = filmed(camera(tilt=28, turn=35, size=(1280, 720)))
    return {**filmed(), **{f"{name}, from aside": picture for name, picture in aside.items()}}


@pytest.fixture(autouse=True)
def _no_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the drawn table lie no demand tiles that could be the game's."""
    monkeypatch.setattr(Scan, "tiles_conflict", None)


@pytest.fixture
def readings(pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pictures that were read, by a reader that makes no mistakes."""
    given: list[str] = []
    monkeypatch.setattr(live.watch, "scan", never_wrong(pictures, STANDING, given))
    return given


def shown(
    watcher: Watcher, pictures: dict[str, Picture], *scenes: tuple[str, float], start: float = 0.0
) -> list[WatchEvent]:
    """What a watcher tells of these scenes, (picture, seconds) one after the other."""
    return watched(watcher, Film((BEFORE,), scenes, pictures), start)


Watch = Callable[..., tuple[list[WatchEvent], game.State]]


@pytest.fixture
def watch(profile: Profile, pictures: dict[str, Picture], readings: list[str]) -> Watch:
    """What a watcher that knows the state before tells of these scenes, and the state as far as it was seen."""

    def watch(*scenes: tuple[str, float], before: game.State = BEFORE) -> tuple[list[WatchEvent], game.State]:
        watcher = Watcher(profile, before)
        return shown(watcher, pictures, *scenes), watcher.state

    return watch


def kinds(events: Iterable[WatchEvent]) -> list[type[WatchEvent]]:
    return [type(event) for event in events]


def actions(events: Iterable[WatchEvent]) -> list[game.Action]:
    return [event.action for event in events if isinstance(event, Turn)]


def conflicts(events: Iterable[WatchEvent]) -> list[list[Problem]]:
    """One list for each time that something is unclear."""
    return [[*event.conflicts] for event in events if isinstance(event, Unclear)]


@pytest.mark.slow
def test_a_finished_turn_is_told_when_the_hand_is_gone(watch: Watch) -> None:
    events, state = watch(("before", 1.2), ("hand", 1.0), ("hand, built", 1.0), ("built", 1.6))
    assert kinds(events) == [BoardSeen, Turn]
    turn = events[1]
    assert isinstance(turn, Turn)
    assert turn.action == BUILD
    assert turn.seconds > 3.2
    assert turn.state == state == BUILT
    assert turn.log == game.play(BEFORE, BUILD)[1]


@pytest.mark.slow
def test_a_hand_that_changes_nothing_is_not_even_read(watch: Watch, readings: list[str]) -> None:
    events, state = watch(("before", 1.5), ("hand", 2.0), ("before", 2.0))
    assert kinds(events) == [BoardSeen]
    assert state == BEFORE
    assert readings == ["before"]


@pytest.mark.slow
def test_what_lies_on_the_board_for_long_is_no_hand(
    watch: Watch, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet or a bag that somebody has put down: what shows beside it is read."""
    standing = {**STANDING, "hand, built": trains_of(BUILT)}
    monkeypatch.setattr(live.watch, "scan", never_wrong(pictures, standing, []))
    events, _ = watch(("before", 1.2), ("hand, built", 6.0))
    assert actions(events) == [BUILD]
    assert events[-1].seconds > 1.2 + 4.9


@pytest.mark.slow
def test_half_built_track_is_waited_for(watch: Watch, readings: list[str]) -> None:
    events, state = watch(("before", 1.2), ("half", 1.6), ("hand", 0.6), ("built", 1.6))
    assert readings == ["before", "half", "built"]
    assert kinds(events) == [BoardSeen, Turn]
    assert state == BUILT


@pytest.mark.slow
def test_the_reader_is_told_where_the_board_has_changed_but_not_when_all_of_it_has(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[set[Hex]] = []
    read = live.watch.scan

    def noted(*args: Any, **known: Any) -> Scan:
        told.append(set(known["changed"]))
        return read(*args, **known)

    monkeypatch.setattr(live.watch, "scan", noted)
    watch(("before", 1.2), ("hand", 0.6), ("built", 1.6))
    assert told[0] == set()
    assert set(BUILD.route) <= told[1]
    assert len(told[1]) < 0.2 * len(HEXES)
    told.clear()
    watch(("before", 1.2), ("bare", 1.0), ("built, from aside", 4.0))
    assert told[-1] == set()


@pytest.mark.slow
def test_of_hexes_outside_the_picture_the_reader_is_told_nothing(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[set[Hex]] = []
    cut = {
        name: np.ascontiguousarray(picture[:, : picture.shape[1] * 2 // 3])
        for name, picture in pictures.items()
    }

    def noted(*args: Any, **known: Any) -> Scan:
        told.append({at for at, _ in known["told"]})
        return never_wrong(cut, STANDING, [])(*args, **known)

    monkeypatch.setattr(live.watch, "scan", noted)
    shown(Watcher(profile, BEFORE), cut, ("before", 1.2), ("hand", 0.6), ("built", 1.6))
    wide = cut["built"].shape[1]
    outlines = scan([Photo(cut["built"])], profile).outlines()
    outside = {at for at, corners in outlines.items() if all(x > wide for x, _ in corners)}
    assert outside
    assert told[-1]
    assert not told[-1] & outside


@pytest.mark.slow
def test_what_no_action_explains_is_told_once_with_its_hex_and_watching_goes_on(watch: Watch) -> None:
    events, state = watch(("before", 1.2), ("half", 12.0), ("built", 1.6))
    assert kinds(events) == [BoardSeen, Unclear, Turn]
    (problems,) = conflicts(events)
    assert {problem.values["hex"] for problem in problems} == set(BUILD.route[:2])
    assert state == BUILT


@pytest.mark.slow
def test_what_is_unclear_is_not_told_again_when_it_is_read_again_as_it_was(
    watch: Watch, readings: list[str]
) -> None:
    events, _ = watch(("before", 1.2), ("half", 6.0), ("half, from aside", 7.0))
    assert readings.count("half, from aside") == 2
    assert kinds(events) == [BoardSeen, Unclear]


@pytest.mark.slow
def test_with_the_record_of_another_game_nothing_is_told_as_played(watch: Watch) -> None:
    """On the table lies a build that would be legal, but not all the track that the record has."""
    other = next(
        after
        for after in (game.apply(BEFORE, a) for a in game.legal_actions(BEFORE) if isinstance(a, game.Build))
        if after.hexes("brown") != BEFORE.hexes("brown")
    )
    events, state = watch(("answered", 2.0), before=other)
    assert kinds(events) == [BoardSeen, Unclear]
    ((problem,),) = conflicts(events)
    assert problem.key == "said_gone"
    assert state == other


def test_where_the_tiles_lie_otherwise_than_in_the_record_this_is_told(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scan, "tiles_conflict", Conflict("tiles"))
    events, _ = watch(("built", 2.0))
    ((problem,),) = conflicts(events)
    assert problem.key == "tiles"
    assert actions(events) == []


@pytest.mark.slow
def test_two_turns_between_two_stills_are_both_told(watch: Watch) -> None:
    events, state = watch(("before", 1.2), ("hand", 0.6), ("answered", 1.6))
    build, draw = actions(events)
    assert build == BUILD
    assert isinstance(draw, game.Draw)
    assert trains_of(state) == trains_of(ANSWERED)


@pytest.mark.slow
def test_other_actions_that_look_the_same_are_named(watch: Watch) -> None:
    events, _ = watch(("built", 1.2), ("answered", 1.6), before=BUILT)
    turn = next(event for event in events if isinstance(event, Turn))
    same = {d for d in game.legal_actions(BUILT) if trains_of(game.apply(BUILT, d)) == trains_of(ANSWERED)}
    assert {turn.action, *turn.alternatives} == same


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_a_share_that_a_person_tells_of_makes_the_next_build_the_bots(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    """Taking a share does not show on the map."""
    watcher = Watcher(profile, ANSWERED)
    assert actions(shown(watcher, pictures, ("answered", 1.5))) == []
    watcher.state = TAKEN
    told = actions(shown(watcher, pictures, ("answered", 1.5), ("and again", 1.6), start=1.5))
    assert [type(action) for action in told] == [game.Draw]
    assert trains_of(watcher.state) == trains_of(AGAIN)


@pytest.mark.slow
def test_the_camera_may_be_moved(watch: Watch) -> None:
    events, _ = watch(("before", 1.5), ("before, from aside", 4.0), ("built, from aside", 2.0))
    assert actions(events) == [BUILD]


@pytest.mark.slow
@pytest.mark.parametrize(
    "refusal", [RegistrationProblem("unsure", photo=""), PhotoProblem("colourless", file="")]
)
def test_a_still_in_which_the_board_is_not_found_or_has_no_colours_is_looked_for_and_read_again(
    watch: Watch, readings: list[str], monkeypatch: pytest.MonkeyPatch, refusal: Problem
) -> None:
    """What was followed may not have been the board."""
    read, refusals = live.watch.scan, [refusal]

    def once_refused(*args: Any, **known: Any) -> Scan:
        if refusals:
            raise refusals.pop()
        return read(*args, **known)

    monkeypatch.setattr(live.watch, "scan", once_refused)
    assert watch(("before", 3.0)) == ([BoardSeen(0.0, True)], BEFORE)
    assert readings == ["before"]


@pytest.mark.slow
def test_a_turn_finished_just_before_the_frames_end_is_told(watch: Watch) -> None:
    events, state = watch(("before", 1.2), ("built", 0.5))
    assert actions(events) == [BUILD]
    assert state == BUILT


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_what_no_action_explains_when_the_frames_end_is_told(watch: Watch, seconds: float) -> None:
    """Whether it was read before or not: no second look follows."""
    events, _ = watch(("before", 1.2), ("half", seconds))
    assert kinds(events) == [BoardSeen, Unclear]
    (problems,) = conflicts(events)
    assert {problem.values["hex"] for problem in problems} == set(BUILD.route[:2])


def test_what_a_hand_covers_when_the_frames_end_is_not_read_but_told(
    watch: Watch, readings: list[str]
) -> None:
    events, _ = watch(("before", 1.2), ("hand, built", 1.5))
    assert readings == ["before"]
    ((problem,),) = conflicts(events)
    assert problem.key == "covered"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenes", "found"),
    [
        pytest.param([("bare", 5.0), ("before", 1.6)], [False, True], id="not found is told once"),
        pytest.param([("before", 0.4), ("bare", 2.0), ("before", 0.4)], [True], id="gone for a moment"),
        pytest.param([("before", 1.2), ("bare", 1.0)], [True, False], id="gone when the frames end"),
    ],
)
def test_where_the_board_is_out_of_sight_that_is_told(
    watch: Watch, scenes: list[tuple[str, float]], found: list[bool]
) -> None:
    events, _ = watch(*scenes)
    assert [event.found for event in events if isinstance(event, BoardSeen)] == found


def test_of_a_board_without_colours_no_turn_is_promised(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    with pytest.raises(VideoProblem, match="no colours"):
        Watcher(profile, BEFORE).see(in_gray(pictures["before"]), 0.0)


@pytest.mark.slow
def test_a_camera_that_loses_its_colours_is_told_to_have_none(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    frames, watcher = [pictures["before"]] * 12 + [in_gray(pictures["built"])] * 40, Watcher(profile, BEFORE)
    with pytest.raises(VideoProblem, match="no colours"):
        for n, frame in enumerate(frames):
            watcher.see(frame, n / RATE)


def in_gray(picture: Picture) -> Picture:
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), np.uint8)


def test_frames_too_few_to_look_for_the_board_are_told_of(watch: Watch) -> None:
    assert watch(("bare", 0.5)) == ([BoardSeen(0.0, False)], BEFORE)


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_frames_go_on_while_a_still_is_read(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go_on, read = Event(), Event(), live.watch.scan

    def slow(*args: Any, **more: Any) -> Scan:
        reading.set()
        go_on.wait()
        return read(*args, **more)

    with ThreadPoolExecutor(1) as executor:
        watcher = Watcher(profile, BEFORE, executor)
        shown(watcher, pictures, ("before", 0.1))
        shown(watcher, pictures, ("before", 1.0), start=0.1)
        monkeypatch.setattr(live.watch, "scan", slow)
        seen = [watcher.see(pictures["built"], 2 + n / RATE) for n in range(3 * RATE)]
        assert reading.wait(60)
        assert not any(seen)
        go_on.set()
        assert actions(watcher.finish()) == [BUILD]


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_what_a_person_tells_while_a_still_is_read_is_not_overruled(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, read = Event(), live.watch.scan

    def slow(*args: Any, **more: Any) -> Scan:
        go_on.wait()
        return read(*args, **more)

    with ThreadPoolExecutor(1) as executor:
        watcher = Watcher(profile, BEFORE, executor)
        shown(watcher, pictures, ("before", 0.1))
        monkeypatch.setattr(live.watch, "scan", slow)
        for n in range(2 * RATE):
            watcher.see(pictures["built"], 1 + n / RATE)
        watcher.state = ANSWERED
        go_on.set()
        assert actions(watcher.finish()) == []
    assert watcher.state == ANSWERED
