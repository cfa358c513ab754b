"""What may have been played, as far as a photo tells: the actions, and in the words of the log what they brought."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.mini_express import Action, Event, Game, play
from engine.sentences import Problem

from ...forms import in_short
from ...kept.reading import Reading
from ...language import lists_candidate


@dataclass(frozen=True)
class Story:
    """A line of play that explains the photo: its actions and, in the words of the log, what happened."""

    actions: tuple[Action, ...]
    events: list[Event]


def stories(reading: Reading) -> list[Story]:
    """What may have been played, the most probable first.

    Of what looks the same in a photo only lines as long as that one are offered: a choice that leaves no
    trace on the map (the wild company) must be asked for, a further action that nobody saw need not be.
    """
    scan = reading.map
    if scan is None or not scan.actions:
        return []
    alike = [actions for actions in scan.alternatives if len(actions) == len(scan.actions)]
    told = [_told(reading.kept.game, actions) for actions in (scan.actions, *alike)]
    return [story for story in told if story]


def _told(game: Game, actions: Sequence[Action]) -> Story | None:
    """The story of these actions; None when the rules do not allow them after all."""
    state, events = game.state, list[Event]()
    for action in actions:
        try:
            state, more = play(state, action)
        except Problem:
            return None
        events += more
    return Story(tuple(actions), events)


def split(told: list[Story]) -> tuple[list[Event], list[list[Event]]]:
    """The events that all stories share, and of each story what sets it apart.

    Mašinfíra's candidates are many, and each follows from the tiles that are told: they would hide what differs.
    """
    if len(told) < 2:
        return [event for story in told for event in story.events], []
    each = [[event for event in story.events if not lists_candidate(event)] for story in told]
    shared = [event for event in each[0] if all(event in events for events in each)]
    return shared, [[event for event in events if event not in shared] for events in each]


def seen(told: Sequence[Story]) -> str:
    """What a person who enters one of these stories has looked at, in short."""
    return in_short([story.actions for story in told])
