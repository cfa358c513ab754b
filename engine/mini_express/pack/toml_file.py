"""A TOML file that knows in which line its entries stand, so that a mistake in it can be found."""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ...sentences import Phrase, reason_of
from ..errors import PackProblem

MAX_BYTES = 1_000_000
# A key of many parts takes the square of their number.
DOTS_AT_MOST = 100


@dataclass(frozen=True)
class TomlFile:
    """The text and the data of one file of a pack; `name` is what messages call it."""

    name: str
    text: str
    data: dict[str, Any]
    _found: dict[tuple[str, str], list[int]] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def read(path: Path, name: str) -> "TomlFile":
        """Raises PackProblem when the file cannot be read or is not TOML."""
        try:
            if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe would be waited for
                raise PackProblem("unreadable", file=name, reason=Phrase("it is not a text file"))
            with path.open(encoding="utf-8-sig") as file:  # some editors begin a text with a byte order mark
                text = file.read(MAX_BYTES + 1)
            if len(text) > MAX_BYTES:
                raise PackProblem("unreadable", file=name, reason=Phrase("larger than 1 MB"))
            if any(line.count(".") > DOTS_AT_MOST for line in text.splitlines()):
                raise PackProblem("unreadable", file=name, reason=Phrase("a line has more than 100 dots"))
            return TomlFile(name, text, tomllib.loads(text))
        except OSError as error:
            raise PackProblem("unreadable", file=name, reason=reason_of(error)) from None
        except UnicodeDecodeError:
            raise PackProblem("unreadable", file=name, reason=Phrase("it is not a text file")) from None
        # Of what is no TOML, has numbers of thousands of digits, or is nested too deeply.
        except (ValueError, RecursionError) as error:
            raise PackProblem("toml", file=name, reason=str(error)) from None

    def line(self, pattern: str, nth: int = 0, after: str = "") -> int:
        """The line of the nth match of a pattern that comes after another, counted from 1."""
        if (pattern, after) not in self._found:
            self._found[pattern, after] = self._lines(pattern, after)
        lines = self._found[pattern, after]
        return lines[nth] if nth < len(lines) else 1

    def _lines(self, pattern: str, after: str) -> list[int]:
        """The lines of all matches of a pattern that come after another."""
        start = re.search(after, self.text) if after else None
        lines, line, counted = list[int](), 1, 0
        for found in re.compile(pattern, re.M).finditer(self.text, start.end() if start else 0):
            line += self.text.count("\n", counted, found.start())
            counted = found.start()
            lines.append(line)
        return lines

    def header_line(self, key: str, nth: int) -> int:
        """The line of the nth [[key]] table."""
        return self.line(rf"^[ \t]*\[\[\s*{_key(key)}\s*\]\]", nth)

    def tables(self) -> Iterator[tuple[str, dict[str, Any], int]]:
        """Each table of the file, the file itself first, as (what it is, the table, its line)."""
        yield self.name, self.data, 1
        for key, value in self.data.items():
            if isinstance(value, dict):
                yield key, value, self.line(rf"^[ \t]*\[\s*{_key(key)}\s*\]")
            for nth, table in enumerate(value if isinstance(value, list) else ()):
                if isinstance(table, dict):
                    yield _label(key, table), table, self.header_line(key, nth)

    def get(
        self, table: dict[str, Any], key: str, valid: Callable[[Any], bool], expected: Phrase | str, line: int
    ) -> Any:
        """`table[key]`, checked. Raises PackProblem naming the line when it is missing or not valid."""
        value = table.get(key) if isinstance(table, dict) else None
        if not valid(value):
            self.wrong(line, expected, value)
        return value

    def wrong(self, line: int, expected: Phrase | str, found: Any) -> NoReturn:
        """Raise the one sentence about a wrong entry; what is expected is a `str` where only TOML says it."""
        shown = Phrase("nothing") if found is None else repr(found)
        raise PackProblem("entry", file=self.name, line=line, expected=expected, found=shown)


def _key(key: str) -> str:
    """A pattern for a key as it may stand in the file: with quotes or without."""
    return rf"[\"']?{re.escape(key)}[\"']?"


def _label(key: str, table: dict[str, Any]) -> str:
    """What to call a table: its name, its place, or its key."""
    parts = [table.get("name"), table.get("kind"), table.get("at"), table.get("pair")]
    return " ".join(str(part) for part in parts if part is not None) or key
