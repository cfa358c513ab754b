"""My copy of a map: drawn from a photo and a few taps, played with, and what was played before goes on."""

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_vision import BLANK, jpeg
from test_web_calibrating import STUDY, asked, send
from visitors import CODE, Visitor, calibration_file
from werkzeug.test import TestResponse

from calibration import Profile, calibrate_map, load_photo, read_taps
from calibration.hexes import hex_center, hex_outline
from calibration.surface import Cell, Kind
from engine.hexgrid import Hex, distance
from engine.mini_express import Pack, built_in
from engine.mini_express.pack import BUILT_IN
from engine.mini_express.pack.writing import Drawing, values_toml
from vision import Agreed, scan
from webui import create_app
from webui.kept.packs import Packs
from webui.services import services_of

USA = built_in().board("usa")
HEXES = [printed.at for printed in USA.printed]
FIRST = (1, -2)
"""The hex of our map that is tapped first; in the copy it is (0, 0)."""


def ours(at: Hex) -> Hex:
    return at[0] + FIRST[0], at[1] + FIRST[1]


def theirs(at: Hex) -> Hex:
    return at[0] - FIRST[0], at[1] - FIRST[1]


def hex_in(text: str) -> Hex:
    q, r = text.split(",")
    return int(q), int(r)


@pytest.fixture(scope="module")
def px_of() -> Callable[[Hex], tuple[float, float]]:
    """Where the photo of the study has a hex of our map."""
    photo = load_photo(STUDY / "empty.jpg")
    taps = read_taps(json.loads((STUDY / "points.json").read_text()), photo.scale)
    view = calibrate_map(photo, taps, USA)[1].view
    return lambda at: tuple(view([hex_center(at)])[0].tolist())


def tap(visitor: Visitor, path: str, px: tuple[float, float], **fields: object) -> TestResponse:
    visitor.get(path)
    form = {name: visitor.field(name) for name in ("of", "marks")}
    return visitor.post(path, **{**form, "at.x": px[0], "at.y": px[1], **fields})


def tapped(visitor: Visitor, px_of: Callable[[Hex], tuple[float, float]]) -> str:
    """A copy of the map of the study in which ten hexes were tapped, up to 3 px off; returns its path."""
    rng = np.random.default_rng(5)
    path = send(visitor, "copy", (STUDY / "empty.jpg").open("rb"), board="usa")
    done: list[Hex] = []
    while asked(visitor, path):
        beside = visitor.field("of")
        ring = re.search(r'<circle cx="([\d.]+)" cy="([\d.]+)"', visitor.page.text)
        if beside:
            at = ours(hex_in(beside))
        else:
            assert ring
            at = ringed(tuple(map(float, ring.groups())), px_of, done)
        done.append(at)
        off = rng.uniform(-3, 3, 2)
        assert tap(visitor, path, tuple(np.add(px_of(at), off))).status_code == 303
        path = path.replace("/copy/", "/calibrate/")
        if len(done) == 10:
            break
    return path.replace("/calibrate/", "/copy/")


def ringed(ring: tuple[float, ...], px_of: Callable[[Hex], tuple[float, float]], done: list[Hex]) -> Hex:
    """The hex in the ring, or if none is printed there another one that is not far."""
    near = min(HEXES, key=lambda at: float(np.hypot(*np.subtract(px_of(at), ring))))
    side = np.hypot(*np.subtract(px_of(FIRST), px_of((FIRST[0], FIRST[1] + 1))))
    if np.hypot(*np.subtract(px_of(near), ring)) < side / 2 and near not in done:
        return near
    within = [at for at in HEXES if distance(at, FIRST) <= 3 and at not in done]
    return max(within, key=lambda at: min(distance(at, other) for other in done))


def kind_of(at: Hex) -> str:
    printed = {printed.at: printed for printed in USA.printed}.get(at)
    if printed is None:
        return "nothing"
    return str(printed.capacity) if printed.kind == "city" else printed.kind


def paint(visitor: Visitor, path: str, px_of: Callable[[Hex], tuple[float, float]], data_dir: Path) -> int:
    """Correct every hex that is taken for something else than it is; returns how many were."""
    calibration = json.loads(calibration_file(data_dir, path).read_text())
    wrong = [at for at, kind in calibration["kinds"].items() if kind != kind_of(ours(hex_in(at)))]
    for at in wrong:
        answer = tap(visitor, path, px_of(ours(hex_in(at))), kind=kind_of(ours(hex_in(at))))
        assert answer.status_code == 303, answer.text
    return len(wrong)


def names_in(page: str) -> dict[str, str]:
    return dict(re.findall(r'name="(name\.[-\d,]+)" value="([^"]*)"', page))


@pytest.mark.slow
def test_a_map_is_drawn_from_ten_taps_and_played_with(visitor, data_dir: Path, px_of) -> None:
    old = visitor.start()
    path = tapped(visitor, px_of)
    page = visitor.get(path).text
    assert "36 cities of 36" in page
    assert paint(visitor, path, px_of, data_dir) < 45
    fields = names_in(visitor.get(f"{path}/names").text)
    assert len(fields) == 36
    seen = visitor.field("seen")
    for _ in range(2):  # who taps twice has kept it once
        assert visitor.post(f"{path}/names", seen=seen, **fields).location == "/calibrate"

    folder = data_dir / "packs" / (data_dir / "packs" / "in_use").read_text()
    copy = Pack.load(folder).board("usa")
    assert {(ours(p.at), *p[1:]) for p in copy.printed} == {tuple(p) for p in USA.printed}
    assert ours(copy.spike.tile) == USA.spike.tile

    new = visitor.start()
    assert f"pack: {folder.name}" in visitor.get(f"{new}/record.txt").text
    assert f"pack: {built_in().digest}" in visitor.get(f"{old}/record.txt").text
    again = Visitor(create_app(data_dir, None, CODE))
    assert again.get(new).status_code == again.get(old).status_code == 200
    assert "✓ My copy of the map" in re.sub(r"\s+", " ", again.get("/calibrate").text)

    found = scan(
        [STUDY / "early_day.jpg"],
        Profile.load(data_dir / "profiles" / "usa"),
        agreed=Agreed(Pack.load(folder)),
    )
    truth = json.loads((STUDY / "early_day.json").read_text())["track"]
    read = {company: sorted(ours(at) for at in hexes) for company, hexes in found.track.items()}
    assert read == {company: sorted(map(tuple, hexes)) for company, hexes in truth.items()}

    archive = zipfile.ZipFile(io.BytesIO(again.client.get("/copy/pack.zip").data))
    assert "boards/usa.toml" in archive.namelist()
    again.get("/calibrate")
    assert again.post("/copy/shipped").location == "/calibrate"
    assert "with the map and tables that came with masinfira" in again.get("/calibrate").text
    assert f"pack: {built_in().digest}" in again.get(f"{again.start()}/record.txt").text
    assert again.get(new).status_code == 200


def middle(at: Hex) -> tuple[float, float]:
    """Where the photo of a copy that was not looked for has a hex."""
    x, y = hex_center(at)
    return 0.8 * x + 300, 0.8 * y + 200


def drawn(data_dir: Path, visitor: Visitor, **changes: object) -> str:
    """A copy whose hexes were found already, all as they are on our map; returns its path."""
    path = send(visitor, "copy", (jpeg(), "empty.jpg"), board="usa").replace("/calibrate/", "/copy/")
    file = calibration_file(data_dir, path)
    calibration = json.loads(file.read_text())
    calibration["proposed"] = {"image_points": [{"hex": list(at), "px": middle(at)} for at in HEXES]}
    calibration["kinds"] = {f"{q},{r}": kind_of((q, r)) for q, r in HEXES}
    file.write_text(json.dumps(calibration | changes))
    return path


def test_a_hex_that_is_tapped_becomes_what_was_chosen(visitor, data_dir: Path) -> None:
    path = drawn(data_dir, visitor)
    assert "36 cities of 36" in visitor.get(path).text
    x, y = np.add(middle((0, -2)), (3, -3))
    assert tap(visitor, path, (x, y), kind="landscape").status_code == 303
    assert "35 cities of 36" in visitor.get(path).text
    assert f"{path}/names" not in visitor.page.text
    assert tap(visitor, path, (x, y), kind="castle").status_code == 400
    assert tap(visitor, path, (-5, y), kind="landscape").status_code == 400
    assert tap(visitor, path, (x, y), kind="3").status_code == 303
    assert "36 cities of 36" in visitor.get(path).text
    assert f"{path}/names" in visitor.page.text


@pytest.mark.parametrize("kind", ["3", "landscape", "nothing"])
def test_the_hex_that_was_tapped_last_has_a_ring(visitor, data_dir: Path, kind: str) -> None:
    """A finger may have met its neighbour."""
    path = drawn(data_dir, visitor)
    assert "latest" not in visitor.get(path).text
    drawing = visitor.get(
        tap(visitor, path, tuple(np.add(middle((0, -2)), (3, -3))), kind=kind).location
    ).text
    (ring,) = re.findall(r'latest" points="([^"]+)"', drawing)
    corners = np.array([corner.split(",") for corner in ring.split()], float)
    assert np.allclose(corners.mean(axis=0), middle((0, -2)), atol=0.1)


def test_before_going_on_the_sea_is_to_be_looked_at_and_ports_are_missed(visitor, data_dir: Path) -> None:
    """What lies between the cities is taken for landscape, and the anchors of ports are not seen."""
    path = drawn(data_dir, visitor, board="europe")
    page = visitor.get(path).text
    assert "Look at the sea once more" in page
    assert "No port is marked" in page
    land = next(printed.at for printed in USA.printed if printed.kind == "landscape")
    assert tap(visitor, path, middle(land), kind="port").status_code == 303
    assert "No port is marked" not in visitor.get(path).text
    assert "No port is marked" not in visitor.get(drawn(data_dir, visitor)).text


def test_a_map_that_cannot_be_is_refused_and_what_was_written_stays(visitor, data_dir: Path) -> None:
    path = drawn(data_dir, visitor)
    fields = names_in(visitor.get(f"{path}/names").text)
    assert sorted(fields.values()) == sorted(city.name for city in USA.cities)
    omaha = next(field for field, name in fields.items() if name == "Omaha")
    erie = next(field for field, name in fields.items() if name == "Erie")
    answer = visitor.post(
        f"{path}/names", seen=visitor.field("seen"), **{**fields, omaha: "Omaha & <Co>", erie: "Eerie"}
    )
    assert answer.status_code == 400
    assert "Orange starts in Erie: exactly one city of your map must bear this name." in answer.text
    assert "Omaha &amp; &lt;Co&gt;" in visitor.get(f"{path}/names").text
    for wrong in ("", "x" * 40, "Om\naha", "Om\x7faha"):
        assert (
            visitor.post(f"{path}/names", seen=visitor.field("seen"), **{**fields, omaha: wrong}).status_code
            == 400
        )
    assert not (data_dir / "packs" / "in_use").exists()


def test_hexes_that_another_phone_has_changed_are_looked_at_again_before_they_are_kept(
    visitor, data_dir: Path
) -> None:
    """Else a map would be in use from which a hex is missing that its maker has seen there."""
    path = drawn(data_dir, visitor)
    fields = names_in(visitor.get(f"{path}/names").text)
    seen, land = visitor.field("seen"), next(p.at for p in USA.printed if p.kind == "landscape")
    assert tap(visitor, path, middle(land), kind="nothing").status_code == 303
    answer = visitor.post(f"{path}/names", seen=seen, **fields)
    assert answer.status_code == 409
    assert "Somebody else has changed this page meanwhile" in answer.text
    assert names_in(answer.text) == fields
    assert not (data_dir / "packs" / "in_use").exists()


def test_two_cities_of_one_name_are_told_by_it(visitor, data_dir: Path) -> None:
    """Who writes names on a phone knows of no file and no line."""
    path = drawn(data_dir, visitor)
    fields = names_in(visitor.get(f"{path}/names").text)
    omaha = next(field for field, name in fields.items() if name == "Omaha")
    answer = visitor.post(f"{path}/names", seen=visitor.field("seen"), **{**fields, omaha: "Detroit"})
    assert answer.status_code == 400
    assert "Two cities are called Detroit: give each a name of its own." in answer.text
    marked = re.findall(r'value="([^"]*)"[^>]*aria-invalid', answer.text)
    assert marked == ["Detroit", "Detroit"]
    assert ", line " not in answer.text


def test_the_city_whose_name_is_missing_is_marked_and_the_others_stay(visitor, data_dir: Path) -> None:
    path = drawn(data_dir, visitor)
    fields = names_in(visitor.get(f"{path}/names").text)
    omaha, detroit = (next(f for f, name in fields.items() if name == city) for city in ("Omaha", "Detroit"))
    answer = visitor.post(
        f"{path}/names", seen=visitor.field("seen"), **{**fields, omaha: " ", detroit: "Motown"}
    )
    assert answer.status_code == 400
    assert "A city marked ! has no name" in answer.text
    assert re.findall(r'name="([^"]+)" value="[^"]*"[^>]*aria-invalid', answer.text) == [omaha]
    assert 'value="Motown"' in answer.text


def test_a_hex_that_is_cut_off_is_told_by_its_place(visitor, data_dir: Path) -> None:
    hexes = {f"{q},{r}": kind_of((q, r)) for q, r in HEXES} | {"-20,0": "landscape"}
    path = drawn(data_dir, visitor, kinds=hexes)
    fields = names_in(visitor.get(f"{path}/names").text)
    answer = visitor.post(f"{path}/names", seen=visitor.field("seen"), **fields)
    assert answer.status_code == 400
    assert "A hex near Portland is cut off" in answer.text


def test_a_map_without_the_cities_of_the_golden_spike_is_told(
    visitor, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R10; a name that was misspelt would take the module away in silence."""
    cell, kind = Cell((0, 0), hex_outline((0, 0))), Kind("gray", (0.2, 0.2, 0.2), (20, 8, 12))
    surface = replace(BLANK.surfaces["map"], cells=(cell,), kinds=(kind,))
    monkeypatch.setattr("webui.pages.boards.copying._calibrated", lambda *_: surface)
    path = drawn(data_dir, visitor)
    fields = names_in(visitor.get(f"{path}/names").text)
    omaha = next(field for field, name in fields.items() if name == "Omaha")
    assert (
        visitor.post(f"{path}/names", seen=visitor.field("seen"), **{**fields, omaha: "Ohama"}).location
        == "/calibrate"
    )
    assert "is missing: Omaha. So it is played without" in visitor.get("/calibrate").text
    assert "is missing" not in visitor.get("/calibrate").text


def test_hexes_may_all_be_tapped_again(visitor, data_dir: Path) -> None:
    path = drawn(data_dir, visitor)
    visitor.get(path)
    again = visitor.post(path, again="1").location
    assert asked(visitor, again) == "Tap the middle of any hex in the middle of the map."
    assert visitor.get(path).location == "/calibrate"


def test_taps_that_fit_no_grid_are_told_and_may_be_tapped_again(visitor, data_dir: Path) -> None:
    path = drawn(data_dir, visitor, kinds={}, proposed=None)
    file = calibration_file(data_dir, path)
    rng = np.random.default_rng(1)
    hexes = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 1), (2, 0), (0, 2), (4, -2), (-4, 0), (7, -5)]
    marks = [
        {"of": f"{q},{r}", "px": rng.uniform(10, 90, 2).tolist(), "at": 0, "bend": False} for q, r in hexes
    ]
    file.write_text(json.dumps(json.loads(file.read_text()) | {"marks": marks}))
    told = visitor.get(path)
    assert told.status_code == 400
    assert "do not fit the map" in told.text
    again = visitor.post(path, again="1").location
    assert asked(visitor, again) == "Tap the middle of any hex in the middle of the map."


@pytest.mark.parametrize("path", ["/copy/0123456789abcdef", "/copy/0123456789abcdef/names"])
def test_a_copy_that_is_not_there_any_more_leads_to_the_boards(visitor, path: str) -> None:
    assert visitor.get(path).location == "/calibrate"
    visitor.get("/new")
    answer = visitor.post(path)
    assert "not kept any more" in answer.text
    assert 'href="/calibrate"' in answer.text


def test_a_calibration_is_no_copy(visitor, data_dir: Path) -> None:
    path = send(visitor, "map", board="usa").replace("/calibrate/", "/copy/")
    assert visitor.get(path).location == "/calibrate"


def test_who_gave_a_pack_changes_it_there(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    tables = (built_in().folder or BUILT_IN) / "values.toml"
    (tmp_path / "given" / "values.toml").write_bytes(tables.read_bytes())
    visitor = Visitor(create_app(data_dir, None, CODE, Pack.load(tmp_path / "given")))
    assert "/calibrate/new/copy" not in visitor.get("/calibrate").text
    answer = visitor.get("/calibrate/new/copy")
    assert answer.status_code == 409
    assert "--pack" in answer.text


def test_a_damaged_copy_gives_way_to_the_shipped_data(visitor, data_dir: Path) -> None:
    (data_dir / "packs" / "01234567").mkdir(parents=True)
    (data_dir / "packs" / "01234567" / "values.toml").write_text("rows = 7")
    (data_dir / "packs" / "in_use").write_text("01234567")
    again = Visitor(create_app(data_dir, None, CODE))
    assert f"pack: {built_in().digest}" in again.get(f"{again.start()}/record.txt").text


def test_a_second_copy_may_have_what_the_first_left_out(visitor, data_dir: Path) -> None:
    """A slip in the name of a city took the Golden Spike away; it comes back with the right name."""
    drawings = [replace_names({"San Francisco": "San Fransisco"}), replace_names({})]
    packs = Packs(data_dir, None)
    for files, has in zip([{d.file: d.to_toml()} for d in drawings], (False, True), strict=True):
        packs.change(lambda _, files=files: files)
        assert (packs.in_use.board("usa").spike is not None) == has
    path = drawn(data_dir, visitor)
    assert sorted(names_in(visitor.get(f"{path}/names").text).values()) == sorted(c.name for c in USA.cities)


@pytest.mark.slow
def test_a_map_is_looked_at_again_where_another_phone_has_put_a_copy_in_use(visitor, app) -> None:
    """What was worked out for our map would be kept for another, and no photo could be read."""
    path = send(visitor, "map", (STUDY / "empty.jpg").open("rb"), board="usa")
    assert visitor.get(path).text.count("<polygon") == len(HEXES)
    seen = visitor.field("seen")
    drawing = replace(replace_names({}), printed=tuple(p for p in USA.printed if p.at != (8, -8)))
    services_of(app).packs.change(lambda _: {drawing.file: drawing.to_toml()})
    assert visitor.post(f"{path}/keep", seen=seen).location == path
    page = visitor.get(path).text
    assert "The hex 8,-8 is not on the map" in page and "Yes, keep it" not in page


@pytest.mark.slow
def test_a_map_is_kept_though_a_photo_has_taught_meanwhile_and_not_though_a_board_was_kept(
    visitor, data_dir: Path
) -> None:
    """Every photo that somebody confirms teaches, and changes nothing in what was looked at."""

    def looked_at() -> tuple[str, str]:
        path = send(visitor, "map", (STUDY / "empty.jpg").open("rb"), board="usa")
        assert "Yes, keep it" in visitor.get(path).text
        return path, visitor.field("seen")

    first, second = looked_at(), looked_at()
    path, seen = first
    assert visitor.post(f"{path}/keep", seen=seen).location == "/calibrate"
    path, seen = second
    assert visitor.post(f"{path}/keep", seen=seen).location == path
    assert "Somebody else has answered meanwhile" in visitor.get(path).text
    seen = visitor.field("seen")
    Profile.change_lessons(data_dir / "profiles" / "usa", _taught)
    assert visitor.post(f"{path}/keep", seen=seen).location == "/calibrate"


def _taught(profile: Profile) -> Profile:
    colours = {"brown": ((0.1, 0.2, 0.3),)}
    return profile.with_surface(replace(profile.surfaces["map"], lessons=colours))


def replace_names(other: dict[str, str]) -> Drawing:
    printed = tuple(p._replace(name=other.get(p.name, p.name)) for p in USA.printed)
    return Drawing("usa", USA.names, printed, (USA.spike.east, USA.spike.west))


def test_only_a_copy_is_painted_and_tapped_again(visitor, data_dir: Path) -> None:
    other = send(visitor, "tracks", width="400", height="300")
    visitor.get(other)
    path = other.replace("/calibrate/", "/copy/")
    for fields in ({"again": "1"}, {"at.x": 5, "at.y": 5, "kind": "3"}):
        assert "not kept any more" in visitor.post(path, **fields).text
    assert "not kept any more" in visitor.post(f"{path}/names").text


def test_a_record_of_an_older_pack_is_opened_however_its_lines_end(visitor, data_dir: Path) -> None:
    record = visitor.get(visitor.start() + "/record.txt").text
    packs = services_of(visitor.client.application).packs
    packs.change(lambda _: {"boards/usa.toml": replace_names({"Denver": "Golden"}).to_toml()})
    for text in (record, record.replace("\n", "\r\n"), "\n\n" + record):
        visitor.get("/")
        answer = visitor.post("/open", game=(io.BytesIO(text.encode()), "game.txt"))
        assert answer.status_code == 303, answer.text


def test_a_game_goes_on_with_the_data_it_was_begun_with(data_dir: Path, tmp_path: Path) -> None:
    """Also without --pack, and with a masinfira that brings other data."""
    given = tmp_path / "given"
    given.mkdir()
    (given / "values.toml").write_text(values_toml([*built_in().values[:-1], (14, 10, 5)]))
    pack = Pack.load(given)
    assert pack.digest != built_in().digest
    games = [
        Visitor(create_app(data_dir, None, CODE, pack)).start(),
        Visitor(create_app(data_dir, None, CODE)).start(),
    ]
    shutil.rmtree(given)
    again = Visitor(create_app(data_dir, None, CODE))
    assert f"pack: {pack.digest}" in again.get(f"{games[0]}/record.txt").text
    assert (data_dir / "packs" / built_in().digest / "tiles.toml").read_bytes() == (
        BUILT_IN / "tiles.toml"
    ).read_bytes()

    shutil.rmtree(data_dir / "packs")
    bare = Visitor(create_app(data_dir, None, CODE))
    for page in ("/", games[0]):
        assert f"not here (pack {pack.digest})" in bare.get(page).text
    assert bare.get(games[1]).status_code == 200
