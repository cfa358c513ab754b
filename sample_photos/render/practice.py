"""Renders practice photos: tables, light and positions all drawn by lot, for teaching the reader.

python practice.py OUT --tables 28 --photos 6 --seed 1 [--painted]

Nothing here is one of the sample tables. Every table gets `empty.jpg` and its photos, each in three lights and with
a JSON of where every piece stands (mm, board frame) and the homography from the board frame to pixels. What a real
table may look like is drawn far more widely than the sample tables are: art, wood, shapes, lamps, gloss, camera, phone.
"""

import argparse
import colorsys
import json
import random
from math import cos, exp, hypot, pi, sin
from pathlib import Path
from typing import Any

import art
import boards
import layout
import numpy as np
import phone
import props
import truth
from boards import Board, Hex
from camera import Camera, look
from make import Shot, Stage, dressed
from painted import Scene as Painted
from scene import Scene

Table = dict[str, Any]
COMPANIES = ("brown", "gray", "orange", "white")
FONTS = ("DejaVuSans-Bold", "DejaVuSerif-Bold", "DejaVuSansCondensed", "DejaVuSerif-Italic", "DejaVuSansMono")
MARKERS = ("first", "second", "third", "fourth")
# Hue, saturation, value of the companies' wood: from, to.
WOOD = {
    "brown": ((0.02, 0.10), (0.35, 0.75), (0.22, 0.52)),
    "gray": ((0.0, 1.0), (0.0, 0.10), (0.36, 0.66)),
    "orange": ((0.035, 0.085), (0.62, 0.95), (0.70, 0.97)),
    "white": ((0.08, 0.16), (0.02, 0.22), (0.82, 0.97)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tables", type=int, default=28)
    parser.add_argument("--photos", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=6)
    parser.add_argument(
        "--painted", action="store_true", help="without Blender: a tenth of the time, less true"
    )
    wanted = parser.parse_args()
    stage = Painted if wanted.painted else Scene
    for n in range(wanted.tables):
        rng = random.Random(1000 * wanted.seed + n)
        table, style = a_table(rng), a_style(rng)
        board = boards.load(table["board"])
        folder = wanted.out / f"{wanted.seed:02d}-{n:03d}"
        folder.mkdir(parents=True, exist_ok=True)
        art.draw(board, style).save(folder / "print.png", compress_level=1)
        take(folder / "empty", board, table, None, rng, wanted.samples + 2, stage)
        for k in range(wanted.photos):
            take(folder / f"photo{k}", board, table, a_position(board, rng), rng, wanted.samples, stage)
        (folder / "print.png").unlink()


def take(
    file: Path,
    board: Board,
    table: Table,
    position: Table | None,
    rng: random.Random,
    samples: int,
    stage: type[Stage],
) -> None:
    """One photo, of the empty map where there is no position, and the JSON that belongs to it."""
    photo, light = (
        (a_photo(rng), a_light(rng)) if position else (an_empty_photo(rng), a_light(rng, kind=True))
    )
    camera = look(
        board.bounds,
        photo["size"],
        photo["tilt"],
        photo["rotation"],
        photo["fill"],
        photo["shift"],
        photo["roll"],
    )
    scene = stage(board.bounds, table, file.parent, rng.randrange(10**6))
    spots = []
    if position:
        spots = layout.spread(
            board,
            position,
            table["marker"],
            photo["toppled"],
            rng,
            photo["reach"],
            photo["on_cards"],
            photo["snug"],
        )
    dressed(scene, spots, light, photo)
    shot = Shot(photo, table, light, board, None, [], camera, camera, position, rng)
    shares, unseen = truth.hidden(shot, spots, scene) if position else ({}, [])
    parts = scene.shoot_by_lamp(camera, samples)
    told = told_of(board, table, camera, spots, shares, unseen)
    for letter in ("a", "b", "c") if position else ("",):
        as_it_is, name = letter in ("", "a"), file.name + letter
        taken = photo if as_it_is else photo | a_phone(rng)
        lit, illuminant, lamps = relit(parts, light, rng, as_it_is)
        picture = phone.develop(lit, illuminant, taken, rng.randrange(10**6))
        phone.save(picture, file.with_name(f"{name}.jpg"), taken["quality"])
        file.with_name(f"{name}.json").write_text(json.dumps(told | {"photo": taken, "light": lamps}))
    print("made", file, flush=True)


def relit(
    parts: list[np.ndarray], light: Table, rng: random.Random, as_it_is: bool
) -> tuple[np.ndarray, np.ndarray, Table]:
    """The scene under its lamps, or under stronger, weaker and other ones, some of them off: the light, the colour
    a phone takes for white, and the lamps."""
    temperatures = [lamp[3] for lamp in light["lamps"]] + [light["room"][0]]
    weights, new = [1.0] * len(parts), [*temperatures]
    if not as_it_is:
        weights = [0.0 if rng.random() < 0.2 else exp(rng.gauss(0, 0.9)) for _ in light["lamps"]]
        weights = weights if any(weights) else [1.0] * len(weights)
        weights.append(exp(rng.gauss(0, 0.6)))
        new = [t if rng.random() < 0.5 else rng.uniform(2600, 6800) for t in temperatures]
    lit = [
        weight * part * (phone.kelvin(t) / phone.kelvin(before))
        for weight, part, t, before in zip(weights, parts, new, temperatures, strict=True)
    ]
    illuminant = sum(float(part.mean()) * phone.kelvin(t) for part, t in zip(lit, new, strict=True))
    return sum(lit), illuminant / illuminant.max(), {"weights": weights, "temperatures": new}


def told_of(
    board: Board, table: Table, camera: Camera, spots: list[Any], shares: dict[Hex, float], unseen: list[Any]
) -> Table:
    """What is written beside a photo, but for how it was taken."""
    return {
        "board": board.id,
        "plane_to_photo": camera.board_homography().tolist(),
        "named": table["named"],
        "spots": [[s.kind, s.look, s.at, s.angle, s.size, s.toppled] for s in spots],
        "hidden": [[q, r, share] for (q, r), share in shares.items()],
        "unseen": unseen,
    }


def a_colour(rng: random.Random, hue: Any, saturation: Any, value: Any) -> str:
    """A colour "#rrggbb" with each part drawn from its range."""
    parts = [rng.uniform(*pair) for pair in (hue, saturation, value)]
    return "#" + "".join(f"{round(255 * v):02x}" for v in colorsys.hsv_to_rgb(parts[0] % 1, *parts[1:]))


def a_style(rng: random.Random) -> Table:
    """A map art: pale, middling, dark or saturated; with whole hex lines, corners only, or none."""
    value, saturation = rng.choice(
        [
            ((0.8, 0.97), (0.03, 0.3)),
            ((0.5, 0.8), (0.1, 0.5)),
            ((0.2, 0.5), (0.15, 0.6)),
            ((0.4, 0.9), (0.4, 0.8)),
        ]
    )
    hue, other = rng.random(), rng.random()

    def tone(h: float, spread: float = 0.06) -> str:
        return a_colour(rng, (h - spread, h + spread), saturation, value)

    dark = value[1] <= 0.5
    ink = a_colour(rng, (0, 1), (0, 0.5), (0.8, 0.95) if dark and rng.random() < 0.5 else (0.05, 0.35))
    pale = a_colour(rng, (0.05, 0.2), (0, 0.3), (0.85, 0.98))
    line = rng.choice([ink, pale, tone(hue, 0.3)])
    return {
        "seed": rng.randrange(10**6),
        "title": rng.choice(["IRON ROADS", "STEAM & SMOKE", "THE LINE", "RAILWAY YEARS"]),
        "subtitle": "a practice map",
        "font": rng.choice(FONTS) + ".ttf",
        "title_font": rng.choice(FONTS) + ".ttf",
        "name_size": rng.uniform(3.2, 5.0),
        "land": [tone(hue), tone(hue)],
        "sea": [tone(other), tone(other)],
        "shore": tone(other, 0.2),
        "ink": ink,
        "paper": pale,
        "ornament": tone(other, 0.2),
        "river": tone(0.57, 0.05),
        "rivers": rng.randrange(0, 14),
        "grain": rng.uniform(0.05, 0.4),
        "tint": [
            tone(rng.random()) + f"{rng.randrange(20, 100):02x}" for _ in range(rng.choice([0, 0, 4, 6]))
        ],
        "terrain": rng.choices(["mountain", "dune", "grass", "forest", "field"], k=6),
        "trees": rng.choice(["round", "fir"]),
        "rock": [tone(rng.random(), 0.1), tone(rng.random(), 0.1)],
        "leaf": [tone(0.28, 0.1) for _ in range(3)],
        "line": line,
        "line_width": rng.uniform(0.25, 1.0),
        "line_style": rng.choice(["full", "full", "corners", "none"]),
        "line_double": rng.choice(["", "", ink]),
        "disc": tone(rng.random()),
        "walls": [tone(rng.random(), 0.1) for _ in range(3)],
        "roof": a_colour(rng, (0, 1), (0.2, 0.8), (0.3, 0.8)),
        "plate": rng.choice(["", pale]),
        "name": ink,
        "halo": rng.choice([pale, tone(hue)]),
    }


def a_table(rng: random.Random) -> Table:
    wood = {company: a_colour(rng, *ranges) for company, ranges in WOOD.items()}
    named = rng.random() > 0.2
    if not named:
        # Pieces of other games: any four colours that can be told apart.
        first = rng.random()
        wood = {
            company: a_colour(rng, (first + k / 4 - 0.05, first + k / 4 + 0.05), (0.4, 0.95), (0.25, 0.95))
            for k, company in enumerate(COMPANIES)
        }
    top = rng.choice(["planks", "planks", "cloth"])
    hue = rng.random() if top == "cloth" else rng.uniform(0.03, 0.12)
    tones = [a_colour(rng, (hue, hue), (0.05, 0.6), (0.15, 0.85)) for _ in range(2)]
    return {
        "board": rng.choice(["usa", "europe"]),
        "top": [top, tones, rng.uniform(0.25, 0.95)],
        "print_gloss": rng.uniform(0.2, 0.6),
        "wood": wood,
        "named": named,
        "grain": rng.uniform(0.02, 0.3),
        "gloss": rng.uniform(0.28, 0.75),
        **a_piece(rng),
        "tile": rng.choice(["square", "round"]),
        "tile_print": {
            "layout": rng.choice(["boxes", "stacked", "halves"]),
            "card": a_colour(rng, (0.08, 0.16), (0, 0.35), (0.7, 0.97)),
            "face": a_colour(rng, (0.0, 1.0), (0, 0.2), (0.8, 0.98))
            if rng.random() < 0.7
            else rng.choice(list(wood.values())),
            "prints": prints(wood, named, rng) | {"wild": a_colour(rng, (0, 1), (0.3, 0.8), (0.3, 0.8))},
        },
        "spike": {
            "face": a_colour(rng, (0, 1), (0, 0.9), (0.1, 0.95)),
            "ink": a_colour(rng, (0, 1), (0, 0.9), (0.1, 0.95)),
        },
        "marker": "",
        "seats": {name: a_colour(rng, (0, 1), (0.1, 0.95), (0.08, 0.95)) for name in MARKERS},
    }


def prints(wood: dict[str, str], named: bool, rng: random.Random) -> dict[str, str]:
    """The colours of the companies on the cards: those of their wood, as a publisher may choose them, or near them."""
    if named and rng.random() < 0.5:
        return wood
    return {name: a_colour(rng, *WOOD[name]) for name in COMPANIES}


def a_piece(rng: random.Random) -> Table:
    """Mostly trains, now and then the discs or cubes of another game."""
    pick = rng.random()
    if pick < 0.12:
        return {"disc": (rng.uniform(4, 8), rng.uniform(4, 13))}
    return {"cube": rng.uniform(7, 11)} if pick < 0.24 else {"train": a_train(rng)}


def a_train(rng: random.Random) -> list[tuple[float, float]]:
    """A train from the side: a box with one to three things on its roof; 17-22 mm long, 9-14 mm high."""
    length, height = rng.uniform(17, 22), rng.uniform(9, 14)
    if rng.random() < 0.15:
        half = length / 2
        return [(-half, 0), (half, 0), (half, height), (-half, height)]
    left, right, roof = -length / 2, length / 2, height * rng.uniform(0.5, 0.85)
    nose = rng.uniform(0, 3)
    outline = [
        (left, 0),
        (right - nose / 2, 0),
        (right, nose),
        (right, roof - nose / 2),
        (right - nose / 2, roof),
    ]
    count, x = rng.randrange(1, 4), right - 1 - nose / 2
    room = (x - left) / count
    for _ in range(count):
        wide, high = rng.uniform(0.35, 0.85) * room, rng.uniform(roof + 0.8, height)
        start = x - rng.uniform(0.05, 0.15) * room
        lean = rng.uniform(-0.4, 0.4)
        outline += [(start, roof), (start + lean, high), (start - wide + lean, high), (start - wide, roof)]
        x -= room
    return [*outline, (left, roof)]


def a_position(board: Board, rng: random.Random) -> Table:
    """Track grown from the start cities, crowded in places, with any demand tiles: no game need lead here."""
    track: dict[str, list[list[int]]] = {}
    crowd: set[Hex] = set()
    for company in COMPANIES:
        own = {board.starts[company].at}
        others = {place.at for c, place in board.starts.items() if c != company}
        for _ in range(rng.choice([0, 12, 18, 24, 24, 24])):
            near = sorted({n for at in own for n in boards.neighbours(at) if n in board.at} - own - others)
            shared = [at for at in near if at in crowd]
            own.add(rng.choice(shared if shared and rng.random() < 0.35 else near))
        crowd |= own
        track[company] = [list(at) for at in sorted(own)]
    lying = rng.uniform(0, 1)
    pairs = [(a, b) for a in COMPANIES for b in (*COMPANIES, "wild")]
    demand = {str(n): list(rng.choice(pairs)) for n in board.by_number if rng.random() < lying}
    # A game has one marker on its map: too few to learn from.
    markers = {str(n): rng.choice(MARKERS) for n in rng.sample([*board.by_number], rng.randrange(6))}
    # So has it one Golden Spike tile, on one hex: here they lie anywhere but on cities.
    bare = sorted(
        set(board.at)
        - {city.at for city in board.by_number.values()}
        - {at.at for at in board.starts.values()}
    )
    spikes = [list(at) for at in rng.sample(bare, rng.randrange(5))]
    return {"track": track, "demand": demand, "bot": {"target": 0}, "markers": markers, "spikes": spikes}


def an_empty_photo(rng: random.Random) -> Table:
    return a_phone(rng) | {
        "size": (1300, 975), "tilt": rng.uniform(0, 10), "rotation": rng.gauss(0, 5), "fill": 0.93,
        "shift": (0.0, 0.0), "roll": 0.0, "clutter": [], "cover": [], "quality": 90, "iso": 1.0, "exposure": 0.0,
    }  # fmt: skip


def a_photo(rng: random.Random) -> Table:
    near, upright = rng.random() < 0.5, rng.random() < 0.3
    things = [[what, rng.choice("nsew"), rng.random(), rng.uniform(40, 130)] for what in props.THINGS]
    cover = [
        rng.choice(["hand", "hand", "mug"]),
        rng.uniform(-260, 260),
        rng.uniform(-160, 160),
        rng.uniform(-pi, pi),
    ]
    dice = [["dice", rng.uniform(-260, 260), rng.uniform(-160, 160), 0.0, some_dice(rng)] for _ in range(2)]
    return a_phone(rng) | {
        "size": (810, 1080) if upright else (1080, 810),
        "tilt": min(60, abs(rng.gauss(20, 20))),
        "rotation": rng.choice([0, 180]) + 90 * upright + rng.gauss(0, 25),
        "fill": rng.uniform(1.2, 1.9) if near else rng.uniform(0.95, 1.02),
        "shift": (rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)) if near else (0.0, 0.0),
        "roll": rng.gauss(0, 4),
        "clutter": rng.sample(things, rng.randrange(4)),
        "cover": ([cover] if rng.random() < 0.25 else []) + (dice if rng.random() < 0.4 else []),
        "toppled": rng.choice([0.0, 0.04, 0.15]),
        "reach": rng.uniform(1.5, 6.0),
        "on_cards": rng.random() < 0.5,
        "snug": rng.choice([0.0, 0.4]),
    }  # fmt: skip


def some_dice(rng: random.Random) -> Table:
    """One to three dice, or cubes of another game, of any colour and size."""
    tones = [a_colour(rng, (0, 1), (0, 0.9), (0.1, 0.97)) for _ in range(rng.randrange(1, 4))]
    return {"tones": tones, "side": rng.uniform(8, 17)}


def a_phone(rng: random.Random) -> Table:
    return {
        "balance": rng.uniform(0.45, 1.0),
        "exposure": rng.uniform(-0.7, 0.6),
        "iso": exp(rng.uniform(-0.5, 1.2)),
        "sharpen": rng.uniform(0.0, 1.0),
        "softness": rng.uniform(0.2, 1.1),
        "quality": rng.randrange(60, 95),
    }


def a_light(rng: random.Random, kind: bool = False) -> Table:
    """Two or three lamps and the room; `kind` light, for the reference, is one to three soft lamps.

    One of them is a low sun or a bare bulb, which in two of five photos has little else beside it: there the shaded
    side of a white piece is as dark as a gray one.
    """
    hard = not kind and rng.random() < 0.4
    main = rng.choice([2600, 2800, 3200, 4000, 5000, 6000, 6500]) + rng.uniform(-100, 100)
    count = rng.choice([1, 1, 2, 3]) if kind else rng.choice([2, 2, 3])
    lamps = [
        a_lamp(
            rng,
            main if n == 0 else rng.uniform(2600, 6800),
            0.35 if hard and n else 1.0,
            kind,
            not kind and n == 0,
        )
        for n in range(count)
    ]
    if not hard and not kind:
        rng.shuffle(lamps)
    lowest, highest = (-1.6, -0.6) if kind else (-3.2, -1.4) if hard else (-3.2, -0.7)
    return {
        "lamps": lamps,
        "room": [main + rng.uniform(-300, 1500), exp(rng.uniform(lowest, highest))],
        "main": main,
    }


def a_lamp(rng: random.Random, temperature: float, share: float, kind: bool, bare: bool) -> list[float]:
    """x, y, z mm, kelvin, watts and size; `share` of what lights a board well."""
    way, out, up = rng.uniform(0, 2 * pi), abs(rng.gauss(0, 900)), rng.uniform(600, 1500)
    size = rng.choice([250, 500, 900]) if kind else exp(rng.uniform(3.4, 6.8))
    if bare:
        out, up, size = rng.uniform(600, 2000), rng.uniform(450, 1500), exp(rng.uniform(3, 5))
    strength = (hypot(out, up) / 1150) ** 2 * up**-1 * hypot(out, up) * 15 * rng.uniform(0.5, 1.3) * share
    return [out * cos(way), out * sin(way), up, temperature, strength, size]


if __name__ == "__main__":
    main()
