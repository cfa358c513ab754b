"""`masinfira scan`: photos of one table at one moment, read into an observation and a state."""

import argparse
from collections.abc import Sequence
from functools import reduce
from gettext import gettext as _
from pathlib import Path

from calibration import Profile
from calibration.cell_names import CellName
from engine import mini_express as game
from engine.catalogue import in_percent
from engine.mini_express.board import Board
from engine.mini_express.building import origin_of
from engine.mini_express.names import MASINFIRA, SEATS
from engine.mini_express.places import place
from engine.sentences import N_, Problem, Typed
from vision import Doubt, Scan, TableScan, annotate, scan_table
from vision.figure import SOME
from vision.sightings import check_boards
from vision.state.decode import HardPhoto
from vision.state.demand import Tile

from ..arguments import Subparsers, add_annotate, add_profile, file_name, modules_of
from ..console import Console
from ..drawing import draw_map, map_text
from ..files import STDIN, read_game
from ..pictures import save_jpeg
from ..saving import check_both, check_output, check_picture, save_gone_on

# More doubtful demand tiles or trains than this only swamp the rest.
TILES_LISTED, DOUBTS_LISTED = 8, 12
# From so many doubts on a second photo is less work than the answers.
SECOND_PHOTO = 4


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
    state, modules = before.state if before else None, _modules(args, profile)
    with console.progress() as step:
        found = scan_table(args.photos, profile, state, step, args.pack_data, shares, modules=modules)
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
    console.data({**found.to_json(), "conflicts": [*map(console.told, found.all_conflicts)]})
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


def show_figures(console: Console, found: TableScan) -> None:
    """What the boards of tracks and areas show, and what a person should look at."""
    for figure in found.figures:
        values = {"figure": figure.name, "value": figure.best, "percent": in_percent(figure.p)}
        if figure.best == SOME:
            console.say("Count what lies in the pile: {figure}.", style="yellow", figure=figure.name)
        elif figure.doubtful:
            console.say("Doubtful: {figure} is {value} ({percent} %).", style="yellow", **values)
        else:
            console.say("Read: {figure} is {value}.", figure=figure.name, value=figure.best)
    for problem in [*found.left_out, *found.conflicts]:
        console.warn(problem)
    if found.unseen:
        console.say("Not seen: {hexes}.", hexes=", ".join(map(_named, found.unseen)))
    if found.missing and found.boards:
        boards = ", ".join(console.texts.word(board) for board in found.missing)
        console.say("Not found in the photos: {boards}.", boards=boards)


def _named(cell: str) -> str:
    """An area by the name of its figure, which `set` takes, and a space of a track as it is."""
    area = CellName.of(cell)
    return f"companies.{area.company}.{area.sort}" if area.sort in ("reservoir", "offer") else cell


def show_scan(console: Console, found: Scan) -> None:
    """What was read, what led to it, and what a person should look at."""
    if found.before is not None and found.doubtful:
        for problem in found.overexposed:
            console.warn(problem)
    # Of a photo of something else nothing need be answered.
    show_questions(console, found.board, found.conflicts, [] if found.contradicts else found.doubtful)
    if found.unseen:
        console.say("Not seen: {hexes}.", hexes=list(found.unseen))
    if found.contradicts:
        return
    told = any(isinstance(problem, HardPhoto) for problem in found.conflicts)
    if len(found.photos) == 1 and len(found.doubtful) >= SECOND_PHOTO and not told:
        console.say(
            "Name a second photo of the same moment, from another side: it answers most doubts by itself."
        )
    if otherwise := found.tiles_conflict:
        console.warn(otherwise)
    if found.state is not None:
        draw_map(console, found.state)
    else:
        tiles = {tile.city for tile in found.cards.tiles}
        console.print(map_text(found.board, found.track, tiles, found.unseen))
    show_played(console, found)
    counts = {company: len(hexes) for company, hexes in found.track.items()}
    console.say(
        "Trains read: {trains}.", trains=", ".join(f"{console.texts.word(c)} {n}" for c, n in counts.items())
    )
    show_cards(console, found)


def show_played(console: Console, found: Scan) -> None:
    """The actions since the state before: in words, as notation, and what came of them."""
    if (state := found.before) is None:
        return
    for action in found.actions:
        if isinstance(action, game.Build):
            ends = {"origin": origin_of(state, action), "city": action.route[-1]}
            values = {"company": action.company, **{end: place(state.board, at) for end, at in ends.items()}}
            console.say("Since the state before: {company} built {origin} → {city}.", style="bold", **values)
        console.print(game.action_to_text(action))
        state, events = game.play(state, action)
        console.log(events)
    if not found.actions and not found.conflicts:
        nothing = N_("The track is as in the game: nothing new was built.")
        console.say(N_("As far as the photo shows, nothing new was built.") if found.doubtful else nothing)
    for line in found.alternatives:
        actions = "; ".join(map(game.action_to_text, line))
        console.say("In a picture this looks the same: {actions}.", actions=actions, style="yellow")


def show_cards(console: Console, found: Scan) -> None:
    """What lies on the map beside trains, where no state before knows it: doubtful tiles, marker, spike tile."""
    doubtful = found.doubtful_tiles
    if len(doubtful) > TILES_LISTED:
        console.say("{n} demand tiles are doubtful: --json lists them.", style="yellow", n=len(doubtful))
    elif doubtful:
        listed = ", ".join(_tile_in_words(console, found, tile) for tile in doubtful)
        console.say("Doubtful demand tiles: {tiles}.", style="yellow", tiles=listed)
    if found.target or found.doubtful_target:
        _show_target(console, found)
    if found.spike_waits:
        console.say("The Golden Spike tile lies on the map.")


def _show_target(console: Console, found: Scan) -> None:
    number, percent = found.cards.target, in_percent(found.cards.target_p)
    city = found.board.numbered[number].name
    if found.doubtful_target:
        doubt = {"city": city, "number": number, "percent": percent}
        console.say(
            "Doubtful: the target city marker on {city} ({number}; {percent} %).", style="yellow", **doubt
        )
    else:
        console.say("The target city marker lies on {city} ({number}).", city=city, number=number)


def _tile_in_words(console: Console, found: Scan, tile: Tile) -> str:
    """The city and the two symbols of its tile."""
    symbols = ", ".join(console.texts.word(symbol) for symbol in tile.pair)
    return f"{found.board.numbered[tile.city].name} ({symbols})"


def show_questions(console: Console, board: Board, conflicts: list[Problem], doubtful: list[Doubt]) -> None:
    """What contradicts the state before, and what is doubtful."""
    for problem in conflicts[:DOUBTS_LISTED]:
        console.warn(problem)
    for doubt in doubtful[:DOUBTS_LISTED]:
        where = {"place": place(board, doubt.hex), "hex": doubt.hex}
        values = {"company": doubt.company, "percent": in_percent(doubt.p), **where}
        console.say("Doubtful: {company} on {place} ({hex}; {percent} %).", style="yellow", **values)
    if more := len(conflicts[DOUBTS_LISTED:]) + len(doubtful[DOUBTS_LISTED:]):
        console.say("And {n} more: --json lists them.", style="yellow", n=more)
