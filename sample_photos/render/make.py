"""Renders the sample photos that tables.toml and tables/*.toml describe, each with its truth beside it.

python make.py                                  everything, into sample_photos/
python make.py study/early_day --samples 8 --scale 0.75 --out /tmp/preview
python make.py --truth-only                     the JSON files again, no picture
"""

import argparse
import json
import random
from dataclasses import dataclass
from math import radians
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import art
import boards
import described
import layout
import panels
import phone
import props
import truth
from boards import Board, Surface
from camera import Camera, look
from painted import Scene as Painted
from panels import Laid, Panel
from scene import Scene

HERE = Path(__file__).resolve().parent
Table = dict[str, Any]
Stage = Scene | Painted


@dataclass(frozen=True)
class Shot:
    """One photo to take: its description with the defaults filled in, and what the description names."""

    photo: Table
    table: Table
    light: Table
    board: Board
    panel: Panel | None
    """What is in the photo instead of the map, if anything."""
    beside: list[Laid]
    """What lies beside the map."""
    camera: Camera
    reference: Camera
    """The camera of this table's photo of the same surface without pieces."""
    game: Table | None
    """What lies on the table, with the full states before and after where there are any."""
    rng: random.Random

    @property
    def name(self) -> str:
        return f"{self.photo['table']}/{self.photo['name']}"


def main() -> None:
    wanted = arguments()
    data = described.load()
    for photo in data["photo"]:
        if not wanted.only or f"{photo['table']}/{photo['name']}" in wanted.only:
            make(shot(photo, data, wanted.scale), data, wanted)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("only", nargs="*", help="table/name of the photos to make; all without it")
    parser.add_argument("--samples", type=int, help="rays per pixel instead of those described")
    parser.add_argument("--scale", type=float, default=1.0, help="of the size of the photos")
    parser.add_argument("--out", type=Path, default=HERE.parent)
    parser.add_argument("--truth-only", action="store_true")
    return parser.parse_args()


def shot(photo: Table, data: Table, scale: float) -> Shot:
    """Everything that the descriptions and the recorded games say of a photo."""
    photos = [{**data["defaults"], **p} for p in data["photo"] if p["table"] == photo["table"]]
    photo = {**data["defaults"], **photo}
    empty = next(p for p in photos if p["state"] == "none" and p["surface"] == photo["surface"])
    table, rng = data["table"][photo["table"]], random.Random(photo["seed"])
    table = {**table, "train": data["train"][table["train"]]}
    board, panel = boards.load(table["board"]), panels.PANELS.get(photo["surface"])
    beside = [Laid(panels.PANELS[name], (x, y), radians(a)) for name, (x, y, a) in photo["beside"].items()]
    cameras = [camera_of(photo, panel or board, beside, scale), camera_of(empty, panel or board, [], scale)]
    game = load_game(photo["state"], data.get("played", {}), board, rng)
    return Shot(photo, table, data["light"][photo["light"]], board, panel, beside, *cameras, game, rng)


def camera_of(photo: Table, surface: Surface, beside: list[Laid], scale: float) -> Camera:
    width, height = (round(side * scale) for side in photo["size"])
    view = (photo["tilt"], photo["rotation"], photo["fill"], photo["shift"], photo["roll"])
    left, top, right, bottom = surface.bounds
    xs, ys = zip(
        (left, top), (right, bottom), *(corner for laid in beside for corner in laid.rim), strict=True
    )
    return look((min(xs), min(ys), max(xs), max(ys)), (width, height), *view)


def load_game(name: str, played: Table, board: Board, rng: random.Random) -> Table | None:
    """What lies on the map: nothing, the set-up, or a state of a recorded game with what led to it.

    A game may have been `played` just now, else it is in games/.
    """
    if name == "none":
        return None
    if name == "setup":
        return truth.setup(board, rng)
    record = played.get(name) or json.loads((HERE / f"games/{name}.json").read_text())
    return {**truth.shown(record["state"], board), **record}


def make(shot: Shot, data: Table, wanted: argparse.Namespace) -> None:
    """Set the table, take the photo, write it and its truth."""
    file = wanted.out / f"{shot.name}.jpg"
    file.parent.mkdir(parents=True, exist_ok=True)
    spots = pieces_of(shot)
    scene = set_table(shot, spots, data)
    if not wanted.truth_only:
        light = scene.shoot(shot.camera, wanted.samples or shot.photo["samples"])
        settings = {**data["phone"], **shot.table, **shot.photo}
        picture = phone.develop(light, phone.kelvin(shot.light["main"]), settings, shot.photo["seed"])
        phone.save(picture, file, shot.photo["quality"])
    if shot.game:
        write(file.with_suffix(".json"), truth.truth(shot, spots, scene))
    else:
        write(file.with_name(f"{shot.photo['name']}.json".replace("empty", "points")), truth.tapped(shot))
    print("made", shot.name, flush=True)


def pieces_of(shot: Shot) -> list[layout.Spot]:
    """Where every piece of the game stands on the surface in the photo."""
    marker = shot.table["marker"]
    if shot.game is None:
        return []
    if shot.panel:
        return panels.spread(shot.panel, shot.game["state"], marker, shot.rng)
    photo = shot.photo
    hand = photo["toppled"], shot.rng, photo["reach"], photo["on_cards"], photo["snug"]
    return layout.spread(shot.board, shot.game, marker, *hand)


def spots_beside(shot: Shot) -> list[layout.Spot]:
    """The pieces on the panels beside the map, in the map's board frame."""
    if shot.game is None:
        return []
    spots = []
    for laid in shot.beside:
        spots += laid.spots(panels.spread(laid.panel, shot.game["state"], shot.table["marker"], shot.rng))
    return spots


def set_table(shot: Shot, spots: list[layout.Spot], data: Table) -> Stage:
    """Board, pieces, lamps, and what lies over the board, and around it where the photo is not `painted`."""
    work = Path(gettempdir()) / "masinfira-render" / shot.photo["table"]
    work.mkdir(parents=True, exist_ok=True)
    style, surface = data["art"][shot.table["art"]], shot.panel or shot.board
    picture = panels.draw(shot.panel, style, 8) if shot.panel else art.draw(shot.board, style)
    picture.save(work / "print.png", compress_level=1)
    if shot.photo["painted"]:
        return dressed(
            Painted(surface.bounds, shot.table, work, shot.photo["seed"]), spots, shot.light, shot.photo
        )
    scene = Scene(surface.bounds, shot.table, work, shot.photo["seed"])
    for laid in shot.beside:
        panels.draw(laid.panel, style, 8).save(work / f"print-{laid.panel.id}.png")
        scene.lay(f"print-{laid.panel.id}", laid.panel.bounds, laid.at, laid.angle)
    return dressed(scene, [*spots, *spots_beside(shot)], shot.light, shot.photo)


def dressed(scene: Stage, spots: list[layout.Spot], light: Table, photo: Table) -> Stage:
    """The scene with its pieces, its lamps and what `photo` says of clutter and covers."""
    scene.put(spots)
    scene.lamps(light)
    if isinstance(scene, Scene):
        props.clutter(scene, photo["clutter"])
    for cover in photo["cover"]:
        scene.cover(*cover) if isinstance(scene, Painted) else props.cover(scene, *cover)
    return scene


def write(path: Path, value: Table) -> None:
    """JSON with one line for each top-level key, so that it can be read and compared."""
    lines = [f"{json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}" for key, part in value.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
