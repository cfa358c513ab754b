"""What happened, as data: an event is a key, values and the clause of the rules behind it.

`EVENTS` gives the English sentence of each key; the catalogue has the others. A gap `{trains}` is
filled from the values; `(singular, plural)` sentences are chosen by the value `n`.
"""

from typing import Any, NamedTuple

from ..sentences import N_, P_


class Event(NamedTuple):
    """One line of the log, or one step of Mašinfíra's reasoning."""

    key: str
    rule: str
    values: dict[str, Any]

    @property
    def sentence(self) -> str | tuple[str, str]:
        """The English sentence with its gaps, or a pair that the value `n` chooses from."""
        return EVENTS[self.key]


EVENTS: dict[str, str | tuple[str, str]] = {
    # Players' actions
    "drafted": N_("{seat} takes a first share of {company}."),
    "drafted_both": N_("{seat} takes both first shares of {company}."),
    "drafted_split": N_("{seat} and {other} each take a first share of {company}."),
    "left_aside": N_("{company}: shares left aside raise the value by {by} to {value}."),
    "left_to_bot": N_("Mašinfíra takes what is still set aside of {company}: {n}."),
    "took_share": N_("{seat} takes a share of {company} and pays {cost} influence."),
    "took_share_free": N_("{seat} takes a share of {company} for free."),
    "trains_added": P_(
        "{company}: {n} train goes from the supply into the reservoir.",
        "{company}: {n} trains go from the supply into the reservoir.",
    ),
    "built": P_(
        "{seat}: {company} builds {origin} → {city} with {n} train.",
        "{seat}: {company} builds {origin} → {city} with {n} trains.",
    ),
    "compensated": P_(
        "{company} gets {n} train as compensation.", "{company} gets {n} trains as compensation."
    ),
    "value_rose": N_("{company}: value {before} → {after}."),
    "influence_rose": N_("{seat}: influence in {company} {before} → {after}."),
    "tile_left": N_("{city} is full: its demand tile leaves the game."),
    "exhausted": P_(
        "The supply of {company} is empty: {n} share of its offer leaves the game.",
        "The supply of {company} is empty: {n} shares of its offer leave the game.",
    ),
    "offer_empty": N_("The offer of {company} is exhausted."),
    "passed": N_("{seat} has no legal action and passes."),
    "turn_ends": N_("{seat} has no legal second action: the turn ends."),
    "game_over": N_("The game is over: {exhausted} exhausted."),
    "game_over_target": N_("The target city marker has reached city {number}: the game is over."),
    "game_over_stuck": N_("Nobody can act any more: the game is over."),
    # Mašinfíra
    "bot_draft": P_(
        "Mašinfíra draws {tile}: its company marker moves to {company}, of which it takes {n} first share.",
        "Mašinfíra draws {tile}: its company marker moves to {company}, of which it takes {n} first shares.",
    ),
    "bot_draft_none": N_(
        "Mašinfíra draws {tile}: its company marker moves to {company}, of which no first share is left."
    ),
    "bot_refresh": N_("Mašinfíra draws a refresh tile: all its tiles go back into the bag, it draws again."),
    "bot_drew": N_("Mašinfíra draws {tile}."),
    "bot_company": N_("Company marker: {before} → {company}."),
    "bot_target": N_("Target city marker: → {city} ({number}); passed over without a tile: {skipped}."),
    "bot_target_plain": N_("Target city marker: → {city} ({number})."),
    "bot_target_stays": N_("Target city marker: no city ahead has a demand tile, it stays."),
    "bot_no_share": N_("{company} has {n} in its reservoir but no share in its offer: draw again."),
    "bot_no_city": N_("{company} has {n} in its reservoir but can build to no city: draw again."),
    "bot_takes": N_("{company} has {n} in its reservoir, so Mašinfíra takes a share."),
    "bot_builds": N_("{company} has {n} in its reservoir, so Mašinfíra builds."),
    "bot_only_city": N_("Only {city} can be reached."),
    "bot_candidate": N_(
        "Possible: {city} ({number}), {distance} from the target, track of {length}, companies there: {companies}."
    ),
    "bot_candidate_no_way": N_(
        "Possible: {city} ({number}), no way from the target, track of {length}, companies there: {companies}."
    ),
    "bot_chose_distance": N_("{city} is nearest to the target."),
    "bot_chose_length": N_("As near as others, but {city} takes the shortest track."),
    "bot_chose_companies": N_("As near and as short as others, but {city} has the most companies."),
    "bot_chose_number": N_("All else equal, {city} has the highest number."),
    "bot_start": P_(
        "{n} shortest route; it leaves from {start}.",
        "{n} shortest routes; of their start hexes {start} is the most eastern, then most northern.",
    ),
    "bot_clockwise": N_("{n} routes leave from there: the clockwise rule takes {way}."),
    "bot_no_compensation": N_("{company} gets no compensation: its reservoir holds 2 or more."),
    "bot_no_more_compensation": N_("{company} gets no more compensation: its reservoir holds 2 or more now."),
    "bot_cannot_act": N_("No company can act, wherever the marker stands: Mašinfíra passes."),
    "bot_western": N_("Mašinfíra chooses {company} as the western company."),
    "bot_port": N_("Mašinfíra chooses the port {place}."),
    # Scoring
    "tie_bot": N_("Tied on points: a tie goes to {seat}."),
    "tie_shares": N_("Tied on points: of those, {seat} holds the fewest shares."),
    "tie_order": N_("Tied on points and shares: of those, {seat} comes first in turn order."),
    # Advice
    "points_change": N_("{seat}: points from {company} {before} → {after}."),
    "end_begins": N_("The end of the game begins."),
    "tried_out": P_(
        "Played to the end {n} time: {percent} % won, on average {ahead} points against the best rival.",
        "Played to the end {n} times: {percent} % won, on average {ahead} points against the best rival.",
    ),
    "wins_at_once": N_("This ends the game at once and wins it: {ahead} points against the best rival."),
    "ends_at_once": N_(
        "This ends the game at once and does not win it: {ahead} points against the best rival."
    ),
    "not_tried": N_("Not tried, for others promise more."),
    # Modules
    "spike_off": N_("San Francisco is reached before Omaha: the Golden Spike leaves the game."),
    "spike_eastern": N_(
        "{company} is the eastern company; the others start from San Francisco too: {others}."
    ),
    "spike_no_eastern": N_("There is no eastern company; starting from San Francisco too: {others}."),
    "spike_western": N_("Omaha and San Francisco are linked: {company} is the western company."),
    "spike_no_western": N_("Omaha and San Francisco are linked; there is no western company."),
    "port_opened": N_("{company} gets a train on the port {place}, one more start."),
    "port_skipped": N_("{company} has no train in its supply: no port is opened."),
}
