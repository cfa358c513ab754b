"""Advice for whoever is to move: the legal actions, the best first, each with what came of it and what it brings."""

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..actions import Action, Build
from ..events import Event
from ..names import COMPANIES
from ..rules import play
from ..scoring import Score, score
from ..state import State
from .search import Search, Tried


@dataclass(frozen=True)
class Advice:
    """An action, and of the `times` lines of play in which it was tried the share won, 0 to 1, and the points ahead
    of the best rival in the mean; both None where it never was. `ends` tells that it ends the game at once."""

    action: Action
    times: int
    won: float | None
    ahead: float | None
    ends: bool = False

    @property
    def outlook(self) -> Event:
        """The same as a sentence."""
        if self.won is None or self.ahead is None:
            return Event("not_tried", "", {})
        ahead = _signed(round(self.ahead))
        if self.ends:
            return Event("wins_at_once" if self.won else "ends_at_once", "", {"ahead": ahead})
        return Event("tried_out", "", {"n": self.times, "percent": round(100 * self.won), "ahead": ahead})


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def advise(
    state: State,
    seconds: float,
    rng: random.Random,
    progress: Callable[[float], None] | None = None,
) -> list[Advice]:
    """The legal actions of a person's turn, the best first; [] where no person is to move.

    `progress` gets the share of the time that is over. The longer it takes, the better it is; where nothing is left to
    be found out, it does not wait.
    """
    search, began = Search(state, rng), time.monotonic()
    if not search.root.tried:
        return []
    while ((spent := time.monotonic() - began) < seconds and search.open) or not search.times:
        if progress:
            progress(spent / seconds if spent < seconds else 1.0)
        search.try_once()
    return ranked(search)


def ranked(search: Search) -> list[Advice]:
    """What a search has found out so far; what was never tried comes last."""
    best_first = sorted(search.root.tried, key=lambda each: (each.lower_bound, each.prior), reverse=True)
    return [_advice(each) for each in best_first]


def _advice(tried: Tried) -> Advice:
    n = tried.visits
    return Advice(tried.action, n, tried.won / n if n else None, tried.ahead / n if n else None, tried.ends)


BEST_SHOWN = 5
"""So many of the best are shown to people."""


def best_of_each(advice: Iterable[Advice]) -> list[Advice]:
    """Of all ways by which a company can be built to a city only the best; `advice` has the best first."""
    best: dict[object, Advice] = {}
    for each in advice:
        build = each.action if isinstance(each.action, Build) else None
        best.setdefault((build.company, build.route[-1]) if build else each.action, each)
    return list(best.values())


def reasons(state: State, action: Action) -> list[Event]:
    """What an action costs and brings whoever acts, what it changes in the score as it stands, and whether it ends
    the game."""
    after, events = play(state, action)
    brings = [
        event
        for event in events
        if event.key in ("took_share", "took_share_free", "value_rose")
        or (event.key == "influence_rose" and event.values["seat"] == state.seat)
    ]
    seats = sorted(state.setup.seats, key=lambda seat: seat != state.seat)
    ends = [event for event in events if event.key.startswith("game_over")]
    if after.ending and not state.ending and not ends:
        ends = [Event("end_begins", state.setup.end_rule, {})]
    scores = score(state), score(after)
    return [*brings, *(change for seat in seats for change in _changes(*scores, seat)), *ends]


def _changes(before: Score, after: Score, seat: str) -> Iterator[Event]:
    """What each company's shares are worth to a seat, where that changes."""
    old, new = (scored["seats"][seat]["companies"] for scored in (before, after))
    for company in COMPANIES:
        was, now = (part[company]["worth"] * part[company]["shares"] for part in (old, new))
        if was != now:
            values = {"seat": seat, "company": company, "before": was, "after": now}
            yield Event("points_change", "R6.2", values)
