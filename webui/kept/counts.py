"""Games that were counted, on disk: who played, where their numbers or their score are shown, and their photos.

The numbers themselves stand in the address of the pages, so nobody loses them by going back.
"""

import hashlib
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from calibration import Photo
from engine.mini_express.names import MASINFIRA, MODES, SEATS

from ..problems import WebProblem
from .shelf import Shelf, new_id

COUNTS_KEPT = 12
"""So many scores; and so many that are not counted to the score yet, so that these never push out a score."""
# What an address says beside the players and their numbers.
BESIDE = ("pack", "doubt", "also", "sent", "seen")


@dataclass(frozen=True)
class Count:
    """One: the `address` of the page that was seen last; of each of its `photos` whose shares it shows, "" the tracks.

    `over` tells that this page is the score, `read` the numbers that photos showed, by field.
    """

    id: str
    mode: str
    seats: tuple[str, ...]
    address: str = ""
    over: bool = False
    photos: Mapping[int, str] = field(default_factory=dict)
    read: Mapping[str, str] = field(default_factory=dict)
    saved: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def version(self) -> str:
        """The numbers kept now, in short."""
        return version_of(self.address)

    def of(self, seat: str) -> list[int]:
        """The numbers of the photos of these shares; of the tracks where no seat is named."""
        return [number for number, shown in self.photos.items() if shown == seat]


class Counts:
    """The last few of this table."""

    def __init__(self, folder: Path) -> None:
        self._shelf, self._lock = Shelf(folder, "position_gone"), threading.Lock()

    def begin(self, mode: str, seats: Sequence[str]) -> str:
        """Keep a new one, and forget the oldest; returns its id. Raises WebProblem."""
        return self.agreed("", mode, seats)

    def agreed(self, id: str, mode: str, seats: Sequence[str]) -> str:
        """Of this one others played; where it is not kept, as `begin`. Raises WebProblem."""
        with self._lock:
            count = self.find(id) or Count(new_id(), mode, ())
            self._write(replace(count, mode=mode, seats=tuple(seats)))
        return count.id

    def all(self) -> list[Count]:
        """Every one that can be read, the newest first."""
        with self._lock:
            return [count for count in self._shelf.every(self._load) if count.address]

    def find(self, id: str) -> Count | None:
        """Any text may come as `id`; None where there is none (any more)."""
        with suppress(WebProblem):
            return self._load(id)
        return None

    def look(self, id: str, photos: Mapping[str, Sequence[Photo]], read: Mapping[str, str]) -> None:
        """Keep photos, by whose shares they show, in place of earlier ones, and what was read. Raises WebProblem.

        They are kept re-encoded, so nothing of what a phone writes into its files stays. The earlier ones go last: a
        full disk leaves everything as it was.
        """
        with self._lock:
            count = self._load(id)
            kept = {number: seat for number, seat in count.photos.items() if seat not in photos}
            several = [(seat, photo) for seat, of_seat in photos.items() for photo in of_seat]
            new = dict(enumerate(several, 1 + max(count.photos, default=-1)))
            try:
                for number, (_, photo) in new.items():
                    self._shelf.save_photo(id, photo, number)
                shown = {number: seat for number, (seat, _) in new.items()}
                self._write(replace(count, photos={**kept, **shown}, read={**count.read, **read}))
            except WebProblem:
                self._shelf.remove_photos(id, new)
                raise
            self._shelf.remove_photos(id, count.photos.keys() - kept.keys())

    def seen(self, id: str, address: str, known: Collection[str] = (), *, over: bool = False) -> str:
        """This page is the one to go on from, but a score gives way only to another; returns the version kept now.

        Raises WebProblem, also where the version so far is none of those `known`: others have gone on meanwhile.
        """
        with self._lock:
            count = self._load(id)
            if count.address not in ("", address) and count.version not in known:
                raise WebProblem("tables_changed")
            if over or not count.over:
                self._write(count := replace(count, address=address, over=over))
            return count.version

    def seats_of(self, id: str, photo: Photo) -> set[str]:
        """The seats for whose shares just this photo is kept already."""
        of_shares = {n: seat for n, seat in count.photos.items() if seat} if (count := self.find(id)) else {}
        return {of_shares[number] for number in self._shelf.copies(id, of_shares, photo)}

    def of_tracks(self, id: str) -> list[Photo]:
        """Its photos of the tracks, but for those that are gone or damaged; none where it is not kept."""
        photos = list[Photo]()
        for number in count.of("") if (count := self.find(id)) else ():
            with suppress(WebProblem):
                photos.append(self._shelf.load_photo(id, number))
        return photos

    def photo(self, id: str, number: int) -> Path:
        """The file of one of its photos. Raises WebProblem."""
        return self._shelf.photo(id, number)

    def _load(self, id: str) -> Count:
        """Any text may come as `id`. Raises WebProblem where there is none that can be read."""
        return self._shelf.read(id, lambda plain: _count(id, plain, self._shelf.saved(id)))

    def _write(self, count: Count) -> None:
        """Another of its kind may be too many then."""
        plain = {name: value for name, value in asdict(count).items() if name not in ("id", "saved")}
        self._shelf.write(count.id, plain)
        alike = [other.id for other in self._shelf.every(self._load) if other.over == count.over]
        self._shelf.prune(count.id, COUNTS_KEPT, alike)


def version_of(address: str) -> str:
    """The players and numbers of an address in short, whichever page it leads to.

    A form says with it on which numbers it was filled in: those of its own page, which others may have gone on from.
    """
    said = sorted(pair for pair in parse_qsl(urlsplit(address).query) if pair[0] not in BESIDE)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def _count(id: str, plain: Mapping[str, Any], saved: datetime) -> Count:
    """Raises ValueError, TypeError, KeyError, AttributeError where a file tells of none."""
    photos = {int(number): str(seat) for number, seat in plain["photos"].items()}
    # Those of earlier versions do not say what was read.
    read = {str(field): str(number) for field, number in plain.get("read", {}).items()}
    mode, seats, address = str(plain["mode"]), tuple(plain["seats"]), str(plain["address"])
    if mode not in MODES or not {*seats} <= {*SEATS, MASINFIRA}:
        raise ValueError("no such players")
    return Count(id, mode, seats, address, bool(plain["over"]), photos, read, saved)
