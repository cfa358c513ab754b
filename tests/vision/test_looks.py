"""Two photos from one side are one look: what is seen wrong in both is no surer for it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import Cell, Surface
from vision.cells.looks import alike, weights

CELLS = tuple(Cell(name, ((x, 0), (x + 10, 0), (x + 10, 10))) for name, x in (("a", 0), ("b", 100)))
SURFACE = Surface("map", "usa", np.zeros((9, 9, 3), np.uint8), np.eye(3), CELLS, ())


def camera(degrees: float) -> NDArray[np.float64]:
    """Half a metre from the middle of the cells, so far from straight above."""
    middle, turned = np.append(SURFACE.centers.mean(axis=0), 0.0), np.radians(degrees)
    return middle + 500 * np.array([np.sin(turned), 0.0, np.cos(turned)])


def weights_of(*looks: tuple[float, bool]) -> list[float]:
    """What each of these looks counts, from so many degrees, at a cell that it sees or does not."""
    seen = np.array([[sees] for _, sees in looks])
    return weights([camera(degrees) for degrees, _ in looks], SURFACE, seen)[:, 0].tolist()


def test_one_look_counts_whole() -> None:
    assert weights_of((30, True)) == [1.0]


@pytest.mark.parametrize("times", [2, 3, 4])
def test_the_same_photo_however_often_is_one(times: int) -> None:
    assert sum(weights_of(*[(30, True)] * times)) == pytest.approx(1)


def test_two_in_a_row_are_hardly_more_than_one_and_two_from_two_sides_are_two() -> None:
    assert sum(weights_of((30, True), (32, True))) < 1.05
    assert 1.2 < sum(weights_of((30, True), (37, True))) < 1.5
    assert sum(weights_of((30, True), (50, True))) > 1.99


def test_a_look_that_does_not_see_the_cell_takes_nothing_from_another() -> None:
    assert weights_of((30, True), (30, False)) == [1.0, 0.0]


def test_nearer_is_no_other_side() -> None:
    far = camera(30)
    near = far + 0.4 * (np.append(SURFACE.centers.mean(axis=0), 0.0) - far)
    assert alike([far, near], SURFACE)[0, 1] == pytest.approx(1)
