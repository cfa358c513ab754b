"""The door: nobody sees or changes a game without the join code of the table.

A right code gives a signed session cookie. Whoever holds it may read; whoever writes must also send the
session's token from one of our own pages (against forged requests of other sites).
"""

import hashlib
import hmac
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    session,
)

from .kept.saving import kept_secret
from .language import line_of
from .links import page_of_ours
from .problems import WebProblem

GUESSES = 6
CODE_BYTES_AT_MOST = 2000
# At this rate all codes take thousands of years, and one guest cannot easily shut the door for everybody.
GUESSES_OF_ALL = 600
WINDOW_SECONDS = 60
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
KEY_FILE, KEY_BYTES = "secret", 32
DAYS = 30

door = Blueprint("door", __name__)


def new_join_code() -> str:
    """Eight letters without the ones that look alike, about 40 bits."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(8))
    return f"{code[:4]}-{code[4:]}"


class Guesses:
    """Wrong codes of the last minute, per address and in all, so that nobody can try them out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def wait(self, address: str, *, wrong: bool) -> int:
        """Seconds until this address may guess again; 0 when it may, and then a `wrong` guess is counted."""
        now = self._clock()
        with self._lock:
            seconds = self._wait(address, now)
            if wrong and not seconds:
                self._note(address, now)
        return seconds

    def _wait(self, address: str, now: float) -> int:
        own = self._recent(address, now)
        everyone = sorted(moment for a in list(self._wrong) for moment in self._recent(a, now))
        waits = [WINDOW_SECONDS - (now - own[0])] if len(own) >= GUESSES else []
        if len(everyone) >= GUESSES_OF_ALL:
            waits.append(WINDOW_SECONDS - (now - everyone[0]))
        return max(1, round(max(waits))) if waits else 0

    def _note(self, address: str, now: float) -> None:
        """Count a wrong guess; no more are remembered than all together may make."""
        self._wrong.setdefault(address, deque(maxlen=GUESSES)).append(now)

    def _recent(self, address: str, now: float) -> deque[float]:
        moments = self._wrong.get(address, deque())
        while moments and now - moments[0] >= WINDOW_SECONDS:
            moments.popleft()
        if not moments:
            self._wrong.pop(address, None)
        return moments


def same_code(given: str, code: str) -> bool:
    """Compare in constant time; case, spaces and dashes do not count."""
    plain = [re.sub(r"[\s\-–]", "", text[:64]).upper().encode() for text in (given, code)]
    return hmac.compare_digest(*plain)


def init(app: Flask, data_dir: Path, join_code: str) -> None:
    """Put the door in front of every page of the application. Raises WebProblem where its key cannot be kept."""
    # Kept, so that a restart does not throw the phones out.
    new = secrets.token_bytes(KEY_BYTES)
    app.secret_key = kept_secret(data_dir / KEY_FILE, lambda key: len(key) >= KEY_BYTES, new)
    app.config.update(
        JOIN_CODE=join_code,
        GUESSES=Guesses(),
        SESSION_COOKIE_NAME="masinfira",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        PERMANENT_SESSION_LIFETIME=DAYS * 24 * 3600,
    )
    app.register_blueprint(door)
    app.before_request(_guard)
    app.after_request(_headers)
    app.jinja_env.globals.update(token=lambda: session.get("token", ""), joined=joined, nonce=_nonce)


def _mark() -> str:
    """What a session that knows the present code carries; another code makes it worthless."""
    code = current_app.config["JOIN_CODE"].encode()
    key = current_app.secret_key
    assert isinstance(key, bytes)
    return hmac.new(key, code, hashlib.sha256).hexdigest()


def joined() -> bool:
    """Has this browser given the join code?"""
    return hmac.compare_digest(str(session.get("joined", "")), _mark())


def _guard() -> Response | None:
    """Runs before every request: the join code, then for writing the origin and the token."""
    writes = request.method not in ("GET", "HEAD", "OPTIONS")
    if writes and not _own_origin():
        raise WebProblem("not_from_here")
    if request.endpoint == "door.join":
        return None
    if not joined():
        return _join_page(WebProblem("join_first"))
    if writes and not hmac.compare_digest(request.form.get("token", "").encode(), session["token"].encode()):
        raise WebProblem("not_from_here")
    return None


def _own_origin() -> bool:
    """Browsers name the page that sends a form; it must be one of ours. Scripts name none."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or origin == request.host_url.rstrip("/")


@door.route("/join", methods=["GET", "POST"])
def join() -> Response:
    """Take the code typed in, or the one in the link of the QR code."""
    request.max_content_length = CODE_BYTES_AT_MOST
    given = request.values.get("code", "")
    if not given:
        if joined():
            return make_response(redirect(_wanted()))
        return _join_page(WebProblem("join_first"))
    guesses: Guesses = current_app.config["GUESSES"]
    address = request.remote_addr or ""
    wrong = not same_code(given, current_app.config["JOIN_CODE"])
    if wait := guesses.wait(address, wrong=wrong):
        return _join_page(WebProblem("too_many_guesses", seconds=wait))
    if wrong:
        return _join_page(WebProblem("wrong_code"))
    # Who scans the code once more may have pages open, whose forms carry the token.
    token = session["token"] if joined() else secrets.token_urlsafe(24)
    session.clear()
    session.permanent = True
    session.update(joined=_mark(), token=token)
    # Not a redirect: a Strict cookie would not be sent along when the link came from another app.
    return make_response(render_template("joined.html", wanted=_wanted()))


def _join_page(problem: WebProblem) -> Response:
    page = render_template("join.html", sentence=line_of(problem), wanted=_wanted())
    return make_response(page, problem.status)


def _wanted() -> str:
    """Where the visitor goes once the code is right: to the page asked for, or the one that something was sent from."""
    if request.endpoint == "door.join":
        return page_of_ours(request.values.get("wanted", ""))
    if request.method == "GET":
        return page_of_ours(request.full_path.rstrip("?"))
    return page_of_ours((request.referrer or "").removeprefix(request.host_url.rstrip("/")))


def _nonce() -> str:
    """Lets the join page carry its own style, because without the code not even the style sheets are served."""
    if "nonce" not in g:
        g.nonce = secrets.token_urlsafe(12)
    return str(g.nonce)


def _headers(response: Response) -> Response:
    style = f"'self' 'nonce-{g.nonce}'" if "nonce" in g else "'self'"
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self'; style-src {style}; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    # Not "no-referrer": with it browsers send the origin "null" with our own forms. Other sites get nothing.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Permissions-Policy"] = "geolocation=(), microphone=()"
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response
