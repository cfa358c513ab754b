"""What is kept by its id in a folder: which of it goes when there is too much, and what hinders nobody."""

import os
from pathlib import Path

import pytest
from fake_vision import jpeg

from calibration import load_photo
from webui.kept.shelf import Shelf
from webui.problems import WebProblem

IDS = ["a" * 16, "b" * 16, "c" * 16]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Three things with a photo each, the last one the newest."""
    shelf, photo = Shelf(tmp_path, "calibration_gone"), load_photo(jpeg().getvalue())
    for age, id in enumerate(IDS):
        shelf.save_photo(id, photo)
        shelf.write(id, {"id": id})
        os.utime(tmp_path / f"{id}.json", (age, age))
    return shelf


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk from which nothing can be removed."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "unlink", refuse)


def left(shelf: Shelf) -> list[str]:
    return shelf.every(lambda id: shelf.read(id, lambda plain: str(plain["id"])))


def test_with_the_oldest_go_their_photos(shelf: Shelf, tmp_path: Path) -> None:
    shelf.prune(IDS[2], 2)
    assert left(shelf) == [IDS[2], IDS[1]]
    assert sorted(path.name for path in tmp_path.glob("*.jpg")) == [f"{id}-0.jpg" for id in IDS[1:]]


def test_what_was_made_just_now_stays_though_by_the_clock_it_is_the_oldest(shelf: Shelf) -> None:
    """A computer without a battery for its clock may think that it is yesterday."""
    shelf.prune(IDS[0], 2)
    assert left(shelf) == [IDS[2], IDS[0]]
    shelf.prune(IDS[0], 1, of=[IDS[2]])
    assert left(shelf) == [IDS[0]]


def test_a_photo_of_which_nothing_was_told_goes_too(shelf: Shelf, tmp_path: Path) -> None:
    """On a full disk the photo may have had room, and nothing after it."""
    (tmp_path / f"{IDS[0]}.json").unlink()
    os.utime(tmp_path / f"{IDS[0]}-0.jpg", (0, 0))
    shelf.prune(IDS[2], 2)
    assert not [*tmp_path.glob(f"{IDS[0]}*")]


def test_what_another_phone_has_just_removed_hinders_nobody(shelf: Shelf, tmp_path: Path) -> None:
    """Two phones that send photos at once both clear up; a link to nothing is what the slower one meets."""
    (tmp_path / f"{'0' * 16}-0.jpg").symlink_to(tmp_path / "nothing")
    shelf.prune(IDS[2], 2)
    assert left(shelf) == [IDS[2], IDS[1]]


def test_only_an_id_that_the_server_made_names_anything(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "other-0.jpg").touch()
    for id in ("other", f"../{tmp_path.name}/other"):
        with pytest.raises(WebProblem, match="begin again"):
            shelf.read(id, lambda plain: plain)
        with pytest.raises(WebProblem, match="take it again"):
            shelf.photo(id)


def test_a_photo_with_a_number_too_long_for_the_name_of_a_file_is_not_there(shelf: Shelf) -> None:
    for number in (1, 10**300):
        with pytest.raises(WebProblem, match="take it again"):
            shelf.photo(IDS[0], number)


@pytest.mark.usefixtures("stuck")
def test_what_cannot_be_cleared_up_hinders_nobody(shelf: Shelf) -> None:
    """What was to be kept is kept by then; it is cleared up the next time."""
    shelf.prune(IDS[2], 1)
    shelf.remove_photos(IDS[2], [0])
    assert left(shelf) == IDS[::-1]


@pytest.mark.usefixtures("stuck")
def test_who_throws_something_away_is_told_where_it_cannot_be_removed(shelf: Shelf) -> None:
    with pytest.raises(WebProblem, match="could not be saved"):
        shelf.remove(IDS[0])
