"""The server as a process: what it prints, what a kill leaves, what it refuses."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest
from visitors import CODE

from webui import WebProblem, create_app, serve
from webui.kept.saving import served_alone

ROOT = Path(__file__).parents[2]
MASINFIRA = [sys.executable, "-m", "masinfira"]
SERVE = ["serve", "--host", "127.0.0.1", "--port", "0", "--lang", "en"]


class Table:
    """The server as people start it, and a visitor who has joined with the link it prints."""

    def __init__(self, folder: Path, *options: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        command = [*MASINFIRA, *options, *SERVE, "--data", str(folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
        self.printed = ""
        assert self.process.stdout
        while "Join code" not in self.printed:
            line = self.process.stdout.readline()
            assert line, self.printed
            self.printed += line
        self.url = re.search(r"http://\S+", self.printed)[0]
        self.code = re.search(r"Join code: ([\w-]+)\.", self.printed)[1]
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.get("/join?code=" + self.code)

    def get(self, path: str) -> str:
        return self.opener.open(self.url + path).read().decode()

    def post(self, path: str, **fields: str) -> str:
        return self.opener.open(self.url + path, urlencode(fields).encode()).read().decode()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        self.process.stdout.close()


def field(name: str, page: str) -> str:
    return re.search(rf'name="{name}" value="([^"]+)"', page)[1]


@pytest.mark.slow
def test_tables_and_maps_are_the_pages_to_change_but_for_a_pack_that_was_given(tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    try:
        assert "My copy of the map" in table.get("/calibrate")
        page = table.get("/copy/tables")
        fields = dict(re.findall(r'name="([^"]+)" value="([^"]+)"', page)) | {"first.15": "14"}
        table.post("/copy/tables", **fields)
    finally:
        table.kill()
    own = tmp_path / "games" / "packs" / (tmp_path / "games" / "packs" / "in_use").read_text()
    table = Table(tmp_path / "games")
    try:
        assert 'name="first.15" value="14"' in table.get("/copy/tables")
    finally:
        table.kill()
    table = Table(tmp_path / "games", "--pack", str(own))
    try:
        assert "My copy of the map" not in table.get("/calibrate")
    finally:
        table.kill()


@pytest.mark.slow
def test_a_killed_server_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    try:
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(table.url)
        token = field("token", table.get("/new"))
        setup = {"mode": "solo", "difficulty": "passenger", "board": "usa", "seat0": "red"}
        page = table.post("/new", token=token, **setup)
        path = re.search(r"/game/[0-9a-f]{8}", page)[0]
        table.post(path + "/act", token=token, version=field("version", page), notation="draft gray")
        record = table.get(path + "/record.txt")
        code = table.code
    finally:
        table.kill()
    again = Table(tmp_path / "games")
    try:
        assert again.code == code
        assert again.get(path + "/record.txt") == record
        assert "draft g" in record
    finally:
        again.kill()


def test_a_folder_that_is_served_already_is_not_served_twice(tmp_path: Path) -> None:
    table = Table(tmp_path / "games")
    try:
        with pytest.raises(WebProblem, match="already serves the games"):
            serve("127.0.0.1", 0, tmp_path / "games", None, say=lambda _: None)
        assert "masinfira" in table.get("/")
    finally:
        table.kill()
    with pytest.raises(WebProblem, match="no port"):  # whoever was killed serves it no more
        serve("127.0.0.1", -1, tmp_path / "games", None, say=lambda _: None)


def test_what_a_killed_program_has_left_is_cleared_up_at_the_next_start(tmp_path: Path) -> None:
    """Whatever has another name stays, and what a command may be writing right now."""
    games, elsewhere = tmp_path / "games", tmp_path / "elsewhere"
    left = [games / "packs" / f".pack-{'a' * 16}" / "values.toml", games / "photos" / f".{'b' * 16}.part"]
    others = [
        games / ".bb.part",
        games / "packs" / "old" / f"{'b' * 16}.part",
        elsewhere / f".{'b' * 16}.part",
    ]
    for file in (*left, *others):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    (link := games / f".pack-{'b' * 16}").symlink_to(elsewhere)
    for path in (*left, *others, left[0].parent, link):
        os.utime(path, (0, 0), follow_symlinks=False)
    (young := games / f".{'c' * 16}.part").touch()
    with served_alone(games):
        assert not any(path.exists() for path in (*left, left[0].parent))
        assert all(path.exists() for path in (*others, young))


def test_a_taken_port_and_an_impossible_one_are_sentences(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(WebProblem, match="cannot be used"):
            serve("127.0.0.1", taken.getsockname()[1], tmp_path, None, say=lambda _: None)
    for port in (-1, 65536, 10**30):
        with pytest.raises(WebProblem, match="There is no port"):
            serve("127.0.0.1", port, tmp_path, None, say=lambda _: None)
    for host, port in (("203.0.113.7", 8000), ("nonsense.invalid", 8000), ("x" * 300, 1)):
        with pytest.raises(WebProblem, match=r"cannot be used \(this computer has no such address\)"):
            serve(host, port, tmp_path, None, say=lambda _: None)


def test_a_folder_that_cannot_be_used_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for folder in (file, file / "games"):
        with pytest.raises(WebProblem, match="cannot be kept"):
            create_app(folder, None, CODE)
        with pytest.raises(WebProblem, match="cannot be kept"):
            serve("127.0.0.1", 0, folder, None, say=lambda _: None)


@pytest.mark.parametrize("name", ["secret", "join_code"])
def test_a_key_or_code_that_cannot_be_kept_is_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(WebProblem, match="cannot be kept"):
        serve("127.0.0.1", 0, tmp_path, None, say=lambda _: None)


def test_what_the_server_keeps_of_the_door_is_for_its_owner_only(tmp_path: Path) -> None:
    with pytest.raises(WebProblem, match="no port"):  # by then it has its code
        serve("127.0.0.1", -1, tmp_path, None, say=lambda _: None)
    assert all((tmp_path / name).stat().st_mode & 0o077 == 0 for name in ("secret", "join_code"))


def test_a_key_or_code_that_is_damaged_is_made_anew_and_a_good_one_stays(tmp_path: Path) -> None:
    for kept in (b"", b" \n", b"--", b"HXWX-\xb4\xff"):
        (tmp_path / "join_code").write_bytes(kept)
        (tmp_path / "secret").write_bytes(b"short")
        with pytest.raises(WebProblem, match="no port"):
            serve("127.0.0.1", -1, tmp_path, None, say=lambda _: None)
        create_app(tmp_path, None, CODE)
        assert len((tmp_path / "join_code").read_text().strip()) >= 8
        assert len((tmp_path / "secret").read_bytes()) >= 32
    door = [(tmp_path / name).read_bytes() for name in ("join_code", "secret")]
    with pytest.raises(WebProblem, match="no port"):
        serve("127.0.0.1", -1, tmp_path, None, say=lambda _: None)
    assert [(tmp_path / name).read_bytes() for name in ("join_code", "secret")] == door
