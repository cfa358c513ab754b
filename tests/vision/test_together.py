"""The colours of all kinds found together: pieces of unexpected wood or in strange light are told apart."""

import numpy as np
import pytest

from vision.cells.together import Shown, colours_of_known, colours_together, hardly_apart

# Brown, gray, orange and white wood as assumed, as scaled colours.
ASSUMED = np.array([[-4.5, 2.8, -1.5], [-2.9, -0.2, 0.1], [-3.1, 4.4, -4.6], [-0.6, 0.2, -0.2]], np.float32)
PIECES = 12


def tops_of(colours: np.ndarray, pieces: int = PIECES, seed: int = 0) -> np.ndarray:
    """(kinds, pieces, 3): what so many pieces of each kind show."""
    rng = np.random.default_rng(seed)
    return (colours[:, None] + rng.normal(0, 0.15, (len(colours), pieces, 3))).astype(np.float32)


def shown(
    tops: np.ndarray,
    now: np.ndarray = ASSUMED,
    assumed: np.ndarray = ASSUMED,
    at_home: np.ndarray | None = None,
) -> Shown:
    """These tops, the first piece of each kind in its home cell."""
    home_of = np.where(np.arange(tops.shape[1]) == 0, np.arange(len(tops))[:, None], -1)
    return Shown(assumed, assumed if at_home is None else at_home, now, tops.reshape(-1, 3), home_of.ravel())


def test_where_all_is_as_assumed_nothing_else_is_believed() -> None:
    tops = tops_of(ASSUMED)
    assert colours_together(shown(tops)) is None


def test_brown_wood_that_has_passed_for_orange_is_told_from_it() -> None:
    """A pale card in its home cell was taken for brown, so all pieces of both have taught what orange is."""
    wood = ASSUMED + np.array([[0.6, 1.2, -0.3], [0, 0, 0], [0.8, 1.2, -0.2], [0, 0, 0]], np.float32)
    tops, mistaken = tops_of(wood), wood.copy()
    mistaken[0] += (2.0, -2.0, 1.0)
    mistaken[2] = np.median(tops[[0, 2]].reshape(-1, 3), axis=0)
    found = colours_together(shown(tops, mistaken, at_home=mistaken))
    assert found is not None
    assert np.abs(found - wood).max() < 0.2


@pytest.mark.parametrize("light", [(-1.6, 0, 0), (1.2, 0.6, -0.6), (-0.8, -0.9, 0.7)])
def test_light_that_changes_all_kinds_alike_swaps_none(light: tuple[float, float, float]) -> None:
    """In the dark white has the lightness of gray; which is which, their order tells."""
    wood = ASSUMED + np.array(light, np.float32)
    tops = tops_of(wood)
    found = colours_together(shown(tops))
    assert found is not None
    assert np.abs(found - wood).max() < 0.2


def test_a_kind_that_shows_nowhere_keeps_its_colour() -> None:
    wood = ASSUMED + np.array([-1.0, 0.4, 0], np.float32)
    tops = tops_of(wood)[:3]
    found = colours_together(shown(tops))
    assert found is not None
    assert np.abs(found[:3] - wood[:3]).max() < 0.2
    assert np.array_equal(found[3], ASSUMED[3])


def test_a_few_strays_teach_nothing() -> None:
    tops = tops_of(ASSUMED)
    tops[:, -1] = (4.0, -4.0, 5.0)
    assert colours_together(shown(tops)) is None


def test_what_home_cells_show_tells_kinds_apart_that_are_nearly_alike() -> None:
    """Two reds between the two that were assumed: each is the one that stands in its home cell."""
    assumed = np.array([[-2.0, 4.0, -2.0], [-2.0, 2.0, -2.0]], np.float32)
    one, other = np.array([-3.4, 2.6, -1.0], np.float32), np.array([-1.2, 3.4, -3.4], np.float32)
    for wood in (np.stack([one, other]), np.stack([other, one])):
        found = colours_together(shown(tops_of(wood), assumed, assumed, at_home=wood))
        assert found is not None
        assert np.abs(found - wood).max() < 0.2


def test_two_kinds_whose_wood_fits_either_are_hardly_apart() -> None:
    """Both between what was assumed of them, and their home cells show nothing; what stands there tells."""
    wood = ASSUMED.copy()
    wood[[1, 3]] = ASSUMED[[1, 3]].mean(axis=0) + np.array([[0.8, 0, 0], [-0.8, 0, 0]], np.float32)
    tops = tops_of(wood)
    nowhere = np.full(tops[..., 0].size, -1)
    alone = Shown(ASSUMED, ASSUMED, wood, tops.reshape(-1, 3), nowhere)
    assert hardly_apart(alone) == (1, 3)
    assert hardly_apart(shown(tops, wood, at_home=wood)) is None
    assert hardly_apart(shown(tops_of(ASSUMED))) is None
    assert hardly_apart(shown(tops_of(wood, 1), wood)) is None


@pytest.mark.parametrize("kinds", [1, 4])
def test_without_pieces_there_is_nothing_to_say(kinds: int) -> None:
    nothing, of_each = np.empty((0, 3), np.float32), ASSUMED[:kinds]
    assert colours_together(Shown(of_each, of_each, of_each, nothing, np.empty(0, np.int64))) is None


def test_one_kind_is_found_too() -> None:
    wood = ASSUMED[:1] + np.array([1.2, 0.8, 0], np.float32)
    found = colours_together(shown(tops_of(wood, 30), ASSUMED[:1], ASSUMED[:1]))
    assert found is not None
    assert np.abs(found - wood).max() < 0.2


def test_pieces_that_are_known_tell_colours_that_nobody_would_have_guessed() -> None:
    wood = ASSUMED[[2, 1, 0, 3]] + np.array([-1.0, 0.5, 0.3], np.float32)
    known = [(kind, top) for kind, of_kind in enumerate(tops_of(wood)) for top in of_kind]
    found = colours_of_known(ASSUMED, [*known, (0, None)])
    assert found is not None
    assert np.abs(found - wood).max() < 0.5
    assert np.abs(found - wood).max() < np.abs(ASSUMED - wood).max() / 5


def test_what_is_said_of_another_game_teaches_nothing() -> None:
    """Then anything stands where a kind is said to stand, or nothing does."""
    rng = np.random.default_rng(1)
    tops = tops_of(ASSUMED).reshape(-1, 3)
    assert colours_of_known(ASSUMED, [(int(rng.integers(4)), top) for top in tops]) is None
    assert colours_of_known(ASSUMED, [(kind, None) for kind in range(4)]) is None
    assert colours_of_known(ASSUMED, []) is None
