"""`masinfira cells`: what stands where on any calibrated surface, also of any other game."""

import argparse
from dataclasses import dataclass
from functools import cached_property
from gettext import gettext as _
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration import Profile, in_colour, load_photo, register
from engine.catalogue import in_percent
from engine.sentences import N_, Typed, plain
from vision import Reading, examine
from vision.cells.odds import probability
from vision.figure import DOUBT
from vision.state.observation import NOT_THERE

from ..arguments import Subparsers, add_profile, file_name
from ..console import Console


class Piece(NamedTuple):
    """A piece of a kind in a cell, each by its name, and how probable it is."""

    cell: str
    kind: str
    p: float

    @property
    def doubtful(self) -> bool:
        """Whether a person should look."""
        return DOUBT < self.p < 1 - DOUBT


@dataclass(frozen=True, eq=False)
class Cells:
    """What a reading tells of the cells, each by its name."""

    reading: Reading

    @cached_property
    def names(self) -> list[str]:
        """The name of every cell."""
        return [str(plain(cell.id)) for cell in self.reading.surface.cells]

    @cached_property
    def pieces(self) -> list[Piece]:
        """Every kind in every cell where such a piece may be, by cells."""
        surface, p = self.reading.surface, probability(self.reading.odds)
        return [
            Piece(self.names[i], kind.name, float(p[i, k]))
            for i, cell in enumerate(surface.cells)
            for k, kind in enumerate(surface.kinds)
            if kind.may_be_in(cell.id)
        ]

    @cached_property
    def unseen(self) -> list[str]:
        """The cells that are covered or outside the photo."""
        return self._named(~self.reading.seen)

    @cached_property
    def doubtful(self) -> list[Piece]:
        """What a person should look at: of cells out of sight only what seems to stand there."""
        return [
            piece
            for piece in self.pieces
            if piece.doubtful and (piece.p > 0.5 or piece.cell not in self.unseen)
        ]

    @cached_property
    def strange(self) -> list[str]:
        """The cells in sight in which something lies that is none of the pieces, nor a card where one may lie."""
        reading = self.reading
        other = np.maximum(reading.marker, np.where(reading.surface.card_cells, -np.inf, reading.card))
        told = {piece.cell for piece in self.pieces if piece.p > DOUBT}
        return [cell for cell in self._named((other > 0) & reading.seen) if cell not in told]

    @cached_property
    def bare(self) -> list[tuple[str, str]]:
        """Home cell and kind where nothing shows of the piece, though the cell is in sight."""
        seen, odds = self.reading.seen, self.reading.odds
        return [
            (self.names[kind.home], kind.name)
            for k, kind in enumerate(self.reading.surface.kinds)
            if kind.home is not None and seen[kind.home] and odds[kind.home, k] < NOT_THERE
        ]

    @cached_property
    def alike(self) -> list[str]:
        """Two kinds of which all pieces may be taken for each other in this photo, or none."""
        return [self.reading.surface.kinds[k].name for k in self.reading.alike or ()]

    def _named(self, which: NDArray[np.bool_]) -> list[str]:
        return [self.names[i] for i in np.flatnonzero(which)]

    def to_json(self) -> dict[str, Any]:
        """The JSON of `masinfira cells`, without where the board lies."""
        observation: dict[str, dict[str, float]] = {}
        for piece in self.pieces:
            observation.setdefault(piece.cell, {})[piece.kind] = round(piece.p, 4)
        return {
            "observation": observation,
            "pieces": {cell: [k for k, p in row.items() if p > 0.5] for cell, row in observation.items()},
            "doubtful": [{"cell": d.cell, "kind": d.kind, "p": round(d.p, 4)} for d in self.doubtful],
            "strange": self.strange,
            "bare": [{"cell": cell, "kind": kind} for cell, kind in self.bare],
            "unseen": self.unseen,
            "alike": self.alike,
        }


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
        cells = Cells(examine(photo, found, surface))
    console.data({"surface": surface.name, "registration": found.to_json(), **cells.to_json()})
    _show(console, cells)


def _show(console: Console, cells: Cells) -> None:
    """What stands where, then what a person should look at."""
    standing = [piece for piece in cells.pieces if piece.p > 0.5]
    if not standing:
        console.say("No piece was read in the cells that are in sight.")
    for piece in standing:
        if not piece.doubtful:
            console.say("In {cell}: {kind}.", cell=Typed(piece.cell), kind=Typed(piece.kind))
    for piece in cells.doubtful:
        values = {"cell": Typed(piece.cell), "kind": Typed(piece.kind), "percent": in_percent(piece.p)}
        console.say("Doubtful: {kind} in {cell} ({percent} %).", style="yellow", **values)
    for cell in cells.strange:
        sentence = N_("In {cell} something seems to lie that is none of the pieces: look there.")
        console.say(sentence, style="yellow", cell=Typed(cell))
    for cell, kind in cells.bare:
        sentence = N_(
            "In {cell} nothing shows of its {kind}, by which its colour is told: lay it there, or look at all others."
        )
        console.say(sentence, style="yellow", cell=Typed(cell), kind=Typed(kind))
    if cells.alike:
        sentence = N_(
            "In this photo all {one} and all {other} may have been taken for each other: look at each of them, "
            "or take another in other light."
        )
        console.say(sentence, style="yellow", one=Typed(cells.alike[0]), other=Typed(cells.alike[1]))
    if cells.unseen:
        console.say("Not seen: {hexes}.", hexes=Typed(", ".join(cells.unseen)))
