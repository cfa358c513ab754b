"""What a table has taught about its cards: small pictures of cards whose symbols a person has confirmed.

Pictures of one face are kept by the rule that holds for the colours of pieces: the first ones for good.
"""

from base64 import b64decode, b64encode
from collections.abc import Container, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from engine.mini_express.names import WILD

from .lessons import remembered

Symbols = tuple[str, ...]
"""The names of the symbols a card shows, in order of the alphabet."""
Face = NDArray[np.int8]
"""(SIDE, SIDE, 3): the middle of a card, on whatever scale of colours the reader uses."""
Faces = Mapping[Symbols, tuple[Face, ...]]

SIDE = 25
MIDDLE = 0.75
"""The share of a card's side that a face shows: so much holds the print of cards cut and printed otherwise."""
# Every face kept is compared with every card on the table, so they are few.
LAST_KEPT = 4
SYMBOLS_EACH = 2
BETWEEN = "+"
# A photo read again, with what it taught, shows a card somewhat otherwise, by one level at most on average; two cards
# of one pair differ by seven or more.
SAME_CARD = 3.0


def with_faces(faces: Faces, shown: Iterable[tuple[Symbols, Face]]) -> Faces:
    """The faces and those that one more photo showed; what was said before of the same cards is forgotten."""
    more = dict(faces)
    for symbols, face in shown:
        name = tuple(sorted(symbols))
        for other in [*more]:
            if other != name:
                more[other] = tuple(known for known in more[other] if not _same_card(known, face))
        if not any(_same_card(known, face) for known in more.get(name, ())):
            more[name] = (*more.get(name, ()), face)
    return {name: remembered(pictures, LAST_KEPT) for name, pictures in more.items() if pictures}


def _same_card(face: Face, other: Face) -> bool:
    """Whether two faces are of one card in one photo."""
    return bool(np.abs(face.astype(np.float64) - other).mean() < SAME_CARD)


def faces_to_json(faces: Faces) -> dict[str, list[str]]:
    """Pictures in base 64 by their symbols."""
    return {
        BETWEEN.join(symbols): [b64encode(face.tobytes()).decode() for face in pictures]
        for symbols, pictures in faces.items()
    }


def faces_from_json(obj: Mapping[str, list[str]], names: Container[str]) -> Faces:
    """Raises ValueError, TypeError for anything but pictures by two symbols, of these `names` or the wild card."""
    return {
        _symbols(text, names): tuple(_face(face) for face in remembered(tuple(faces), LAST_KEPT))
        for text, faces in obj.items()
    }


def _symbols(text: str, names: Container[str]) -> Symbols:
    symbols = tuple(text.split(BETWEEN))
    known = all(symbol in names or symbol == WILD for symbol in symbols)
    if len(symbols) != SYMBOLS_EACH or not known or list(symbols) != sorted(symbols):
        raise ValueError("faces")
    return symbols


def _face(text: str) -> Face:
    return np.frombuffer(b64decode(text, validate=True), np.int8).reshape(SIDE, SIDE, 3)
