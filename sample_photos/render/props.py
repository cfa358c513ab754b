"""What is on the table but not part of what is read: things beside the board, a hand or a mug over it."""

from collections.abc import Callable, Sequence
from math import pi
from typing import Any

import materials
import pieces
from boards import THICKNESS, Point
from card_art import track_print
from layout import DICE, DIE_MM, SEAT_COLOURS, Spot, touching
from scene import COVER, Scene


def clutter(scene: Scene, things: list[list[Any]]) -> None:
    """Things beside the board: [what, side of the board, share along it, distance in mm]."""
    for what, side, along, off in things:
        THINGS[what](scene, *beside(scene, side, along, off))


def beside(scene: Scene, side: str, along: float, off: float) -> Point:
    left, top, right, bottom = scene.bounds
    x, y = left + along * (right - left), top + along * (bottom - top)
    return {"n": (x, top - off), "s": (x, bottom + off), "w": (left - off, y), "e": (right + off, y)}[side]


def supply(scene: Scene, x: float, y: float) -> None:
    """The trains that are not on the map, in four loose heaps, some of them on their side."""
    rng = scene.rng
    for n, company in enumerate(scene.trains):
        for k in range(11):
            thing = pieces.copy(scene.trains[company], f"supply-{company}-{k}")
            right, down = 95 * n + (k % 3) * 23 + rng.gauss(0, 1), (k // 3) * 22 + rng.gauss(0, 1)
            scene.stand(thing, x + right, y + down, -THICKNESS, rng.uniform(0, 2 * pi), rng.random() < 0.4)


def mug(scene: Scene, x: float, y: float) -> None:
    glaze = materials.plain("glaze", scene.rng.choice(["#d8d5cc", "#7a2f2a", "#3d5f73"]), 0.15)
    body = pieces.mug("mug", glaze, materials.plain("coffee", "#2a170c", 0.1))[0]
    pieces.place(body, x, y, -THICKNESS, scene.rng.uniform(0, 6))


def dice(scene: Scene, x: float, y: float) -> None:
    for k, tone in enumerate(("#e6dcc6", "#a83232", "#e6dcc6")):
        die = pieces.cube(f"die-{k}", 16, materials.plain(f"die-{k}", tone, 0.3))
        pieces.place(die, x + scene.rng.uniform(-15, 15), y + 30 * k, -THICKNESS, scene.rng.uniform(0, 3))


def shares(scene: Scene, x: float, y: float) -> None:
    """The shares in front of a player."""
    for n in range(5):
        company = scene.rng.choice(list(scene.trains))
        tile = scene.share(f"share-{n}", company)
        pieces.place(tile, x + 36 * n, y + scene.rng.gauss(0, 3), -THICKNESS, scene.rng.gauss(0, 0.12))


def other_board(scene: Scene, x: float, y: float) -> None:
    """Another cardboard board, which nobody reads."""
    face = scene.printed_face("tracks", track_print())
    other = pieces.card("other-board", 300, 190, THICKNESS, face, scene.edge, 2)
    pieces.place(other, x, y, -THICKNESS, scene.rng.gauss(0, 0.1))


def markers(scene: Scene, x: float, y: float) -> None:
    for n, (seat, tone) in enumerate(SEAT_COLOURS.items()):
        disc = pieces.cylinder(f"disc-{seat}", 5, 6, materials.wood(f"disc-{seat}", tone, 0.06, 0.35))
        pieces.place(disc, x + 17 * n, y + scene.rng.gauss(0, 6), -THICKNESS)


THINGS: dict[str, Callable[[Scene, float, float], None]] = {
    "supply": supply,
    "mug": mug,
    "dice": dice,
    "shares": shares,
    "board": other_board,
    "markers": markers,
}


def cover(
    scene: Scene, what: str, x: float, y: float, angle: float, look: dict[str, Any] | None = None
) -> None:
    """A hand, a mug or dice on the board; what they hide counts as unseen. `look`: see `_hand` and `rolled`."""
    if what == "hand":
        parts = _hand(scene, **(look or {}))
        pieces.place(parts[0], x, y, 8, angle)
    elif what == "dice":
        parts = rolled(scene, x, y, **(look or {}))
    else:
        glaze, coffee = materials.plain("glaze", "#d8d5cc", 0.15), materials.plain("coffee", "#2a170c", 0.1)
        parts = pieces.mug("mug", glaze, coffee)
        pieces.place(parts[0], x, y, 0, angle)
    for part in parts:
        part[COVER] = True


def _hand(
    scene: Scene,
    skin: str = "#c99a7c",
    sleeve: tuple[str, str] = ("#3a4a63", "#2c3a50"),
    pose: str = "reach",
    left: bool = False,
) -> list[pieces.Object]:
    cloth = materials.cloth("sleeve", list(sleeve), 0.9)
    parts = pieces.hand("hand", materials.skin("skin", skin), cloth, scene.rng, pose)
    parts[0].scale = (1, -1 if left else 1, 1)
    return parts


def rolled(
    scene: Scene, x: float, y: float, tones: Sequence[str] = DICE, side: float = DIE_MM
) -> list[pieces.Object]:
    """Dice that came to rest on the board near a point, wherever there was room between the pieces."""
    spots = list(scene.spots)
    dice = []
    for n, tone in enumerate(tones):
        reach, spot = 12.0, None
        while spot is None or any(touching(spot, other) for other in spots):
            reach *= 1.1
            at = x + scene.rng.gauss(0, reach), y + scene.rng.gauss(0, reach)
            spot = Spot("die", (), at, scene.rng.uniform(0, pi), (side, side))
        spots.append(spot)
        die = pieces.cube(f"rolled-{n}", side, materials.plain(f"rolled-{n}", tone, 0.3))
        dice.append(pieces.place(die, *spot.at, 0, spot.angle))
    return dice
