"""Positions being entered, on disk: what photos and people have told so far of games that are under way."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration import Photo
from engine.mini_express import Part
from engine.mini_express.fields import Path as PartPath
from engine.mini_express.names import COMPANIES

from ..problems import WebProblem
from .latest import Latest
from .packs import Packs
from .seeing import Places
from .shelf import Shelf, new_id

if TYPE_CHECKING:  # at run time `vision` is looked up late, see `seeing`
    from vision import TableScan

CORNERS = 6
DONE_KEPT = 8
"""So many of which a game has come are kept, so that what was entered can be corrected."""
SCANS_KEPT = 4
BEGUN_WITH = {"board", "mode", "difficulty", "modules", "seats", *(f"track.{name}" for name in COMPANIES)}
"""What every position is told from the beginning."""


@dataclass(frozen=True)
class Position:
    """What is known of one; when it was `saved`, in the computer's own time.

    `proposed` is what photos show of numbers and markers, but not clearly. `said` is what people told, each
    "path=value": it outweighs whatever later photos show. Where these contradict it, it is `proposed` again. `focals`
    are the focal lengths of its photos by their numbers, which are never given twice: `taken` is how many have been.
    `maps` is where the hexes lie in those that show the map. `game` is the id of the game that has come of it.
    """

    id: str
    part: Part
    proposed: Mapping[PartPath, str] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    focals: Mapping[int, float | None] = field(default_factory=dict)
    taken: int = 0
    maps: Mapping[int, Places] = field(default_factory=dict)
    game: str | None = None
    saved: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def written(self) -> dict[PartPath, str]:
        """What people said last of each path."""
        return dict(text.split("=", 1) for text in self.said)

    def told(self, assignments: Sequence[str]) -> "Position":
        """With what a person says, each "path=value". Raises PartProblem, Broken."""
        said = {path_of(text) for text in assignments}
        proposed = {path: text for path, text in self.proposed.items() if path not in said}
        part = self.part.filled_in(assignments)
        return replace(self, part=part, proposed=proposed, said=(*self.said, *assignments))

    def untold(self, paths: Collection[PartPath]) -> "Position":
        """Without what was said or shown of these: they are asked again, unless they follow from the rest."""
        told = {path: value for path, value in self.part.told.items() if path not in paths}
        proposed = {path: text for path, text in self.proposed.items() if path not in paths}
        said = tuple(text for text in self.said if path_of(text) not in paths)
        return replace(self, part=replace(self.part, told=told), proposed=proposed, said=said)

    def counted(self, shares: Mapping[PartPath, str]) -> "Position":
        """With what photos show of the shares in front of players, to be confirmed where that is not told already.

        Where people have said otherwise, one of both is wrong: what they said is asked about.
        """
        told, said = self.part.told, self.written
        fresh = {path: said.get(path, text) for path, text in shares.items() if str(told.get(path)) != text}
        open_again = self.untold(fresh)
        return replace(open_again, proposed={**open_again.proposed, **fresh}, said=self.said)

    def contradicted(self, shown: Mapping[PartPath, str]) -> "Position":
        """What people said of numbers that photos clearly show otherwise is asked about: one of both is wrong."""
        said = self.written
        return self.counted({path: text for path, text in shown.items() if said.get(path, text) != text})

    def seen(self, part: Part, proposed: Mapping[PartPath, str]) -> "Position":
        """With what photos of the boards show now, in place of what they showed before; what people said holds.

        Raises PartProblem, Broken.
        """
        shares = {path: text for path, text in self.proposed.items() if path.startswith("shares.")}
        fresh = replace(self, part=part, proposed={**shares, **proposed})
        settled = [text for text in self.said if path_of(text) not in shares]
        return replace(fresh.told(settled), said=self.said)


def path_of(assignment: str) -> PartPath:
    """Of what a person said, "path=value", what it was about."""
    return assignment.partition("=")[0]


class Positions:
    """The positions of this table that no game has come of yet, and the last few of which one has."""

    def __init__(self, folder: Path, packs: Packs) -> None:
        self._shelf, self._packs = Shelf(folder, "position_gone", "{id}-photo-{number}.jpg"), packs
        self._lock = threading.Lock()
        self._scans: Latest[str, TableScan | None] = Latest(SCANS_KEPT)

    def begin(self, part: Part) -> str:
        """Keep a new one and the data it is played with; returns its id. Raises WebProblem."""
        self._packs.hold(part.pack)
        id = new_id()
        self._write(Position(id, part))
        return id

    def all(self) -> list[Position]:
        """Those that no game has come of, the newest first."""
        return [position for position in self._every() if not position.game]

    def of_game(self, game: str) -> Position | None:
        """The one that this game has come of, while it is kept."""
        return next((position for position in self._every() if position.game == game), None)

    def _every(self) -> list[Position]:
        """Every one that can be read, the newest first."""
        return self._shelf.every(self.load)

    def load(self, id: str) -> Position:
        """Any text may come as `id`. Raises WebProblem where there is none, or its data are not here."""

        def position(plain: Mapping[str, Any]) -> Position | WebProblem:
            digest = str(plain["pack"])
            if (pack := self._packs.of(digest)) is None:
                return WebProblem("pack_gone", file=f"{id}.json", found=digest)
            part = Part.from_json(plain["part"], pack)
            if not part.told.keys() >= BEGUN_WITH:
                raise ValueError("no game has been begun with it")
            told = dict(plain.get("proposed", {})), tuple(plain.get("said", ()))
            focals, taken, maps = _photos(plain)
            return Position(id, part, *told, focals, taken, maps, plain.get("game"), self._shelf.saved(id))

        found = self._shelf.read(id, position)
        if isinstance(found, WebProblem):
            raise found
        return found

    def change(self, id: str, change: Callable[[Position], Position]) -> Position:
        """Replace what is known by `change` of it. Raises WebProblem, and whatever `change` raises."""
        with self._lock:
            self._write(after := change(self.load(id)))
            return after

    def look(
        self,
        before: Position,
        photos: Mapping[int, Photo],
        maps: Mapping[int, Places],
        change: Callable[[Position], Position],
    ) -> None:
        """Keep these photos of the boards and no others, and replace what is known by `change` of it.

        New ones are kept re-encoded, so nothing of what a phone writes into its files stays. Raises WebProblem where
        photos have come or gone meanwhile.
        """
        with self._lock:
            after = change(self.load(before.id))
            if after.focals != before.focals:
                raise WebProblem("photos_came")
            for number in photos.keys() - before.focals.keys():
                self._shelf.save_photo(before.id, photos[number], number)
            numbers = [*photos]
            places = {numbers[nth]: shown for nth, shown in maps.items()}
            focals = {number: photo.focal for number, photo in photos.items()}
            taken = max([after.taken, *(1 + number for number in photos)])
            self._write(replace(after, focals=focals, taken=taken, maps=places))
            self._shelf.remove_photos(before.id, before.focals.keys() - photos.keys())

    def remember(self, id: str, found: "TableScan | None") -> None:
        """What its photos show, None without any, while the server runs and few others come."""
        self._scans[id] = found

    def shown_of(self, id: str) -> "TableScan | None":
        """What its photos show, as far as that is remembered."""
        return self._scans.get(id)

    def photo(self, position: Position, number: int) -> Path:
        """The file of a photo as it was taken. Raises WebProblem."""
        return self._shelf.photo(position.id, number)

    def photos(self, position: Position) -> dict[int, Photo]:
        """Its photos as they were taken, by their numbers, but for those that are gone or damaged."""
        found = {}
        for number, focal in position.focals.items():
            with suppress(WebProblem):
                found[number] = replace(self._shelf.load_photo(position.id, number), focal=focal)
        return found

    def finish(self, id: str, make: Callable[[Position], str]) -> str:
        """The id of the game that is made of it, or of the one that was made when two press at once.

        Raises WebProblem, and whatever `make` raises.
        """
        with self._lock:
            position = self.load(id)
            game = make(position)
            self._write(replace(position, game=game))
            self._shelf.prune(id, DONE_KEPT, [done.id for done in self._every() if done.game])
            return game

    def forget(self, position: Position) -> None:
        """Nobody wants it any more. Raises WebProblem."""
        with self._lock:
            self._shelf.remove(position.id)

    def _write(self, position: Position) -> None:
        part, kept = position.part, ("proposed", "said", "focals", "taken", "game")
        plain = {"pack": part.pack.digest, **{name: getattr(position, name) for name in kept}}
        plain["maps"] = {number: asdict(places) for number, places in position.maps.items()}
        self._shelf.write(position.id, {**plain, "part": part.told_to_json()})


def _photos(plain: Mapping[str, Any]) -> tuple[dict[int, float | None], int, dict[int, Places]]:
    """The focal lengths of photos, how many there have been, and where hexes lie in them.

    Raises ValueError, TypeError, KeyError, AttributeError.
    """
    focals = {int(number): focal for number, focal in plain["focals"].items()}
    # Earlier versions gave the number of the last one again once that was removed.
    taken = int(plain.get("taken", max(focals, default=-1) + 1))
    return focals, taken, {int(number): _places(shown) for number, shown in plain["maps"].items()}


def _places(plain: Mapping[str, Any]) -> Places:
    """Raises ValueError, TypeError, KeyError."""
    width, height = plain["size"]
    # Version 1 kept only their middles; its photos show nothing until they are read again.
    outlines = {at: outline for at, outline in plain["hexes"].items() if len(outline) == CORNERS}
    return Places((width, height), {at: [(x, y) for x, y in outline] for at, outline in outlines.items()})
