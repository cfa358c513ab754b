"""`masinfira serve`: the web page for the phones at the table."""

import argparse
import os
from gettext import gettext as _
from pathlib import Path

from calibration import Profile
from engine.sentences import N_, Problem

from ..arguments import Subparsers, file_name
from ..console import Console


class ServeProblem(Problem):
    """Why the page cannot be opened."""

    sentences = {
        "no_home": N_("Nobody has a home folder here to keep games in: name another one with --data DIR.")
    }


def games_folder() -> Path:
    """Outside any project folder, for the join code and the key of the cookies lie there; where games are already.

    Raises ServeProblem where there is none, as in some containers.
    """
    wanted = Path(os.environ.get("XDG_DATA_HOME", "")) / "masinfira"
    try:
        usual = Path.home() / ".local" / "share" / "masinfira"
    except RuntimeError:
        if wanted.is_absolute():
            return wanted
        raise ServeProblem("no_home") from None
    return wanted if wanted.is_absolute() and (wanted.is_dir() or not usual.is_dir()) else usual


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "serve", parents=[common], help=_("the web page for the phones at the table")
    )
    # Phones must reach it; the join code guards it.
    parser.add_argument("--host", default="0.0.0.0", help=_("the address to listen on"))  # noqa: S104
    parser.add_argument("--port", type=int, default=8000, help=_("the port to listen on"))
    parser.add_argument(
        "--profile",
        type=file_name,
        metavar="DIR",
        help=_("the table profile, for photos; without one the page makes its own"),
    )
    parser.add_argument("--data", type=file_name, metavar="DIR", help=_("where games are kept"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, _console: Console) -> None:  # webui prints for itself
    from webui import serve  # Flask is not needed by any other command, so only this one waits for it

    if args.profile is not None:
        Profile.load(args.profile)  # a wrong folder is refused now, not at the first photo
    serve(
        host=args.host,
        port=args.port,
        data_dir=args.data or games_folder(),
        profile_dir=args.profile,
        pack=args.pack_data if args.pack else None,  # else each table has its own copy, if it made one
        lang=args.lang,
        as_json=args.json,
    )
