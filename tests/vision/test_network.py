"""What goes into the network and what comes out: the same whichever way round, and colours by what pieces show."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from calibration.surface import Kind
from vision.cells import network
from vision.cells.colours import (
    LEAN,
    SHOWN_BY,
    assumed_colours,
    colour_at_home,
    colour_of_top,
    colours_at_home,
    colours_of_pieces,
    drawn_towards,
)
from vision.cells.network import GRID_PX, half_turn, look, look_closely

COLOURS = np.array([[-2, 0.5, -1], [-1, 0, 0.2], [-0.5, 1.5, -2], [0, 0, 0]], np.float32)


@pytest.fixture
def layers() -> np.ndarray:
    """A plain board of 40 × 61 mm seen at a slant, with one thing of the third colour on it."""
    layers = np.zeros((9, 40, 61), np.float32)
    layers[:6] = -1.0
    layers[6] = 1
    layers[LEAN] = np.array([0.3, -0.1])[:, None, None]
    layers[:3, 10:18, 20:40] = COLOURS[2][:, None, None]
    return layers


def test_two_half_turns_are_none(layers: np.ndarray) -> None:
    turned = half_turn(layers)
    assert np.array_equal(half_turn(turned), layers)
    assert np.array_equal(turned[:3, 25, 30], layers[:3, 14, 30])
    assert np.array_equal(turned[LEAN, 0, 0], -layers[LEAN, 39, 60])


Asked = list[tuple[Path, tuple[int, int]]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Who looked at how much, of networks that tell how light a place is and how often they had looked before."""
    asked: Asked = []

    def light(model: Path, common: np.ndarray, kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        height, width = (size // GRID_PX for size in common.shape[1:])
        shown = common[0].reshape(height, GRID_PX, width, GRID_PX).mean(axis=(1, 3)) + 100 * len(asked)
        asked.append((model, (height, width)))
        whole = (
            np.broadcast_to(shown, (len(kinds), 2, height, width)),
            np.broadcast_to(shown, (4, height, width)),
        )
        return whole[0].copy(), whole[1].copy()

    monkeypatch.setattr(network, "_forward", light)
    return asked


def test_what_is_doubtful_is_looked_at_once_more_turned_and_the_mean_counts(
    layers: np.ndarray, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With something around it, to the edge of the board; all else stays as it was."""
    monkeypatch.setattr(network, "AROUND", 2)
    first = look(layers, COLOURS)
    doubtful = np.zeros(first.card.shape, bool)
    doubtful[1, 5] = doubtful[4, 7] = True
    second = look_closely(layers, COLOURS, lambda found: doubtful & (found.card > 0))
    assert first.kinds.shape == (4, 40 // GRID_PX, 61 // GRID_PX)
    assert asked == [(network.SMALL, (10, 16)), (network.LARGE, (10, 16)), (network.LARGE, (7, 7))]
    for before, after in ((first.kinds[2], second.kinds[2]), (first.symbols[4], second.symbols[4])):
        assert np.allclose(after - before, np.where(doubtful, 150, 100))


def test_where_nothing_is_doubtful_one_look_is_enough(layers: np.ndarray, asked: Asked) -> None:
    found = look_closely(layers, COLOURS, lambda found: np.zeros(found.card.shape, bool))
    assert asked == [(network.LARGE, (10, 16))]
    assert np.allclose(found.card, look(layers, COLOURS).card - 100)


@pytest.mark.parametrize("model", [network.LARGE, network.SMALL])
def test_a_network_finds_the_piece_that_is_there(layers: np.ndarray, model: Path) -> None:
    """The likeliest foot of a piece of any kind is under the one thing on the board, or where it leans from."""
    common = layers[:, :, :60]
    of_kinds, _ = network._forward(model, common, network.kind_layers(common[:3], COLOURS))
    row, column = np.unravel_index(of_kinds[:, 0].max(axis=0).argmax(), of_kinds.shape[2:])
    assert abs(row * GRID_PX - 14) <= 8
    assert 16 <= column * GRID_PX <= 44


def test_the_top_of_a_piece_is_looked_for_where_it_leans(layers: np.ndarray) -> None:
    """Ten millimetres of height move its top three to the right: so its foot may lie beside what it shows."""
    sight = SimpleNamespace(visible=np.ones(layers.shape[1:], bool))
    shown = colour_of_top(sight, layers, 14.0, 15.0)
    assert shown is not None
    assert np.allclose(shown, COLOURS[2])
    layers[LEAN.start] = -0.3
    assert colour_of_top(sight, layers, 14.0, 15.0) is None


def test_a_home_cell_counts_more_than_what_was_assumed_and_taught(layers: np.ndarray) -> None:
    """Not all: its print often has its piece's colour, so what stands out from it is mostly shade."""
    taught, shown = COLOURS[1], COLOURS[2]
    kind = Kind("orange", (0.5, 0.5, 0.5), (20.0, 8.0, 12.0), home=0)
    assumed = np.array([np.log(0.5) / 0.5, 0, 0])
    for lessons, before, share in (
        ({}, assumed, 0.8),
        ({"orange": (tuple(taught.tolist()),)}, (assumed + taught) / 2, 0.65),
    ):
        surface = SimpleNamespace(kinds=(kind,), lessons=lessons)
        whole = layers.shape[1:]
        frame = SimpleNamespace(scale=1.0)
        visible = np.ones(whole, bool)
        sight = SimpleNamespace(surface=surface, frame=frame, cell_of=np.zeros(whole), visible=visible)
        colours, learnt = colours_at_home(sight, layers, np.array([True]))
        assert np.allclose(assumed_colours(surface)[0], before)
        assert np.allclose(colours[0], before + share * (shown - before))
        assert learnt.all()


def test_a_piece_on_dark_print_of_its_own_colour_is_told_by_what_reaches_beyond_that() -> None:
    """Most of the cell differs from the print by noise alone."""
    rng, wood = np.random.default_rng(5), np.array([-3.0, 4.0, -3.5], np.float32)
    layers = np.zeros((9, 40, 40), np.float32)
    layers[3:6] = np.array([-5.0, -1.5, 2.8])[:, None, None]
    layers[3:6, 10:30, 10:30] = wood[:, None, None]
    layers[:3] = layers[3:6] + rng.normal(0, 0.45, (3, 40, 40))
    layers[:3, :20, 14:22] = wood[:, None, None] + rng.normal(0, 0.2, (3, 20, 8))
    whole = np.ones((40, 40), bool)
    shown = colour_at_home(layers, whole, 250, wood)
    assert shown is not None
    assert np.abs(shown - wood)[1:].max() < 1.0
    differs = np.abs(layers[:3] - layers[3:6]).max(axis=0) > 0.4
    assert np.abs(np.median(layers[:3, differs], axis=1) - wood)[1:].max() > 3.0
    assert colour_at_home(layers[[3, 4, 5, 3, 4, 5, 6, 7, 8]], whole, 250, wood) is None


def shaded(wood: np.ndarray) -> np.ndarray:
    """A cell of 40 × 40 mm of green print, most of it in a lamp's shadow, and a piece of 20 × 10 mm on it."""
    rng = np.random.default_rng(5)
    layers = np.zeros((9, 40, 40), np.float32)
    layers[3:6] = np.array([-2.0, -1.5, -1.0])[:, None, None]
    layers[:3] = layers[3:6] + rng.normal(0, 0.2, (3, 40, 40))
    layers[0, :, 5:] -= 1.5
    layers[:3, 15:25, 10:30] = wood[:, None, None] + rng.normal(0, 0.2, (3, 10, 20))
    return layers


def test_a_piece_in_a_shadow_is_told_by_what_no_shadow_makes_of_the_print() -> None:
    """Four times as much differs from the print as the piece covers, and all of that is the print."""
    wood = np.array([-3.0, 2.0, -1.0], np.float32)
    shown = colour_at_home(shaded(wood), np.ones((40, 40), bool), 300, wood - 1)
    assert shown is not None
    assert np.abs(shown - wood).max() < 0.3


def test_what_is_far_from_all_that_was_assumed_is_not_the_piece() -> None:
    """White wood hardly differs from white print, and something blue in the cell does."""
    rng, white = np.random.default_rng(5), np.array([-0.4, 0.6, 0.3], np.float32)
    layers = np.zeros((9, 40, 40), np.float32)
    layers[:3] = layers[3:6] + rng.normal(0, 0.1, (3, 40, 40))
    layers[:3, 15:25, 10:30] = white[:, None, None]
    layers[:3, 30:36, 10:20] = np.array([-2.0, -1.0, 4.0])[:, None, None]
    shown = colour_at_home(layers, np.ones((40, 40), bool), 300, white + 0.3)
    assert shown is not None
    assert np.abs(shown - white)[1:].max() < 0.3


def test_what_is_larger_than_a_piece_tells_no_colour_by_itself() -> None:
    """A card on the cell is not the wood, but what else differs counts too."""
    wood, card = np.array([-3.0, 2.0, -1.0], np.float32), np.array([-2.0, -1.5, 3.0])
    layers, whole = shaded(wood), np.ones((40, 40), bool)
    layers[:3, 15:37, 10:36] = card[:, None, None]
    layers[:3, 15:25, 10:30] = wood[:, None, None]
    taken = colour_at_home(layers, whole, np.inf, card)
    shown = colour_at_home(layers, whole, 300, card)
    assert taken is not None
    assert shown is not None
    assert abs(taken[2] - card[2]) < 0.3
    assert abs(shown[2] - card[2]) > 2.0


@pytest.mark.parametrize("pieces", [0, 1, 2, 3, 9])
def test_the_more_pieces_of_a_kind_are_found_the_more_their_colour_counts(pieces: int) -> None:
    gray, lighter = COLOURS[1], COLOURS[1] + np.float32(0.4)
    better = colours_of_pieces(COLOURS, [*[(1, lighter)] * pieces, (1, None)])
    assert np.allclose(better[1], drawn_towards(gray, lighter, SHOWN_BY[min(pieces, 3)]))
    assert np.array_equal(better[[0, 2, 3]], COLOURS[[0, 2, 3]])


def test_no_colour_is_learnt_beyond_reason() -> None:
    absurd = COLOURS[3] - np.float32(50)
    assert np.abs(colours_of_pieces(COLOURS, [(3, absurd)] * 9) - COLOURS).max() < 4
