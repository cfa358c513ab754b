"""`masinfira demo`: the main job on a sample photo, from the picture to the score."""

import argparse
import random
from functools import reduce
from gettext import gettext as _
from pathlib import Path
from typing import Any

from engine import mini_express as game
from engine.sentences import N_, Problem, Progress, part_of
from vision import Scan, annotate
from vision import scan as read_table
from vision.samples import Sample, calibrated, find_samples

from ..arguments import Subparsers, add_samples, file_name
from ..console import Console, log_to_json
from ..drawing import draw_moves, draw_score, draw_summary
from ..pictures import save_jpeg
from ..saving import check_picture, make_folder
from ..scan_in_words import show_scan

SEED = 7
"""Mašinfíra's bag is shuffled the same way in every demo."""


class DemoProblem(Problem):
    """Samples that the demo cannot use."""

    sentences = {
        "samples": N_(
            "There is no sample of a solo game in {folder}: run this in the project's folder, or give --samples DIR."
        )
    }


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("demo", parents=[common], help=_("the main job on a sample photo"))
    add_samples(parser)
    parser.add_argument(
        "--out", type=file_name, default=Path("out/demo"), metavar="DIR", help=_("where pictures go")
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, console: Console) -> None:
    sample, picture = find_sample(args.samples), args.out / "annotated.jpg"
    make_folder(args.out)
    # Whatever is there: an older version has not marked what it has drawn.
    check_picture(picture, args.pack_data, sample.table.glob("*.j*"), may_replace=bool)
    before = game.state_from_json(sample.truth["before"], args.pack_data)
    with console.progress() as step:
        found = _scan(sample, before, step)
    save_jpeg(picture, annotate(found))
    sentence = N_("Photo: {photo} (a render, see sample_photos/README.md)")
    console.say(sentence, photo=str(sample.photo), style="bold")
    show_scan(console, found)
    console.say("Read in {seconds} s.", seconds=round(found.seconds, 2))
    _compare(console, sample, found)
    data = {"photo": str(sample.photo), "annotated": str(picture), "scan": found.to_json(console.told)}
    if found.state is None or not found.actions:
        console.data(data)
        console.say("No legal build fits the photo, so the demo stops here.", style="bold red")
        return
    played = _play_on(console, before, found)
    console.say("The annotated photo is in {file}.", file=str(picture), style="bold")
    console.data({**data, **played})


def find_sample(folder: Path) -> Sample:
    """The last sample by name of a solo game in which Mašinfíra is to move after the photo. Raises Problem."""
    for sample in reversed(find_samples(folder)):
        state = sample.truth.get("state") or {}
        its_turn = (state.get("mode"), state.get("to_move")) == ("solo", game.MASINFIRA)
        if its_turn and sample.truth.get("before"):
            return sample
    raise DemoProblem("samples", folder=str(folder))


def _scan(sample: Sample, before: game.State, step: Progress) -> Scan:
    """Calibrate the table from its empty map, then read the photo."""
    step(N_("Looking at the empty map"), 0.1)
    profile = calibrated(sample.table, before.board.id)
    return read_table([sample.photo], profile, before, part_of(step, 0.4, 0.6))


def _compare(console: Console, sample: Sample, found: Scan) -> None:
    """How the reading compares with what the render really shows."""
    truth = {company: {(q, r) for q, r in hexes} for company, hexes in sample.truth["track"].items()}
    wrong = sum(len(truth[company] ^ set(found.track[company])) for company in game.COMPANIES)
    trains = sum(map(len, truth.values()))
    sentence = N_("Compared with the truth of the render: {trains} trains, {wrong} readings wrong.")
    console.say(sentence, trains=trains, wrong=wrong)


def _play_on(console: Console, before: game.State, found: Scan) -> dict[str, Any]:
    """After the human's build: Mašinfíra's turn, the human's moves, the score."""
    played = reduce(game.Game.play, found.actions, game.Game(before))
    console.say("Mašinfíra's turn", style="bold")
    played = played.play_bot(random.Random(SEED))
    log = played.events(len(found.actions))
    console.log(log)
    draw_summary(console, played.state)
    console.say("The legal moves of {seat}", seat=played.state.seat, style="bold")
    draw_moves(console, played.state, notation=False)
    console.say("The score as it stands", style="bold")
    draw_score(console, played.state)
    return {
        "bot": log_to_json(console.texts, log),
        "moves": [game.action_to_json(action) for action in game.legal_actions(played.state)],
        "score": game.score(played.state),
    }
