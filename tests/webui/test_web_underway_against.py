"""What speaks against photos of a game already under way, and boards that cannot be read in them, is told."""

import re
from typing import Any

import pytest
from fake_boards import TILES, photographed
from fake_vision import jpeg
from test_web_underway import tell
from visitors import Visitor

from calibration import Profile, RegistrationProblem
from vision import Figure, TableScan
from vision.compared import Disagreement
from vision.state.decode import Conflict
from webui.kept.profiles import Profiles
from webui.kept.reader import Reader
from webui.problems import WebProblem

INFLUENCE = Figure(("influence", "red", "brown"), "", {3: 2.0, 4: 0.0})
ONE_MOMENT = "use photos of one moment only"


def told_twice(visitor: Visitor, page: str) -> bool:
    """Whether who loads the page again, or the next at the table, is told as well."""
    return all(visitor.get(page).text.count(ONE_MOMENT) == 1 for _ in range(2))


def test_photos_of_other_trains_are_told_of_while_hexes_are_open(visitor, boards) -> None:
    boards.conflicts = [Conflict("moments", n=2, company="gray", hex=(0, -2))]
    boards.doubtful = [{"hex": [0, -2]}]
    page = photographed(visitor)
    assert told_twice(visitor, page)
    visitor.post(f"{page}/rest", known=visitor.field("known"))
    assert ONE_MOMENT not in visitor.get(page).text


def test_photos_of_other_tiles_are_told_of_while_tiles_are_open(visitor, boards) -> None:
    boards.conflicts = [Conflict("other_tiles", n=2, city="Chicago")]
    boards.doubtful = [{"what": "demand", "city": int(number)} for number in TILES]
    page = photographed(visitor)
    assert told_twice(visitor, page)
    tiles = {f"demand.{number}": "-".join(tile) for number, tile in TILES.items()}
    assert ONE_MOMENT not in tell(visitor, page, sure="demand", **tiles)


def test_photos_of_other_numbers_are_told_of_while_numbers_are_open(visitor, boards) -> None:
    boards.conflicts, boards.figures = [Disagreement("apart", n=1, figure=INFLUENCE.name)], [INFLUENCE]
    page = photographed(visitor)
    assert told_twice(visitor, page)
    assert "contradict each other on numbers (1), such as Influence, Red, Brown" in visitor.get(page).text


@pytest.fixture
def without_map(reader: Reader, boards, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A table whose map is damaged and whose tracks are not; the boards that were looked for in the latest photos."""
    looked_for = list[str]()

    def damaged(board: object) -> Profile:
        raise WebProblem("board_damaged", file="map.jpg")

    def view(photos: Any, profile: Profile, setup: Any) -> tuple[TableScan, dict[int, Any]]:
        looked_for[:] = profile.surfaces
        if len(photos) > 1:
            raise RegistrationProblem("not_found", photo=photos[0].name)
        return TableScan(None, (), [], [INFLUENCE], [], [], 0.0), {}

    monkeypatch.setattr(reader, "profile", damaged)
    monkeypatch.setattr(reader.profiles, "without_map", lambda board: Profile("usa", {"tracks": None}))
    monkeypatch.setattr(reader, "viewer", view)
    return looked_for


def test_where_the_map_is_damaged_the_other_boards_are_read(visitor, without_map) -> None:
    visitor.get("/underway")
    page = photographed(visitor)
    text = visitor.get(page).text
    assert without_map == ["tracks"]
    assert "map.jpg on the computer is damaged" in text
    assert f'name="sure" value="{INFLUENCE.name}"' in text


def test_photos_of_a_damaged_map_alone_are_not_said_to_show_none(visitor, without_map) -> None:
    text = visitor.get(photographed(visitor, (jpeg(), "a.jpg"), (jpeg(), "b.jpg"))).text
    assert "map.jpg on the computer is damaged" in text
    assert "not found" not in text


def test_where_tracks_are_damaged_that_is_told_beside_what_was_not_found(
    visitor, boards, reader, monkeypatch
) -> None:
    profiles: Profiles = reader.profiles
    monkeypatch.setattr(profiles, "damaged", lambda: [WebProblem("board_damaged", file="tracks.jpg")])
    text = visitor.get(photographed(visitor)).text
    assert text.count("tracks.jpg on the computer is damaged") == 1
    assert "Not found in the photos" in text


CLEAR = Figure(("influence", "red", "brown"), "", {3: 9.0, 4: 0.0})


def test_a_number_that_a_later_photo_of_the_boards_clearly_contradicts_is_told_and_asked(
    visitor, boards
) -> None:
    page = photographed(visitor)
    tell(visitor, page, **{CLEAR.name: "5"})
    boards.figures = [CLEAR]
    visitor.get(page)
    visitor.post(f"{page}/photos", seen=visitor.field("seen"), photo=[(jpeg(), "b.jpg")])
    text = visitor.get(page).text
    assert "the photo shows 3, and 5 was written" in text
    assert re.search(rf'name="{CLEAR.name}" value="5"', text)
    assert f'name="sure" value="{CLEAR.name}"' in text
    assert f'name="sure" value="{CLEAR.name}"' not in tell(
        visitor, page, sure=CLEAR.name, **{CLEAR.name: "5"}
    )


def test_who_else_seems_to_play_is_told_as_long_as_the_photos_are_there(visitor, boards) -> None:
    boards.colours = ["red", "blue", "yellow"]
    page = photographed(visitor)
    for _ in range(2):
        assert "markers of other colours: blue, yellow" in visitor.get(page).text


def test_a_photo_that_is_damaged_is_told_of_when_others_are_read(visitor, boards, data_dir) -> None:
    page = photographed(visitor)
    (photo,) = (data_dir / "positions").glob("*-photo-0.jpg")
    photo.write_bytes(b"damaged")
    visitor.get(page)
    visitor.post(f"{page}/photos", seen=visitor.field("seen"), photo=[(jpeg(), "b.jpg")])
    assert "kept on the computer is damaged: take it again" in visitor.get(page).text
