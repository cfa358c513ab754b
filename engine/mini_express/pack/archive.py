"""A pack as one file (a zip of its TOML files), to hand on and to take over."""

import io
import lzma
import os
import re
import zipfile
import zlib
from pathlib import Path

from ...atomic import write_whole
from ...files import reading
from ...sentences import Phrase, reason_of
from ..errors import PackProblem
from .boards import ID
from .reading import Pack, is_of_pack, pack_files
from .toml_file import MAX_BYTES
from .writing import in_the_making

NAME = re.compile(rf"(boards/)?{ID.pattern}\.toml")
MAX_FILES = 50
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What is never unpacked farther than it is read; other ways fill the memory first."""
NOTHING, DAMAGED = Phrase("nothing of a pack is in it"), Phrase("it is damaged, or something else")
# What reading an archive raises that is damaged, encrypted or packed in an unknown way; ValueError of broken names,
# OverflowError of places beyond any file.
BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, EOFError, ValueError, OverflowError)


def export_pack(pack: Pack, file: Path) -> None:
    """Write every file of a pack, shipped ones included, into one archive. Raises PackProblem."""
    if file.exists():
        raise PackProblem("exists", file=str(file))
    try:
        write_whole(file, archived(pack))
    except OSError as error:
        raise PackProblem("unwritable", file=str(file), reason=reason_of(error)) from None


def archived(pack: Pack) -> bytes:
    """The archive itself. Raises OSError."""
    whole = io.BytesIO()
    # Files may be older than zip archives are.
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for name, path in pack_files(pack.folder).items():
            archive.write(path, name)
    return whole.getvalue()


def import_pack(file: Path, folder: Path) -> Pack:
    """Unpack an exported pack into a new folder, once it has proved sound. Raises PackProblem."""
    if not _is_free(folder):
        raise PackProblem("exists", file=str(folder))
    with in_the_making(folder.parent, folder) as unpacked:
        _unpack(file, unpacked)
        Pack.load(unpacked)
        os.replace(unpacked, folder.resolve())
    return Pack.load(folder)


def files_in(archive: bytes, file: Phrase | str) -> dict[str, str]:
    """The text of every file of a pack in an archive, which is called `file`; not checked yet. Raises PackProblem."""
    try:
        return {name: data.decode() for name, data in _files_in(io.BytesIO(archive), file).items()}
    except UnicodeDecodeError:
        raise PackProblem("archive", file=file, reason=DAMAGED) from None


def _is_free(folder: Path) -> bool:
    """Whether there is nothing yet by this name, or an empty folder."""
    try:
        return not folder.exists() or not any(folder.iterdir())
    except OSError:  # no folder, or none that we may look into
        return False


def _unpack(file: Path, folder: Path) -> None:
    """Raises PackProblem for the archive, and OSError where the folder cannot be written."""
    for name, data in _files_in(file, str(file)).items():
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)


def _files_in(source: Path | io.BytesIO, file: Phrase | str) -> dict[str, bytes]:
    """What an archive, which is called `file`, holds of a pack, by name. Raises PackProblem."""
    with reading(file, PackProblem):
        try:
            with zipfile.ZipFile(source) as archive:
                held = {entry.filename: _unpacked(archive, entry) for entry in _entries(archive, file)}
        except BROKEN:
            raise PackProblem("archive", file=file, reason=DAMAGED) from None
    if not any(map(is_of_pack, held)):
        raise PackProblem("archive", file=file, reason=NOTHING)
    return held


def _entries(archive: zipfile.ZipFile, file: Phrase | str) -> list[zipfile.ZipInfo]:
    """Only TOML files with plain names and of a sane size: an archive comes from strangers. Raises PackProblem."""
    entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
    if len(entries) > MAX_FILES:
        raise PackProblem("archive", file=file, reason=Phrase("too many files"))
    for entry in entries:
        plain = NAME.fullmatch(entry.filename) and entry.compress_type in PACKED
        if not plain or entry.file_size > MAX_BYTES:
            reason = Phrase("unexpected entry {name}", name=repr(entry.filename[:60]))
            raise PackProblem("archive", file=file, reason=reason)
    return entries


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """What an entry holds, no more than a header can say that lies about its size."""
    with archive.open(entry) as source:
        return source.read(MAX_BYTES)
