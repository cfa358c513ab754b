"""`masinfira replay`: a recorded game, to any point; a negative point takes actions back."""

import argparse
from gettext import gettext as _

from engine import mini_express as game
from engine.sentences import N_, Problem

from ..arguments import Subparsers, add_out
from ..console import Console, log_to_json
from ..drawing import draw_position, draw_score
from ..files import read_game
from ..saving import check_output, save_gone_on


class ReplayProblem(Problem):
    """A point that the game does not have."""

    sentences = {
        "none": N_(
            "There are no actions here, for a state keeps none and a new game has none yet: leave out --to."
        ),
        "beyond": N_(
            "The number of actions in this game is {n}: --to takes a number from -{n} to {n}, not {found}."
        ),
    }


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "replay", parents=[common], help=_("replay a recorded game, or take actions back")
    )
    parser.add_argument("game", metavar="GAME", help=_("a game record, or - for standard input"))
    parser.add_argument(
        "--to", type=int, metavar="N", help=_("stop after N actions; -1 takes the last one back")
    )
    add_out(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    check_output(args.out, args.pack_data, goes_on=args.game)
    whole = read_game(args.game, args.pack_data)
    played = whole if args.to is None else _at(whole, args.to)
    save_gone_on(args.out, played, whole, args.game, args.pack_data)
    log = played.log()
    actions = [
        {"action": game.action_to_json(action), "log": log_to_json(console.texts, events)}
        for action, events in log
    ]
    console.data({"state": game.state_to_json(played.state), "actions": actions})
    for number, (action, events) in enumerate(log, 1):
        console.print(f"{number} {game.action_to_text(action)}", style="bold")
        console.log(events)
    draw_position(console, played.state)
    draw_score(console, played.state)


def _at(whole: game.Game, actions: int) -> game.Game:
    """The game after so many actions, or without so many of the last ones. Raises ReplayProblem."""
    n = len(whole.actions)
    if actions and not n:
        raise ReplayProblem("none")
    if abs(actions) > n:
        raise ReplayProblem("beyond", n=n, found=actions)
    return whole.at(actions)
