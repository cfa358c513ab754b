"""Positions being entered: what of them and of their photos is kept, and what goes with them."""

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fake_vision import jpeg

from calibration import Photo, load_photo
from engine.mini_express import Pack, Part, built_in
from engine.mini_express.pack.writing import own_copy, tiles_toml
from engine.mini_express.setup import PLAYERS, make_setup
from webui.kept.packs import Packs
from webui.kept.positions import DONE_KEPT, Position, Positions
from webui.kept.seeing import Places
from webui.pages.position.known import agreed_and_seen
from webui.problems import WebProblem

OUTLINE = [(28.0, 16.0), (32.0, 16.0), (35.0, 20.0), (32.0, 24.0), (28.0, 24.0), (25.0, 20.0)]
SHOWN = Places((64, 48), {"0,-2": OUTLINE})
ELSEWHERE = Places((640, 480), {})


@pytest.fixture
def packs(tmp_path: Path) -> Packs:
    return Packs(tmp_path / "packs", None)


@pytest.fixture
def positions(tmp_path: Path, packs: Packs) -> Positions:
    return Positions(tmp_path / "positions", packs)


def photo(focal: float | None = None) -> Photo:
    return replace(load_photo(jpeg().getvalue()), focal=focal)


def agreed(mode: str = "solo", pack: Pack | None = None) -> Part:
    seats = ["red", "blue", "green"][: PLAYERS[mode][1]]
    difficulty = "passenger" if mode == "solo" else None
    return agreed_and_seen(make_setup("usa", mode, difficulty, seats, (), pack or built_in()), None)


def photographed(positions: Positions, *photos: Photo) -> Position:
    """One whose map the first of these photos shows."""
    begun = positions.load(positions.begin(agreed()))
    positions.look(begun, dict(enumerate(photos)), {0: SHOWN}, lambda position: position)
    return positions.load(begun.id)


def focals(positions: Positions, position: Position) -> dict[int, float | None]:
    return {number: photo.focal for number, photo in positions.photos(position).items()}


def test_its_photos_come_back_with_their_focal_lengths_but_for_one_that_is_gone(
    positions: Positions, tmp_path: Path
) -> None:
    position = photographed(positions, photo(900.0), photo(), photo(700.0))
    assert focals(positions, position) == {0: 900.0, 1: None, 2: 700.0}
    (tmp_path / "positions" / f"{position.id}-photo-0.jpg").unlink()
    assert focals(positions, position) == {1: None, 2: 700.0}


def test_the_number_of_a_photo_is_never_another_ones(positions: Positions) -> None:
    """Else who still sees the one before would remove another, and two readings at once would pass for one."""
    position = photographed(positions, photo(900.0), photo(700.0))
    positions.look(position, {0: positions.photos(position)[0]}, {}, lambda position: position)
    assert positions.load(position.id).taken == 2
    positions.look(positions.load(position.id), {}, {}, lambda position: position)
    assert positions.load(position.id).taken == 2


def test_a_photo_that_was_removed_leaves_nothing_behind(positions: Positions, tmp_path: Path) -> None:
    position = photographed(positions, photo(900.0), photo(700.0))
    rest = {1: positions.photos(position)[1]}
    positions.look(position, rest, {0: ELSEWHERE}, lambda position: position)
    position = positions.load(position.id)
    assert focals(positions, position) == {1: 700.0}
    assert position.maps == {1: ELSEWHERE}
    assert [path.name for path in (tmp_path / "positions").glob("*.jpg")] == [f"{position.id}-photo-1.jpg"]


def test_only_pictures_that_it_has_can_be_looked_at(positions: Positions) -> None:
    position = photographed(positions, photo())
    assert positions.photo(position, 0).is_file()
    for number in (-1, 1):
        with pytest.raises(WebProblem, match="not kept"):
            positions.photo(position, number)


def test_where_hexes_lie_comes_back_and_of_an_earlier_version_all_else(
    positions: Positions, tmp_path: Path
) -> None:
    """Version 1 kept the middle of each hex instead of its outline."""
    position = photographed(positions, photo())
    assert position.maps == {0: SHOWN}
    file = tmp_path / "positions" / f"{position.id}.json"
    plain = json.loads(file.read_text())
    plain["maps"]["0"]["hexes"] = {"0,-2": [30.0, 20.0, 5.0]}
    file.write_text(json.dumps(plain))
    earlier = positions.load(position.id)
    assert (earlier.maps, earlier.part.told) == ({0: Places((64, 48), {})}, position.part.told)


def test_photos_that_come_while_others_are_read_are_not_lost(positions: Positions) -> None:
    before = positions.load(positions.begin(agreed()))
    positions.look(before, {0: photo()}, {0: SHOWN}, lambda position: position)
    with pytest.raises(WebProblem, match="sent or removed photos meanwhile"):
        positions.look(before, {0: photo(), 1: photo()}, {}, lambda position: position)
    assert len(positions.photos(positions.load(before.id))) == 1


def test_what_is_thrown_away_leaves_no_photo_behind(positions: Positions, tmp_path: Path) -> None:
    kept = photographed(positions, photo())
    positions.forget(photographed(positions, photo()))
    left = {path.name.partition(".")[0].partition("-")[0] for path in (tmp_path / "positions").iterdir()}
    assert left == {kept.id}


def test_the_one_told_of_last_is_the_first_in_the_list(positions: Positions, tmp_path: Path) -> None:
    begun = [positions.begin(agreed(mode)) for mode in ("solo", "experts", "standard")]
    for age, id in enumerate(begun):
        os.utime(tmp_path / "positions" / f"{id}.json", (age, age))
    assert [position.part.told["mode"] for position in positions.all()] == ["standard", "experts", "solo"]


def test_its_data_stay_when_the_server_starts_again_with_others(tmp_path: Path) -> None:
    """It was begun with a pack that was given, and goes on without."""
    tiles = tiles_toml([(1, 1)] * 12, 2, Counter(built_in().demand_tiles))
    given = own_copy(built_in(), {"tiles.toml": tiles}, tmp_path / "copies")
    packs = Packs(tmp_path / "packs", None)
    id = Positions(tmp_path / "positions", packs).begin(agreed(pack=given))
    later = Positions(tmp_path / "positions", Packs(tmp_path / "packs", None))
    assert later.load(id).part.pack.bot_tiles == given.bot_tiles


def test_one_whose_data_are_not_here_is_told_as_that(positions: Positions, tmp_path: Path) -> None:
    """It is kept all the same: with its data it can be gone on with."""
    id = positions.begin(agreed())
    file = tmp_path / "positions" / f"{id}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "pack": "0123abcd"}))
    with pytest.raises(WebProblem, match=r"pack 0123abcd.* --pack"):
        positions.load(id)


def test_a_typed_count_of_shares_is_asked_about_but_not_replaced_by_what_photos_show() -> None:
    part = Part.from_json({"board": "usa", "mode": "standard", "seats": ["red", "blue", "green"]}, built_in())
    typed = Position("", part).told(["shares.blue.gray=3", "shares.red.gray=1"])
    for shown in ("4", "4", "2"):
        typed = typed.counted({"shares.blue.gray": shown})
        typed = typed.seen(typed.part, {})  # and the boards are photographed
        assert typed.proposed == {"shares.blue.gray": "3"}
        assert "shares.blue.gray" not in typed.part.told
        assert typed.part.told["shares.red.gray"] == 1
    corrected = typed.told(["shares.blue.gray=4"]).counted({"shares.blue.gray": "5"})
    assert corrected.proposed == {"shares.blue.gray": "4"}


def test_the_last_few_of_which_a_game_has_come_are_kept_with_their_photos(
    positions: Positions, tmp_path: Path
) -> None:
    """What was entered can be corrected, but photos do not heap up."""
    open_one = photographed(positions, photo())
    done = [photographed(positions, photo()).id for _ in range(DONE_KEPT + 1)]
    for age, id in enumerate(done):
        positions.finish(id, lambda position: f"game-{position.id}")
        os.utime(tmp_path / "positions" / f"{id}.json", (age, age))
    assert positions.of_game(f"game-{done[0]}") is None
    newest = positions.of_game(f"game-{done[-1]}")
    assert newest and positions.photo(newest, 0).is_file()
    assert [position.id for position in positions.all()] == [open_one.id]
    assert len([*(tmp_path / "positions").glob("*.jpg")]) == DONE_KEPT + 1


def test_the_one_just_finished_stays_when_the_clock_went_back(positions: Positions, tmp_path: Path) -> None:
    for number in range(DONE_KEPT):
        positions.finish(id := positions.begin(agreed()), lambda _, number=number: f"game-{number}")
        os.utime(tmp_path / "positions" / f"{id}.json", (9e9 + number, 9e9 + number))
    positions.finish(positions.begin(agreed()), lambda _: "new")
    assert positions.of_game("new")
    assert not positions.of_game("game-0") and positions.of_game("game-1")


@pytest.mark.parametrize(
    "plain",
    ["{", "[]", '{"pack": 3}', "[" * 200_000, {"focals": [None]}, {"maps": {"0": []}}, {"part": {}}],
    ids=["cut off", "a list", "too little", "deep", "focals", "maps", "nothing told"],
)
def test_one_that_is_damaged_or_of_another_version_does_not_hide_the_others(
    positions: Positions, tmp_path: Path, plain: str | dict[str, object]
) -> None:
    damaged, whole = positions.begin(agreed()), positions.begin(agreed())
    file = tmp_path / "positions" / f"{damaged}.json"
    file.write_text(
        plain if isinstance(plain, str) else json.dumps({**json.loads(file.read_text()), **plain})
    )
    assert [position.id for position in positions.all()] == [whole]
    with pytest.raises(WebProblem):
        positions.load(damaged)
