"""Renders whole tables drawn by lot, with the same files as the sample tables: map, tracks, assets, share tiles.

PYTHONPATH=../.. python drawn.py OUT --tables 8 --seed 1 [--painted]

For choosing constants on boards, wood and lamps that no sample table has, and for seeing where reading fails:
`masinfira bench vision --samples OUT`. Tables and light are those of `practice.py`, games are played by the engine.
"""

import argparse
import colorsys
import random
from pathlib import Path
from typing import Any

import described
import games
import make
import practice
import shares
from layout import SEAT_COLOURS

Table = dict[str, Any]
GAMES = 4
THINGS = ("supply", "mug", "shares", "dice")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--painted", action="store_true", help="maps only, without Blender: a minute a table")
    wanted = parser.parse_args()
    wanted.samples, wanted.truth_only = None, False
    for n in range(wanted.tables):
        name, data = f"drawn{wanted.seed:02d}-{n}", described.load()
        rng = random.Random(name)
        a_table(name, ("usa", "europe")[n % 2], data, rng)
        for photo in on_map(name, rng):
            render(photo | {"painted": wanted.painted}, data, wanted, rng)
        if wanted.painted:
            continue
        for photo in on_panels(name, rng):
            render(photo, data, wanted, rng)
        for photo in of_shares(name, rng):
            data["light"][name] = practice.a_light(rng, kind=photo["lay"] == "sorted")
            shares.make(photo, data, wanted)


def a_table(name: str, board: str, data: Table, rng: random.Random) -> None:
    """Draw a table with trains, and the games that are played on it, into `data`."""
    table = practice.a_table(rng)
    while not table["named"] or "train" not in table:
        table = practice.a_table(rng)
    data["played"] = {f"{name}-{k}": a_game(board, k % 2 == 0, rng) for k in range(GAMES)}
    at_play = {seat for game in data["played"].values() for seat in game["state"]["influence"]}
    free = [seat for seat in SEAT_COLOURS if seat not in at_play]
    table |= {
        "board": board,
        "art": name,
        "marker": rng.choice(free),
        "seats": {seat: near(colour, rng) for seat, colour in SEAT_COLOURS.items()},
        "share_print": {
            "layout": rng.choice(["band", "full", "oval"]),
            "paper": practice.a_colour(rng, (0.05, 0.2), (0, 0.3), (0.8, 0.98)),
            "ink": practice.a_colour(rng, (0, 1), (0, 0.5), (0.1, 0.35)),
            "prints": {c: practice.a_colour(rng, *practice.WOOD[c]) for c in practice.COMPANIES},
        },
    }
    data["train"][name], data["art"][name] = table["train"], practice.a_style(rng)
    data["table"][name] = table | {"train": name}


def a_game(board: str, solo: bool, rng: random.Random) -> Table:
    return games.record(
        {
            "board": board,
            "mode": "solo" if solo else "standard",
            "difficulty": "passenger" if solo else None,
            "seats": rng.sample([*SEAT_COLOURS][:-1], 1 if solo else rng.randrange(3, 5)),
            "seed": rng.randrange(10**6),
            "moment": rng.uniform(0.15, 0.95),
        }
    )


def near(colour: str, rng: random.Random) -> str:
    """A colour much like "#rrggbb"."""
    h, s, v = colorsys.rgb_to_hsv(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))
    h, s, v = h + rng.gauss(0, 0.015), s + rng.gauss(0, 0.08), v + rng.gauss(0, 0.08)
    parts = colorsys.hsv_to_rgb(h % 1, min(max(s, 0), 1), min(max(v, 0.1), 1))
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def on_map(table: str, rng: random.Random) -> list[Table]:
    setups = [a_photo(table, name, "map", "setup", rng) | {"toppled": 0.0} for name in ("setup", "setup_2")]
    played = [a_photo(table, f"game{k}", "map", f"{table}-{k}", rng) for k in range(GAMES)]
    return [an_empty_photo(table, "empty", "map", rng), *setups, *played]


def on_panels(table: str, rng: random.Random) -> list[Table]:
    photos = []
    for panel in ("tracks", "assets"):
        photos.append(an_empty_photo(table, f"{panel}_empty", panel, rng))
        photos += [a_photo(table, f"{panel}_{k}", panel, f"{table}-{k}", rng) for k in range(GAMES)]
    return photos


def of_shares(table: str, rng: random.Random) -> list[Table]:
    """A tile of each company to learn from, and players' shares loose and in rows."""
    photos = []
    for k, lay in enumerate(("sorted", "loose", "rows", "loose", "rows")):
        drawn = {company: rng.choice([0, 1, 1, 2, 3, 5]) for company in practice.COMPANIES}
        every = dict.fromkeys(practice.COMPANIES, 1)
        photo = a_photo(table, f"shares_{k}" if k else "shares_tiles", "shares", "none", rng)
        some = drawn if any(drawn.values()) else every
        photos.append(photo | {"lay": lay, "seat": "red", "light": table, "clutter": [], "fill": 0.9}
                      | {"shares": some if k else every, "tilt": photo["tilt"] if k else 5})  # fmt: skip
    return photos


def a_photo(table: str, name: str, surface: str, state: str, rng: random.Random) -> Table:
    phone = practice.a_phone(rng)
    things = rng.sample(THINGS, rng.randrange(3))
    return phone | {
        "table": table, "name": name, "surface": surface, "state": state, "seed": rng.randrange(10**6),
        "size": [1600, 1200], "fill": 0.94, "quality": 88, "iso": min(phone["iso"], 2.5), "samples": 6,
        "tilt": min(58, abs(rng.gauss(20, 16))), "rotation": rng.choice([0, 180]) + rng.gauss(0, 25),
        "clutter": [[what, rng.choice("nsew"), rng.random(), rng.uniform(40, 130)] for what in things],
        "reach": rng.uniform(2, 4), "on_cards": rng.random() < 0.5, "snug": 0.4,
    }  # fmt: skip


def an_empty_photo(table: str, name: str, surface: str, rng: random.Random) -> Table:
    return a_photo(table, name, surface, "none", rng) | {
        "size": [2000, 1500], "tilt": rng.uniform(0, 8), "rotation": rng.gauss(0, 4), "clutter": [], "iso": 1.0,
        "exposure": 0.0, "softness": 0.5,
    }  # fmt: skip


def render(photo: Table, data: Table, wanted: argparse.Namespace, rng: random.Random) -> None:
    """Take the photo in light of its own; reference photos and a quarter of the others in soft light."""
    light = f"{photo['table']}-{photo['name']}"
    data["light"][light] = practice.a_light(rng, kind=photo["state"] == "none" or rng.random() < 0.25)
    data["photo"].append(photo | {"light": light})
    make.make(make.shot(data["photo"][-1], data, 1.0), data, wanted)


if __name__ == "__main__":
    main()
