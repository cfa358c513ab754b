"""Which boards of the profile a photo shows, and where."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from calibration import Photo, Profile, Registration, register
from calibration.cell_names import BOARDS
from engine.sentences import Problem

MAP = "map"


@dataclass(frozen=True)
class Sighting:
    """A surface as it was found, or not, in a photo."""

    photo: Photo
    surface: str
    registration: Registration


def sightings_of(photo: Photo, profile: Profile) -> list[Sighting]:
    """The surfaces that a photo shows. Raises RegistrationProblem where it shows none, ProfileProblem.

    The largest is looked for first, then the others together, and of these the missing ones once more as long as some
    are found. Each that has been found is painted over, so that nothing on it is taken for a part of another.
    """
    names = _largest_first(profile)
    left, seen, problems = photo, list[Sighting](), list[Problem]()
    pending, rest = names[:1], names[1:]
    while pending:
        registrations = _looked_for(left, profile, pending)
        new = {name: found for name, found in registrations.items() if found.ok}
        problems += [found.problem for found in registrations.values() if found.problem]
        seen += [Sighting(photo, name, found) for name, found in new.items()]
        pending, rest = rest + [name for name in pending if new and name not in new], []
        if pending:
            left = _painted_over(left, profile, new)
    if not seen and problems:
        raise problems[0]
    return seen


def boards_of(profile: Profile) -> list[str]:
    """The boards of the game that a profile knows: neither share tiles nor what belongs to another game."""
    return [name for name in profile.surfaces if name in BOARDS]


def check_boards(profile: Profile) -> None:
    """Raises ProfileProblem, which tells what there is instead, where a profile knows no board of the game."""
    if not boards_of(profile):
        profile.surface(MAP)


def _largest_first(profile: Profile) -> list[str]:
    """The names of the boards, by the rectangle around each. Raises ProfileProblem where there is none."""
    check_boards(profile)
    return sorted(
        boards_of(profile), key=lambda name: -float(np.prod(np.ptp(profile.surfaces[name].rim, axis=0)))
    )


def _looked_for(photo: Photo, profile: Profile, names: Sequence[str]) -> dict[str, Registration]:
    """These boards looked for in a photo; OpenCV works outside Python's lock, so the searches go on at once."""
    with ThreadPoolExecutor(len(names)) as pool:
        found = pool.map(register, repeat(photo), (profile.surfaces[name] for name in names))
        return dict(zip(names, found, strict=True))


def _painted_over(photo: Photo, profile: Profile, found: Mapping[str, Registration]) -> Photo:
    """The photo without these boards; no plausible view of the cells has the horizon within the margin around them."""
    for name, registration in found.items():
        surface = profile.surfaces[name]
        photo = photo.without(registration.in_photo(surface.rim, surface))
    return photo
