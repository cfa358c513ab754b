"""`masinfira register`: where a calibrated surface lies in a photo."""

import argparse
from gettext import gettext as _

from calibration import Profile, load_photo
from calibration import register as find
from engine.sentences import N_

from ..arguments import Subparsers, add_profile, file_name
from ..console import Console


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("register", parents=[common], help=_("find a surface in a photo"))
    parser.add_argument("photo", type=file_name, metavar="PHOTO", help=_("a photo of the table"))
    parser.add_argument("--surface", default="map", metavar="NAME", help=_("which board of the profile"))
    add_profile(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    surface = Profile.load(args.profile).surface(args.surface)
    found = find(load_photo(args.photo), surface)
    console.data(found.to_json())
    if found.problem:
        raise found.problem
    sentence = N_("The board is found: {inliers} points agree to {residual} px.")
    console.say(sentence, inliers=found.inliers, residual=round(found.residual_in_file, 1))
