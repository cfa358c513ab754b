"""What people confirm teaches the table's profile, quietly; it can be forgotten; nothing of it disturbs a game."""

import shutil
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fake_vision import TABLES, FakeScan, a_build, calibrated, confirm, held_of, jpeg, sample, send
from flask import Flask
from visitors import CODE, begun_with, game_at

from calibration import Photo, Profile
from calibration.lessons import with_lesson
from engine import mini_express as game
from vision import Conflict, LessonProblem
from vision.compared import Disagreement
from webui import create_app, server
from webui.kept.reader import Reader

PAGE = "What this table has taught"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return calibrated(TABLES / "study", tmp_path_factory.mktemp("profiles") / "study")


@pytest.fixture
def profile_dir(study: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(study, tmp_path / "profile"))


@pytest.fixture
def app(data_dir: Path, profile_dir: Path) -> Flask:
    return create_app(data_dir, profile_dir, CODE)


@pytest.fixture
def table(visitor, app, reader):
    """A game after its draft; vision finds one build (or what `table.says`), and a teacher notes what it is shown."""
    visitor.draft(path := visitor.start())
    visitor.path = path
    visitor.shown = []
    visitor.build = a_build(game_at(app, path).state)

    def teacher(photo: Photo, profile: Profile, state: game.State) -> Profile:
        visitor.shown.append((photo, state))
        return taught(profile, "gray")

    reader.teacher = teacher
    visitor.says = lambda before: FakeScan(before, [visitor.build])
    reader.scanner = lambda photos, profile, before, progress: visitor.says(before)
    return visitor


def taught(profile: Profile, name: str) -> Profile:
    surface = profile.surfaces["map"]
    lessons = with_lesson(surface.lessons, {name: (-1.0, 0.5, 0.25)})
    return replace(profile, surfaces={"map": replace(surface, lessons=lessons)})


def finished(reader: Reader) -> None:
    """Wait until what was handed to the background is done."""
    reader._worker.submit(lambda: None).result(30)


def lessons(folder: Path) -> dict[str, int]:
    return {name: len(colours) for name, colours in Profile.load(folder).surfaces["map"].lessons.items()}


def test_a_photo_of_the_set_up_teaches_the_profile(table, app, reader, profile_dir) -> None:
    """Nothing was built, so there is nothing to enter; that it is so can be said all the same."""
    table.says = FakeScan
    reading = send(table)
    assert f'action="{reading}/learn"' in table.get(reading).text
    assert table.post(f"{reading}/learn").location == f"{table.path}/photo"
    assert "✓ This photo has taught" in table.get(f"{table.path}/photo").text
    finished(reader)
    (shown,) = table.shown
    assert shown[1] == game_at(app, table.path).state
    assert lessons(profile_dir) == {"gray": 1}
    assert "/learn" not in table.get(reading).text


def test_a_photo_of_the_tracks_alone_teaches_where_it_fits_the_game(table) -> None:
    differs = [Disagreement("figure", found=14, figure="companies.brown.value", expected=0)]
    strange = [Disagreement("strange", cell="influence/brown/3")]

    def shows(boards: tuple[str, ...], differ: list[Disagreement]) -> str:
        table.says = lambda before: FakeScan(before, of_map=(), boards=boards, differ=differ)
        return send(table)

    for boards, differ in ((("tracks",), differs), (("assets",), [])):
        assert "/learn" not in table.get(shows(boards, differ)).text
    assert table.post(f"{shows(('tracks',), differs)}/learn").status_code == 409
    reading = shows(("tracks",), strange)
    page = table.get(reading).text
    assert "Markers of a colour that the profile does not know" in page
    assert f'action="{reading}/learn"' in page
    assert table.post(f"{reading}/learn").location == f"{table.path}/photo"
    assert len(table.shown) == 1


def test_a_photo_that_has_taught_before_is_told_so(table, reader) -> None:
    table.says = FakeScan
    reader.teacher = lambda photo, profile, state: profile
    assert table.post(f"{send(table)}/learn").location == f"{table.path}/photo"
    assert "This photo has taught before" in table.get(f"{table.path}/photo").text


def test_while_the_tiles_differ_from_the_game_a_photo_is_not_said_to_show_it(table) -> None:
    table.says = lambda before: FakeScan(before, tiles_conflict=Conflict("tiles"))
    table.path = table.start()
    assert "/learn" not in table.get(send(table)).text


def test_a_space_of_a_track_that_shows_otherwise_is_named_in_words(table, reader) -> None:
    def refuses(photo: Photo, profile: Profile, state: game.State) -> Profile:
        raise LessonProblem("contradicts", photo=photo.name, hex="influence/brown/2")

    table.says = FakeScan
    reader.teacher = refuses
    table.post(f"{send(table)}/learn")
    told = table.get(table.path).text
    assert "influence/brown" not in told
    assert "brown: 2" in told


def test_a_photo_that_cannot_teach_is_not_said_to_have_taught(table, app, reader) -> None:
    def refuses(photo: Photo, profile: Profile, state: game.State) -> Profile:
        raise LessonProblem("contradicts", photo=photo.name, hex=state.board.cities[0].at)

    table.says = FakeScan
    reader.teacher = refuses
    reading = send(table)
    assert table.post(f"{reading}/learn").location == f"{reading}#result"
    page = table.get(reading).text
    city = game_at(app, table.path).state.board.cities[0].name
    assert f"does not show what the state says, for one at {city}" in page
    assert f'action="{reading}/learn"' in page


def test_of_two_photos_one_may_show_nothing_that_teaches(table, reader) -> None:
    """As one of the reservoirs beside one of the tracks; where none teaches it is told."""
    unnamed: list[bool] = [True, False, True, True]

    def teacher(photo: Photo, profile: Profile, state: game.State) -> Profile:
        if unnamed.pop(0):
            raise LessonProblem("no_numbers", photo=photo.name)
        return taught(profile, "gray")

    table.says = FakeScan
    reader.teacher = teacher
    two = [(jpeg(), "assets.jpg"), (jpeg(), "tracks.jpg")]
    assert table.post(f"{send(table, *two)}/learn").location == f"{table.path}/photo"
    assert "✓ This photo has taught" in table.get(f"{table.path}/photo").text
    reading = send(table, (jpeg(), "a.jpg"), (jpeg(), "b.jpg"))
    assert table.post(f"{reading}/learn").location == f"{reading}#result"
    assert "tells nothing by which" in table.get(reading).text


def test_what_does_not_fit_or_is_to_be_entered_teaches_nothing_by_itself(table, reader) -> None:
    reading = send(table)
    assert "/learn" not in table.get(reading).text
    assert table.post(f"{reading}/learn").location == f"{reading}#result"
    assert "Somebody else has answered meanwhile" in table.get(reading).text
    table.says = lambda before: FakeScan(before, conflicts=[Conflict("many", n=9)])
    reading = send(table)
    assert "/learn" not in table.get(reading).text
    assert table.post(f"{reading}/learn").status_code == 409
    finished(reader)
    assert table.shown == []


def test_what_is_confirmed_teaches_the_profile(table, app, reader, profile_dir) -> None:
    reading = send(table)
    assert table.shown == []  # a reading alone proves nothing
    assert PAGE not in table.get(f"{table.path}/photo").text
    # Once it is read a photo is on the disk only: it is some megabytes large.
    assert not held_of(app, table, reading).photos
    assert confirm(table, reading).status_code == 303
    finished(reader)
    [(photo, state)] = table.shown
    assert photo.pixels.shape == (480, 640, 3)
    assert table.build.route[-1] in state.hexes(table.build.company)
    assert lessons(profile_dir) == {"gray": 1}
    assert "how your pieces look: gray." in table.get(f"{table.path}/photo").text


def test_what_was_confirmed_in_the_last_second_is_learnt_before_the_server_ends(
    table, app, reader, profile_dir, monkeypatch, tmp_path
) -> None:
    """As it is when somebody presses Ctrl+C."""
    at_once = reader.teacher

    def slow(photo: Photo, profile: Profile, state: game.State) -> Profile:
        time.sleep(0.5)
        return at_once(photo, profile, state)

    def until_interrupted(app: Flask, sockets: list[socket.socket], **_: object) -> None:
        sockets[0].close()
        reader.teacher = slow
        table.get(reading := send(table))
        confirm(table, reading)

    monkeypatch.setattr(server, "create_app", lambda *_: app)
    monkeypatch.setattr(server.waitress, "serve", until_interrupted)
    server.serve("127.0.0.1", 0, tmp_path / "games", profile_dir, say=lambda _: None)
    assert lessons(profile_dir) == {"gray": 1}


def test_a_confirmation_that_is_refused_teaches_nothing(table, reader, profile_dir) -> None:
    reading = send(table)
    for _ in range(2):
        table.get(reading)
        confirm(table, reading)
    finished(reader)
    assert len(table.shown) == 1
    assert lessons(profile_dir) == {"gray": 1}


def test_what_was_confirmed_and_taken_back_teaches_anew_once_it_is_corrected(
    table, app, reader, profile_dir
) -> None:
    reading = send(table)
    confirm(table, reading)
    table.get(table.path)
    table.post(f"{table.path}/undo")
    other = next(
        action
        for action in game.legal_actions(game_at(app, table.path).state)
        if isinstance(action, game.Build) and action != table.build
    )
    held_of(app, table, reading).now.actions = [other]
    assert confirm(table, reading).status_code == 303
    finished(reader)
    (_, first), (_, last) = table.shown
    assert last != first
    assert other.route[-1] in last.hexes(other.company)


@pytest.mark.parametrize("failure", [LessonProblem("nothing", photo="The photo"), ZeroDivisionError()])
def test_a_photo_that_teaches_nothing_never_disturbs_the_game(
    table, app, reader, profile_dir, failure
) -> None:
    def refuses(photo: Photo, profile: Profile, state: game.State) -> Profile:
        raise failure

    reader.teacher = refuses
    reading = send(table)
    table.get(reading)
    assert confirm(table, reading).status_code == 303
    finished(reader)
    assert game_at(app, table.path).game.actions[-1] == table.build
    assert lessons(profile_dir) == {}
    assert send(table)


def test_a_game_goes_on_without_the_profile_it_began_with(table, reader, profile_dir) -> None:
    reading = send(table)
    shutil.rmtree(profile_dir)
    table.get(reading)
    assert confirm(table, reading).status_code == 303
    finished(reader)
    assert table.shown == []


def test_what_was_taught_is_forgotten_on_demand(table, profile_dir) -> None:
    Profile.change_lessons(profile_dir, lambda profile: taught(profile, "white"))
    page = table.get(f"{table.path}/photo").text
    assert PAGE in page
    assert "data-confirm=" in page
    assert table.post(f"{table.path}/photo/forget").status_code == 303
    assert lessons(profile_dir) == {}
    assert PAGE not in table.get(f"{table.path}/photo").text


def test_only_the_table_itself_can_make_it_forget(table, stranger, profile_dir) -> None:
    Profile.change_lessons(profile_dir, lambda profile: taught(profile, "white"))
    forget = f"{table.path}/photo/forget"
    assert stranger.client.post(forget).status_code == 403
    assert table.client.post(forget).status_code == 403
    assert table.client.post(forget, data={"token": "guessed"}).status_code == 403
    foreign = {"Origin": "https://example.com"}
    assert table.client.post(forget, data={"token": table.token}, headers=foreign).status_code == 403
    assert table.client.get(forget).status_code == 405
    assert lessons(profile_dir) == {"white": 1}


def test_without_a_profile_there_is_nothing_to_forget(table, profile_dir) -> None:
    shutil.rmtree(profile_dir)
    answer = table.post(f"{table.path}/photo/forget")
    assert answer.status_code == 409
    assert "cannot be read yet" in answer.text


def test_several_phones_and_the_command_line_lose_no_lesson(profile_dir) -> None:
    """Everybody takes a moment over their lesson; nobody overwrites another's."""

    def learn(name: str) -> Callable[[Profile], Profile]:
        def change(profile: Profile) -> Profile:
            time.sleep(0.02)
            return taught(profile, name)

        return change

    names = [f"piece {n}" for n in range(6)]
    phones = [
        threading.Thread(target=Profile.change_lessons, args=(profile_dir, learn(name))) for name in names
    ]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert lessons(profile_dir) == dict.fromkeys(names, 1)
    assert not list(profile_dir.glob(".*"))


@pytest.mark.slow
def test_a_sample_photo_teaches_through_real_vision(app: Flask, reader: Reader, profile_dir: Path) -> None:
    photo, truth = sample("study")
    path = begun_with(app, game.state_from_json(truth["before"]))
    reading = reader.begin(game_at(app, path), [photo.read_bytes()])
    finished(reader)
    assert reading.problem is None
    reader.confirmed(reading, game.state_from_json(truth["state"]))
    finished(reader)
    assert {"gray", "orange", "white"} <= set(lessons(profile_dir))
