"""Record the golden games and the perft counts anew: `python tests/engine/record_golden.py`.

They are regression values: whoever changes the rules or the printed data runs this, and says in the commit
why the numbers moved. Two positions of the perft table are counted by `plain.py` as well (`test_perft.py`).
"""

import itertools
import json
from pathlib import Path
from typing import Any

from strategies import played

from engine import mini_express as game
from engine.mini_express.names import DIFFICULTIES, MODES, SEATS
from engine.mini_express.record import Game
from engine.mini_express.setup import PLAYERS

FOLDER = Path(__file__).parent / "data"
MODULE = {"usa": "golden_spike", "europe": "ports"}
EVENT = {"usa": "spike_western", "europe": "port_opened"}
TOWARD = {"usa": ["Omaha", "Denver", "Salt Lake City"], "europe": ["Venice", "Paris"]}


def recorded(set_up: dict[str, Any], wanted: str | None) -> Game:
    """The first random game of this set-up in which the wanted event happens."""
    for seed in itertools.count():
        steps = list(played(set_up, seed, builder=bool(wanted), toward=TOWARD[set_up["board"]]))
        record = Game(steps[0][0], tuple(action for _, _, action in steps[:-1]))
        keys = {event.key for _, events in record.log() for event in events}
        if wanted is None or wanted in keys:
            return record
    raise AssertionError


def set_ups() -> dict[str, tuple[dict[str, Any], str | None]]:
    """By name: each mode on each map, once plain and once with the map's module; each difficulty of solo."""
    found: dict[str, tuple[dict[str, Any], str | None]] = {}
    for mode, board, module in itertools.product(MODES, ("usa", "europe"), (False, True)):
        seats = SEATS[: PLAYERS[mode][1 if module else 0]]
        given: dict[str, Any] = {
            "board": board,
            "mode": mode,
            "seats": seats,
            "difficulty": None,
            "korean_start": False,
        }
        given |= {"modules": [MODULE[board]] if module else []}
        if mode == "solo":
            given |= {"difficulty": "conductor" if module else "passenger", "korean_start": module}
        found[f"{mode}-{board}-{'module' if module else 'plain'}"] = (given, EVENT[board] if module else None)
    for difficulty in DIFFICULTIES[1:]:
        given = {"board": "usa", "mode": "solo", "seats": SEATS[:1], "difficulty": difficulty, "modules": []}
        found[f"solo-usa-{difficulty}"] = ({**given, "korean_start": False}, "bot_takes")
    return found


def perft(state: game.State, depth: int) -> int:
    """How many sequences of so many actions there are from here."""
    actions = game.legal_actions(state)
    if depth == 1:
        return len(actions)
    return sum(perft(game.apply(state, action), depth - 1) for action in actions)


def positions_to_count(record: Game) -> dict[str, int]:
    """Where in a game perft is counted: at its start, when play begins, and two thirds through it."""
    begins = next(n for n, state in enumerate(record.states) if state.phase == "play")
    return {"draft": 0, "opening": begins, "middle": begins + 2 * (len(record.actions) - begins) // 3}


def main() -> None:
    """Write `data/<name>.game`, `data/scores.json` and `data/perft.json`."""
    FOLDER.mkdir(exist_ok=True)
    scores, counts = {}, []
    for name, (set_up, wanted) in set_ups().items():
        record = recorded(set_up, wanted)
        (FOLDER / f"{name}.game").write_text(record.to_text())
        scores[name] = game.score(record.state)
        if name.endswith(("plain", "module")):
            for where, move in positions_to_count(record).items():
                nodes = [perft(record.states[move], depth) for depth in (1, 2, 3)]
                counts.append({"game": name, "where": where, "move": move, "nodes": nodes})
    lines = (f"{json.dumps(name)}: {json.dumps(score)}" for name, score in scores.items())
    (FOLDER / "scores.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    (FOLDER / "perft.json").write_text("[\n" + ",\n".join(json.dumps(c) for c in counts) + "\n]\n")


if __name__ == "__main__":
    main()
