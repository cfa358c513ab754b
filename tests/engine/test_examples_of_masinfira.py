"""The worked examples of Mašinfíra's turn in both rulebooks (pp. 10–13 in both)."""

import pytest
from positions import Place, companies_in, event, held, influence, keys, number, position, tile_on

from engine import mini_express as game
from engine.mini_express.bot import candidates, choose_route
from engine.mini_express.state import State

GRAY, ORANGE, WHITE = (game.COMPANIES.index(c) for c in ("gray", "orange", "white"))


class TestTakingAShare:
    """The tile shows 2 and 2; the company marker goes from brown to orange."""

    @staticmethod
    def before() -> State:
        return position(
            mode="solo",
            to_move="masinfira",
            marker="brown",
            target="Boston",
            reservoir={"orange": 1, "rest": 4},
        )

    def test_the_markers_move(self) -> None:
        """Two companies on, two cities on."""
        after = game.apply(self.before(), game.Draw((2, 2)))
        assert after.bot is not None and self.before().bot is not None
        assert after.bot.company == ORANGE
        assert after.bot.target == 4

    def test_a_share_for_free(self) -> None:
        """One train in the reservoir, so Mašinfíra takes a share, and pays no influence."""
        before, after = self.before(), game.apply(self.before(), game.Draw((2, 2)))
        assert held(after, "masinfira", "orange") == 1
        assert influence(after, "masinfira", "orange") == influence(before, "masinfira", "orange")
        assert number(after, "offer", "orange") == number(before, "offer", "orange") - 1

    def test_three_trains_follow(self) -> None:
        """1 + 3."""
        assert number(game.apply(self.before(), game.Draw((2, 2))), "reservoir", "orange") == 4


class TestBuildingToVenice:
    """The tile shows 2 and 1; the company marker goes from orange to white, the target from Bremen to Marseille."""

    @staticmethod
    def before() -> State:
        return position(
            board="europe",
            mode="solo",
            to_move="masinfira",
            marker="orange",
            target="Bremen",
            track={
                "white": [(0, -2), "Budapest", (0, 1)],
                "orange": [(-7, 3), (-6, 2), (-6, 1), (-6, 0), "Essen"],
                "gray": [(-6, -1), "Essen", (-5, 0), (-4, 0), (-3, 0), "Venice"],
            },
            reservoir={"white": 3, "gray": 2, "rest": 4},
            value={"white": 2},
            demand={"Venice": "gray white"},
        )

    def after(self) -> State:
        return game.apply(self.before(), game.Draw((2, 1)))

    def test_the_target_passes_over_essen(self) -> None:
        """Bremen → Milan → Marseille: Essen is full and has no tile."""
        moved = event(self.before(), game.Draw((2, 1)), "bot_target")
        assert moved.values["city"] == "Marseille"
        assert moved.values["skipped"] == ["Essen"]

    def test_frankfurt_and_venice_are_the_nearest(self) -> None:
        """Both 4 from Marseille and 3 from white; one company is in Venice, none in Frankfurt."""
        before = self.before()
        assert before.bot is not None
        marseille = before.board.city_named["Marseille"].number
        state = position_with_target(before, marseille)
        first, second, *others = candidates(state, WHITE)
        assert (first.city.name, first.distance, first.length, first.companies) == ("Venice", 4, 3, 1)
        assert (second.city.name, second.distance, second.length, second.companies) == ("Frankfurt", 4, 3, 0)
        assert all(other.distance > 4 for other in others)

    def test_more_companies_decide_for_venice(self) -> None:
        """The tie is broken by the gray train."""
        assert event(self.before(), game.Draw((2, 1)), "bot_chose_companies").values == {"city": "Venice"}
        assert companies_in(self.after(), "Venice") == {"gray", "white"}
        assert companies_in(self.after(), "Frankfurt") == set()

    def test_it_starts_two_hexes_from_belgrade(self) -> None:
        """The most northern hex of the most eastern column, from which there is one way."""
        choice = choose_route(self.before(), WHITE, self.before().board.city_named["Venice"])
        assert len(choice.routes) == 4
        assert choice.start == (0, -2)
        assert choice.from_start == (choice.chosen,)
        assert set(choice.chosen) <= set(self.after().hexes("white"))

    def test_value_and_influence(self) -> None:
        """Value +2, influence +1 in gray and in white."""
        assert number(self.after(), "value", "white") == 4
        assert [influence(self.after(), "masinfira", c) for c in game.COMPANIES] == [1, 2, 1, 2]

    def test_gray_is_compensated(self) -> None:
        """One train for Venice."""
        assert number(self.after(), "reservoir", "gray") == 3

    def test_venice_is_full(self) -> None:
        """Two companies: the tile leaves."""
        assert tile_on(self.after(), "Venice") is None
        assert "tile_left" in keys(self.before(), game.Draw((2, 1)))


def position_with_target(state: State, number: int) -> State:
    """The same position with the target city marker elsewhere."""
    obj = game.state_to_json(state)
    obj["bot"]["target"] = number
    return game.state_from_json(obj)


class TestClockwise:
    """Both rulebooks, pp. 10–13, the purple and the yellow area."""

    def test_fort_smith_to_omaha_runs_up_on_the_western_side(self) -> None:
        """Of two routes around Tulsa the one on the left, "as the hands of a clock move"."""
        state = position(
            mode="solo", track={"gray": [(6, -2), (5, -1), (4, -1), (3, 0), (2, 0), "Fort Smith"]}
        )
        choice = choose_route(state, GRAY, state.board.city_named["Omaha"])
        assert choice.start == (1, 0)
        assert len(choice.from_start) == 2
        assert choice.chosen == ((1, -1), (0, -1), (0, -2))

    @pytest.mark.parametrize("extra", [[], [(-1, 1)]])
    def test_south_of_tulsa_to_new_orleans_runs_down_on_the_eastern_side(self, extra: list[Place]) -> None:
        """Of three routes the one on the right as seen on the map; another start farther west changes nothing."""
        orange: list[Place] = [
            (6, -5),
            (5, -4),
            (4, -4),
            "Chicago",
            (3, -3),
            (2, -2),
            (1, -1),
            "Tulsa",
            (0, 1),
        ]
        state = position(mode="solo", track={"orange": [*orange, *extra]})
        choice = choose_route(state, ORANGE, state.board.city_named["New Orleans"])
        assert choice.start == (0, 1)
        assert len(choice.from_start) == 3
        assert choice.chosen == ((1, 1), (2, 1), (2, 2))
