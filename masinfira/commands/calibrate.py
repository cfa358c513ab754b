"""`masinfira calibrate`: make a table profile from a photo of an empty board and a few known points."""

import argparse
from pathlib import Path

from calibration import (
    Profile,
    ProfileProblem,
    calibrate_map,
    calibrate_panel,
    load_photo,
    read_panel_points,
    read_taps,
)
from engine.mini_express.errors import Malformed
from engine.sentences import N_

from ..arguments import Subparsers, add_profile
from ..console import Console
from ..files import read_json


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("calibrate", parents=[common], help="make a table profile")
    surfaces = parser.add_subparsers(dest="surface", required=True, metavar="map|tracks|assets")
    on_map = surfaces.add_parser("map", parents=[common], help="from a photo of the empty map")
    on_map.add_argument("photo", type=Path, metavar="EMPTY.jpg", help="the map without pieces, from above")
    on_map.add_argument("--board", required=True, help="usa, europe, or a map of your own pack")
    on_map.add_argument(
        "--points", required=True, metavar="POINTS.json", help="pixels of 4 or more known hexes"
    )
    add_profile(on_map)
    on_map.set_defaults(run=run)
    for name, what in (("tracks", "the value and influence tracks"), ("assets", "the asset board")):
        panel = surfaces.add_parser(name, parents=[common], help=f"from a photo of {what}, empty")
        panel.add_argument(
            "photo", type=Path, metavar="EMPTY.jpg", help="the board without pieces, from above"
        )
        panel.add_argument(
            "--points", required=True, metavar="POINTS.json", help="its corners, size, tracks and areas"
        )
        add_profile(panel)
        panel.set_defaults(run=run_panel)


def run(args: argparse.Namespace, console: Console) -> None:
    boards = args.pack_data.boards
    if args.board not in boards:
        raise Malformed("unknown_board", rule="R1.4", found=args.board, known=", ".join(sorted(boards)))
    points = read_json(args.points)
    with console.progress() as step:
        step(N_("Looking at the empty map"), 0.1)
        photo = load_photo(args.photo)
        profile, grid = calibrate_map(photo, read_taps(points, photo.scale), boards[args.board])
        _beside_others(profile, args.profile).save(args.profile)
    console.data({"profile": str(args.profile), "board": args.board, "residual_px": grid.residual_px})
    values = {"folder": str(args.profile), "residual": f"{grid.residual_px:.1f}"}
    console.say(
        "The profile is in {folder}; the hexes lie {residual} px from the points on average.", **values
    )


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
