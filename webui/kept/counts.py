"""Games that were counted, on disk: who played, where their numbers or their score are shown, and their photos.

The numbers themselves stand in the address of the pages, so nobody loses them by going back.
"""

import json
import secrets
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from calibration import Photo
from calibration.photo import jpeg

from ..problems import WebProblem
from .keeping import ID
from .saving import save, saved_at

COUNTS_KEPT = 12
JPEG_QUALITY = 88


@dataclass(frozen=True)
class Count:
    """One: the `address` of the page that was seen last; of each of its `photos` whose shares it shows, "" the tracks.

    `over` tells that this page is the score.
    """

    id: str
    mode: str
    seats: tuple[str, ...]
    address: str = ""
    over: bool = False
    photos: Mapping[int, str] = field(default_factory=dict)
    saved: datetime = field(default_factory=lambda: datetime.now(UTC))

    def of(self, seat: str) -> list[int]:
        """The numbers of the photos of these shares; of the tracks where no seat is named."""
        return [number for number, shown in self.photos.items() if shown == seat]


class Counts:
    """The last few of this table."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()

    def begin(self, mode: str, seats: Sequence[str]) -> str:
        """Keep a new one, and forget the oldest; returns its id. Raises WebProblem."""
        with self._lock:
            self._write(Count(id := secrets.token_hex(8), mode, tuple(seats)))
            for old in self._every()[COUNTS_KEPT:]:
                for path in self._folder.glob(f"{old.id}*"):
                    path.unlink(missing_ok=True)
        return id

    def all(self) -> list[Count]:
        """Every one that can be read, the newest first."""
        with self._lock:
            return [count for count in self._every() if count.address]

    def find(self, id: str) -> Count | None:
        """Any text may come as `id`; None where there is none (any more)."""
        try:
            return self._load(id) if ID.fullmatch(id) else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def look(self, id: str, photos: Mapping[str, Sequence[Photo]]) -> None:
        """Keep photos, by whose shares they show, in place of earlier ones. Raises WebProblem.

        They are kept re-encoded, so nothing of what a phone writes into its files stays.
        """
        with self._lock:
            count = self._load(id)
            kept = {number: seat for number, seat in count.photos.items() if seat not in photos}
            for number in count.photos.keys() - kept.keys():
                self._photo_path(id, number).unlink(missing_ok=True)
            new = [(seat, photo) for seat, several in photos.items() for photo in several]
            for number, (seat, photo) in enumerate(new, 1 + max(count.photos, default=-1)):
                save(self._photo_path(id, number), jpeg(photo.pixels, JPEG_QUALITY))
                kept[number] = seat
            self._write(replace(count, photos=kept))

    def seen(self, id: str, address: str, *, over: bool = False) -> None:
        """This page is the one to go on from. Raises WebProblem."""
        with self._lock:
            self._write(replace(self._load(id), address=address, over=over))

    def photo(self, id: str, number: int) -> Path:
        """The file of one of its photos. Raises WebProblem."""
        count = self.find(id)
        if count is None or number not in count.photos or not self._photo_path(id, number).is_file():
            raise WebProblem("photo_gone")
        return self._photo_path(id, number)

    def _every(self) -> list[Count]:
        found = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
                found.append(self._load(path.stem))
        return sorted(found, key=lambda count: count.saved, reverse=True)

    def _load(self, id: str) -> Count:
        plain = json.loads(self._path(id).read_bytes())
        photos = {int(number): str(seat) for number, seat in plain["photos"].items()}
        mode, seats, address = str(plain["mode"]), tuple(plain["seats"]), str(plain["address"])
        return Count(id, mode, seats, address, bool(plain["over"]), photos, saved_at(self._path(id)))

    def _write(self, count: Count) -> None:
        plain = {name: value for name, value in asdict(count).items() if name not in ("id", "saved")}
        save(self._path(count.id), json.dumps(plain).encode())

    def _path(self, id: str) -> Path:
        return self._folder / f"{id}.json"

    def _photo_path(self, id: str, number: int) -> Path:
        return self._folder / f"{id}-{number}.jpg"
