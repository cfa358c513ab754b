"""The command `masinfira`: reads the arguments, runs one command, turns every refusal into one sentence."""

import argparse
import os
import sys
from collections.abc import Sequence
from gettext import gettext as _
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import NoReturn

from engine.catalogue import LANGUAGES, texts
from engine.mini_express import Pack, built_in
from engine.sentences import Problem

from . import commands, language
from .arguments import file_name
from .console import Console, OutputProblem, make_ready, one_line

DONE, REFUSED = 0, 1


def run(argv: list[str]) -> int:
    """Run one command; its exit code: 0 done, 1 refused with one sentence on stderr. Wrong usage exits with 2."""
    lang = language.wanted(argv)
    language.speak(lang)
    make_ready()
    args = parser(lang, commands.wanted(argv)).parse_args(argv)
    console = Console(texts(lang), as_json=args.json)
    if found := language.unknown(argv):
        console.refuse(console.texts.say(language.UNKNOWN, found=found, known=", ".join(LANGUAGES)))
    return _done(args, console)


def _done(args: argparse.Namespace, console: Console) -> int:
    """Run what was asked for; its exit code."""
    try:
        args.pack_data = Pack.load(args.pack) if args.pack and not args.new_pack else built_in()
        args.run(args, console)
    except Problem as problem:
        console.refuse(console.told(problem))
        if isinstance(problem, OutputProblem):
            _print_no_more()
        return REFUSED
    except BrokenPipeError:
        # The reader of our output went away (`masinfira moves … | head`).
        _print_no_more()
    return DONE


def _print_no_more() -> None:
    """Keep Python from complaining, too, when at its end it prints what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Parser(argparse.ArgumentParser):
    """Tells wrong usage as short as a refusal; so do the parsers of the commands, which are made by it."""

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))


def parser(lang: str, wanted: Sequence[ModuleType]) -> argparse.ArgumentParser:
    """The commands `wanted` with their options; `lang` is the language where none is asked for."""
    top = _Parser(
        prog="masinfira",
        parents=[_common()],
        description=_("A table assistant for the board game Mini Express."),
    )
    top.add_argument(
        "--version", action="version", version=_version(), help=_("show the version of masinfira and exit")
    )
    top.set_defaults(lang=lang, pack=None, json=False, new_pack=False)
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in wanted:
        command.add(subparsers, _common())
    return top


def _common() -> argparse.ArgumentParser:
    """What may stand anywhere on the line; without defaults, so that a command leaves what was said before its name.

    Made anew for each parser: a default that one of them sets would be all the others' as well.
    """
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--lang", choices=LANGUAGES, help=_("language of all texts"))
    common.add_argument("--pack", type=file_name, metavar="FOLDER", help=_("printed data of your own copy"))
    common.add_argument("--json", action="store_true", help=_("print JSON for machines"))
    return common


def _version() -> str:
    try:
        return version("masinfira")
    except PackageNotFoundError:
        return _("not installed")
