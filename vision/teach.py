"""Teaching a table profile from a photo whose position is known: the looks of this table's pieces and tiles.

The set-up of every game is known, and so is every reading a person has confirmed; the tiles as the game's record has
them, if they look so. What such a photo teaches is kept in the profile and is where the reader starts from later.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from calibration import Photo, Profile, Surface, register
from calibration.faces import Face, Symbols, with_faces
from calibration.lessons import Colour, with_lesson
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Phrase, Problem

from .colours import Float
from .faces import middle_of, pairs_of
from .reading import Reading, examine

# A train that is said to be there and has smaller log odds than this is not; one may be missed, or this share.
NOT_THERE, WRONG_SHARE = -2.0, 0.15
# A tile with smaller log odds than this is hidden by what stands beside it.
LIES_THERE = 2.0
# Where fewer of the tiles look as they are said to, or so few can be seen, the table may have been laid otherwise; by
# chance a tenth would.
LAID_SO, TILES_AT_LEAST = 0.5, 6


class LessonProblem(Problem):
    """A photo that teaches nothing."""

    sentences = {
        "no_trains": N_(
            "The state has no train by which {photo} could be checked: add the track that it shows."
        ),
        "contradicts": N_(
            "{photo} does not show what the state says, for one at {hex}: check that photo and state belong together."
        ),
        "nothing": N_("{photo} shows no piece that the state names: take it so that the pieces can be seen."),
    }


def setup_shown(board: Board) -> dict[str, Any]:
    """What a photo of the set-up shows: a train of each company on its start city (R2.2)."""
    return {"track": {company: [list(board.starts[company].at)] for company in COMPANIES}}


def teach(photo: Photo, profile: Profile, board: Board, shown: Mapping[str, Any]) -> Profile:
    """The profile that has learnt from a photo of its map.

    `shown` holds `track`, and may hold `demand`, of a state JSON.
    Raises RegistrationProblem, LessonProblem, ProfileProblem.
    """
    surface = profile.map_of(board)
    registration = register(photo, surface)
    if registration.problem:
        raise registration.problem
    names = [kind.name for kind in surface.kinds]
    known = [
        (surface.index[int(q), int(r)], names.index(company))
        for company, hexes in shown.get("track", {}).items()
        for q, r in hexes
    ]
    if not known:
        raise LessonProblem("no_trains", photo=photo.name)
    straight = registration.straight(photo)
    reading = examine(straight.pixels, registration, surface, straight.focal)
    _refuse_contradiction(reading, surface, known, photo.name)
    lesson = {names[kind]: colour for kind, colour in _colours(reading, known).items()}
    if not lesson:
        raise LessonProblem("nothing", photo=photo.name)
    tiles = {
        surface.index[board.numbered[int(number)].at]: tuple(sorted(pair))
        for number, pair in shown.get("demand", {}).items()
    }
    taught = replace(
        surface,
        lessons=with_lesson(surface.lessons, lesson),
        faces=with_faces(surface.faces, _faces(reading, tiles, pairs_of(names))),
    )
    return replace(profile, surfaces={**profile.surfaces, "map": taught})


def _refuse_contradiction(
    reading: Reading, surface: Surface, known: list[tuple[int, int]], name: Phrase | str
) -> None:
    seen = [(cell, kind) for cell, kind in known if reading.seen[cell]]
    wrong = [(cell, kind) for cell, kind in seen if reading.odds[cell, kind] < NOT_THERE]
    if len(wrong) > max(1, WRONG_SHARE * len(seen)):
        raise LessonProblem("contradicts", photo=name, hex=surface.cells[wrong[0][0]].id)


def _colours(reading: Reading, known: list[tuple[int, int]]) -> dict[int, Colour]:
    """The colour of each kind, by those of the known pieces (cell, kind) that were found."""
    shown: dict[int, list[Float]] = {}
    for piece in reading.pieces:
        if (piece.cell, piece.kind) in known and reading.seen[piece.cell] and piece.colour is not None:
            shown.setdefault(piece.kind, []).append(piece.colour)
    return {kind: _plain(np.median(colours, axis=0)) for kind, colours in shown.items()}


def _faces(
    reading: Reading, tiles: Mapping[int, Symbols], pairs: list[Symbols]
) -> list[tuple[Symbols, Face]]:
    """The faces of the known `tiles`, by the indices of their cells, that are in plain view.

    None where the tiles on the table are others: a game can be played on without anybody comparing them all.
    """
    plain = [cell for cell in tiles if reading.seen[cell] and reading.card[cell] > LIES_THERE]
    shown = [cell for cell in plain if cell in reading.shown]
    alike = [pairs[int(reading.faces[cell].argmax())] == tiles[cell] for cell in shown]
    believed = len(shown) >= TILES_AT_LEAST and sum(alike) > LAID_SO * len(shown)
    return [(tiles[cell], middle_of(reading.shown[cell])) for cell in shown] if believed else []


def _plain(colour: Float) -> Colour:
    a, b, c = np.asarray(colour, np.float64).tolist()
    return a, b, c
