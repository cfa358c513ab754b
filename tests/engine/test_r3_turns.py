"""R3: one action a turn, exhaustion in both ways, and the end of a game for 3–5 players."""

import pytest
from positions import Place, build, builds_of, event, keys, number, position, refused

from engine import mini_express as game


class TestATurn:
    """R3.1."""

    def test_one_action_then_the_next_player(self) -> None:
        """Clockwise, and after the last player the first again."""
        state = position(reservoir=0)
        for seat in ("blue", "purple", "red"):
            state = game.apply(state, game.TakeShare("brown"))
            state = game.state_from_json({**game.state_to_json(state), "companies": _empty(state)})
            assert state.seat == seat

    def test_passing_is_not_allowed(self) -> None:
        """Whoever can act must act."""
        problem = refused(position(), game.Pass())
        assert (problem.key, problem.rule) == ("must_act", "R3.1")

    def test_without_a_legal_action_a_player_passes(self) -> None:
        """Ruling: no influence for any share, no company that could build."""
        state = position(track=STUCK, reservoir=1, influence={"red": 0})
        assert game.legal_actions(state) == [game.Pass()]
        assert keys(state, game.Pass()) == ["passed"]
        assert game.apply(state, game.Pass()).seat == "blue"

    def test_when_everybody_in_turn_passes_the_game_ends(self) -> None:
        """Ruling of the engine: nothing can change any more."""
        state = position(track=STUCK, reservoir=1, influence=dict.fromkeys(("red", "blue", "purple"), 0))
        for seat in ("red", "blue"):
            assert (state.seat, state.phase) == (seat, "play")
            state = game.apply(state, game.Pass())
        assert keys(state, game.Pass()) == ["passed", "game_over_stuck"]
        assert game.apply(state, game.Pass()).phase == "over"

    def test_one_who_acts_in_between_keeps_the_game_going(self) -> None:
        """Only passes in a row count."""
        state = position(track=STUCK, reservoir=1, influence={"red": 0, "blue": 1, "purple": 0})
        state = game.apply(state, game.Pass())
        state = game.apply(state, game.TakeShare("brown"))
        assert state.passes == 0


STUCK: dict[str, list[Place]] = {"orange": ["Detroit"], "brown": ["New York", (6, -4), (6, -5), "Detroit"]}
"""Detroit is full, and no other city lies next to any track: with one train each nothing can be built."""


def _empty(state: game.State) -> dict[str, dict[str, int]]:
    """The companies with their reservoirs emptied into the supply, so that every share is free."""
    companies = game.state_to_json(state)["companies"]
    for company in companies.values():
        company["supply"] += company["reservoir"]
        company["reservoir"] = 0
    return dict(companies)


class TestExhaustion:
    """R3.2."""

    def test_the_last_share_of_an_offer(self) -> None:
        """The first way: somebody takes it."""
        state = position(reservoir={"gray": 0, "rest": 4}, offer={"gray": 1, "rest": 6})
        after = game.apply(state, game.TakeShare("gray"))
        assert after.exhausted() == [game.COMPANIES.index("gray")]
        assert "offer_empty" in keys(state, game.TakeShare("gray"))

    def test_no_share_can_be_taken_from_an_exhausted_offer(self) -> None:
        """The action is gone for this company."""
        state = position(reservoir=0, offer={"gray": 0, "rest": 6})
        assert refused(state, game.TakeShare("gray")).key == "no_share"

    def test_an_exhausted_company_can_still_build(self) -> None:
        """While it has trains in its reservoir."""
        state = position(offer={"gray": 0, "rest": 6}, reservoir=4)
        assert builds_of(state, "gray")

    def test_an_empty_supply_exhausts_the_offer_at_once(self) -> None:
        """The second way: the three trains that follow a share are the last ones."""
        state = position(supply={"gray": 3}, reservoir={"gray": 2, "rest": 4}, influence={"red": 2})
        after = game.apply(state, game.TakeShare("gray"))
        assert number(after, "supply", "gray") == 0
        assert number(after, "offer", "gray") == 0
        assert number(after, "out", "gray") == number(state, "out", "gray") + 6 - 1
        assert event(state, game.TakeShare("gray"), "exhausted").values["n"] == 5
        log = keys(state, game.TakeShare("gray"))
        assert log.index("exhausted") == log.index("trains_added") + 1

    def test_one_train_left_in_the_supply_does_not(self) -> None:
        """Exhaustion comes with the very last train."""
        state = position(supply={"gray": 4}, reservoir={"gray": 2, "rest": 4}, influence={"red": 2})
        assert number(game.apply(state, game.TakeShare("gray")), "offer", "gray") == 5

    def test_compensation_can_exhaust_an_offer(self) -> None:
        """In the middle of another company's build (R5.4)."""
        state = position(
            track={"orange": [(6, -5), (5, -4)], "gray": [(6, -3), "Atlanta"]},
            supply={"orange": 1},
            keep_clear=["Louisville", "Detroit", (5, -3), (4, -2)],
            reservoir={"orange": 3, "rest": 4},
        )
        action = build(state, "gray", (5, -3), (5, -4), "Detroit")
        after = game.apply(state, action)
        assert number(after, "supply", "orange") == 0
        assert number(after, "offer", "orange") == 0
        assert event(state, action, "exhausted").values["company"] == "orange"

    def test_it_is_told_behind_the_trains_that_were_the_last(self) -> None:
        """Brown, too, is compensated, and comes before orange."""
        state = position(
            track={"orange": [(6, -5), (5, -4)], "brown": [(6, -4), (5, -4)], "gray": [(6, -3), "Atlanta"]},
            supply={"orange": 1},
            keep_clear=["Louisville", "Detroit", (5, -3), (4, -2)],
            reservoir={"orange": 3, "rest": 4},
        )
        log = keys(state, build(state, "gray", (5, -3), (5, -4), "Detroit"))
        assert log[1:4] == ["compensated", "compensated", "exhausted"]


class TestTheEnd:
    """R3.3, for 3–5 players."""

    @staticmethod
    def last_share(seat: str, exhausted: bool = True) -> game.State:
        """A position in which `seat` takes the last share of gray, brown being exhausted or not."""
        return position(
            to_move=seat,
            offer={"brown": 0 if exhausted else 3, "gray": 1, "rest": 3},
            reservoir={"gray": 0, "rest": 1},
        )

    def test_one_exhausted_company_is_not_the_end(self) -> None:
        """The game goes on as usual."""
        after = game.apply(self.last_share("purple", exhausted=False), game.TakeShare("gray"))
        assert after.phase == "play"

    def test_the_last_player_ends_the_game_at_once(self) -> None:
        """Everybody has had the same number of turns."""
        state = self.last_share("purple")
        assert keys(state, game.TakeShare("gray"))[-1] == "game_over"
        assert game.apply(state, game.TakeShare("gray")).phase == "over"

    @pytest.mark.parametrize(("seat", "turns"), [("red", 2), ("blue", 1)])
    def test_the_others_still_have_their_turn(self, seat: str, turns: int) -> None:
        """Until all have had the same number of turns."""
        state = game.apply(self.last_share(seat), game.TakeShare("gray"))
        for _ in range(turns):
            assert state.phase == "play"
            state = game.apply(state, game.TakeShare("orange"))
            state = game.state_from_json({**game.state_to_json(state), "companies": _empty(state)})
        assert state.phase == "over"

    def test_nothing_can_be_done_after_the_end(self) -> None:
        """Only the score is left."""
        state = game.apply(self.last_share("purple"), game.TakeShare("gray"))
        assert game.legal_actions(state) == []
        assert refused(state, game.TakeShare("orange")).key == "game_over"

    def test_an_action_that_triggers_the_end_is_finished_first(self) -> None:
        """Ruling of R5.0: compensation exhausts orange, yet value and influence still rise."""
        state = position(
            to_move="purple",
            track={"orange": [(6, -5), (5, -4)], "gray": [(6, -3), "Atlanta"]},
            supply={"orange": 1},
            keep_clear=["Louisville", "Detroit", (5, -3), (4, -2)],
            reservoir={"orange": 3, "rest": 4},
            offer={"brown": 0, "rest": 3},
            demand={"Detroit": "white white"},
        )
        after = game.apply(state, build(state, "gray", (5, -3), (5, -4), "Detroit"))
        assert after.phase == "over"
        assert number(after, "value", "gray") == 2
        assert after.influence[2] == (1, 1, 1, 3)
