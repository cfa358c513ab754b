"""Hexes in words: no two of a map are called the same, and the words lead there."""

import pytest

from engine.catalogue import texts
from engine.hexgrid import DIRECTIONS
from engine.mini_express import built_in
from engine.mini_express.places import FARTHER, Place, place

BOARDS = built_in().boards


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_no_two_hexes_are_called_the_same(board) -> None:
    names = [texts("en").shown(place(board, at)) for at in board.index]
    assert len(set(names)) == len(board.index)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_steps_lead_to_the_hex(board) -> None:
    turns = {sentence: turn for turn, both in enumerate(FARTHER) for sentence in both}
    far = {
        at: name
        for at in board.index
        if isinstance(name := place(board, at), Place) and name.sentence in turns
    }
    assert far
    for at, name in far.items():
        q, r = board.city_named[name.city].at
        for turn, steps in ((turns[name.sentence], name.n), (turns[name.sentence] + 1, name.m)):
            dq, dr = DIRECTIONS[turn % 6]
            q, r = q + dq * steps, r + dr * steps
        assert (q, r) == at


def test_the_words_are_those_of_people() -> None:
    salt_lake = Place(FARTHER[0][1], "Salt Lake City", 1, 1)
    assert texts("en").shown(salt_lake) == "the hex 1 north and 1 north-east of Salt Lake City"
