"""`masinfira serve`: the web page for the phones at the table."""

import argparse
from gettext import gettext as _
from pathlib import Path

from calibration import Profile

from ..arguments import Subparsers
from ..console import Console

# Outside any project folder: it holds the join code and the key of the cookies.
GAMES = Path.home() / ".local" / "share" / "masinfira"


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "serve", parents=[common], help=_("the web page for the phones at the table")
    )
    parser.add_argument("--host", default="0.0.0.0", help=_("the address to listen on"))  # noqa: S104
    parser.add_argument("--port", type=int, default=8000, help=_("the port to listen on"))
    parser.add_argument(
        "--profile",
        type=Path,
        metavar="DIR",
        help=_("the table profile, for photos; without one the page makes its own"),
    )
    parser.add_argument("--data", type=Path, default=GAMES, metavar="DIR", help=_("where games are kept"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:  # noqa: ARG001 - webui prints for itself
    from webui import serve  # Flask is not needed by any other command, so only this one waits for it

    if args.profile is not None:
        Profile.load(args.profile)  # a wrong folder is refused now, not at the first photo
    serve(
        host=args.host,
        port=args.port,
        data_dir=args.data,
        profile_dir=args.profile,
        pack=args.pack_data if args.pack else None,  # else each table has its own copy, if it made one
        lang=args.lang,
    )
