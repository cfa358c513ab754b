"""The computer at the table stops in the middle of a reading: nothing has to be photographed or said again."""

import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fake_vision import BLANK, FakeScan, jpeg
from PIL import Image
from visitors import CODE, Visitor, game_at, id_in

from calibration import Photo
from webui import create_app
from webui.kept.notes import Note
from webui.kept.reader import READINGS_KEPT, WAITING_AT_MOST
from webui.kept.shelf import Shelf
from webui.services import services_of


@pytest.fixture
def restarted(data_dir: Path, monkeypatch) -> Callable[[], Visitor]:
    """A visitor of the program, started anew on the same games; `visitor.read` is what was looked at."""

    def start() -> Visitor:
        app = create_app(data_dir, None, CODE)
        reader, visitor = services_of(app).reader, Visitor(app)
        visitor.read: list[Photo] = []
        monkeypatch.setattr(reader, "profile", lambda board: BLANK)
        reader.scanner = lambda photos, profile, before, step: visitor.read.extend(photos) or FakeScan(before)
        return visitor

    return start


def photo() -> io.BytesIO:
    """A photo that tells its focal length."""
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 36
    return jpeg(exif=exif)


def sent(visitor: Visitor) -> tuple[str, str]:
    """A game and the reading of two photos of it in which a person has said something of the hex 0,0."""
    path = visitor.start()
    visitor.draft(path)
    visitor.get(f"{path}/photo")
    reading = visitor.post(f"{path}/photo", photo=[(photo(), "a.jpg"), (photo(), "b.jpg")]).location
    visitor.wait(reading)
    visitor.get(reading)
    assert visitor.post(f"{reading}/correct", hex="0,0", train=["gray"]).status_code == 303
    return path, reading


def test_after_a_restart_the_photos_are_read_again_and_what_was_said_holds(restarted) -> None:
    first = restarted()
    _, reading = sent(first)
    second = restarted()
    assert second.get(reading).status_code == 200
    second.wait(reading)
    assert second.get(f"{reading}?hex=0,0").text.count('value="gray" checked') == 1
    assert (
        [picture.focal for picture in second.read]
        == [picture.focal for picture in first.read]
        != [None, None]
    )
    assert second.client.get(f"{reading}/1.jpg").status_code == 200
    assert len(second.read) == 2


def test_after_a_restart_photos_of_which_nobody_said_anything_are_read_again_too(restarted) -> None:
    visitor = restarted()
    path = visitor.start()
    visitor.draft(path)
    visitor.get(f"{path}/photo")
    reading = visitor.post(f"{path}/photo", photo=(photo(), "a.jpg")).location
    visitor.wait(reading)
    later = restarted()
    assert later.get(reading).status_code == 200
    later.wait(reading)
    assert len(later.read) == 1


def test_two_phones_that_look_at_once_have_it_read_again_once(restarted) -> None:
    path, reading = sent(restarted())
    visitor = restarted()
    app = visitor.client.application
    held, kept = services_of(app).reader, game_at(app, path)
    with ThreadPoolExecutor(2) as phones:
        one, other = phones.map(lambda _: held.get(kept, id_in(reading)), range(2))
    assert one is other
    visitor.wait(reading)
    assert len(visitor.read) == 2


def test_after_a_restart_few_readings_wait_and_none_of_them_is_begun_twice(restarted) -> None:
    """However many pages are open and ask."""
    first = restarted()
    path, reading = sent(first)
    readings = [reading]
    for _ in range(READINGS_KEPT):
        readings.append(first.post(f"{path}/photo", photo=(photo(), "a.jpg")).location)
        first.wait(readings[-1])
    visitor, gate = restarted(), threading.Event()
    reader = services_of(visitor.client.application).reader
    begun: list[object] = []
    reader.scanner = lambda photos, profile, before, step: (begun.append(1), gate.wait(10), FakeScan(before))[
        2
    ]
    for _ in range(2):
        answers = [visitor.get(f"{one}/status").status_code for one in readings]
        assert answers == [200] * WAITING_AT_MOST + [503] * (len(readings) - WAITING_AT_MOST)
    gate.set()
    for one in readings[:WAITING_AT_MOST]:
        visitor.wait(one)
    assert len(begun) == WAITING_AT_MOST


def test_what_was_taken_back_does_not_come_back(restarted) -> None:
    visitor = restarted()
    _, reading = sent(visitor)
    assert visitor.post(f"{reading}/correct", hex="0,0", back="yes").status_code == 303
    visitor = restarted()
    visitor.wait(reading)
    assert "you said so" not in visitor.get(reading).text


def test_after_a_restart_a_photo_of_an_older_position_is_not_read_again(restarted) -> None:
    path, reading = sent(restarted())
    visitor = restarted()
    visitor.get(path)
    assert visitor.post(f"{path}/undo").status_code == 303
    visitor = restarted()
    assert visitor.get(reading).status_code == 409
    assert "has moved on" in visitor.page.text


def test_a_reading_of_another_game_or_with_a_damaged_note_is_gone(restarted, data_dir: Path) -> None:
    path, reading = sent(restarted())
    visitor = restarted()
    other = visitor.start()
    assert visitor.get(reading.replace(path, other)).status_code == 404
    assert visitor.get(f"{path}/photo/{'.' * 16}").status_code == 404
    (note,) = (data_dir / "photos").glob("*.json")
    note.write_text('{"answers": [1]}')
    assert visitor.get(reading).status_code == 404


def test_of_a_note_both_yes_and_no_come_back(tmp_path: Path) -> None:
    note = Note(
        "0a1b",
        "version",
        [None, 900.0],
        {((0, -2), "gray"): True, ((0, -2), "white"): False},
        {((0, -2), "gray"): 0.5},
    )
    (shelf := Shelf(tmp_path, "photo_gone")).write("0" * 16, note.to_plain())
    assert shelf.read("0" * 16, Note.of) == note
