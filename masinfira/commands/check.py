"""`masinfira check`: what is wrong with a state."""

import argparse
from gettext import gettext as _

from engine import mini_express as game
from engine.mini_express.part.paths import together
from engine.sentences import N_, Problem

from ..arguments import Subparsers, add_state
from ..console import Console, problems_to_json
from ..files import read_unchecked


class Unsound(Problem):
    """A state with broken invariants."""

    sentences = {
        "unsound": N_("The state is not sound; broken rules: {n}. Correct the state and check again.")
    }


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("check", parents=[common], help=_("list what is wrong with a state"))
    add_state(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    state = read_unchecked(args.state, args.pack_data)
    if isinstance(state, game.State):
        broken, missing = [*game.check(state), *game.unplayed(state)], list[str]()
    else:
        broken, missing = game.check_part(state)
    told = problems_to_json(console.texts, broken)
    console.data({"sound": not broken, "broken": told, "complete": not missing, "missing": missing})
    if missing:
        sentence = N_("This position is known only in part; not there, and so not checked: {paths}.")
        console.say(sentence, paths=together(missing), style="yellow")
    console.log(broken)
    if broken:
        raise Unsound("unsound", n=len(broken))
    sentence = N_("What there is of the state is sound.") if missing else N_("The state is sound.")
    console.say(sentence)
