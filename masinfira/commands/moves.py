"""`masinfira moves`: the legal actions."""

import argparse
from gettext import gettext as _

from engine import mini_express as game

from ..arguments import Subparsers, add_state
from ..console import Console
from ..drawing import draw_moves, draw_turn
from ..files import read_state


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("moves", parents=[common], help=_("list the legal actions"))
    add_state(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    state = read_state(args.state, args.pack_data)
    actions = [
        {**game.action_to_json(action), "notation": game.action_to_text(action)}
        for action in game.legal_actions(state)
    ]
    console.data({"to_move": state.seat, "phase": state.phase, "actions": actions})
    draw_turn(console, state)
    draw_moves(console, state)
