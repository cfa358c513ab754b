"""R7.13–R7.17: what each difficulty changes, each including those before it."""

import random

import pytest
from positions import Place, build, influence, keys, number, position

from engine import mini_express as game
from engine.mini_express.names import DIFFICULTIES
from engine.mini_express.state import State

FROM_TOURIST = DIFFICULTIES[1:]
FROM_TRAINSPOTTER = DIFFICULTIES[2:]
FROM_CONDUCTOR = DIFFICULTIES[3:]


def solo(difficulty: str, **parts: object) -> State:
    """A solo game of this difficulty in Mašinfíra's turn."""
    return position(mode="solo", difficulty=difficulty, to_move="masinfira", **parts)  # type: ignore[arg-type]


class TestTouristShares:
    """R7.14: when Mašinfíra takes a share, the reservoir is filled to 3."""

    @pytest.mark.parametrize("trains", [0, 1, 2])
    @pytest.mark.parametrize("difficulty", FROM_TOURIST)
    def test_filled_to_three(self, difficulty: str, trains: int) -> None:
        """Instead of three more."""
        state = solo(difficulty, reservoir={"gray": trains, "rest": 4})
        assert number(game.apply(state, game.Draw((1, 1))), "reservoir", "gray") == 3

    @pytest.mark.parametrize("trains", [0, 1, 2])
    def test_passenger_adds_three(self, trains: int) -> None:
        """R7.13: as in R4.2."""
        state = solo("passenger", reservoir={"gray": trains, "rest": 4})
        assert number(game.apply(state, game.Draw((1, 1))), "reservoir", "gray") == trains + 3

    def test_the_human_still_adds_three(self) -> None:
        """Only Mašinfíra's shares are meant."""
        state = position(mode="solo", difficulty="tourist", reservoir={"gray": 1, "rest": 4})
        assert number(game.apply(state, game.TakeShare("gray")), "reservoir", "gray") == 4


class TestTouristCompensation:
    """R7.14: no compensation from Mašinfíra for a company with 2 or more in its reservoir."""

    TRACK: dict[str, list[Place]] = {"gray": [(6, -3), "Atlanta"], "orange": ["Detroit", (5, -4)]}
    """Gray's shortest way from Atlanta to Detroit runs over orange twice, by the clockwise rule or not."""

    @classmethod
    def compensated(cls, difficulty: str, trains: int) -> tuple[int, int]:
        """How many hexes of gray's way hold orange, and how many trains orange gets."""
        state = solo(
            difficulty, track=cls.TRACK, target="Miami", reservoir={"gray": 3, "orange": trains, "rest": 4}
        )
        after = game.apply(state, game.Draw((1, 1)))
        (built,) = [e for e in game.play(state, game.Draw((1, 1)))[1] if e.key == "built"]
        assert built.values["city"] == "Detroit"
        over = sum(tuple(at) in state.hexes("orange") for at in built.values["route"])
        return over, number(after, "reservoir", "orange") - trains

    @pytest.mark.parametrize("difficulty", FROM_TOURIST)
    @pytest.mark.parametrize("trains", [2, 3, 4])
    def test_none_from_two_on(self, difficulty: str, trains: int) -> None:
        """The company has enough."""
        assert self.compensated(difficulty, trains)[1] == 0

    @pytest.mark.parametrize("difficulty", FROM_TOURIST)
    def test_hex_by_hex(self, difficulty: str) -> None:
        """Ruling: with one train the first hex still counts, the second no more."""
        over, gained = self.compensated(difficulty, 1)
        assert over == 2
        assert gained == 1

    @pytest.mark.parametrize("difficulty", FROM_TOURIST)
    def test_from_zero_two_hexes_give_two(self, difficulty: str) -> None:
        """Checked at each hex: 0, then 1, are below 2."""
        assert self.compensated(difficulty, 0) == (2, 2)

    @pytest.mark.parametrize("trains", [1, 2, 3])
    def test_passenger_gives_it(self, trains: int) -> None:
        """R7.13."""
        assert self.compensated("passenger", trains) == (2, 2)

    def test_the_human_gives_it_as_ever(self) -> None:
        """Only Mašinfíra's builds are meant."""
        state = position(mode="solo", difficulty="railwayman", track=self.TRACK, reservoir=3)
        after = game.apply(state, build(state, "gray", (5, -3), (5, -4), "Detroit"))
        assert number(after, "reservoir", "orange") == 5


class TestTouristTarget:
    """R7.14: the game ends at once when the target marker reaches city 32."""

    @pytest.mark.parametrize("difficulty", FROM_TOURIST)
    def test_at_once(self, difficulty: str) -> None:
        """Ruling: Mašinfíra takes no action in that turn."""
        state = solo(difficulty, target=31, reservoir=0)
        after = game.apply(state, game.Draw((3, 1)))
        assert after.phase == "over"
        assert after.shares == state.shares
        assert keys(state, game.Draw((3, 1)))[-1] == "game_over_target"

    @pytest.mark.parametrize("difficulty", FROM_TOURIST)
    def test_not_before(self, difficulty: str) -> None:
        """Number 31 is not the end."""
        assert game.apply(solo(difficulty, target=29), game.Draw((2, 1))).phase == "play"

    def test_passenger_plays_on(self) -> None:
        """R7.13."""
        assert game.apply(solo("passenger", target=31), game.Draw((3, 1))).phase == "play"

    def test_not_when_city_32_has_lost_its_tile(self) -> None:
        """Ruling: then the marker cannot reach it. (San Francisco gave its tile to the Golden Spike.)"""
        way: list[Place] = [(6, -4), (5, -3), (4, -2), (3, -2), (2, -2), (1, -2), "Omaha"]
        state = solo(
            "tourist",
            target=31,
            modules=["golden_spike"],
            spike="building",
            eastern="brown",
            track={"brown": way},
        )
        after = game.apply(state, game.Draw((3, 1)))
        assert after.phase == "play"
        assert after.bot is not None
        assert after.bot.target == 31

    def test_not_with_two_players(self) -> None:
        """R8.3: the easy level."""
        state = position(mode="two_with_bot", to_move="masinfira", target=31)
        assert game.apply(state, game.Draw((3, 1))).phase == "play"


class TestTrainspotter:
    """R7.15."""

    @pytest.mark.parametrize("difficulty", DIFFICULTIES)
    def test_two_first_shares_each_time(self, difficulty: str) -> None:
        """White was not taken by the human: two of it from Trainspotter on; of gray one was left."""
        state = game.new(mode="solo", difficulty=difficulty, seats=["red"], rng=random.Random(5))
        for action in (game.Draft("brown"), game.Draft("gray"), game.Draw((1, 1)), game.Draw((3, 2))):
            state = game.apply(state, action)
        assert state.shares[1] == ((0, 1, 0, 2) if difficulty in FROM_TRAINSPOTTER else (0, 1, 0, 1))

    @pytest.mark.parametrize("difficulty", FROM_TRAINSPOTTER)
    @pytest.mark.parametrize(("level", "column"), [(2, None), (3, None), (4, "second")])
    def test_influence_3_or_less_is_worth_nothing(
        self, difficulty: str, level: int, column: str | None
    ) -> None:
        """To the human, even with the higher influence."""
        state = solo(difficulty, influence={"red": level, "masinfira": 1})
        gray = game.score(state)["seats"]["red"]["companies"]["gray"]
        assert gray["column"] == column
        assert (gray["worth"] > 0) == (column is not None)

    @pytest.mark.parametrize("difficulty", DIFFICULTIES)
    def test_not_to_masinfira(self, difficulty: str) -> None:
        """Its shares count from influence 1 on."""
        state = solo(difficulty, influence={"red": 4, "masinfira": 1})
        assert game.score(state)["seats"]["masinfira"]["companies"]["gray"]["column"] == "other"

    def test_before_it_influence_1_is_enough(self) -> None:
        """Passenger and Tourist know no such limit."""
        for difficulty in DIFFICULTIES[:2]:
            state = solo(difficulty, influence={"red": 1, "masinfira": 4})
            assert game.score(state)["seats"]["red"]["companies"]["gray"]["column"] == "other"


class TestConductor:
    """R7.16."""

    @pytest.mark.parametrize("difficulty", DIFFICULTIES)
    def test_a_share_raises_its_influence(self, difficulty: str) -> None:
        """By 1 in that company, from Conductor on."""
        state = solo(difficulty, reservoir={"gray": 1, "rest": 4}, influence={"masinfira": 2})
        after = game.apply(state, game.Draw((1, 1)))
        assert influence(after, "masinfira", "gray") == (3 if difficulty in FROM_CONDUCTOR else 2)
        assert sum(after.influence[1]) - sum(state.influence[1]) == (difficulty in FROM_CONDUCTOR)

    def test_not_in_the_set_up(self) -> None:
        """Its first shares raise nothing."""
        state = game.new(mode="solo", difficulty="conductor", seats=["red"], rng=random.Random(5))
        for action in (game.Draft("brown"), game.Draft("gray"), game.Draw((1, 1)), game.Draw((3, 2))):
            state = game.apply(state, action)
        assert state.influence[1] == (1, 1, 1, 1)

    @pytest.mark.parametrize("difficulty", FROM_CONDUCTOR)
    @pytest.mark.parametrize(("human", "column"), [(5, None), (6, "second"), (7, "second")])
    def test_less_influence_than_masinfira_is_worth_nothing(
        self, difficulty: str, human: int, column: str | None
    ) -> None:
        """To the human; equal is enough."""
        state = solo(difficulty, influence={"red": human, "masinfira": 6})
        assert game.score(state)["seats"]["red"]["companies"]["white"]["column"] == column

    def test_trainspotter_still_pays_the_lower(self) -> None:
        """R7.15 knows only the limit of 3."""
        state = solo("trainspotter", influence={"red": 5, "masinfira": 6})
        assert game.score(state)["seats"]["red"]["companies"]["white"]["column"] == "other"


class TestRailwayman:
    """R7.17."""

    @pytest.mark.parametrize("difficulty", DIFFICULTIES)
    def test_influence_at_the_start(self, difficulty: str) -> None:
        """2 everywhere for Mašinfíra, 0 for the human; 1 for both before."""
        state = game.new(mode="solo", difficulty=difficulty, seats=["red"], rng=random.Random(5))
        expected = ((0,) * 4, (2,) * 4) if difficulty == "railwayman" else ((1,) * 4, (1,) * 4)
        assert state.influence == expected
