"""`masinfira rules`: what the clauses say that messages name, such as R5.4."""

import argparse
from collections.abc import Iterator, Sequence
from gettext import gettext as _

from engine import mini_express as game
from engine.catalogue import Texts

from ..arguments import Subparsers
from ..console import Console


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "rules", parents=[common], help=_("look up a clause of the rules, or read them all")
    )
    parser.add_argument("clauses", nargs="*", metavar="CLAUSE", help=_("such as R5.4; all if none is named"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    wanted = [_number(clause) for clause in args.clauses] or [*game.CLAUSES]
    console.data([{"clause": number, "text": console.texts.say(game.CLAUSES[number])} for number in wanted])
    for line in _lines(wanted, console.texts, with_titles=not args.clauses):
        console.print(line)


def _number(clause: str) -> str:
    """The clause a person means: "r5.4" and "5.4" are R5.4, too."""
    found = "R" + clause.removeprefix("(").removesuffix(")").lower().removeprefix("r")
    if found not in game.CLAUSES:
        raise game.ClauseProblem("unknown", clause=clause)
    return found


def _lines(wanted: Sequence[str], texts: Texts, *, with_titles: bool) -> Iterator[str]:
    """Each clause on a line that is Markdown, too: `docs/rules.md` is written by this command."""
    for title, chapter in game.CHAPTERS.items():
        if with_titles:
            yield f"\n## {texts.say(title)}\n"
        yield from (
            f"- **{number}** {texts.say(text)}" for number, text in chapter.items() if number in wanted
        )
