"""What the readers' log odds are multiplied by, so that they mean what they say: the weights in `vision.cells.reading`.

python -m vision.training.weigh sample_photos

A logistic regression on every reading of the photos of tables that are not held out, none of which has learnt anything
(Platt 1999). Prints the weights as they are fitted and those in use, each with the log loss they leave.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from calibration import Profile, Surface, load_photo, register
from engine import mini_express as game
from engine.mini_express.names import COMPANIES

from ..cells import reading
from ..cells.boxes import box_odds
from ..cells.colours import with_white_by_home
from ..cells.network import common_layers
from ..cells.odds import Odds
from ..cells.places import hidden_shares, in_sight, odds_in_cells
from ..cells.reading import pieces_seen
from ..cells.sight import Sight
from ..samples import Sample, calibrated, find_samples

Truth = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Said:
    """What readers said of something, (readings, readers) log odds, and whether it is so, (readings,)."""

    odds: Odds
    so: Truth

    def loss(self, weights: NDArray[np.float64]) -> float:
        """Nats a reading under one weight for each reader and a last one that is added."""
        odds = self.odds @ weights[:-1] + weights[-1]
        return float(np.logaddexp(0, np.where(self.so, -odds, odds)).mean())

    def fitted(self) -> NDArray[np.float64]:
        """The weights of the least loss."""
        first = np.append(np.ones(self.odds.shape[1]), 0.0)
        return np.asarray(minimize(self.loss, first, method="BFGS").x, np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("samples", type=Path)
    open_ones = [sample for sample in find_samples(parser.parse_args().samples) if not sample.held_out]
    photos = [said for sample in open_ones for said in _read(sample)]
    in_use = {
        "PIECES": (reading.OF_BOXES, *reading.PIECES),
        "CARDS": reading.CARDS,
        "MARKERS": reading.MARKERS,
    }
    for name, now in in_use.items():
        mine = [photo[name] for photo in photos]
        every = Said(np.concatenate([s.odds for s in mine]), np.concatenate([s.so for s in mine]))
        fitted = every.fitted()
        print(f"{name}: {len(every.so)} readings, fitted {fitted.round(2)}, loss {every.loss(fitted):.5f}; "
              f"in use {np.array(now)}, loss {every.loss(np.array(now)):.5f}", flush=True)  # fmt: skip


def _read(sample: Sample) -> Iterator[dict[str, Said]]:
    """What is said of one photo, by the name of the weights; nothing where the board is not found."""
    surface = _profile(sample.table, sample.board).surfaces["map"]
    photo = load_photo(sample.photo)
    registration = register(photo, surface)
    if not registration.ok:
        return
    sight = with_white_by_home(Sight.of(registration.straight(photo), registration, surface))
    layers = common_layers(sight)
    found = pieces_seen(sight, layers)
    seen = in_sight(hidden_shares(sight, found))
    trains, cards, target = _truth(sample, surface)
    by_network = odds_in_cells(sight, found.kinds)
    card, marker = (odds_in_cells(sight, layer[None]) for layer in (found.card, found.marker))
    yield {
        "PIECES": Said(_columns(box_odds(sight)[seen], by_network[seen]), trains[seen].ravel()),
        "CARDS": Said(card[seen], cards[seen]),
        "MARKERS": Said(marker[seen], target[seen]),
    }


@lru_cache
def _profile(table: Path, board: str) -> Profile:
    return calibrated(table, board)


def _columns(*readers: Odds) -> Odds:
    return np.stack([odds.ravel() for odds in readers], axis=1)


def _truth(sample: Sample, surface: Surface) -> tuple[Truth, Truth, Truth]:
    """(cells, kinds) whether a train stands there; (cells,) each: whether a card, the target marker lies there."""
    board, told = game.built_in().board(surface.board), sample.truth
    trains = np.array([[list(cell.id) in told["track"][c] for c in COMPANIES] for cell in surface.cells])
    card, target = np.zeros((2, len(surface.cells)), bool)
    card[[surface.index[board.numbered[int(number)].at] for number in told.get("demand", {})]] = True
    if any(piece["kind"] == "spike" for piece in told["pieces"]) and board.spike:
        card[surface.index[board.spike.tile]] = True
    if (told.get("bot") or {}).get("target"):
        target[surface.index[board.numbered[told["bot"]["target"]].at]] = True
    return trains, card, target


if __name__ == "__main__":
    main()
