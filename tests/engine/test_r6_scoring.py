"""R6: what a share is worth to whom, and who wins."""

import pytest
from positions import HUMANS, position

from engine import mini_express as game
from engine.mini_express.state import State

VALUES = game.built_in().values


def columns(*levels: int, value: int = 9) -> list[str | None]:
    """The column each player uses for brown, with these levels of influence in it."""
    seats = HUMANS[: len(levels)]
    influence = {seat: {"brown": level, "rest": 1} for seat, level in zip(seats, levels, strict=True)}
    scored = game.score(position(players=len(levels), influence=influence, value=value))["seats"]
    return [scored[seat]["companies"]["brown"]["column"] for seat in seats]


class TestColumns:
    """R6.1."""

    def test_first_second_and_others(self) -> None:
        """Third to fifth use the column "Other"."""
        assert columns(5, 4, 3, 2, 1) == ["first", "second", "other", "other", "other"]

    @pytest.mark.parametrize("levels", [(4, 4, 1), (1, 4, 4), (4, 1, 4)])
    def test_all_tied_for_first_use_first_and_nobody_second(self, levels: tuple[int, ...]) -> None:
        """The next best uses "Other"."""
        assert columns(*levels) == ["first" if level == 4 else "other" for level in levels]

    def test_all_equal(self) -> None:
        """Everybody is first."""
        assert columns(2, 2, 2, 2) == ["first"] * 4

    def test_all_tied_for_second_use_second(self) -> None:
        """With one first."""
        assert columns(5, 3, 3, 3, 1) == ["first", "second", "second", "second", "other"]

    def test_without_influence_a_share_is_worth_nothing(self) -> None:
        """Even to the second, even when all have none."""
        assert columns(3, 0, 0) == ["first", None, None]
        assert columns(0, 0, 0) == [None, None, None]

    def test_worth_nothing_in_points(self) -> None:
        """Two shares at influence 0."""
        state = position(influence={"red": 0}, shares={"red": 2}, offer=4, value=15)
        assert game.score(state)["seats"]["red"]["total"] == 0


class TestWorth:
    """R6.2."""

    @pytest.mark.parametrize("value", range(16))
    def test_the_row_is_the_companys_value(self, value: int) -> None:
        """The three columns of that row."""
        state = position(
            value=value,
            influence={"red": 3, "blue": 2, "purple": 1},
            shares=dict.fromkeys(HUMANS[:3], 1),
            offer=3,
        )
        seats = game.score(state)["seats"]
        worth = tuple(seats[seat]["companies"]["gray"]["worth"] for seat in HUMANS[:3])
        assert worth == VALUES[value]

    def test_the_score_is_the_sum_over_held_shares(self) -> None:
        """Three shares of brown, one of white."""
        state = position(value={"brown": 4, "white": 7}, shares={"red": {"brown": 3, "white": 1}}, offer=3)
        assert game.score(state)["seats"]["red"]["total"] == 3 * VALUES[4][0] + VALUES[7][0]


class TestTheWinner:
    """R6.3."""

    @staticmethod
    def winner(**shares: dict[str, int]) -> str:
        """Everybody equal in influence and all values 0, so a share is worth the same to all."""
        state: State = position(shares=shares, offer=3, value={"white": 9, "gray": 9})
        return game.score(state)["winner"]

    def test_most_points(self) -> None:
        """Two shares against one."""
        assert self.winner(purple={"brown": 2}, red={"brown": 1}) == "purple"

    def test_then_fewer_shares(self) -> None:
        """Three shares of 8 points make as much as eight of 3."""
        assert (VALUES[9][0], VALUES[0][0]) == (8, 3)
        assert self.winner(red={"brown": 5, "orange": 3}, blue={"white": 3}, purple={"brown": 1}) == "blue"

    def test_then_nearer_to_the_start_player(self) -> None:
        """In turn order."""
        assert self.winner(blue={"brown": 2}, purple={"orange": 2}) == "blue"


class TestWhyTheWinnerWins:
    """R6.3, R7.12, R9.3: with equal points it is told what decides."""

    @pytest.mark.parametrize(
        ("shares", "told"),
        [
            ({"purple": {"brown": 2}, "red": {"brown": 1}}, None),
            # 8 shares at 3 points, 3 at 8; purple has fewer still, but not the points.
            (
                {"red": {"brown": 5, "orange": 3}, "blue": {"white": 3}, "purple": {"brown": 1}},
                ("tie_shares", "R6.3", "blue"),
            ),
            ({"blue": {"brown": 2}, "purple": {"orange": 2}}, ("tie_order", "R6.3", "blue")),
            # Red has the points with more shares: between the others the turn order decides.
            (
                {"red": {"brown": 5, "orange": 3}, "blue": {"white": 3}, "purple": {"gray": 3}},
                ("tie_order", "R6.3", "blue"),
            ),
        ],
    )
    def test_among_players(
        self, shares: dict[str, dict[str, int]], told: tuple[str, str, str] | None
    ) -> None:
        assert decided(position(shares=shares, offer=3, value={"white": 9, "gray": 9})) == told

    def test_with_two_experts(self) -> None:
        state = position(mode="experts", shares={"red": {"brown": 2}, "blue": {"orange": 2}}, offer=3)
        assert decided(state) == ("tie_order", "R9.3", "red")

    def test_alone_against_masinfira(self) -> None:
        """It wins though it has no fewer shares."""
        shares = {"red": {"brown": 1}, "masinfira": {"orange": 1}}
        state = position(mode="solo", difficulty="passenger", shares=shares, offer=3)
        assert decided(state) == ("tie_bot", "R7.12", "masinfira")


def decided(state: State) -> tuple[str, str, str] | None:
    """What decides between equal points, by which clause, and for whom."""
    tie = game.tie_break(state)
    return tie and (tie.key, tie.rule, tie.values["seat"])
