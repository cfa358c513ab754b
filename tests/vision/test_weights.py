"""The weights of the readers are what a regression on photos of known truth gives."""

import numpy as np
import pytest

from vision.training.weigh import Said


def test_a_reader_that_exaggerates_by_two_is_weighed_by_a_half() -> None:
    rng = np.random.default_rng(4)
    true_odds = rng.normal(0, 3, 20_000)
    said = Said(
        np.stack([2 * true_odds, rng.normal(0, 3, 20_000)], axis=1),
        rng.random(20_000) < 1 / (1 + np.exp(-true_odds)),
    )
    assert said.fitted() == pytest.approx([0.5, 0.0, 0.0], abs=0.05)


def test_the_fitted_weights_leave_the_least_loss() -> None:
    said = Said(np.array([[3.0], [2.0], [-1.0], [-4.0], [1.0]]), np.array([True, False, False, False, True]))
    fitted = said.fitted()
    assert said.loss(fitted) < min(said.loss(fitted + [0.1, 0]), said.loss(fitted - [0, 0.1]))
