"""Reading photos, one at a time, in the background: the seam between the pages and `vision`.

A *reading* begins with the photos of one moment and the game as it stood, and ends with what vision
found or with the sentence that says why not. Its pictures are kept re-encoded, so nothing of what a
phone writes into its files (place, owner) stays.
"""

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from calibration import SHARE_TILES, Photo, Profile, Surface, in_colour, load_photo
from calibration.panels import TRACKS
from calibration.photo import THE_PHOTO, jpeg
from engine.hexgrid import Hex
from engine.mini_express import State, state_to_json
from engine.mini_express.board import Board
from engine.sentences import N_, Phrase, Problem

from . import keeping
from .keeping import Note
from .problems import WebProblem
from .profiles import Profiles
from .saving import save
from .store import Kept

if TYPE_CHECKING:  # at run time `vision` is looked up late, see `_vision`
    from vision import Scan, TableScan

PHOTOS_AT_MOST = 4
WAITING_AT_MOST = 4
READINGS_KEPT = 12
PICTURES_KEPT = 60
JPEG_QUALITY = 88

T = TypeVar("T")
Train = tuple[Hex, str]
Answers = Mapping[Train, bool]
Progress = Callable[[str, float], None]


Scanner = Callable[[Sequence[Photo], Profile, State, Progress], "Scan"]
Teacher = Callable[[Photo, Profile, State], Profile]
Counter = Callable[[Sequence[Photo], Profile, Sequence[str], Mapping[str, Photo]], "TableScan"]


@dataclass
class Reading:
    """One moment of one game, being read. `found` is what vision said, `now` that with a person's answers.

    The `photos` are kept until they can teach nothing any more.
    """

    id: str
    kept: Kept
    photos: list[Photo]
    step: str = N_("Waiting: other photos are being read.")
    share: float = 0.0
    problem: Problem | None = None
    found: "Scan | None" = None
    now: "Scan | None" = None
    answers: dict[Train, bool] = field(default_factory=dict)
    sizes: list[tuple[int, int]] = field(init=False)
    focals: list[float | None] = field(init=False)
    _saying: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.sizes = [(photo.pixels.shape[1], photo.pixels.shape[0]) for photo in self.photos]
        self.focals = [photo.focal for photo in self.photos]

    @property
    def done(self) -> bool:
        return self.now is not None or self.problem is not None

    @property
    def trains(self) -> set[Train]:
        """What is shown: the trains that were read and, over them, what a person said."""
        denied = {train for train, there in self.answers.items() if not there}
        return (self._decoded | {train for train, there in self.answers.items() if there}) - denied

    @property
    def said(self) -> set[Hex]:
        """The hexes of which a person said something."""
        return {at for at, _ in self.answers}

    @property
    def left_out(self) -> set[Train]:
        """What a person said and no legal action explains."""
        decoded = self._decoded
        return {train for train, there in self.answers.items() if there != (train in decoded)}

    @property
    def _decoded(self) -> set[Train]:
        track = self.now.track if self.now else {}
        return {((at[0], at[1]), company) for company, hexes in track.items() for at in hexes}

    def answer(self, answers: Answers) -> None:
        """Decode anew with what a person said, too; nothing is read again."""
        with self._saying:
            self._say({**self.answers, **answers})

    def take_back(self, at: Hex) -> None:
        """Decode anew without what a person said of a hex."""
        with self._saying:
            self._say({train: there for train, there in self.answers.items() if train[0] != at})

    def _say(self, answers: dict[Train, bool]) -> None:
        if self.found is None:
            raise WebProblem("not_read_yet")
        self.now = self.found.answered(answers) if answers else self.found
        self.answers = answers


class Reader:
    """Takes photos, has them read one after another, keeps the last readings in memory.

    What a person confirms of a reading teaches the table's profile, in the background as well.
    """

    def __init__(self, folder: Path, profiles: Profiles) -> None:
        self.folder, self.profiles = folder, profiles
        self.scanner: Scanner = _scan
        self.teacher: Teacher = _teach
        self.counter: Counter = _count
        self._readings: OrderedDict[str, Reading] = OrderedDict()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._decoding, self._counting = threading.Lock(), threading.Lock()
        self._in_turn = 0

    def profile(self, board: Board) -> Profile:
        """The table profile, read again after a new calibration. Raises a Problem with what to do."""
        profile = self.profiles.load(board)
        profile.map_of(board)
        return profile

    def in_turn(self, work: Callable[[], T]) -> T:
        """The result of other heavy work, done between the readings. Raises what it raises, WebProblem."""
        with self._counting:
            if self._in_turn >= WAITING_AT_MOST:
                raise WebProblem("busy")
            self._in_turn += 1
        try:
            return self._worker.submit(work).result()
        finally:
            with self._counting:
                self._in_turn -= 1

    def begin(self, kept: Kept, files: Sequence[bytes]) -> Reading:
        """Check and keep the photos, and have them read. Raises PhotoProblem, ProfileProblem, WebProblem."""
        profile = self.profile(kept.state.board)
        waiting = sum(not reading.done for reading in list(self._readings.values()))
        if waiting > WAITING_AT_MOST:
            raise WebProblem("busy")
        reading = Reading(secrets.token_hex(8), kept, self.loaded(files))
        self._keep_pictures(reading)
        self.keep_answers(reading)
        self._start(reading, profile)
        return reading

    def loaded(self, files: Sequence[bytes]) -> list[Photo]:
        """The photos themselves. Raises PhotoProblem."""
        with self._decoding:  # one big picture in memory at a time
            return [in_colour(load_photo(data, _name(n, len(files)))) for n, data in enumerate(files)]

    def _start(self, reading: Reading, profile: Profile) -> None:
        self._readings[reading.id] = reading
        while len(self._readings) > READINGS_KEPT:
            keeping.remove_note(self.folder, self._readings.popitem(last=False)[0])
        self._worker.submit(self._read, reading, profile)

    def get(self, kept: Kept, id: str) -> Reading:
        """A reading of this game. Raises WebProblem where there is none (any more)."""
        reading = self._readings.get(id) or self._again(kept, id)
        if reading.kept.id != kept.id:
            raise WebProblem("photo_gone")
        return reading

    def _again(self, kept: Kept, id: str) -> Reading:
        """After a restart the kept pictures are read again, and what a person said of them still holds."""
        with self._decoding:
            if id in self._readings:
                return self._readings[id]
            note = keeping.read_note(self.folder, id)
            if note is None or note.game != kept.id:
                raise WebProblem("photo_gone")
            if note.version != kept.version:
                raise WebProblem("photo_stale")
            profile = self.profile(kept.state.board)
            reading = Reading(id, kept, self._kept_photos(id, note.focals), answers=dict(note.answers))
            self._start(reading, profile)
            return reading

    def _kept_photos(self, id: str, focals: Sequence[float | None]) -> list[Photo]:
        paths = [keeping.picture_path(self.folder, id, number) for number in range(len(focals))]
        if not all(path.is_file() for path in paths):
            raise WebProblem("photo_gone")
        photos = [
            load_photo(path, _name(number, len(paths)) or THE_PHOTO) for number, path in enumerate(paths)
        ]
        return [replace(photo, focal=focal) for photo, focal in zip(photos, focals, strict=True)]

    def keep_answers(self, reading: Reading) -> None:
        """Have what a person said outlive the program. Raises WebProblem."""
        focals, version = reading.focals, reading.kept.version
        keeping.write_note(self.folder, reading.id, Note(reading.kept.id, version, focals, reading.answers))

    def picture(self, reading: Reading, number: int) -> Path:
        """The file of one of its pictures. Raises WebProblem."""
        path = keeping.picture_path(self.folder, reading.id, number)
        if not 0 <= number < len(reading.sizes) or not path.is_file():
            raise WebProblem("photo_gone")
        return path

    def confirmed(self, reading: Reading, state: State) -> None:
        """The photos of this reading show `state`, a person says: they teach the profile when there is time."""
        photos, reading.photos = reading.photos, []
        self._worker.submit(self._learn, reading.id, photos, state)

    def _learn(self, id: str, photos: list[Photo], state: State) -> None:
        """Teach one photo after the other. The game goes on whatever comes of it, so nothing is raised."""
        for photo in photos:
            try:
                self._learn_from(photo, state)
            except Problem as problem:
                logging.getLogger(__name__).info("reading %s taught nothing: %s", id, problem)
            except Exception:
                logging.getLogger(__name__).exception("teaching by reading %s", id)

    def counts(self) -> Profile | None:
        """What there is in the profiles to count a game by, the tracks and the share tiles; the same for every map."""
        for profile in self.profiles.all():
            known = {n: s for n, s in profile.surfaces.items() if has_tracks(s) or n == SHARE_TILES}
            if known:
                return replace(profile, surfaces=known)
        return None

    def numbers(
        self, files: Sequence[bytes], seats: Sequence[str], shares: Mapping[str, bytes] | None = None
    ) -> "TableScan":
        """What photos of the tracks show, when these humans play, and those of the shares in front of each seat.

        It takes some seconds a photo. Raises PhotoProblem, RegistrationProblem, NoShares, ProfileProblem, WebProblem.
        """
        if (profile := self.counts()) is None:
            raise WebProblem("no_profile")
        photos = self.loaded(files)
        of_seats = dict(zip(shares or {}, self.loaded([*(shares or {}).values()]), strict=True))
        return self.in_turn(lambda: self.counter(photos, profile, seats, of_seats))

    def close(self) -> None:
        """Finish what was handed to the background: what has been confirmed is learnt before the server ends."""
        self._worker.shutdown()

    def _learn_from(self, photo: Photo, state: State) -> None:
        folder = self.profiles.folder(state.board)
        Profile.change_lessons(folder, lambda profile: self.teacher(photo, profile, state))

    def forget(self, board: Board) -> None:
        """Have the profile forget what photos have taught. Raises ProfileProblem, WebProblem."""
        Profile.change_lessons(self.profiles.folder(board), Profile.forgotten)

    def _read(self, reading: Reading, profile: Profile) -> None:
        def progress(step: str, share: float) -> None:
            reading.step, reading.share = step, share

        progress(N_("Looking at the photo …"), 0.05)
        try:
            reading.found = self.scanner(reading.photos, profile, reading.kept.state, progress)
            reading.answer({})
            return
        except Problem as problem:
            reading.problem = problem
        except Exception:
            logging.getLogger(__name__).exception("reading %s", reading.id)
            reading.problem = WebProblem("inside")
        reading.photos = []

    def _keep_pictures(self, reading: Reading) -> None:
        for number, photo in enumerate(reading.photos):
            path = keeping.picture_path(self.folder, reading.id, number)
            save(path, jpeg(photo.pixels, JPEG_QUALITY))
        keeping.remove_oldest(self.folder, PICTURES_KEPT)


def _name(number: int, count: int) -> Phrase | str:
    """What to call one of several photos."""
    return Phrase("photo {n} of {count}", n=number + 1, count=count) if count > 1 else ""


def _vision() -> ModuleType:
    """The package `vision`, looked up late: the pages work without it, and it takes a second to load."""
    try:
        import vision  # noqa: PLC0415
    except ImportError:
        raise WebProblem("no_vision") from None
    return vision


def _scan(photos: Sequence[Photo], profile: Profile, before: State, progress: Progress) -> "Scan":
    found: Scan = _vision().scan(photos, profile, before=before, progress=progress)
    # The pages show the pictures on disk; the photos themselves would only fill the memory.
    return replace(found, photos=())


def has_tracks(surface: Surface) -> bool:
    """Whether it is a board with tracks on it."""
    return any(str(cell.id).partition("/")[0] in TRACKS for cell in surface.cells)


def _count(
    photos: Sequence[Photo], profile: Profile, seats: Sequence[str], shares: Mapping[str, Photo]
) -> "TableScan":
    counted: TableScan = _vision().scan_table(photos, profile, seats=seats, shares=shares)
    return counted


def _teach(photo: Photo, profile: Profile, state: State) -> Profile:
    taught: Profile = _vision().teach(photo, profile, state.board, state_to_json(state))
    return taught
