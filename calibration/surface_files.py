"""A surface as files: its part of `profile.json`, its reference photo and the features of that."""

import io
import stat
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.atomic import write_whole
from engine.files import read_bytes

from .faces import faces_from_json, faces_to_json
from .features import Features
from .lessons import lessons_from_json, lessons_to_json, three
from .photo import BYTES_AT_MOST, PhotoProblem, jpeg, of_jpeg
from .soundness import FARTHEST_MM, fault_of
from .surface import Cell, CellId, Kind, Stored, Surface, pairs

VIEWS = ".npz"
JPEG_QUALITY = 95
# So many numbers describe a feature (SIFT).
DESCRIPTOR = 128
# The features of a surface take 2.5 MB, packed or not.
VIEWS_BYTES_AT_MOST = 50_000_000
# What reading a file that somebody else may have written can raise.
MALFORMED = (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, RecursionError, cv2.error)


class Damaged(ValueError):
    """A file of a profile that is not what it should be, by its name."""


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file of a profile. Raises OSError; Damaged where it is too long to be ours, or a pipe."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # a folder has a sentence of its own
        raise Damaged(path.name)
    if len(data := read_bytes(path, most)) > most:
        raise Damaged(path.name)
    return data


def write_picture(picture: Path, surface: Surface) -> None:
    """Write the reference photo and, beside it, its features. Raises OSError."""
    write_whole(picture, jpeg(surface.reference, JPEG_QUALITY))
    write_whole(picture.with_suffix(VIEWS), _packed_views(surface))


def surface_to_json(surface: Surface, picture: str) -> dict[str, Any]:
    """The surface as plain data; `picture` is the name of its reference photo's file."""
    return {
        "image": picture,
        "plane": surface.plane_to_reference.tolist(),
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
    colour, size = ([*map(float, numbers)] for numbers in (kind.colour, kind.size))
    return {"name": kind.name, "colour": colour, "size": size, "home": kind.home, "on": kind.on}


def read_surface(folder: Path, name: str, obj: dict[str, Any], board: str) -> Surface:
    """A surface of the profile in `folder` from plain data. Raises Damaged, OSError and whatever is `MALFORMED`."""
    picture = folder / Path(obj["image"]).name
    reference, kinds = _read_picture(picture), tuple(map(_read_kind, obj["kinds"]))
    surface = Surface(
        name,
        board,
        reference,
        np.array(obj["plane"], np.float64),
        tuple(Cell(_cell_id(c["id"]), pairs(c["outline"])) for c in obj["cells"]),
        kinds,
        float(obj["scale"]),
        card=None if obj["card"] is None else _read_kind(obj["card"]),
        card_at=frozenset(map(int, obj["card_at"])),
        lessons=lessons_from_json(obj.get("lessons", {})),
        faces=faces_from_json(obj.get("card_faces", {}), {kind.name for kind in kinds}),
        stored=Stored(picture, reference, _unpacked_views(picture.with_suffix(VIEWS))),
    )
    if fault := fault_of(surface):
        raise ValueError(fault)
    return surface


def _read_picture(path: Path) -> NDArray[np.uint8]:
    try:
        return of_jpeg(read_file(path, BYTES_AT_MOST))
    except (FileNotFoundError, PhotoProblem):
        raise Damaged(path.name) from None


def _read_kind(obj: dict[str, Any]) -> Kind:
    home = None if obj["home"] is None else int(obj["home"])
    return Kind(str(obj["name"]), three(obj["colour"]), three(obj["size"]), home, str(obj.get("on", "")))


def _cell_id(value: Any) -> CellId:
    return value if isinstance(value, str) else (int(value[0]), int(value[1]))


def _packed_views(surface: Surface) -> bytes:
    """Descriptors as bytes (RootSIFT values lie in 0-1), points as 32-bit floats."""
    arrays: dict[str, Any] = {}
    for i, view in enumerate(surface.views):
        arrays[f"points{i}"] = view.points.astype(np.float32)
        arrays[f"descriptors{i}"] = np.round(view.descriptors * 255).astype(np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _unpacked_views(path: Path) -> tuple[Features, ...]:
    """The stored features; none where the file is missing, they are then found anew."""
    try:
        data = read_file(path, VIEWS_BYTES_AT_MOST)
    except FileNotFoundError:
        return ()
    try:
        pairs = _pairs(data)
    except Exception as reason:  # numpy and zipfile raise many kinds for a damaged file
        raise Damaged(path.name) from reason
    if not all(_are_features(points, descriptors) for points, descriptors in pairs):
        raise Damaged(path.name)
    return tuple(Features(p.astype(np.float64), d.astype(np.float32) / 255) for p, d in pairs)


def _pairs(data: bytes) -> list[tuple[Any, Any]]:
    """Points and descriptors, whatever the arrays of these names are."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if sum(each.file_size for each in packed.infolist()) > VIEWS_BYTES_AT_MOST:
            raise ValueError("views")
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        count = len(stored.files) // 2
        return [(stored[f"points{i}"], stored[f"descriptors{i}"]) for i in range(count)]


def _are_features(points: NDArray[Any], descriptors: NDArray[Any]) -> bool:
    """Whether two arrays hold points of a surface, mm, and what describes each of them."""
    packed = points.dtype == np.float32 and descriptors.dtype == np.uint8
    if not packed or points.shape[1:] != (2,) or descriptors.shape != (len(points), DESCRIPTOR):
        return False
    return bool((np.abs(points) < 2 * FARTHEST_MM).all())
