"""What the application keeps and reads things with, as its pages ask for it."""

from dataclasses import dataclass

from flask import Flask, current_app

from engine.mini_express import Pack

from .kept.calibrations import Calibrations
from .kept.counts import Counts
from .kept.games import Games
from .kept.packs import Packs
from .kept.positions import Positions
from .kept.reader import Reader
from .kept.thoughts import Thoughts

NAME = "masinfira"
"""Under which the application has them among its extensions."""


@dataclass(frozen=True)
class Services:
    """Those of one table.

    Its `games`, the `packs` of printed data, the `reader` of its photos, the games that were counted, the
    `calibrations` under way, the `positions` being entered and the `thoughts` that advice rests on.
    """

    games: Games
    packs: Packs
    reader: Reader
    counts: Counts
    calibrations: Calibrations
    positions: Positions
    thoughts: Thoughts


def services_of(app: Flask) -> Services:
    found: Services = app.extensions[NAME]
    return found


def _here() -> Services:
    return services_of(current_app)


def games() -> Games:
    return _here().games


def packs() -> Packs:
    return _here().packs


def pack_in_use() -> Pack:
    """The printed data new games are played with."""
    return packs().in_use


def reader() -> Reader:
    return _here().reader


def calibrations() -> Calibrations:
    return _here().calibrations


def counts() -> Counts:
    return _here().counts


def positions() -> Positions:
    return _here().positions


def thoughts() -> Thoughts:
    return _here().thoughts
