"""What was agreed before a game: where no state before tells it, somebody has to, or it is unknown."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine import mini_express as game
from engine.mini_express.board import Board


@dataclass(frozen=True)
class Agreed:
    """As far as anybody says, else None: the `modules` in play, the humans' `seats`, and whether the `bot` plays.

    The modules change what the map allows (R1.6, R11.1), and Mašinfíra, the bot, has a target marker (R7.2). `pack`
    holds the printed data, None for the shipped ones.
    """

    pack: game.Pack | None = None
    modules: Sequence[str] | None = None
    bot: bool | None = None
    seats: Collection[str] | None = None

    @staticmethod
    def of(setup: game.Setup) -> "Agreed":
        """All of it, by a game."""
        return Agreed(setup.pack, setup.modules, setup.bot_seat is not None, setup.humans)

    @property
    def printed(self) -> game.Pack:
        """The printed data."""
        return self.pack or game.built_in()

    def board(self, name: str) -> Board:
        """The map of this name as the modules change it.

        Raises Malformed where there is none, or where it has no room for a module.
        """
        board = self.printed.board(name)
        return board.variant(game.chosen_modules(self.modules or (), board))


NOTHING_AGREED = Agreed()
