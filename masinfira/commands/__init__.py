"""Every command of `masinfira`, a module each, with `add` (its arguments) and `run`."""

from importlib import import_module
from types import ModuleType

COMMANDS = (
    "demo",
    "new",
    "moves",
    "play",
    "bot",
    "score",
    "check",
    "rules",
    "replay",
    "calibrate",
    "scan",
    "watch",
    "set",
    "learn",
    "register",
    "cells",
    "pack",
    "serve",
    "bench",
)

IN_FRONT = {"--json": 1, "--lang": 2, "--pack": 2}
"""The options that may stand before the command, with how many words each takes."""


def wanted(argv: list[str]) -> list[ModuleType]:
    """The command that is named first, or all: those that read photos take most of a second to load."""
    rest = [*argv]
    while rest and (option := rest[0].partition("=")[0]) in IN_FRONT:
        del rest[: 1 if "=" in rest[0] else IN_FRONT[option]]
    names = rest[:1] if rest and rest[0] in COMMANDS else COMMANDS
    return [import_module(f"{__name__}.{name}") for name in names]
