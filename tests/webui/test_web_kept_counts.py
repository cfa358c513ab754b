"""Counted games on disk: which are kept, with their photos, when the disk is full or the clock goes back."""

import os
from io import BytesIO
from pathlib import Path

import pytest
from fake_vision import jpeg
from PIL import Image
from test_web_counted import kept, opened, photos_on, with_tracks
from test_web_counting import NUMBERS, SOLO, begun, numbers

from calibration import Photo, load_photo
from webui.kept.counts import COUNTS_KEPT, Counts
from webui.problems import WebProblem

__all__ = ["with_tracks"]


def photo_of(shade: int) -> Photo:
    Image.new("L", (640, 480), shade).save(out := BytesIO(), "JPEG")
    return load_photo(out.getvalue())


@pytest.fixture
def counts(tmp_path: Path) -> Counts:
    return Counts(tmp_path / "counts")


@pytest.mark.parametrize("room", range(3))
def test_on_a_full_disk_the_earlier_photos_stay(
    counts: Counts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Wherever it gets full: at either of two photos, or at the note that names them."""
    counts.look(id := counts.begin("solo", ["blue", "masinfira"]), {"": [photo_of(90)]}, {})
    before = {path: path.read_bytes() for path in (tmp_path / "counts").iterdir()}
    written = []

    def full(*_: object) -> None:
        written.append(_)
        if len(written) > 2 * room:  # each file is synced, and its folder
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(WebProblem, match="no space is left"):
        patch.setattr("os.fsync", full)
        counts.look(id, {"": [photo_of(120), photo_of(150)]}, {})
    assert {path: path.read_bytes() for path in (tmp_path / "counts").iterdir()} == before
    assert counts.photo(id, 0).is_file()


def test_a_clock_that_went_back_hinders_nobody(counts: Counts, tmp_path: Path) -> None:
    for number in range(COUNTS_KEPT):
        counts.seen(id := counts.begin("solo", ["blue", "masinfira"]), f"/count/{number}")
        os.utime(tmp_path / "counts" / f"{id}.json", (9e9 + number, 9e9 + number))
    counts.look(id := counts.begin("solo", ["blue", "masinfira"]), {"": [photo_of(90)]}, {})
    counts.seen(id, "/count/new")
    assert {count.address for count in counts.all()} == {
        "/count/new",
        *(f"/count/{number}" for number in range(1, COUNTS_KEPT)),
    }


def test_the_score_just_counted_stays_when_the_clock_went_back(counts: Counts, tmp_path: Path) -> None:
    for number in range(COUNTS_KEPT):
        counts.seen(id := counts.begin("solo", ["blue", "masinfira"]), f"/count/{number}", over=True)
        os.utime(tmp_path / "counts" / f"{id}.json", (9e9 + number, 9e9 + number))
    counts.seen(counts.begin("solo", ["blue", "masinfira"]), "/count/new", over=True)
    counts.begin("solo", ["blue", "masinfira"])
    kept = {count.address for count in counts.all()}
    assert kept == {"/count/new", *(f"/count/{number}" for number in range(1, COUNTS_KEPT))}


def test_one_that_is_gone_meanwhile_is_told(counts: Counts) -> None:
    for act in (lambda: counts.look("0" * 16, {}, {}), lambda: counts.seen("0" * 16, "/count/numbers")):
        with pytest.raises(WebProblem, match="not kept any more"):
            act()


def test_those_begun_in_vain_do_not_push_out_a_score(visitor, with_tracks) -> None:
    page = begun(visitor, photo=(jpeg(), "a.jpg"))
    (photo,) = photos_on(page)
    score = visitor.post("/count/score", **opened(visitor), **NUMBERS).location
    for _ in range(COUNTS_KEPT + 1):
        begun(visitor)
    assert score in kept(visitor)
    assert visitor.client.get(photo).status_code == 200


def test_only_the_last_few_scores_are_kept(counts: Counts, tmp_path: Path) -> None:
    for number in range(COUNTS_KEPT + 2):
        counts.seen(id := counts.begin("solo", ["blue", "masinfira"]), f"/count/{number}", over=True)
        os.utime(tmp_path / "counts" / f"{id}.json", (number, number))
    counts.begin("solo", ["blue", "masinfira"])
    assert [count.address for count in counts.all()] == [
        f"/count/{number}" for number in range(COUNTS_KEPT + 1, 1, -1)
    ]


def test_only_the_last_few_are_kept_with_their_photos(visitor, with_tracks, data_dir) -> None:
    for _ in range(COUNTS_KEPT + 2):
        begun(visitor, photo=(jpeg(), "a.jpg"))
    assert len(kept(visitor)) == COUNTS_KEPT
    assert len([*(data_dir / "counts").glob("*.jpg")]) == COUNTS_KEPT


def test_a_count_that_is_not_kept_any_more_or_was_of_others_goes_on_as_another(visitor) -> None:
    begun(visitor)
    own = visitor.field("count")
    for count, players in (("0" * 16, SOLO), ("../../secret", SOLO), (own, {**SOLO, "seat0": "red"})):
        numbers = {field.replace("blue", players["seat0"]): n for field, n in NUMBERS.items()}
        assert visitor.post("/count/score", **players, **numbers, count=count).status_code == 303
    assert len(kept(visitor)) == 4


def test_an_address_without_a_count_shows_its_numbers_all_the_same(visitor) -> None:
    """As people have kept it from before."""
    page = visitor.get("/count/numbers?mode=solo&difficulty=passenger&seat0=blue&companies.gray.value=7")
    assert numbers(page.text)["companies.gray.value"] == "7"


def test_photos_are_for_the_table_only_and_say_nothing_of_the_phone(
    visitor, stranger, with_tracks, data_dir
) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretPhone"
    (photo,) = photos_on(begun(visitor, photo=(jpeg(exif=exif), "a.jpg")))
    assert stranger.get(photo).status_code == 403
    assert visitor.get(photo.replace("0.jpg", "1.jpg")).status_code == 404
    (stored,) = (data_dir / "counts").glob("*.jpg")
    assert b"SecretPhone" not in stored.read_bytes()


@pytest.mark.parametrize("damage", ["{", "[]", '{"photos": 3}'])
def test_one_that_is_damaged_does_not_hide_the_others(visitor, data_dir, damage: str) -> None:
    begun(visitor)
    (data_dir / "counts" / f"{'0' * 16}.json").write_text(damage)
    assert len(kept(visitor)) == 1
