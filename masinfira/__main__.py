"""The command `masinfira`, and `python -m masinfira`."""

import sys

INTERRUPTED = 130
"""What a shell says of a command that Ctrl-C has ended."""


def main() -> None:
    """Run one command and exit with its code; Ctrl-C ends it quietly at any time."""
    try:
        from .main import run  # here: to load it takes long enough for a Ctrl-C

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
