"""R5.1–R5.3: which cities can be built to, and along which routes."""

import pytest
from positions import Place, build, builds_of, companies_in, position, reachable, refused, routes_to

from engine import mini_express as game
from engine.mini_express.state import State

TO_CHICAGO: dict[str, list[Place]] = {
    "orange": [(6, -5), (5, -4), (4, -4), "Chicago"],
    "brown": [(6, -4), (5, -4), (4, -4), "Chicago"],
    "gray": [(6, -3), (5, -3), (4, -3), (4, -4), "Chicago"],
}
"""Three ways into Chicago; gray passes through Louisville."""

WHITE_NEAR_CHICAGO: list[Place] = [(5, -1), (4, -1), (4, -2), (3, -2), (3, -3)]
TO_MIAMI: list[Place] = [(6, 0), (7, 0), "Miami"]
GRAY_NEAR_MIAMI: list[Place] = [(6, -2), (6, -1), (6, 0)]


class TestTheDestination:
    """R5.1: a city that is new to the company, with room, with a demand tile, in reach."""

    def test_any_company_may_be_built(self) -> None:
        """Whoever holds its shares: red holds none at all."""
        state = position(shares={"blue": {"gray": 2}})
        assert {a.company for a in builds_of(state)} == set(game.COMPANIES)

    def test_not_where_the_company_has_a_train(self) -> None:
        """(a) A new market: the way to Chicago is open to others only."""
        state = position(track={"orange": TO_CHICAGO["orange"]})
        problem = refused(state, build(state, "orange", (4, -4), "Chicago"))
        assert (problem.key, problem.rule) == ("been_there", "R5.1")

    @pytest.mark.parametrize(("companies", "room"), [(1, True), (2, True), (3, False)])
    def test_a_gold_rim_takes_three(self, companies: int, room: bool) -> None:
        """(b) Chicago."""
        track = dict(list(TO_CHICAGO.items())[:companies])
        state = position(track={**track, "white": WHITE_NEAR_CHICAGO}, reservoir=1)
        assert ("Chicago" in reachable(state, "white")) == room

    @pytest.mark.parametrize(("companies", "room"), [(1, True), (2, False)])
    def test_a_silver_rim_takes_two(self, companies: int, room: bool) -> None:
        """(b) Detroit."""
        track: dict[str, list[Place]] = {"orange": ["Detroit"]}
        if companies == 2:
            track["brown"] = [(6, -4), (6, -5), "Detroit"]
        state = position(track={**track, "gray": [(6, -3), (6, -4), (5, -4)]}, reservoir=1)
        assert ("Detroit" in reachable(state, "gray")) == room

    @pytest.mark.parametrize(("modules", "room"), [([], False), (["capacity_two"], True)])
    def test_a_black_rim_takes_one(self, modules: list[str], room: bool) -> None:
        """(b) Miami; with R1.6 it takes two."""
        state = position(modules=modules, track={"white": TO_MIAMI, "gray": GRAY_NEAR_MIAMI})
        assert ("Miami" in reachable(state, "gray")) == room

    def test_a_full_city_is_refused_as_full(self) -> None:
        """(b) With its capacity in the sentence."""
        state = position(track={"white": TO_MIAMI, "gray": GRAY_NEAR_MIAMI})
        problem = refused(state, build(state, "gray", (6, 1), "Miami"))
        assert (problem.key, problem.values["capacity"]) == ("city_full", 1)

    def test_start_cities_are_closed_to_the_others(self) -> None:
        """(c) Ruling: they have no demand tile."""
        state = position(track={"gray": [(7, -4)]})
        problem = refused(state, build(state, "gray", "Baltimore"))
        assert (problem.key, problem.rule) == ("no_tile", "R5.1")

    def test_a_city_that_lost_its_tile_cannot_be_built_to(self) -> None:
        """(c) Ruling: San Francisco after R10.3, though it has room in its rim for nobody else's sake."""
        state = position(
            modules=["golden_spike"], spike="building",
            track={
                "brown": [(6, -4), (5, -3), (4, -2), (3, -2), (2, -2), (1, -2), "Omaha", (-1, -1), (-2, 0), "Denver",
                          (-4, 0), (-5, 0), (-6, 0), (-7, 1), (-8, 1), (-9, 2)],
            },
        )  # fmt: skip
        assert companies_in(state, "San Francisco") == set()
        assert refused(state, build(state, "brown", "San Francisco")).key == "no_tile"

    def test_out_of_reach(self) -> None:
        """(d) Chicago takes 4 trains from Erie."""
        assert "Chicago" in reachable(position(reservoir=4), "orange")
        state = position(reservoir=3)
        assert "Chicago" not in reachable(state, "orange")
        problem = refused(state, build(state, "orange", (6, -5), (5, -4), (4, -4), "Chicago"))
        assert (problem.key, problem.rule, problem.values["length"]) == ("too_far", "R5.3", 4)

    def test_farther_than_a_reservoir_holds(self) -> None:
        """(d) Five trains are the most."""
        state = position(reservoir=5)
        problem = refused(
            state, build(state, "orange", (6, -5), (5, -4), (4, -4), (3, -3), (2, -2), (1, -1), "Tulsa")
        )
        assert (problem.key, problem.rule) == ("no_way", "R5.3")

    def test_with_an_empty_reservoir_nothing_can_be_built(self) -> None:
        """R5.2: a train for each hex."""
        state = position(reservoir={"orange": 0, "rest": 4})
        assert reachable(state, "orange") == set()
        assert refused(state, build(state, "orange", "Detroit")).key == "no_train"


class TestTheRoute:
    """R5.2."""

    def test_a_neighbouring_city_takes_one_train(self) -> None:
        """Only the destination itself."""
        assert routes_to(position(reservoir=1), "orange", "Detroit") == {((5, -5),)}

    def test_it_may_leave_from_landscape(self) -> None:
        """Any hex with a train of the company, city or not."""
        state = position(track={"orange": [(6, -5), (5, -4)]})
        assert routes_to(state, "orange", "Louisville") == {((4, -3),)}

    def test_it_must_start_next_to_the_track(self) -> None:
        """A gap is no track."""
        state = position()
        problem = refused(state, build(state, "orange", (5, -4), (4, -4), "Chicago"))
        assert (problem.key, problem.rule) == ("not_joined", "R5.2")

    def test_it_must_hang_together(self) -> None:
        """Each hex next to the one before."""
        state = position()
        problem = refused(state, build(state, "orange", (6, -5), (4, -4), "Chicago"))
        assert (problem.key, problem.rule) == ("broken_route", "R5.2")

    def test_never_through_another_city(self) -> None:
        """Detroit lies between Erie and Chicago."""
        state = position()
        problem = refused(state, build(state, "orange", "Detroit", (4, -4), "Chicago"))
        assert (problem.key, problem.rule) == ("not_landscape", "R5.2")

    def test_not_over_the_companys_own_track(self) -> None:
        """A hex holds one train of a company (R1.3)."""
        state = position(track={"orange": [(6, -5)]})
        problem = refused(state, build(state, "orange", (6, -5), (5, -4), "Louisville"))
        assert (problem.key, problem.rule) == ("own_track", "R5.2")

    def test_it_ends_in_a_city(self) -> None:
        """Track to nowhere is not built."""
        state = position()
        assert refused(state, build(state, "orange", (6, -5))).key == "no_city"

    def test_not_off_the_map(self) -> None:
        """Every hex of it exists."""
        state = position()
        assert refused(state, build(state, "orange", (40, 40), "Detroit")).key == "off_map"

    def test_other_companies_on_the_way_do_not_hinder(self) -> None:
        """Landscape takes any number of companies: three stand on (4, -4)."""
        tracks = {**TO_CHICAGO, "white": [*WHITE_NEAR_CHICAGO[:4]]}
        state = position(track=tracks, reservoir=5)
        assert ((3, -3), (4, -4)) not in routes_to(state, "white", "Chicago")
        detroit = {route for route in routes_to(state, "white", "Detroit") if (4, -4) in route}
        assert detroit
        after = game.apply(state, game.Build("white", min(detroit)))
        assert companies_in(after, (4, -4)) == set(game.COMPANIES)


class TestTheShortestRoute:
    """R5.3."""

    @staticmethod
    def state() -> State:
        return position(track={"orange": [(6, -5), (5, -4), (4, -4), "Chicago"]}, reservoir=5)

    def test_a_longer_way_is_refused(self) -> None:
        """Louisville is next to (4, -4); the way over (3, -3) takes two."""
        problem = refused(self.state(), build(self.state(), "orange", (3, -3), "Louisville"))
        assert (problem.key, problem.rule) == ("not_shortest", "R5.3")
        assert (problem.values["length"], problem.values["shortest"]) == (2, 1)

    def test_it_is_shortest_from_the_whole_network(self) -> None:
        """From Erie to Sault Ste. Marie it takes 3, from Chicago 2: only ways of 2 are legal."""
        routes = routes_to(self.state(), "orange", "Sault Ste. Marie")
        assert {len(route) for route in routes} == {2}

    def test_among_shortest_routes_the_player_chooses(self) -> None:
        """Every one of them can be built."""
        state = position(reservoir=5)
        routes = routes_to(state, "orange", "Atlanta")
        assert len(routes) > 1
        for route in routes:
            after = game.apply(state, game.Build("orange", route))
            assert set(route) <= set(after.hexes("orange"))

    def test_track_that_is_there_shortens_the_way(self) -> None:
        """Every build changes what is in reach."""
        assert "Omaha" not in reachable(position(reservoir=4), "orange")
        assert "Omaha" in reachable(self.state(), "orange")
