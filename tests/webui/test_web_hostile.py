"""Whatever is sent: a 4xx with one sentence, never a traceback, never a change."""

import io
import re
from urllib.parse import urlencode

import pytest
from flask import Flask
from visitors import CODE, Visitor

from webui import create_app
from webui.problems import UPLOAD_MEGABYTES

HUGE = "9" * 5000
WORDS = [
    "",
    "x",
    "-1",
    "1.5",
    HUGE,
    "null",
    "[]",
    "{}",
    "../../etc/passwd",
    "<script>",
    "\x00",
    "💥",
    "' OR 1=1",
    "None",
]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """One for all: whatever is refused changes nothing."""
    return create_app(tmp_path_factory.mktemp("games"), None, CODE)


@pytest.fixture(scope="module")
def drafted(app: Flask) -> str:
    """The path of a game after its draft."""
    visitor = Visitor(app)
    game = visitor.start()
    visitor.draft(game)
    return game


def refused(answer) -> bool:  # type: ignore[no-untyped-def]
    assert 400 <= answer.status_code < 500, answer.status_code
    assert "Traceback" not in answer.text
    sentence = re.search(r'role="alert">([^<]+)<', answer.text)
    assert sentence, answer.text[:200]
    return sentence[1].rstrip().endswith((".", ")"))


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("field", ["notation", "company", "route", "wild", "port", "west", "tile"])
def test_hostile_fields_of_an_action(visitor, drafted: str, field: str, word: str) -> None:
    lines = {
        "notation": word,
        "company": f"build {word} 0,0 0,1",
        "route": f"build gray {word}",
        "tile": f"draw {word}",
    }
    fields = {"notation": lines.get(field, "build gray 0,0 0,1")} | ({} if field in lines else {field: word})
    assert refused(visitor.act(drafted, **fields))


@pytest.mark.parametrize(
    "route",
    ["0,0 " * 1000, "1,2,3", "١,٢", "1e3,2", "0,0  0,1", "0,0\n0,1", "999,999", "[0,0]", "0,0 0,0", "0,-0"],
)
def test_hostile_routes(visitor, drafted: str, route: str) -> None:
    assert refused(visitor.act(drafted, notation=f"build gray {route}"))


@pytest.mark.parametrize("word", WORDS)
def test_hostile_names_of_a_photo(visitor, word: str) -> None:
    answer = visitor.get(f"{visitor.start()}/tiles?{urlencode({'photo': word})}")
    assert answer.status_code == 200 if not word else refused(answer)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("field", ["mode", "board", "difficulty", "seat0", "module"])
def test_hostile_setups(visitor, field: str, word: str) -> None:
    visitor.get("/new")
    fields = {"mode": "solo", "difficulty": "passenger", "board": "usa", "seat0": "red", field: word}
    assert refused(visitor.post("/new", **fields))


@pytest.mark.parametrize(
    "setup",
    [
        {"mode": "experts", "seat0": "red", "seat1": "red"},
        {"mode": "standard", "seat0": "red", "seat1": "blue"},
    ],
)
def test_setups_that_do_not_fit(visitor, setup: dict[str, str]) -> None:
    visitor.get("/new")
    assert refused(visitor.post("/new", **{"board": "usa", "difficulty": "tourist", "seat0": "red", **setup}))


@pytest.mark.parametrize(
    "query",
    [
        f"{field}={word}"
        for field in ("city", "company")
        for word in ("x", HUGE, "-1", "0", "99", "²", "١", "%00")
    ],
)
def test_hostile_questions(visitor, query: str) -> None:
    assert refused(visitor.get(f"{visitor.start()}?{query}"))


@pytest.mark.parametrize(
    "id",
    [
        "0",
        "ffffffff",
        "FFFFFFFF",
        "../secret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "secret",
        "a" * 5000,
        "0000000/",
        "ffffffff.game",
    ],
)
def test_hostile_names_of_games(visitor, id: str) -> None:
    for page in ("", "/log", "/score", "/photo", "/record.txt"):
        assert refused(visitor.get(f"/game/{id}{page}"))


def test_no_file_of_the_server_can_be_had(visitor) -> None:
    for path in (
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/secret",
    ):
        assert visitor.get(path).status_code in (404, 308)


def test_wrong_methods_and_wrong_bodies(visitor) -> None:
    game = visitor.start()
    assert refused(visitor.get(f"{game}/act"))
    assert refused(visitor.client.put(game))
    assert refused(visitor.client.post(f"{game}/act", data=b"{{{", content_type="application/json"))
    assert refused(visitor.client.post(f"{game}/act", data=b"\xff\xfe", content_type="multipart/form-data"))
    assert refused(visitor.client.post(f"{game}/act", data={f"f{n}": "" for n in range(3000)}))


def test_a_version_nobody_saw_is_stale(visitor) -> None:
    game = visitor.start()
    for version in ("", "x" * 5000, "é"):
        visitor.get(game)
        answer = visitor.post(f"{game}/act", notation="draft gray", version=version)
        assert answer.status_code == 409


@pytest.mark.parametrize(
    "page", ["{game}/photo", "/new", "/new/tiles", "/count", "/underway", "/calibrate/new/map"]
)
def test_too_big_an_upload_is_a_sentence(visitor, page: str) -> None:
    path = page.format(game=visitor.start())
    visitor.get("/new")
    photo = (io.BytesIO(b"\xff" * (UPLOAD_MEGABYTES * 1_000_000 + 1000)), "a.jpg")
    answer = visitor.post(path, photo=photo)
    assert answer.status_code == 413
    assert f"{UPLOAD_MEGABYTES} megabytes" in answer.text


def test_status_questions_are_answered_in_json(visitor) -> None:
    answer = visitor.get(f"{visitor.start()}/photo/0123456789abcdef/status")
    assert answer.status_code == 404
    assert answer.json["error"].endswith(".")
