"""`masinfira score`: the final score, or what it would be now."""

import argparse
from gettext import gettext as _

from engine import mini_express as game

from ..arguments import Subparsers, add_state
from ..console import Console, log_to_json
from ..drawing import draw_score
from ..files import read_scored


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("score", parents=[common], help=_("the score, every share's worth shown"))
    add_state(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    standing = read_scored(args.state, args.pack_data)
    tie = game.tie_break(standing)
    told = log_to_json(console.texts, [tie])[0] if tie else None
    console.data({**game.score(standing), "tie": told, "final": standing.phase == "over"})
    draw_score(console, standing)
