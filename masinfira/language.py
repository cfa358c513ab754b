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


VARIABLE = "MASINFIRA_LANG"
UNKNOWN = N_(
    "MASINFIRA_LANG asks for {found}, which there is not, so this is in English: choose one of {known}."
)


def wanted(argv: list[str]) -> str:
    """What `--lang` says, wherever it stands, else MASINFIRA_LANG, else English; no other argument is looked at."""
    return next((lang for lang in (_said(argv), os.environ.get(VARIABLE)) if lang in LANGUAGES), DEFAULT)


def unknown(argv: list[str]) -> str | None:
    """What MASINFIRA_LANG asks for in vain."""
    asked = None if _said(argv) else os.environ.get(VARIABLE)
    return asked if asked and asked not in LANGUAGES else None


def _said(argv: list[str]) -> str | None:
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--lang", nargs="?")
    said: str | None = first.parse_known_args(argv)[0].lang
    return said


def speak(lang: str) -> None:
    """Have gettext's global catalogue be ours, in this language; it is told by the environment only."""
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = lang
