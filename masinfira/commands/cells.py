"""`masinfira cells`: what stands where on any calibrated surface, also of any other game."""

import argparse
from gettext import gettext as _

from calibration import Profile, in_colour, load_photo, register
from engine.catalogue import in_percent
from engine.sentences import N_, Typed
from vision import BoardReading, examine
from vision.cells.reading import HardPhoto

from ..arguments import Subparsers, add_profile, file_name
from ..console import Console


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "cells", parents=[common], help=_("read which pieces stand where, on any board")
    )
    parser.add_argument("photo", type=file_name, metavar="PHOTO", help=_("a photo of the table"))
    parser.add_argument("--surface", required=True, metavar="NAME", help=_("which board of the profile"))
    add_profile(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    surface = Profile.load(args.profile).surface(args.surface)
    with console.progress() as step:
        step(N_("Opening the photo"), 0.0)
        photo = in_colour(load_photo(args.photo))
        step(N_("Finding the board"), 0.15)
        found = register(photo, surface)
        if found.problem:
            raise found.problem
        step(N_("Reading the pieces"), 0.5)
        board = BoardReading(examine(photo, found, surface))
    console.data({"surface": surface.name, "registration": found.to_json(), **board.to_json()})
    if board.reading.overexposed:
        console.warn(HardPhoto("burnt", photo=photo.name))
    _show(console, board)


def _show(console: Console, board: BoardReading) -> None:
    """What stands where, then what a person should look at."""
    if not board.standing:
        console.say("No piece was read in the cells that are in sight.")
    for piece in board.standing:
        if not piece.doubtful:
            console.say("In {cell}: {kind}.", cell=Typed(piece.cell), kind=Typed(piece.kind))
    for piece in board.doubtful:
        values = {"cell": Typed(piece.cell), "kind": Typed(piece.kind), "percent": in_percent(piece.p)}
        console.say("Doubtful: {kind} in {cell} ({percent} %).", style="yellow", **values)
    _show_strange(console, board)
    if board.unseen:
        console.say("Not seen: {hexes}.", hexes=Typed(", ".join(board.unseen)))


def _show_strange(console: Console, board: BoardReading) -> None:
    """What is otherwise than the description of the board lets expect."""
    for cell in board.strange:
        sentence = N_("In {cell} something seems to lie that is none of the pieces: look there.")
        console.say(sentence, style="yellow", cell=Typed(cell))
    for cell, kind in board.bare:
        sentence = N_(
            "In {cell} nothing shows of its {kind}, by which its colour is told: lay it there, or look at all others."
        )
        console.say(sentence, style="yellow", cell=Typed(cell), kind=Typed(kind))
    if board.alike:
        sentence = N_(
            "In this photo all {one} and all {other} may have been taken for each other: look at each of them, "
            "or take another in other light."
        )
        console.say(sentence, style="yellow", one=Typed(board.alike[0]), other=Typed(board.alike[1]))
