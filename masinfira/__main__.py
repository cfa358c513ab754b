"""The command `masinfira`, and `python -m masinfira`."""

import signal
import sys
from typing import NoReturn

INTERRUPTED, KILLED = 130, 143
"""What a shell says of a command that Ctrl-C, or `kill`, has ended."""


def _end(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # another one ends it at once
    sys.exit(KILLED)


def main() -> None:
    """Run one command and exit with its code; Ctrl-C and `kill` end it quietly at any time, with all that it began."""
    signal.signal(signal.SIGTERM, _end)
    try:
        from .main import run  # here: to load it takes long enough for a Ctrl-C

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
