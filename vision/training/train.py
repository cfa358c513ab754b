"""Teaches the network and writes it as ONNX.

python -m vision.training.train LESSONS OUT.onnx [--minutes 60] [--keep-out 12]

Needs PyTorch and onnx, which masinfira itself does not. Lessons of the tables in `--keep-out` (by the end of
their number) are only for the figures printed on the way.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.network import kind_layers

KINDS, COMMON, CROP, GRID = 4, 9, 256, 4
OUTPUTS = KINDS + 3
"""The kinds, then card, marker, hidden."""
ABSENT = 9.0


class Block(nn.Module):
    """A residual step that sees `reach` cells of its grid further."""

    def __init__(self, width: int, reach: int) -> None:
        super().__init__()
        self.step = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=reach, dilation=reach, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )

    def forward(self, x: Tensor) -> Tensor:
        return x + self.step(x)


class Reader(nn.Module):
    """Layers at 1 mm → log odds at 4 mm: for each kind that a piece of it stands there; card, marker, hidden.

    One branch sees the photo and the print. The other sees them too, and one kind's layers, and has the same
    weights for every kind.
    """

    def __init__(self, fine: int = 16, wide: int = 32) -> None:
        super().__init__()
        self.see, self.print = unit(COMMON, fine, 5, 2), nn.Conv2d(COMMON, fine, 5, 2, 2, bias=False)
        self.kind = nn.Conv2d(3, fine, 5, 2, 2, bias=False)
        self.start = nn.Sequential(nn.BatchNorm2d(fine), nn.ReLU())
        self.down, self.down_kind = unit(fine, wide, 3, 2), unit(fine, wide, 3, 2)
        self.body = nn.Sequential(*(Block(wide, reach) for reach in (1, 2, 4)))
        self.hint = nn.Conv2d(wide, wide, 1)
        self.body_kind = nn.Sequential(*(Block(wide, reach) for reach in (1, 2, 1, 3, 1, 1)))
        self.end, self.end_kind = nn.Conv2d(wide, 3, 1), nn.Conv2d(wide, 1, 1)
        for end in (self.end, self.end_kind):
            assert end.bias is not None
            nn.init.constant_(end.bias, -7.0)

    def forward(self, common: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """`common` (batch, 9, h, w), `kinds` (batch · kinds, 3, h, w) → (batch · kinds, 1, h/4, w/4), (batch, 3, …)."""

        def for_each(x: Tensor) -> Tensor:
            if common.shape[0] == 1:
                return x.expand(kinds.shape[0], -1, -1, -1)
            return x.repeat_interleave(kinds.shape[0] // common.shape[0], 0)

        coarse = self.body(self.down(self.see(common)))
        fine = self.start(self.kind(kinds) + for_each(self.print(common)))
        coarse_kind = self.body_kind(self.down_kind(fine) + for_each(self.hint(coarse)))
        return self.end_kind(coarse_kind), self.end(coarse)

    def odds(self, batch: list[dict[str, Tensor]]) -> Tensor:
        """(batch, kinds + 3, h, w) of crops."""
        of_kinds, rest = self(
            torch.stack([b["common"] for b in batch]), torch.cat([b["kinds"] for b in batch])
        )
        return torch.cat([of_kinds.view(len(batch), KINDS, *of_kinds.shape[2:]), rest], 1)


def unit(before: int, after: int, size: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, size, stride, size // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()
    )


Lesson = dict[str, np.ndarray]


def crop(lesson: Lesson, rng: np.random.Generator, whole: bool = False) -> dict[str, Tensor]:
    """A turned or mirrored piece of a lesson with the kinds in any order and their colours a little off."""
    layers, cell_of = lesson["layers"].astype(np.float32), lesson["cell_of"].astype(np.int64)
    places = lesson["places"].copy()
    height, width = cell_of.shape
    if whole:
        top = left = 0
        tall, wide = height // 8 * 8, width // 8 * 8
    else:
        tall = wide = CROP
        top, left = rng.integers(0, height - tall + 1), rng.integers(0, width - wide + 1)
    layers, cell_of = (
        layers[:, top : top + tall, left : left + wide].copy(),
        cell_of[top : top + tall, left : left + wide],
    )
    places[:, 1:] -= (left, top)
    lesson = {**lesson, "hidden": lesson["hidden"].copy(), "heard": lesson["heard"].copy()}
    if not whole and rng.random() < 0.3:
        places = covered(layers, cell_of, places, lesson, rng)
    order = rng.permutation(KINDS) if not whole else np.arange(KINDS)
    colours = guessed(lesson["colours"], rng, whole)[order]
    places[:, 0] = np.array([*np.argsort(order), KINDS, KINDS + 1])[places[:, 0].astype(int)]
    if not whole and rng.random() < 0.12:
        # A piece of a kind that nobody asked for is none.
        other = int(rng.integers(KINDS))
        places, colours[other] = places[places[:, 0] != other], ABSENT
    if not whole:
        layers, colours = recoloured(layers, colours, rng)
    x = np.concatenate([layers, kind_layers(layers[:3], colours).reshape(-1, tall, wide)])
    heat = heat_map(places, tall, wide)
    if not whole:
        x, cell_of, heat = turned(x, cell_of, heat, int(rng.integers(8)))
    inner = cell_of[GRID // 2 :: GRID, GRID // 2 :: GRID]
    return {
        "common": torch.from_numpy(np.ascontiguousarray(x[:COMMON])),
        "kinds": torch.from_numpy(np.ascontiguousarray(x[COMMON:])).view(KINDS, 3, *x.shape[1:]),
        "heat": torch.from_numpy(np.ascontiguousarray(heat)),
        "cell": torch.from_numpy(np.ascontiguousarray(inner)),
        **cells(
            lesson,
            places,
            cell_of,
            (tall, wide),
            lesson["cell_of"][top : top + tall, left : left + wide],
        ),
    }


def covered(
    layers: np.ndarray, cell_of: np.ndarray, places: np.ndarray, lesson: Lesson, rng: np.random.Generator
) -> np.ndarray:
    """Lay something big of any colour on the board, as hands, mugs, phones and cards do; returns what is left."""
    size = cell_of.shape
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
    whole = np.bincount(lesson["cell_of"][lesson["cell_of"] >= 0], minlength=count)
    share = np.bincount(cell_of[inside], mask[inside], count) / np.maximum(whole, 1)
    lesson["hidden"][:] = 1 - (1 - lesson["hidden"]) * (1 - share)
    lesson["heard"][:] = np.minimum(lesson["heard"], np.clip((0.3 - lesson["hidden"]) / 0.25, 0, 1))
    x, y = (np.clip(places[:, n].astype(int), 0, size[2 - n] - 1) for n in (1, 2))
    return places[mask[y, x] == 0]


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


def guessed(colours: np.ndarray, rng: np.random.Generator, exact: bool) -> np.ndarray:
    """The kinds' colours as a profile or a first look at the photo has them."""
    middle = np.where(np.isnan(colours).any(1, keepdims=True), rng.uniform(-2, 0.5, (KINDS, 3)), colours)
    if exact:
        return np.nan_to_num(colours, nan=0.0).astype(np.float32)
    far = rng.choice([0.0, 0.3, 0.6, 1.0])
    same_way = rng.normal(0, 0.3, (1, 3))
    off = (rng.normal(0, 1, (KINDS, 3)) * (0.35, 0.25, 0.3) + same_way) * far
    return np.asarray(middle + off, np.float32)


def heat_map(places: np.ndarray, tall: int, wide: int) -> np.ndarray:
    """(KINDS + 2, …) on the output's grid: 1 where a piece stands, falling off within a few mm."""
    heat = np.zeros((KINDS + 2, tall // GRID, wide // GRID), np.float32)
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
    """One of the eight symmetries of a square; the lean (layers 7 and 8) turns along."""
    turns, mirror = way % 4, way // 4
    x, cell_of, heat = (np.rot90(a, turns, (-2, -1)) for a in (x, cell_of, heat))
    x = x.copy()
    for _ in range(turns):
        x[7], x[8] = x[8].copy(), -x[7]
    if mirror:
        x, cell_of, heat = (a[..., ::-1] for a in (x, cell_of, heat))
        x = x.copy()
        x[7] *= -1
    return x, cell_of, heat


def cells(
    lesson: Lesson,
    places: np.ndarray,
    cell_of: np.ndarray,
    size: tuple[int, int],
    straight: np.ndarray,
) -> dict[str, Tensor]:
    """What stands in each cell, and which cells count: those wholly inside the crop and seen."""
    count = len(lesson["heard"])
    there = np.zeros((count, KINDS + 2), np.float32)
    for kind, px, py in places:
        if 0 <= px < size[1] and 0 <= py < size[0]:
            cell = straight[int(py), int(px)]
            if cell >= 0:
                there[cell, int(kind)] = 1
    whole = np.bincount(lesson["cell_of"][lesson["cell_of"] >= 0], minlength=count)
    inside = np.bincount(cell_of[cell_of >= 0], minlength=count)
    counts = lesson["heard"] * (inside > 0.97 * whole)
    return {
        "there": torch.from_numpy(there),
        "counts": torch.from_numpy(counts.astype(np.float32)),
        "hidden": torch.from_numpy(np.where(inside > 0.97 * whole, lesson["hidden"], -1).astype(np.float32)),
    }


def cell_odds(z: Tensor, cell: Tensor, count: int) -> Tensor:
    """(cells, …): the log of the summed odds in each cell; `z` (channels, h, w), `cell` (h, w)."""
    flat = z.flatten(1).clamp(max=30).T
    index = cell.flatten()
    keep = index >= 0
    total = torch.zeros(count, flat.shape[1]).index_add(0, index[keep], flat[keep].exp())
    return (total + 1e-6).log()


def hidden_share(z: Tensor, cell: Tensor, count: int) -> Tensor:
    index = cell.flatten()
    keep = index >= 0
    total = torch.zeros(count).index_add(0, index[keep], z.flatten()[keep].sigmoid())
    size = torch.zeros(count).index_add(0, index[keep], torch.ones(int(keep.sum())))
    return (total / size.clamp(min=1)).clamp(1e-4, 1 - 1e-4)


def loss_of(z: Tensor, batch: list[dict[str, Tensor]]) -> tuple[Tensor, Tensor, Tensor]:
    """Where pieces stand (penalty-reduced focal loss, Law & Deng 2018), what each cell holds, what is hidden."""
    heat, cell, cover = torch.zeros(()), torch.zeros(()), torch.zeros(())
    total = sum(float(b["counts"].sum()) for b in batch) + 1
    for one, b in zip(z, batch, strict=True):
        truth, p = b["heat"], one[:-1].sigmoid().clamp(1e-5, 1 - 1e-5)
        counts = torch.where(b["cell"] >= 0, b["counts"][b["cell"].clamp(min=0)], 1.0)
        at = (truth > 0.95).float()
        focal = at * (1 - p) ** 2 * p.log() + (1 - at) * (1 - truth) ** 4 * p**2 * (1 - p).log()
        heat = heat - (focal * counts).sum() / 60
        odds = cell_odds(one[:-1], b["cell"], len(b["counts"]))
        off = functional.binary_cross_entropy_with_logits(odds, b["there"], reduction="none")
        cell = cell + (off.sum(1) * b["counts"]).sum()
        known = b["hidden"] >= 0
        share = hidden_share(one[-1], b["cell"], len(b["counts"]))[known]
        cover = cover + functional.binary_cross_entropy(share, b["hidden"][known], reduction="sum")
    return heat / len(batch) * 6, cell / total * 20, cover / total * 5


def load(folder: Path, known: dict[str, Lesson]) -> None:
    for file in sorted(folder.glob("*.npz")):
        if file.name not in known:
            try:
                with np.load(file) as stored:
                    known[file.name] = {key: stored[key] for key in stored.files}
            except Exception:  # still being written
                continue


def figures(model: Reader, lessons: list[Lesson]) -> dict[str, Any]:
    """Wrong readings per reading on whole boards, and the loss of the odds."""
    model.eval()
    wrong = np.zeros(KINDS + 2)
    readings, loss = 0.0, 0.0
    with torch.no_grad():
        for lesson in lessons:
            b = crop(lesson, np.random.default_rng(0), whole=True)
            odds = cell_odds(model.odds([b])[0][:-1], b["cell"], len(b["counts"]))
            sure = b["counts"] > 0.99
            wrong += ((odds > 0) != (b["there"] > 0.5))[sure].sum(0).numpy()
            readings += float(sure.sum())
            loss += float(
                functional.binary_cross_entropy_with_logits(odds, b["there"], reduction="none")[
                    sure, :4
                ].sum()
            )
    model.train()
    return {"error": 100 * wrong / readings, "nll": loss / readings / 4}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument(
        "--keep-out", nargs="*", default=["3", "7"], help="last digits of the tables kept out"
    )
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=2)
    wanted = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(wanted.threads)
    model, rng = Reader(), np.random.default_rng(1)
    if wanted.start:
        model.load_state_dict(torch.load(wanted.start))
    best = torch.optim.AdamW(model.parameters(), wanted.rate, weight_decay=1e-4)
    known: dict[str, Lesson] = {}
    begin, step, sums = time.time(), 0, np.zeros(3)
    while (share := (time.time() - begin) / 60 / wanted.minutes) < 1:
        if step % 100 == 0:
            load(wanted.lessons, known)
            names = list(known)
            kept = [n for n in names if n.split("-")[1][-1] in wanted.keep_out and n.endswith("-0.npz")]
            taught = [n for n in names if n.split("-")[1][-1] not in wanted.keep_out]
            if step:
                print(f"{step} {(time.time() - begin) / 60:.1f} min, {len(taught)} lessons, loss {sums / 100}, "
                      f"{figures(model, [known[n] for n in kept[:12]])}", flush=True)  # fmt: skip
                torch.save(model.state_dict(), wanted.out.with_suffix(".pt"))
            sums[:] = 0
        for group in best.param_groups:
            group["lr"] = wanted.rate * min(1, step / 100 + 0.05) * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-5
        batch = [crop(known[random.choice(taught)], rng) for _ in range(6)]
        z = model.odds(batch)
        parts = loss_of(z, batch)
        best.zero_grad()
        torch.stack(parts).sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        best.step()
        sums += [float(p.detach()) for p in parts]
        step += 1
    torch.save(model.state_dict(), wanted.out.with_suffix(".pt"))
    print("at last", figures(model, [known[n] for n in kept]))
    export(model, wanted.out)


def export(model: Reader, out: Path) -> None:
    model.eval()
    layers = torch.zeros(1, COMMON, 544, 788), torch.zeros(KINDS, 3, 544, 788)
    names = {"input_names": ["common", "kinds"], "output_names": ["of_kinds", "rest"]}
    axes = {"common": {2: "height", 3: "width"}, "kinds": {0: "count", 2: "height", 3: "width"}}
    axes |= {"of_kinds": {0: "count", 2: "tall", 3: "wide"}, "rest": {2: "tall", 3: "wide"}}
    torch.onnx.export(model, layers, str(out), dynamo=False, dynamic_axes=axes, **names)


if __name__ == "__main__":
    main()
