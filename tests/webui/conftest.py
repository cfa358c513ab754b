"""A table to visit: the application, and who visits it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import driver, phone
from fake_boards import boards, doubtful, with_shares
from fake_vision import BLANK, FakeScan
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from visitors import CODE, Visitor, game_at

from webui import create_app
from webui.kept.games import Games
from webui.kept.reader import Reader
from webui.services import services_of

__all__ = ["boards", "doubtful", "driver", "phone", "with_shares"]


@pytest.fixture(scope="session", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Templates are compiled once for all applications: for each anew it took half of the time of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        cache = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
        patch.setitem(Flask.jinja_options, "bytecode_cache", cache)
        yield


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "games"


@pytest.fixture
def app(data_dir: Path) -> Flask:
    return create_app(data_dir, None, CODE)


@pytest.fixture
def reader(app: Flask) -> Reader:
    return services_of(app).reader


@pytest.fixture
def games(app: Flask) -> Games:
    return services_of(app).games


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app)


@pytest.fixture
def stranger(app: Flask) -> Visitor:
    return Visitor(app, join=False)


@pytest.fixture
def new_visitor(app: Flask) -> Callable[[], Visitor]:
    return lambda: Visitor(app)


@pytest.fixture
def table(visitor, app, reader, monkeypatch):
    """A game after its draft, and a reader whose vision is `table.says`."""
    monkeypatch.setattr(reader, "profile", lambda board: BLANK)
    path = visitor.start()
    visitor.draft(path)
    visitor.path = path
    visitor.state = game_at(app, path).state
    visitor.says = FakeScan
    reader.scanner = lambda photos, profile, before, progress: visitor.says(before)
    return visitor
