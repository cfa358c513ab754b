"""`masinfira bench`: speed and accuracy, measured here and now."""

import argparse
import os
import platform
import time
from pathlib import Path
from typing import Any

from ..arguments import Subparsers
from ..console import Console
from ..engine_bench import bench_engine


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("bench", parents=[common], help="measure speed and accuracy")
    parser.add_argument("what", choices=["engine", "vision"])
    parser.add_argument("--samples", type=Path, default=Path("sample_photos"), metavar="DIR")
    parser.add_argument("--seconds", type=float, default=10.0, help="engine: how long each part is measured")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    with console.progress() as step:
        if args.what == "engine":
            figures: dict[str, Any] = bench_engine(args.seconds, step)
        else:
            from vision import bench_vision

            figures = bench_vision(args.samples, step)
    figures = {**figures, "machine": machine(), "date": time.strftime("%Y-%m-%d")}
    console.data(figures)
    for key, value in figures.items():
        console.print(f"{key:<28} {_shown(value)}")


def _shown(value: Any) -> str:
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


def machine() -> str:
    """The processor, how many of it, and the Python."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"
