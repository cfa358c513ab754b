"""`masinfira new`: set up a game."""

import argparse
import random
from gettext import gettext as _

from engine import mini_express as game
from engine.mini_express.fields import NONE

from ..arguments import Subparsers, add_board, add_out, modules_of
from ..console import Console
from ..drawing import draw_position
from ..saving import check_output, save_game


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("new", parents=[common], help=_("set up a game"))
    add_board(parser, default="usa")
    _add_players(parser)
    parser.add_argument(
        "--modules",
        nargs="*",
        default=[],
        metavar="MODULE",
        help=_("modules, from {known}").format(known=" ".join((*game.MODULES, NONE))),
    )
    parser.add_argument("--seed", type=int, help=_("shuffle the demand tiles the same way again"))
    parser.add_argument("--auto-draft", action="store_true", help=_("draft the first shares at random"))
    parser.add_argument("--korean-start", action="store_true", help=_("Mašinfíra's target starts on city 1"))
    add_out(parser)
    parser.set_defaults(run=run)


def _add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mode", default="standard", help=_("how it is played: {known}").format(known=" | ".join(game.MODES))
    )
    parser.add_argument(
        "--difficulty", help=_("solo only: {known}").format(known=" | ".join(game.DIFFICULTIES))
    )
    parser.add_argument(
        "--seats",
        nargs="+",
        action="extend",
        required=True,
        metavar="COLOUR",
        help=_("the players' colours in turn order, from {known}").format(known=" ".join(game.SEATS)),
    )


def run(args: argparse.Namespace, console: Console) -> None:
    check_output(args.out, args.pack_data)
    rng = random.Random(args.seed)
    played = game.Game(_new_state(args, rng))
    while args.auto_draft and played.state.phase == "draft":
        played = played.play(rng.choice(game.legal_actions(played.state)))
    save_game(args.out, played)
    console.data(game.state_to_json(played.state))
    draw_position(console, played.state)


def _new_state(args: argparse.Namespace, rng: random.Random) -> game.State:
    """What was agreed, set up; words may have commas between them. Raises Malformed."""
    return game.new(
        board=args.board,
        mode=args.mode,
        difficulty=args.difficulty,
        seats=[seat for word in args.seats for seat in word.split(",")],
        modules=modules_of(args.modules),
        rng=rng,
        pack=args.pack_data,
        korean_start=args.korean_start,
    )
