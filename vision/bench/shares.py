"""How well share tiles in front of a player are read: the figure `shares` of the bench.

A table's folder holds `shares_tiles.jpg`, a tile of each company, with `shares_points.json`, and photos whose truth
has `shares`: by seat, how many of each company.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration import SHARE_TILES, Profile, calibrate_shares, load_photo, read_share_points
from engine.sentences import Problem

from ..figure import Figure
from ..samples import from_disk, read_truth
from ..scan import Progress
from ..table import scan_table
from .counting import one_by_one

Truth = dict[str, Any]


@dataclass(frozen=True)
class Count:
    """The shares of one company in front of one player: how many there are and were read, and whether that is asked."""

    photo: str
    name: str
    true: int
    read: int
    asked: bool

    @property
    def silent(self) -> bool:
        """Whether it is wrong and nobody is asked."""
        return self.read != self.true and not self.asked


def bench_shares(samples: Path, progress: Progress | None = None) -> dict[str, Any]:
    """Share tiles read right, of all there are or were claimed, over the photos of share tiles below `samples`.

    Keys: `share_photos`, `shares`, `share_silent` (counts of a company's shares that are wrong and not asked about,
    of all) and `share_doubts` (per photo), for tables that are held out also under `shares_held_out`. Without such
    photos `share_photos` is 0 and the rest is missing.
    """
    photos = find_shares(samples)
    counts: dict[bool, list[Count]] = {False: [], True: []}
    for photo, truth in one_by_one(photos, progress):
        counts[bool(truth["conditions"]["held_out"])] += counted(photo, truth)
    everything = _figures([*counts[False], *counts[True]])
    return everything | ({"shares_held_out": _figures(counts[True])} if counts[True] else {})


def find_shares(folder: Path) -> list[tuple[Path, Truth]]:
    """Every photo of share tiles below `folder` with its truth. Raises BenchProblem."""
    found = []
    for file in sorted(folder.glob("*/shares_*.json")):
        truth = read_truth(file)
        if SHARE_TILES in truth and file.with_suffix(".jpg").exists():
            found.append((file.with_suffix(".jpg"), truth))
    return found


def table_of_shares(table: Path, board: str) -> Profile:
    """The profile of a table's share tiles alone."""
    photo = load_photo(table / "shares_tiles.jpg")
    points = json.loads((table / "shares_points.json").read_text(encoding="utf-8"))
    surface = calibrate_shares(photo, read_share_points(points, photo.scale), board)
    return from_disk(Profile(board, {SHARE_TILES: surface}))


def counted(photo: Path, truth: Truth) -> list[Count]:
    """Every count of the truth, compared with what is read in the photo."""
    seats = dict.fromkeys(truth[SHARE_TILES], photo)
    try:
        figures = scan_table([], table_of_shares(photo.parent, truth["board"]), shares=seats).figures
    except Problem:
        figures = []
    read = {figure.name: figure for figure in figures}
    return [
        _count(str(photo), f"shares.{seat}.{company}", true, read)
        for seat, row in truth[SHARE_TILES].items()
        for company, true in row.items()
    ]


def _count(photo: str, name: str, true: int, read: dict[str, Figure]) -> Count:
    """A photo that was refused is asked about as a whole."""
    figure = read.get(name)
    if figure is None:
        return Count(photo, name, true, 0, True)
    return Count(photo, name, true, int(figure.best), figure.doubtful)


def _figures(counts: list[Count]) -> dict[str, Any]:
    photos = len({count.photo for count in counts})
    if not photos:
        return {"share_photos": 0}
    right = sum(min(count.true, count.read) for count in counts)
    return {
        "share_photos": photos,
        "shares": right / max(1, sum(max(count.true, count.read) for count in counts)),
        "share_silent": sum(count.silent for count in counts) / len(counts),
        "share_doubts": sum(count.asked for count in counts) / photos,
    }
