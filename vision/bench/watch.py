"""A film made of a few pictures: what a camera over the table would see, and how fast it is followed.

A film is a folder with `film.json` (the state before, the states after each turn, the scenes) and a picture for
each scene; one scene fades into the next, and every frame has the noise of a sensor.
"""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import Profile, load_photo
from calibration.photo import Pixels
from engine import mini_express as game
from engine.sentences import N_, Progress, silent

from ..live.turns import Turn
from ..live.watch import Watcher
from ..samples import BenchProblem, calibrated
from .counting import one_by_one

FADE = 0.35
NOISE, NOISES = 2.0, 4


@dataclass(frozen=True, eq=False)
class Film:
    """`states` are those before and after each turn, `scenes` the names of pictures and how long each is shown."""

    states: tuple[game.State, ...]
    scenes: tuple[tuple[str, float], ...]
    pictures: dict[str, Pixels]

    @staticmethod
    def load(folder: Path) -> "Film":
        """Raises BenchProblem where there is no film."""
        file = folder / "film.json"
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            states = tuple(game.state_from_json(state) for state in (told["before"], *told["states"]))
            scenes = tuple((str(name), float(seconds)) for name, seconds in told["scenes"])
            pictures = {name: load_photo(folder / f"{name}.jpg").pixels for name, _ in scenes}
        except (OSError, ValueError, KeyError, TypeError) as reason:
            raise BenchProblem("bad_truth", file=str(file), reason=str(reason)) from None
        return Film(states, scenes, pictures)

    @property
    def seconds(self) -> float:
        """How long all scenes last."""
        return sum(seconds for _, seconds in self.scenes)

    @cached_property
    def _noise(self) -> list[Any]:
        rng = np.random.default_rng(1)
        shape = self.pictures[self.scenes[0][0]].shape
        return [rng.normal(0, NOISE, shape).astype(np.int16) for _ in range(NOISES)]

    def frame(self, seconds: float, nth: int) -> Pixels:
        """What the camera sees after so many seconds, with the noise of the nth frame; the last scene stays."""
        start, before = 0.0, self.scenes[0][0]
        for name, lasts in self.scenes:
            if seconds < start + lasts:
                break
            start, before = start + lasts, name
        else:
            name = before
        picture, share = self.pictures[name], (seconds - start) / FADE
        if share < 1 and name != before:
            picture = np.asarray(
                cv2.addWeighted(self.pictures[before], 1 - share, picture, share, 0), np.uint8
            )
        return np.asarray(cv2.add(picture, self._noise[nth % NOISES], dtype=cv2.CV_8U), np.uint8)


def bench_watch(samples: Path, progress: Progress = silent) -> dict[str, Any]:
    """The figures of `bench_film` for the film of each table below `samples`. Raises BenchProblem without any."""
    films = sorted(file.parent for file in samples.glob("*/film/film.json"))
    if not films:
        raise BenchProblem("no_films", folder=str(samples))
    figures = {}
    for folder in one_by_one(films, progress, N_("Following the film")):
        film = Film.load(folder)
        figures[folder.parent.name] = bench_film(film, calibrated(folder.parent, film.states[0].board.id))
    return figures


def bench_film(film: Film, profile: Profile) -> dict[str, Any]:
    """Follow the film as a camera would show it, as many frames as the machine can follow.

    `frames_per_s` counts all frames while it ran, the readings of finished turns in the background included;
    `turns` of `turns_played` were found.
    """
    with ThreadPoolExecutor(1) as executor:
        watcher = Watcher(profile, film.states[0], executor)
        events, frames, start = [], 0, time.perf_counter()
        while (now := time.perf_counter() - start) < film.seconds:
            events += watcher.see(film.frame(now, frames), now)
            frames += 1
        events += watcher.finish()
    return {
        "frames_per_s": frames / film.seconds,
        "turns": sum(isinstance(event, Turn) for event in events),
        "turns_played": len(film.states) - 1,
    }
