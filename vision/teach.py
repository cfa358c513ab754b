"""Teaching a table profile from a photo whose position is known: the looks of this table's pieces and tiles.

The set-up of every game is known, and so is every reading a person has confirmed; the tiles as the game's record has
them, if they look so. What such a photo teaches is kept in the profile and is where the reader starts from later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from calibration import Photo, Profile, Surface, in_colour
from calibration.faces import Face, Symbols, with_faces
from calibration.lessons import Colour, has_taught, three, with_lesson
from calibration.surface import CellId
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Phrase, Problem

from .cells.colours import Float
from .cells.faces import middle_of
from .cells.odds import NOT_THERE
from .cells.reading import Reading, examine
from .cells.sight import Sight
from .compared import differing
from .panels.evidence import PANEL_SCALE, PanelEvidence
from .panels.figures import figures
from .panels.lessons import colours_shown, known_markers, lesson_of
from .panels.reading import read_panel
from .sightings import MAP, Sighting, sightings_of
from .state.demand import AS_TOLD, laid_so, tiles_by_cell, tiles_in_view

# One train that is said to be there may be missed, or this share. Markers are missed more often: some print has their
# colour.
TRAINS_WRONG, MARKERS_WRONG = 0.15, 0.5
# So many values that plainly show otherwise are no slip of the reading, but another moment.
VALUES_WRONG = 2
# Trains that nobody named and that clearly show, by these log odds, are more than those named: it is another position.
CLEARLY_THERE = 4.0


class LessonProblem(Problem):
    """A photo that teaches nothing."""

    sentences = {
        "no_numbers": N_(
            "The state tells nothing by which {photo} could be checked: add the track or the influence that it shows."
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
    """The profile that has learnt from a photo of its boards, whichever of them it shows.

    `shown` holds parts of a state JSON: `track`, and perhaps `demand`, for the map; `influence` for the board that
    shows it, and perhaps `companies`, by whose values it is checked. Raises PhotoProblem, RegistrationProblem,
    LessonProblem, ProfileProblem.
    """
    photo = in_colour(photo)
    if MAP in profile.surfaces:
        profile.map_of(board)
    learnt, problem = profile, LessonProblem("no_numbers", photo=photo.name)
    for sighting in sightings_of(photo, profile):
        try:
            taught = _taught(sighting, profile, board, shown)
        except LessonProblem as reason:
            if sighting.surface == MAP:
                raise
            problem = reason  # what the map beside it teaches holds all the same
        else:
            learnt = learnt.with_surface(taught) if taught else learnt
    if learnt is profile:
        raise problem
    return learnt


def _taught(sighting: Sighting, profile: Profile, board: Board, shown: Mapping[str, Any]) -> Surface | None:
    """The surface that has learnt, None where nothing is told of it."""
    surface = profile.surfaces[sighting.surface]
    if surface.name == MAP:
        return _map(sighting, surface, board, shown)
    return _panel(sighting, surface, shown)


def _map(sighting: Sighting, surface: Surface, board: Board, shown: Mapping[str, Any]) -> Surface | None:
    """The map that has learnt the wood of the trains, and the tiles if these are told."""
    names = [kind.name for kind in surface.kinds]
    known = [
        (surface.index[int(q), int(r)], names.index(company))
        for company, hexes in shown.get("track", {}).items()
        for q, r in hexes
    ]
    if not known:
        return None
    name, reading = sighting.photo.name, _looked_at(sighting, surface)
    seen = [(cell, kind) for cell, kind in known if reading.seen[cell]]
    wrong = [surface.cells[cell].id for cell, kind in seen if reading.odds[cell, kind] < NOT_THERE]
    _refuse_contradiction(wrong, len(seen), name, TRAINS_WRONG)
    _refuse_bare_homes(reading, seen, name)
    named = np.isin(np.arange(len(surface.cells)), [cell for cell, _ in known])
    others = np.flatnonzero((reading.odds.max(axis=1) > CLEARLY_THERE) & reading.seen & ~named)
    _refuse_contradiction([surface.cells[cell].id for cell in others], len(known), name, 1.0)
    lesson = {names[kind]: colour for kind, colour in _colours(reading, known).items()}
    tiles = tiles_by_cell(surface, board, {int(n): pair for n, pair in shown.get("demand", {}).items()})
    return _with_lesson(surface, lesson, name, _faces(reading, tiles))


def _looked_at(sighting: Sighting, surface: Surface) -> Reading:
    """What the map shows, looked at as if no tile had been learnt: so a photo shows the same when it comes again."""
    reading = examine(sighting.photo, sighting.registration, replace(surface, faces={}))
    return replace(reading, surface=surface)


def _panel(sighting: Sighting, surface: Surface, shown: Mapping[str, Any]) -> Surface | None:
    """The board of tracks that has learnt the colours of the players' markers; None for one without."""
    known = known_markers(surface, shown.get("influence", {}))
    if not known:
        return None
    name, straight = sighting.photo.name, sighting.registration.straight(sighting.photo)
    sight = Sight.of(straight, sighting.registration, surface, PANEL_SCALE)
    colours = colours_shown(PanelEvidence(sight), known)
    gone = [surface.cells[marker.cell].id for marker, colour in colours.items() if colour is None]
    _refuse_contradiction(gone, len(colours), name, MARKERS_WRONG)
    _refuse_other_values(sighting, surface, shown)
    return _with_lesson(surface, lesson_of(surface, colours, shown["influence"]), name)


def _refuse_other_values(sighting: Sighting, surface: Surface, shown: Mapping[str, Any]) -> None:
    """Raise LessonProblem where the value markers, whose wood nobody has to learn first, stand elsewhere than told."""
    if not shown.get("companies"):
        return
    read = figures([read_panel(sighting.photo, sighting.registration, surface)])
    wrong = [*differing([figure for figure in read if figure.path[-1] == "value"], shown)]
    if len(wrong) >= VALUES_WRONG:
        value, told = wrong[0]
        raise LessonProblem("contradicts", photo=sighting.photo.name, hex=f"{value.cells}/{told}")


def _with_lesson(
    surface: Surface,
    lesson: Mapping[str, Colour],
    name: Phrase | str,
    faces: Sequence[tuple[Symbols, Face]] = (),
) -> Surface:
    """The surface with one more lesson; a photo that has taught it before adds only what it did not teach then.

    Its tiles are then what they are said to be now: a position can be put right after it was confirmed.
    """
    if not lesson:
        raise LessonProblem("nothing", photo=name)
    if has_taught(surface.lessons, lesson):
        lesson = {kind: colour for kind, colour in lesson.items() if kind not in surface.lessons}
    return replace(
        surface, lessons=with_lesson(surface.lessons, lesson), faces=with_faces(surface.faces, faces)
    )


def _refuse_contradiction(wrong: Sequence[CellId], seen: int, name: Phrase | str, most: float) -> None:
    """Raise LessonProblem where more than this share of the pieces that can be `seen` are not in their cells."""
    if len(wrong) > max(1, most * seen):
        raise LessonProblem("contradicts", photo=name, hex=wrong[0])


def _refuse_bare_homes(reading: Reading, seen: Sequence[tuple[int, int]], name: Phrase | str) -> None:
    """Raise LessonProblem where only home pieces are named, and half of those `seen` do not show.

    The reader takes the colours of pieces from their home cells, so what lies there resembles them, even bare print: on
    photos of empty maps a single one shows -0.5, but half of them -4.3 at most. With their trains it is -0.8 at least
    in 28 photos, ten of which have start cities printed in the colours of the trains.
    """
    odds = [float(reading.odds[cell, kind]) for cell, kind in seen]
    if not seen or any(reading.surface.kinds[kind].home != cell for cell, kind in seen):
        return
    if np.median(odds) < NOT_THERE:
        barest = seen[int(np.argmin(odds))][0]
        raise LessonProblem("contradicts", photo=name, hex=reading.surface.cells[barest].id)


def _colours(reading: Reading, known: list[tuple[int, int]]) -> dict[int, Colour]:
    """The colour of each kind, by those of the known pieces (cell, kind) that rather show: else bare print teaches."""
    shown: dict[int, list[Float]] = {}
    for piece in reading.pieces:
        shows = (piece.cell, piece.kind) in known and reading.odds[piece.cell, piece.kind] > 0
        if shows and reading.seen[piece.cell] and piece.colour is not None:
            shown.setdefault(piece.kind, []).append(piece.colour)
    return {kind: three(np.median(colours, axis=0)) for kind, colours in shown.items()}


def _faces(reading: Reading, tiles: Mapping[int, Symbols]) -> list[tuple[Symbols, Face]]:
    """The faces of the known `tiles`, by the indices of their cells, that are in plain view.

    None where the tiles on the table are others: a game can be played on without anybody comparing them all.
    """
    share = laid_so([reading], tiles)
    if share is None or share < AS_TOLD:
        return []
    return [(tiles[cell], middle_of(reading.shown[cell])) for cell in tiles_in_view(reading, tiles)]
