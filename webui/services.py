"""What the application keeps and reads things with, as its pages ask for it."""

from flask import current_app

from engine.mini_express import Pack

from .kept.counts import Counts
from .kept.drafts import Drafts
from .kept.games import Games
from .kept.packs import Packs
from .kept.positions import Positions
from .kept.reader import Reader


def games() -> Games:
    """The games of this table."""
    found: Games = current_app.config["GAMES"]
    return found


def packs() -> Packs:
    """The printed data of this table's games."""
    found: Packs = current_app.config["PACKS"]
    return found


def pack_in_use() -> Pack:
    """The printed data new games are played with."""
    return packs().in_use


def reader() -> Reader:
    """Who reads this table's photos."""
    found: Reader = current_app.config["READER"]
    return found


def drafts() -> Drafts:
    """The calibrations under way at this table."""
    found: Drafts = current_app.config["DRAFTS"]
    return found


def counts() -> Counts:
    """The games that were counted at this table."""
    found: Counts = current_app.config["COUNTS"]
    return found


def positions() -> Positions:
    """The positions being entered at this table."""
    found: Positions = current_app.config["POSITIONS"]
    return found
