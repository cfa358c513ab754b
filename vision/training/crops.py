"""Lessons → examples: turned, mirrored, recoloured and covered crops, and what the network should say of them."""

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset

from vision.cells.colours import LEAN
from vision.cells.network import kind_layers

KINDS, COMMON, CROP, GRID = 4, 9, 256, 4
PIECES = KINDS + 2
"""What may stand somewhere: the kinds, a card, a marker."""
ABSENT = 9.0
CROWD = 5
"""So many pieces make a crop worth showing."""
# Reading a lesson takes longer than cropping it: so many crops of each, mixed among so many of others.
FROM_EACH, MIXED = 3, 60
# After so many lessons it is looked which there are now.
LISTED = 60
KEPT_OUT = ["7"]
"""The tables whose number ends in one of these teach nothing, unless told otherwise."""

Lesson = dict[str, np.ndarray]


def crop(lesson: Lesson, rng: np.random.Generator) -> dict[str, Tensor]:
    """A turned or mirrored piece of a lesson with the kinds in any order and their colours a little off."""
    height, width = lesson["cell_of"].shape
    top, left = rng.integers(0, height - CROP + 1), rng.integers(0, width - CROP + 1)
    window = np.s_[..., top : top + CROP, left : left + CROP]
    layers = lesson["layers"][window].astype(np.float32)
    lesson = lesson | {name: lesson[name].copy() for name in ("places", "tiles", "hidden", "heard")}
    lesson["places"][:, 1:] -= (left, top)
    lesson["tiles"][:, :2] -= (left, top)
    if rng.random() < 0.3:
        lesson["places"] = covered(layers, lesson["cell_of"][window], lesson, rng)
    order = rng.permutation(KINDS)
    new = np.array([*np.argsort(order), *range(KINDS, PIECES)])
    lesson["places"][:, 0] = new[lesson["places"][:, 0].astype(int)]
    lesson["tiles"][:, 2:] = new[lesson["tiles"][:, 2:].astype(int)]
    colours = guessed(lesson["guess" if rng.random() < 0.5 else "colours"], rng)[order]
    if rng.random() < 0.12:
        # A piece of a kind that nobody asked for is none.
        other = int(rng.integers(KINDS))
        colours[other], places = ABSENT, lesson["places"]
        lesson["places"] = places[places[:, 0] != other]
        lesson["tiles"] = lesson["tiles"][(lesson["tiles"][:, 2:] != other).all(axis=1)]
    layers, colours = recoloured(layers, colours, rng)
    return example(layers, colours, lesson, lesson["cell_of"][window], int(rng.integers(8)))


def crowded(lesson: Lesson, rng: np.random.Generator) -> dict[str, Tensor]:
    """A crop with some pieces in it, if two tries find one: much of a board is bare."""
    tries = [crop(lesson, rng)]
    if _pieces_in(tries[0]) < CROWD:
        tries.append(crop(lesson, rng))
    return max(tries, key=_pieces_in)


def _pieces_in(shown: dict[str, Tensor]) -> float:
    return float((shown["there"].sum(1) * shown["counts"]).sum())


def whole(lesson: Lesson) -> dict[str, Tensor]:
    """A whole lesson as it is."""
    height, width = (size // 8 * 8 for size in lesson["cell_of"].shape)
    layers, cell_of = lesson["layers"][:, :height, :width], lesson["cell_of"][:height, :width]
    return example(layers.astype(np.float32), np.nan_to_num(lesson["guess"]), lesson, cell_of, 0)


def example(
    layers: np.ndarray, colours: np.ndarray, lesson: Lesson, cell_of: np.ndarray, way: int
) -> dict[str, Tensor]:
    """What the network is shown and what it should say, turned one `way` of eight."""
    tall, wide = cell_of.shape
    x = np.concatenate([layers, kind_layers(layers[:3], colours).reshape(-1, tall, wide)])
    truth = cells(lesson, cell_of)
    x, cell_of, heat = turned(x, cell_of, heat_map(lesson["places"], tall, wide), way)
    inner = cell_of[GRID // 2 :: GRID, GRID // 2 :: GRID].astype(np.int64)
    shown = {
        "common": x[:COMMON],
        "kinds": x[COMMON:].reshape(KINDS, 3, *x.shape[1:]),
        "heat": heat,
        "cell": inner,
    }
    return {name: torch.from_numpy(np.ascontiguousarray(a)) for name, a in {**shown, **truth}.items()}


def covered(layers: np.ndarray, cell_of: np.ndarray, lesson: Lesson, rng: np.random.Generator) -> np.ndarray:
    """Lay something big of any colour on the board, as hands, mugs, phones and cards do; returns the places left."""
    size, places = cell_of.shape, lesson["places"]
    mask = np.zeros(size, np.uint8)
    middle = rng.uniform(0, 1, 2) * size[::-1]
    corners = middle + rng.normal(0, 1, (int(rng.integers(3, 9)), 2)) * rng.uniform(22, 70)
    outline = cv2.convexHull(corners.astype(np.int32))
    if rng.random() < 0.5:
        cv2.fillConvexPoly(mask, outline, 1)
    else:
        cv2.line(
            mask, outline[0, 0].tolist(), outline[len(outline) // 2, 0].tolist(), 1, int(rng.integers(40, 80))
        )
    wave = cv2.resize(rng.normal(0, 1, (7, 7, 3)), size[::-1], interpolation=cv2.INTER_CUBIC)
    skin = rng.normal(0, 1, 3) * (1.2, 0.8, 0.9) + (-1.6, 0.6, -0.8)
    texture = skin + wave * rng.uniform(0.05, 0.8) + rng.normal(0, rng.uniform(0.03, 0.3), (*size, 3))
    edge = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.7)
    layers[:3] += (np.moveaxis(texture, -1, 0) - layers[:3]) * edge
    inside = cell_of >= 0
    count = len(lesson["hidden"])
    every = np.bincount(lesson["cell_of"][lesson["cell_of"] >= 0], minlength=count)
    share = np.bincount(cell_of[inside], mask[inside], count) / np.maximum(every, 1)
    lesson["hidden"][:] = 1 - (1 - lesson["hidden"]) * (1 - share)
    lesson["heard"][:] = np.minimum(lesson["heard"], heard_of(lesson["hidden"]))
    x, y = (np.clip(places[:, n].astype(int), 0, size[2 - n] - 1) for n in (1, 2))
    return places[mask[y, x] == 0]


def heard_of(hidden: np.ndarray) -> np.ndarray:
    """How far cells count of which these shares are hidden: all from a twentieth down, none from three tenths up."""
    return np.clip((0.3 - hidden) / 0.25, 0, 1)


def recoloured(
    layers: np.ndarray, colours: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The same table in other colours: chroma turned, mirrored and stretched, lightness stretched.

    Shadow still changes lightness far more than chroma, so lightness takes a little of chroma but gives none.
    """
    way, mirror = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
    stretch = np.exp(rng.normal(0, 0.2, 3))
    change = np.array(
        [
            [stretch[0], *rng.normal(0, 0.12, 2)],
            [0, stretch[1] * np.cos(way), -stretch[1] * np.sin(way) * mirror],
            [0, stretch[2] * np.sin(way), stretch[2] * np.cos(way) * mirror],
        ],
        np.float32,
    )
    changed = layers.copy()
    for start in (0, 3):
        changed[start : start + 3] = np.einsum("ab,bhw->ahw", change, layers[start : start + 3])
    return changed, np.where(np.abs(colours) >= ABSENT, ABSENT, colours @ change.T)


def guessed(colours: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The kinds' colours as a profile or a first look at the photo has them."""
    middle = np.where(np.isnan(colours).any(1, keepdims=True), rng.uniform(-2, 0.5, (KINDS, 3)), colours)
    far = rng.choice([0.0, 0.2, 0.4, 0.8])
    same_way = rng.normal(0, 0.3, (1, 3))
    off = (rng.normal(0, 1, (KINDS, 3)) * (0.35, 0.25, 0.3) + same_way) * far
    return np.asarray(middle + off, np.float32)


def heat_map(places: np.ndarray, tall: int, wide: int) -> np.ndarray:
    """(PIECES, …) on the output's grid: 1 where a piece stands, falling off within a few mm."""
    heat = np.zeros((PIECES, tall // GRID, wide // GRID), np.float32)
    y, x = np.mgrid[: tall // GRID, : wide // GRID].astype(np.float32) * GRID + (GRID - 1) / 2
    for kind, px, py in places:
        if -8 < px < wide + 8 and -8 < py < tall + 8:
            x0, y0 = max(0, int(px) // GRID - 4), max(0, int(py) // GRID - 4)
            window = np.s_[y0 : y0 + 9, x0 : x0 + 9]
            spot = np.exp(-((x[window] - px) ** 2 + (y[window] - py) ** 2) / (2 * 2.5**2))
            heat[int(kind)][window] = np.maximum(heat[int(kind)][window], 0.9 * spot)
            if 0 <= px < wide and 0 <= py < tall:
                heat[
                    int(kind),
                    min(int(py) // GRID, heat.shape[1] - 1),
                    min(int(px) // GRID, heat.shape[2] - 1),
                ] = 1
    return heat


def turned(x: np.ndarray, cell_of: np.ndarray, heat: np.ndarray, way: int) -> tuple[np.ndarray, ...]:
    """One of the eight symmetries of a square; the lean turns along."""
    across, along = range(COMMON)[LEAN]
    turns, mirror = way % 4, way // 4
    x, cell_of, heat = (np.rot90(a, turns, (-2, -1)) for a in (x, cell_of, heat))
    x = x.copy()
    for _ in range(turns):
        x[across], x[along] = x[along].copy(), -x[across]
    if mirror:
        x, cell_of, heat = (a[..., ::-1] for a in (x, cell_of, heat))
        x = x.copy()
        x[across] *= -1
    return x, cell_of, heat


def cells(lesson: Lesson, cell_of: np.ndarray) -> dict[str, np.ndarray]:
    """What stands in each cell, what its card shows, and how far they count: cells wholly inside `cell_of` and seen."""
    count, (tall, wide) = len(lesson["heard"]), cell_of.shape
    there, symbols = np.zeros((count, PIECES), np.float32), np.zeros((count, KINDS + 1), np.float32)

    def cell_at(px: float, py: float) -> int:
        return int(cell_of[int(py), int(px)]) if 0 <= px < wide and 0 <= py < tall else -1

    for kind, px, py in lesson["places"]:
        if (cell := cell_at(px, py)) >= 0:
            there[cell, int(kind)] = 1
    for px, py, *pair in lesson["tiles"]:
        if (cell := cell_at(px, py)) >= 0:
            symbols[cell, [int(name) for name in pair]] = there[cell, KINDS]
    every = np.bincount(lesson["cell_of"][lesson["cell_of"] >= 0], minlength=count)
    inside = np.bincount(cell_of[cell_of >= 0], minlength=count) > 0.97 * every
    return {
        "there": there,
        "symbols": symbols,
        "counts": (lesson["heard"] * inside).astype(np.float32),
        "hidden": np.where(inside, lesson["hidden"], -1).astype(np.float32),
    }


class Crops(IterableDataset[dict[str, Tensor]]):
    """Crops of lessons by lot, without end; `kept_out` are last digits of tables that teach nothing."""

    def __init__(self, folder: Path, kept_out: list[str]) -> None:
        self.folder, self.kept_out = folder, kept_out

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        rng, waiting = np.random.default_rng(time.time_ns()), list[dict[str, Tensor]]()
        while True:
            for file in rng.choice(np.array(taught(self.folder, self.kept_out)), LISTED):
                lesson = load(file)
                waiting += [crowded(lesson, rng) for _ in range(FROM_EACH)]
                while len(waiting) > MIXED:
                    yield waiting.pop(int(rng.integers(len(waiting))))


def lessons(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.npz"))


def taught(folder: Path, kept_out: list[str]) -> list[Path]:
    """The lessons of tables whose number does not end in one of the digits `kept_out`."""
    return [file for file in lessons(folder) if table_digit(file) not in kept_out]


def table_digit(file: Path) -> str:
    return file.name.split("-")[1][-1]


def load(file: Path) -> Lesson:
    with np.load(file) as stored:
        return {key: stored[key] for key in stored.files}
