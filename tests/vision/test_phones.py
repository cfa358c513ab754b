"""What other phones make of the same picture."""

import numpy as np
import pytest

from vision.phones import AS_IT_IS, PHONES, Phone, drawn

RNG = np.random.default_rng(5)
PICTURE = RNG.integers(0, 256, (60, 80, 3), np.uint8)
GRAYS = np.repeat(np.arange(256, dtype=np.uint8).reshape(16, 16, 1), 3, axis=2)


def test_a_phone_that_does_nothing_leaves_the_picture_as_it_is() -> None:
    assert np.array_equal(AS_IT_IS.picture(PICTURE), PICTURE)


@pytest.mark.parametrize("contrast", [0.7, 1.4])
def test_contrast_keeps_the_order_of_grays_and_their_ends(contrast: float) -> None:
    grays = Phone(contrast=contrast).picture(GRAYS)[..., 0].ravel().astype(int)
    assert (np.diff(grays) >= 0).all()
    assert (grays[0], grays[-1]) == (0, 255)
    assert (np.ptp(grays[64:192]) > 127) == (contrast > 1)


def test_gray_stays_gray_however_colourful_the_phone() -> None:
    shown = Phone(saturation=1.6).picture(GRAYS).astype(int)
    assert np.ptp(shown, axis=2).max() <= 1


def test_sharpening_and_local_contrast_raise_what_differs_from_its_surroundings() -> None:
    soft = np.full((120, 160, 3), 120, np.uint8)
    soft[40:80, 60:100] = 132
    for phone in (Phone(sharpen=0.8), Phone(local=1.0)):
        assert np.ptp(phone.picture(soft)) > np.ptp(soft)


def test_phones_by_lot_differ_and_can_be_drawn_again() -> None:
    first, second = (drawn(np.random.default_rng(seed)) for seed in (1, 2))
    assert first != second
    assert first == drawn(np.random.default_rng(1))
    for phone in (first, second, *PHONES.values()):
        assert phone.picture(PICTURE).shape == PICTURE.shape
