"""R7.1–R7.3, R7.11, R7.12: the frame of the solo game — set-up, first shares, end and scoring."""

import random

import pytest
from positions import Place, held, keys, position, refused

from engine import mini_express as game
from engine.mini_express.names import REFRESH
from engine.mini_express.state import State


def new(difficulty: str = "passenger", korean_start: bool = False) -> State:
    """A solo game before its draft."""
    rng = random.Random(5)
    return game.new(mode="solo", difficulty=difficulty, seats=["red"], rng=rng, korean_start=korean_start)


def drafted(difficulty: str = "passenger", *tiles: tuple[int, int]) -> State:
    """The human takes brown and gray, then Mašinfíra draws these tiles."""
    state = new(difficulty)
    actions: list[game.Action] = [game.Draft("brown"), game.Draft("gray"), *map(game.Draw, tiles)]
    for action in actions:
        state = game.apply(state, action)
    return state


class TestSetUp:
    """R7.1, R7.2."""

    def test_shares(self) -> None:
        """5 in each offer, 2 aside, 2 to the box."""
        state = new()
        assert (state.offer, state.aside, state.out) == ((5,) * 4, (2,) * 4, (2,) * 4)

    def test_the_human_starts_and_takes_two_different_shares(self) -> None:
        """Mašinfíra is not real and does not travel by train."""
        state = new()
        assert state.setup.seats == ("red", "masinfira")
        state = game.apply(state, game.Draft("brown"))
        assert state.seat == "red"
        assert refused(state, game.Draft("brown")).key == "draft_same"
        assert game.apply(state, game.Draft("white")).seat == "masinfira"

    def test_no_value_changes(self) -> None:
        """Whatever is left aside."""
        assert drafted("passenger", (1, 1), (1, 2)).value == (0, 0, 0, 0)

    def test_the_markers(self) -> None:
        """Influence 1, the target city marker off the map, the company marker on brown."""
        state = new()
        assert state.bot is not None
        assert state.influence == ((1,) * 4, (1,) * 4)
        assert (state.bot.target, state.bot.company) == (0, 0)

    def test_the_first_step_of_the_target_marker_is_city_1(self) -> None:
        """Czech reading: three steps lead to city 3."""
        state = position(mode="solo", to_move="masinfira")
        after = game.apply(state, game.Draw((3, 1)))
        assert after.bot is not None
        assert after.bot.target == 3

    def test_the_first_step_when_city_1_has_no_tile(self) -> None:
        """Ruling: then it goes to the next city that has one. Augusta is full with brown."""
        brown: list[Place] = ["New York", (8, -7), "Boston", "Augusta"]
        state = position(mode="solo", to_move="masinfira", track={"brown": brown})
        after = game.apply(state, game.Draw((1, 1)))
        assert after.bot is not None
        assert after.bot.target == 2

    def test_the_korean_reading(self) -> None:
        """An option: the marker is on city 1 before the first step, and the draft does not move it."""
        state = new(korean_start=True)
        assert state.bot is not None
        assert state.bot.target == 1
        for action in (game.Draft("brown"), game.Draft("gray"), game.Draw((1, 1)), game.Draw((2, 2))):
            state = game.apply(state, action)
        assert state.bot is not None
        assert state.bot.target == 1


class TestMasinfirasFirstShares:
    """R7.3."""

    def test_the_refresh_tiles_wait_outside(self) -> None:
        """12 tiles in the bag at first."""
        bot = new().bot
        assert bot is not None
        assert len(bot.bag) == 12
        assert REFRESH not in bot.bag

    def test_two_tiles_move_the_company_marker_and_give_a_share_each(self) -> None:
        """Brown + 1 is gray; gray + 2 is white."""
        state = drafted("passenger", (1, 1), (3, 2))
        assert state.bot is not None
        assert state.shares[1] == (0, 1, 0, 1)
        assert state.bot.company == 3

    def test_the_marker_goes_round(self) -> None:
        """White is followed by brown, and 4 steps lead back."""
        state = drafted("passenger", (1, 3), (2, 1))
        assert state.shares[1] == (1, 0, 0, 1)
        assert drafted("passenger", (1, 4), (2, 4)).shares[1] == (1, 0, 0, 0)  # of brown one was left aside

    def test_the_target_marker_stays(self) -> None:
        """These tiles are for the shares only."""
        state = drafted("passenger", (3, 1), (3, 2))
        assert state.bot is not None
        assert state.bot.target == 0

    def test_the_two_tiles_stay_out_and_the_refresh_tiles_go_in(self) -> None:
        """12 in the bag again, 2 of them refresh."""
        bot = drafted("passenger", (1, 1), (3, 2)).bot
        assert bot is not None
        assert bot.drawn == ((1, 1), (3, 2))
        assert len(bot.bag) == 12
        assert bot.bag.count(REFRESH) == 2

    def test_the_shares_come_from_those_aside(self) -> None:
        """Not from the offer; what remains aside leaves the game."""
        state = drafted("passenger", (1, 1), (3, 2))
        assert state.offer == (5,) * 4
        assert state.aside == (0,) * 4
        assert state.out == (3, 2, 4, 3)

    def test_where_too_few_are_aside_it_takes_what_is_there(self) -> None:
        """Ruling: gray twice, and the human has one of the two."""
        state = drafted("passenger", (1, 1), (3, 4))
        assert held(state, "masinfira", "gray") == 1

    def test_the_human_begins(self) -> None:
        """R7.1: then play begins."""
        state = drafted("passenger", (1, 1), (3, 2))
        assert (state.phase, state.seat) == ("play", "red")
        assert not game.check(state)


class TestTheEnd:
    """R7.11."""

    @staticmethod
    def last_share(seat: str) -> State:
        """One company exhausted, one share of gray left, free to take; white has room to build."""
        return position(
            mode="solo",
            to_move=seat,
            offer={"brown": 0, "gray": 1, "rest": 3},
            reservoir={"gray": 0, "rest": 4},
        )

    def test_after_the_human_masinfira_has_one_more_turn(self) -> None:
        """So that both have had as many."""
        state = game.apply(self.last_share("red"), game.TakeShare("gray"))
        assert (state.phase, state.seat) == ("play", "masinfira")
        assert game.apply(state, game.Draw((1, 2))).phase == "over"

    def test_a_redraw_belongs_to_that_turn(self) -> None:
        """Gray has no share left: it draws again, and the game is not over before it has acted."""
        state = game.apply(self.last_share("red"), game.TakeShare("gray"))
        companies = game.state_to_json(state)["companies"]
        companies["gray"] |= {"supply": companies["gray"]["supply"] + 3, "reservoir": 0}
        state = game.state_from_json({**game.state_to_json(state), "companies": companies})
        state = game.apply(state, game.Draw((1, 1)))
        assert (state.phase, state.seat) == ("play", "masinfira")
        assert game.apply(state, game.Draw((1, 2))).phase == "over"

    def test_masinfira_ends_it_at_once(self) -> None:
        """Its turn is the last of the round."""
        state = self.last_share("masinfira")
        assert keys(state, game.Draw((1, 1)))[-1] == "game_over"
        assert game.apply(state, game.Draw((1, 1))).phase == "over"


class TestScoring:
    """R7.12."""

    @pytest.mark.parametrize(
        ("human", "bot", "columns"),
        [(5, 3, ("second", "other")), (3, 5, ("other", "second")), (4, 4, ("second", "second")),
         (0, 5, (None, "second")), (5, 0, ("second", None)), (0, 0, (None, None))],
    )  # fmt: skip
    def test_the_first_column_is_not_used(
        self, human: int, bot: int, columns: tuple[str | None, str | None]
    ) -> None:
        """Higher: "2nd"; lower: "Other"; equal: both "2nd"; influence 0 is worth 0."""
        state = position(mode="solo", influence={"red": human, "masinfira": bot})
        seats = game.score(state)["seats"]
        assert tuple(seats[s]["companies"]["white"]["column"] for s in ("red", "masinfira")) == columns

    def test_masinfira_wins_a_tie(self) -> None:
        """Though the human has fewer shares and is the start player."""
        state = position(mode="solo", shares={"red": {"gray": 2}, "masinfira": {"white": 1, "gray": 1}})
        totals = {seat: s["total"] for seat, s in game.score(state)["seats"].items()}
        assert totals["red"] == totals["masinfira"]
        assert game.score(state)["winner"] == "masinfira"

    def test_one_point_more_wins(self) -> None:
        """For the human too."""
        state = position(mode="solo", shares={"red": {"gray": 2}, "masinfira": {"white": 1}})
        assert game.score(state)["winner"] == "red"
