"""Renders the pictures of the films that tables.toml describes: one camera that stays, two turns of a game.

python film.py                     every film, into sample_photos/<table>/film/
python film.py study_turns --samples 4 --out /tmp/preview

Beside the pictures comes `film.json`: the game and in which order the pictures follow each other.
"""

import argparse
import json
import random
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import boards
import layout
import make
import phone
import truth
from boards import Board, Hex
from layout import Piece, Spot

HERE = Path(__file__).resolve().parent
Table = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("only", nargs="*", help="the films to make; all without it")
    parser.add_argument("--samples", type=int, help="rays per pixel instead of those of tables.toml")
    parser.add_argument("--out", type=Path, default=HERE.parent)
    wanted = parser.parse_args()
    data = tomllib.loads((HERE / "tables.toml").read_text())
    for title, film in data["film"].items():
        if not wanted.only or title in wanted.only:
            shoot(title, film, data, wanted)


def shoot(title: str, film: Table, data: Table, wanted: argparse.Namespace) -> None:
    """All pictures of a film, and its description."""
    game = json.loads((HERE / f"games/{title}.json").read_text())
    board = boards.load(film["game"]["board"])
    folder = wanted.out / film["table"] / "film"
    folder.mkdir(parents=True, exist_ok=True)
    places = spread(board, game, data["table"][film["table"]]["marker"], random.Random(film["seed"]))
    for name, said in film["picture"].items():
        photo = {**film, **said, "name": name, "state": "none", "surface": "map"}
        shot = make.shot(photo, data, 1.0)
        scene = make.set_table(shot, standing(places, board, game, said["trains"], shot), data)
        light = scene.shoot(shot.camera, wanted.samples or film["samples"])
        settings = {**data["phone"], **shot.table, **shot.photo}
        picture = phone.develop(light, phone.kelvin(shot.light["main"]), settings, film["seed"])
        phone.save(picture, folder / f"{name}.jpg", film["quality"])
        print("made", folder / f"{name}.jpg", flush=True)
    make.write(folder / "film.json", {**game, "scenes": film["scenes"]})


def moments(game: Table) -> list[Table]:
    """The three states of the game: before, after the first turn, after the second."""
    return [game["before"], *game["states"]]


def new_trains(game: Table) -> list[list[tuple[str, Hex]]]:
    """The trains of each turn in the order in which a hand puts them: the rightmost on the map first."""
    states = moments(game)
    return [
        sorted(
            (
                (company, (q, r))
                for company, hexes in after["track"].items()
                for q, r in hexes
                if [q, r] not in before["track"][company]
            ),
            key=lambda train: -train[1][0],
        )
        for before, after in pairwise(states)
    ]


def spread(board: Board, game: Table, marker: str, rng: random.Random) -> dict[Hex, list[Spot]]:
    """Where every piece of the whole film stands, so that none moves when others come."""
    pieces: dict[Hex, list[Piece]] = {}
    for state in moments(game):
        for at, group in layout.on_hexes(board, truth.shown(state), marker, 0.0, rng).items():
            known = pieces.setdefault(at, [])
            known += [piece for piece in group if piece not in known]
    return {at: layout.fill(at, group, rng, 2.5) for at, group in sorted(pieces.items())}


def standing(
    places: dict[Hex, list[Spot]], board: Board, game: Table, trains: int, shot: make.Shot
) -> list[Spot]:
    """The pieces on the map once `trains` of the new trains stand."""
    first, second = new_trains(game)
    state = moments(game)[(trains >= len(first)) + (trains >= len(first) + len(second))]
    there = layout.on_hexes(board, truth.shown(state), shot.table["marker"], 0.0, shot.rng)
    present = {(at, *piece[:2]) for at, group in there.items() for piece in group if piece[0] != "train"}
    present |= {((q, r), "train", (c,)) for c, hexes in game["before"]["track"].items() for q, r in hexes}
    present |= {(at, "train", (company,)) for company, at in (first + second)[:trains]}
    return [spot for at, spots in places.items() for spot in spots if (at, spot.kind, spot.look) in present]


if __name__ == "__main__":
    main()
