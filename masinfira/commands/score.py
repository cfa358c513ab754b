"""`masinfira score`: the final score, or what it would be now."""

import argparse
from gettext import gettext as _

from engine import mini_express as game

from ..arguments import Subparsers, add_state
from ..console import Console, log_to_json, problems_to_json
from ..drawing import draw_score
from ..files import read_part


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("score", parents=[common], help=_("the score, every share's worth shown"))
    add_state(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    part = read_part(args.state, args.pack_data)
    state = part.state()
    standing, broken = (state, game.unplayed(state)) if state else (part.standing(), game.check_part(part)[0])
    tie = game.tie_break(standing)
    told = log_to_json(console.texts, [tie])[0] if tie else None
    more = {"final": standing.phase == "over", "broken": problems_to_json(console.texts, broken)}
    console.data({**game.score(standing), "tie": told, **more})
    draw_score(console, standing)
    if broken:
        console.log(broken)
        console.say("No play leads to these numbers: look at the table once more.", style="yellow")
