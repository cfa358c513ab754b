"""More photos of the same moment, from another side: together they leave fewer doubts."""

import io
from dataclasses import replace

import pytest
from fake_vision import FakeDoubt, FakeScan, a_build, confirm, held_of, jpeg, send

from calibration import RegistrationProblem
from engine.mini_express import action_to_text
from vision.state.decode import Conflict
from webui.forms import PHOTOS_AT_MOST

AT = (2, 2)


def doubtful(before) -> FakeScan:
    return FakeScan(before, doubtful=[FakeDoubt(AT, "gray")])


def test_a_second_photo_is_read_with_the_first_and_what_was_said_holds(table, app) -> None:
    table.says = doubtful
    first = send(table)
    assert "answers most doubts by itself" in table.get(first).text
    table.post(f"{first}/correct", hex="2,2", company="gray", present="yes")
    table.get(first)
    added = table.post(f"{first}/photos", photo=(jpeg(320, 240), "b.jpg")).location
    table.wait(added)
    assert held_of(app, table, added).sizes == [(640, 480), (320, 240)]
    assert held_of(app, table, added).answers == {(AT, "gray"): True}
    assert held_of(app, table, first).sizes == [(640, 480)]


def test_a_photo_that_cannot_be_opened_leaves_the_first_as_it_was(table) -> None:
    table.says = doubtful
    first = send(table)
    table.get(first)
    refused = table.post(f"{first}/photos", photo=(io.BytesIO(b"no photo"), "b.jpg"))
    assert refused.status_code == 400
    assert "Photo 2 of 2" in refused.text
    assert "1 doubt" in table.get(first).text


def test_it_is_offered_where_something_is_open(table) -> None:
    table.says = FakeScan
    assert "/photos" not in table.get(send(table)).text
    table.says = lambda before: FakeScan(before, unseen=[AT])
    assert "/photos" in table.get(send(table)).text
    table.says = lambda before: FakeScan(before, of_map=(), boards=("tracks",))
    without_map = table.get(send(table)).text
    assert "The map is not in the photo" in without_map
    assert "/photos" in without_map


def test_more_than_are_read_as_one_are_refused(table) -> None:
    table.says = doubtful
    full = send(table, *((jpeg(), f"{n}.jpg") for n in range(PHOTOS_AT_MOST)))
    assert "/photos" not in table.get(full).text
    assert "at most 4" in table.post(f"{full}/photos", photo=(jpeg(), "e.jpg")).text


def test_nothing_is_added_to_a_photo_that_could_not_be_read(table, app) -> None:
    """It is kept, so it is not called gone."""
    first = send(table)
    held_of(app, table, first).problem = RegistrationProblem("not_found", photo="a.jpg")
    answer = table.post(f"{first}/photos", photo=(jpeg(), "b.jpg"))
    assert answer.status_code == 400
    assert "The board was not found in a.jpg" in answer.text


def test_one_is_added_to_a_photo_that_was_confirmed_and_taken_back(table) -> None:
    table.says = lambda before: FakeScan(before, [a_build(table.state)], unseen=[AT])
    first = send(table)
    confirm(table, first)
    table.get(table.path)
    table.post(f"{table.path}/undo")
    assert f'action="{first}/photos"' in table.get(first).text
    assert table.post(f"{first}/photos", photo=(jpeg(), "b.jpg")).status_code == 303


def test_nothing_is_added_to_a_photo_of_an_older_position(table) -> None:
    table.says = doubtful
    first = send(table)
    build = a_build(table.state)
    table.act(table.path, notation=action_to_text(build))
    assert "/photos" not in table.get(first).text
    refused = table.post(f"{first}/photos", photo=(jpeg(), "b.jpg"))
    assert refused.status_code == 409
    assert "has moved on" in refused.text


def test_that_the_photos_contradict_each_other_is_said_before_all_that_they_show(table) -> None:
    apart = Conflict("moments", n=3, company="gray", hex=AT)
    table.says = lambda before: replace(doubtful(before), conflicts=[apart])
    page = table.get(send(table, (jpeg(), "a.jpg"), (jpeg(), "b.jpg"))).text
    said = "The photos contradict each other in 3 places"
    assert page.count(said) == 1
    assert page.index(said) < page.index("<image") < page.index("1 doubt")


@pytest.mark.parametrize("seen", [{"doubtful": [FakeDoubt(AT, "gray")]}, {"unseen": [AT]}, {}])
def test_to_photos_that_contradict_each_other_none_is_added(table, seen) -> None:
    """With any other they still do; so all are taken again."""
    apart = Conflict("moments", n=3, company="gray", hex=AT)
    table.says = lambda before: FakeScan(before, conflicts=[apart], **seen)
    page = table.get(send(table, (jpeg(), "a.jpg"), (jpeg(), "b.jpg"))).text
    assert "Add a photo" not in page
    assert f'href="{table.path}/photo">Take the photos again<' in page
    assert "Take another photo" not in page
