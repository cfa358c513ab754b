"""Cards told by what this table's cards have been seen to look like."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from synthetic_table import BOARD, table
from test_samples import SAMPLES, profile_of

from calibration import Profile, Surface, load_photo
from calibration.faces import MIDDLE, SIDE, Face, Symbols, with_faces
from calibration.surface import transform
from vision import scan, teach
from vision.cells import reading
from vision.cells.colours import scaled
from vision.cells.faces import STEP, WINDOW, compared, face_at, looks_of, middle_of, pairs_of
from vision.cells.light import to_log
from vision.cells.sight import Sight

NAMES = ("brown", "gray", "orange", "white")
INKS = np.array([(-3, 1, -1), (-2, 0, 0), (-1, 2, -2), (-0.3, 0.1, 0), (-2.5, -1, 1)])
PAIRS = pairs_of(NAMES)


def drawn(pair: Symbols, rng: np.random.Generator, light: float = 0.0, blur: float = 0.0) -> Face:
    """Two stripes of ink on pale card, anyhow turned, a little beside the middle of the window, with noise."""
    card, middle = np.full((WINDOW, WINDOW, 3), (-0.8, 0.2, -0.3), np.float32), WINDOW // 2
    for name, left in zip(pair, (middle - 8, middle + 2), strict=True):
        card[middle - 8 : middle + 9, left : left + 7] = INKS[(*NAMES, "wild").index(name)]
    turn = cv2.getRotationMatrix2D((middle, middle), rng.uniform(0, 360), 1)
    turn[:, 2] += rng.uniform(-3, 3, 2)
    card = cv2.warpAffine(card, turn, (WINDOW, WINDOW), borderValue=(-0.8, 0.2, -0.3))
    seen = cv2.GaussianBlur(card, (0, 0), blur) if blur else card
    noisy = seen + rng.normal(0, 0.1, card.shape) + rng.normal(0, 0.1, 3) + (light, 0, 0)
    return np.asarray(np.rint(noisy / STEP), np.int8)


def taught(pairs: list[Symbols]) -> Surface:
    rng = np.random.default_rng(1)
    return replace(
        table().surfaces["map"],
        faces=with_faces({}, [(pair, middle_of(drawn(pair, rng))) for pair in pairs]),
    )


def test_a_face_is_what_the_photo_shows_there_in_the_light_of_the_reference() -> None:
    """Of a photo that is the reference darkened, the face is the reference's, as fine as the photo is."""
    surface = table().surfaces["map"]
    darker = (surface.reference * 0.7).astype(np.uint8)
    sight = Sight(darker, surface.plane_to_image, surface, None)
    face = middle_of(face_at(sight, surface.cells[40].center))
    assert face.shape == (SIDE, SIDE, 3)
    assert surface.card is not None
    x, y = surface.cells[40].center
    steps = (np.arange(SIDE) - SIDE // 2) * MIDDLE * surface.card.size[0] / SIDE
    across = transform([(x + step, y) for step in steps.tolist()], surface.plane_to_image)
    row = cv2.remap(surface.reference, across[None].astype(np.float32), None, cv2.INTER_LINEAR)[0]
    assert np.abs(face[SIDE // 2] * STEP - scaled(to_log(row), sight.white)).max() < 0.35


@pytest.mark.parametrize(("light", "blur"), [(0.0, 0.0), (-0.4, 0.0), (0.3, 1.5)])
def test_a_card_is_told_whichever_way_round_it_lies(light: float, blur: float) -> None:
    rng = np.random.default_rng(2)
    shown = [drawn(pair, rng, light, blur) for pair in PAIRS]
    learnt = compared(shown, looks_of(taught(PAIRS * 2))).learnt
    assert learnt is not None
    told = learnt.argmax(axis=1)
    assert sum(PAIRS[best] == pair for best, pair in zip(told, PAIRS, strict=True)) >= len(PAIRS) - 1


def test_a_face_never_seen_may_be_anything_that_is_there() -> None:
    unknown, rng = PAIRS.index(("gray", "orange")), np.random.default_rng(3)
    looks = looks_of(taught([pair for n, pair in enumerate(PAIRS) if n != unknown]))
    fits = compared([drawn(pair, rng) for pair in PAIRS], looks).learnt
    assert fits is not None
    assert (fits[:, unknown] == fits.max(axis=1)).all()


@pytest.mark.parametrize("known", [[], PAIRS])
def test_equal_cards_agree_more_than_others_whatever_has_been_learnt(known: list[Symbols]) -> None:
    rng = np.random.default_rng(4)
    agree = compared([drawn(pair, rng) for pair in (*PAIRS, *PAIRS)], looks_of(taught(known))).each_other
    assert np.array_equal(agree, agree.T)
    np.fill_diagonal(agree, -1)
    most = agree.argmax(axis=1)
    assert [n % len(PAIRS) for n in most] == [n % len(PAIRS) for n in range(len(most))]


@pytest.mark.parametrize("known", [[], PAIRS])
@pytest.mark.parametrize("count", [0, 1])
def test_no_card_and_a_single_one_can_be_compared_too(known: list[Symbols], count: int) -> None:
    """A photo may show no city, or one."""
    both = compared([drawn(PAIRS[0], np.random.default_rng(5))] * count, looks_of(taught(known)))
    assert both.each_other.shape == (count, count)
    assert both.learnt is None if not known else both.learnt.shape == (count, len(PAIRS))


def test_a_card_of_which_little_shows_may_be_anything() -> None:
    """Where a train stands on it nobody reads its symbols, whatever the network makes of what is left."""
    said, places = np.tile([4.0, 4.0, -4.0, -4.0, -4.0], (2, 1)), np.zeros(2)
    seen = reading.Reading(
        surface=table().surfaces["map"],
        odds=np.zeros((2, 4)),
        card=np.array([6.0, -6.0]),
        marker=places,
        symbols=said,
        hidden=places,
        pieces=[],
        shown={},
        camera=np.zeros(3),
        alike=None,
        burnt=0.0,
    )
    plain, covered = seen.faces - seen.faces[:, :1]
    assert np.ptp(plain) > 10
    assert np.ptp(covered) < 1


def test_no_cards_teach_nothing() -> None:
    assert looks_of(taught([])) is None


LOFT = {sample.photo.stem: sample for sample in SAMPLES if sample.photo.parent.name == "loft"}


@pytest.mark.slow
def test_two_photos_of_the_set_up_teach_the_tiles_of_a_table() -> None:
    """From two photos whose tiles a person has confirmed to a third in other light."""
    sample = LOFT["middle_warm"]
    plain = profile = profile_of(sample)
    for setup in (LOFT["setup"], LOFT["setup_2"]):
        profile = teach(load_photo(setup.photo), profile, BOARD, setup.truth)

    def right(profile: Profile) -> int:
        read = {str(tile.city): sorted(tile.pair) for tile in scan([sample.photo], profile).cards.tiles}
        return sum(read.get(city) == sorted(pair) for city, pair in sample.truth["demand"].items())

    assert right(profile) >= len(sample.truth["demand"]) - 1
    assert right(profile) > right(plain)


@pytest.mark.slow
def test_tiles_are_learnt_though_the_reader_makes_nothing_of_their_symbols(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Equal ones look alike on any table."""
    monkeypatch.setattr(reading, "fits_of_symbols", lambda symbols: np.zeros((len(symbols), len(PAIRS))))
    setup = LOFT["setup"]
    surface = teach(load_photo(setup.photo), profile_of(setup), BOARD, setup.truth).surfaces["map"]
    assert {*surface.faces} == {tuple(sorted(pair)) for pair in setup.truth["demand"].values()}


@pytest.mark.slow
def test_tiles_that_lie_otherwise_teach_nothing() -> None:
    """A game can go on with other tiles on the table than in its record."""
    setup = LOFT["setup"]
    cities, pairs = [*setup.truth["demand"]], [*setup.truth["demand"].values()]
    other = {**setup.truth, "demand": dict(zip(cities, [*pairs[5:], *pairs[:5]], strict=True))}
    surface = teach(load_photo(setup.photo), profile_of(setup), BOARD, other).surfaces["map"]
    assert surface.lessons
    assert not surface.faces
