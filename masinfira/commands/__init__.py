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


def wanted(argv: list[str]) -> list[ModuleType]:
    """The command that is named first, or all: those that read photos take most of a second to load."""
    names = argv[:1] if argv and argv[0] in COMMANDS else COMMANDS
    return [import_module(f"{__name__}.{name}") for name in names]
