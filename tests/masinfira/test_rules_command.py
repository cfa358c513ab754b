"""Looking up the clauses that messages name."""

import re
from pathlib import Path

import pytest
from command_line import call, refused

from engine import mini_express as game
from masinfira.main import run

ROOT = Path(__file__).parents[2]
FOLDERS = ("engine", "calibration", "vision", "webui", "masinfira", "tests", "docs")
CITED = re.compile(r"\bR\d+\.\d+[a-z]?\b|(?<=\")R\d+(?=\")")


def test_one_clause_as_people_name_it(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("R5.4", "r5.4", "5.4", "(R5.4)"):
        (found,) = call(capsys, "rules", name)
        assert found["clause"] == "R5.4"
        assert found["text"].startswith("Compensation")


def test_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "R2.6", "--lang", "cs"]) == 0
    assert "Všichni mají v každé společnosti vliv 1." in capsys.readouterr().out
    assert run(["rules", "R2.6", "--lang", "ko"]) == 0
    assert "영향력 1" in capsys.readouterr().out


def test_a_clause_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no clause R99" in refused(capsys, "rules", "R5.4", "R99")


def test_a_chapter_is_all_its_clauses_and_what_is_asked_comes_in_that_order_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = [clause["clause"] for clause in call(capsys, "rules", "R6.2", "R6", "r3.1")]
    chapter = [number for number in game.CLAUSES if number.startswith("R6.")]
    assert found == ["R6.2", *[number for number in chapter if number != "R6.2"], "R3.1"]
    assert run(["rules", "R6.2", "r3.1"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["R6.2", "R3.1"]


def test_the_page_of_the_documentation_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--lang", "en"]) == 0
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    assert page.endswith(capsys.readouterr().out)


def test_every_clause_that_is_named_can_be_looked_up() -> None:
    """Here alone clauses are named that are none."""
    kinds = ("*.py", "*.html", "*.md")
    files = {file for folder in FOLDERS for kind in kinds for file in (ROOT / folder).rglob(kind)} - {
        Path(__file__)
    }
    cited = {clause for file in files for clause in CITED.findall(file.read_text("utf-8"))}
    assert len(cited) > 50
    assert cited - game.CLAUSES.keys() == set()


def test_clauses_name_only_clauses() -> None:
    assert {named for text in game.CLAUSES.values() for named in CITED.findall(text)} <= game.CLAUSES.keys()
