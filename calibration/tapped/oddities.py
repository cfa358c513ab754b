"""What looks like a slip in the points of tracks and areas, though a board may be printed so: told, not refused."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Problem

from ..cell_names import AREAS, TRACKS, CellName
from ..surface import Points
from .panels import PanelPoints, Track

# Two tracks run in opposite ways where the cosine of the angle between them is less.
OPPOSITE_WAYS = -0.5


class OddPoints(Problem):
    """Something that one track or area has otherwise than the others of its kind; says which and what to do."""

    sentences: ClassVar[dict[str, str]] = {
        "backwards": N_(
            "{what} runs the other way than the tracks beside it: if its last space was tapped first, tap it again."
        ),
        "numbers": N_(
            "{what} goes from {first} to {last}, other than the tracks beside it: if that is a slip, correct the "
            "numbers of its spaces."
        ),
        "left_out": N_(
            "{what} is not among the points, though others of its kind are: add it if the board has one."
        ),
    }


def oddities(points: PanelPoints) -> Iterator[OddPoints]:
    """All that is odd in these points."""
    for sort in TRACKS:
        tracks = {name: track for name, track in points.tracks.items() if CellName.of(name).sort == sort}
        yield from _odd_among(tracks)
    yield from _left_out({*points.tracks, *points.areas})


def _odd_among(tracks: Mapping[str, Track]) -> Iterator[OddPoints]:
    """The one track of a kind that is otherwise than all others, which agree."""
    ways = {name: _way(track) for name, track in tracks.items()}
    for name, way in ways.items():
        others = [other for n, other in ways.items() if n != name]
        if len(others) < 2:
            continue
        if all(way @ other < OPPOSITE_WAYS for other in others):
            yield OddPoints("backwards", what=name)
        ends = (tracks[name].at[0], tracks[name].at[-1])
        among = {(track.at[0], track.at[-1]) for n, track in tracks.items() if n != name}
        if len(among) == 1 and ends not in among:
            yield OddPoints("numbers", what=name, first=ends[0], last=ends[1])


def _way(track: Track) -> Points:
    """Where it runs in the photo, from its first space to its last; a ring runs nowhere."""
    way = np.subtract(track.px[-1], track.px[0])
    return way / max(float(np.linalg.norm(way)), 1.0)


def _left_out(named: set[str]) -> Iterator[OddPoints]:
    """The companies that have no track or area of a kind, where most have one."""
    for sort in (*TRACKS, *AREAS):
        without = [company for company in COMPANIES if f"{sort}/{company}" not in named]
        if 0 < len(without) < len(COMPANIES) / 2:
            yield from (OddPoints("left_out", what=f"{sort}/{company}") for company in without)
