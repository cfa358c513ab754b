"""A game as it was played: replayed to any point, undone, written down and read back."""

import random

import pytest
from positions import position

from engine import mini_express as game
from engine.mini_express.notation import action_from_text, action_to_text
from engine.mini_express.record import Game

ACTIONS = (game.Draft("brown"), game.Draft("gray"), game.Draw((1, 1)), game.Draw((3, 2)))


def solo() -> Game:
    """A solo game after its draft."""
    start = game.new(mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(4))
    record = Game(start)
    for action in ACTIONS:
        record = record.play(action)
    return record


def test_it_knows_every_position() -> None:
    """One more than there are actions."""
    record = solo()
    assert len(record.states) == 5
    assert record.states[0] == record.start
    assert record.state.phase == "play"


def test_undo_takes_an_action_back() -> None:
    """Mašinfíra's draws are actions like others; before the first there is none to take back."""
    record = solo()
    assert record.undo().state == record.states[3]
    assert record.undo().undo().actions == ACTIONS[:2]
    assert Game(record.start).undo() == Game(record.start)


def test_at_goes_to_any_point() -> None:
    """Counted in actions; below 0 from the end, where more than all is all."""
    assert [solo().at(n).state for n in range(5)] == list(solo().states)
    assert [solo().at(n).state for n in (-1, -4, -99)] == [solo().states[n] for n in (3, 0, 0)]


def test_an_illegal_action_is_not_recorded() -> None:
    """The game stays what it was."""
    record = solo()
    with pytest.raises(game.IllegalAction):
        record.play(game.Draft("white"))
    assert record == solo()


def test_a_game_too_long_to_be_read_again_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """R7.4: the refresh tile may be drawn again and again, but not endlessly."""
    monkeypatch.setattr("engine.mini_express.record.MAX_TEXT", 3_000)
    rng, record = random.Random(1), solo()
    while not record.state.bot_moves:
        record = record.play(rng.choice(game.legal_actions(record.state)))
    endless = Game(record.state, (game.Draw("refresh"),) * 100)
    with pytest.raises(game.Malformed, match="longer than 3000 characters"):
        endless.to_text()


def test_the_log_tells_each_action() -> None:
    """From any point on."""
    assert [action for action, _ in solo().log()] == list(ACTIONS)
    ((action, events),) = solo().log(since=3)
    assert action == game.Draw((3, 2))
    assert events[0].key == "bot_draft"
    assert solo().log(-1) == solo().log(3)
    assert solo().log(99) == []


def test_as_text() -> None:
    """Set-up in words, one line an action, nothing that a message would spoil."""
    lines = solo().to_text().splitlines()
    assert lines[0] == "masinfira/mini-express/game/1"
    assert {"board: usa", "mode: solo", "difficulty: tourist", "seats: red"} <= set(lines)
    assert lines[-4:] == ["1 red draft b", "2 red draft g", "3 masinfira draw 1/1", "4 masinfira draw 3/2"]
    assert solo().to_text().isascii()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\n\n" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("1 red draft b", "draft b"),
        lambda text: text.replace("1 red draft b", "1. draft brown"),
        lambda text: text.replace("\n", "  \n"),
    ],
)
def test_text_is_read_as_people_paste_it(change: object) -> None:
    """Blank lines, other line ends, without numbers and seats, companies in full."""
    assert callable(change)
    assert Game.from_text(change(solo().to_text())) == solo()


def test_a_record_that_was_cut_off_at_the_end_of_a_line_is_no_shorter_game() -> None:
    """As where a message was too long; a mail program may have left blank lines in place of the rest."""
    lines = solo().to_text().splitlines(keepends=True)
    for left in range(1, len(ACTIONS) + 1):
        for rest in ("", "\n\n"):
            with pytest.raises(game.Malformed, match=f"too soon, after {len(ACTIONS) - left} of 4 actions"):
                Game.from_text("".join(lines[:-left]) + rest)


def test_a_record_may_be_gone_on_with_by_hand() -> None:
    """Forward as it is; back with the number of the actions that are left; one of an older version has none."""
    action = game.legal_actions(solo().state)[0]
    assert Game.from_text(solo().to_text() + action_to_text(action)) == solo().play(action)
    shorter = solo().to_text().replace("4 masinfira draw 3/2\n", "")
    assert Game.from_text(shorter.replace("actions: 4", "actions: 3")) == solo().undo()
    assert Game.from_text(shorter.replace("actions: 4\n", "")) == solo().undo()


def test_a_game_from_the_middle() -> None:
    """Where it did not begin with a set-up the whole state stands in the text."""
    record = Game(position(mode="experts", reservoir=1)).play(game.TakeShare("brown"))
    assert Game.from_text(record.to_text()) == record


def test_the_korean_start_is_written_down() -> None:
    """The option of R7.2."""
    start = game.new(
        mode="solo", difficulty="tourist", seats=["red"], rng=random.Random(4), korean_start=True
    )
    assert "target: on city 1 from the start" in Game(start).to_text()
    assert Game.from_text(Game(start).to_text()).start == start


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (game.Draft("white"), "draft w"),
        (game.TakeShare("gray"), "share g"),
        (game.Build("orange", ((6, -5), (5, -4), (4, -3))), "build o 6,-5 5,-4 4,-3"),
        (game.Build("gray", ((-8, -1),), "white", (3, -1)), "build g -8,-1 wild=w port=3,-1"),
        (game.Build("orange", ((-3, 0),), western="gray"), "build o -3,0 west=g"),
        (game.Draw((2, 1)), "draw 2/1"),
        (game.Draw("refresh"), "draw refresh"),
        (game.Pass(), "pass"),
    ],
)
def test_the_notation_of_each_action(action: game.Action, line: str) -> None:
    """One line that prints and parses."""
    assert action_to_text(action) == line
    assert action_from_text(line) == action
