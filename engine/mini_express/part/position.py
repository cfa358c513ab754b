"""A position that is only in part known, as photos show it: filled in by hand until it is whole.

part = Part.from_json(json.load(file), pack)         # a state JSON with keys missing, or what `scan --json` printed
part = part.filled_in(["seats=red", "difficulty=tourist", "shares.red=2,0,1,0"])
part.missing                                          # the paths that nobody has told and no rule tells
part.state()                                          # the whole state, once nothing is missing

What the rules make certain is derived (`rules`), and derived anew after every change; nothing else is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from ...sentences import N_, Problem
from ..actions import is_action
from ..agreed import board_of, may_play, players, setup_of
from ..board import Board
from ..errors import Malformed, as_json
from ..fields import (
    LARGEST,
    Field,
    Known,
    Path,
    agreed_fields,
    fields,
    four_numbers,
    possible,
    some,
    word,
)
from ..names import COMPANIES, SEATS
from ..pack import Pack
from ..serial import (
    FORMAT,
    Values,
    pack_entry,
    parts_without_a_word,
    state_from_json,
    state_of,
    told_in,
    told_of_whole,
)
from ..state import Counts, Setup, State
from .missing import missing_for_score, missing_of
from .paths import (
    doubtful,
    doubtful_figures,
    in_order,
    may_be_open,
    nested,
    paths_in,
    state_within,
    together,
    unseen,
)
from .rules import derived

TRUTH = "masinfira/mini-express/truth/1"
"""The format of what is known to lie in a sample photo: parts of a state as well."""
CONFIRMED = "confirmed"
SHOWN = ("track.", "demand.", "influence.", "companies.")
"""The parts of a state from which photos can teach something."""
LISTED_AT_MOST = 20
"""So many paths tell how all are written; a map has more than a hundred hexes."""
# Without a word on these the game is as nearly every game: `Part.usual` tells which were taken as that.
USUAL: Known = {"korean_start": False, "passes": 0}


class PartProblem(Problem):
    """Something that cannot be filled in, or is not there yet."""

    sentences = {
        "assignment": N_("{text} fills in nothing: write a path and a value, such as shares.red.brown=2."),
        "path": N_("A state has no {path}: possible are {known}."),
        "parts": N_("{path} is filled in part by part: the paths are {known}."),
        "value": N_("{path} takes {expected}, not {found}."),
        "no_seat": N_("{seat} does not play here: the seats are {seats}."),
        "alternatives": N_(
            "This scan cannot tell which of several actions was played: enter it with masinfira play."
        ),
        "conflicts": N_(
            "The photos of this scan contradict each other or the state before: take them again, or correct the state."
        ),
        "state": N_("This state is known only in part: fill in {missing} with masinfira set."),
        "score": N_("The score needs more than is known: fill in {missing} with masinfira set."),
    }


@dataclass(frozen=True)
class Standing:
    """As much of a position as its score needs; `phase` is None where nobody has told it."""

    setup: Setup
    value: Counts
    influence: tuple[Counts, ...]
    shares: tuple[Counts, ...]
    phase: str | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """What is `told` of a position, by path; `unsure` are paths that a photo left open and a person must tell."""

    told: Known
    unsure: frozenset[Path]
    pack: Pack

    @staticmethod
    def from_json(obj: Any, pack: Pack, *, sound: bool = True) -> "Part":
        """From a state JSON with keys missing, alone or under "state" as `scan --json` prints it.

        What the scan could not see or was not sure of is `unsure`. Unless it must be `sound`, numbers may be higher
        than the rules allow. Raises Malformed, PartProblem where a scan does not settle what was played.
        """
        if not isinstance(obj, Mapping):
            raise Malformed("state_not_object")
        if is_action(obj):
            raise Malformed("state_action")
        inner = obj.get("state")
        state, seen = (inner, obj) if isinstance(inner, Mapping) and "format" not in obj else (obj, {})
        if state.get("format", FORMAT) not in (FORMAT, TRUTH):
            raise Malformed("state_format", found=as_json(state["format"]), expected=FORMAT)
        whole = state.get("format") == FORMAT and not parts_without_a_word(state)
        if whole:  # what was not seen is as it was before
            _check_settled(obj)
            return Part(told_of_whole(state, pack, sound=sound), may_be_open(doubtful(seen)), pack)
        if state and not state.keys() & _keys(pack):
            raise Malformed("state_nothing")
        derived, unsure = paths_in(state, "derived"), paths_in(state, "unsure")
        # A number that a photo leaves in doubt is unknown until somebody tells it: a score would hide the doubt.
        untold = derived | doubtful_figures(seen)
        told = {
            path: value for path, value in told_in(state, pack, sound=sound).items() if path not in untold
        }
        return Part(told, may_be_open({*unsure, *unseen(seen), *doubtful(seen)}), pack)

    def filled_in(self, assignments: Sequence[str]) -> "Part":
        """With what a person says, each "path=value". Raises PartProblem, or Broken where the rules forbid it."""
        pairs = [_assignment(text) for text in assignments]
        part = self
        agreed = agreed_fields(self.pack.boards)
        for path, text in sorted(pairs, key=lambda pair: pair[0] not in agreed):
            part = part._with(path, text)
        part._check_seats()
        return part

    def _with(self, path: Path, text: str) -> "Part":
        known = {**self.fields, **self.shortcuts}
        if path not in known:
            raise _no_such_path(path, list(known))
        value = _read(known[path], path, text)
        told, unsure = {**self.told}, self.unsure - {path}
        if path == "track":
            unsure = frozenset(other for other in unsure if not other.startswith("track."))
        for leaf, leaf_value in self._leaves(path, value):
            told.pop(leaf.partition(".")[0], None)  # a bot that has a target is there after all
            told[leaf] = leaf_value
        return Part(told, unsure, self.pack)

    def _leaves(self, path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
        """What a path stands for: itself, or for a shortcut several others."""
        if path == "track":
            return
        if path.startswith("track.") and path not in self.fields:
            at = [int(v) for v in path.removeprefix("track.").split(",")]
            for company in COMPANIES:
                others = [other for other in self.told[f"track.{company}"] if other != at]
                yield f"track.{company}", [*others, at] if company in value else others
        elif path in self.shortcuts:
            yield from zip((f"{path}.{company}" for company in COMPANIES), value, strict=True)
        else:
            yield path, value

    def _check_seats(self) -> None:
        seats = may_play(self.told)
        for path in self.told:
            part, _, rest = path.partition(".")
            seat = rest.split(".")[0]
            if part in ("influence", "shares") and seat not in seats:
                raise PartProblem("no_seat", rule="R1.1", seat=seat, seats=list(self.players))

    @cached_property
    def fields(self) -> dict[Path, Field]:
        """Everything that a state has, by path."""
        return fields(self.pack.boards, self.board, may_play(self.told))

    def takes(self, path: Path, text: str) -> bool:
        """Whether text can be the value of one of the `fields`, whatever the others hold."""
        try:
            _read(self.fields[path], path, text)
        except PartProblem:
            return False
        return True

    @cached_property
    def shortcuts(self) -> dict[Path, Field]:
        """Paths that stand for several: a seat's four numbers, all trains of a hex, the whole track as it was read."""
        rows = product(("influence", "shares"), may_play(self.told))
        found = {f"{part}.{seat}": four_numbers(LARGEST) for part, seat in rows}
        found["track"] = word((CONFIRMED,))
        if self.board and all(f"track.{company}" in self.told for company in COMPANIES):
            found |= {f"track.{q},{r}": some(COMPANIES) for q, r in self.board.index}
        return found

    @property
    def known(self) -> Known:
        """What is told, and what follows from it by the rules. Raises Broken where it breaks them."""
        return self._derived[0]

    @property
    def clauses(self) -> dict[Path, str]:
        """The clause of the rules behind each path that follows; "" where it is no rule but what was agreed."""
        return self._derived[1]

    @cached_property
    def _derived(self) -> tuple[Known, dict[Path, str]]:
        return derived(self)

    @cached_property
    def board(self) -> Board | None:
        """The map as the modules change it, as far as they are told."""
        return board_of(self.told, self.pack)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """All seats, Mašinfíra's the last where it plays; () while nobody has told them."""
        return players(self.told)

    @cached_property
    def missing(self) -> list[Path]:
        """What a whole state needs and nobody has told, in the order of the state JSON."""
        return [*missing_of(self, self.known), *in_order(self.unsure)]

    @cached_property
    def usual(self) -> dict[Path, Any]:
        """What was taken as in nearly every game, because nobody has told it."""
        return {path: value for path, value in USUAL.items() if path not in self.told}

    def state(self) -> State | None:
        """The whole state, checked, or None while something is missing. Raises Malformed."""
        if self.missing:
            return None
        known = {**USUAL, **self.known}
        for path, field in self.fields.items():  # what was told before the map or the seats were
            if path in known:
                field.check(path, known[path])
        return state_of(known, self.pack)

    def standing(self) -> Standing:
        """What the score needs. Raises PartProblem with what is missing of it."""
        if missing := missing_for_score(self):
            raise PartProblem("score", missing=", ".join(missing))
        known = Values(self.known)
        board = known.get("board", next(iter(self.pack.boards)))  # scoring asks nothing of the map
        setup = setup_of({**known, "board": board, "modules": ()}, self.pack)
        influence, shares = (
            tuple(known.counts(f"{part}.{seat}.{{}}") for seat in setup.seats)
            for part in ("influence", "shares")
        )
        return Standing(setup, known.counts("companies.{}.value"), influence, shares, known.get("phase"))

    def shown(self) -> dict[str, Any]:
        """What a photo can teach something by, as far as it is told and not unsure, or be checked by.

        These are `track`, `demand`, `influence` and `companies`.
        """
        sure = {path: value for path, value in self.told.items() if path not in self.unsure}
        told = nested({path: value for path, value in sure.items() if path.startswith(SHOWN)})
        track = {
            company: [[q, r] for q, r in hexes if f"track.{q},{r}" not in self.unsure]
            for company, hexes in told.get("track", {}).items()
        }
        return {"demand": {}, **told, "track": track}

    def to_json(self) -> dict[str, Any]:
        """The state JSON with keys missing. "derived" are paths that follow from others, "unsure" those left open."""
        derived = sorted(path for path in self.known if path not in self.told)
        return {**self.told_to_json(), **nested(self.known), "derived": derived}

    def told_to_json(self) -> dict[str, Any]:
        """The same of what was told alone, also where the rules forbid what follows from it."""
        return {**pack_entry(self.pack), **nested(self.told), "unsure": in_order(self.unsure)}


def state_of_json(obj: Any, pack: Pack, *, sound: bool = True) -> State:
    """The state of a JSON, alone or under "state" as the commands print it; with `sound` only one that breaks no rule.

    It may be known in part, where the rules tell the rest. Raises Malformed, PartProblem with what is missing.
    """
    inner = state_within(obj)
    if not isinstance(inner, Mapping) or "format" in inner:
        _check_settled(obj)
        try:
            return state_from_json(inner, pack, sound=sound)
        except Malformed as problem:
            if problem.key != "state_missing":
                raise
    part = Part.from_json(obj, pack, sound=sound)
    if (state := part.state()) is None:
        raise PartProblem("state", missing=together(part.missing))
    return state


def _check_settled(obj: Any) -> None:
    """Raises PartProblem for a scan whose whole state is only the first of several, or contradicts its photos."""
    scan = obj if isinstance(obj, Mapping) and "state" in obj else {}
    if scan.get("fits") is False:
        raise PartProblem("conflicts")
    if scan.get("alternatives"):
        raise PartProblem("alternatives")


def _keys(pack: Pack) -> set[str]:
    """What the JSON of a part of a state can have."""
    return {
        "format",
        "derived",
        "unsure",
        *(path.partition(".")[0] for path in fields(pack.boards, None, SEATS)),
    }


def _assignment(text: str) -> tuple[Path, str]:
    path, equals, value = text.partition("=")
    if not (path.strip() and equals and value.strip()):
        raise PartProblem("assignment", text=as_json(text))
    return path.strip(), value.strip()


def _no_such_path(path: Path, paths: Sequence[Path]) -> PartProblem:
    if parts := [other for other in paths if other.startswith(f"{path}.")]:
        return PartProblem("parts", path=as_json(path), known=together(parts))
    known = possible(path, paths)
    more = ["…"] if len(known) > LISTED_AT_MOST else []
    return PartProblem("path", path=as_json(path), known=", ".join([*known[:LISTED_AT_MOST], *more]))


def _read(field: Field, path: Path, text: str) -> Any:
    try:
        value = field.read(text)
    except (KeyError, ValueError):
        value = ...
    if value is ... or field.wrong(value):
        raise PartProblem("value", path=as_json(path), expected=field.typed, found=as_json(text))
    return value
