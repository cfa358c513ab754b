"""The legal actions as a person looks for them: shares with their price, then company → city → route."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.hexgrid import Hex
from engine.mini_express import (
    COMPANIES,
    Action,
    Build,
    City,
    Draw,
    Event,
    IllegalAction,
    State,
    TakeShare,
    check_action,
    play,
)
from engine.mini_express.names import BotTile
from engine.sentences import Problem


@dataclass(frozen=True)
class ShareOffer:
    """A company's share for whoever is to move; `problem` says why it cannot be taken."""

    company: str
    cost: int
    left: int
    problem: Problem | None


@dataclass(frozen=True)
class Way:
    """One route to a city from `state`; its `builds` differ in what else is chosen."""

    state: State
    builds: list[Build]

    @property
    def route(self) -> tuple[Hex, ...]:
        return self.builds[0].route

    @cached_property
    def events(self) -> list[Event]:
        """What the first of the builds sets off."""
        return play(self.state, self.builds[0])[1]

    @property
    def certain(self) -> list[Event]:
        """What comes whatever else is chosen."""
        others = [play(self.state, build)[1] for build in self.builds[1:]]
        return [event for event in self.events if all(event in other for other in others)]

    @property
    def compensated(self) -> list[dict[str, Any]]:
        return [event.values for event in self.events if event.key == "compensated"]


@dataclass(frozen=True)
class Destination:
    """A city that a company can build to, with everything there is to choose."""

    company: str
    city: City
    ways: list[Way]
    wilds: list[str]
    ports: list[Hex]
    westerns: list[str]

    @property
    def trains(self) -> int:
        return len(self.ways[0].route)

    @property
    def port_for(self) -> str:
        """The company that gets the port to choose (R11.2); "" where there is none."""
        opened = [event.values["company"] for event in self.ways[0].events if event.key == "port_opened"]
        return opened[0] if opened else ""


Builds = dict[str, dict[int, list[Build]]]
"""Company → number of the city → the legal builds to it."""


def builds_of(state: State, actions: list[Action]) -> Builds:
    """The legal builds by company and city; the nearest city comes first."""
    found: Builds = {company: defaultdict(list) for company in COMPANIES}
    for action in sorted((a for a in actions if isinstance(a, Build)), key=lambda a: len(a.route)):
        city = state.board.city_of(action)
        found[action.company][city.number].append(action)
    return found


def share_offers(state: State) -> list[ShareOffer]:
    """All four shares; those that cannot be taken with the reason."""
    return [
        ShareOffer(company, state.reservoir[c], state.offer[c], _refusal(state, TakeShare(company)))
        for c, company in enumerate(COMPANIES)
    ]


def _refusal(state: State, action: Action) -> Problem | None:
    try:
        check_action(state, action)
    except IllegalAction as problem:
        return problem
    return None


def destination(state: State, company: str, builds: list[Build]) -> Destination:
    """Everything to choose on the way to one city."""
    city = state.board.city_of(builds[0])
    routes = list(dict.fromkeys(build.route for build in builds))
    return Destination(
        company,
        city,
        [Way(state, [build for build in builds if build.route == route]) for route in routes],
        [c for c in COMPANIES if any(build.wild == c for build in builds)],
        list(dict.fromkeys(build.port for build in builds if build.port)),
        [c for c in COMPANIES if any(build.western == c for build in builds)],
    )


def why_not(state: State, company: str, city: City) -> Problem | None:
    """Why this company cannot build to this city now; None when it can."""
    c = COMPANIES.index(company)
    routes = state.board.reach(c, state.track[c]).routes(city)
    build = Build(company, routes[0] if routes else (city.at,))
    problem = _refusal(state, build)
    if problem is None or problem.key in ("wild_missing", "port_choice", "western_choice"):
        return None  # only its choices are still open
    if problem.key in ("not_joined", "broken_route"):
        return IllegalAction("no_way", rule="R5.3", company=company, city=city.name)
    return problem


def bag_of(state: State, legal: Sequence[Action]) -> list[tuple[BotTile, int]]:
    """The distinct tiles in Mašinfíra's bag and how many there are of each; refresh last. None in a human's turn."""
    draws = [action.tile for action in legal if isinstance(action, Draw)]
    return [(tile, state.bot.bag.count(tile)) for tile in draws] if state.bot else []
