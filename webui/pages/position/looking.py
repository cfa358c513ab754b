"""Photos of the boards of a game under way: what they show is known from then on, what speaks against them is told."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from flask import flash

from calibration import Photo
from engine.mini_express import Part, Setup
from engine.mini_express.agreed import setup_of
from engine.sentences import N_, Problem

from ...kept.positions import Position
from ...kept.reader import named_by_number
from ...kept.seeing import OTHER_NUMBERS, OTHER_TILES, OTHER_TRAINS
from ...language import line_of, say
from ...problems import WebProblem
from ...services import positions, reader
from ..agreed import forgotten
from ..places import problem_on
from ..sharing import tell_otherwise
from .known import agreed_and_seen, proposed

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import TableScan

CONFLICTS_SHOWN = 6
PHOTOS_IN_ALL = 6

Photos = dict[int, Photo]
"""Photos of the boards by their numbers."""


def look_at_boards(id: str, files: Sequence[bytes]) -> None:
    """Read photos of the boards, with those sent before."""

    def with_these(position: Position, kept: Photos) -> Photos:
        if len(files) + len(position.focals) > PHOTOS_IN_ALL:
            raise WebProblem("too_many_photos", limit=PHOTOS_IN_ALL)
        return {**kept, **dict(enumerate(reader().loaded(files), position.taken))}

    look_at(id, with_these)


def look_at(id: str, chosen: Callable[[Position, Photos], Photos]) -> None:
    """Read the photos of the boards that are `chosen` by those kept so far, and keep no others.

    What cannot be read is told, and nothing is lost.
    """
    try:
        position = positions().load(id)
        setup, kept = agreed_of(position), positions().photos(position)
        photos = chosen(position, kept)
        if len(kept) < len(position.focals):
            flash(line_of(WebProblem("photo_damaged")))
        found, maps = reader().table(named_by_number([*photos.values()]), setup) if photos else (None, {})
        part, unclear = agreed_and_seen(setup, found), proposed(found) if found else {}
        clear = {figure.name: str(figure.best) for figure in found.figures if figure.clear} if found else {}
        positions().look(position, photos, maps, lambda now: now.seen(part, unclear).contradicted(clear))
        positions().remember(id, found)
    except Problem as problem:
        for told in dict.fromkeys(map(line_of, [problem, *reader().profiles.damaged()])):
            flash(told)
    else:
        if found:
            _tell_of(found, setup)
            tell_otherwise(clear, position.written)


def agreed_of(position: Position) -> Setup:
    """What was agreed of a game when it was begun here."""
    return setup_of(position.part.told, position.part.pack)


def _tell_of(found: "TableScan", setup: Setup) -> None:
    """What does not fit in the photos, and the boards that none of them shows."""
    lasting = (OTHER_TRAINS, OTHER_TILES, OTHER_NUMBERS)
    passing = [problem for problem in found.all_conflicts if problem.key not in lasting]
    texts = [problem_on(setup.board, problem) for problem in passing[:CONFLICTS_SHOWN]]
    for text in dict.fromkeys([*texts, *map(line_of, reader().profiles.damaged())]):
        flash(text)
    if found.missing:
        flash(say("Not found in the photos: {boards}.", boards=found.missing))


def also_played(found: "TableScan | None", part: Part) -> str:
    """That photos show markers of colours that nobody is said to play; "" where they do not."""
    setup = setup_of(part.told, part.pack)
    if not found or not (also := forgotten(setup, found.colours)):
        return ""
    more = (
        N_(
            "The photos also seem to show markers of players who do not play here: {colours}. If they play, begin "
            "anew."
        )
        if setup.bot_seat is None
        else N_(
            "The photos also seem to show markers of other colours: {colours}. One is Mašinfíra's; if another player "
            "has one of them, begin anew."
        )
    )
    return say(more, colours=[*also])
