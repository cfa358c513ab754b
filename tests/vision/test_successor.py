"""What was played since the state before, found in observations made by hand."""

import random
from dataclasses import replace

import pytest
from by_hand import KINDS, START, observation
from games import drafted
from synthetic_table import BOARD, HEXES

from engine import mini_express as game
from engine.hexgrid import Hex, neighbours
from vision import find_successor


def shown(state: game.State, p: float = 0.99) -> dict[tuple[Hex, str], float]:
    return {(at, company): p for company in KINDS for at in state.hexes(company)}


@pytest.mark.parametrize("nth", range(0, 12, 3))
def test_the_build_is_found_as_a_legal_action(nth: int) -> None:
    before = drafted(3)
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
    before = drafted(3)
    build = next(a for a in game.legal_actions(before) if isinstance(a, game.Build))
    far = [at for at in HEXES if at not in START.values() and at not in build.route][::7]
    trains = {**shown(game.apply(before, build)), **{(at, "brown"): 0.99 for at in far}}
    found = find_successor(observation(trains), before)
    assert found.conflicts[0].key == "many"
    assert found.actions == []
    assert found.state == before


def test_what_looks_like_a_train_may_be_the_tile_that_has_its_company_twice() -> None:
    before = drafted(3)
    build = next(a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 1)
    city = before.board.city_at[before.board.index[build.route[0]]]
    photo = observation({**shown(before), (city.at, build.company): 0.9999}, full={city.at})

    def asked(pair: tuple[str, str]) -> set[tuple[Hex, str]]:
        demand = (*before.demand[: city.number], pair, *before.demand[city.number + 1 :])
        found = find_successor(photo, replace(before, demand=demand))
        return {(doubt.hex, doubt.company) for doubt in found.doubtful}

    assert asked((build.company, build.company)) == {(city.at, build.company)}
    assert asked((build.company, "wild")) == set()


def test_a_train_that_hardly_shows_is_believed_where_the_board_has_changed() -> None:
    """Somebody saw that these hexes look other than before, and a build is what changes a board."""
    before = drafted(3)
    builds = (a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 1)
    build = next(builds)
    hint = observation({**shown(before), (build.route[0], build.company): 0.6})
    assert find_successor(hint, before).actions == []
    assert (
        find_successor(hint.where_changed(build.route), before).state.track == game.apply(before, build).track
    )


def near(name: str) -> set[Hex]:
    """What a hand hides that lies on a city: all within two hexes."""
    at = BOARD.city_named[name].at
    return {at, *neighbours(at), *(far for beside in neighbours(at) for far in neighbours(beside))}


@pytest.mark.parametrize("name", [None, "Chicago", "Louisville", "Tulsa", "Denver"])
def test_nothing_new_means_nothing_played(name: str | None) -> None:
    """Whatever a hand hides: a build that nobody saw is not assumed."""
    before, hidden = drafted(3), near(name) if name else set[Hex]()
    found = find_successor(observation(shown(before), hidden), before)
    assert (found.state, found.actions, found.conflicts) == (before, [], [])
    assert {doubt.hex for doubt in found.doubtful} <= hidden


def test_where_nothing_new_shows_a_build_that_a_hand_may_hide_is_asked_about() -> None:
    """And not where something new shows: a photo is mostly taken every turn."""
    before, hidden = drafted(3), near("Louisville")
    builds = [action for action in game.legal_actions(before) if isinstance(action, game.Build)]
    under = next(build for build in builds if hidden.issuperset(build.route) and not build.wild)
    beside = next(build for build in builds if hidden.isdisjoint(build.route))
    seen = observation(shown(before), hidden)
    asked = {(doubt.hex, doubt.company): doubt for doubt in find_successor(seen, before).doubtful}
    trains = {(at, under.company) for at in under.route}
    assert trains <= asked.keys()
    assert not any(asked[train].claimed for train in trains)
    assert under in find_successor(seen.answered(dict.fromkeys(trains, True)), before).actions
    seen = observation(shown(game.apply(before, beside)), hidden)
    assert hidden.isdisjoint(doubt.hex for doubt in find_successor(seen, before).doubtful)


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
    before = drafted(3)
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


def test_what_must_have_come_with_a_train_that_a_person_told_is_thought_of_though_it_hardly_shows() -> None:
    """R5.3: no build ends in open country; a hand may hide what stands beyond. What plainly is not there, is not."""
    before = drafted(3)
    build = max(
        (action for action in game.legal_actions(before) if isinstance(action, game.Build)),
        key=lambda build: len(build.route),
    )
    first, rest = (build.route[0], build.company), build.route[1:]
    faint = {(at, build.company): 0.002 for at in rest}
    seen = observation({**shown(before), first: 0.9, **faint})
    assert find_successor(seen, before).actions == []
    found = find_successor(seen.answered({first: True}), before)
    assert found.conflicts == []
    assert first[0] in found.track[build.company]
    assert len(found.actions) == 1
    seen = observation({**shown(before), first: 0.9})
    assert [p.key for p in find_successor(seen.answered({first: True}), before).conflicts] == ["said_there"]


def test_track_in_a_game_that_has_not_begun_or_is_over_is_told_as_that() -> None:
    """R2.4, R3.3: nothing can have been built in it, so no photo will ever fit."""
    begins = game.new(
        board="usa", mode="solo", difficulty="passenger", seats=["red"], modules=[], rng=random.Random(3)
    )
    before = drafted(3)
    later = game.apply(before, next(a for a in game.legal_actions(before) if isinstance(a, game.Build)))
    for phase in ("draft", "over"):
        found = find_successor(observation(shown(later)), replace(begins, phase=phase))
        assert [problem.key for problem in found.conflicts] == [phase]
        assert (found.actions, found.doubtful) == ([], [])
        assert find_successor(observation(shown(begins)), replace(begins, phase=phase)).conflicts == []


def test_what_no_action_explains_is_told_and_not_bent() -> None:
    before = drafted(3)
    found = find_successor(observation({**shown(before), ((-5, 2), "gray"): 0.999}), before)
    assert found.state == before
    assert [str(problem) for problem in found.conflicts] == [
        "The photo shows a train of gray on -5,2, where no legal action can have put it."
    ]
    assert [(d.hex, d.company) for d in found.doubtful] == [((-5, 2), "gray")]


def test_what_a_person_said_is_told_apart_from_what_the_photo_shows_and_not_asked_again() -> None:
    before, city = drafted(3), BOARD.city_named["Denver"].at
    start = BOARD.starts["gray"].at
    seen = observation(shown(before)).answered({(city, "brown"): True, (start, "gray"): False})
    found = find_successor(seen, before)
    assert found.state == before
    assert [(p.key, p.values["hex"]) for p in found.conflicts] == [
        (key, at) for at, key in sorted([(city, "said_there"), (start, "said_gone")])
    ]
    assert all(str(problem).startswith("You said") for problem in found.conflicts)
    assert found.doubtful == []


def test_more_companies_than_a_city_takes_are_not_passed_over_when_a_person_said_so() -> None:
    before, city = drafted(3), BOARD.city_named["Denver"].at
    found = find_successor(observation(shown(before)).answered({(city, c): True for c in KINDS}), before)
    assert [problem.key for problem in found.conflicts] == ["said_there"] * len(KINDS)


def test_a_train_that_vanished_is_told() -> None:
    before = drafted(3)
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


def test_a_build_that_only_a_share_before_it_made_possible_is_found() -> None:
    """R4.2: red takes a share of a company without trains, blue builds with those that came."""
    rng = random.Random(1)
    before = of_three(rng)
    while not (empty := [c for c in KINDS if not before.reservoir[KINDS.index(c)]]) or not any(
        game.TakeShare(c) in game.legal_actions(before) for c in empty
    ):
        before = game.apply(before, rng.choice(game.legal_actions(before)))
    share = next(game.TakeShare(c) for c in empty if game.TakeShare(c) in game.legal_actions(before))
    between = game.apply(before, share)
    builds = [a for a in game.legal_actions(between) if isinstance(a, game.Build)]
    after = game.apply(between, next(build for build in builds if build.company == share.company))
    found = find_successor(observation(shown(after)), before)
    assert found.conflicts == []
    assert found.actions[0] == share
    assert found.state.track == after.track


def _of_one_train(action: game.Action) -> bool:
    return isinstance(action, game.Build) and len(action.route) == 1


def test_what_rather_shows_and_no_action_explains_is_asked_though_it_is_no_conflict() -> None:
    before = drafted(3)
    found = find_successor(observation({**shown(before), ((-5, 2), "brown"): 0.8}), before)
    assert found.conflicts == []
    assert [(d.hex, d.company, d.claimed) for d in found.doubtful] == [((-5, 2), "brown", False)]


def test_a_train_that_a_person_says_is_gone_is_told_once() -> None:
    before = drafted(3)
    build = next(a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 2)
    after = game.apply(before, build)
    seen = observation(shown(after)).answered({(build.route[0], build.company): False})
    assert [problem.key for problem in find_successor(seen, after).conflicts] == ["said_gone"]


def two_builds_of_one_company() -> tuple[game.Build, game.State, game.Build]:
    """A build of two trains, the position when the next may follow, and one of two by the same company."""
    before = drafted(3)
    first = next(a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 2)
    before = game.apply(before, first)
    while before.bot_moves:
        before = game.apply(before, game.legal_actions(before)[0])
    builds = [a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 2]
    return first, before, next(a for a in builds if a.company == first.company)


def test_where_known_trains_of_a_company_do_not_show_a_new_one_may_not_either() -> None:
    old, before, build = two_builds_of_one_company()
    dim = {(at, old.company): 0.1 for at in old.route} | {(build.route[0], old.company): 0.002}
    found = find_successor(observation({**shown(game.apply(before, build)), **dim}), before)
    assert found.actions == [build]


@pytest.mark.parametrize("nth", [0, 1])
def test_what_a_person_says_is_not_there_does_not_count_as_hard_to_see(nth: int) -> None:
    """Nor does the game have that train, as long as nobody enters the build."""
    old, before, build = two_builds_of_one_company()
    seen = observation({**shown(game.apply(before, build)), **{(at, old.company): 0.1 for at in old.route}})
    assert find_successor(seen, before).actions == [build]
    found = find_successor(seen.answered({(build.route[nth], build.company): False}), before)
    assert build.route[nth] not in found.track[build.company]
    assert "said_gone" not in {problem.key for problem in found.conflicts}


def two_companies_behind_a_hand() -> tuple[game.State, set[Hex], Hex]:
    """A position, the hexes a hand hides, and one of these on which each of two companies may have built."""
    before = drafted(3)
    builds = [a for a in game.legal_actions(before) if isinstance(a, game.Build)]
    pairs = ((one, other) for one in builds for other in builds if one.company < other.company)
    one, other = next((one, other) for one, other in pairs if set(one.route) & set(other.route))
    return before, {*one.route, *other.route}, next(at for at in one.route if at in other.route)


@pytest.mark.parametrize("there", [True, False])
def test_who_answers_for_one_company_behind_a_hand_says_nothing_of_another(there: bool) -> None:
    before, hidden, at = two_companies_behind_a_hand()
    photo = observation(shown(before), unseen=hidden)
    asked = [
        train
        for doubt in find_successor(photo, before).doubtful
        if (train := (doubt.hex, doubt.company))[0] == at
    ]
    assert len(asked) == 2
    found = find_successor(photo.answered({asked[0]: there}), before)
    assert found.conflicts == []
    assert (asked[0] in {(at, c) for c in KINDS for at in found.track[c]}) == there
    if not there:
        assert asked[1] in {(doubt.hex, doubt.company) for doubt in found.doubtful}


@pytest.mark.parametrize("there", [True, False])
def test_a_train_the_game_knows_of_is_not_missed_where_a_hand_hides_it(there: bool) -> None:
    before = drafted(3)
    first = next(a for a in game.legal_actions(before) if isinstance(a, game.Build) and len(a.route) == 1)
    after = game.apply(before, first)
    other = next(company for company in KINDS if company != first.company)
    photo = observation(shown(after), unseen={*first.route}).answered({(first.route[0], other): there})
    assert "missing" not in {problem.key for problem in find_successor(photo, after).conflicts}
