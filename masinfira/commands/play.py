"""`masinfira play`: one action."""

import argparse
from gettext import gettext as _

from engine import mini_express as game

from ..arguments import Subparsers, add_out, add_state
from ..console import Console, log_to_json
from ..drawing import draw_position
from ..files import read_action, read_game, refuse_both_from_stdin
from ..saving import check_output, save_gone_on


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("play", parents=[common], help=_("carry out an action"))
    add_state(parser)
    parser.add_argument(
        "action", metavar="ACTION", help=_('a file, - , or a line of notation such as "share g"')
    )
    add_out(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    refuse_both_from_stdin(args.state, args.action)
    check_output(args.out, args.pack_data, [args.action], goes_on=args.state)
    before = read_game(args.state, args.pack_data)
    played = before.play(read_action(args.action))
    state, events = played.state, played.events(len(before.actions))
    save_gone_on(args.out, played, before, args.state, args.pack_data)
    console.data({"state": game.state_to_json(state), "log": log_to_json(console.texts, events)})
    console.log(events)
    draw_position(console, state)
