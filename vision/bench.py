"""How well and how fast photos of known truth are read: the figures of `masinfira bench vision`.

A folder of samples holds a folder for each table: `empty.jpg` and `points.json` to calibrate with, and photos
with their truth (`track`, `unseen`, `conditions`, and `before`, `state` where the game is known).
"""

import json
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from calibration import Profile, calibrate_map, load_photo, read_taps
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Problem

from .scan import Scan, scan

Train = tuple[Hex, str]
TWELVE_MEGAPIXELS = 4000


class BenchProblem(Problem):
    """Samples that cannot be measured."""

    sentences = {
        "no_samples": N_("There are no sample photos with their truth in {folder}: give --samples DIR."),
        "bad_truth": N_("The truth in {file} cannot be read: {reason}."),
    }


@dataclass(frozen=True)
class Sample:
    """A photo with its truth and the folder of its table."""

    photo: Path
    truth: dict[str, Any]

    @property
    def condition(self) -> str:
        """What it is grouped by: the table, the light and how steep it was taken."""
        conditions = self.truth.get("conditions", {})
        tilt = conditions.get("tilt", 0)
        slant = "top" if tilt < 20 else "slanted" if tilt < 40 else "steep"
        return f"{self.photo.parent.name}/{conditions.get('light', '?')}/{slant}"


@dataclass(frozen=True)
class Result:
    """What one reading got wrong: `wrong` readings of seen hexes, `silent` those not listed as doubtful."""

    condition: str
    readings: int
    wrong: int
    silent: int
    doubts: int
    seconds: float
    right_before: bool | None


def bench_vision(samples: Path, progress: Callable[[str, float], None] | None = None) -> dict[str, Any]:
    """Read every sample, re-encoded at 12 megapixels, and count; keys as documented for `bench --json`.

    Raises BenchProblem where there are no samples.
    """
    found = find_samples(samples)
    profiles: dict[Path, Profile] = {}
    results = []
    for nth, sample in enumerate(found):
        if progress:
            progress(N_("Reading the sample photos"), nth / len(found))
        table = sample.photo.parent
        if table not in profiles:
            profiles[table] = _calibrated(table, sample.truth.get("board", "usa"))
        results.append(_measured(sample, profiles[table]))
    by_condition = {
        name: _figures([r for r in results if r.condition == name])
        for name in sorted({r.condition for r in results})
    }
    return {**_figures(results), "by_condition": by_condition}


def find_samples(folder: Path) -> list[Sample]:
    """Every photo below `folder` that has a truth with track beside it, and a calibrated table."""
    found = []
    for file in sorted(folder.glob("*/*.json")):
        photo = file.with_suffix(".jpg")
        if photo.exists() and (file.parent / "empty.jpg").exists():
            try:
                truth = json.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as reason:
                raise BenchProblem("bad_truth", file=str(file), reason=str(reason)) from None
            if isinstance(truth, dict) and "track" in truth:
                found.append(Sample(photo, truth))
    if not found:
        raise BenchProblem("no_samples", folder=str(folder))
    return found


def _calibrated(table: Path, board: str) -> Profile:
    empty = load_photo(table / "empty.jpg")
    taps = read_taps(json.loads((table / "points.json").read_text()), empty.scale)
    profile, _ = calibrate_map(empty, taps, game.built_in().boards[board])
    # A profile from disk has its features ready.
    _ = profile.surfaces["map"].views
    return profile


def _measured(sample: Sample, profile: Profile) -> Result:
    data = _as_twelve_megapixels(sample.photo)
    try:
        found = scan([data], profile)
    except Problem:
        readings = sum(len(hexes) for hexes in sample.truth["track"].values())
        return Result(
            sample.condition, readings, readings, 0, 0, 0.0, None if "before" not in sample.truth else False
        )
    truth = {(tuple(at), c) for c in COMPANIES for at in sample.truth["track"][c]}
    hidden = {tuple(at) for at in sample.truth.get("unseen", [])}
    asked = {(doubt.hex, doubt.company) for doubt in found.doubtful}
    wrong = _wrong(found, truth)
    counted = {train for train in wrong if train[0] not in hidden and train[0] not in found.unseen}
    seen = len(set(found.observation.cells) - hidden - set(found.unseen))
    silent = len({t for t in counted if t not in asked})
    right = _right_with_before(sample, profile, data)
    return Result(
        sample.condition, seen * len(COMPANIES), len(counted), silent, len(asked), found.seconds, right
    )


def _wrong(found: Scan, truth: set[Train]) -> set[Train]:
    read = {(at, company) for company in COMPANIES for at in found.track[company]}
    return read ^ truth


def _right_with_before(sample: Sample, profile: Profile, data: bytes) -> bool | None:
    """Whether the state before and the photo give the true state; None where no state before is known."""
    if sample.truth.get("before") is None or sample.truth.get("state") is None:
        return None
    found = scan([data], profile, game.state_from_json(sample.truth["before"]))
    return found.state is not None and game.state_to_json(found.state) == sample.truth["state"]


def _as_twelve_megapixels(photo: Path) -> bytes:
    """The photo re-encoded as a JPEG of 4000 px on the long side, as a phone would send it."""
    pixels = load_photo(photo).pixels
    grow = TWELVE_MEGAPIXELS / max(pixels.shape[:2])
    large = cv2.resize(pixels, None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC)
    _, data = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return data.tobytes()


def _figures(results: Iterable[Result]) -> dict[str, Any]:
    rows = list(results)
    seconds = sorted(row.seconds for row in rows)
    known = [row.right_before for row in rows if row.right_before is not None]
    return {
        "photos": len(rows),
        "cell_error": sum(row.wrong for row in rows) / max(1, sum(row.readings for row in rows)),
        "perfect_boards": _share(row.wrong == 0 for row in rows),
        "perfect_boards_with_before": _share(known),
        "right_after_doubts": _share(row.silent == 0 for row in rows),
        "doubtful_per_board": statistics.fmean(row.doubts for row in rows),
        "seconds_median": statistics.median(seconds),
        "seconds_p95": seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))],
    }


def _share(values: Iterable[bool]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None
