"""What a table has taught about its cards: kept by what they show, whole, and refused where a file is damaged."""

import json

import numpy as np
import pytest

from calibration.faces import SIDE, Face, Faces, faces_from_json, faces_to_json, with_faces

NAMES = ("brown", "gray", "white")


def face(value: int) -> Face:
    return np.full((SIDE, SIDE, 3), value, np.int8)


def values(faces: Faces) -> dict[tuple[str, ...], list[int]]:
    return {symbols: [int(picture[0, 0, 0]) for picture in pictures] for symbols, pictures in faces.items()}


def test_it_does_not_matter_which_symbol_is_named_first() -> None:
    faces = with_faces({}, [(("wild", "gray"), face(10)), (("gray", "wild"), face(20))])
    assert values(faces) == {("gray", "wild"): [10, 20]}


def test_many_games_do_not_push_out_the_first_ones() -> None:
    faces: Faces = {}
    for n in range(0, 120, 4):
        faces = with_faces(faces, [(("gray", "white"), face(n))])
    assert values(faces)["gray", "white"] == [0, 4, 8, 12, *range(104, 120, 4)]


def test_a_card_shown_once_more_is_what_is_said_last() -> None:
    """A position that was confirmed and then put right; the photo read again shows the card by a level otherwise."""
    once = with_faces({}, [(("gray", "white"), face(10)), (("brown", "gray"), face(40))])
    again = with_faces(once, [(("brown", "gray"), face(11)), (("brown", "gray"), face(41))])
    assert values(again) == {("brown", "gray"): [40, 11]}


def test_faces_survive_their_file() -> None:
    faces = with_faces({}, [(("gray", "white"), face(-127)), (("brown", "brown"), face(5))])
    assert values(faces_from_json(json.loads(json.dumps(faces_to_json(faces))), NAMES)) == values(faces)


def test_no_file_fills_the_memory() -> None:
    stored = faces_to_json(with_faces({}, [(("gray", "white"), face(1))]))
    many = {symbols: pictures * 5000 for symbols, pictures in stored.items()}
    assert len(faces_from_json(many, NAMES)["gray", "white"]) == 8


@pytest.mark.parametrize(
    "broken",
    [
        *({"gray+white": [picture]} for picture in ("AAAA", "?", 3)),
        *({symbols: []} for symbols in ("", "gray", "white+gray", "gray+pink", "gray+gray+white")),
    ],
)
def test_broken_faces_are_refused(broken: dict) -> None:
    with pytest.raises((ValueError, TypeError)):
        faces_from_json(broken, NAMES)
