"""Scoring (R6), with what solo and two experts change (R7.12-R7.16, R9.3)."""

from functools import lru_cache
from typing import Protocol, TypedDict

from .events import Event
from .names import COMPANIES
from .state import Counts, Setup

COLUMNS = ("first", "second", "other")


class Scored(Protocol):
    """What scoring asks of a position: a whole `State`, or a `Standing` that is known without one."""

    @property
    def setup(self) -> Setup: ...
    @property
    def value(self) -> Counts: ...
    @property
    def influence(self) -> tuple[Counts, ...]: ...
    @property
    def shares(self) -> tuple[Counts, ...]: ...
    @property
    def phase(self) -> str | None: ...


class CompanyScore(TypedDict):
    """One company for one seat. `column` is null where the shares are worth nothing, `rule` says why."""

    value: int
    influence: int
    rank: int
    column: str | None
    worth: int
    shares: int
    rule: str


class SeatScore(TypedDict):
    total: int
    companies: dict[str, CompanyScore]


class Score(TypedDict):
    """`winner` is the seat that would win if the game ended now."""

    seats: dict[str, SeatScore]
    winner: str


def score(state: Scored) -> Score:
    """The score as it stands: every share's worth to every seat, the totals, the winner (R6)."""
    seats = {name: _seat_score(state, seat) for seat, name in enumerate(state.setup.seats)}
    return {"seats": seats, "winner": winner(state, {name: s["total"] for name, s in seats.items()})}


def _seat_score(state: Scored, seat: int) -> SeatScore:
    companies = {company: _company_score(state, seat, c) for c, company in enumerate(COMPANIES)}
    return {"total": sum(s["worth"] * s["shares"] for s in companies.values()), "companies": companies}


def _company_score(state: Scored, seat: int, c: int) -> CompanyScore:
    influence = tuple(row[c] for row in state.influence)
    rank = 1 + sum(other > influence[seat] for other in influence)
    column, rule = _column(state.setup, influence, seat)
    worth = worths(state.setup, state.value[c], influence)[seat]
    return {
        "value": state.value[c],
        "influence": influence[seat],
        "rank": rank,
        "column": column,
        "worth": worth,
        "shares": state.shares[seat][c],
        "rule": rule,
    }


@lru_cache(1 << 16)
def worths(setup: Setup, value: int, influence: Counts) -> Counts:
    """What a share of a company of this value is worth to each seat, by everybody's `influence` there (R6.1, R6.2)."""
    columns = (_column(setup, influence, seat)[0] for seat in range(len(setup.seats)))
    row = setup.pack.values[value]
    return tuple(row[COLUMNS.index(column)] if column else 0 for column in columns)


def _column(setup: Setup, influence: Counts, seat: int) -> tuple[str | None, str]:
    """Which column of the value table counts, and the clause that says so."""
    mine, best = influence[seat], max(influence)
    if mine == 0:
        return None, "R6.1"
    if setup.bot_seat != seat and (rule := _harder(setup, influence, seat)):
        return None, rule
    rule = setup.columns_rule
    if not setup.first_column:
        return ("second" if mine == best else "other"), rule
    if mine == best:
        return "first", rule
    runners_up = max(v for v in influence if v < best)
    second = influence.count(best) == 1 and mine == runners_up
    return ("second" if second else "other"), rule


def _harder(setup: Setup, influence: Counts, seat: int) -> str:
    """The clause by which a company is worth nothing to the human, from Trainspotter and Conductor on."""
    if setup.from_difficulty("conductor") and influence[seat] < influence[-1]:
        return "R7.16"
    if setup.from_difficulty("trainspotter") and influence[seat] <= 3:
        return "R7.15"
    return ""


def winner(state: Scored, totals: dict[str, int]) -> str:
    """Most points; in solo a tie goes to Mašinfíra (R7.12), else fewer shares, then turn order (R6.3)."""
    solo = state.setup.mode == "solo"

    def rank(seat: int) -> tuple[int, int, int]:
        total = totals[state.setup.seats[seat]]
        return (-total, -seat, 0) if solo else (-total, sum(state.shares[seat]), seat)

    return state.setup.seats[min(range(len(state.setup.seats)), key=rank)]


def tie_break(state: Scored) -> Event | None:
    """What decides between the seats with the most points; None where one alone has them (R6.3, R7.12, R9.3)."""
    scored = score(state)
    totals = {name: part["total"] for name, part in scored["seats"].items()}
    shares = {name: sum(state.shares[seat]) for seat, name in enumerate(state.setup.seats)}
    first = scored["winner"]
    rivals = [name for name in totals if name != first and totals[name] == totals[first]]
    if not rivals:
        return None
    key = "tie_order" if shares[first] in (shares[name] for name in rivals) else "tie_shares"
    if state.setup.mode == "solo":
        key = "tie_bot"
    return Event(key, state.setup.winner_rule, {"seat": first})
