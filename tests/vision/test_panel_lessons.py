"""Teaching a board of tracks the colours of players' markers, on the drawn board."""

import numpy as np
import pytest
import synthetic_panel
from synthetic_panel import Pieces, panel, photograph
from synthetic_table import BOARD, camera

from calibration import Photo, Profile
from engine.mini_express.names import SEATS
from vision import LessonProblem, scan_table, teach
from vision.panels.lessons import known_markers, lesson_of

ORANGE, TURQUOISE = (40, 120, 235), (190, 190, 30)
"""Colours that none of the five assumed is near; of those that nobody plays here, yellow is the most like orange."""


@pytest.fixture
def profile(monkeypatch: pytest.MonkeyPatch) -> Profile:
    monkeypatch.setitem(synthetic_panel.PAINT, "yellow", ORANGE)
    return Profile("usa", {"tracks": panel()})


def influence(yellow: tuple[int, int]) -> dict[str, dict[str, int]]:
    return {
        "red": {"brown": 2, "gray": 5},
        "blue": {"brown": 2, "gray": 0},
        "yellow": dict(zip(("brown", "gray"), yellow, strict=True)),
    }


def shown(yellow: tuple[int, int], turn: float, light: tuple[float, ...] = (1, 1, 1)) -> Photo:
    """A photo of the tracks by a lamp from another side than the one before."""
    return Photo(photograph(camera(20, turn, 560), Pieces(influence=influence(yellow)), light), name="t.jpg")


def read(profile: Profile, photo: Photo) -> dict[str, tuple[int | str, bool]]:
    """The numbers of yellow, and whether they are to be asked about."""
    figures = scan_table([photo], profile).figures
    return {f.name: (f.best, f.doubtful) for f in figures if f.name.startswith("influence.y")}


@pytest.mark.slow
def test_a_colour_nobody_assumed_is_guessed_and_asked_about_until_it_has_been_taught(
    profile: Profile,
) -> None:
    later = shown((7, 5), 70, (0.6, 0.85, 1.0))
    guessed = {"influence.yellow.brown": (7, True), "influence.yellow.gray": (5, True)}
    assert read(profile, later) == guessed
    taught = teach(shown((1, 3), 20), profile, BOARD, {"influence": influence((1, 3))})
    assert read(taught, later) == {"influence.yellow.brown": (7, False), "influence.yellow.gray": (5, False)}
    assert read(taught.forgotten(), later) == guessed


@pytest.mark.slow
def test_a_colour_like_none_of_those_missing_is_told_and_not_guessed(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(synthetic_panel.PAINT, "yellow", TURQUOISE)
    later = shown((7, 5), 70)
    assert read(profile, later) == {}
    strange = scan_table([later], profile).conflicts
    assert ["Markers of a colour that the profile does not know" in str(told) for told in strange] == [True]
    assert str(strange[0]).partition("for one on ")[2].startswith("influence/brown/7:")


@pytest.mark.slow
def test_markers_that_stand_elsewhere_teach_nothing(profile: Profile) -> None:
    moved = {seat: {company: n + 1 for company, n in row.items()} for seat, row in influence((1, 3)).items()}
    with pytest.raises(
        LessonProblem, match=r"t\.jpg does not show what the state says, for one at influence/"
    ):
        teach(shown((9, 8), 20), profile, BOARD, {"influence": moved})
    with pytest.raises(LessonProblem, match="tells nothing by which"):
        teach(shown((9, 8), 20), profile, BOARD, {"track": {"gray": [[7, -3]]}})


@pytest.mark.slow
def test_a_photo_whose_values_are_otherwise_teaches_nothing(profile: Profile) -> None:
    """It is of another moment, even where the markers of players stand as told."""
    values = {"brown": 3, "gray": 8, "orange": 5, "white": 1}
    photo = Photo(
        photograph(camera(20, 20, 560), Pieces(value=values, influence=influence((1, 3)))), name="t.jpg"
    )

    def told(**changed: int) -> dict[str, object]:
        companies = {company: {"value": value} for company, value in {**values, **changed}.items()}
        return {"influence": influence((1, 3)), "companies": companies}

    for slip in ({}, {"gray": 9}):
        assert teach(photo, profile, BOARD, told(**slip)) is not profile
    with pytest.raises(LessonProblem, match=r"for one at value/12"):
        teach(photo, profile, BOARD, told(brown=12, gray=2))


def test_markers_that_share_a_space_are_not_looked_at(profile: Profile) -> None:
    surface = profile.surfaces["tracks"]
    known = known_markers(surface, influence((2, 3)))
    assert {(surface.cells[m.cell].id, m.seat) for m in known} == {
        ("influence/gray/5", "red"),
        ("influence/gray/0", "blue"),
        ("influence/gray/3", "yellow"),
    }


def test_nobody_tells_the_bots_colour_so_it_is_the_likest_of_those_left(profile: Profile) -> None:
    """R7: Mašinfíra plays one of the colours that no human has."""
    surface, rows = profile.surfaces["tracks"], influence((1, 3))
    known = known_markers(surface, {"yellow": rows["yellow"], "masinfira": rows["red"]})
    red = np.array([-4.8, 11.0, 0.8], np.float32)
    shown = dict.fromkeys(known, red)
    assert lesson_of(surface, shown, {"yellow", "masinfira"}).keys() == {"yellow", "red"}
    # Somebody may play red whose markers stand among others, so that none of them was looked at.
    assert "red" not in lesson_of(surface, shown, {"yellow", "red", "masinfira"})
    assert known_markers(surface, {"masinfira": {"brown": 400}}) == []
    # Where humans are said to play all colours, none is left for it.
    assert lesson_of(surface, dict.fromkeys(known, red), {*SEATS, "masinfira"}).keys() == {"yellow"}


def test_markers_of_one_seat_that_differ_teach_nothing(profile: Profile) -> None:
    surface = profile.surfaces["tracks"]
    one, other = known_markers(surface, {"red": {"brown": 2, "gray": 5}})
    apart = {one: np.zeros(3, np.float32), other: np.full(3, 9.0, np.float32)}
    assert lesson_of(surface, apart, {"red"}) == {}
    assert lesson_of(surface, {one: None, other: np.ones(3, np.float32)}, {"red"}) == {"red": (1.0, 1.0, 1.0)}
