"""Plays real games with the engine and keeps one moment of each: a state that a human's build led to.

    python sample_photos/render/games.py            (in the environment where masinfira is installed)

writes render/games/<name>.json = {"before", "action", "state"} for each `[game.<name>]` of the descriptions, and
{"before", "actions", "states"} of two turns in a row, a human's and Mašinfíra's, for each `[film.<name>]`.
"""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import described

from engine import mini_express as game
from engine.mini_express.rules import by_lot

HERE = Path(__file__).resolve().parent
Moment = tuple[Any, Any, Any]
"""State before, action, state after."""


def play(setting: dict[str, Any]) -> list[Moment]:
    """A whole game by lively but aimless humans."""
    rng = random.Random(setting["seed"])
    state = game.new(
        board=setting["board"],
        mode=setting["mode"],
        difficulty=setting.get("difficulty"),
        seats=setting["seats"],
        modules=setting.get("modules", []),
        rng=rng,
    )
    moments = []
    while actions := game.legal_actions(state):
        action = choose(state, actions, rng)
        after = game.apply(state, action)
        moments.append((state, action, after))
        state = after
    return moments


def choose(state: Any, actions: list[Any], rng: random.Random) -> Any:
    """A draw by its chance; for a human mostly a build, rather a long one, and a share now and then."""
    if chances := game.chance(state):
        return by_lot(chances, rng)
    routes = [len(game.action_to_json(action).get("route", [])) for action in actions]
    share = 0.35 * max(sum(n**2 for n in routes), 1) / max(routes.count(0), 1)
    return rng.choices(actions, [n**2 or share for n in routes])[0]


def record(setting: dict[str, Any]) -> dict[str, Any]:
    """The moment at the share `moment` of the game's human builds."""
    builds = [moment for moment in play(setting) if isinstance(moment[1], game.Build)]
    before, action, after = builds[min(int(setting["moment"] * len(builds)), len(builds) - 1)]
    return {
        "before": game.state_to_json(before),
        "action": game.action_to_json(action),
        "state": game.state_to_json(after),
    }


def two_turns(setting: dict[str, Any]) -> dict[str, Any]:
    """The first human build after the share `moment` of the game that Mašinfíra answers with a build."""
    moments = play(setting)
    for first, second in list(pairwise(moments))[int(setting["moment"] * len(moments)) :]:
        answered = isinstance(first[1], game.Build) and isinstance(second[1], game.Draw)
        if answered and trains(second[2]) > trains(first[2]):
            return {
                "before": game.state_to_json(first[0]),
                "actions": [game.action_to_json(action) for _, action, _ in (first, second)],
                "states": [game.state_to_json(after) for _, _, after in (first, second)],
            }
    raise SystemExit("No such turns in this game: take another seed.")


def trains(state: Any) -> int:
    """How many trains stand on the map."""
    return sum(len(state.hexes(company)) for company in game.COMPANIES)


def write(name: str, made: dict[str, Any]) -> None:
    lines = [f"{json.dumps(key)}: {json.dumps(part)}" for key, part in made.items()]
    (HERE / "games" / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    data = described.load()
    (HERE / "games").mkdir(exist_ok=True)
    for name, film in data["film"].items():
        write(name, two_turns(film["game"]))
    for name, setting in data["game"].items():
        made = record(setting)
        write(name, made)
        print(
            name,
            sum(map(len, made["state"]["track"].values())),
            "trains,",
            len(made["state"]["demand"]),
            "tiles",
        )


if __name__ == "__main__":
    main()
