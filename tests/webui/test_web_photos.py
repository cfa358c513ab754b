"""From photo to action, with a vision that says what the test wants."""

import html
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import reduce
from itertools import count, permutations

import numpy as np
import pytest
from fake_vision import BLANK, FakeDoubt, FakeScan, a_build, confirm, held_of, jpeg, send
from visitors import begun_with, game_at

from calibration import Profile, RegistrationProblem
from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express import COMPANIES, Build
from engine.mini_express.notation import hex_to_text
from engine.sentences import Problem
from vision import Conflict, Observation, find_successor
from vision.compared import Disagreement
from vision.figure import Figure
from vision.state.demand import Cards, Tile


def test_without_a_profile_the_page_says_how_to_get_one(visitor) -> None:
    game_path = visitor.start()
    page = visitor.get(f"{game_path}/photo").text
    assert 'href="/calibrate"' in page
    visitor.get(game_path)
    answer = visitor.post(f"{game_path}/photo", photo=(jpeg(), "a.jpg"))
    assert answer.status_code == 409
    assert "cannot be read yet" in answer.text


def test_which_other_boards_a_photo_may_show_is_told(table, reader, monkeypatch) -> None:
    told = "are compared with the game: tracks."
    assert told not in table.get(f"{table.path}/photo").text
    known = Profile("usa", {**BLANK.surfaces, "tracks": BLANK.surfaces["map"]})
    monkeypatch.setattr(reader, "profile", lambda board: known)
    assert told in table.get(f"{table.path}/photo").text


def test_the_action_found_is_entered_when_confirmed(table) -> None:
    build = a_build(table.state)
    table.says = lambda before: FakeScan(before, [build])
    reading = send(table)
    page = table.get(reading).text
    assert f"{build.company} builds" in page
    before = table.get(table.path + "/version").json
    table.get(reading)
    looked_at = table.field("seen")
    assert confirm(table, reading).status_code == 303
    entered = table.get(table.path + "/version").json
    assert entered != before
    # Another phone, which had the page open too, confirms the same: that is in the game already.
    assert table.post(f"{reading}/confirm", seen=looked_at).location.endswith("#happened")
    assert table.get(table.path + "/version").json == entered
    # Who goes back has not failed.
    page = table.get(reading).text
    assert "What this photo shows is entered in the game." in page
    assert "moved on since this photo" not in page


def test_only_what_was_looked_at_is_entered(table, app) -> None:
    """Another phone may have corrected a hex since: then something else would have been played."""
    builds = [action for action in game.legal_actions(table.state) if isinstance(action, Build)]
    table.says = lambda before: Swayed(before, [builds[0]], others=[builds[-1]])
    reading = send(table)
    table.get(reading)
    looked_at = table.field("seen")
    at, company = builds[-1].route[-1], builds[-1].company
    assert table.post(f"{reading}/correct", hex=f"{at[0]},{at[1]}", train=[company]).status_code == 303
    answer = table.post(f"{reading}/confirm", seen=looked_at)
    assert answer.location == f"{reading}#result"
    assert "Somebody else has answered meanwhile" in table.get(reading).text
    assert game_at(app, table.path).state == table.state


class Slow(FakeScan):
    """A vision that thinks for a while."""

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> "Slow":
        time.sleep(0.2)
        return Slow(self.before, told=dict(answers))


def test_of_two_corrections_at_once_none_is_lost(table, app) -> None:
    table.says = Slow
    reading = send(table)
    held = held_of(app, table, reading)
    said = [{((0, 0), company): True} for company in COMPANIES]
    with ThreadPoolExecutor(len(said)) as phones:
        list(phones.map(held.answer, said))
    assert set(held.answers) == {((0, 0), company) for company in COMPANIES}


def test_of_two_answers_on_a_hex_the_later_holds(table, app) -> None:
    reading = send(table)
    held = held_of(app, table, reading)
    for train in ("gray", "white"):
        assert table.post(f"{reading}/correct", hex="0,0", train=[train]).status_code == 303
    assert {company for (_, company), there in held.answers.items() if there} == {"white"}


def test_of_two_answers_taken_back_at_once_none_stays(table, app) -> None:
    table.says = Slow
    held = held_of(app, table, send(table))
    held.answer({((n, 0), "gray"): True for n in range(3)})
    with ThreadPoolExecutor(2) as phones:
        list(phones.map(held.take_back, [(0, 0), (1, 0)]))
    assert held.answers == {((2, 0), "gray"): True}


class Swayed(FakeScan):
    """A vision that thinks otherwise once a person has said something."""

    def __init__(self, before: game.State, actions: list[game.Action], others: list[game.Action]) -> None:
        super().__init__(before, actions)
        self.others = others

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> FakeScan:
        return FakeScan(self.before, self.others)


def test_what_another_phone_has_said_of_a_hex_meanwhile_is_not_replaced_unseen(table, app) -> None:
    at = table.state.board.cities[0].at
    table.says = lambda before: FakeScan(before, [], doubtful=[FakeDoubt(at, "gray")])
    reading = send(table)
    known = table.get(reading) and table.field("known")
    answer = {"hex": f"{at[0]},{at[1]}", "company": "gray", "known": known}
    table.post(f"{reading}/correct", **answer, present="yes")
    table.post(f"{reading}/correct", **answer, present="no")
    assert held_of(app, table, reading).answers == {(at, "gray"): True}
    assert "Somebody else has answered meanwhile" in table.get(reading).text
    elsewhere = table.state.board.cities[1].at
    table.post(f"{reading}/correct", hex=f"{elsewhere[0]},{elsewhere[1]}", train=["brown"], known=known)
    assert len(held_of(app, table, reading).answers) == 5


def test_what_the_map_does_not_show_is_asked(visitor, app, table) -> None:
    state, choices = _wild_build()
    table.path = begun_with(app, state)
    table.says = lambda before: FakeScan(before, [choices[0]], [[c] for c in choices[1:]])
    reading = send(table)
    page = table.get(reading)
    assert page.text.count('name="story"') == len(choices) == 3
    assert confirm(table, reading).status_code == 400
    assert confirm(table, reading, story="9").status_code == 400
    looked_at = table.field("seen")
    assert confirm(table, reading, story="1").status_code == 303
    assert game_at(app, table.path).game.actions == (choices[1],)
    # Whoever had the page open too and chooses otherwise is told that it was decided.
    for story, status in (("1", 303), ("2", 409)):
        answer = table.post(f"{reading}/confirm", seen=looked_at, story=story)
        assert answer.status_code == status
    assert game_at(app, table.path).game.actions == (choices[1],)


def _wild_build() -> tuple[game.State, list[Build]]:
    """A position with a wild tile in reach, and the builds that differ only in the company chosen."""
    for seed in count():
        rng = random.Random(seed)
        state = game.new(mode="solo", difficulty="passenger", seats=["red"], rng=rng)
        while state.phase == "draft":
            state = game.apply(state, game.legal_actions(state)[0])
        builds = [a for a in game.legal_actions(state) if isinstance(a, Build) and a.wild]
        if builds:
            return state, [b for b in builds if b.route == builds[0].route and b.company == builds[0].company]
    raise AssertionError("count() ends never")


def test_corrections_are_handed_to_vision(table, app) -> None:
    at = table.state.board.cities[0].at
    doubt = FakeDoubt(at, "gray")
    table.says = lambda before: FakeScan(before, [a_build(before)], doubtful=[doubt])
    reading = send(table)
    page = table.get(reading).text
    text = f"{at[0]},{at[1]}"
    assert "1 doubt" in page
    assert f'href="{reading}?hex={text}#correct">Show</a>' in page
    assert table.post(f"{reading}/correct", hex=text, company="gray", present="no").status_code == 303
    held = held_of(app, table, reading)
    assert held.now.told == {(at, "gray"): False}
    sheet = table.get(f"{reading}?hex={text}").text.partition('id="correct"')[2]
    assert f'<image href="{reading}/0.jpg"' in sheet, "the photo of the hex, close by its trains"
    assert table.post(f"{reading}/correct", hex=text, train=["brown", "white"]).status_code == 303
    assert held.now.told == {(at, c): c in ("brown", "white") for c in COMPANIES}
    assert "nothing new was built" in table.get(reading).text
    answer = confirm(table, reading)
    assert answer.status_code == 409


def test_where_a_hand_may_hide_a_build_the_page_does_not_say_that_nothing_was_built(table) -> None:
    at = table.state.board.cities[0].at
    table.says = lambda before: FakeScan(before, doubtful=[FakeDoubt(at, "gray")], unseen=[at])
    page = table.get(send(table)).text
    assert "Nothing new is certain before the doubts are answered." in page
    assert "<small>hidden</small>" in page and "by the photo" not in page
    table.says = lambda before: FakeScan(before, doubtful=[FakeDoubt(at, "gray")])
    assert "by the photo" in table.get(send(table)).text
    table.says = FakeScan
    assert "The track is as in the game: nothing new was built." in table.get(send(table)).text


class Unmoved(FakeScan):
    """A vision that finds the same build, whatever a person says, as where no legal action explains it."""

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> "Unmoved":
        conflicts = [Conflict("said_there", company=c, hex=at) for (at, c), there in answers.items() if there]
        return Unmoved(self.before, self.actions, conflicts=conflicts)


def test_what_a_person_said_is_shown_even_where_no_action_explains_it(table, app) -> None:
    reading = held_of(app, table, send(table))
    stands, more = (table.state.board.starts["gray"].at, "gray"), ((0, 0), "white")
    assert stands in reading.trains and more not in reading.trains
    reading.answer({stands: False, more: True})
    assert stands not in reading.trains and more in reading.trains
    assert reading.left_out == {stands, more}


def test_what_a_person_said_against_the_rules_is_shown_blocks_and_can_be_taken_back(table) -> None:
    at = table.state.board.city_named["Denver"].at
    table.says = lambda before: Unmoved(before, [a_build(before)])
    reading, hex_page = send(table), f"?hex={at[0]},{at[1]}"
    assert "✓" not in table.get(reading).text
    assert table.post(f"{reading}/correct", hex=f"{at[0]},{at[1]}", train=["brown"]).status_code == 303
    page = table.get(reading).text
    assert "Denver: brown, new, you said so" in page
    assert "You said that a train of brown is on Denver" in page
    assert "would be left out" in page
    assert "Yes, enter this" not in page
    assert 'value="brown" checked' in table.get(reading + hex_page).text
    assert confirm(table, reading).status_code == 409
    assert table.post(f"{reading}/correct", hex=f"{at[0]},{at[1]}", back="yes").status_code == 303
    page = table.get(reading).text
    assert "You said" not in page
    assert "✓" not in page
    assert confirm(table, reading).status_code == 303


def test_what_does_not_fit_is_said_with_the_place(table) -> None:
    city = table.state.board.cities[3]
    conflict = Conflict("unreachable", company="gray", hex=city.at)
    table.says = lambda before: FakeScan(before, conflicts=[conflict])
    page = table.get(send(table)).text
    assert city.name in page
    assert "This does not fit" in page


def test_where_tiles_can_be_entered_a_photo_is_offered_that_fills_them_in(table, reader, monkeypatch) -> None:
    """Once the map is known, and as long as they can be changed."""
    begun, offered = table.start(), "A photo of the map fills them in."
    assert offered not in table.get(begun).text + table.get(f"{begun}/tiles").text
    monkeypatch.setattr(reader.profiles, "know", lambda board: True)
    for page in (begun, f"{begun}/tiles"):
        assert offered in table.get(page).text
        assert offered not in table.get(page.replace(begun, table.path)).text


def test_tiles_that_lie_otherwise_are_told_with_what_can_be_done(table) -> None:
    table.says = lambda before: FakeScan(before, tiles_conflict=Conflict("tiles"))
    late = table.get(send(table)).text
    assert "Most demand tiles in the photo look otherwise" in late
    assert "can be changed only before the first share is taken: undo first" in late
    assert f'href="{table.path}/tiles"' not in late
    table.path = table.start()
    page = table.get(send(table)).text
    assert "The demand tiles in the photo look otherwise" in page
    assert f'href="{table.path}/tiles?photo=' in page


def test_tiles_that_lie_otherwise_are_proposed_as_the_photo_shows_them(table, app) -> None:
    table.path = table.start()
    dealt = game_at(app, table.path).game.start.demand
    tiles = [Tile(city, tile, 0.99) for city, tile in enumerate(reversed(dealt[1:]), 1)]
    table.says = lambda before: FakeScan(
        before, tiles_conflict=Conflict("tiles"), cards_shown=Cards((replace(tiles[0], p=0.5), *tiles[1:31]))
    )
    address = re.search(r'href="([^"]+/tiles\?photo=\w+)"', table.get(send(table)).text)[1]
    page = table.get(address).text
    words = re.findall(r'<option value="([\w-]*)" selected', page)
    assert words == ["-".join(tile.pair) for tile in tiles[:31]] + [""]
    assert page.count('class="tile-row doubt"') == 1
    chosen = {f"tile{n}": "-".join(tile.pair) for n, tile in enumerate(tiles, 1)}
    assert table.post(f"{table.path}/tiles", **chosen).status_code == 303
    assert game_at(app, table.path).game.start.demand[1:] == tuple(reversed(dealt[1:]))


def test_the_other_boards_in_a_photo_are_compared_with_the_game(table) -> None:
    table.says = lambda before: FakeScan(before, boards=("assets", "tracks"))
    assert "As in the game: assets, tracks." in table.get(send(table)).text
    differ = [
        Disagreement("figure", found=14, figure="companies.brown.value", expected=12),
        Disagreement("figure", found=3, figure="influence.red.gray", expected=4),
        Disagreement("figure", found="orange", figure="bot.company", expected="white"),
    ]
    unclear = [Figure(("companies", "gray", part), part, {1: 0.1, 2: 0.0}) for part in ("value", "offer")]
    table.says = lambda before: FakeScan(before, boards=("tracks",), differ=differ, unclear=unclear)
    page = html.unescape(table.get(send(table)).text)
    assert "Value, Brown: the photo shows 14, the game says 12." in page
    assert "Influence, Red, Gray: the photo shows 3, the game says 4." in page
    assert "Mašinfíra's company marker: the photo shows Orange, the game says White." in page
    assert "Value, Gray (1?)" in page
    assert "Offer" not in page
    assert "As in the game" not in page
    assert "is as in the game: tracks" not in page


@pytest.mark.parametrize("of_map", [(), (0,)], ids=["alone", "with the map"])
def test_boards_that_differ_in_much_are_first_said_to_be_those_of_another_game(table, of_map) -> None:
    """Nor is a photo of the map asked for beside them."""
    names = [f"influence.red.{company}" for company in COMPANIES]
    each = [Disagreement("figure", found=3, figure=name, expected=4) for name in names]
    differ = [Disagreement("many", n=6), *each]
    table.says = lambda before: FakeScan(before, of_map=of_map, boards=("tracks",), differ=differ)
    page = html.unescape(table.get(send(table)).text)
    said = "differ from the game in 6 places, so it is probably of another game or moment"
    assert page.count(said) == 1
    assert page.index(said) < page.index("Influence, Red, Brown: the photo shows 3, the game says 4.")
    assert "Add a photo" not in page


def test_a_number_of_another_board_that_was_not_seen_is_not_said_to_be_as_in_the_game(table) -> None:
    unread = ("companies.white.reservoir", "influence.masinfira.gray")
    table.says = lambda before: FakeScan(before, boards=("assets", "tracks"), unread=unread)
    page = html.unescape(table.get(send(table)).text)
    assert "What shows clearly is as in the game: assets, tracks." in page
    assert re.findall(r"<li>([^<]*)</li>", page[page.index("compare them yourself") :])[:2] == [
        "Reservoir, White",
        "Influence, Mašinfíra, Gray",
    ]


def test_a_board_that_was_missed_is_told_where_another_was_found(table) -> None:
    missed = "Not found in the photos: assets."
    table.says = lambda before: FakeScan(before, boards=("tracks",), missing=("assets",))
    assert missed in table.get(send(table)).text
    table.says = lambda before: FakeScan(before, missing=("assets", "tracks"))
    assert "Not found" not in table.get(send(table)).text


def test_a_photo_without_the_map_tells_of_the_other_boards_and_enters_nothing(table) -> None:
    table.says = lambda before: FakeScan(before, of_map=(), boards=("tracks",))
    reading = send(table)
    page = table.get(reading).text
    assert "As in the game: tracks." in page
    assert "The map is not in the photo" in page
    assert "Add a photo of the map" in page
    assert f'src="{reading}/0.jpg"' in page
    assert "/confirm" not in page
    assert table.post(f"{reading}/confirm", seen="").status_code == 409


def test_of_several_photos_those_of_the_map_are_shown_with_its_hexes(table) -> None:
    table.says = lambda before: FakeScan(before, of_map=(1,), boards=("tracks",))
    reading = send(table, (jpeg(), "tracks.jpg"), (jpeg(), "map.jpg"))
    page = table.get(reading).text
    assert f'href="{reading}/1.jpg"' in page
    assert f'href="{reading}/0.jpg"' not in page


@pytest.mark.parametrize("of_map", [(0,), ()])
def test_a_photo_that_shows_no_board_is_left_out_with_a_sentence(table, of_map: tuple[int, ...]) -> None:
    problem = RegistrationProblem("not_found", photo="photo 2 of 2")
    table.says = lambda before: FakeScan(before, of_map=of_map, boards=("tracks",), left_out=(problem,))
    page = table.get(send(table, (jpeg(), "a.jpg"), (jpeg(), "b.jpg"))).text
    assert "not found in photo 2 of 2" in page
    assert "As in the game: tracks." in page


def test_what_a_hex_looks_like_is_said_as_well(table) -> None:
    build = a_build(table.state)
    doubtful, unseen = (city.at for city in table.state.board.cities[:2])
    table.says = lambda before: FakeScan(
        before, [build], doubtful=[FakeDoubt(doubtful, "gray")], unseen=[unseen]
    )
    page = table.get(send(table)).text
    labels = dict(re.findall(r'hex=([-\d,]+)#correct" aria-label="([^"]+)"', page))
    assert labels[hex_to_text(build.route[-1])].endswith(", new")
    assert ", not sure" in labels[hex_to_text(doubtful)]
    assert ", hidden" in labels[hex_to_text(unseen)]


def test_a_train_of_the_game_is_asked_about_as_one(table) -> None:
    """It cannot have left the map (R1.2): perhaps nobody has put it there."""
    home = table.state.hexes("gray")[0]
    table.says = lambda before: FakeScan(before, doubtful=[FakeDoubt(home, "gray")])
    page = table.get(send(table)).text
    assert "The game has a train of gray on" in page
    assert "Is there a train of" not in page


def test_of_a_photo_of_something_else_nothing_is_asked(table) -> None:
    hexes = list(table.state.board.index)[:9]
    conflicts = [Conflict("many", n=9), *(Conflict("unreachable", company="gray", hex=at) for at in hexes)]
    doubts = [FakeDoubt(at, "gray") for at in hexes]
    table.says = lambda before: FakeScan(before, conflicts=conflicts, doubtful=doubts)
    page = table.get(send(table)).text
    assert "differ in 9 places" in page
    assert "Is there a train of" not in page


def test_who_enters_what_another_phone_has_corrected_meanwhile_looks_at_it_first(table, app) -> None:
    """Also where it does not fit any more: nothing seen here was misread."""
    table.says = lambda before: FakeScan(before, [a_build(table.state)])
    reading = send(table)
    table.get(reading)
    seen = table.field("seen")
    held_of(app, table, reading).now = FakeScan(table.state, conflicts=[Conflict("many", n=9)])
    answer = table.post(f"{reading}/confirm", seen=seen)
    assert answer.location == f"{reading}#result"
    assert "Somebody else has answered meanwhile" in table.get(reading).text


def test_what_does_not_fit_is_not_entered(table) -> None:
    """As on the command line: the hexes that were misread are corrected first."""
    before = table.state
    build = next(a for a in game.legal_actions(before) if isinstance(a, Build))
    conflict = Conflict("unreachable", company="gray", hex=before.board.cities[3].at)
    table.says = lambda before: FakeScan(before, [build], conflicts=[conflict])
    reading = send(table)
    page = table.get(reading).text
    assert "so it is not entered" in page
    assert "Yes, enter this" not in page
    assert confirm(table, reading).status_code == 409


def test_of_lines_that_come_to_the_same_position_one_is_offered(visitor, app, table) -> None:
    """R9.2: an expert's two builds in either order."""
    state = game.new(mode="experts", seats=["red", "blue"], rng=random.Random(1))
    while state.phase == "draft" or state.actions_left < 2:
        state = game.apply(state, game.legal_actions(state)[0])
    found = find_successor(_clear_photo(reduce(game.apply, _in_any_order(state), state)), state)
    assert len(found.actions) == 2
    table.path = begun_with(app, state)
    table.says = lambda before: FakeScan(before, found.actions, found.alternatives)
    reading = send(table)
    assert 'name="story"' not in table.get(reading).text
    assert confirm(table, reading).status_code == 303


def _clear_photo(state: game.State) -> Observation:
    """What a photo shows that leaves nothing open but what no map shows."""
    hexes = tuple(state.board.index)
    table = np.array([[9.0 if at in state.hexes(c) else -9.0 for c in COMPANIES] for at in hexes])
    nothing = np.full(len(hexes), -9.0)
    return Observation(state.board.id, hexes, COMPANIES, table, nothing, nothing, np.ones(len(hexes), bool))


def _in_any_order(state: game.State) -> tuple[Build, Build]:
    """Two builds, to tiles that leave no choice, after which the position is the same whichever comes first."""
    builds = [a for a in game.legal_actions(state) if isinstance(a, Build) and not a.wild]
    for one, other in permutations(builds, 2):
        try:
            ends = [reduce(game.apply, order, state) for order in ((one, other), (other, one))]
        except Problem:
            continue
        if ends[0] == ends[1]:
            return one, other
    raise AssertionError("no two builds go together")


def test_what_is_too_much_for_the_page_is_counted(table) -> None:
    hexes = [at for at in table.state.board.index if at not in table.state.hexes("gray")][:15]
    conflicts = [Conflict("unreachable", company="gray", hex=at) for at in hexes[:7]]
    doubts = [FakeDoubt(at, "gray") for at in hexes]
    table.says = lambda before: FakeScan(before, conflicts=conflicts, doubtful=doubts)
    page = table.get(send(table)).text
    assert "And 1 more that does not fit." in page
    assert "15 doubts" in page
    assert page.count("Is there a train of") == 12
    assert "And 3 more, which are asked when these are answered." in page


@pytest.mark.parametrize(
    "fields",
    [{"hex": "x"}, {"hex": "999,999", "company": "gray", "present": "yes"}, {"hex": ""}]
    + [
        {"hex": "{at}", "company": "pink", "present": "yes"},
        {"hex": "{at}", "company": "gray", "present": "?"},
    ],
)
def test_hostile_corrections(table, fields: dict[str, str]) -> None:
    at = table.state.board.cities[0].at
    reading = send(table)
    table.get(f"{reading}?hex={at[0]},{at[1]}")
    sent = {key: value.replace("{at}", f"{at[0]},{at[1]}") for key, value in fields.items()}
    assert table.post(f"{reading}/correct", **sent).status_code == 400
    assert table.get(f"{reading}?hex=77,77").status_code == 400


def test_a_photo_of_an_older_position_is_not_entered(table) -> None:
    build = a_build(table.state)
    table.says = lambda before: FakeScan(before, [build])
    reading = send(table)
    other = next(action for action in game.legal_actions(table.state) if action != build)
    assert table.act(table.path, notation=game.action_to_text(other)).status_code == 303
    page = table.get(reading)
    assert "has moved on" in page.text
    table.get(table.path)
    assert confirm(table, reading).status_code == 409
