"""What a table has taught: kept by photo, weighed by the median, never forgotten by accident."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lessons import Lessons, lessons_from_json, lessons_to_json, settled, with_lesson

BROWN, GLARE = (-3.0, 1.0, -0.5), (0.5, 0.0, 0.0)


def taught(*colours: tuple[float, float, float]) -> Lessons:
    lessons: Lessons = {}
    for colour in colours:
        lessons = with_lesson(lessons, {"brown": colour})
    return lessons


def test_one_bad_photo_spoils_nothing_not_even_the_first_one() -> None:
    assumed = (-2.5, 0.5, 0.0)
    assert settled(assumed, ()) == assumed
    assert settled(assumed, taught(BROWN, BROWN, BROWN, GLARE)["brown"]) == BROWN
    shaded = (-6.0, 0.5, 0.0)
    assert settled(assumed, (shaded, (-2.6, 0.5, 0.0))) == (-2.6, 0.5, 0.0)


def test_what_was_not_in_the_photo_keeps_what_it_had() -> None:
    assert with_lesson(taught(BROWN), {"gray": GLARE}) == {"brown": (BROWN,), "gray": (GLARE,)}


def test_many_games_do_not_push_out_the_set_up() -> None:
    """The first photos stay; of the later ones the last."""
    setup, last = (-3.5, 1.0, 0.0), (-2.0, 1.0, 0.0)
    kept = taught(*[setup] * 4, *[BROWN] * 50, last)["brown"]
    assert kept[:4] == (setup,) * 4
    assert kept[-1] == last
    assert len(kept) == 12


numbers = st.floats(-9, 9).map(lambda x: round(x, 4))


@given(
    st.dictionaries(
        st.text(max_size=9), st.lists(st.tuples(numbers, numbers, numbers), min_size=1).map(tuple)
    )
)
@pytest.mark.slow
def test_lessons_survive_their_file(lessons: Lessons) -> None:
    assert lessons_from_json(json.loads(json.dumps(lessons_to_json(lessons)))) == lessons


@pytest.mark.parametrize(
    "broken", [{"brown": [[1, 2]]}, {"brown": [[1, 2, "x"]]}, {"brown": [[1, 2, float("nan")]]}]
)
def test_broken_lessons_are_refused(broken: dict) -> None:
    with pytest.raises((ValueError, TypeError)):
        lessons_from_json(broken)
