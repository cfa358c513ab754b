"""The table profile: a folder with `profile.json`, and for each surface a reference photo and its features."""

import errno
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from engine.atomic import alone_in, write_whole
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, REASONS, Problem, Typed, reason_of

from .soundness import fault_of
from .surface import Surface
from .surface_files import MALFORMED, VIEWS, Damaged, read_file, read_surface, surface_to_json, write_picture

FORMAT = "masinfira/profile/1"
FILE = "profile.json"
# With all the colours and cards that six surfaces can learn it has less than 9 MB; mostly it has a tenth of one.
BYTES_AT_MOST = 10_000_000
OURS = FORMAT.rpartition("/")[0].encode()
"""What a `profile.json` of any version has in it, even if it is damaged."""
GIVES_WAY = ("missing", "broken", "version")
"""The problems with a profile after which a new one can be begun in its place."""


class ProfileProblem(Problem):
    """A table profile that cannot be used, and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "missing": N_("There is no table profile in {folder}: make one with masinfira calibrate map."),
        "broken": N_("The table profile in {folder} is damaged ({reason}): calibrate again."),
        "unreadable": N_("The table profile in {folder} cannot be read: {reason}."),
        "version": N_("The table profile in {folder} is of another version ({found}): calibrate again."),
        "no_surface": N_("The table profile has no surface {surface} (it has: {known}): calibrate it first."),
        "other_board": N_(
            "This table profile is for the map {found}, and {expected} is needed: use that table's profile."
        ),
        "of_other_map": N_(
            "In {folder} there is a table profile for the map {found} already: choose another folder for this one."
        ),
        "foreign": N_(
            "{file} is no table profile and would be lost: choose another folder for the profile, or rename that file."
        ),
        "other_map": N_(
            "The map has other hexes or cities than when this profile was made: calibrate it again."
        ),
        "unsound": N_("The surface {surface} cannot be used: {fault}."),
        "unwritable": N_("The table profile cannot be written to {folder}: {reason}."),
    }


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
            known = Typed(", ".join(sorted(self.surfaces)))
            raise ProfileProblem("no_surface", surface=Typed(name), known=known)
        return self.surfaces[name]

    def map_of(self, board: Board) -> Surface:
        """The map, if the board is still printed as when it was calibrated. Raises ProfileProblem."""
        surface = self.surface("map", board.id)
        if not _shows(surface, board):
            raise ProfileProblem("other_map")
        return surface

    def shows(self, board: Board) -> bool:
        """Whether this is a profile of that map as it is printed."""
        return self.board == board.id and "map" in self.surfaces and _shows(self.surfaces["map"], board)

    def has_learnt(self, surface: str) -> bool:
        """Whether photos have taught this surface anything since it was calibrated."""
        found = self.surfaces.get(surface)
        return found is not None and bool(found.lessons or found.faces)

    def learnt_since(self, before: "Profile") -> bool:
        """Whether photos have taught it anything since it was `before`."""
        return _taught(self) != _taught(before)

    def forgotten(self) -> "Profile":
        """The profile as it was calibrated, without what photos have taught since."""
        plain = {name: replace(surface, lessons={}, faces={}) for name, surface in self.surfaces.items()}
        return replace(self, surfaces=plain)

    def with_surface(self, surface: Surface) -> "Profile":
        """The profile with this surface added, or put in the place of the one with its name."""
        return Profile(self.board, {**self.surfaces, surface.name: surface})

    @staticmethod
    def files(folder: str | Path) -> list[Path]:
        """The files that a profile in `folder` is read from, as far as there is one."""
        return [Path(folder) / FILE, *_pictures(Path(folder))]

    def save(self, folder: str | Path) -> None:
        """Write everything. Raises ProfileProblem where the folder cannot be written or a surface is unsound."""
        with _written(folder) as target:
            self._store(target)

    @staticmethod
    def begun(folder: str | Path, board: str | None = None) -> "Profile | None":
        """Before the work: the profile into which a surface can be put, for this map where one is given.

        None where one is to be begun, or where one of which all is damaged will be laid aside. Raises ProfileProblem,
        also where something else than a profile would have to give way.
        """
        found = _unless_it_gives_way(folder) or _left_of(folder)
        if found is None:
            _check_free(Path(folder))
        elif board is not None:
            _check_map(found, board, folder)
        return found

    @staticmethod
    def keep(folder: str | Path, surface: Surface) -> "Profile | None":
        """Put a surface into the profile in `folder`, or begin one there; the profile as it was, if there was one.

        A profile that has no map yet becomes that of the surface's map. One that is damaged is laid aside, but what is
        left of it is taken over. Raises ProfileProblem, also where the profile is for another map.
        """
        with _written(folder) as target:
            sound = _unless_it_gives_way(target)
            if old := sound or _left_of(target):
                _check_map(old, surface.board, folder)
            if sound is None:
                with suppress(FileNotFoundError):
                    os.replace(target / FILE, target / f"{FILE}.old")
            Profile(surface.board, old.surfaces if old else {}).with_surface(surface)._store(target)
        return old

    def _store(self, folder: Path) -> None:
        """Write what is not there yet under new names and `profile.json` last: broken off, the old profile holds."""
        for surface in self.surfaces.values():
            check_sound(surface)
        before = _pictures(folder)
        stored = {name: surface.stored_in(folder) for name, surface in self.surfaces.items()}
        for name, surface in self.surfaces.items():
            if stored[name] is None:
                picture = stored[name] = _new_picture(folder, name)
                write_picture(picture, surface)
        self._write(folder, {name: picture.name for name, picture in stored.items() if picture})
        for picture in before - set(stored.values()):
            picture.unlink(missing_ok=True)
            picture.with_suffix(VIEWS).unlink(missing_ok=True)

    def _write(self, folder: Path, pictures: Mapping[str, str]) -> None:
        surfaces = {n: surface_to_json(surface, pictures[n]) for n, surface in self.surfaces.items()}
        plain = {"format": FORMAT, "board": self.board, "surfaces": surfaces}
        write_whole(folder / FILE, (json.dumps(plain, indent=1) + "\n").encode())

    @staticmethod
    def change_lessons(folder: str | Path, change: Callable[["Profile"], "Profile"]) -> "Profile":
        """Load a profile, have `change` teach it something or forget, and keep that; the new profile.

        Nobody else's lesson is lost, for one waits for the other; the reference photos are not written again.
        Raises ProfileProblem, and whatever `change` raises: then nothing has changed.
        """
        _text(folder)  # where there is none, no folder is made for it
        with _written(folder) as target:
            changed = change(Profile.load(folder))
            changed._store(target)
        return changed

    @staticmethod
    def undamaged(folder: str | Path) -> "Profile":
        """The surfaces of a damaged profile that can still be read. Raises ProfileProblem where there is none."""
        return _read_profile(Path(folder), _text(folder), whole=False)

    @staticmethod
    def load(folder: str | Path) -> "Profile":
        """Read a profile. Raises ProfileProblem."""
        text = _text(folder)
        while True:
            try:
                return _read_profile(Path(folder), text)
            except ProfileProblem:
                # A file that it names may just have made room for a newer one.
                before, text = text, _text(folder)
                if text == before:
                    raise


def check_sound(surface: Surface) -> None:
    """Raises ProfileProblem where a surface, whoever made it, could be neither found nor read, or not kept."""
    if fault := fault_of(surface):
        raise ProfileProblem("unsound", surface=Typed(surface.name), fault=fault)


def _shows(surface: Surface, board: Board) -> bool:
    """Whether a map has the trains, hexes, start cities and cities with demand tiles of this board."""
    if [kind.name for kind in surface.kinds] != [*COMPANIES]:
        return False
    homes = {kind.name: surface.cells[kind.home].id for kind in surface.kinds if kind.home is not None}
    starts = {company: city.at for company, city in board.starts.items()}
    if surface.card is None or set(surface.index) != set(board.index) or homes != starts:
        return False
    return all(surface.index[city.at] in surface.card_at for city in board.numbered.values())


def _taught(profile: Profile) -> dict[str, object]:
    """What photos have taught each surface, to be compared."""
    return {
        surface.name: (
            surface.lessons,
            {symbols: [face.tobytes() for face in faces] for symbols, faces in surface.faces.items()},
        )
        for surface in profile.surfaces.values()
    }


@contextmanager
def _written(folder: str | Path) -> Iterator[Path]:
    """The folder of a profile, made if need be, in which nobody else writes meanwhile. Raises ProfileProblem."""
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with alone_in(target):
            yield target
    except OSError as reason:
        raise ProfileProblem("unwritable", folder=str(folder), reason=reason_of(reason)) from None


def _text(folder: str | Path) -> str:
    """What `profile.json` holds. Raises ProfileProblem."""
    try:
        return read_file(Path(folder) / FILE, BYTES_AT_MOST).decode()
    except (FileNotFoundError, NotADirectoryError):
        raise ProfileProblem("missing", folder=str(folder)) from None
    except OSError as reason:
        raise ProfileProblem("unreadable", folder=str(folder), reason=reason_of(reason)) from None
    except (Damaged, UnicodeDecodeError) as reason:
        raise ProfileProblem("broken", folder=str(folder), reason=FILE) from reason


def _check_free(folder: Path) -> None:
    """Raises ProfileProblem where a file stands in the way of a new profile that is none itself."""
    if folder.exists() and not folder.is_dir():
        raise ProfileProblem("unwritable", folder=str(folder), reason=REASONS[errno.EEXIST])
    with suppress(FileNotFoundError, NotADirectoryError):
        if not _is_ours(file := folder / FILE):
            raise ProfileProblem("foreign", file=str(file))


def _is_ours(file: Path) -> bool:
    """Whether a `profile.json`, perhaps a damaged one, was written by this program. Raises OSError."""
    try:
        return OURS in read_file(file, BYTES_AT_MOST)
    except Damaged:
        return False


def _check_map(profile: Profile, board: str, folder: str | Path) -> None:
    """Raises ProfileProblem where the profile is for another map."""
    if profile.board != board and "map" in profile.surfaces:
        raise ProfileProblem("of_other_map", folder=str(folder), found=profile.board)


def _unless_it_gives_way(folder: str | Path) -> Profile | None:
    """The profile in `folder`; None where there is none, or one that cannot be used. Raises ProfileProblem."""
    try:
        return Profile.load(folder)
    except ProfileProblem as problem:
        if problem.key not in GIVES_WAY:
            raise
        return None


def _left_of(folder: str | Path) -> Profile | None:
    """What is undamaged of the profile in `folder`, if anything is."""
    with suppress(ProfileProblem):
        return Profile.undamaged(folder)
    return None


def _pictures(folder: Path) -> set[Path]:
    """The reference photos that the profile in `folder` names, if one does."""
    try:
        surfaces = json.loads(read_file(folder / FILE, BYTES_AT_MOST))["surfaces"]
        return {folder / Path(surface["image"]).name for surface in surfaces.values()}
    except (OSError, *MALFORMED):
        return set()


def _new_picture(folder: Path, surface: str) -> Path:
    """A file for a surface's reference photo that is not there yet, nor is the one beside it for its features.

    A link that leads nowhere is there: what is written into it would make a file outside the folder.
    """
    picture = folder / f"{surface}.jpg"
    while any(map(os.path.lexists, (picture, picture.with_suffix(VIEWS)))):
        picture = folder / f"{surface}-{secrets.token_hex(4)}.jpg"
    return picture


def _read_profile(folder: Path, text: str, *, whole: bool = True) -> Profile:
    """What `profile.json` says, with the files it names; without what is damaged unless it is to be `whole`.

    Raises ProfileProblem.
    """
    try:
        obj = json.loads(text)
        found = obj["format"]
        if not isinstance(found, str):
            raise Damaged(FILE)
        if found != FORMAT:
            raise ProfileProblem("version", folder=str(folder), found=found)
        board, surfaces = obj["board"], dict[str, Surface]()
        if not isinstance(board, str):
            raise Damaged(FILE)
        for name, plain in obj["surfaces"].items():
            with suppress(*(() if whole else (OSError, *MALFORMED))):
                surfaces[name] = read_surface(folder, name, plain, board)
        if not whole and not surfaces:
            raise Damaged(FILE)
        return Profile(board, surfaces)
    except Damaged as reason:
        raise ProfileProblem("broken", folder=str(folder), reason=str(reason)) from reason
    except OSError as reason:
        raise ProfileProblem("unreadable", folder=str(folder), reason=reason_of(reason)) from reason
    except MALFORMED as reason:
        raise ProfileProblem("broken", folder=str(folder), reason=FILE) from reason
