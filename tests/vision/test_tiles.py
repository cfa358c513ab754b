"""Demand tiles by their printed colours (R1.4), on faces mixed by hand."""

import numpy as np
import pytest

from vision.tiles import Prints, first_guess, learn_prints, read_pair

COLOURS = {
    "brown": (-2.5, 1.5, -1.5),
    "gray": (-1.5, 0.1, 0.0),
    "orange": (-1.5, 2.5, -4.0),
    "white": (-0.1, 0.0, -0.2),
    "wild": (-2.0, 0.8, 1.8),
}
CARD = (-0.3, 0.2, -0.9)
NAMES = tuple(COLOURS)
PAIRS = [(a, b) for n, a in enumerate(NAMES) for b in NAMES[n:] if (a, b) != ("wild", "wild")]


def face(pair: tuple[str, str], seed: int, shift: float = 0.0) -> np.ndarray:
    """The pixels of a tile: card, two symbols, their outlines, noise; `shift` changes all prints' colours."""
    rng = np.random.default_rng(seed)
    parts = [np.tile(CARD, (90, 1))]
    parts += [np.tile(np.array(COLOURS[name]) + shift, (38, 1)) for name in pair]
    parts += [np.tile((-3.5, 0.0, 0.0), (12, 1))]
    return (np.concatenate(parts) + rng.normal(0, 0.15, (178, 3))).astype(np.float32)


def prints(wild: bool) -> Prints:
    symbols = {name: np.array(colour, np.float32) for name, colour in COLOURS.items()}
    return Prints(np.array(CARD, np.float32), {**symbols, "wild": symbols["wild"] if wild else None})


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("wild", [True, False], ids=["wild known", "wild unknown"])
def test_every_pair_is_told_from_every_other(pair: tuple[str, str], wild: bool) -> None:
    shares = read_pair(face(pair, 1), prints(wild), PAIRS)
    assert shares.sum() == pytest.approx(1)
    assert PAIRS[int(shares.argmax())] == pair
    assert shares.max() > 0.9


def test_known_tiles_teach_the_printed_colours() -> None:
    """Prints far from the wood's colours are misread at first, and read once some tiles are known."""
    faces = [face(pair, seed, shift=0.9) for seed, pair in enumerate(PAIRS)]
    wood = {name: np.array(colour, np.float32) for name, colour in COLOURS.items() if name != "wild"}
    guess = first_guess(faces, wood)
    taught = learn_prints(faces[::2], PAIRS[::2], guess)
    for name, colour in COLOURS.items():
        shown = taught.symbols[name]
        assert shown is not None
        assert np.abs(shown - (np.array(colour) + 0.9)).max() < 0.2, name

    def right(told: Prints) -> float:
        return float(
            np.mean(
                [
                    PAIRS[int(read_pair(f, told, PAIRS).argmax())] == p
                    for f, p in zip(faces, PAIRS, strict=True)
                ]
            )
        )

    assert right(taught) == 1.0
    assert right(guess) < 1.0


def test_a_face_that_shows_nothing_is_not_certain() -> None:
    blank = np.tile(np.array(CARD, np.float32), (6, 1))
    assert read_pair(blank, prints(True), PAIRS).max() < 0.5
