"""Reading photos, one at a time, in the background, and learning from them.

The pictures are kept re-encoded, so nothing of what a phone writes into its files (place, owner) stays.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from calibration import Photo, Profile, RegistrationProblem, in_colour, load_photo
from calibration.photo import THE_PHOTO
from engine.mini_express import Setup, State
from engine.mini_express.board import Board
from engine.sentences import N_, Phrase, Problem

from ..problems import WebProblem
from . import seeing
from .games import Kept
from .latest import Latest
from .notes import Note
from .profiles import Profiles
from .reading import Reading
from .shelf import Shelf, new_id

if TYPE_CHECKING:  # at run time `vision` is looked up late, see `seeing`
    from vision import TableScan

WAITING_AT_MOST = 4
READINGS_KEPT = 12
READINGS_ON_DISK = 30
NO_NUMBERS = "no_numbers"
"""The key of a `LessonProblem`: the photo shows nothing by which it could teach, as one of the reservoirs alone."""

T = TypeVar("T")


class Reader:
    """Takes photos, has them read one after another, keeps the last readings in memory.

    What a person confirms of a reading teaches the table's profile, in the background as well.
    """

    def __init__(self, folder: Path, profiles: Profiles) -> None:
        self._shelf, self.profiles = Shelf(folder, "photo_gone"), profiles
        self.scanner: seeing.Scanner = seeing.scan
        self.teacher: seeing.Teacher = seeing.teach
        self.counter: seeing.Counter = seeing.count
        self.viewer: seeing.Viewer = seeing.view
        # What is forgotten can be read again as long as its pictures are kept.
        self._readings: Latest[str, Reading] = Latest(READINGS_KEPT)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="reading")
        self._decoding = threading.Lock()
        self._waiting, self._in_turn = (threading.Semaphore(WAITING_AT_MOST) for _ in range(2))

    def profile(self, board: Board) -> Profile:
        """The table profile, read again after a new calibration. Raises a Problem with what to do."""
        profile = self.profiles.load(board)
        profile.map_of(board)
        return profile

    def in_turn(self, work: Callable[[], T]) -> T:
        """The result of other heavy work, done between the readings. Raises what it raises, WebProblem."""
        _take(self._in_turn)
        try:
            return self._worker.submit(work).result()
        finally:
            self._in_turn.release()

    def begin(self, kept: Kept, files: Sequence[bytes], earlier: Reading | None = None) -> Reading:
        """Check and keep the photos, and have them read.

        With those of an `earlier` reading, which show the same moment, and what a person said of them.
        Raises PhotoProblem, ProfileProblem, WebProblem.
        """
        profile = self.profile(kept.state.board)
        return self._start(profile, lambda: self._sent(kept, files, earlier))

    def _sent(self, kept: Kept, files: Sequence[bytes], earlier: Reading | None) -> Reading:
        """As `begin`, but not read yet."""
        before = self._photos(earlier) if earlier else []
        reading = Reading(new_id(), kept, named_by_number([*before, *self.loaded(files, len(before))]))
        if earlier:
            reading.answers, reading.asked = dict(earlier.answers), dict(earlier.asked)
        self._keep_pictures(reading)
        self.keep_answers(reading)
        return reading

    def loaded(self, files: Sequence[bytes], before: int = 0) -> list[Photo]:
        """The photos themselves, which come after so many others. Raises PhotoProblem."""
        count = before + len(files)
        with self._decoding:  # one big picture in memory at a time
            return [in_colour(load_photo(data, _name(n, count))) for n, data in enumerate(files, before)]

    def _start(self, profile: Profile, make: Callable[[], Reading]) -> Reading:
        """Make a reading and have it read. It has its place among those that wait before its photos are decoded.

        So few wait that none is forgotten before it is read. Raises WebProblem, and whatever `make` raises.
        """
        _take(self._waiting)
        try:
            reading = make()
            self._readings[reading.id] = reading
            read = self._worker.submit(self._read, reading, profile)
        except BaseException:
            self._waiting.release()
            raise
        read.add_done_callback(lambda _: self._waiting.release())
        return reading

    def get(self, kept: Kept, id: str) -> Reading:
        """A reading of this game. Raises WebProblem where there is none (any more).

        After a restart it is begun again: raises ProfileProblem, PhotoProblem too, and WebProblem while others wait.
        """
        reading = self._readings.get(id) or self._again(kept, id)
        if reading.kept.id != kept.id:
            raise WebProblem("photo_gone")
        return reading

    def _again(self, kept: Kept, id: str) -> Reading:
        """After a restart the kept pictures are read again, and what a person said of them still holds."""
        with self._decoding:
            if id in self._readings:
                return self._readings[id]
            if (note := self._shelf.read(id, Note.of)).game != kept.id:
                raise WebProblem("photo_gone")
            if note.version != kept.version:
                raise WebProblem("photo_stale")
            profile = self.profile(kept.state.board)
            return self._start(profile, lambda: self._kept_reading(kept, id, note))

    def _kept_reading(self, kept: Kept, id: str, note: Note) -> Reading:
        """A reading as it was kept, not read yet. Raises WebProblem, PhotoProblem."""
        photos = self._kept_photos(id, note.focals)
        return Reading(id, kept, photos, answers=dict(note.answers), asked=dict(note.asked))

    def _photos(self, reading: Reading) -> list[Photo]:
        """Its photos: once they are read, they lie on the disk only. Raises WebProblem, PhotoProblem."""
        return reading.photos or self._kept_photos(reading.id, reading.focals)

    def _kept_photos(self, id: str, focals: Sequence[float | None]) -> list[Photo]:
        photos = named_by_number([self._shelf.load_photo(id, number) for number in range(len(focals))])
        return [replace(photo, focal=focal) for photo, focal in zip(photos, focals, strict=True)]

    def keep_answers(self, reading: Reading) -> None:
        """Have what a person said outlive the program. Raises WebProblem."""
        of_photos = reading.kept.id, reading.kept.version, reading.focals
        with reading.saying:  # what is said last is kept last
            self._shelf.write(reading.id, Note(*of_photos, reading.answers, reading.asked).to_plain())

    def picture(self, reading: Reading, number: int) -> Path:
        """The file of one of its pictures. Raises WebProblem."""
        return self._shelf.photo(reading.id, number)

    def confirmed(self, reading: Reading, state: State) -> None:
        """The photos of this reading show `state`, a person says: they teach the profile when there is time.

        Nothing by the same state again, but anew by another: what was confirmed may have been taken back and corrected.
        """
        before, reading.taught = reading.taught, state
        if before != state:
            self.learn_later(reading.id, lambda: self._photos(reading), state)

    def learn_later(self, id: str, photos: Callable[[], Sequence[Photo]], state: State) -> None:
        """Photos that show `state` teach the profile when there is time; `id` is for the log."""
        self._worker.submit(self._learn, id, photos, state)

    def learn(self, reading: Reading, state: State) -> bool:
        """Have the photos of this reading, which show `state`, teach at once; whether any of it was new.

        Raises LessonProblem, ProfileProblem, WebProblem.
        """
        learnt = self.in_turn(lambda: self._learn_from_all(self._photos(reading), state))
        reading.taught = state
        return learnt

    def _learn_from_all(self, photos: Sequence[Photo], state: State) -> bool:
        """Whether anything was new. A photo that shows no board or no number may be among others. Raises as `learn`."""
        learnt = known = self.profile(state.board)
        silent: list[Problem] = []
        for photo in photos:
            try:
                learnt = self._learn_from(photo, state)
            except Problem as problem:
                if problem.key != NO_NUMBERS and not isinstance(problem, RegistrationProblem):
                    raise
                silent.append(problem)
        if silent and len(silent) == len(photos):
            raise silent[0]
        return learnt.learnt_since(known)

    def _learn(self, id: str, photos: Callable[[], Sequence[Photo]], state: State) -> None:
        """Teach by all photos. The game goes on whatever comes of it, so nothing is raised."""
        try:
            for photo in photos():
                self._learn_quietly(id, photo, state)
        except Problem as problem:
            logging.getLogger(__name__).info("the photos of reading %s are gone: %s", id, problem)

    def _learn_quietly(self, id: str, photo: Photo, state: State) -> None:
        """Teach by one photo; what comes in its way keeps no other from teaching."""
        try:
            self._learn_from(photo, state)
        except Problem as problem:
            logging.getLogger(__name__).info("reading %s taught nothing: %s", id, problem)
        except Exception:
            logging.getLogger(__name__).exception("teaching by reading %s", id)

    def numbers(
        self, photos: Sequence[Photo], seats: Sequence[str], shares: Mapping[str, Photo] | None = None
    ) -> "TableScan":
        """What photos of the tracks show, when these humans play, and those of the shares in front of each seat.

        It takes some seconds a photo. Raises RegistrationProblem, NoShares, ProfileProblem, WebProblem.
        """
        if (profile := self.profiles.for_counting()) is None:
            raise WebProblem("no_profile")
        return self.in_turn(lambda: self.counter(photos, profile, seats, shares or {}))

    def table(self, photos: Sequence[Photo], setup: Setup) -> tuple["TableScan", dict[int, seeing.Places]]:
        """What photos of all boards show of a game whose state nobody knows, and those of the map.

        Where the map cannot be read the other boards are, and that is among what was `left_out`. It takes some seconds
        a photo. Raises RegistrationProblem, ProfileProblem, WebProblem.
        """
        profile, no_map = self._known_of(setup.board)
        try:
            found, maps = self.in_turn(lambda: self.viewer(photos, profile, setup))
        except RegistrationProblem as problem:
            raise no_map or problem from None
        return (replace(found, left_out=[*found.left_out, no_map]) if no_map else found), maps

    def _known_of(self, board: Board) -> tuple[Profile, Problem | None]:
        """The profile for a map, or of the other boards alone and why it is without the map. Raises a Problem."""
        try:
            return self.profile(board), None
        except Problem as problem:
            if (others := self.profiles.without_map(board)) is None:
                raise
            return others, problem

    def close(self) -> None:
        """Finish what was handed to the background: what has been confirmed is learnt before the server ends."""
        self._worker.shutdown()

    def _learn_from(self, photo: Photo, state: State) -> Profile:
        folder = self.profiles.folder(state.board)
        return Profile.change_lessons(folder, lambda profile: self.teacher(photo, profile, state))

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
        except Problem as problem:
            reading.problem = problem
        except Exception:
            logging.getLogger(__name__).exception("reading %s", reading.id)
            reading.problem = WebProblem("inside")
        finally:
            reading.photos = []

    def _keep_pictures(self, reading: Reading) -> None:
        for number, photo in enumerate(reading.photos):
            self._shelf.save_photo(reading.id, photo, number)
        self._shelf.prune(reading.id, READINGS_ON_DISK)


def named_by_number(photos: Sequence[Photo]) -> list[Photo]:
    """The photos, each with its place among them for a name: a person knows nothing of files."""
    return [replace(photo, name=_name(n, len(photos)) or THE_PHOTO) for n, photo in enumerate(photos)]


def _name(number: int, count: int) -> Phrase | str:
    """What to call one of several photos."""
    return Phrase("photo {n} of {count}", n=number + 1, count=count) if count > 1 else ""


def _take(places: threading.Semaphore) -> None:
    """Take one of the places, to be released. Raises WebProblem where all are taken."""
    if not places.acquire(blocking=False):
        raise WebProblem("busy")
