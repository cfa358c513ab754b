"""The map of the USA against every sentence about it in the rulebooks (R1.4, R1.5, last section of the rules).

Geometry is counted by `plain.py`, not by the engine."""

import pytest
from plain import PlainMap, Route

from engine import mini_express as game
from engine.hexgrid import Hex

BOARD = game.built_in().boards["usa"]
USA = PlainMap(BOARD)
TULSA = USA.at["Tulsa"]


def by_tulsa(q: int, r: int) -> Hex:
    """A hex in the coordinates of the rules' examples, where Tulsa is (0, 0)."""
    return TULSA[0] + q, TULSA[1] + r


X = by_tulsa(3, -3)
ORANGE: list[str | Hex] = ["Chicago", "Louisville", X]
BETWEEN_ATLANTA_AND_WILMINGTON = (6, -3)


def routes(start: str | Hex | list[str | Hex], city: str) -> set[Route]:
    """All shortest routes from one hex, or from several, to a city."""
    starts = start if isinstance(start, list) else [start]
    return USA.shortest_routes([USA.at[s] if isinstance(s, str) else s for s in starts], USA.at[city])


def lengths(found: set[Route]) -> set[int]:
    return {len(route) for route in found}


@pytest.mark.parametrize(
    "name",
    ["Augusta", "Erie", "Baltimore", "Wilmington", "Tallahassee", "Chicago", "Louisville", "Detroit", "Atlanta",
     "Fort Smith", "Tulsa", "Omaha", "New Orleans", "Denver", "San Francisco"],
)  # fmt: skip
def test_named_cities(name: str) -> None:
    """Every city that the rulebooks name is there."""
    assert name in USA.at


def test_st_louis_is_not_a_city() -> None:
    """A city there would break the examples' routes."""
    assert "St. Louis" not in USA.at


@pytest.mark.parametrize(
    ("company", "city"),
    [("orange", "Erie"), ("brown", "Baltimore"), ("gray", "Wilmington"), ("white", "Tallahassee")],
)
def test_start_cities(company: str, city: str) -> None:
    """R1.5."""
    assert USA.start[company] == USA.at[city]


def test_city_1_is_augusta() -> None:
    """R1.5, and the Korean p. 10: the city farthest up on the right."""
    assert USA.number[USA.at["Augusta"]] == 1


def test_city_1_is_the_most_north_eastern() -> None:
    """No city lies in a column farther east, none above it in its own."""
    q, r = USA.at["Augusta"]
    assert all(at == (q, r) or at[0] < q or (at[0] == q and at[1] > r) for at in USA.name)


@pytest.mark.parametrize(("city", "capacity"), [("Fort Smith", 2), ("Detroit", 2)])
def test_capacities_of_the_examples(city: str, capacity: int) -> None:
    """Both are full with two companies in the examples."""
    assert USA.capacity[USA.at[city]] == capacity


def test_denver_takes_two_companies_at_least() -> None:
    """Orange joins gray there in the Golden Spike example."""
    assert USA.capacity[USA.at["Denver"]] >= 2


@pytest.mark.parametrize(
    ("start", "end", "number"),
    [
        pytest.param("Fort Smith", "Omaha", 2, id="the purple area of the clockwise examples"),
        pytest.param(by_tulsa(0, 1), "New Orleans", 3, id="the yellow area of the clockwise examples"),
        pytest.param(ORANGE, "Omaha", 4, id="orange in example 1 of building"),
        pytest.param(ORANGE, "Tulsa", 1, id="to Tulsa in example 1 of building"),
    ],
)
def test_on_how_many_routes_the_examples_take_3(
    start: str | Hex | list[str | Hex], end: str, number: int
) -> None:
    found = routes(start, end)
    assert lengths(found) == {3}
    assert len(found) == number


def test_tulsa_lies_between_fort_smith_and_omaha() -> None:
    """Were it landscape, there would be a third route."""
    assert by_tulsa(0, 0) == TULSA
    assert USA.at["Fort Smith"] == by_tulsa(1, 0)
    assert USA.at["Omaha"] == by_tulsa(0, -2)


def test_x_lies_between_chicago_and_louisville_on_landscape() -> None:
    """Example 1 of building: "the landscape hex between Chicago and Louisville"."""
    assert USA.is_landscape(X)
    assert USA.steps(X, USA.at["Chicago"]) == 1
    assert USA.steps(X, USA.at["Louisville"]) == 1


def test_the_only_route_to_tulsa_leaves_from_x() -> None:
    """Example 1 of building."""
    assert routes(ORANGE, "Tulsa") == routes(X, "Tulsa")


@pytest.mark.parametrize("start", ["Atlanta", BETWEEN_ATLANTA_AND_WILMINGTON])
def test_to_louisville_takes_2(start: str | Hex) -> None:
    """Example 2 of building: from Atlanta or from the hex between Atlanta and Wilmington."""
    assert lengths(routes(start, "Louisville")) == {2}


@pytest.mark.parametrize("start", ["Atlanta", BETWEEN_ATLANTA_AND_WILMINGTON])
def test_to_detroit_takes_3(start: str | Hex) -> None:
    """Example 2 of building: both ways are as long."""
    assert lengths(routes(start, "Detroit")) == {3}


def test_the_hex_of_example_2_lies_between_atlanta_and_wilmington() -> None:
    """Landscape next to both."""
    assert USA.is_landscape(BETWEEN_ATLANTA_AND_WILMINGTON)
    assert USA.steps(BETWEEN_ATLANTA_AND_WILMINGTON, USA.at["Atlanta"]) == 1
    assert USA.steps(BETWEEN_ATLANTA_AND_WILMINGTON, USA.at["Wilmington"]) == 1


def test_the_spike_tile_lies_on_landscape_south_west_of_omaha() -> None:
    """R10.1."""
    q, r = USA.at["Omaha"]
    assert BOARD.spike is not None
    assert BOARD.spike.tile == (q - 1, r + 1)
    assert USA.is_landscape(BOARD.spike.tile)


def test_denver_can_be_reached_from_omaha() -> None:
    """The Golden Spike example, with a full reservoir at most."""
    assert max(lengths(routes("Omaha", "Denver"))) <= 5


def test_the_golden_spike_joins_omaha_and_san_francisco() -> None:
    """R10.3, R10.4."""
    assert BOARD.spike is not None
    assert (BOARD.spike.east, BOARD.spike.west) == ("Omaha", "San Francisco")


def test_there_are_no_ports() -> None:
    """Ports are a matter of the Europe map (R11)."""
    assert "port" not in USA.kind.values()
