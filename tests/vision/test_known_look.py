"""How the board is known to look while it is watched: what has changed, and what of it is taken for known."""

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration import Surface
from calibration.hexes import hex_outline
from calibration.surface import Cell
from engine import mini_express as game
from engine.hexgrid import Hex, distance, neighbours
from vision.live.follow import HAND_MM, Above, Look
from vision.live.known_look import KnownLook

MIDDLE: Hex = (0, 0)
BESIDE: set[Hex] = {MIDDLE, *neighbours(MIDDLE)}
"""Where a piece in the middle may be seen: it is high, and no hex is read by itself."""
HEXES = [(q, r) for q in range(-4, 5) for r in range(-4, 5) if distance(MIDDLE, (q, r)) <= 4]
SURFACE = Surface(
    "map",
    "usa",
    np.zeros((9, 9, 3), np.uint8),
    np.eye(3),
    tuple(Cell(at, hex_outline(at)) for at in HEXES),
    (),
)
ABOVE = Above(SURFACE)
PLACE, ELSEWHERE = np.eye(3), np.eye(3)
STATE: Any = SimpleNamespace(hexes=lambda company: [(3, -3)] if company == "gray" else [])


def look(*pieces: Hex, place: Any = PLACE) -> Look:
    """The board from above, something lighter on some of its hexes."""
    width, height = ABOVE.frame.size
    light = np.zeros((height, width, 3), np.float32)
    for x, y in ABOVE.centers[[SURFACE.index[at] for at in pieces]]:
        light[y - 4 : y + 4, x - 4 : x + 4] = 1
    return Look(light, np.ones((height, width), bool), place)


def reading(p: float = 0.0, *unseen: Hex) -> Any:
    """What was found: a new train in the middle with this probability."""
    return SimpleNamespace(
        unseen=list(unseen), observation=SimpleNamespace(p=lambda at, _: p if at == MIDDLE else 0.0)
    )


@pytest.fixture
def known() -> KnownLook:
    found = KnownLook(SURFACE, ABOVE)
    found.settle(look(), found.changed(look()), reading(), STATE, False)
    return found


def test_distances_are_millimetres() -> None:
    """On the board, whatever the scale at which it is watched."""
    (x, y), where = ABOVE.centers[SURFACE.index[MIDDLE]], np.zeros(ABOVE.frame.size[::-1], bool)
    off = np.zeros(where.shape, np.float32)
    where[y, round(x + 20 * ABOVE.frame.scale)] = True
    near = {mm: ABOVE.cells_near(where, mm)[SURFACE.index[MIDDLE]] for mm in (17.0, 23.0)}
    assert near == {17.0: False, 23.0: True}
    for wide, hand in ((HAND_MM - 6, False), (HAND_MM + 6, True)):
        off[:] = 0
        cv2.circle(off, (int(x), int(y)), round(wide / 2 * ABOVE.frame.scale), 1.0, -1)
        assert ABOVE.hand(off, 0.5) == hand


def changed(known: KnownLook, now: Look) -> set[Hex]:
    return {at for at, other in zip(HEXES, known.changed(now), strict=True) if other}


def test_at_first_all_is_new_and_then_only_what_looks_otherwise(known: KnownLook) -> None:
    assert KnownLook(SURFACE, ABOVE).changed(look()).all()
    assert changed(known, look()) == set()
    assert {MIDDLE} <= changed(known, look(MIDDLE)) <= BESIDE


@pytest.mark.parametrize(
    ("found", "played", "still_new"),
    [
        (reading(), True, False),
        (reading(), False, True),  # it may be the beginning of a build that the reader overlooks
        (reading(0.5), True, True),
        (reading(0.0, MIDDLE), True, True),
    ],
)
def test_a_change_is_taken_for_known_after_a_turn_where_surely_no_train_stands(
    known: KnownLook, found: Any, played: bool, still_new: bool
) -> None:
    now = look(MIDDLE)
    known.settle(now, known.changed(now), found, STATE, played)
    assert (MIDDLE in changed(known, now)) == still_new


def test_what_looks_as_it_did_has_the_trains_of_the_state_and_nothing_is_known_of_the_rest(
    known: KnownLook,
) -> None:
    now = look(MIDDLE)
    told = known.standing(now, known.changed(now), STATE)
    assert {*HEXES} - BESIDE <= {at for at, _ in told} <= {*HEXES} - {MIDDLE}
    assert [train for train, there in told.items() if there] == [((3, -3), "gray")]
    assert {company for _, company in told} == {*game.COMPANIES}


def test_track_was_played_only_where_little_changed_and_nothing_was_moved(known: KnownLook) -> None:
    one, elsewhere, much = look(MIDDLE), look(MIDDLE, place=ELSEWHERE), look(*HEXES[::3])
    assert MIDDLE in known.played_on(one, known.changed(one))
    assert known.played_on(elsewhere, known.changed(elsewhere)) == []
    assert known.played_on(much, known.changed(much)) == []
