"""`masinfira rules`: what the clauses say that messages name, such as R5.4."""

import argparse
from collections.abc import Iterator, Mapping
from gettext import gettext as _

from engine import mini_express as game
from engine.catalogue import Texts

from ..arguments import Subparsers
from ..console import Console


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "rules", parents=[common], help=_("look up a clause of the rules, or read them all")
    )
    parser.add_argument(
        "clauses",
        nargs="*",
        metavar="CLAUSE",
        help=_("such as R5.4, or R5 for a chapter; all if none is named"),
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    wanted = [*dict.fromkeys(number for clause in args.clauses for number in _numbers(clause))]
    told = {number: console.texts.say(game.CLAUSES[number]) for number in wanted or game.CLAUSES}
    console.data([{"clause": number, "text": text} for number, text in told.items()])
    asked = (f"{number}  {text}" for number, text in told.items())
    for line in asked if wanted else _whole(told, console.texts):
        console.print(line)


def _numbers(clause: str) -> list[str]:
    """The clause a person means, or all of a chapter: "r5.4" and "5.4" are R5.4, too. Raises ClauseProblem."""
    meant = "R" + clause.removeprefix("(").removesuffix(")").lower().removeprefix("r")
    found = [number for number in game.CLAUSES if meant in (number, number.partition(".")[0])]
    if not found:
        raise game.ClauseProblem("unknown", clause=clause)
    return found


def _whole(told: Mapping[str, str], texts: Texts) -> Iterator[str]:
    """All of them, chapter by chapter, in Markdown: `docs/rules.md` is written by this command."""
    for title, chapter in game.CHAPTERS.items():
        yield f"\n## {texts.say(title)}\n"
        yield from (f"- **{number}** {told[number]}" for number in chapter)
