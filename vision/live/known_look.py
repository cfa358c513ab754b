"""How the board looks while its track is known: what still looks so has no new train, what does not may have one."""

import numpy as np

from calibration.surface import CellId, Surface
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.names import COMPANIES, Answers

from ..scan import Scan
from .follow import Above, Look, Mask

# A difference in logs of light by which something is no longer as it was, and of how much of the board.
DIFFERS, CHANGED_MM2 = 0.2, 25.0
# What changes is at most this share of the board when somebody builds.
LOCAL_CHANGE = 0.2
# A hex that looks like a train with at least this probability may hold one.
MAY_HOLD = 0.003
# One that shows a train with this probability looks otherwise than it did in the known state.
SHOWS = 0.1
# A piece changes what is seen this near to the middle of its hex.
REACH_MM = 14.0


class KnownLook:
    """Remembers the look of the known state on one surface, as far as it has been seen; `above` looks down on it."""

    def __init__(self, surface: Surface, above: Above) -> None:
        self.surface, self.above = surface, above
        self.look: Look | None = None

    def changed(self, look: Look) -> Mask:
        """(cells,) bool: what looks different from when the state was known; at first, all of it."""
        if self.look is None:
            return np.ones(len(self.surface.cells), bool)
        changes = self.above.changes(look.off(self.look), DIFFERS, CHANGED_MM2)
        return self.above.cells_near(changes, 2 * REACH_MM)

    def standing(self, look: Look, changed: Mask, state: game.State) -> Answers:
        """What is known without reading: a hex that looks as it did has the trains that the state has there."""
        known = ~(changed | self._hidden(look))
        trains = {company: set(state.hexes(company)) for company in COMPANIES}
        return {(at, company): at in trains[company] for at in self._hexes(known) for company in COMPANIES}

    def played_on(self, look: Look, changed: Mask) -> list[Hex]:
        """The changed hexes; none where the change is rather the light's, or the camera's."""
        same_place = self.look is not None and look.place is self.look.place
        return self._hexes(changed) if same_place and changed.mean() < LOCAL_CHANGE else []

    def settle(self, look: Look, changed: Mask, found: Scan, state: game.State, played: bool) -> None:
        """Remember how the `state` looks, but not where a train that is not in it may stand by what was `found`.

        Between turns nothing that changed is taken for the known state: it may be the beginning of a build.
        """
        if self.look is None:
            self.look = self._but_for_what_shows(look, found, state)
            return
        unsure = np.array([_may_hold_more(found, state, cell.id) for cell in self.surface.cells])
        old = self.above.around(changed & (unsure | (not played)), 2 * REACH_MM)
        light = np.where(old[..., None], self.look.light, look.light)
        self.look = Look(light, np.where(old, self.look.seen, look.seen), look.place)

    def _but_for_what_shows(self, look: Look, found: Scan, state: game.State) -> Look:
        """The first look, as if it did not show the hexes that seem to hold a train that the state does not have."""
        more = np.array([_may_hold_more(found, state, cell.id, SHOWS) for cell in self.surface.cells])
        return Look(look.light, look.seen & ~self.above.around(more, REACH_MM), look.place)

    def _hidden(self, look: Look) -> Mask:
        """(cells,) bool: what lies outside this picture, or outside that of which the state was known."""
        known = look if self.look is None else self.look
        return self.above.cells_near(~(look.seen & known.seen), 0)

    def _hexes(self, where: Mask) -> list[Hex]:
        """The hexes among these cells."""
        cells = (self.surface.cells[i].id for i in np.flatnonzero(where))
        return [cell for cell in cells if isinstance(cell, tuple)]


def _may_hold_more(found: Scan, state: game.State, at: CellId, p: float = MAY_HOLD) -> bool:
    """Whether a hex was not seen, or with this probability may hold a train that the state does not have."""
    if not isinstance(at, tuple) or at in found.unseen:
        return True
    new = [company for company in COMPANIES if at not in state.hexes(company)]
    return any(found.observation.p(at, company) >= p for company in new)
