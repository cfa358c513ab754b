"""R7.4–R7.6, R7.10: Mašinfíra's draw, its two markers, and what happens when the company cannot act."""

from dataclasses import replace

import pytest
from positions import Place, builds_of, event, held, keys, number, position, refused

from engine import mini_express as game
from engine.mini_express.names import REFRESH, BotTile
from engine.mini_express.state import Bot, State


def solo(**parts: object) -> State:
    """A solo game in Mašinfíra's turn."""
    return position(mode="solo", to_move="masinfira", **parts)  # type: ignore[arg-type]


def bot(state: State) -> Bot:
    assert state.bot is not None
    return state.bot


class TestDrawing:
    """R7.4."""

    def test_a_tile_that_was_drawn_stays_out(self) -> None:
        """Until a refresh tile comes."""
        after = bot(game.apply(solo(), game.Draw((1, 2))))
        assert after.drawn == ((1, 2),)
        assert (1, 2) not in after.bag

    def test_a_refresh_tile_brings_all_back(self) -> None:
        """All that were drawn and this one, then it draws again: the turn stays with it."""
        state = solo(drawn=[(1, 1), (2, 3)])
        after = game.apply(state, game.Draw(REFRESH))
        assert bot(after).drawn == ()
        assert sorted(map(str, bot(after).bag)) == sorted(map(str, state.setup.pack.bot_tiles))
        assert after.seat == "masinfira"
        assert keys(state, game.Draw(REFRESH)) == ["bot_refresh"]

    def test_a_refresh_tile_moves_no_marker(self) -> None:
        """It shows no numbers."""
        state = solo(target=7, marker="orange")
        after = bot(game.apply(state, game.Draw(REFRESH)))
        assert (after.target, after.company) == (bot(state).target, bot(state).company)

    @pytest.mark.parametrize("tile", [(1, 1), (9, 9)])
    def test_only_a_tile_that_is_in_the_bag(self, tile: BotTile) -> None:
        """One that lies beside it, or does not exist."""
        assert refused(solo(drawn=[(1, 1)]), game.Draw(tile)).key == "not_in_bag"

    def test_nothing_else_in_its_turn(self) -> None:
        """And no draw in a human's turn."""
        assert refused(solo(), game.TakeShare("brown")).key == "bot_turn"
        assert refused(position(mode="solo"), game.Draw((1, 1))).key == "not_bot_turn"
        assert refused(position(), game.Draw((1, 1))).key == "not_bot_turn"

    def test_chances_count_the_tiles_in_the_bag(self) -> None:
        """With 10 numbered tiles and both refresh tiles left, a refresh tile comes with 2 in 12."""
        chances = dict(game.chance(solo(drawn=[(1, 1), (1, 2)])))
        assert chances[game.Draw(REFRESH)] == pytest.approx(2 / 12)
        assert chances[game.Draw((2, 2))] == pytest.approx(1 / 12)
        assert sum(chances.values()) == pytest.approx(1)

    def test_there_is_no_chance_in_a_humans_turn(self) -> None:
        """Nor is there anything to draw."""
        assert game.chance(position(mode="solo")) == []


class TestTheMarkers:
    """R7.5."""

    @pytest.mark.parametrize(
        ("marker", "steps", "company"),
        [("brown", 1, "gray"), ("gray", 1, "orange"), ("orange", 1, "white"), ("white", 1, "brown"),
         ("orange", 3, "gray"), ("gray", 4, "gray")],
    )  # fmt: skip
    def test_the_company_marker(self, marker: str, steps: int, company: str) -> None:
        """Brown → gray → orange → white → brown …, by the bottom number."""
        after = game.apply(solo(marker=marker), game.Draw((1, steps)))
        assert game.COMPANIES[bot(after).company] == company

    @pytest.mark.parametrize("steps", [1, 2, 3])
    def test_the_target_marker(self, steps: int) -> None:
        """To the next higher number, by the top number."""
        assert bot(game.apply(solo(target=9), game.Draw((steps, 2)))).target == 9 + steps

    def test_it_passes_over_cities_without_a_tile(self) -> None:
        """Detroit (5) is full: one step from Miami (4) leads to Atlanta (6)."""
        track: dict[str, list[Place]] = {"orange": ["Detroit"], "brown": [(6, -4), (6, -5), "Detroit"]}
        state = solo(track=track, target="Miami")
        assert bot(game.apply(state, game.Draw((1, 2)))).target == 6
        assert event(state, game.Draw((1, 2)), "bot_target").values["skipped"] == ["Detroit"]

    def test_at_the_last_city_it_stays_for_good(self) -> None:
        """Number 32."""
        state = solo(target=32)
        assert bot(game.apply(state, game.Draw((3, 2)))).target == 32
        assert "bot_target_stays" in keys(state, game.Draw((3, 2)))

    def test_steps_beyond_the_last_city_are_lost(self) -> None:
        """Three steps from 31."""
        assert bot(game.apply(solo(target=31), game.Draw((3, 2)))).target == 32

    def test_when_no_city_ahead_has_a_tile_it_stays(self) -> None:
        """Ruling: San Francisco has lost its tile, the marker stays on Los Angeles."""
        state = solo(modules=["golden_spike"], spike="off", target=31, track=FULL_SAN_FRANCISCO)
        assert state.demand[32] is None
        assert bot(game.apply(state, game.Draw((3, 2)))).target == 31

    def test_a_tile_without_city_moves_says_nothing_of_the_target_marker(self) -> None:
        """A user's copy may have such tiles; nothing keeps the marker where it is."""
        pack = replace(game.built_in(), bot_tiles=((0, 2), *game.built_in().bot_tiles[1:]))
        state = solo(target="Miami", pack=pack)
        assert bot(game.apply(state, game.Draw((0, 2)))).target == bot(state).target
        assert keys(state, game.Draw((0, 2)))[:3] == ["bot_drew", "bot_company", "bot_builds"]


WAY_WEST: list[Place] = [
    (6, -4), (5, -3), (4, -2), (3, -2), (2, -2), (1, -2), (0, -1), (-1, -1), (-2, 0), (-3, 1), (-4, 1), (-5, 1),
    (-5, 2), (-6, 2), (-7, 2), (-8, 2), (-9, 3), "San Francisco",
]  # fmt: skip
FULL_SAN_FRANCISCO: dict[str, list[Place]] = {
    "brown": WAY_WEST,
    "gray": [(6, -3), *WAY_WEST[1:]],
    "orange": [(6, -5), (5, -4), (4, -4), (3, -3), *WAY_WEST[4:]],
}
"""Three companies in San Francisco, none in Omaha: the Golden Spike is off (R10.2)."""


class TestTakingAShare:
    """R7.6."""

    @pytest.mark.parametrize("trains", [0, 1, 2])
    def test_with_up_to_two_trains_it_takes_a_share_for_free(self, trains: int) -> None:
        """Though it has no influence to pay with, and three trains follow as in R4.2."""
        state = solo(reservoir={"gray": trains, "rest": 4}, influence={"masinfira": 0})
        after = game.apply(state, game.Draw((1, 1)))
        assert held(after, "masinfira", "gray") == 1
        assert number(after, "reservoir", "gray") == trains + 3
        assert after.influence == state.influence

    @pytest.mark.parametrize("trains", [3, 4, 5])
    def test_with_three_or_more_it_builds(self, trains: int) -> None:
        """R7.7."""
        after = game.apply(solo(reservoir={"gray": trains, "rest": 4}), game.Draw((1, 1)))
        assert len(after.hexes("gray")) > 1
        assert held(after, "masinfira", "gray") == 0

    def test_the_turn_passes_to_the_human(self) -> None:
        """One action a turn."""
        assert game.apply(solo(reservoir=0), game.Draw((1, 1))).seat == "red"


class TestRedrawing:
    """R7.6, R7.10: where the company cannot act, only the company marker moves on."""

    @staticmethod
    def no_gray_share() -> State:
        """Gray has one train in its reservoir and no share in its offer."""
        return solo(reservoir={"gray": 1, "rest": 4}, offer={"gray": 0, "rest": 5}, target=3)

    def test_without_a_share_it_draws_again(self) -> None:
        """The turn stays with Mašinfíra; both markers have moved."""
        after = game.apply(self.no_gray_share(), game.Draw((2, 1)))
        assert (after.seat, bot(after).redraw) == ("masinfira", True)
        assert (bot(after).target, bot(after).company) == (5, 1)
        assert keys(self.no_gray_share(), game.Draw((2, 1)))[-1] == "bot_no_share"

    def test_the_next_tile_moves_only_the_company_marker(self) -> None:
        """And it goes on with the new company."""
        state = game.apply(self.no_gray_share(), game.Draw((2, 1)))
        after = game.apply(state, game.Draw((3, 1)))
        assert (bot(after).target, bot(after).company) == (5, 2)
        assert len(after.hexes("orange")) > 1
        assert (after.seat, bot(after).redraw) == ("red", False)

    def test_also_after_a_refresh_tile_in_between(self) -> None:
        """The refresh tile does not begin a new turn."""
        state = game.apply(self.no_gray_share(), game.Draw((2, 1)))
        state = game.apply(state, game.Draw(REFRESH))
        assert bot(state).redraw
        assert bot(game.apply(state, game.Draw((3, 1)))).target == 5

    def test_a_refresh_tile_at_the_beginning_does_not_spare_the_target_its_steps(self) -> None:
        """The first numbered tile of the turn moves both markers."""
        state = game.apply(solo(target=3), game.Draw(REFRESH))
        assert bot(game.apply(state, game.Draw((2, 2)))).target == 5

    def test_without_a_destination_it_draws_again(self) -> None:
        """Gray in Wilmington has no city within 3 hexes that would take it."""
        state = solo(track=GRAY_SHUT_IN, reservoir={"gray": 3, "rest": 4}, target=3)
        after = game.apply(state, game.Draw((1, 1)))
        assert (after.seat, bot(after).redraw) == ("masinfira", True)
        assert keys(state, game.Draw((1, 1)))[-1] == "bot_no_city"

    def test_the_following_turn_moves_both_markers_again(self) -> None:
        """The redraw is forgotten once it has acted."""
        state = game.apply(self.no_gray_share(), game.Draw((2, 1)))
        state = game.apply(state, game.Draw((3, 1)))
        human = builds_of(state)[0]
        state = game.apply(state, human)
        assert bot(game.apply(state, game.Draw((1, 2)))).target == 6

    def test_when_no_company_could_act_it_passes(self) -> None:
        """Ruling: after one draw, which moves both markers."""
        state = solo(demand=NO_TILES_IN_THE_EAST, reservoir=3, target=3, sound=False)
        after = game.apply(state, game.Draw((2, 1)))
        assert keys(state, game.Draw((2, 1)))[-1] == "bot_cannot_act"
        assert (bot(after).target, bot(after).company, bot(after).redraw) == (21, 1, False)
        assert (after.seat, after.passes) == ("red", 1)

    def test_when_the_human_cannot_act_either_the_game_ends(self) -> None:
        """Ruling of the engine."""
        state = solo(demand=NO_TILES_IN_THE_EAST, reservoir=3, influence={"red": 0}, passes=1, sound=False)
        assert keys(state, game.Draw((2, 1)))[-1] == "game_over_stuck"
        assert game.apply(state, game.Draw((2, 1))).phase == "over"

    def test_once_it_acts_the_passes_before_count_no_more(self) -> None:
        """Ruling of the engine: only passes in a row end the game."""
        state = solo(reservoir=0, passes=1)
        assert game.apply(state, game.Draw((1, 1))).passes == 0


GRAY_SHUT_IN: dict[str, list[Place]] = {
    "brown": [(6, -4), (5, -3), "Louisville", "Atlanta"],
    "orange": [(6, -5), (5, -4), "Louisville", (5, -3), "Atlanta"],
}
"""Atlanta and Louisville are full; no other city is within three hexes of Wilmington."""

EAST = [city.name for city in game.built_in().boards["usa"].numbered.values() if city.number < 20]
NO_TILES_IN_THE_EAST: dict[str, str | None] = dict.fromkeys(EAST)
"""As if every city that the companies can reach from their starts were full."""
