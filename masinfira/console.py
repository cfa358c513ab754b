"""What a command prints: something pleasant for people, or JSON for machines."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich import progress as bars
from rich.console import Console as Rich
from rich.table import Table
from rich.text import Text

from engine.catalogue import Texts
from engine.mini_express import Event
from engine.sentences import N_, Problem, Progress, reason_of

STYLES = {
    "brown": "rgb(181,101,29)",
    "gray": "bright_black",
    "orange": "rgb(255,140,0)",
    "white": "bright_white",
    "masinfira": "magenta",
}


_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters but for the tab and the end of a line."""
_LONG_WORD = re.compile(r"(\S{60})\S{60,}(\S{60})")
SENTENCE_AT_MOST = 2000
"""Longer than any sentence of ours: only what a person has typed, or pasted, makes one so long."""


class OutputProblem(Problem):
    """Standard output that takes nothing more."""

    sentences = {
        "unwritable": N_("The output cannot be written: {reason}."),
    }


def make_ready() -> None:
    """Let everything be printed, also the help: on a terminal that does not know every letter, or not its width."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if os.environ.get("COLUMNS") == "0":
        del os.environ["COLUMNS"]


class _Out(Rich):
    """Leaves it to the command what happens when the reader of its output goes away."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class Console:
    """Prints texts in one language. With `as_json` only `data` and `line` print, and everything else keeps still."""

    def __init__(self, texts: Texts, *, as_json: bool) -> None:
        self.texts, self.as_json = texts, as_json
        self.out = _Out(quiet=as_json, highlight=False, soft_wrap=True)
        self.err = _Out(stderr=True, highlight=False, soft_wrap=True)

    def data(self, value: Any) -> None:
        """Print JSON, if JSON is wanted."""
        if self.as_json:
            _write(value, indent=2)

    def line(self, value: Any) -> None:
        """Print JSON on a line of its own, if JSON is wanted: for what happens one after the other."""
        if self.as_json:
            _write(value)

    def say(self, sentence: str | tuple[str, str], /, *, style: str = "", **values: Any) -> None:
        """Print a sentence of the catalogue."""
        self.print(self.texts.say(sentence, **values), style=style)

    def print(self, text: Any, style: str = "") -> None:
        """Print a text or a table of rich. Raises OutputProblem."""
        with _printing():
            self.out.print(_harmless(text), style=style or None, markup=False)

    def warn(self, problem: Problem) -> None:
        """Print what a person should look at, without stopping."""
        self.print(self.told(problem), style="yellow")

    def told(self, problem: Problem) -> str:
        """A sentence with its clause of the rules, if it rests on one."""
        sentence = self.texts.told(problem)
        return f"{sentence} ({problem.rule})" if problem.rule else sentence

    def refuse(self, sentence: str) -> None:
        """One sentence on stderr."""
        self.err.print(one_line(sentence), style="red", markup=False)

    def log(self, told: Sequence[Event | Problem]) -> None:
        """What happened, or what is wrong, each on a line with the clause behind it."""
        for one in told:
            self.print(f"  {one.rule:<6} {self.texts.told(one)}")

    def table(self, *columns: str) -> Table:
        """An empty table with these headings."""
        table = Table(header_style="bold", box=None, pad_edge=False)
        for column in columns:
            # A word too long for a narrow terminal goes on in the next line; cut off, nobody could read or copy it.
            table.add_column(column, overflow="fold")
        return table

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """A bar on stderr for long work; yields the callback that moves it."""
        quiet = self.as_json or not self.err.is_terminal
        columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.TimeElapsedColumn())
        with bars.Progress(*columns, console=self.err, transient=True, disable=quiet) as bar:
            task = bar.add_task("", total=1.0)

            def step(sentence: str, share: float) -> None:
                bar.update(task, description=self.texts.say(sentence), completed=share)

            yield step


def _harmless(text: Any) -> Any:
    """A text without what would command the terminal, such as the name of a file may have; tables are made of ours."""
    if isinstance(text, Text):
        text.plain = _COMMANDS.sub("�", text.plain)
    return _COMMANDS.sub("�", text) if isinstance(text, str) else text


def one_line(sentence: str) -> str:
    """A refusal as it can be read, whatever a person has typed: on one line, without what is too long to be of use."""
    line = _LONG_WORD.sub(r"\1…\2", str(_harmless(sentence)).replace("\n", "�"))
    half = SENTENCE_AT_MOST // 2
    return line if len(line) <= SENTENCE_AT_MOST else f"{line[:half]}…{line[-half:]}"


def _write(value: Any, indent: int | None = None) -> None:
    """JSON on standard output, at once, in letters that it knows. Raises OutputProblem."""
    if sys.stdout is None:  # closed by whoever started us, who wants to read nothing
        return
    every_letter = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    with _printing():
        sys.stdout.write(json.dumps(value, ensure_ascii=not every_letter, indent=indent) + "\n")
        sys.stdout.flush()


@contextmanager
def _printing() -> Iterator[None]:
    """Around whatever prints: a full disk is a refusal; a reader that went away is none and stays what it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputProblem("unwritable", reason=reason_of(error)) from None


def company_style(company: str) -> str:
    """The colour a company or seat is printed in; its letter or name stands beside it always."""
    return STYLES.get(company, company)


def log_to_json(texts: Texts, events: list[Event]) -> list[dict[str, Any]]:
    """Events as data, each with its sentence."""
    return [{"key": e.key, "rule": e.rule, "values": e.values, "text": texts.told(e)} for e in events]


def problems_to_json(texts: Texts, problems: Sequence[Problem]) -> list[dict[str, str]]:
    """Problems as data, each with its sentence."""
    return [{"key": p.key, "rule": p.rule, "text": texts.told(p)} for p in problems]
