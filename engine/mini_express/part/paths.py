"""What is known by path as a state JSON with keys missing, and the paths that a scan leaves open."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from ..fields import Known, Path

_MAY_BE_OPEN = re.compile(r"track\.-?\d{1,3},-?\d{1,3}|demand\.([1-9]|[12]\d|3[0-2])")


def nested(known: Known) -> dict[str, Any]:
    """The JSON of what is known by path; a city that is known to have no tile has no entry."""
    obj: dict[str, Any] = {}
    for path, value in known.items():
        *parents, last = path.split(".")
        table = obj
        for key in parents:
            if table.get(key) is None:  # told to be none, and then something of it all the same
                table[key] = {}
            table = table[key]
        if parents != ["demand"] or value is not None:
            table[last] = value
    return obj


def state_within(obj: Any) -> Any:
    """The state in what a command printed: it stands alone, or under "state"."""
    return obj.get("state", obj) if isinstance(obj, Mapping) and "format" not in obj else obj


def paths_in(state: Mapping[str, Any], key: str) -> set[Path]:
    """A list of paths that a part of a state carries beside its own keys."""
    return {path for path in _list(state, key) if isinstance(path, str)}


def unseen(scan: Mapping[str, Any]) -> Iterator[Path]:
    """The paths of the hexes that a scan could not see."""
    return map(_hex_path, _list(scan, "unseen"))


def doubtful(scan: Mapping[str, Any]) -> Iterator[Path]:
    """The paths of the trains and tiles that a scan is not sure of."""
    for doubt in _list(scan, "doubtful"):
        if isinstance(doubt, Mapping) and "hex" in doubt:
            yield _hex_path(doubt["hex"])
        elif isinstance(doubt, Mapping) and doubt.get("what", "demand") == "demand":
            yield f"demand.{doubt.get('city')}"


def doubtful_figures(scan: Mapping[str, Any]) -> set[Path]:
    """The paths of the numbers that a scan read and is not sure of."""
    return {
        doubt["path"]
        for doubt in _list(scan, "doubtful")
        if isinstance(doubt, Mapping) and isinstance(doubt.get("path"), str)
    }


def may_be_open(paths: Iterable[Path]) -> frozenset[Path]:
    """Those of the paths that a photo can leave open; anything else in such a list is of no use."""
    return frozenset(path for path in paths if _MAY_BE_OPEN.fullmatch(path))


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Paths of one part together, cities and hexes by their numbers."""
    return sorted(
        paths, key=lambda path: (path.partition(".")[0], [int(n) for n in re.findall(r"-?\d+", path)])
    )


def _hex_path(at: Any) -> Path:
    return f"track.{','.join(map(str, at))}" if isinstance(at, list) else ""


def _list(obj: Mapping[str, Any], key: str) -> list[Any]:
    found = obj.get(key)
    return found if isinstance(found, list) else []


def together(paths: Iterable[str]) -> str:
    """Paths for people: those that differ only in the last key stand together, `shares.red.{brown,gray}`."""
    groups = [(start, [path.rpartition(".")[2] for path in run]) for start, run in groupby(paths, _start)]
    return ", ".join(_group(start, keys) for start, keys in groups)


def _group(start: str, keys: list[str]) -> str:
    if not start:
        return ", ".join(keys)
    between = " " if any("," in key for key in keys) else ","  # a hex is two numbers
    return f"{start}.{keys[0]}" if len(keys) == 1 else f"{start}.{{{between.join(keys)}}}"


def _start(path: str) -> str:
    return path.rpartition(".")[0]
