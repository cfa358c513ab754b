"""Sample photos of known truth, and the tables they were taken of.

A folder of samples holds a folder for each table: `empty.jpg` and `points.json` to calibrate with, and photos
with their truth (`track`, `unseen`, `conditions`, and `before`, `state` where the game is known).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from calibration import Photo, Profile, calibrate_map, load_photo, read_taps
from calibration.photo import jpeg
from engine import mini_express as game
from engine.sentences import N_, Problem

from .phones import AS_IT_IS, Phone

TWELVE_MEGAPIXELS, JPEG_QUALITY = 4000, 92
Truth = dict[str, Any]


class BenchProblem(Problem):
    """Samples that cannot be measured."""

    sentences = {
        "no_samples": N_("There are no sample photos with their truth in {folder}: give --samples DIR."),
        "no_films": N_("There are no films of a table in {folder}: give --samples DIR."),
        "bad_truth": N_("The truth in {file} cannot be read: {reason}."),
    }


@dataclass(frozen=True)
class Sample:
    """A photo with its truth."""

    photo: Path
    truth: Truth

    @property
    def table(self) -> Path:
        """The folder of its table."""
        return self.photo.parent

    @property
    def board(self) -> str:
        """The map that is played on."""
        return str(self.truth.get("board", "usa"))

    @property
    def condition(self) -> str:
        """What it is grouped by: the table, the light and how steep it was taken."""
        conditions = self.truth.get("conditions", {})
        tilt = conditions.get("tilt", 0)
        slant = "top" if tilt < 20 else "slanted" if tilt < 40 else "steep"
        return f"{self.table.name}/{conditions.get('light', '?')}/{slant}"

    @property
    def held_out(self) -> bool:
        """Whether nothing was trained, chosen or tuned by its table."""
        return bool(self.truth.get("conditions", {}).get("held_out", False))


def find_samples(folder: Path) -> list[Sample]:
    """Every photo below `folder` whose truth has track, and whose table a photo of the empty map.

    Raises BenchProblem where there is none, or a truth cannot be read.
    """
    photos = find_photos(folder, lambda truth: "track" in truth)
    found = [sample for sample in photos if (sample.table / "empty.jpg").exists()]
    if not found:
        raise BenchProblem("no_samples", folder=str(folder))
    return found


def find_photos(folder: Path, wanted: Callable[[Truth], bool]) -> list[Sample]:
    """Every photo below `folder` with a truth beside it that is `wanted`; table by table. Raises BenchProblem."""
    return [
        Sample(photo, truth)
        for file in sorted(folder.glob("*/*.json"))
        if (photo := file.with_suffix(".jpg")).exists() and wanted(truth := read_truth(file))
    ]


def read_truth(file: Path) -> Truth:
    """What really lies on the table, or where it was tapped; {} where the file holds something else.

    Raises BenchProblem.
    """
    try:
        truth = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as reason:
        raise BenchProblem("bad_truth", file=str(file), reason=str(reason)) from None
    return truth if isinstance(truth, dict) else {}


def taken(photo: Path, phone: Phone) -> Photo:
    """A sample as this phone would have taken it."""
    loaded = load_photo(photo)
    return loaded if phone == AS_IT_IS else replace(loaded, pixels=phone.picture(loaded.pixels))


def calibrated(table: Path, board: str, phone: Phone = AS_IT_IS) -> Profile:
    """The profile of a table of the samples, from its photo of the empty map."""
    empty = taken(table / "empty.jpg", phone)
    points = read_truth(table / "points.json")
    surface, _ = calibrate_map(empty, read_taps(points, empty.scale), game.built_in().board(board))
    return from_disk(Profile(board, {surface.name: surface}))


def from_disk(profile: Profile) -> Profile:
    """The profile as it is used at the table: stored, its pictures compressed, its features ready."""
    with TemporaryDirectory() as folder:
        profile.save(Path(folder))
        return Profile.load(Path(folder))


def as_twelve_megapixels(photo: Path, phone: Phone = AS_IT_IS) -> bytes:
    """The photo re-encoded as a JPEG of 4000 px on the long side, as a phone would send it."""
    pixels = taken(photo, phone).pixels
    grow = TWELVE_MEGAPIXELS / max(pixels.shape[:2])
    large = cv2.resize(pixels, None, fx=grow, fy=grow, interpolation=cv2.INTER_CUBIC)
    return jpeg(large.astype(np.uint8), JPEG_QUALITY)
