"""`masinfira calibrate`: make a table profile from a photo of an empty board and a few known points."""

import argparse
from gettext import gettext as _
from pathlib import Path

from calibration import (
    Profile,
    ProfileProblem,
    calibrate_map,
    calibrate_panel,
    calibrate_shares,
    load_photo,
    propose,
    read_panel_points,
    read_share_points,
    read_taps,
)
from calibration.propose import RIMS
from engine.hexgrid import Hex
from engine.sentences import N_

from ..arguments import Subparsers, add_profile
from ..console import Console
from ..files import read_json

RIM_NAMES = {"gold": N_("gold"), "silver": N_("silver"), "black": N_("black"), "?": N_("of unsure colour")}


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("calibrate", parents=[common], help=_("make a table profile"))
    surfaces = parser.add_subparsers(
        dest="surface", required=True, metavar="map|tracks|assets|shares|propose"
    )
    on_map = surfaces.add_parser("map", parents=[common], help=_("from a photo of the empty map"))
    _add_photo(on_map)
    on_map.add_argument(
        "--points", required=True, metavar="POINTS.json", help=_("pixels of 4 or more known hexes")
    )
    add_profile(on_map)
    on_map.set_defaults(run=run)
    for name, what in (
        ("tracks", _("from a photo of the value and influence tracks, empty")),
        ("assets", _("from a photo of the asset board, empty")),
    ):
        panel = surfaces.add_parser(name, parents=[common], help=what)
        panel.add_argument(
            "photo", type=Path, metavar="EMPTY.jpg", help=_("the board without pieces, from above")
        )
        panel.add_argument(
            "--points", required=True, metavar="POINTS.json", help=_("its corners, size, tracks and areas")
        )
        add_profile(panel)
        panel.set_defaults(run=run_panel)
    on_shares = surfaces.add_parser(
        "shares", parents=[common], help=_("from a photo of a share tile of each company")
    )
    on_shares.add_argument(
        "photo", type=Path, metavar="TILES.jpg", help=_("the tiles side by side, from above")
    )
    on_shares.add_argument("--points", required=True, metavar="POINTS.json", help=_("their size and corners"))
    add_profile(on_shares)
    on_shares.set_defaults(run=run_shares)
    proposing = surfaces.add_parser(
        "propose", parents=[common], help=_("what the photo shows by itself, for you to confirm")
    )
    _add_photo(proposing)
    proposing.add_argument(
        "--points", metavar="POINTS.json", help=_("pixels of any known hexes, if there are")
    )
    proposing.set_defaults(run=run_propose)


def _add_photo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photo", type=Path, metavar="EMPTY.jpg", help=_("the map without pieces, from above"))
    parser.add_argument("--board", required=True, help=_("usa, europe, or a map of your own pack"))


def run_propose(args: argparse.Namespace, console: Console) -> None:
    board = args.pack_data.board(args.board)
    points = read_json(args.points) if args.points else {"image_points": []}
    with console.progress() as step:
        step(N_("Looking at the empty map"), 0.1)
        photo = load_photo(args.photo)
        found = propose(photo, board, read_taps(points, photo.scale))
    console.data(found.to_json(photo.scale))
    if found.outline is None:
        console.say("The outline of the board was not found: take the photo with some table all around it.")
    else:
        console.say("The outline of the board was found.")
    if found.grid is None or found.cities is None:
        console.say("The hexes were not found: tap at least four of them.")
        return
    console.say("The hexes were found; look whether they lie where they should before you use them.")
    for capacity, rim in RIMS.items():
        _say_cities(console, rim, [at for at, of in found.cities.items() if of == capacity])
    _say_cities(console, "?", [at for at, of in found.cities.items() if of is None])


def _say_cities(console: Console, rim: str, hexes: list[Hex]) -> None:
    if hexes:
        listed = " ".join(f"{q},{r}" for q, r in hexes)
        console.say(
            "Cities, rim {rim}: {hexes}", rim=console.texts.say(RIM_NAMES.get(rim, rim)), hexes=listed
        )


def run(args: argparse.Namespace, console: Console) -> None:
    board = args.pack_data.board(args.board)
    points = read_json(args.points)
    with console.progress() as step:
        step(N_("Looking at the empty map"), 0.1)
        photo = load_photo(args.photo)
        profile, grid = calibrate_map(photo, read_taps(points, photo.scale), board)
        _beside_others(profile, args.profile).save(args.profile)
    residual_px = grid.residual_px * photo.scale
    console.data(
        {
            "profile": str(args.profile),
            "board": args.board,
            "residual_px": round(residual_px, 2),
            "residual_mm": round(grid.residual_mm, 2),
            "checked": grid.checked,
            "on_lines": grid.on_lines,
            "k1": round(grid.lens.k1, 4),
            "left_out": [
                {"hex": list(p.values["hex"]), "text": console.texts.problem(p)} for p in grid.left_out
            ],
        }
    )
    for problem in grid.left_out:
        console.print(console.texts.problem(problem), style="yellow")
    if not grid.checked:
        console.say(
            "So few points fit more than one grid: tap one or two more, so that a wrong one can be found."
        )
    values = {"px": f"{residual_px:.1f}", "mm": f"{grid.residual_mm:.1f}"}
    if grid.on_lines:
        console.say(
            "The hexes lie on the printed lines; the points are {px} px ({mm} mm) off on average.", **values
        )
    else:
        console.say("The hexes lie {px} px ({mm} mm) from the points on average.", **values)
    console.say("The profile is in {folder}.", folder=str(args.profile))


def _beside_others(profile: Profile, folder: Path) -> Profile:
    """The profile with the other surfaces that the folder's profile has for the same game board."""
    try:
        old = Profile.load(folder)
    except ProfileProblem:
        return profile
    return profile if old.board != profile.board else Profile(old.board, {**old.surfaces, **profile.surfaces})


def run_panel(args: argparse.Namespace, console: Console) -> None:
    """Add the surface `args.surface` to a profile that has a map already."""
    profile, points = Profile.load(args.profile), read_json(args.points)
    with console.progress() as step:
        step(N_("Looking at the empty board"), 0.1)
        photo = load_photo(args.photo)
        surface = calibrate_panel(args.surface, photo, read_panel_points(points, photo.scale), profile.board)
        profile.with_surface(surface).save(args.profile)
    cells = [str(cell.id) for cell in surface.cells]
    console.data({"profile": str(args.profile), "surface": surface.name, "cells": cells})
    sentence = N_("The profile in {folder} knows {surface} now: {cells} spaces and areas.")
    console.say(sentence, folder=str(args.profile), surface=surface.name, cells=len(cells))


def run_shares(args: argparse.Namespace, console: Console) -> None:
    """Add the print of the share tiles to a profile that has a map already."""
    profile, points = Profile.load(args.profile), read_json(args.points)
    with console.progress() as step:
        step(N_("Looking at the share tiles"), 0.1)
        photo = load_photo(args.photo)
        surface = calibrate_shares(photo, read_share_points(points, photo.scale), profile.board)
        profile.with_surface(surface).save(args.profile)
    cells = [str(cell.id) for cell in surface.cells]
    console.data({"profile": str(args.profile), "surface": surface.name, "cells": cells})
    console.say("The profile in {folder} knows the share tiles now.", folder=str(args.profile))
