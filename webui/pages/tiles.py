"""The demand tiles of a game: whether they can still be changed, and which there are."""

from collections import Counter
from collections.abc import Collection

from engine.mini_express import Game, Pack
from engine.mini_express.names import Pair

from ..kept.games import TO_ENTER
from ..problems import WebProblem
from ..services import games


def tiles_fixed(game: Game) -> WebProblem | None:
    """Why its demand tiles stay as they are, if they do.

    They are laid before the draft (R2.3, R2.4), in which a file may begin.
    """
    if game.start.phase != "draft" or any(map(any, game.start.shares)):
        return WebProblem("tiles_opened")
    return WebProblem("tiles_late") if game.actions else None


def tiles_to_enter(id: str, game: Game) -> bool:
    """Whether those that lie on the table are to be entered yet: those in the game were dealt for now."""
    return games().laid(id) == TO_ENTER and not tiles_fixed(game)


def kinds_of_tiles(pack: Pack) -> Collection[tuple[Pair, int]]:
    """Every pair of symbols on demand tiles, and how many there are of it."""
    return Counter(pack.demand_tiles).items()
