"""R5.4–R5.8: what a build sets off, in this order: compensation, value, influence, the tile."""

import pytest
from positions import (
    Place,
    build,
    builds_of,
    companies_in,
    influence,
    keys,
    number,
    position,
    refused,
    tile_on,
)

from engine import mini_express as game
from engine.mini_express.state import State

GRAY_TO_DETROIT = ((5, -3), (5, -4), "Detroit")


def gray_to_detroit(state: State) -> State:
    """Gray builds from Atlanta to Detroit."""
    return game.apply(state, build(state, "gray", *GRAY_TO_DETROIT))


class TestCompensation:
    """R5.4."""

    def test_every_company_on_a_hex_gets_one(self) -> None:
        """Brown and orange both stand on (5, -4)."""
        state = position(
            track={"gray": [(6, -3), "Atlanta"], "orange": [(6, -5), (5, -4)], "brown": [(6, -4), (5, -4)]},
            reservoir={"gray": 3, "rest": 2},
        )
        after = gray_to_detroit(state)
        assert [number(after, "reservoir", c) for c in ("brown", "orange", "white")] == [3, 3, 2]

    def test_one_for_each_hex(self) -> None:
        """Orange stands on (5, -3), (5, -4) and in Detroit."""
        state = position(
            track={"gray": [(6, -3), "Atlanta"], "orange": ["Detroit", (5, -4), (5, -3)]},
            reservoir={"gray": 3, "rest": 2},
        )
        assert number(gray_to_detroit(state), "reservoir", "orange") == 5

    def test_none_for_the_builder_nor_for_the_hex_it_starts_from(self) -> None:
        """Orange in Atlanta, where the route leaves from, gets nothing; neither does gray."""
        state = position(
            track={"gray": [(6, -3), "Atlanta"], "orange": [(6, -5), (6, -4), (6, -3), "Atlanta"]},
            reservoir={"gray": 5, "orange": 2, "rest": 2},
        )
        assert state.companies_at(state.board.city_named["Atlanta"].bit) == 2
        after = game.apply(state, build(state, "gray", (5, -3), (5, -4), "Detroit"))
        assert number(after, "reservoir", "orange") == 2
        assert number(after, "reservoir", "gray") == 2

    def test_never_above_five(self) -> None:
        """The third train of three stays in the supply."""
        state = position(
            track={"gray": [(6, -3), "Atlanta"], "orange": ["Detroit", (5, -4), (5, -3)]},
            reservoir={"gray": 3, "orange": 3, "rest": 2},
        )
        after = gray_to_detroit(state)
        assert number(after, "reservoir", "orange") == 5
        assert number(after, "supply", "orange") == number(state, "supply", "orange") - 2

    def test_no_more_than_the_supply_has(self) -> None:
        """One train left for two hexes; R3.2 follows."""
        state = position(
            track={"gray": [(6, -3), "Atlanta"], "orange": ["Detroit", (5, -4)]},
            supply={"orange": 1},
            keep_clear=[(5, -3)],
            reservoir={"gray": 3, "rest": 2},
        )
        after = gray_to_detroit(state)
        assert number(after, "reservoir", "orange") == 3
        assert number(after, "offer", "orange") == 0

    def test_a_full_reservoir_takes_none_so_the_supply_stays(self) -> None:
        """Nothing is taken from the supply, so nothing is exhausted."""
        state = position(
            track={"gray": [(6, -3), "Atlanta"], "orange": ["Detroit", (5, -4)]},
            supply={"orange": 1},
            keep_clear=[(5, -3)],
            reservoir={"gray": 3, "orange": 5, "rest": 2},
        )
        after = gray_to_detroit(state)
        assert (number(after, "supply", "orange"), number(after, "offer", "orange")) == (1, 6)


class TestValue:
    """R5.5."""

    @pytest.mark.parametrize(("route", "rise"), [(("Detroit",), 0), (((6, -5), (5, -4), "Louisville"), 2)])
    def test_it_rises_by_the_landscape_hexes(
        self, route: tuple[str | tuple[int, int], ...], rise: int
    ) -> None:
        """A city next door adds nothing."""
        state = position(value=3)
        assert number(game.apply(state, build(state, "orange", *route)), "value", "orange") == 3 + rise

    @pytest.mark.parametrize(("before", "after"), [(12, 14), (13, 15), (14, 15), (15, 15)])
    def test_never_above_15(self, before: int, after: int) -> None:
        """What is too much is lost."""
        state = position(value=before)
        played = game.apply(state, build(state, "orange", (6, -5), (5, -4), "Louisville"))
        assert number(played, "value", "orange") == after

    def test_only_the_builder_rises(self) -> None:
        """Not those it runs over."""
        state = position(track={"gray": [(6, -3), "Atlanta"], "orange": ["Detroit", (5, -4)]}, reservoir=3)
        assert gray_to_detroit(state).value == (0, 2, 0, 0)


class TestInfluence:
    """R5.6."""

    @pytest.mark.parametrize(
        ("tile", "gained"),
        [("brown white", (1, 0, 0, 1)), ("white orange", (0, 0, 1, 1)), ("gray gray", (0, 2, 0, 0))],
    )
    def test_the_tile_of_the_destination(self, tile: str, gained: tuple[int, ...]) -> None:
        """Two companies: one in each; twice the same: two in it. Whatever company was built."""
        state = position(to_move="blue", demand={"Detroit": tile})
        after = game.apply(state, build(state, "orange", "Detroit"))
        assert after.influence[1] == tuple(1 + n for n in gained)
        assert after.influence[0] == after.influence[2] == (1, 1, 1, 1)

    @pytest.mark.parametrize("other", ["brown", "gray", "orange"])
    def test_a_wild_tile_lets_choose_another_company(self, other: str) -> None:
        """One in the tile's company, one in another."""
        state = position(demand={"Detroit": "white wild"})
        after = game.apply(state, build(state, "orange", "Detroit", wild=other))
        assert influence(after, "red", "white") == 2
        assert influence(after, "red", other) == 2
        assert sum(after.influence[0]) == 4 + 2

    def test_never_twice_the_same(self) -> None:
        """The wild symbol is for an other company."""
        state = position(demand={"Detroit": "white wild"})
        problem = refused(state, build(state, "orange", "Detroit", wild="white"))
        assert (problem.key, problem.rule) == ("wild_same", "R5.6")

    def test_the_choice_must_be_made(self) -> None:
        """It is part of the action."""
        state = position(demand={"Detroit": "white wild"})
        assert refused(state, build(state, "orange", "Detroit")).key == "wild_missing"

    def test_there_is_no_choice_without_a_wild_tile(self) -> None:
        """A company named for nothing is refused."""
        state = position(demand={"Detroit": "white orange"})
        assert refused(state, build(state, "orange", "Detroit", wild="gray")).key == "wild_extra"

    def test_all_three_choices_are_listed(self) -> None:
        """For each route to the city."""
        state = position(demand={"Detroit": "white wild"}, reservoir=1)
        assert {a.wild for a in builds_of(state, "orange") if a.route == ((5, -5),)} == {
            "brown",
            "gray",
            "orange",
        }

    def test_influence_has_no_upper_limit(self) -> None:
        """Ruling: the printed length of the track is no rule."""
        state = position(influence={"red": 98}, demand={"Detroit": "gray gray"})
        assert influence(game.apply(state, build(state, "orange", "Detroit")), "red", "gray") == 100


class TestTheTile:
    """R5.7."""

    def test_it_leaves_when_the_city_is_full(self) -> None:
        """Detroit takes two."""
        state = position(track={"gray": [(6, -3), "Atlanta"], "orange": ["Detroit"]}, reservoir=3)
        assert tile_on(gray_to_detroit(state), "Detroit") is None

    def test_it_stays_while_there_is_room(self) -> None:
        """The next company gains by it, too."""
        state = position(reservoir=3)
        after = game.apply(state, build(state, "orange", "Detroit"))
        assert tile_on(after, "Detroit") == tile_on(state, "Detroit") is not None

    def test_it_counts_before_it_leaves(self) -> None:
        """Influence first, then the tile goes."""
        state = position(
            track={"gray": [(6, -3), "Atlanta"], "orange": ["Detroit"]},
            reservoir=3,
            demand={"Detroit": "white white"},
        )
        action = build(state, "gray", *GRAY_TO_DETROIT)
        assert keys(state, action) == ["built", "compensated", "value_rose", "influence_rose", "tile_left"]


class TestPortHexesWithoutTheModule:
    """R5.8: on the map of Europe a port hex is ordinary landscape."""

    @staticmethod
    def state(modules: list[str]) -> State:
        gray: list[Place] = [(-6, -1), "Essen", (-5, 0), (-4, 0), (-3, 0), "Venice"]
        return position(board="europe", modules=modules, track={"gray": gray}, reservoir=4)

    def test_track_runs_through_it_and_counts(self) -> None:
        """From Venice to Milan by the port at (-4, 2): value +1."""
        state = self.state([])
        after = game.apply(state, build(state, "gray", (-4, 2), "Milan"))
        assert companies_in(after, (-4, 2)) == {"gray"}
        assert number(after, "value", "gray") == 1

    def test_with_the_module_it_does_not(self) -> None:
        """R11.1."""
        state = self.state(["ports"])
        problem = refused(state, build(state, "gray", (-4, 2), "Milan"))
        assert (problem.key, problem.rule) == ("not_landscape", "R11.1")
