"""`masinfira watch`: follows the board through a camera and tells every finished turn."""

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from gettext import gettext as _
from itertools import chain, islice
from pathlib import Path
from typing import Any

from calibration import Profile
from engine import mini_express as game
from engine.sentences import Problem
from vision.live.turns import BoardSeen, Turn, Unclear, WatchEvent
from vision.live.video import Frames, camera_frames, video_frames
from vision.live.watch import AtOnce, Watcher

from ..arguments import Subparsers, add_out, add_profile, file_name
from ..console import Console, log_to_json
from ..files import read_game
from ..saving import check_output, save_game
from .scan import show_questions


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
    check_output(args.out, args.pack_data, reads, goes_on=args.before)
    profile, played = Profile.load(args.profile), read_game(args.before, args.pack_data)
    frames = opened(video_frames(args.video) if args.camera is None else camera_frames(args.camera))
    record = Record(args, played)
    # A video can wait for every reading, a camera cannot.
    executor: Executor = AtOnce() if args.camera is None else ThreadPoolExecutor(1)
    watcher = Watcher(profile, record.played.state, executor)
    try:
        for event in follow(watcher, frames, record):
            if isinstance(event, Turn):
                record.add(event)
            console.line(_to_json(event, console))
            _show(event, console, args.out is not None)
    except KeyboardInterrupt:
        console.say("Watching ends.")
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def opened(frames: Frames) -> Frames:
    """The same frames once the first has come: where none can, `--out` is not written. Raises VideoProblem."""
    first = list(islice(frames, 1))
    return chain(first, frames)


Stamp = tuple[int, int, int]


class Record:
    """The game as far as it is known: what was seen, and what a person writes into the `--out` file meanwhile."""

    def __init__(self, args: argparse.Namespace, played: game.Game) -> None:
        self.played: game.Game = played
        self._file: Path | None = args.out
        self._pack: game.Pack = args.pack_data
        self._written: Stamp | None = None
        self._refused: Stamp | None = None
        self._open = False
        self._save()

    def add(self, turn: Turn) -> None:
        """Go on with a turn, unless somebody has just written something else: that counts, and is read next.

        Where a picture leaves open what was played a person has to write it first.
        """
        self._open = self._open or bool(turn.alternatives)
        if self._open or self._stamp() != self._written:
            return
        self.played = self.played.play(turn.action)
        self._save()

    def corrected(self) -> bool:
        """Whether somebody else has written the file since; then the game is what it says.

        Raises Problem where it can be read neither now nor when it was looked at before: till then somebody may be
        writing it.
        """
        stamp = self._stamp()
        if self._file is None or stamp == self._written:
            return False
        try:
            self.played = read_game(str(self._file), self._pack)
        except Problem:
            if stamp == self._refused:
                raise
            self._refused = stamp
            return False
        # What is written while it is read has another stamp and is read next.
        self._written, self._open = stamp, False
        return True

    def _save(self) -> None:
        save_game(self._file, self.played)
        self._written = self._stamp()

    def _stamp(self) -> Stamp | None:
        """What tells one writing of the file from another; what is no file, such as a pipe, cannot be read again."""
        if self._file is None or not self._file.is_file():
            return None
        stat = self._file.stat()
        return stat.st_ino, stat.st_mtime_ns, stat.st_size


def follow(watcher: Watcher, frames: Frames, record: Record) -> Iterator[WatchEvent]:
    """Every event until the frames end."""
    for seconds, frame in frames:
        if record.corrected():
            watcher.state = record.played.state
        yield from watcher.see(frame, seconds)
    yield from watcher.finish()


def _to_json(event: WatchEvent, console: Console) -> dict[str, Any]:
    """One event as data; `event` says which it is."""
    when = {"seconds": round(event.seconds, 2)}
    if isinstance(event, BoardSeen):
        return {"event": "board", **when, "found": event.found}
    if isinstance(event, Turn):
        return {"event": "turn", **when, **_turn_to_json(event, console)}
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


def _show(event: WatchEvent, console: Console, writes: bool) -> None:
    """One event in words; `writes` tells whether turns are written into a file."""
    if isinstance(event, BoardSeen):
        if event.found:
            console.say("The board is in the picture: every finished turn will be told.")
        else:
            console.say("The board is not in the picture: show most of it, in focus.", style="yellow")
    elif isinstance(event, Unclear):
        console.say(
            "What has changed on the board is not clear, so nothing is taken as played.", style="yellow"
        )
        show_questions(console, event.conflicts, event.doubtful)
    else:
        _show_turn(event, console, writes)


def _show_turn(turn: Turn, console: Console, writes: bool) -> None:
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
