"""Which boards a photo is searched for, in which order and how often; what finds them is made up here."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from calibration import (
    SHARE_TILES,
    Photo,
    Profile,
    ProfileProblem,
    Registration,
    RegistrationProblem,
    Surface,
)
from calibration.surface import Cell
from vision import sightings
from vision.sightings import sightings_of

PHOTO = Photo(np.zeros((60, 80, 3), np.uint8))
SIDES_MM = {"assets": 200.0, "map": 600.0, "tracks": 300.0}


def board(name: str, side: float = 40.0) -> Surface:
    square = (0.0, 0.0), (side, 0.0), (side, side), (0.0, side)
    return Surface(name, "usa", PHOTO.pixels, np.eye(3), (Cell("all", square),), ())


PROFILE = Profile("usa", {name: board(name, side) for name, side in SIDES_MM.items()})


@pytest.fixture
def finding(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What is looked for in a photo, in order, where each board is found at a certain attempt, if at all."""

    def of(**found_at: int) -> list[str]:
        asked: list[str] = []

        def register(_: Photo, surface: Surface) -> Registration:
            asked.append(surface.name)
            there = Counter(asked)[surface.name] >= found_at.get(surface.name, 99)
            problem = None if there else RegistrationProblem("not_found", photo=surface.name)
            return Registration(np.eye(3), 0, 0.0, problem=problem)

        monkeypatch.setattr(sightings, "register", register)
        monkeypatch.setattr(Photo, "without", lambda photo, _: photo)
        return asked

    return of


def names(photo: Photo = PHOTO, profile: Profile = PROFILE) -> list[str]:
    return [sighting.surface for sighting in sightings_of(photo, profile)]


def test_the_largest_board_is_looked_for_first_and_then_the_others(finding: Callable[..., list[str]]) -> None:
    asked = finding(map=1, tracks=1, assets=1)
    assert sorted(names()) == ["assets", "map", "tracks"]
    assert asked[0] == "map"
    assert len(asked) == 3


def test_a_board_of_another_game_is_left_alone(finding: Callable[..., list[str]]) -> None:
    asked = finding(map=1, reef=1)
    assert names(profile=PROFILE.with_surface(board("reef", 900.0))) == ["map"]
    assert "reef" not in asked
    with pytest.raises(ProfileProblem, match="no surface map"):
        names(profile=Profile("reef", {"reef": board("reef")}))


def test_a_board_that_was_missed_is_looked_for_again_once_another_is_found(
    finding: Callable[..., list[str]],
) -> None:
    """Painted over, what was found takes no features from it any more."""
    finding(map=1, tracks=1, assets=2)
    assert names() == ["map", "tracks", "assets"]


def test_a_board_that_is_not_there_does_not_spoil_the_others(finding: Callable[..., list[str]]) -> None:
    asked = finding(tracks=1)
    assert names() == ["tracks"]
    assert Counter(asked) == {"map": 1, "tracks": 1, "assets": 2}


def test_a_photo_of_none_of_them_is_refused_by_the_largest(finding: Callable[..., list[str]]) -> None:
    finding()
    with pytest.raises(RegistrationProblem, match="in map"):
        names()


def test_share_tiles_are_no_board_to_be_found(finding: Callable[..., list[str]]) -> None:
    finding(shares=1)
    with pytest.raises(ProfileProblem):
        names(profile=Profile("usa", {SHARE_TILES: board(SHARE_TILES)}))
