"""Tiles that look the same show the same: what is read of some tells the others (R1.1 for how many there are)."""

import numpy as np
import pytest

from vision.state.equals import same_pair, told_by_equals

A, B, C = range(3)
CLEARLY = 8.0


def alike(*groups: list[int]) -> np.ndarray:
    """(cards, cards): the log odds of being equal, if those of a group plainly are and others plainly not."""
    count = sum(map(len, groups))
    same = np.full((count, count), -5.0)
    for group in groups:
        same[np.ix_(group, group)] = 5.0
    np.fill_diagonal(same, 0.0)
    return same


def saying(*cards: tuple[int, float]) -> np.ndarray:
    """(cards, 3): what each says by itself, a pair and by how much it is likelier than the others."""
    fits = np.zeros((len(cards), 3))
    for card, (pair, by) in enumerate(cards):
        fits[card, pair] = by
    return fits


def test_one_misread_is_outvoted_by_its_equals() -> None:
    fits = saying((A, 3.0), (A, 3.0), (B, 2.0), (B, 3.0), (B, 3.0), (B, 3.0))
    told = told_by_equals(fits, alike([0, 1, 2], [3, 4, 5]), [3, 3, 1])
    assert told.argmax(axis=1).tolist() == [A, A, A, B, B, B]


def test_there_are_no_more_of_a_pair_than_the_game_has() -> None:
    """Two groups look like A a little, but there are three of A in all, so the likelier group has them."""
    fits = saying((A, 2.0), (A, 2.0), (A, 2.0), (A, 1.0), (A, 1.0), (A, 1.0))
    fits[:, B] = 0.5
    told = told_by_equals(fits, alike([0, 1, 2], [3, 4, 5]), [3, 3, 1])
    assert told.argmax(axis=1).tolist() == [A, A, A, B, B, B]


def test_where_no_two_can_be_compared_each_speaks_for_itself() -> None:
    fits = saying((A, 1.0), (B, 2.0), (C, 3.0))
    assert np.array_equal(told_by_equals(fits, np.zeros((3, 3)), [1, 1, 1]), fits)


def test_no_tile_at_all_is_no_error() -> None:
    assert told_by_equals(np.zeros((0, 3)), np.zeros((0, 0)), [1, 1, 1]).shape == (0, 3)


@pytest.mark.parametrize("agreement", [0.3, 0.6, 0.8, 0.9])
def test_the_better_two_cards_agree_the_likelier_they_are_equal(agreement: float) -> None:
    cards = np.array(
        [[1.0, agreement, agreement + 0.06], [agreement, 1.0, 0.0], [agreement + 0.06, 0.0, 1.0]]
    )
    same = same_pair(cards, np.full(3, CLEARLY))
    assert same[0, 1] <= same[0, 2]
    assert np.array_equal(same, same.T)
    assert not same.diagonal().any()


def test_what_hardly_shows_is_hardly_compared() -> None:
    """Where no card lies nothing is."""
    agreement = np.full((3, 3), 0.95)
    same = same_pair(agreement, np.array([CLEARLY, CLEARLY / 4, -3.0]))
    assert 0 < same[0, 1] < 0.3 * same_pair(agreement, np.full(3, CLEARLY))[0, 1]
    assert not same[2].any()
