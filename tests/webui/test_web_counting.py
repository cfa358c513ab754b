"""Counting a game that was played without the pages: by hand, and from a photo of the tracks."""

import json
import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from fake_vision import TABLES, jpeg
from visitors import CODE, Visitor

from vision import Figure
from vision.bench.panels import profile_of
from vision.bench.shares import table_of_shares
from webui import create_app

SOLO = {"mode": "solo", "difficulty": "passenger", "seat0": "blue"}
NUMBERS = {
    **dict(zip([f"companies.{c}.value" for c in ("brown", "gray", "orange", "white")], (9, 6, 12, 3), strict=True)),
    **{f"influence.blue.{c}": 5 for c in ("brown", "gray", "orange", "white")},
    **{f"influence.masinfira.{c}": 2 for c in ("brown", "gray", "orange", "white")},
    **{f"shares.blue.{c}": 1 for c in ("brown", "gray", "orange", "white")},
    **{f"shares.masinfira.{c}": 0 for c in ("brown", "gray", "orange", "white")},
}  # fmt: skip
NUMBERS_TYPED = {field: str(number) for field, number in NUMBERS.items()}
FOUR = TABLES / "study" / "tracks_four.jpg"


@pytest.fixture(scope="module")
def with_tracks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The profile of a table with its board of tracks."""
    folder = tmp_path_factory.mktemp("profiles") / "study"
    profile_of(TABLES / "study", ["map", "tracks"], "usa").save(folder)
    return folder


def numbers(page: str) -> dict[str, str]:
    """The fields of the form with what is filled in."""
    return dict(re.findall(r'name="([a-z_]+\.[a-z]+\.[a-z]+)" value="(\d*)"', page))


def counted(visitor: Visitor, path: str, **fields: object) -> str:
    """The page with the numbers after a form was sent there; its address holds them, so it can be loaded again."""
    answer = visitor.post(path, **fields)
    assert answer.status_code == 303, answer.text
    page = visitor.get(answer.location).text
    assert set(numbers(page))
    return page


def begun(visitor: Visitor, **fields: object) -> str:
    """The page with the numbers after it was said who played."""
    visitor.get("/count")
    return counted(visitor, "/count", **SOLO, **fields)


def back_from(visitor: Visitor, score: str) -> str:
    """Where a score leads back to: the page with its numbers."""
    return unescape(re.search(r'href="(/count/numbers[^"]*)"', visitor.get(score).text)[1])


def test_the_score_of_a_game_is_counted_from_its_numbers(visitor) -> None:
    """R6.2, R7.12; the values of the table are R6.2's, the column is 2nd alone against Mašinfíra."""
    page = begun(visitor)
    assert set(numbers(page)) == set(NUMBERS)
    assert not any(numbers(page).values())
    address = visitor.post("/count/score", **SOLO, **NUMBERS).location
    assert "token" not in address
    page = visitor.get(address).text
    assert "Final score" in page
    assert numbers(visitor.get(back_from(visitor, address)).text) == NUMBERS_TYPED
    assert re.search(r"Blue wins with \d+ points", page)
    assert "/game/" not in page
    assert f"{address}&lang=cs" in unescape(page)
    assert "Konečné skóre" in visitor.get(f"{address}&lang=cs", follow_redirects=True).text


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"companies.gray.value": ""}, "fill in every field"),
        ({"influence.blue.white": "-1"}, "fill in every field"),
        ({"influence.blue.white": "99999999999"}, "fill in every field"),
        ({"companies.brown.value": "16"}, "What is marked ! cannot be"),
        ({"seat0": "pink"}, "pink"),
        ({"mode": "chess"}, "mode"),
    ],
)
def test_numbers_that_cannot_be_are_refused_in_one_sentence(visitor, wrong, sentence) -> None:
    visitor.get("/count")
    answer = visitor.post("/count/score", **{**SOLO, **NUMBERS, **wrong})
    if answer.status_code == 303:
        # So that going back from the score meets a page that can be shown again.
        answer = visitor.get(answer.location)
    assert answer.status_code == 400
    assert sentence in answer.text
    (field,) = wrong
    if field in NUMBERS:
        assert re.search(rf'class=" wrong"><input[^>]*name="{field}"', answer.text)
        assert {f: n for f, n in numbers(answer.text).items() if f != field}.items() <= NUMBERS_TYPED.items()


@pytest.mark.parametrize(
    ("missing", "told"),
    [({}, "from 0 to 15 expected, 16 found"), ({"influence.blue.white": ""}, "is missing")],
)
def test_all_numbers_that_cannot_be_are_marked_at_once(visitor, missing, told) -> None:
    """The sentence is about the first of them, or about those that are missing."""
    visitor.get("/count")
    wrong = {"companies.brown.value": "16", "shares.blue.gray": "99", **missing}
    page = counted(visitor, "/count/score", **{**SOLO, **NUMBERS, **wrong})
    assert told in page
    assert set(re.findall(r'class=" wrong"><input[^>]*name="([^"]+)"', page)) == wrong.keys()


def test_shares_that_are_too_many_together_are_all_marked(visitor) -> None:
    """R1.2."""
    visitor.get("/count")
    shares = {"shares.blue.gray": 8, "shares.masinfira.gray": 3}
    page = counted(visitor, "/count/score", **{**SOLO, **NUMBERS, **shares})
    assert 'id="problem">Gray: the shares marked ! are 11 in all, but there are only 9' in page
    marked = r'class=" wrong"><input[^>]*name="([^"]+)"[^>]*aria-describedby="problem"'
    assert set(re.findall(marked, page)) == shares.keys()


def test_influence_beyond_the_printed_track_is_counted_when_it_was_looked_at_again(visitor) -> None:
    """R5.6: there is no highest influence. What was said of one number holds for no other."""
    visitor.get("/count")
    told = {**SOLO, **NUMBERS, "influence.blue.gray": 999}
    page = visitor.get(visitor.post("/count/score", **told).location).text
    assert "The influence marked ! is more than 15, where the printed track ends" in page
    assert re.findall(r'class=" wrong"><input[^>]*name="([^"]+)"', page) == ["influence.blue.gray"]
    assert numbers(page)["influence.blue.gray"] == "999"
    looked_at = visitor.field("looked_at")
    assert "/count/score" in visitor.post("/count/score", **told, looked_at=looked_at).location
    more = {**told, "influence.blue.white": 16}
    assert "/count/numbers" in visitor.post("/count/score", **more, looked_at=looked_at).location


def test_numbers_in_an_address_are_checked_too(visitor) -> None:
    assert visitor.get("/count/score").status_code == 400
    assert visitor.get("/count/numbers?mode=solo").status_code == 400


def test_without_a_profile_of_the_tracks_no_photo_is_asked_for(visitor) -> None:
    assert 'type="file"' not in visitor.get("/count").text
    answer = visitor.post("/count", **SOLO, photo=(BytesIO(FOUR.read_bytes()), "tracks.jpg"))
    assert answer.status_code == 409
    assert "cannot be read yet" in answer.text


@pytest.mark.slow
def test_a_photo_of_the_tracks_fills_the_numbers_in(data_dir: Path, with_tracks: Path) -> None:
    """What the photo shows stands in the form, or is marked; nothing is filled in wrongly without a mark."""
    truth = json.loads(FOUR.with_suffix(".json").read_text())
    visitor = Visitor(create_app(data_dir, with_tracks, CODE))
    assert 'type="file"' in visitor.get("/count").text
    seats = {f"seat{n}": seat for n, seat in enumerate(truth["influence"])}
    photo = (BytesIO(FOUR.read_bytes()), "tracks.jpg")
    page = counted(visitor, "/count", mode="standard", **seats, photo=photo)
    true = {f"companies.{c}.value": part["value"] for c, part in truth["companies"].items()} | {
        f"influence.{seat}.{c}": n for seat, row in truth["influence"].items() for c, n in row.items()
    }
    assert "players who are not counted" not in page
    read = {field: value for field, value in numbers(page).items() if value}
    marked = set(re.findall(r'class="doubt"><input[^>]*name="([^"]+)"', page))
    assert len(read.keys() - marked) > 0.8 * len(true)
    assert {f: n for f, n in read.items() if f not in marked} == {
        f: str(true[f]) for f in read if f not in marked
    }
    assert len(list(data_dir.glob("photos/*"))) == 0


@pytest.mark.slow
def test_a_player_who_was_forgotten_is_told(data_dir: Path, with_tracks: Path) -> None:
    """R6.1: ranks, and with them the score, depend on everybody who plays."""
    visitor = Visitor(create_app(data_dir, with_tracks, CODE))
    visitor.get("/count")
    everybody = [*json.loads(FOUR.with_suffix(".json").read_text())["influence"]]
    seats = {f"seat{n}": seat for n, seat in enumerate(everybody[:3])}
    photo = (BytesIO(FOUR.read_bytes()), "tracks.jpg")
    page = counted(visitor, "/count", mode="standard", **seats, photo=photo)
    assert f"players who are not counted here: {everybody[3]}." in page


def test_a_photo_without_the_tracks_is_refused(data_dir: Path, with_tracks: Path) -> None:
    visitor = Visitor(create_app(data_dir, with_tracks, CODE))
    visitor.get("/count")
    answer = visitor.post("/count", **SOLO, photo=(BytesIO(b"no picture"), "tracks.jpg"))
    assert answer.status_code == 400
    map_only = (BytesIO((TABLES / "study" / "empty.jpg").read_bytes()), "map.jpg")
    answer = visitor.post("/count", **SOLO, photo=map_only)
    assert answer.status_code == 400
    assert "The photo does not show the tracks of value and influence" in answer.text
    answer = visitor.post("/count", **SOLO, photo=[(BytesIO(b"x"), "a.jpg")] * 5)
    assert "at most" in answer.text


def test_photos_of_shares_fill_numbers_in_and_what_was_typed_stays(visitor, with_shares) -> None:
    with_shares["blue"] = [Figure(("shares", "blue", "gray"), "share/gray", {0: -2.0, 2: 1.0})]
    page = begun(visitor)
    assert page.count('type="file"') == 2
    page = counted(visitor, "/count/photos", **SOLO, **{"photo.blue": (jpeg(), "b.jpg")})
    assert numbers(page)["shares.blue.gray"] == "2"
    typed = {"companies.brown.value": "7", "shares.blue.gray": "9", "shares.blue.white": "1"}
    page = counted(visitor, "/count/photos", **SOLO, **typed, **{"photo.blue": (jpeg(), "b.jpg")})
    filled = {field: value for field, value in numbers(page).items() if value}
    assert filled == typed, "and is marked where the photo shows another number"
    assert "Shares, Blue, Gray: the photo shows 2, and 9 was written." in page
    assert page.count(', doubtful"') == 1
    page = counted(visitor, "/count/photos", **SOLO, **filled, doubt="shares.blue.gray")
    assert page.count(', doubtful"') == 1


def test_a_photo_that_was_chosen_and_not_read_is_read_before_the_score(visitor, with_shares) -> None:
    with_shares["blue"] = [Figure(("shares", "blue", "gray"), "share/gray", {0: -2.0, 2: 1.0})]
    begun(visitor)
    typed = {"companies.brown.value": "7"}
    page = counted(visitor, "/count/score", **SOLO, **typed, **{"photo.blue": (jpeg(), "b.jpg")})
    assert numbers(page)["shares.blue.gray"] == "2"
    assert numbers(page)["companies.brown.value"] == "7"


def test_who_says_that_others_played_brings_the_numbers_along(visitor) -> None:
    """R6.1: ranks, and with them the score, depend on everybody who plays."""
    page = visitor.get(
        "/count/numbers?mode=standard&seat0=red&seat1=blue&seat2=green&influence.red.gray=4&also=purple&_external=x"
    ).text
    who = re.search(r'href="(/count\?[^"]*)">Who played\?<', page)
    assert who and "_external" not in who[1]
    form = visitor.get(who[1].replace("&amp;", "&")).text
    assert '<input type="hidden" name="influence.red.gray" value="4">' in form
    seats = {"seat0": "red", "seat1": "blue", "seat2": "green", "seat3": "purple"}
    page = counted(visitor, "/count", mode="standard", **seats, **{"influence.red.gray": "4"})
    assert numbers(page)["influence.red.gray"] == "4"
    assert "influence.purple.gray" in numbers(page)


def test_one_bad_photo_of_shares_does_not_take_the_others_with_it(visitor, with_shares) -> None:
    with_shares["blue"] = [Figure(("shares", "blue", "gray"), "share/gray", {0: -2.0, 2: 1.0})]
    visitor.get("/count")
    photos = {"photo.masinfira": (jpeg(), "bad.jpg"), "photo.blue": (jpeg(), "good.jpg")}
    page = counted(visitor, "/count/photos", **SOLO, **photos)
    assert numbers(page)["shares.blue.gray"] == "2"
    assert "Mašinfíra: No share tile was found in the photo" in page


def test_one_photo_for_the_shares_of_two_players_is_told(visitor, with_shares) -> None:
    visitor.get("/count")
    one = jpeg().getvalue()
    photos = {f"photo.{seat}": (BytesIO(one), "b.jpg") for seat in ("blue", "masinfira")}
    page = counted(visitor, "/count/photos", **SOLO, **photos)
    assert page.count("The same photo was sent for blue, Mašinfíra") == 1


def test_one_photo_sent_for_two_players_one_after_the_other_is_told(visitor, with_shares) -> None:
    with_shares.update({"blue": [], "masinfira": []})
    visitor.get("/count")
    one = jpeg().getvalue()
    page = counted(visitor, "/count/photos", **SOLO, **{"photo.blue": (BytesIO(one), "b.jpg")})
    assert "The same photo" not in page
    again = {"count": visitor.field("count"), "photo.masinfira": (BytesIO(one), "b.jpg")}
    page = counted(visitor, "/count/photos", **SOLO, **again)
    assert "The same photo was sent for Mašinfíra, blue" in page
    other = {"count": visitor.field("count"), "photo.masinfira": (jpeg(width=700), "c.jpg")}
    assert "The same photo" not in counted(visitor, "/count/photos", **SOLO, **other)


def test_a_photo_without_shares_is_told_and_what_was_typed_stays(visitor, with_shares) -> None:
    visitor.get("/count")
    for photos in ({}, {"photo.masinfira": (jpeg(), "b.jpg")}, {"photo.blue": (BytesIO(b"x"), "b.jpg")}):
        page = counted(visitor, "/count/photos", **SOLO, **{"companies.brown.value": "7"}, **photos)
        assert 'role="alert"' in page
        assert numbers(page)["companies.brown.value"] == "7"


@pytest.mark.slow
def test_shares_are_counted_from_a_photo(data_dir: Path, tmp_path: Path) -> None:
    table, folder = TABLES / "kitchen", tmp_path / "kitchen"
    table_of_shares(table, "usa").save(folder)
    visitor = Visitor(create_app(data_dir, folder, CODE))
    visitor.get("/count")
    photo = (BytesIO((table / "shares_loose.jpg").read_bytes()), "loose.jpg")
    page = counted(visitor, "/count/photos", **SOLO, **{"photo.blue": photo})
    found = {f: v for f, v in numbers(page).items() if f.startswith("shares.blue")}
    assert all(found.values())
    assert page.count(', doubtful"') == 4
