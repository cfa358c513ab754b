"""From photo to action, with a vision that says what the test wants, and once with the real one."""

import io
import json
import random
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import reduce
from itertools import count, permutations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from visitors import CODE, game_at, id_in

from calibration import Photo, Profile, RegistrationProblem, Surface, calibrate_map, load_photo, read_taps
from engine import mini_express as game
from engine.hexgrid import Hex, corners
from engine.mini_express import COMPANIES, Build, Game, built_in
from engine.mini_express.notation import hex_to_text
from engine.sentences import Problem
from vision import Conflict, Observation, find_successor
from webui import create_app
from webui.kept.reader import READINGS_KEPT, WAITING_AT_MOST
from webui.kept.reading import Reading
from webui.problems import WebProblem

TABLES = Path(__file__).parents[2] / "sample_photos"
BLANK = Profile("usa", {"map": Surface("map", "usa", np.zeros((9, 9, 3), np.uint8), np.eye(3), (), ())})


@dataclass(frozen=True)
class FakeDoubt:
    hex: Hex
    company: str
    p: float = 0.5


@dataclass
class FakeScan:
    """Says that these actions were played; a person's answers replace them by none."""

    before: game.State
    actions: list[game.Action] = field(default_factory=list)
    alternatives: list[list[game.Action]] = field(default_factory=list)
    doubtful: list[FakeDoubt] = field(default_factory=list)
    conflicts: list[Problem] = field(default_factory=list)
    unseen: list[Hex] = field(default_factory=list)
    told: dict[tuple[Hex, str], bool] = field(default_factory=dict)
    tiles_differ: bool = False

    @property
    def contradicts(self) -> bool:
        return any(conflict.key == "many" for conflict in self.conflicts)

    @property
    def track(self) -> dict[str, list[Hex]]:
        state = self.before
        for action in self.actions:
            state = game.apply(state, action)
        return {company: state.hexes(company) for company in COMPANIES}

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> "FakeScan":
        return FakeScan(self.before, told=dict(answers))

    def outlines(self, photo: int = 0) -> dict[Hex, list[tuple[float, float]]]:
        return {
            p.at: [(20 * x + 300, 20 * y + 200) for x, y in corners(p.at)] for p in self.before.board.printed
        }


def jpeg(width: int = 640, height: int = 480, **options: object) -> io.BytesIO:
    out = io.BytesIO()
    pixels = np.random.default_rng(3).integers(0, 255, (height, width, 3), np.uint8)
    Image.fromarray(pixels).save(out, "JPEG", **options)
    out.seek(0)
    return out


@pytest.fixture
def table(visitor, app, monkeypatch):
    """A game after its draft, and a reader whose vision is `table.says`."""
    reader = app.config["READER"]
    monkeypatch.setattr(reader, "profile", lambda board: BLANK)
    path = visitor.start()
    visitor.draft(path)
    visitor.path = path
    visitor.state = game_at(app, path).state
    visitor.says = FakeScan
    reader.scanner = lambda photos, profile, before, progress: visitor.says(before)
    return visitor


def send(table, *photos: tuple[io.BytesIO, str]) -> str:
    """Send photos and wait until they are read; returns the path of the reading."""
    table.get(f"{table.path}/photo")
    answer = table.post(f"{table.path}/photo", photo=list(photos) or [(jpeg(), "a.jpg")])
    assert answer.status_code == 303, answer.text
    table.wait(answer.location)
    return answer.location


def held_of(app, table, reading: str) -> Reading:
    """The reading at this path, as the server holds it."""
    return app.config["READER"].get(game_at(app, table.path), id_in(reading))


def a_build(state: game.State, *, wild: bool = False) -> Build:
    builds = [a for a in game.legal_actions(state) if isinstance(a, Build)]
    return next(b for b in builds if bool(b.wild) == wild)


def confirm(table, reading: str, **fields: object):  # type: ignore[no-untyped-def]
    """Look at what the photo shows and say that it is so."""
    table.get(reading)
    return table.post(f"{reading}/confirm", seen=table.field("seen"), **fields)


def test_without_a_profile_the_page_says_how_to_get_one(visitor) -> None:
    game_path = visitor.start()
    page = visitor.get(f"{game_path}/photo").text
    assert 'href="/calibrate"' in page
    visitor.get(game_path)
    answer = visitor.post(f"{game_path}/photo", photo=(jpeg(), "a.jpg"))
    assert answer.status_code == 409
    assert "cannot be read yet" in answer.text


def test_the_action_found_is_entered_when_confirmed(table) -> None:
    build = a_build(table.state)
    table.says = lambda before: FakeScan(before, [build])
    reading = send(table)
    page = table.get(reading).text
    assert f"{build.company} builds" in page
    before = table.get(table.path + "/version").json
    table.get(reading)
    assert confirm(table, reading).status_code == 303
    assert table.get(table.path + "/version").json != before
    table.get(reading)
    assert confirm(table, reading).status_code == 409


def test_only_what_was_looked_at_is_entered(table, app) -> None:
    """Another phone may have corrected a hex since: then something else would have been played."""
    builds = [action for action in game.legal_actions(table.state) if isinstance(action, Build)]
    table.says = lambda before: Swayed(before, [builds[0]], others=[builds[-1]])
    reading = send(table)
    table.get(reading)
    looked_at = table.field("seen")
    at, company = builds[-1].route[-1], builds[-1].company
    assert table.post(f"{reading}/correct", hex=f"{at[0]},{at[1]}", train=[company]).status_code == 303
    answer = table.post(f"{reading}/confirm", seen=looked_at)
    assert answer.location == f"{reading}#result"
    assert game_at(app, table.path).state == table.state


class Slow(FakeScan):
    """A vision that thinks for a while."""

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> "Slow":
        time.sleep(0.2)
        return Slow(self.before, told=dict(answers))


def test_of_two_corrections_at_once_none_is_lost(table, app) -> None:
    table.says = Slow
    reading = send(table)
    held = held_of(app, table, reading)
    said = [{((0, 0), company): True} for company in COMPANIES]
    with ThreadPoolExecutor(len(said)) as phones:
        list(phones.map(held.answer, said))
    assert set(held.answers) == {((0, 0), company) for company in COMPANIES}


def test_of_two_answers_on_a_hex_the_later_holds(table, app) -> None:
    reading = send(table)
    held = held_of(app, table, reading)
    for train in ("gray", "white"):
        assert table.post(f"{reading}/correct", hex="0,0", train=[train]).status_code == 303
    assert {company for (_, company), there in held.answers.items() if there} == {"white"}


def test_of_two_answers_taken_back_at_once_none_stays(table, app) -> None:
    table.says = Slow
    held = held_of(app, table, send(table))
    held.answer({((n, 0), "gray"): True for n in range(3)})
    with ThreadPoolExecutor(2) as phones:
        list(phones.map(held.take_back, [(0, 0), (1, 0)]))
    assert held.answers == {((2, 0), "gray"): True}


class Swayed(FakeScan):
    """A vision that thinks otherwise once a person has said something."""

    def __init__(self, before: game.State, actions: list[game.Action], others: list[game.Action]) -> None:
        super().__init__(before, actions)
        self.others = others

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> FakeScan:
        return FakeScan(self.before, self.others)


def test_what_another_phone_has_said_of_a_hex_meanwhile_is_not_replaced_unseen(table, app) -> None:
    at = table.state.board.cities[0].at
    table.says = lambda before: FakeScan(before, [], doubtful=[FakeDoubt(at, "gray")])
    reading = send(table)
    seen = table.get(reading) and table.field("seen")
    answer = {"hex": f"{at[0]},{at[1]}", "company": "gray", "seen": seen}
    table.post(f"{reading}/correct", **answer, present="yes")
    table.post(f"{reading}/correct", **answer, present="no")
    assert held_of(app, table, reading).answers == {(at, "gray"): True}
    assert "Somebody else has answered meanwhile" in table.get(reading).text
    elsewhere = table.state.board.cities[1].at
    table.post(f"{reading}/correct", hex=f"{elsewhere[0]},{elsewhere[1]}", train=["brown"], seen=seen)
    assert len(held_of(app, table, reading).answers) == 5


def test_what_the_map_does_not_show_is_asked(visitor, app, table) -> None:
    state, choices = _wild_build()
    id = app.config["GAMES"].create(Game(state))
    table.path = f"/game/{id}"
    table.says = lambda before: FakeScan(before, [choices[0]], [[c] for c in choices[1:]])
    reading = send(table)
    page = table.get(reading)
    assert page.text.count('name="story"') == len(choices) == 3
    assert confirm(table, reading).status_code == 400
    assert confirm(table, reading, story="9").status_code == 400
    assert confirm(table, reading, story="1").status_code == 303
    assert app.config["GAMES"].load(id).game.actions == (choices[1],)


def _wild_build() -> tuple[game.State, list[Build]]:
    """A position with a wild tile in reach, and the builds that differ only in the company chosen."""
    for seed in count():
        rng = random.Random(seed)
        state = game.new(mode="solo", difficulty="passenger", seats=["red"], rng=rng)
        while state.phase == "draft":
            state = game.apply(state, game.legal_actions(state)[0])
        builds = [a for a in game.legal_actions(state) if isinstance(a, Build) and a.wild]
        if builds:
            return state, [b for b in builds if b.route == builds[0].route and b.company == builds[0].company]
    raise AssertionError("count() ends never")


def test_corrections_are_handed_to_vision(table, app) -> None:
    at = table.state.board.cities[0].at
    doubt = FakeDoubt(at, "gray")
    table.says = lambda before: FakeScan(before, [a_build(before)], doubtful=[doubt])
    reading = send(table)
    page = table.get(reading).text
    text = f"{at[0]},{at[1]}"
    assert "1 doubt" in page
    assert f'href="{reading}?hex={text}#correct">Show</a>' in page
    assert table.post(f"{reading}/correct", hex=text, company="gray", present="no").status_code == 303
    held = held_of(app, table, reading)
    assert held.now.told == {(at, "gray"): False}
    assert table.get(f"{reading}?hex={text}").status_code == 200
    assert table.post(f"{reading}/correct", hex=text, train=["brown", "white"]).status_code == 303
    assert held.now.told == {(at, c): c in ("brown", "white") for c in COMPANIES}
    assert "nothing new was built" in table.get(reading).text
    answer = confirm(table, reading)
    assert answer.status_code == 409


class Unmoved(FakeScan):
    """A vision that finds the same build, whatever a person says, as where no legal action explains it."""

    def answered(self, answers: dict[tuple[Hex, str], bool]) -> "Unmoved":
        conflicts = [Conflict("said_there", company=c, hex=at) for (at, c), there in answers.items() if there]
        return Unmoved(self.before, self.actions, conflicts=conflicts)


def test_what_a_person_said_against_the_rules_is_shown_blocks_and_can_be_taken_back(table) -> None:
    at = table.state.board.city_named["Denver"].at
    table.says = lambda before: Unmoved(before, [a_build(before)])
    reading, hex_page = send(table), f"?hex={at[0]},{at[1]}"
    assert "✓" not in table.get(reading).text
    assert table.post(f"{reading}/correct", hex=f"{at[0]},{at[1]}", train=["brown"]).status_code == 303
    page = table.get(reading).text
    assert "Denver: brown, new, you said so" in page
    assert "You said that a train of brown is on Denver" in page
    assert "would be left out" in page
    assert "Yes, enter this" not in page
    assert 'value="brown" checked' in table.get(reading + hex_page).text
    assert confirm(table, reading).status_code == 409
    assert table.post(f"{reading}/correct", hex=f"{at[0]},{at[1]}", back="yes").status_code == 303
    page = table.get(reading).text
    assert "You said" not in page
    assert "✓" not in page
    assert confirm(table, reading).status_code == 303


def test_what_does_not_fit_is_said_with_the_place(table) -> None:
    city = table.state.board.cities[3]
    conflict = Conflict("unreachable", company="gray", hex=city.at)
    table.says = lambda before: FakeScan(before, conflicts=[conflict])
    page = table.get(send(table)).text
    assert city.name in page
    assert "This does not fit" in page


def test_tiles_that_lie_otherwise_are_told_while_they_can_be_entered(table, app) -> None:
    table.says = lambda before: FakeScan(before, tiles_differ=True)
    told = "demand tiles in the photo look otherwise"
    assert told not in table.get(send(table)).text
    table.path = table.start()
    page = table.get(send(table)).text
    assert told in page
    assert f'href="{table.path}/tiles"' in page


def test_what_a_hex_looks_like_is_said_as_well(table) -> None:
    build = a_build(table.state)
    doubtful, unseen = (city.at for city in table.state.board.cities[:2])
    table.says = lambda before: FakeScan(
        before, [build], doubtful=[FakeDoubt(doubtful, "gray")], unseen=[unseen]
    )
    page = table.get(send(table)).text
    labels = dict(re.findall(r'hex=([-\d,]+)#correct" aria-label="([^"]+)"', page))
    assert labels[hex_to_text(build.route[-1])].endswith(", new")
    assert ", not sure" in labels[hex_to_text(doubtful)]
    assert ", hidden" in labels[hex_to_text(unseen)]


def test_of_a_photo_of_something_else_nothing_is_asked(table) -> None:
    hexes = list(table.state.board.index)[:9]
    conflicts = [Conflict("many", n=9), *(Conflict("unreachable", company="gray", hex=at) for at in hexes)]
    doubts = [FakeDoubt(at, "gray") for at in hexes]
    table.says = lambda before: FakeScan(before, conflicts=conflicts, doubtful=doubts)
    page = table.get(send(table)).text
    assert "differ in 9 places" in page
    assert "Is there a train of" not in page


def test_what_does_not_fit_is_not_entered(table) -> None:
    """As on the command line: the hexes that were misread are corrected first."""
    before = table.state
    build = next(a for a in game.legal_actions(before) if isinstance(a, Build))
    conflict = Conflict("unreachable", company="gray", hex=before.board.cities[3].at)
    table.says = lambda before: FakeScan(before, [build], conflicts=[conflict])
    reading = send(table)
    page = table.get(reading).text
    assert "so it is not entered" in page
    assert "Yes, enter this" not in page
    assert confirm(table, reading).status_code == 409


def test_of_lines_that_come_to_the_same_position_one_is_offered(visitor, app, table) -> None:
    """R9.2: an expert's two builds in either order."""
    state = game.new(mode="experts", seats=["red", "blue"], rng=random.Random(1))
    while state.phase == "draft" or state.actions_left < 2:
        state = game.apply(state, game.legal_actions(state)[0])
    found = find_successor(_clear_photo(reduce(game.apply, _in_any_order(state), state)), state)
    assert len(found.actions) == 2
    table.path = f"/game/{app.config['GAMES'].create(Game(state))}"
    table.says = lambda before: FakeScan(before, found.actions, found.alternatives)
    reading = send(table)
    assert 'name="story"' not in table.get(reading).text
    assert confirm(table, reading).status_code == 303


def _clear_photo(state: game.State) -> Observation:
    """What a photo shows that leaves nothing open but what no map shows."""
    hexes = tuple(state.board.index)
    table = np.array([[9.0 if at in state.hexes(c) else -9.0 for c in COMPANIES] for at in hexes])
    nothing = np.full(len(hexes), -9.0)
    return Observation(state.board.id, hexes, COMPANIES, table, nothing, nothing, np.ones(len(hexes), bool))


def _in_any_order(state: game.State) -> tuple[Build, Build]:
    """Two builds, to tiles that leave no choice, after which the position is the same whichever comes first."""
    builds = [a for a in game.legal_actions(state) if isinstance(a, Build) and not a.wild]
    for one, other in permutations(builds, 2):
        try:
            ends = [reduce(game.apply, order, state) for order in ((one, other), (other, one))]
        except Problem:
            continue
        if ends[0] == ends[1]:
            return one, other
    raise AssertionError("no two builds go together")


def test_what_is_too_much_for_the_page_is_counted(table) -> None:
    hexes = list(table.state.board.index)[:15]
    conflicts = [Conflict("unreachable", company="gray", hex=at) for at in hexes[:7]]
    doubts = [FakeDoubt(at, "gray") for at in hexes]
    table.says = lambda before: FakeScan(before, conflicts=conflicts, doubtful=doubts)
    page = table.get(send(table)).text
    assert "And 1 more that does not fit." in page
    assert "15 doubts" in page
    assert page.count("Is there a train of") == 12
    assert "And 3 more, which are asked when these are answered." in page


@pytest.mark.parametrize(
    "fields",
    [{"hex": "x"}, {"hex": "999,999", "company": "gray", "present": "yes"}, {"hex": ""}]
    + [
        {"hex": "{at}", "company": "pink", "present": "yes"},
        {"hex": "{at}", "company": "gray", "present": "?"},
    ],
)
def test_hostile_corrections(table, fields: dict[str, str]) -> None:
    at = table.state.board.cities[0].at
    reading = send(table)
    table.get(f"{reading}?hex={at[0]},{at[1]}")
    sent = {key: value.replace("{at}", f"{at[0]},{at[1]}") for key, value in fields.items()}
    assert table.post(f"{reading}/correct", **sent).status_code == 400
    assert table.get(f"{reading}?hex=77,77").status_code == 400


def test_a_photo_of_an_older_position_is_not_entered(table) -> None:
    build = a_build(table.state)
    table.says = lambda before: FakeScan(before, [build])
    reading = send(table)
    assert table.act(table.path, kind="build", **_fields(build)).status_code == 303
    page = table.get(reading)
    assert "has moved on" in page.text
    table.get(table.path)
    assert confirm(table, reading).status_code == 409


def _fields(build: Build) -> dict[str, str]:
    return {"company": build.company, "route": " ".join(f"{q},{r}" for q, r in build.route)}


def test_a_refusal_of_vision_is_shown(table) -> None:
    def refuses(before: game.State) -> FakeScan:
        raise Conflict("unreachable", company="gray", hex=(0, 0))

    table.says = refuses
    assert "no legal action" in table.get(send(table)).text


def test_a_mistake_in_vision_is_one_sentence(table) -> None:
    table.says = lambda before: 1 / 0
    page = table.get(send(table)).text
    assert "Something went wrong here" in page
    assert "ZeroDivision" not in page


@pytest.mark.parametrize(
    "photo",
    [
        b"",
        b"not a picture",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        jpeg().getvalue()[:900],
        b"\x89PNG\r\n\x1a\n",
    ]
    + [jpeg(100, 100).getvalue()],
)
def test_what_is_no_photo_is_refused_at_once(table, photo: bytes) -> None:
    table.get(f"{table.path}/photo")
    answer = table.post(f"{table.path}/photo", photo=(io.BytesIO(photo), "a.jpg"))
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_of_several_photos_the_one_that_is_wrong_is_named(table, app) -> None:
    table.get(f"{table.path}/photo")
    files = [(jpeg(), "a.jpg"), (io.BytesIO(b"no picture"), "b.jpg"), (jpeg(), "c.jpg")]
    assert "Photo 2 of 3 is not a picture" in table.post(f"{table.path}/photo", photo=files).text

    def refuses(photos: list[Photo], *_: object) -> FakeScan:
        raise RegistrationProblem("not_found", photo=photos[1].name)

    app.config["READER"].scanner = refuses
    page = table.get(send(table, (jpeg(), "a.jpg"), (jpeg(), "b.jpg"))).text
    assert "not found in photo 2 of 2" in page
    assert "/1.jpg" in page


def test_no_photo_and_too_many(table) -> None:
    table.get(f"{table.path}/photo")
    assert table.post(f"{table.path}/photo").status_code == 400
    many = [(jpeg(), f"{n}.jpg") for n in range(5)]
    assert table.post(f"{table.path}/photo", photo=many).status_code == 400


def test_stored_pictures_say_nothing_of_phone_and_place(table, data_dir) -> None:
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "Spyphone", 6
    exif.get_ifd(0x8825).update(
        {1: "N", 2: (50.0, 5.0, 16.0), 3: "E", 4: (14.0, 25.0, 14.0), 29: "2026:11:20"}
    )
    photo = jpeg(exif=exif, xmp=b"<x:xmpmeta>Spyphone</x:xmpmeta>", comment=b"Spyphone")
    assert photo.getvalue().count(b"Spyphone") == 3
    assert b"2026:11:20" in photo.getvalue()
    reading = send(table, (photo, "../../holiday.jpg"))
    answer = table.client.get(f"{reading}/0.jpg")
    assert answer.mimetype == "image/jpeg"
    stored = [path.read_bytes() for path in data_dir.rglob("*") if path.is_file()]
    assert len(stored) > 1
    for data in (answer.data, *stored):
        assert not any(trace in data for trace in (b"Spyphone", b"2026:11:20", b"Exif"))
    picture = Image.open(io.BytesIO(answer.data))
    assert not picture.getexif()
    assert picture.size == (480, 640)  # turned upright
    assert all("holiday" not in path.name for path in data_dir.rglob("*"))


def test_pictures_are_for_the_table_only(table, stranger) -> None:
    reading = send(table)
    assert stranger.get(f"{reading}/0.jpg").status_code == 403
    for path in (f"{reading}/1.jpg", f"{reading}/99999999999.jpg", reading[:-1] + "x", f"{reading}/-1.jpg"):
        assert table.get(path).status_code == 404
    other = table.start()
    assert table.get(reading.replace(table.path, other)).status_code == 404


def test_photos_wait_for_each_other_and_the_queue_has_an_end(table) -> None:
    gate = threading.Event()
    running: list[int] = []

    def slow(before: game.State) -> FakeScan:
        running.append(1)
        assert len(running) == 1
        gate.wait(10)
        running.pop()
        return FakeScan(before)

    table.says = slow
    table.get(f"{table.path}/photo")
    answers = [table.post(f"{table.path}/photo", photo=(jpeg(), "a.jpg")) for _ in range(WAITING_AT_MOST + 2)]
    gate.set()
    assert [a.status_code for a in answers] == [303] * (WAITING_AT_MOST + 1) + [503]
    for answer in answers[:-1]:
        table.wait(answer.location)


def test_other_heavy_work_waits_too_and_its_queue_has_an_end(app) -> None:
    """And work that fails leaves room for the next."""
    reader, gate = app.config["READER"], threading.Event()
    for _ in range(WAITING_AT_MOST + 1):
        with pytest.raises(ZeroDivisionError):
            reader.in_turn(lambda: 1 // 0)
    with ThreadPoolExecutor(WAITING_AT_MOST + 1) as phones:
        waiting = [phones.submit(reader.in_turn, lambda: gate.wait(10)) for _ in range(WAITING_AT_MOST + 1)]
        refused = next(as_completed(waiting, timeout=5))
        gate.set()
    assert getattr(refused.exception(), "key", "") == "busy"
    assert [one.exception() for one in waiting].count(None) == WAITING_AT_MOST


def test_old_readings_are_forgotten_with_a_sentence(table) -> None:
    first = send(table)
    for _ in range(READINGS_KEPT):
        send(table)
    answer = table.get(first)
    assert answer.status_code == 404
    assert "not kept any more" in answer.text


def sample(table: str = "*") -> tuple[Path, dict]:
    """A sample photo that comes with the state before and the one action since, and its truth."""
    for path in sorted(TABLES.glob(f"{table}/*.json")):
        truth = json.loads(path.read_text())
        if (path.parent / "points.json").exists() and {"track", "before", "action"} <= set(truth):
            return path.with_suffix(".jpg"), truth
    raise AssertionError(f"no sample photos in {TABLES}")


def calibrated(table: Path, folder: Path) -> Path:
    """A profile of that table, made as `masinfira calibrate map` does."""
    photo = load_photo(table / "empty.jpg")
    taps = read_taps(json.loads((table / "points.json").read_text()), photo.scale)
    calibrate_map(photo, taps, built_in().boards["usa"])[0].save(folder)
    return folder


@pytest.mark.slow
def test_a_sample_photo_through_real_vision(tmp_path: Path) -> None:
    photo, truth = sample()
    app = create_app(tmp_path / "games", calibrated(photo.parent, tmp_path / "profile"), CODE)
    id = app.config["GAMES"].create(Game(game.state_from_json(truth["before"])))
    reader = app.config["READER"]
    reading = reader.begin(app.config["GAMES"].load(id), [photo.read_bytes()])
    deadline = time.monotonic() + 60
    while not reading.done and time.monotonic() < deadline:
        time.sleep(0.05)
    assert reading.problem is None
    assert game.action_to_json(reading.now.actions[0])["route"] == truth["action"]["route"]
    assert app.test_client().get(f"/game/{id}/photo/{reading.id}").status_code == 403


def test_a_profile_of_another_board_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    folder.mkdir()
    (folder / "profile.json").write_text(
        '{"format": "masinfira/profile/1", "board": "europe", "surfaces": {}}'
    )
    app = create_app(tmp_path / "games", folder, CODE)
    with pytest.raises(Problem, match="europe"):
        app.config["READER"].profile(built_in().board("usa"))
    (folder / "profile.json").write_text("{")
    with pytest.raises(Problem, match="damaged"):
        app.config["READER"].profile(built_in().board("usa"))
    with pytest.raises(WebProblem, match="cannot be read yet"):
        create_app(tmp_path / "games", tmp_path / "none", CODE).config["READER"].profile(
            built_in().board("usa")
        )
