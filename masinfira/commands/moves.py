"""`masinfira moves`: the legal actions, and which of them are good."""

import argparse
import random
from collections.abc import Iterable
from functools import partial
from gettext import gettext as _
from typing import Any

from engine import mini_express as game
from engine.sentences import N_

from ..arguments import Subparsers, add_state, check_seconds
from ..console import Console, log_to_json
from ..drawing import draw_advice, draw_moves, draw_turn
from ..files import read_state


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("moves", parents=[common], help=_("list the legal actions"))
    add_state(parser)
    text = _("think so long and show the best actions, with what they bring")
    parser.add_argument("--advise", type=float, metavar="SECONDS", help=text)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    if args.advise is not None:
        check_seconds("--advise", args.advise)
    state = read_state(args.state, args.pack_data)
    advice = _advice(state, args.advise, console) if args.advise else []
    listed = _ranked(state, advice, console) if advice else map(_listed, game.legal_actions(state))
    console.data({"to_move": state.seat, "phase": state.phase, "actions": [*listed]})
    draw_turn(console, state)
    if advice:
        draw_advice(console, state, advice)
    else:
        draw_moves(console, state)


def _listed(action: game.Action) -> dict[str, Any]:
    return {**game.action_to_json(action), "notation": game.action_to_text(action)}


def _advice(state: game.State, seconds: float, console: Console) -> list[game.Advice]:
    """The actions of a person's turn, the best first; [] in Mašinfíra's, which chooses nothing."""
    with console.progress() as step:
        return game.advise(state, seconds, random.Random(), partial(step, N_("Trying out the actions")))


def _ranked(state: game.State, advice: Iterable[game.Advice], console: Console) -> Iterable[dict[str, Any]]:
    """The actions with what is said for them."""
    for each in advice:
        reasons = log_to_json(console.texts, game.reasons(state, each.action))
        said = {"tried": each.times, "won": each.won, "ahead": each.ahead, "reasons": reasons}
        yield {**_listed(each.action), **said}
