"""The command `masinfira`, and `python -m masinfira`."""

import signal
import sys
from typing import NoReturn

INTERRUPTED, KILLED = 130, 143
"""What a shell says of a command that Ctrl-C, or `kill`, has ended."""
SOON = 0.01
"""Seconds."""


def _end(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # another one ends it at once
    sys.exit(KILLED)


def _end_after_all(dropped: "sys.UnraisableHookArgs") -> None:
    """End soon where Python drops what was to end it: in a callback, of which loading a module has many."""
    if not isinstance(dropped.exc_value, SystemExit | KeyboardInterrupt):
        sys.__unraisablehook__(dropped)
        return
    interrupted = isinstance(dropped.exc_value, KeyboardInterrupt)
    signal.signal(signal.SIGALRM, signal.default_int_handler if interrupted else _end)
    signal.setitimer(signal.ITIMER_REAL, SOON)


def main() -> None:
    """Run one command and exit with its code; Ctrl-C and `kill` end it quietly at any time, with all that it began."""
    signal.signal(signal.SIGTERM, _end)
    sys.unraisablehook = _end_after_all
    try:
        from .main import run  # here: to load it takes long enough for a Ctrl-C

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
