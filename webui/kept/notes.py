"""What of a reading outlives the program: a note beside its pictures says of which game it is and what a person said.

With it the photos can be read again after a restart, and nothing has to be answered twice.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.hexgrid import Hex

from .saving import ID, save


@dataclass(frozen=True)
class Note:
    """The game and its version when the photos were taken, their focal lengths, what a person said of the hexes.

    And what was `asked`: what an answer had raised in doubt is none of the doubts that the photos leave by themselves.
    """

    game: str
    version: str
    focals: list[float | None]
    answers: Mapping[tuple[Hex, str], bool]
    asked: Mapping[tuple[Hex, str], float] = field(default_factory=dict)


def picture_path(folder: Path, id: str, number: int) -> Path:
    return folder / f"{id}-{number}.jpg"


def write_note(folder: Path, id: str, note: Note) -> None:
    """Raises WebProblem."""
    answers = [[*at, company, there] for (at, company), there in note.answers.items()]
    asked = [[*at, company, p] for (at, company), p in note.asked.items()]
    plain = {"game": note.game, "version": note.version, "focals": note.focals}
    save(_note_path(folder, id), json.dumps({**plain, "answers": answers, "asked": asked}).encode())


def read_note(folder: Path, id: str) -> Note | None:
    """The note of a reading; None where there is none that can be read. Any text may come as `id`."""
    if not ID.fullmatch(id):
        return None
    try:
        plain = json.loads(_note_path(folder, id).read_bytes())
        answers = {((int(q), int(r)), str(company)): bool(there) for q, r, company, there in plain["answers"]}
        # Notes of earlier versions do not say what was asked.
        asked = {((int(q), int(r)), str(company)): float(p) for q, r, company, p in plain.get("asked", [])}
        return Note(str(plain["game"]), str(plain["version"]), list(plain["focals"]), answers, asked)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def remove_note(folder: Path, id: str) -> None:
    _note_path(folder, id).unlink(missing_ok=True)


def remove_oldest(folder: Path, pictures_kept: int) -> None:
    """All but so many pictures go, the oldest first, and their notes with them."""
    for path in sorted(folder.glob("*.jpg"), key=_written)[:-pictures_kept]:
        path.unlink(missing_ok=True)
        remove_note(folder, path.stem.split("-")[0])


def _written(path: Path) -> float:
    """When a file was written; long ago, where somebody else has just removed it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _note_path(folder: Path, id: str) -> Path:
    return folder / f"{id}.json"
