"""`masinfira learn` on a sample table: what teaches, what is refused, what is forgotten."""

import json
import shutil
from pathlib import Path

import pytest
from command_line import calibrated, call, refused, usage_error
from sample_tables import SAMPLES

from calibration import Profile
from masinfira.main import run

TABLE = SAMPLES / "loft"
SETUP = str(TABLE / "setup.jpg")
SECOND = ["learn", str(TABLE / "setup_2.jpg"), "--state", "setup"]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("profiles") / "loft"
    calibrated(TABLE, folder)
    return folder


@pytest.fixture
def profile(fresh: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fresh, tmp_path / "profile"))


@pytest.mark.slow
def test_the_set_up_teaches_and_is_forgotten(capsys: pytest.CaptureFixture[str], profile: Path) -> None:
    before = (profile / "profile.json").read_bytes()
    reference = (profile / "map.jpg").read_bytes()
    taught = call(capsys, "learn", SETUP, "--profile", str(profile), "--state", "setup")
    assert taught["photos_remembered"]["map"] == dict.fromkeys(("brown", "gray", "orange", "white"), 1)
    assert (profile / "profile.json").read_bytes() != before
    assert not taught["taught_before"]
    assert run(["learn", SETUP, "--profile", str(profile), "--state", "setup"]) == 0
    assert "it counts once" in capsys.readouterr().out
    again = call(capsys, "learn", SETUP, "--profile", str(profile), "--state", str(TABLE / "setup.json"))
    assert again["photos_remembered"] == taught["photos_remembered"]
    assert again["tiles_learnt"] > 25, "the tiles are new"
    whole = ["learn", SETUP, "--profile", str(profile), "--state", str(TABLE / "setup.json")]
    once_more = call(capsys, *whole)
    assert (once_more["tiles_learnt"], once_more["taught_before"]) == (0, True)
    assert call(capsys, *SECOND, "--profile", str(profile))["photos_remembered"]["map"]["gray"] == 2
    assert call(capsys, "learn", "--profile", str(profile), "--reset")["photos_remembered"] == {"map": {}}
    assert (profile / "profile.json").read_bytes() == before
    assert (profile / "map.jpg").read_bytes() == reference


@pytest.mark.slow
def test_a_photo_that_taught_some_tiles_teaches_the_others_later(
    capsys: pytest.CaptureFixture[str], profile: Path, tmp_path: Path
) -> None:
    """The second time there are tiles of pairs that the first time taught, and they count too."""
    learn = ["learn", SETUP, "--profile", str(profile), "--state"]
    everything = call(capsys, *learn, str(TABLE / "setup.json"))["tiles_remembered"]
    call(capsys, "learn", "--profile", str(profile), "--reset")
    truth, half = json.loads((TABLE / "setup.json").read_text()), tmp_path / "half.json"
    state = {"board": truth["board"], "track": truth["track"]}
    half.write_text(json.dumps({**state, "demand": dict([*truth["demand"].items()][::2])}))
    first = call(capsys, *learn, str(half))
    again = call(capsys, *learn, str(TABLE / "setup.json"))
    assert 0 < first["tiles_remembered"] < everything == again["tiles_remembered"]
    assert not again["taught_before"]


@pytest.mark.slow
def test_parts_of_a_state_teach_as_far_as_they_are_sure(
    capsys: pytest.CaptureFixture[str], profile: Path, tmp_path: Path
) -> None:
    truth = json.loads((TABLE / "setup.json").read_text())
    white = truth["track"]["white"][0]
    scan = {"state": {"track": truth["track"]}, "doubtful": [{"hex": white, "company": "white", "p": 0.5}]}
    file = tmp_path / "scan.json"
    file.write_text(json.dumps(scan))
    taught = call(capsys, "learn", SETUP, "--profile", str(profile), "--state", str(file))
    assert set(taught["photos_remembered"]["map"]) == {"brown", "gray", "orange"}
    truth_file = str(TABLE / "setup.json")
    taught = call(capsys, "learn", SETUP, "--profile", str(profile), "--state", truth_file)
    assert "white" in taught["photos_remembered"]["map"]
    assert 25 < taught["tiles_remembered"] == taught["tiles_learnt"] <= len(truth["demand"])
    assert call(capsys, "learn", "--profile", str(profile), "--reset")["tiles_remembered"] == 0


@pytest.mark.slow
def test_calibrating_anew_forgets_and_says_so(capsys: pytest.CaptureFixture[str], profile: Path) -> None:
    again = ["calibrate", "map", str(TABLE / "empty.jpg"), "--board", "usa", "--profile", str(profile)]
    again += ["--points", str(TABLE / "points.json")]
    assert not call(capsys, *again)["forgotten"]
    call(capsys, "learn", SETUP, "--profile", str(profile), "--state", "setup")
    assert run(again) == 0
    assert "is forgotten" in capsys.readouterr().out


@pytest.mark.slow
def test_tiles_that_lie_otherwise_are_not_learnt_and_that_is_said(
    capsys: pytest.CaptureFixture[str], profile: Path, tmp_path: Path
) -> None:
    truth = json.loads((TABLE / "setup.json").read_text())
    cities, pairs = [*truth["demand"]], [*truth["demand"].values()]
    truth["demand"] = dict(zip(cities, [*pairs[5:], *pairs[:5]], strict=True))
    otherwise, right = tmp_path / "otherwise.json", str(TABLE / "setup.json")
    otherwise.write_text(json.dumps(truth))
    for state, said in ((str(otherwise), True), (right, False), ("setup", False)):
        assert run(["learn", SETUP, "--profile", str(profile), "--state", state]) == 0
        assert ("No demand tile was learnt" in capsys.readouterr().out) == said


@pytest.mark.parametrize(
    ("photo", "state"),
    [(SETUP, str(TABLE / "end_mixed.json")), (str(TABLE / "empty.jpg"), "setup")],
    ids=["a game played on", "a map without trains"],
)
def test_a_photo_of_something_else_changes_nothing(
    capsys: pytest.CaptureFixture[str], profile: Path, photo: str, state: str
) -> None:
    before = (profile / "profile.json").read_bytes()
    learn = ["learn", photo, "--profile", str(profile), "--state", state]
    assert "does not show what the state says" in refused(capsys, *learn)
    assert (profile / "profile.json").read_bytes() == before


def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str], profile: Path, tmp_path: Path) -> None:
    nowhere, here = str(tmp_path / "none"), str(profile)
    assert "no table profile" in refused(capsys, "learn", SETUP, "--profile", nowhere, "--state", "setup")
    assert "no table profile" in refused(capsys, "learn", "--profile", nowhere, "--reset")
    assert "no file" in refused(capsys, "learn", SETUP, "--profile", here, "--state", "nowhere.json")
    assert "no file" in refused(capsys, "learn", "nowhere.jpg", "--profile", here, "--state", "setup")
    europe = tmp_path / "europe.json"
    europe.write_text('{"board": "europe"}')
    assert "for the map USA" in refused(capsys, "learn", SETUP, "--profile", here, "--state", str(europe))
    nowhere_on_the_map = tmp_path / "track.json"
    nowhere_on_the_map.write_text('{"track": {"brown": [[99, 99]]}}')
    state = str(nowhere_on_the_map)
    assert "hexes of this map" in refused(capsys, "learn", SETUP, "--profile", here, "--state", state)
    tiles = tmp_path / "tiles.json"
    tiles.write_text('{"demand": {"7": ["brown", "gray"]}}')
    assert "tells nothing by which" in refused(
        capsys, "learn", SETUP, "--profile", here, "--state", str(tiles)
    )
    for usage in (
        ["learn", SETUP, "--profile", here],
        ["learn", "--profile", here, "--state", "setup"],
        ["learn", SETUP, "--profile", here, "--reset"],
    ):
        assert "PHOTO" in usage_error(capsys, *usage)


def test_what_was_taught_is_read_with_the_profile(profile: Path) -> None:
    """An older profile, without a word of lessons, still loads."""
    file = profile / "profile.json"
    obj = json.loads(file.read_text())
    del obj["surfaces"]["map"]["lessons"]
    file.write_text(json.dumps(obj))
    assert Profile.load(profile).surfaces["map"].lessons == {}
    obj["surfaces"]["map"]["lessons"] = {"gray": [[0.1, 0.2, float("nan")]]}
    file.write_text(json.dumps(obj))
    with pytest.raises(Exception, match="damaged"):
        Profile.load(profile)
    obj["surfaces"]["map"] |= {"lessons": {}, "card_faces": {"gray+white": ["no picture"]}}
    file.write_text(json.dumps(obj))
    with pytest.raises(Exception, match="damaged"):
        Profile.load(profile)
