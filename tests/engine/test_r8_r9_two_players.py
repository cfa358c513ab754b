"""R8: two players and Mašinfíra. R9: two experts without it."""

import random

import pytest
from positions import build, builds_of, keys, number, position, refused

from engine import mini_express as game
from engine.mini_express.names import REFRESH
from engine.mini_express.state import State


class TestSetUpWithMasinfira:
    """R8.1, R8.2."""

    @staticmethod
    def new() -> State:
        return game.new(mode="two_with_bot", seats=["blue", "red"], rng=random.Random(3))

    def drafted(self) -> State:
        """Blue: brown and gray, red: brown and orange."""
        state = self.new()
        for company in ("brown", "brown", "orange", "gray"):
            state = game.apply(state, game.Draft(company))
        return state

    def test_shares(self) -> None:
        """6 in each offer, 2 aside, 1 to the box."""
        state = self.new()
        assert (state.offer, state.aside, state.out) == ((6,) * 4, (2,) * 4, (1,) * 4)

    def test_the_draft_of_two_players(self) -> None:
        """R2.4: there and back; Mašinfíra does not choose."""
        state, order = self.new(), []
        while state.phase == "draft":
            order.append(state.seat)
            state = game.apply(state, game.legal_actions(state)[0])
        assert order == ["blue", "red", "red", "blue"]

    def test_no_two_have_the_same_pair(self) -> None:
        """R2.4 holds among the humans."""
        state = self.new()
        for company in ("brown", "gray", "orange"):
            state = game.apply(state, game.Draft(company))
        assert game.Draft("gray") in game.legal_actions(state)
        state = self.new()
        for company in ("brown", "gray", "brown"):
            state = game.apply(state, game.Draft(company))
        assert refused(state, game.Draft("gray")).key == "draft_pair"

    def test_what_is_left_aside_goes_to_masinfira(self) -> None:
        """And no values change."""
        state = self.drafted()
        assert state.shares == ((1, 1, 0, 0), (1, 0, 1, 0), (0, 1, 1, 2))
        assert state.aside == (0, 0, 0, 0)
        assert state.value == (0, 0, 0, 0)
        assert not game.check(state)

    def test_the_bot_as_in_solo(self) -> None:
        """R7.2: influence 1, target off the map, marker on brown."""
        state = self.drafted()
        assert state.bot is not None
        assert (state.bot.target, state.bot.company) == (0, 0)
        assert state.influence[2] == (1, 1, 1, 1)

    def test_the_refresh_tiles_are_in_the_bag_from_the_start(self) -> None:
        """Ruling: all 14 tiles, none drawn."""
        bot = self.drafted().bot
        assert bot is not None
        assert len(bot.bag) == 14
        assert bot.bag.count(REFRESH) == 2
        assert bot.drawn == ()


class TestPlayWithMasinfira:
    """R8.3."""

    def test_turn_order(self) -> None:
        """Start player, other player, Mašinfíra, and again."""
        state = position(mode="two_with_bot", reservoir=1)
        assert state.setup.seats == ("red", "blue", "masinfira")
        seats = []
        for action in (game.TakeShare("brown"), game.TakeShare("gray"), game.Draw((1, 2))):
            seats.append(state.seat)
            state = game.apply(state, action)
        assert [*seats, state.seat] == ["red", "blue", "masinfira", "red"]

    def test_the_easy_level(self) -> None:
        """Three trains follow its share, and its influence stays."""
        state = position(mode="two_with_bot", to_move="masinfira", reservoir={"gray": 2, "rest": 4})
        after = game.apply(state, game.Draw((1, 1)))
        assert number(after, "reservoir", "gray") == 5
        assert after.influence == state.influence

    @pytest.mark.parametrize(("seat", "turns"), [("red", 2), ("blue", 1), ("masinfira", 0)])
    def test_everybody_has_as_many_turns(self, seat: str, turns: int) -> None:
        """Mašinfíra's turn is the last; if it triggers the end, that is it."""
        state = position(
            mode="two_with_bot", to_move=seat, offer={"brown": 0, "gray": 1, "rest": 3},
            reservoir={"gray": 0, "orange": 0, "rest": 3},
        )  # fmt: skip
        state = game.apply(state, game.Draw((1, 1)) if seat == "masinfira" else game.TakeShare("gray"))
        for _ in range(turns):
            assert state.phase == "play"
            human = next(a for a in game.legal_actions(state))
            state = game.apply(state, game.Draw((1, 2)) if state.bot_moves else human)
        assert state.phase == "over"

    def test_scoring_with_masinfira_as_a_third_player(self) -> None:
        """R6: the first column is used, and Mašinfíra takes its rank."""
        state = position(mode="two_with_bot", influence={"red": 3, "blue": 2, "masinfira": 5})
        seats = game.score(state)["seats"]
        assert [seats[s]["companies"]["brown"]["column"] for s in state.setup.seats] == [
            "second",
            "other",
            "first",
        ]

    def test_ties_as_among_players(self) -> None:
        """R6.3, not R7.12: the start player is nearer than Mašinfíra."""
        state = position(mode="two_with_bot", shares={"red": {"gray": 2}, "masinfira": {"white": 2}})
        assert game.score(state)["winner"] == "red"


class TestSetUpOfExperts:
    """R9.1."""

    @staticmethod
    def new() -> State:
        return game.new(mode="experts", seats=["red", "blue"], rng=random.Random(3))

    def test_shares(self) -> None:
        """5 in each offer, 2 aside, 2 to the box."""
        state = self.new()
        assert (state.offer, state.aside, state.out) == ((5,) * 4, (2,) * 4, (2,) * 4)

    def test_both_of_one_then_one_each_then_both_then_one_each(self) -> None:
        """The start player: brown, then a split of white; the other player: orange; gray is the last."""
        state = self.new()
        steps = [(state.seat, state.shares)]
        for company in ("brown", "white", "orange"):
            state = game.apply(state, game.Draft(company))
            steps.append((state.seat, state.shares))
        assert steps == [
            ("red", ((0, 0, 0, 0), (0, 0, 0, 0))),
            ("red", ((2, 0, 0, 0), (0, 0, 0, 0))),
            ("blue", ((2, 0, 0, 1), (0, 0, 0, 1))),
            ("red", ((2, 1, 0, 1), (0, 1, 2, 1))),
        ]

    def test_a_company_is_chosen_once(self) -> None:
        """The second is another one; the other player has the remaining two."""
        state = game.apply(self.new(), game.Draft("brown"))
        assert refused(state, game.Draft("brown")).key == "draft_none_aside"
        state = game.apply(state, game.Draft("white"))
        assert game.legal_actions(state) == [game.Draft("gray"), game.Draft("orange")]

    def test_nothing_stays_aside(self) -> None:
        """All eight shares are taken, no value changes."""
        state = self.new()
        while state.phase == "draft":
            state = game.apply(state, game.legal_actions(state)[0])
        assert (state.aside, state.value) == ((0,) * 4, (0,) * 4)
        assert not game.check(state)


def experts(**parts: object) -> State:
    """Two experts in the middle of the game, red to move with two actions."""
    return position(mode="experts", **parts)  # type: ignore[arg-type]


class TestTwoActions:
    """R9.2."""

    def test_the_first_turn_is_one_action(self) -> None:
        """Then every turn is two."""
        state = TestSetUpOfExperts.new()
        while state.phase == "draft":
            state = game.apply(state, game.legal_actions(state)[0])
        seats = []
        for _ in range(7):
            seats.append(state.seat)
            state = game.apply(state, builds_of(state)[0])
        assert seats == ["red", "blue", "blue", "red", "red", "blue", "blue"]

    @pytest.mark.parametrize("second", [game.TakeShare("gray"), "build"])
    def test_any_two_actions(self, second: game.Action | str) -> None:
        """A share and a share, a share and a build."""
        state = game.apply(experts(reservoir=1), game.TakeShare("brown"))
        action = build(state, "orange", "Detroit") if isinstance(second, str) else second
        assert action in game.legal_actions(state)
        assert game.apply(state, action).seat == "blue"

    @pytest.mark.parametrize("first", ["share", "build"])
    def test_with_two_different_companies(self, first: str) -> None:
        """Whatever the first action was."""
        state = experts(reservoir=1, influence={"red": 5})
        state = game.apply(
            state, game.TakeShare("orange") if first == "share" else build(state, "orange", "Detroit")
        )
        assert state.seat == "red"
        problem = refused(state, game.TakeShare("orange"))
        assert (problem.key, problem.rule) == ("same_company", "R9.2")
        assert not builds_of(state, "orange")

    def test_the_other_player_may_use_it_again(self) -> None:
        """Different companies within one turn only."""
        state = game.apply(experts(reservoir=0), game.TakeShare("brown"))
        state = game.apply(state, game.TakeShare("gray"))
        assert state.used is None
        assert any(getattr(a, "company", "") == "brown" for a in game.legal_actions(state))

    def test_the_second_action_may_not_take_the_last_share(self) -> None:
        """It would end the game."""
        state = experts(reservoir=0, offer={"gray": 1, "rest": 3}, used="brown")
        problem = refused(state, game.TakeShare("gray"))
        assert (problem.key, problem.values["company"]) == ("second_ends", "gray")
        assert game.TakeShare("gray") in game.legal_actions(
            experts(reservoir=0, offer={"gray": 1, "rest": 3})
        )

    def test_nor_empty_a_supply_with_the_trains_that_follow(self) -> None:
        """Three trains in the supply, three would go."""
        parts = {"reservoir": {"gray": 1, "rest": 4}, "supply": {"gray": 3}}
        assert refused(experts(**parts, used="brown"), game.TakeShare("gray")).key == "second_ends"
        assert game.TakeShare("gray") in game.legal_actions(experts(**parts))

    def test_nor_exhaust_an_offer_by_compensation(self) -> None:
        """Orange has one train left in its supply."""
        parts = {
            "track": {"orange": ["Detroit", (5, -4)], "gray": [(6, -3), "Atlanta"]},
            "supply": {"orange": 1},
            "keep_clear": [(5, -3)],
            "reservoir": {"orange": 3, "rest": 4},
        }
        state = experts(**parts, used="brown")
        problem = refused(state, build(state, "gray", (5, -3), (5, -4), "Detroit"))
        assert (problem.key, problem.values["company"]) == ("second_ends", "orange")
        first = experts(**parts)
        assert game.apply(first, build(first, "gray", (5, -3), (5, -4), "Detroit")).phase == "over"

    def test_nor_by_a_train_of_a_module(self) -> None:
        """The port's train would be orange's last (R11.2)."""
        state = experts(
            board="europe", modules=["ports"], supply={"orange": 1}, keep_clear=[(-6, -1)], used="brown",
            demand={"Dublin": "orange wild"},
        )  # fmt: skip
        problem = refused(state, build(state, "gray", "Dublin", wild="white", port=(3, -1)))
        assert (problem.key, problem.values["company"]) == ("second_ends", "orange")

    def test_without_a_legal_second_action_the_turn_ends(self) -> None:
        """Ruling: no share can be paid for, and nothing can be built with another company."""
        state = experts(
            track={"orange": ["Detroit"], "brown": ["New York", (6, -4), (6, -5), "Detroit"]},
            reservoir={"brown": 0, "rest": 1},
            influence={"red": 0},
        )
        assert keys(state, game.TakeShare("brown"))[-1] == "turn_ends"
        assert game.apply(state, game.TakeShare("brown")).seat == "blue"

    def test_entered_by_hand_before_it_the_turn_ends_by_a_pass_that_counts_for_none(self) -> None:
        """R9.2: red has acted, so blue's pass is not the last of a round of passes."""
        state = experts(
            track={"orange": ["Detroit"], "brown": ["New York", (6, -4), (6, -5), "Detroit"]},
            reservoir=1,
            influence={"red": 0},
            used="brown",
            actions_left=1,
        )
        assert game.legal_actions(state) == [game.Pass()]
        assert keys(state, game.Pass()) == ["turn_ends"]
        after = game.apply(state, game.Pass())
        assert (after.seat, after.passes, after.actions_left, after.used) == ("blue", 0, 2, None)


class TestTheEndOfExperts:
    """R9.3."""

    def test_one_exhausted_company_ends_it_at_once(self) -> None:
        """By the first action of red's turn: blue has no turn any more."""
        state = experts(reservoir=0, offer={"gray": 1, "rest": 3})
        assert game.apply(state, game.TakeShare("gray")).phase == "over"

    @pytest.mark.parametrize(("red", "blue", "columns"), [(4, 2, ("second", "other")), (3, 3, ("second", "second")),
                                                          (0, 2, (None, "second"))])  # fmt: skip
    def test_scoring_without_the_first_column(
        self, red: int, blue: int, columns: tuple[str | None, str | None]
    ) -> None:
        """As R7.12."""
        seats = game.score(experts(influence={"red": red, "blue": blue}))["seats"]
        assert tuple(seats[s]["companies"]["gray"]["column"] for s in ("red", "blue")) == columns

    def test_a_tie_goes_to_fewer_shares_then_to_the_start_player(self) -> None:
        """R9.3."""
        equal = experts(shares={"red": {"gray": 2}, "blue": {"white": 2}}, offer=4)
        assert game.score(equal)["winner"] == "red"
        worth = game.built_in().values[8][1], game.built_in().values[0][1]
        assert worth[0] * 2 == worth[1] * 5 == 10
        fewer = experts(
            shares={"red": {"gray": 5}, "blue": {"white": 2}},
            value={"white": 8},
            offer={"gray": 3, "rest": 4},
        )
        assert game.score(fewer)["winner"] == "blue"
