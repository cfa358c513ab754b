"""What a phone writes into its photos, the place above all, is in nothing that is stored."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import ExifTags, Image
from sample_tables import SAMPLES

from masinfira.main import run

TABLE = SAMPLES / "study"
TRACES = (b"Spyphone", b"2026:11:20", b"Exif", b"xmpmeta")


def by_a_phone(photo: Path, folder: Path) -> Path:
    """The photo as a phone would have stored it: with its maker, the place and the day."""
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "Spyphone"
    place = {1: "N", 2: (50.0, 5.0, 16.0), 3: "E", 4: (14.0, 25.0, 14.0), 29: "2026:11:20"}
    exif.get_ifd(ExifTags.IFD.GPSInfo).update(place)
    out = folder / photo.name
    Image.open(photo).save(out, quality=95, exif=exif, xmp=b"<x:xmpmeta>Spyphone</x:xmpmeta>")
    assert all(trace in out.read_bytes() for trace in TRACES)
    return out


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("phone")


@pytest.fixture(scope="module")
def profile(phone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profile")
    empty, points = by_a_phone(TABLE / "empty.jpg", phone), TABLE / "points.json"
    called = ["calibrate", "map", str(empty), "--board", "usa"]
    assert run([*called, "--points", str(points), "--profile", str(folder)]) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_profile_says_nothing_of_phone_and_place(profile: Path) -> None:
    stored = files(profile)
    assert {"map.jpg", "map.npz", "profile.json"} <= set(stored)
    assert [name for name, data in stored.items() if any(trace in data for trace in TRACES)] == []
    assert not Image.open(profile / "map.jpg").getexif()


@pytest.mark.slow
def test_nor_does_an_annotated_photo(profile: Path, phone: Path, tmp_path: Path) -> None:
    photo, out = by_a_phone(TABLE / "setup.jpg", phone), tmp_path / "annotated.jpg"
    assert run(["scan", str(photo), "--profile", str(profile), "--annotate", str(out)]) == 0
    assert not any(trace in out.read_bytes() for trace in TRACES)
    assert not Image.open(out).getexif()


def test_no_number_is_given_to_the_computer(tmp_path: Path) -> None:
    """The library that runs the network keeps one, and reports on its use, where nobody says no."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "XDG_"))}
    subprocess.run([sys.executable, "-c", "import vision"], env={**kept, "HOME": str(tmp_path)}, check=True)
    assert files(tmp_path) == {}
