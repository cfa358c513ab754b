"""`masinfira calibrate`: make a table profile from a photo of an empty board and a few known points."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from gettext import gettext as _
from pathlib import Path
from typing import Any

from calibration import (
    Differs,
    Grid,
    Photo,
    Profile,
    Proposal,
    Surface,
    calibrate_described,
    calibrate_map,
    calibrate_panel,
    calibrate_shares,
    compared,
    in_colour,
    load_photo,
    propose,
    read_description,
    read_panel_points,
    read_share_points,
    read_taps,
)
from calibration.cell_names import BOARDS
from calibration.registration.register import check_apart, check_print
from calibration.tapped.oddities import oddities
from engine.catalogue import Texts
from engine.mini_express.names import RIMS
from engine.sentences import N_, Phrase, Problem, Typed
from vision import annotate_cells, annotate_proposal

from ..arguments import Subparsers, add_annotate, add_board, add_profile, file_name
from ..console import Console
from ..files import DESCRIPTION, POINTS, read_json
from ..pictures import save_jpeg
from ..saving import check_picture

UNSURE = N_("of unsure colour")
"""What is told of a rim whose colour does not show how many companies the city has room for."""


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("calibrate", parents=[common], help=_("make a table profile"))
    surfaces = parser.add_subparsers(
        dest="surface", required=True, metavar="map|tracks|assets|shares|surface|propose"
    )
    for name, add_arguments, what in (
        ("map", _add_map, _("from a photo of the empty map")),
        ("tracks", _add_panel, _("from a photo of the value and influence tracks, empty")),
        ("assets", _add_panel, _("from a photo of the asset board, empty")),
        ("shares", _add_shares, _("from a photo of a share tile of each company")),
        ("surface", _add_described, _("from a photo of the empty board of any game, and its description")),
        ("propose", _add_propose, _("what the photo shows by itself, for you to confirm")),
    ):
        add_arguments(surfaces.add_parser(name, parents=[common], help=what))


def _add_map(parser: argparse.ArgumentParser) -> None:
    _add_photo(parser, "EMPTY.jpg", _("the map without pieces, from above"))
    add_board(parser)
    _add_points(parser, _("pixels of 4 or more known hexes"))
    add_profile(parser)
    parser.set_defaults(run=run)


def _add_panel(parser: argparse.ArgumentParser) -> None:
    _add_photo(parser, "EMPTY.jpg", _("the board without pieces, from above"))
    _add_points(parser, _("its corners, size, tracks and areas"))
    add_profile(parser)
    parser.set_defaults(run=run_panel)


def _add_shares(parser: argparse.ArgumentParser) -> None:
    _add_photo(parser, "TILES.jpg", _("the tiles side by side, from above"))
    _add_points(parser, _("their size and corners"))
    add_profile(parser)
    parser.set_defaults(run=run_shares)


def _add_described(parser: argparse.ArgumentParser) -> None:
    _add_photo(parser, "EMPTY.jpg", _("the board without pieces, from above"))
    text = _("its name, size and corners, its cells and kinds of pieces")
    parser.add_argument("--describe", required=True, metavar="BOARD.json", help=text)
    add_profile(parser)
    add_annotate(parser)
    parser.set_defaults(run=run_described)


def _add_propose(parser: argparse.ArgumentParser) -> None:
    _add_photo(parser, "EMPTY.jpg", _("the map without pieces, from above"))
    add_board(parser)
    _add_points(parser, _("pixels of any known hexes, if there are"), required=False)
    add_annotate(parser)
    parser.set_defaults(run=run_propose)


def _add_photo(parser: argparse.ArgumentParser, metavar: str, what: str) -> None:
    parser.add_argument("photo", type=file_name, metavar=metavar, help=what)


def _add_points(parser: argparse.ArgumentParser, what: str, required: bool = True) -> None:
    parser.add_argument("--points", required=required, metavar="POINTS.json", help=what)


def run_propose(args: argparse.Namespace, console: Console) -> None:
    check_picture(args.annotate, args.pack_data, [args.photo, args.points])
    board = args.pack_data.board(args.board)
    points = {"image_points": []} if args.points is None else read_json(args.points, POINTS)
    with _opened(args.photo, console, N_("Looking at the empty map")) as photo:
        found = propose(photo, board, read_taps(points, photo.scale))
        plain = found.to_json(photo.scale)
    if args.annotate:
        save_jpeg(args.annotate, annotate_proposal(photo.pixels, found))
    console.data(plain)
    _say_proposed(console, found)


def _say_proposed(console: Console, found: Proposal) -> None:
    if found.outline is None:
        console.say("The outline of the board was not found: take the photo with some table all around it.")
    else:
        console.say("The outline of the board was found.")
    if found.grid is None or found.cities is None:
        console.say("The hexes were not found: tap at least four of them.")
        return
    _say(console, found.left_out)
    console.say("The hexes were found; look whether they lie where they should before you use them.")
    for capacity in (*RIMS, None):
        if hexes := [f"{q},{r}" for (q, r), of in found.cities.items() if of == capacity]:
            rim = RIMS[capacity] if capacity else UNSURE
            console.say("Cities, rim {rim}: {hexes}", rim=console.texts.say(rim), hexes=" ".join(hexes))


@contextmanager
def _opened(file: Path, console: Console, doing: str) -> Iterator[Photo]:
    """The photo of an empty board, and meanwhile what is being done. Raises PhotoProblem."""
    with console.progress() as step:
        step(doing, 0.1)
        yield in_colour(load_photo(file))


def run(args: argparse.Namespace, console: Console) -> None:
    board = args.pack_data.board(args.board)
    known, points = Profile.begun(args.profile, board.id), read_json(args.points, POINTS)
    with _opened(args.photo, console, N_("Looking at the empty map")) as photo:
        taps = read_taps(points, photo.scale)
        surface, grid = calibrate_map(photo, taps, board)
        cities = compared(photo, grid, board)
        forgotten = _keep(args.profile, surface, known)  # the other boards of the table stay
    differs = [console.texts.told(city) for city in cities if isinstance(city, Differs)]
    fit = {**_fit_to_json(grid, photo.scale, console.texts), "differs": differs, "forgotten": forgotten}
    console.data({"profile": str(args.profile), "board": args.board, **fit})
    # Only a proposal has every hex, and how far off its own points it is says nothing.
    proposed = len(taps) == len(board.printed)
    _say(console, [*(grid.left_out if proposed else grid.told(photo.scale)), *cities])
    console.say("The profile is in {folder}.", folder=str(args.profile))
    _say_forgotten(console, forgotten)


def _fit_to_json(grid: Grid, scale: float, texts: Texts) -> dict[str, Any]:
    """How well the grid fits; pixels are those of the photo's file, `scale` times as large."""
    left_out = [{"hex": list(p.values["hex"]), "text": texts.told(p)} for p in grid.left_out]
    return {
        "residual_px": round(grid.residual_px * scale, 2),
        "residual_mm": round(grid.residual_mm, 2),
        "checked": grid.checked,
        "on_lines": grid.found == "lines",
        "on_cities": grid.found == "discs",
        "k1": round(grid.lens.k1, 4),
        "left_out": left_out,
    }


def _say(console: Console, told: Sequence[Phrase | Problem]) -> None:
    for sentence in told:
        style = "yellow" if isinstance(sentence, Problem) else ""
        console.print(console.texts.told(sentence), style=style)


def run_panel(args: argparse.Namespace, console: Console) -> None:
    """Add the surface `args.surface` to a profile."""
    known, points = Profile.load(args.profile), read_json(args.points, POINTS)
    with _opened(args.photo, console, N_("Looking at the empty board")) as photo:
        tapped = read_panel_points(points, photo.scale)
        surface = calibrate_panel(args.surface, photo, tapped, known.board)
        forgotten = _keep(args.profile, surface, known)
    odd = [*oddities(tapped)]
    sentence = N_("The profile in {folder} knows {surface} now: {cells} spaces and areas.")
    _tell(console, args.profile, surface, sentence, forgotten=forgotten, odd=[*map(console.told, odd)])
    _say(console, odd)
    _say_forgotten(console, forgotten)


def run_shares(args: argparse.Namespace, console: Console) -> None:
    """Add the print of the share tiles to a profile."""
    known, points = Profile.load(args.profile), read_json(args.points, POINTS)
    with _opened(args.photo, console, N_("Looking at the share tiles")) as photo:
        surface = calibrate_shares(photo, read_share_points(points, photo.scale), known.board)
        _keep(args.profile, surface, None)  # the tiles may lie on another board
    _tell(console, args.profile, surface, N_("The profile in {folder} knows the share tiles now."))


def run_described(args: argparse.Namespace, console: Console) -> None:
    """Put the board that a file describes into a profile, or begin one."""
    check_picture(args.annotate, args.pack_data, [args.photo, args.describe])
    described = read_json(args.describe, DESCRIPTION)
    known = Profile.begun(args.profile)
    with _opened(args.photo, console, N_("Looking at the empty board")) as photo:
        description = read_description(described, photo.scale)
        surface = calibrate_described(photo, description, known.board if known else description.name)
        _keep(args.profile, surface, known, args.annotate)
    sentence = N_("The profile in {folder} knows {surface} now: {cells} cells, {kinds} kinds of pieces.")
    _tell(console, args.profile, surface, sentence, kinds=[kind.name for kind in surface.kinds])


def _keep(folder: Path, surface: Surface, known: Profile | None, annotate: Path | None = None) -> bool:
    """Put a surface into the profile in `folder`; whether what photos had taught of it is forgotten.

    Before that its cells are drawn where they are wanted. Raises RegistrationProblem where the photo shows too little
    print, or one of the `known` boards in its place; and ProfileProblem.
    """
    check_print(surface)
    check_apart(surface, known.surfaces.values() if known else ())
    if annotate:
        save_jpeg(annotate, annotate_cells(surface))
    old = Profile.keep(folder, surface)
    return old is not None and old.has_learnt(surface.name)


def _tell(console: Console, folder: Path, surface: Surface, sentence: str, **more: Any) -> None:
    """What the profile knows now; `more` is told to machines only."""
    cells = [str(cell.id) for cell in surface.cells]
    console.data({"profile": str(folder), "surface": surface.name, "cells": cells, **more})
    # A name from a description is the same in every language.
    name = surface.name if surface.name in BOARDS else Typed(surface.name)
    kinds = len(surface.kinds)
    console.say(sentence, folder=str(folder), surface=name, cells=len(cells), kinds=kinds)


def _say_forgotten(console: Console, forgotten: bool) -> None:
    if forgotten:
        console.say("What photos had taught of this board is forgotten: teach it with masinfira learn.")
