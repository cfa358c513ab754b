"""The table profile: a folder with `profile.json`, and for each surface a reference photo and its features."""

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.atomic import alone_in, write_whole
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Problem

from .faces import faces_from_json, faces_to_json
from .features import View
from .grid import Grid, fit_grid
from .hexes import hex_outline
from .lessons import lessons_from_json, lessons_to_json
from .photo import Photo
from .surface import Cell, CellId, Kind, Surface, scaling
from .taps import Tap

FORMAT = "masinfira/profile/1"
FILE = "profile.json"
TRAIN_MM = (20.0, 8.0, 12.0)
# Painted or stained wood against white paper: blue, green, red, linear. A photo's own trains on the start
# cities tell more; these only say which is which.
TRAIN_COLOURS = {
    "brown": (0.06, 0.10, 0.20),
    "gray": (0.25, 0.24, 0.23),
    "orange": (0.05, 0.25, 0.75),
    "white": (0.70, 0.76, 0.80),
}
# No board reaches farther; what says so would only fill the memory.
FARTHEST_MM = 10_000.0
# What reading a file that somebody else may have written can raise.
MALFORMED = (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, cv2.error)

TILE = Kind("demand tile", (1.0, 1.0, 1.0), (16.0, 16.0, 2.0))


class ProfileProblem(Problem):
    """A table profile that cannot be used, and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "missing": N_("There is no table profile in {folder}: make one with calibrate."),
        "broken": N_("The table profile in {folder} is damaged ({reason}): calibrate again."),
        "unreadable": N_("The table profile in {folder} cannot be read: {reason}."),
        "version": N_("The table profile in {folder} is of another version ({found}): calibrate again."),
        "no_surface": N_("The table profile has no surface {surface}: calibrate it first."),
        "other_board": N_(
            "This table profile is for the map {found}, and {expected} is needed: use that table's profile."
        ),
        "of_other_map": N_(
            "In {folder} there is a table profile for the map {found} already: choose another folder for this one."
        ),
        "other_map": N_(
            "The map has other hexes or start cities than when this profile was made: calibrate it again."
        ),
        "unwritable": N_("The table profile cannot be written to {folder}: {reason}."),
    }


class _Damaged(ValueError):
    """A file of a profile that is not what it should be, by its name."""


@dataclass(frozen=True, eq=False)
class Profile:
    """How one table looks: the game's board and its calibrated surfaces by name ("map")."""

    board: str
    surfaces: dict[str, Surface]

    def surface(self, name: str, board: str | None = None) -> Surface:
        """The surface with this name, on this board where one is given. Raises ProfileProblem."""
        if board is not None and board != self.board:
            raise ProfileProblem("other_board", found=self.board, expected=board)
        if name not in self.surfaces:
            raise ProfileProblem("no_surface", surface=name)
        return self.surfaces[name]

    def map_of(self, board: Board) -> Surface:
        """The map, if the board still has the hexes and start cities it was calibrated with. Raises ProfileProblem."""
        surface = self.surface("map", board.id)
        homes = {kind.name: surface.cells[kind.home].id for kind in surface.kinds if kind.home is not None}
        starts = {company: city.at for company, city in board.starts.items()}
        if set(surface.index) != set(board.index) or homes != starts:
            raise ProfileProblem("other_map")
        return surface

    @property
    def taught(self) -> bool:
        """Whether photos have taught it anything since it was calibrated."""
        return any(surface.lessons or surface.faces for surface in self.surfaces.values())

    def forgotten(self) -> "Profile":
        """The profile as it was calibrated, without what photos have taught since."""
        plain = {name: replace(surface, lessons={}, faces={}) for name, surface in self.surfaces.items()}
        return replace(self, surfaces=plain)

    def with_surface(self, surface: Surface) -> "Profile":
        """The profile with this surface added, or put in the place of the one with its name."""
        return Profile(self.board, {**self.surfaces, surface.name: surface})

    def save(self, folder: str | Path) -> None:
        """Write everything; `profile.json` comes last, so a broken-off save leaves the old profile valid.

        Raises ProfileProblem where the folder cannot be written.
        """
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
            with alone_in(target):
                for surface in self.surfaces.values():
                    write_whole(target / f"{surface.name}.jpg", _jpeg(surface))
                    write_whole(target / f"{surface.name}.npz", _packed_views(surface))
                self._write(target)
        except OSError as reason:
            raise ProfileProblem("unwritable", folder=str(folder), reason=reason.strerror) from None

    @staticmethod
    def keep(folder: str | Path, surface: Surface) -> "Profile | None":
        """Put a surface into the profile in `folder`, or begin one there; the profile as it was, if there was one.

        Raises ProfileProblem, also where that profile is for another map.
        """
        try:
            old = Profile.load(folder)
        except ProfileProblem as problem:
            if problem.key == "unreadable":
                raise
            old = None
        if old is not None and old.board != surface.board:
            raise ProfileProblem("of_other_map", folder=str(folder), found=old.board)
        (old or Profile(surface.board, {})).with_surface(surface).save(folder)
        return old

    def _write(self, folder: Path) -> None:
        write_whole(folder / FILE, (json.dumps(self._to_json(), indent=1) + "\n").encode())

    @staticmethod
    def change_lessons(folder: str | Path, change: Callable[["Profile"], "Profile"]) -> "Profile":
        """Load a profile, have `change` teach it something or forget, and keep that; the new profile.

        Nobody else's lesson is lost, for one waits for the other; the reference photos are not written again.
        Raises ProfileProblem, and whatever `change` raises: then nothing has changed.
        """
        try:
            with alone_in(Path(folder)):
                changed = change(Profile.load(folder))
                changed._write(Path(folder))
        except (FileNotFoundError, NotADirectoryError):
            raise ProfileProblem("missing", folder=str(folder)) from None
        except OSError as reason:
            raise ProfileProblem("unwritable", folder=str(folder), reason=reason.strerror) from None
        return changed

    @staticmethod
    def load(folder: str | Path) -> "Profile":
        """Read a profile. Raises ProfileProblem."""
        path = Path(folder)
        try:
            text = (path / FILE).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise ProfileProblem("missing", folder=str(folder)) from None
        except OSError as reason:
            raise ProfileProblem("unreadable", folder=str(folder), reason=reason.strerror) from None
        except UnicodeDecodeError as reason:
            raise ProfileProblem("broken", folder=str(folder), reason=FILE) from reason
        return _read_profile(path, text)

    def _to_json(self) -> dict[str, Any]:
        surfaces = {name: _surface_to_json(surface) for name, surface in self.surfaces.items()}
        return {"format": FORMAT, "board": self.board, "surfaces": surfaces}


def calibrate_map(photo: Photo, taps: Sequence[Tap], board: Board) -> tuple[Profile, Grid]:
    """A profile with the surface "map" from a photo of the empty map and at least four tapped hexes.

    `taps` are in pixels of `photo.pixels`. Raises GridProblem.
    """
    hexes = [p.at for p in board.printed]
    grid = fit_grid(taps, board.id, hexes, photo.pixels, [city.at for city in board.cities])
    cells = tuple(Cell(at, hex_outline(at)) for at in hexes)
    index = {at: i for i, at in enumerate(hexes)}
    kinds = tuple(
        Kind(company, TRAIN_COLOURS[company], TRAIN_MM, index[board.starts[company].at])
        for company in COMPANIES
    )
    cards = {city.at for city in board.numbered.values()} | ({board.spike.tile} if board.spike else set())
    plane, residual = scaling(photo.scale) @ grid.plane, grid.residual_px * photo.scale
    reference = grid.lens.picture(photo.pixels)
    card_at = frozenset(index[at] for at in cards)
    surface = Surface("map", board.id, reference, plane, cells, kinds, residual, photo.scale, TILE, card_at)
    return Profile(board.id, {"map": surface}), grid


def _read_profile(folder: Path, text: str) -> Profile:
    """What `profile.json` says, with the files it names. Raises ProfileProblem."""
    try:
        obj = json.loads(text)
        found = obj["format"]
        if not isinstance(found, str):
            raise _Damaged(FILE)
        if found != FORMAT:
            raise ProfileProblem("version", folder=str(folder), found=found)
        board, surfaces = obj["board"], obj["surfaces"].items()
        return Profile(board, {name: _read_surface(folder, name, s, board) for name, s in surfaces})
    except _Damaged as reason:
        raise ProfileProblem("broken", folder=str(folder), reason=str(reason)) from reason
    except OSError as reason:
        raise ProfileProblem("unreadable", folder=str(folder), reason=reason.strerror) from reason
    except (*MALFORMED, RecursionError) as reason:
        raise ProfileProblem("broken", folder=str(folder), reason=FILE) from reason


def _surface_to_json(surface: Surface) -> dict[str, Any]:
    return {
        "image": f"{surface.name}.jpg",
        "plane": surface.plane.tolist(),
        "residual_px": surface.residual_px,
        "scale": surface.scale,
        "cells": [
            {"id": list(c.id) if isinstance(c.id, tuple) else c.id, "outline": c.outline}
            for c in surface.cells
        ],
        "kinds": [_kind_to_json(k) for k in surface.kinds],
        "card": surface.card and _kind_to_json(surface.card),
        "card_at": sorted(surface.card_at),
        "lessons": lessons_to_json(surface.lessons),
        "card_faces": faces_to_json(surface.faces),
    }


def _kind_to_json(kind: Kind) -> dict[str, Any]:
    return {"name": kind.name, "colour": kind.colour, "size": kind.size, "home": kind.home, "on": kind.on}


def _read_surface(folder: Path, name: str, obj: dict[str, Any], board: str) -> Surface:
    if not name.isidentifier():
        raise ValueError("name")  # the files of a surface are called after it
    cells = tuple(Cell(_cell_id(c["id"]), _outline(c["outline"])) for c in obj["cells"])
    kinds = tuple(_read_kind(k, len(cells)) for k in obj["kinds"])
    card = None if obj["card"] is None else _read_kind(obj["card"], len(cells))
    plane = np.array(obj["plane"], dtype=np.float64)
    if plane.shape != (3, 3) or not np.isfinite(plane).all() or abs(np.linalg.det(plane)) < 1e-9 or not cells:
        raise ValueError("plane")
    reference = _read_picture(folder / Path(obj["image"]).name)
    views = _unpacked_views(folder / f"{name}.npz")
    fits = {"residual_px": float(obj["residual_px"]), "scale": float(obj["scale"])}
    card_at = frozenset(_place(i, len(cells)) for i in obj["card_at"])
    lessons = lessons_from_json(obj.get("lessons", {}))
    faces = faces_from_json(obj.get("card_faces", {}), {kind.name for kind in kinds})
    return Surface(
        name,
        board,
        reference,
        plane,
        cells,
        kinds,
        **fits,
        card=card,
        card_at=card_at,
        lessons=lessons,
        faces=faces,
        stored_views=views,
    )


def _read_picture(path: Path) -> NDArray[np.uint8]:
    try:
        data = np.fromfile(path, np.uint8)
    except FileNotFoundError:
        raise _Damaged(path.name) from None
    # Of no bytes at all OpenCV makes an error of its own.
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise _Damaged(path.name)
    return picture.astype(np.uint8)


def _read_kind(obj: dict[str, Any], cells: int) -> Kind:
    colour, size = _three(obj["colour"]), _three(obj["size"])
    home = None if obj["home"] is None else _place(obj["home"], cells)
    if min(colour) <= 0 or min(size) <= 0:
        raise ValueError(obj["name"])
    return Kind(str(obj["name"]), colour, size, home, str(obj.get("on", "")))


def _outline(corners: Any) -> tuple[tuple[float, float], ...]:
    outline = tuple((float(x), float(y)) for x, y in corners)
    if len(outline) < 3 or not all(abs(mm) <= FARTHEST_MM for corner in outline for mm in corner):
        raise ValueError("outline")
    return outline


def _cell_id(value: Any) -> CellId:
    return value if isinstance(value, str) else (int(value[0]), int(value[1]))


def _three(values: Any) -> tuple[float, float, float]:
    a, b, c = values
    return float(a), float(b), float(c)


def _place(value: Any, cells: int) -> int:
    """The index of a cell."""
    if int(value) not in range(cells):
        raise ValueError("cell")
    return int(value)


def _jpeg(surface: Surface) -> bytes:
    done, data = cv2.imencode(".jpg", surface.reference, [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    return data.tobytes()


def _packed_views(surface: Surface) -> bytes:
    """Descriptors as bytes (RootSIFT values lie in 0-1), points as 32-bit floats."""
    arrays: dict[str, Any] = {}
    for i, view in enumerate(surface.views):
        arrays[f"points{i}"] = view.points.astype(np.float32)
        arrays[f"descriptors{i}"] = np.round(view.descriptors * 255).astype(np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _unpacked_views(path: Path) -> tuple[View, ...]:
    """The stored features; none where the file is missing, they are then found anew."""
    if not path.exists():
        return ()
    try:
        with np.load(path, allow_pickle=False) as stored:
            count = len(stored.files) // 2
            pairs = [(stored[f"points{i}"], stored[f"descriptors{i}"]) for i in range(count)]
    except PermissionError:
        raise
    except Exception as reason:  # numpy and zipfile raise many kinds for a damaged file
        raise _Damaged(path.name) from reason
    return tuple(View(p.astype(np.float64), d.astype(np.float32) / 255) for p, d in pairs)
