"""How well share tiles in front of a player are read: the figure `shares` of the bench.

A table's folder holds `shares_tiles.jpg`, a tile of each company, with `shares_points.json`, and photos whose truth
has `shares`: by seat, how many of each company.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration import SHARE_TILES, Profile, calibrate_shares, load_photo, read_share_points
from engine.sentences import Problem, Progress, silent

from ..figure import Figure
from ..samples import Sample, find_photos, from_disk, read_truth
from ..table import scan_table
from .counting import one_by_one


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


def bench_shares(samples: Path, progress: Progress = silent) -> dict[str, Any]:
    """Share tiles read right, of all there are or were claimed, over the photos of share tiles below `samples`.

    Keys: `share_photos`, `shares`, `share_silent` (counts of a company's shares that are wrong and not asked about,
    of all) and `share_doubts` (per photo), for tables that are held out also under `shares_held_out`. Without such
    photos `share_photos` is 0 and the rest is missing.
    """
    counts: dict[bool, list[Count]] = {False: [], True: []}
    for sample in one_by_one(find_shares(samples), progress):
        counts[sample.held_out] += counted(sample)
    everything = _figures([*counts[False], *counts[True]])
    return everything | ({"shares_held_out": _figures(counts[True])} if counts[True] else {})


def find_shares(folder: Path) -> list[Sample]:
    """Every photo of share tiles below `folder`. Raises BenchProblem."""
    return find_photos(folder, lambda truth: SHARE_TILES in truth)


def table_of_shares(table: Path, board: str) -> Profile:
    """The profile of a table's share tiles alone."""
    photo = load_photo(table / "shares_tiles.jpg")
    points = read_truth(table / "shares_points.json")
    surface = calibrate_shares(photo, read_share_points(points, photo.scale), board)
    return from_disk(Profile(board, {SHARE_TILES: surface}))


def counted(sample: Sample) -> list[Count]:
    """Every count of the truth, compared with what is read in the photo."""
    profile, truth = table_of_shares(sample.table, sample.board), sample.truth[SHARE_TILES]
    try:
        figures = scan_table([], profile, shares=dict.fromkeys(truth, sample.photo)).figures
    except Problem:
        figures = []
    read = {figure.name: figure for figure in figures}
    return [
        _count(str(sample.photo), f"shares.{seat}.{company}", true, read)
        for seat, row in truth.items()
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
