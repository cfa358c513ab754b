"""R10: the Golden Spike on the map of the USA."""

from dataclasses import replace

import pytest
from positions import (
    Place,
    build,
    builds_of,
    companies_in,
    event,
    keys,
    number,
    position,
    reachable,
    refused,
    tile_on,
)

from engine import mini_express as game
from engine.hexgrid import Hex
from engine.mini_express.board import Board, Printed
from engine.mini_express.golden_spike import bot_western
from engine.mini_express.state import Spike, State

TO_OMAHA: list[Place] = [(6, -4), (5, -3), (4, -2), (3, -2), (2, -2), (1, -2)]
"""Brown, one hex short of Omaha."""

ORANGE_TO_OMAHA: list[Place] = [(6, -5), (5, -4), (4, -4), "Chicago", (2, -3), (1, -2), "Omaha"]
SAN_FRANCISCO_TO_DENVER: list[Place] = [
    "San Francisco", (-9, 2), (-8, 1), (-7, 1), (-6, 0), (-5, 0), (-4, 0), "Denver",
]  # fmt: skip
NEARLY_SAN_FRANCISCO: list[Place] = [
    (6, -3), (5, -3), (4, -2), (3, -2), (2, -2), (1, -2), (0, -1), (-1, -1), (-2, 0), (-3, 1), (-4, 1), (-5, 1),
    (-5, 2), (-6, 2), (-7, 2), (-8, 2), (-9, 3),
]  # fmt: skip
"""Gray from Wilmington to the hex next to San Francisco; it shares (1, -2) with brown."""


def before_omaha(**parts: object) -> State:
    """Brown can build to Omaha with one train."""
    parts = {"track": {"brown": TO_OMAHA}, **parts}
    return position(modules=["golden_spike"], **parts)  # type: ignore[arg-type]


def race(**parts: object) -> State:
    """The example of the rulebooks: brown is the eastern company, orange in Omaha, gray in Denver."""
    track: dict[str, list[Place]] = {
        "brown": [*TO_OMAHA, "Omaha"],
        "orange": [*ORANGE_TO_OMAHA, "San Francisco"],
        "gray": SAN_FRANCISCO_TO_DENVER,
        "white": ["San Francisco"],
    }
    parts = {"track": track, "spike": "building", "eastern": "brown", **parts}
    return position(modules=["golden_spike"], **parts)  # type: ignore[arg-type]


ROUTE_TO_DENVER = ((-1, -1), (-2, 0), "Denver")


def spike(state: State) -> Spike:
    assert state.spike is not None
    return state.spike


def western_choices(state: State, company: str, *route: Place) -> set[str | None]:
    """The companies to choose from with this build."""
    wanted = build(state, company, *route)
    found = {a.western for a in builds_of(state, company) if a.route == wanted.route}
    assert found
    return found


class TestTheTile:
    """R10.1, R10.2."""

    def test_it_waits_at_first(self) -> None:
        """Until somebody comes to Omaha or to San Francisco."""
        assert spike(before_omaha()) == Spike("waiting", None, None)

    def test_its_hex_is_ordinary_landscape(self) -> None:
        """It blocks nothing: track runs through it and counts."""
        state = race()
        after = game.apply(state, build(state, "orange", *ROUTE_TO_DENVER, western="orange"))
        assert (-1, -1) in after.hexes("orange")

    def test_san_francisco_first_ends_it(self) -> None:
        """The tile leaves the game; San Francisco keeps its demand tile, and later Omaha is a city like others."""
        state = before_omaha(
            track={"brown": TO_OMAHA, "gray": NEARLY_SAN_FRANCISCO}, demand={"San Francisco": "gray gray"}
        )
        action = build(state, "gray", "San Francisco")
        after = game.apply(state, action)
        assert spike(after) == Spike("off", None, None)
        assert "spike_off" in keys(state, action)
        assert tile_on(after, "San Francisco")
        later = game.apply(after, build(after, "brown", "Omaha"))
        assert spike(later).status == "off"
        assert companies_in(later, "San Francisco") == {"gray"}
        assert later.supply == after.supply


class TestTheRaceBegins:
    """R10.3."""

    def test_a_train_of_the_first_company_goes_onto_the_tile(self) -> None:
        """From the supply: it is the eastern company."""
        state = before_omaha()
        after = game.apply(state, build(state, "brown", "Omaha"))
        assert spike(after) == Spike("building", game.COMPANIES.index("brown"), None)
        assert number(after, "supply", "brown") == number(state, "supply", "brown") - 1

    def test_one_train_of_each_other_goes_to_san_francisco(self) -> None:
        """From their supplies."""
        state = before_omaha()
        after = game.apply(state, build(state, "brown", "Omaha"))
        assert companies_in(after, "San Francisco") == {"gray", "orange", "white"}
        for company in ("gray", "orange", "white"):
            assert number(after, "supply", company) == number(state, "supply", company) - 1
            assert number(after, "reservoir", company) == number(state, "reservoir", company)

    def test_whatever_the_capacity(self) -> None:
        """With R1.6 San Francisco takes two, and three come."""
        state = position(modules=["golden_spike", "capacity_two"], track={"brown": TO_OMAHA})
        after = game.apply(state, build(state, "brown", "Omaha"))
        assert len(companies_in(after, "San Francisco")) == 3
        assert not game.check(after)

    def test_the_demand_tile_there_leaves_the_game(self) -> None:
        """So the eastern company cannot build to it."""
        state = before_omaha()
        assert tile_on(game.apply(state, build(state, "brown", "Omaha")), "San Francisco") is None

    def test_san_francisco_is_one_more_start(self) -> None:
        """Gray can build to Los Angeles now."""
        state = before_omaha()
        after = game.apply(state, build(state, "brown", "Omaha"))
        assert "Los Angeles" in reachable(after, "gray")

    def test_after_the_tile_of_omaha_has_left(self) -> None:
        """R5.7 first. (With other printed data Omaha may be full with its first company.)"""
        printed = [
            place._replace(capacity=1) if place.name == "Omaha" else place
            for place in game.built_in().boards["usa"].printed
        ]
        before = before_omaha(demand={"Omaha": "gray white"})
        board = replace(before.board, printed=tuple(printed), _variants={})
        state = replace(before, setup=replace(before.setup, board=board))
        expected = ["built", "influence_rose", "influence_rose", "tile_left", "spike_eastern"]
        assert keys(state, build(state, "brown", "Omaha")) == expected

    def test_a_company_without_supply_is_skipped(self) -> None:
        """Orange gets no start in the west."""
        state = before_omaha(supply={"orange": 0}, offer={"orange": 0, "rest": 6}, keep_clear=[])
        after = game.apply(state, build(state, "brown", "Omaha"))
        assert companies_in(after, "San Francisco") == {"gray", "white"}

    def test_without_supply_there_is_no_eastern_company(self) -> None:
        """But the others start from San Francisco, and the race is on."""
        state = before_omaha(supply={"brown": 0}, offer={"brown": 0, "rest": 6}, keep_clear=["Omaha"])
        after = game.apply(state, build(state, "brown", "Omaha"))
        assert spike(after) == Spike("building", None, None)
        assert "spike_no_eastern" in keys(state, build(state, "brown", "Omaha"))
        assert companies_in(after, "San Francisco") == {"gray", "orange", "white"}

    def test_the_second_company_in_omaha_starts_nothing(self) -> None:
        """Only the first."""
        state = race(track={"brown": [*TO_OMAHA, "Omaha"], "orange": [*ORANGE_TO_OMAHA[:-1], "San Francisco"],
                            "gray": ["San Francisco"], "white": ["San Francisco"]})  # fmt: skip
        after = game.apply(state, build(state, "orange", "Omaha"))
        assert spike(after) == spike(state)
        assert after.supply[2] == state.supply[2]

    def test_the_last_train_of_a_supply_exhausts_the_offer(self) -> None:
        """R10.7: gray's last train goes to San Francisco, brown's onto the tile."""
        for company in ("gray", "brown"):
            state = before_omaha(supply={company: 1}, keep_clear=["Omaha"])
            after = game.apply(state, build(state, "brown", "Omaha"))
            assert number(after, "supply", company) == 0
            assert number(after, "offer", company) == 0


class TestTheLink:
    """R10.4, R10.5."""

    def test_a_build_elsewhere_makes_no_link(self) -> None:
        """Nothing happens until Omaha and San Francisco are linked."""
        state = race()
        after = game.apply(state, build(state, "white", (4, 0), (3, 0), "Memphis"))
        assert spike(after) == spike(state)

    def test_track_of_any_colours_links(self) -> None:
        """Orange from Omaha meets gray from San Francisco."""
        state = race()
        after = game.apply(state, build(state, "orange", *ROUTE_TO_DENVER, western="gray"))
        assert spike(after) == Spike("linked", 0, 1)

    def test_two_companies_side_by_side_are_no_link(self) -> None:
        """Gray next to Omaha does not link with brown in it."""
        gray = [*SAN_FRANCISCO_TO_DENVER, (-2, -1), (-1, -1), (0, -1)]
        state = race(track={"brown": [*TO_OMAHA, "Omaha"], "gray": gray, "orange": ["San Francisco"],
                            "white": ["San Francisco"]})  # fmt: skip
        assert not game.check(state)
        assert spike(state).status == "building"

    def test_it_counts_once(self) -> None:
        """A later build changes nothing of it."""
        state = race()
        linked = game.apply(state, build(state, "orange", *ROUTE_TO_DENVER, western="gray"))
        later = game.apply(linked, build(linked, "orange", "Detroit"))
        assert spike(later) == spike(linked)
        assert later.value == linked.value

    def test_never_the_eastern_company(self) -> None:
        """Brown itself builds to Denver: only gray is left, so there is nothing to choose."""
        state = race()
        assert western_choices(state, "brown", *ROUTE_TO_DENVER) == {None}
        after = game.apply(state, build(state, "brown", *ROUTE_TO_DENVER))
        assert spike(after).western == game.COMPANIES.index("gray")

    def test_without_supply_there_is_no_western_company(self) -> None:
        """R10.5: the eastern one rises all the same."""
        state = race(
            supply={"gray": 0}, offer={"gray": 0, "rest": 6}, keep_clear=[(-1, -1), (-2, 0), (-2, -1)]
        )
        action = build(state, "brown", *ROUTE_TO_DENVER)
        after = game.apply(state, action)
        assert spike(after) == Spike("linked", 0, None)
        assert after.value == (2 + 2, 0, 0, 0)
        assert "spike_no_western" in keys(state, action)

    def test_without_an_eastern_company_the_western_one_rises(self) -> None:
        """R10.3, R10.5: the link still counts."""
        state = race(eastern=None)
        assert western_choices(state, "orange", *ROUTE_TO_DENVER) == {"gray", "orange"}
        after = game.apply(state, build(state, "orange", *ROUTE_TO_DENVER, western="gray"))
        assert spike(after) == Spike("linked", None, 1)
        assert after.value == (0, 2, 2, 0)

    @pytest.mark.parametrize(("before", "after"), [(12, 14), (13, 15), (14, 15), (15, 15)])
    def test_two_more_value_up_to_15(self, before: int, after: int) -> None:
        """R10.5, for both companies."""
        state = race(value={"brown": before, "gray": before})
        played = game.apply(state, build(state, "orange", *ROUTE_TO_DENVER, western="gray"))
        assert played.value[:2] == (after, after)

    def test_no_bonus_without_a_link(self) -> None:
        """R10.5: the eastern company alone gains nothing."""
        state = before_omaha(value=3)
        assert number(game.apply(state, build(state, "brown", "Omaha")), "value", "brown") == 3

    def test_the_last_train_onto_the_tile_exhausts_the_offer(self) -> None:
        """R10.7."""
        state = race(supply={"gray": 1}, keep_clear=[(-1, -1), (-2, 0), (-2, -1)])
        after = game.apply(state, build(state, "orange", *ROUTE_TO_DENVER, western="gray"))
        assert (number(after, "supply", "gray"), number(after, "offer", "gray")) == (0, 0)

    def test_the_choice_must_be_made_and_fit(self) -> None:
        """Between orange and gray, not brown, white or nobody."""
        state = race()
        for western in (None, "brown", "white"):
            with pytest.raises(game.IllegalAction) as problem:
                game.apply(state, build(state, "orange", *ROUTE_TO_DENVER, western=western))
            assert problem.value.key == "western_choice"
        with pytest.raises(game.IllegalAction) as problem:
            game.apply(state, build(state, "orange", "Detroit", western="gray"))
        assert problem.value.key == "western_extra"


class TestWhereTheTrackWasJoined:
    """R10.4, the ruling on the joints."""

    def test_only_where_a_branch_was_reached_to_which_the_builder_was_not_linked(self) -> None:
        """White in Omaha and on the first hex of orange's route is no choice: the joint is Denver."""
        to_omaha: list[Place] = [(5, -1), (4, -1), (4, -2), (3, -2), (2, -2), (1, -2), "Omaha"]
        white: list[Place] = [*to_omaha, (-1, -1), "San Francisco"]
        track = {"brown": [*TO_OMAHA, "Omaha"], "orange": [*ORANGE_TO_OMAHA, "San Francisco"],
                 "gray": SAN_FRANCISCO_TO_DENVER, "white": white}  # fmt: skip
        assert western_choices(race(track=track), "orange", *ROUTE_TO_DENVER) == {"orange", "gray"}

    def test_everybody_on_the_joint_can_be_chosen(self) -> None:
        """White in Denver, too."""
        white: list[Place] = [*SAN_FRANCISCO_TO_DENVER[:-1], "Denver"]
        track = {"brown": [*TO_OMAHA, "Omaha"], "orange": [*ORANGE_TO_OMAHA, "San Francisco"],
                 "gray": SAN_FRANCISCO_TO_DENVER, "white": white}  # fmt: skip
        assert western_choices(race(track=track), "orange", *ROUTE_TO_DENVER) == {"orange", "gray", "white"}

    def test_a_builder_linked_to_neither_joins_at_both_ends(self) -> None:
        """White from Fort Smith over (0, -1), where gray stands, to Omaha, where brown and orange stand."""
        track: dict[str, list[Place]] = {
            "brown": [*TO_OMAHA, "Omaha"],
            "orange": [*ORANGE_TO_OMAHA, "San Francisco"],
            "gray": [*SAN_FRANCISCO_TO_DENVER, (-2, -1), (-1, -1), (0, -1)],
            "white": [(4, 0), (3, 0), (2, 0), "Fort Smith"],
        }
        state = race(track=track, sound=False)
        choices = western_choices(state, "white", (1, -1), (0, -1), "Omaha")
        assert choices == {"gray", "orange", "white"}
        assert western_choices(state, "white", (1, -1), (1, -2), "Omaha") == {None}

    def test_a_builder_linked_to_the_west_joins_in_the_east(self) -> None:
        """Gray builds from Denver to Omaha: the companies there are the choice, gray among them."""
        state = race()
        choices = western_choices(state, "gray", (-2, -1), (-1, -2), "Omaha")
        assert choices == {"gray", "orange"}

    def test_a_first_hex_that_touches_both_branches_is_the_joint(self) -> None:
        """Orange has track in both; white stands on the first hex of its route, gray on the next one."""
        west: list[Place] = [*SAN_FRANCISCO_TO_DENVER, (-2, -1)]
        track: dict[str, list[Place]] = {
            "brown": [*TO_OMAHA, "Omaha"],
            "orange": [*ORANGE_TO_OMAHA, *west],
            "gray": [*SAN_FRANCISCO_TO_DENVER, (-3, -1), (-3, -2), (-2, -3), (-1, -3)],
            "white": [*west, (-1, -2)],
        }
        state = race(track=track, reservoir={"orange": 5}, sound=False)
        assert western_choices(state, "orange", (-1, -2), (-1, -3), "Bismarck") == {"orange", "white"}

    def test_adjoining_by_the_same_companys_track(self) -> None:
        """Orange from the east and orange from the west stand on both sides of Rapid City."""
        west: list[Place] = [*SAN_FRANCISCO_TO_DENVER[:-1], (-4, -1), (-3, -1)]
        track: dict[str, list[Place]] = {
            "brown": [*TO_OMAHA, "Omaha"],
            "orange": [*ORANGE_TO_OMAHA, (-1, -2), *west],
            "gray": ["San Francisco"],
            "white": ["San Francisco"],
        }
        state = race(track=track, demand={"Rapid City": "gray gray"}, reservoir={"orange": 1, "rest": 4})
        assert western_choices(state, "orange", "Rapid City") == {None}
        assert spike(game.apply(state, build(state, "orange", "Rapid City"))) == Spike("linked", 0, 2)

    def test_the_trains_of_the_race_itself_join_in_san_francisco(self) -> None:
        """Gray stands next to San Francisco and is linked with brown: the train placed there makes the link."""
        state = before_omaha(track={"brown": TO_OMAHA, "gray": NEARLY_SAN_FRANCISCO})
        assert western_choices(state, "brown", "Omaha") == {"gray", "orange", "white"}
        after = game.apply(state, build(state, "brown", "Omaha", western="white"))
        assert spike(after) == Spike("linked", 0, 3)
        assert after.value == (2, 0, 0, 2)
        assert not game.check(after)

    @pytest.mark.parametrize(
        ("company", "choices"), [("white", {"gray", "orange"}), ("gray", {None})], ids=["white", "gray"]
    )
    def test_only_trains_that_are_placed_join(self, company: str, choices: set[str | None]) -> None:
        """Without supply white is not in San Francisco; without gray's train there is no link at all."""
        state = before_omaha(
            track={"brown": TO_OMAHA, "gray": NEARLY_SAN_FRANCISCO},
            supply={company: 0},
            offer={company: 0, "rest": 6},
            keep_clear=["Omaha"],
        )
        assert western_choices(state, "brown", "Omaha") == choices


class TestExperts:
    """R9.2: the second action of a turn may exhaust no offer."""

    def test_nor_by_two_trains_of_one_supply(self) -> None:
        """Gray's last train but one goes to San Francisco and makes the link, its last one onto the tile (R10.7)."""
        state = before_omaha(
            mode="experts",
            track={"brown": TO_OMAHA, "gray": NEARLY_SAN_FRANCISCO},
            reservoir={"gray": 5, "rest": 4},
            used="white",
        )
        assert number(state, "supply", "gray") == 2
        assert western_choices(state, "brown", "Omaha") == {"orange", "white"}
        problem = refused(state, build(state, "brown", "Omaha", western="gray"))
        assert (problem.key, problem.rule, problem.values["company"]) == ("second_ends", "R9.2", "gray")

    def test_nor_by_three_on_a_map_with_ports_too(self) -> None:
        """On a map of one's own: gray's last trains go into a port (R11.2), to San Francisco and onto the tile."""
        ports = [(-10, 2), (-9, 0), (-9, 1), (-8, -1), (-7, -3)]
        state = position(
            pack=with_ports(ports),
            mode="experts",
            modules=["golden_spike", "ports"],
            track={"brown": TO_OMAHA, "gray": NEARLY_SAN_FRANCISCO},
            demand={"Omaha": "gray wild"},
            reservoir=4,
            used="white",
        )
        assert number(state, "supply", "gray") == 3
        problem = refused(state, build(state, "brown", "Omaha", western="gray", wild="orange", port=ports[0]))
        assert (problem.key, problem.rule, problem.values["company"]) == ("second_ends", "R9.2", "gray")


def with_ports(ports: list[Hex]) -> game.Pack:
    """The shipped pack with these hexes of the USA as ports."""
    pack = game.built_in()
    usa = pack.board("usa")
    assert set(ports) <= {printed.at for printed in usa.printed if printed.kind == "landscape"}
    printed = tuple(Printed(p.at, "port") if p.at in ports else p for p in usa.printed)
    return replace(pack, boards={**pack.boards, "usa": Board(usa.id, usa.names, printed, usa.spike)})


class TestMasinfirasChoice:
    """R10.6."""

    @staticmethod
    def bot_race(**parts: object) -> State:
        """Mašinfíra's tile leads to orange and to Denver."""
        parts = {"mode": "solo", "to_move": "masinfira", "marker": "gray", "target": "Amarillo", **parts}
        return race(**parts)

    def test_the_company_it_holds_most_of(self) -> None:
        """Two shares of gray against one of orange."""
        state = self.bot_race(shares={"masinfira": {"gray": 2, "orange": 1}, "red": {"gray": 1}})
        assert event(state, game.Draw((1, 1)), "bot_western").values == {"company": "gray"}
        assert spike(game.apply(state, game.Draw((1, 1)))) == Spike("linked", 0, 1)

    def test_then_the_one_the_humans_hold_fewer_of(self) -> None:
        """One share of each for Mašinfíra, the human holds one of orange."""
        state = self.bot_race(shares={"masinfira": {"gray": 1, "orange": 1}, "red": {"orange": 1}})
        assert event(state, game.Draw((1, 1)), "bot_western").values == {"company": "gray"}

    def test_then_the_one_under_its_company_marker(self) -> None:
        """All else equal: orange, with which it builds."""
        assert event(self.bot_race(), game.Draw((1, 1)), "bot_western").values == {"company": "orange"}

    @pytest.mark.parametrize(
        ("marker", "choices", "chosen"),
        [("orange", ("gray", "white"), "white"), ("white", ("gray", "orange"), "gray"),
         ("gray", ("gray", "white"), "gray"), ("brown", ("gray", "orange", "white"), "gray")],
    )  # fmt: skip
    def test_or_the_next_in_the_direction_it_moves(
        self, marker: str, choices: tuple[str, ...], chosen: str
    ) -> None:
        """Brown → gray → orange → white → brown."""
        assert bot_western(self.bot_race(marker=marker), choices) == chosen
