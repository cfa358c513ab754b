"""`masinfira scan`: photos of one table at one moment, read into an observation and a state."""

import argparse
from collections.abc import Sequence
from functools import reduce
from gettext import gettext as _
from pathlib import Path

from calibration import Profile
from engine import mini_express as game
from engine.mini_express.names import MASINFIRA, SEATS
from engine.sentences import N_, Problem, Typed
from vision import Agreed, TableScan, annotate, scan_table
from vision.sightings import check_boards

from ..arguments import Subparsers, add_annotate, add_profile, file_name, modules_of
from ..console import Console
from ..files import STDIN, read_game
from ..pictures import save_jpeg
from ..saving import check_both, check_output, check_picture, save_gone_on
from ..scan_in_words import show_figures, show_scan


class ScanProblem(Problem):
    """A scan that cannot give what is asked."""

    sentences = {
        "out": N_("Without the state before, a photo gives no whole state to save: add --before STATE."),
        "share_photo": N_(
            "{found} names no photo of a player's share tiles: write seat and photo, such as --shares blue=PHOTO."
        ),
        "share_seat": N_(
            'There is no player "{found}": write one of {known} before the photo, such as --shares blue=PHOTO.'
        ),
        "seat_twice": N_("{seat} has two photos of share tiles: take one that shows all of them."),
        "contradicts": N_(
            "{file} is not written, for the photo and the state before do not fit together: see above what differs. "
            "If the build found is right all the same, enter it with masinfira play."
        ),
        "open": N_(
            "{file} is not written, for a photo cannot tell which of these was played: enter it with masinfira play."
        ),
        "no_map": N_("The photos do not show the map, which --annotate and --out need: add a photo of it."),
    }


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("scan", parents=[common], help=_("read a photo of the table"))
    parser.add_argument(
        "photos", nargs="*", type=file_name, metavar="PHOTO", help=_("photos of the table at one moment")
    )
    _add_shares(parser)
    add_profile(parser)
    parser.add_argument(
        "--before", metavar="STATE", help=_("the state before, to find what was played since")
    )
    text = _("without --before: the modules in play, such as capacity_two,ports or none")
    parser.add_argument("--modules", metavar="MODULE,…", help=text)
    add_annotate(parser)
    text = _(
        "with --before: go on with the state before by what was played since, and save the state (FILE.json) "
        "or the whole game as text (any other name)"
    )
    parser.add_argument("--out", type=file_name, metavar="FILE", help=text)
    parser.set_defaults(run=run, wrong_usage=parser.error)


def _add_shares(parser: argparse.ArgumentParser) -> None:
    text = _("a photo of the share tiles in front of a player, such as blue=shares.jpg; for each player once")
    parser.add_argument("--shares", action="append", default=[], metavar="SEAT=PHOTO", help=text)


def run(args: argparse.Namespace, console: Console) -> None:
    if not args.photos and not args.shares:
        args.wrong_usage(_("scan needs a PHOTO or --shares SEAT=PHOTO"))
    if args.before is not None and args.modules is not None:
        args.wrong_usage(_("the state before says which modules are in play: leave --modules out"))
    shares = share_photos(args.shares)
    _check_outputs(args, [*args.photos, *shares.values(), *Profile.files(args.profile)])
    profile = Profile.load(args.profile)
    if args.photos:
        check_boards(profile)
    before = read_game(args.before, args.pack_data) if args.before is not None else None
    state, agreed = before.state if before else None, Agreed(args.pack_data, _modules(args, profile))
    with console.progress() as step:
        found = scan_table(args.photos, profile, state, step, agreed, shares)
    try:
        _show(console, found)
    finally:  # what cannot be saved does not cost what was read, nor who stops reading it what is to be saved
        _save(args, found, before)


def _modules(args: argparse.Namespace, profile: Profile) -> Sequence[str] | None:
    """Those in play, None where nobody says. Raises Malformed."""
    if args.modules is None:
        return None
    return game.chosen_modules(modules_of([args.modules]), args.pack_data.board(profile.board))


def _check_outputs(args: argparse.Namespace, reads: Sequence[Path]) -> None:
    """Before the work: whether what is to be saved can be. Raises ScanProblem, FileProblem."""
    if args.out and args.before is None:
        raise ScanProblem("out")
    check_both(args.annotate, args.out)
    check_picture(args.annotate, args.pack_data, [args.before, *reads])
    check_output(args.out, args.pack_data, reads, goes_on=args.before)


def _save(args: argparse.Namespace, found: TableScan, before: game.Game | None) -> None:
    """What was read drawn in, and the game `before` gone on with, where they are to be. Raises Problem."""
    if found.map is None:
        if args.annotate or args.out:
            raise ScanProblem("no_map")
        return
    if args.annotate:
        save_jpeg(args.annotate, annotate(found.map))
    if args.out and before:
        if refusal := not_sure(found):
            raise ScanProblem(refusal, file=str(args.out))
        played = reduce(game.Game.play, found.map.actions, before)
        save_gone_on(args.out, played, before, args.before, args.pack_data)


def _show(console: Console, found: TableScan) -> None:
    console.data(found.to_json(console.told))
    show_figures(console, found)
    if found.map:
        show_scan(console, found.map)
    console.say("Read in {seconds} s.", seconds=round(found.seconds, 2))


def not_sure(found: TableScan) -> str | None:
    """Why what was found is not written as the game's next state."""
    if not found.fits:
        return "contradicts"
    return "open" if found.map and found.map.alternatives else None


def share_photos(named: list[str]) -> dict[str, Path]:
    """The photos of share tiles by seat, from SEAT=PHOTO. Raises ScanProblem."""
    photos: dict[str, Path] = {}
    for text in named:
        seat, _, photo = text.partition("=")
        if photo in ("", STDIN):
            raise ScanProblem("share_photo", found=Typed(text))
        if seat not in (*SEATS, MASINFIRA):
            known = Typed(", ".join((*SEATS, MASINFIRA)))
            raise ScanProblem("share_seat", found=Typed(seat), known=known)
        if seat in photos:
            raise ScanProblem("seat_twice", seat=seat)
        photos[seat] = Path(photo)
    return photos
