"""Where the table profiles are: in the folder that was named, or in one for each map beside the games."""

import threading
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from calibration import Profile, ProfileProblem, Surface
from calibration.profile import FILE

from .problems import WebProblem


class Profiles:
    """The profiles of this table, one for each map. What is no map belongs to all of them."""

    def __init__(self, named: Path | None, own: Path) -> None:
        self._named, self._own = named, own
        self._loaded: dict[Path, tuple[int, Profile]] = {}
        self._lock = threading.Lock()

    def folder(self, board: str) -> Path:
        """The folder of the profile for a map. Raises WebProblem where there is none."""
        folder = self._home(board)
        if not (folder / FILE).is_file():
            raise WebProblem("no_profile")
        return folder

    def load(self, board: str) -> Profile:
        """The profile for a map, read again where it has changed. Raises ProfileProblem, WebProblem."""
        return self._load(self.folder(board))

    def maps(self, boards: Collection[str]) -> list[str]:
        """Of these maps those that a profile can be made for: a folder that was named has room for one."""
        taken = (
            {profile.board for profile in self.all() if "map" in profile.surfaces} if self._named else None
        )
        return [board for board in boards if not taken or board in taken]

    def all(self) -> list[Profile]:
        """Every profile that can be used."""
        found = []
        for folder in self._folders():
            try:
                found.append(self._load(folder))
            except ProfileProblem:
                continue
        return found

    def keep(self, surface: Surface) -> None:
        """Keep a surface that was calibrated, in place of the one of its name. Raises ProfileProblem."""
        profiles = self.all()
        if surface.name != "map":
            for board in [profile.board for profile in profiles] or [surface.board]:
                Profile.keep(self._home(board), replace(surface, board=board))
            return
        home = self._home(surface.board)
        before = Profile.keep(home, surface)
        # The table's other boards are the same whichever map is played.
        panels = {n: s for profile in profiles for n, s in profile.surfaces.items() if n != "map"}
        for name in panels.keys() - (before.surfaces.keys() if before else set()):
            Profile.keep(home, replace(panels[name], board=surface.board))

    def _home(self, board: str) -> Path:
        return self._named or self._own / board

    def _folders(self) -> list[Path]:
        return [self._named] if self._named else sorted(path.parent for path in self._own.glob(f"*/{FILE}"))

    def _load(self, folder: Path) -> Profile:
        with self._lock:
            try:
                stamp = (folder / FILE).stat().st_mtime_ns
            except OSError:
                raise ProfileProblem("missing", folder=str(folder)) from None
            if folder not in self._loaded or self._loaded[folder][0] != stamp:
                self._loaded[folder] = (stamp, Profile.load(folder))
            return self._loaded[folder][1]
