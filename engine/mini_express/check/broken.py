"""A broken invariant of a position, and how what is known in part is looked through for such."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from ...sentences import N_, Problem


class Broken(Problem):
    """One broken invariant of a position."""

    sentences = {
        "trains": N_(
            "{company}: {found} trains in all instead of 25 (map, reservoir, supply and Golden Spike tile)."
        ),
        "shares": N_(
            "{company}: {found} shares in all instead of 9 (offer, held, set aside and out of the game)."
        ),
        "negative": N_('{company}: "{part}" is below zero.'),
        "reservoir": N_("{company}: {found} trains in the reservoir, which holds 5 at most."),
        "value": N_("{company}: the value {found} is not between 0 and 15."),
        "exhausted": N_("{company}: the supply is empty, so no share can be left in its offer."),
        "off_map": N_("{company}: a train stands where the map has no hex."),
        "no_start": N_("{company}: no train stands on its start city {city}."),
        "island": N_("{company}: the track at {hexes} is not connected with a start of {company}."),
        "closed_port": N_("{company}: a train stands on the port {hex} without the Ports event behind it."),
        "two_ports": N_("{company}: it has more than one port."),
        "ports_full": N_("All five ports are taken: one always stays free."),
        "shared_port": N_("The port {hex} is taken by more than one company."),
        "capacity": N_("{city}: {found} companies in a city for {capacity}."),
        "start_closed": N_("{city} is the start of {company}: no other company can be there."),
        "full_tile": N_("{city} is full, so its demand tile is gone."),
        "lost_tile": N_("{city} has room, so its demand tile must still lie there."),
        "start_tile": N_("A demand tile lies at number {number}, but there is no such city."),
        "tile_count": N_("There are {found} demand tiles {tile}, the game has {limit}."),
        "bot_company": N_("Mašinfíra's company marker is at no company."),
        "bot_target": N_("Mašinfíra's target city marker is at {found}; it goes from 0 to 32."),
        "bot_moved": N_("Mašinfíra has drawn tiles in its turns, so its target city marker is on the map."),
        "bot_tiles": N_("The tiles in Mašinfíra's bag and beside it are not the {expected} of this game."),
        "bot_refresh": N_("The refresh tiles wait outside the bag until Mašinfíra has its first shares."),
        "bot_set_up": N_(
            "Tiles that Mašinfíra has drawn: {found}; at this point of the draft there can be {limit} at most."
        ),
        "bot_redraw": N_("Only Mašinfíra, in its turn, can be about to draw again."),
        "bot_missing": N_("This mode needs Mašinfíra's markers and bag."),
        "bot_extra": N_("Mašinfíra's markers are there, but it does not play in this mode."),
        "spike_missing": N_("The Golden Spike is part of this game, but the state says nothing of it."),
        "spike_extra": N_("The Golden Spike is there, but it is not part of this game."),
        "spike_track": N_("The Golden Spike is {status}, which does not fit the track on the map."),
        "spike_company": N_("The Golden Spike is {status}, which does not fit its companies."),
        "turn": N_("It is nobody's turn: seat {found} does not exist."),
        "actions": N_("This turn cannot have so many actions left: {found}."),
        "used": N_(
            "{company}: only experts act twice in a turn, so no company of a first action can be noted."
        ),
        "passes": N_(
            "{found} turns in a row without a legal action are too many here, where there can be {limit} at most."
        ),
        "aside": N_("Shares are still set aside after the draft."),
        "draft_track": N_("Trains or shares have moved before the draft is over."),
        "draft_seat": N_("In this draft it is the turn of {expected}."),
        "draft_held": N_("The shares that the players hold are not what this draft can have given so far."),
        "over": N_("The game is marked as over, but nothing has ended it."),
        "not_over": N_("The game is over, but the state says it goes on."),
        "built_value": N_("{company}: the value is {found}, but its track and the draft make {expected}."),
        "dead_end": N_("{company}: the track at {hexes} ends in open country, every build ends in a city."),
        "offer_dealt": N_("{company}: shares in the offer: {found}, of {limit} that were dealt."),
        "out_least": N_("{company}: shares out of the game: {found}, but {limit} went back into the box."),
        "out_most": N_(
            "{company}: shares out of the game: {found}; as long as it has a supply there can be {limit} at most."
        ),
        "few_shares": N_("{seat}: the draft gives {limit} shares, and no share is ever lost."),
        "influence_gained": N_(
            "The influence of all players is {found} together, but what was built so far gives {limit} at most."
        ),
        "spike_start": N_("{company}: no train stands in {city}, where one was put when the race began."),
        "spike_end": N_(
            "{company}: it is the eastern company, so it has a train in {east} and none in {west}."
        ),
        "spike_first": N_(
            "The Golden Spike has no eastern company, though each one in {city} had a train for it."
        ),
        "port_start": N_(
            "{company}: a city with its wild tile was reached, so a train of it stands on a port."
        ),
    }


class Unknown(Exception):
    """Asked of a position is what nobody has told (`part.check`)."""


def each(parts: Iterable[Callable[..., Iterator[Broken]]], *of: Any) -> Iterator[Broken]:
    """What is broken in each of these respects, until something is asked that nobody has told."""
    for part in parts:
        with suppress(Unknown):
            yield from part(*of)
