"""A visitor who clicks through the application as a browser would."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.mini_express import Game, State
from webui.kept.games import Kept
from webui.services import services_of

CODE = "ABCD-EFGH"


def id_in(path: str) -> str:
    """The id of a game, a reading or a calibration, at the end of its path."""
    return path.rpartition("/")[2]


def calibration_file(data_dir: Path, path: str) -> Path:
    """Where the calibration or copy at this path is kept."""
    return data_dir / "calibrations" / f"{id_in(path)}.json"


def game_at(app: Flask, path: str) -> Kept:
    """The game at this path, as it lies on disk."""
    return services_of(app).games.load(id_in(path))


def begun_with(app: Flask, state: State) -> str:
    """The path of a new game that begins with this state."""
    return f"/game/{services_of(app).games.create(Game(state))}"


class Visitor:
    """A phone at the table: it sends the token, and the version that stands in the last page it saw."""

    def __init__(self, app: Flask, *, join: bool = True) -> None:
        self.client: FlaskClient = app.test_client()
        self.page: TestResponse | None = None
        self.token = ""
        if join:
            self.client.post("/join", data={"code": CODE})

    def get(self, path: str, **options: Any) -> TestResponse:
        self.page = self.client.get(path, **options)
        self.token = self.field("token") or self.token
        return self.page

    def field(self, name: str) -> str:
        assert self.page is not None
        found = re.search(rf'name="{name}" value="([^"]*)"', self.page.text)
        return found[1] if found else ""

    def post(self, path: str, /, **fields: object) -> TestResponse:
        data = {"token": self.token, "version": self.field("version"), **fields}
        return self.client.post(path, data=data, content_type="multipart/form-data")

    def wait(self, reading: str) -> None:
        """Wait until the photos of a reading, by its path, have been read."""
        for _ in range(1000):
            if self.client.get(reading + "/status").json["done"]:
                return
            time.sleep(0.01)
        pytest.fail("the photo was never read")

    def start(self, **fields: object) -> str:
        """Start a game; returns its path."""
        self.get("/new")
        setup = {"mode": "solo", "difficulty": "passenger", "board": "usa", "seat0": "red", **fields}
        answer = self.post("/new", **setup)
        assert answer.status_code == 303, answer.text
        return answer.location

    def act(self, game: str, **fields: object) -> TestResponse:
        self.get(game)
        return self.post(f"{game}/act", **fields)

    def draft(self, game: str) -> None:
        """The solo draft: two shares, and Mašinfíra's two draws."""
        for company in ("orange", "gray"):
            assert self.act(game, notation=f"draft {company}").status_code == 303
        self.get(game)
        assert self.post(f"{game}/bot").status_code == 303
