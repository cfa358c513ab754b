"""What can go wrong between a phone and the table, each with its sentence and its HTTP status."""

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.mini_express import IllegalAction
from engine.sentences import N_, Problem

UPLOAD_MEGABYTES = 25


class WebProblem(Problem):
    """Something a visitor of the page must know and can act on; `status` is the HTTP status of the answer."""

    sentences: ClassVar[Mapping[str, str]] = {
        "join_first": N_("Enter the join code that the computer at the table shows."),
        "wrong_code": N_("This is not the join code: look at the computer at the table and type it again."),
        "too_many_guesses": N_("Too many wrong codes: wait {seconds} s, then type it again."),
        "not_from_here": N_("This request did not come from this page: reload the page and try again."),
        "no_page": N_("There is no such page: go back to the list of games."),
        "no_game": N_("There is no such game: choose one from the list of games."),
        "away_game": N_("This game was put away: take it back from the list of games to go on with it."),
        "twice_there": N_(
            "{file} and {other} are the same game, and both are there: give one of them another name on the computer."
        ),
        "wrong_method": N_("This cannot be done like that: go back to the game and use its buttons."),
        "bad_request": N_("The request could not be read: reload the page and try again."),
        "too_heavy": N_("That is too big to send: at most {limit} megabytes at once."),
        "stale": N_("The game has moved on since this page was loaded: here is how it stands now."),
        "bad_field": N_('"{field}" was not filled in as expected: reload the page and choose again.'),
        "no_number": N_("A number is missing or is not a whole number: fill in every field."),
        "impossible_number": N_("What is marked ! cannot be: {expected} expected, {found} found."),
        "no_tracks": N_(
            "The photo does not show the tracks of value and influence: take that board so that it is whole and sharp."
        ),
        "too_many_shares": N_(
            "{company}: the shares marked ! are {found} in all, but there are only {limit}: count them again."
        ),
        "beyond_track": N_(
            "The influence marked ! is more than {limit}, where the printed track ends: look once more."
        ),
        "no_size": N_(
            "Width and height are written in millimetres, such as 44.5, from {least} to {most}: measure them."
        ),
        "no_game_file": N_("This file holds no game: choose one that the log page or masinfira has saved."),
        "other_copy": N_(
            "This file was saved with another copy of the map or the tables, which is not here: open it where it was "
            "saved, or start the computer's program with --pack and the folder that holds that copy."
        ),
        "damaged_game": N_("The record of this game is damaged: start a new game, or repair {file}."),
        "pack_gone": N_(
            "The game {file} was begun with printed data that are not here (pack {found}): start the computer's "
            "program with --pack and the folder that holds them."
        ),
        "tiles_late": N_("The demand tiles can be changed only before the first share is taken: undo first."),
        "tiles_opened": N_(
            "The demand tiles are laid before the first share is taken, and this game was opened later: they stay as "
            "they are."
        ),
        "tiles_first": N_(
            "The demand tiles that lie on your table are not entered yet: do that before the first share is taken."
        ),
        "nothing_to_undo": N_("Nothing has been played yet, so there is nothing to undo."),
        "no_markers": N_("No marker was found in the photos of the tracks: are they of the empty board?"),
        "no_photo": N_("No photo was chosen: take or choose one first."),
        "too_many_photos": N_("These are too many photos: send at most {limit} of the same moment."),
        "thinking": N_("Advice is being worked out for others: ask again in a moment."),
        "busy": N_("Other photos are being read and more are waiting: try again in a minute."),
        "photo_gone": N_("This photo is not kept any more: take it again."),
        "photo_damaged": N_("A photo that was kept on the computer is damaged: take it again."),
        "calibration_gone": N_("This is not kept any more: begin again with a photo of the board."),
        "position_gone": N_("This position is not kept any more: enter it again."),
        "incomplete": N_("Something is still missing: fill in what is marked ?."),
        "played_since": N_(
            "The game has been played on since: undo that first, then correct what was entered."
        ),
        "not_read_yet": N_("The photo is still being read: wait until it is done."),
        "no_profile": N_(
            "Such photos cannot be read yet: first take one of the empty board, on the page The boards of this table."
        ),
        "board_damaged": N_(
            "A board of this table is not known any more, for the file {file} on the computer is damaged: take a photo "
            "of it anew on the page The boards of this table."
        ),
        "other_print": N_(
            "The map of this game has other hexes or cities than the one that photos are read of: enter the game by "
            "hand, or if the map on the table is this one, take a photo of it on the page The boards of this table."
        ),
        "photos_came": N_(
            "Somebody else has sent or removed photos meanwhile: look at what they show, then send yours if it still "
            "helps."
        ),
        "tables_changed": N_(
            "Somebody else has changed this page meanwhile: if it is still as you wrote it, send it again."
        ),
        "pack_given": N_(
            "The computer was started with printed data of its own (--pack): change them there, or start it without."
        ),
        "copy_damaged": N_(
            "Your own copy of the map and the tables is damaged ({folder}), so new games are played with those that "
            "came with masinfira: make the copy anew, or start the computer's program with --pack and a folder that "
            "holds it."
        ),
        "no_name": N_(
            "A city marked ! has no name, one that is too long or one with signs that nobody can print: write what is "
            "printed, at most {limit} letters."
        ),
        "no_copy_file": N_(
            "This file holds no copy of the map and the tables: choose one that was saved on this page ({reason})."
        ),
        "no_such_city": N_(
            "No city of your map bears the name {city}, by which the rules call one: write it there."
        ),
        "no_start": N_("{company} starts in {city}: exactly one city of your map must bear this name."),
        "city_twice": N_("Two cities are called {city}: give each a name of its own."),
        "island": N_(
            "A hex near {city} is cut off from the rest of the map: go back and tap it, or what lies between."
        ),
        "nothing_found": N_("The photo shows no legal action: correct the picture or enter it by hand."),
        "left_out": N_("What you said would be left out: take it back, or enter the action by hand."),
        "moments_apart": N_(
            "Photos that contradict each other cannot be entered: take new ones, or correct the hexes in doubt."
        ),
        "contradicted": N_(
            "What the photo shows does not fit the game, so it is not entered: correct the hexes that were misread by "
            "tapping them, or enter the action by hand."
        ),
        "doubts_open": N_("Some of what the photo shows is in doubt: answer that first, then it can teach."),
        "photo_stale": N_("The game has moved on since this photo was taken: take a new one."),
        "inside": N_("Something went wrong here, but nothing confirmed is lost: go back and try again."),
        "port_taken": N_("Port {port} on {host} cannot be used ({reason}): choose another one."),
        "no_port": N_("There is no port {port}: choose one between 1 and 65535."),
        "no_data": N_("The games cannot be kept in {folder} ({reason}): choose another folder."),
        "served": N_(
            "masinfira already serves the games in {folder}: stop that one first, or choose another folder."
        ),
        "not_saved": N_("It could not be saved ({reason}): put that right on the computer and try again."),
    }
    statuses: ClassVar[Mapping[int, str]] = {
        403: "join_first wrong_code not_from_here",
        404: "no_page no_game away_game photo_gone photo_damaged calibration_gone position_gone",
        405: "wrong_method",
        409: "stale photo_stale not_read_yet tables_changed photos_came tiles_first nothing_to_undo incomplete "
        "played_since doubts_open tiles_late tiles_opened damaged_game pack_gone pack_given no_profile "
        "board_damaged twice_there other_print nothing_found left_out moments_apart contradicted",
        413: "too_heavy",
        429: "too_many_guesses",
        500: "inside",
        503: "busy thinking",
        507: "not_saved",
    }

    def __init__(self, key: str, *, rule: str = "", **values: Any) -> None:
        super().__init__(key, rule=rule, **values)
        self.status = next((code for code, keys in self.statuses.items() if key in keys.split()), 400)


def status_of(problem: Problem) -> int:
    """The HTTP status for any refusal: a conflict where the rules forbid it now, else a bad request."""
    if isinstance(problem, WebProblem):
        return problem.status
    return 409 if isinstance(problem, IllegalAction) else 400
