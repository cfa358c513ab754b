"""Teaching a profile from photos whose position is known, on the drawn table."""

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from synthetic_table import BOARD, camera, photograph, table

from calibration import Photo, Profile, ProfileProblem, Registration, Surface
from engine import mini_express as game
from engine.mini_express.errors import Malformed
from vision import Agreed, LessonProblem, scan, setup_shown, teach
from vision.cells.colours import assumed_colours
from vision.sightings import Sighting

teaching = importlib.import_module("vision.teach")  # the package has a function of that name

SETUP = {company: [(q, r) for q, r in hexes] for company, hexes in setup_shown(BOARD)["track"].items()}


@pytest.fixture(scope="module")
def profile() -> Profile:
    return table()


@pytest.fixture(scope="module")
def photo() -> Photo:
    return Photo(photograph(camera(15, 20), SETUP), name="setup.jpg")


@pytest.mark.slow
def test_the_set_up_teaches_the_colours_of_wood(profile: Profile, photo: Photo) -> None:
    """A profile that was told nonsense about orange wood knows better after two photos of the set-up."""
    surface, shown = profile.surfaces["map"], setup_shown(BOARD)
    kinds = tuple(replace(k, colour=(0.3, 0.3, 0.6)) if k.name == "orange" else k for k in surface.kinds)
    misled = replace(profile, surfaces={"map": replace(surface, kinds=kinds)})
    right = teach(photo, profile, BOARD, shown).surfaces["map"].lessons["orange"][0]
    another = Photo(photograph(camera(16, 25), SETUP), name="setup_2.jpg")
    twice = teach(another, teach(photo, misled, BOARD, shown), BOARD, shown)
    before, after = (assumed_colours(p.surfaces["map"])[2] for p in (misled, twice))
    assert np.abs(before - right).max() > 2
    assert np.abs(after - right).max() < 0.2


@pytest.mark.slow
def test_what_was_taught_is_kept_with_the_profile_and_can_be_forgotten(
    profile: Profile, photo: Photo, tmp_path: Path
) -> None:
    taught = teach(photo, profile, BOARD, setup_shown(BOARD))
    taught.save(tmp_path)
    again = Profile.load(tmp_path)
    for company, colours in taught.surfaces["map"].lessons.items():
        assert np.allclose(again.surfaces["map"].lessons[company], colours, atol=1e-4)
    assert again.forgotten().surfaces["map"].lessons == {}


@pytest.mark.slow
def test_a_photo_that_has_taught_adds_only_what_nothing_is_known_of(profile: Profile, photo: Photo) -> None:
    """Told less at first, or told of once more with the same words."""
    shown, of_three = setup_shown(BOARD), setup_shown(BOARD)
    del of_three["track"]["white"]
    once = teach(photo, profile, BOARD, of_three)
    for _ in range(2):
        once = teach(photo, once, BOARD, shown)
        lessons = once.surfaces["map"].lessons
        assert {name: len(colours) for name, colours in lessons.items()} == dict.fromkeys(lessons, 1)
        assert "white" in lessons


def test_a_photo_that_shows_something_else_is_refused(profile: Profile, photo: Photo) -> None:
    """A state of a game in progress does not belong to a photo of the set-up."""
    played = {company: [*hexes, *((5, r) for r in range(-3, 1))] for company, hexes in SETUP.items()}
    with pytest.raises(LessonProblem, match=r"setup\.jpg does not show what the state says"):
        teach(photo, profile, BOARD, {"track": played})


def test_a_photo_of_nothing_teaches_nothing(profile: Profile, photo: Photo) -> None:
    with pytest.raises(LessonProblem, match="tells nothing by which"):
        teach(photo, profile, BOARD, {"track": {}})


def test_a_map_changed_since_the_calibration_is_neither_taught_nor_read(
    profile: Profile, photo: Photo
) -> None:
    """The pack was edited, so a state may name hexes that the profile does not have, and the other way round."""
    smaller = replace(BOARD, printed=BOARD.printed[1:])
    pack = replace(game.built_in(), boards={"usa": smaller})
    with pytest.raises(ProfileProblem, match="calibrate it again"):
        teach(photo, profile, smaller, setup_shown(smaller))
    with pytest.raises(ProfileProblem, match="calibrate it again"):
        scan([photo], profile, agreed=Agreed(pack))
    with pytest.raises(Malformed) as unknown:
        scan([photo], profile, agreed=Agreed(replace(pack, boards={})))
    assert unknown.value.key == "unknown_board"


@pytest.mark.slow
def test_a_photo_of_a_game_is_no_photo_of_the_set_up(profile: Profile) -> None:
    """Every piece of the set-up is there, but so are more that nobody named."""
    rows = {company: [(q, r) for q in (-3, 0, 3)] for company, r in zip(SETUP, (-2, -1, 0, 1), strict=True)}
    later = {company: [*SETUP[company], *rows[company]] for company in SETUP}
    photo = Photo(photograph(camera(15, 20), later), name="later.jpg")
    with pytest.raises(LessonProblem, match=r"later\.jpg does not show what the state says"):
        teach(photo, profile, BOARD, setup_shown(BOARD))


@pytest.mark.parametrize("wrong", ["map", "tracks"])
def test_of_two_boards_in_a_photo_only_a_map_that_contradicts_keeps_the_other_from_teaching(
    profile: Profile, photo: Photo, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """With another position on the map, what is told of the tracks is another's as well."""
    sightings = [Sighting(photo, name, Registration(np.eye(3), 0, 0.0)) for name in ("map", "tracks")]
    monkeypatch.setattr(teaching, "sightings_of", lambda *_: sightings)

    def taught(sighting: Sighting, *_: object) -> Surface:
        if sighting.surface == wrong:
            raise LessonProblem("contradicts", photo=photo.name, hex="x")
        return replace(profile.surfaces["map"], name=sighting.surface, lessons={"red": ((0.1, 0.2, 0.7),)})

    monkeypatch.setattr(teaching, "_taught", taught)
    if wrong == "map":
        with pytest.raises(LessonProblem):
            teach(photo, profile, BOARD, {})
    else:
        assert teach(photo, profile, BOARD, {}).has_learnt("map")
