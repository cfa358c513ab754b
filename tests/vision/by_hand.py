"""Observations made by hand: what a photo might show, without one."""

import numpy as np
from synthetic_table import BOARD

from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.board import Board
from vision import Observation

KINDS = game.COMPANIES
START: dict[str, Hex] = {company: BOARD.starts[company].at for company in KINDS}


def observation(
    trains: dict[tuple[Hex, str], float],
    unseen: set[Hex] | None = None,
    tiles: float = 0.9,
    board: Board = BOARD,
    full: set[Hex] | None = None,
) -> Observation:
    """Certain of the starts and of what is not mentioned; tiles wherever one can be, but not in `full` cities."""
    hexes = list(board.index)
    table = np.full((len(hexes), 4), 0.0001)
    for (at, company), p in {**{(board.starts[c].at, c): 0.999 for c in KINDS}, **trains}.items():
        table[hexes.index(at), KINDS.index(company)] = p
    seen = np.array([at not in (unseen or set()) for at in hexes])
    cities = {board.hex_of[bit] for bit in board.city_at} - (full or set())
    card = np.array([tiles if at in cities else 0.001 for at in hexes])
    nothing = np.zeros(len(hexes))
    table, card = (seen[:, None] * log_odds(table), seen * log_odds(card))
    return Observation(board.id, tuple(hexes), KINDS, table, card, nothing, seen)


def log_odds(p: np.ndarray) -> np.ndarray:
    return np.log(p / (1 - p))
