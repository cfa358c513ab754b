"""`masinfira cells`: what stands where on any calibrated surface; and `calibrate surface`, which takes any game's."""

import argparse
from collections.abc import Iterator
from gettext import gettext as _
from typing import Any, NamedTuple

import numpy as np

from calibration import (
    Profile,
    calibrate_described,
    in_colour,
    load_photo,
    read_description,
    register,
)
from calibration.registration.register import check_apart, check_print
from engine.catalogue import in_percent
from engine.sentences import N_, Typed, plain
from vision import Reading, annotate_cells, examine
from vision.cells.odds import probability
from vision.figure import DOUBT
from vision.state.observation import NOT_THERE

from .. import files
from ..arguments import Subparsers, add_annotate, add_profile, file_name
from ..console import Console
from ..pictures import save_jpeg
from ..saving import check_picture
from .register import surface_of


class Piece(NamedTuple):
    """A piece of a kind in a cell, each by its name, and how probable it is."""

    cell: str
    kind: str
    p: float

    @property
    def doubtful(self) -> bool:
        """Whether a person should look."""
        return DOUBT < self.p < 1 - DOUBT


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "cells", parents=[common], help=_("read which pieces stand where, on any board")
    )
    parser.add_argument("photo", type=file_name, metavar="PHOTO", help=_("a photo of the table"))
    parser.add_argument("--surface", required=True, metavar="NAME", help=_("which board of the profile"))
    add_profile(parser)
    parser.set_defaults(run=run)


def add_described(parser: argparse.ArgumentParser) -> None:
    """The arguments of `calibrate surface`."""
    text = _("the board without pieces, from above")
    parser.add_argument("photo", type=file_name, metavar="EMPTY.jpg", help=text)
    text = _("its name, size and corners, its cells and kinds of pieces")
    parser.add_argument("--describe", required=True, metavar="BOARD.json", help=text)
    add_profile(parser)
    add_annotate(parser)
    parser.set_defaults(run=run_described)


def run_described(args: argparse.Namespace, console: Console) -> None:
    """Put the board that a file describes into a profile, or begin one."""
    check_picture(args.annotate, args.pack_data, [args.photo, args.describe])
    described = files.read_description(args.describe)
    known = Profile.begun(args.profile)
    with console.progress() as step:
        step(N_("Looking at the empty board"), 0.1)
        photo = in_colour(load_photo(args.photo))
        description = read_description(described, photo.scale)
        surface = calibrate_described(photo, description, known.board if known else description.name)
        check_print(surface)
        check_apart(surface, known.surfaces.values() if known else ())
        if args.annotate:
            save_jpeg(args.annotate, annotate_cells(surface))
        Profile.keep(args.profile, surface)
    cells, kinds = [str(cell.id) for cell in surface.cells], [kind.name for kind in surface.kinds]
    console.data({"profile": str(args.profile), "surface": surface.name, "cells": cells, "kinds": kinds})
    sentence = N_("The profile in {folder} knows {surface} now: {cells} cells, {kinds} kinds of pieces.")
    name, folder = Typed(surface.name), str(args.profile)
    console.say(sentence, folder=folder, surface=name, cells=len(cells), kinds=len(kinds))


def run(args: argparse.Namespace, console: Console) -> None:
    surface = surface_of(Profile.load(args.profile), args.surface)
    with console.progress() as step:
        step(N_("Opening the photo"), 0.0)
        photo = in_colour(load_photo(args.photo))
        step(N_("Finding the board"), 0.15)
        found = register(photo, surface)
        if found.problem:
            raise found.problem
        step(N_("Reading the pieces"), 0.5)
        reading = examine(photo, found, surface)
    console.data({"surface": surface.name, "registration": found.to_json(), **_to_json(reading)})
    _show(console, reading)


def pieces(reading: Reading) -> list[Piece]:
    """Every kind in every cell where such a piece may be, by cells."""
    surface, p = reading.surface, probability(reading.odds)
    return [
        Piece(str(plain(cell.id)), kind.name, float(p[i, k]))
        for i, cell in enumerate(surface.cells)
        for k, kind in enumerate(surface.kinds)
        if kind.may_be_in(cell.id)
    ]


def unseen(reading: Reading) -> list[str]:
    """The cells that are covered or outside the photo."""
    return [str(plain(reading.surface.cells[i].id)) for i in np.flatnonzero(~reading.seen).tolist()]


def doubtful(reading: Reading) -> list[Piece]:
    """What a person should look at: of cells out of sight only what seems to stand there."""
    hidden = {*unseen(reading)}
    return [
        piece for piece in pieces(reading) if piece.doubtful and (piece.p > 0.5 or piece.cell not in hidden)
    ]


def strange(reading: Reading) -> Iterator[str]:
    """The cells in sight in which something lies that is none of the pieces, nor a card where one may lie."""
    other = np.maximum(reading.marker, np.where(reading.surface.card_cells, -np.inf, reading.card))
    told = {piece.cell for piece in pieces(reading) if piece.p > DOUBT}
    for i in np.flatnonzero((other > 0) & reading.seen).tolist():
        if (cell := str(plain(reading.surface.cells[i].id))) not in told:
            yield cell


def bare(reading: Reading) -> Iterator[Piece]:
    """The kinds that show nothing of the piece in their home cell, though it is in sight."""
    for k, kind in enumerate(reading.surface.kinds):
        if kind.home is not None and reading.seen[kind.home] and reading.odds[kind.home, k] < NOT_THERE:
            cell = str(plain(reading.surface.cells[kind.home].id))
            yield Piece(cell, kind.name, float(probability(reading.odds[kind.home, k])))


def _to_json(reading: Reading) -> dict[str, Any]:
    """The JSON of `masinfira cells`, without where the board lies."""
    observation: dict[str, dict[str, float]] = {}
    for piece in pieces(reading):
        observation.setdefault(piece.cell, {})[piece.kind] = round(piece.p, 4)
    return {
        "observation": observation,
        "pieces": {cell: [k for k, p in row.items() if p > 0.5] for cell, row in observation.items()},
        "doubtful": [{"cell": d.cell, "kind": d.kind, "p": round(d.p, 4)} for d in doubtful(reading)],
        "strange": [*strange(reading)],
        "bare": [{"cell": piece.cell, "kind": piece.kind} for piece in bare(reading)],
        "unseen": unseen(reading),
    }


def _show(console: Console, reading: Reading) -> None:
    """What stands where, then what a person should look at."""
    standing = [piece for piece in pieces(reading) if piece.p > 0.5]
    if not standing:
        console.say("No piece was read in the cells that are in sight.")
    for piece in standing:
        if not piece.doubtful:
            console.say("In {cell}: {kind}.", cell=Typed(piece.cell), kind=Typed(piece.kind))
    for piece in doubtful(reading):
        values = {"cell": Typed(piece.cell), "kind": Typed(piece.kind), "percent": in_percent(piece.p)}
        console.say("Doubtful: {kind} in {cell} ({percent} %).", style="yellow", **values)
    for cell in strange(reading):
        sentence = N_("In {cell} something seems to lie that is none of the pieces: look there.")
        console.say(sentence, style="yellow", cell=Typed(cell))
    for piece in bare(reading):
        sentence = N_(
            "In {cell} nothing shows of its {kind}, by which its colour is told: lay it there, or look at all others."
        )
        console.say(sentence, style="yellow", cell=Typed(piece.cell), kind=Typed(piece.kind))
    if hidden := unseen(reading):
        console.say("Not seen: {hexes}.", hexes=Typed(", ".join(hidden)))
