"""Reading a drawn table end to end: pose, light, pieces, what is hidden, and what is drawn for people."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from bent import bend_picture
from games import drafted
from synthetic_table import BOARD, HEXES, PRINT, WOOD, Camera, camera, photograph, table, taps

from calibration import Kind, Photo, PhotoProblem, Profile, RegistrationProblem, calibrate_map, register
from calibration.hexes import hex_center
from calibration.lessons import LAST_KEPT
from calibration.pieces import TRAIN_MM
from engine import mini_express as game
from engine.hexgrid import Hex
from vision import Agreed, annotate, examine, read_cells, scan, teach
from vision.annotate import _on_cities
from vision.cells.boxes import MapEvidence
from vision.cells.colours import with_white_by_home
from vision.cells.light import local_gain, resized, to_log
from vision.cells.odds import probability
from vision.cells.pose import camera_position, raised
from vision.cells.reading import BEHIND, though_hidden, where_no_card
from vision.cells.sight import Sight, _without_burnt_colour
from vision.state.demand import Cards, Tile

TRAINS: dict[str, list[Hex]] = {
    "brown": [(7, -5), (6, -4), (5, -3), (4, -2)],
    "gray": [(7, -3), (6, -3), (6, -2)],
    "orange": [(6, -6), (6, -5), (5, -4)],
    "white": [(5, 0), (4, 0), (3, 0), (3, 1)],
}


@pytest.fixture(scope="module")
def profile() -> Profile:
    return table()


def expected() -> np.ndarray:
    """(hexes, companies) bool: where the drawn trains are."""
    there = np.zeros((len(HEXES), 4), bool)
    for k, company in enumerate(game.COMPANIES):
        for at in TRAINS[company]:
            there[HEXES.index(at), k] = True
    return there


def test_without_a_photo_there_is_nothing_to_scan(profile: Profile) -> None:
    with pytest.raises(ValueError, match="no photo to scan"):
        scan([], profile)


@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (25, 130), (50, 20), (50, 250)])
def test_the_camera_is_where_it_was(tilt: float, turn: float) -> None:
    view = camera(tilt, turn)
    height = -view.position[2]
    for focal in (view.focal, None):
        found = camera_position(view.plane_to_photo, view.size, focal)
        assert np.allclose(found, [view.position[0], view.position[1], height], rtol=0.02, atol=2)


def test_height_moves_points_as_the_camera_sees_them() -> None:
    view = camera(40, 70)
    place = np.array([[100.0, -50.0]])
    eye = np.array([view.position[0], view.position[1], -view.position[2]])
    on_plane = raised(place, 12.0, eye)
    top = view.project(np.array([[100.0, -50.0, 12.0]]))
    assert np.allclose(view.project(np.column_stack([on_plane, [0.0]])), top, atol=1e-6)


def test_both_readers_start_from_the_colours_that_the_table_has_taught(profile: Profile) -> None:
    plain = profile.surfaces["map"]
    taught = replace(plain, lessons={"orange": ((0.5, 1.5, -2.0),) * LAST_KEPT})
    photo = Photo(photograph(camera(20, 30), TRAINS))
    registration = register(photo, plain)
    before, after = (
        MapEvidence(Sight.of(registration.straight(photo), registration, surface)).first_colours()
        for surface in (plain, taught)
    )
    assert (before != after).any(axis=1).tolist() == [False, False, True, False]


def test_what_is_burnt_out_is_as_light_as_it_is_and_has_no_colour() -> None:
    """A lamp makes white wood brighter than a photo can tell, and the gain would make a colour of that."""
    white = np.array([-0.2, -0.1, 0.0], np.float32)
    light = np.array([[[0.3, 0.0, -0.6], [-2.0, -1.0, -0.5]]], np.float32)
    pixels = np.array([[[255, 251, 250], [90, 160, 249]]], np.uint8)
    burnt, other = _without_burnt_colour(light.copy(), pixels, white)[0]
    assert burnt.mean() == pytest.approx(light[0, 0].mean())
    assert burnt - burnt.mean() == pytest.approx(white - white.mean())
    assert np.array_equal(other, light[0, 1])


def test_the_gain_follows_light_and_not_pieces() -> None:
    rng = np.random.default_rng(0)
    reference = cv2.resize(rng.integers(90, 200, (60, 80, 3), dtype=np.uint8), (800, 600))
    ramp = np.linspace(0.4, 0.9, 800)[None, :, None] * np.array([0.6, 0.8, 1.0])
    linear = np.exp(to_log(reference)) * ramp
    photo = np.log(linear).astype(np.float32)
    photo[200:260, 300:360] -= 1.5
    found = resized(local_gain(photo, to_log(reference), np.ones((600, 800), bool), 1.2), (800, 600))
    assert np.abs(found - np.log(ramp))[20:-20, 20:-20].max() < 0.12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tilt", "turn", "light"),
    [
        (0, 0, (1.0, 1.0, 1.0)),
        (30, 40, (0.55, 0.8, 1.0)),
        (35, 200, (1.0, 0.9, 0.8)),
    ],
)
def test_trains_are_read(profile: Profile, tilt: float, turn: float, light: tuple[float, ...]) -> None:
    surface = profile.surfaces["map"]
    photo = photograph(camera(tilt, turn), TRAINS, light=light)
    probability = read_cells(photo, register(photo, surface), surface)
    assert probability.shape == (len(HEXES), 4)
    assert ((probability >= 0) & (probability <= 1)).all()
    assert ((probability > 0.5) != expected()).sum() <= 1


@pytest.mark.slow
@pytest.mark.parametrize("ink", [(0.25, 1.0, 0.3), (0.5, 1.0, 0.5)])
def test_trains_are_read_on_a_board_without_any_white(ink: tuple[float, ...]) -> None:
    """Its brightest print is green, and beside that all wood is pink."""
    board, view = (PRINT * np.array(ink)).astype(np.uint8), camera(tilt=5)
    surface, _ = calibrate_map(Photo(photograph(view, board=board)), taps(view, error=1.0), BOARD)
    photo = photograph(camera(25, 30), TRAINS, board=board)
    probability = read_cells(photo, register(photo, surface), surface)
    assert ((probability > 0.5) != expected()).sum() <= 1


def test_one_home_cell_alone_does_not_tell_what_is_white(profile: Profile) -> None:
    """A hand may lie there, or wood of a colour that nobody assumed stand there."""
    surface, photo = profile.surfaces["map"], Photo(photograph(camera(20, 30), TRAINS))
    registration = register(photo, surface)
    sight = Sight.of(registration.straight(photo), registration, surface)
    before = with_white_by_home(sight).white
    sight.light[sight.cell_of == surface.kinds[2].home] += (1.5, -1.0, -1.0)
    assert np.abs(with_white_by_home(sight).white - before).max() < 0.25


@pytest.mark.slow
def test_pieces_of_another_game_are_read_by_colours_that_a_file_tells(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A red so strong that no wood is like it, and no cell that always holds a piece."""
    paint = {"red": (45, 45, 185), "green": (60, 150, 40), "blue": (170, 70, 30), "yellow": (40, 205, 230)}
    monkeypatch.setattr("synthetic_table.WOOD", WOOD | paint)
    kinds = tuple(
        Kind(name, tuple((value / 200) ** 2.2 for value in bgr), TRAIN_MM) for name, bgr in paint.items()
    )
    surface = replace(profile.surfaces["map"], kinds=kinds)
    pieces = dict(zip(paint, TRAINS.values(), strict=True))
    photo = photograph(camera(25, 100), pieces)
    probability = read_cells(photo, register(photo, surface), surface)
    assert ((probability > 0.5) != expected()).sum() <= 1


@pytest.mark.slow
def test_a_bent_photo_is_straightened_before_it_is_read(profile: Profile) -> None:
    surface = profile.surfaces["map"]
    photo = bend_picture(photograph(camera(20, 40), TRAINS), -0.08)
    probability = read_cells(photo, register(photo, surface), surface)
    assert ((probability > 0.5) != expected()).sum() <= 1


@pytest.mark.slow
def test_what_was_not_found_is_not_read(profile: Profile) -> None:
    surface, black = profile.surfaces["map"], np.zeros((600, 800, 3), np.uint8)
    with pytest.raises(RegistrationProblem):
        read_cells(black, register(black, surface), surface)


@pytest.mark.slow
def test_an_empty_board_has_no_new_track(profile: Profile) -> None:
    start = {company: [BOARD.starts[company].at] for company in game.COMPANIES}
    found = scan([Photo(photograph(camera(20, 10), start))], profile)
    assert found.track == start


@pytest.mark.slow
def test_modules_in_play_change_what_the_map_allows(profile: Profile) -> None:
    start = {company: [BOARD.starts[company].at] for company in game.COMPANIES}
    photo = Photo(photograph(camera(20, 10), start))
    told = scan([photo], profile, agreed=Agreed(modules=["capacity_two"]))
    assert (told.board, told.state_part()["modules"]) == (BOARD.variant(("capacity_two",)), ["capacity_two"])
    assert "modules" not in scan([photo], profile).state_part()
    with pytest.raises(game.Malformed):
        scan([photo], profile, agreed=Agreed(modules=["ports"]))


@pytest.mark.slow
def test_a_hand_hides_and_is_not_read(profile: Profile) -> None:
    surface = profile.surfaces["map"]
    view = camera(10, 0)
    photo = photograph(view, TRAINS)
    cv2.ellipse(photo, (700, 560), (150, 80), 30, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
    reading = examine(Photo(photo), register(photo, surface), surface)
    under = int(
        np.argmin(
            np.linalg.norm(
                cv2.perspectiveTransform(surface.centers[None], view.plane_to_photo)[0] - (700, 560), axis=1
            )
        )
    )
    assert not reading.seen[under]
    assert 5 <= (~reading.seen).sum() <= 40
    wrong = (reading.odds > 0) != expected()
    assert wrong[reading.seen].sum() <= 1


def test_a_cell_that_is_partly_hidden_tells_no_more_than_its_rest_shows() -> None:
    clear, at_the_edge, covered = though_hidden(np.array([[-8.0, 6.0]] * 3), np.array([0.0, 0.1, 1.0]))
    assert clear == pytest.approx([-8.0, 6.0])
    absent, present = probability([-8.0, 6.0])
    assert probability(at_the_edge) == pytest.approx(
        [0.9 * absent + 0.1 * BEHIND, 0.9 * present + 0.1 * BEHIND]
    )
    assert probability(covered) == pytest.approx([BEHIND, BEHIND])


@pytest.mark.slow
def test_hexes_outside_the_photo_are_unseen(profile: Profile) -> None:
    whole = photograph(camera(5, 0), TRAINS)
    found = scan([Photo(np.ascontiguousarray(whole[:, :1000]))], profile)
    shape = (1200, 1000)
    for at, corners in found.outlines().items():
        inside = [0 <= x < shape[1] and 0 <= y < shape[0] for x, y in corners]
        assert (at in found.unseen) <= (not all(inside))
        assert (at in found.unseen) >= (not any(inside))
    assert found.unseen


@pytest.mark.slow
def test_two_photos_fill_each_other(profile: Profile) -> None:
    left, right = (photograph(camera(5, 0), TRAINS, seed=s) for s in (1, 1))
    pair = [Photo(np.ascontiguousarray(left[:, :1000])), Photo(np.ascontiguousarray(right[:, 600:]))]
    found = scan(pair, profile)
    assert found.unseen == []
    assert len(found.to_json()["registrations"]) == 2


def test_a_photo_without_the_board_is_refused(profile: Profile) -> None:
    with pytest.raises(RegistrationProblem):
        scan([Photo(np.full((900, 1200, 3), 120, np.uint8))], profile)


def test_a_photo_in_black_and_white_is_refused_for_colours_tell_the_pieces(profile: Profile) -> None:
    shown = photograph(camera(15, 30), TRAINS)
    gray = cv2.cvtColor(cv2.cvtColor(shown, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    for read in (lambda: scan([Photo(gray)], profile), lambda: teach(Photo(gray), profile, BOARD, {})):
        with pytest.raises(PhotoProblem) as refusal:
            read()
        assert refusal.value.key == "colourless"


@pytest.mark.slow
def test_the_scan_as_json_and_with_answers(profile: Profile) -> None:
    found = scan([Photo(photograph(camera(15, 30), TRAINS), scale=2.0)], profile)
    plain = json.loads(json.dumps(found.to_json()))
    assert plain["registration"]["ok"]
    assert set(plain) >= {"registration", "observation", "state", "doubtful", "unseen", "actions", "seconds"}
    assert {c: len(hexes) for c, hexes in plain["state"]["track"].items()} == {
        c: len(h) for c, h in found.track.items()
    }
    shown = plain["observation"]["demand"]
    assert {city: pair for city, (pair, _) in shown.items()} == plain["state"]["demand"]
    assert all(0 <= p <= 1 for _, p in shown.values())
    told = found.answered({((2, 1), "white"): True})
    assert (2, 1) in told.track["white"]
    assert (2, 1) not in found.track["white"]


@pytest.mark.slow
def test_the_build_since_the_state_before_is_found(profile: Profile) -> None:
    before = drafted(4)
    build = next(a for a in game.legal_actions(before) if isinstance(a, game.Build) and a.company == "orange")
    after = game.apply(before, build)
    trains = {company: after.hexes(company) for company in game.COMPANIES}
    steps: list[str] = []
    found = scan(
        [Photo(photograph(camera(30, 15), trains))], profile, before, lambda step, share: steps.append(step)
    )
    assert found.actions == [build]
    assert found.state == after
    assert found.added == {(at, "orange") for at in build.route}
    assert steps[-1] == "Done"


def other_wood(profile: Profile) -> Profile:
    """The profile of a table that takes brown wood for orange and orange for brown."""
    surface = profile.surfaces["map"]
    colours = {kind.name: kind.colour for kind in surface.kinds}
    colours |= {"brown": colours["orange"], "orange": colours["brown"]}
    kinds = tuple(replace(kind, colour=colours[kind.name]) for kind in surface.kinds)
    return replace(profile, surfaces={"map": replace(surface, kinds=kinds)})


def with_a_hand_on(photo: np.ndarray, view: Camera, start: Hex) -> np.ndarray:
    """The same photo with a hand on this hex and those around it."""
    x, y = hex_center(start)
    shape = [(x + 26 * np.cos(t), y + 26 * np.sin(t), 0.0) for t in np.linspace(0, 2 * np.pi, 40)]
    cv2.fillPoly(
        photo, [np.rint(view.project(np.array(shape))).astype(np.int32)], (120, 150, 205), cv2.LINE_AA
    )
    return photo


@pytest.mark.slow
def test_a_build_is_told_by_the_trains_that_stood_before_it(profile: Profile) -> None:
    """R1.2: they never leave the map, so they show which wood is whose though a hand lies on the start cities."""

    def builds(state: game.State) -> list[game.Build]:
        return [a for a in game.legal_actions(state) if isinstance(a, game.Build) and a.company in swapped]

    before, swapped, view = drafted(4), ("brown", "orange"), camera(30, 15)
    while min(len(before.hexes(company)) for company in swapped) < 5 or not builds(before):
        before = game.apply(before, [*builds(before), *game.legal_actions(before)][0])
    build = builds(before)[0]
    after = game.apply(before, build)
    trains = {company: after.hexes(company) for company in game.COMPANIES}
    photo = photograph(view, trains)
    for company in swapped:
        photo = with_a_hand_on(photo, view, BOARD.starts[company].at)
    table = other_wood(profile)
    assert {*scan([Photo(photo)], table).track["brown"]} & {*trains["orange"][1:]}, (
        "else nothing is to be told"
    )
    found = scan([Photo(photo)], table, before)
    assert (found.actions, found.conflicts) == ([build], [])


@pytest.mark.slow
def test_the_annotated_photo_shows_letters_and_doubts(profile: Profile) -> None:
    photo = Photo(photograph(camera(15, 30), TRAINS))
    found = scan([photo], profile)
    picture = annotate(found)
    assert picture.shape == photo.pixels.shape
    changed = np.abs(picture.astype(int) - photo.pixels.astype(int)).sum(axis=2) > 60
    outlines = found.outlines()
    for company, hexes in found.track.items():
        for at in hexes:
            mask = np.zeros(changed.shape, np.uint8)
            cv2.fillConvexPoly(mask, np.rint(np.array(outlines[at])).astype(np.int32), 1)
            assert changed[mask > 0].mean() > 0.08, (company, at)
    assert set(WOOD) == set(found.track)


@pytest.mark.slow
def test_every_photo_of_a_scan_is_annotated_one_below_the_other(profile: Profile) -> None:
    tall = Photo(np.rot90(photograph(camera(15, 30), TRAINS)).copy())
    found = scan([Photo(photograph(camera(30, 15), TRAINS)), tall], profile)
    (first_height, wide), (height, width) = (photo.pixels.shape[:2] for photo in found.photos)
    picture = annotate(found)
    assert picture.shape == (first_height + height, wide, 3)
    below = picture[first_height:]
    assert not below[:, width:].any()
    changed = np.abs(below[:, :width].astype(int) - tall.pixels.astype(int)).sum(axis=2) > 60
    for company, hexes in found.track.items():
        for at in hexes:
            mask = np.zeros(changed.shape, np.uint8)
            cv2.fillConvexPoly(mask, np.rint(np.array(found.outlines(1)[at])).astype(np.int32), 1)
            assert changed[mask > 0].mean() > 0.08, (company, at)


@pytest.mark.slow
def test_the_annotated_photo_shows_tiles_and_the_target_marker(profile: Profile) -> None:
    """R1.4, R7.2: the letters of a tile's symbols, a star for the wild one, a question mark where it is not sure."""
    found = replace(scan([Photo(photograph(camera(15, 30), TRAINS))], profile), cards=Cards())
    plain = annotate(found)
    told = replace(
        found, cards=Cards((Tile(5, ("brown", "wild"), 0.5), Tile(7, ("gray", "white"), 1.0)), 7, 1.0)
    )
    shown = np.abs(annotate(told).astype(int) - plain.astype(int)).sum(axis=2) > 60
    for number in (5, 7):
        outline = np.rint(np.array(told.outlines()[BOARD.numbered[number].at])).astype(np.int32)
        mask = np.zeros(shown.shape, np.uint8)
        cv2.fillConvexPoly(mask, outline, 1)
        assert shown[mask > 0].any()
        shown[cv2.dilate(mask, np.ones((9, 9), np.uint8)) > 0] = False
    assert not shown.any()
    assert dict(_on_cities(told)) == {
        BOARD.numbered[5].at: "B/*?",
        BOARD.numbered[7].at: "G/W T",
    }


def test_what_is_taken_for_a_card_where_there_are_none_is_a_piece_or_nothing() -> None:
    """Of 100 cases 2 are a piece, 90 a card, 8 nothing: without the cards 2 of 10 are a piece."""
    odds, card = np.log([[2 / 98, 1e-6]]), np.log([90 / 10])
    shares = probability(where_no_card(odds, card))[0]
    assert shares == pytest.approx([2 / 10, 1e-5], rel=0.2)
    assert where_no_card(odds, np.array([-9.0])) == pytest.approx(odds, abs=1e-3)
