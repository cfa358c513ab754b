"""A game on the drawn table: its states, turn by turn, and what a camera sees of them."""

import cv2
import numpy as np
from games import drafted
from synthetic_table import Camera, camera, photograph
from watching import Picture, Trains, trains_of

from engine import mini_express as game

VIEW = camera(tilt=20, turn=10, size=(1280, 720))


def white_build(state: game.State) -> game.Build:
    """A build of three trains by white."""
    builds = [a for a in game.legal_actions(state) if isinstance(a, game.Build)]
    return next(a for a in builds if a.company == "white" and len(a.route) == 3)


def answer(state: game.State) -> game.Draw:
    """A tile with which Mašinfíra builds."""
    before = sum(len(state.hexes(c)) for c in game.COMPANIES)
    draws = [a for a in game.legal_actions(state) if isinstance(a, game.Draw)]
    return next(
        d for d in draws if sum(len(game.apply(state, d).hexes(c)) for c in game.COMPANIES) > before + 1
    )


BEFORE = drafted(4)
BUILD = white_build(BEFORE)
BUILT = game.apply(BEFORE, BUILD)
DRAW = answer(BUILT)
ANSWERED = game.apply(BUILT, DRAW)
SHARE = next(a for a in game.legal_actions(ANSWERED) if isinstance(a, game.TakeShare))
TAKEN = game.apply(ANSWERED, SHARE)
AGAIN = game.apply(TAKEN, answer(TAKEN))


def half_built() -> Trains:
    """The first two of the three trains of the build."""
    return {**trains_of(BEFORE), "white": [*BEFORE.hexes("white"), *BUILD.route[:2]]}


STANDING = {
    "before": trains_of(BEFORE),
    "half": half_built(),
    "built": trains_of(BUILT),
    "answered": trains_of(ANSWERED),
    "and again": trains_of(AGAIN),
}
"""The pictures of the drawn table, and the trains in them."""


def with_hand(picture: Picture) -> Picture:
    """A hand over the board, its arm coming in from the right."""
    skin, covered = (120, 150, 205), picture.copy()
    cv2.ellipse(covered, (800, 300), (90, 55), 20, 0, 360, skin, -1, cv2.LINE_AA)
    cv2.line(covered, (850, 320), (1280, 470), skin, 70, cv2.LINE_AA)
    return covered


def filmed(view: Camera = VIEW) -> dict[str, Picture]:
    pictures = {name: photograph(view, trains) for name, trains in STANDING.items()}
    hands = {"hand": with_hand(pictures["before"]), "hand, built": with_hand(pictures["built"])}
    return {**pictures, **hands, "bare": np.full_like(pictures["before"], 90)}
