"""Photos as they are sent, refused, kept and read one after the other; and once with the real vision."""

import io
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import pytest
from fake_vision import (
    FakeScan,
    calibrated,
    held_of,
    jpeg,
    sample,
    send,
)
from PIL import Image
from visitors import CODE, Visitor, begun_with, game_at, id_in

from calibration import Photo, RegistrationProblem
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express import built_in
from engine.mini_express.notation import hex_to_text
from engine.sentences import Problem
from vision import Conflict
from webui import create_app
from webui.kept.notes import Note
from webui.kept.reader import READINGS_KEPT, WAITING_AT_MOST
from webui.kept.shelf import Shelf
from webui.problems import WebProblem
from webui.services import services_of


def test_a_refusal_of_vision_is_shown(table) -> None:
    def refuses(before: game.State) -> FakeScan:
        raise Conflict("unreachable", company="gray", hex=(0, 0))

    table.says = refuses
    assert "no legal action" in table.get(send(table)).text


def test_a_mistake_in_vision_is_one_sentence(table) -> None:
    table.says = lambda before: 1 / 0
    page = table.get(send(table)).text
    assert "Something went wrong here" in page
    assert "ZeroDivision" not in page


@pytest.mark.parametrize(
    "photo",
    [
        b"",
        b"not a picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        jpeg().getvalue()[:900],
        b"\x89PNG\r\n\x1a\n",
    ]
    + [jpeg(100, 100).getvalue()],
)
def test_what_is_no_photo_is_refused_at_once(table, photo: bytes) -> None:
    table.get(f"{table.path}/photo")
    answer = table.post(f"{table.path}/photo", photo=(io.BytesIO(photo), "a.jpg"))
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_of_several_photos_the_one_that_is_wrong_is_named(table, reader) -> None:
    table.get(f"{table.path}/photo")
    files = [(jpeg(), "a.jpg"), (io.BytesIO(b"no picture"), "b.jpg"), (jpeg(), "c.jpg")]
    assert "Photo 2 of 3 is not a picture" in table.post(f"{table.path}/photo", photo=files).text

    def refuses(photos: list[Photo], *_: object) -> FakeScan:
        raise RegistrationProblem("not_found", photo=photos[1].name)

    reader.scanner = refuses
    page = table.get(send(table, (jpeg(), "a.jpg"), (jpeg(), "b.jpg"))).text
    assert "not found in photo 2 of 2" in page
    assert "/1.jpg" in page


def test_no_photo_and_too_many(table) -> None:
    table.get(f"{table.path}/photo")
    assert table.post(f"{table.path}/photo").status_code == 400
    many = [(jpeg(), f"{n}.jpg") for n in range(5)]
    assert table.post(f"{table.path}/photo", photo=many).status_code == 400


def test_stored_pictures_say_nothing_of_phone_and_place(table, data_dir) -> None:
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "Spyphone", 6
    exif.get_ifd(0x8825).update(
        {1: "N", 2: (50.0, 5.0, 16.0), 3: "E", 4: (14.0, 25.0, 14.0), 29: "2026:11:20"}
    )
    photo = jpeg(exif=exif, xmp=b"<x:xmpmeta>Spyphone</x:xmpmeta>", comment=b"Spyphone")
    assert photo.getvalue().count(b"Spyphone") == 3
    assert b"2026:11:20" in photo.getvalue()
    reading = send(table, (photo, "../../holiday.jpg"))
    answer = table.client.get(f"{reading}/0.jpg")
    assert answer.mimetype == "image/jpeg"
    stored = [path.read_bytes() for path in data_dir.rglob("*") if path.is_file()]
    assert len(stored) > 1
    for data in (answer.data, *stored):
        assert not any(trace in data for trace in (b"Spyphone", b"2026:11:20", b"Exif"))
    picture = Image.open(io.BytesIO(answer.data))
    assert not picture.getexif()
    assert picture.size == (480, 640)  # turned upright
    assert all("holiday" not in path.name for path in data_dir.rglob("*"))


def test_pictures_are_for_the_table_only(table, stranger) -> None:
    reading = send(table)
    assert stranger.get(f"{reading}/0.jpg").status_code == 403
    for path in (f"{reading}/1.jpg", f"{reading}/99999999999.jpg", reading[:-1] + "x", f"{reading}/-1.jpg"):
        assert table.get(path).status_code == 404
    other = table.start()
    assert table.get(reading.replace(table.path, other)).status_code == 404


def test_photos_wait_for_each_other_and_the_queue_has_an_end(table) -> None:
    gate = threading.Event()
    running: list[int] = []

    def slow(before: game.State) -> FakeScan:
        running.append(1)
        assert len(running) == 1
        gate.wait(10)
        running.pop()
        return FakeScan(before)

    table.says = slow
    table.get(f"{table.path}/photo")
    answers = [table.post(f"{table.path}/photo", photo=(jpeg(), "a.jpg")) for _ in range(WAITING_AT_MOST + 1)]
    gate.set()
    assert [a.status_code for a in answers] == [303] * WAITING_AT_MOST + [503]
    for answer in answers[:-1]:
        table.wait(answer.location)


def test_photos_have_their_place_in_the_queue_before_they_are_decoded(
    app, reader, table, monkeypatch
) -> None:
    """That takes a while, in which others come; and photos that cannot be decoded leave room for the next."""
    gate, kept = threading.Event(), game_at(app, table.path)
    monkeypatch.setattr(reader, "loaded", lambda files, before: gate.wait(10) and 1 // 0)
    with ThreadPoolExecutor(WAITING_AT_MOST + 1) as phones:
        sent = [phones.submit(reader.begin, kept, [b""]) for _ in range(WAITING_AT_MOST + 1)]
        refused = next(as_completed(sent, timeout=5))
        gate.set()
    assert getattr(refused.exception(), "key", "") == "busy"
    assert [type(one.exception()) for one in sent].count(ZeroDivisionError) == WAITING_AT_MOST
    with pytest.raises(ZeroDivisionError):
        reader.begin(kept, [b""])


def test_other_heavy_work_waits_too_and_its_queue_has_an_end(reader) -> None:
    """And work that fails leaves room for the next."""
    gate = threading.Event()
    for _ in range(WAITING_AT_MOST + 1):
        with pytest.raises(ZeroDivisionError):
            reader.in_turn(lambda: 1 // 0)
    with ThreadPoolExecutor(WAITING_AT_MOST + 1) as phones:
        waiting = [phones.submit(reader.in_turn, lambda: gate.wait(10)) for _ in range(WAITING_AT_MOST + 1)]
        refused = next(as_completed(waiting, timeout=5))
        gate.set()
    assert getattr(refused.exception(), "key", "") == "busy"
    assert [one.exception() for one in waiting].count(None) == WAITING_AT_MOST


def test_many_other_photos_take_nothing_from_what_was_said_of_one(table, app, reader) -> None:
    """It is out of the memory by then, and read again."""
    first, at = send(table), table.state.board.printed[0].at
    said = {"hex": f"{at[0]},{at[1]}", "company": "brown", "present": "yes"}
    assert table.post(f"{first}/correct", **said).status_code == 303
    for _ in range(READINGS_KEPT):
        send(table)
    assert id_in(first) not in reader._readings
    table.wait(first)
    assert held_of(app, table, first).answers == {(at, "brown"): True}


def test_a_reading_whose_pictures_are_gone_is_forgotten_with_a_sentence(table, monkeypatch) -> None:
    monkeypatch.setattr("webui.kept.reader.READINGS_ON_DISK", 3)
    first = send(table)
    for _ in range(READINGS_KEPT):
        send(table)
    answer = table.get(first)
    assert answer.status_code == 404
    assert "not kept any more" in answer.text


def test_the_photo_just_sent_stays_when_the_clock_went_back(table, data_dir, monkeypatch) -> None:
    monkeypatch.setattr("webui.kept.reader.READINGS_ON_DISK", 1)
    first = send(table)
    for file in (data_dir / "photos").iterdir():
        os.utime(file, (9e9, 9e9))
    assert table.client.get(send(table) + "/0.jpg").status_code == 200
    assert table.client.get(first + "/0.jpg").status_code == 404


def test_what_two_phones_say_at_once_is_kept_as_it_is_held(table, app, reader, data_dir, monkeypatch) -> None:
    """The one that is slow to write has not written an older answer over a newer one."""
    reading, (one, other) = send(table), (p.at for p in table.state.board.printed[:2])
    write, slow = Shelf.write, iter((0.3, 0.0))

    def slowly(shelf: Shelf, id: str, note: object) -> None:
        time.sleep(next(slow))
        write(shelf, id, note)

    monkeypatch.setattr(Shelf, "write", slowly)
    held = held_of(app, table, reading)

    def say(at: Hex) -> None:
        held.answer({(at, "brown"): True})
        reader.keep_answers(held)

    with ThreadPoolExecutor(2) as phones:
        list(phones.map(say, (one, other)))
    assert (
        Shelf(data_dir / "photos", "photo_gone").read(held.id, Note.of).answers
        == held.answers
        == dict.fromkeys([(one, "brown"), (other, "brown")], True)
    )


@pytest.mark.slow
def test_a_sample_photo_through_real_vision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it leaves doubts, of which one is answered: here whatever is not quite certain is one."""
    monkeypatch.setattr("vision.state.decode.ASKED_FROM", 1e-6)
    photo, truth = sample()
    app = create_app(tmp_path / "games", calibrated(photo.parent, tmp_path / "profile"), CODE)
    path = begun_with(app, game.state_from_json(truth["before"]))
    reading = services_of(app).reader.begin(game_at(app, path), [photo.read_bytes()])
    deadline = time.monotonic() + 60
    while not reading.done and time.monotonic() < deadline:
        time.sleep(0.05)
    assert reading.problem is None
    assert game.action_to_json(reading.map.actions[0])["route"] == truth["action"]["route"]
    page = f"{path}/photo/{reading.id}"
    assert app.test_client().get(page).status_code == 403
    visitor, doubt = Visitor(app), reading.map.doubtful[0]
    assert 'id="doubts"' in visitor.get(page).text
    told = {
        "hex": hex_to_text(doubt.hex),
        "company": doubt.company,
        "present": "yes" if doubt.claimed else "no",
    }
    assert visitor.post(f"{page}/correct", **told).status_code == 303
    answer = visitor.get(page)
    assert answer.status_code == 200
    assert "You said" in answer.text


def test_a_profile_of_another_board_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    folder.mkdir()
    (folder / "profile.json").write_text(
        '{"format": "masinfira/profile/1", "board": "europe", "surfaces": {}}'
    )
    usa, reader = built_in().board("usa"), services_of(create_app(tmp_path / "games", folder, CODE)).reader
    with pytest.raises(Problem, match="europe"):
        reader.profile(usa)
    (folder / "profile.json").write_text("{")
    with pytest.raises(Problem, match="damaged"):
        reader.profile(usa)
    with pytest.raises(WebProblem, match="cannot be read yet"):
        services_of(create_app(tmp_path / "games", tmp_path / "none", CODE)).reader.profile(usa)
