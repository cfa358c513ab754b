"""The names of the boards, of tracks and areas, "value/brown" or "reservoir/gray", and of cells, "value/brown/7"."""

from typing import NamedTuple

BOARDS = "map", "tracks", "assets"
"""The boards of Mini Express; a profile may have surfaces of other games beside them."""
TRACKS, AREAS = ("value", "influence"), ("reservoir", "offer", "company")


class CellName(NamedTuple):
    """The parts of a name: `company` is "" where all share one track, `number` is that of a track's space."""

    sort: str
    company: str = ""
    number: str = ""

    @staticmethod
    def of(name: object) -> "CellName":
        """Of a cell's id, of the places of a kind, or of what somebody tapped; a hex is a sort of its own."""
        sort, *rest = str(name).split("/")
        number = rest.pop() if rest and rest[-1].isdigit() else ""
        return CellName(sort, "/".join(rest), number)

    @property
    def row(self) -> str:
        """The track or area that the cell is part of."""
        return "/".join(filter(None, (self.sort, self.company)))
