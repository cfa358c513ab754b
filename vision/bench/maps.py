"""How well and how fast maps of known truth are read: the figures of `masinfira bench vision`."""

import statistics
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

from calibration import Profile
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES, Train
from engine.sentences import Problem, Progress, silent

from ..phones import AS_IT_IS, Phone
from ..samples import Sample, as_twelve_megapixels, calibrated, find_samples, from_disk, taken
from ..scan import Scan, scan
from ..teach import setup_shown, teach
from .counting import one_by_one, share

SETUP_PHOTOS = 2
# The edges between the ranges of probability for which it is checked whether they mean what they say.
RELIABILITY = (0.002, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.998)


@dataclass(frozen=True)
class WithBefore:
    """The same photos where the position before is known: whether the true state came of it, and counts as below."""

    right: bool
    silent: int
    doubts: int


@dataclass(frozen=True)
class Result:
    """What one reading got wrong: `wrong` readings of seen hexes, `silent` those of any hex not listed as doubtful.

    A photo that was not `registered` was refused: nothing was read, so nothing was asked either, and it took no time
    that could be compared.

    `answers` is how many of its questions a person answered, one after the other, until there was none, and
    `settled` whether then all was right. `tiles` and `tiles_right` count demand tiles, `tiles_silent` those read wrong
    and not asked about, `tiles_doubtful` those asked about; `said` is (probability, whether so) of every reading.
    `before` is None where no position before is known; `target_right_with_bot` is for readers who know that Mašinfíra
    plays.
    """

    condition: str
    held_out: bool
    readings: int
    wrong: int
    silent: int
    doubts: int
    seconds: float
    before: WithBefore | None
    registered: bool = True
    answers: int = 0
    settled: bool = False
    tiles: int = 0
    tiles_right: int = 0
    tiles_silent: int = 0
    tiles_doubtful: int = 0
    target_right: bool | None = None
    target_right_with_bot: bool | None = None
    spike_right: bool | None = None
    said: tuple[tuple[float, bool], ...] = ()


def bench_vision(samples: Path, progress: Progress = silent, phone: Phone = AS_IT_IS) -> dict[str, Any]:
    """Read every sample, re-encoded at 12 megapixels, and count; keys as in `_figures`.

    With a `phone`, as if that phone had taken all the photos, of the empty maps too.

    The figures are for tables that have learnt from their (at most two) set-up photos, without these; under
    `before_adaptation` for all photos without any learning, and there under `same_photos` for those that count after
    it. `two_photos` are those that show the same moment from two sides, after learning: read as one, and `each_alone`.
    Raises BenchProblem where there are no samples.
    """
    found = find_samples(samples)
    read: defaultdict[str, list[Result]] = defaultdict(list)
    for table, mine in groupby(one_by_one(found, progress), lambda sample: sample.table):
        every = [sample for sample in found if sample.table == table]
        for part, result in _of_table(table, every, mine, phone):
            read[part].append(result)
    return {
        **_by_group(read["after"]),
        "two_photos": {**_by_group(read["together"]), "each_alone": _by_group(read["each_alone"])},
        "before_adaptation": {**_by_group(read["before"]), "same_photos": _by_group(read["same_photos"])},
    }


def _of_table(
    table: Path, every: list[Sample], in_turn: Iterable[Sample], phone: Phone
) -> Iterator[tuple[str, Result]]:
    """What is read of a table before it has learnt and after, each with the part of the figures it counts in."""
    plain = calibrated(table, every[0].board, phone)
    taught, lessons = _taught(plain, every, phone)
    games: list[tuple[Sample, bytes, Result]] = []
    for sample in in_turn:
        data = as_twelve_megapixels(sample.photo, phone)
        before = _measured(sample, plain, data)
        yield "before", before
        if sample not in lessons:
            after = _measured(sample, taught, data)
            yield from (("same_photos", before), ("after", after))
            games.append((sample, data, after))
    for (one, first, alone), (other, second, alone_too) in combinations(games, 2):
        if one.truth["track"] == other.truth["track"]:
            yield from (("each_alone", alone), ("each_alone", alone_too))
            yield "together", _measured(_both(one, other), taught, first, second)


def _both(one: Sample, other: Sample) -> Sample:
    """Two photos of the same moment: only what is hidden in both is."""
    hidden = [at for at in one.truth.get("unseen", []) if at in other.truth.get("unseen", [])]
    return replace(one, truth={**one.truth, "unseen": hidden})


def _by_group(results: list[Result]) -> dict[str, Any]:
    """The figures of all, of every condition, and of the tables held out."""
    conditions = sorted({r.condition for r in results})
    held_out = [r for r in results if r.held_out]
    return {
        **_figures(results),
        "by_condition": {name: _figures([r for r in results if r.condition == name]) for name in conditions},
        "held_out": {**_figures(held_out), "reliability": _reliability(held_out)} if held_out else None,
        "reliability": _reliability(results),
    }


def _taught(profile: Profile, samples: list[Sample], phone: Phone) -> tuple[Profile, list[Sample]]:
    """The profile after its table's set-up photos, and which these were."""
    board = game.built_in().boards[profile.board]
    lessons = [s for s in samples if s.truth["track"] == setup_shown(board)["track"]][:SETUP_PHOTOS]
    for sample in lessons:
        try:
            profile = teach(taken(sample.photo, phone), profile, board, sample.truth)
        except Problem:
            continue
    return from_disk(profile), lessons


def _measured(sample: Sample, profile: Profile, *photos: bytes) -> Result:
    try:
        found = scan(photos, profile)
    except Problem:
        return _refused(sample)
    truth = {(tuple(at), c) for c in COMPANIES for at in sample.truth["track"].get(c, ())}
    hidden = {tuple(at) for at in sample.truth.get("unseen", [])} | set(found.unseen)
    return Result(
        sample.condition,
        sample.held_out,
        seconds=found.seconds,
        before=_with_before(sample, found, truth, profile),
        **_of_trains(found, truth, hidden),
        **_of_cards(found, sample.truth),
    )


def _of_trains(found: Scan, truth: set[Train], hidden: set[Hex]) -> dict[str, Any]:
    """What a result tells of trains."""
    asked = {(doubt.hex, doubt.company) for doubt in found.doubtful}
    seen = [cell for cell in found.observation.cells if isinstance(cell, tuple) and cell not in hidden]
    # What is claimed of a hex that nobody can see is no wrong reading, but it is a silent error.
    claimed = {train for train in _wrong(found, truth) if train[0] not in found.unseen}
    answers, settled = _answered(found, truth)
    return {
        "readings": len(seen) * len(COMPANIES),
        "wrong": sum(at not in hidden for at, _ in claimed),
        "silent": len(claimed - asked),
        "doubts": len(asked),
        "answers": answers,
        "settled": settled,
        "said": tuple((found.observation.p(at, c), (at, c) in truth) for at in seen for c in COMPANIES),
    }


def _of_cards(found: Scan, truth: dict[str, Any]) -> dict[str, Any]:
    """What a result tells of what lies beside the trains."""
    return {
        **_of_tiles(found, truth),
        "target_right": _target_right(truth, found),
        "target_right_with_bot": _target_right(truth, found.with_bot()),
        "spike_right": _spike_right(truth, found),
    }


def _refused(sample: Sample) -> Result:
    """Of a photo that was refused every train and whatever else can be seen counts as wrong and as told by no doubt."""
    truth = sample.truth
    board = game.built_in().board(sample.board)
    hidden = {tuple(at) for at in truth.get("unseen", [])}
    trains = sum(len(hexes) for hexes in truth["track"].values())
    target = False if _target_seen(truth, board, hidden) else None
    tiles = len(_tiles_seen(truth, board))
    return Result(
        sample.condition,
        sample.held_out,
        readings=trains,
        wrong=trains,
        silent=trains,
        doubts=0,
        seconds=0.0,
        before=WithBefore(False, trains, 0) if _known_before(sample) else None,
        registered=False,
        tiles=tiles,
        tiles_silent=tiles,
        target_right=target,
        target_right_with_bot=target,
        spike_right=False if truth.get("spikes") else None,
    )


def _answered(found: Scan, truth: set[Train]) -> tuple[int, bool]:
    """How many answers it takes until nothing is asked any more, and whether all that is claimed is right then."""
    told: dict[Train, bool] = {}
    while found.doubtful:
        asked = (found.doubtful[0].hex, found.doubtful[0].company)
        told[asked] = asked in truth
        found = found.answered(told)
    return len(told), all(at in found.unseen for at, _ in _wrong(found, truth))


def _of_tiles(found: Scan, truth: dict[str, Any]) -> dict[str, int]:
    """What a result tells of the demand tiles; one on a hex that counts as unseen counts only if it was read."""
    laid, hidden = _laid(truth), {*found.unseen}
    right = {tile.city for tile in found.cards.tiles if sorted(tile.pair) == laid.get(tile.city)}
    read, asked = ({tile.city for tile in some} for some in (found.cards.tiles, found.doubtful_tiles))
    unseen = {n for n, city in found.board.numbered.items() if city.at in hidden} - read
    seen = _tiles_seen(truth, found.board) - unseen
    return {
        "tiles": len(seen),
        "tiles_right": len(seen & right),
        "tiles_silent": len(read - right - asked),
        "tiles_doubtful": len(asked),
    }


def _laid(truth: dict[str, Any]) -> dict[int, list[str]]:
    """What is on the demand tile of each city that has one."""
    return {int(n): sorted(pair) for n, pair in truth.get("demand", {}).items() if pair}


def _tiles_seen(truth: dict[str, Any], board: Board) -> set[int]:
    """The numbers of the cities whose demand tiles can be seen."""
    hidden = {tuple(at) for at in truth.get("unseen", [])}
    return {n for n in _laid(truth) if board.numbered[n].at not in hidden}


def _target_right(truth: dict[str, Any], found: Scan) -> bool | None:
    """Whether the target marker was read right; None where the truth does not tell or it lies hidden."""
    if not _target_seen(truth, found.board, found.unseen):
        return None
    return bool(truth["bot"]["target"] == (found.cards.target if found.cards.target_p > 0.5 else 0))


def _target_seen(truth: dict[str, Any], board: Board, hidden: Collection[Hex]) -> bool:
    """Whether the truth tells where the target marker is, and it does not lie hidden."""
    bot = truth.get("bot") or {}
    return bool(bot) and not (bot["target"] and board.numbered[bot["target"]].at in hidden)


def _spike_right(truth: dict[str, Any], found: Scan) -> bool | None:
    """Whether the Golden Spike tile was found, or False where there is none and it was; None where nothing is said."""
    if truth.get("spikes") and found.board.spike is not None and found.board.spike.tile not in found.unseen:
        return found.spike_waits
    return False if found.spike_waits else None


def _wrong(found: Scan, truth: set[Train]) -> set[Train]:
    read = {(at, company) for company in COMPANIES for at in found.track[company]}
    return read ^ truth


def _with_before(sample: Sample, found: Scan, truth: set[Train], profile: Profile) -> WithBefore | None:
    """What the same photos give when they are read with the state before, if that is known.

    Where several actions leave the same map, such as a wild tile taken for one company or the other, the true one
    must be among those that are told.
    """
    if not _known_before(sample):
        return None
    before = game.state_from_json(sample.truth["before"])
    looks = [*zip(found.photos, found.registrations, strict=True)]
    after = scan(looks, profile, before=before)
    states = (reduce(game.apply, actions, before) for actions in (after.actions, *after.alternatives))
    right = any(game.state_to_json(state) == sample.truth["state"] for state in states)
    asked = {(doubt.hex, doubt.company) for doubt in after.doubtful}
    return WithBefore(right, len(_wrong(after, truth) - asked), len(asked))


def _known_before(sample: Sample) -> bool:
    return sample.truth.get("before") is not None and sample.truth.get("state") is not None


def _figures(results: Iterable[Result]) -> dict[str, Any]:
    """What the results come to; of none, that there are none."""
    rows = list(results)
    if not rows:
        return {"photos": 0}
    read = [row for row in rows if row.registered]
    return {
        "photos": len(rows),
        "registered": share(row.registered for row in rows),
        "cell_error": sum(row.wrong for row in rows) / max(1, sum(row.readings for row in rows)),
        "perfect_boards": share(row.wrong == 0 for row in rows),
        **_figures_with_before(rows, read),
        "right_after_doubts": share(row.silent == 0 for row in rows),
        "doubtful_per_board": _mean(row.doubts for row in read),
        "answers_per_board": _mean(row.answers for row in read),
        "right_after_answers": share(row.settled for row in rows),
        **_figures_of_cards(rows, read),
        **_figures_of_seconds(read),
    }


def _figures_with_before(rows: Sequence[Result], read: Sequence[Result]) -> dict[str, float | None]:
    """Of the photos with a state before, and of those that were read."""
    known, known_read = ([row.before for row in some if row.before] for some in (rows, read))
    return {
        "perfect_boards_with_before": share(before.right for before in known),
        "right_after_doubts_with_before": share(before.silent == 0 for before in known),
        "doubtful_per_board_with_before": _mean(before.doubts for before in known_read),
    }


def _figures_of_cards(rows: Sequence[Result], read: Sequence[Result]) -> dict[str, float | None]:
    """Of the demand tiles, the target marker and the Golden Spike tile."""
    return {
        "demand_tiles": sum(row.tiles_right for row in rows) / max(1, sum(row.tiles for row in rows)),
        "demand_tiles_right_after_doubts": share(row.tiles_silent == 0 for row in rows),
        "doubtful_tiles_per_board": _mean(row.tiles_doubtful for row in read),
        "target_marker": share(row.target_right for row in rows),
        "target_marker_with_bot": share(row.target_right_with_bot for row in rows),
        "golden_spike_tile": share(row.spike_right for row in rows),
    }


def _figures_of_seconds(read: Iterable[Result]) -> dict[str, float | None]:
    """How long it takes to read a board, in the middle and at worst but for 5 of 100; None where none was read."""
    seconds = sorted(row.seconds for row in read)
    return {
        "seconds_median": statistics.median(seconds) if seconds else None,
        "seconds_p95": seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))] if seconds else None,
    }


def _mean(numbers: Iterable[int]) -> float | None:
    """The mean of what photos that were read have; None of nothing."""
    listed = [*numbers]
    return statistics.fmean(listed) if listed else None


def _reliability(results: Iterable[Result]) -> list[dict[str, float]]:
    """For readings in each range of probability: how many, the mean said, and the share that was so."""
    said = sorted(pair for row in results for pair in row.said)
    bins: list[list[tuple[float, bool]]] = [[] for _ in (*RELIABILITY, 1.0)]
    for p, so in said:
        bins[sum(p >= edge for edge in RELIABILITY)].append((p, so))
    return [
        {
            "readings": len(pairs),
            "said": statistics.fmean(p for p, _ in pairs),
            "true": statistics.fmean(so for _, so in pairs),
        }
        for pairs in bins
        if pairs
    ]
