"""Positions known in part: what is derived is true in every game, what is missing is named, nothing is invented."""

import random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from positions import position
from strategies import played, set_ups

from engine import mini_express as game
from engine.mini_express.part.paths import nested
from engine.mini_express.part.position import LISTED_AT_MOST
from engine.sentences import Problem

PACK = game.built_in()
COMPANIES = game.COMPANIES
STARTS = {company: [list(city.at)] for company, city in PACK.boards["usa"].starts.items()}
SEEDS = st.integers(0, 2**32)


def part(obj: dict[str, Any] | None = None, *told: str) -> game.Part:
    return game.Part.from_json(obj or {}, PACK).filled_in(told)


def known_json(state: game.State) -> dict[str, Any]:
    """A state as paths and their values, without the mark of a whole state."""
    obj = game.state_to_json(state)
    return dict(game.Part.from_json(obj, PACK).told)


@st.composite
def any_position(draw: st.DrawFn) -> game.State:
    """A position from anywhere in a random game; not shrunk, for that takes minutes and says no more."""
    steps = list(played(draw(set_ups()), draw(st.integers(0, 2**32)), builder=draw(st.booleans())))
    return draw(st.sampled_from(steps))[0]


class TestWhatFollowsIsTrue:
    """R1.2, R2.5, R5.5, R7.4, R10: whatever is forgotten of a real position, what is derived is what it was."""

    @given(any_position(), SEEDS, st.floats(0, 1))
    @settings(max_examples=150, phases=[Phase.generate])
    def test_in_any_position_of_any_game(self, state: game.State, seed: int, share: float) -> None:
        whole, rng = known_json(state), random.Random(seed)
        kept = {path: value for path, value in whole.items() if rng.random() < share}
        found = part(nested(kept)).known
        for path, value in found.items():
            if path == "seats" and path in whole:
                assert set(value) <= set(whole[path])
            elif path.startswith("track"):
                assert sorted(value) == sorted(whole[path])
            else:
                assert value == whole.get(path), path

    @given(any_position())
    @settings(max_examples=40, phases=[Phase.generate])
    def test_a_whole_state_stays_what_it_is(self, state: game.State) -> None:
        assert part(game.state_to_json(state)).state() == state

    @given(any_position(), SEEDS)
    @settings(max_examples=40, phases=[Phase.generate])
    def test_what_is_missing_is_all_that_must_be_told(self, state: game.State, seed: int) -> None:
        whole, rng = known_json(state), random.Random(seed)
        kept = {path: value for path, value in whole.items() if rng.random() < 0.5}
        found = part(nested(kept))
        while missing := found.missing:
            assert found.state() is None
            path = next((p for p in missing if p in whole), "")
            told = {p: v for p, v in whole.items() if p == path or (not path and p.startswith(missing[0]))}
            assert told, missing
            kept |= told
            found = part(nested(kept))
        completed = found.state()
        assert completed is not None
        assert {**known_json(completed), "korean_start": 0, "passes": 0} == {
            **whole,
            "korean_start": 0,
            "passes": 0,
        }


def test_r1_2_gives_the_supply_only_when_every_train_is_seen() -> None:
    told = {"board": "usa", "track": STARTS, "companies": {"gray": {"reservoir": 3}}}
    sure = part(told, "modules=none")
    assert sure.known["companies.gray.supply"] == 21
    assert "companies.brown.supply" not in sure.known
    q, r = STARTS["gray"][0]
    near, far = [q - 1, r + 1], [q - 2, r + 2]
    scan = {"state": told, "unseen": [near], "doubtful": [{"hex": far, "company": "gray", "p": 0.5}]}
    seen = part(scan, "modules=none")
    assert "companies.gray.supply" not in seen.known
    paths = [f"track.{q},{r}" for q, r in (near, far)]
    assert {*paths} <= set(seen.missing)
    answered = part(seen.to_json(), f"{paths[0]}=gray", f"{paths[1]}=none")
    assert answered.known["companies.gray.supply"] == 20
    assert answered.known["track.gray"] == [*STARTS["gray"], near]
    assert part(seen.to_json(), "track=confirmed").known["companies.gray.supply"] == 21


def test_a_number_left_in_doubt_is_unknown_until_it_is_told() -> None:
    """A photo of share tiles that overlap: the score must not rest on what was asked."""
    told = {"seats": ["red"], "difficulty": "tourist", "shares": {"red": {"brown": 2, "gray": 1}}}
    doubt = {"what": "shares", "path": "shares.red.gray", "value": 1, "p": 0.6}
    seen = part({"state": told, "doubtful": [doubt, {"path": 7}, 3]}, "modules=none")
    assert seen.known["shares.red.brown"] == 2
    assert "shares.red.gray" in seen.missing
    answered = part(seen.to_json(), "shares.red.gray=2")
    assert answered.known["shares.red.gray"] == 2


def test_a_doubtful_marker_leaves_no_tile_open() -> None:
    tile, marker = {"city": 7, "what": "demand", "p": 0.6}, {"city": 9, "what": "target", "p": 0.6}
    assert part({"state": {}, "doubtful": [tile, marker]}).unsure == {"demand.7"}


def test_a_whole_state_with_doubts_is_whole_once_they_are_answered() -> None:
    """With the state before, a scan gives a whole state; what it doubts must still be told."""
    state = game.new(mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(3))
    doubt = {"hex": [0, 0], "company": "gray", "p": 0.5}
    scan = {"state": game.state_to_json(state), "unseen": [[1, 0]], "doubtful": [doubt]}
    assert part(scan).missing == ["track.0,0"]
    assert part(part(scan).to_json(), "track.0,0=none").state() == state


def test_of_a_state_with_its_format_too_what_is_missing_is_missing() -> None:
    """Whether it can be derived or must be told; what belongs to no such game is not missed."""
    state = game.new(mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(7))
    plain = game.state_to_json(state)
    without_bot = {key: value for key, value in plain.items() if key not in ("bot", "golden_spike")}
    assert {path.partition(".")[0] for path in part(without_bot).missing} == {"bot"}
    for company in plain["companies"].values():
        del company["out"]
    assert game.state_of_json(plain, game.built_in()) == state


def test_where_a_part_is_missing_a_row_that_says_less_is_no_row_of_noughts() -> None:
    """A whole state may leave noughts out of a row; of one known in part nobody has said that they are noughts."""
    state = game.new(mode="standard", seats=["red", "blue", "green"], rng=random.Random(7))
    plain = game.state_to_json(state)
    plain["influence"]["red"] = {"brown": 3}
    whole = part(plain)
    assert whole.known["influence.red.gray"] == 0
    del plain["to_move"], plain["modules"]
    in_part = part(plain)
    assert {"influence.red.gray", "modules", "to_move"} <= {*in_part.missing}
    with pytest.raises(game.PartProblem, match=r"influence.red"):
        in_part.standing()


def test_what_cannot_be_is_refused_when_it_is_told() -> None:
    """R1.2b: track on an island; R3.2: an offer without supply; R10.1: a spike in a game without it."""
    told = {"board": "usa", "track": STARTS}
    for key, wrong in (
        ("island", ["track.-5,2=white"]),
        ("exhausted", ["companies.gray.supply=0", "companies.gray.offer=2"]),
        ("spike_extra", ["golden_spike.status=linked"]),
    ):
        with pytest.raises(game.Broken) as refusal:
            part(told, "modules=none", *wrong).known  # noqa: B018
        assert refusal.value.key == key
    open_end = {"state": told, "unseen": [[0, 0]]}
    assert [-5, 2] in part(open_end, "modules=none", "track.-5,2=white").known["track.white"]
    assert part(told, "modules=golden_spike", "golden_spike.status=linked").known


@pytest.mark.parametrize(
    ("status", "nobody"),
    [
        ("waiting", ["eastern", "western"]),
        ("off", ["eastern", "western"]),
        ("building", ["western"]),
        ("linked", []),
    ],
)
def test_how_far_the_golden_spike_is_settles_who_has_no_train_on_its_tile(
    status: str, nobody: list[str]
) -> None:
    """R10.2-R10.4: the western company comes with the link, the eastern one with Omaha."""
    told = part({"board": "usa", "modules": ["golden_spike"]}, f"golden_spike.status={status}")
    asked = [side for side in ("eastern", "western") if f"golden_spike.{side}" in told.missing]
    assert sorted([*nobody, *asked]) == ["eastern", "western"]
    assert [told.known[f"golden_spike.{side}"] for side in nobody] == [None] * len(nobody)


def test_what_is_as_in_nearly_every_game_is_told_until_somebody_says_otherwise() -> None:
    assert part().usual == {"korean_start": False, "passes": 0}
    assert part({}, "passes=1").usual == {"korean_start": False}


def test_a_company_without_supply_has_no_offer() -> None:
    """R3.2"""
    assert part({}, "companies.gray.supply=0").known["companies.gray.offer"] == 0
    assert "companies.gray.offer" not in part({}, "companies.gray.supply=1").known


def test_what_was_derived_follows_a_correction() -> None:
    told = {"board": "usa", "track": STARTS}
    before = part(told, "modules=none", "companies.gray.reservoir=3").to_json()
    assert before["companies"]["gray"]["supply"] == 21
    assert part(before, "companies.gray.reservoir=5").known["companies.gray.supply"] == 19


def test_modes_by_the_number_of_players() -> None:
    assert part({}, "seats=red").known["mode"] == "solo"
    assert part({}, "seats=red").known["seats"] == ["red", "masinfira"]
    assert part({}, "seats=red,blue,green").known["mode"] == "standard"
    assert "mode" not in part({}, "seats=red,blue").known
    assert part({}, "seats=red,blue", "bot.target=3").known["mode"] == "two_with_bot"


def test_no_target_marker_on_the_map_says_nothing_of_masinfira() -> None:
    """A scan tells of a target 0, off the map, whoever plays."""
    scan = {"state": {"board": "usa", "bot": {"target": 0}}}
    assert "mode" not in part(scan, "seats=red,blue").known
    experts = part(scan, "seats=red,blue", "mode=experts")
    assert experts.known["bot"] is None
    assert "bot.target" not in experts.known
    with pytest.raises(game.Broken, match="does not play in this mode"):
        _ = part({"bot": {"target": 4}}, "seats=red,blue,green").known


def test_what_a_photo_shows_is_what_is_told_and_sure() -> None:
    """Trains and demand tiles; a city without a tile shows none."""
    told = {
        "board": "usa",
        "track": {"gray": [[7, -3], [6, -3]]},
        "demand": {"1": ["gray", "wild"], "2": ["gray", "gray"]},
    }
    doubtful = [{"hex": [6, -3], "company": "gray", "p": 0.5}, {"city": 2, "what": "demand", "p": 0.6}]
    shown = part({"state": told, "doubtful": doubtful}).shown()
    assert shown == {"track": {"gray": [[7, -3]]}, "demand": {"1": ["gray", "wild"]}}
    assert part(told, "demand.1=none").shown()["demand"].keys() == {"2"}


def test_a_draft_is_a_new_game() -> None:
    told = part({}, "board=usa", "modules=none", "seats=blue,red,green", "phase=draft")
    assert told.known["companies.white.supply"] == 20
    assert told.known["influence.red.gray"] == 1
    assert "shares.red.gray" in told.missing
    assert "demand.32" in told.missing


def test_no_game_is_invented() -> None:
    """Nothing known: nothing derived, and everything listed."""
    assert part({}).known == {}
    assert {"board", "mode", "modules", "phase", "to_move", "influence", "shares", "demand"} <= set(
        part({}).missing
    )


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("shares", "fills in nothing: write a path and a value"),
        ("=2", "fills in nothing"),
        (
            "shares.red.pink=2",
            "possible are shares.red.brown, shares.red.gray, shares.red.orange, shares.red.white",
        ),
        ("companies.brwn.value=2", "possible are companies.brown, companies.gray"),
        ("colour=red", "possible are board, mode, difficulty"),
        ("companies.brown.value=16", "a whole number from 0 to 15"),
        ("companies.brown.value=-1", "a whole number from 0 to 15"),
        ("companies.brown.value=٣", "a whole number from 0 to 15"),
        ("bot.target=33", "a whole number from 0 to 32"),
        ("to_move=pink", "one of red, blue, purple, green, yellow, masinfira"),
        ("demand.7=brown", "two of brown, gray, orange, white, wild"),
        ("demand.7=wild,wild", "but not wild twice"),
        (
            "golden_spike=waiting",
            '"golden_spike" is filled in part by part: the paths are golden_spike.{status',
        ),
        ("bot=none", "the paths are bot.{target,company,bag,drawn,redraw}"),
        ("demand.33=brown,gray", "possible are demand.1, demand.2"),
        ("track.brown=1;2", "hexes of this map"),
        ("track.brown=1,2 1,2", "hexes of this map"),
        ("shares.red=1,2,3", "four numbers"),
        ("modules=golden", "golden_spike, ports, capacity_two, none"),
        ("bot.drawn=2", "Mašinfíra's tiles"),
    ],
)
def test_what_cannot_be_filled_in(told: str, sentence: str) -> None:
    with pytest.raises(Problem) as refused:
        part({}, told)
    assert sentence in str(refused.value)


def test_of_very_many_possible_paths_the_first_are_told() -> None:
    with pytest.raises(Problem, match=r"possible are track\.brown, .*, …\.$") as refused:
        part(game.state_to_json(position()), "track.99,99=brown")
    assert str(refused.value).count("track.") == 1 + LISTED_AT_MOST


def test_hexes_are_of_the_map() -> None:
    with pytest.raises(Problem, match="hexes of this map"):
        part({"board": "usa"}, "track.brown=50,50")


def test_who_does_not_play_holds_nothing() -> None:
    with pytest.raises(Problem, match="the seats are"):
        part({"shares": {"blue": {"brown": 1}}}, "seats=red")


def test_counts_that_cannot_be_right_are_refused() -> None:
    seats = "seats=red,blue,green"
    shares = ["shares.red.gray=4", "shares.blue.gray=4", "shares.green.gray=4", "companies.gray.offer=0"]
    with pytest.raises(game.Broken, match="12 shares in all instead of 9"):
        _ = part({}, seats, "phase=play", *shares).known


def test_more_shares_than_there_are_give_no_score() -> None:
    """R1.2: however little else is known; a score would take them for good."""
    held = ["shares.red.white=9", "shares.masinfira.white=2"]
    with pytest.raises(game.Broken, match="11 shares in all instead of 9"):
        _ = part({}, "seats=red", "difficulty=passenger", *held).known


@pytest.mark.parametrize(
    "obj",
    [
        [],
        3,
        None,
        {"companies": 5},
        {"track": {"brown": "x"}},
        {"track": [1]},
        {"seats": "red"},
        {"board": ["usa"]},
    ]
    + [
        {"shares": {"red": {"brown": True}}},
        {"demand": {"7": "wild"}},
        {"bot": {"bag": [[]]}},
        {"modules": [[]]},
    ]
    + [
        {"format": "masinfira/mini-express/state/9"},
        {"seats": [["red"]]},
        {"companies": {"brown": {"value": 1e9}}},
    ],
)
def test_malformed_parts_are_refused(obj: Any) -> None:
    with pytest.raises(game.Malformed):
        game.Part.from_json(obj, PACK)


@pytest.mark.parametrize("left_open", [{"alternatives": [[{"type": "pass"}]]}, {"fits": False}])
def test_a_scan_that_settles_nothing_is_no_state(left_open: dict[str, Any]) -> None:
    """Its state is only the first of several, or the one before the photo."""
    scan = {"state": game.state_to_json(position(mode="solo"))}
    one_photo_shows_no_board = {"alternatives": [], "fits": True, "conflicts": ["It was not found."]}
    assert game.state_of_json({**scan, **one_photo_shows_no_board}, game.built_in())
    for read in (game.state_of_json, game.Part.from_json):
        with pytest.raises(
            game.PartProblem, match=r"This scan cannot tell|The photos of this scan contradict"
        ):
            read({**scan, **left_open}, game.built_in())


def test_hostile_lists_beside_a_state_do_no_harm() -> None:
    scan = {
        "state": {"board": "usa"},
        "unseen": [5, ["x"], [[1]], None],
        "doubtful": [7, {"hex": 3}, {"city": "x"}],
    }
    assert part(scan).unsure == frozenset()
    assert part({"unsure": [1, "companies"], "derived": {"a": 1}}).unsure == frozenset()


def test_the_score_needs_less_than_a_whole_state() -> None:
    state = game.new(mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(3))
    whole = known_json(state)
    needed = ("difficulty", "seats", "companies.brown.value", "influence", "shares")
    some = {p: v for p, v in whole.items() if p.startswith(needed)}
    with pytest.raises(game.PartProblem, match=r"companies\.gray\.value, companies\.orange\.value"):
        part(nested(some)).standing()
    values = [f"companies.{c}.value=0" for c in COMPANIES]
    assert game.score(part(nested(some), *values).standing()) == game.score(state)


@pytest.mark.parametrize("told", [{"track": []}, {"bot": 5}, {"companies": {"brown": 3}}])
def test_what_is_no_object_is_named_by_its_own_path(told: dict[str, Any]) -> None:
    path = next(iter(told)) if "companies" not in told else "companies.brown"
    with pytest.raises(game.Malformed, match=f'"{path}" in the state is wrong: an object with keys'):
        game.Part.from_json(told, game.built_in())


def test_r5_5_a_value_at_the_top_does_not_tell_how_many_shares_were_left_aside() -> None:
    """13 built, and one share or two left aside: both come to 15."""
    told = known_json(position(supply={"gray": 7}, value={"gray": 15}))
    for count in ("out", "offer"):
        del told[f"companies.gray.{count}"]
    assert "companies.gray.out" not in part(nested(told)).known


def test_r2_5_shares_out_of_the_game_raise_no_value_once_the_supply_is_empty() -> None:
    """They may have been in the offer (R3.2)."""
    cities = ["Atlanta", "Memphis", "Louisville", "Fort Smith", "Tulsa", "Amarillo", "Albuquerque", "Denver"]
    way = [(6, -3), (4, -2), (2, -1), (-1, 0), (-3, 1)]
    offer, track = {"gray": 0, "rest": 6}, {"gray": [*way, *cities]}
    state = position(offer=offer, supply={"gray": 0}, track=track, value={"gray": 12})
    told = known_json(state)
    del told["companies.gray.value"]
    assert "companies.gray.value" not in part(nested(told)).known


def test_r7_6_once_the_game_is_over_masinfira_draws_no_more() -> None:
    over = part({}, "seats=red", "difficulty=tourist", "phase=over", "to_move=masinfira")
    assert over.known["bot.redraw"] is False


def test_a_train_told_before_the_map_was_must_stand_on_a_hex_of_it() -> None:
    """R1.3: told without a board any hex is one, until the board is told."""
    told = known_json(position(mode="solo"))
    board, track = told.pop("board"), told["track.brown"]
    told |= {"track.brown": [*track, [40, 40]], "companies.brown.supply": told["companies.brown.supply"] - 1}
    with pytest.raises(game.Malformed, match=r'"track\.brown" in the state is wrong: .*, \[40, 40\] found'):
        part(nested(told), f"board={board}").state()
