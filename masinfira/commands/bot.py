"""`masinfira bot`: Mašinfíra's turn, with the tiles drawn on the table or drawn here."""

import argparse
import random
import re
from gettext import gettext as _

from engine import mini_express as game
from engine.sentences import N_, Problem

from ..arguments import Subparsers, add_out, add_state
from ..console import Console, log_to_json
from ..drawing import draw_map, draw_summary, draw_turn
from ..files import read_game, save_game


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
    tiles.add_argument("--tiles", nargs="+", metavar="TILE", help=_("the tiles drawn: 2,1 or refresh"))
    tiles.add_argument("--seed", type=int, help=_("without --tiles: draw them here, the same way again"))
    add_out(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    played = read_game(args.state, args.pack_data)
    if played.state.phase == "over":
        raise BotProblem("over", rule="R7.11")
    if not played.state.bot_moves:
        raise BotProblem("not_its_turn", rule="R7.4", seat=played.state.seat)
    if args.tiles:
        played, events = bot_turn(played, [read_tile(word) for word in args.tiles])
    else:
        played, events = random_bot_turn(played, random.Random(args.seed))
    save_game(args.out, played)
    console.data({"state": game.state_to_json(played.state), "log": log_to_json(console.texts, events)})
    console.log(events)
    draw_map(console, played.state)
    draw_summary(console, played.state)
    if played.state.bot_moves and played.state.phase != "over":
        console.say("Mašinfíra draws again: give the next tile too.", style="bold")
    draw_turn(console, played.state)


def read_tile(word: str) -> game.Draw:
    """A tile as it is typed. Raises BotProblem."""
    if word == "refresh":
        return game.Draw(word)
    if not (found := re.fullmatch(r"(\d),(\d)", word, re.ASCII)):
        raise BotProblem("tile", tile=word[:20])
    return game.Draw((int(found[1]), int(found[2])))


def bot_turn(played: game.Game, draws: list[game.Draw]) -> tuple[game.Game, list[game.Event]]:
    """The turn with these tiles, as far as they go. Raises BotProblem, IllegalAction."""
    events: list[game.Event] = []
    for draw in draws:
        if not played.state.bot_moves or played.state.phase == "over":
            raise BotProblem("too_many", rule="R7.4", tile=draw.tile)
        events += game.play(played.state, draw)[1]
        played = played.play(draw)
    return played, events


def random_bot_turn(played: game.Game, rng: random.Random) -> tuple[game.Game, list[game.Event]]:
    """A whole turn, tile by tile drawn from the bag."""
    events: list[game.Event] = []
    while played.state.bot_moves and played.state.phase != "over":
        draws, chances = zip(*game.chance(played.state), strict=True)
        played, more = bot_turn(played, rng.choices(draws, chances))
        events += more
    return played, events
