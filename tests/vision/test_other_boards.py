"""What the other boards say of the lines of play: shares that were taken, wild tiles, the tile that was drawn."""

import json
import random
from copy import deepcopy
from dataclasses import replace
from functools import reduce
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from sample_tables import SAMPLES

from calibration import Profile, RegistrationProblem
from engine import mini_express as game
from vision import Agreed, Scan, TableScan, scan_table, table
from vision.bench.panels import profile_of
from vision.compared import Disagreement, contradictions, told_apart, values_apart
from vision.figure import Figure
from vision.state.demand import Cards

STUDY = SAMPLES / "study"


def shown(*path: str, value: int | str) -> Figure:
    """A number that a photo shows clearly."""
    return Figure(path, path[-1], {value: 9.0})


def all_shown(state: game.State, *parts: str) -> list[Figure]:
    """The influence of everybody and the reservoirs, or these `parts` of that, as a state has them."""
    plain = game.state_to_json(state)
    influence = [
        shown("influence", seat, company, value=n)
        for seat, row in plain["influence"].items()
        for company, n in row.items()
    ]
    reservoirs = [
        shown("companies", company, "reservoir", value=numbers["reservoir"])
        for company, numbers in plain["companies"].items()
    ]
    return [figure for figure in [*influence, *reservoirs] if {*figure.path} & {*(parts or figure.path)}]


def seen_on_map(before: game.State, *lines: list[game.Action]) -> Scan:
    """What a photo of the map alone tells: the first of the lines, and the others that look the same."""
    nothing: Any = None
    return Scan(
        photos=(),
        registrations=(),
        readings=(),
        surface=nothing,
        board=before.board,
        agreed=Agreed(),
        before=before,
        observation=nothing,
        track={},
        doubtful=[],
        conflicts=[],
        actions=lines[0] if lines else [],
        alternatives=[*lines[1:]],
        state=reduce(game.apply, lines[0] if lines else [], before),
    )


def after_some_rounds(rng: random.Random, **agreed: Any) -> game.State:
    """A position of a game played at random, in which a human is to move who can take a share and build."""
    state = game.new(board="usa", rng=rng, **agreed)
    for _ in range(15):
        state = game.apply(state, rng.choice(game.legal_actions(state)))
    while not ({game.TakeShare, game.Build} <= {type(action) for action in game.legal_actions(state)}):
        state = game.apply(state, rng.choice(game.legal_actions(state)))
    return state


def one(kind: type, state: game.State, rng: random.Random) -> Any:
    return rng.choice([action for action in game.legal_actions(state) if isinstance(action, kind)])


def test_what_contradicts_the_game_is_told() -> None:
    rng = random.Random(3)
    state = game.new(board="usa", mode="solo", difficulty="tourist", seats=["red"], modules=[], rng=rng)
    value = game.state_to_json(state)["companies"]["brown"]["value"]
    same, other = (shown("companies", "brown", "value", value=n) for n in (value, value + 4))
    unsure = replace(other, weights={value: 0.0, value + 4: 2.0})
    assert unsure.claimed and unsure.doubtful
    assert contradictions([same, unsure], state) == []
    assert [str(problem) for problem in contradictions([other], state)] == [
        f"The photo shows {value + 4} for companies.brown.value, the game says {value}: "
        "correct the board or the game."
    ]


@pytest.mark.parametrize("mode", ["solo", "standard"])
def test_values_that_cannot_come_from_the_map_are_told(mode: str) -> None:
    """R5.5: without a state before, boards of two games would be taken for one."""
    seats = {"solo": ["red"], "standard": ["red", "blue", "green"]}[mode]
    agreed = {"mode": mode, "seats": seats, "difficulty": "tourist" if mode == "solo" else None}
    later = after_some_rounds(random.Random(5), **agreed)
    begun = game.new(board="usa", rng=random.Random(5), **agreed)

    def told(on_map: game.State, on_tracks: game.State, **misread: int) -> bool:
        values = {c: each["value"] for c, each in game.state_to_json(on_tracks)["companies"].items()}
        read = [shown("companies", c, "value", value=n) for c, n in {**values, **misread}.items()]
        track = game.state_to_json(on_map)["track"]
        seen = replace(seen_on_map(on_map), before=None, state=None, track=track)
        return bool(values_apart(read, seen))

    for state in (begun, later):
        assert not told(state, state)
        assert not told(state, state, brown=0 if state is later else 15), "one is rather misread"
    assert told(later, begun), "less than was built"
    assert told(begun, begun, **dict.fromkeys(game.COMPANIES, 15)), "more than anything adds"


def test_that_much_contradicts_the_game_is_told_before_all_that_does() -> None:
    """As of the map: rather the photo is of another game than so much was misread or done wrongly."""
    state = game.new(board="usa", mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(3))
    other = [shown("influence", seat, c, value=9) for seat in ("red", "masinfira") for c in game.COMPANIES]
    assert [problem.key for problem in contradictions(other[:5], state)] == ["figure"] * 5
    many, *each = contradictions(other[:6], state)
    assert str(many).startswith("The other boards in the photo differ from the game in 6 places")
    assert [problem.values["figure"] for problem in each] == [figure.name for figure in other[:6]]


def test_without_the_map_the_boards_are_compared_with_the_state_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = game.new(board="usa", mode="solo", difficulty="tourist", seats=["blue"], rng=random.Random(1))
    other = shown("companies", "brown", "value", value=9)
    monkeypatch.setattr(table, "figures", lambda *_: [other])
    found = scan_table([], Profile("usa", {}), before=before)
    assert [problem.values["found"] for problem in found.conflicts] == [9]
    assert found.answered({((0, 0), "gray"): True}) is found


def test_what_a_person_says_of_the_map_changes_what_the_boards_should_show() -> None:
    """A build that the map had hidden brings influence (R5.6), which the tracks show already."""
    before = game.new(
        board="usa", mode="experts", difficulty=None, seats=["red", "blue"], rng=random.Random(1)
    )
    while before.phase == "draft":
        before = game.apply(before, game.legal_actions(before)[0])
    after = game.apply(before, next(a for a in game.legal_actions(before) if isinstance(a, game.Build)))
    old, new = (game.state_to_json(state)["influence"] for state in (before, after))
    seat, company = next((s, c) for s, row in new.items() for c in row if row[c] != old[s][c])
    marker = shown("influence", seat, company, value=new[seat][company])
    on_map = SimpleNamespace(state=before, answered=lambda _: SimpleNamespace(state=after, before=None))
    found = TableScan(on_map, (), [], [marker], [], contradictions([marker], before), 0.0)
    assert found.conflicts
    assert found.answered({}).conflicts == []


def test_the_tracks_tell_for_which_company_a_wild_tile_was_taken() -> None:
    """R5.6: on the map all choices look the same."""
    before = game.new(
        board="usa", mode="experts", difficulty=None, seats=["red", "blue"], rng=random.Random(1)
    )
    wild: list[game.Build] = []
    while len(wild) < 2:
        before = game.apply(before, random.Random(2).choice(game.legal_actions(before)))
        builds = [a for a in game.legal_actions(before) if isinstance(a, game.Build) and a.wild]
        wild = [a for a in builds if (a.company, a.route) == (builds[0].company, builds[0].route)]
    on_map = seen_on_map(before, [wild[0]], *([build] for build in wild[1:]))
    for build in wild:
        after = game.apply(before, build)
        row = game.state_to_json(after)["influence"][before.seat]
        found = told_apart(on_map, [shown("influence", before.seat, c, value=n) for c, n in row.items()])
        assert (found.actions, found.alternatives, found.state) == ([build], [], after)
    assert told_apart(on_map, []).alternatives == on_map.alternatives
    not_moved_yet = [shown("influence", before.seat, "gray", value=15)]
    assert told_apart(on_map, not_moved_yet) is on_map


THREE = {"mode": "standard", "seats": ["red", "blue", "green"]}
SOLO = {"mode": "solo", "difficulty": "tourist", "seats": ["red"]}


@pytest.mark.parametrize("seed", range(8))
def test_a_share_that_was_taken_is_told_by_what_was_paid_and_the_trains_that_came(seed: int) -> None:
    """R4.1, R4.2; on the map nothing has changed."""
    rng = random.Random(seed)
    before = after_some_rounds(rng, **THREE)
    share = one(game.TakeShare, before, rng)
    after = game.apply(before, share)
    found = told_apart(seen_on_map(before), all_shown(after))
    assert (found.actions, found.alternatives, found.state) == ([share], [], after)
    assert contradictions(all_shown(after), after) == []


@pytest.mark.parametrize("seed", range(8))
def test_a_build_on_the_map_is_that_of_the_next_player_where_a_share_was_taken_first(seed: int) -> None:
    rng = random.Random(seed)
    before = after_some_rounds(rng, **THREE)
    build = one(game.Build, before, rng)
    line = [one(game.TakeShare, before, rng), build]
    after = reduce(game.apply, line, before)
    found = told_apart(seen_on_map(before, [build]), all_shown(after))
    assert (found.actions, found.state) == (line, after)


def test_what_shows_too_little_of_a_share_is_no_share() -> None:
    """R4.2: a reservoir with three trains takes two more, and as many may be misread."""
    rng = random.Random(2)
    before = after_some_rounds(rng, **THREE)
    while not any(
        a == game.TakeShare(company) and numbers["reservoir"] == 3
        for company, numbers in game.state_to_json(before)["companies"].items()
        for a in game.legal_actions(before)
    ):
        before = game.apply(before, rng.choice(game.legal_actions(before)))
    company = game.COMPANIES[before.reservoir.index(3)]
    after = game.apply(before, game.TakeShare(company))
    seen = seen_on_map(before)
    assert told_apart(seen, all_shown(after, "reservoir")) is seen
    assert told_apart(seen, all_shown(after)).actions == [game.TakeShare(company)]


def test_numbers_that_no_play_leads_to_change_nothing() -> None:
    rng = random.Random(4)
    before = after_some_rounds(rng, **THREE)
    after = game.apply(before, one(game.TakeShare, before, rng))
    wrong = shown("influence", "green", "gray", value=19)
    seen = seen_on_map(before)
    assert told_apart(seen, [*all_shown(after)[1:], wrong]) is seen


@pytest.mark.parametrize("seed", range(6))
def test_a_share_of_masinfira_is_told_too_and_where_its_markers_went(seed: int) -> None:
    """R7.4-R7.6: the tile that was drawn is told by where the company and the target marker lie now."""
    rng = random.Random(seed)
    before = after_some_rounds(rng, **SOLO)
    shares: list[game.Action] = []
    while not shares:
        if before.bot_moves:
            draws = [(a, game.apply(before, a)) for a in game.legal_actions(before)]
            shares = [a for a, then in draws if then.shares != before.shares and moved(before, then)]
        if not shares:
            before = game.apply(before, rng.choice(game.legal_actions(before)))
    after = game.apply(before, rng.choice(shares))
    plain = game.state_to_json(after)["bot"]
    markers = [*all_shown(after), shown("bot", "company", value=plain["company"])]
    found = told_apart(marked(seen_on_map(before), plain["target"]), markers)
    assert found.state is not None and found.state.bot is not None and after.bot is not None
    assert (found.state.shares, found.state.bot.target, found.state.bot.company) == (
        after.shares,
        after.bot.target,
        after.bot.company,
    )


def moved(before: game.State, after: game.State) -> bool:
    """Whether Mašinfíra's company marker lies on another company, and trains have come there."""
    assert before.bot and after.bot
    return before.bot.company != after.bot.company and before.reservoir != after.reservoir


def marked(scan: Scan, target: int) -> Scan:
    """The scan, in whose photo the target marker clearly lies on this city."""

    class Marked(Scan):
        @property
        def cards_shown(self) -> Cards:
            return Cards(target=target, target_p=1.0)

    return Marked(**{name: getattr(scan, name) for name in scan.__dataclass_fields__})


def before_the_share(after: dict[str, Any]) -> tuple[game.State, game.Action]:
    """A position before Mašinfíra drew its last tile and took a share of the company under its marker."""
    goal, company = game.state_from_json(after), after["bot"]["company"]
    for tile, marker in product(after["bot"]["drawn"], game.COMPANIES):
        plain = deepcopy(after)
        plain["to_move"] = "masinfira"
        plain["shares"]["masinfira"][company] -= 1
        for part, less in {"reservoir": 3, "supply": -3, "offer": -1}.items():
            plain["companies"][company][part] -= less
        target = (goal.bot.target - tile[0]) % 32  # as if no city on the way lacked its tile
        plain["bot"] |= {"company": marker, "target": target}
        plain["bot"]["bag"].append(tile)
        plain["bot"]["drawn"].remove(tile)
        before, draw = game.state_from_json(plain), game.Draw(tuple(tile))
        if game.apply(before, draw) == goal:
            return before, draw
    raise AssertionError("no tile leads there")


@pytest.mark.slow
def test_a_photo_of_all_boards_tells_a_share_of_masinfira_and_the_build_after_it() -> None:
    """From two actions before the photo: the reservoir of white tells the share (R7.6), the map the build."""
    truth = json.loads((STUDY / "whole_table.json").read_text())
    between = game.state_from_json(truth["before"])
    before, drawn = before_the_share(truth["before"])
    boards = profile_of(STUDY, ["map", "tracks", "assets"], "usa")
    found = scan_table([STUDY / "whole_table.jpg"], boards, before=before)
    assert found.map is not None and found.fits
    lines = [found.map.actions, *found.map.alternatives]
    assert [drawn, game.action_from_json(truth["action"])] in lines
    assert {reduce(game.apply, line, before).shares for line in lines} == {between.shares}


def test_a_photo_without_a_board_and_strange_markers_contradict_nothing() -> None:
    left_out = [RegistrationProblem("unsure", photo="cat.jpg")]
    strange = [Disagreement("strange", cell="influence/gray/3")]
    seen = TableScan(None, (), [], [], [], strange, 0.0, left_out=left_out).to_json()
    assert seen["fits"] and len(seen["conflicts"]) == 2
    differs = [Disagreement("figure", found=3, figure="influence.red.gray", expected=4)]
    assert not TableScan(None, (), [], [], [], differs, 0.0).to_json()["fits"]
