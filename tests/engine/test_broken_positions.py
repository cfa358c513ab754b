"""`check` finds every kind of broken position: a sound one is changed in one place.

`CASES` and the sentences must name the same keys, so that no check stays untested."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from positions import Place, position, with_number
from test_unplayed_positions import CASES as UNPLAYED

from engine import mini_express as game
from engine.mini_express.check.broken import Broken
from engine.mini_express.shares import draft_order
from engine.mini_express.state import Bot, Spike, State

PORTS = ((3, -1), (1, -7), (-4, 2), (-8, 1), (-11, 8))


def changed(part: str, company: str, change: int, **state: Any) -> State:
    """A sound position with one number of one company changed."""
    sound = position(**state)
    row: Any = with_number(getattr(sound, part), company, change)
    return replace(sound, **{part: row})


def moved(company: str, *, put: Place | None = None, take: Place | None = None, **state: Any) -> State:
    """A sound position with a train put on a hex (from the supply) or taken from one (into it)."""
    sound = position(**state)
    board, track, supply = sound.board, sound.track[game.COMPANIES.index(company)], sound.supply
    for place, by in ((put, 1), (take, -1)):
        if place is not None:
            at = board.city_named[place].at if isinstance(place, str) else place
            track ^= 1 << board.index[at]
            supply = with_number(supply, company, -by)
    masks = tuple(track if c == company else m for c, m in zip(game.COMPANIES, sound.track, strict=True))
    return replace(sound, track=masks, supply=supply)


def with_tile(city: int, tile: tuple[str, str] | None, **state: Any) -> State:
    """A sound position with another tile, or none, in a city."""
    sound = position(**state)
    return replace(sound, demand=(*sound.demand[:city], tile, *sound.demand[city + 1 :]))


def with_bot(change: Callable[[Bot], Bot], **state: Any) -> State:
    sound = position(**{"mode": "solo", **state})
    assert sound.bot is not None
    return replace(sound, bot=change(sound.bot))


def drafting(**changes: Any) -> State:
    """The start of a standard draft, changed."""
    return replace(game.new(seats=("red", "blue", "purple"), rng=random.Random(1)), **changes)


def drafted(*rows: tuple[int, int, int, int], **agreed: Any) -> State:
    """A draft in which each seat holds these shares, from those set aside, and the next one is to draft."""
    humans = {"standard": 3, "solo": 1, "experts": 2}[agreed.get("mode", "standard")]
    state = game.new(seats=["red", "blue", "purple"][:humans], rng=random.Random(1), **agreed)
    shares = (*rows, *[(0, 0, 0, 0)] * (len(state.shares) - len(rows)))
    aside = tuple(n - sum(row[c] for row in shares) for c, n in enumerate(state.aside))
    order, done = draft_order(state), sum(map(sum, rows)) // (2 if state.setup.mode == "experts" else 1)
    return replace(state, shares=shares, aside=aside, to_move=order[done] if done < len(order) else humans)


def two_drafting() -> State:
    """The start of a draft with Mašinfíra, who takes no part in it."""
    return game.new(mode="two_with_bot", seats=("red", "blue"), rng=random.Random(1))


def solo_draft(change: Callable[[Bot], Bot]) -> State:
    state = game.new(mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(1))
    assert state.bot is not None
    return replace(state, bot=change(state.bot))


def draws(tiles: int) -> Callable[[Bot], Bot]:
    """So many tiles go from the bag to the drawn ones."""
    return lambda bot: bot._replace(bag=bot.bag[tiles:], drawn=bot.drawn + bot.bag[:tiles])


def masinfira_drafts(drawn: int) -> State:
    """The human of a solo game has drafted, and Mašinfíra has drawn so many tiles."""
    state = drafted((1, 1, 0, 0), mode="solo", difficulty="tourist")
    assert state.bot is not None
    return replace(state, bot=draws(drawn)(state.bot))


def all_ports() -> State:
    """Each company on a port, gray on two."""
    state = position(board="europe", modules=["ports"])
    at = [1 << state.board.index[port] for port in PORTS]
    extra = (at[0], at[1] | at[4], at[2], at[3])
    track = tuple(own | more for own, more in zip(state.track, extra, strict=True))
    return replace(
        state, track=track, supply=tuple(n - m.bit_count() for n, m in zip(state.supply, extra, strict=True))
    )


FULL_DETROIT = {
    "orange": ["Detroit"],
    "brown": [(6, -4), (6, -5), "Detroit"],
    "gray": [(6, -3), (6, -4), (5, -4)],
}
SPIKE = ["golden_spike"]
DETROIT = 5

CASES: list[tuple[str, Callable[[], State]]] = [
    ("trains", lambda: changed("supply", "gray", 1)),
    ("trains", lambda: changed("reservoir", "gray", -1)),
    ("shares", lambda: changed("offer", "white", 1)),
    ("shares", lambda: replace(position(), shares=((1, 0, 0, 0), (0,) * 4, (0,) * 4))),
    ("negative", lambda: changed("offer", "white", -7)),
    ("negative", lambda: replace(position(), influence=((1, 1, 1, -1), (1,) * 4, (1,) * 4))),
    ("reservoir", lambda: changed("reservoir", "gray", 2)),
    ("value", lambda: changed("value", "gray", 16)),
    ("exhausted", lambda: changed("offer", "gray", 1, supply={"gray": 0}, offer={"gray": 0, "rest": 6})),
    ("off_map", lambda: replace(position(), track=(position().track[0] | 1 << 900, *position().track[1:]))),
    ("no_start", lambda: moved("gray", take="Wilmington")),
    ("island", lambda: moved("gray", put=(0, 1))),
    ("island", lambda: moved("gray", take=(6, -3), track={"gray": [(6, -3), "Atlanta", (5, -3)]})),
    ("closed_port", lambda: moved("gray", put=PORTS[0], board="europe", modules=["ports"],
                                  demand={"Dublin": "gray wild"})),
    ("two_ports", all_ports),
    ("ports_full", all_ports),
    ("shared_port", lambda: moved("gray", put=PORTS[0], board="europe", modules=["ports"],
                                  track={"white": [PORTS[0], (1, 0), (2, 0), "Sofia"]},
                                  demand={"Sofia": "white wild"})),
    ("capacity", lambda: moved("gray", put="Detroit", track=FULL_DETROIT)),
    ("start_closed", lambda: moved("gray", put="Baltimore", track={"gray": [(7, -4)]})),
    ("full_tile", lambda: with_tile(DETROIT, ("gray", "gray"), track=FULL_DETROIT, demand={"Boston": "gray orange"})),
    ("lost_tile", lambda: with_tile(DETROIT, None)),
    ("start_tile", lambda: with_tile(0, ("gray", "gray"))),
    ("tile_count", lambda: with_tile(DETROIT, ("gray", "gray"), demand={"Boston": "gray gray"})),
    ("bot_company", lambda: with_bot(lambda bot: bot._replace(company=4))),
    ("bot_target", lambda: with_bot(lambda bot: bot._replace(target=33))),
    ("bot_tiles", lambda: with_bot(lambda bot: bot._replace(bag=bot.bag[1:]))),
    ("bot_tiles", lambda: with_bot(lambda bot: bot._replace(drawn=((1, 1),)))),
    ("bot_refresh", lambda: with_bot(lambda bot: bot._replace(bag=bot.bag[:-1], drawn=("refresh",)))),
    ("bot_refresh", lambda: solo_draft(lambda bot: bot._replace(bag=(*bot.bag, "refresh")))),
    ("bot_set_up", lambda: solo_draft(draws(1))),
    ("bot_set_up", lambda: masinfira_drafts(2)),
    ("bot_redraw", lambda: with_bot(lambda bot: bot._replace(redraw=True))),
    ("bot_redraw", lambda: position(mode="solo", phase="over", offer={"brown": 0, "gray": 0, "rest": 5},
                                    to_move="masinfira", redraw=True, sound=False)),
    ("bot_missing", lambda: replace(position(mode="solo"), bot=None)),
    ("bot_extra", lambda: replace(position(), bot=position(mode="solo").bot)),
    ("spike_missing", lambda: replace(position(modules=SPIKE), spike=None)),
    ("spike_extra", lambda: replace(position(), spike=Spike("waiting"))),
    ("spike_track", lambda: replace(position(modules=SPIKE), spike=Spike("building", None))),
    ("spike_track", lambda: replace(position(modules=SPIKE), spike=Spike("off"))),
    ("spike_track", lambda: replace(position(modules=SPIKE), spike=Spike("linked"))),
    ("spike_track", lambda: replace(position(modules=SPIKE), spike=Spike("gone"))),
    ("spike_company", lambda: replace(position(modules=SPIKE), spike=Spike("waiting", 1))),
    ("spike_company", lambda: replace(position(modules=SPIKE), spike=Spike("building", 1, 2))),
    ("spike_company", lambda: replace(position(modules=SPIKE), spike=Spike("linked", 1, 1))),
    ("turn", lambda: replace(position(), to_move=3)),
    ("actions", lambda: replace(position(), actions_left=2)),
    ("actions", lambda: replace(position(mode="experts"), used=1)),
    ("used", lambda: replace(position(mode="solo"), used=1)),
    ("passes", lambda: replace(position(), passes=3)),
    ("passes", lambda: replace(position(), passes=-1)),
    ("passes", lambda: position(phase="over", passes=4, sound=False)),
    ("passes", lambda: drafting(passes=1)),
    ("passes", lambda: position(mode="experts", used="gray", passes=1, sound=False)),
    ("aside", lambda: replace(position(offer=3), aside=(1, 0, 0, 0), out=(5, 6, 6, 6))),
    ("draft_track", lambda: drafting(reservoir=(3, 4, 4, 4), supply=(21, 20, 20, 20))),
    ("draft_track", lambda: drafting(aside=(1, 2, 2, 2), out=(2, 1, 1, 1))),
    ("draft_held", lambda: drafted((2, 0, 0, 0))),
    ("draft_held", lambda: drafted((1, 1, 0, 0), (1, 0, 0, 0))),
    ("draft_held", lambda: drafted((0, 0, 1, 0), (1, 1, 0, 0), (1, 1, 0, 0))),
    ("draft_held", lambda: drafted((1, 0, 0, 0), (0, 1, 0, 0), mode="solo", difficulty="tourist")),
    ("draft_held", lambda: drafted((1, 1, 0, 0), mode="experts")),
    ("draft_held", lambda: drafted((2, 2, 0, 0), mode="experts")),
    ("draft_seat", lambda: drafting(to_move=2)),
    ("draft_seat", lambda: replace(two_drafting(), to_move=2)),
    ("over", lambda: replace(position(), phase="over")),
    ("not_over", lambda: replace(position(offer={"brown": 0, "gray": 0, "rest": 3}, to_move="blue"), to_move=0)),
    ("not_over", lambda: changed("offer", "gray", 0, mode="experts", offer={"gray": 0, "rest": 3}, sound=False)),
    ("not_over", lambda: with_bot(lambda bot: bot._replace(target=32), difficulty="tourist")),
]  # fmt: skip


@pytest.mark.parametrize(("key", "broken"), CASES, ids=[f"{n}-{key}" for n, (key, _) in enumerate(CASES)])
def test_it_is_found(key: str, broken: Callable[[], State]) -> None:
    """Among the broken invariants, with a sentence whose gaps are filled and the clause behind it."""
    found = game.check(broken())
    assert key in [problem.key for problem in found]
    assert all(str(problem) and problem.rule.startswith("R") for problem in found)


def test_every_kind_is_tested() -> None:
    """A new check needs a new case."""
    assert {key for key, _ in CASES} | {key for key, *_ in UNPLAYED} == set(Broken.sentences)


@pytest.mark.parametrize(
    "key", ["trains", "island", "capacity", "lost_tile", "value", "draft_seat", "bot_target", "passes"]
)
def test_nothing_else_is_reported(key: str) -> None:
    """One change that breaks one thing is one sentence."""
    broken = dict(reversed(CASES))[key]()
    assert [problem.key for problem in game.check(broken)] == [key]


@pytest.mark.parametrize(
    "sound",
    [
        position,
        lambda: position(passes=2),
        lambda: position(mode="experts", passes=1),
        lambda: position(mode="solo", difficulty="passenger", target=32),
        lambda: position(mode="experts", used="gray"),
        lambda: position(offer={"brown": 0, "gray": 0, "rest": 3}, to_move="blue"),
        lambda: position(offer={"brown": 0, "gray": 0, "rest": 3}, phase="over"),
        lambda: position(phase="over", passes=3, sound=False),
        drafting,
        lambda: drafted((1, 0, 0, 0), (0, 0, 1, 0), (1, 1, 0, 0)),
        lambda: drafted((2, 1, 0, 0), (0, 1, 0, 0), mode="experts"),
        lambda: drafted((1, 0, 1, 0), mode="solo", difficulty="tourist"),
        lambda: masinfira_drafts(1),
    ],
)
def test_sound_positions_pass(sound: Callable[[], State]) -> None:
    """No false alarm."""
    assert game.check(sound()) == []
