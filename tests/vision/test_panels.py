"""Reading boards of tracks and areas: a drawn one, and the sample photos."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from sample_tables import SAMPLES as FOLDER
from synthetic_panel import SIZE, Pieces, board_to_photo, panel, photograph
from synthetic_table import camera

from calibration import (
    Photo,
    Profile,
    ProfileProblem,
    RegistrationProblem,
    Surface,
    calibrate_panel,
    read_panel_points,
    register,
)
from calibration.surface import transform
from engine import mini_express as game
from vision import Agreed, PanelReading, TableScan, scan_table, table
from vision.bench.panels import bench_panels, find_panels, measured, profile_of
from vision.cells.fitting import Fit
from vision.cells.light import blurred
from vision.figure import SOME, Figure
from vision.panels.figures import figures, shown_otherwise, state_part
from vision.panels.findings import Finding, Place, places_of, share_out
from vision.panels.network import Opinion
from vision.panels.reading import TRY
from vision.samples import Sample

SAMPLES = [sample for sample in find_panels(FOLDER) if not sample.held_out]
PIECES = Pieces(
    value={"brown": 3, "gray": 3, "orange": 8, "white": 13},
    influence={
        "red": {"brown": 2, "gray": 5},
        "blue": {"brown": 2, "gray": 0},
        "yellow": {"brown": 7, "gray": 5},
    },
    reservoir={"orange": 3, "white": 5},
)


@pytest.fixture(scope="module")
def surface() -> Surface:
    return panel()


def read(surface: Surface, *photos: np.ndarray) -> TableScan:
    return scan_table([Photo(photo) for photo in photos], Profile("usa", {"tracks": surface}))


def true_figures(pieces: Pieces) -> dict[str, int]:
    return {
        **{f"companies.{company}.value": n for company, n in pieces.value.items()},
        **{f"influence.{s}.{c}": n for s, row in pieces.influence.items() for c, n in row.items()},
        **{f"companies.{company}.reservoir": n for company, n in pieces.reservoir.items()},
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tilt", "turn", "light"),
    [(0, 0, (1.0, 1.0, 1.0)), (25, 40, (0.6, 0.85, 1.0)), (30, 200, (1.0, 0.9, 0.8))],
)
def test_markers_and_trains_are_read_side_by_side_and_round_a_corner(
    surface: Surface, tilt: float, turn: float, light: tuple[float, ...]
) -> None:
    found = read(surface, photograph(camera(tilt, turn, 560), PIECES, light))
    assert {figure.name: figure.best for figure in found.figures} == true_figures(PIECES)
    assert all(not f.doubtful for f in found.figures if f.path[-1] != "reservoir")
    assert found.unseen == []


@pytest.mark.parametrize(
    ("tilt", "turn", "apart"), [(30, 200, 12.0), (20, 20, 13.0), (10, 290, 11.5), (0, 120, 12.5)]
)
def test_trains_in_a_tight_row_are_counted_right_or_asked(
    surface: Surface, tilt: float, turn: float, apart: float
) -> None:
    tight = Pieces(reservoir={"orange": 3, "white": 5}, apart=apart)
    found = read(surface, photograph(camera(tilt, turn, 560), tight))
    counts = {figure.path[1]: figure for figure in found.figures if figure.path[-1] == "reservoir"}
    assert all(
        counts[company].best == n or counts[company].doubtful for company, n in tight.reservoir.items()
    )


def test_an_empty_board_shows_no_players_and_empty_reservoirs(surface: Surface) -> None:
    found = read(surface, photograph(camera(20, 10, 560)))
    assert not [figure for figure in found.figures if figure.path[0] == "influence"]
    assert not [figure for figure in found.figures if figure.path[-1] == "value" and figure.claimed]
    assert found.state_part()["companies"] == {"orange": {"reservoir": 0}, "white": {"reservoir": 0}}


def test_what_a_hand_covers_is_unseen_and_not_claimed(surface: Surface) -> None:
    view = camera(10, 0, 560)
    photo = photograph(view, PIECES)
    x, y = transform([(270.0, 130.0)], board_to_photo(view))[0]
    cv2.ellipse(photo, (round(x), round(y)), (200, 190), 0, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
    found = read(surface, photo)
    assert {"reservoir/orange", "reservoir/white"} <= set(found.unseen)
    assert not [figure for figure in found.figures if figure.path[-1] == "reservoir"]
    assert found.to_json()["unseen_cells"] == found.unseen


@pytest.mark.slow
def test_two_photos_fill_each_other(surface: Surface) -> None:
    view = camera(5, 0, 560)
    whole = photograph(view, PIECES)
    x, _ = transform([(SIZE[0] / 2, SIZE[1] / 2)], board_to_photo(view))[0]
    left, right = whole[:, : round(x) + 250], whole[:, round(x) - 250 :]
    alone = read(surface, np.ascontiguousarray(left))
    assert alone.unseen
    both = read(surface, np.ascontiguousarray(left), np.ascontiguousarray(right))
    assert both.unseen == []
    assert {figure.name: figure.best for figure in both.figures} == true_figures(PIECES)


@pytest.mark.slow
def test_a_photo_that_shows_no_board_does_not_take_the_others_with_it(surface: Surface) -> None:
    whole, profile = photograph(camera(5, 0, 560), PIECES), Profile("usa", {"tracks": surface})
    blank, photo = Photo(np.full_like(whole, 90), name="photo 1 of 2"), Photo(whole, name="photo 2 of 2")
    found = scan_table([blank, photo], profile)
    assert {figure.name: figure.best for figure in found.figures} == true_figures(PIECES)
    (told,) = found.all_conflicts
    assert str(told).startswith("The board was not found in photo 1 of 2")
    assert found.fits
    with pytest.raises(RegistrationProblem, match="photo 1 of 2"):
        scan_table([blank], profile)


def test_the_profile_on_disk_reads_the_same(surface: Surface, tmp_path: Path) -> None:
    Profile("usa", {"tracks": surface}).save(tmp_path)
    again = Profile.load(tmp_path).surfaces["tracks"]
    assert again.kinds == surface.kinds
    assert again.cells == surface.cells
    found = read(again, photograph(camera(15, 30, 560), PIECES))
    assert {figure.name: figure.best for figure in found.figures} == true_figures(PIECES)


def test_the_scan_as_json_lists_figures_doubts_and_surfaces(surface: Surface) -> None:
    found = read(surface, photograph(camera(15, 30, 560), PIECES))
    plain = json.loads(json.dumps(found.to_json()))
    assert plain["registration"]["ok"]
    assert [entry["surface"] for entry in plain["surfaces"]] == ["tracks"]
    assert plain["state"]["companies"]["orange"]["value"] == 8
    assert {entry["path"] for entry in plain["observation"]["figures"]} == set(true_figures(PIECES))


def test_a_photo_of_none_of_the_boards_is_refused(surface: Surface) -> None:
    with pytest.raises(RegistrationProblem):
        read(surface, np.full((900, 1200, 3), 120, np.uint8))
    assert not register(np.full((900, 1200, 3), 120, np.uint8), surface).ok


def figure(*path: str, of: str = "", **weights: float) -> Figure:
    return Figure(path, path[-1], {int(k[1:]) if k[1:].isdigit() else k: w for k, w in weights.items()}, of)


def test_only_what_is_likelier_than_not_is_claimed_and_what_is_not_certain_is_asked() -> None:
    sure, unsure = figure("companies", "brown", "value", n3=9.0, n4=-9.0), figure("a", n1=0.0, n2=0.2, n3=0.0)
    likely = figure("companies", "gray", "value", n5=2.0, n6=0.0)
    assert (sure.best, sure.claimed, sure.doubtful) == (3, True, False)
    assert (unsure.claimed, unsure.doubtful) == (False, True)
    assert (likely.best, likely.claimed, likely.doubtful) == (5, True, True)
    assert state_part([sure, unsure, likely]) == {"companies": {"brown": {"value": 3}, "gray": {"value": 5}}}


def test_the_most_doubtful_figure_is_asked_first() -> None:
    unsure, likely, sure = (
        figure("b", n0=1.0, n1=0.0),
        figure("a", n0=3.0, n1=0.0),
        figure("c", n0=30.0, n1=0.0),
    )
    found = TableScan(None, (), [], [likely, sure, unsure], [], [], 0.0)
    assert found.doubtful == [unsure, likely]


def test_a_small_piece_that_is_not_worth_trying_does_not_keep_a_large_one_from_being_tried() -> None:
    """Scores below nothing times the area would be the other way round."""

    class Fitter:
        areas, kinds = np.array([20.0, 200.0]), (None, None)
        tops = np.array([[TRY - 0.1, -9.0], [-9.0, TRY + 1.5]])

        def fit(self, cell: int, kind: int) -> Fit:
            return Fit(cell, kind, (0.0, 0.0), 0.0, float(self.tops[cell, kind]))

        def spend(self, fit: Fit) -> None:
            self.tops[fit.cell, fit.kind] = -9.0

    small, large = share_out(Fitter(), [Place("small", (0,), 0), Place("large", (1,), 1)], TRY)
    assert not small.pieces and len(large.pieces) == 1


def test_a_pile_of_shares_is_not_counted_but_asked() -> None:
    pile = Figure(("companies", "brown", "offer"), "offer/brown", {0: 0.0, SOME: 7.0})
    assert (pile.claimed, pile.doubtful) == (False, True)
    assert pile.to_json()["value"] == SOME
    gone = Figure(("companies", "brown", "offer"), "offer/brown", {0: 0.0, SOME: -7.0})
    assert (gone.claimed, gone.doubtful) == (True, False)


def test_nothing_read_gives_no_figures() -> None:
    assert figures([]) == []


CORNERS = [[50, 50], [750, 50], [750, 550], [50, 550]]


def imagined(influence: dict[str, tuple[int, int]], marker: str) -> PanelReading:
    """A reading in which `marker` is on gray and the colours are where `influence` has them on brown and gray."""
    areas = {f"company/{c}": [[600, y], [650, y], [650, y + 40]] for c, y in (("brown", 100), ("gray", 200))}
    tracks = {
        f"influence/{c}": {"at": [0, 9], "px": [[100, y], [500, y]]}
        for c, y in (("brown", 100), ("gray", 200))
    }
    taps = {"corners": CORNERS, "size_mm": [400, 300], "tracks": tracks, "areas": areas}
    empty = Photo(np.full((600, 800, 3), 200, np.uint8))
    surface = calibrate_panel("both", empty, read_panel_points(taps), "usa")
    looks = []
    opinion = Opinion(np.full((len(surface.cells), len(surface.kinds)), -9.0), {})
    for place in places_of(surface):
        seat, row = surface.kinds[place.kind].name, place.name.rpartition("/")[2]
        scores = np.full(len(place.cells), -4.0)
        if place.name == "company" and seat == marker:
            scores[1] = 2.0
            opinion.odds[place.cells[1], place.kind] = 2.0
        if place.name != "company" and seat in influence:
            scores[influence[seat][("brown", "gray").index(row)]] = 2.0
        looks.append(Finding(place, scores=scores))
    cells = len(surface.cells)
    return PanelReading(
        surface, looks, opinion, np.ones(cells, bool), np.zeros(cells), np.array([0.0, 0.0, 500.0])
    )


def test_the_colour_of_the_company_marker_is_masinfiras() -> None:
    shown = figures([imagined({"red": (3, 4), "green": (1, 2)}, marker="green")])
    assert state_part(shown) == {
        "influence": {"red": {"brown": 3, "gray": 4}, "masinfira": {"brown": 1, "gray": 2}},
        "bot": {"company": "gray"},
    }


def test_a_colour_that_hardly_shows_may_not_play_and_is_asked_but_not_where_the_players_are_known() -> None:
    reading = imagined({"red": (3, 4), "green": (1, 2)}, marker="green")
    for found in reading.findings:
        if reading.surface.kinds[found.place.kind].name == "red" and found.place.name != "company":
            found.scores[found.scores > 0] = 0.3
    asked = [f.name for f in figures([reading]) if f.doubtful]
    assert asked == ["influence.red.brown", "influence.red.gray"]
    assert not [f for f in figures([reading], seats=["red"]) if f.doubtful]


def test_a_colour_that_was_only_guessed_is_asked_unless_it_is_known_to_play() -> None:
    seen = imagined({"red": (3, 4), "blue": (1, 2)}, marker="")
    guessed = next(
        k for k, kind in enumerate(seen.surface.kinds) if (kind.name, kind.on) == ("red", "influence")
    )
    reading = replace(seen, guessed=guessed)
    asked = [f.name for f in figures([reading]) if f.doubtful]
    assert asked == ["influence.red.brown", "influence.red.gray"]
    assert all(f.claimed for f in figures([reading]) if f.path[0] == "influence")
    assert not [f for f in figures([reading], seats=["red", "blue"]) if f.doubtful]


def test_boxes_and_network_count_a_reservoir_together_and_where_they_differ_it_is_asked(
    surface: Surface,
) -> None:
    def counted(boxes: list[float], network: list[float], on_rim: Sequence[float] = ()) -> Figure:
        return next(f for f in figures([pile(surface, boxes, network, on_rim)]) if f.path[-1] == "reservoir")

    both, neither = counted([2.0, 1.9], [1.0, -0.5, -13.0]), counted([], [-13.0])
    assert [(f.best, f.doubtful) for f in (both, neither)] == [(2, False), (0, False)]
    own_print = counted([2.0, 2.0, 2.0, 2.0, 2.0], [-12.0])
    assert own_print.doubtful
    crowd = counted([2.0, 2.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    assert (crowd.best, max(crowd.weights)) == (5, 5)
    # A train of the supply that lies across the rim may be meant to lie in it.
    assert counted([2.0, 1.9], [1.0, -0.5, -5.0], on_rim=[1.9]).doubtful
    assert not counted([2.0, 1.9, 1.9], [1.0, -0.5, -5.0]).doubtful


def pile(
    surface: Surface, boxes: list[float], network: list[float], on_rim: Sequence[float] = ()
) -> PanelReading:
    """A reading of the reservoir of white alone: the scores of boxes in it and across its rim, the network's odds."""
    place = next(place for place in places_of(surface) if place.name == "reservoir/white")
    cell = surface.cells[place.cells[0]]
    fits = [Fit(place.cells[0], place.kind, cell.center, 0.0, score) for score in boxes]
    fits += [Fit(place.cells[0], place.kind, cell.outline[0], 0.0, score) for score in on_rim]
    look = Finding(place, fits, np.array([2.0]), left=-1.0)
    opinion = Opinion(np.zeros((len(surface.cells), len(surface.kinds))), {place.cells[0]: network})
    cells = len(surface.cells)
    return PanelReading(
        surface, [look], opinion, np.ones(cells, bool), np.zeros(cells), np.array([0.0, 0.0, 500.0])
    )


def test_a_single_reservoir_that_is_counted_otherwise_is_asked_and_speaks_against_no_photo(
    surface: Surface,
) -> None:
    """It is rather miscounted in one of them."""
    two, none = pile(surface, [2.0, 1.9], [1.0, -0.5, -13.0]), pile(surface, [], [-13.0])
    assert shown_otherwise([two, none]) == []
    (shown,) = (f for f in figures([two, none]) if f.path[-1] == "reservoir")
    assert shown.doubtful and not shown.claimed


def test_the_colour_that_no_human_plays_is_masinfiras() -> None:
    shown = figures([imagined({"red": (3, 4), "blue": (1, 2)}, marker="")], seats=["blue"])
    assert state_part(shown)["influence"] == {
        "masinfira": {"brown": 3, "gray": 4},
        "blue": {"brown": 1, "gray": 2},
    }


def test_photos_of_two_moments_are_told_and_what_they_show_otherwise_is_not_known() -> None:
    before = imagined({"red": (3, 4), "green": (1, 2)}, marker="")
    after = imagined({"red": (3, 5), "green": (1, 2)}, marker="")
    assert shown_otherwise([before, before]) == []
    (otherwise,) = shown_otherwise([before, after])
    assert otherwise.name == "influence.red.gray"
    shown = {f.name: f for f in figures([before, after], seats=["red", "green"])}
    assert {name for name, f in shown.items() if f.doubtful} == {"influence.red.gray"}
    assert not shown["influence.red.gray"].claimed


def test_a_marker_that_one_photo_shows_and_another_plainly_does_not_is_of_another_moment() -> None:
    """A photo of the empty board, for one."""
    empty, one = imagined({}, marker=""), imagined({"red": (3, 4)}, marker="")
    for found in empty.findings:
        found.scores -= 1.0
    assert {f.name for f in shown_otherwise([empty, one])} == {"influence.red.brown", "influence.red.gray"}
    hidden = replace(empty, seen=np.zeros_like(empty.seen))
    assert shown_otherwise([hidden, one]) == []


def test_of_two_colours_that_no_human_plays_neither_is_taken_for_masinfiras() -> None:
    seen = imagined({"red": (3, 4), "green": (5, 6), "blue": (1, 2)}, marker="")
    assert state_part(figures([seen], seats=["blue"]))["influence"] == {"blue": {"brown": 1, "gray": 2}}


def test_a_company_marker_that_looks_like_a_humans_is_not_taken_for_its_colour() -> None:
    shown = figures([imagined({"red": (3, 4), "green": (1, 2)}, marker="red")], seats=["red"])
    assert state_part(shown) == {
        "influence": {"red": {"brown": 3, "gray": 4}, "masinfira": {"brown": 1, "gray": 2}}
    }


def test_what_a_covered_space_looks_like_does_not_count() -> None:
    reading = imagined({"red": (3, 4)}, marker="")
    for found in reading.findings:
        if found.place.name == "influence/brown" and reading.surface.kinds[found.place.kind].name == "red":
            found.scores[5] = 1.0
            reading.seen[found.place.cells[3]] = False
    best = {figure.name: figure.best for figure in figures([reading], seats=["red"])}
    assert best["influence.red.brown"] == 5


def test_who_plays_is_known_by_the_state_before_or_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the humans' colours known, the one that is left is Mašinfíra's."""
    asked: list[object] = []
    monkeypatch.setattr(table, "figures", lambda _, seats: asked.append(seats) or [])
    before = game.new(board="usa", mode="solo", difficulty="tourist", seats=["blue"], rng=random.Random(1))
    scan_table([], Profile("usa", {}), before=before)
    scan_table([], Profile("usa", {}), agreed=Agreed(seats=["red"]))
    assert asked == [("blue",), ["red"]]


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.photo.stem)
def test_every_marker_of_the_samples_is_right_and_every_mistake_is_asked(sample: Sample) -> None:
    every = measured(sample).answers
    answers = [answer for answer in every if answer.sort != "offers"]
    assert answers
    assert [a.name for a in answers if not a.right and (a.sort == "markers" or not a.asked)] == []
    assert len(every) - len(answers) == (4 if "assets" in sample.truth["surfaces"] else 0), (
        "every pile of shares is told"
    )


def test_a_wide_blur_of_a_smaller_copy_is_the_same_blur() -> None:
    noise = np.random.default_rng(1).random((120, 200, 3)).astype(np.float32)
    apart = np.abs(blurred(noise, 20.0) - cv2.GaussianBlur(noise, (0, 0), 20.0))[20:-20, 20:-20]
    assert apart.max() < 0.02 * noise.std()


def test_a_profile_of_shares_alone_reads_no_board() -> None:
    with pytest.raises(ProfileProblem, match="calibrate it first"):
        scan_table([Photo(np.zeros((90, 120, 3), np.uint8))], Profile("usa", {}))


@pytest.mark.slow
def test_which_boards_a_photo_shows_is_found_out() -> None:
    """All three in one photo, also a small one beside a large one; or one of them."""
    table = FOLDER / "study"
    profile = profile_of(table, ["map", "tracks", "assets"], "usa")
    whole, one = (scan_table([table / photo], profile) for photo in ("whole_table.jpg", "tracks_four.jpg"))
    assert whole.sightings[0].surface == "map"
    assert whole.missing == [] and whole.map is not None
    # Mašinfíra's company marker lies on the asset board, so its target marker is somewhere (R7.2).
    assert whole.map.agreed.bot and whole.map.target == 32
    assert [sighting.surface for sighting in one.sightings] == ["tracks"]
    assert one.missing == ["assets", "map"] and one.map is None


def test_what_a_person_saves_beside_the_samples_is_no_sample(tmp_path: Path) -> None:
    """Such as what `scan --json` printed, whose surfaces are more than names."""
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "seen.json").write_text('{"surfaces": [{"surface": "tracks"}], "track": {}}')
    assert bench_panels(tmp_path) == {"panel_photos": 0}


def test_the_bench_without_panels_says_so(tmp_path: Path) -> None:
    assert bench_panels(tmp_path) == {"panel_photos": 0}
