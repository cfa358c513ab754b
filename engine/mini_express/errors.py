"""What can be wrong, each with its sentence: an action, a text or file, a pack."""

import json
from typing import Any

from ..files import UNREAD
from ..sentences import N_, Problem


class IllegalAction(Problem):
    """An action that the rules forbid here; `rule` is the clause that forbids it."""

    sentences = {
        "game_over": N_("The game is over: no more actions, only the score."),
        "no_company": N_("There is no company {found}: it is brown, gray, orange or white."),
        "bot_turn": N_("It is Mašinfíra's turn: draw a tile from its bag."),
        "not_bot_turn": N_("It is not Mašinfíra's turn, so no tile is drawn now: {seat} is to move."),
        "draft_first": N_("The first shares are not all taken yet: {seat} takes one that was set aside."),
        "draft_over": N_("The draft is over: take a share from the offer, or build track."),
        "draft_none_aside": N_("No share of {company} is set aside any more: choose another company."),
        "draft_same": N_(
            "{seat} already holds a share of {company}: the two first shares must be different."
        ),
        "draft_pair": N_("{other} already has the pair {pair}: no two players may have the same pair."),
        "no_share": N_("The offer of {company} is exhausted: take a share of another company."),
        "no_influence": N_(
            "A share of {company} costs {cost} influence (the trains in its reservoir), {seat} has {has}."
        ),
        "same_company": N_("The second action of a turn must be with another company than {company}."),
        "second_ends": N_(
            "The second action of a turn may not exhaust an offer, and this would exhaust {company}."
        ),
        "no_train": N_("The reservoir of {company} is empty: nothing can be built with it."),
        "no_route": N_("A build needs a route: name its hexes, the city last."),
        "off_map": N_("The hex {hex} is not on this map."),
        "no_city": N_("A route must end in a city, and {hex} is none."),
        "been_there": N_("{company} already has a train in {city}: choose a city that is new to it."),
        "no_tile": N_("{city} has no demand tile, so no track can be built to it."),
        "city_full": N_("{city} is full ({capacity} companies): choose another city."),
        "not_landscape": N_("Track runs through landscape only, and {hex} is not landscape."),
        "own_track": N_("{company} already has a train on {hex}."),
        "broken_route": N_("The route does not hang together at {hex}."),
        "not_joined": N_("The route must start next to a train of {company}, and {hex} is not."),
        "too_far": N_(
            "{city} is out of reach: the way takes {length} trains, the reservoir of {company} holds {has}."
        ),
        "no_way": N_("{company} cannot reach {city} at all with the trains that fit in a reservoir."),
        "not_shortest": N_("The route takes {length} trains, but {city} can be reached with {shortest}."),
        "wild_missing": N_("{city} has a wild demand tile: choose the other company that gains influence."),
        "wild_same": N_("The wild influence must go to another company than {company}."),
        "wild_extra": N_("{city} has no wild demand tile, so there is no company to choose."),
        "port_choice": N_("Choose one of the free ports: {ports}."),
        "port_extra": N_("This build starts no port event, so there is no port to choose."),
        "western_choice": N_(
            "This build links Omaha with San Francisco: choose the western company among {companies}."
        ),
        "western_extra": N_("There is no western company to choose with this build."),
        "not_in_bag": N_("The tile {tile} is not in the bag."),
        "must_act": N_("Passing is allowed only when there is no legal action at all."),
    }


LONGEST = 60
"""Of what is quoted in a sentence."""


def as_json(value: Any) -> str:
    """What was found in place of something else, as it stands in a JSON file; the beginning of it, if it is long.

    Half characters, which JSON may have and nothing can show, are told as question marks.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except RecursionError:  # what is nested so deep can be read, but not written again
        return "…"
    text = text.encode(errors="replace").decode()
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


class Malformed(Problem):
    """A state, an action, a game or a set-up that cannot be read; says what was expected."""

    sentences = {
        "action_not_object": N_('An action is a JSON object with a "type".'),
        "action_missing": N_('The action has no "{part}": add it.'),
        "action_type": N_("The action type {found} is unknown: use draft, take_share, build, draw or pass."),
        "action_route": N_('A build needs a "route": the list of its hexes, the city last.'),
        "action_company": N_('"{part}" must be brown, gray, orange or white, not {found}.'),
        "action_hex": N_("A hex is written [q, r] with two whole numbers, not {found}."),
        "action_tile": N_('A tile is written [city moves, company moves] or "refresh", not {found}.'),
        "notation": N_('The line "{line}" is not an action: write for example "{example}".'),
        "state_not_object": N_("A state is a JSON object: this is something else."),
        "state_format": N_(
            "This is not a state of this version: its format is {found}, expected is {expected}."
        ),
        "state_in_part": N_(
            'This state is known only in part, it has no "format": fill in what is missing with masinfira set.'
        ),
        "state_nothing": N_(
            "This JSON says nothing of a position: name a state, what scan printed with --json, or a game record."
        ),
        "state_action": N_("This is an action, not a state: name a state, or a game record."),
        "state_part": N_('"{part}" in the state is wrong: {expected} expected, {found} found.'),
        "state_missing": N_('The state has no "{part}".'),
        "state_pack": N_(
            "This state was made with other printed data (pack {found}, yours is {expected}): name their folder with "
            "--pack, here or where the page is started."
        ),
        "state_broken": N_("The state breaks the rules: {reason}"),
        "game_format": N_('This is not a game record of this version: line {line} should be "{expected}".'),
        "game_cut": N_(
            "The header of this game record is not whole, {missing} is missing or cut off: take all of the record, from its first line to its last."
        ),
        "game_short": N_(
            "This game record ends too soon, after {found} of {n} actions: take all of it or, to go on from there, write actions: {found} into its header."
        ),
        "game_long": N_("This game record is longer than {limit} characters, so it is none of a real game."),
        "game_turn": N_(
            "Line {line} of the game record should be action {n}, by {seat}: a line is missing there, or too much."
        ),
        "game_line": N_("Line {line} of the game record cannot be read: {reason}"),
        "game_pack": N_(
            "This game was recorded with other printed data (pack {found}, yours is {expected}): name their folder "
            "with --pack."
        ),
        "unknown_board": N_('There is no map "{found}": choose one of {known}.'),
        "unknown_mode": N_('There is no mode "{found}": choose one of {known}.'),
        "unknown_module": N_('There is no module "{found}": choose among {known}.'),
        "module_board": N_("The module {module} does not fit the map {board}."),
        "unknown_difficulty": N_('There is no difficulty "{found}": choose one of {known}.'),
        "difficulty_needed": N_("A solo game needs a difficulty: choose one of {known}."),
        "difficulty_solo": N_("Only a solo game has a difficulty: leave it out."),
        "start_of_bot": N_("Mašinfíra does not play in this mode: leave its Korean start out."),
        "seat_count": N_("The number of players in this mode is {expected}, not {found}."),
        "seat_colour": N_('"{found}" is not a player colour: choose among {known}.'),
        "seat_twice": N_("Two players cannot both be {seat}."),
    }


class PackProblem(Problem):
    """Printed data that is wrong: file, line and what was expected."""

    sentences = {
        "missing_folder": N_(
            "There is no pack in {folder}: give the folder that holds boards/ and values.toml."
        ),
        "toml": N_("{file} is not valid TOML: {reason}."),
        **UNREAD,
        "unwritable": N_("{file} cannot be written: {reason}."),
        "entry": N_("{file}, line {line}: {expected} expected, {found} found."),
        "missing": N_('{file}: "{part}" is missing.'),
        "hex_twice": N_("{file}, line {line}: the hex {hex} stands there twice."),
        "city_twice": N_("{file}, line {line}: two cities are called {city}: give each a name of its own."),
        "cities": N_("{file}: a map has 36 cities, this one has {found}."),
        "starts": N_("{file}: each company has one start city; {company} has {found}."),
        "island": N_("{file}, line {line}: the hex {hex} is cut off from the rest of the map."),
        "ports": N_("{file}: a map has 5 ports or none, this one has {found}."),
        "named_city": N_("{file}: the city {city} is missing from the map {board}."),
        "first_city": N_("{file}: city 1 must be {city}, here it is {found}: check the most eastern column."),
        "start_city": N_("{file}: {company} starts in {city}, here it starts in {found}."),
        "spike_city": N_(
            "{file}: golden_spike names {city}, which is not a city of this map with a demand tile."
        ),
        "spike_hex": N_("{file}: the Golden Spike tile lies on a landscape hex, {hex} is none."),
        "value_rows": N_("{file}: 16 rows expected (values 0 to 15), {found} found."),
        "value_falls": N_("{file}: row {row} must not be lower than the row before it."),
        "value_order": N_("{file}: in row {row} a better rank is worth less than a worse one."),
        "bot_count": N_("{file}: 12 tiles with numbers expected, {found} found."),
        "bot_stuck": N_("{file}: with these company numbers the marker can never reach every company."),
        "demand_count": N_("{file}: 32 demand tiles expected, {found} found."),
        "demand_wild": N_("{file}: one wild tile with each company expected; {company} has {found}."),
        "archive": N_("{file} is not an exported pack: {reason}."),
        "exists": N_("{file} exists already: choose another name, or remove it first."),
    }
