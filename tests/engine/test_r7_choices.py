"""R7.7–R7.9: where Mašinfíra builds to, along which route, and what it gains."""

from pathlib import Path

import pytest
from plain import PlainMap
from positions import Place, companies_in, europe_without, event, influence, keys, number, position

from engine import mini_express as game
from engine.mini_express.bot import choose_route
from engine.mini_express.state import State

BROWN, GRAY, ORANGE, WHITE = range(4)
TO_CHICAGO: list[Place] = [(6, -5), (5, -4), (4, -4), "Chicago"]


def solo(company: str, target: str | int, **parts: object) -> State:
    """Mašinfíra is about to draw (1, 1), which leads the markers to this company and this target."""
    before = game.COMPANIES[game.COMPANIES.index(company) - 1]
    board = game.built_in().boards[str(parts.get("board", "usa"))]
    number = board.city_named[target].number if isinstance(target, str) else target
    return position(mode="solo", to_move="masinfira", marker=before, target=number - 1, **parts)  # type: ignore[arg-type]


DRAW = game.Draw((1, 1))


def destination(state: State) -> str:
    return str(event(state, DRAW, "built").values["city"])


class TestTheDestination:
    """R7.7."""

    def test_the_target_itself_is_the_nearest(self) -> None:
        """At distance 0, though Detroit would take one train instead of four."""
        state = solo("orange", "Chicago")
        assert destination(state) == "Chicago"
        assert "bot_chose_distance" in keys(state, DRAW)

    def test_else_the_city_nearest_to_the_target(self) -> None:
        """Omaha is out of reach; Louisville is nearer to it than Detroit."""
        state = solo("orange", "Omaha", reservoir=3)
        assert destination(state) == "Louisville"
        assert "bot_chose_distance" in keys(state, DRAW)

    def test_a_city_that_may_not_be_built_to_is_no_candidate(self) -> None:
        """Chicago is full: three companies."""
        track = {
            "gray": [(6, -3), (5, -3), (5, -4), (4, -4), "Chicago"],
            "brown": [(6, -4), (5, -4), (4, -4), "Chicago"],
            "white": [(5, -1), (4, -1), (4, -2), (3, -2), (3, -3), "Chicago"],
        }
        state = solo("orange", "Omaha", track=track)
        names = [e.values["city"] for e in game.play(state, DRAW)[1] if e.key == "bot_candidate"]
        assert "Louisville" in names
        assert "Chicago" not in names

    def test_of_equally_near_cities_the_one_with_the_shorter_track(self) -> None:
        """Chicago and Memphis are 5 from Amarillo; orange needs 4 trains and 5."""
        state = solo("orange", "Amarillo", reservoir=5)
        assert destination(state) == "Chicago"
        assert "bot_chose_length" in keys(state, DRAW)

    def test_then_the_one_with_more_companies(self) -> None:
        """For brown both take 4; orange is in Chicago."""
        state = solo("brown", "Amarillo", reservoir=5, track={"orange": TO_CHICAGO})
        assert destination(state) == "Chicago"
        assert "bot_chose_companies" in keys(state, DRAW)

    def test_then_the_higher_number(self) -> None:
        """Memphis is 10, Chicago 9."""
        state = solo("brown", "Amarillo", reservoir=5)
        assert destination(state) == "Memphis"
        assert "bot_chose_number" in keys(state, DRAW)

    def test_the_only_city_needs_no_comparison(self) -> None:
        """Wilmington with two hexes: Atlanta alone."""
        track = {"gray": [(6, -3)]}
        state = solo("gray", "Atlanta", track=track, demand={}, reservoir={"gray": 3, "rest": 4})
        assert destination(state) == "Atlanta"

    def test_no_way_at_all_is_farther_than_any_number(self, tmp_path: Path) -> None:
        """Ruling: on this map a way leads from Edinburgh to Dublin only; Essen has more companies and is as short."""
        track: dict[str, list[Place]] = {
            "gray": [(-7, -2), "Edinburgh", (-6, -1)],
            "orange": [(-7, 3), (-6, 2), (-6, 1), (-6, 0), "Essen"],
        }
        state = position(
            board="europe", mode="solo", to_move="masinfira", marker="brown", target="Edinburgh", redraw=True,
            track=track, reservoir={"gray": 3, "rest": 4}, pack=europe_without(tmp_path, (-6, -2)),
        )  # fmt: skip
        assert destination(state) == "Dublin"
        assert "bot_chose_distance" in keys(state, DRAW)
        far = [event for event in game.play(state, DRAW)[1] if event.key == "bot_candidate_no_way"]
        assert far
        assert all("distance" not in event.values for event in far)

    @pytest.mark.parametrize(("board", "modules"), [("usa", []), ("europe", []), ("europe", ["ports"])])
    def test_distances_run_over_landscape_only(self, board: str, modules: list[str]) -> None:
        """Between every two cities the engine counts as many steps as the plain search, or none at all."""
        played = game.built_in().boards[board].variant(tuple(modules))
        plain = PlainMap(played, modules)
        for a in played.cities:
            steps = played.steps_from(a.bit)
            for b in played.cities:
                assert steps.get(b.bit) == plain.steps(a.at, b.at), (a.name, b.name)

    def test_trains_on_the_way_do_not_matter_for_distances(self) -> None:
        """Whatever stands there: distances belong to the map."""
        empty, busy = solo("brown", "Amarillo", reservoir=5), solo(
            "brown", "Amarillo", reservoir=5, track={"orange": [*TO_CHICAGO, (3, -3), (2, -2), (1, -1), "Tulsa"]}
        )  # fmt: skip
        distances = [
            {
                e.values["city"]: e.values["distance"]
                for e in game.play(s, DRAW)[1]
                if e.key == "bot_candidate"
            }
            for s in (empty, busy)
        ]
        assert distances[0]["Memphis"] == distances[1]["Memphis"] == 5


class TestTheRoute:
    """R7.8."""

    @staticmethod
    def venice(track: list[Place]) -> tuple[tuple[int, int], tuple[tuple[int, int], ...]]:
        """The start hex and the route of white from Belgrade with this track to Venice."""
        state = position(board="europe", mode="solo", track={"white": track})
        choice = choose_route(state, WHITE, state.board.city_named["Venice"])
        return choice.start, choice.chosen

    def test_it_leaves_from_the_most_eastern_column(self) -> None:
        """(-1, -2) is as near and farther north, but in a column farther west than (0, -2)."""
        assert self.venice(["Budapest", (0, -2), (-1, -2)])[0] == (0, -2)

    def test_then_from_the_most_northern_hex_of_it(self) -> None:
        """Belgrade lies north of (0, 1), Budapest north of Belgrade."""
        assert self.venice(["Budapest", (0, 1)])[0] == (0, -1)

    def test_nearer_track_farther_west_goes_first(self) -> None:
        """Only shortest routes count: from (-1, 0) it is one train less."""
        assert self.venice([(-1, 0)])[0] == (-1, 0)

    def test_a_route_that_touches_several_start_hexes_counts_from_the_first(self) -> None:
        """The hex (-1, 0) lies next to Budapest and to Belgrade; the route over it counts from Budapest."""
        state = position(board="europe", mode="solo", track={"white": ["Budapest", (0, 1)]})
        choice = choose_route(state, WHITE, state.board.city_named["Venice"])
        assert choice.start == (0, -1)
        assert (-1, 0) in {route[0] for route in choice.from_start}

    def test_the_start_is_explained(self) -> None:
        """As data: how many routes, which start."""
        state = solo("orange", "Amarillo", reservoir=5)
        start = event(state, DRAW, "bot_start").values
        assert start["n"] == len(start["routes"]) > 0
        assert start["start"] == "Erie"


class TestWhatItGains:
    """R7.9."""

    def test_value_and_compensation_as_for_a_player(self) -> None:
        """Orange is on two hexes of brown's way."""
        state = solo("brown", "Louisville", track={"orange": [(6, -5), (5, -4), "Louisville"]}, reservoir=3)
        after = game.apply(state, DRAW)
        route = event(state, DRAW, "built").values["route"]
        gained = sum("orange" in companies_in(state, at) for at in route)
        assert number(after, "value", "brown") == len(route) - 1
        assert number(after, "reservoir", "orange") == min(5, 3 + gained)
        assert gained

    @pytest.mark.parametrize(("tile", "gained"), [("gray white", (0, 1, 0, 1)), ("gray gray", (0, 2, 0, 0))])
    def test_influence_as_for_a_player(self, tile: str, gained: tuple[int, ...]) -> None:
        """Two symbols are two influence."""
        after = game.apply(solo("orange", "Detroit", demand={"Detroit": tile}), DRAW)
        assert after.influence[1] == tuple(1 + n for n in gained)

    def test_a_wild_tile_gives_one_in_all_four(self) -> None:
        """And nothing else, whatever its other symbol."""
        after = game.apply(solo("orange", "Detroit", demand={"Detroit": "gray wild"}), DRAW)
        assert after.influence[1] == (2, 2, 2, 2)
        assert influence(after, "red", "gray") == 1
