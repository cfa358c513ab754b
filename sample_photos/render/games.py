"""Plays real games with the engine and keeps one moment of each: a state that a human's build led to.

    python sample_photos/render/games.py            (in the environment where masinfira is installed)

writes render/games/<name>.json = {"before", "action", "state"} for each `[game.<name>]` of the descriptions.
"""

import json
import random
from pathlib import Path
from typing import Any

import described

from engine import mini_express as game

HERE = Path(__file__).resolve().parent
Moment = tuple[Any, Any, Any]
"""State before, action, state after."""


def play(setting: dict[str, Any]) -> list[Moment]:
    """A whole game by lively but aimless humans; the moments in which one of them built track."""
    rng = random.Random(setting["seed"])
    state = game.new(
        board=setting["board"],
        mode=setting["mode"],
        difficulty=setting.get("difficulty"),
        seats=setting["seats"],
        modules=[],
        rng=rng,
    )
    builds = []
    while actions := game.legal_actions(state):
        action = choose(state, actions, rng)
        after = game.apply(state, action)
        if game.action_to_json(action)["type"] == "build":
            builds.append((state, action, after))
        state = after
    return builds


def choose(state: Any, actions: list[Any], rng: random.Random) -> Any:
    """A draw by its chance; for a human mostly a build, rather a long one, and a share now and then."""
    if chances := game.chance(state):
        draws, odds = zip(*chances, strict=True)
        return rng.choices(draws, odds)[0]
    routes = [len(game.action_to_json(action).get("route", [])) for action in actions]
    share = 0.35 * max(sum(n**2 for n in routes), 1) / max(routes.count(0), 1)
    return rng.choices(actions, [n**2 or share for n in routes])[0]


def record(setting: dict[str, Any]) -> dict[str, Any]:
    """The moment at the share `moment` of the game's human builds."""
    builds = play(setting)
    before, action, after = builds[min(int(setting["moment"] * len(builds)), len(builds) - 1)]
    return {
        "before": game.state_to_json(before),
        "action": game.action_to_json(action),
        "state": game.state_to_json(after),
    }


def main() -> None:
    settings = described.load()["game"]
    (HERE / "games").mkdir(exist_ok=True)
    for name, setting in settings.items():
        made = record(setting)
        lines = [f"{json.dumps(key)}: {json.dumps(part)}" for key, part in made.items()]
        (HERE / "games" / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(
            name,
            sum(map(len, made["state"]["track"].values())),
            "trains,",
            len(made["state"]["demand"]),
            "tiles",
        )


if __name__ == "__main__":
    main()
