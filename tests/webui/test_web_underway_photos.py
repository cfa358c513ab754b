"""Photos of a game already under way: what they show clearly is filled in, what they do not is asked."""

import re
from io import BytesIO
from types import SimpleNamespace

import pytest
from fake_boards import SOLO, TILES, photographed
from fake_vision import jpeg
from test_web_underway import entered, tell
from visitors import Visitor

from engine.mini_express import COMPANIES, built_in
from engine.mini_express.names import Pair
from engine.mini_express.notation import hex_to_text
from vision import Figure
from vision.state.demand import Cards, Tile
from webui.services import services_of

USA = built_in().boards["usa"]
START = {"brown": [[7, -5]], "gray": [[7, -3]], "orange": [[6, -6]], "white": [[5, 0]]}


def pictures(count: int) -> list[tuple[BytesIO, str]]:
    return [(jpeg(), f"{n}.jpg") for n in range(count)]


def send(visitor: Visitor, page: str, **fields: object) -> str:
    """The page after more photos were sent from it."""
    visitor.get(page)
    answer = visitor.post(f"{page}/photos", seen=visitor.field("seen"), **fields)
    assert answer.status_code == 303, answer.text
    return visitor.get(page).text


def asked_again(text: str) -> set[str]:
    """What the page proposes and wants confirmed."""
    return set(re.findall(r'name="sure" value="([^"]+\.[^"]+)"', text))


def in_field(text: str, path: str) -> str:
    return re.search(rf'name="{path}" value="([^"]*)"', text)[1]


def test_photos_beside_a_wrong_number_are_said_to_be_still_unread(visitor, doubtful) -> None:
    told, wrong = "The photos were not read yet: choose them again.", {"companies.brown.value": "77"}
    for photos in (pictures(1), []):
        visitor.get(doubtful)
        answer = visitor.post(f"{doubtful}/photos", seen=visitor.field("seen"), photo=photos, **wrong)
        assert answer.status_code == 400
        assert (told in answer.text) == bool(photos)


PROPOSED = {"demand.2": "gray-gray", "demand.7": "brown-gray", "demand.9": "brown-white"}


def test_a_tile_in_doubt_is_not_confirmed_by_saving_something_else(visitor, doubtful) -> None:
    assert asked_again(visitor.get(doubtful).text) == PROPOSED.keys()
    text = tell(visitor, doubtful, **PROPOSED, to_move="red")
    assert asked_again(text) == PROPOSED.keys()
    assert '<option value="red" selected>' in text


def test_a_tile_in_doubt_is_settled_by_a_tick_or_by_another_one(visitor, doubtful) -> None:
    text = tell(visitor, doubtful, **{**PROPOSED, "demand.9": "orange-white"}, sure="demand.2")
    assert asked_again(text) == {"demand.7"}
    sheet = visitor.get(f"{doubtful}?hex=0,-2").text
    assert "Trains on" in sheet
    assert not asked_again(tell(visitor, doubtful, **PROPOSED, sure="demand.7"))


def test_all_tiles_in_doubt_are_settled_at_once_only_by_the_button_that_says_so(visitor, doubtful) -> None:
    assert 'name="sure" value="demand">All these tiles are as proposed' in visitor.get(doubtful).text
    text = tell(visitor, doubtful, **PROPOSED, sure="demand")
    assert not asked_again(text)
    assert "All these tiles" not in text


def test_a_number_in_doubt_is_proposed_and_asked(visitor, boards) -> None:
    boards.figures = [Figure(("influence", "red", "gray"), "influence/gray", {6: 1.0, 7: 0.0})]
    boards.doubtful = [{"path": "influence.red.gray"}]
    page = photographed(visitor)
    assert asked_again(visitor.get(page).text) == {"influence.red.gray"}
    text = tell(visitor, page, **{"influence.red.gray": "6"})
    assert asked_again(text) == {"influence.red.gray"}
    assert in_field(text, "influence.red.gray") == "6"
    text = tell(visitor, page, **{"influence.red.gray": "6"}, sure="influence.red.gray")
    assert not asked_again(text)
    assert in_field(text, "influence.red.gray") == "6"


def test_a_player_who_was_forgotten_is_told(visitor, boards) -> None:
    """One colour that no human plays is Mašinfíra's, a second one is somebody's."""
    boards.colours = ["red", "green"]
    assert "of other colours" not in visitor.get(photographed(visitor)).text
    boards.colours = ["red", "green", "yellow"]
    told = visitor.get(photographed(visitor)).text
    assert "markers of other colours: green, yellow. One is Mašinfíra&#39;s; if another player" in told


def in_photo(text: str) -> str:
    """What the page draws over the hex that the fake photos show."""
    return re.search(r'<svg class="map seen".*?</svg>', text, re.DOTALL)[0]


def test_the_photo_has_the_letters_of_the_language_and_what_was_told(visitor, boards) -> None:
    """A Czech B is white (bílá), and brown is H (hnědá)."""
    boards.state = {"track": {**START, "brown": [*START["brown"], [0, -2]]}}
    boards.doubtful = [{"hex": [0, -2]}]
    page = photographed(visitor)
    shown = in_photo(visitor.get(page).text)
    assert re.findall(r">([A-Z?])</text>", shown) == ["B", "?"]
    assert f'href="{page}?hex=0,-2#correct"' in shown
    visitor.post(f"{page}/hex", hex="0,-2", train=["brown", "white"])
    in_czech = visitor.get(f"{page}?lang=cs", follow_redirects=True).text
    assert re.findall(r">([A-Z?])</text>", in_photo(in_czech)) == ["H", "B"]


def test_the_target_marker_in_doubt_is_proposed_and_asked(visitor, boards) -> None:
    """R7.2"""
    boards.map = SimpleNamespace(cards=Cards(target=7, target_p=0.7), doubtful_target=True)
    page = photographed(visitor)
    assert asked_again(visitor.get(page).text) == {"bot.target"}
    assert '<option value="7" selected>' in visitor.get(page).text
    assert not asked_again(tell(visitor, page, **{"bot.target": "8"}))


def tiles_alike(*cities: str, p: float = 1.0) -> SimpleNamespace:
    """A map on which the tiles of these cities look like each other."""

    def cards_told(told: dict[int, Pair]) -> Cards:
        meant = [pair for city, pair in told.items() if str(city) in cities][-1:]
        return Cards(tuple(Tile(int(city), pair, p) for city in cities for pair in meant))

    return SimpleNamespace(cards=Cards(), doubtful_target=False, cards_told=cards_told)


def on_tile(text: str, city: int) -> str:
    """The tile that the form has of a city."""
    chosen = text[text.index(f'<select name="demand.{city}"') :]
    return re.search(r'<option value="([^"]*)" selected', chosen[: chosen.index("</select>")])[1]


TOLD = "With that, the demand tiles of these cities are read otherwise, too: {}."


def test_tiles_that_look_like_one_that_is_told_follow_it(visitor, boards) -> None:
    """But not the one of which somebody has said what it is."""
    boards.doubtful = [{"what": "demand", "city": int(number)} for number in TILES]
    boards.map = tiles_alike("2", "7", "9", p=0.7)
    page = photographed(visitor)
    assert "read otherwise, too" not in tell(visitor, page, **PROPOSED, to_move="red")
    text = tell(visitor, page, **{**PROPOSED, "demand.2": "orange-white"})
    assert TOLD.format(f"{USA.numbered[7].name}, {USA.numbered[9].name}") in text
    assert asked_again(text) == {"demand.7", "demand.9"}
    assert [on_tile(text, city) for city in (7, 9)] == ["orange-white"] * 2
    followed = dict.fromkeys(PROPOSED, "orange-white")
    text = tell(visitor, page, **{**followed, "demand.7": "brown-gray"})
    assert TOLD.format(USA.numbered[9].name) in text
    assert asked_again(text) == {"demand.9"}
    assert on_tile(text, 9) == "brown-gray"


def test_a_tile_that_is_told_at_its_hex_tells_those_that_look_like_it(visitor, boards) -> None:
    boards.map = tiles_alike("2", "7")
    page = photographed(visitor)
    city = USA.numbered[2]
    hexed = {"hex": hex_to_text(city.at), "tile": "orange-white", "tile_shown": "gray-gray"}
    visitor.post(f"{page}/hex", **hexed)
    text = visitor.get(page).text
    assert TOLD.format(USA.numbered[7].name) in text
    assert not asked_again(text)


def test_a_clear_tile_that_is_read_as_before_is_not_asked_again(visitor, boards) -> None:
    boards.doubtful = [{"what": "demand", "city": 2}]
    boards.map = tiles_alike("2", "7", p=0.7)
    page = photographed(visitor)
    text = tell(visitor, page, **{**PROPOSED, "demand.2": PROPOSED["demand.7"]})
    assert "read otherwise, too" not in text
    assert not asked_again(text)


def test_where_nobody_remembers_the_photos_each_tile_is_told_by_itself(visitor, app, boards) -> None:
    boards.doubtful = [{"what": "demand", "city": int(number)} for number in TILES]
    boards.map = tiles_alike("2", "7", "9")
    page = photographed(visitor)
    positions = services_of(app).positions
    positions.remember(page.rpartition("/")[2], None)
    text = tell(visitor, page, **{**PROPOSED, "demand.2": "orange-white"})
    assert "read otherwise, too" not in text
    assert asked_again(text) == {"demand.7", "demand.9"}


def test_what_is_still_to_be_told_stands_at_the_top(visitor, boards) -> None:
    boards.doubtful = [{"hex": [0, -2]}, {"what": "demand", "city": 2}]
    text = visitor.get(page := photographed(visitor)).text
    top = text[text.index('id="still"') : text.index('id="map"')]
    assert f'href="{page}?hex=0,-2#correct">1 hex of the map<' in top
    assert re.findall(r'href="#([^"]+)">([^<]+)<', top)[:3] == [
        ("numbers", "28 numbers"),
        ("tiles", "1 demand tile"),
        ("to_move", "Whose turn begins?"),
    ]
    for anchor in re.findall(r'href="#([^"]+)"', top):
        assert f'id="{anchor}"' in text


def test_photos_of_boards_can_come_later_and_what_was_told_stays(visitor, boards) -> None:
    """The new photos are read with the old ones; a hex, a tile and a number that a person told outweigh them."""
    page = photographed(visitor)
    visitor.post(f"{page}/hex", hex="0,-2", train=["gray", "white"])
    tell(visitor, page, **{"companies.brown.value": "3"})
    boards.state = {
        "track": {**START, "brown": [*START["brown"], [0, -2]]},
        "companies": {"brown": {"value": 5}, "orange": {"value": 8}},
        "demand": TILES,
    }
    boards.doubtful = [{"hex": [0, -2]}]
    text = send(visitor, page, photo=(jpeg(), "b.jpg"))
    assert len(boards.photos) == 2
    assert (in_field(text, "companies.brown.value"), in_field(text, "companies.orange.value")) == ("3", "8")
    assert "does not show clearly what stands there" not in text
    assert visitor.get(f"{page}?hex=0,-2").text.count("checked") == 2
    assert [visitor.client.get(f"{page}/photos/{n}.jpg").status_code for n in range(3)] == [200, 200, 404]


def test_with_the_photos_goes_what_was_typed(visitor, boards) -> None:
    page = entered(visitor, SOLO)
    text = send(visitor, page, photo=(jpeg(), "b.jpg"), **{"influence.red.gray": "4"})
    assert in_field(text, "influence.red.gray") == "4"


@pytest.mark.parametrize("files", [[(BytesIO(b"no picture"), "x.jpg")], pictures(5)])
def test_a_photo_that_cannot_be_read_costs_nothing_that_was_told(visitor, boards, files) -> None:
    page = photographed(visitor, *pictures(2))
    tell(visitor, page, **{"companies.brown.value": "3"})
    visitor.get(page)
    answer = visitor.post(f"{page}/photos", seen=visitor.field("seen"), photo=files)
    text = visitor.get(page).text
    assert 'role="alert"' in (text if answer.status_code == 303 else answer.text)
    assert in_field(text, "companies.brown.value") == "3"
    assert visitor.client.get(f"{page}/photos/1.jpg").status_code == 200


def test_one_bad_photo_can_go_and_the_others_are_read_without_it(visitor, boards) -> None:
    """What was told and typed stays; a photo that comes later does not take the place of one that went."""
    page = photographed(visitor, *pictures(2))
    tell(visitor, page, **{"companies.brown.value": "3"})
    boards.state = {"companies": {"brown": {"value": 5}, "orange": {"value": 8}}}
    visitor.get(page)
    answer = visitor.post(
        f"{page}/photos/0/remove", seen=visitor.field("seen"), **{"companies.gray.value": "4"}
    )
    assert answer.location.endswith("#photos")
    text = visitor.get(page).text
    assert len(boards.photos) == 1
    assert [in_field(text, f"companies.{name}.value") for name in ("brown", "gray", "orange")] == [
        "3",
        "4",
        "8",
    ]
    assert "Remove photo 1" in text
    assert "Remove photo 2" not in text
    assert visitor.client.get(f"{page}/photos/0.jpg").status_code == 404
    send(visitor, page, photo=(jpeg(), "c.jpg"))
    assert [visitor.client.get(f"{page}/photos/{n}.jpg").status_code for n in range(4)] == [
        404,
        200,
        200,
        404,
    ]


def test_without_any_photo_only_what_was_told_is_left(visitor, boards) -> None:
    boards.state = {"companies": {"brown": {"value": 5}, "orange": {"value": 8}}}
    page = photographed(visitor)
    tell(visitor, page, **{"companies.brown.value": "3"})
    visitor.get(page)
    visitor.post(f"{page}/photos/0/remove", seen=visitor.field("seen"))
    text = visitor.get(page).text
    assert (in_field(text, "companies.brown.value"), in_field(text, "companies.orange.value")) == ("3", "")


def test_a_tapped_hex_is_shown_as_it_is_in_each_photo(visitor, boards) -> None:
    page = photographed(visitor, *pictures(2))
    shown = re.findall(
        r'<svg viewBox="([^"]+)" role="img"[^<]*<image href="([^"]+)"', visitor.get(f"{page}?hex=0,-2").text
    )
    assert shown == [("226 146 188 188", f"{page}/photos/{n}.jpg") for n in range(2)]
    assert visitor.client.get(shown[1][1]).status_code == 200
    assert 'role="img" aria-label="The photo' not in visitor.get(f"{page}?hex=1,-2").text


def test_who_begins_with_a_photo_of_something_else_goes_on_without_it(visitor, boards) -> None:
    text = visitor.get(photographed(visitor, (BytesIO(b"no picture"), "x.jpg"))).text
    assert "is not a picture this program can read" in text
    assert "Photos of the boards" in text
    assert "Remove photo" not in text


def test_from_photo_to_photo_there_is_an_end(visitor, boards) -> None:
    page = photographed(visitor, *pictures(4))
    assert "send at most 6" in send(visitor, page, photo=pictures(3))
    assert "send at most 6" not in send(visitor, page, photo=pictures(2))
    assert len(boards.photos) == 6


def test_who_answers_one_open_hex_is_led_to_the_next(visitor, boards) -> None:
    """The nearest first, so that the map need not be searched; who only corrects a hex stays there."""
    boards.doubtful = [{"hex": [0, -2]}, {"hex": [1, -2]}, {"hex": [6, -2]}]
    page = photographed(visitor)
    visitor.get(page)
    assert "?hex=1,-2" in visitor.post(f"{page}/hex", hex="0,-2").location.replace("%2C", ",")
    assert "leaves 1 more hex in doubt" in visitor.get(f"{page}?hex=1,-2").text
    assert visitor.post(f"{page}/hex", hex="4,-2").location.endswith("#map")
    assert "?hex=6,-2" in visitor.post(f"{page}/hex", hex="1,-2").location.replace("%2C", ",")
    assert visitor.post(f"{page}/hex", hex="6,-2").location.endswith("#map")


def test_what_another_phone_said_of_a_hex_meanwhile_is_looked_at_first(visitor, new_visitor, boards) -> None:
    boards.doubtful = [{"hex": [0, -2]}, {"hex": [1, -2]}]
    page, other = photographed(visitor), new_visitor()
    text = visitor.get(f"{page}?hex=0,-2").text
    rest, of_hex = re.findall(r'name="known" value="(\w+)"', text)
    other.get(page)
    other.post(f"{page}/hex", hex="0,-2", train=["gray"])
    assert visitor.post(f"{page}/hex", hex="0,-2", train=["white"], known=of_hex).status_code == 303
    text = visitor.get(f"{page}?hex=0,-2").text
    assert "Somebody else has answered meanwhile" in text
    assert re.findall(r'name="train" value="(\w+)" checked', text) == ["gray"]
    visitor.post(f"{page}/rest", known=rest)
    assert "does not show clearly what stands there" in visitor.get(page).text
    visitor.post(f"{page}/rest", known=visitor.field("known"))
    assert "does not show clearly what stands there" not in visitor.get(page).text


@pytest.mark.parametrize("turned", [False, True])
def test_a_photo_taken_upright_is_read_upright(visitor, boards, turned) -> None:
    options = (
        {"exif": b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"} if turned else {}
    )
    photographed(visitor, (jpeg(640, 480, **options), "a.jpg"))
    assert boards.photos[0].pixels.shape[:2] == ((640, 480) if turned else (480, 640))


def counts(seat: str, **found: int) -> list[Figure]:
    """As a photo of share tiles shows them: never for certain."""
    return [Figure(("shares", seat, c), f"share/{c}", {n: 1.0, n + 1: -1.0}) for c, n in found.items()]


def test_where_photos_of_boards_are_asked_for_it_is_said_where_those_of_shares_go(
    visitor, reader, monkeypatch, with_shares
) -> None:
    profiles = reader.profiles
    monkeypatch.setattr(profiles, "all", lambda: [profiles.for_counting()])
    monkeypatch.setattr(profiles, "know", lambda board: True)
    hint = "Photos of share tiles have their own button at each player"
    assert f"{hint} on the next page." in visitor.get("/underway").text
    page = entered(visitor, SOLO)
    assert f"{hint} below." in visitor.get(page).text
    monkeypatch.setattr(profiles, "for_counting", lambda: None)
    assert hint not in visitor.get("/underway").text + visitor.get(page).text


def test_shares_are_counted_from_a_photo_and_every_count_is_asked(visitor, with_shares) -> None:
    with_shares["red"] = counts("red", brown=2, gray=1, orange=0, white=3)
    page = entered(visitor, SOLO)
    text = send(visitor, page, **{"photo.red": (jpeg(), "r.jpg"), "influence.red.gray": "4"})
    shares = {f"shares.red.{company}" for company in COMPANIES}
    assert asked_again(text) == shares
    assert [in_field(text, path) for path in sorted(shares)] == ["2", "1", "0", "3"]
    assert in_field(text, "influence.red.gray") == "4"
    sent = {"shares.red.brown": 2, "shares.red.gray": 2, "shares.red.orange": 0, "shares.red.white": 3}
    text = tell(visitor, page, **sent, sure=["shares.red.brown", "shares.red.white"])
    assert asked_again(text) == {"shares.red.orange"}
    assert in_field(text, "shares.red.gray") == "2"


def test_a_later_photo_of_shares_asks_again_only_what_it_shows_otherwise(visitor, with_shares) -> None:
    page = entered(visitor, SOLO)
    tell(visitor, page, **{"shares.red.brown": 2, "shares.red.gray": 1})
    with_shares["red"] = counts("red", brown=2, gray=3)
    text = send(visitor, page, **{"photo.red": (jpeg(), "r.jpg")})
    assert asked_again(text) == {"shares.red.gray"}
    assert in_field(text, "shares.red.gray") == "1", "what a person said holds until it is corrected"
    assert "Shares, Red, Gray: the photo shows 3, and 1 was written." in text


def test_one_bad_photo_of_shares_does_not_take_the_others_with_it(visitor, with_shares) -> None:
    with_shares["red"] = counts("red", gray=1)
    photos = {"photo.masinfira": (jpeg(), "bad.jpg"), "photo.red": (jpeg(), "good.jpg")}
    text = send(visitor, entered(visitor, SOLO), **photos)
    assert asked_again(text) == {"shares.red.gray"}
    assert "Mašinfíra: No share tile was found in the photo" in text


def test_without_photos_nothing_is_read(visitor, with_shares) -> None:
    assert "No photo was chosen" in send(visitor, entered(visitor, SOLO))


def test_counts_of_shares_in_doubt_outlive_a_later_photo_of_the_boards(visitor, boards, with_shares) -> None:
    with_shares["red"] = counts("red", brown=2)
    page = entered(visitor, SOLO)
    send(visitor, page, **{"photo.red": (jpeg(), "r.jpg")})
    text = send(visitor, page, photo=(jpeg(), "b.jpg"))
    assert asked_again(text) == {"shares.red.brown"}
    assert in_field(text, "shares.red.brown") == "2"


def test_what_hardly_shows_and_a_pile_that_is_not_counted_are_not_proposed(visitor, boards) -> None:
    boards.figures = [
        Figure(("companies", "gray", "offer"), "offer/gray", {0: 0.0, "some": 4.0}),
        Figure(("influence", "red", "gray"), "influence/gray", {5: 0.0, 6: 0.1, 7: 0.0}),
    ]
    text = visitor.get(photographed(visitor)).text
    assert not asked_again(text)
    assert in_field(text, "companies.gray.offer") == in_field(text, "influence.red.gray") == ""


def test_what_follows_by_the_rules_is_not_asked_though_the_photo_leaves_it_open(visitor, boards) -> None:
    """R5.5: nothing is built, so the value is 0."""
    boards.figures = [Figure(("companies", "gray", "value"), "value", {1: 1.0, 0: 0.0})]
    assert not asked_again(visitor.get(photographed(visitor)).text)


def test_a_number_that_was_emptied_does_not_come_back_with_a_later_photo(visitor, boards) -> None:
    page = photographed(visitor)
    tell(visitor, page, **{"companies.brown.reservoir": "3"})
    tell(visitor, page, **{"companies.brown.reservoir": ""})
    text = send(visitor, page, photo=(jpeg(), "b.jpg"))
    assert in_field(text, "companies.brown.reservoir") == ""
