"""Practice photos → what the network is shown: layers, where pieces stand, what lies on the tiles, what is hidden.

python -m vision.training.prepare PRACTICE OUT [--variants 2]

Every photo is taken as it is and in `variants` with other exposure, colour cast, haze, shadow, blur, noise and
registration error, and as another phone would have made it, so that the network meets more light and more phones than
were rendered.
"""

import argparse
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.hexes import hex_outline
from calibration.photo import Pixels
from calibration.pieces import TRAIN_MM
from calibration.surface import Cell, Kind, Surface
from engine import mini_express as game
from engine.atomic import write_whole
from engine.mini_express.names import COMPANIES, SYMBOLS
from vision.cells.colours import (
    LEAN,
    TOP_MM,
    TOP_PX,
    UNLIKE_PRINT,
    colour_at_home,
    colour_of,
    with_white_by_home,
)
from vision.cells.network import common_layers
from vision.cells.sight import Sight
from vision.phones import drawn

from .crops import heard_of

# In such a share of the variants another phone is held, and of these another one than took the reference.
OTHER_PHONE, TWO_PHONES = 0.75, 0.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("practice", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--variants", type=int, default=2)
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    for empty in sorted(wanted.practice.glob("*/empty.json")):
        surface = surface_of(empty)
        for file in sorted(empty.parent.glob("photo*.json")):
            for variant in range(wanted.variants + 1):
                target = wanted.out / f"{file.parent.name}-{file.stem}-{variant}.npz"
                if not target.exists():
                    seed = zlib.crc32(target.name.encode())
                    lesson = prepare(file, surface, np.random.default_rng(seed), variant > 0)
                    write_lesson(target, lesson)


def write_lesson(file: Path, lesson: dict[str, Any]) -> None:
    """Whole or not at all: teaching may go on meanwhile, and what is there is not prepared again."""
    stored = BytesIO()
    np.savez(stored, **lesson)
    write_whole(file, stored.getvalue())


def surface_of(file: Path) -> Surface:
    told = json.loads(file.read_text())
    hexes = [printed.at for printed in game.built_in().boards[told["board"]].printed]
    kinds = tuple(Kind(company, (0.5, 0.5, 0.5), TRAIN_MM) for company in COMPANIES)
    picture = read(file.with_suffix(".jpg"))
    cells = tuple(Cell(at, hex_outline(at)) for at in hexes)
    return Surface("map", told["board"], picture, np.array(told["plane_to_photo"]), cells, kinds)


def read(file: Path) -> Pixels:
    picture = cv2.imread(str(file))
    assert picture is not None, file
    return picture.astype(np.uint8)


def prepare(file: Path, surface: Surface, rng: np.random.Generator, vary: bool) -> dict[str, NDArray[Any]]:
    """One lesson. Positions are in pixels of the sight; `heard` is how far each cell counts.

    `tiles` (n, 4): place and the two companies, or company and wild card, of every tile; none where the wood has
    other colours than the companies' names say, for then print and wood have nothing in common.
    """
    told = json.loads(file.read_text())
    photo, plane = read(file.with_suffix(".jpg")), np.array(told["plane_to_photo"])
    if vary:
        photo, surface = by_other_phones(varied(photo, rng), surface, rng)
        plane = jittered(plane, photo.shape, rng)
    sight = with_white_by_home(Sight(photo, plane, surface, None))
    hidden, heard = hidden_and_heard(told, surface)
    spots, tiles = spots_and_tiles(told, sight)
    layers = common_layers(sight)
    colours = colours_of(sight, layers, spots)
    return {
        "layers": layers.astype(np.float16),
        "cell_of": sight.cell_of.astype(np.int16),
        "places": np.array(spots, np.float32).reshape(-1, 3),
        "tiles": np.array(tiles, np.float32).reshape(-1, 4),
        "hidden": hidden,
        "heard": heard.astype(np.float32),
        "colours": colours,
        "guess": first_guess(sight, layers, colours, heard),
    }


def hidden_and_heard(
    told: dict[str, Any], surface: Surface
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(cells,) each: the share of a cell that is hidden, and how far it counts."""
    index = {cell.id: i for i, cell in enumerate(surface.cells)}
    hidden = np.zeros(len(index), np.float32)
    for q, r, share in told["hidden"]:
        hidden[index[(q, r)]] = share
    heard = heard_of(hidden)
    heard[[index[tuple(at)] for at in told["unseen"]]] = 0
    return hidden, heard


def spots_and_tiles(
    told: dict[str, Any], sight: Sight
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Every piece as (kind, x, y), and every tile that is read as (x, y) with its two symbols."""
    kinds = {company: k for k, company in enumerate(COMPANIES)}
    kinds |= {"tile": len(COMPANIES), "spike": len(COMPANIES), "marker": len(COMPANIES) + 1}
    spots = [
        (kinds[look[0] if what == "train" else what], *to_px(sight, *at))
        for what, look, at, *_ in told["spots"]
    ]
    tiles = [
        (*to_px(sight, *at), *(SYMBOLS.index(name) for name in pair))
        for what, pair, at, *_ in told["spots"]
        if what == "tile" and told["named"]
    ]
    return spots, tiles


def to_px(sight: Sight, x: float, y: float) -> tuple[float, float]:
    px = sight.frame.to_px @ np.array([x, y, 1.0])
    return float(px[0]), float(px[1])


def colours_of(
    sight: Sight, layers: NDArray[np.float32], spots: list[tuple[Any, ...]]
) -> NDArray[np.float32]:
    """(kinds, 3): the colour of each kind in this photo, on the scale of the layers; NaN where none stands."""
    colours = np.full((len(COMPANIES), 3), np.nan, np.float32)
    changed = np.abs(layers[:3] - layers[3:6]).max(axis=0) > UNLIKE_PRINT
    for k in range(len(COMPANIES)):
        mask = np.zeros(changed.shape, np.uint8)
        for kind, px, py in spots:
            if kind == k and 0 <= py < mask.shape[0] and 0 <= px < mask.shape[1]:
                lean = layers[LEAN, int(py), int(px)] * TOP_MM
                cv2.circle(mask, (round(float(px + lean[0])), round(float(py + lean[1]))), TOP_PX, 1, -1)
        shown = colour_of(layers[:3, (mask > 0) & changed & sight.visible].T)
        if shown is not None:
            colours[k] = shown
    return colours


def first_guess(
    sight: Sight, layers: NDArray[np.float32], colours: NDArray[np.float32], heard: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The kinds' colours as the reader first gets them, from the home cells; from all tops where these are hidden."""
    cells, starts = (
        [cell.id for cell in sight.surface.cells],
        game.built_in().boards[sight.surface.board].starts,
    )
    guess = colours.copy()
    for k, company in enumerate(COMPANIES):
        home = cells.index(starts[company].at)
        shown = colour_at_home(layers, sight.cell_of == home, np.inf, colours[k])
        if shown is not None and heard[home] > 0.99:
            guess[k] = shown
    return guess


def jittered(
    plane: NDArray[np.float64], shape: tuple[int, ...], rng: np.random.Generator
) -> NDArray[np.float64]:
    """The homography as a registration finds it: corners up to about a pixel off."""
    height, width = shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    moved = corners + rng.normal(0, 0.6, corners.shape).astype(np.float32)
    found = cv2.getPerspectiveTransform(corners, moved).astype(np.float64)
    return np.asarray(found @ plane, np.float64)


def varied(photo: Pixels, rng: np.random.Generator) -> Pixels:
    """Another exposure, cast, haze, shadow, blur, noise and compression."""
    light: NDArray[Any] = (photo.astype(np.float32) / 255) ** 2.2
    light = light * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32) * np.exp(rng.normal(0, 0.2))
    for change in (haze, shadow):
        if rng.random() < 0.5:
            light = change(light, rng)
    codes: NDArray[Any] = np.clip(light, 0, 1) ** (1 / 2.2 * np.exp(rng.normal(0, 0.1))) * 255
    if rng.random() < 0.5:
        codes = cv2.GaussianBlur(codes, (0, 0), float(rng.uniform(0.3, 1.0)))
    if rng.random() < 0.2:
        codes = cv2.filter2D(codes, -1, streak(rng))
    codes += rng.normal(0, rng.choice([0.5, 2, 5]), codes.shape)
    done, data = cv2.imencode(
        ".jpg", np.clip(codes, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 95))]
    )
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def by_other_phones(photo: Pixels, surface: Surface, rng: np.random.Generator) -> tuple[Pixels, Surface]:
    """Photo and reference as another phone makes them, mostly the same one."""
    if rng.random() > OTHER_PHONE:
        return photo, surface
    phone = drawn(rng)
    before = drawn(rng) if rng.random() < TWO_PHONES else phone
    return phone.picture(photo), replace(surface, reference=before.picture(surface.reference))


def blobs(shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[NDArray[np.float32]]:
    """One to three soft spots with values from 0 to 1."""
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    for _ in range(rng.integers(1, 4)):
        cx, cy, size = rng.uniform(0, shape[1]), rng.uniform(0, shape[0]), rng.uniform(40, 220)
        stretch = np.exp(rng.normal(0, 0.4))
        yield np.exp(-(((x - cx) * stretch) ** 2 + (y - cy) ** 2) / (2 * size**2)).astype(np.float32)


def haze(light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Glare: light of the lamp's colour added in soft spots."""
    tint = np.exp(rng.normal(0, 0.15, 3)).astype(np.float32)
    for blob in blobs(light.shape, rng):
        light = light + blob[..., None] * tint * np.float32(rng.uniform(0.05, 0.5))
    return light


def shadow(light: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """A head's or an arm's shadow: a dark shape with a soft or a hard edge."""
    shape = np.zeros(light.shape[:2], np.float32)
    middle = rng.uniform(0, 1, 2) * light.shape[1::-1]
    corners = middle + rng.normal(0, 1, (rng.integers(3, 7), 2)) * rng.uniform(60, 260)
    cv2.fillConvexPoly(shape, cv2.convexHull(corners.astype(np.int32)), 1.0)
    soft = cv2.GaussianBlur(shape, (0, 0), float(np.exp(rng.uniform(0.3, 3.4))))[..., None]
    dark = np.exp(-rng.uniform(0.2, 1.2) + rng.normal(0, 0.06, 3)).astype(np.float32)
    return light * (1 - soft + soft * dark)


def streak(rng: np.random.Generator) -> NDArray[np.float32]:
    """The kernel of a hand that moved."""
    kernel, way, length = np.zeros((7, 7), np.float32), rng.uniform(0, np.pi), rng.uniform(1.5, 4)
    for t in np.linspace(-length / 2, length / 2, 25):
        kernel[round(3 + t * np.sin(way)), round(3 + t * np.cos(way))] += 1
    streak: NDArray[np.float32] = kernel / kernel.sum()
    return streak


if __name__ == "__main__":
    main()
