"""`masinfira set`: fill in by hand what no photo shows."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from gettext import gettext as _
from typing import Any

from engine import mini_express as game
from engine.mini_express.errors import as_json
from engine.mini_express.fields import as_typed
from engine.mini_express.part.paths import together
from engine.sentences import N_, Problem

from ..arguments import Subparsers, add_state, file_name
from ..console import Console, problems_to_json
from ..files import read_part
from ..saving import check_output, save_json, save_over


class SetProblem(Problem):
    """What is filled in in two ways."""

    sentences = {"two_values": N_("{path} is given two values: leave one of them out.")}


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("set", parents=[common], help=_("fill in by hand what no photo shows"))
    add_state(parser)
    parser.add_argument(
        "filled_in",
        nargs="*",
        metavar="PATH=VALUE",
        help=_("for example shares.red.brown=2, demand.7=brown,wild"),
    )
    parser.add_argument("--out", type=file_name, metavar="FILE", help=_("save the state as JSON"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    check_once(args.filled_in)
    check_output(args.out, args.pack_data)
    before = read_part(args.state, args.pack_data)
    part = before.filled_in(args.filled_in)
    state = part.state()
    found = part.to_json() if state is None else game.state_to_json(state)
    if args.out:
        _save(args, found, before)
    derived = {path: value for path, value in part.known.items() if path not in part.told}
    broken = game.unplayed(state) if state else game.check_part(part)[0]
    told = {"complete": state is not None, "missing": part.missing, "derived": derived, "usual": part.usual}
    told |= {"clauses": part.clauses, "broken": problems_to_json(console.texts, broken)}
    console.data({"state": found, **told})
    if derived:
        console.say("Follows from the rules: {paths}.", paths=_values(derived, part.clauses))
    show = _show_unknown if state is None else _show_whole
    show(console, part, broken)


def _show_unknown(console: Console, part: game.Part, broken: Sequence[Problem]) -> None:
    """What is still to be filled in."""
    console.say("Still unknown: {paths}.", paths=together(part.missing), style="yellow")
    if broken:
        console.log(broken)
        console.say("What is told contradicts the rules: look at the table once more.", style="yellow")


def _show_whole(console: Console, part: game.Part, broken: Sequence[Problem]) -> None:
    """Whether the state can be gone on from."""
    if part.usual:
        console.say("Taken as usual: {paths}.", paths=_values(part.usual))
    if not broken:
        console.say("The state is whole and sound.", style="bold")
        return
    console.log(broken)
    console.say("The state is whole, but no play leads to it: look at the table once more.", style="yellow")


def check_once(filled_in: Iterable[str]) -> None:
    """Raises SetProblem where a path is given two values, of which the last would win without a word."""
    given: dict[str, str] = {}
    for text in filled_in:
        path, _, value = map(str.strip, text.partition("="))
        if given.setdefault(path, value) != value:
            raise SetProblem("two_values", path=as_json(path))


def _save(args: argparse.Namespace, found: dict[str, Any], before: game.Part) -> None:
    """Save what was `found`; over what was known `before`, only if nobody has filled in more. Raises Problem."""
    save_over(
        args.out,
        args.state,
        lambda: read_part(args.state, args.pack_data).told_to_json() == before.told_to_json(),
        lambda: save_json(args.out, found),
    )


def _values(known: Mapping[str, Any], clauses: Mapping[str, str] | None = None) -> str:
    """Paths with their values, and with the clause behind each."""
    behind = {path: f" ({clause})" for path, clause in (clauses or {}).items() if clause}
    return ", ".join(f"{path}={as_typed(value)}{behind.get(path, '')}" for path, value in known.items())
