"""`masinfira calibrate`: make a table profile from a photo of an empty board and a few known points."""

import argparse
from pathlib import Path

from calibration import calibrate_map, load_photo, read_taps
from engine.mini_express.errors import Malformed
from engine.sentences import N_

from ..arguments import Subparsers, add_profile
from ..console import Console
from ..files import read_json


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("calibrate", parents=[common], help="make a table profile")
    surfaces = parser.add_subparsers(dest="surface", required=True, metavar="map")
    on_map = surfaces.add_parser("map", parents=[common], help="from a photo of the empty map")
    on_map.add_argument("photo", type=Path, metavar="EMPTY.jpg", help="the map without pieces, from above")
    on_map.add_argument("--board", required=True, help="usa, europe, or a map of your own pack")
    on_map.add_argument(
        "--points", required=True, metavar="POINTS.json", help="pixels of 4 or more known hexes"
    )
    add_profile(on_map)
    on_map.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    boards = args.pack_data.boards
    if args.board not in boards:
        raise Malformed("unknown_board", rule="R1.4", found=args.board, known=", ".join(sorted(boards)))
    points = read_json(args.points)
    with console.progress() as step:
        step(N_("Looking at the empty map"), 0.1)
        photo = load_photo(args.photo)
        profile, grid = calibrate_map(photo, read_taps(points, photo.scale), boards[args.board])
        profile.save(args.profile)
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
        console.say("Four points fit any grid: tap one or two more, so that a wrong one can be found.")
    values = {"px": f"{residual_px:.1f}", "mm": f"{grid.residual_mm:.1f}"}
    if grid.on_lines:
        console.say(
            "The hexes lie on the printed lines; the points are {px} px ({mm} mm) off on average.", **values
        )
    else:
        console.say("The hexes lie {px} px ({mm} mm) from the points on average.", **values)
    console.say("The profile is in {folder}.", folder=str(args.profile))
