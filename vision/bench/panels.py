"""How well the boards of tracks and areas are read: the figures `markers` and `reservoirs` of the bench.

Beside the map's samples a table's folder holds `tracks_empty.jpg` with `tracks_points.json`, the same for other
panels, and photos with their truth: `surfaces`, the parts of the state that they show, `marker` (the colour of
Mašinfíra's markers) and `unseen` (cells). A photo may show the map beside them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration import Profile, Surface, load_photo
from calibration.tapped.panels import calibrate_panel, read_panel_points
from engine.mini_express.names import MASINFIRA
from engine.sentences import Problem, Progress, silent

from ..figure import SOME, Figure
from ..samples import Sample, Truth, as_twelve_megapixels, calibrated, find_photos, from_disk, read_truth
from ..sightings import MAP
from ..table import scan_table
from .counting import one_by_one


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


@dataclass(frozen=True)
class Result:
    """What the panels in one photo were read as; `seconds` of 12 megapixels of the whole table, the map too."""

    answers: list[Answer]
    held_out: bool
    seconds: float | None = None


def bench_panels(samples: Path, progress: Progress = silent) -> dict[str, Any]:
    """Shares of figures read right, and of figures wrong without a doubt, over all panel photos below `samples`.

    Keys: `panel_photos`, `markers`, `reservoirs`, `offers` (whether there is any), `panel_silent`, `panel_doubts`
    (per photo) and `whole_table_seconds`, the slowest photo of map and panels, for tables that are held out also
    under `panels_held_out`. Without panel photos `panel_photos` is 0 and the rest is missing.
    """
    results = [measured(sample) for sample in one_by_one(find_panels(samples), progress)]
    held_out = [result for result in results if result.held_out]
    return _figures(results) | ({"panels_held_out": _figures(held_out)} if held_out else {})


def find_panels(folder: Path) -> list[Sample]:
    """Every photo below `folder` that shows a panel. Raises BenchProblem."""
    return find_photos(folder, lambda truth: bool({*truth.get("surfaces", ())} - {MAP}))


def profile_of(table: Path, surfaces: Iterable[str], board: str) -> Profile:
    """The profile of a table with these surfaces, from its reference photos."""
    wanted = {*surfaces}
    profile = from_disk(Profile(board, {name: _panel(table, name, board) for name in wanted - {MAP}}))
    return profile.with_surface(calibrated(table, board).surfaces[MAP]) if MAP in wanted else profile


def _panel(table: Path, name: str, board: str) -> Surface:
    empty = load_photo(table / f"{name}_empty.jpg")
    points = read_truth(table / f"{name}_points.json")
    return calibrate_panel(name, empty, read_panel_points(points, empty.scale), board)


def measured(sample: Sample) -> Result:
    """Every figure of the truth that is not hidden, compared with what is read in the photo alone."""
    photo, truth, held_out = sample.photo, sample.truth, sample.held_out
    profile, whole_table = profile_of(sample.table, truth["surfaces"], sample.board), MAP in truth["surfaces"]
    try:
        found = scan_table([as_twelve_megapixels(photo) if whole_table else photo], profile)
    except Problem:
        # A photo that was refused is asked about as a whole.
        return Result([Answer(str(photo), name, False, True) for name, _ in _wanted(truth, set())], held_out)
    wanted = dict(_wanted(truth, {sighting.surface for sighting in found.sightings}))
    read = {figure.name: figure for figure in found.figures}
    extra = {name: None for name, figure in read.items() if figure.claimed and name not in wanted}
    answers = [
        _answer(str(photo), name, value, read.get(name), [*found.unseen, *found.missing])
        for name, value in {**wanted, **extra}.items()
    ]
    return Result(answers, held_out, found.seconds if whole_table else None)


def _wanted(truth: Truth, shown: set[str]) -> Iterable[tuple[str, Any]]:
    """The figures of the truth by name. Where only the tracks are `shown`, none tells Mašinfíra's colour."""
    named = {"tracks", "assets"} <= shown
    for company, parts in truth.get("companies", {}).items():
        for part, value in parts.items():
            yield f"companies.{company}.{part}", value
    for seat, row in truth.get("influence", {}).items():
        colour = truth["marker"] if seat == MASINFIRA and not named else seat
        for company, value in row.items():
            yield f"influence.{colour}.{company}", value
    if truth.get("bot"):
        yield "bot.company", truth["bot"]["company"]


def _answer(photo: str, name: str, value: Any, figure: Figure | None, missing: Sequence[str]) -> Answer:
    """`missing` are the cells and boards that are told not to be seen."""
    if figure is None:
        _, company, part = name.split(".") if name.count(".") == 2 else ("", "", name)
        area = f"{part}/{company}" if name.startswith("companies") else f"influence/{part}"
        board = "assets" if part in ("reservoir", "offer", "bot.company") else "tracks"
        told = any(f"{cell}/".startswith(f"{area}/") for cell in missing) or board in missing
        return Answer(photo, name, False, told)
    wanted = SOME if name.endswith(".offer") and value else value
    claimed = figure.claimed or figure.best == SOME
    return Answer(photo, name, claimed and figure.best == wanted, figure.doubtful)


def _figures(results: list[Result]) -> dict[str, Any]:
    if not results:
        return {"panel_photos": 0}
    answers = [answer for result in results for answer in result.answers]
    sorts = {sort: [a for a in answers if a.sort == sort] for sort in ("markers", "reservoirs", "offers")}
    counted = [answer for answer in answers if answer.sort != "offers"]
    return {
        "panel_photos": len(results),
        **{sort: sum(a.right for a in rows) / len(rows) for sort, rows in sorts.items() if rows},
        "panel_silent": sum(not a.right and not a.asked for a in counted) / max(1, len(counted)),
        "panel_doubts": sum(a.asked for a in counted) / len(results),
        "whole_table_seconds": max((r.seconds for r in results if r.seconds is not None), default=None),
    }
