"""The command `masinfira`: reads the arguments, runs one command, turns every refusal into one sentence."""

import argparse
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from engine.catalogue import LANGUAGES, texts
from engine.mini_express import Pack, built_in
from engine.sentences import Problem

from .commands import COMMANDS
from .console import Console

DONE, REFUSED, INTERRUPTED = 0, 1, 130


def main(argv: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 refused with one sentence on stderr, 2 wrong usage."""
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: list[str]) -> int:
    """Run one command; its exit code."""
    args = parser().parse_args(argv)
    console = Console(texts(args.lang), as_json=args.json)
    try:
        args.pack_data = Pack.load(args.pack) if args.pack and not args.new_pack else built_in()
        args.run(args, console)
    except Problem as problem:
        console.refuse(console.texts.problem(problem), problem.rule)
        return REFUSED
    except BrokenPipeError:
        # The reader of our output went away (`masinfira moves … | head`); keep Python from complaining too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = argparse.ArgumentParser(
        prog="masinfira", description="A table assistant for the board game Mini Express."
    )
    top.add_argument("--version", action="version", version=_version())
    top.add_argument("--pack", type=Path, metavar="FOLDER", help="printed data of your own copy")
    top.set_defaults(new_pack=False)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print JSON for machines")
    common.add_argument("--lang", choices=LANGUAGES, default=_language(), help="language of all texts")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands, common)
    return top


def _language() -> str:
    """English, unless MASINFIRA_LANG says otherwise."""
    wanted = os.environ.get("MASINFIRA_LANG", "en")
    return wanted if wanted in LANGUAGES else "en"


def _version() -> str:
    try:
        return version("masinfira")
    except PackageNotFoundError:
        return "not installed"
