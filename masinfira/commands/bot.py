"""`masinfira bot`: Mašinfíra's turn, with the tiles drawn on the table or drawn here."""

import argparse
import random
from gettext import gettext as _

from engine import mini_express as game
from engine.mini_express.notation import tile_from_text
from engine.sentences import N_, Problem

from ..arguments import Subparsers, add_out, add_state
from ..console import Console, log_to_json
from ..drawing import draw_map, draw_summary, draw_turn
from ..files import read_game
from ..saving import check_output, save_gone_on


class BotProblem(Problem):
    """Tiles that do not make a bot turn."""

    sentences = {
        "tile": N_("The tile {tile} cannot be read: write city and company moves as 2,1, or refresh."),
        "not_its_turn": N_("It is not Mašinfíra's turn: {seat} is to move."),
        "over": N_("The game is over: Mašinfíra draws no more tiles."),
        "too_many": N_(
            "Mašinfíra's turn was over before the last tile: leave out the tiles from {tile} on and draw them again."
        ),
    }


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("bot", parents=[common], help=_("play Mašinfíra's turn"))
    add_state(parser)
    tiles = parser.add_mutually_exclusive_group()
    tiles.add_argument(
        "--tiles", nargs="+", action="extend", metavar="TILE", help=_("the tiles drawn: 2,1 or refresh")
    )
    tiles.add_argument("--seed", type=int, help=_("without --tiles: draw them here, the same way again"))
    add_out(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    check_output(args.out, args.pack_data, goes_on=args.state)
    before = read_game(args.state, args.pack_data)
    if before.state.phase == "over":
        raise BotProblem("over", rule="R7.11")
    if not before.state.bot_moves:
        raise BotProblem("not_its_turn", rule="R7.4", seat=before.state.seat)
    if args.tiles:
        played = with_tiles(before, [read_tile(word) for word in args.tiles])
    else:
        played = before.play_bot(random.Random(args.seed))
    events = played.events(len(before.actions))
    save_gone_on(args.out, played, before, args.state, args.pack_data)
    console.data({"state": game.state_to_json(played.state), "log": log_to_json(console.texts, events)})
    console.log(events)
    draw_map(console, played.state)
    draw_summary(console, played.state)
    if played.state.bot_moves and played.state.phase != "over":
        console.say("Mašinfíra draws again: give the next tile too.", style="bold")
    draw_turn(console, played.state)


def read_tile(word: str) -> game.Draw:
    """A tile as it is typed. Raises BotProblem."""
    if (tile := tile_from_text(word)) is None:
        raise BotProblem("tile", tile=word[:20])
    return game.Draw(tile)


def with_tiles(played: game.Game, draws: list[game.Draw]) -> game.Game:
    """The turn with these tiles, as far as they go. Raises BotProblem, IllegalAction."""
    for draw in draws:
        if not game.chance(played.state):
            raise BotProblem("too_many", rule="R7.4", tile=draw.tile)
        played = played.play(draw)
    return played
