"""Photos of the share tiles in front of players: whoever counts a game or enters one under way need not count them."""

from typing import TYPE_CHECKING

from flask import flash, request

from calibration import SHARE_TILES, Photo
from engine.mini_express import Setup
from engine.sentences import Problem

from ..language import say
from ..services import reader

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import Figure


def share_tiles_known() -> bool:
    """Whether a photo of share tiles can be read."""
    known = reader().profiles.for_counting()
    return known is not None and SHARE_TILES in known.surfaces


def shares_sent(setup: Setup) -> dict[str, bytes]:
    """The photos that came with a form, by the seat in front of which the shares lie."""
    sent = {seat: request.files.get(f"photo.{seat}") for seat in setup.seats}
    return {seat: file.stream.read() for seat, file in sent.items() if file and file.filename}


def shares_in(setup: Setup, files: dict[str, bytes]) -> "dict[str, tuple[Photo, list[Figure]]]":
    """Each photo and how many shares of each company it shows; one that cannot be read is told, the others count."""
    found = {}
    for seat, data in files.items():
        try:
            (photo,) = reader().loaded([data])
            found[seat] = photo, reader().numbers([], setup.humans, {seat: photo}).figures
        except Problem as problem:
            flash(say("{seat}: {problem}", seat=seat, problem=problem))
    return found
