"""Photos of all boards and of share tiles that show what a test wants, and a game under way that began with some."""

import random
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest
from fake_vision import BLANK, jpeg
from visitors import Visitor

from calibration import SHARE_TILES, Profile
from engine.mini_express import new, state_to_json
from engine.sentences import Problem
from vision import Figure, NoShares
from webui.kept.reader import Reader
from webui.kept.seeing import Places

SOLO = {"board": "usa", "mode": "solo", "difficulty": "tourist", "seat0": "red"}
DEALT = state_to_json(new(mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(1)))["demand"]
TILES = {"2": ["gray", "gray"], "7": ["brown", "gray"], "9": ["brown", "white"]}


# Where the fake photos show one hex.
SQUARE = [(280.0, 200.0), (360.0, 200.0), (370.0, 240.0), (360.0, 280.0), (280.0, 280.0), (270.0, 240.0)]
PLACES = Places((640, 480), {"0,-2": SQUARE})


class Boards:
    """What photos of the boards show from now on, and the photos that were looked at."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {"demand": {**DEALT, **TILES}}
        self.doubtful: list[dict[str, Any]] = []
        self.figures: list[Figure] = []
        self.map: Any = None
        self.colours: list[str] = []
        self.conflicts: list[Problem] = []
        self.photos: list[Any] = []

    def view(self, photos: Any, profile: Any, setup: Any) -> tuple[Any, dict[int, Places]]:
        self.photos = list(photos)
        plain = {"state": self.state, "doubtful": self.doubtful}
        found = SimpleNamespace(
            to_json=lambda: plain,
            figures=self.figures,
            map=self.map,
            colours=self.colours,
            all_conflicts=self.conflicts,
            missing=["tracks"],
        )
        return found, dict.fromkeys(range(len(photos)), PLACES)


@pytest.fixture
def boards(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> Boards:
    boards = Boards()
    monkeypatch.setattr(reader, "profile", lambda board: BLANK)
    monkeypatch.setattr(reader.profiles, "know", lambda board: True)
    monkeypatch.setattr(reader, "viewer", boards.view)
    return boards


def photographed(visitor: Visitor, *photos: tuple[BytesIO, str]) -> str:
    """The address of a position that was begun with photos."""
    visitor.get("/underway")
    answer = visitor.post("/underway", **SOLO, photo=list(photos) or [(jpeg(), "a.jpg")])
    assert answer.status_code == 303, answer.text
    return str(answer.location)


@pytest.fixture
def doubtful(visitor: Visitor, boards: Boards) -> str:
    """The address of a position with three demand tiles that the photo does not show clearly."""
    boards.doubtful = [{"what": "demand", "city": int(number)} for number in TILES]
    return photographed(visitor)


@pytest.fixture
def with_shares(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Figure]]:
    """A table that knows its share tiles; by the seat what the photo of its shares shows."""
    seen: dict[str, list[Figure]] = {}
    profile = Profile("usa", {SHARE_TILES: BLANK.surfaces["map"]})
    monkeypatch.setattr(reader.profiles, "for_counting", lambda: profile)

    def count(photos, profile, seats, shares):  # type: ignore[no-untyped-def]
        if not shares.keys() <= seen.keys():
            raise NoShares("none", photo=next(iter(shares.values())).name)
        return SimpleNamespace(figures=[figure for seat in shares for figure in seen[seat]], colours=())

    monkeypatch.setattr(reader, "counter", count)
    return seen
