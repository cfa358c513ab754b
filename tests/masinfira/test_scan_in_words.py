"""What `masinfira scan` says in words of demand tiles, target city marker and Golden Spike tile (R1.4, R7.2, R10.1)."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration import Photo, Registration
from engine import mini_express as game
from engine.catalogue import in_percent, texts
from masinfira.console import Console
from masinfira.scan_in_words import SECOND_PHOTO, show_figures, show_scan
from vision import Agreed, Scan, TableScan
from vision.figure import SOME, Figure
from vision.sightings import Sighting
from vision.state.decode import Doubt
from vision.state.demand import Cards, Tile

PACK = game.built_in()
USA = PACK.boards["usa"]
NOTHING: dict[str, Any] = {"doubtful": [], "actions": [], "alternatives": [], "conflicts": []}


def told(
    capsys: pytest.CaptureFixture[str], cards: Cards, lang: str = "en", photos: int = 1, **more: Any
) -> str:
    """What is printed of photos that show no train and these cards, without a state before."""
    all_seen: Any = SimpleNamespace(unseen=[])
    no_surface: Any = None
    track: dict[str, Any] = {company: [] for company in game.COMPANIES}
    rest = {**NOTHING, "track": track, "cards": cards, "state": None, "seconds": 1.0, **more}
    found = Scan(
        photos=(Photo(np.zeros((9, 9, 3), np.uint8)),) * photos,
        registrations=(),
        readings=(),
        surface=no_surface,
        board=USA,
        agreed=Agreed(),
        before=None,
        observation=all_seen,
        **rest,
    )
    show_scan(Console(texts(lang), as_json=False), found)
    return capsys.readouterr().out


def test_doubtful_tiles_are_listed_with_city_and_symbols(capsys: pytest.CaptureFixture[str]) -> None:
    tiles = (
        Tile(3, ("brown", "gray"), 0.6),
        Tile(5, ("white", "wild"), 0.5),
        Tile(7, ("gray", "wild"), 0.99),
    )
    three, five, seven = (USA.numbered[n].name for n in (3, 5, 7))
    out = told(capsys, Cards(tiles))
    assert f"Doubtful demand tiles: {three} (brown, gray), {five} (white, wild)." in out
    assert seven not in out
    assert f"{three} (hnědá, šedá)" in told(capsys, Cards(tiles), "cs")


def test_boards_not_found_piles_to_count_and_what_is_not_seen_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pile = Figure(("companies", "gray", "offer"), "offer/gray", {0: 0.0, SOME: 9.0})
    tracks = Sighting(Photo(np.zeros((9, 9, 3), np.uint8)), "tracks", Registration(np.eye(3), 30, 0.1))
    unseen = ["reservoir/white", "value/brown/3"]
    found = TableScan(None, (tracks,), ["assets", "map"], [pile], unseen, [], 1.0)
    for lang, missing in (
        ("en", "Not found in the photos: assets, map."),
        ("cs", "deska správy majetku, mapa."),
    ):
        show_figures(Console(texts(lang), as_json=False), found)
        out = capsys.readouterr().out
        assert missing in out
        assert "companies.gray.offer" in out and SOME not in out
        assert "companies.white.reservoir, value/brown/3." in out


def test_a_second_photo_is_asked_for_where_one_alone_leaves_many_doubts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    doubts = [Doubt(city.at, "gray", 0.5, claimed=False) for city in USA.numbered.values()]
    hint = "second photo of the same moment"
    assert hint in told(capsys, Cards(), doubtful=doubts[:SECOND_PHOTO])
    assert hint not in told(capsys, Cards(), doubtful=doubts[: SECOND_PHOTO - 1])
    assert hint not in told(capsys, Cards(), photos=2, doubtful=doubts)


def test_no_doubt_is_told_as_certain() -> None:
    assert [in_percent(p) for p in (0.0, 0.004, 0.5, 0.999)] == [1, 1, 50, 99]


def test_many_doubtful_tiles_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, Cards(tuple(Tile(n, ("brown", "gray"), 0.2) for n in USA.numbered)))
    assert "32 demand tiles are doubtful: --json lists them." in out
    assert USA.numbered[3].name not in out


@pytest.mark.parametrize(("p", "sure"), [(0.99, True), (0.6, False)])
def test_marker_and_spike_tile_are_told_where_they_clearly_lie(
    capsys: pytest.CaptureFixture[str], p: float, sure: bool
) -> None:
    out = told(capsys, Cards(target=4, target_p=p, spike_p=p))
    assert (f"The target city marker lies on {USA.numbered[4].name} (4)." in out) == sure
    assert (f"Doubtful: the target city marker on {USA.numbered[4].name} (4; 60 %)." in out) != sure
    assert ("Golden Spike" in out) == sure


def test_nothing_is_said_of_what_does_not_lie_there(capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, Cards(target=4, target_p=0.01, spike_p=0.01))
    assert "marker" not in out
    assert "Golden Spike" not in out
    assert "demand" not in out
