"""Watching a table: what is told of what a camera sees, and what is not, with a reader that makes no mistakes."""

from collections.abc import Iterable
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
from vision import BoardSeen, Conflict, Scan, Turn, Unclear, VideoProblem, Watcher, WatchEvent, scan
from vision.bench.watch import Film
from vision.live import watch


@pytest.fixture(scope="module")
def profile() -> Profile:
    return table()


@pytest.fixture(scope="module")
def aside() -> dict[str, Picture]:
    """The table as seen after the camera was moved."""
    seen = filmed(camera(tilt=28, turn=35, size=(1280, 720)))
    return {f"{name}, from aside": picture for name, picture in seen.items()}


@pytest.fixture(scope="module")
def pictures(aside: dict[str, Picture]) -> dict[str, Picture]:
    return {**filmed(), **aside}


@pytest.fixture(autouse=True)
def _no_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the drawn table lie no demand tiles that could be the game's."""
    monkeypatch.setattr(Scan, "tiles_conflict", None)


@pytest.fixture
def readings(pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pictures that were read, by a reader that makes no mistakes."""
    given: list[str] = []
    monkeypatch.setattr(watch, "scan", never_wrong(pictures, STANDING, given))
    return given


def shown(
    watcher: Watcher, pictures: dict[str, Picture], *scenes: tuple[str, float], start: float = 0.0
) -> list[WatchEvent]:
    """What a watcher tells of these scenes, (picture, seconds) one after the other."""
    return watched(watcher, Film((BEFORE,), scenes, pictures), start)


def actions(events: Iterable[WatchEvent]) -> list[game.Action]:
    return [event.action for event in events if isinstance(event, Turn)]


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_a_finished_turn_is_told_when_the_hand_is_gone(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    watcher = Watcher(profile, BEFORE)
    events = shown(watcher, pictures, ("before", 1.2), ("hand", 1.0), ("hand, built", 1.0), ("built", 1.6))
    assert [type(event) for event in events] == [BoardSeen, Turn]
    turn = events[1]
    assert isinstance(turn, Turn)
    assert turn.action == BUILD
    assert turn.seconds > 3.2
    assert turn.state == watcher.state == BUILT
    assert turn.log == game.play(BEFORE, BUILD)[1]


@pytest.mark.slow
def test_a_hand_that_changes_nothing_is_not_even_read(
    profile: Profile, pictures: dict[str, Picture], readings: list[str]
) -> None:
    watcher = Watcher(profile, BEFORE)
    events = shown(watcher, pictures, ("before", 1.5), ("hand", 2.0), ("before", 2.0))
    assert [type(event) for event in events] == [BoardSeen]
    assert watcher.state == BEFORE
    assert readings == ["before"]


@pytest.mark.slow
def test_what_lies_on_the_board_for_long_is_no_hand(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet or a bag that somebody has put down: what shows beside it is read."""
    standing = {**STANDING, "hand, built": trains_of(BUILT)}
    monkeypatch.setattr(watch, "scan", never_wrong(pictures, standing, []))
    events = shown(Watcher(profile, BEFORE), pictures, ("before", 1.2), ("hand, built", 6.0))
    assert actions(events) == [BUILD]
    assert events[-1].seconds > 1.2 + 4.9


@pytest.mark.slow
def test_half_built_track_is_waited_for(
    profile: Profile, pictures: dict[str, Picture], readings: list[str]
) -> None:
    watcher = Watcher(profile, BEFORE)
    events = shown(watcher, pictures, ("before", 1.2), ("half", 1.6), ("hand", 0.6), ("built", 1.6))
    assert readings == ["before", "half", "built"]
    assert [type(event) for event in events] == [BoardSeen, Turn]
    assert watcher.state == BUILT


@pytest.mark.slow
def test_the_reader_is_told_where_the_board_has_changed_but_not_when_all_of_it_has(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[set[Hex]] = []
    read = never_wrong(pictures, STANDING, [])

    def noted(*args: Any, **known: Any) -> Scan:
        told.append(set(known["changed"]))
        return read(*args, **known)

    monkeypatch.setattr(watch, "scan", noted)
    shown(Watcher(profile, BEFORE), pictures, ("before", 1.2), ("hand", 0.6), ("built", 1.6))
    assert told[0] == set()
    assert set(BUILD.route) <= told[1]
    assert len(told[1]) < 0.2 * len(HEXES)
    told.clear()
    shown(Watcher(profile, BEFORE), pictures, ("before", 1.2), ("bare", 1.0), ("built, from aside", 4.0))
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

    monkeypatch.setattr(watch, "scan", noted)
    shown(Watcher(profile, BEFORE), cut, ("before", 1.2), ("hand", 0.6), ("built", 1.6))
    wide = cut["built"].shape[1]
    outlines = scan([Photo(cut["built"])], profile).outlines()
    outside = {at for at, corners in outlines.items() if all(x > wide for x, _ in corners)}
    assert outside
    assert told[-1]
    assert not told[-1] & outside


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_what_no_action_explains_is_told_once_with_its_hex_and_watching_goes_on(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    watcher = Watcher(profile, BEFORE)
    events = shown(watcher, pictures, ("before", 1.2), ("half", 12.0), ("built", 1.6))
    assert [type(event) for event in events] == [BoardSeen, Unclear, Turn]
    unclear = events[1]
    assert isinstance(unclear, Unclear)
    assert {problem.values["hex"] for problem in unclear.conflicts} == set(BUILD.route[:2])
    assert watcher.state == BUILT


@pytest.mark.slow
def test_what_is_unclear_is_not_told_again_when_it_is_read_again_as_it_was(
    profile: Profile, pictures: dict[str, Picture], readings: list[str]
) -> None:
    scenes = ("before", 1.2), ("half", 6.0), ("half, from aside", 7.0)
    events = shown(Watcher(profile, BEFORE), pictures, *scenes)
    assert readings.count("half, from aside") == 2
    assert [type(event) for event in events] == [BoardSeen, Unclear]


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_with_the_record_of_another_game_nothing_is_told_as_played(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    """On the table lies a build that would be legal, but not all the track that the record has."""
    other = next(
        after
        for after in (game.apply(BEFORE, a) for a in game.legal_actions(BEFORE) if isinstance(a, game.Build))
        if after.hexes("brown") != BEFORE.hexes("brown")
    )
    watcher = Watcher(profile, other)
    events = shown(watcher, pictures, ("answered", 2.0))
    assert [type(event) for event in events] == [BoardSeen, Unclear]
    assert isinstance(events[1], Unclear)
    assert [problem.key for problem in events[1].conflicts] == ["said_gone"]
    assert watcher.state == other


@pytest.mark.usefixtures("readings")
def test_where_the_tiles_lie_otherwise_than_in_the_record_this_is_told(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scan, "tiles_conflict", Conflict("tiles"))
    events = shown(Watcher(profile, BEFORE), pictures, ("built", 2.0))
    assert [
        [problem.key for problem in event.conflicts] for event in events if isinstance(event, Unclear)
    ] == [["tiles"]]
    assert actions(events) == []


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_two_turns_between_two_stills_are_both_told(profile: Profile, pictures: dict[str, Picture]) -> None:
    watcher = Watcher(profile, BEFORE)
    told = actions(shown(watcher, pictures, ("before", 1.2), ("hand", 0.6), ("answered", 1.6)))
    assert told[0] == BUILD
    assert isinstance(told[1], game.Draw)
    assert trains_of(watcher.state) == trains_of(ANSWERED)


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_other_actions_that_look_the_same_are_named(profile: Profile, pictures: dict[str, Picture]) -> None:
    events = shown(Watcher(profile, BUILT), pictures, ("built", 1.2), ("answered", 1.6))
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
@pytest.mark.usefixtures("readings")
def test_the_camera_may_be_moved(profile: Profile, pictures: dict[str, Picture]) -> None:
    scenes = ("before", 1.5), ("before, from aside", 4.0), ("built, from aside", 2.0)
    assert actions(shown(Watcher(profile, BEFORE), pictures, *scenes)) == [BUILD]


@pytest.mark.slow
@pytest.mark.parametrize(
    "refusal", [RegistrationProblem("unsure", photo=""), PhotoProblem("colourless", file="")]
)
def test_a_still_in_which_the_board_is_not_found_or_has_no_colours_is_looked_for_and_read_again(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch, refusal: Problem
) -> None:
    """What was followed may not have been the board."""
    given: list[str] = []
    read, refusals = never_wrong(pictures, STANDING, given), [refusal]

    def once_refused(*args: Any, **known: Any) -> Scan:
        if refusals:
            raise refusals.pop()
        return read(*args, **known)

    monkeypatch.setattr(watch, "scan", once_refused)
    assert shown(Watcher(profile, BEFORE), pictures, ("before", 3.0)) == [BoardSeen(0.0, True)]
    assert given == ["before"]


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_a_turn_finished_just_before_the_frames_end_is_told(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    watcher = Watcher(profile, BEFORE)
    assert actions(shown(watcher, pictures, ("before", 1.2), ("built", 0.5))) == [BUILD]
    assert watcher.state == BUILT


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_what_no_action_explains_when_the_frames_end_is_told(
    profile: Profile, pictures: dict[str, Picture], seconds: float
) -> None:
    """Whether it was read before or not: no second look follows."""
    events = shown(Watcher(profile, BEFORE), pictures, ("before", 1.2), ("half", seconds))
    assert [type(event) for event in events] == [BoardSeen, Unclear]
    assert isinstance(events[1], Unclear)
    assert {problem.values["hex"] for problem in events[1].conflicts} == set(BUILD.route[:2])


def test_what_a_hand_covers_when_the_frames_end_is_not_read_but_told(
    profile: Profile, pictures: dict[str, Picture], readings: list[str]
) -> None:
    events = shown(Watcher(profile, BEFORE), pictures, ("before", 1.2), ("hand, built", 1.5))
    assert readings == ["before"]
    assert [
        [problem.key for problem in event.conflicts] for event in events if isinstance(event, Unclear)
    ] == [["covered"]]


@pytest.mark.slow
def test_a_board_that_is_out_of_sight_when_the_frames_end_is_told_to_be_gone(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    events = shown(Watcher(profile, BEFORE), pictures, ("before", 1.2), ("bare", 1.0))
    assert [event.found for event in events if isinstance(event, BoardSeen)] == [True, False]


def test_of_a_board_without_colours_no_turn_is_promised(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    gray = cv2.cvtColor(cv2.cvtColor(pictures["before"], cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    with pytest.raises(VideoProblem, match="no colours"):
        Watcher(profile, BEFORE).see(np.asarray(gray, np.uint8), 0.0)


@pytest.mark.slow
def test_a_camera_that_loses_its_colours_is_told_to_have_none(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    gray = cv2.cvtColor(cv2.cvtColor(pictures["built"], cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    frames, watcher = [pictures["before"]] * 12 + [np.asarray(gray, np.uint8)] * 40, Watcher(profile, BEFORE)
    with pytest.raises(VideoProblem, match="no colours"):
        for n, frame in enumerate(frames):
            watcher.see(frame, n / RATE)


@pytest.mark.slow
def test_without_the_board_this_is_told_once(profile: Profile, pictures: dict[str, Picture]) -> None:
    events = shown(Watcher(profile, BEFORE), pictures, ("bare", 5.0), ("before", 1.6))
    assert [event.found for event in events if isinstance(event, BoardSeen)] == [False, True]


@pytest.mark.slow
def test_a_board_that_is_out_of_sight_for_a_moment_is_not_told_to_be_gone(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    events = shown(Watcher(profile, BEFORE), pictures, ("before", 0.4), ("bare", 2.0), ("before", 0.4))
    assert [event.found for event in events if isinstance(event, BoardSeen)] == [True]


def test_frames_too_few_to_look_for_the_board_are_told_of(
    profile: Profile, pictures: dict[str, Picture]
) -> None:
    assert shown(Watcher(profile, BEFORE), pictures, ("bare", 0.5)) == [BoardSeen(0.0, False)]


@pytest.mark.slow
@pytest.mark.usefixtures("readings")
def test_frames_go_on_while_a_still_is_read(
    profile: Profile, pictures: dict[str, Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go_on, read = Event(), Event(), watch.scan

    def slow(*args: Any, **more: Any) -> Scan:
        reading.set()
        go_on.wait()
        return read(*args, **more)

    with ThreadPoolExecutor(1) as executor:
        watcher = Watcher(profile, BEFORE, executor)
        shown(watcher, pictures, ("before", 0.1))
        shown(watcher, pictures, ("before", 1.0), start=0.1)
        monkeypatch.setattr(watch, "scan", slow)
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
    go_on, read = Event(), watch.scan

    def slow(*args: Any, **more: Any) -> Scan:
        go_on.wait()
        return read(*args, **more)

    with ThreadPoolExecutor(1) as executor:
        watcher = Watcher(profile, BEFORE, executor)
        shown(watcher, pictures, ("before", 0.1))
        monkeypatch.setattr(watch, "scan", slow)
        for n in range(2 * RATE):
            watcher.see(pictures["built"], 1 + n / RATE)
        watcher.state = ANSWERED
        go_on.set()
        assert actions(watcher.finish()) == []
    assert watcher.state == ANSWERED
