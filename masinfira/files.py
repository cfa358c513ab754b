"""Reading what a command is given: a state, an action, a game, points; from a file or standard input."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine import mini_express as game
from engine.files import UNREAD, read_bytes, reading
from engine.mini_express.errors import as_json
from engine.mini_express.record import GAME_FORMAT
from engine.sentences import N_, Phrase, Problem, Typed

MAX_BYTES = 5_000_000
STDIN = "-"
GAME = Phrase("JSON or a recorded game (photos are read by masinfira scan)")
POINTS = Phrase("a JSON file of the points tapped in a photo, as docs/scripting.md shows it")
DESCRIPTION = Phrase("a JSON file that describes the board, as docs/other_boards.md shows it")
"""What a file may be expected to hold."""
PHOTO = re.compile(rb"\xff\xd8\xff|\x89PNG|....ftyp(hei|mif)", re.S)
"""What JPEG, PNG and HEIC files begin with."""


class FileProblem(Problem):
    """A file that cannot be read or written."""

    sentences = {
        "both": N_("Only one of STATE and ACTION can be standard input: name a file for the other."),
        "nameless": N_("The name of the file is empty: name a file, or write - for standard input."),
        **UNREAD,
        "large": N_("{file} is larger than 5 MB, so it is not what this command reads."),
        "empty": N_("{file} is empty: check that you named the right one."),
        "photo": N_("{file} is a photo, but what is expected here is {expected}."),
        "not_text": N_("{file} is not a text file: what is expected is {expected}."),
        "not_json": N_("{file} is not valid JSON (line {line}): check that it is whole."),
        "key_twice": N_("{file} says {found} twice in one place: leave one of them out."),
        "neither": N_(
            "{file} holds no position: a state (JSON) is expected, or a recorded game, whose first line is {first}."
        ),
        "no_action": N_("{file} holds no action that can be read: {reason}"),
        "unwritable": N_("{file} cannot be written: {reason}."),
        "no_folder": N_("There is no folder {folder} to put {file} into: make it first, or choose another."),
        "in_use": N_(
            "This command reads {file}, so it does not write over it: choose another name for what is to be saved."
        ),
        "game_there": N_("There is a game in {file} already: choose another name, so that it is not lost."),
        "other_there": N_(
            "{file} is there already and nothing that this command writes: choose another name, or remove it first."
        ),
        "changed": N_(
            "Somebody else has changed {file} meanwhile, so it is not written: "
            "look at what it says, then do this again."
        ),
        "twice": N_("Two things are to be saved as {file}: choose another name for one of them."),
        "no_picture": N_("{file} is no name for the picture: let it end in .jpg."),
    }


def read_text(source: str, expected: Phrase = GAME) -> str:
    """The text of a file, or of standard input for "-", which is `expected` to hold this. Raises FileProblem."""
    if not source:  # for pathlib, this would be the folder we are in
        raise FileProblem("nameless")
    name = _name(source)
    with reading(name, FileProblem):
        data = _standard_input() if source == STDIN else read_bytes(Path(source), MAX_BYTES)
    return _text(data, name, expected)


def _standard_input() -> bytes:
    """What stands there, but no more than one byte too many; nothing where it was closed before we began."""
    return sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b""


def _text(data: bytes, name: Phrase | str, expected: Phrase) -> str:
    if PHOTO.match(data):  # before its size is looked at: a phone's are often larger
        raise FileProblem("photo", file=name, expected=expected)
    if len(data) > MAX_BYTES:
        raise FileProblem("large", file=name)
    if not data.strip():
        raise FileProblem("empty", file=name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileProblem("not_text", file=name, expected=expected) from None


def read_json(source: str, expected: Phrase) -> Any:
    """The JSON in a file or standard input, which is `expected` to hold this. Raises FileProblem."""
    return _json(read_text(source, expected), source)


def _json(text: str, source: str) -> Any:
    def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:  # of two, Python would take the last without a word
                raise FileProblem("key_twice", file=_name(source), found=as_json(key))
            found[key] = value
        return found

    try:
        return json.loads(text, object_pairs_hook=each_once)
    except (RecursionError, ValueError) as error:  # json.JSONDecodeError is a ValueError
        raise FileProblem("not_json", file=_name(source), line=getattr(error, "lineno", 1)) from None


def _name(source: str) -> Phrase | str:
    return Phrase("standard input") if source == STDIN else Typed(source)


def read_state(source: str, pack: game.Pack) -> game.State:
    """The state of a state file, or the last one of a game record. Raises Problem."""
    return read_game(source, pack).state


def read_game(source: str, pack: game.Pack) -> game.Game:
    """A game record, or a state as a game of no actions yet. Raises Problem."""
    found = _game_or_json(source, pack)
    return found if isinstance(found, game.Game) else game.Game(game.state_of_json(found, pack))


def _game_or_json(source: str, pack: game.Pack) -> game.Game | dict[str, Any]:
    """The game that a record holds, or the JSON of any other text. Raises Problem."""
    text = read_text(source)
    if game.is_record(text):
        return game.Game.from_text(text, pack)
    try:
        found = _json(text, source)
    except FileProblem:
        if text.lstrip().startswith(("{", "[")):  # JSON that is not whole
            raise
        found = None
    if not isinstance(found, dict):
        raise FileProblem("neither", file=_name(source), first=GAME_FORMAT)
    return found


def read_unchecked(source: str, pack: game.Pack) -> game.State | game.Part:
    """As `read_state`, but one that breaks the rules, or is known in part, is read all the same. Raises Problem."""
    found = _game_or_json(source, pack)
    if isinstance(found, game.Game):
        return found.state
    try:
        return game.state_of_json(found, pack, sound=False)
    except (game.Malformed, game.PartProblem, game.Broken):
        return game.Part.from_json(found, pack, sound=False)  # which tells what it cannot read


def read_part(source: str, pack: game.Pack, board: str | None = None) -> game.Part:
    """What is known of a position: a state JSON with keys missing, the JSON of a scan, or a game. Raises Problem.

    It is one on the map `board` where it does not say on which.
    """
    found = _game_or_json(source, pack)
    said = game.state_to_json(found.state) if isinstance(found, game.Game) else found
    on_board = {"board": board} if board and not {"board", "state"} & said.keys() else {}
    return game.Part.from_json({**said, **on_board}, pack)


def refuse_both_from_stdin(*sources: str) -> None:
    """Standard input can be read once only. Raises FileProblem."""
    if sources.count(STDIN) > 1:
        raise FileProblem("both")


def read_action(source: str) -> game.Action:
    """An action: a JSON file, "-", or one line of notation such as "share g". Raises Problem."""
    if source != STDIN and not source.endswith(".json") and not stands(Path(source).exists):
        return game.action_from_text(source)
    text = read_text(source).strip()
    is_json = text.startswith(("{", "[")) or text in ("true", "false", "null")
    found = _json(text, source) if is_json else None
    try:
        return game.action_from_json(found) if is_json else game.action_from_text(text)
    except Problem as problem:
        raise FileProblem("no_action", rule=problem.rule, file=_name(source), reason=problem) from None


def stands(asked: Callable[[], bool]) -> bool:
    """What is asked of a file; no where it cannot be told: then writing it tells what is wrong."""
    try:
        return asked()
    except OSError:
        return False
