"""A vision that says what a test wants, photos to send to it, and what a visitor does with what it says."""

import io
import json
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from sample_tables import SAMPLES as TABLES
from sample_tables import profile_of
from visitors import game_at, id_in

from calibration import Profile, Surface
from engine import mini_express as game
from engine.hexgrid import Hex, corners
from engine.mini_express import COMPANIES, Build
from engine.mini_express.names import Pair
from engine.sentences import Problem
from vision import TableScan
from vision.figure import Figure
from vision.state.demand import Cards
from webui.kept.reading import Reading
from webui.pages.photo.others import numbers_on
from webui.services import services_of

BLANK = Profile("usa", {"map": Surface("map", "usa", np.zeros((9, 9, 3), np.uint8), np.eye(3), (), ())})

NUMBERS = count()


@dataclass(frozen=True)
class FakeDoubt:
    hex: Hex
    company: str
    p: float = 0.5


@dataclass
class FakeScan:
    """Says that these actions were played; a person's answers replace them by none.

    It is all that was seen as well: the first photo shows the map, and `boards` lie beside it.
    """

    before: game.State
    actions: list[game.Action] = field(default_factory=list)
    alternatives: list[list[game.Action]] = field(default_factory=list)
    doubtful: list[FakeDoubt] = field(default_factory=list)
    conflicts: list[Problem] = field(default_factory=list)
    unseen: list[Hex] = field(default_factory=list)
    told: dict[tuple[Hex, str], bool] = field(default_factory=dict)
    tiles_conflict: Problem | None = None
    cards_shown: Cards = field(default_factory=Cards)
    of_map: tuple[int, ...] = (0,)
    boards: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    differ: list[Problem] = field(default_factory=list)
    unclear: list[Figure] = field(default_factory=list)
    unread: tuple[str, ...] = ()
    left_out: tuple[Problem, ...] = ()
    overexposed: tuple[Problem, ...] = ()

    @property
    def map(self) -> "FakeScan | None":
        return self if self.of_map else None

    @property
    def table(self) -> TableScan:
        """All numbers of the boards show clearly but those that are `unclear` or `unread`."""
        named = (name for board in self.boards for name in numbers_on(board, self.before.setup))
        clear = [Figure(tuple(name.split(".")), "", {1: 9.0}) for name in named if name not in self.unread]
        figures = {figure.name: figure for figure in [*clear, *self.unclear]}
        shown = [*figures.values()]
        on_map: Any = self.map
        return TableScan(on_map, (), [*self.missing], shown, [], self.differ, 0.0, left_out=self.left_out)

    @property
    def contradicts(self) -> bool:
        return any(conflict.key == "many" for conflict in self.conflicts)

    @property
    def track(self) -> dict[str, list[Hex]]:
        state = self.before
        for action in self.actions:
            state = game.apply(state, action)
        return {company: state.hexes(company) for company in COMPANIES}

    def cards_told(self, tiles: dict[int, Pair]) -> Cards:
        """Tiles that were read alike look alike: as soon as one of them is told, all are it, and sure."""
        meant = {tile.pair: tiles[tile.city] for tile in self.cards_shown.tiles if tile.city in tiles}
        followed = (
            replace(t, pair=meant[t.pair], p=1.0) if t.pair in meant else t for t in self.cards_shown.tiles
        )
        return Cards(tuple(followed))

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> "FakeScan":
        return FakeScan(self.before, told=dict(answers))

    def outlines(self, photo: int = 0) -> dict[Hex, list[tuple[float, float]]]:
        return {
            p.at: [(20 * x + 300, 20 * y + 200) for x, y in corners(p.at)] for p in self.before.board.printed
        }


def jpeg(width: int = 640, height: int = 480, **options: object) -> io.BytesIO:
    """A photo of nothing, another file each time."""
    out = io.BytesIO()
    pixels = np.random.default_rng(3).integers(0, 255, (height, width, 3), np.uint8)
    Image.fromarray(pixels).save(out, "JPEG", **{"comment": f"photo {next(NUMBERS)}", **options})
    out.seek(0)
    return out


def send(table, *photos: tuple[io.BytesIO, str]) -> str:
    """Send photos and wait until they are read; returns the path of the reading."""
    table.get(f"{table.path}/photo")
    answer = table.post(f"{table.path}/photo", photo=list(photos) or [(jpeg(), "a.jpg")])
    assert answer.status_code == 303, answer.text
    table.wait(answer.location)
    return answer.location


def held_of(app, table, reading: str) -> Reading:
    """The reading at this path, as the server holds it."""
    return services_of(app).reader.get(game_at(app, table.path), id_in(reading))


def a_build(state: game.State) -> Build:
    """One that leaves no choice of a company (R5.6)."""
    return next(a for a in game.legal_actions(state) if isinstance(a, Build) and not a.wild)


def confirm(table, reading: str, **fields: object):  # type: ignore[no-untyped-def]
    """Look at what the photo shows and say that it is so."""
    table.get(reading)
    return table.post(f"{reading}/confirm", seen=table.field("seen"), **fields)


def sample(table: str = "*") -> tuple[Path, dict]:
    """A sample photo that comes with the state before and the one action since, and its truth."""
    for path in sorted(TABLES.glob(f"{table}/*.json")):
        truth = json.loads(path.read_text())
        if (path.parent / "points.json").exists() and {"track", "before", "action"} <= set(truth):
            return path.with_suffix(".jpg"), truth
    raise AssertionError(f"no sample photos in {TABLES}")


def calibrated(table: Path, folder: Path) -> Path:
    """A folder with the profile of that sample table."""
    profile_of(table.name).save(folder)
    return folder
