"""The map in the terminal: whose trains stand where, and which city is which."""

from engine import mini_express as game
from masinfira.drawing import map_of, map_text, short_names

START = game.Game.from_text(
    """masinfira/mini-express/game/1
board: usa
mode: solo
difficulty: tourist
seats: red
demand: b* bw gw bw g* bo bo ow bg go bw go ow bb ow go gg ww bo gw oo gw bw bg gw bg bg w* go bo o* ow

1 red draft b
2 red draft g
3 masinfira draw 1/1
4 masinfira draw 3/2
""",
    game.built_in(),
)


def drawn(played: game.Game) -> list[list[str]]:
    """The words of each line of the map."""
    return [line.split() for line in map_of(played.state).plain.splitlines()]


def words(lines: list[list[str]]) -> set[str]:
    return {word for line in lines for word in line}


def test_a_train_stands_behind_the_name_of_its_own_city() -> None:
    lines = drawn(START)
    assert {"Eri-o", "Bal-b", "Wil-g", "Tal-w", "Det2", "Atl2"} <= words(lines)
    assert len(words(lines) & {"b", "g", "o", "w"}) == 0


def test_what_is_built_stands_in_the_hexes_of_its_route() -> None:
    lines = drawn(START.play(game.action_from_text("build g 6,-3 5,-2")))
    (at,) = [n for n, line in enumerate(lines) if "Atl2g" in line]
    # A column farther east and half a hex higher, where a dot was.
    assert lines[at - 1][-1] == "g"
    assert drawn(START)[at - 1][-1] == "·"


def test_the_map_is_no_wider_than_it_needs_to_be() -> None:
    assert max(map(len, map_of(START.state).plain.splitlines())) == 80


def test_what_no_photo_shows_is_a_question() -> None:
    board = START.state.board
    track = {company: START.state.hexes(company) for company in game.COMPANIES}
    erie, detroit = (city.at for city in board.city_at.values() if city.name in ("Erie", "Detroit"))
    lines = map_text(board, track, (), [erie, detroit, (3, -4)]).plain
    assert "Eri?o" in lines and "Det?" in lines and lines.count("?") == 3


def test_every_city_has_a_short_name_of_its_own() -> None:
    for board in game.built_in().boards.values():
        short = short_names(city.name for city in board.city_at.values())
        assert len(set(short.values())) == len(short)
    assert short_names(["New York", "New Orleans", "Salt Lake City", "Omaha"]) == {
        "New York": "NYo",
        "New Orleans": "NOr",
        "Salt Lake City": "SLC",
        "Omaha": "Oma",
    }
    assert short_names(["Bari", "Barcelona"]) == {"Bari": "Bar", "Barcelona": "Bac"}
