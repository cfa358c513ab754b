"""How well the boards of tracks and areas are read: the figures `markers` and `reservoirs` of the bench.

Beside the map's samples a table's folder holds `tracks_empty.jpg` with `tracks_points.json`, the same for other
panels, and photos with their truth: `surfaces`, the parts of the state that they show, `marker` (the colour of
Mašinfíra's markers) and `unseen` (cells).
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration import Profile, load_photo
from calibration.panels import calibrate_panel, read_panel_points
from engine.mini_express.names import MASINFIRA
from engine.sentences import Problem

from .bench import from_disk, one_by_one, read_truth
from .figures import SOME, Figure
from .scan import Progress
from .table import scan_table

Truth = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """One figure of the truth: whether it was read `right`, and if not `asked`, as a doubt or as unseen."""

    photo: str
    name: str
    right: bool
    asked: bool

    @property
    def sort(self) -> str:
        """What it counts for: a marker, a reservoir or an offer."""
        last = self.name.rpartition(".")[2]
        return {"reservoir": "reservoirs", "offer": "offers"}.get(last, "markers")


def bench_panels(samples: Path, progress: Progress | None = None) -> dict[str, Any]:
    """Shares of figures read right, and of figures wrong without a doubt, over all panel photos below `samples`.

    Keys: `panel_photos`, `markers`, `reservoirs`, `offers` (whether there is any), `panel_silent` and
    `panel_doubts` (per photo), for tables that are held out also under `panels_held_out`. Without panel photos
    `panel_photos` is 0 and the rest is missing.
    """
    photos = find_panels(samples)
    answers: dict[bool, list[Answer]] = {False: [], True: []}
    for photo, truth in one_by_one(photos, progress):
        answers[bool(truth["conditions"]["held_out"])] += measured(photo, truth)
    everything = _figures([*answers[False], *answers[True]])
    return everything | ({"panels_held_out": _figures(answers[True])} if answers[True] else {})


def find_panels(folder: Path) -> list[tuple[Path, Truth]]:
    """Every photo of a panel below `folder` with its truth. Raises BenchProblem."""
    found = []
    for file in sorted(folder.glob("*/*.json")):
        truth = read_truth(file)
        if "map" not in truth.get("surfaces", ["map"]) and file.with_suffix(".jpg").exists():
            found.append((file.with_suffix(".jpg"), truth))
    return found


def calibrated(table: Path, panels: Iterable[str], board: str) -> Profile:
    """The profile of a table's panels, from its reference photos."""
    surfaces = {}
    for name in panels:
        empty = load_photo(table / f"{name}_empty.jpg")
        points = json.loads((table / f"{name}_points.json").read_text(encoding="utf-8"))
        surfaces[name] = calibrate_panel(name, empty, read_panel_points(points, empty.scale), board)
    return from_disk(Profile(board, surfaces))


def measured(photo: Path, truth: Truth) -> list[Answer]:
    """Every figure of the truth that is not hidden, compared with what is read in the photo alone."""
    profile = calibrated(photo.parent, truth["surfaces"], truth["board"])
    try:
        found = scan_table([photo], profile)
    except Problem:
        return [Answer(str(photo), name, False, False) for name, _ in _wanted(truth)]
    read, wanted = {figure.name: figure for figure in found.figures}, dict(_wanted(truth))
    extra = {name: None for name, figure in read.items() if figure.claimed and name not in wanted}
    return [
        _answer(str(photo), name, value, read.get(name), found.unseen)
        for name, value in {**wanted, **extra}.items()
    ]


def _wanted(truth: Truth) -> Iterable[tuple[str, Any]]:
    """The figures of the truth by name. Whose colour Mašinfíra's is, a photo of the tracks alone does not tell."""
    for company, parts in truth.get("companies", {}).items():
        for part, value in parts.items():
            yield f"companies.{company}.{part}", value
    for seat, row in truth.get("influence", {}).items():
        colour = truth["marker"] if seat == MASINFIRA else seat
        for company, value in row.items():
            yield f"influence.{colour}.{company}", value
    if truth.get("bot"):
        yield "bot.company", truth["bot"]["company"]


def _answer(photo: str, name: str, value: Any, figure: Figure | None, unseen: Iterable[str]) -> Answer:
    if figure is None:
        _, company, part = name.split(".") if name.count(".") == 2 else ("", "", name)
        area = f"{part}/{company}" if name.startswith("companies") else f"influence/{part}"
        return Answer(photo, name, False, any(f"{cell}/".startswith(f"{area}/") for cell in unseen))
    wanted = SOME if name.endswith(".offer") and value else value
    claimed = figure.claimed or figure.best == SOME
    return Answer(photo, name, claimed and figure.best == wanted, figure.doubtful)


def _figures(answers: list[Answer]) -> dict[str, Any]:
    photos = len({answer.photo for answer in answers})
    if not photos:
        return {"panel_photos": 0}
    sorts = {sort: [a for a in answers if a.sort == sort] for sort in ("markers", "reservoirs", "offers")}
    counted = [answer for answer in answers if answer.sort != "offers"]
    return {
        "panel_photos": photos,
        **{sort: sum(a.right for a in rows) / len(rows) for sort, rows in sorts.items() if rows},
        "panel_silent": sum(not a.right and not a.asked for a in counted) / max(1, len(counted)),
        "panel_doubts": sum(a.asked for a in counted) / photos,
    }
