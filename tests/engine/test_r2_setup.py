"""R2: the set-up for 3–5 players and the draft, and R1.6, the option for a first game."""

import random
from collections.abc import Sequence

import pytest
from positions import HUMANS, refused

from engine import mini_express as game
from engine.mini_express.state import State


def new(players: int, board: str = "usa", mode: str = "standard", modules: Sequence[str] = ()) -> State:
    """A standard game before its draft."""
    return game.new(board=board, mode=mode, seats=HUMANS[:players], modules=modules, rng=random.Random(1))


def drafted(state: State, *companies: str) -> State:
    """The state after these drafts."""
    for company in companies:
        state = game.apply(state, game.Draft(company))
    return state


class TestBeforeTheDraft:
    """R2.1–R2.3, R2.6."""

    @pytest.mark.parametrize(("players", "aside", "box"), [(3, 2, 1), (4, 3, 0), (5, 3, 0)])
    def test_shares(self, players: int, aside: int, box: int) -> None:
        """R2.1: 6 in each offer, 3 set aside; with 3 players 2 and 1 back to the box."""
        state = new(players)
        assert state.offer == (6,) * 4
        assert state.aside == (aside,) * 4
        assert state.out == (box,) * 4

    @pytest.mark.parametrize("board", ["usa", "europe"])
    def test_trains_and_values(self, board: str) -> None:
        """R2.2: one train on the start city, 4 in the reservoir, 20 in the supply, value 0."""
        state = new(3, board)
        for company, city in state.board.starts.items():
            assert state.hexes(company) == [city.at]
        assert state.reservoir == (4,) * 4
        assert state.supply == (20,) * 4
        assert state.value == (0,) * 4

    def test_every_numbered_city_has_a_demand_tile(self) -> None:
        """R2.3: the 32 tiles lie on the 32 cities that are no start cities."""
        state = new(3)
        assert state.demand[0] is None
        assert sorted(map(str, state.demand[1:])) == sorted(map(str, state.setup.pack.demand_tiles))

    def test_the_tiles_are_shuffled_by_the_generator_that_is_given(self) -> None:
        """R2.3: the same seed gives the same map, another seed another one."""
        one, same, other = (game.new(seats=HUMANS[:3], rng=random.Random(seed)).demand for seed in (1, 1, 2))
        assert one == same != other

    @pytest.mark.parametrize("players", [3, 4, 5])
    def test_influence_1_everywhere(self, players: int) -> None:
        """R2.6."""
        assert new(players).influence == ((1, 1, 1, 1),) * players

    def test_every_city_takes_two_in_a_first_game(self) -> None:
        """R1.6: then Augusta, printed with a black rim, has room for two."""
        capacities = {
            city.name: city.capacity for city in new(3, modules=["capacity_two"]).board.numbered.values()
        }
        assert set(capacities.values()) == {2}
        assert new(3).board.city_named["Augusta"].capacity == 1


class TestTheDraft:
    """R2.4."""

    @pytest.mark.parametrize("players", [3, 4, 5])
    def test_the_order_runs_there_and_back(self, players: int) -> None:
        """Clockwise from the start player, then back beginning with the last."""
        state, order = new(players), []
        while state.phase == "draft":
            order.append(state.seat)
            state = game.apply(state, game.legal_actions(state)[0])
        assert order == [*HUMANS[:players], *reversed(HUMANS[:players])]
        assert state.seat == HUMANS[0]

    def test_the_two_shares_are_of_different_companies(self) -> None:
        """Blue, first with its second share, holds gray already."""
        state = drafted(new(3), "brown", "orange", "gray")
        problem = refused(state, game.Draft("gray"))
        assert (problem.key, problem.rule) == ("draft_same", "R2.4")

    def test_no_two_players_have_the_same_pair(self) -> None:
        """Purple took gray and white; blue with white may not take gray."""
        state = drafted(new(3), "brown", "white", "gray", "white")
        problem = refused(state, game.Draft("gray"))
        assert (problem.key, problem.rule) == ("draft_pair", "R2.4")
        assert game.Draft("orange") in game.legal_actions(state)

    def test_only_shares_that_were_set_aside(self) -> None:
        """With 3 players two of a company are set aside, so a third is not to be had."""
        state = drafted(new(3), "brown", "brown")
        assert refused(state, game.Draft("brown")).key == "draft_none_aside"

    def test_the_offer_is_not_touched(self) -> None:
        """Drafted shares come from those set aside."""
        state = drafted(new(4), "brown")
        assert state.offer == (6,) * 4
        assert state.aside == (2, 3, 3, 3)
        assert state.shares[0] == (1, 0, 0, 0)

    def test_nothing_but_the_draft_before_it_is_over(self) -> None:
        """Turns begin after the draft."""
        state = new(3)
        assert refused(state, game.TakeShare("brown")).key == "draft_first"

    def test_no_draft_after_it_is_over(self) -> None:
        """The draft happens once."""
        state = drafted(new(3), *TestSharesLeftAside.DRAFTS[3])
        assert state.phase == "play"
        assert refused(state, game.Draft("white")).key == "draft_over"

    @pytest.mark.parametrize(("mode", "players"), [("standard", 3), ("standard", 4), ("standard", 5),
                                                   ("two_with_bot", 2), ("experts", 2)])  # fmt: skip
    def test_no_draft_ever_comes_to_a_dead_end(self, mode: str, players: int) -> None:
        """R2.4, all drafts enumerated: whatever has been taken, the next player has a choice."""
        todo, seen, ended = [new(players, mode=mode)], set(), 0
        while todo:
            state = todo.pop()
            if state.phase != "draft":
                ended += 1
                continue
            actions = game.legal_actions(state)
            assert actions, state.shares
            for action in actions:
                after = game.apply(state, action)
                if (found := (after.to_move, after.phase, after.shares)) not in seen:
                    seen.add(found)
                    todo.append(after)
        assert ended > 0


class TestSharesLeftAside:
    """R2.5."""

    DRAFTS = {
        3: ("brown", "gray", "orange", "gray", "white", "orange"),
        4: ("brown", "brown", "brown", "gray", "orange", "orange", "gray", "white"),
        5: ("brown", "brown", "gray", "gray", "white", "orange", "white", "orange", "white", "orange"),
    }

    def left(self, players: int) -> tuple[State, tuple[int, ...]]:
        """The state after the draft, and the shares that were left aside."""
        state = drafted(new(players), *self.DRAFTS[players][:-1])
        last = game.COMPANIES.index(self.DRAFTS[players][-1])
        left = tuple(n - (c == last) for c, n in enumerate(state.aside))
        return drafted(state, self.DRAFTS[players][-1]), left

    @pytest.mark.parametrize(("players", "by"), [(3, 2), (4, 1), (5, 2)])
    def test_values_rise_for_shares_left_aside(self, players: int, by: int) -> None:
        """By 1 for each share with 4 players, by 2 with 3 or 5."""
        state, left = self.left(players)
        assert sum(left) == {3: 2, 4: 4, 5: 2}[players]
        assert state.value == tuple(by * n for n in left)

    @pytest.mark.parametrize("players", [3, 4, 5])
    def test_they_leave_the_game(self, players: int) -> None:
        """Nothing stays aside."""
        state, left = self.left(players)
        box = 1 if players == 3 else 0
        assert state.aside == (0, 0, 0, 0)
        assert state.out == tuple(n + box for n in left)
        assert not game.check(state)
