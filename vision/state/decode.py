"""From probabilities to the most probable track the rules allow, when nothing is known of the game before.

Each company's track must be one that play can have made (`played`), and a hex takes only certain sets of companies
(`on_hexes`). The two are weighed against each other in turns, as in belief propagation: what a company's track says of
a hex counts for the other companies there. Hexes that nobody could see may complete a track, and nothing but a start's
train is claimed of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.hexgrid import Hex
from engine.mini_express.board import Board
from engine.mini_express.names import COMPANIES
from engine.sentences import N_, Problem

from ..cells.odds import probability
from ..cells.reading import HardPhoto
from .observation import Observation
from .on_hexes import OfCompanies, by_company
from .played import BEAM, FIRST_BEAM, Tracks, likely_tracks

# A reading that is wrong more probably than this is asked about.
ASKED_FROM = 0.003
# Of a photo with more doubts than this the rest is not to be trusted either: of 19 such photos of games, of 294 in all,
# eleven had a wrong reading that nobody was asked about, and of the others 16.
TOO_MANY = 19
# A reading that speaks for a train or against it by this, in log odds, and is overruled by the rest, is asked.
OVERRULED = 1.5
# A train that is this probable by the photo clearly shows.
CLEAR_P = 0.95
# What tracks or hexes say of a train counts no more than this for the other, in log odds.
HEARD = 12.0


@dataclass(frozen=True)
class Doubt:
    """A reading a person should confirm: `p` that a train of `company` is on `hex`, and what the state says.

    `stakes` is how many readings change when it turns out to be otherwise, itself and what hangs on it.
    """

    hex: Hex
    company: str
    p: float
    claimed: bool
    stakes: int = 1

    @property
    def error(self) -> float:
        """How probable it is that the state is wrong here."""
        return 1 - self.p if self.claimed else self.p

    @property
    def worth(self) -> float:
        """How many readings an answer is expected to put right."""
        return self.stakes * self.error

    def to_json(self) -> dict[str, Any]:
        """As an entry of `doubtful`."""
        return {"hex": list(self.hex), "company": self.company, "p": round(self.p, 4)}


def worth_asking(doubts: Iterable[Doubt]) -> list[Doubt]:
    """Those a person should confirm, most useful first."""
    return sorted((doubt for doubt in doubts if doubt.error > ASKED_FROM), key=lambda doubt: -doubt.worth)


class Conflict(Problem):
    """What a photo shows, or a person said, and the rules, or the state before, do not allow."""

    sentences = {
        "draft": N_(
            "The photo shows track, but in this game the first shares have not been taken yet: enter them first."
        ),
        "over": N_(
            "The photo shows track that this game does not have, and it is over: choose the game that lies on the "
            "table, or undo its last action."
        ),
        "unreachable": N_(
            "The photo shows a train of {company} on {hex}, where no legal action can have put it."
        ),
        "many": N_(
            "The photo and the state before differ in {n} places: is it a photo of this game, and of now? Then take it "
            "again, from above, without glare or shadow."
        ),
        "moments": N_(
            "The photos contradict each other in {n} places, for one on whether a train of {company} is on {hex}: "
            "use photos of one moment only."
        ),
        "other_tiles": N_(
            "The photos show other demand tiles in {n} cities, for one in {city}: use photos of one moment only."
        ),
        "bare": N_(
            "The photo shows no train of {company} on {hex}, where one stands from the start: is it a photo of a game?"
        ),
        "tiles": N_(
            "Most demand tiles in the photo look otherwise than in the game: is it a photo of this game?"
        ),
        "missing": N_("The state before has a train of {company} on {hex}, and the photo shows none there."),
        "said_there": N_(
            "You said that a train of {company} is on {hex}, where no legal action can have put it: "
            "take it back, or correct the hexes on the way there, too."
        ),
        "said_gone": N_(
            "You said that no train of {company} is on {hex}, where the game has one and trains never leave the map: "
            "take it back, or undo that build in the game."
        ),
    }
    clauses: ClassVar[Mapping[str, str]] = {
        "draft": "R2.4",
        "over": "R3.3",
        "unreachable": "R5.2",
        "bare": "R2.2",
        "missing": "R1.2",
        "said_there": "R5.2",
        "said_gone": "R1.2",
    }

    def __init__(self, key: str, *, rule: str = "", **values: Any) -> None:
        super().__init__(key, rule=rule or self.clauses.get(key, ""), **values)


@dataclass(frozen=True)
class Decoded:
    """The most probable track by company, and what is doubtful about it, most useful to confirm first."""

    track: dict[str, list[Hex]]
    doubtful: list[Doubt]

    def conflicts(self, photos: int = 1) -> list[Problem]:
        """What speaks against the photos as a whole, or else what clearly shows and no build can have put there."""
        if len(self.doubtful) > TOO_MANY:
            return [HardPhoto("many" if photos == 1 else "still_many", n=len(self.doubtful))]
        return [
            Conflict("unreachable", company=doubt.company, hex=doubt.hex)
            for doubt in self.doubtful
            if not doubt.claimed and doubt.p > CLEAR_P
        ]


def decode(observation: Observation, board: Board) -> Decoded:
    """The most probable track under the rules, with its doubts."""
    shown, tracks = _weighed(observation, board)
    track: dict[str, list[Hex]] = {}
    doubtful: list[Doubt] = []
    for company in COMPANIES:
        # What a person said holds, whatever the rules make of it, and the start's train is always there (R2.2).
        said = {at: there for (at, of), there in observation.told.items() if of == company}
        told = {board.starts[company].at: True} | said
        claimed = {at for at in shown[company] if told.get(at, at in tracks[company].hexes)}
        track[company] = sorted(claimed | {at for at, there in told.items() if there})
        doubtful += [d for d in _doubts(company, shown[company], tracks[company]) if d.hex not in told]
    return Decoded(track, worth_asking(doubtful))


def _weighed(observation: Observation, board: Board) -> tuple[OfCompanies, dict[str, Tracks]]:
    """The odds of hexes and the tracks of companies, each weighed with what the other says."""
    shown = by_company(observation, board)
    tracks = _tracks(board, shown, FIRST_BEAM)
    beside = {
        company: {at: _bounded(tracks[company].odds[at] - odds) for at, odds in of_hexes.items()}
        for company, of_hexes in shown.items()
    }
    shown = by_company(observation, board, beside)
    return shown, _tracks(board, shown, BEAM)


def _tracks(board: Board, shown: OfCompanies, beam: int) -> dict[str, Tracks]:
    return {company: likely_tracks(board, company, odds, beam) for company, odds in shown.items()}


def _bounded(odds: float) -> float:
    return max(-HEARD, min(HEARD, odds))


def _doubts(company: str, shown: Mapping[Hex, float], tracks: Tracks) -> Iterator[Doubt]:
    """The readings of a company that the photo and the rules together leave open, or on which they disagree."""
    for at, odds in shown.items():
        claimed = at in tracks.hexes
        overruled = (odds < -OVERRULED) if claimed else (odds > OVERRULED)
        p = float(probability(odds if overruled else tracks.odds[at]))
        doubt = Doubt(at, company, p, claimed)
        if doubt.error > ASKED_FROM:  # what is at stake is not worked out for what nobody is asked
            yield replace(doubt, stakes=tracks.stakes(at))
