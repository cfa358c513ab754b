"""The profiles of a table: one for each map, and the boards that belong to all of them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import Profile, Surface
from calibration.features import Features
from calibration.hexes import hex_outline
from calibration.pieces import DEMAND_TILE, panel_pieces, trains
from calibration.surface import Cell, Stored
from engine.mini_express import built_in
from engine.mini_express.board import Board
from webui.kept.profiles import Profiles
from webui.problems import WebProblem

USA, EUROPE = (built_in().board(name) for name in ("usa", "europe"))
REPRINTED = replace(USA, printed=USA.printed[1:])
EMPTY = np.full((60, 80, 3), 200, np.uint8)
NOTHING = (Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32)),)
UNSEEN = Stored(Path("nowhere"), EMPTY, NOTHING)


def a_map(board: Board) -> Surface:
    """A map of which nothing but its hexes is known."""
    index = {printed.at: i for i, printed in enumerate(board.printed)}
    cells = tuple(Cell(at, hex_outline(at)) for at in index)
    homes = {company: index[city.at] for company, city in board.starts.items()}
    cards = frozenset(index[city.at] for city in board.numbered.values())
    plain = Surface("map", board.id, EMPTY, np.eye(3), cells, trains(homes), stored=UNSEEN)
    return replace(plain, card=DEMAND_TILE, card_at=cards)


def tracks(spaces: int = 16) -> Surface:
    square = (0.0, 0.0), (9.0, 0.0), (9.0, 9.0)
    cells = tuple(Cell(f"value/brown/{n}", square) for n in range(spaces))
    kinds = panel_pieces(["value/brown"], {})
    return Surface("tracks", "usa", EMPTY, np.eye(3), cells, kinds, stored=UNSEEN)


@pytest.fixture
def profiles(tmp_path: Path) -> Profiles:
    return Profiles(None, tmp_path)


def spaces(profiles: Profiles, board: Board) -> int:
    return len(profiles.load(board).surfaces["tracks"].cells)


def test_a_board_that_is_no_map_belongs_to_every_map(profiles: Profiles) -> None:
    profiles.keep(a_map(USA), USA)
    profiles.keep(tracks(16), USA)
    profiles.keep(a_map(EUROPE), EUROPE)
    assert spaces(profiles, EUROPE) == 16
    profiles.keep(tracks(21), EUROPE)
    assert (spaces(profiles, USA), spaces(profiles, EUROPE)) == (21, 21)


def test_a_map_that_is_calibrated_again_keeps_what_was_learnt_of_its_boards(profiles: Profiles) -> None:
    """The tracks are not taken over from another map's profile, which has not learnt the same."""
    for board in (EUROPE, USA):
        profiles.keep(a_map(board), board)
    profiles.keep(tracks(), USA)
    taught = replace(tracks(), board="europe", lessons={"influence/red": ((0.1, 0.2, 0.7),)})
    Profile.keep(profiles.folder(EUROPE), taught)
    profiles.keep(a_map(EUROPE), EUROPE)
    assert profiles.load(EUROPE).has_learnt("tracks")
    assert not profiles.load(USA).has_learnt("tracks")


def test_a_map_that_is_printed_otherwise_gets_a_profile_beside_the_first(profiles: Profiles) -> None:
    profiles.keep(a_map(USA), USA)
    with pytest.raises(WebProblem) as refused:
        profiles.load(REPRINTED)
    assert refused.value.key == "other_print"
    with pytest.raises(WebProblem) as refused:
        profiles.load(EUROPE)
    assert refused.value.key == "no_profile"
    profiles.keep(a_map(REPRINTED), REPRINTED)
    assert profiles.load(USA).shows(USA)
    assert profiles.load(REPRINTED).shows(REPRINTED)


def test_of_a_profile_that_was_named_a_map_printed_otherwise_is_told_in_the_same_words(
    tmp_path: Path,
) -> None:
    Profile.keep(tmp_path, a_map(USA))
    profiles = Profiles(tmp_path, tmp_path / "own")
    assert profiles.load(USA).shows(USA)
    with pytest.raises(WebProblem) as refused:
        profiles.load(REPRINTED)
    assert refused.value.key == "other_print"


def test_what_another_program_has_changed_is_read_anew(profiles: Profiles) -> None:
    """The commands write the same profiles."""
    profiles.keep(a_map(USA), USA)
    profiles.keep(tracks(16), USA)
    assert spaces(profiles, USA) == 16
    Profile.keep(profiles.folder(USA), tracks(21))
    assert spaces(profiles, USA) == 21


def test_of_a_profile_in_which_a_board_is_damaged_the_others_are_used_and_kept(
    profiles: Profiles, tmp_path: Path
) -> None:
    """Else who calibrates one board again because of it would lose the others."""
    profiles.keep(a_map(USA), USA)
    profiles.keep(tracks(), USA)
    assert profiles.damaged() == []
    (tmp_path / "usa" / "tracks.jpg").write_bytes(b"half of it")
    started_again = Profiles(None, tmp_path)
    (problem,) = started_again.damaged()
    assert "tracks.jpg on the computer is damaged: take a photo of it anew" in str(problem)
    assert set(started_again.load(USA).surfaces) == {"map"}
    started_again.keep(tracks(21), USA)
    assert started_again.damaged() == []
    assert set(started_again.load(USA).surfaces) == {"map", "tracks"}


def test_a_damaged_board_is_taken_from_the_profile_of_another_map(profiles: Profiles, tmp_path: Path) -> None:
    for board in (USA, EUROPE):
        profiles.keep(a_map(board), board)
    profiles.keep(tracks(21), USA)
    (tmp_path / "usa" / "tracks.jpg").write_bytes(b"half of it")
    assert spaces(Profiles(None, tmp_path), USA) == 21


def test_where_the_map_is_damaged_that_is_told_and_not_that_there_is_none(
    profiles: Profiles, tmp_path: Path
) -> None:
    profiles.keep(a_map(USA), USA)
    profiles.keep(tracks(), USA)
    (tmp_path / "usa" / "map.jpg").write_bytes(b"")
    started_again = Profiles(None, tmp_path)
    with pytest.raises(WebProblem, match=r"map.jpg on the computer is damaged"):
        started_again.load(USA)
    assert set(started_again.without_map(USA).surfaces) == {"tracks"}
    started_again.keep(a_map(USA), USA)
    assert set(started_again.load(USA).surfaces) == {"map", "tracks"}
