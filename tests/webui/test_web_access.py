"""The door: the join code, guesses, forged requests, headers, languages."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from visitors import CODE

from webui import create_app
from webui.access import (
    CODE_BYTES_AT_MOST,
    DAYS,
    GUESSES,
    GUESSES_OF_ALL,
    WINDOW_SECONDS,
    Guesses,
    new_join_code,
    same_code,
)

PATHS = [
    "/",
    "/new",
    "/underway",
    "/underway/0123456789abcdef",
    "/game/00000000",
    "/game/00000000/score",
    "/static/base.css",
    "/static/page.js",
    "/favicon.ico",
    "/x",
]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_served_without_the_code(stranger, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert "join code" in answer.text
    # Not a word of any game but of the one that the visitor wanted to see, whether it is there or not.
    assert {*re.findall(r"/game/[0-9a-f]*", answer.text)} <= {*re.findall(r"/game/[0-9a-f]*", path)}


@pytest.mark.parametrize(
    ("wanted", "leads_to"),
    [
        ("/game/00000000/photo", "/game/00000000/photo"),
        ("/count/numbers?mode=solo&seat0=red", "/count/numbers?mode=solo&amp;seat0=red"),
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example/", "/"),
        ("/\\elsewhere.example/", "/"),
        ("/\t/elsewhere.example/", "/"),
        ("/\n/elsewhere.example/", "/"),
        ("/no such page", "/"),
        ("/game/00000000/undo", "/"),
        ("/new?seat0=" + "x" * 5000, "/"),
        ("", "/"),
    ],
)
def test_who_gives_the_code_comes_to_the_page_that_was_wanted(stranger, wanted: str, leads_to: str) -> None:
    """Only if it is one of ours that can be asked for."""
    answer = stranger.client.post("/join", data={"code": CODE, "wanted": wanted[:1500]})
    assert f'url={leads_to}"' in answer.text
    assert f'href="{leads_to}"' in answer.text


def test_the_join_page_knows_where_the_visitor_wanted_to_go(stranger) -> None:
    """In every language; who sends something wants to see the page that it was sent from."""
    wanted = 'name="wanted" value="/game/00000000/photo?x=1"'
    page = stranger.get("/game/00000000/photo?x=1").text
    assert wanted in page
    link = re.search(r'href="(/join\?lang=ko[^"]*)"', page)
    assert link
    chosen = stranger.get(link[1].replace("&amp;", "&")).location
    assert wanted in stranger.get(chosen).text
    sent_from = {"Referer": "http://localhost/game/00000000"}
    sent = stranger.client.post("/game/00000000/act", headers=sent_from)
    assert 'name="wanted" value="/game/00000000"' in sent.text


def test_a_stranger_can_change_nothing(visitor, stranger) -> None:
    game = visitor.start()
    before = visitor.get(game + "/record.txt").text
    for path in (
        game + "/act",
        game + "/undo",
        game + "/bot",
        game + "/tiles",
        game + "/photo",
        "/new",
        "/underway",
    ):
        assert stranger.client.post(path, data={"notation": "draft gray"}).status_code == 403
    assert visitor.get(game + "/record.txt").text == before


@pytest.mark.parametrize("code", ["ABCD-EFGH", "abcdefgh", " abcd efgh ", "ABCD–EFGH"])
def test_the_code_opens_however_it_is_typed(stranger, code: str) -> None:
    assert stranger.client.post("/join", data={"code": code}).status_code == 200
    assert stranger.get("/").status_code == 200


def test_the_link_of_the_qr_code_opens(stranger) -> None:
    assert stranger.get("/join?code=ABCD-EFGH").status_code == 200
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize("code", ["", "X", "ABCD-EFGI", "É" * 200, "\x00", "ABCDEFGHA"])
def test_a_wrong_code_stays_outside(stranger, code: str) -> None:
    assert stranger.client.post("/join", data={"code": code}).status_code == 403
    assert stranger.get("/").status_code == 403


@pytest.mark.parametrize("path", ["/", "/?lang=cs", "/join?lang=ko", "/nowhere?lang=cs"])
@pytest.mark.parametrize("host", [".", "a..b", 70 * "x"])
def test_a_host_that_cannot_be_gets_no_page(stranger, host: str, path: str) -> None:
    assert stranger.client.get(path, headers={"Host": host}).status_code == 400


def test_a_stranger_cannot_send_much(stranger) -> None:
    assert stranger.client.post("/join", data={"code": "A" * CODE_BYTES_AT_MOST}).status_code == 413


def test_guesses_are_limited_even_for_the_right_code(stranger) -> None:
    for _ in range(GUESSES):
        assert stranger.client.post("/join", data={"code": "wrong"}).status_code == 403
    answer = stranger.client.post("/join", data={"code": CODE})
    assert answer.status_code == 429
    assert re.search(r"wait \d+ s", answer.text)


def test_guesses_are_forgotten_after_a_minute() -> None:
    now = 0.0
    guesses = Guesses(lambda: now)
    for _ in range(GUESSES):
        assert guesses.wait("10.0.0.1", wrong=True) == 0
    assert guesses.wait("10.0.0.1", wrong=True) == WINDOW_SECONDS
    assert guesses.wait("10.0.0.2", wrong=False) == 0
    now = float(WINDOW_SECONDS)
    assert guesses.wait("10.0.0.1", wrong=True) == 0


def test_of_many_guesses_at_once_no_more_are_let_through() -> None:
    guesses = Guesses()
    with ThreadPoolExecutor(8) as pool:
        waits = [*pool.map(lambda _: guesses.wait("10.0.0.1", wrong=True), range(80))]
    assert waits.count(0) == GUESSES


def test_many_addresses_together_are_limited_too() -> None:
    guesses = Guesses(lambda: 0.0)
    for n in range(GUESSES_OF_ALL):
        guesses.wait(f"10.0.0.{n}", wrong=True)
    assert guesses.wait("10.0.1.1", wrong=False) > 0


def test_many_addresses_do_not_fill_the_memory() -> None:
    guesses = Guesses(lambda: 0.0)
    for n in range(2 * GUESSES_OF_ALL):
        guesses.wait(f"10.0.{n // 256}.{n % 256}", wrong=True)
    assert len(guesses._wrong) == GUESSES_OF_ALL


def test_codes_are_long_and_different() -> None:
    codes = {new_join_code() for _ in range(100)}
    assert len(codes) == 100
    assert all(re.fullmatch(r"[2-9A-Z]{4}-[2-9A-Z]{4}", code) for code in codes)
    assert not same_code("", "ABCD-EFGH")


def test_the_session_cookie_is_not_for_scripts_or_other_sites(stranger) -> None:
    cookie = stranger.client.post("/join", data={"code": CODE}).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_a_phone_stays_in_when_its_browser_is_closed(stranger) -> None:
    stranger.client.post("/join", data={"code": CODE})
    until = stranger.client.get_cookie("masinfira").expires
    assert until is not None
    assert until - datetime.now(UTC) > timedelta(days=DAYS - 1)


def test_a_session_of_another_code_is_worth_nothing(app: Flask, data_dir, visitor) -> None:
    other = create_app(data_dir, None, "WXYZ-2345").test_client()
    cookie = visitor.client.get_cookie("masinfira")
    other.set_cookie("masinfira", cookie.value)
    assert other.get("/").status_code == 403


def test_a_phone_stays_in_after_a_restart(data_dir, visitor) -> None:
    again = create_app(data_dir, None, CODE).test_client()
    again.set_cookie("masinfira", visitor.client.get_cookie("masinfira").value)
    assert again.get("/").status_code == 200


@pytest.mark.parametrize("token", [None, "", "wrong", "é"])
def test_writing_needs_the_token(visitor, token: str | None) -> None:
    fields = {"mode": "solo", "difficulty": "passenger", "board": "usa", "seat0": "red"}
    data = fields if token is None else {**fields, "token": token}
    assert visitor.client.post("/new", data=data).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_writing_from_another_site_is_refused(visitor, headers: dict[str, str]) -> None:
    visitor.get("/new")
    data = {
        "token": visitor.field("token"),
        "mode": "experts",
        "board": "usa",
        "seat0": "red",
        "seat1": "blue",
    }
    assert visitor.client.post("/new", data=data, headers=headers).status_code == 403
    assert visitor.client.post("/new", data=data, headers={"Origin": "http://localhost"}).status_code == 303


def test_who_has_joined_is_not_asked_again(visitor) -> None:
    answer = visitor.client.get("/join")
    assert (answer.status_code, answer.location) == (302, "/")


@pytest.mark.parametrize("path", ["/", "/join", "/nowhere", "/static/page.js"])
def test_every_answer_has_the_security_headers(visitor, path: str) -> None:
    headers = visitor.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    for rule in ("form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert rule in policy
    assert "unsafe-inline" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"


def test_no_page_stays_in_a_browsers_cache_but_styles_and_scripts_do(visitor) -> None:
    assert visitor.get("/").headers["Cache-Control"] == "no-store"
    assert "no-store" not in visitor.get("/static/page.js").headers.get("Cache-Control", "")


def test_pages_hold_no_inline_script_and_nothing_from_elsewhere(visitor) -> None:
    game = visitor.start()
    visitor.draft(game)
    for path in ("/", "/new", game, game + "?city=5", game + "/score", game + "/log", game + "/photo"):
        page = visitor.get(path).text
        assert not re.search(r"<script(?![^>]*src=)", page)
        assert not re.search(r"\son\w+=|\sstyle=", page)
        assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("cs", "cs"),
        ("ko-KR,ko;q=0.9,en;q=0.8", "ko"),
        ("de", "en"),
        ("", "en"),
        ("de,cs;q=0.3", "cs"),
        ("*", "en"),
    ],
)
def test_the_first_language_is_the_browsers(stranger, accepted: str, lang: str) -> None:
    assert f'<html lang="{lang}">' in stranger.get("/", headers={"Accept-Language": accepted}).text


def test_a_language_once_chosen_stays(visitor) -> None:
    assert visitor.get("/?lang=ko").status_code == 303
    assert '<html lang="ko">' in visitor.get("/new").text
    assert '<html lang="ko">' in visitor.get("/new?lang=klingon").text


def test_a_language_does_not_stay_in_the_address(visitor, stranger) -> None:
    """Else who goes back later would choose it again."""
    for someone in (visitor, stranger):
        assert someone.get("/rules?a=1&lang=ko&a=%26").location == "/rules?a=1&a=%26"
        assert '<html lang="ko">' in someone.get("/rules").text
    assert visitor.get("//elsewhere.example?lang=ko").location == "/"


def test_an_address_that_is_no_line_of_a_header_is_no_trouble(visitor, stranger) -> None:
    for someone in (visitor, stranger):
        address = someone.get("/calibrate/aaaa%0aaaaaaaaaaaa?lang=cs").location
        assert address == "/calibrate/aaaa%0Aaaaaaaaaaaa"


def test_a_page_that_is_not_there_is_left_in_another_language_for_one_of_ours(visitor) -> None:
    """Browsers take the path /\\elsewhere for another site."""
    links = re.findall(r'href="([^"]*)\?lang=', visitor.get("/%5Celsewhere.example/x").text)
    assert set(links) == {"/"}


def test_who_scans_the_code_once_more_can_still_send_what_was_open(visitor) -> None:
    visitor.get("/new")
    visitor.client.get("/join", query_string={"code": CODE})
    assert (
        visitor.post("/new", mode="solo", difficulty="tourist", seat0="red", board="usa").status_code == 303
    )


def test_every_page_offers_all_languages(visitor, stranger) -> None:
    game = visitor.start()
    pages = [visitor.get(path) for path in ("/", "/new", game, game + "/log", game + "/tiles", "/nowhere")]
    for page in (*pages, stranger.get("/"), visitor.act(game, notation="pass")):
        assert {"cs", "ko", "en"} == set(re.findall(r'\?lang=(\w\w)[&"]', page.text))
