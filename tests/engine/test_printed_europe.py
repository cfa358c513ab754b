"""The map of Europe against every sentence about it in the rulebooks, and what holds for both maps (R1.3, R1.4)."""

import pytest
from plain import PlainMap, next_to

from engine import mini_express as game
from engine.hexgrid import Hex

BOARDS = game.built_in().boards
EUROPE = PlainMap(BOARDS["europe"], ["ports"])
BELGRADE = EUROPE.at["Belgrade"]


def by_belgrade(q: int, r: int) -> Hex:
    """A hex in the coordinates of the rules' example, where Belgrade is (0, 0)."""
    return BELGRADE[0] + q, BELGRADE[1] + r


WHITE = [by_belgrade(0, r) for r in (-2, -1, 0, 1)]
"""White's network of the example: Belgrade and the column around it."""


@pytest.mark.parametrize(
    "name",
    ["Kiev", "Barcelona", "Warsaw", "London", "Belgrade", "Bremen", "Essen", "Milan", "Marseille", "Frankfurt",
     "Venice"],
)  # fmt: skip
def test_named_cities(name: str) -> None:
    """Every city that the rulebooks name is there."""
    assert name in EUROPE.at


@pytest.mark.parametrize(
    ("company", "city"),
    [("orange", "Barcelona"), ("brown", "Warsaw"), ("gray", "London"), ("white", "Belgrade")],
)
def test_start_cities(company: str, city: str) -> None:
    """R1.5."""
    assert EUROPE.start[company] == EUROPE.at[city]


def test_city_1_is_kiev() -> None:
    """R1.5."""
    assert EUROPE.number[EUROPE.at["Kiev"]] == 1


def test_venice_takes_two_companies() -> None:
    """It is full with gray and white in the example."""
    assert EUROPE.capacity[EUROPE.at["Venice"]] == 2


def test_bremen_essen_milan_and_marseille_follow_each_other() -> None:
    """The target marker goes from Bremen over Essen to Milan and Marseille."""
    bremen = EUROPE.number[EUROPE.at["Bremen"]]
    numbers = [EUROPE.number[EUROPE.at[name]] for name in ("Bremen", "Essen", "Milan", "Marseille")]
    assert numbers == [bremen, bremen + 1, bremen + 2, bremen + 3]


@pytest.mark.parametrize("city", ["Frankfurt", "Venice"])
@pytest.mark.parametrize("modules", [[], ["ports"]])
def test_both_candidates_are_4_from_marseille(city: str, modules: list[str]) -> None:
    """The example does not say whether the ports are closed, so it holds both ways."""
    plain = PlainMap(BOARDS["europe"], modules)
    assert plain.steps(plain.at["Marseille"], plain.at[city]) == 4


@pytest.mark.parametrize("city", ["Frankfurt", "Venice"])
@pytest.mark.parametrize("modules", [[], ["ports"]])
def test_white_reaches_both_candidates_with_3(city: str, modules: list[str]) -> None:
    """As the example says, whether the ports are closed or not."""
    plain = PlainMap(BOARDS["europe"], modules)
    assert {len(route) for route in plain.shortest_routes(WHITE, plain.at[city])} == {3}


def test_white_has_four_routes_to_venice() -> None:
    """The Korean text: four shortest routes."""
    assert len(EUROPE.shortest_routes(WHITE, EUROPE.at["Venice"])) == 4


def test_white_has_four_possible_start_hexes() -> None:
    """The Czech text: four possible start hexes."""
    firsts = {route[0] for route in EUROPE.shortest_routes(WHITE, EUROPE.at["Venice"])}
    assert {at for first in firsts for at in next_to(first) if at in WHITE} == set(WHITE)


def test_from_two_hexes_north_of_belgrade_the_route_is_unique() -> None:
    """Both texts: from the chosen start hex there is one way."""
    start = by_belgrade(0, -2)
    from_start = [
        route for route in EUROPE.shortest_routes(WHITE, EUROPE.at["Venice"]) if route[0] in next_to(start)
    ]
    assert len(from_start) == 1
    assert max(WHITE, key=lambda at: (at[0], -at[1])) == start


def test_five_ports() -> None:
    """R11.1."""
    assert list(EUROPE.kind.values()).count("port") == 5


def test_no_golden_spike() -> None:
    """R10 is a matter of the USA map."""
    assert BOARDS["europe"].spike is None


@pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))
class TestBothMaps:
    """What R1.3 and R1.4 say of every map, and what a playable map needs."""

    def test_thirty_six_cities(self, board: game.Board) -> None:
        """R1.4."""
        assert len(board.cities) == len(PlainMap(board).name) == 36

    def test_numbers_are_counted_down_each_column_from_the_east(self, board: game.Board) -> None:
        """R1.4: the engine's numbers are those counted by hand."""
        plain = PlainMap(board)
        assert {city.at: city.number for city in board.cities if city.number} == plain.number
        assert sorted(plain.number.values()) == list(range(1, 33))

    def test_start_cities_have_no_number(self, board: game.Board) -> None:
        """R1.4."""
        assert sorted(city.start for city in board.cities if not city.number) == sorted(game.COMPANIES)

    def test_capacities_are_1_2_or_3(self, board: game.Board) -> None:
        """R1.3: black, silver and gold rims; all three kinds occur."""
        assert {city.capacity for city in board.numbered.values()} == {1, 2, 3}

    def test_capacity_two_for_a_first_game(self, board: game.Board) -> None:
        """R1.6."""
        assert {city.capacity for city in board.variant(("capacity_two",)).cities} == {2}

    @pytest.mark.parametrize("company", game.COMPANIES)
    @pytest.mark.parametrize("modules", [[], ["ports"]])
    def test_every_company_can_come_everywhere(
        self, board: game.Board, modules: list[str], company: str
    ) -> None:
        """From its start over landscape and the cities it builds to, but never through another's start."""
        plain = PlainMap(board, modules)
        ports = {at for at, kind in plain.kind.items() if kind == "port" and modules}
        closed = set(plain.start.values()) | ports
        todo = [plain.start[company]]
        seen = set(todo)
        while todo:
            fresh = [near for near in next_to(todo.pop()) if near in plain.kind and near not in seen]
            seen.update(fresh)
            todo += [near for near in fresh if near not in closed]
        assert seen == set(plain.kind)

    def test_the_hexes_are_one_piece(self, board: game.Board) -> None:
        """No hex stands apart from the map."""
        todo = [board.printed[0].at]
        left = {p.at for p in board.printed} - set(todo)
        while todo:
            near = left.intersection(next_to(todo.pop()))
            left -= near
            todo += near
        assert not left

    def test_city_names_differ(self, board: game.Board) -> None:
        """A name is enough to point at a city."""
        assert len({city.name for city in board.cities}) == 36
