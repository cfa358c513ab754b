"""`masinfira register`: where a calibrated surface lies in a photo."""

import argparse
from gettext import gettext as _

from calibration import Profile, Surface, load_photo
from calibration import register as find
from engine.sentences import N_, Problem, Typed

from ..arguments import Subparsers, add_profile, file_name
from ..console import Console


class NoSurface(Problem):
    """A surface that the profile does not have."""

    sentences = {"surface": N_("The profile has no surface {surface}: choose one of {known}.")}


def surface_of(profile: Profile, name: str) -> Surface:
    """The surface of this name. Raises NoSurface."""
    if name not in profile.surfaces:
        raise NoSurface("surface", surface=Typed(name), known=Typed(", ".join(sorted(profile.surfaces))))
    return profile.surfaces[name]


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("register", parents=[common], help=_("find a surface in a photo"))
    parser.add_argument("photo", type=file_name, metavar="PHOTO", help=_("a photo of the table"))
    parser.add_argument("--surface", default="map", metavar="NAME", help=_("which board of the profile"))
    add_profile(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    surface = surface_of(Profile.load(args.profile), args.surface)
    found = find(load_photo(args.photo), surface)
    console.data(found.to_json())
    if found.problem:
        raise found.problem
    sentence = N_("The board is found: {inliers} points agree to {residual} px.")
    console.say(sentence, inliers=found.inliers, residual=round(found.residual_in_file, 1))
