"""Watching the table: frames with their time in, finished turns out.

    watcher = Watcher(profile, state)
    for seconds, frame in camera_frames(0):
        for event in watcher.see(frame, seconds): …

Every frame gets only cheap work: where the board is, what it looks like from above, whether anything moves. A
full reading is made once the picture has been still for a moment without a hand in it and looks unlike the last
still that was read. Such a still says more than a photo: what looks as it did when the state was known has no
new train, so only the places that changed are believed to hold one.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration import Photo, Profile, Registration, RegistrationProblem, register
from calibration.photo import LONG_SIDE, Pixels
from calibration.surface import CellId
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.names import COMPANIES
from engine.sentences import Problem

from .decode import Doubt
from .follow import Above, Follower, Look, Mask, Small
from .scan import Answers, Scan, scan

# Differences in logs of light: something moves, something is no longer as it was.
MOVES, DIFFERS = 0.25, 0.2
MOVING_MM2, CHANGED_MM2 = 50.0, 25.0
# Seconds: still enough to read; still so long that what lies there is no hand about to go; a second look at
# what no action explains (track may be half built); without the board before that is told, and between searches.
STILL, LIES_THERE, SECOND_LOOK, LOST, SEARCH = 0.7, 5.0, 4.0, 3.0, 1.0
# What changes is at most this share of the board when somebody builds.
LOCAL_CHANGE = 0.2
# A hex that looks like a train with at least this probability may hold one.
MAY_HOLD = 0.003
# A piece changes what is seen this near to the middle of its hex.
REACH_MM = 14.0


@dataclass(frozen=True)
class BoardSeen:
    """The board was found, or it is no longer in the picture."""

    seconds: float
    found: bool


@dataclass(frozen=True)
class Turn:
    """An action that was played: what it did (`log`), the state after it, and others that look the same."""

    seconds: float
    action: game.Action
    log: list[game.Event]
    state: game.State
    alternatives: list[game.Action]


@dataclass(frozen=True)
class Unclear:
    """Something changed that no legal action explains, or that fits several: nothing is taken as played."""

    seconds: float
    conflicts: list[Problem]
    doubtful: list[Doubt]

    @property
    def what(self) -> tuple[list[str], set[tuple[Hex, str]]]:
        """What is unclear, without its time and figures."""
        return [str(problem) for problem in self.conflicts], {(d.hex, d.company) for d in self.doubtful}


WatchEvent = BoardSeen | Turn | Unclear


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
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class Watcher:
    """Follows one table from a known state on; `state` is the state as far as it was seen.

    Slow work is given to `executor`, one job at a time; without one it is done at once.
    """

    def __init__(self, profile: Profile, state: game.State, executor: Executor | None = None) -> None:
        self.profile, self.surface = profile, profile.map_of(state.board)
        self._state, self._executor, self._above = state, executor or AtOnce(), Above(self.surface)
        self._job: tuple[Future[Any], Callable[[Any], list[WatchEvent]]] | None = None
        self._follower: Follower | None = None
        self._in_sight: bool | None = None
        self._lost_since: float | None = None
        self._searched = -SEARCH
        self._still: Still | None = None
        self._read: Still | None = None
        self._settled: Look | None = None
        self._look_again = self._read_anew = False
        self._told: Unclear | None = None

    @property
    def state(self) -> game.State:
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
            self._read_if_due(self._still)
        return events + self._finished()

    def finish(self) -> list[WatchEvent]:
        """After the last frame: waits for the reading that is under way."""
        if self._job:
            self._job[0].result()
        events = self._finished()
        return events if self._in_sight is not None else events + self._sight(False, 0.0)

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
        if self._still and not self._changes(look, self._still.look, MOVES, MOVING_MM2).any():
            return self._still.longer(frame, look, seconds)
        return Still(frame, look, seconds, seconds)

    def _changes(self, look: Look, other: Look, least: float, area: float) -> Mask:
        return self._above.changes(look.off(other), least, area)

    def _read_if_due(self, still: Still) -> None:
        """Read a still without hands that is unlike the last one read, or that has to be looked at again."""
        if self._job or still.lasted < STILL:
            return
        if self._read is None:
            self._read_still(still, again=False)
            return
        off = still.look.off(self._read.look)
        if self._above.hand(off, MOVES) and still.lasted < LIES_THERE:
            return
        again = self._look_again and still.seconds - self._read.seconds >= SECOND_LOOK
        if self._above.changes(off, DIFFERS, CHANGED_MM2).any() or self._read_anew:
            self._read_still(still, again=False)
        elif again:
            self._read_still(still, again=True)

    def _read_still(self, still: Still, again: bool) -> None:
        before, changed = self._state, self._changed_cells(still.look)
        told = self._unchanged(before, changed | self._hidden(still.look))
        new = self._hexes(changed) if self._somebody_played(still.look, changed) else []
        self._read, self._read_anew = still, False

        def work() -> Scan | None:
            try:
                return scan([Photo(still.frame)], self.profile, before, told=told, changed=new)
            except RegistrationProblem:
                return None

        self._start(work, lambda found: self._judged(found, still, before, changed, again))

    def _changed_cells(self, look: Look) -> Mask:
        """(cells,) bool: what looks different from when the state was known; at first, all of it."""
        if self._settled is None:
            return np.ones(len(self.surface.cells), bool)
        changes = self._changes(look, self._settled, DIFFERS, CHANGED_MM2)
        return self._above.cells_near(changes, REACH_MM)

    def _hidden(self, look: Look) -> Mask:
        """(cells,) bool: what lies outside this picture, or outside that of which the state was known."""
        known = look if self._settled is None else self._settled
        return self._above.cells_near(~(look.seen & known.seen), 0)

    def _somebody_played(self, look: Look, changed: Mask) -> bool:
        """Whether a change can be track, and not another light or another place of the camera."""
        same_place = self._settled is not None and look.place is self._settled.place
        return same_place and changed.mean() < LOCAL_CHANGE

    def _unchanged(self, before: game.State, changed: Mask) -> Answers:
        """What is known without reading: a hex that looks as it did has the trains it had."""
        standing = {company: set(before.hexes(company)) for company in COMPANIES}
        return {
            (at, company): at in standing[company] for at in self._hexes(~changed) for company in COMPANIES
        }

    def _hexes(self, where: Mask) -> list[Hex]:
        """The hexes among these cells."""
        cells = (self.surface.cells[i].id for i in np.flatnonzero(where))
        return [cell for cell in cells if isinstance(cell, tuple)]

    # What does it mean?

    def _judged(
        self, found: Scan | None, still: Still, before: game.State, changed: Mask, again: bool
    ) -> list[WatchEvent]:
        """The turns that a reading shows; or, at the second look, why it shows none."""
        if found is None:  # the camera was moved, or what was followed is not the board
            self._follower, self._read_anew = None, True
            return []
        if before is not self._state:
            return []
        first = self._settled is None
        turns = _turns(found, before, still.seconds)
        if turns:
            self._state = turns[-1].state
        self._settle(found, still.look, changed, bool(turns))
        return [*turns, *self._unclear(found, still.seconds, tell=again or first)]

    def _unclear(self, found: Scan, seconds: float, tell: bool) -> list[WatchEvent]:
        """What is unclear, once; at the first look not yet, for track may be half built."""
        self._look_again = bool(found.conflicts or found.doubtful) and not tell
        if not found.conflicts and not found.doubtful:
            self._told = None
        elif tell:
            unclear, last = Unclear(seconds, found.conflicts, found.doubtful), self._told
            self._told = unclear
            return [] if last and last.what == unclear.what else [unclear]
        return []

    def _settle(self, found: Scan, look: Look, changed: Mask, played: bool) -> None:
        """Remember how the known state looks, but not where a train that is not in it may stand.

        Between turns nothing that changed is taken for the known state: it may be the beginning of a build.
        """
        if self._settled is None:
            self._settled = look
            return
        unsure = np.array([self._may_hold_more(found, cell.id) for cell in self.surface.cells])
        keep = self._above.around(changed & (unsure | (not played)), 2 * REACH_MM)
        light = np.where(keep[..., None], self._settled.light, look.light)
        self._settled = Look(light, np.where(keep, self._settled.seen, look.seen), look.place)

    def _may_hold_more(self, found: Scan, at: CellId) -> bool:
        """Whether a hex was not seen, or may hold a train that the state does not have."""
        if not isinstance(at, tuple) or at in found.unseen:
            return True
        new = [company for company in COMPANIES if at not in self._state.hexes(company)]
        return any(found.observation.p(at, company) >= MAY_HOLD for company in new)


def _turns(found: Scan, before: game.State, seconds: float) -> list[Turn]:
    """The first actions of a reading, as far as no train of theirs is doubtful, each with what else it may have been.

    What does not show, such as a share that Mašinfíra takes, is believed only for the build that follows.
    """
    asked = {(doubt.hex, doubt.company) for doubt in found.doubtful}
    turns: list[Turn] = []
    state, sure = before, 0
    for nth, action in enumerate(found.actions):
        after, log = game.play(state, action)
        added = {(at, c) for c in COMPANIES for at in set(after.hexes(c)) - set(state.hexes(c))}
        if added & asked:
            break
        others = dict.fromkeys(line[nth] for line in found.alternatives if line[nth] != action)
        turns.append(Turn(seconds, action, log, after, list(others)))
        state, sure = after, len(turns) if added else sure
    return turns[:sure]


def _bounded(frame: Pixels) -> Pixels:
    """The frame, made smaller where it is larger than photos are read."""
    shrink = LONG_SIDE / max(frame.shape[:2])
    if shrink >= 1:
        return frame
    return cv2.resize(frame, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.uint8)
