"""The worked examples of players' actions and of scoring in both rulebooks, sentence by sentence."""

import pytest
from positions import (
    build,
    builds_of,
    companies_in,
    held,
    influence,
    keys,
    number,
    position,
    refused,
    routes_to,
    tile_on,
)

from engine import mini_express as game
from engine.mini_express.state import State

X = (3, -3)
"""The landscape hex between Chicago and Louisville."""

BETWEEN = (6, -3)
"""The landscape hex between Atlanta and Wilmington."""


class TestTakingAShare:
    """Both rulebooks, pp. 5–8: red takes a share of gray."""

    @staticmethod
    def before() -> State:
        return position(reservoir={"gray": 1, "rest": 4}, influence={"red": {"gray": 3, "rest": 1}})

    def test_influence_sinks_from_3_to_2(self) -> None:
        """One train in the reservoir, so one influence is paid."""
        after = game.apply(self.before(), game.TakeShare("gray"))
        assert influence(after, "red", "gray") == 2

    def test_she_takes_one_share_and_three_trains_follow(self) -> None:
        """One share changes hands, the reservoir goes from 1 to 4."""
        before, after = self.before(), game.apply(self.before(), game.TakeShare("gray"))
        assert held(after, "red", "gray") == 1
        assert number(after, "offer", "gray") == number(before, "offer", "gray") - 1
        assert number(after, "reservoir", "gray") == 4
        assert number(after, "supply", "gray") == number(before, "supply", "gray") - 3


class TestBuildingOrange:
    """Both rulebooks, pp. 5–8, example 1: purple builds orange to Tulsa."""

    @staticmethod
    def before() -> State:
        return position(
            to_move="purple",
            track={
                "orange": [(6, -5), (5, -4), (4, -4), "Chicago", X, "Louisville"],
                "brown": [(6, -4), (5, -3), (4, -2), (3, -2), (2, -1), "Fort Smith"],
                "gray": [(6, -2), (5, -1), (4, -1), (3, 0), (2, 0), "Fort Smith"],
            },
            value={"orange": 4},
            influence={"purple": {"orange": 2, "gray": 2, "rest": 1}},
            demand={"Tulsa": "orange gray"},
        )

    def test_fort_smith_is_full(self) -> None:
        """Brown and gray are there already."""
        problem = refused(self.before(), build(self.before(), "orange", (3, -2), (2, -1), "Fort Smith"))
        assert problem.key == "city_full"

    def test_tulsa_and_omaha_are_open(self) -> None:
        """Both are empty."""
        assert routes_to(self.before(), "orange", "Tulsa")
        assert routes_to(self.before(), "orange", "Omaha")

    def test_the_way_to_tulsa_has_no_alternative(self) -> None:
        """Three hexes from the hex between Chicago and Louisville."""
        assert routes_to(self.before(), "orange", "Tulsa") == {((2, -2), (1, -1), (0, 0))}

    def test_four_ways_to_omaha_all_three_long(self) -> None:
        """The player may choose any of them."""
        routes = routes_to(self.before(), "orange", "Omaha")
        assert len(routes) == 4
        assert {len(route) for route in routes} == {3}

    def test_building_to_tulsa(self) -> None:
        """3 of 4 trains, value 4 → 6, influence 2 → 3 in orange and in gray."""
        before = self.before()
        after = game.apply(before, build(before, "orange", (2, -2), (1, -1), "Tulsa"))
        assert number(after, "reservoir", "orange") == 1
        assert "orange" in companies_in(after, "Tulsa")
        assert number(after, "value", "orange") == 6
        assert influence(after, "purple", "orange") == 3
        assert influence(after, "purple", "gray") == 3

    def test_nothing_else_happens_in_tulsa(self) -> None:
        """Tulsa has room for another company, so its tile stays, and nobody is compensated."""
        before = self.before()
        action = build(before, "orange", (2, -2), (1, -1), "Tulsa")
        assert tile_on(game.apply(before, action), "Tulsa") == ("gray", "orange")
        assert keys(before, action) == ["built", "value_rose", "influence_rose", "influence_rose"]


class TestBuildingGray:
    """Both rulebooks, pp. 5–8, example 2: blue builds gray from Atlanta to Detroit."""

    ROUTE = ((5, -3), (5, -4), "Detroit")

    @staticmethod
    def before() -> State:
        return position(
            to_move="blue",
            track={
                "gray": [BETWEEN, "Atlanta"],
                "brown": [(6, -4), (5, -3)],
                "orange": ["Detroit", (5, -4)],
            },
            reservoir={"gray": 3, "brown": 2, "orange": 1, "white": 4},
            value={"gray": 1, "orange": 1},
            demand={"Detroit": "white orange"},
        )

    @pytest.mark.parametrize(("city", "trains"), [("Louisville", 2), ("Detroit", 3)])
    def test_trains_to_louisville_and_detroit(self, city: str, trains: int) -> None:
        """2 trains to Louisville, 3 to Detroit."""
        assert {len(route) for route in routes_to(self.before(), "gray", city)} == {trains}

    def test_both_starts_to_detroit_are_equal(self) -> None:
        """From Atlanta or from the hex between Atlanta and Wilmington."""
        firsts = {route[0] for route in routes_to(self.before(), "gray", "Detroit")}
        assert {(5, -3), (6, -4)} <= firsts

    def test_compensation(self) -> None:
        """One hex with brown, two with orange, Detroit among them."""
        after = game.apply(self.before(), build(self.before(), "gray", *self.ROUTE))
        assert number(after, "reservoir", "gray") == 0
        assert number(after, "reservoir", "brown") == 2 + 1
        assert number(after, "reservoir", "orange") == 1 + 2
        assert number(after, "reservoir", "white") == 4

    def test_value_and_influence(self) -> None:
        """Value +2; the tile shows white and orange."""
        after = game.apply(self.before(), build(self.before(), "gray", *self.ROUTE))
        assert number(after, "value", "gray") == 3
        assert [influence(after, "blue", c) for c in game.COMPANIES] == [1, 1, 2, 2]

    def test_detroit_is_full_and_its_tile_leaves(self) -> None:
        """Two companies are in Detroit now."""
        after = game.apply(self.before(), build(self.before(), "gray", *self.ROUTE))
        assert companies_in(after, "Detroit") == {"gray", "orange"}
        assert tile_on(after, "Detroit") is None


def test_final_scoring() -> None:
    """Czech and Korean p. 9 (R6.4): fourth, third, second and first make 4 + 2 + 5 + (8 + 8) = 27."""
    state = position(
        players=4,
        value={"brown": 12, "gray": 5, "orange": 7, "white": 9},
        influence={
            "red": {"brown": 1, "gray": 2, "orange": 3, "white": 4},
            "blue": {"brown": 2, "gray": 3, "orange": 4, "white": 1},
            "purple": {"brown": 3, "gray": 4, "orange": 1, "white": 2},
            "green": {"brown": 4, "gray": 1, "orange": 2, "white": 3},
        },
        shares={"red": {"brown": 1, "gray": 1, "orange": 1, "white": 2}},
        offer=4,
    )
    red = game.score(state)["seats"]["red"]
    assert [red["companies"][c]["rank"] for c in game.COMPANIES] == [4, 3, 2, 1]
    assert [red["companies"][c]["worth"] for c in game.COMPANIES] == [4, 2, 5, 8]
    assert red["total"] == 27


class TestTheGoldenSpike:
    """Both rulebooks, pp. 14–15: brown came to Omaha first; orange meets gray in Denver."""

    @staticmethod
    def before() -> State:
        return position(
            modules=["golden_spike"],
            spike="building",
            eastern="brown",
            track={
                "brown": [(6, -4), (5, -3), (4, -2), (3, -2), (2, -2), (1, -2), "Omaha"],
                "orange": [(6, -5), (5, -4), (4, -4), "Chicago", (2, -3), (1, -2), "Omaha", "San Francisco"],
                "gray": ["San Francisco", (-9, 2), (-8, 1), (-7, 1), (-6, 0), (-5, 0), (-4, 0), "Denver"],
                "white": ["San Francisco"],
            },
            value={"brown": 6, "orange": 5},
        )

    @staticmethod
    def builds(state: State) -> list[game.Build]:
        denver = state.board.city_named["Denver"].at
        return [a for a in builds_of(state, "orange") if a.route[-1] == denver]

    def test_the_builder_chooses_between_orange_and_gray(self) -> None:
        """They are the two companies in Denver, and neither is the eastern one."""
        assert {action.western for action in self.builds(self.before())} == {"orange", "gray"}

    @pytest.mark.parametrize("western", ["orange", "gray"])
    def test_both_companies_rise_by_2(self, western: str) -> None:
        """She chooses orange: brown, the eastern company, and orange rise by 2, on top of the build's own."""
        before = self.before()
        action = next(a for a in self.builds(before) if a.western == western)
        after = game.apply(before, action)
        own = {"orange": len(action.route) - 1}
        for company in game.COMPANIES:
            bonus = 2 if company in ("brown", western) else 0
            assert (
                number(after, "value", company)
                == number(before, "value", company) + own.get(company, 0) + bonus
            )

    def test_a_train_of_the_western_company_goes_onto_the_tile(self) -> None:
        """From the supply; the link is made for good."""
        before = self.before()
        action = next(a for a in self.builds(before) if a.western == "orange")
        after = game.apply(before, action)
        assert after.spike is not None
        assert after.spike.status == "linked"
        assert after.spike.western == game.COMPANIES.index("orange")
        assert number(after, "supply", "orange") == number(before, "supply", "orange") - 1
        assert not game.check(after)
