"""Watching the table: frames with their time in, finished turns out.

    watcher = Watcher(profile, state)
    for seconds, frame in camera_frames(0):
        for event in watcher.see(frame, seconds): …

Every frame gets only cheap work: where the board is, what it looks like from above, whether anything moves. A
full reading is made once the picture has been still for a moment without a hand in it and looks unlike the last
still that was read, and once more when the frames end. Such a still says more than a photo: what looks as it did
when the state was known has no new train, so only the places that changed are believed to hold one.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration import Photo, PhotoProblem, Profile, Registration, RegistrationProblem, register
from calibration.photo import LONG_SIDE, Pixels
from engine import mini_express as game

from ..scan import Scan, scan
from .follow import Above, Follower, Look, Mask, Small
from .known_look import CHANGED_MM2, DIFFERS, KnownLook
from .turns import BoardSeen, Hidden, Unclear, WatchEvent, turns_of
from .video import check_colour

# Something moves: a difference in logs of light, and of how much of the board.
MOVES, MOVING_MM2 = 0.25, 50.0
# Seconds: still enough to read; still so long that what lies there is no hand about to go; a second look at
# what no action explains (track may be half built); without the board before that is told, and between searches.
STILL, LIES_THERE, SECOND_LOOK, LOST, SEARCH = 0.7, 5.0, 4.0, 3.0, 1.0


@dataclass(frozen=True, eq=False)
class Still:
    """A picture without motion: its frame, the mean view from above, since when and when it was taken."""

    frame: Pixels
    look: Look
    since: float
    seconds: float
    looks: int = 1

    @property
    def lasted(self) -> float:
        """Seconds without motion."""
        return self.seconds - self.since

    def longer(self, frame: Pixels, look: Look, seconds: float) -> "Still":
        """The same still with one look more; the mean has less noise than each."""
        share = 1 / min(self.looks + 1, 10)
        mean = Look(
            self.look.light + (look.light - self.look.light) * np.float32(share), look.seen, look.place
        )
        return Still(frame, mean, self.since, seconds, self.looks + 1)


class AtOnce(Executor):
    """Does the work in the caller's thread, where every frame can wait: for video files."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """The work, done; what it raises is raised here."""
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class Watcher:
    """Follows one table from a known state on.

    Slow work is given to `executor`, one job at a time; without one it is done at once. Raises ProfileProblem where the
    profile does not know the state's map.
    """

    def __init__(self, profile: Profile, state: game.State, executor: Executor | None = None) -> None:
        self.profile, self.surface = profile, profile.map_of(state.board)
        self._state, self._executor, self._above = state, executor or AtOnce(), Above(self.surface)
        self._known = KnownLook(self.surface, self._above)
        self._job: tuple[Future[Any], Callable[[Any], list[WatchEvent]]] | None = None
        self._follower: Follower | None = None
        self._in_sight: bool | None = None
        self._lost_since: float | None = None
        self._searched = -SEARCH
        self._still: Still | None = None
        self._read: Still | None = None
        self._look_again = self._read_anew = False
        self._told: Unclear | None = None

    @property
    def state(self) -> game.State:
        """The state as far as it was seen."""
        return self._state

    @state.setter
    def state(self, state: game.State) -> None:
        """What a person says has been played; the next still is read anew."""
        self._state, self._read_anew = state, True

    def see(self, frame: Pixels, seconds: float) -> list[WatchEvent]:
        """The next frame, (height, width, 3) uint8 BGR, and when it was taken; what is now known to have happened."""
        events = self._finished()
        frame = _bounded(frame)
        small = Small.of(frame)
        place = self._follower.follow(small) if self._follower else None
        if place is None:
            self._still = None
            self._search(frame, small, seconds)
        else:
            self._lost_since = None
            events += self._sight(True, seconds)
            self._still = self._calm(frame, self._above.look(small, place), seconds)
            events += self._read_if_due(self._still)
        return events + self._finished()

    def finish(self) -> list[WatchEvent]:
        """After the last frame: waits for the reading that is under way, and takes a last look at what is there."""
        events = self._awaited()
        if self._still:
            events += self._read_if_due(self._still, last=True)
            events += self._awaited()
        if self._in_sight is None or self._lost_since is not None:
            events += self._sight(False, self._lost_since or 0.0)
        return events

    def _awaited(self) -> list[WatchEvent]:
        """What the job says, once it is done."""
        if self._job:
            self._job[0].result()
        return self._finished()

    def _start(self, work: Callable[[], Any], then: Callable[[Any], list[WatchEvent]]) -> None:
        self._job = self._executor.submit(work), then

    def _finished(self) -> list[WatchEvent]:
        """What the job says, if it has just been done."""
        if self._job is None or not self._job[0].done():
            return []
        (future, then), self._job = self._job, None
        return then(future.result())

    # Where is the board?

    def _search(self, frame: Pixels, small: Small, seconds: float) -> None:
        """Look for the board by its features now and then."""
        self._lost_since = seconds if self._lost_since is None else self._lost_since
        if self._job is None and seconds - self._searched >= SEARCH:
            self._searched = seconds
            self._start(
                lambda: register(frame, self.surface), lambda found: self._found(found, small, seconds)
            )

    def _found(self, found: Registration, small: Small, seconds: float) -> list[WatchEvent]:
        """Follow the board from where it was found; say so where it stays away."""
        if found.ok:
            check_colour(small.pixels)
            self._lost_since = None
            self._follower = Follower(self.surface, small, found.plane_to_photo(self.surface))
            return self._sight(True, seconds)
        away = self._lost_since is not None and seconds - self._lost_since >= LOST
        return self._sight(False, seconds) if away else []

    def _sight(self, there: bool, seconds: float) -> list[WatchEvent]:
        """Told once when the board comes into sight or is gone."""
        if self._in_sight == there:
            return []
        self._in_sight = there
        return [BoardSeen(seconds, there)]

    # Is there something to read?

    def _calm(self, frame: Pixels, look: Look, seconds: float) -> Still:
        """The still that goes on, or a new one where something moved."""
        if self._still and not self._above.changes(look.off(self._still.look), MOVES, MOVING_MM2).any():
            return self._still.longer(frame, look, seconds)
        return Still(frame, look, seconds, seconds)

    def _read_if_due(self, still: Still, *, last: bool = False) -> list[WatchEvent]:
        """Read a still without hands that is unlike the last one read, or that has to be looked at again.

        The `last` one is read however short it was still; a hand in it is all that can be told of it.
        """
        if self._job or (still.lasted < STILL and not last):
            return []
        if self._read is None:
            self._read_still(still, again=last)
            return []
        off = still.look.off(self._read.look)
        if self._above.hand(off, MOVES) and still.lasted < LIES_THERE:
            covered = Unclear(still.seconds, [Hidden("covered")], [])
            return self._unclear(covered, tell=True) if last else []
        unlike = self._read_anew or self._above.changes(off, DIFFERS, CHANGED_MM2).any()
        waited = last or still.seconds - self._read.seconds >= SECOND_LOOK
        if unlike or (self._look_again and waited):
            self._read_still(still, again=last or not unlike)
        return []

    def _read_still(self, still: Still, again: bool) -> None:
        before, changed = self._state, self._known.changed(still.look)
        told = self._known.standing(still.look, changed, before)
        new = self._known.played_on(still.look, changed)
        self._read, self._read_anew = still, False

        def work() -> Scan | None:
            try:
                return scan([Photo(still.frame)], self.profile, before, told=told, changed=new)
            except (PhotoProblem, RegistrationProblem):
                return None

        self._start(work, lambda found: self._judged(found, still, before, changed, again))

    # What does it mean?

    def _judged(
        self, found: Scan | None, still: Still, before: game.State, changed: Mask, again: bool
    ) -> list[WatchEvent]:
        """The turns that a reading shows; or, at the second look, why it shows none."""
        if found is None:  # the camera was moved or lost its colours, or what was followed is not the board
            self._follower, self._read_anew, self._lost_since = None, True, still.seconds
            return []
        if before is not self._state:
            return []
        first = self._known.look is None
        tiles = found.tiles_conflict if first else None
        conflicts = [*found.conflicts, *([tiles] if tiles else [])]
        # What contradicts the game may be the turn before, still being laid: nothing is told over its head.
        turns = [] if conflicts else turns_of(found, before, still.seconds)
        if turns:
            self._state = turns[-1].state
        self._known.settle(still.look, changed, found, self._state, bool(turns))
        unclear = Unclear(still.seconds, conflicts, found.doubtful)
        return [*turns, *self._unclear(unclear, tell=again or first)]

    def _unclear(self, unclear: Unclear, tell: bool) -> list[WatchEvent]:
        """What is unclear, once; at the first look not yet, for track may be half built."""
        anything = bool(unclear.conflicts or unclear.doubtful)
        self._look_again = anything and not tell
        if not anything:
            self._told = None
        elif tell:
            last = self._told
            self._told = unclear
            return [] if last and last.what == unclear.what else [unclear]
        return []


def _bounded(frame: Pixels) -> Pixels:
    """The frame, made smaller where it is larger than photos are read."""
    shrink = LONG_SIDE / max(frame.shape[:2])
    if shrink >= 1:
        return frame
    return cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.uint8)
