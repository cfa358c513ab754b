"""How quickly the pages answer when several phones play at once (`masinfira bench web`).

The server is a program of its own, as at a table; the phones are threads here. Each plays a solo game of random legal
actions and looks at every page of it after each action.
"""

import json
import random
import re
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from http.cookiejar import CookieJar
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

from engine import mini_express as game
from engine.sentences import N_, Problem, Progress

PHONES = 8
PAGES = {"table": "", "score": "/score", "log": "/log", "photo": "/photo", "version": "/version"}
"""What a phone looks at, after the game's address."""
NEW_GAME = {"mode": "solo", "difficulty": "tourist", "board": "usa", "seat0": "red"}
PATIENCE = 30.0
"""Seconds after which an answer counts as an error."""


class ServerProblem(Problem):
    """A server that cannot be measured."""

    sentences = {
        "no_server": N_(
            "The server that was to be measured did not start: what it says above must be mended."
        ),
    }


class Phone:
    """One phone at the table: how long every answer took, by the kind of page, in milliseconds, and what failed."""

    def __init__(self, door: Mapping[str, str], seed: int) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.errors = 0
        self._rng, self._door = random.Random(seed), door
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def play(self, until: float) -> None:
        """Join, and play game after game until it is that late (`time.perf_counter`)."""
        self._ask("join", "/join", {"code": self._door["join_code"]})
        while time.perf_counter() < until:
            form = self._ask("new", "/new")
            address, _ = self._ask("start", "/new", NEW_GAME | _hidden(form[1]))
            self._play_game(address, until)

    def _play_game(self, path: str, until: float) -> None:
        while path and time.perf_counter() < until:
            shown = {page: self._ask(page, path + rest)[1] for page, rest in PAGES.items()}
            record = self._ask("record", path + "/record.txt")[1]
            actions = game.legal_actions(game.Game.from_text(record).state) if record else []
            if not actions:
                return
            action = game.action_to_text(self._rng.choice(actions))
            self._ask("act", path + "/act", {"notation": action} | _hidden(shown["table"]))

    def _ask(self, what: str, path: str, fields: Mapping[str, str] | None = None) -> tuple[str, str]:
        """The path and the text of the page that answers; ("", "") where none did."""
        data, began = urlencode(fields).encode() if fields is not None else None, time.perf_counter()
        try:
            with self._opener.open(self._door["url"] + path, data, PATIENCE) as answer:
                text = answer.read().decode()
                self.times[what].append(1000 * (time.perf_counter() - began))
                return answer.url.removeprefix(self._door["url"]).partition("#")[0], text
        except (OSError, HTTPException):
            self.errors += 1
            return "", ""


def bench_web(seconds: float, step: Progress) -> dict[str, Any]:
    """How many answers a second, 95 % of each kind within how many milliseconds, and how many requests failed."""
    with _served() as door:
        until = time.perf_counter() + seconds
        phones = [Phone(door, seed) for seed in range(PHONES)]
        players = [threading.Thread(target=phone.play, args=(until,), daemon=True) for phone in phones]
        for player in players:
            player.start()
        while (left := until - time.perf_counter()) > 0:
            step(N_("Playing on eight phones at once"), 1 - left / seconds)
            time.sleep(min(left, 0.2))
        for player in players:
            player.join()
    kinds = sorted({what for phone in phones for what in phone.times})
    times = {what: [ms for phone in phones for ms in phone.times[what]] for what in kinds}
    return {
        "phones": PHONES,
        "requests_per_s": sum(map(len, times.values())) / seconds,
        "p95_ms": {what: _p95(ms) for what, ms in times.items()},
        "errors": sum(phone.errors for phone in phones),
    }


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def _hidden(page: str) -> dict[str, str]:
    """The token of the session and the version of the game that stand in the forms of a page."""
    return dict(re.findall(r'name="(token|version)" value="([^"]*)"', page))


@contextmanager
def _served() -> Iterator[dict[str, str]]:
    """A server with a folder of its own; yields where it is and its join code. Raises ServerProblem."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "masinfira", "serve", "--json"]
        options = ["--host", "127.0.0.1", "--port", "0", "--data", folder]
        with subprocess.Popen(  # noqa: S603 - this very program
            [*command, *options], stdout=subprocess.PIPE, text=True
        ) as server:
            try:
                assert server.stdout
                if not (door := server.stdout.readline()):
                    raise ServerProblem("no_server")
                yield json.loads(door)
            finally:
                server.terminate()
