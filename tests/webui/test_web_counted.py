"""A count is kept with its photos: they can be compared with the numbers, and nobody has to begin anew."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from io import BytesIO
from types import SimpleNamespace

import pytest
from browser import PHONE, Phone, join
from fake_vision import BLANK, jpeg
from PIL import Image
from test_web_counting import NUMBERS, SOLO, back_from, begun, counted, numbers
from visitors import CODE, Visitor

from calibration import Profile, RegistrationProblem
from engine.mini_express import built_in
from engine.mini_express.pack.writing import values_toml
from vision import Figure
from vision.compared import Disagreement
from webui import create_app
from webui.pages.count import counting
from webui.services import services_of

VALUE = Figure(("companies", "gray", "value"), "value/gray", {6: 9.0, 0: 0.0})


def shown(figures: list[Figure], conflicts: Sequence[Disagreement] = ()) -> SimpleNamespace:
    """What photos of the tracks show."""
    return SimpleNamespace(figures=figures, colours=(), all_conflicts=conflicts)


@pytest.fixture
def with_tracks(reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that knows its tracks; all but black photos show that gray's value is 6."""

    def count(photos, profile, seats, shares):
        if not photos[0].pixels.any():
            raise RegistrationProblem("not_found", photo=photos[0].name)
        return shown([VALUE])

    profile = Profile("usa", {"tracks": BLANK.surfaces["map"]})
    monkeypatch.setattr(reader.profiles, "for_counting", lambda: profile)
    monkeypatch.setattr(reader, "counter", count)
    monkeypatch.setattr(counting, "has_tracks", lambda surface: True)


def black() -> BytesIO:
    Image.new("RGB", (640, 480)).save(out := BytesIO(), "JPEG")
    out.seek(0)
    return out


def filled(page: str) -> dict[str, str]:
    return {field: number for field, number in numbers(page).items() if number}


def photos_on(page: str) -> list[str]:
    return re.findall(r'<img[^>]* src="(/count/photo/[^"]+)"', page)


def kept(visitor: Visitor) -> list[str]:
    """Where the counted games of the first page lead to, the newest first."""
    return [
        unescape(link) for link in re.findall(r'class="card" href="(/count/[^"]+)"', visitor.get("/").text)
    ]


def along(visitor: Visitor) -> dict[str, str]:
    """What the page with the numbers sends along: who played, of which count, and as of when."""
    return {**SOLO, "count": visitor.field("count"), "seen": visitor.field("seen")}


def opened(visitor: Visitor) -> dict[str, str]:
    """As `along`, of the only count that the first page leads to."""
    (address,) = kept(visitor)
    visitor.get(address)
    return along(visitor)


def scored(visitor: Visitor) -> str:
    """Where the score of a game is that was counted anew."""
    begun(visitor)
    return visitor.post("/count/score", **opened(visitor), **NUMBERS).location


def test_the_photos_stand_beside_the_numbers_as_long_as_these_are_corrected(visitor, with_tracks) -> None:
    page = begun(visitor, photo=[(jpeg(), "a.jpg"), (jpeg(320, 240), "b.jpg")])
    shown = photos_on(page)
    assert [Image.open(BytesIO(visitor.client.get(path).data)).size for path in shown] == [
        (640, 480),
        (320, 240),
    ]
    page = counted(visitor, "/count/score", **{**along(visitor), **NUMBERS, "companies.gray.value": 99})
    assert photos_on(page) == shown
    score = visitor.post("/count/score", **along(visitor), **NUMBERS).location
    assert photos_on(visitor.get(back_from(visitor, score)).text) == shown


def test_a_photo_of_shares_stands_beside_its_player_until_there_is_a_better_one(visitor, with_shares) -> None:
    with_shares["blue"] = [Figure(("shares", "blue", "gray"), "share/gray", {0: -2.0, 2: 1.0})]
    page = begun(visitor)
    assert not photos_on(page)
    seen = []
    for width in (640, 320):
        page = counted(visitor, "/count/photos", **along(visitor), **{"photo.blue": (jpeg(width), "b.jpg")})
        (path,) = photos_on(page)
        seen.append(path)
    assert page.index(path) < page.index('name="photo.blue"')
    assert Image.open(BytesIO(visitor.client.get(path).data)).width == 320
    assert visitor.get(seen[0]).status_code == 404


def test_the_tracks_can_be_photographed_when_the_numbers_are_asked_for(visitor, with_tracks) -> None:
    """A photo that shows no tracks changes nothing."""
    page = begun(visitor)
    assert not photos_on(page)
    typed = {"companies.brown.value": "7"}
    page = counted(visitor, "/count/photos", **along(visitor), **typed, photo=(black(), "a.jpg"))
    assert "The photo does not show the tracks of value and influence" in page and not photos_on(page)
    assert filled(page) == typed
    page = counted(visitor, "/count/photos", **along(visitor), **typed, photo=(jpeg(), "a.jpg"))
    assert filled(page) == {**typed, "companies.gray.value": "6"}
    assert len(photos_on(page)) == 1


def test_what_was_typed_over_a_photo_stays_and_is_marked_where_another_photo_contradicts(
    visitor, with_tracks
) -> None:
    begun(visitor, photo=(jpeg(), "a.jpg"))
    again = {"photo": (jpeg(), "b.jpg"), "companies.gray.value": "9"}
    page = counted(visitor, "/count/photos", **along(visitor), **again)
    assert filled(page) == {"companies.gray.value": "9"}
    assert page.count('name="doubt" value="companies.gray.value"') == 1


@pytest.mark.parametrize(("value", "told"), [("6", True), ("7", False)])
def test_a_score_tells_of_a_doubtful_number_that_nobody_changed(
    visitor, with_tracks, reader, value: str, told: bool
) -> None:
    unclear = replace(VALUE, weights={6: 1.0, 5: 0.0})
    reader.counter = lambda *_: shown([unclear])
    begun(visitor, photo=(jpeg(), "a.jpg"))
    sent = {**NUMBERS, "companies.gray.value": value, "doubt": "companies.gray.value"}
    score = visitor.get(visitor.post("/count/score", **along(visitor), **sent).location).text
    assert ("1 of these numbers did not show clearly" in score) == told
    assert "Final score" in score


def test_what_contradicts_itself_in_the_photos_of_the_tracks_is_told(visitor, with_tracks, reader) -> None:
    apart = Disagreement("apart", n=3, figure="influence.red.gray")
    reader.counter = lambda *_: shown([VALUE], [apart])
    page = begun(visitor, photo=[(jpeg(), "a.jpg"), (jpeg(), "b.jpg")])
    assert "contradict each other on numbers (3), such as Influence, Red, Gray" in page


def test_that_no_marker_was_found_is_told(visitor, with_tracks, reader) -> None:
    reader.counter = lambda *_: shown([])
    page = begun(visitor, photo=(jpeg(), "a.jpg"))
    assert "No marker was found in the photos of the tracks" in page


def test_what_an_earlier_photo_showed_gives_way_to_a_later_one(visitor, with_tracks, reader) -> None:
    """And it is not doubtful any more where the later one shows it clearly."""
    page = begun(visitor, photo=(jpeg(), "a.jpg"))
    later = replace(VALUE, weights={8: 9.0, 0: 0.0})
    reader.counter = lambda *_: shown([later])
    sent = {**filled(page), "doubt": "companies.gray.value", "photo": (jpeg(), "b.jpg")}
    page = counted(visitor, "/count/photos", **along(visitor), **sent)
    assert filled(page) == {"companies.gray.value": "8"}
    assert 'name="doubt"' not in page


def test_what_an_earlier_photo_clearly_showed_otherwise_is_told_and_asked(
    visitor, with_tracks, reader
) -> None:
    page = begun(visitor, photo=(jpeg(), "a.jpg"))
    later = replace(VALUE, weights={8: 9.0, 0: 0.0})
    reader.counter = lambda *_: shown([later])
    page = counted(visitor, "/count/photos", **along(visitor), **filled(page), photo=(jpeg(), "b.jpg"))
    assert "otherwise what earlier ones clearly showed (1), such as Value, Gray" in page
    assert page.count('name="doubt" value="companies.gray.value"') == 1


@pytest.mark.parametrize("photo", [BytesIO(b"no picture"), black()], ids=["no picture", "no tracks"])
def test_a_wrong_photo_is_told_on_the_form_with_what_was_said(visitor, with_tracks, photo: BytesIO) -> None:
    visitor.get("/count")
    players = {"mode": "standard", "seat0": "green", "seat1": "red", "seat2": "yellow"}
    answer = visitor.post("/count", **players, photo=(photo, "a.jpg"))
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text and 'action="/count"' not in answer.text
    assert "<h1>Count a finished game</h1>" in answer.text
    chosen = re.findall(r'value="(\w+)"[^>]* (?:checked|selected)>', answer.text)
    assert chosen[:1] == ["standard"]
    assert chosen[2:5] == ["green", "red", "yellow"]
    assert not kept(visitor)


def test_what_was_counted_is_found_again(visitor, data_dir) -> None:
    begun(visitor)
    assert "1 counted game" in visitor.get("/").text
    (address,) = kept(visitor)
    page = visitor.get(address).text
    score = visitor.post("/count/score", **along(visitor), **NUMBERS).location
    assert score.startswith("/count/score")
    later = Visitor(create_app(data_dir, None, CODE))
    assert kept(later) == [score]
    assert "Final score" in later.get(score).text
    assert not any(numbers(page).values())


def test_numbers_that_were_refused_are_found_again(visitor) -> None:
    begun(visitor)
    told = {**along(visitor), **NUMBERS, "companies.gray.value": 99}
    counted(visitor, "/count/score", **told)
    (address,) = kept(visitor)
    assert numbers(visitor.get(address).text)["companies.brown.value"] == str(
        NUMBERS["companies.brown.value"]
    )


def test_a_score_stays_where_a_second_phone_had_the_empty_form_open(visitor, new_visitor) -> None:
    begun(visitor)
    second = new_visitor()
    first, other = opened(visitor), opened(second)
    score = visitor.post("/count/score", **first, **NUMBERS).location
    page = counted(second, "/count/score", **other)
    assert "Somebody else has changed" in page
    assert kept(visitor) == [score]


def test_a_score_stays_where_a_second_phone_loads_its_empty_form_once_more(visitor, new_visitor) -> None:
    """What counts is which numbers it shows, not when it came."""
    begun(visitor)
    (empty,) = kept(visitor)
    score = visitor.post("/count/score", **opened(visitor), **NUMBERS).location
    second = new_visitor()
    second.get(empty)
    page = counted(second, "/count/score", **along(second), **{**NUMBERS, "companies.gray.value": "1"})
    assert "Somebody else has changed" in page
    assert kept(visitor) == [score]


def test_a_second_phone_corrects_a_score_from_its_page(visitor, new_visitor) -> None:
    score = scored(visitor)
    second = new_visitor()
    second.get(score.replace("/count/score", "/count/numbers"))
    corrected = {**NUMBERS, "companies.gray.value": "1"}
    again = second.post("/count/score", **along(second), **corrected).location
    assert kept(visitor) == [again] != [score]


def test_what_another_phone_has_sent_meanwhile_is_replaced_only_by_who_sends_it_again(
    visitor, new_visitor
) -> None:
    begun(visitor)
    second = new_visitor()
    first, other = opened(visitor), opened(second)
    score = visitor.post("/count/score", **first, **NUMBERS).location
    told = {**other, **NUMBERS, "companies.gray.value": "7"}
    page = counted(second, "/count/score", **told)
    assert "Somebody else has changed" in page
    assert numbers(page)["companies.gray.value"] == "7"
    assert kept(visitor) == [score]
    again = second.post("/count/score", **{**told, "seen": second.field("seen")}).location
    assert kept(visitor) == [again] != [score]


def test_a_photo_of_shares_does_not_replace_what_another_phone_has_sent_meanwhile(
    visitor, new_visitor, with_shares
) -> None:
    with_shares["blue"] = [Figure(("shares", "blue", "gray"), "share/gray", {0: -2.0, 2: 1.0})]
    begun(visitor)
    second = new_visitor()
    first, other = opened(visitor), opened(second)
    score = visitor.post("/count/score", **first, **NUMBERS).location
    page = counted(second, "/count/photos", **other, **{"photo.blue": (jpeg(), "b.jpg")})
    assert "Somebody else has changed" in page and not photos_on(page)
    assert kept(visitor) == [score]


def test_the_same_score_can_be_sent_twice(visitor) -> None:
    """By a hasty finger, or where the answer was lost."""
    begun(visitor)
    told = {**opened(visitor), **NUMBERS}
    assert [visitor.post("/count/score", **told).location for _ in range(2)] == kept(visitor) * 2


def test_who_goes_back_to_the_page_as_it_was_is_not_taken_for_somebody_else(visitor) -> None:
    """A browser may show it out of its memory, with what it knew then."""
    begun(visitor)
    told = {**opened(visitor), **NUMBERS}
    visitor.post("/count/score", **told)
    corrected = visitor.post("/count/score", **{**told, "companies.gray.value": 7}).location
    assert corrected.startswith("/count/score")
    assert kept(visitor) == [corrected]


def test_a_score_stays_until_it_is_corrected_to_another(visitor) -> None:
    score = scored(visitor)
    back = back_from(visitor, score)
    for value, found in ((99, [score]), (7, None)):
        visitor.get(back)
        sent = visitor.post("/count/score", **along(visitor), **{**NUMBERS, "companies.gray.value": value})
        assert kept(visitor) == (found or [sent.location])


def test_a_score_is_corrected_after_a_slip_while_the_same_phone_counts_another_game(visitor) -> None:
    score = scored(visitor)
    visitor.get(back_from(visitor, score))
    counted(visitor, "/count/score", **along(visitor), **{**NUMBERS, "companies.gray.value": 99})
    slip = along(visitor)
    begun(visitor)
    corrected = visitor.post("/count/score", **slip, **{**NUMBERS, "companies.gray.value": 7}).location
    assert corrected.startswith("/count/score")


def test_a_score_stays_what_it_was_when_the_value_table_is_corrected_until_it_is_counted_again(
    visitor, app
) -> None:
    score = scored(visitor)
    before, packs = winner(visitor, score), services_of(app).packs
    dearer = [tuple(worth + 7 for worth in row) for row in built_in().values]
    packs.change(lambda _: {"values.toml": values_toml(dearer)})
    assert winner(visitor, score) == before
    visitor.get(back_from(visitor, score))
    again = visitor.post("/count/score", **along(visitor), **NUMBERS).location
    assert winner(visitor, again) != before
    assert kept(visitor) == [again]


def winner(visitor: Visitor, score: str) -> str:
    return re.search(r"\w+ wins with \d+ points", visitor.get(score).text)[0]


def test_a_score_that_does_not_say_by_which_printed_data_is_shown_by_those_in_use(visitor) -> None:
    """As earlier versions have kept it; one whose data are gone is told to be."""
    score = scored(visitor)
    without = re.sub(r"&pack=\w+", "", score)
    assert without != score
    assert winner(visitor, without) == winner(visitor, score)
    for gone in ("01234567", "../in_use"):
        assert visitor.get(f"{without}&pack={gone}").status_code == 404


@pytest.mark.browser
def test_numbers_that_are_not_sent_yet_outlive_a_reload_and_the_photo_stays_in_sight(
    phone: Phone, visitor, with_tracks
) -> None:
    visitor.get("/count")
    address = visitor.post("/count", **SOLO, photo=(jpeg(), "a.jpg")).location
    join(phone)
    phone.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**PHONE, "width": 360, "height": 560})
    phone.open(address)
    phone.check_page()
    phone.find("input[name='shares.masinfira.white']").send_keys("3")
    phone.driver.refresh()
    phone.loaded()
    field = phone.find("input[name='shares.masinfira.white']")
    assert field.get_property("value") == "3"
    phone.driver.execute_script("window.scrollTo({top: 9999, behavior: 'instant'})")
    top = "return document.querySelector('.beside').getBoundingClientRect().top"
    assert phone.driver.execute_script(top) == 0
    phone.open("/count/numbers?mode=solo&difficulty=passenger&seat0=blue")
    assert phone.find("input[name='shares.masinfira.white']").get_property("value") == ""


@pytest.mark.browser
def test_a_photo_that_comes_late_opens_at_its_middle(phone: Phone, app, visitor, with_tracks) -> None:
    visitor.get("/count")
    address = visitor.post("/count", **SOLO, photo=[(jpeg(2000, 1500), "a.jpg")]).location
    at_once = app.view_functions["counting.photo"]

    def late(**where: object) -> object:
        time.sleep(0.5)
        return at_once(**where)

    app.view_functions["counting.photo"] = late
    join(phone)
    phone.open(address)
    left, right = phone.driver.execute_script(
        "const e = document.querySelector('.map-scroll');"
        "return [e.scrollLeft, e.scrollWidth - e.clientWidth - e.scrollLeft]"
    )
    assert left == pytest.approx(right, abs=2)
    assert left > 100
