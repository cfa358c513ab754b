"""Reading what a command is given: a state, an action, a game, points; from a file or standard input."""

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine import mini_express as game
from engine.atomic import write_whole
from engine.sentences import N_, Phrase, Problem, reason_of

MAX_BYTES = 5_000_000
STDIN = "-"


class FileProblem(Problem):
    """A file that cannot be read or written."""

    sentences = {
        "both": N_("Only one of STATE and ACTION can be standard input: name a file for the other."),
        "nameless": N_("The name of the file is empty: name a file, or write - for standard input."),
        "missing": N_("There is no file {file}: check the name."),
        "folder": N_("{file} is a folder: name a file."),
        "unreadable": N_("{file} cannot be read: {reason}."),
        "large": N_("{file} is larger than 5 MB, so it is not what this command reads."),
        "not_text": N_("{file} is not a text file: JSON is expected."),
        "not_json": N_("{file} is not valid JSON (line {line}): check that it is whole."),
        "unwritable": N_("{file} cannot be written: {reason}."),
        "game_there": N_("There is a game in {file} already: choose another name, so that it is not lost."),
    }


def read_text(source: str) -> str:
    """The text of a file, or of standard input for "-". Raises FileProblem."""
    if not source:  # for pathlib, this would be the folder we are in
        raise FileProblem("nameless")
    name = _name(source)
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if source == STDIN else _read_file(Path(source))
        if len(data) > MAX_BYTES:
            raise FileProblem("large", file=name)
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise FileProblem("missing", file=name) from None
    except IsADirectoryError:
        raise FileProblem("folder", file=name) from None
    except UnicodeDecodeError:
        raise FileProblem("not_text", file=name) from None
    except OSError as error:
        raise FileProblem("unreadable", file=name, reason=reason_of(error)) from None


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def read_json(source: str) -> Any:
    """The JSON of a file or of standard input. Raises FileProblem."""
    return _json(read_text(source), source)


def _game_or_json(source: str, pack: game.Pack) -> Any:
    """The `Game` that a record holds, or the JSON of any other text. Raises Problem."""
    text = read_text(source)
    return game.Game.from_text(text, pack) if game.is_record(text) else _json(text, source)


def read_state(source: str, pack: game.Pack) -> game.State:
    """The state of a state file, or the last one of a game record. Raises Problem."""
    return read_game(source, pack).state


def _json(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except (RecursionError, ValueError) as error:  # json.JSONDecodeError is a ValueError
        raise FileProblem("not_json", file=_name(source), line=getattr(error, "lineno", 1)) from None


def _name(source: str) -> Phrase | str:
    return Phrase("standard input") if source == STDIN else source


def read_unchecked(source: str, pack: game.Pack) -> game.State:
    """As `read_state`, but a state that breaks the rules is read all the same. Raises Problem."""
    found = _game_or_json(source, pack)
    return found.state if isinstance(found, game.Game) else game.state_of_json(found, pack, sound=False)


def read_part(source: str, pack: game.Pack, board: str | None = None) -> game.Part:
    """What is known of a position: a state JSON with keys missing, the JSON of a scan, or a game. Raises Problem.

    It is one on the map `board` where it does not say on which.
    """
    found = _game_or_json(source, pack)
    said = game.state_to_json(found.state) if isinstance(found, game.Game) else found
    on_board = board and isinstance(said, dict) and not {"board", "state"} & said.keys()
    return game.Part.from_json({**said, "board": board} if on_board else said, pack)


def read_scored(source: str, pack: game.Pack) -> game.Scored:
    """A whole state, or as much of one as the score needs. Raises Problem."""
    part = read_part(source, pack)
    return part.state() or part.standing()


def refuse_both_from_stdin(*sources: str) -> None:
    """Standard input can be read once only. Raises FileProblem."""
    if sources.count(STDIN) > 1:
        raise FileProblem("both")


def read_action(source: str) -> game.Action:
    """An action: a JSON file, "-", or one line of notation such as "share g". Raises Problem."""
    if source != STDIN and not source.endswith(".json") and not _is_there(source):
        return game.action_from_text(source)
    text = read_text(source).strip()
    if text.startswith(("{", "[")) or text in ("true", "false", "null"):
        return game.action_from_json(_json(text, source))
    return game.action_from_text(text)


def _is_there(source: str) -> bool:
    try:
        return Path(source).exists()
    except OSError:  # no file has so long a name
        return False


def write_atomically(path: Path, data: bytes) -> None:
    """Write a whole file or nothing. Raises FileProblem."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except IsADirectoryError:
        raise FileProblem("folder", file=str(path)) from None
    except OSError as error:
        raise FileProblem("unwritable", file=str(path), reason=reason_of(error)) from None


def read_game(source: str, pack: game.Pack) -> game.Game:
    """A game record, or a state as a game of no actions yet. Raises Problem."""
    found = _game_or_json(source, pack)
    return found if isinstance(found, game.Game) else game.Game(game.state_of_json(found, pack))


def save_json(path: Path, value: Any) -> None:
    """Save a state, or what is known of one. Raises FileProblem."""
    write_atomically(path, (json.dumps(value, indent=2) + "\n").encode())


def check_no_game(path: Path | None) -> None:
    """Raises FileProblem where a game record would be written over by something else."""
    if path is None or not path.is_file():
        return
    with suppress(OSError):  # what cannot be read is told when it is written
        if game.is_record(_read_file(path).decode(errors="replace")):
            raise FileProblem("game_there", file=str(path))


def save_game(path: Path | None, played: game.Game) -> None:
    """Save the state as JSON or, under any other name than *.json, the game as text. Raises FileProblem."""
    if path is None:
        return
    if path.suffix == ".json":
        save_json(path, game.state_to_json(played.state))
    else:
        write_atomically(path, played.to_text().encode())
