"""From photos of the map to what lies on it under the rules: trains, what was played, demand tiles."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from calibration import Photo, Profile, Registration, Surface, in_colour, load_photo, register
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES, Answers, Pair, Train
from engine.sentences import N_, Problem, Progress, part_of, silent

from .agreed import NOTHING_AGREED, Agreed
from .cells.first_look import NOTHING_KNOWN, KnownPieces
from .cells.reading import HardPhoto, Reading, examine
from .state.decode import Conflict, Doubt, decode
from .state.demand import (
    SURE_P,
    Cards,
    Faces,
    Tile,
    laid_otherwise,
    read_as_others,
    read_cards,
    tiles_by_cell,
)
from .state.observation import Observation
from .state.successor import find_successor, trains_of

# In so many places photos of one moment do not contradict each other.
MOMENTS_APART = 2

Told = Callable[[Problem], str]
"""Says a problem in a language."""
Picture = str | Path | bytes | Photo
"""A photo: its file, its bytes, or opened."""
Source = Picture | tuple[Photo, Registration]
"""A photo, or one that is opened and in which the map has already been found."""


@dataclass(frozen=True, eq=False)
class Scan:
    """What photos of one table at one moment show, what was known before, and both decoded under the rules.

    `track` is the most probable one, `doubtful` asks a person, most useful first, and `conflicts` are sentences on what
    no legal action explains, or that the photo is too hard to read. Without a state before `cards` are read too. With
    one, which knows them, `actions` led from it to `state`, which is complete, and `alternatives` are actions to other
    states that look the same in a photo.
    """

    photos: tuple[Photo, ...]
    registrations: tuple[Registration, ...]
    readings: tuple[Reading, ...]
    surface: Surface
    board: Board
    agreed: Agreed
    before: game.State | None
    observation: Observation
    track: dict[str, list[Hex]] = field(default_factory=dict)
    doubtful: list[Doubt] = field(default_factory=list)
    conflicts: list[Problem] = field(default_factory=list)
    cards: Cards = field(default_factory=Cards)
    actions: list[game.Action] = field(default_factory=list)
    alternatives: list[list[game.Action]] = field(default_factory=list)
    state: game.State | None = None
    seconds: float = 0.0

    @property
    def unseen(self) -> list[Hex]:
        """The hexes that no photo shows."""
        return self.observation.unseen

    @property
    def added(self) -> set[Train]:
        """The trains that are new since the state before, as (hex, company)."""
        if self.before is None:
            return set()
        return {(at, company) for company in COMPANIES for at in self.track[company]} - trains_of(self.before)

    @property
    def contradicts(self) -> bool:
        """Whether the photos differ from the state before in so much that nothing is claimed to have been played."""
        return self.before is not None and any(problem.key == "many" for problem in self.conflicts)

    @property
    def overexposed(self) -> list[Problem]:
        """That photos are, which is told with a state before only where it matters: that helps to read them."""
        photos = zip(self.photos, self.readings, strict=True)
        return [HardPhoto("burnt", photo=photo.name) for photo, reading in photos if reading.overexposed]

    @cached_property
    def tiles_conflict(self) -> Conflict | None:
        """That the demand tiles plainly lie otherwise than the state before says; None where they do not.

        Kept, for all tiles of the photos are compared, and a page asks several times.
        """
        if self.before is None:
            return None
        tiles = tiles_by_cell(self.surface, self.board, dict(enumerate(self.before.demand[1:], 1)))
        return Conflict("tiles") if laid_otherwise(self.readings, tiles) else None

    @property
    def cards_shown(self) -> Cards:
        """The demand tiles and the target marker as the photos show them, whatever the state before says of them."""
        return self.cards_told({})

    def cards_told(self, tiles: Mapping[int, Pair]) -> Cards:
        """The same, where a person said of some cities which tile lies there: those that look like it lie so too."""
        cards = _cards_beside(self, self.track, tiles)
        return cards.all_open if any(problem.key == "other_tiles" for problem in self.conflicts) else cards

    def answered(self, answers: Answers) -> "Scan":
        """Decoded anew with what a person said of (hex, company); the photos are not read again."""
        return _decoded(replace(self, observation=self.observation.answered(answers)))

    def with_bot(self) -> "Scan":
        """The same, if Mašinfíra is known to play."""
        known = replace(self, agreed=replace(self.agreed, bot=True))
        return replace(known, cards=known.cards_shown)

    def outlines(self, photo: int = 0) -> dict[Hex, list[tuple[float, float]]]:
        """The six corners of every hex in pixels of `photos[photo].pixels`."""
        registration = self.registrations[photo]
        return {
            cell.id: [(float(x), float(y)) for x, y in registration.in_photo(cell.outline, self.surface)]
            for cell in self.surface.cells
            if isinstance(cell.id, tuple)
        }

    @property
    def doubtful_tiles(self) -> list[Tile]:
        """The demand tiles a person should confirm; none with a state before, which knows them."""
        return [tile for tile in self.cards.tiles if tile.doubtful] if self.before is None else []

    @property
    def target(self) -> int:
        """The city the target marker clearly lies on, 0 where none does: under trains it may be overlooked."""
        return self.cards.clear_target

    @property
    def doubtful_target(self) -> bool:
        """Whether a person should say if the target marker lies on city `cards.target`; a state before knows it."""
        return self.before is None and 1 - SURE_P < self.cards.target_p < SURE_P

    @property
    def spike_waits(self) -> bool:
        """Whether the Golden Spike tile clearly lies on the map, as it does until the race begins (R10.2, R10.3)."""
        places = self.board.spike
        if places is None or self.cards.spike_p < SURE_P:
            return False
        ends = {self.board.city_named[name].at for name in (places.east, places.west)}
        return not any(ends & set(hexes) for hexes in self.track.values())

    def _cards(self) -> dict[str, Any]:
        """What lies on the map beside trains; nothing is said of what does not clearly show."""
        shown: dict[str, Any] = {"demand": {str(tile.city): list(tile.pair) for tile in self.cards.tiles}}
        shown |= {"bot": {"target": self.target}} if self.target else {}
        return shown | ({"golden_spike": {"status": "waiting"}} if self.spike_waits else {})

    def _cards_seen(self) -> dict[str, Any]:
        """What the photos show beside trains, each with its probability; a state before knows it."""
        if self.before is not None:
            return {}
        shown = {str(tile.city): [list(tile.pair), round(tile.p, 4)] for tile in self.cards.tiles}
        target = {"target": [self.cards.target, round(self.cards.target_p, 4)]} if self.cards.target else {}
        return {"demand": shown, "bot": target}

    def _questions(self) -> Iterator[dict[str, Any]]:
        """What a person should confirm, trains first."""
        for doubt in self.doubtful:
            yield doubt.to_json()
        for tile in self.doubtful_tiles:
            yield {"city": tile.city, "what": "demand", "p": round(tile.p, 4)}
        if self.doubtful_target:
            yield {"city": self.cards.target, "what": "target", "p": round(self.cards.target_p, 4)}

    def state_part(self) -> dict[str, Any]:
        """The state JSON as far as the map tells it: whole where the state before led to it."""
        if self.state is not None:
            return game.state_to_json(self.state)
        track = {company: [list(at) for at in hexes] for company, hexes in self.track.items()}
        modules = self.agreed.modules
        told = {} if modules is None else {"modules": [*game.chosen_modules(modules, self.board)]}
        return {"board": self.board.id, **told, "track": track, **self._cards()}

    def to_json(self, told: Told = str) -> dict[str, Any]:
        """The JSON of `masinfira scan --json`; `registration` is the first photo's, in pixels of its file.

        `told` says its conflicts in a language.
        """
        registrations = [registration.to_json() for registration in self.registrations]
        return {
            "registration": registrations[0],
            "registrations": registrations,
            "observation": {**self.observation.to_json(), **self._cards_seen()},
            "state": self.state_part(),
            "doubtful": [*self._questions()],
            "unseen": [list(at) for at in self.unseen],
            "actions": [game.action_to_json(action) for action in self.actions],
            "alternatives": [[game.action_to_json(a) for a in line] for line in self.alternatives],
            "conflicts": [*map(told, self.conflicts)],
            "seconds": round(self.seconds, 3),
        }


def scan(
    photos: Sequence[Source],
    profile: Profile,
    before: game.State | None = None,
    progress: Progress = silent,
    agreed: Agreed = NOTHING_AGREED,
    told: Answers | None = None,
    changed: Collection[Hex] = (),
    beside: Executor | None = None,
) -> Scan:
    """Read photos of one table at one moment; with the state before, find what was played since.

    `progress(step, share)` gets an English sentence of the catalogue and the share done. `told` is what is known of
    (hex, company) whatever the photos show; `changed` are hexes known to look other than with the state before. Where
    there is none, `agreed` tells what it would. `beside` does a part of the work meanwhile. Raises PhotoProblem,
    RegistrationProblem, ProfileProblem, Malformed where the pack has no such map or the map has no room for a module,
    and ValueError where there are no photos.
    """
    start = time.perf_counter()
    board = before.board if before else agreed.board(profile.board)
    surface = profile.map_of(board)
    loaded, registrations, readings = _looks(
        photos, surface, _known_pieces(surface, before), progress, beside
    )
    observation = Observation.of(surface, readings).where_changed(changed).answered(told or {})
    shown = Scan(
        photos=loaded,
        registrations=registrations,
        readings=readings,
        surface=surface,
        board=board,
        agreed=Agreed.of(before.setup) if before else agreed,
        before=before,
        observation=observation,
    )
    progress(N_("Finding what the rules allow"), 0.95)
    found = _decoded(shown)
    progress(N_("Done"), 1.0)
    return replace(found, seconds=time.perf_counter() - start)


def opened(picture: Picture) -> Photo:
    """The photo itself, in colour. Raises PhotoProblem."""
    return in_colour(picture if isinstance(picture, Photo) else load_photo(picture))


def _known_pieces(surface: Surface, before: game.State | None) -> KnownPieces:
    """Where the state before has one train only, which still stands there (R1.2)."""
    if before is None:
        return NOTHING_KNOWN
    trains, kinds = trains_of(before), {kind.name: k for k, kind in enumerate(surface.kinds)}
    here = Counter(at for at, _ in trains)
    return {surface.index[at]: kinds[company] for at, company in trains if here[at] == 1}


def _looks(
    photos: Sequence[Source],
    surface: Surface,
    known_pieces: KnownPieces,
    say: Progress,
    beside: Executor | None,
) -> tuple[tuple[Photo, ...], tuple[Registration, ...], tuple[Reading, ...]]:
    """The photos, where the map lies in each, and what is read there. Raises ValueError where there are none."""
    if not photos:
        raise ValueError("There is no photo to scan: give at least one.")
    parts = [part_of(say, nth / len(photos), 1 / len(photos)) for nth in range(len(photos))]
    looks = [
        _look(photo, surface, known_pieces, part, beside) for photo, part in zip(photos, parts, strict=True)
    ]
    loaded, registrations, readings = zip(*looks, strict=True)
    return loaded, registrations, readings


def _look(
    source: Source, surface: Surface, known_pieces: KnownPieces, say: Progress, beside: Executor | None
) -> tuple[Photo, Registration, Reading]:
    """Load, register and read one photo."""
    if isinstance(source, tuple):
        photo, registration = source
    else:
        say(N_("Opening the photo"), 0.0)
        photo = opened(source)
        say(N_("Finding the board"), 0.15)
        registration = register(photo, surface)
    if registration.problem:
        raise registration.problem
    say(N_("Reading the trains"), 0.5)
    return photo, registration, examine(photo, registration, surface, beside, known_pieces)


def _decoded(scan: Scan) -> Scan:
    """The same decoded under the rules, by itself or as what was played since the state before."""
    return _by_itself(scan) if scan.before is None else _after(scan, scan.before)


def _by_itself(scan: Scan) -> Scan:
    """With the most probable track, and the cards that lie on the map with it."""
    found, seen = decode(scan.observation, scan.board), scan.observation
    # No wonder that nothing fits what photos that contradict each other show together.
    within = [] if _moments(seen) else found.conflicts(len(scan.photos))
    against = [*_against_photos(seen), *_other_tiles(scan, found.track)]
    conflicts = [*against, *scan.overexposed, *_alike(seen), *within]
    shown = replace(scan, track=found.track, doubtful=found.doubtful, conflicts=conflicts)
    return replace(shown, cards=shown.cards_shown)


def _cards_beside(
    scan: Scan, track: Mapping[str, Sequence[Hex]], told: Mapping[int, Pair] | None = None
) -> Cards:
    """What lies on the map beside this track, with what a person `told` of tiles."""
    faces, agreed = Faces.of(scan.readings), scan.agreed
    return read_cards(
        scan.observation, faces, scan.board, track, agreed.printed.demand_tiles, agreed.bot, told
    )


def _after(scan: Scan, before: game.State) -> Scan:
    """With what was played since the state before."""
    found = find_successor(scan.observation, before)
    against = [*_against_photos(scan.observation, before), *_other_tiles(scan, found.track)]
    return replace(
        scan,
        track=found.track,
        doubtful=found.doubtful,
        conflicts=[*against, *found.conflicts],
        cards=Cards(),
        actions=found.actions,
        alternatives=found.alternatives,
        state=found.state,
    )


def _against_photos(observation: Observation, before: game.State | None = None) -> list[Problem]:
    """What speaks against the photos, whatever was played."""
    known = before is not None and _shows(observation, before)
    return [*([] if known else _bare(observation)), *_moments(observation)]


def _shows(observation: Observation, before: game.State) -> bool:
    """Whether most trains that were built before and whose hexes are seen show: then it is a photo of a game."""
    starts = {start.at for start in before.board.starts.values()}
    built = [(at, company) for at, company in trains_of(before) if at not in starts]
    show = [observation.p(at, c) > 0.5 for at, c in built if observation.seen[observation.index[at]]]
    return bool(show) and sum(show) > len(show) / 2


def _bare(observation: Observation) -> list[Problem]:
    """That a start city shows nothing of the train that always stands there (R2.2); one says it for all."""
    bare = [train for train in observation.bare if train not in observation.told]
    return [Conflict("bare", company=company, hex=at) for at, company in bare[:1]]


def _alike(observation: Observation) -> list[Problem]:
    """That trains of two companies may be taken for each other, until a person has told one of them."""
    told = {company for (_, company), there in observation.told.items() if there}
    alike = observation.alike
    return [HardPhoto("alike", companies=alike)] if alike and not told & {*alike} else []


def _moments(observation: Observation) -> list[Problem]:
    """That the photos show more than one moment, where they do; one contradiction is rather a slip of the reading."""
    apart = [train for train in observation.apart if train not in observation.told]
    if len(apart) < MOMENTS_APART:
        return []
    at, company = apart[0]
    return [Conflict("moments", n=len(apart), company=company, hex=at)]


def _other_tiles(scan: Scan, track: Mapping[str, Sequence[Hex]]) -> list[Problem]:
    """That the photos show more than one moment by the demand tiles, which lie still until their city is full (R5.7).

    In 40 couples of photos of the open tables with the same tiles no city was read for sure as two different ones, and
    in 151 with others two cities or more in all after learning, in 114 before.
    """
    if len(scan.readings) < 2:
        return []
    each = [_cards_beside(replace(scan, readings=(reading,)), track) for reading in scan.readings]
    apart = read_as_others(each)
    if len(apart) < MOMENTS_APART:
        return []
    return [Conflict("other_tiles", n=len(apart), city=scan.board.numbered[apart[0]].name)]
