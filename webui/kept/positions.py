"""Positions being entered, on disk: what photos and people have told so far of games that are under way."""

import json
import secrets
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from calibration import Photo, load_photo
from calibration.photo import Pixels, jpeg
from engine.mini_express import Part
from engine.mini_express.fields import Path as PartPath
from engine.sentences import Problem

from ..problems import WebProblem
from .keeping import ID, picture_path
from .packs import Packs
from .saving import save, saved_at

JPEG_QUALITY = 88


@dataclass(frozen=True)
class Position:
    """What is known of one; when it was `saved`, in the computer's own time.

    `proposed` is what photos show of numbers and markers, but not clearly. `said` is what people told, each
    "path=value": it outweighs whatever later photos show. `focals` are the focal lengths of its photos, `pictures` is
    how many of them show the map.
    """

    id: str
    part: Part
    proposed: Mapping[PartPath, str] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    focals: tuple[float | None, ...] = ()
    pictures: int = 0
    saved: datetime = field(default_factory=lambda: datetime.now(UTC))

    def told(self, assignments: Sequence[str]) -> "Position":
        """With what a person says, each "path=value". Raises PartProblem, Broken."""
        said = {text.partition("=")[0] for text in assignments}
        proposed = {path: text for path, text in self.proposed.items() if path not in said}
        part = self.part.filled_in(assignments)
        return replace(self, part=part, proposed=proposed, said=(*self.said, *assignments))

    def untold(self, paths: Collection[PartPath]) -> "Position":
        """Without what was said or shown of these: they are asked again, unless they follow from the rest."""
        told = {path: value for path, value in self.part.told.items() if path not in paths}
        proposed = {path: text for path, text in self.proposed.items() if path not in paths}
        said = tuple(text for text in self.said if text.partition("=")[0] not in paths)
        return replace(self, part=replace(self.part, told=told), proposed=proposed, said=said)

    def counted(self, shares: Mapping[PartPath, str]) -> "Position":
        """With what photos show of the shares in front of players, to be confirmed where that is not told already."""
        told = self.part.told
        fresh = {path: text for path, text in shares.items() if str(told.get(path)) != text}
        open_again = self.untold(fresh)
        return replace(open_again, proposed={**open_again.proposed, **fresh})

    def seen(self, part: Part, proposed: Mapping[PartPath, str]) -> "Position":
        """With what photos of the boards show now, in place of what they showed before; what people said holds.

        Raises PartProblem, Broken.
        """
        shares = {path: text for path, text in self.proposed.items() if path.startswith("shares.")}
        fresh = replace(self, part=part, proposed={**shares, **proposed}, said=())
        return fresh.told(self.said)


class Positions:
    """All positions of this table that no game has come of yet."""

    def __init__(self, folder: Path, packs: Packs) -> None:
        self._folder, self._packs = folder, packs
        self._lock = threading.Lock()

    def begin(self, part: Part) -> str:
        """Keep a new one and the data it is played with; returns its id. Raises WebProblem."""
        self._packs.hold(part.pack)
        id = secrets.token_hex(8)
        self._write(Position(id, part))
        return id

    def all(self) -> list[Position]:
        """Every one that can be read, the newest first."""
        found = []
        for path in self._folder.glob("*.json"):
            with suppress(WebProblem):
                found.append(self.load(path.stem))
        return sorted(found, key=lambda position: position.saved, reverse=True)

    def load(self, id: str) -> Position:
        """Any text may come as `id`. Raises WebProblem where there is none, or its data are not here."""
        if not ID.fullmatch(id):
            raise WebProblem("position_gone")
        try:
            plain, saved = json.loads(self._path(id).read_bytes()), saved_at(self._path(id))
            pack = self._packs.of(plain["pack"])
            if pack is None:
                raise WebProblem("position_gone")
            part = Part.from_json(plain["part"], pack)
            told = dict(plain.get("proposed", {})), tuple(plain.get("said", ()))
            return Position(id, part, *told, tuple(plain["focals"]), int(plain["pictures"]), saved)
        except (OSError, ValueError, TypeError, KeyError, Problem):
            raise WebProblem("position_gone") from None

    def change(self, id: str, change: Callable[[Position], Position]) -> Position:
        """Replace what is known by `change` of it. Raises WebProblem, and whatever `change` raises."""
        with self._lock:
            self._write(after := change(self.load(id)))
            return after

    def look(
        self,
        before: Position,
        photos: Sequence[Photo],
        pictures: Sequence[Pixels],
        change: Callable[[Position], Position],
    ) -> None:
        """Keep more photos of the boards, and replace what is known by `change` of it.

        `pictures` are those of all photos so far with what was read drawn in. All are kept re-encoded, so nothing of
        what a phone writes into its files stays. Raises WebProblem where photos have come meanwhile.
        """
        with self._lock:
            after = change(self.load(before.id))
            if after.focals != before.focals:
                raise WebProblem("photos_came")
            for number, photo in enumerate(photos, len(before.focals)):
                save(self._photo_path(before.id, number), jpeg(photo.pixels, JPEG_QUALITY))
            for number, picture in enumerate(pictures):
                save(picture_path(self._folder, before.id, number), jpeg(picture, JPEG_QUALITY))
            focals = (*before.focals, *(photo.focal for photo in photos))
            self._write(replace(after, focals=focals, pictures=len(pictures)))

    def picture(self, position: Position, number: int) -> Path:
        """The file of one of its pictures. Raises WebProblem."""
        path = picture_path(self._folder, position.id, number)
        if not 0 <= number < position.pictures or not path.is_file():
            raise WebProblem("photo_gone")
        return path

    def photos(self, position: Position) -> list[Photo]:
        """Its photos as they were taken, but for those that are gone. Raises PhotoProblem."""
        paths = [self._photo_path(position.id, number) for number in range(len(position.focals))]
        found = [(path, focal) for path, focal in zip(paths, position.focals, strict=True) if path.is_file()]
        return [replace(load_photo(path), focal=focal) for path, focal in found]

    def forget(self, position: Position) -> None:
        """A game has come of it, or nobody wants it any more."""
        with self._lock:
            for path in self._folder.glob(f"{position.id}*"):
                path.unlink(missing_ok=True)

    def _path(self, id: str) -> Path:
        return self._folder / f"{id}.json"

    def _photo_path(self, id: str, number: int) -> Path:
        return self._folder / f"{id}-photo-{number}.jpg"

    def _write(self, position: Position) -> None:
        part, kept = position.part, ("proposed", "said", "focals", "pictures")
        plain = {"pack": part.pack.digest, **{name: getattr(position, name) for name in kept}}
        save(self._path(position.id), json.dumps({**plain, "part": part.told_to_json()}).encode())
