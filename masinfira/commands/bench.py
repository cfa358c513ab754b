"""`masinfira bench`: speed and accuracy, measured here and now."""

import argparse
import os
import platform
import time
from gettext import gettext as _
from pathlib import Path
from typing import Any

from engine.sentences import Progress

from ..arguments import Subparsers, add_samples, check_seconds, file_name
from ..bench.advisor import bench_advisor
from ..bench.engine import bench_engine
from ..console import Console
from ..saving import check_output, is_plot, write_atomically

# The names of `vision.phones.PHONES`, which would load what pictures need before anything is asked for.
PHONE_NAMES = ("vivid", "flat")
TIMED = ("advisor", "engine", "web")
"""What is measured for as long as one likes."""
PLOT_TITLE = "One photo alone, tables held out"


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("bench", parents=[common], help=_("measure speed and accuracy"))
    kinds = ["advisor", "engine", "register", "vision", "watch", "web"]
    parser.add_argument("what", choices=kinds, metavar="|".join(kinds), help=_("what is measured"))
    add_samples(parser)
    parser.add_argument(
        "--plot",
        type=file_name,
        metavar="FILE.svg",
        help=_("vision: draw how far probabilities are true"),
    )
    text = _("vision: the maps as such a phone would have taken them")
    parser.add_argument("--phone", choices=PHONE_NAMES, help=text)
    seconds = _(
        "engine, web: how long each part is measured (10); advisor: how long it thinks about an action (0.25)"
    )
    parser.add_argument("--seconds", type=float, help=seconds)
    parser.set_defaults(run=run, wrong_usage=parser.error)


def run(args: argparse.Namespace, console: Console) -> None:
    if args.what != "vision" and (args.plot or args.phone):
        args.wrong_usage(_("--plot and --phone are for bench vision only"))
    if args.seconds is not None:
        if args.what not in TIMED:
            args.wrong_usage(_("--seconds is for bench advisor, engine and web only"))
        check_seconds("--seconds", args.seconds)
    check_output(args.plot, args.pack_data, args.samples.rglob("*.j*"), may_replace=is_plot)
    with console.progress() as step:
        measured = _measured(args, step)
    figures = {**measured, "machine": machine(), "date": time.strftime("%Y-%m-%d")}
    console.data(figures)
    _print(figures, console)
    # Last, so that a file that cannot be written does not cost the figures of minutes.
    if args.plot:
        _plot(args.plot, figures["held_out"] or figures)


def _measured(args: argparse.Namespace, step: Progress) -> dict[str, Any]:
    if args.what == "engine":
        return bench_engine(args.seconds or 10.0, step)
    if args.what == "web":
        from ..bench.web import bench_web

        return bench_web(args.seconds or 10.0, step)
    if args.what == "advisor":
        return bench_advisor(args.seconds or 0.25, step)
    from vision.bench import bench_panels, bench_register, bench_shares, bench_vision, bench_watch
    from vision.phones import PHONES

    if args.what == "register":
        return bench_register(args.samples, step)
    if args.what == "watch":
        return bench_watch(args.samples, step)
    if args.phone:
        return bench_vision(args.samples, step, PHONES[args.phone])
    parts = (bench_vision, bench_panels, bench_shares)
    return {key: value for part in parts for key, value in part(args.samples, step).items()}


def _plot(file: Path, figures: dict[str, Any]) -> None:
    """Draw how far probabilities are true. Raises FileProblem."""
    from vision.bench import reliability_svg

    write_atomically(file, reliability_svg(figures["reliability"], PLOT_TITLE).encode())


def _print(figures: dict[str, Any], console: Console, indent: str = "") -> None:
    """The figures, those of groups indented below the group's name; lists are for machines."""
    for key, value in figures.items():
        if isinstance(value, dict):
            console.print(f"{indent}{key}")
            _print(value, console, indent + "  ")
        elif not isinstance(value, list):
            shown = f"{value:,.4g}" if isinstance(value, float) else str(value)
            console.print(f"{indent}{key:<28} {shown}")


def machine() -> str:
    """The processor, how many of it, and the Python."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"
