"""Decoding under the rules, on observations made by hand."""

import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from games import BOARDS, late_game
from synthetic_table import BOARD, HEXES

from engine import mini_express as game
from engine.hexgrid import Hex, neighbours
from engine.mini_express.board import Board
from vision import Observation, decode, find_successor

KINDS = game.COMPANIES
START: dict[str, Hex] = {company: BOARD.starts[company].at for company in KINDS}
ORANGE: list[Hex] = [(6, -6), (6, -5), (5, -4), (4, -3)]


def observation(
    trains: dict[tuple[Hex, str], float],
    unseen: set[Hex] | None = None,
    tiles: float = 0.9,
    board: Board = BOARD,
    full: set[Hex] | None = None,
) -> Observation:
    """Certain of the starts and of what is not mentioned; tiles wherever one can be, but not in `full` cities."""
    hexes = list(board.index)
    table = np.full((len(hexes), 4), 0.001)
    for (at, company), p in {**{(board.starts[c].at, c): 0.999 for c in KINDS}, **trains}.items():
        table[hexes.index(at), KINDS.index(company)] = p
    seen = np.array([at not in (unseen or set()) for at in hexes])
    cities = {board.hex_of[bit] for bit in board.city_at} - (full or set())
    card = np.array([tiles if at in cities else 0.001 for at in hexes])
    nothing = np.zeros(len(hexes))
    return Observation(board.id, tuple(hexes), KINDS, log_odds(table), log_odds(card), nothing, seen)


def log_odds(p: np.ndarray) -> np.ndarray:
    return np.log(p / (1 - p))


def test_clear_readings_are_taken_as_they_are() -> None:
    found = decode(observation({(at, "orange"): 0.999 for at in ORANGE}), BOARD)
    assert set(found.track["orange"]) == set(ORANGE)
    assert found.doubtful == []
    for company in KINDS:
        assert START[company] in found.track[company]


def test_a_gap_is_closed_when_the_far_side_is_clear() -> None:
    trains = {(at, "orange"): 0.99 for at in ORANGE}
    trains[(6, -5), "orange"] = 0.3
    found = decode(observation(trains), BOARD)
    assert (6, -5) in found.track["orange"]


def test_a_lone_hint_is_dropped_without_a_question() -> None:
    found = decode(observation({((-5, 2), "gray"): 0.7}), BOARD)
    assert (found.track["gray"], found.doubtful) == ([START["gray"]], [])


def test_a_lone_reading_that_does_not_clearly_show_is_dropped_and_asked() -> None:
    found = decode(observation({((-5, 2), "gray"): 0.94}), BOARD)
    assert found.track["gray"] == [START["gray"]]
    assert [(doubt.hex, doubt.company, doubt.claimed) for doubt in found.doubtful] == [
        ((-5, 2), "gray", False)
    ]
    assert found.conflicts == []


def test_what_clearly_shows_and_no_build_can_have_put_there_is_told() -> None:
    found = decode(observation({((-5, 2), "gray"): 0.999}), BOARD)
    assert found.track["gray"] == [START["gray"]]
    assert [str(problem) for problem in found.conflicts] == [
        "The photo shows a train of gray on -5,2, where no legal action can have put it."
    ]


def test_where_a_white_train_cannot_be_it_is_rather_a_gray_one_in_bad_light_than_none() -> None:
    """But a brown one where no brown train can be is none of gray."""
    start, between, atlanta = START["gray"], (6, -3), (5, -2)
    trains = {(between, "white"): 0.999, (atlanta, "white"): 0.97, (atlanta, "gray"): 0.1}
    found = decode(observation(trains), BOARD)
    assert set(found.track["gray"]) == {start, between, atlanta}
    assert {between, atlanta} <= {doubt.hex for doubt in found.doubtful}
    brown = {(at, "brown" if c == "white" else c): p for (at, c), p in trains.items()}
    assert decode(observation(brown), BOARD).track["gray"] == [start]


def test_a_city_takes_no_more_than_its_capacity() -> None:
    louisville = (4, -3)
    trains = {(at, "orange"): 0.99 for at in ORANGE}
    trains |= {((6, -4), "brown"): 0.99, ((5, -3), "brown"): 0.99, (louisville, "brown"): 0.98}
    trains |= {
        ((6, -3), "gray"): 0.99,
        ((5, -2), "gray"): 0.99,
        ((4, -2), "gray"): 0.99,
        (louisville, "gray"): 0.7,
    }
    found = decode(observation(trains), BOARD)
    inside = [company for company in KINDS if louisville in found.track[company]]
    assert inside == ["brown", "orange"]


def test_a_start_city_is_closed_to_others() -> None:
    found = decode(observation({(START["orange"], "brown"): 0.9}), BOARD)
    assert START["orange"] not in found.track["brown"]


def test_where_a_tile_lies_the_city_is_not_full() -> None:
    """R5.7: a city for one with its tile has no train, so what looks like a white one is not."""
    springfield = next(city for city in BOARD.cities if city.capacity == 1 and not city.start)
    near = [at for at in neighbours(springfield.at) if at in BOARD.index]
    trains = {(near[0], "white"): 0.5, (springfield.at, "white"): 0.8}
    with_tile, without = (decode(observation(trains, tiles=p), BOARD) for p in (0.99, 0.01))
    assert springfield.at not in with_tile.track["white"]
    assert (springfield.at, "white") in {(d.hex, d.company) for d in without.doubtful}


def test_a_photo_that_leaves_nearly_everything_open_is_told_to_be_taken_again() -> None:
    weak = {(at, "gray"): 0.3 for at in HEXES if at not in START.values()}
    found = decode(observation(weak, tiles=0.5), BOARD)
    assert [problem.key for problem in found.conflicts] == ["many"]
    assert str(len(found.doubtful)) in str(found.conflicts[0])
    assert decode(observation({((-5, 2), "gray"): 0.7}), BOARD).conflicts == []


def test_unseen_hexes_connect_but_are_not_claimed() -> None:
    trains = {(at, "orange"): 0.999 for at in ORANGE if at != (6, -5)}
    found = decode(observation(trains, unseen={(6, -5)}), BOARD)
    assert set(found.track["orange"]) == set(ORANGE) - {(6, -5)}
    assert found.doubtful == []


def test_doubts_come_most_useful_first() -> None:
    """The trains of one build stand or fall together (R5.2), so one answer settles all of them."""
    alone = (-5, 2)
    trains = {(at, "orange"): 0.4 for at in ORANGE[1:]} | {(alone, "orange"): 0.94}
    doubts = decode(observation(trains), BOARD).doubtful
    assert {d.hex: d.stakes for d in doubts} == dict.fromkeys(ORANGE[1:], 3) | {alone: 1}
    assert [d.worth for d in doubts] == sorted((d.worth for d in doubts), reverse=True)


def test_a_start_has_its_train_though_nobody_can_see_it() -> None:
    """R2.2, R1.2b: it is the one thing that is certain without looking."""
    found = decode(observation({}, unseen={START["orange"]}), BOARD)
    assert found.track["orange"] == [START["orange"]]
    assert decode(observation({}, unseen=set(HEXES)), BOARD).track == {c: [START[c]] for c in KINDS}


def test_no_track_leads_into_the_start_of_another_company() -> None:
    """R5.1c: a start city has no demand tile, seen or not, so a clear train beside it is asked about."""
    beside = (7, -4)
    for unseen in (set(), {START["gray"]}):
        found = decode(observation({(beside, "brown"): 0.999}, unseen), BOARD)
        assert found.track["brown"] == [START["brown"]]
        assert (beside, "brown") in {(d.hex, d.company) for d in found.doubtful}


def test_what_a_person_said_holds_and_is_not_asked_again() -> None:
    alone, second = ((-5, 2), "gray"), (ORANGE[1], "orange")
    clear = observation({(at, "orange"): 0.999 for at in ORANGE})
    found = decode(clear.answered({alone: True, second: False}), BOARD)
    assert found.track["gray"] == sorted([START["gray"], alone[0]])
    assert second[0] not in found.track["orange"]
    assert not {alone, second} & {(d.hex, d.company) for d in found.doubtful}


def of_photos(*shown: Observation) -> Observation:
    """One observation of several photos, each of which shows what one of these does."""
    surface = SimpleNamespace(
        board="usa",
        cells=[SimpleNamespace(id=at) for at in HEXES],
        kinds=[SimpleNamespace(name=c, home=HEXES.index(START[c])) for c in KINDS],
    )
    readings = [SimpleNamespace(odds=o.table, card=o.card, marker=o.marker, seen=o.seen) for o in shown]
    return Observation.of(surface, readings)


def test_many_photos_are_not_a_person() -> None:
    lone = observation({((-5, 2), "gray"): 0.9999})
    assert (-5, 2) not in decode(of_photos(*[lone] * 9), BOARD).track["gray"]


def test_photos_of_two_moments_contradict_each_other_where_they_are_sure() -> None:
    """What one of them shows badly, or not at all, the other may show otherwise."""
    before = observation({}, unseen={ORANGE[1]})
    after = observation({(at, "orange"): 0.999 for at in ORANGE} | {((-5, 2), "gray"): 0.9})
    assert of_photos(after, after).apart == ()
    assert set(of_photos(before, after).apart) == {(at, "orange") for at in ORANGE[2:]}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("board", "modules"), [("usa", []), ("europe", []), ("usa", ["golden_spike"]), ("europe", ["ports"])]
)
def test_clear_photos_of_games_are_read_right_or_asked(board: str, modules: list[str], seed: int) -> None:
    """Whole games in which everybody builds: tiles, full cities, new starts."""
    state = late_game(board, modules, seed)
    clear = {(at, company): 0.9999 for company in KINDS for at in state.hexes(company)}
    full = {c.at for c in state.board.numbered.values() if not state.demand[c.number]}
    found = decode(observation(clear, board=BOARDS[board], full=full), BOARDS[board])
    wrong = {(at, c) for c in KINDS for at in set(found.track[c]) ^ set(state.hexes(c))}
    assert wrong <= {(d.hex, d.company) for d in found.doubtful}
    assert len(wrong) <= 1


def solo(seed: int = 3) -> game.State:
    """A solo game after the draft, the human to move."""
    import random

    rng = random.Random(seed)
    state = game.new(board="usa", mode="solo", difficulty="passenger", seats=["red"], modules=[], rng=rng)
    while state.phase == "draft":
        state = game.apply(state, rng.choice(game.legal_actions(state)))
    return state


def shown(state: game.State, p: float = 0.99) -> dict[tuple[Hex, str], float]:
    return {(at, company): p for company in KINDS for at in state.hexes(company)}


@pytest.mark.parametrize("nth", range(0, 12, 3))
def test_the_build_is_found_as_a_legal_action(nth: int) -> None:
    before = solo()
    builds = [a for a in game.legal_actions(before) if isinstance(a, game.Build)]
    build = builds[nth % len(builds)]
    after = game.apply(before, build)
    found = find_successor(observation(shown(after, 0.9)), before)
    assert [type(action) for action in found.actions] == [game.Build]
    assert found.actions[0] == build or any([build] == line for line in found.alternatives)
    assert found.state.track == after.track
    assert found.conflicts == []


def test_a_photo_that_contradicts_the_game_in_many_places_claims_nothing() -> None:
    """A build can be seen in it, but it is of another game, and that is told first."""
    before = solo()
    build = next(a for a in game.legal_actions(before) if isinstance(a, game.Build))
    far = [at for at in HEXES if at not in START.values() and at not in build.route][::7]
    trains = {**shown(game.apply(before, build)), **{(at, "brown"): 0.99 for at in far}}
    found = find_successor(observation(trains), before)
    assert found.conflicts[0].key == "many"
    assert found.actions == []
    assert found.state == before


def test_a_train_that_hardly_shows_is_believed_where_the_board_has_changed() -> None:
    """Somebody saw that these hexes look other than before, and a build is what changes a board."""
    before = solo()
    builds = (a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 1)
    build = next(builds)
    hint = observation({**shown(before), (build.route[0], build.company): 0.6})
    assert find_successor(hint, before).actions == []
    assert (
        find_successor(hint.where_changed(build.route), before).state.track == game.apply(before, build).track
    )


@pytest.mark.parametrize("name", [None, "Chicago", "Louisville", "Tulsa", "Denver"])
def test_nothing_new_means_nothing_played(name: str | None) -> None:
    """Whatever a hand hides: a build that nobody saw is neither assumed nor asked about."""
    before, hidden = solo(), set[Hex]()
    if name:
        at = BOARD.city_named[name].at
        hidden = {at, *neighbours(at), *(far for near in neighbours(at) for far in neighbours(near))}
    found = find_successor(observation(shown(before), hidden), before)
    assert (found.state, found.actions, found.doubtful, found.conflicts) == (before, [], [], [])


def fork(before: game.State) -> tuple[game.Build, game.Build]:
    """Two builds of one company to one city that part on the way."""
    builds = [action for action in game.legal_actions(before) if isinstance(action, game.Build)]
    return next(
        (one, other)
        for one in builds
        for other in builds
        if (one.company, one.route[-1], one.wild) == (other.company, other.route[-1], other.wild)
        and one.route[:-1] != other.route[:-1]
    )


@pytest.mark.parametrize("nth", [0, 1])
def test_where_a_route_forks_under_a_hand_it_is_asked_which_way_it_goes(nth: int) -> None:
    """R5.3 allows both, so nothing but a person can tell; what was said then holds."""
    before = solo()
    ways = fork(before)
    hidden = set(ways[0].route) ^ set(ways[1].route)
    seen = observation(shown(game.apply(before, ways[nth])), hidden)
    found = find_successor(seen, before)
    assert found.actions
    assert hidden <= {doubt.hex for doubt in found.doubtful}
    said = {(at, ways[nth].company): at in ways[nth].route for at in hidden}
    answered = find_successor(seen.answered(said), before)
    assert answered.state.track == game.apply(before, ways[nth]).track
    assert (answered.doubtful, answered.conflicts) == ([], [])


def test_track_in_a_game_that_has_not_begun_or_is_over_is_told_as_that() -> None:
    """R2.4, R3.3: nothing can have been built in it, so no photo will ever fit."""
    begins = game.new(
        board="usa", mode="solo", difficulty="passenger", seats=["red"], modules=[], rng=random.Random(3)
    )
    later = game.apply(solo(), next(a for a in game.legal_actions(solo()) if isinstance(a, game.Build)))
    for phase in ("draft", "over"):
        found = find_successor(observation(shown(later)), replace(begins, phase=phase))
        assert [problem.key for problem in found.conflicts] == [phase]
        assert (found.actions, found.doubtful) == ([], [])
        assert find_successor(observation(shown(begins)), replace(begins, phase=phase)).conflicts == []


def test_what_no_action_explains_is_told_and_not_bent() -> None:
    before = solo()
    found = find_successor(observation({**shown(before), ((-5, 2), "gray"): 0.999}), before)
    assert found.state == before
    assert [str(problem) for problem in found.conflicts] == [
        "The photo shows a train of gray on -5,2, where no legal action can have put it."
    ]
    assert [(d.hex, d.company) for d in found.doubtful] == [((-5, 2), "gray")]


def test_what_a_person_said_is_told_apart_from_what_the_photo_shows() -> None:
    before, city = solo(), BOARD.city_named["Denver"].at
    start = BOARD.starts["gray"].at
    seen = observation(shown(before)).answered({(city, "brown"): True, (start, "gray"): False})
    found = find_successor(seen, before)
    assert found.state == before
    assert [(p.key, p.values["hex"]) for p in found.conflicts] == [
        (key, at) for at, key in sorted([(city, "said_there"), (start, "said_gone")])
    ]
    assert all(str(problem).startswith("You said") for problem in found.conflicts)


def test_more_companies_than_a_city_takes_are_not_passed_over_when_a_person_said_so() -> None:
    before, city = solo(), BOARD.city_named["Denver"].at
    found = find_successor(observation(shown(before)).answered({(city, c): True for c in KINDS}), before)
    assert [problem.key for problem in found.conflicts] == ["said_there"] * len(KINDS)


def test_a_train_that_vanished_is_told() -> None:
    before = solo()
    build = next(a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 2)
    after = game.apply(before, build)
    gone = (build.route[0], build.company)
    found = find_successor(observation({**shown(after), gone: 0.0001}), after)
    assert [problem.key for problem in found.conflicts] == ["missing"]
    assert found.state.track == after.track


def of_three(rng: random.Random) -> game.State:
    """The set-up of a game for three."""
    seats = ["red", "blue", "purple"]
    return game.new(board="usa", mode="standard", difficulty=None, seats=seats, modules=[], rng=rng)


def test_two_builds_between_photos_are_found() -> None:
    state = of_three(random.Random(5))
    while state.phase == "draft":
        state = game.apply(state, game.legal_actions(state)[0])
    after = state
    for _ in range(2):
        after = game.apply(after, next(a for a in game.legal_actions(after) if isinstance(a, game.Build)))
    found = find_successor(observation(shown(after, 0.995)), state)
    assert len(found.actions) == 2
    assert found.state.track == after.track


@pytest.mark.parametrize("company", ["gray", "white"])
def test_two_builds_of_one_train_each_are_found_in_gray_and_white_too(company: str) -> None:
    """A gray train may be a white one in bad light, so a single one never shows as clearly as others."""
    before, after = one_train_each(company)
    found = find_successor(observation(shown(after, 0.999)), before)
    assert found.state.track == after.track
    assert found.conflicts == []


def one_train_each(company: str) -> tuple[game.State, game.State]:
    """A position of play, and the one after two builds of one train each, the first of `company`."""
    for seed in range(100):
        rng = random.Random(seed)
        state = game.new(
            board="usa",
            mode="standard",
            difficulty=None,
            seats=["red", "blue", "purple"],
            modules=[],
            rng=rng,
        )
        while actions := game.legal_actions(state):
            for build in filter(_of_one_train, actions):
                after = game.apply(state, build)
                for more in filter(_of_one_train, game.legal_actions(after)):
                    if build.company == company != more.company:
                        return state, game.apply(after, more)
            state = game.apply(state, rng.choice(actions))
    raise AssertionError("no game has two such builds")


def _of_one_train(action: game.Action) -> bool:
    return isinstance(action, game.Build) and len(action.route) == 1


def test_what_rather_shows_and_no_action_explains_is_asked_though_it_is_no_conflict() -> None:
    before = solo()
    found = find_successor(observation({**shown(before), ((-5, 2), "brown"): 0.8}), before)
    assert found.conflicts == []
    assert [(d.hex, d.company, d.claimed) for d in found.doubtful] == [((-5, 2), "brown", False)]
