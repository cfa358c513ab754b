"""Photos of the share tiles in front of players: whoever counts a game or enters one under way need not count them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flask import flash, request

from calibration import SHARE_TILES, Photo
from engine.mini_express import Setup
from engine.sentences import N_, Problem

from ..language import say
from ..services import reader
from .places import figure_named

if TYPE_CHECKING:  # at run time `vision` is looked up late
    from vision import Figure


OTHERWISE = N_("{what}: the photo shows {found}, and {said} was written. That stays: look once more.")
SAME_PHOTO = N_("The same photo was sent for {seats}: whose shares does it show?")
OTHERWISE_TOLD = 6


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
    for data in dict.fromkeys(files.values()):
        seats = [seat for seat, sent in files.items() if sent == data]
        if len(seats) > 1:
            flash(say(SAME_PHOTO, seats=seats))
    for seat, data in files.items():
        try:
            (photo,) = reader().loaded([data])
            found[seat] = photo, reader().numbers([], setup.humans, {seat: photo}).figures
        except Problem as problem:
            flash(say("{seat}: {problem}", seat=seat, problem=problem))
    return found


def tell_otherwise(shown: Mapping[str, str], written: Mapping[str, str]) -> None:
    """Where photos show other numbers than somebody wrote, by field: one of them is wrong."""
    otherwise = [name for name, found in shown.items() if written.get(name, found) != found]
    for name in otherwise[:OTHERWISE_TOLD]:
        flash(say(OTHERWISE, what=figure_named(name), found=shown[name], said=written[name]))
