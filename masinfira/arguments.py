"""Arguments that several commands share."""

import argparse
from collections.abc import Iterable
from gettext import gettext as _
from pathlib import Path
from typing import Any

from engine.mini_express.fields import NONE
from engine.sentences import N_, Problem, Typed

SECONDS_AT_MOST = 3600

Subparsers = Any
"""What `ArgumentParser.add_subparsers` returns; argparse keeps its type private."""


class ArgumentProblem(Problem):
    """What no command can take."""

    sentences = {
        "seconds": N_("{option} takes a number of seconds above 0 and up to {most}, not {found}."),
        "none": N_("{none} stands for no module and so for itself alone: leave it out, or the others."),
    }


def check_seconds(option: str, seconds: float) -> None:
    """Raises ArgumentProblem where so much time cannot be spent."""
    if not 0 < seconds <= SECONDS_AT_MOST:
        raise ArgumentProblem("seconds", option=Typed(option), most=SECONDS_AT_MOST, found=f"{seconds:g}")


def add_state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "state", metavar="STATE", help=_("a state (JSON), a game record, or - for standard input")
    )


def file_name(text: str) -> Path:
    """The name of a file or folder; for pathlib, no name at all would be the folder we are in."""
    if not text:
        raise argparse.ArgumentTypeError(_("the name of the file is empty: name a file"))
    if text == "-":
        raise argparse.ArgumentTypeError(_("- cannot stand for standard input or output here: name a file"))
    return Path(text)


def add_out(parser: argparse.ArgumentParser) -> None:
    text = _("save the state (FILE.json) or the whole game as text (any other name)")
    parser.add_argument("--out", type=file_name, metavar="FILE", help=text)


def add_annotate(parser: argparse.ArgumentParser) -> None:
    text = _("save the photo with what was read drawn in, as a JPEG")
    parser.add_argument("--annotate", type=file_name, metavar="OUT.jpg", help=text)


def add_samples(parser: argparse.ArgumentParser) -> None:
    where, text = Path("sample_photos"), _("where the sample photos are")
    parser.add_argument("--samples", type=file_name, default=where, metavar="DIR", help=text)


def add_board(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    text = _("usa, europe, or a map of your own pack")
    parser.add_argument("--board", default=default, required=default is None, help=text)


def modules_of(words: Iterable[str]) -> list[str]:
    """The modules in words that may have commas between them; `NONE` stands for none. Raises ArgumentProblem."""
    modules = [module for word in words for module in word.split(",") if module]
    if NONE in modules and set(modules) != {NONE}:
        raise ArgumentProblem("none", none=Typed(NONE))
    return [module for module in modules if module != NONE]


def add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", type=file_name, required=True, metavar="DIR", help=_("the table profile's folder")
    )
