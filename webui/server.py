"""Running the pages on a computer at the table, and telling the phones where they are."""

import errno
import io
import json
import logging
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import quote

import segno
import waitress
from flask import Flask

from engine.catalogue import texts
from engine.mini_express import Pack
from engine.sentences import N_, REASONS, Problem, reason_of

from .access import new_join_code
from .app import create_app
from .kept.saving import kept_secret, served_alone
from .problems import UPLOAD_MEGABYTES, WebProblem
from .services import services_of

CODE_FILE = "join_code"
# Above the limit of the pages, so that they, not waitress, answer what is somewhat too big; but each connection can
# fill so much of the disk before anybody asks who it is.
BODY_AT_MOST = (UPLOAD_MEGABYTES + 10) * 1_000_000
THREADS = 8
# Idle strangers shall not shut the players out.
CONNECTIONS, IDLE_SECONDS = 500, 30
SAY_AT_ONCE = partial(print, flush=True)

OPEN = N_("Open {url} on a phone in the same network, or scan this:")
CODE = N_("Join code: {code}. Stop with Ctrl+C; the games are kept in {folder}.")


def serve(
    host: str,
    port: int,
    data_dir: Path,
    profile_dir: Path | None,
    *,
    pack: Pack | None = None,
    lang: str = "en",
    as_json: bool = False,
    say: Callable[[str], None] = SAY_AT_ONCE,
) -> None:
    """Serve until interrupted; where it is open is said in words, or as one line of JSON.

    Raises WebProblem when the port or the folder cannot be used.
    """
    with served_alone(data_dir):
        app = create_app(data_dir, profile_dir, code := _kept_code(data_dir), pack)
        listener = _listener(host, port)
        url = f"http://{_address(host)}:{listener.getsockname()[1]}"
        # The owner may have written another code into its file.
        join_url = f"{url}/join?code={quote(code, safe='')}"
        door = {"url": url, "join_code": code, "join_url": join_url, "data": str(data_dir)}
        damaged = services_of(app).packs.damaged
        for line in [json.dumps(door)] if as_json else _for_people(door, lang, damaged):
            say(line)
        _answer(app, listener)


def _answer(app: Flask, listener: socket.socket) -> None:
    """Answer the phones until interrupted."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is nobody's concern
    waitress.serve(
        app,
        sockets=[listener],
        threads=THREADS,
        max_request_body_size=BODY_AT_MOST,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_SECONDS,
        asyncore_use_poll=True,
        ident=None,
        _quiet=True,
    )
    services_of(app).reader.close()


def _for_people(door: Mapping[str, str], lang: str, damaged: Problem | None) -> Iterator[str]:
    """Where the pages are open, for people, after what is to be put right."""
    if damaged:
        yield texts(lang).told(damaged)
    yield texts(lang).say(OPEN, url=door["url"])
    yield _qr_code(door["join_url"])
    yield texts(lang).say(CODE, code=door["join_code"], folder=door["data"])


def _kept_code(data_dir: Path) -> str:
    """The code of this table: the same after a restart, so that the phones stay in. Raises WebProblem."""
    new = f"{new_join_code()}\n".encode()
    return kept_secret(data_dir / CODE_FILE, _is_code, new).decode().strip()[:64]


def _is_code(kept: bytes) -> bool:
    """Whether a file holds something that can be typed; one that is damaged does not."""
    with suppress(UnicodeDecodeError):
        return any(map(str.isalnum, kept.decode()))
    return False


def _listener(host: str, port: int) -> socket.socket:
    """A listening socket, opened here so that a taken port is one sentence."""
    if not 0 <= port <= 65535:  # getaddrinfo would take the remainder
        raise WebProblem("no_port", port=port)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = found[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(64)
    except UnicodeError:  # what cannot be the name of a computer
        reason = REASONS[errno.EADDRNOTAVAIL]
        raise WebProblem("port_taken", port=port, host=host, reason=reason) from None
    except (OSError, OverflowError) as error:
        raise WebProblem("port_taken", port=port, host=host, reason=reason_of(error)) from None
    return listener


def _address(host: str) -> str:
    """The address by which a phone reaches this computer."""
    if host not in ("", "0.0.0.0", "::"):  # noqa: S104
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; only asks which network card would be used
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _qr_code(text: str) -> str:
    """The QR code in block letters; on a terminal in white on black, whatever colours that has."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True, border=2)
    lines = out.getvalue().rstrip("\n").splitlines()
    return "\n".join(f"\033[97;40m{line}\033[0m" if sys.stdout.isatty() else line for line in lines)
