"""The language of a command, known before its parser is built, for the parser speaks it too.

argparse has its own sentences from gettext's global catalogue, the one behind `gettext.gettext`, and so
has the help in `commands/`, marked with `_`: once `speak` has chosen, both come in that language.
"""

import argparse
import gettext
import os

from engine.catalogue import DEFAULT, LANGUAGES, LOCALE
from engine.sentences import N_

DOMAIN = "masinfira"

OF_ARGPARSE = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("one of the arguments %s is required"),
    N_("unrecognized arguments: %s"),
    N_("not allowed with argument %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
)
"""What argparse may say to the user of a command, marked for our catalogue."""


def wanted(argv: list[str]) -> str:
    """What `--lang` says, wherever it stands, else MASINFIRA_LANG, else English; no other argument is looked at."""
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--lang", nargs="?")
    said = first.parse_known_args(argv)[0].lang
    return next((lang for lang in (said, os.environ.get("MASINFIRA_LANG")) if lang in LANGUAGES), DEFAULT)


def speak(lang: str) -> None:
    """Have gettext's global catalogue be ours, in this language; it is told by the environment only."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = lang
