"""What was read in photos of the table, in words: for `masinfira scan`, and for whoever else reads some."""

from calibration.cell_names import CellName
from engine import mini_express as game
from engine.catalogue import in_percent
from engine.mini_express.board import Board
from engine.mini_express.building import origin_of
from engine.mini_express.places import place
from engine.sentences import N_, Problem
from vision import Doubt, Scan, TableScan
from vision.cells.reading import HardPhoto
from vision.figure import SOME
from vision.state.demand import Tile

from .console import Console
from .drawing import draw_map, map_text

# More doubtful demand tiles or trains than this only swamp the rest.
TILES_LISTED, DOUBTS_LISTED = 8, 12
# From so many doubts on a second photo is less work than the answers.
SECOND_PHOTO = 4


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
    _show_asked(console, found)
    if found.contradicts:
        return
    if otherwise := found.tiles_conflict:
        console.warn(otherwise)
    _show_trains(console, found)
    show_played(console, found)
    counts = {company: len(hexes) for company, hexes in found.track.items()}
    console.say(
        "Trains read: {trains}.", trains=", ".join(f"{console.texts.word(c)} {n}" for c, n in counts.items())
    )
    show_cards(console, found)


def _show_asked(console: Console, found: Scan) -> None:
    """What speaks against the photos and what is doubtful; of a photo of something else nothing need be answered."""
    if found.before is not None and found.doubtful:
        for problem in found.overexposed:
            console.warn(problem)
    show_questions(console, found.board, found.conflicts, [] if found.contradicts else found.doubtful)
    if found.unseen:
        console.say("Not seen: {hexes}.", hexes=list(found.unseen))
    told = found.contradicts or any(isinstance(problem, HardPhoto) for problem in found.conflicts)
    if len(found.photos) == 1 and len(found.doubtful) >= SECOND_PHOTO and not told:
        console.say(
            "Name a second photo of the same moment, from another side: it answers most doubts by itself."
        )


def _show_trains(console: Console, found: Scan) -> None:
    """The map as it is now."""
    if found.state is not None:
        draw_map(console, found.state)
    else:
        tiles = {tile.city for tile in found.cards.tiles}
        console.print(map_text(found.board, found.track, tiles, found.unseen))


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
