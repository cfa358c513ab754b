"""`masinfira learn`: teach a table profile from a photo whose position is known, or have it forget."""

import argparse
from gettext import gettext as _
from pathlib import Path
from typing import Any

from calibration import Profile, ProfileProblem, load_photo
from calibration.lessons import Lessons
from engine import mini_express as game
from engine.mini_express.board import Board
from engine.sentences import N_
from vision import setup_shown, teach
from vision.sightings import MAP, check_boards

from ..arguments import Subparsers, add_profile, file_name
from ..console import Console
from ..files import read_part

SETUP = "setup"


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "learn", parents=[common], help=_("teach a table profile how its pieces and tiles look")
    )
    parser.add_argument(
        "photo", nargs="?", type=file_name, metavar="PHOTO", help=_("a photo of a known position")
    )
    add_profile(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--state",
        metavar="STATE",
        help=_("what the photo shows: a state or a part of one (JSON), or setup: a train on each start city"),
    )
    what.add_argument("--reset", action="store_true", help=_("forget everything that photos have taught"))
    parser.set_defaults(run=run, wrong_usage=parser.error)


def run(args: argparse.Namespace, console: Console) -> None:
    if (args.photo is None) != args.reset:
        args.wrong_usage(_("learn needs a PHOTO with its --state, or --reset alone"))
    if args.reset:
        _show(console, args.profile, Profile.change_lessons(args.profile, Profile.forgotten))
    else:
        _learn(args, console)


def _learn(args: argparse.Namespace, console: Console) -> None:
    known = Profile.load(args.profile)
    check_boards(known)
    board = args.pack_data.board(known.board)
    shown = setup_shown(board) if args.state == SETUP else _shown(args.state, args.pack_data, board)
    photo = load_photo(args.photo)
    with console.progress() as step:
        step(N_("Reading the trains"), 0.3)
        taught = Profile.change_lessons(args.profile, lambda profile: teach(photo, profile, board, shown))
    learnt = len(_tiles(taught) - _tiles(known))
    again = not taught.learnt_since(known)
    _show(console, args.profile, taught, learnt, again)
    if again:
        console.say("This photo has taught the profile before: it counts once.", style="yellow")
    elif shown.get("demand") and not learnt and _lessons(taught).get(MAP) != _lessons(known).get(MAP):
        console.say(
            "No demand tile was learnt: too few can be seen, or they do not look as the state says.",
            style="yellow",
        )


def _shown(source: str, pack: game.Pack, board: Board) -> dict[str, Any]:
    """The trains and tiles that are told and sure: what a photo left open teaches nothing."""
    part = read_part(source, pack, board.id)
    if part.board is not None and part.board.id != board.id:
        raise ProfileProblem("other_board", found=board.id, expected=part.board.id)
    return part.shown()


def _lessons(profile: Profile) -> dict[str, Lessons]:
    return {surface.name: surface.lessons for surface in profile.surfaces.values()}


def _tiles(profile: Profile) -> set[bytes]:
    """The pictures of tiles that a profile remembers."""
    return {face.tobytes() for s in profile.surfaces.values() for faces in s.faces.values() for face in faces}


def _show(console: Console, folder: Path, profile: Profile, learnt: int = 0, again: bool = False) -> None:
    """What the profile remembers, how many pictures of tiles are new, and whether the photo had taught before."""
    counts = {
        surface: {name: len(colours) for name, colours in lessons.items()}
        for surface, lessons in _lessons(profile).items()
    }
    tiles = sum(len(faces) for surface in profile.surfaces.values() for faces in surface.faces.values())
    remembered = {"photos_remembered": counts, "tiles_remembered": tiles}
    console.data({"profile": str(folder), **remembered, "tiles_learnt": learnt, "taught_before": again})
    word = console.texts.word
    if taught := [f"{word(name)} {n}" for names in counts.values() for name, n in names.items()]:
        console.say("Photos remembered for each look: {looks}.", looks=", ".join(taught))
        console.say(
            "Pictures of demand tiles remembered: {n}, of this photo: {learnt}.", n=tiles, learnt=learnt
        )
    else:
        console.say("The profile is as it was calibrated: it remembers nothing from photos.")
