"""The command `masinfira`, and `python -m masinfira`."""

import signal
import sys

INTERRUPTED, KILLED = 130, 143
"""What a shell says of a command that Ctrl-C, or `kill`, has ended."""


def main() -> None:
    """Run one command and exit with its code; Ctrl-C and `kill` end it quietly at any time, with all that it began."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(KILLED))
    try:
        from .main import run  # here: to load it takes long enough for a Ctrl-C

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
