"""Cards told by what this table's cards have been seen to look like."""

from dataclasses import replace
from itertools import combinations_with_replacement

import cv2
import numpy as np
import pytest
from synthetic_table import BOARD, table
from test_samples import SAMPLES, profile_of

from calibration import Profile, Surface, load_photo
from calibration.faces import SIDE, Face, Symbols, with_faces
from engine.mini_express.names import WILD
from vision import scan, teach
from vision.faces import STEP, face_at, looks_of

NAMES = ("brown", "gray", "orange", "white", WILD)
INKS = np.array([(-3, 1, -1), (-2, 0, 0), (-1, 2, -2), (-0.3, 0.1, 0), (-2.5, -1, 1)])
PAIRS = [*combinations_with_replacement(NAMES, 2)]


def drawn(pair: Symbols, rng: np.random.Generator, light: float = 0.0) -> Face:
    """Two stripes of ink on pale card, anyhow turned, a little out of the middle, with noise."""
    card = np.full((41, 41, 3), (-0.8, 0.2, -0.3), np.float32)
    card[15:26, 14:20], card[15:26, 21:27] = (INKS[NAMES.index(name)] for name in pair)
    turn = cv2.getRotationMatrix2D((20, 20), rng.uniform(0, 360), 1)
    turn[:, 2] += rng.normal(0, 0.7, 2)
    card = cv2.warpAffine(card, turn, (41, 41), borderValue=(-0.8, 0.2, -0.3))
    noisy = card + rng.normal(0, 0.1, card.shape) + rng.normal(0, 0.1, 3) + (light, 0, 0)
    return face_at(np.moveaxis(noisy, -1, 0).astype(np.float32), 20, 20)


def taught(pairs: list[Symbols]) -> Surface:
    rng = np.random.default_rng(1)
    return replace(
        table().surfaces["map"], faces=with_faces({}, [(pair, drawn(pair, rng)) for pair in pairs])
    )


def test_a_face_is_what_the_photo_shows_there() -> None:
    layers = np.zeros((3, 40, 50), np.float32)
    layers[:, 10, 30] = 1.5, -0.5, 99.0
    face = face_at(layers, 30, 10)
    middle = SIDE // 2
    assert (face[middle, middle] * STEP)[:2] == pytest.approx((1.5, -0.5))
    assert face[middle, middle, 2] == 127
    assert np.count_nonzero(face) == 3
    assert face_at(layers, 0, 39).shape == face.shape


def test_symbols_are_told_whichever_way_round_a_card_lies() -> None:
    """Even of a pair that no photo has shown yet: its symbols are known from others."""
    looks = looks_of(taught([pair for pair in PAIRS if pair != ("gray", "orange")] * 3))
    assert looks is not None
    rng = np.random.default_rng(2)
    odds = looks.odds([drawn(pair, rng, light) for pair in PAIRS for light in (-0.2, 0.2)])
    shown = np.array([[name in pair for name in NAMES] for pair in PAIRS for _ in range(2)])
    assert ((odds > 0) == shown).mean() > 0.97


@pytest.mark.parametrize("pairs", [PAIRS, [pair for pair in PAIRS if "white" not in pair] * 4])
def test_too_few_cards_teach_nothing(pairs: list[Symbols]) -> None:
    """Few of all, or none with one of the symbols."""
    assert looks_of(taught(pairs)) is None
    assert looks_of(taught([])) is None


LOFT = {sample.photo.stem: sample for sample in SAMPLES if sample.photo.parent.name == "loft"}


def test_two_photos_of_the_set_up_teach_the_tiles_of_a_table() -> None:
    """From two photos whose tiles a person has confirmed to a third in other light."""
    sample = LOFT["middle_warm"]
    plain = profile = profile_of(sample)
    for setup in (LOFT["setup"], LOFT["setup_2"]):
        profile = teach(load_photo(setup.photo), profile, BOARD, setup.truth)

    def right(profile: Profile) -> int:
        read = {str(tile.city): sorted(tile.pair) for tile in scan([sample.photo], profile).cards.tiles}
        return sum(read.get(city) == sorted(pair) for city, pair in sample.truth["demand"].items())

    assert right(profile) >= len(sample.truth["demand"]) - 3
    assert right(profile) > right(plain)


def test_tiles_that_lie_otherwise_teach_nothing() -> None:
    """A game can go on with other tiles on the table than in its record."""
    setup = LOFT["setup"]
    cities, pairs = [*setup.truth["demand"]], [*setup.truth["demand"].values()]
    other = {**setup.truth, "demand": dict(zip(cities, [*pairs[5:], *pairs[:5]], strict=True))}
    surface = teach(load_photo(setup.photo), profile_of(setup), BOARD, other).surfaces["map"]
    assert surface.lessons
    assert not surface.faces
