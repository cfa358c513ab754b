"""The printed data of this table: the ones in use, and those that older games were begun with."""

import re
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from engine.mini_express import Game, Pack, PackProblem, State, built_in, state_of_json
from engine.mini_express.pack.writing import own_copy, sound, tried_copy
from engine.mini_express.part.paths import state_within
from engine.mini_express.record import pack_named
from engine.sentences import N_, Phrase, Problem

from ..problems import WebProblem
from .saving import remove, save

# What somebody who writes them on a page calls the files of a pack; all others are maps.
WRITTEN = {"values.toml": N_("The value table"), "tiles.toml": N_("The tiles")}
DRAWN = N_("Your copy of the map")
DIGEST = re.compile(r"[0-9a-f]{8}")
IN_USE = "in_use"


class Packs:
    """The pack that the server was `given`, else the newest own copy of this table, else the shipped one.

    Every pack that games are played with stays in a folder named by its digest, so they go on with it: whatever
    copies are made later, without --pack, and with a newer masinfira that brings other data.
    """

    def __init__(self, folder: Path, given: Pack | None) -> None:
        self._folder, self._given = folder, given
        self._held, self._changing = set[str](), threading.Lock()
        self._loaded = {given.digest: given} if given else {}
        marked = None if given else self._marked()
        own = given or self.of(marked)
        self.in_use = own or built_in()
        self.damaged: WebProblem | None = None
        """That the own copy in use cannot be read, until another pack is put in use."""
        if marked is not None and own is None:
            where = folder / (marked if DIGEST.fullmatch(marked) else IN_USE)
            self.damaged = WebProblem("copy_damaged", folder=str(where))
        with suppress(WebProblem):  # games can be gone on with on a full disk, too
            self.hold(self.in_use)

    @property
    def may_change(self) -> bool:
        """Whether the pages may put another pack in use; one that was given is its owner's to change."""
        return self._given is None

    def check_may_change(self) -> None:
        """Raises WebProblem where they may not."""
        if not self.may_change:
            raise WebProblem("pack_given")

    def game(self, text: str) -> Game:
        """The game of a record, with the pack that it was begun with. Raises Malformed where that is not here."""
        return Game.from_text(text, self.of(pack_named(text)) or self.in_use)

    def state(self, obj: object) -> State:
        """The state of a JSON, with the pack that it names. Raises Malformed where that is not here, PartProblem.

        One that names none and does not fit the pack in use may be of the shipped one, which is never named.
        """
        inner = state_within(obj)
        named = inner.get("pack") if isinstance(inner, Mapping) else None
        try:
            return state_of_json(obj, self.of(named if isinstance(named, str) else None) or self.in_use)
        except Problem:
            with suppress(Problem):
                return state_of_json(obj, built_in())
            raise

    def hold(self, pack: Pack) -> None:
        """Keep data that games are played with; what is kept already stays, but for the pack that was given.

        Raises WebProblem.
        """
        with self._changing:  # what another phone is writing there is not found damaged
            if pack.digest in self._held:
                return
            try:
                if pack is self._given or sound(self._folder / pack.digest) is None:
                    own_copy(pack, {}, self._folder)
            except PackProblem as problem:
                raise WebProblem("not_saved", reason=problem.values.get("reason", problem)) from None
            self._held.add(pack.digest)

    def tried(self, files: Mapping[str, str]) -> Pack:
        """The data in use, but with the text of these files, to look at: nothing is kept. Raises PackProblem."""
        return tried_copy(self.in_use, files, self._folder)

    def change(self, files: Callable[[Pack], Mapping[str, str]]) -> None:
        """Put the data in use, but with the text of these `files`, in use. Raises PackProblem, WebProblem."""
        with self._changing:  # what two phones change at once is both changed, or one of them is told
            self.check_may_change()
            new = own_copy(self.in_use, files(self.in_use), self._folder)
            save(self._folder / IN_USE, new.digest.encode())
            self._loaded[new.digest] = self.in_use = new
            self.damaged = None

    def use_shipped(self) -> None:
        """From now on new games are played with the data that came with masinfira. Raises WebProblem."""
        with self._changing:
            self.check_may_change()
            remove(self._folder / IN_USE)
            self.in_use, self.damaged = built_in(), None

    def _marked(self) -> str | None:
        """The digest of the own copy in use, if there is one; nothing where that is damaged."""
        try:
            return (self._folder / IN_USE).read_text(encoding="ascii", errors="replace")
        except FileNotFoundError:
            return None
        except OSError:
            return ""

    def of(self, digest: str | None) -> Pack | None:
        """The pack of this digest, if it is here and sound: as it was kept, else the shipped one."""
        if digest not in self._loaded and digest and DIGEST.fullmatch(digest):
            pack = sound(self._folder / digest) or built_in()
            if pack.digest != digest:
                return None
            self._loaded[digest] = pack
        return self._loaded.get(digest or "")


def about_own_copy(problem: PackProblem) -> Problem:
    """A refusal for somebody who has written the data on a page and knows of no file."""
    if problem.key == "unwritable":  # the folder of all packs: what was written is not to blame
        return WebProblem("not_saved", reason=problem.values["reason"])
    file = Phrase(WRITTEN.get(problem.values["file"], DRAWN))
    return PackProblem(problem.key, rule=problem.rule, **{**problem.values, "file": file})
