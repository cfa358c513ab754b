"""Where the table profiles are: in the folder that was named, or in one for each map beside the games."""

import threading
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

from calibration import SHARE_TILES, Profile, ProfileProblem, Surface
from calibration.cell_names import TRACKS, CellName
from calibration.profile import FILE
from engine.mini_express.board import Board
from engine.sentences import Problem

from ..problems import WebProblem


class Profiles:
    """The profiles of this table, one for each map as it is printed. What is no map belongs to all of them.

    So who makes a copy of a map of one's own can have photos read of the games begun before, too.
    """

    def __init__(self, named: Path | None, own: Path) -> None:
        self._named, self._own = named, own
        self._loaded: dict[Path, tuple[int, Profile, ProfileProblem | None]] = {}
        self._lock = threading.Lock()

    def folder(self, board: Board) -> Path:
        """The folder of the profile for a map. Raises WebProblem where there is none, ProfileProblem."""
        folder = self._of(board)
        if folder is None and any(profile.board == board.id for profile in self._with_map().values()):
            raise WebProblem("other_print")
        folder = folder or self._named
        if folder is None or not (folder / FILE).is_file():
            raise next(iter(self.damaged()), WebProblem("no_profile"))
        return folder

    def load(self, board: Board) -> Profile:
        """The profile for a map, read again where it has changed. Raises ProfileProblem, WebProblem.

        Boards that are damaged in it are taken from where they are whole.
        """
        profile = self._load(self.folder(board))
        return replace(profile, surfaces={**self._beside_maps(), **profile.surfaces})

    def without_map(self, board: Board) -> Profile | None:
        """What is known of the other boards, to read those in a game on this map; None where nothing is."""
        known = self._beside_maps()
        return Profile(board.id, known) if known else None

    def know(self, board: Board) -> bool:
        """Whether photos of a map can be read."""
        return self._of(board) is not None

    def maps(self, boards: Collection[str]) -> list[str]:
        """Of these maps those that a profile can be made for: a folder that was named has room for one."""
        taken = {profile.board for profile in self._with_map().values()} if self._named else None
        return [board for board in boards if not taken or board in taken]

    def all(self) -> list[Profile]:
        """Every profile that can be used."""
        return [*self._usable().values()]

    def damaged(self) -> list[Problem]:
        """What is wrong with those that cannot be used, or not all of them."""
        found = list[Problem]()
        for folder in self._folders():
            try:
                self._load(folder)
                problem = self._loaded[folder][2]
            except ProfileProblem as reason:
                problem = reason
            if problem and problem.key != "missing":
                found.append(_for_players(problem))
        return found

    def surfaces(self) -> list[Surface]:
        """Every map and every other surface of the table, each once."""
        maps = [profile.surfaces["map"] for profile in self._with_map().values()]
        return [*maps, *self._beside_maps().values()]

    def for_counting(self) -> Profile | None:
        """What there is to count a game by, the tracks and the share tiles; the same for every map."""
        known = {n: s for n, s in self._beside_maps().items() if has_tracks(s) or n == SHARE_TILES}
        return Profile(next(iter(known.values())).board, known) if known else None

    def keep(self, surface: Surface, board: Board) -> None:
        """Keep a surface that was calibrated, in place of the one of its name; a map as that of `board`.

        Raises ProfileProblem.
        """
        profiles, home, panels = self._usable(), self._home(board), self._beside_maps()
        if surface.name != "map":
            boards = {folder: profile.board for folder, profile in profiles.items()}
            for folder, of in (boards or {home: board.id}).items():
                Profile.keep(folder, replace(surface, board=of))
            return
        before = Profile.keep(home, surface)
        # The table's other boards are the same whichever map is played.
        for name in panels.keys() - (before.surfaces.keys() if before else set()):
            Profile.keep(home, replace(panels[name], board=board.id))

    def _beside_maps(self) -> dict[str, Surface]:
        """All boards of the table but the maps, by their names: they are the same in every profile."""
        found = dict[str, Surface]()
        for profile in self.all():
            found = {**profile.surfaces, **found}
        return {name: surface for name, surface in found.items() if name != "map"}

    def _home(self, board: Board) -> Path:
        """The folder that was named, or that of this map, or the first after its name that has no map yet."""
        if folder := self._named or self._of(board):
            return folder
        maps = self._with_map()
        names = (board.id if n == 1 else f"{board.id}-{n}" for n in count(1))
        return next(self._own / name for name in names if self._own / name not in maps)

    def _of(self, board: Board) -> Path | None:
        """The folder of the profile for a map as it is printed."""
        return next((folder for folder, profile in self._usable().items() if profile.shows(board)), None)

    def _with_map(self) -> dict[Path, Profile]:
        """Those of them that have a map."""
        return {folder: profile for folder, profile in self._usable().items() if "map" in profile.surfaces}

    def _usable(self) -> dict[Path, Profile]:
        """Every profile that can be used, by its folder."""
        found = {}
        for folder in self._folders():
            with suppress(ProfileProblem):
                found[folder] = self._load(folder)
        return found

    def _folders(self) -> list[Path]:
        return [self._named] if self._named else sorted(path.parent for path in self._own.glob(f"*/{FILE}"))

    def _load(self, folder: Path) -> Profile:
        """As it is now; of a damaged one what is left. Raises ProfileProblem."""
        with self._lock:
            try:
                stamp = (folder / FILE).stat().st_mtime_ns
            except OSError:
                raise ProfileProblem("missing", folder=str(folder)) from None
            if folder not in self._loaded or self._loaded[folder][0] != stamp:
                self._loaded[folder] = (stamp, *_as_far_as_sound(folder))
            return self._loaded[folder][1]


def _as_far_as_sound(folder: Path) -> tuple[Profile, ProfileProblem | None]:
    """A profile, or what is left of a damaged one, and that it is damaged. Raises ProfileProblem."""
    try:
        return Profile.load(folder), None
    except ProfileProblem as problem:
        with suppress(ProfileProblem):
            return Profile.undamaged(folder), problem
        raise


def _for_players(problem: ProfileProblem) -> Problem:
    """What is wrong, without the way to the folder and the command for whoever sits at the computer."""
    if problem.key != "broken":
        return problem
    told = problem.values
    return WebProblem("board_damaged", file=f"{Path(told['folder']).name}/{told['reason']}")


def has_tracks(surface: Surface) -> bool:
    """Whether it is a board with tracks on it."""
    return any(CellName.of(cell.id).sort in TRACKS for cell in surface.cells)
