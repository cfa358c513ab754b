"""`masinfira watch`: follows the board through a camera and tells every finished turn."""

import argparse
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import reduce
from gettext import gettext as _
from itertools import chain, islice, takewhile
from pathlib import Path
from stat import S_ISREG
from threading import Event
from typing import Any

from calibration import Profile
from engine import mini_express as game
from engine.sentences import N_, P_, Problem
from vision import BoardSeen, Turn, Unclear, Watcher, WatchEvent, camera_frames, video_frames
from vision.live.video import Frames

from ..arguments import Subparsers, add_out, add_profile, file_name
from ..console import Console, log_to_json
from ..files import read_game
from ..saving import alone_with, check_output, save_game
from .scan import show_questions

Stamp = tuple[int, int, int]


class WatchProblem(Problem):
    """A film of which nothing can be told."""

    sentences = {
        "no_board": N_(
            "The board was found nowhere in {file}: film most of it, in focus, and check that the profile is of this "
            "table."
        ),
    }


@dataclass(frozen=True)
class Changed:
    """Somebody else has written the file, and watching goes on from this state."""

    seconds: float
    state: game.State


Told = WatchEvent | Changed


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser(
        "watch", parents=[common], help=_("follow the board and tell every finished turn")
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--camera", type=int, metavar="N", help=_("the number of the camera, 0 for the first")
    )
    source.add_argument("--video", type=file_name, metavar="FILE", help=_("a video instead of a camera"))
    add_profile(parser)
    parser.add_argument(
        "--before", required=True, metavar="STATE", help=_("the state on the table at the start")
    )
    add_out(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    reads = [args.video, *Profile.files(args.profile)]
    written = stamp(args.out)  # first: whoever writes it while the camera is opened leaves another
    check_output(args.out, args.pack_data, reads, goes_on=args.before)
    profile, played = Profile.load(args.profile), read_game(args.before, args.pack_data)
    profile.map_of(played.state.board)  # what is wrong is told before a camera is opened and `--out` written
    filmed = args.camera is None
    frames = opened(video_frames(args.video)) if filmed else until_stopped(opened(camera_frames(args.camera)))
    record = Record(args.out, args.pack_data, played, written)
    turns, found = 0, False
    # A video can wait for every reading, a camera cannot; and whoever stops does not want to.
    with nullcontext() if filmed else ThreadPoolExecutor(1) as executor, suppress(KeyboardInterrupt):
        for event in follow(Watcher(profile, played.state, executor), frames, record):
            turns += isinstance(event, Turn)
            found = found or (isinstance(event, BoardSeen) and event.found)
            _tell(event, record, console)
        if filmed and not found:
            raise WatchProblem("no_board", file=str(args.video))
    console.say(P_("Watching ends: {n} turn was told.", "Watching ends: {n} turns were told."), n=turns)


def opened(frames: Frames) -> Frames:
    """The same frames once the first has come: where none can, `--out` is not written. Raises VideoProblem."""
    first = list(islice(frames, 1))
    return chain(first, frames)


def until_stopped(frames: Frames) -> Frames:
    """The frames until Ctrl-C, the way to stop a camera, which lets a last look be taken; another one stops at once."""
    stopped = Event()

    def stop(*_: object) -> None:
        # Not what was there before: a script may have started this with Ctrl-C ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stopped.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield from takewhile(lambda _: not stopped.is_set(), frames)
    finally:
        if not stopped.is_set():  # else the last look goes on
            signal.signal(signal.SIGINT, before)


def stamp(file: Path | None) -> Stamp | None:
    """What tells one writing of a file from another; what is no file, such as a pipe, cannot be read again."""
    try:
        stat = file.stat() if file else None
    except OSError:
        return None
    return (stat.st_ino, stat.st_mtime_ns, stat.st_size) if stat and S_ISREG(stat.st_mode) else None


class Record:
    """The game as far as it is known: what was seen, and what a person writes into the `--out` file, if there is one.

    What a person writes counts, also what was `written` since the file had this stamp. Raises FileProblem.
    """

    def __init__(
        self, file: Path | None, pack: game.Pack, played: game.Game, written: Stamp | None = None
    ) -> None:
        self.file, self.played = file, played
        self._pack, self._written = pack, written
        self._refused: Stamp | None = None
        self._open = False
        self._save()

    def add(self, turn: Turn) -> None:
        """Go on with a turn, unless somebody has just written something else: that counts, and is read next.

        Where a picture leaves open what was played a person has to write it first. Raises FileProblem.
        """
        self._open = self._open or bool(turn.alternatives)
        if not self._open:
            self._save(turn.action)

    def corrected(self, *, last: bool = False) -> bool:
        """Whether somebody else has written the file since; then the game is what it says.

        Raises Problem where it can be read neither now nor when it was looked at before, or not at the `last` look:
        till then somebody may be writing it, and where it is gone be putting another in its place.
        """
        now = stamp(self.file)
        if self.file is None or now == self._written:
            return False
        try:
            self.played = read_game(str(self.file), self._pack)
        except Problem:
            if last or (now and now == self._refused):
                raise
            self._refused = now
            return False
        # What is written while it is read has another stamp and is read next.
        self._written, self._open = now, False
        return True

    def _save(self, *actions: game.Action) -> None:
        """Write the game with what was played, alone with the file, over what is known of it or where nothing is."""
        with alone_with(self.file):
            if stamp(self.file) in (None, self._written):
                self.played = reduce(game.Game.play, actions, self.played)
                save_game(self.file, self.played)
                self._written = stamp(self.file)


def follow(watcher: Watcher, frames: Frames, record: Record) -> Iterator[Told]:
    """Every event until the frames end; what a person writes into the file up to the end is gone on from."""
    seconds = 0.0
    for seconds, frame in frames:
        if record.corrected():
            yield _changed(watcher, record, seconds)
        yield from watcher.see(frame, seconds)
    yield from watcher.finish()
    while record.corrected(last=True):
        yield _changed(watcher, record, seconds)
        yield from watcher.finish()


def _changed(watcher: Watcher, record: Record, seconds: float) -> Changed:
    """Lets the watcher go on from what a person has written."""
    watcher.state = record.played.state
    return Changed(seconds, watcher.state)


def _tell(event: Told, record: Record, console: Console) -> None:
    """Keep what was played, and tell it."""
    if isinstance(event, Turn):
        record.add(event)
    console.line(_to_json(event, console))
    _show(event, record, console)


def _to_json(event: Told, console: Console) -> dict[str, Any]:
    """One event as data; `event` says which it is."""
    when = {"seconds": round(event.seconds, 2)}
    if isinstance(event, BoardSeen):
        return {"event": "board", **when, "found": event.found}
    if isinstance(event, Turn):
        return {"event": "turn", **when, **_turn_to_json(event, console)}
    if isinstance(event, Changed):
        return {"event": "changed", **when, "state": game.state_to_json(event.state)}
    return {
        "event": "unclear",
        **when,
        "conflicts": [*map(console.told, event.conflicts)],
        "doubtful": [doubt.to_json() for doubt in event.doubtful],
    }


def _turn_to_json(turn: Turn, console: Console) -> dict[str, Any]:
    return {
        "action": game.action_to_json(turn.action),
        "notation": game.action_to_text(turn.action),
        "text": _headline(turn, console),
        "log": log_to_json(console.texts, turn.log),
        "alternatives": [game.action_to_json(action) for action in turn.alternatives],
        "state": game.state_to_json(turn.state),
    }


def _show(event: Told, record: Record, console: Console) -> None:
    """One event in words."""
    if isinstance(event, BoardSeen):
        if event.found:
            console.say("The board is in the picture: every finished turn will be told.")
        else:
            console.say("The board is not in the picture: show most of it, in focus.", style="yellow")
    elif isinstance(event, Unclear):
        console.say(
            "What has changed on the board is not clear, so nothing is taken as played.", style="yellow"
        )
        show_questions(console, record.played.state.board, event.conflicts, event.doubtful)
    elif isinstance(event, Changed):
        text = N_(
            "{file} has been changed meanwhile: watching goes on from what it says, and a turn that it lacks is told "
            "again."
        )
        console.say(text, file=str(record.file))
    else:
        _show_turn(event, console, writes=record.file is not None)


def _show_turn(turn: Turn, console: Console, *, writes: bool) -> None:
    console.print(_headline(turn, console), style="bold")
    console.log(turn.log)
    if turn.alternatives:
        others = ", ".join(map(game.action_to_text, turn.alternatives))
        console.say("In a picture this looks the same: {actions}.", actions=others, style="yellow")
        if writes:
            console.say("It is written down once you have entered it with masinfira play.", style="yellow")


def _headline(event: Turn, console: Console) -> str:
    """What "orange built Chicago → Omaha" says; the notation where nothing was built."""
    for entry in event.log:
        if entry.key == "built":
            return console.texts.say("{company} built {origin} → {city}", **entry.values)
    return game.action_to_text(event.action)
