"""Help and usage errors in three languages, the language chosen by `--lang` anywhere on the line or MASINFIRA_LANG."""

import argparse
import errno
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file
from command_line import SOLO, refused, usage_error

from engine.catalogue import texts
from engine.sentences import reason_of
from masinfira import commands
from masinfira.language import OF_ARGPARSE, speak, wanted
from masinfira.main import parser, run

HEADINGS = ("usage: ", "positional arguments", "options", "show this help message and exit")

USAGE_ERRORS = [
    ("the following arguments are required: %s", ["new"]),
    ("one of the arguments %s is required", ["learn", "--profile", "p"]),
    ("unrecognized arguments: %s", ["moves", "game.txt", "fast"]),
    ("not allowed with argument %s", ["bot", "game.txt", "--seed", "1", "--tiles", "2,1"]),
    ("ambiguous option: %(option)s could match %(matches)s", ["new", "--se", "red"]),
    ("ignored explicit argument %r", ["moves", "game.txt", "--json=1"]),
    ("expected one argument", ["replay", "game.txt", "--to"]),
    ("expected at least one argument", ["bot", "game.txt", "--tiles"]),
    ("invalid choice: %(value)r (choose from %(choices)s)", ["bench", "luck"]),
    ("invalid %(type)s value: %(value)r", ["replay", "game.txt", "--to", "end"]),
    ("scan needs a PHOTO or --shares SEAT=PHOTO", ["scan", "--profile", "p"]),
    (
        "the state before says which modules are in play: leave --modules out",
        ["scan", "photo.jpg", "--profile", "p", "--before", "game.txt", "--modules", "ports"],
    ),
    ("--plot and --phone are for bench vision only", ["bench", "watch", "--phone", "vivid"]),
    ("--plot and --phone are for bench vision only", ["bench", "register", "--plot", "plot.svg"]),
    (
        "learn needs a PHOTO with its --state, or --reset alone",
        ["learn", "--profile", "p", "--state", "setup"],
    ),
]


def parsers(of: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its commands, and of theirs."""
    yield of
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from parsers(command)


def helps(of: argparse.ArgumentParser) -> Iterator[str | None]:
    """What a parser says of its arguments and commands."""
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from (command.help for command in action._choices_actions)
        else:
            yield action.help


def spoken(lang: str) -> list[argparse.ArgumentParser]:
    speak(lang)
    return list(parsers(parser(lang, commands.wanted([]))))


def unfilled(sentence: str) -> str:
    """The longest part of a sentence of argparse without its gaps."""
    return max(re.split(r"%(?:\(\w+\))?[rs]", sentence), key=len)


def test_every_argument_has_a_help() -> None:
    assert [each.prog for each in spoken("en") if not all(helps(each))] == []


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_no_help_is_english(lang: str) -> None:
    english = [each for one in spoken("en") for each in helps(one)]
    translated = [each for one in spoken(lang) for each in helps(one)]
    assert [a for a, b in zip(english, translated, strict=True) if a == b] == []
    shown = "\n".join(one.format_help() for one in spoken(lang))
    assert [heading for heading in HEADINGS if heading in shown] == []


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["moves", "red"], "Soubor red neexistuje"),
        (["scan", "--shares", "red", "--profile", "table"], "red neurčuje fotku akcií"),
        (["scan", "--shares", "brown=photo.jpg", "--profile", "table"], "Hráč „brown“ neexistuje"),
    ],
)
def test_what_was_typed_is_told_as_it_was_typed(
    capsys: pytest.CaptureFixture[str], args: list[str], told: str
) -> None:
    assert told in refused(capsys, "--lang", "cs", *args)


def test_a_number_is_asked_for_in_no_word_of_python(capsys: pytest.CaptureFixture[str]) -> None:
    to_the_end = ["replay", "game.txt", "--to", "end"]
    assert "--to: je třeba zadat číslo, ne 'end'" in usage_error(capsys, *to_the_end, "--lang", "cs")
    assert "숫자가 필요합니다" in usage_error(capsys, *to_the_end, "--lang", "ko")


@pytest.mark.parametrize("lang", ["cs", "ko"])
def test_help_is_printed_in_that_language(capsys: pytest.CaptureFixture[str], lang: str) -> None:
    with pytest.raises(SystemExit):
        run(["--lang", lang, "moves", "--help"])
    assert texts(lang).say("language of all texts") in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["cs", "ko"])
@pytest.mark.parametrize(("sentence", "args"), USAGE_ERRORS)
def test_usage_errors_are_translated(
    capsys: pytest.CaptureFixture[str], sentence: str, args: list[str], lang: str
) -> None:
    assert unfilled(sentence) in usage_error(capsys, *args)
    error = usage_error(capsys, *args, "--lang", lang)
    assert unfilled(texts(lang).say(sentence)) in error
    assert unfilled(sentence) not in error
    assert "error: " not in error


def test_what_argparse_says_is_what_this_python_has() -> None:
    """A sentence that a newer Python words anew would come in English without a word."""
    said = {found[1] for found in extract_from_file("python", Path(argparse.__file__), keywords={"_": None})}
    assert set(OF_ARGPARSE) - said == set()


def test_everything_that_argparse_may_say_is_tried() -> None:
    framing = {*HEADINGS, "%(prog)s: error: %(message)s\n", "argument %(argument_name)s: %(message)s"}
    assert {sentence for sentence, _ in USAGE_ERRORS} >= set(OF_ARGPARSE) - framing


@pytest.mark.parametrize(
    ("args", "lang"),
    [
        ([], "en"),
        (["--lang", "cs", "moves", "game.txt"], "cs"),
        (["moves", "game.txt", "--lang", "ko"], "ko"),
        (["moves", "--lang=ko", "game.txt"], "ko"),
        (["--lang", "cs", "moves", "game.txt", "--lang", "ko"], "ko"),
        (["replay", "game.txt", "--to", "-1", "--lang", "cs"], "cs"),
        (["moves", "--lang"], "en"),
        (["--lang", "latin"], "en"),
    ],
)
def test_the_language_is_found_anywhere(args: list[str], lang: str) -> None:
    assert wanted(args) == lang


def test_the_environment_is_asked_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASINFIRA_LANG", "ko")
    assert wanted(["moves"]) == "ko"
    assert wanted(["--lang", "cs", "moves"]) == "cs"
    monkeypatch.setenv("MASINFIRA_LANG", "latin")
    assert wanted(["moves"]) == "en"


def test_a_language_that_the_environment_asks_for_in_vain_is_told_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MASINFIRA_LANG", "de")
    assert run(["pack", "check", "--json"]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "choose one of cs, ko, en" in err
    for quiet in (["--lang", "cs", "pack", "check"], ["pack", "check", "--lang", "en"]):
        assert run(quiet) == 0
        assert capsys.readouterr().err == ""
    monkeypatch.setenv("MASINFIRA_LANG", "")
    assert run(["pack", "check"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "args", [["--lang", "cs", "check", "none.json"], ["check", "none.json", "--lang", "cs"]]
)
def test_refusals_speak_it_too(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    assert run(args) == 1
    assert "neexistuje" in capsys.readouterr().err


@pytest.mark.parametrize(("lang", "reason"), [("cs", "na disku není místo"), ("ko", "공간이 없습니다")])
def test_what_the_operating_system_refuses_is_told_in_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: str, reason: str
) -> None:
    (full := tmp_path / "full").symlink_to("/dev/full")
    assert reason in refused(capsys, *SOLO, "--out", str(full), "--lang", lang)


def test_what_it_seldom_says_is_told_as_it_says_it() -> None:
    assert reason_of(OSError(errno.EPIPE, "Broken pipe")) == "Broken pipe"
    nobody = reason_of(socket.gaierror(socket.EAI_NONAME, "Name or service not known"))
    assert str(nobody) == "this computer has no such address"


def test_a_language_that_there_is_not_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'latin'" in usage_error(capsys, "--lang", "latin", "moves", "game.txt")
