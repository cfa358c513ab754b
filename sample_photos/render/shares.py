"""Renders the photos of share tiles in front of a player that the descriptions list under `shares`.

python shares.py                                every one, into sample_photos/
python shares.py kitchen/shares_loose --samples 8 --out /tmp/preview

`lay` says how they lie: a tile of each company side by side ("sorted"), "loose", or one over the other in "rows".
"""

import random
from math import asin, cos, pi, sin
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import described
import phone
import props
from boards import THICKNESS, Bounds, Point
from camera import Camera, look
from make import Table, arguments, write
from scene import SHARE_THICK, Scene

SIZE = 30.0, 45.0
STEP = 19.0
"""How far each tile of a row lies below the one it covers, mm."""
Lying = tuple[str, Point, float, float]
"""A tile: company, middle in the board frame, angle, and how far it leans on the one before, radians."""


def main() -> None:
    wanted = arguments()
    data = described.load()
    for photo in data["shares"]:
        if not wanted.only or f"{photo['table']}/{photo['name']}" in wanted.only:
            make(photo, data, wanted)


def make(said: Table, data: Table, wanted: Any) -> None:
    """Lay the tiles, take the photo, write it and its truth, or the points to calibrate with."""
    photo, rng = {**data["defaults"], **said}, random.Random(said["seed"])
    table = data["table"][photo["table"]]
    table = {**table, "train": data["train"][table["train"]]}
    tiles = LAID[photo["lay"]]([c for c, n in photo["shares"].items() for _ in range(n)], rng)
    bounds = around(tiles)
    camera = look(
        bounds, tuple(photo["size"]), *(photo[key] for key in ("tilt", "rotation", "fill", "shift", "roll"))
    )
    file = wanted.out / photo["table"] / f"{photo['name']}.jpg"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not wanted.truth_only:
        light = data["light"][photo["light"]]
        seen = set_table(tiles, bounds, table, light, photo).shoot(camera, wanted.samples or photo["samples"])
        settings = {**data["phone"], **table, **photo}
        phone.save(
            phone.develop(seen, phone.kelvin(light["main"]), settings, photo["seed"]), file, photo["quality"]
        )
    if photo["lay"] == "sorted":
        write(file.with_name("shares_points.json"), tapped(tiles, camera, rng))
    else:
        write(file.with_suffix(".json"), truth(photo, table, tiles))
    print("made", file, flush=True)


def in_order(companies: list[str], rng: random.Random) -> list[Lying]:
    """Side by side, each a little askew."""
    return [(c, (48.0 * k, rng.gauss(0, 3)), rng.gauss(0, 0.08), 0.0) for k, c in enumerate(companies)]


def loose(companies: list[str], rng: random.Random) -> list[Lying]:
    """Any way round, none touching another."""
    rng.shuffle(companies)
    wide = 4 if len(companies) > 6 else 3
    return [
        (
            c,
            (58.0 * (k % wide) + rng.gauss(0, 1.5), 58.0 * (k // wide) + rng.gauss(0, 1.5)),
            rng.uniform(0, 2 * pi),
            0.0,
        )
        for k, c in enumerate(companies)
    ]


def rows(companies: list[str], rng: random.Random) -> list[Lying]:
    """A row for each company, each tile leaning on the one before, whose upper part can be seen."""
    lean, found = asin(SHARE_THICK / STEP), list[Lying]()
    for column, company in enumerate(dict.fromkeys(companies)):
        for k in range(companies.count(company)):
            at = 37.0 * column + rng.gauss(0, 0.7), STEP * k + rng.gauss(0, 0.7)
            found.append((company, at, rng.gauss(0, 0.03), lean if companies.count(company) > 1 else 0.0))
    return found


LAID = {"sorted": in_order, "loose": loose, "rows": rows}


def corners(tile: Lying) -> list[Point]:
    """Clockwise from the one that is top left in print, board frame, mm."""
    _, (x, y), angle, _ = tile
    w, h, c, s = SIZE[0] / 2, SIZE[1] / 2, cos(angle), sin(angle)
    return [(x + u * c - v * s, y + u * s + v * c) for u, v in ((-w, -h), (w, -h), (w, h), (-w, h))]


def around(tiles: list[Lying]) -> Bounds:
    xs, ys = zip(*(corner for tile in tiles for corner in corners(tile)), strict=True)
    return min(xs) - 12, min(ys) - 12, max(xs) + 12, max(ys) + 12


def set_table(tiles: list[Lying], bounds: Bounds, table: Table, light: Table, photo: Table) -> Scene:
    """The tiles on the bare table top, lamps, and what lies around."""
    folder = Path(gettempdir()) / "masinfira-render" / photo["table"]
    folder.mkdir(parents=True, exist_ok=True)
    scene = Scene(bounds, table, folder, photo["seed"], board=False)
    for n, (company, at, angle, lean) in enumerate(tiles):
        scene.lay_share(f"tile-{n}", company, at, angle, lean)
    scene.lamps(light)
    props.clutter(scene, photo["clutter"])
    return scene


def tapped(tiles: list[Lying], camera: Camera, rng: random.Random) -> Table:
    """A points file: the corners of every tile as a person taps them, some pixels off."""

    def tap(point: Point) -> list[int]:
        x, y = camera.project([[point[0], -point[1], SHARE_THICK - THICKNESS]])[0]
        return [round(x + rng.gauss(0, 1.8)), round(y + rng.gauss(0, 1.8))]

    return {"size_mm": list(SIZE), "tiles": {tile[0]: [tap(p) for p in corners(tile)] for tile in tiles}}


def truth(photo: Table, table: Table, tiles: list[Lying]) -> Table:
    """What lies in front of the player, and how the photo was taken."""
    counts = {
        company: sum(tile[0] == company for tile in tiles) for company in ("brown", "gray", "orange", "white")
    }
    keys = ("light", "tilt", "rotation", "lay")
    return {
        "format": "masinfira/mini-express/truth/1",
        "table": photo["table"],
        "board": table["board"],
        "shares": {photo["seat"]: counts},
        "conditions": {**{key: photo[key] for key in keys}, "held_out": table.get("held_out", False)},
    }


if __name__ == "__main__":
    main()
