"""Teaches the network and writes it as ONNX.

python -m vision.training.train LESSONS OUT.onnx [--minutes 60] [--keep-out 3 7]

Needs PyTorch and onnx, which masinfira itself does not. Lessons of the tables in `--keep-out` (by the end of
their number) are only for the figures printed on the way. Lessons may still be added while it runs.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader

from .crops import KEPT_OUT, KINDS, PIECES, Crops, lessons, load, table_digit, taught, whole
from .export import export
from .model import Reader, widened
from .restore import restored

BATCH = 6
REMEMBERED = 0.996
"""Of the mean of the weights at each step."""
LOOKED_AT = 250
"""After so many steps the weights are looked at and stored."""
NEW_FASTER = 8
"""So many times the rate of what was taught before."""
COUNTS = (0.1, 20.0, 5.0, 20.0)
"""What the parts of the loss count: the first is a sum over a whole crop, the others are means over cells."""
HIDDEN, SYMBOLS = PIECES, slice(PIECES + 1, PIECES + 2 + KINDS)
"""The outputs are the pieces, then what is hidden, then the symbols printed on a card: one like each kind, and the
wild card."""


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


def loss_of(z: Tensor, batch: list[dict[str, Tensor]]) -> Tensor:
    """(4,): where pieces stand (penalty-reduced focal loss, Law & Deng 2018), what each cell holds, what is hidden,
    what is printed on the cards."""
    heat, cell, cover, print_ = torch.zeros(()), torch.zeros(()), torch.zeros(()), torch.zeros(())
    total = sum(float(b["counts"].sum()) for b in batch) + 1
    for one, b in zip(z, batch, strict=True):
        truth, p = b["heat"], one[:PIECES].sigmoid().clamp(1e-5, 1 - 1e-5)
        counts = torch.where(b["cell"] >= 0, b["counts"][b["cell"].clamp(min=0)], 1.0)
        at = (truth > 0.95).float()
        focal = at * (1 - p) ** 2 * p.log() + (1 - at) * (1 - truth) ** 4 * p**2 * (1 - p).log()
        heat = heat - (focal * counts).sum()
        odds = cell_odds(one, b["cell"], len(b["counts"]))
        cell = cell + (off(odds[:, :PIECES], b["there"]).sum(1) * b["counts"]).sum()
        cards = b["counts"] * (b["symbols"].sum(1) > 0)
        print_ = print_ + (off(odds[:, SYMBOLS], b["symbols"]).sum(1) * cards).sum()
        known = b["hidden"] >= 0
        share = hidden_share(one[HIDDEN], b["cell"], len(b["counts"]))[known]
        cover = cover + functional.binary_cross_entropy(share, b["hidden"][known], reduction="sum")
    parts = torch.stack([heat / len(batch), cell / total, cover / total, print_ / total])
    return parts * torch.tensor(COUNTS)


def off(odds: Tensor, truth: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(odds, truth, reduction="none")


def figures(model: Reader, files: list[Path]) -> dict[str, Any]:
    """Wrong readings of each kind, card and marker on whole boards, per cent; shares of markers and pairs missed."""
    model.eval()
    wrong, markers, pairs = np.zeros(PIECES), [0.0, 1e-9], [0.0, 1e-9]
    readings, loss = 0.0, 0.0
    with torch.no_grad():
        for file in files:
            b = whole(load(file))
            odds = cell_odds(model.odds([b])[0], b["cell"], len(b["counts"]))
            sure = b["counts"] > 0.99
            errors = ((odds[:, :PIECES] > 0) != (b["there"] > 0.5))[sure]
            wrong += errors.sum(0).numpy()
            readings += float(sure.sum())
            loss += float(off(odds[:, :KINDS], b["there"][:, :KINDS])[sure].sum())
            marked = b["there"][sure, KINDS + 1] > 0.5
            markers += np.array([float(errors[marked, KINDS + 1].sum()), float(marked.sum())])
            cards = sure & (b["symbols"].sum(1) > 0)
            misread = ((odds[:, SYMBOLS] > 0) != (b["symbols"] > 0.5))[cards].any(1)
            pairs += np.array([float(misread.sum()), float(cards.sum())])
    model.train()
    told = {"markers": markers[0] / markers[1], "pairs": pairs[0] / pairs[1], "nll": loss / readings / KINDS}
    return {"error": np.round(100 * wrong / readings, 2)} | {name: round(v, 4) for name, v in told.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--keep-out", nargs="*", default=KEPT_OUT, help="last digits of the tables kept out")
    parser.add_argument("--start", type=Path, help="what to go on from, .pt or .onnx, as wide or narrower")
    parser.add_argument("--rate", type=float, default=3e-3, help="with --start rather 1e-4")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--small", action="store_true", help="the narrower network, for reader_small.onnx")
    wanted = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(wanted.threads)
    model = (Reader(24, 48) if wanted.small else Reader()).to(memory_format=torch.channels_last)
    if wanted.start:
        widened(model, weights_of(wanted.start, taught(wanted.lessons, wanted.keep_out)))
    model = teach(model, wanted)
    print("at last", figures(model, kept_out(wanted)))
    export(model, taught(wanted.lessons, wanted.keep_out), wanted.out)


def weights_of(file: Path, files: list[Path]) -> dict[str, Tensor]:
    """The weights in a file of PyTorch's, or in a network that was shipped."""
    return restored(file, files).state_dict() if file.suffix == ".onnx" else torch.load(file)


def kept_out(wanted: argparse.Namespace) -> list[Path]:
    """The lessons, as photographed, of the tables that teach nothing."""
    every = lessons(wanted.lessons)
    return [file for file in every if table_digit(file) in wanted.keep_out and file.stem.endswith("-0")]


def _at_rates(model: Reader, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """The weights, in groups with their rates: what hears of rivals is new where the rest is not, and learns faster."""
    new = [*model.rival.parameters()]
    old = [weight for name, weight in model.named_parameters() if not name.startswith("rival")]
    return [
        {"params": old, "rate": wanted.rate},
        {"params": new, "rate": wanted.rate * (NEW_FASTER if wanted.start else 1)},
    ]


def _steady(model: Reader) -> None:
    """Keep what the normalisations measured: measured anew on fewer tables, it makes the network worse on others."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()


def teach(model: Reader, wanted: argparse.Namespace) -> Reader:
    """Steps until the time is over, the rate falling; every `LOOKED_AT` steps the weights are stored.

    Returns the mean of the weights of the last steps, which errs less than the last ones (Polyak & Juditsky 1992).
    """
    optimizer = torch.optim.AdamW(_at_rates(model, wanted), weight_decay=1e-4)
    mean = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(REMEMBERED), use_buffers=True)
    if wanted.start:
        _steady(model)
    begin, sums = time.time(), torch.zeros(4)
    for step, batch in enumerate(_batches(wanted)):
        share = (time.time() - begin) / 60 / wanted.minutes
        _let_fall(optimizer, step, share)
        sums += _learnt(model, batch, optimizer)
        mean.update_parameters(model)
        if step % LOOKED_AT == LOOKED_AT - 1 or share >= 1:
            loss, told = (sums / (step % LOOKED_AT + 1)).numpy().round(2), _stored(mean.module, wanted)
            print(f"{step + 1} {share * wanted.minutes:.1f} min, loss {loss}, {told}", flush=True)
            sums[:] = 0
        if share >= 1:
            break
    return mean.module


def _batches(wanted: argparse.Namespace) -> DataLoader[Any]:
    crops = Crops(wanted.lessons, wanted.keep_out)
    return DataLoader(crops, BATCH, num_workers=1, prefetch_factor=4, collate_fn=list)


def _let_fall(optimizer: torch.optim.Optimizer, step: int, share: float) -> None:
    """Set the rates for a step when this share of the time is over: they rise for 100 steps, then fall by a cosine."""
    falling = min(1, step / 100 + 0.05) * (0.5 + 0.5 * np.cos(np.pi * min(1, share)))
    for group in optimizer.param_groups:
        group["lr"] = group["rate"] * falling + 1e-5


def _learnt(model: Reader, batch: list[dict[str, Tensor]], optimizer: torch.optim.Optimizer) -> Tensor:
    """Take one step, and tell the parts of the loss before it, (4,)."""
    # Half the digits are enough for learning, and twice as fast.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = model.odds(batch)
    parts = loss_of(z, batch)
    optimizer.zero_grad()
    parts.sum().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    return parts.detach()


def _stored(model: Reader, wanted: argparse.Namespace) -> dict[str, Any]:
    """Store the weights, and tell how well they read some of the lessons kept out."""
    told = figures(model, kept_out(wanted)[::3][:16])
    torch.save(model.state_dict(), wanted.out.with_suffix(".pt"))
    return told


if __name__ == "__main__":
    main()
