"""What the pages ask of vision, and hand on to it."""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from fake_vision import BLANK, jpeg

import vision
from calibration import Registration, load_photo
from engine.mini_express import Setup, built_in, new
from vision.sightings import Sighting
from webui.kept import seeing


@dataclass(frozen=True)
class Found:
    photos: tuple[Any, ...] = ()
    map: Any = None
    sightings: tuple[Any, ...] = ()
    boards: tuple[str, ...] = ()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What vision was told with each request; it finds nothing."""
    told: list[dict[str, Any]] = []

    def look(photos: Any, *_: Any, **known: Any) -> Found:
        told.append(known)
        return Found(tuple(photos))

    for name in ("scan", "scan_table"):
        monkeypatch.setattr(vision, name, look)
    return told


@dataclass(frozen=True)
class FakeMap:
    photos: tuple[Any, ...]
    hexes: Any = None

    def outlines(self, number: int) -> Any:
        return self.hexes


SOMEWHERE = Registration(np.eye(3), 30, 0.1)
PHOTO = load_photo(jpeg().getvalue())
STATE = new(board="usa", mode="solo", difficulty="passenger", seats=["red"], rng=random.Random(1))
SETUP: Setup = STATE.setup


def test_a_reading_knows_the_game_and_keeps_no_photo_in_memory(asked: list[dict[str, Any]]) -> None:
    assert seeing.scan([PHOTO], BLANK, STATE, print).map is None
    assert asked[0]["before"] is STATE


def test_which_photos_show_the_map_is_known_and_none_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    tracks, both = (load_photo(jpeg().getvalue(), name) for name in ("tracks.jpg", "both.jpg"))
    on_map = FakeMap((both,))
    shown = [Sighting(photo, board, SOMEWHERE) for photo, board in ((tracks, "tracks"), (both, "map"))]
    found = vision.TableScan(on_map, tuple(shown), [], [], [], [], 0.0)  # type: ignore[arg-type]
    monkeypatch.setattr(vision, "scan_table", lambda *_, **__: found)
    seen = seeing.scan([tracks, both], BLANK, STATE, print)
    assert (seen.of_map, seen.boards) == ((1,), ("tracks",))
    assert seen.map is not None
    assert [(photo.name, photo.pixels.size) for photo in seen.map.photos] == [("both.jpg", 0)]
    assert seen.table.sightings == ()


def test_hexes_are_where_the_photo_shows_them_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def outline(x: float, y: float) -> list[tuple[float, float]]:
        return [(x - 3, y - 4), (x + 3, y - 4), (x + 5, y), (x + 3, y + 4), (x - 3, y + 4), (x - 5, y)]

    tracks, shown = load_photo(jpeg(320, 240).getvalue()), load_photo(jpeg(640, 480).getvalue())
    outlines = {(0, -2): outline(100, 50), (1, -2): outline(1, 50), (6, -2): outline(100, 478)}
    monkeypatch.setattr(vision, "scan_table", lambda *_, **__: Found(map=FakeMap((shown,), outlines)))
    found, maps = seeing.view([tracks, shown], BLANK, SETUP)
    assert found.map is not None
    assert [photo.pixels.size for photo in found.map.photos] == [0], "no photo stays in memory"
    assert maps == {1: seeing.Places((640, 480), {"0,-2": outline(100, 50)})}


def test_a_count_knows_who_plays_and_has_the_photos_of_their_shares(asked: list[dict[str, Any]]) -> None:
    seeing.count([PHOTO], BLANK, ["red", "masinfira"], {"red": PHOTO})
    assert asked == [{"agreed": vision.Agreed(seats=["red", "masinfira"]), "shares": {"red": PHOTO}}]


def test_of_a_game_under_way_all_that_is_agreed_is_known(asked: list[dict[str, Any]]) -> None:
    assert seeing.view([PHOTO], BLANK, SETUP)[1] == {}
    assert asked == [{"agreed": vision.Agreed(built_in(), (), True, ("red",))}]
