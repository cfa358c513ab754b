"""Reading all boards on a table: which of them the photos show is found out, and each is read in its own way.

    found = scan_table(["everything.jpg"], Profile.load("table"))
    found.map, found.figures, found.state_part()

The map is read by `scan`; tracks and areas, and the shares in front of players, are read as figures.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from calibration import SHARE_TILES, Photo, Profile, ProfileProblem, RegistrationProblem
from engine import mini_express as game
from engine.mini_express.names import Answers
from engine.sentences import N_, Problem, Progress, part_of, silent

from .agreed import NOTHING_AGREED, Agreed
from .compared import Disagreement, contradictions, told_apart, values_apart
from .figure import Figure
from .panels.figures import colours_on_tracks, figures, shown_otherwise, state_part, unseen_cells
from .panels.reading import PanelReading, read_panel
from .scan import Picture, Scan, Told, opened, scan
from .shares.reading import ShareReader
from .sightings import MAP, Sighting, boards_of, sightings_of


@dataclass(frozen=True, eq=False)
class TableScan:
    """What photos of one moment show of all boards; `map` is None where no photo shows the map.

    `missing` are the surfaces of the profile that no photo shows, `figures` the numbers that the other boards show,
    `unseen` the cells of those that no photo shows, and `conflicts` sentences on figures that contradict the state
    which the map's photo leads to, its trains, or each other in two photos, and on markers of unknown colours.
    `colours` are those of the players whose markers stand on the influence tracks, whoever is said to play. `left_out`
    says why, of each photo that shows no board.
    """

    map: Scan | None
    sightings: tuple[Sighting, ...]
    missing: list[str]
    figures: list[Figure]
    unseen: list[str]
    conflicts: list[Problem]
    seconds: float
    colours: Collection[str] = ()
    left_out: Sequence[Problem] = ()

    @property
    def fits(self) -> bool:
        """Whether all that was seen fits the state before and what was played since, and can be trusted."""
        wrong = [problem for problem in self.conflicts if problem.key in ("figure", "apart", "other_values")]
        return not wrong and not (self.map and self.map.conflicts)

    @property
    def all_conflicts(self) -> list[Problem]:
        """The photos left out, the map's conflicts and those of the other boards."""
        return [*self.left_out, *(self.map.conflicts if self.map else ()), *self.conflicts]

    def state_part(self) -> dict[str, Any]:
        """The state JSON as far as it is known: whole where the state before led to it."""
        on_map = self.map.state_part() if self.map else {}
        whole = self.map is not None and self.map.state is not None
        return on_map if whole else _merged(on_map, state_part(self.figures))

    def answered(self, answers: Answers) -> "TableScan":
        """The map decoded anew with what a person said of it, and the other boards compared with what comes of that."""
        if self.map is None:
            return self
        on_map = told_apart(self.map.answered(answers), self.figures)
        of_photos = [problem for problem in self.conflicts if problem.key in ("strange", "apart")]
        return replace(
            self, map=on_map, conflicts=[*of_photos, *_compared(self.figures, on_map, on_map.state)]
        )

    @property
    def boards(self) -> list[str]:
        """The names of the other boards that the photos show."""
        return sorted({found.surface for found in self.sightings} - {MAP})

    @property
    def doubtful(self) -> list[Figure]:
        """The figures that a person should confirm, most doubtful first."""
        return sorted((f for f in self.figures if f.doubtful), key=lambda figure: figure.p)

    def to_json(self, told: Told = str) -> dict[str, Any]:
        """The JSON of `masinfira scan --json`: the map's, with what the other boards add. `told` as of the map's."""
        plain = self.map.to_json(told) if self.map else _without_map(self.sightings)
        seen = [
            {"surface": s.surface, "photo": str(s.photo.name), **s.registration.to_json()}
            for s in self.sightings
        ]
        read = [{"path": f.name, "value": f.best, "p": round(f.p, 4)} for f in self.figures]
        return {
            **plain,
            "surfaces": seen,
            "missing_surfaces": self.missing,
            "observation": {**plain["observation"], "figures": read},
            "state": self.state_part(),
            "doubtful": [*plain["doubtful"], *(figure.to_json() for figure in self.doubtful)],
            "unseen_cells": self.unseen,
            "fits": self.fits,
            "conflicts": [*map(told, self.all_conflicts)],
            "seconds": round(self.seconds, 3),
        }


def _without_map(sightings: Sequence[Sighting]) -> dict[str, Any]:
    """The map's part of the JSON where no photo shows it; `registration` is None where none shows any board."""
    registrations = [sighting.registration.to_json() for sighting in sightings]
    nothing: dict[str, Any] = {
        key: [] for key in ("unseen", "doubtful", "actions", "alternatives", "conflicts")
    }
    first = registrations[0] if registrations else None
    return {"registration": first, "registrations": registrations, "observation": {}, **nothing}


def _merged(base: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """`base` with `part` laid into it, inner objects too."""
    both = dict(base)
    for key, value in part.items():
        inner = both.get(key)
        both[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return both


def scan_table(
    photos: Sequence[Picture],
    profile: Profile,
    before: game.State | None = None,
    progress: Progress = silent,
    agreed: Agreed = NOTHING_AGREED,
    shares: Mapping[str, Picture] | None = None,
) -> TableScan:
    """Read every board of the profile that photos of one moment show; parameters as of `scan`.

    `shares` are photos of the share tiles in front of a player, by seat. Raises PhotoProblem, RegistrationProblem where
    no photo shows any of the boards, NoShares where one shows no share tile, ProfileProblem, Malformed as `scan` does.
    """
    start = time.perf_counter()
    if before is not None and before.board.id != profile.board:
        raise ProfileProblem("other_board", found=profile.board, expected=before.board.id)
    laid_out = _opened_shares(shares or {}, profile)
    sightings, left_out = _found(photos, profile, progress)
    progress(N_("Reading the markers"), 0.3)
    read_map = partial(scan, profile=profile, before=before, agreed=agreed)
    by_itself, panels = _read(sightings, profile, read_map, part_of(progress, 0.4, 0.4 if laid_out else 0.6))
    shown = figures(panels, before.setup.humans if before else agreed.seats)
    shown += _shares(laid_out, profile, part_of(progress, 0.8, 0.2))
    on_map = _map_with(shown, by_itself) if by_itself else None
    now = on_map.state if on_map else before
    conflicts = [*_strange(panels), *_apart(panels), *_compared(shown, on_map, now)]
    progress(N_("Done"), 1.0)
    return TableScan(
        on_map,
        tuple(sightings),
        missing=_missing(profile, sightings),
        figures=shown,
        unseen=unseen_cells(panels),
        conflicts=conflicts,
        seconds=time.perf_counter() - start,
        colours=colours_on_tracks(panels),
        left_out=left_out,
    )


def _missing(profile: Profile, sightings: Sequence[Sighting]) -> list[str]:
    """The boards of the game in the profile that no photo shows."""
    return sorted({*boards_of(profile)} - {found.surface for found in sightings})


def _map_with(figures: Sequence[Figure], by_itself: Scan) -> Scan:
    """What the map shows by itself, and what the other boards add: the play, and where nobody knows, who plays."""
    on_map = told_apart(by_itself, figures)
    return on_map.with_bot() if on_map.agreed.bot is None and _bot_shown(figures) else on_map


def _bot_shown(figures: Sequence[Figure]) -> bool:
    """Whether Mašinfíra plays, by its company marker on the asset board."""
    return any(figure.path == ("bot", "company") and figure.clear for figure in figures)


def _found(
    photos: Sequence[Picture], profile: Profile, say: Progress
) -> tuple[list[Sighting], list[RegistrationProblem]]:
    """Every board in every photo, and why a photo shows none.

    Raises PhotoProblem, RegistrationProblem where all show none, ProfileProblem.
    """
    say(N_("Opening the photo"), 0.0)
    loaded = [opened(photo) for photo in photos]
    say(N_("Finding the boards"), 0.05)
    found: list[Sighting] = []
    left_out: list[RegistrationProblem] = []
    for photo in loaded:
        try:
            found += sightings_of(photo, profile)
        except RegistrationProblem as problem:
            left_out.append(problem)
    if left_out and not found:
        raise left_out[0]
    return found, left_out


def _read(
    sightings: Sequence[Sighting], profile: Profile, read_map: Callable[..., Scan], say: Progress
) -> tuple[Scan | None, list[PanelReading]]:
    """The map by all its sightings, None without any, and every panel by each of its own.

    `read_map` is `scan` but for the photos, the progress and what works `beside` it.
    """
    maps = [(found.photo, found.registration) for found in sightings if found.surface == MAP]
    panels = [found for found in sightings if found.surface != MAP]
    # They work mostly outside Python's lock, on two cores; one more at once would take 100 MB more.
    with ThreadPoolExecutor(1) as beside:
        others = [beside.submit(_read_panel, found, profile) for found in panels[::2]]
        readings = [_read_panel(found, profile) for found in panels[1::2]]
        on_map = read_map(maps, progress=say, beside=beside) if maps else None
        return on_map, [*readings, *(other.result() for other in others)]


def _read_panel(sighting: Sighting, profile: Profile) -> PanelReading:
    return read_panel(sighting.photo, sighting.registration, profile.surfaces[sighting.surface])


def _opened_shares(photos: Mapping[str, Picture], profile: Profile) -> dict[str, Photo]:
    """The photos of share tiles by seat: if one is wrong, that is told before the others are worked on.

    Raises PhotoProblem, ProfileProblem where the profile has no share tiles.
    """
    if photos:
        profile.surface(SHARE_TILES)
    return {seat: opened(photo) for seat, photo in photos.items()}


def _shares(photos: Mapping[str, Photo], profile: Profile, say: Progress) -> list[Figure]:
    """The shares in front of each seat. Raises NoShares."""
    if not photos:
        return []
    say(N_("Looking at the share tiles"), 0.0)
    reader, shown = ShareReader(profile.surface(SHARE_TILES)), list[Figure]()
    for nth, (seat, photo) in enumerate(photos.items(), 1):
        shown += reader.figures(seat, photo)
        say(N_("Looking at the share tiles"), nth / len(photos))
    return shown


def _compared(figures: Sequence[Figure], on_map: Scan | None, now: game.State | None) -> list[Problem]:
    """The figures that contradict the state now or, where nobody knows it, the trains on the map."""
    if now:
        return contradictions(figures, now)
    return values_apart(figures, on_map) if on_map else []


def _apart(readings: Sequence[PanelReading]) -> Iterator[Problem]:
    """That the photos show other numbers, with one of them."""
    if otherwise := shown_otherwise(readings):
        yield Disagreement("apart", n=len(otherwise), figure=otherwise[0].name)


def _strange(readings: Sequence[PanelReading]) -> Iterator[Problem]:
    """For each board with markers of an unknown colour a sentence, with a cell where one stands."""
    for reading in readings:
        if reading.strange:
            yield Disagreement("strange", cell=str(reading.surface.cells[reading.strange[0]].id))
