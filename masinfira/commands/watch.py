"""`masinfira watch`: follows the board through a camera and tells every finished turn."""

import argparse
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from gettext import gettext as _
from itertools import chain, islice, takewhile
from threading import Event
from typing import Any

from calibration import Profile
from engine import mini_express as game
from engine.sentences import N_, P_, Problem
from vision import BoardSeen, Turn, Unclear, Watcher, camera_frames, video_frames
from vision.live.video import Frames

from ..arguments import Subparsers, add_out, add_profile, file_name
from ..console import Console, log_to_json
from ..files import read_game
from ..saving import check_output
from ..scan_in_words import show_questions
from ..shared_record import Changed, Record, Told, follow, stamp


class WatchProblem(Problem):
    """A film of which nothing can be told."""

    sentences = {
        "no_board": N_(
            "The board was found nowhere in {file}: film most of it, in focus, and check that the profile is of this "
            "table."
        ),
    }


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
