"""From photos alone to a score: what the photo shows, the rest filled in by hand, the rules as the third witness."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import SOLO, call, refused
from sample_tables import SAMPLES

from engine.mini_express.part.paths import together
from masinfira.commands import set as command
from masinfira.main import run

COMPANIES = ("brown", "gray", "orange", "white")


def truth_of(sample: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SAMPLES / f"{sample}.json").read_text())
    return found


def scanned(sample: str) -> dict[str, Any]:
    """What a scan that reads everything there is to see of this photo prints."""
    truth = truth_of(sample)
    state = {part: truth[part] for part in ("board", "track", "demand")}
    if truth["bot"] and truth["bot"]["target"]:
        state["bot"] = {"target": truth["bot"]["target"]}
    return {"state": state, "unseen": truth["unseen"], "doubtful": []}


def rows(state: dict[str, Any], part: str) -> list[str]:
    """What a person copies from the table: a seat's numbers in the order brown, gray, orange, white."""
    return [f"{part}.{seat}={','.join(str(row[c]) for c in COMPANIES)}" for seat, row in state[part].items()]


@pytest.fixture(params=["study/solo_hand", "cellar/late_hard", "cellar/five_warm", "loft/middle_day"])
def sample(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_from_photos_alone_to_a_score(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sample: str
) -> None:
    """The worked example: a scan, then the seats, their shares and influence and the values from the table."""
    scan, part, whole = tmp_path / "scan.json", tmp_path / "part.json", tmp_path / "whole.json"
    scan.write_text(json.dumps(scanned(sample)))
    state = truth_of(sample)["state"]
    assert "shares" in refused(capsys, "score", str(scan))
    humans = ",".join(seat for seat in state["seats"] if seat != "masinfira")
    told = [f"seats={humans}", *([f"difficulty={state['difficulty']}"] if state["difficulty"] else [])]
    told += [f"companies.{c}.value={state['companies'][c]['value']}" for c in COMPANIES]
    filled = call(
        capsys, "set", str(scan), *told, *rows(state, "influence"), *rows(state, "shares"), "--out", str(part)
    )
    assert not filled["complete"]
    assert "to_move" in filled["missing"]
    whole.write_text(json.dumps(state))
    expected = call(capsys, "score", str(whole))
    assert call(capsys, "score", str(part)) == {**expected, "final": False}


def test_and_on_to_the_whole_state(capsys: pytest.CaptureFixture[str], tmp_path: Path, sample: str) -> None:
    """With everything that is asked for filled in, the state is the one that was played, and checked."""
    scan, file = tmp_path / "scan.json", tmp_path / "state.json"
    scan.write_text(json.dumps(scanned(sample)))
    state = truth_of(sample)["state"]
    told = [f"{key}={state[key]}" for key in ("mode", "phase", "to_move")]
    told += [f"seats={','.join(state['seats'])}", "modules=none", "track=confirmed"]
    told += [f"difficulty={state['difficulty'] or 'none'}", *rows(state, "influence"), *rows(state, "shares")]
    for company, counts in state["companies"].items():
        told += [f"companies.{company}.{part}={counts[part]}" for part in ("reservoir", "offer")]
    if state["bot"]:
        drawn = " ".join(f"{city},{step}" for city, step in state["bot"]["drawn"]) or "none"
        told += [f"bot.company={state['bot']['company']}", f"bot.drawn={drawn}"]
        told += [f"bot.redraw={str(state['bot']['redraw']).lower()}"]
    filled = call(capsys, "set", str(scan), *told, "--out", str(file))
    assert filled["missing"] == []
    assert "companies.brown.supply" in filled["derived"]
    assert filled["clauses"]["companies.brown.supply"] == "R1.2"
    assert filled["state"] == {**state, "korean_start": False}
    assert call(capsys, "check", str(file))["sound"]


def test_scan_set_and_score_are_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads what the one before printed."""
    state = truth_of("study/solo_hand")["state"]
    monkeypatch.setattr("sys.stdin", _stdin(scanned("study/solo_hand")))
    filled = call(capsys, "set", "-", "seats=blue", "difficulty=tourist", *rows(state, "shares"))
    monkeypatch.setattr("sys.stdin", _stdin(filled))
    missing = refused(capsys, "score", "-")
    assert "companies.brown.value" in missing
    assert "influence.blue.brown" in missing
    assert "shares.blue.brown" not in missing


def _stdin(obj: Any) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(json.dumps(obj).encode()))


def test_people_are_told_what_follows_and_what_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "part.json"
    file.write_text(json.dumps(scanned("study/three_warm")))
    assert run(["set", str(file), "seats=red,blue,green", "companies.gray.reservoir=2", "modules=none"]) == 0
    told = capsys.readouterr().out
    assert "companies.gray.supply=5" in told  # 18 of 25 are on the map
    assert "mode=standard" in told
    assert "companies.white.{value,reservoir,supply,offer,aside,out}" in told


def test_only_what_is_still_unknown_is_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Answers one by one, before it is known who plays and with which modules."""
    file = tmp_path / "part.json"
    file.write_text(json.dumps({"board": "usa"}))
    told = ["shares.red.brown=2", "influence.blue=1,2,3,4", "demand.7=brown,gray", "demand.9=none"]
    missing = call(capsys, "set", str(file), *told)["missing"]
    listed = [path for path in missing if path.startswith(("shares", "influence", "demand"))]
    assert listed[:3] == ["shares.red.gray", "shares.red.orange", "shares.red.white"]
    assert listed[3:] == [f"demand.{number}" for number in range(1, 33) if number not in (7, 9)]
    missing = call(capsys, "set", str(file), *told, "seats=red,blue")["missing"]
    assert "mode" in missing
    assert {"shares.red.brown", "shares", "influence.blue.gray"}.isdisjoint(missing)
    assert {"shares.red.gray", "shares.blue.brown", "influence.red.gray"} <= {*missing}


def test_what_contradicts_a_rule_is_told_though_more_is_unknown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """R1.2: 25 trains a company."""
    file = tmp_path / "part.json"
    file.write_text('{"board": "usa"}')
    trains = ["companies.brown.reservoir=5", "companies.brown.supply=25"]
    assert [problem["rule"] for problem in call(capsys, "set", str(file), *trains)["broken"]] == ["R1.2"]
    assert run(["set", str(file), *trains]) == 0
    told = capsys.readouterr().out
    assert "Brown: 30 trains in all instead of 25" in told
    assert "What is told contradicts the rules" in told
    assert run(["set", str(file), trains[0]]) == 0
    assert "contradicts" not in capsys.readouterr().out


def test_a_whole_state_that_breaks_a_rule_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "state.json"
    file.write_text(json.dumps(truth_of("study/solo_hand")["state"]))
    too_many = ["shares.blue.gray=9", "companies.gray.offer=0"]
    assert "shares in all instead of 9" in refused(capsys, "set", str(file), *too_many)
    assert (
        call(capsys, "set", str(file), "companies.brown.value=1")["state"]["companies"]["brown"]["value"] == 1
    )


def test_other_commands_say_how_to_go_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "part.json"
    file.write_text(json.dumps(scanned("study/solo_hand")))
    assert "masinfira set" in refused(capsys, "moves", str(file))
    assert "shares.red.brown" in refused(capsys, "set", str(file), "seats=red", "shares.red.pink=1")


def test_in_solo_the_map_itself_tells_the_values(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """R5.5, R7.1: every landscape hex with a train raised the value by one, and nothing else did."""
    scan, file = tmp_path / "scan.json", tmp_path / "part.json"
    scan.write_text(json.dumps(scanned("cellar/late_hard")))
    state = truth_of("cellar/late_hard")["state"]
    humans = [seat for seat in state["seats"] if seat != "masinfira"]
    agreed = [f"seats={humans[0]}", f"difficulty={state['difficulty']}", "modules=none", "phase=play"]
    told = [*agreed, "track=confirmed", *rows(state, "influence"), *rows(state, "shares")]
    part = call(capsys, "set", str(scan), *told, "--out", str(file))
    assert part["derived"]["companies.orange.value"] == state["companies"]["orange"]["value"]
    score = call(capsys, "score", str(file))
    file.write_text(json.dumps(state))
    assert score == {**call(capsys, "score", str(file)), "final": False}


@pytest.mark.parametrize("lang", ["en", "cs", "ko"])
def test_what_was_typed_is_named_as_it_was_typed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: str
) -> None:
    """Some paths and values are words of the game, which have another name in each language."""
    file = tmp_path / "part.json"
    file.write_text(json.dumps(scanned("study/solo_hand")))
    for typed in ("golden_spike=waiting", "golden_spike", "modules=red"):
        said = refused(capsys, "set", str(file), typed, "--lang", lang)
        assert f'"{typed.partition("=")[2] if typed == "modules=red" else "golden_spike"}"' in said


def test_hexes_that_stand_together_can_be_told_apart() -> None:
    assert together(["track.3,-4", "track.8,-7", "demand.7", "demand.9"]) == "track.{3,-4 8,-7}, demand.{7,9}"


def test_a_game_is_not_written_over_by_a_state(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    call(capsys, *SOLO, "--out", str(record))
    before = record.read_bytes()
    assert "choose another name" in refused(capsys, "set", str(record), "--out", str(record))
    assert record.read_bytes() == before


def test_a_scan_is_not_written_over_by_the_state_made_of_it(tmp_path: Path) -> None:
    """Its doubts and confidences would be lost; a state may be filled in again and again in its own file."""
    seen, state = tmp_path / "seen.json", tmp_path / "state.json"
    seen.write_text(json.dumps(scanned("study/solo_hand")))
    before = seen.read_bytes()
    assert run(["set", str(seen), "seats=red", "--out", str(seen)]) == 1
    assert seen.read_bytes() == before
    assert run(["set", str(seen), "seats=red", "--out", str(state)]) == 0
    assert run(["set", str(state), "difficulty=passenger", "--out", str(state)]) == 0
    assert json.loads(state.read_text())["difficulty"] == "passenger"


@pytest.mark.parametrize("rest", [[], ["difficulty=tourist", "modules=none"]])
def test_of_two_who_fill_in_one_file_at_once_the_later_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: list[str]
) -> None:
    """Two people count at one table: the other one's numbers come while these are being filled in."""
    file = tmp_path / "part.json"
    file.write_text(json.dumps({"board": "usa"}))
    read_part = command.read_part

    def meanwhile(*source: Any) -> Any:
        monkeypatch.setattr(command, "read_part", read_part)
        found = read_part(*source)
        assert run(["set", str(file), "shares.masinfira=4,3,5,2", "--out", str(file)]) == 0
        capsys.readouterr()
        return found

    monkeypatch.setattr(command, "read_part", meanwhile)
    mine = ["set", str(file), "shares.red=0,2,1,2", *rest, "--out", str(file)]
    assert "Somebody else has changed" in refused(capsys, *mine)
    assert json.loads(file.read_text())["shares"].keys() == {"masinfira"}
    assert run(mine) == 0
    assert json.loads(file.read_text())["shares"].keys() == {"masinfira", "red"}


def test_what_follows_is_told_as_set_takes_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "part.json"
    file.write_text(json.dumps({"board": "usa"}))
    told = ["seats=red", "difficulty=tourist", "modules=none", "phase=play", "to_move=red"]
    assert run(["set", str(file), *told]) == 0
    assert "bot.redraw=false" in capsys.readouterr().out
    assert run(["set", str(file), *told, "bot.redraw=false"]) == 0


def test_two_values_for_one_path_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Of which the last would have won; the same one twice, and another in a second call, are no contradiction."""
    file = tmp_path / "part.json"
    file.write_text(json.dumps({"board": "usa"}))
    refusal = refused(capsys, "set", str(file), "shares.red.brown=2", "seats=red", "shares.red.brown = 3")
    assert refusal == '"shares.red.brown" is given two values: leave one of them out.\n'
    for value in ("2", "3"):
        told = [f"shares.red.brown={value}"] * 2
        found = call(capsys, "set", str(file), *told, "--out", str(file))
        assert found["state"]["shares"]["red"]["brown"] == int(value)
