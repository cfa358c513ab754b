"""R11: the ports on the map of Europe."""

from pathlib import Path

import pytest
from positions import (
    Place,
    build,
    builds_of,
    companies_in,
    europe_without,
    event,
    hex_of,
    keys,
    number,
    position,
    reachable,
    refused,
)

from engine import mini_express as game
from engine.mini_express.state import State

PORTS = ((3, -1), (1, -7), (-4, 2), (-8, 1), (-11, 8))
"""From the most eastern column to the most western."""


def europe(**parts: object) -> State:
    """Europe with ports; Dublin, next to gray's start, has the wild tile of orange."""
    parts = {"demand": {"Dublin": "orange wild"}, **parts}
    return position(board="europe", modules=["ports"], **parts)  # type: ignore[arg-type]


def to_dublin(state: State, port: Place | None = (3, -1)) -> game.Build:
    return build(state, "gray", "Dublin", wild="white", port=port)


class TestPortHexes:
    """R11.1."""

    def test_no_track_is_built_to_them(self) -> None:
        """They are no cities."""
        state = europe(track={"white": [(1, 0), (2, 0)]})
        problem = refused(state, build(state, "white", (3, -1)))
        assert problem.key == "no_city"

    @pytest.mark.parametrize(("modules", "open_"), [([], True), (["ports"], False)])
    def test_nor_through_them(self, modules: list[str], open_: bool) -> None:
        """From the hex beside the port to Istanbul and Odessa: over the port only without the module."""
        state = position(board="europe", modules=modules, track={"white": [(1, 0), (2, 0)]}, reservoir=2)
        assert ("Odessa" in reachable(state, "white")) == open_


class TestThePortEvent:
    """R11.2."""

    def test_a_train_of_the_other_colour_opens_a_port(self) -> None:
        """Gray builds, the tile shows orange: orange gets the port, from its supply."""
        state = europe()
        after = game.apply(state, to_dublin(state))
        assert companies_in(after, (3, -1)) == {"orange"}
        assert number(after, "supply", "orange") == number(state, "supply", "orange") - 1
        assert number(after, "reservoir", "orange") == number(state, "reservoir", "orange")

    def test_after_the_influence(self) -> None:
        """And before the tile leaves: Dublin takes one company."""
        state = europe()
        assert keys(state, to_dublin(state)) == [
            "built", "influence_rose", "influence_rose", "port_opened", "tile_left",
        ]  # fmt: skip

    def test_the_player_chooses_any_free_port(self) -> None:
        """All five at first."""
        state = europe()
        dublin = hex_of(state.board, "Dublin")
        builds = [a for a in builds_of(state) if a.route[-1] == dublin]
        assert {(a.port, a.wild) for a in builds} == {
            (port, wild) for port in PORTS for wild in ("brown", "gray", "white")
        }

    def test_one_more_start(self) -> None:
        """From the port on the Black Sea orange can build to Odessa."""
        state = europe()
        after = game.apply(state, to_dublin(state))
        assert "Odessa" in reachable(after, "orange")
        assert not game.check(after)

    def test_only_the_first_track(self) -> None:
        """Paris takes three; gray is there already."""
        state = europe(
            demand={"Paris": "orange wild"}, track={"gray": [(-7, 0), "Paris"], "orange": [(-7, 3), (-7, 2)]}
        )
        action = build(state, "orange", "Paris", wild="white")
        after = game.apply(state, action)
        assert all(not companies_in(after, port) for port in PORTS)
        assert keys(state, action) == ["built", "compensated", "influence_rose", "influence_rose"]
        assert refused(state, build(state, "orange", "Paris", wild="white", port=(3, -1))).key == "port_extra"

    def test_only_with_a_wild_tile(self) -> None:
        """Any other tile opens nothing."""
        state = europe(demand={"Dublin": "orange gray"})
        assert refused(state, build(state, "gray", "Dublin", port=(3, -1))).key == "port_extra"

    def test_only_with_the_module(self) -> None:
        """Without it a wild tile is only wild."""
        state = position(board="europe", demand={"Dublin": "orange wild"})
        after = game.apply(state, to_dublin(state, port=None))
        assert after.supply[2] == state.supply[2]

    @pytest.mark.parametrize("port", [None, (0, 3), (2, 0)])
    def test_the_port_must_be_chosen_among_the_free_ones(self, port: Place | None) -> None:
        """None at all, or a hex that is no port."""
        state = europe()
        assert refused(state, to_dublin(state, port)).key == "port_choice"

    def test_without_supply_it_is_skipped(self) -> None:
        """Orange has no train left beside the board."""
        state = europe(supply={"orange": 0}, offer={"orange": 0, "rest": 6})
        after = game.apply(state, to_dublin(state, port=None))
        assert "port_skipped" in keys(state, to_dublin(state, port=None))
        assert all(not companies_in(after, port) for port in PORTS)

    def test_it_is_skipped_when_compensation_took_the_last_train(self) -> None:
        """R5.4 comes first: then there is no port to choose."""
        state = europe(
            demand={"Paris": "orange wild"},
            track={"orange": [(-7, 3), (-7, 2), (-6, 1), (-6, 0), (-7, 0)]},
            supply={"orange": 1},
            reservoir={"orange": 2, "rest": 4},
        )
        action = build(state, "gray", (-7, 0), "Paris", wild="white")
        assert action in game.legal_actions(state)
        assert {"compensated", "port_skipped"} <= set(keys(state, action))
        assert (
            refused(state, build(state, "gray", (-7, 0), "Paris", wild="white", port=(3, -1))).key
            == "port_extra"
        )

    def test_the_last_train_of_a_supply_exhausts_the_offer(self) -> None:
        """R3.2."""
        state = europe(supply={"orange": 1})
        after = game.apply(state, to_dublin(state))
        assert (number(after, "supply", "orange"), number(after, "offer", "orange")) == (0, 0)


class TestCountsAndLimits:
    """R11.4."""

    def test_a_port_never_counts_for_value(self) -> None:
        """Neither for the builder nor for the company that gets it."""
        state = europe(value=5)
        assert game.apply(state, to_dublin(state)).value == (5, 5, 5, 5)

    def test_a_taken_port_cannot_be_chosen(self) -> None:
        """Three are taken, two are free."""
        state = europe(
            track={"brown": [(3, -1), "Danzig"], "white": [(1, -7), (1, 0), (2, 0), "Sofia"],
                   "gray": [(-4, 2), (-6, -1), "Essen"]},
            demand={"Dublin": "orange wild", "Danzig": "brown wild", "Sofia": "white wild", "Essen": "gray wild"},
        )  # fmt: skip
        dublin = hex_of(state.board, "Dublin")
        builds = [a for a in builds_of(state) if a.route[-1] == dublin]
        assert {a.port for a in builds} == {(-8, 1), (-11, 8)}
        assert refused(state, to_dublin(state, (3, -1))).key == "port_choice"

    def test_at_most_four_events_so_one_port_stays_free(self) -> None:
        """Each company has one wild tile, and its first track comes once."""
        wild = [tile for tile in game.built_in().demand_tiles if "wild" in tile]
        assert sorted(tile[0] for tile in wild) == sorted(game.COMPANIES)
        assert len(PORTS) == len(wild) + 1


class TestMasinfirasPort:
    """R11.3."""

    @staticmethod
    def chosen(colour: str, target: str, city: str = "Paris", **parts: object) -> object:
        """The port Mašinfíra opens for this company when gray is the first to come to this city."""
        tiles = {city: f"{colour} wild", **dict(parts.pop("demand", {}))}  # type: ignore[call-overload]
        state = europe(
            mode="solo", to_move="masinfira", marker="brown", target=target, redraw=True,
            demand=tiles, reservoir={"gray": 3, "rest": 4}, **parts,
        )  # fmt: skip
        assert event(state, game.Draw((1, 1)), "built").values["city"] == city
        port = event(state, game.Draw((1, 1)), "bot_port").values["port"]
        assert companies_in(game.apply(state, game.Draw((1, 1))), port) == {colour}
        return port

    def test_the_nearest_to_its_target_city(self) -> None:
        """Venice is next to the port at (-4, 2)."""
        assert self.chosen("brown", "Venice") == (-4, 2)

    @pytest.mark.parametrize(("colour", "port"), [("orange", (-8, 1)), ("brown", (-4, 2))])
    def test_ties_by_the_way_from_the_companys_track(self, colour: str, port: Place) -> None:
        """Ruling: both are 4 from Marseille; Barcelona is nearer to one, Warsaw to the other."""
        assert self.chosen(colour, "Marseille") == port

    def test_the_track_just_built_counts(self) -> None:
        """R11.2: the port comes after the build. From Marseille both are 4, and (-4, 2) lies more to the east."""
        state = europe(
            mode="solo", to_move="masinfira", marker="gray", target="Marseille", redraw=True,
            demand={"Marseille": "orange wild"}, reservoir={"orange": 4, "rest": 4},
        )  # fmt: skip
        assert event(state, game.Draw((1, 1)), "built").values["city"] == "Marseille"
        assert event(state, game.Draw((1, 1)), "bot_port").values["port"] == (-4, 2)

    def test_then_the_most_eastern_column(self, tmp_path: Path) -> None:
        """Ruling: on this map no way leads from Edinburgh to any port, and two free ones are 7 from Warsaw."""
        track: dict[str, list[Place]] = {"white": [(1, -7), (1, 0), (2, 0), "Sofia"]}
        tiles = {"Sofia": "white wild"}
        cut_off = europe_without(tmp_path, (-6, -2))
        assert self.chosen("brown", "Edinburgh", "Edinburgh", track=track, demand=tiles, pack=cut_off) == (
            3,
            -1,
        )
