"""Decoding under the rules, on observations made by hand."""

import random
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from by_hand import KINDS, START, observation
from games import BOARDS, late_game
from numpy.typing import NDArray
from synthetic_table import BOARD, HEXES

from engine import mini_express as game
from engine.hexgrid import Hex, neighbours
from vision import Observation, decode
from vision.scan import _against_photos, _alike, _bare, _moments
from vision.state.decode import ASKED_FROM, Decoded, Doubt, worth_asking
from vision.state.on_hexes import by_company

ORANGE: list[Hex] = [(6, -6), (6, -5), (5, -4), (4, -3)]


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
    assert found.conflicts() == []


def test_what_clearly_shows_and_no_build_can_have_put_there_is_told() -> None:
    found = decode(observation({((-5, 2), "gray"): 0.999}), BOARD)
    assert found.track["gray"] == [START["gray"]]
    assert [str(problem) for problem in found.conflicts()] == [
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
    (problem,) = found.conflicts()
    assert problem.key == "many"
    assert str(len(found.doubtful)) in str(problem)
    assert [problem.key for problem in found.conflicts(photos=2)] == ["still_many"]
    assert decode(observation({((-5, 2), "gray"): 0.7}), BOARD).conflicts() == []


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
    """R5.1: a start city has no demand tile, seen or not, so a clear train beside it is asked about."""
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


def test_a_tile_that_a_train_hides_does_not_bring_a_second_train() -> None:
    """R5.7: a city keeps its tile until it is full, but who puts a train down on the tile hides it."""
    city = next(c for c in BOARD.city_at.values() if c.capacity == 2 and not c.start)
    shown = by_company(
        observation({(city.at, "gray"): 0.999, (city.at, "white"): 0.1}, full={city.at}), BOARD
    )
    hidden = observation({(city.at, "gray"): 0.999, (city.at, "white"): 0.1})
    hidden.card[HEXES.index(city.at)] = -15.0
    odds = by_company(hidden, BOARD)
    assert odds["gray"][city.at] > 4
    assert shown["white"][city.at] == pytest.approx(odds["white"][city.at], abs=0.01)
    assert odds["white"][city.at] < 2


def from_side(number: int) -> NDArray[np.float64]:
    """A camera 60° from straight above, from another side for each of nine numbers."""
    side = np.radians(40 * number)
    return np.array([np.cos(side), np.sin(side), np.tan(np.radians(30))])


def of_photos(*shown: Observation) -> Observation:
    """One observation of several photos from all sides, each of which shows what one of these does."""
    surface = SimpleNamespace(
        centers=np.zeros((len(HEXES), 2)),
        board="usa",
        cells=[SimpleNamespace(id=at) for at in HEXES],
        kinds=[SimpleNamespace(name=c, home=HEXES.index(START[c])) for c in KINDS],
    )
    readings = [
        SimpleNamespace(
            odds=o.table,
            card=o.card,
            marker=o.marker,
            seen=o.seen,
            camera=from_side(n),
            alike=tuple(map(KINDS.index, o.alike)) or None,
        )
        for n, o in enumerate(shown)
    ]
    return Observation.of(surface, readings)


def test_a_photo_that_does_not_show_a_hex_says_nothing_of_it() -> None:
    """Of trains, of the tile and of the target marker; whatever its pixels there would say."""
    at = next(iter(BOARD.numbered.values())).at
    clear, hidden = observation({(at, "gray"): 0.999}), observation({}, unseen={at})
    row = clear.index[at]
    hidden.table[row], hidden.card[row], hidden.marker[row] = 5.0, 5.0, 5.0
    both, one, alone = of_photos(clear, hidden), of_photos(clear), of_photos(hidden)
    for part in ("table", "card", "marker"):
        assert np.array_equal(getattr(both, part)[row], getattr(one, part)[row])
        assert not getattr(alone, part)[row].any()


def test_many_photos_are_not_a_person() -> None:
    lone = observation({((-5, 2), "gray"): 0.9999})
    assert (-5, 2) not in decode(of_photos(*[lone] * 9), BOARD).track["gray"]


def test_companies_that_one_photo_cannot_tell_apart_another_tells() -> None:
    """What the first shows of others counts, and of these where the other photo does not show it."""
    brown, hidden = ((-5, 2), "brown"), (4, -2)
    as_gray = {(ORANGE[1], "gray"): 0.999, (hidden, "gray"): 0.999, brown: 0.999}
    alike = replace(observation(as_gray), alike=("gray", "white"))
    other = observation({(ORANGE[1], "white"): 0.999}, unseen={hidden, brown[0]})
    both, one = of_photos(alike, other), of_photos(other)
    assert (both.alike, of_photos(alike, alike).alike) == ((), ("gray", "white"))
    assert of_photos(alike, replace(other, alike=("brown", "gray"))).alike == ()
    assert both.apart == ()
    for company in ("gray", "white"):
        assert both.p(ORANGE[1], company) == pytest.approx(one.p(ORANGE[1], company))
    assert both.p(*brown) > 0.9
    assert both.p(hidden, "gray") > 0.9


def test_that_trains_may_be_taken_for_others_is_told_until_a_person_has_looked() -> None:
    alike = replace(observation({}), alike=("gray", "white"))
    (problem,) = _alike(alike)
    assert str(problem).startswith("In this photo trains of gray, white may be taken for each other")
    assert _alike(alike.answered({((-5, 2), "gray"): False, ((-5, 2), "orange"): True}))
    assert not _alike(alike.answered({((-5, 2), "gray"): True}))
    assert not _alike(observation({}))


def test_photos_of_two_moments_contradict_each_other_where_they_are_sure() -> None:
    """What one of them shows badly, or not at all, the other may show otherwise."""
    before = observation({}, unseen={ORANGE[1]})
    after = observation({(at, "orange"): 0.999 for at in ORANGE} | {((-5, 2), "gray"): 0.9})
    assert of_photos(after, after).apart == ()
    assert set(of_photos(before, after).apart) == {(at, "orange") for at in ORANGE[2:]}


def test_two_trains_beside_each_other_need_not_be_as_sure() -> None:
    """They are a build or a part of it; each in another photo, or far from each other, they are slips of reading."""
    first, second = ((at, "orange") for at in ORANGE[1:3])
    far = ((-5, 2), "orange")

    def apart(*shown: dict[tuple[Hex, str], float]) -> set[tuple[Hex, str]]:
        return set(of_photos(*map(observation, shown)).apart)

    assert apart({first: 0.95, second: 0.95}, {}) == {first, second}
    assert apart({first: 0.95}, {second: 0.95}) == set()
    assert apart({first: 0.95, far: 0.95}, {}) == set()


def test_two_moments_are_told_but_for_a_single_place_or_where_a_person_has_said_what_stands() -> None:
    before, after = observation({}), observation({(at, "orange"): 0.999 for at in ORANGE})
    both = of_photos(before, after)
    (problem,) = _moments(both)
    assert (problem.key, problem.values["n"]) == ("moments", len(both.apart))
    assert not _moments(both.answered(dict.fromkeys(both.apart[1:], True)))
    one = observation({(ORANGE[1], "orange"): 0.999})
    assert len(of_photos(before, one).apart) == 1
    assert not _moments(of_photos(before, one))


def test_where_nothing_shows_of_a_train_that_stands_from_the_start_it_may_be_no_photo_of_a_game() -> None:
    """R2.2; half of those in sight must be bare, for one may stand on print of its own colour. Unless a person says
    that it is there, or nobody can see whether."""
    nothing = {(START["gray"], "gray"): 0.01, (START["white"], "white"): 0.01}
    photo = observation(nothing)
    bare = of_photos(photo)
    (problem,) = _bare(bare)
    assert (problem.values, problem.rule) == ({"company": "gray", "hex": START["gray"]}, "R2.2")
    assert START["gray"] in decode(bare, BOARD).track["gray"]
    assert not _bare(bare.answered(dict.fromkeys(nothing, True)))
    assert not _bare(of_photos(observation({(START["gray"], "gray"): 0.01})))
    assert not _bare(of_photos(photo, observation({})))
    played = {(at, "orange"): 0.99 for at in ORANGE[1:]} | {((-5, 2), "white"): 0.99}
    assert not _bare(of_photos(observation(nothing | played)))
    assert not _bare(of_photos(observation(nothing, unseen={START["gray"]})))
    assert _bare(of_photos(observation(nothing, unseen={START["brown"], START["orange"]})))


@pytest.mark.parametrize(("shown", "told"), [(0.98, []), (0.02, ["bare"])])
def test_a_start_train_in_strange_light_casts_no_doubt_on_a_photo_that_shows_the_others(
    shown: float, told: list[str]
) -> None:
    """R2.2: an empty map shows none of the trains that the state before has."""
    before = late_game("usa", [], 0)
    trains = {(at, company): shown for company in KINDS for at in before.hexes(company)}
    photo = of_photos(observation(trains | {(START["gray"], "gray"): 0.01}))
    assert [problem.key for problem in _against_photos(photo, before)] == told
    assert [problem.key for problem in _against_photos(photo)] == told


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


@pytest.mark.parametrize("seed", range(4))
def test_where_two_companies_fill_every_city_it_is_read_so_if_that_is_told(seed: int) -> None:
    """R1.6: three never stand in a city, and two in one for three have taken its tile."""
    state = late_game("usa", ["capacity_two"], seed)
    clear = {(at, company): 0.9999 for company in KINDS for at in state.hexes(company)}
    full = {c.at for c in state.board.numbered.values() if not state.demand[c.number]}
    seen = observation(clear, board=state.board, full=full)
    as_played, as_printed = (trains(decode(seen, board)) for board in (state.board, BOARDS["usa"]))
    assert as_played == {(at, company) for company in KINDS for at in state.hexes(company)}
    assert as_printed != as_played


def test_when_the_race_begins_three_come_to_san_francisco_where_there_is_room_for_two() -> None:
    """R10.3: above capacity if need be; R1.6: no other city takes a third."""
    modules = ["golden_spike", "capacity_two"]
    board = game.new(seats=("red", "blue", "purple"), modules=modules, rng=random.Random(1)).board
    west, denver = board.city_named["San Francisco"].at, board.city_named["Denver"].at
    clear = {(at, company): 0.9999 for at in (west, denver) for company in ("gray", "orange", "white")}
    shown = by_company(observation(clear, board=board, full={west, denver}), board)
    assert all(shown[company][west] > 2 for company in ("gray", "orange", "white"))
    assert not all(shown[company][denver] > 2 for company in ("gray", "orange", "white"))


def test_the_more_companies_may_stand_on_a_hex_the_less_probable_is_each() -> None:
    """Few hexes have several, so two trains that may be there are rather one than both."""
    at = next(at for bit, at in BOARD.hex_of.items() if BOARD.landscape >> bit & 1)
    several = [{(at, company): 0.5 for company in KINDS[:many]} for many in range(1, 5)]
    odds = [by_company(observation(trains), BOARD)["brown"][at] for trains in several]
    assert odds[0] == pytest.approx(0, abs=0.01)
    assert all(fewer > more + 0.1 for fewer, more in pairwise(odds))


def trains(found: Decoded) -> set[tuple[Hex, str]]:
    return {(at, company) for company in KINDS for at in found.track[company]}


def test_who_says_something_of_one_company_on_an_unseen_hex_says_nothing_of_the_others() -> None:
    at = (0, -2)
    hidden = observation({}, unseen={at})
    told = hidden.answered({(at, "gray"): True})
    assert told.p(at, "gray") > 0.999 and told.p(at, "white") == 0.5
    assert at in decode(told, BOARD).track["gray"] and told.unseen == [at]
    of_all = hidden.answered({(at, company): company == "gray" for company in KINDS})
    assert not of_all.unseen
    for known in (told, of_all):
        track = known.to_json()["track"]
        assert [[*at], 1.0] in track["gray"]
        assert [*at] not in [hex for hex, _ in track["white"]]


def test_what_is_wrong_more_probably_than_once_in_330_times_is_asked_the_most_useful_first() -> None:
    assert pytest.approx(1 / 330, rel=0.02) == ASKED_FROM
    there, gone = (1, 0), (2, 0)
    sure = [Doubt(there, "gray", 0.9975, True), Doubt(gone, "gray", 0.0025, False)]
    one, three = Doubt(there, "gray", 0.9965, True), Doubt(gone, "white", 0.0035, False, stakes=3)
    assert worth_asking([*sure, one, three]) == [three, one]
